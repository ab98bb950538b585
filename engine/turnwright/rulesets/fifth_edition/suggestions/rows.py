"""The tools of the fifth edition for suggestions: what they are for, and how their arguments are built.

Source: docs/suggestions.md, "Intents and tools".
"""

from __future__ import annotations

from typing import Any

from turnwright.model.json_types import JsonObject
from turnwright.rulesets.fifth_edition.suggestions.check import Check
from turnwright.rulesets.fifth_edition.suggestions.combat_start import CombatStart
from turnwright.rulesets.fifth_edition.suggestions.fight import Attack, CombatAct, CombatOverText, TurnEnd
from turnwright.rulesets.fifth_edition.suggestions.fight_state import CombatOver, Concentration, DeathSave
from turnwright.rulesets.fifth_edition.suggestions.harm import HpChange
from turnwright.rulesets.fifth_edition.suggestions.items import ItemGive, ItemOfferAccept, ItemTake, ItemWear, NpcGives
from turnwright.rulesets.fifth_edition.suggestions.money import Currency
from turnwright.rulesets.fifth_edition.suggestions.rest import LongRest, ShortRest
from turnwright.rulesets.fifth_edition.suggestions.spell import Slot
from turnwright.suggestions.rule import Hit
from turnwright.suggestions.snapshot import Snapshot
from turnwright.suggestions.tables import Resolved, SuggestionRows

_OF_ITEMS = {"item.give": "transfer", "item.equip": "equip", "item.unequip": "unequip", "item.use": "use"}
"""The operations on things; any other gain of a character is made by `give`."""
_IN_COMBAT = ("hp.attack", "act.combat", "turn.advance", "combat.end", "death.save", "concentration.check")


def _in_fight(seen: Snapshot) -> bool:
    return seen.encounter.active is not False


def _out_of_fight(seen: Snapshot) -> bool:
    return seen.encounter.active is not True


def _no_rest(seen: Snapshot) -> Resolved | None:
    if not seen.encounter.active:
        return None
    return Resolved(None, cause="encounter_active", note="An encounter is active: nobody can rest.")


def _inventory(hit: Hit, seen: Snapshot) -> Resolved:
    given = hit.arguments
    if hit.intent == "money.change":
        # Coins go into a purse with `give` and out of it with `take`.
        arguments: dict[str, Any] = {"operation": "take" if given.get("sign", 1) < 0 else "give"}
        if given.get("denomination"):
            arguments["item_name"] = given["denomination"]
        if given.get("amount"):
            arguments["quantity"] = abs(given["amount"])
    else:
        arguments = {"operation": _OF_ITEMS.get(hit.intent, "give")}
        arguments |= {key: given[key] for key in ("item_name", "quantity", "target_id") if given.get(key)}
    # `give` creates a thing and `take` removes it; between two characters it is a `transfer`.
    if owner := given.get("owner"):
        whose = {"character_id": owner.id} if owner.id else {"character_name": owner.name}
        to = {"to_character_id": seen.actor.id} if seen.actor.id else {}
        return Resolved("manage_inventory", {**arguments, "operation": "transfer", **whose, **to})
    if given.get("to"):
        arguments |= {"operation": "transfer", "to_character_name": given["to"]}
    return Resolved("manage_inventory", {**arguments, **_own(seen)})


def _own(seen: Snapshot) -> dict[str, str]:
    """Return the owner of the belongings that a player speaks of."""
    return {"character_id": seen.actor.id} if seen.actor.id else {}


def _rest(hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("take_rest", {"rest_type": hit.intent.removeprefix("rest.")})


def _action(hit: Hit, seen: Snapshot) -> Resolved:
    arguments = {"action_type": hit.arguments.get("action_type", "attack")}
    if hit.arguments.get("target"):
        arguments["target_name"] = hit.arguments["target"]
    if hit.arguments.get("item_name"):
        arguments["item_name"] = hit.arguments["item_name"]
    return Resolved("execute_action", _in_encounter(arguments, seen))


def _in_encounter(arguments: JsonObject, seen: Snapshot) -> JsonObject:
    return {**({"encounter_id": seen.encounter.id} if seen.encounter.id else {}), **arguments}


def _advance(_hit: Hit, seen: Snapshot) -> Resolved:
    return Resolved("advance_turn", _in_encounter({}, seen))


def _end(hit: Hit, seen: Snapshot) -> Resolved:
    return Resolved("end_encounter", _in_encounter(hit.arguments, seen))


def _create(_hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("create_encounter")


def _slot(hit: Hit, _seen: Snapshot) -> Resolved:
    level = hit.arguments.get("level")
    return Resolved("manage_spell_slots", {"operation": "expend"} | ({"slot_level": level} if level else {}))


def _dice(_hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("roll_dice", {"expression": "1d20"})


def _concentration(hit: Hit, _seen: Snapshot) -> Resolved:
    told = {"character_id": hit.arguments.get("character_id"), "damage_amount": hit.arguments.get("damage")}
    known = {key: value for key, value in told.items() if value is not None}
    return Resolved("manage_concentration", {"operation": "check", **known})


def _update(_hit: Hit, seen: Snapshot) -> Resolved:
    return Resolved("update_character", _own(seen))


SUGGESTIONS = SuggestionRows(
    rules=(
        ItemTake(),
        ItemGive(),
        ItemOfferAccept(),
        NpcGives(),
        Currency(),
        Attack(),
        CombatAct(),
        HpChange(),
        TurnEnd(),
        CombatOver(),
        CombatOverText(),
        CombatStart(),
        ShortRest(),
        LongRest(),
        Check(),
        DeathSave(),
        Concentration(),
        Slot(),
        ItemWear(),
    ),
    intents={
        "item.take": ("manage_inventory", "update_character"),
        "item.give": ("manage_inventory", "update_character"),
        "item.receive": ("manage_inventory", "update_character"),
        "item.equip": ("manage_inventory", "update_character"),
        "item.unequip": ("manage_inventory", "update_character"),
        "item.use": ("manage_inventory",),
        "money.change": ("manage_inventory", "update_character"),
        "hp.attack": ("execute_action", "hp_delta"),
        "act.combat": ("execute_action",),
        "hp.change": ("hp_delta", "update_character"),
        "turn.advance": ("advance_turn",),
        "combat.end": ("end_encounter",),
        "combat.start": ("create_encounter",),
        "rest.short": ("take_rest",),
        "rest.long": ("take_rest",),
        "check": ("roll_check", "roll_dice"),
        "death.save": ("roll_death_save",),
        "concentration.check": ("manage_concentration",),
        "slot.use": ("manage_spell_slots",),
        "combatant.add": (),
    },
    arguments={
        "manage_inventory": _inventory,
        "take_rest": _rest,
        "execute_action": _action,
        "advance_turn": _advance,
        "end_encounter": _end,
        "create_encounter": _create,
        "manage_spell_slots": _slot,
        "roll_dice": _dice,
        "manage_concentration": _concentration,
        "update_character": _update,
    },
    useful={
        **dict.fromkeys(("execute_action", "advance_turn", "end_encounter", "roll_death_save"), _in_fight),
        **dict.fromkeys(("create_encounter", "take_rest"), _out_of_fight),
    },
    refusals=dict.fromkeys(("rest.short", "rest.long"), _no_rest),
    exclusive=(
        ("rest.short", "rest.long"),
        ("combat.end", "turn.advance"),
        *(("combat.start", other) for other in _IN_COMBAT),
    ),
    exclusive_of_one=(
        ("item.take", "item.give"),
        ("item.receive", "item.give"),
        ("item.equip", "item.unequip"),
        ("item.use", "item.give"),
    ),
    always_wins={frozenset({"combat.end", "turn.advance"}): "combat.end"},
    subjects={"manage_inventory": "items"},
)
