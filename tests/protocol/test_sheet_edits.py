"""What sheets and belongings edited by hand must be like before a tool meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.model.errors import CampaignInvalid
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import document_from

CYRA = "characters/cyra.json"
FIGHT = "encounters/encounter-1.json"
SWORD: Json = {"id": "item-1", "name": "Sword", "type": "weapon"}
BLESS: Json = {"effect_id": "effect-1", "name": "Bless"}


def faults(documents: dict[str, Json]) -> list[tuple[str, str]]:
    """Return JSON path and rule of all that is wrong with the hall and these documents."""
    parsed = {}
    for path, each in (hall_documents() | documents).items():
        parsed[path], problems = document_from(path, each, BUILT_IN.documents)
        assert not problems, problems
    found = campaign_problems(World(InMemorySource({p: d for p, d in parsed.items() if d is not None})), [*parsed])
    return [(problem.path, problem.rule) for problem in found if not problem.warning]


def sheet(**fields: Any) -> Json:
    return {"sheet": hall_documents()[CYRA]["sheet"] | fields}


EDITS = [
    (sheet(spell_slots={"first": {"current": 1, "max": 2}}), ("sheet.spell_slots.first", "spell_level")),
    (sheet(spell_slots={"0": {"current": 1, "max": 2}}), ("sheet.spell_slots.0", "spell_level")),
    (sheet(spell_slots={"10": {"current": 1, "max": 2}}), ("sheet.spell_slots.10", "spell_level")),
    (sheet(spell_slots={"1": {"current": 3, "max": 2}}), ("sheet.spell_slots.1.current", "above_maximum")),
    (sheet(hit_dice={"current": 6, "max": 5}), ("sheet.hit_dice.current", "above_maximum")),
    (sheet(pact_slots={"current": 2, "max": 1, "slot_level": 1}), ("sheet.pact_slots.current", "above_maximum")),
    (sheet(resource={"name": "ki", "current": 2, "max": 1}), ("sheet.resource.current", "above_maximum")),
    (sheet(race_gains={"ability_bonuses": {"str": 2}}), ("sheet.race_gains", "no_custom_race")),
    ({"inventory": [SWORD, SWORD | {"name": "Axe"}]}, ("inventory[1].id", "duplicate_id")),
    ({"effects": [BLESS, BLESS | {"name": "Bane"}]}, ("effects[1].effect_id", "duplicate_id")),
    ({"inventory": [SWORD], "equipped": {"nose": "item-1"}}, ("equipped.nose", "unknown_slot")),
    ({"inventory": [SWORD], "equipped": {"mainhand": "item-9"}}, ("equipped.mainhand", "unknown_item")),
]


@pytest.mark.parametrize(("edited", "fault"), EDITS)
def test_each_fault_is_told_with_its_place(edited: Json, fault: tuple[str, str]) -> None:
    path, rule = fault
    person = hall_documents()[CYRA] | edited
    assert faults({CYRA: person}) == [(f"$.{path}", rule)]
    in_fight = fight(ephemeral("rat", 1, 1) | {"body": person | {"id": "rat"}})
    assert faults(in_fight) == [(f"$.participants[0].body.{path}", rule)]


def test_what_a_fight_remembers_of_slots_is_looked_at_too() -> None:
    remembered = {"hp": 1, "spell_slots": {"first": {"current": 1, "max": 2}}}
    expected = [("$.participants[0].remembered.spell_slots.first", "spell_level")]
    assert faults(fight(linked("cyra", 1, 1, remembered=remembered))) == expected


def test_check_tells_it_and_a_turn_refuses_it_until_it_is_mended(tmp_path: Path) -> None:
    home = tmp_path / "campaign"
    with builders.begin(home, hall_documents()):
        pass
    whole = (home / CYRA).read_text()
    edited = json.loads(whole) | sheet(spell_slots={"first": {"current": 1, "max": 2}})
    (home / CYRA).write_text(json.dumps(edited))
    (fault,) = (problem for problem in check_directory(home) if not problem.warning)
    assert (fault.file, fault.path, fault.rule) == (CYRA, "$.sheet.spell_slots.first", "spell_level")
    with Campaign.open(home, builders.clock) as campaign:
        with pytest.raises(CampaignInvalid):
            campaign.process({"tool_calls": [builders.call("level_up", character_id="cyra")]})
        (home / CYRA).write_text(whole)
        assert Hall(campaign).do("level_up", character_id="cyra")["new_level"] > 1
