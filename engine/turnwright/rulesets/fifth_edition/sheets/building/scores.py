"""Ability scores: the standard array in the order of a class's needs, with the bonuses of the race.

Source: SRD 5.1, "Using Ability Scores", "Races", "Beyond 1st Level" (multiclass prerequisites name what a class needs).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from turnwright.model.vocabulary import Ability
from turnwright.rulesets.fifth_edition.sheets.building.facts import Facts
from turnwright.rulesets.fifth_edition.sheets.classes import IMPROVES

Scores = dict[Ability, int]
STANDARD_ARRAY = (15, 14, 13, 12, 10, 8)
_USUAL: tuple[Ability, ...] = ("con", "dex", "wis", "str", "cha", "int")
"""The order of abilities when the class does not state one: hit points and armor class help every character."""
_UNTRAINED = 10
_HIGHEST = 20
_IMPROVEMENT = 2


def needs(facts: Facts) -> tuple[Ability, ...]:
    """Return the abilities in the order of a class's needs."""
    entry = facts.of_class
    multiclass = entry.get("multiclass", {})
    asked = [ability for row in multiclass.get("prerequisites", ()) for ability in row]
    asked += [ability for row in multiclass.get("any_of", ())[:1] for ability in row][:1]
    if casting := entry.get("spellcasting"):
        asked.append(casting["ability"])
    if not asked:
        asked = list(entry.get("saves", ()))
    return cast("tuple[Ability, ...]", tuple(dict.fromkeys([*asked, *_USUAL])))


def placed_scores(facts: Facts, given: Mapping[Ability, int]) -> Scores:
    """Return all six scores of a beginner.

    Args:
        facts: race and class; without a class every score is 10 before the bonuses of the race.
        given: scores that are final.
    """
    order = needs(facts)
    array = STANDARD_ARRAY if facts.class_ else (_UNTRAINED,) * len(order)
    scores: Scores = dict(zip(order, array, strict=True))
    for ability, bonus in _bonuses(facts, order).items():
        scores[ability] += bonus
    scores |= given
    return {ability: scores[ability] for ability in sorted(scores, key=_SHEET_ORDER.index)}


def improved_scores(facts: Facts, level: int, before: Scores, given: Mapping[Ability, int]) -> Scores:
    """Return scores with the improvements of the class up to a level, for the abilities that the class needs most."""
    scores, order = dict(before), needs(facts)
    improved = sum(1 for feature in facts.features(level) if feature["name"] == IMPROVES)
    for _ in range(improved):
        _improve(scores, [ability for ability in order if ability not in given])
    return scores


_SHEET_ORDER: tuple[Ability, ...] = ("str", "dex", "con", "int", "wis", "cha")


def _bonuses(facts: Facts, order: tuple[Ability, ...]) -> Scores:
    race, subrace = facts.of_race, facts.subrace
    bonuses: Scores = dict(race.get("ability_bonuses", {}))
    for ability, bonus in subrace.get("ability_bonuses", {}).items():
        bonuses[ability] = bonuses.get(ability, 0) + bonus
    if choice := race.get("ability_choice"):
        chosen = [ability for ability in order if ability in choice["options"] and ability not in bonuses]
        bonuses |= dict.fromkeys(chosen[: choice["choose"]], choice.get("bonus", 1))
    return bonuses


def _improve(scores: Scores, order: list[Ability]) -> None:
    """Raise the most needed ability by 2, split if it reaches 20."""
    for _ in range(_IMPROVEMENT):
        ability = next((ability for ability in order if scores[ability] < _HIGHEST), None)
        if ability is not None:
            scores[ability] += 1
