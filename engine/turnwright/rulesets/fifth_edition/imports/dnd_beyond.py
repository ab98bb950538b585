"""Characters of D&D Beyond, from the JSON that its character service gives, saved as a file; nothing is fetched.

D&D Beyond documents no format. The shape is the one that public importers read: github.com/MrPrimate/ddb-importer
(Foundry VTT), github.com/avrae/avrae (Discord) and the saved characters in github.com/jychuah/CombatCaster.
Source: docs/characters.md, "D&D Beyond".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from turnwright.model.creature import Condition
from turnwright.model.vocabulary import Ability, CasterType, ConditionName, DamageType, Skill, words
from turnwright.rulesets.fifth_edition.belongings.inventory import MAX_PIECES
from turnwright.rulesets.fifth_edition.imports.draft import (
    MAX_LEVEL,
    MAX_NAME,
    MAX_WORD,
    ClassLevels,
    Draft,
    finished,
    is_monk_weapon,
    senses_of,
    slug,
)
from turnwright.rulesets.fifth_edition.imports.fields import Fields, Node
from turnwright.rulesets.fifth_edition.imports.foundry_words import COINS, SENSES
from turnwright.rulesets.fifth_edition.sheets import classes
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier
from turnwright.rulesets.imports import Imported, Target

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.item_shapes import NewItem, WeaponFigures

FORMAT = "dnd_beyond"
_ABILITIES = words(Ability)
"""In the order of D&D Beyond's ids, from 1."""
_NAMES: Mapping[str, str] = MappingProxyType(
    dict(zip(("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"), _ABILITIES, strict=True))
)
_SKILLS = frozenset(words(Skill))
_DAMAGE = frozenset(words(DamageType))
_CONDITIONS: Mapping[int, ConditionName] = MappingProxyType(
    {
        1: "blinded",
        2: "charmed",
        3: "deafened",
        4: "exhaustion",
        5: "frightened",
        6: "grappled",
        7: "incapacitated",
        8: "invisible",
        9: "paralyzed",
        10: "petrified",
        11: "poisoned",
        12: "prone",
        13: "restrained",
        14: "stunned",
        15: "unconscious",
    }
)
_ARMOR: Mapping[int, str] = MappingProxyType({1: "light", 2: "medium", 3: "heavy", 4: "shield"})
_SIZES: Mapping[int, str] = MappingProxyType(
    {2: "tiny", 3: "small", 4: "medium", 5: "large", 6: "huge", 7: "gargantuan"}
)
_CASTERS: Mapping[int, CasterType] = MappingProxyType({1: "full", 2: "half", 3: "third"})
"""The caster type of a class, by the divisor of its levels for multiclass slots."""
_SPEEDS = (("walk", "speed"), ("fly", "fly_speed"), ("swim", "swim_speed"), ("climb", "climb_speed"))
_DAMAGE_DICE = re.compile(r"([0-9]{1,3})d([0-9]{1,4})([+-][0-9]{1,4})?")
_MAX_HP = 1_000_000
_MAX_FEET = 10_000
_STEALTH_DISADVANTAGE = 2
"""The stealth check of armor that hinders it."""
_OVERRIDE_AC = 1
"""The type of a character value that sets the armor class."""
_SOURCES = ("race", "class", "background", "feat", "condition")
"""Groups of modifiers that always count; those of items count while the item is equipped."""


def is_character(value: Any) -> bool:
    """Return whether JSON looks like a character of D&D Beyond, with or without the answer around it."""
    inner = value.get("data") if isinstance(value, Mapping) and isinstance(value.get("data"), Mapping) else value
    return (
        isinstance(inner, Mapping) and isinstance(inner.get("stats"), list) and isinstance(inner.get("classes"), list)
    )


def read_character(value: Any, target: Target) -> Imported:
    """Return the character of a file.

    Raises:
        ImportFault: naming the place that does not fit.
    """
    fields = Fields(value)
    root = fields.root["data"] if isinstance(value.get("data"), Mapping) else fields.root
    if root["name"].text(MAX_NAME) is None:
        raise root["name"].fault("wants a name")
    draft = Draft(root["name"].text(MAX_NAME) or "")
    root["name"].taken("name")
    equipped = {
        str(item["definition.id"].value)
        for item in root["inventory"].objects()
        if item["equipped"].flag() and _is_attuned(item)
    }
    modifiers = list(_modifiers(root["modifiers"], equipped))
    _take_classes(root["classes"], draft)
    _take_stats(root, modifiers, draft)
    _take_people(root, draft)
    _take_hit_points(root, modifiers, draft)
    _take_body(root["race"], modifiers, draft)
    _take_proficiencies(modifiers, draft)
    _take_magic(root, draft)
    _take_features(root, draft)
    _take_belongings(root, draft)
    _take_armor_class(root, modifiers, draft)
    _take_conditions(root["conditions"], draft)
    return finished(draft, fields, target, FORMAT, "")


def _is_attuned(item: Node) -> bool:
    return not item["definition.canAttune"].flag() or item["isAttuned"].flag()


# modifiers


def _modifiers(groups: Node, equipped: set[str]) -> Iterator[Node]:
    """Yield the modifiers in effect: an item's only while it is worn, and attuned if it requires attunement."""
    for source in _SOURCES:
        yield from groups[source].objects()
    for modifier in groups["item"].objects():
        if str(modifier["componentId"].value) in equipped:
            yield modifier
        else:
            modifier.dropped("the item is not equipped, or not attuned to")


def _of(modifiers: list[Node], kind: str, subtype: str) -> Iterator[Node]:
    """Yield modifiers of a type and subtype that hold always: a restriction is for the table to judge."""
    for modifier in modifiers:
        if modifier["type"].word != kind or modifier["subType"].word != subtype:
            continue
        if modifier["restriction"].is_said:
            modifier.dropped("holds under a condition")
        else:
            yield modifier


def _sum(modifiers: list[Node], kind: str, subtype: str, into: str) -> int:
    total = 0
    for modifier in _of(modifiers, kind, subtype):
        total += _amount(modifier) or 0
        modifier.derived(into)
    return total


def _most(modifiers: list[Node], kind: str, subtype: str, into: str) -> int | None:
    found: list[int] = []
    for modifier in _of(modifiers, kind, subtype):
        amount = _amount(modifier)
        if amount is not None:
            found.append(amount)
            modifier.derived(into)
    return max(found, default=None)


def _amount(modifier: Node) -> int | None:
    for key in ("fixedValue", "value"):
        if modifier[key].is_said:
            return modifier[key].integer(-1000, 100_000)
    return None


# classes and abilities


def _take_classes(node: Node, draft: Draft) -> None:
    found = node.objects()
    found.sort(key=lambda each: not each["isStartingClass"].flag())
    for each in found:
        definition = each["definition"]
        name = definition["name"].text(MAX_WORD)
        if name is None:
            raise definition["name"].fault("wants the name of a class")
        definition["name"].taken("sheet.class")
        level = each["level"].integer(1, MAX_LEVEL)
        if level is None:
            raise each["level"].fault("wants a level")
        each["level"].taken("sheet.level")
        die = definition["hitDice"].integer(4, 12)
        definition["hitDice"].derived("max_hp")
        each["isStartingClass"].derived("max_hp")
        spent = each["hitDiceUsed"].integer(0, level) or 0
        each["hitDiceUsed"].taken("sheet.hit_dice")
        draft.spent_hit_dice += spent
        draft.levels.append(ClassLevels(name, level, die, *_casting(each)))
        subclass = each["subclassDefinition.name"].text(MAX_WORD)
        if subclass is not None:
            draft.subclasses.append((slug(name, ""), subclass))
            each["subclassDefinition.name"].taken("sheet.subclass")
    if not found:
        raise node.fault("wants a class")
    if draft.level > MAX_LEVEL:
        raise node.fault(f"all classes together have {draft.level} levels; {MAX_LEVEL} are the most")


def _casting(each: Node) -> tuple[Any, Any]:
    """Return the caster type of a class unknown to the rules here; for known classes, the subclass may define it."""
    known = each["definition.name"].word.strip().lower() in classes.CLASSES
    own = each["subclassDefinition"] if known else each["definition"]
    if not own["canCastSpells"].flag():
        return None, None
    ability = own["spellCastingAbilityId"].integer(1, 6)
    own["spellCastingAbilityId"].derived("sheet.spellcasting_ability")
    own["canCastSpells"].derived("sheet.spell_slots")
    divisor = own["spellRules.multiClassSpellSlotDivisor"]
    if known:
        # A character who casts only through a subclass has the slots of a third caster.
        name = each["definition.name"].word
        caster = "third" if classes.caster_type(name) == "none" else None
    else:
        caster = _CASTERS.get(divisor.integer(0, 100) or 0)
        divisor.derived("sheet.spell_slots")
    return caster, _ABILITIES[ability - 1] if ability else None


def _take_stats(root: Node, modifiers: list[Node], draft: Draft) -> None:
    base, bonus, override = (_by_id(root[key]) for key in ("stats", "bonusStats", "overrideStats"))
    for number, (name, ability) in enumerate(_NAMES.items(), 1):
        into = f"sheet.stats.{ability}"
        node = base.get(number)
        score = node.integer(1, 100) if node is not None else None
        if node is None or score is None:
            raise root["stats"].fault(f"wants a value with the id {number} ({name})")
        node.derived(into)
        if number in bonus:
            score += bonus[number].integer(-100, 100) or 0
            bonus[number].derived(into)
        score += _sum(modifiers, "bonus", f"{name}-score", into)
        set_to = _most(modifiers, "set", f"{name}-score", into)
        score = score if set_to is None else max(score, set_to)
        own = override[number].integer(1, 30) if number in override else None
        if own is not None:
            override[number].taken(into)
            score = own
        draft.stats[ability] = max(1, min(30, score))


def _by_id(node: Node) -> dict[int, Node]:
    found: dict[int, Node] = {}
    for each in node.objects():
        number = each["id"].integer(1, 6)
        if number is not None:
            found[number] = each["value"]
    return found


def _take_people(root: Node, draft: Draft) -> None:
    for node, name, most in (
        (root["race.fullName"], "race", MAX_WORD),
        (root["race.baseName"], "race", MAX_WORD),
        (root["background.definition.name"], "background", MAX_NAME),
    ):
        if name not in draft.sheet and node.is_said:
            draft.put(name, node.text(most))
            node.taken(f"sheet.{name}")


# hit points and armor class


def _take_hit_points(root: Node, modifiers: list[Node], draft: Draft) -> None:
    base, bonus, override = root["baseHitPoints"], root["bonusHitPoints"], root["overrideHitPoints"]
    draft.base_hp = base.integer(1, _MAX_HP)
    base.derived("max_hp")
    draft.hp_bonus = (bonus.integer(-_MAX_HP, _MAX_HP) or 0) + _sum(modifiers, "bonus", "hit-points", "max_hp")
    bonus.derived("max_hp")
    draft.hp_per_level = _sum(modifiers, "bonus", "hit-points-per-level", "max_hp")
    most = override.integer(0, _MAX_HP)
    if most:
        draft.max_hp = most
        override.taken("max_hp")
    draft.lost_hp = root["removedHitPoints"].integer(0, _MAX_HP)
    root["removedHitPoints"].derived("hp")
    draft.temp_hp = root["temporaryHitPoints"].integer(0, _MAX_HP) or 0
    root["temporaryHitPoints"].taken("temp_hp")
    for key, name in (("successCount", "death_successes"), ("failCount", "death_failures")):
        marks = root["deathSaves"][key]
        setattr(draft, name, marks.integer(0, 3) or 0)
        marks.taken("death_saves")


def _take_armor_class(root: Node, modifiers: list[Node], draft: Draft) -> None:
    """Take bonuses, and unarmored defense: 10 + DEX and a further modifier."""
    from turnwright.model.creature import Effect

    for subtype, name in (("armor-class", "Armor class"), ("armored-armor-class", "Armor class in armor")):
        wears = any(draft.items[place]["type"] == "armor" for place in draft.worn)
        if subtype == "armored-armor-class" and not wears:
            continue
        bonus = _sum(modifiers, "bonus", subtype, "effects")
        if bonus:
            draft.effects.append(Effect(effect_id="effect", name=name, ac_bonus=bonus))
    _take_override(root["characterValues"], draft)
    for modifier in _of(modifiers, "set", "unarmored-armor-class"):
        ability = modifier["statId"].integer(1, 6)
        more = ability_modifier(draft.stats[_ABILITIES[ability - 1]]) if ability else _amount(modifier) or 0
        own = 10 + ability_modifier(draft.stats["dex"]) + more
        draft.base_ac = max(own, draft.base_ac or 0)
        modifier.derived("sheet.ac")


def _take_override(values: Node, draft: Draft) -> None:
    """Compare with the armor class that was set by hand."""
    for each in values.objects():
        if each["typeId"].value == _OVERRIDE_AC:
            draft.ac = each["value"].integer(0, 100)
            each.derived("ac", "compared with what the rules give")


# body and proficiencies


def _take_body(race: Node, modifiers: list[Node], draft: Draft) -> None:
    for word, name in _SPEEDS:
        node = race["weightSpeeds.normal"][word]
        feet = node.integer(0, _MAX_FEET)
        if feet is None:
            continue
        feet += _sum(modifiers, "bonus", "speed", f"sheet.{name}") if word == "walk" else 0
        if feet or word == "walk":
            draft.put(name, feet)
            node.taken(f"sheet.{name}")
    size = _SIZES.get(race["sizeId"].integer(0, 100) or 0)
    if size is not None:
        draft.put("size", size)
        race["sizeId"].taken("sheet.size")
    senses = {}
    for sense in SENSES:
        base = _most(modifiers, "set-base", sense, "sheet.senses") or 0
        senses[sense] = base + _sum(modifiers, "sense", sense, "sheet.senses")
    draft.put("senses", senses_of(senses))
    for kind, name in (("resistance", "resistances"), ("immunity", "immunities"), ("vulnerability", "vulnerabilities")):
        draft.put(name, _words(modifiers, kind, _DAMAGE, f"sheet.{name}"))
    immune = _words(modifiers, "immunity", frozenset(words(ConditionName)), "sheet.condition_immunities")
    draft.put("condition_immunities", immune)


def _words(modifiers: list[Node], kind: str, known: frozenset[str], into: str) -> list[str]:
    found: list[str] = []
    for modifier in modifiers:
        word = modifier["subType"].word
        if modifier["type"].word == kind and word in known and not modifier["restriction"].is_said:
            found.append(word)
            modifier.taken(into)
    return list(dict.fromkeys(found))


def _take_proficiencies(modifiers: list[Node], draft: Draft) -> None:
    proficient: list[str] = []
    expert: list[str] = []
    saves: list[str] = []
    languages: list[str] = []
    for modifier in modifiers:
        kind, word = modifier["type"].word, modifier["subType"].word
        skill, saved = word.replace("-", "_"), _NAMES.get(word.removesuffix("-saving-throws"))
        if skill in _SKILLS and kind in ("proficiency", "expertise"):
            proficient.append(skill)
            if kind == "expertise":
                expert.append(skill)
            modifier.taken("sheet.skill_expertise" if kind == "expertise" else "sheet.skill_proficiencies")
        elif kind == "proficiency" and saved is not None and word.endswith("-saving-throws"):
            saves.append(saved)
            modifier.taken("sheet.save_proficiencies")
        elif kind == "language" and 0 < len(word) <= MAX_WORD:
            languages.append(word)
            modifier.taken("sheet.languages")
    draft.put("languages", list(dict.fromkeys(languages)))
    draft.put("skill_proficiencies", _in_order(proficient, words(Skill)))
    draft.put("skill_expertise", _in_order(expert, words(Skill)))
    draft.put("save_proficiencies", _in_order(saves, _ABILITIES))


def _in_order(found: list[str], known: tuple[str, ...]) -> list[str]:
    return [word for word in known if word in found]


# magic and features


def _take_magic(root: Node, draft: Draft) -> None:
    cantrips: list[str] = []
    known: list[str] = []
    prepared: list[str] = []
    lists = [spell for group in root["classSpells"].objects() for spell in group["spells"].objects()]
    lists += [spell for group in root["spells"].each() for spell in group.objects()]
    for spell in lists:
        name = spell["definition.name"].text(MAX_WORD)
        if name is None:
            continue
        level = spell["definition.level"].integer(0, 9) or 0
        spell["definition.name"].taken("sheet.known_spells" if level else "sheet.cantrips")
        spell["definition.level"].taken("sheet.known_spells" if level else "sheet.cantrips")
        (known if level else cantrips).append(name)
        if level and (spell["prepared"].flag() or spell["alwaysPrepared"].flag()):
            prepared.append(name)
        spell["prepared"].taken("sheet.prepared_spells")
        spell["alwaysPrepared"].taken("sheet.prepared_spells")
    draft.put("cantrips", list(dict.fromkeys(cantrips)))
    draft.put("known_spells", list(dict.fromkeys(known)))
    draft.put("prepared_spells", list(dict.fromkeys(prepared)))
    main = max(draft.levels, key=lambda each: each.level)
    own = classes.CLASSES.get(main.name.strip().lower())
    most = _maxima(main.name, draft.level) if own is not None else {}
    for slot in root["spellSlots"].objects():
        slot_level, used = slot["level"].integer(1, 9), slot["used"].integer(0, 99)
        if slot_level is None or used is None:
            continue
        slot["used"].derived(f"sheet.spell_slots.{slot_level}")
        if used and (left := most.get(slot_level, 0) - used) >= 0:
            draft.slots[str(slot_level)] = left
    for slot in root["pactMagic"].objects():
        used = slot["used"].integer(0, 99)
        if used:
            from turnwright.rulesets.fifth_edition.magic.slots import pact_slots

            row = pact_slots(classes.caster_type(main.name), draft.level)
            if row is not None:
                draft.pact = max(0, row.slots - used)
                slot["used"].derived("sheet.pact_slots")


def _maxima(name: str, level: int) -> dict[int, int]:
    from turnwright.rulesets.fifth_edition.magic.slots import spell_slots

    return dict(enumerate(spell_slots(classes.caster_type(name), level), 1))


def _take_features(root: Node, draft: Draft) -> None:
    lists = [("race.racialTraits", root["race.racialTraits"]), ("feats", root["feats"])]
    lists += [("class", each["classFeatures"]) for each in root["classes"].objects()]
    for _, features in lists:
        for feature in features.objects():
            needed = feature["definition.requiredLevel"].integer(0, MAX_LEVEL) or 0
            if needed > draft.level:
                feature.dropped("of a higher level")
                continue
            name = feature["definition.name"].text(MAX_WORD)
            if name is not None:
                draft.features.append(name)
                feature["definition.name"].taken("sheet.features")


# belongings


def _take_belongings(root: Node, draft: Draft) -> None:
    for item in root["inventory"].objects():
        _take_item(item, draft)
    for item in root["customItems"].objects():
        name = item["name"].text(MAX_NAME)
        if name is not None:
            quantity = item["quantity"].integer(0, MAX_PIECES)
            draft.items.append({"name": name, "quantity": 1 if quantity is None else quantity})
            item["name"].taken("inventory")
            item["quantity"].taken("inventory.quantity")
    for coin, name in COINS.items():
        count = root["currencies"][coin].integer(0, MAX_PIECES)
        if count:
            draft.items.append({"name": name, "type": "currency", "quantity": count})
        root["currencies"][coin].taken("inventory")


def _take_item(item: Node, draft: Draft) -> None:
    definition = item["definition"]
    name = definition["name"].text(MAX_NAME)
    if name is None:
        raise definition["name"].fault("wants the name of an item")
    definition["name"].taken("inventory")
    entry: NewItem = {"name": name, "type": _type_of(definition)}
    for key in ("filterType", "type", "subType"):
        definition[key].derived("inventory.type")
    quantity = item["quantity"].integer(0, MAX_PIECES)
    if quantity is not None:
        entry["quantity"] = quantity
        item["quantity"].taken("inventory.quantity")
    _take_goods(definition, entry)
    if entry["type"] == "weapon":
        entry["weapon_stats"] = _weapon(definition)
        is_simple_melee = definition["categoryId"].value == 1 and definition["attackType"].value == 1
        if is_monk_weapon(name, is_simple_melee=is_simple_melee):
            draft.monk_weapons.append(len(draft.items))
    elif entry["type"] == "armor":
        base = definition["armorClass"].integer(0, 100)
        kind = _ARMOR[definition["armorTypeId"].integer(0, 100) or 0]
        entry["armor_stats"] = {"base_ac": base or 10, "category": kind}
        definition["armorClass"].taken("inventory.armor_stats.base_ac")
        definition["armorTypeId"].taken("inventory.armor_stats.category")
        if definition["stealthCheck"].value == _STEALTH_DISADVANTAGE:
            entry["armor_stats"]["stealth_disadvantage"] = True
            definition["stealthCheck"].taken("inventory.armor_stats.stealth_disadvantage")
        strength = definition["strengthRequirement"].integer(0, 30)
        if strength:
            entry["armor_stats"]["min_str"] = strength
            definition["strengthRequirement"].taken("inventory.armor_stats.min_str")
    elif entry["type"] == "shield":
        entry["ac"] = definition["armorClass"].integer(0, 100) or 0
        definition["armorClass"].taken("inventory.ac")
    if item["equipped"].flag():
        draft.worn.append(len(draft.items))
    item["equipped"].taken("equipped")
    draft.items.append(entry)


def _type_of(definition: Node) -> str:
    kind, armor = definition["filterType"].word, _ARMOR.get(definition["armorTypeId"].integer(0, 100) or 0)
    if kind == "Weapon":
        return "weapon"
    if armor is not None and kind == "Armor":
        return "shield" if armor == "shield" else "armor"
    if definition["subType"].word == "Ammunition" or definition["type"].word == "Ammunition":
        return "ammunition"
    if kind in ("Potion", "Scroll"):
        return "consumable"
    if definition["subType"].word == "Tool":
        return "tool"
    return "wondrous" if definition["magic"].flag() else "misc"


def _take_goods(definition: Node, entry: NewItem) -> None:
    weight, bundle = definition["weight"].number(1_000_000), definition["bundleSize"].integer(1, 10_000) or 1
    if weight is not None:
        entry["weight"] = weight / bundle if bundle > 1 else weight
        if bundle > 1:
            definition["weight"].derived("inventory.weight", "of one")
            definition["bundleSize"].derived("inventory.weight")
        else:
            definition["weight"].taken("inventory.weight")
    cost = definition["cost"].number(2**40)
    if cost:
        entry["value"] = cost
        definition["cost"].taken("inventory.value")
    rarity = definition["rarity"].text(50)
    if rarity and definition["magic"].flag():
        entry["rarity"] = rarity
        definition["rarity"].taken("inventory.rarity")
    if definition["canAttune"].flag():
        entry["requires_attunement"] = True
        definition["canAttune"].taken("inventory.requires_attunement")


def _weapon(definition: Node) -> WeaponFigures:
    stats: WeaponFigures = {}
    dice = definition["damage.diceString"].text(30)
    if dice is not None:
        if not _DAMAGE_DICE.fullmatch(dice.replace(" ", "")):
            raise definition["damage.diceString"].fault("wants dice such as 1d8")
        magic = 0
        for modifier in definition["grantedModifiers"].objects():
            if modifier["type"].word == "bonus" and modifier["subType"].word == "magic":
                magic += _amount(modifier) or 0
                modifier.derived("inventory.weapon_stats.damage", "to the damage; the bonus to hit has no place")
        stats["damage"] = _plus(dice.replace(" ", ""), magic)
        definition["damage.diceString"].taken("inventory.weapon_stats.damage")
    kind = definition["damageType"].word.casefold()
    if kind in _DAMAGE:
        stats["damage_type"] = kind
        definition["damageType"].taken("inventory.weapon_stats.damage_type")
    properties = []
    for each in definition["properties"].objects():
        name = (each["name"].text(MAX_WORD) or "").casefold()
        if name == "versatile" and each["notes"].is_said and _DAMAGE_DICE.fullmatch(each["notes"].word):
            name = f"versatile ({each['notes'].word})"
            each["notes"].taken("inventory.weapon_stats.properties")
        if name:
            properties.append(name)
            each["name"].taken("inventory.weapon_stats.properties")
    if properties:
        stats["properties"] = properties
    flies = any(each in ("thrown", "ammunition") or each.startswith("range") for each in properties)
    ranges: tuple[tuple[str, Literal["range", "long_range"]], ...] = (("range", "range"), ("longRange", "long_range"))
    for key, name in ranges:
        feet = definition[key].integer(0, 100_000)
        if feet and flies:
            stats[name] = feet
            definition[key].taken(f"inventory.weapon_stats.{name}")
    return stats


def _plus(dice: str, bonus: int) -> str:
    match = _DAMAGE_DICE.fullmatch(dice)
    total = bonus + int(match[3] or 0) if match else bonus
    plain = f"{match[1]}d{match[2]}" if match else dice
    return f"{plain}{total:+d}" if total else plain


def _take_conditions(node: Node, draft: Draft) -> None:
    for each in node.objects():
        number = each["id"].integer(0, 1000)
        name = _CONDITIONS.get(number or 0)
        if name is None:
            continue
        level = each["level"].integer(1, 6) if name == "exhaustion" else None
        draft.conditions.append(Condition(condition=name, exhaustion_level=level))
        each.taken("conditions")
