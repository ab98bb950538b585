"""Campaigns of any size: maps of thousands of layers, thousands of people, logs of a million records."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from turnwright import Campaign

Json = Any
WALKER = "pc_001"
"""Who walks: in the party, and acting."""
_PARTY = (WALKER, "pc_002")


def clock() -> datetime:
    """Return a moment that stands still."""
    return datetime(2026, 1, 14, 16, 5, 31, tzinfo=UTC)


def area_id(number: int) -> str:
    """Return the id of an area, counted from 1."""
    return f"area_{number:03d}"


def ring(first: int, last: int) -> list[str]:
    """Return the ids of the areas of a layer, in the order in which one can walk round it."""
    return [area_id(number) for number in range(first, last + 1)]


def build(folder: Path, *, areas: int = 10, layer: int = 10, people: int = 2) -> Path:
    """Make a campaign directory; return it.

    Args:
        folder: where; made.
        areas: how many there are, all reachable.
        layer: how many areas lie in one layer. Area n is the parent of the n-th layer below the root.
        people: how many characters there are, two of them in the party.
    """
    home = area_id((areas // layer - 1) * layer + 1)
    for place in ("maps", "characters", "turns"):
        (folder / place).mkdir(parents=True)
    _write(folder / "campaign.json", _campaign())
    for path, value in _layers(areas, layer):
        _write(folder / path, value)
    for number in range(1, people + 1):
        person = _person(number, home, area_id(number % areas + 1))
        _write(folder / "characters" / f"{person['id']}.json", person)
    _take_empty_turn(folder)
    return folder


def lengthen(folder: Path, records: int) -> None:
    """Add that many empty turns to the log of a campaign, and bring its checkpoint up to it."""
    _take_empty_turn(folder)
    log = folder / "log.jsonl"
    with log.open("rb") as file:
        model = deque(file, maxlen=1)[0].rstrip(b"\n")
    with log.open("ab") as file:
        file.writelines(line + b"\n" for line in _lines_like(model, records))
    _take_empty_turn(folder)


def _campaign() -> Json:
    selected = {"party_character_ids": list(_PARTY), "active_actor_id": WALKER}
    return {"format": 2, "id": "bench", "selected": selected}


def _person(number: int, home: str, elsewhere: str) -> Json:
    """Return a character; the first two are the party, and stand where the walking begins."""
    if number <= len(_PARTY):
        return {"id": _PARTY[number - 1], "position": home, "hp": 10}
    return {"id": f"npc_{number:05d}", "character_type": "npc", "position": elsewhere, "hp": 10}


def _layers(areas: int, layer: int) -> Iterator[tuple[str, Json]]:
    """Yield path and content of each layer: areas in a ring, linked both ways, the first of them with the parent."""
    count = -(-areas // layer)
    for place in range(count):
        first, last = place * layer + 1, min((place + 1) * layer, areas)
        parent = area_id(place) if place else None
        inside = {}
        for number in range(first, last + 1):
            before, after = (number - 1 if number > first else last), (number + 1 if number < last else first)
            links = {area_id(before), area_id(after)} - {area_id(number)}
            if parent and number == first:
                links.add(parent)
            if number < count:
                links.add(area_id(number * layer + 1))
            inside[area_id(number)] = _area(number, parent, links)
        yield f"maps/{parent or 'root'}.json", {"parent_area_id": parent, "areas": inside}


def _area(number: int, parent: str | None, links: set[str]) -> Json:
    name = f"Area {number}"
    return {"id": area_id(number), "name": name, "parent_area_id": parent, "reachable_area_ids": sorted(links)}


def _lines_like(model: bytes, count: int) -> Iterator[bytes]:
    """Yield lines that may follow that of an empty turn, each made like it."""
    record = json.loads(model)
    prev = sha256(model).hexdigest()
    head, end = model.decode().split(record["content"])
    middle = head.partition(f'"turn_id":"{record["turn_id"]}"')[2]
    for seq in range(record["seq"] + 1, record["seq"] + 1 + count):
        content = sha256(f'{{"turn_id":"e{seq}"}}'.encode()).hexdigest()
        line = f'{{"seq":{seq},"kind":"turn","prev":"{prev}","turn_id":"e{seq}"{middle}{content}{end}'.encode()
        prev = sha256(line).hexdigest()
        yield line


def _take_empty_turn(folder: Path) -> None:
    """Take a turn that begins the log of a new campaign, or brings the checkpoint up to a longer one."""
    with Campaign.open(folder, clock) as campaign:
        campaign.process({})


def _write(place: Path, value: Json) -> None:
    place.write_text(json.dumps(value), encoding="utf-8")
