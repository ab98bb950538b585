"""A player's call reads what it touches, however many people and places there are that the party does not know."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.builders import PEOPLE, Json, area, begin, call, clock, documents, failed, person, results, turn

from turnwright import Campaign
from turnwright.rulesets.toolbox import TOOLS
from turnwright.store.checkpoint import Checkpoint

MIRA = "player:pc_001"
OPEN = [name for name in TOOLS if TOOLS[name].family in ("toolkit", "quests")]
ROPE = {"operation": "give", "item_name": "Rope"}
CALLS: list[tuple[str, Json]] = [
    ("manage_inventory", ROPE | {"character_id": "pc_001"}),
    ("manage_inventory", ROPE | {"character_name": "Mira"}),
    ("manage_inventory", ROPE | {"character_id": "person_7"}),
    ("manage_inventory", ROPE | {"character_name": "Persn 7"}),
    ("manage_condition", {"operation": "add", "target_id": "pc_001", "condition": "prone"}),
    ("roll_check", {"character_id": "pc_001", "check_type": "skill", "skill": "stealth"}),
    ("get_character", {"character_id": "pc_002"}),
    ("get_character", {"filter": {"character_type": "npc"}}),
    ("manage_location", {"operation": "get", "location_id": "hall"}),
    ("manage_location", {"operation": "get", "location_id": "place_7"}),
    ("manage_location", {"operation": "list"}),
    ("manage_location", {"operation": "update", "location_id": "hall", "lighting": "dim"}),
    ("manage_quest", {"operation": "offer", "title": "Find the cat", "objectives": ["Look"], "giver_id": "pc_002"}),
]


def crowded(size: int) -> dict[str, Json]:
    """Return a campaign with as many people far away, and as many places that nobody has discovered."""
    far = [area(f"far_{number}", f"far_{(number + 1) % size}") for number in range(size)]
    people = [person(f"person_{number}", name=f"Person {number}", position=f"far_{number}") for number in range(size)]
    places = {
        f"locations/place_{number}.json": {
            "id": f"place_{number}",
            "name": f"Place {number}",
            "area_id": f"far_{number}",
            "discovered": False,
        }
        for number in range(size)
    }
    values = documents(
        [*PEOPLE, *people],
        [area("area_001", "area_002"), area("area_002", "area_001", "far_0"), *far],
        allowlist=OPEN,
        settings={"players": {"tools": OPEN}},
    )
    hall = {"id": "hall", "name": "Hall", "area_id": "area_001"}
    return values | places | {"locations/hall.json": hall}


@pytest.fixture(scope="module", name="sizes")
def fixture_sizes(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("crowded")
    paths = [folder / "small", folder / "large"]
    for path, size in zip(paths, (300, 2_000), strict=True):
        begin(path, crowded(size)).close()
    return paths


@pytest.fixture(name="read")
def fixture_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the paths of the documents that are read, in the order in which they are."""
    paths: list[str] = []
    below = Checkpoint.value

    def value(self: Checkpoint, path: str) -> Any:
        found = below(self, path)
        if found is not None:
            paths.append(path)
        return found

    monkeypatch.setattr(Checkpoint, "value", value)
    return paths


def costs(sizes: list[Path], read: list[str], work: Callable[[Campaign], object]) -> tuple[list[object], list[int]]:
    """Return what some work gives in each campaign, and how many documents it reads there."""
    told, counts = [], []
    for path in sizes:
        with Campaign.open(path, clock) as campaign:
            read.clear()
            told.append(work(campaign))
            counts.append(len(set(read)))
    return told, counts


@pytest.mark.parametrize(("tool", "args"), CALLS)
def test_a_call_in_a_turn_reads_as_much_in_a_crowded_campaign(
    sizes: list[Path], read: list[str], tool: str, args: Json
) -> None:
    def work(campaign: Campaign) -> object:
        reply = campaign.process(turn(call(tool, **args)), authority=MIRA, dry_run=True, reply_as="openai")
        return results(reply), failed(reply), reply["tool_messages"]

    told, counts = costs(sizes, read, work)
    assert told[0] == told[1]
    assert 0 < counts[1] == counts[0] < 20


@pytest.mark.parametrize(("tool", "args"), [each for each in CALLS if TOOLS[each[0]].reads])
def test_a_call_outside_a_turn_reads_as_much_in_a_crowded_campaign(
    sizes: list[Path], read: list[str], tool: str, args: Json
) -> None:
    told, counts = costs(sizes, read, lambda campaign: campaign.query(tool, args, authority=MIRA))
    assert told[0] == told[1]
    assert 0 < counts[1] == counts[0] < 20
