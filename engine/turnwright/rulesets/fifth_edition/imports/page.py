"""The contents of a printable page about a character: figures as play computes them, all as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, cast

from turnwright.content.pack import PackError
from turnwright.model.character import Character
from turnwright.model.item import Item
from turnwright.model.sheet import Sheet
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, words
from turnwright.rulesets.fifth_edition.imports.derived import derived_values
from turnwright.rulesets.fifth_edition.imports.foundry_words import SENSES
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective, effective
from turnwright.rulesets.fifth_edition.sheets.multiclass import class_levels
from turnwright.rulesets.fifth_edition.sheets.skills import SKILL_ABILITIES, passive_score
from turnwright.rulesets.imports import Page, PageSection

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry

_ABILITIES = cast("tuple[Ability, ...]", words(Ability))


def page_of(world: World, character: Character, open_packs: Callable[[], PackRegistry]) -> Page:
    """Return the page.

    Args:
        world: the campaign, whose content packs require notices.
        character: a character with a sheet.
        open_packs: returns the campaign's packs.
    """
    sheet, values = sheets.sheet_of(character), effective(character)
    return {
        "title": character.label,
        "subtitle": _kind(sheet),
        "sections": [section for section in _sections(world, character, sheet, values) if _says_something(section)],
        "notices": list(_notices(world, open_packs)),
    }


def _kind(sheet: Sheet) -> str:
    """Return race, classes with their levels, and subclass."""
    classes = ", ".join(f"{name} {level}" for name, level in class_levels(sheet).items())
    return f"{sheet.race} {classes}" + (f" ({sheet.subclass})" if sheet.subclass else "")


def _says_something(section: PageSection) -> bool:
    return bool(section.get("lines") or section.get("rows"))


def _sections(world: World, character: Character, sheet: Sheet, values: Effective) -> Iterator[PageSection]:
    yield {"title": "Figures", "lines": list(_figures(character, sheet, values))}
    yield {
        "title": "Abilities",
        "head": ("", "Score", "Modifier", "Save"),
        "rows": [_ability_row(ability, sheet, values) for ability in _ABILITIES],
    }
    yield {
        "title": "Skills",
        "head": ("", "Ability", "Bonus"),
        "rows": [
            (skill.replace("_", " ").capitalize(), ability.upper(), f"{_skill(skill, sheet, values):+d}")
            for skill, ability in SKILL_ABILITIES.items()
        ],
    }
    yield {
        "title": "Attacks",
        "head": ("", "To hit", "Damage"),
        "rows": [
            (each["name"], f"{each['attack_bonus']:+d}", f"{each['damage']} {each['damage_type']}")
            for each in derived_values(world, character)["attacks"]
        ],
    }
    yield {"title": "Magic", "lines": list(_magic(sheet, values))}
    yield {"title": "Features", "lines": [("", ", ".join(sheet.features))] if sheet.features else []}
    yield {"title": "Conditions and effects", "lines": list(_lasting(character))}
    yield {
        "title": "Belongings",
        "head": ("", "Number", "Pounds", "Worn"),
        "rows": [_item_row(item, character) for item in character.inventory],
    }


def _figures(character: Character, sheet: Sheet, values: Effective) -> Iterator[tuple[str, str]]:
    yield "Hit points", f"{values.hp} of {values.max_hp.effective}" + _plus_temporary(character)
    yield "Armor class", str(values.ac.effective)
    speeds = [f"{values.speed.effective} ft."]
    for name in ("fly", "swim", "climb"):
        feet = getattr(sheet, f"{name}_speed")
        speeds += [f"{name} {feet} ft."] if feet else []
    yield "Speed", ", ".join(speeds)
    yield "Initiative", f"{values.modifier('dex'):+d}"
    yield "Proficiency bonus", f"{values.proficiency:+d}"
    yield "Hit dice", f"{sheet.hit_dice.current} of {sheet.hit_dice.max}d{sheets.hit_die(sheet)}"
    yield "Passive perception", str(passive_score(_skill("perception", sheet, values)))
    yield "Size", sheet.size
    if senses := [f"{name} {feet} ft." for name in SENSES if (feet := getattr(sheet.senses, name))]:
        yield "Senses", ", ".join(senses)
    if sheet.background:
        yield "Background", sheet.background
    if sheet.languages:
        yield "Languages", ", ".join(sheet.languages)
    for name in ("resistances", "immunities", "vulnerabilities"):
        if kinds := sorted(getattr(values, name)):
            yield name.capitalize(), ", ".join(kinds)
    if kept := sorted(values.condition_immunities):
        yield "Condition immunities", ", ".join(kept)


def _plus_temporary(character: Character) -> str:
    return f", and {character.temp_hp} temporary" if character.temp_hp else ""


def _ability_row(ability: Ability, sheet: Sheet, values: Effective) -> tuple[str, ...]:
    modifier = values.modifier(ability)
    save = modifier + values.save_bonus + (values.proficiency if ability in sheets.saves(sheet) else 0)
    return ability.upper(), str(values.stats[ability].effective), f"{modifier:+d}", f"{save:+d}"


def _skill(skill: str, sheet: Sheet, values: Effective) -> int:
    times = 2 if skill in sheet.skill_expertise else int(skill in sheet.skill_proficiencies)
    return values.modifier(SKILL_ABILITIES[skill]) + times * values.proficiency  # type: ignore[index]


def _magic(sheet: Sheet, values: Effective) -> Iterator[tuple[str, str]]:
    ability = sheets.casting_ability(sheet)
    if ability is not None and (sheet.spell_slots or sheet.pact_slots or sheet.cantrips or sheet.known_spells):
        bonus = values.modifier(ability) + values.proficiency
        yield "Spellcasting", f"{ability.upper()}, attack {bonus:+d}, save DC {8 + bonus}"
    for level, pool in sheet.spell_slots.items():
        yield f"Slots of level {level}", f"{pool.current} of {pool.max}"
    if sheet.pact_slots is not None:
        pact = sheet.pact_slots
        yield f"Pact slots of level {pact.slot_level}", f"{pact.current} of {pact.max}"
    for label, names in (("Cantrips", sheet.cantrips), ("Spells", sheet.known_spells)):
        if names:
            yield label, ", ".join(names)
    if sheet.prepared_spells:
        yield "Prepared", ", ".join(sheet.prepared_spells)


def _lasting(character: Character) -> Iterator[tuple[str, str]]:
    for condition in character.conditions:
        level = f" (level {condition.exhaustion_level})" if condition.exhaustion_level else ""
        yield "Condition", condition.condition + level
    for effect in character.effects:
        yield "Effect", effect.name


def _item_row(item: Item, character: Character) -> tuple[str, ...]:
    worn = item.id in character.equipped.values()
    weight = f"{item.weight:g}" if item.weight is not None else ""
    return item.name, str(item.quantity), weight, "yes" if worn else ""


def _notices(world: World, open_packs: Callable[[], PackRegistry]) -> Iterable[str]:
    """Return the notices that the licenses of the campaign's packs require; without packs, of the bundled one."""
    from turnwright.content.kinds import BUILT_IN_PACKS

    found: list[str] = []
    for pack_id in world.campaign.content or BUILT_IN_PACKS:
        try:
            manifest = open_packs().pack(pack_id).manifest
        except PackError:
            continue
        if manifest.attribution:
            found.append(manifest.attribution)
    return found
