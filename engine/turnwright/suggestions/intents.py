"""What a speaker can mean to do, which tools do it, and which intents exclude one another.

Source: docs/suggestions.md, "Intents and tools".
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

CANDIDATES: Mapping[str, tuple[str, ...]] = {
    "quest.accept": ("manage_quest", "manage_notes"),
    "quest.objective": ("manage_quest", "manage_notes"),
    "quest.complete": ("manage_quest", "manage_notes"),
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
    "combat.end": ("end_encounter", "resolve"),
    "combat.start": ("create_encounter", "engage"),
    "travel": ("move_party", "move"),
    "map.new": ("map_generate", "manage_location"),
    "rest.short": ("take_rest",),
    "rest.long": ("take_rest",),
    "party.add": ("manage_party",),
    "party.remove": ("manage_party",),
    "check": ("roll_check", "roll_dice"),
    "secret.reveal": ("manage_location",),
    "death.save": ("roll_death_save",),
    "concentration.check": ("manage_concentration",),
    "slot.use": ("manage_spell_slots",),
    "scene.engage": ("engage",),
    "scene.spend_die": ("spend_die",),
    "scene.resolve": ("resolve",),
    "scene.accept": ("accept",),
    "scene.accept_bargain": ("accept_bargain",),
    "scene.retreat": ("retreat",),
    "scene.pass_out": ("pass_out",),
    "time.advance": (),
    "combatant.add": (),
}
"""The tools of each intent, in the order they are tried; nothing where there is no such tool."""

_TRANSITIONS = ("scene.engage", "scene.resolve", "scene.accept_bargain", "scene.retreat", "scene.pass_out")
_IN_COMBAT = ("hp.attack", "act.combat", "turn.advance", "combat.end", "death.save", "concentration.check")


def _pairs(*groups: tuple[str, ...]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for group in groups for pair in combinations(group, 2))


EXCLUSIVE: frozenset[frozenset[str]] = _pairs(
    ("rest.short", "rest.long"),
    ("combat.end", "turn.advance"),
    *(("combat.start", other) for other in _IN_COMBAT),
    _TRANSITIONS,
)
"""Intents of which only one can be meant."""
EXCLUSIVE_OF_ONE: frozenset[frozenset[str]] = _pairs(
    ("party.add", "party.remove"),
    ("item.take", "item.give"),
    ("item.receive", "item.give"),
    ("item.equip", "item.unequip"),
    ("item.use", "item.give"),
)
"""Intents that exclude one another where they are about the same person or thing."""
ALWAYS_WINS: Mapping[frozenset[str], str] = {frozenset({"combat.end", "turn.advance"}): "combat.end"}
"""Pairs whose winner does not depend on confidence."""
