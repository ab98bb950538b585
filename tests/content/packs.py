"""Small packs for tests: whole ones, and such with one thing wrong."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SRD = ROOT / "content" / "srd-5.1"
Json = dict[str, Any]

RAT: Json = {
    "id": "mill-rat",
    "name": "Mill Rat",
    "tier": "full",
    "size": "tiny",
    "type": "beast",
    "ac": {"value": 10, "kind": "dex"},
    "hp": {"average": 1, "dice": "1d4", "bonus": -1},
    "speeds": {"walk": 20},
    "stats": {"str": 2, "dex": 11, "con": 9, "int": 2, "wis": 10, "cha": 4},
    "cr": 0,
    "xp": 10,
    "proficiency_bonus": 2,
    "actions": [
        {
            "id": "bite",
            "name": "Bite",
            "attack": {"kind": "melee_weapon", "to_hit": 0, "reach": 5},
            "damage": [{"flat": 1, "type": "piercing"}],
        }
    ],
}
KNIFE: Json = {
    "id": "knife",
    "name": "Knife",
    "category": "simple",
    "kind": "melee",
    "damage": {"dice": "1d4", "type": "slashing"},
}


def manifest(**changes: Any) -> bytes:
    return json.dumps({"format": 1, "id": "mill", "title": "The Mill", **changes}).encode()


def files(*rats: Json, **changes: Any) -> dict[str, bytes]:
    """Return the files of a pack with these monsters; by default, the rat and a knife."""
    listed = rats or (RAT,)
    lines = "".join(json.dumps(rat) + "\n" for rat in listed)
    knife = json.dumps(KNIFE, indent=2)
    return {"pack.json": manifest(**changes), "monsters.jsonl": lines.encode(), "weapons/knife.json": knife.encode()}


def write(folder: Path, content: Mapping[str, bytes]) -> Path:
    for path, data in content.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


def archive(place: Path, content: Mapping[str, bytes], top: str = "") -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as made:
        for path, data in content.items():
            made.writestr(top + path, data)
    return place


class CountingFile(io.BytesIO):
    """Counts what is read of a file."""

    def __init__(self, data: bytes, log: list[int]) -> None:
        super().__init__(data)
        self._log = log

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self._log.append(len(data))
        return data
