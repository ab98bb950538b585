"""Spells of a character made from content: as many as the class table says, the useful ones first.

Source: SRD 5.1, "Spellcasting" of each class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnwright.content.pack import Row
from turnwright.rulesets.fifth_edition.sheets.building.facts import Facts
from turnwright.rulesets.fifth_edition.sheets.building.scores import Scores
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier

_USEFUL = (
    *("eldritch-blast", "sacred-flame", "fire-bolt", "vicious-mockery", "produce-flame", "ray-of-frost", "guidance"),
    *("mage-hand", "light", "shillelagh", "shocking-grasp", "spare-the-dying", "minor-illusion", "prestidigitation"),
    *("cure-wounds", "magic-missile", "healing-word", "bless", "shield", "mage-armor", "guiding-bolt", "hunters-mark"),
    *("hellish-rebuke", "sleep", "charm-person", "faerie-fire", "entangle", "burning-hands", "thunderwave"),
    *("shield-of-faith", "goodberry", "detect-magic", "heroism", "fog-cloud", "find-familiar", "divine-favor"),
    *("misty-step", "scorching-ray", "hold-person", "spiritual-weapon", "lesser-restoration", "invisibility"),
    *("mirror-image", "moonbeam", "pass-without-trace", "aid", "suggestion", "shatter", "web"),
    *("fireball", "counterspell", "spirit-guardians", "mass-healing-word", "revivify", "dispel-magic", "fly", "haste"),
    *("lightning-bolt", "call-lightning", "hypnotic-pattern", "conjure-animals"),
)
"""The most useful spells; those of the same level in this order."""
BOOK = "spellbook"
"""Characters who start with one know the spells in it."""
_IN_BOOK = 6
SPELLS_A_LEVEL = 2


class Spells(NamedTuple):
    """Names of spells."""

    cantrips: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    prepared: tuple[str, ...] = ()


def chosen_spells(facts: Facts, level: int, scores: Scores) -> Spells:
    """Return the spells of a character at a level; casters who prepare spells have as many as they can prepare."""
    cantrips = _racial_cantrips(facts)
    casting = facts.of_class.get("spellcasting")
    row = facts.class_row(level)
    if casting is None or facts.class_ is None or not row.get("slots"):
        return Spells(cantrips=tuple(cantrips))
    highest = max(int(spell_level) for spell_level, count in row["slots"].items() if count)
    listed = facts.spells(facts.class_.id, highest)
    of_level = _by_level(listed)
    cantrips += [name for name in of_level.get(0, ()) if name not in cantrips][: row.get("cantrips_known") or 0]
    bonus = _subclass_spells(facts, level)
    if row.get("spells_known") is not None:
        known = _spread(of_level, highest, row["spells_known"])
        return Spells(tuple(cantrips), tuple(known))
    able = max(1, ability_modifier(scores[casting["ability"]]) + (level if casting["kind"] == "full" else level // 2))
    if any(item["id"] == BOOK for item in facts.of_class.get("starting_equipment", ())):
        book = _spread(of_level, highest, _IN_BOOK + SPELLS_A_LEVEL * (level - 1))
        return Spells(tuple(cantrips), tuple(book), tuple(book[:able]))
    own = [name for name in _spread(of_level, highest, able + len(bonus)) if name not in bonus][:able]
    return Spells(tuple(cantrips), (), (*bonus, *own))


def _by_level(rows: Sequence[Row]) -> dict[int, list[str]]:
    """Return names by level: the useful ones first, then those that the engine executes most completely."""
    tiers = ("full", "partly", "reference")

    def rank(row: Row) -> tuple[int, int, str]:
        return _USEFUL.index(row.id) if row.id in _USEFUL else len(_USEFUL), tiers.index(row.tier), row.name

    found: dict[int, list[str]] = {}
    for row in sorted(rows, key=rank):
        found.setdefault(row.facets.get("level", 0), []).append(row.name)
    return found


def _spread(of_level: dict[int, list[str]], highest: int, count: int) -> list[str]:
    """Return a number of spells, in turn from each level, the lowest first, as if learned level by level."""
    queues = [list(of_level.get(level, ())) for level in range(1, highest + 1)]
    chosen: list[str] = []
    while len(chosen) < count and any(queues):
        for queue in queues:
            if queue and len(chosen) < count:
                chosen.append(queue.pop(0))
    return chosen


def _subclass_spells(facts: Facts, level: int) -> list[str]:
    """Return the spells that a subclass grants by level alone, which are always prepared."""
    names: list[str] = []
    for spell in facts.subclass(level).get("spells", ()):
        needed = spell.get("requires", ())
        levels = [part.rpartition("-")[2] for part in needed]
        if len(needed) == 1 and levels[0].isdigit() and int(levels[0]) <= level:
            found = facts.library.entry("spells", spell["id"])
            if found is not None:
                names.append(found.name)
    return names


def _racial_cantrips(facts: Facts) -> list[str]:
    names: list[str] = []
    for trait in facts.traits():
        figures = trait.get("figures", {})
        for spell in figures.get("spells", ()):
            found = facts.library.entry("spells", spell["id"])
            if found is not None and found.value["level"] == 0:
                names.append(found.name)
        if figures.get("cantrips") and figures.get("list"):
            names += _by_level(facts.spells(figures["list"], 0)).get(0, [])[: figures["cantrips"]]
    return names
