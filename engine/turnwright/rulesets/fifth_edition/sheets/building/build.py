"""Build a whole sheet from race, class, level and background, and their content entries: a pure function.

No dice are drawn, so that the same arguments give the same sheet. Source: docs/toolkit.md, "Characters from content".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.content.pack import Found
from turnwright.model.item import Item
from turnwright.model.sheet import CustomClass, Sheet
from turnwright.model.vocabulary import Ability, DamageType, Skill, words
from turnwright.rulesets.fifth_edition.sheets.building.facts import Facts
from turnwright.rulesets.fifth_edition.sheets.building.gear import Gear, starting_gear
from turnwright.rulesets.fifth_edition.sheets.building.scores import improved_scores, placed_scores
from turnwright.rulesets.fifth_edition.sheets.building.skills import training
from turnwright.rulesets.fifth_edition.sheets.building.spells import chosen_spells
from turnwright.rulesets.fifth_edition.sheets.classes import CLASSES, IMPROVES
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import trait_hp
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.entry_shapes import FeatureEntry
    from turnwright.rulesets.fifth_edition.sheets.shapes import OfClass, OfRace

_CASTERS = {"pact": "warlock"}
_NO_GEAR = Gear((), {}, ())


class Given(NamedTuple):
    """The values given for a character beside the names of its entries.

    Attributes:
        level: 1 to 20.
        stats: final ability scores.
        skills: the skills that it is trained in; None if not given.
        has_gear: whether it starts with the equipment of class and background.
    """

    level: int = 1
    stats: Mapping[Ability, int] = {}
    skills: Sequence[Skill] | None = None
    has_gear: bool = True


class Built(NamedTuple):
    """A character made from content.

    Attributes:
        sheet: its sheet, without slots, hit dice and resource.
        inventory: its items.
        equipped: ids of items, by slot.
        extra_hp: hit points that traits add to those of class, level and Constitution.
        undecided: features that leave a choice to the player.
        found: the entries that were used.
    """

    sheet: Sheet
    inventory: tuple[Item, ...]
    equipped: Mapping[str, str]
    extra_hp: int
    undecided: tuple[str, ...]
    found: tuple[Found, ...]


def build(facts: Facts, given: Given) -> Built:
    """Return the character that entries and words describe; at least one of race, class and background is an entry."""
    level = given.level
    first = placed_scores(facts, given.stats)
    trained = training(facts, level, first, given.skills)  # chosen at the beginning, and kept
    scores = improved_scores(facts, level, first, given.stats)
    spells = chosen_spells(facts, level, scores)
    gear = starting_gear(facts, scores, trained.proficiencies) if given.has_gear else _NO_GEAR
    features = list(facts.features(level))
    traits = [*facts.traits(), *(feature for feature in features if "hp_per_level" in feature.get("figures", {}))]
    sheet: dict[str, Any] = {
        **_of_class(facts, level),
        **_of_race(facts, traits),
        "level": level,
        "stats": scores,
        "skill_proficiencies": trained.skills,
        "skill_expertise": trained.expertise,
        "proficiencies": trained.proficiencies,
        "languages": trained.languages,
        "cantrips": spells.cantrips,
        "known_spells": spells.known,
        "prepared_spells": spells.prepared,
        "features": tuple(dict.fromkeys(each["name"] for each in features if each["name"] != IMPROVES)),
    }
    if facts.background is not None:
        sheet["background"] = facts.background.name
    if (armor_class := unarmored_ac(features, scores)) is not None:
        sheet["ac"] = armor_class
    if not is_armored(gear.inventory):
        sheet["speed"] = sheet.get("speed", Sheet().speed) + added_speed(features)
    made = Sheet.model_validate(sheet)
    return Built(
        made,
        gear.inventory,
        gear.equipped,
        level * trait_hp(made),
        tuple(undecided_features(facts, features)),
        (*facts.found, *gear.found),
    )


def _of_class(facts: Facts, level: int) -> OfClass:
    """Return the values that a sheet stores of a class; one that is not exactly one of the twelve is stored whole."""
    entry, found = facts.of_class, facts.class_
    if found is None:
        return {}
    kept: OfClass = {"class": found.name}
    if subclass := facts.subclass(level):
        kept["subclass"] = subclass["name"]
    casting = entry.get("spellcasting") or {}
    caster = _CASTERS.get(casting.get("kind", ""), casting.get("kind", "none"))
    table = CLASSES.get(found.name.casefold())
    same = table and (table.hit_die, sorted(table.saves), table.caster, table.spellcasting) == (
        entry["hit_die"],
        sorted(entry["saves"]),
        caster,
        casting.get("ability"),
    )
    if not same:
        custom: dict[str, Any] = {"name": found.name, "hit_die": entry["hit_die"], "spellcasting": caster}
        custom |= {"save_proficiencies": entry["saves"]}
        custom |= {"spellcasting_ability": casting["ability"]} if casting else {}
        kept["custom_class"] = CustomClass.model_validate(custom)
    return kept


def _of_race(facts: Facts, traits: Sequence[FeatureEntry]) -> OfRace:
    kept: OfRace = {"traits": [_trait(each) for each in traits]}
    if facts.race is None:
        return kept
    entry = facts.of_race
    kept |= {"race": facts.race_name, "speed": entry["speed"], "size": entry["size"]}
    figures = [trait.get("figures", {}) for trait in traits]
    sight = max((each.get("darkvision", 0) for each in figures), default=0)
    if sight:
        kept["senses"] = {"darkvision": sight}
    resisted = dict.fromkeys(kind for each in figures for kind in _damage_types(each.get("resistances", ())))
    kept["resistances"] = tuple(resisted)
    return kept


def _trait(entry: FeatureEntry) -> FeatureEntry:
    kept: FeatureEntry = {"id": entry["id"], "name": entry["name"]}
    if "figures" in entry:
        kept["figures"] = entry["figures"]
    return kept


def _damage_types(names: Iterable[str]) -> Iterable[str]:
    return (name for name in names if name in words(DamageType))


def unarmored_ac(features: Iterable[FeatureEntry], scores: Mapping[Ability, int]) -> int | None:
    """Return the armor class that a feature gives without armor, or None."""
    found: list[int] = []
    for figures in (feature.get("figures", {}) for feature in features):
        if "ac_base" in figures:
            added = figures.get("ac_plus", ())
            abilities: Sequence[Ability] = (added,) if isinstance(added, str) else added
            found.append(figures["ac_base"] + sum(ability_modifier(scores[ability]) for ability in abilities))
    return max(found, default=None)


def added_speed(features: Iterable[FeatureEntry]) -> int:
    """Return the feet of speed that features add."""
    given = (feature.get("figures", {}).get("speed", 0) for feature in features)
    return sum(feet for feet in given if isinstance(feet, int))


def is_armored(inventory: Iterable[Item]) -> bool:
    """Return whether a character carries armor."""
    return any(item.type == "armor" for item in inventory)


def undecided_features(facts: Facts, features: Iterable[FeatureEntry]) -> Iterable[str]:
    """Yield features whose options the player has to choose, by name."""
    options = {feature.get("parent") for feature in facts.of_class.get("features", ())}
    return dict.fromkeys(each["name"] for each in features if each.get("choose") or each["id"] in options)
