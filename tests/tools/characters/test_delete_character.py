"""delete_character: whoever goes takes along what hangs on them."""

from __future__ import annotations

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, hall_documents, linked


def aura(aura_id: str, owner: str, spell: str = "Spirits") -> dict[str, Json]:
    return {f"auras/{aura_id}.json": {"id": aura_id, "owner_id": owner, "spell_name": spell, "radius": 15}}


@pytest.mark.parametrize("args", [{"character_id": "dain"}, {"character_name": " DAIN "}])
def test_who_is_deleted_is_told_and_gone(hall: Hall, args: Json) -> None:
    deleted = hall.do("delete_character", **args)["deleted"]
    assert deleted == {"character_id": "dain", "name": "Dain", "class": "Rogue", "level": 5}
    assert "characters/dain.json" not in hall.campaign.state
    assert hall.why("get_character", character_id="dain") == "not_found"
    assert hall.why("delete_character", **args) == "not_found"


def test_who_has_no_sheet_has_no_class(hall: Hall) -> None:
    deleted = hall.do("delete_character", character_id="lena")["deleted"]
    assert (deleted["class"], deleted["level"]) == (None, None)


def test_the_deleted_leave_the_party_and_act_no_more(hall_with: HallWith) -> None:
    hall = hall_with({"party.json": {"roles": {"aria": "leader", "brom": "healer"}}})
    hall.do("delete_character", character_id="aria")
    selected = hall.campaign.state["campaign.json"]["selected"]
    assert selected["party_character_ids"] == ["brom", "cyra", "dain"]
    assert selected["active_actor_id"] is None
    assert hall.campaign.state["party.json"]["roles"] == {"brom": "healer"}


def test_somebody_else_goes_on_acting(hall: Hall) -> None:
    hall.do("delete_character", character_id="brom")
    assert hall.campaign.state["campaign.json"]["selected"]["active_actor_id"] == "aria"
    hall.do("delete_character", character_id="grik")
    assert hall.campaign.state["campaign.json"]["selected"]["party_character_ids"] == ["aria", "cyra", "dain"]


def test_auras_and_what_concentration_holds_go_along(hall_with: HallWith) -> None:
    bless = {"name": "Bless", "effect_id": "effect-1", "duration": "concentration", "source": "brom"}
    haste = {"name": "Haste", "effect_id": "effect-2", "duration": "concentration", "source": "cyra"}
    held = {"condition": "restrained", "duration": "concentration", "source": "brom"}
    hall = hall_with(
        aura("aura-1", "brom"),
        aura("aura-2", "brom", "Light"),
        aura("aura-3", "cyra"),
        changed("brom", concentration={"spell_name": "Bless"}),
        changed("aria", effects=[bless, haste], conditions=[held]),
    )
    hall.do("delete_character", character_id="brom")
    assert sorted(path for path in hall.campaign.state if path.startswith("auras/")) == ["auras/aura-3.json"]
    aria = hall.person("aria")
    assert [effect["name"] for effect in aria["effects"]] == ["Haste"]
    assert "conditions" not in aria


def test_a_participant_goes_on_in_the_fight_alone(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("grik", 0, 0, remembered={"hp": 7}), linked("aria", 1, 0)))
    hall.do("update_character", character_id="grik", hp="-3")
    action = hall.action("delete_character", character_id="grik")
    assert action["warnings"] == ["grik stays in encounter-1, and will be gone when it ends"]
    person = hall.encounter()["participants"][0]
    assert "character_id" not in person
    assert person["remembered"]["hp"] == 7
    assert (person["body"]["hp"], person["body"]["name"]) == (4, "Grik")
    hurt = hall.do("update_character", character_id="grik", encounter_id="encounter-1", hp="-1")
    assert (hurt["character_id"], hurt["hp"]["after"]) == (None, 3)


def test_a_participant_strikes_and_casts_as_before(hall_with: HallWith) -> None:
    at = {"encounter_id": "encounter-1", "target_id": "rat"}
    blow = at | {"actor_id": "dain", "action_type": "attack"}
    spell = at | {"actor_id": "cyra", "action_type": "cast_spell", "spell_name": "Fire Bolt", "damage_expression": "5"}
    known = {"remembered": {"hp": 20}}
    hall = hall_with(fight(linked("dain", 0, 0, **known), linked("cyra", 1, 0, **known), ephemeral("rat", 0, 1, 50)))
    told = []
    for _ in range(2):
        struck = hall.do("execute_action", [15], **blow, ignore_economy=True)
        cast = hall.do("execute_action", [15, 15], **spell, ignore_economy=True)
        told.append((struck["attack"]["bonus"], struck["damage"], cast["attack"]["bonus"]))
        if len(told) == 1:
            hall.do("delete_character", batch=[{"character_id": "dain"}, {"character_id": "cyra"}])
    assert told[1] == told[0]
    assert told[0][0] > 0


def test_an_ended_fight_stays_as_it_was(hall_with: HallWith) -> None:
    over = fight(linked("grik", 0, 0) | {"body": hall_documents()["characters/grik.json"]}, status="ended")
    hall = hall_with(over)
    assert "warnings" not in hall.action("delete_character", character_id="grik")
    assert hall.encounter()["participants"][0]["character_id"] == "grik"


def test_who_exists_in_a_fight_alone_is_no_character(hall_with: HallWith) -> None:
    assert hall_with(fight(ephemeral("g1", 0, 0))).why("delete_character", character_id="g1") == "not_found"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({}, "invalid_args"),
        ({"character_name": "aria"}, "ambiguous"),
        ({"character_id": "brom", "character_name": "aria"}, "invalid_args"),
        ({"character_id": "../campaign"}, "not_found"),
        ({"character_id": ""}, "invalid_args"),
    ],
)
def test_nobody_is_deleted_by_mistake(hall: Hall, args: Json, reason: str) -> None:
    assert hall.why("delete_character", **args) == reason


def test_a_batch_deletes_several(hall: Hall) -> None:
    ids = ["grik", "ogg", "ogg"]
    reply = hall.reply("delete_character", {"batch": [{"characterId": who} for who in ids]})
    assert reply["status"] == "partial"
    assert [entry["ok"] for entry in reply["applied_actions"][0]["result"]["results"]] == [True, True, False]


def test_undo_brings_everything_back(hall_with: HallWith) -> None:
    hall = hall_with(aura("aura-1", "brom"), fight(linked("brom", 0, 0)), {"party.json": {"roles": {"brom": "healer"}}})
    before = hall.campaign.state
    hall.do("delete_character", character_id="brom")
    hall.campaign.undo()
    assert hall.campaign.state == before
