"""Campaigns from plain documents, and calls in one line: what tests of the protocol begin with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.directory_snapshot import KeptDirectory

from turnwright import Campaign
from turnwright.campaign.bootstrap import begin_record
from turnwright.model.base import Document
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.rulesets.core.migrations import unite_geographies
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import document_from
from turnwright.store.files import Files
from turnwright.store.store import Store

Json = Any
NOW = datetime(2026, 1, 14, 16, 5, 31, tzinfo=UTC)
STAMP = "2026-01-14T16:05:31+00:00"


def clock() -> datetime:
    return NOW


def area(area_id: str, *reachable: str, parent: str | None = None) -> Json:
    name = area_id.replace("_", " ").title()
    return {"id": area_id, "name": name, "parent_area_id": parent, "reachable_area_ids": list(reachable)}


def person(character_id: str, **fields: Any) -> Json:
    return {"id": character_id, "position": "area_001", "hp": 10, "character_state": "alive"} | fields


AREAS = (
    area("area_001", "area_002", "area_003"),
    area("area_002", "area_001", "area_004"),
    area("area_003"),
    area("area_004", "area_002", parent="area_002"),
)
PEOPLE = (
    person("pc_001", name="Mira"),
    person("pc_002", name="Tomas", hp=8),
    person("npc_001", name="Grell", character_type="enemy", hp=5),
)
PARTY = ("pc_001", "pc_002")
ALL_CORE = ("move", "hp_delta", "map_generate", "move_options")


def documents(
    people: Iterable[Json] = PEOPLE,
    areas: Iterable[Json] = AREAS,
    *,
    party: Iterable[str] = PARTY,
    active: str | None = "pc_001",
    **campaign: Any,
) -> dict[str, Json]:
    """Return a whole campaign as plain documents by path; ids must be plain file names."""
    selected = {"party_character_ids": list(party), "active_actor_id": active}
    head: Json = {"format": 2, "id": "plain", "allowlist": list(ALL_CORE), "selected": selected}
    found = {"campaign.json": head | campaign}
    for one in areas:
        parent = one["parent_area_id"]
        layer = found.setdefault(f"maps/{parent or 'root'}.json", {"parent_area_id": parent, "areas": {}})
        layer["areas"][one["id"]] = one
    return found | {f"characters/{one['id']}.json": one for one in people}


def begin(path: Path, values: Mapping[str, Json] | None = None, seed: str = "fixed") -> Campaign:
    """Begin a campaign whose record 0 holds these documents, with a fixed clock and secret, and open it."""
    _made(spelt(documents() if values is None else values), seed).lay_down(path)
    return Campaign.open(path, clock)


@lru_cache(maxsize=1000)
def _made(text: str, seed: str) -> KeptDirectory:
    """Return such a campaign, made once."""
    parsed = {}
    for place, value in json.loads(text).items():
        document, problems = document_from(place, value, BUILT_IN.documents)
        assert document is not None, problems
        parsed[place] = document
    if any(place.startswith("locations/") for place in parsed):
        parsed = united(parsed)
    with TemporaryDirectory() as path:
        files = Files(Path(path))
        for folder in (".turnwright", "turns"):
            files.make_folder(folder)
        store = Store(files, BUILT_IN.documents)
        with store.writing(wait=0):
            begin_record(store, parsed, STAMP, (), seed)
            store.flush(1)
        store.close()
        return KeptDirectory(files.root)


def united(parsed: dict[str, Document]) -> dict[str, Document]:
    """Return the documents with the places of the story as areas of the map, which tests need not spell out."""
    world = World(InMemorySource(parsed))
    unite_geographies(world)
    return parsed | {path: document for path, document in world.touched.items() if document is not None}


def call(tool: str, call_id: str = "call_001", /, **args: Any) -> Json:
    return {"id": call_id, "tool": tool, "args": args}


def move(to: Any, start: Any = "area_001", actor: Any = "pc_001") -> Json:
    return call("move", actor_id=actor, from_area_id=start, to_area_id=to)


def hp_delta(delta: Any = -1, target: Any = "pc_001", cause: Any = "a falling stone") -> Json:
    return call("hp_delta", target_character_id=target, delta=delta, cause=cause)


def turn(*calls: Any, **keys: Any) -> Json:
    return {**keys, "tool_calls": list(calls)} if calls else keys


def spoil(value: Any) -> None:
    """Change every list and object in a value, as whoever holds it may."""
    if isinstance(value, dict):
        for item in [*value.values()]:
            spoil(item)
        value["spoilt"] = True
    elif isinstance(value, list):
        for item in value:
            spoil(item)
        value.append("spoilt")


def failed(reply: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return status and reason of each failed part, in order."""
    return [(entry["status"], entry["reason"]) for entry in reply["tool_feedback"]["failed_calls"]]


def results(reply: Mapping[str, Any]) -> list[Any]:
    """Return the result of each applied part, in order."""
    return [action["result"] for action in reply["applied_actions"]]


def untyped(value: Any) -> Any:
    """Return a value whose type is no matter: a part of a record, or JSON that is not the whole of one."""
    return value


def spelt(value: Any) -> str:
    """Return one spelling of a JSON value, in which 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def on_disk(path: Path) -> dict[str, Any]:
    """Return every document that lies in a campaign directory, parsed, by path."""
    names = [
        "campaign.json",
        *(f"{folder}/{file.name}" for folder in ("characters", "maps") for file in _files(path / folder)),
    ]
    return {name: json.loads((path / name).read_text(encoding="utf-8")) for name in names}


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def log_file(campaign: Campaign) -> Path:
    """Return where the log of a campaign is: to read it there costs less than to have it read and checked again."""
    return campaign._store.files.root / "log.jsonl"


def log_of(path: Path) -> list[Json]:
    """Return the records of a campaign's log, parsed."""
    return [json.loads(line) for line in (path / "log.jsonl").read_text(encoding="utf-8").splitlines()]
