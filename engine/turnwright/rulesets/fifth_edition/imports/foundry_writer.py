"""Characters as actors for Foundry VTT's dnd5e system, in the shape that versions 4 and 5 read.

This module writes whatever `foundry.py` reads from an actor, so that an export and import round trip keeps it.
Source: docs/characters.md, "Foundry VTT".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.content.library import AmbiguousEntry, Library, UnknownEntry
from turnwright.content.pack import PackError
from turnwright.model.character import Character
from turnwright.model.creature import Effect
from turnwright.model.item import Item
from turnwright.model.sheet import Sheet
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import pretty, sha256
from turnwright.model.vocabulary import Ability, words
from turnwright.rulesets.content_library import has_content, library_of
from turnwright.rulesets.fifth_edition.condition_list import EXHAUSTION, is_of_hp
from turnwright.rulesets.fifth_edition.imports.draft import slug
from turnwright.rulesets.fifth_edition.imports.foundry import SYSTEM
from turnwright.rulesets.fifth_edition.imports.foundry_effects import ATTACKS, LISTS, NUMBERS
from turnwright.rulesets.fifth_edition.imports.foundry_words import (
    CASTERS,
    COINS,
    PROPERTIES,
    SENSES,
    SIZES,
    SKILLS,
    STEALTH_DISADVANTAGE,
)
from turnwright.rulesets.fifth_edition.sheets import classes
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets.multiclass import class_levels

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry
    from turnwright.rulesets.fifth_edition.imports.foundry_shapes import (
        ActorEffect,
        ActorItem,
        ActorSystem,
        ArmorValue,
        Attributes,
        DamagePart,
        EffectChange,
        Pool,
        Price,
        Protection,
        WeaponDamage,
        WeaponSystem,
    )

WRITTEN_VERSION = "4.3.0"
"""The version of the system whose shape is written; newer versions migrate it."""
_ABILITIES = words(Ability)
_ID_LENGTH = 16
_ACTIVITY = "turnwrightattack"
_DAMAGE_DICE = re.compile(r"(\d{1,3})d(\d{1,4})([+-]\d{1,4})?")
_VERSATILE = re.compile(r"versatile \((.+)\)")
_LEVELS = re.compile(r"([A-Za-z]+) ([1-9]|1[0-9])")
_PRICE = re.compile(r"(\d+(?:\.\d+)?) (pp|gp|ep|sp|cp)")
_TYPES: Mapping[str, str] = {
    "weapon": "weapon",
    "armor": "equipment",
    "shield": "equipment",
    "equipment": "equipment",
    "wondrous": "equipment",
    "consumable": "consumable",
    "ammunition": "consumable",
    "tool": "tool",
}


def write_actor(world: World, character: Character, open_packs: Callable[[], PackRegistry]) -> bytes:
    """Return a character as the file of an actor.

    Args:
        world: the campaign, whose content gives the levels of spells.
        character: a character with a sheet.
        open_packs: returns the campaign's packs.
    """
    sheet = sheets.sheet_of(character)
    ids = _Ids(character.id)
    items = list(_items(world, character, sheet, ids, open_packs))
    actor = {
        "name": character.label,
        "type": "character",
        "system": _system(character, sheet, items),
        "items": items,
        "effects": [_effect(each, ids) for each in character.effects] + _conditions(character, ids),
        "prototypeToken": {"name": character.label, "actorLink": True, "disposition": 1},
        "_stats": {"systemId": SYSTEM, "systemVersion": WRITTEN_VERSION},
    }
    return pretty(actor)


class _Ids:
    """Ids of 16 letters and digits, as Foundry requires, always the same for the same character."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def next(self) -> str:
        """Return another id."""
        self._count += 1
        return sha256(f"{self._seed}/{self._count}")[:_ID_LENGTH]


# the actor


def _system(character: Character, sheet: Sheet, items: Sequence[ActorItem]) -> ActorSystem:
    original = next((item["_id"] for item in items if item["type"] == "class"), "")
    sizes = {ours: theirs for theirs, ours in SIZES.items()}
    saves = sheets.saves(sheet)
    return {
        "abilities": {
            ability: {"value": getattr(sheet.stats, ability), "proficient": int(ability in saves)}
            for ability in _ABILITIES
        },
        "attributes": _attributes(character, sheet),
        "details": {"race": sheet.race, "background": sheet.background or "", "originalClass": original},
        "traits": {
            "size": sizes[sheet.size],
            "dr": {"value": list(sheet.resistances)},
            "di": {"value": list(sheet.immunities)},
            "dv": {"value": list(sheet.vulnerabilities)},
            "ci": {"value": list(sheet.condition_immunities)},
            "languages": {"value": list(sheet.languages)},
        },
        "skills": {
            word: {"value": 2 if skill in sheet.skill_expertise else int(skill in sheet.skill_proficiencies)}
            for word, skill in SKILLS.items()
        },
        "spells": _slots(sheet),
        "currency": _currency(character),
    }


def _attributes(character: Character, sheet: Sheet) -> Attributes:
    is_usual = character.max_hp == sheets.max_hp(sheet)
    exhaustion = next((each.exhaustion_level or 1 for each in character.conditions if each.condition == EXHAUSTION), 0)
    saves = character.death_saves
    return {
        "ac": {"calc": "default", "flat": None} if sheet.ac is None else {"calc": "natural", "flat": sheet.ac},
        "hp": {
            "value": character.hp,
            "max": None if is_usual else character.max_hp,
            "temp": character.temp_hp or None,
            "bonuses": {"level": "", "overall": ""},
        },
        "death": {
            "success": 0 if saves is None else 3 if saves.stable else saves.successes,
            "failure": 0 if saves is None else 3 if saves.dead else saves.failures,
        },
        "movement": {
            "walk": sheet.speed,
            "fly": sheet.fly_speed,
            "swim": sheet.swim_speed,
            "climb": sheet.climb_speed,
            "units": "ft",
        },
        "senses": {**{sense: getattr(sheet.senses, sense) or None for sense in SENSES}, "units": "ft"},
        "spellcasting": sheets.casting_ability(sheet) or "",
        "exhaustion": exhaustion,
    }


def _slots(sheet: Sheet) -> dict[str, Pool]:
    full = sheets.full_slots(sheet) if len(_levels(sheet)) == 1 else {}
    spells: dict[str, Pool] = {}
    for level in map(str, range(1, 10)):
        pool = sheet.spell_slots.get(level)
        most, usual = (pool.max if pool else 0), (full[level].max if level in full else 0)
        spells[f"spell{level}"] = {"value": pool.current if pool else 0, "override": None if most == usual else most}
    spells["pact"] = {"value": sheet.pact_slots.current if sheet.pact_slots else 0, "override": None}
    return spells


def _currency(character: Character) -> dict[str, int]:
    coins = dict.fromkeys(COINS, 0)
    for coin, name in COINS.items():
        coins[coin] = sum(item.quantity for item in character.inventory if _is_coin(item) and item.name == name)
    return coins


def _is_coin(item: Item) -> bool:
    return item.type == "currency" and item.name in COINS.values()


# items


def _items(
    world: World, character: Character, sheet: Sheet, ids: _Ids, open_packs: Callable[[], PackRegistry]
) -> Iterator[ActorItem]:
    levels = _levels(sheet)
    spent = _spent_dice(sheet, levels)
    yield from (_class(sheet, name, level, spent[name], ids) for name, level in levels.items())
    yield {"_id": ids.next(), "name": sheet.race, "type": "race", "system": {}}
    if sheet.subclass:
        of_class = {"classIdentifier": slug(sheet.class_, "class")}
        yield {"_id": ids.next(), "name": sheet.subclass, "type": "subclass", "system": of_class}
    if sheet.background:
        yield {"_id": ids.next(), "name": sheet.background, "type": "background", "system": {}}
    of_classes = _other_classes(sheet)
    for feature in (each for each in sheet.features if each not in of_classes):
        yield {"_id": ids.next(), "name": feature, "type": "feat", "system": {}}
    yield from _spells(world, sheet, ids, open_packs)
    carried = [item for item in character.inventory if not _is_coin(item)]
    own = [ids.next() for _ in carried]
    inside = {item.container for item in carried if item.container}
    containers = {item.name: identifier for item, identifier in zip(carried, own, strict=True) if item.name in inside}
    for item, identifier in zip(carried, own, strict=True):
        yield _item(character, item, identifier, containers)


def _levels(sheet: Sheet) -> dict[str, int]:
    """Return the levels by class, the main one first: features such as `Wizard 2` are levels in another class."""
    if sheet.other_classes:
        return class_levels(sheet)
    others = dict(_other_classes(sheet).values())
    return {sheet.class_: sheet.level - sum(others.values()), **others}


def _other_classes(sheet: Sheet) -> dict[str, tuple[str, int]]:
    """Return the class and level that each such feature states; none if the main class would have no level left."""
    found: dict[str, tuple[str, int]] = {}
    for feature in sheet.features:
        match = _LEVELS.fullmatch(feature)
        if match is not None and match[1].lower() in classes.CLASSES and match[1].lower() != sheet.class_.lower():
            found[feature] = (match[1], int(match[2]))
    names = {name.lower() for name, _ in found.values()}
    is_sound = len(names) == len(found) and sum(level for _, level in found.values()) < sheet.level
    return found if is_sound else {}


def _spent_dice(sheet: Sheet, levels: Mapping[str, int]) -> dict[str, int]:
    """Return the spent hit dice of each class: the sheet knows only their sum, and no class spends more than it has."""
    left = sheet.hit_dice.max - sheet.hit_dice.current
    spent: dict[str, int] = {}
    for name, level in levels.items():
        spent[name] = min(left, level)
        left -= spent[name]
    return spent


def _class(sheet: Sheet, name: str, level: int, spent: int, ids: _Ids) -> ActorItem:
    is_main = name == sheet.class_
    casters = {ours: theirs for theirs, ours in CASTERS.items()}
    die = f"d{sheets.hit_die(sheet) if is_main else classes.hit_die(name)}"
    gains = {str(each): "max" if is_main and each == 1 else "avg" for each in range(1, level + 1)}
    caster = sheets.caster_type(sheet) if is_main else classes.caster_type(name)
    ability = sheets.casting_ability(sheet) if is_main else classes.spellcasting_ability(name)
    return {
        "_id": ids.next(),
        "name": name,
        "type": "class",
        "system": {
            "identifier": slug(name, "class"),
            "levels": level,
            "hitDice": die,
            "hitDiceUsed": spent,
            "hd": {"denomination": die, "spent": spent},
            "advancement": [{"_id": ids.next(), "type": "HitPoints", "configuration": {}, "value": gains}],
            "spellcasting": {"progression": casters[caster], "ability": ability or ""},
        },
    }


def _spells(world: World, sheet: Sheet, ids: _Ids, open_packs: Callable[[], PackRegistry]) -> Iterator[ActorItem]:
    names = dict.fromkeys([*sheet.cantrips, *sheet.known_spells, *sheet.prepared_spells])
    library = _library(world, open_packs) if names else None
    for name in names:
        level = 0 if name in sheet.cantrips else _level(library, name)
        prepared = name in sheet.prepared_spells
        yield {
            "_id": ids.next(),
            "name": name,
            "type": "spell",
            "system": {"level": level, "preparation": {"mode": "prepared", "prepared": prepared}},
        }


def _library(world: World, open_packs: Callable[[], PackRegistry]) -> Library | None:
    try:
        return library_of(world, open_packs()) if has_content(world) else None
    except PackError:
        return None


def _level(library: Library | None, name: str) -> int:
    """Return the level of a spell; 1 for one that no entry tells of."""
    try:
        return max(1, library.look_up(name, "spells").found.value["level"]) if library else 1
    except (UnknownEntry, AmbiguousEntry):
        return 1


def _item(character: Character, item: Item, identifier: str, containers: Mapping[str, str]) -> ActorItem:
    kind = "container" if item.name in containers else _TYPES.get(item.type, "loot")
    system: dict[str, Any] = {"quantity": item.quantity, "equipped": item.id in character.equipped.values()}
    system["type"] = {"value": _subtype(item)}
    if item.weight is not None:
        system["weight"] = {"value": item.weight, "units": "lb"}
    price = _price(item)
    if price is not None:
        system["price"] = price
    if item.rarity:
        system["rarity"] = item.rarity
    if item.requires_attunement:
        system["attunement"] = "required"
    if item.uses_remaining is not None:
        system["uses"] = {"max": str(item.uses_remaining), "spent": 0}
    if item.container in containers:
        system["container"] = containers[item.container or ""]
    names = [*item.properties, *(item.weapon_stats.properties if item.weapon_stats else ())]
    system["properties"] = _codes(names)
    system |= _protection(item)
    if item.weapon_stats:
        system |= _weapon(item)
    return {"_id": identifier, "name": item.name, "type": kind, "system": system}


def _price(item: Item) -> Price | None:
    """Return the price of an item: a number is gold pieces, a text may name a coin."""
    if isinstance(item.value, (int, float)):
        return {"value": item.value, "denomination": "gp"}
    price = _PRICE.fullmatch(item.value or "")
    return {"value": float(price[1]), "denomination": price[2]} if price else None


def _subtype(item: Item) -> str:
    if item.armor_stats is not None:
        return item.armor_stats.category
    if item.type == "weapon":
        shoots = item.weapon_stats is not None and "ammunition" in item.weapon_stats.properties
        return "martialR" if shoots else "martialM"
    return {"shield": "shield", "ammunition": "ammo", "wondrous": "wondrous"}.get(item.type, "")


def _codes(names: Sequence[str]) -> list[str]:
    codes = {ours: theirs for theirs, ours in PROPERTIES.items()}
    plain = ["versatile" if _VERSATILE.fullmatch(name) else name for name in names]
    return [codes[name] for name in plain if name in codes]


def _protection(item: Item) -> Protection:
    bonus = item.mechanical_effects.ac_bonus if item.mechanical_effects else 0
    if item.armor_stats is not None:
        dex = {"light": None, "medium": 2, "heavy": 0}[item.armor_stats.category]
        armor: Protection = {"armor": _magic({"value": item.armor_stats.base_ac, "dex": dex}, bonus)}
        if item.armor_stats.stealth_disadvantage:
            armor["properties"] = [*_codes(item.properties), STEALTH_DISADVANTAGE]
        if item.armor_stats.min_str:
            armor["strength"] = item.armor_stats.min_str
        return armor
    if item.type == "shield":
        return {"armor": _magic({"value": 2 if item.ac is None else item.ac}, bonus)}
    return {}


def _magic(armor: ArmorValue, bonus: int) -> ArmorValue:
    if bonus:
        armor["magicalBonus"] = bonus
    return armor


def _weapon(item: Item) -> WeaponSystem:
    stats = item.weapon_stats
    assert stats is not None
    damage: WeaponDamage = {"base": _part(stats.damage)}
    damage["base"]["types"] = [stats.damage_type] if stats.damage_type else []
    versatile = next((found[1] for name in stats.properties if (found := _VERSATILE.fullmatch(name))), None)
    if versatile:
        damage["versatile"] = _part(versatile)
    ranges = {"value": stats.range, "long": stats.long_range, "reach": stats.reach, "units": "ft"}
    kind = "ranged" if "ammunition" in stats.properties else "melee"
    attack = {"ability": "", "bonus": "", "type": {"value": kind, "classification": "weapon"}}
    activity = {"_id": _ACTIVITY, "type": "attack", "attack": attack, "damage": {"includeBase": True, "parts": []}}
    # Here characters are proficient with their weapons; in Foundry a weapon needs an activity to attack with.
    return {"damage": damage, "range": ranges, "proficient": 1, "activities": {_ACTIVITY: activity}}


def _part(dice: str | None) -> DamagePart:
    match = _DAMAGE_DICE.fullmatch((dice or "").replace(" ", ""))
    if match is not None:
        bonus = (match[3] or "").removeprefix("+")
        return {"number": int(match[1]), "denomination": int(match[2]), "bonus": bonus}
    return {"custom": {"enabled": True, "formula": dice}} if dice else {}


# effects


def _effect(effect: Effect, ids: _Ids) -> ActorEffect:
    return {
        "_id": ids.next(),
        "name": effect.name,
        "disabled": False,
        "transfer": True,
        "statuses": [],
        "changes": list(_changes(effect)),
    }


def _changes(effect: Effect) -> Iterator[EffectChange]:
    for key, name in NUMBERS.items():
        field, _, ability = name.partition(".")
        value = effect.ability_bonuses.get(ability, 0) if ability else getattr(effect, field)
        if value:
            yield {"key": key, "mode": 2, "value": str(value)}
    for key, field in LISTS.items():
        for kind in getattr(effect, field):
            yield {"key": key, "mode": 2, "value": kind}
    if effect.attack_bonus:
        for key in ATTACKS:
            yield {"key": key, "mode": 2, "value": str(effect.attack_bonus)}


def _conditions(character: Character, ids: _Ids) -> list[ActorEffect]:
    """Return conditions as effects with a status; those caused by 0 hit points appear by themselves."""
    names = []
    for condition in character.conditions:
        if is_of_hp(condition):
            break
        if condition.condition != EXHAUSTION:
            names.append(condition.condition)
    return [
        {"_id": ids.next(), "name": name.title(), "disabled": False, "statuses": [name], "changes": []}
        for name in names
    ]
