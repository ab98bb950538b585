"""A fight of a wizard, a friend and a foe, in which spells of the packs are put to work."""

from __future__ import annotations

from typing import Any

from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked, sheeted

CASTER, FRIEND, FOE, FIGHT = "cyra", "brom", "thug", "encounter-1"
CLUB: Json = {
    "id": "club-1",
    "name": "Club",
    "type": "weapon",
    "quantity": 1,
    "weapon_stats": {"damage": "1d4", "damage_type": "bludgeoning"},
}


def spell_table(hall_with: HallWith) -> Hall:
    """Return a fight of a wizard, a friend with a club, and an undead foe who is strong."""
    values = {"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}}
    own = hall_documents()[f"characters/{CASTER}.json"]["sheet"]
    slots = {str(level): {"current": 9, "max": 9} for level in range(1, 10)}
    values |= sheeted(CASTER, {"stats": {**own["stats"], "int": 18}, "spell_slots": slots}, hp=90, max_hp=90)
    values |= sheeted(FRIEND, {}, hp=60, max_hp=90, inventory=[CLUB], equipped={"mainhand": "club-1"})
    body = {"sheet": {"stats": {"str": 16, "dex": 10, "con": 10, "int": 10, "wis": 10, "cha": 10}}}
    foe = ephemeral(FOE, 3, 6, 200, "enemy", **body) | {"stat_block": "ghoul"}
    block = {"ghoul": {"id": "ghoul", "name": "Ghoul", "type": "undead", "traits": []}}
    return hall_with(values, fight(linked(CASTER, 2, 5), linked(FRIEND, 3, 5), foe, stat_blocks=block))


def cast(table: Hall, spell: str, *targets: str, dice: tuple[int, ...] = (), **more: Any) -> Json:
    args = {"caster_id": CASTER, "spell": spell, "ignore_economy": True} | more
    return table.do("cast_spell", dice, **args, **({"target_ids": list(targets)} if targets else {}))


def strike(table: Hall, who: str, at: str, *dice: int, **more: Any) -> Json:
    args = {"encounter_id": FIGHT, "actor_id": who, "action_type": "attack", "target_id": at, "ignore_economy": True}
    return table.do("execute_action", dice, **args | more)


def advance(table: Hall, *dice: int) -> Json:
    return table.do("advance_turn", dice, encounter_id=FIGHT)


def body(table: Hall, who: str) -> Json:
    person = next(each for each in table.encounter()["participants"] if each["id"] == who)
    return dict(person["body"]) if "body" in person else table.person(who)


def effects(table: Hall, who: str) -> list[str]:
    return [each["name"] for each in body(table, who).get("effects", ())]


def conditions(table: Hall, who: str) -> list[str]:
    return [each["condition"] for each in body(table, who).get("conditions", ())]
