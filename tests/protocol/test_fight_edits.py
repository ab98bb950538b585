"""What a fight edited by hand must be like before a tool meets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.builders import Json
from tests.tools.hall import ephemeral, fight, hall_documents, linked

from turnwright.model.state.overlay import InMemorySource, World
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import document_from

PATH = "encounters/encounter-1.json"


def sound() -> Json:
    people = (linked("aria", 0, 0), ephemeral("rat", 3, 3) | {"strike": {"damage": "1d6+2"}})
    terrain = {"hazards": [{"position": "1,1", "type": "fire", "damage": "2d6"}]}
    return fight(*people, terrain=terrain)[PATH]


def faults(value: Json, *more: dict[str, Json]) -> list[tuple[str, str]]:
    """Return path and rule of what is wrong with a fight in the hall."""
    values = hall_documents() | {PATH: value}
    for documents in more:
        values |= documents
    parsed = {}
    for path, each in values.items():
        parsed[path], problems = document_from(path, each, BUILT_IN.documents)
        assert not problems, problems
    found = campaign_problems(World(InMemorySource({p: d for p, d in parsed.items() if d is not None})), [*parsed])
    return [(problem.path, problem.rule) for problem in found if not problem.warning]


def ended(value: Json) -> Json:
    for person in value["participants"]:
        person.setdefault("body", hall_documents()["characters/aria.json"])
    return value | {"status": "ended"}


def test_a_sound_fight_has_no_faults_running_or_ended() -> None:
    assert faults(sound()) == []
    assert faults(ended(sound())) == []


def _no_such_turn(value: Json) -> None:
    value["turn_index"] = 2


def _nobody(value: Json) -> None:
    value["participants"] = []


def _twice(value: Json) -> None:
    value["participants"][1]["id"] = "aria"


def _unknown(value: Json) -> None:
    value["participants"][0]["character_id"] = "arya"


def _without_sheet(value: Json) -> None:
    value["participants"][0]["character_id"] = "lena"


def _bodiless(value: Json) -> None:
    del value["participants"][1]["body"]


def _both(value: Json) -> None:
    value["participants"][1]["character_id"] = "grik"


def _body_without_maximum(value: Json) -> None:
    value["participants"][1]["body"]["max_hp"] = None


def _bad_strike(value: Json) -> None:
    value["participants"][1]["strike"]["damage"] = "much"


def _bad_hazard(value: Json) -> None:
    value["terrain"]["hazards"][0]["damage"] = "0d6"


def _prop_twice(value: Json) -> None:
    prop = {"id": "prop-1", "name": "Door", "type": "door", "position": {"x": 2, "y": 2}}
    value["props"] = [prop, prop | {"name": "Gate"}]


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (_no_such_turn, ("$.turn_index", "unknown_participant")),
        (_nobody, ("$.turn_index", "unknown_participant")),
        (_twice, ("$.participants[1]", "duplicate_id")),
        (_unknown, ("$.participants[0]", "unknown_character")),
        (_without_sheet, ("$.participants[0]", "no_sheet")),
        (_bodiless, ("$.participants[1]", "no_body")),
        (_both, ("$.participants[1]", "two_bodies")),
        (_body_without_maximum, ("$.participants[1]", "no_sheet")),
        (_bad_strike, ("$.participants[1].strike.damage", "dice")),
        (_bad_hazard, ("$.terrain.hazards[0].damage", "dice")),
        (_prop_twice, ("$.props[1].id", "duplicate_id")),
    ],
)
def test_each_fault_is_told_with_its_place(spoil: Callable[[Any], None], fault: tuple[str, str]) -> None:
    value = sound()
    spoil(value)
    assert fault in faults(value)


@pytest.mark.parametrize("part", ["damage", "healing"])
def test_an_aura_throws_dice(part: str) -> None:
    aura = {"id": "aura-1", "owner_id": "aria", "spell_name": "Spirits", "radius": 15, "encounter_id": "encounter-1"}
    assert faults(sound(), {"auras/aura-1.json": aura | {part: "3d8"}}) == []
    assert faults(sound(), {"auras/aura-1.json": aura | {part: "3d8 radiant"}}) == [(f"$.{part}", "dice")]


def test_a_fight_that_has_ended_needs_a_body_for_everybody() -> None:
    value = ended(sound())
    del value["participants"][0]["body"]
    assert faults(value) == [("$.participants[0]", "no_body")]


def test_nobody_is_in_two_running_fights_at_once() -> None:
    other = fight(linked("aria", 1, 1), encounter_id="encounter-2")
    assert faults(sound(), other) == [("$.participants[0]", "fights_twice")] * 2


def test_who_fights_keeps_a_maximum_of_hit_points() -> None:
    aria = {"characters/aria.json": hall_documents()["characters/aria.json"] | {"max_hp": None}}
    assert ("$.max_hp", "no_sheet") in faults(sound(), aria)
