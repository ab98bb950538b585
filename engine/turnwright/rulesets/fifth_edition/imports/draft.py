"""A character read from a file of any format, before the rules have derived anything.

A reader fills a `Draft`; `finished` turns it into the document, compares the values in the file with those of the
rules, and reports both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.creature import Condition, DeathSaves, Effect, PactPool, Pool
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.item import Item
from turnwright.model.settings import settings_of
from turnwright.model.sheet import CustomClass, Senses, Sheet
from turnwright.model.vocabulary import Ability, CasterType
from turnwright.rulesets.fifth_edition.belongings.equipment import has_property, usual_slot, with_equipped
from turnwright.rulesets.fifth_edition.belongings.inventory import MAX_ENTRIES
from turnwright.rulesets.fifth_edition.condition_list import with_condition
from turnwright.rulesets.fifth_edition.imports.derived import derived_values
from turnwright.rulesets.fifth_edition.imports.fields import Fields
from turnwright.rulesets.fifth_edition.magic import slots
from turnwright.rulesets.fifth_edition.sheets import classes, health
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets._sheet import refreshed
from turnwright.rulesets.imports import Attack, Difference, Imported, ImportFault, ImportReport, Target

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.item_shapes import NewItem

MAX_NAME = 200
MAX_WORD = 100
"""The longest name of a race, a class, a feature or a spell."""
MAX_LEVEL = 20
MAX_NAMES = 1000
"""The most features, and the most spells of a kind."""
_SHARE: Mapping[str, int] = {"full": 1, "half": 2, "third": 3}
"""How many levels count as one for the slots of several classes."""
_LISTS = ("cantrips", "known_spells", "prepared_spells", "languages")
IN_THE_CAMPAIGN = (
    *("position", "location", "faction", "disposition", "stress", "coin", "trauma", "pending_trauma", "choices"),
    *("wants", "fears", "knows", "voice_notes"),
)
"""Fields that files of other programs know nothing of: a character that is replaced keeps its own."""
_NOT_IN_IDS = re.compile(r"[^a-z0-9]+")
_MAX_ID = 60


class ClassLevels(NamedTuple):
    """Levels in one class; the other values describe a class outside the twelve, and are None if the file lacks them.

    Attributes:
        identifier: the name by which subclasses refer to it; "" for its name in lower case, words joined by hyphens.
    """

    name: str
    level: int
    hit_die: int | None = None
    caster: CasterType | None = None
    ability: Ability | None = None
    identifier: str = ""

    @property
    def key(self) -> str:
        """The name by which subclasses refer to it."""
        return self.identifier or slug(self.name, "")

    @property
    def casts(self) -> CasterType:
        """The type of its spell slot table."""
        return self.caster or classes.caster_type(self.name)


@dataclass
class Draft:
    """The data read for one character.

    Attributes:
        levels: levels by class, at least one; entries of the same class are added up.
        stats: scores without the bonuses of items and effects.
        sheet: further fields of the sheet, by name.
        items: entries of the inventory as plain JSON, without ids.
        worn: indexes of the items that are equipped.
        monk_weapons: indexes of the items that are monk weapons: simple melee weapons that are not heavy or for two
            hands, and shortswords.
        base_hp: the hit points from the hit dice of all levels, without CON; None for the averages.
        hp_per_level, hp_bonus: additions to the maximum.
        max_hp: a maximum that the file sets in place of all that.
        hp: current hit points; None for the maximum.
        lost_hp: hit points below the maximum, if the file states damage instead.
        base_ac: armor class without armor and shield, if not 10 + DEX.
        slots: remaining slots, by level.
        max_slots: maxima that the file sets in place of the table's.
        pact: remaining pact slots.
        ac: the armor class that the file states.
        stated_attacks: the attacks that the file states: bonus and damage by name of the weapon.
        features: names of features and feats.
        subclasses: names of subclasses, each with the identifier of its class: lower case, words joined by hyphens.
        packs: the content packs that entries came from: the SHA-256 of each, by id.
    """

    name: str
    levels: list[ClassLevels] = field(default_factory=list)
    stats: dict[str, int] = field(default_factory=dict)
    sheet: dict[str, Any] = field(default_factory=dict)
    character_type: str = "pc"
    items: list[NewItem] = field(default_factory=list)
    worn: list[int] = field(default_factory=list)
    monk_weapons: list[int] = field(default_factory=list)
    base_hp: int | None = None
    hp_per_level: int = 0
    hp_bonus: int = 0
    max_hp: int | None = None
    hp: int | None = None
    lost_hp: int | None = None
    temp_hp: int = 0
    base_ac: int | None = None
    slots: dict[str, int] = field(default_factory=dict)
    max_slots: dict[str, int] = field(default_factory=dict)
    pact: int | None = None
    spent_hit_dice: int = 0
    death_successes: int = 0
    death_failures: int = 0
    conditions: list[Condition] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    ac: int | None = None
    stated_attacks: dict[str, tuple[int | None, str | None]] = field(default_factory=dict)
    features: list[str] = field(default_factory=list)
    subclasses: list[tuple[str, str]] = field(default_factory=list)
    packs: dict[str, str] = field(default_factory=dict)

    @property
    def level(self) -> int:
        """All levels together."""
        return sum(each.level for each in self.levels)

    def put(self, name: str, value: Any) -> None:
        """Set a field of the sheet, if there is a value."""
        if value not in (None, (), [], {}):
            self.sheet[name] = value


def slug(name: str, fallback: str) -> str:
    """Return an id made from a name: lower case, words joined by hyphens; the fallback if nothing is left of it."""
    return _NOT_IN_IDS.sub("-", name.casefold()).strip("-")[:_MAX_ID].strip("-") or fallback


def unique(wanted: str, taken: Iterable[str]) -> str:
    """Return an id that is not taken: the wanted one, or with the first number from 2 up that makes it new."""
    known = set(taken)
    number, found = 1, wanted
    while found in known:
        number += 1
        found = f"{wanted}-{number}"
    return found


def finished(draft: Draft, fields: Fields, target: Target, format_name: str, version: str) -> Imported:
    """Return the character of a draft, with the fate of each field.

    Raises:
        ImportFault: when the rules have no place for a value.
    """
    identifier = target.as_id or slug(draft.name, "character")
    differences: list[Difference] = []
    try:
        sheet = _sheet(draft, differences)
        character = Character(
            id=identifier,
            name=draft.name,
            character_type=draft.character_type,
            hp=1,
            max_hp=_max_hp(draft, sheet, differences),
            temp_hp=draft.temp_hp,
            sheet=sheet,
            conditions=_conditions(draft),
            effects=_effects(draft.effects),
            inventory=_inventory(_with_martial_arts(draft)),
        )
    except ValidationError as error:
        first = faults_of(error)[0]
        raise ImportFault(f"{'.'.join(map(str, first['loc']))}: {sentence(first)}") from None
    character = _equipped(character, draft.worn)
    changes_state = settings_of(target.world.campaign.settings)["rules.hp_zero_ends_game"]
    character = _with_hp(character, draft, differences, changes_state=changes_state)
    derived = derived_values(target.world, character)
    differences += _stated_differences(draft, derived["ac"], derived["attacks"])
    report: ImportReport = {
        "format": format_name,
        "version": version,
        "character_id": identifier,
        "name": draft.name,
        "fields": fields.reports(),
        "derived": derived,
        "differences": differences,
    }
    return Imported(character.as_written, IN_THE_CAMPAIGN, report, draft.packs)


# the sheet


def main_class(levels: Iterable[ClassLevels]) -> ClassLevels:
    """Return the class in which a character has most levels, the first of several."""
    return max(levels, key=lambda each: each.level)


def _sheet(draft: Draft, differences: list[Difference]) -> Sheet:
    main = main_class(draft.levels)
    others = [f"{each.name} {each.level}" for each in draft.levels if each is not main]
    own = next((name for of_class, name in draft.subclasses if of_class in ("", main.key)), None)
    beside = [name for _, name in draft.subclasses if name != own]
    features = tuple(dict.fromkeys([*others, *beside, *draft.features]))
    given: dict[str, Any] = {
        **draft.sheet,
        "class": main.name,
        "level": draft.level,
        "stats": draft.stats,
    }
    for name, known in (("features", features), *((name, draft.sheet.get(name, ())) for name in _LISTS)):
        if len(known) > MAX_NAMES:
            raise ImportFault(f"has {len(known)} {name.replace('_', ' ')}; {MAX_NAMES} are the most")
    if own is not None:
        given["subclass"] = own
    if features:
        given["features"] = features
    if draft.base_ac is not None:
        given["ac"] = draft.base_ac
    if "spellcasting_ability" not in given and main.casts == "none" and (ability := _ability_of_others(draft)):
        given["spellcasting_ability"] = ability
    if _is_of_its_own(main):
        given["custom_class"] = _custom_class(main, draft)
        given.pop("save_proficiencies", None)
    sheet = refreshed(Sheet.model_validate(given))
    saves = sheet.save_proficiencies
    if saves is not None and sheet.custom_class is None and {*saves} == {*classes.save_proficiencies(sheet.class_)}:
        sheet = sheet.replace(save_proficiencies=None)
    return _spent(_with_slots(sheet, draft, differences), draft)


def _is_of_its_own(main: ClassLevels) -> bool:
    """Return whether a class is not one of the twelve, or casts differently from the one of its name."""
    if main.name.strip().lower() not in classes.CLASSES:
        return True
    return main.caster not in (None, "none", classes.caster_type(main.name))


def _custom_class(main: ClassLevels, draft: Draft) -> CustomClass:
    saves = draft.sheet.get("save_proficiencies") or classes.save_proficiencies(main.name)
    given: dict[str, Any] = {"name": main.name, "save_proficiencies": saves, "hit_die": hit_die_of(main)}
    given |= {"spellcasting": main.caster} if main.caster is not None else {}
    given |= {"spellcasting_ability": main.ability} if main.ability is not None else {}
    return CustomClass.model_validate(given)


def _ability_of_others(draft: Draft) -> str | None:
    """Return the casting ability of the caster class in which a character has most levels."""
    casting = [each for each in draft.levels if each.casts != "none"]
    main = main_class(casting) if casting else None
    return classes.spellcasting_ability(main.name, main.ability) if main is not None else None


def _with_slots_of_several_classes(sheet: Sheet, levels: Iterable[ClassLevels]) -> Sheet:
    """Return the sheet with the slots of several classes: one that casts has its own, of more the levels are added up.

    Source: SRD 5.1, "Multiclassing", "Spellcasting".
    """
    casting = [each for each in levels if each.casts in _SHARE]
    if len(casting) == 1:
        row = slots.spell_slots(casting[0].casts, casting[0].level)
    else:
        level = sum(each.level // _SHARE[each.casts] for each in casting)
        row = slots.spell_slots("full", level) if level else ()
    pact = next((slots.pact_slots(each.casts, each.level) for each in levels if each.casts == "warlock"), None)
    return sheet.replace(
        spell_slots={str(level): Pool(current=count, max=count) for level, count in enumerate(row, 1)},
        pact_slots=PactPool(current=pact.slots, max=pact.slots, slot_level=pact.slot_level) if pact else None,
    )


def _with_slots(sheet: Sheet, draft: Draft, differences: list[Difference]) -> Sheet:
    """Return the sheet with the slots that are left; the file's own maxima are the table's decision."""
    if len(draft.levels) > 1:
        sheet = _with_slots_of_several_classes(sheet, draft.levels)
    pools: dict[str, Pool] = dict(sheet.spell_slots)
    for level, most in sorted(draft.max_slots.items()):
        derived = pools[level].max if level in pools else 0
        if most != derived:
            differences.append({"value": f"spell_slots.{level}", "file": most, "derived": derived, "kept": "file"})
        pools[level] = Pool(current=most, max=most)
    for level, left in sorted(draft.slots.items()):
        most = pools[level].max if level in pools else 0
        if left > most:
            differences.append({"value": f"spell_slots.{level}", "file": left, "derived": most, "kept": "derived"})
        if level in pools:
            pools[level] = Pool(current=min(left, most), max=most)
    pact = sheet.pact_slots
    if pact is not None and draft.pact is not None:
        if draft.pact > pact.max:
            differences.append({"value": "pact_slots", "file": draft.pact, "derived": pact.max, "kept": "derived"})
        pact = PactPool(current=min(draft.pact, pact.max), max=pact.max, slot_level=pact.slot_level)
    pools = {level: pool for level, pool in pools.items() if pool.max}
    return sheet.replace(spell_slots=pools, pact_slots=pact)


def _spent(sheet: Sheet, draft: Draft) -> Sheet:
    left = max(0, sheet.level - draft.spent_hit_dice)
    return sheet.replace(hit_dice=Pool(current=left, max=sheet.level))


# hit points


def _max_hp(draft: Draft, sheet: Sheet, differences: list[Difference]) -> int:
    derived = derived_max_hp(draft, sheet)
    if draft.max_hp is None or draft.max_hp == derived:
        return derived
    differences.append({"value": "max_hp", "file": draft.max_hp, "derived": derived, "kept": "file"})
    return draft.max_hp


def derived_max_hp(draft: Draft, sheet: Sheet) -> int:
    """Return the maximum that dice or averages, CON and bonuses give."""
    modifier, level = sheets.modifier(sheet, "con"), sheet.level
    if draft.base_hp is not None:
        own = max(level, draft.base_hp + modifier * level)
    elif len(draft.levels) == 1:
        own = sheets.max_hp(sheet)
    else:
        own = _of_several_classes(draft.levels, modifier)
    return max(1, own + draft.hp_per_level * level + draft.hp_bonus)


def hit_die_of(each: ClassLevels) -> int:
    """Return the sides of the hit die of a class."""
    return classes.hit_die(each.name, None if each.name.strip().lower() in classes.CLASSES else each.hit_die)


def _of_several_classes(levels: Iterable[ClassLevels], modifier: int) -> int:
    """Return the whole die for the first level of the first class, and the average for every other."""
    total = 0
    for place, each in enumerate(levels):
        die = hit_die_of(each)
        average = classes.level_gain(classes.average_gain(die), modifier) * each.level
        first = classes.level_gain(die, modifier) - classes.level_gain(classes.average_gain(die), modifier)
        total += average + (first if place == 0 else 0)
    return total


def _with_hp(character: Character, draft: Draft, differences: list[Difference], *, changes_state: bool) -> Character:
    from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective

    most = effective(character).max_hp.effective
    hp = draft.hp if draft.hp is not None else most - (draft.lost_hp or 0)
    if hp > most:
        differences.append({"value": "hp", "file": hp, "derived": most, "kept": "derived"})
    hp = max(0, min(hp, most))
    if hp > 0:
        return character.replace(hp=hp)
    down = health.at_zero(character, changes_state=changes_state)
    marks = DeathSaves(successes=draft.death_successes, failures=draft.death_failures)
    if draft.death_failures >= 3:
        return health.killed(character, changes_state=changes_state)
    if draft.death_successes >= 3:
        return health.stabilized(down, changes_state=changes_state)
    return down.replace(death_saves=marks) if character.character_type == "pc" else down


def _conditions(draft: Draft) -> tuple[Condition, ...]:
    """Return the conditions, each once; falling to 0 hit points adds its conditions by itself."""
    holder = Character(id="holder")
    for condition in draft.conditions:
        holder = with_condition(holder, condition).character
    return tuple(holder.conditions)


def _effects(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    named: dict[str, Effect] = {}
    for effect in effects:
        identifier = unique(slug(effect.name, "effect"), named)
        named[identifier] = effect.replace(effect_id=identifier)
    return tuple(named.values())


# belongings


def _with_martial_arts(draft: Draft) -> list[NewItem]:
    """Return the items; in the hands of a monk, monk weapons strike by DEX, as weapons with finesse do."""
    if not any(each.name.strip().lower() == "monk" for each in draft.levels):
        return draft.items
    items = list(draft.items)
    for place in draft.monk_weapons:
        stats = items[place].get("weapon_stats", {})
        properties = list(stats.get("properties", ()))
        if not {"finesse", "heavy", "two-handed"} & set(properties):
            items[place] = {**items[place], "weapon_stats": {**stats, "properties": [*properties, "finesse"]}}
    return items


def is_monk_weapon(name: str, *, is_simple_melee: bool) -> bool:
    """Return whether a weapon is a monk weapon."""
    return is_simple_melee or slug(name, "") == "shortsword"


def _inventory(items: list[NewItem]) -> tuple[Item, ...]:
    if len(items) > MAX_ENTRIES:
        raise ImportFault(f"holds {len(items)} items; a character carries at most {MAX_ENTRIES}")
    found: dict[str, Item] = {}
    for item in items:
        identifier = unique(slug(item["name"], "item"), found)
        found[identifier] = Item.model_validate({"id": identifier, **item})
    return tuple(found.values())


def _equipped(character: Character, worn: list[int]) -> Character:
    """Return a character who wears and wields what fits: armor first, then a shield, then items for free hands."""
    by_place = {place: character.inventory[place] for place in worn}
    order = {"armor": 0, "shield": 1}
    for place in sorted(by_place, key=lambda each: (order.get(by_place[each].type, 2), each)):
        item = by_place[place]
        for slot in _free_slots(character, item):
            done = with_equipped(character, item, slot)
            if not done.unequipped:
                character = done.character
                break
    return character


def _free_slots(character: Character, item: Item) -> list[str]:
    if item.type == "weapon":
        hands = ("mainhand", "offhand") if has_property(item, "light") else ("mainhand",)
        return [slot for slot in hands if slot not in character.equipped]
    slot = usual_slot(character, item)
    return [slot] if slot is not None and slot not in character.equipped else []


# values in the file


def _stated_differences(draft: Draft, ac: int, attacks: Iterable[Attack]) -> list[Difference]:
    found: list[Difference] = []
    if draft.ac is not None and draft.ac != ac:
        found.append({"value": "ac", "file": draft.ac, "derived": ac, "kept": "derived"})
    by_name = {name_tag(attack["name"]): attack for attack in attacks}
    for name, (bonus, damage) in draft.stated_attacks.items():
        attack = by_name.get(name_tag(name))
        if attack is None:
            found.append(
                {"value": f"attacks.{name}", "file": _shown(bonus, damage), "derived": "none", "kept": "derived"}
            )
            continue
        if bonus is not None and bonus != attack["attack_bonus"]:
            value = f"attacks.{name}.attack_bonus"
            found.append({"value": value, "file": bonus, "derived": attack["attack_bonus"], "kept": "derived"})
        if damage is not None and damage.replace(" ", "") != attack["damage"].replace(" ", ""):
            value = f"attacks.{name}.damage"
            found.append({"value": value, "file": damage, "derived": attack["damage"], "kept": "derived"})
    return found


def _shown(bonus: int | None, damage: str | None) -> str:
    return " ".join(filter(None, (f"{bonus:+d}" if bonus is not None else "", damage)))


def senses_of(given: Mapping[str, int]) -> dict[str, int]:
    """Return senses in the form of a sheet, without those of 0 feet."""
    return {name: feet for name, feet in given.items() if feet and name in Senses.model_fields}
