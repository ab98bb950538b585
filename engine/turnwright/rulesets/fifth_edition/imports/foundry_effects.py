"""Active effects of a Foundry VTT actor and of its items, as effects and conditions.

Of the keys that effects can change in Foundry, the ones below exist here; the others are dropped by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from turnwright.model.creature import Condition, Effect
from turnwright.model.vocabulary import Ability, ConditionName, DamageType, words
from turnwright.rulesets.fifth_edition.imports.draft import MAX_NAME, Draft
from turnwright.rulesets.fifth_edition.imports.fields import Node

_CONDITIONS = frozenset(words(ConditionName))
_DAMAGE = frozenset(words(DamageType))
_ADD = (2, "2", "add")
_NUMBER = re.compile(r"([+-]?) ?([0-9]{1,4})")
NUMBERS: Mapping[str, str] = MappingProxyType(
    {
        "system.attributes.ac.bonus": "ac_bonus",
        "system.attributes.movement.walk": "speed_modifier",
        "system.attributes.hp.tempmax": "max_hp_modifier",
        "system.bonuses.abilities.save": "saving_throw_bonus",
        **{f"system.abilities.{ability}.value": f"ability_bonuses.{ability}" for ability in words(Ability)},
    }
)
"""Keys whose number is added to a value, each with the equivalent field of an effect."""
LISTS: Mapping[str, str] = MappingProxyType(
    {
        "system.traits.dr.value": "resistances",
        "system.traits.di.value": "immunities",
        "system.traits.dv.value": "vulnerabilities",
        "system.traits.ci.value": "condition_immunities",
    }
)
"""Keys that a word is added to, each with the field of an effect that does the same."""
HIT_POINTS: Mapping[str, str] = MappingProxyType(
    {
        "system.attributes.hp.bonuses.level": "hp_per_level",
        "system.attributes.hp.bonuses.overall": "hp_bonus",
    }
)
"""Keys that the maximum of hit points is worked out from."""
ATTACKS = ("system.bonuses.mwak.attack", "system.bonuses.rwak.attack", "system.bonuses.msak.attack")
"""A bonus to all of these is one to attacks; one to some of them has no place here."""


class _Given(NamedTuple):
    """The combined changes of an effect: words, numbers and bonuses to abilities, by the field of an effect."""

    words: dict[str, list[str]]
    numbers: dict[str, int]
    abilities: dict[str, dict[str, int]]


def take_effects(root: Node, items: list[Node], draft: Draft) -> None:
    """Take over the effects of an actor, and those that its items give it."""
    for effect in root["effects"].objects():
        _take(effect, draft)
    for item in items:
        equipped = item["system.equipped"]
        for effect in item["effects"].objects():
            if effect["transfer"].value is False:
                effect.dropped("an effect on a target")
            elif equipped.value is False:
                effect.dropped("the item is not equipped")
            else:
                _take(effect, draft)


def _take(effect: Node, draft: Draft) -> None:
    if effect["disabled"].flag():
        effect.dropped("disabled")
        return
    _take_conditions(effect["statuses"], draft)
    given = _Given({}, {}, {})
    changes = [*effect["changes"].objects(), *effect["system.changes"].objects()]  # since Foundry 14 in its system
    for change in changes:
        _take_change(change, given, draft)
    _take_attack_bonus(changes, given)
    if any(given):
        name = (effect["name"].text(MAX_NAME) or effect["label"].text(MAX_NAME)) or "Effect"
        effect["name"].taken("effects.name")
        draft.effects.append(
            Effect.model_validate(
                {"effect_id": "effect", "name": name, **given.words, **given.numbers, **given.abilities}
            )
        )


def _take_conditions(node: Node, draft: Draft) -> None:
    for status in node.each():
        if status.word in _CONDITIONS and status.word != "exhaustion":
            draft.conditions.append(Condition(condition=status.word))
            status.taken("conditions")


def _take_change(change: Node, given: _Given, draft: Draft) -> None:
    key = change["key"].word
    if key in LISTS and change["value"].word in (_CONDITIONS if key.endswith("ci.value") else _DAMAGE):
        given.words.setdefault(LISTS[key], []).append(change["value"].word)
        change.taken(f"effects.{LISTS[key]}")
        return
    number = _number(change)
    if number is None:
        return
    if key in HIT_POINTS:
        setattr(draft, HIT_POINTS[key], getattr(draft, HIT_POINTS[key]) + number)
        change.derived("max_hp")
    elif key in NUMBERS:
        field, _, ability = NUMBERS[key].partition(".")
        if ability:
            bonuses = given.abilities.setdefault(field, {})
            bonuses[ability] = bonuses.get(ability, 0) + number
        else:
            given.numbers[field] = given.numbers.get(field, 0) + number
        change.taken(f"effects.{field}")


def _take_attack_bonus(changes: list[Node], given: _Given) -> None:
    bonuses = {change["key"].word: (change, _number(change)) for change in changes if change["key"].word in ATTACKS}
    numbers = {number for _, number in bonuses.values()}
    if len(bonuses) == len(ATTACKS) and len(numbers) == 1 and (number := numbers.pop()):
        given.numbers["attack_bonus"] = number
        for change, _ in bonuses.values():
            change.taken("effects.attack_bonus")


def _number(change: Node) -> int | None:
    """Return the number that a change adds; None for a formula, or for a change that sets or multiplies."""
    mode = change["mode"].value if change["mode"].is_said else change["type"].word
    value = change["value"].value
    if mode not in _ADD or isinstance(value, (bool, list, Mapping)):
        return None
    match = _NUMBER.fullmatch(str(value).strip())
    return int(f"{match[1]}{match[2]}") if match else None
