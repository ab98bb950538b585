"""A character as a table of your own names it: the fields that CSV and YAML share.

Keys are taken in any case, with blanks, hyphens or underscores between words. Source: docs/characters.md, "Tables".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from turnwright.content.library import Library
from turnwright.content.pack import PackError
from turnwright.model.creature import Condition
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.fuzzy_words import AmbiguousWord, UnknownWord, match
from turnwright.model.item import Item
from turnwright.model.json_types import JsonObject
from turnwright.model.vocabulary import CATEGORIES, Ability, words
from turnwright.rulesets.content_library import has_content, library_of
from turnwright.rulesets.fifth_edition.belongings.content_items import entry_called, figures_of
from turnwright.rulesets.fifth_edition.belongings.inventory import MAX_PIECES
from turnwright.rulesets.fifth_edition.imports.draft import (
    MAX_LEVEL,
    MAX_NAME,
    MAX_WORD,
    ClassLevels,
    Draft,
    finished,
)
from turnwright.rulesets.fifth_edition.imports.fields import Fields, Node
from turnwright.rulesets.fifth_edition.imports.foundry_words import COINS, SENSES
from turnwright.rulesets.imports import Imported, ImportFault, Target

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.item_shapes import NewItem

MAX_TABLE_BYTES = 262_144
"""The longest table that is read."""
_ABILITIES = words(Ability)
_LONG_NAMES: Mapping[str, str] = MappingProxyType(
    dict(zip(("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"), _ABILITIES, strict=True))
)
_NOT_IN_KEYS = re.compile(r"[\s_-]+")
_CLASS = re.compile(r"\s*(?P<name>.*?\S)\s+(?P<level>\d{1,2})\s*")
_COUNT_BEFORE = re.compile(r"([0-9]{1,7}) ?[x×]? ")
_COUNT_AFTER = re.compile(r"[x×] ?([0-9]{1,7})\)")
_ATTACK = re.compile(r"(?P<name>.*?\S)\s+(?P<bonus>[+-]\d{1,3})(?:\s+(?P<damage>\d[\dd+ -]*))?")
_SLOTS_LEFT = re.compile(r"([1-9]) ?[:=] ?([0-9]{1,2})")
_MAX_HP = 1_000_000
_MAX_FEET = 10_000
_DEFENSES: Mapping[str, str] = MappingProxyType(
    {
        "resistances": "damage_type",
        "immunities": "damage_type",
        "vulnerabilities": "damage_type",
        "condition_immunities": "condition",
    }
)
_LISTS: Mapping[str, str] = MappingProxyType({**_DEFENSES, "skills": "skill", "expertise": "skill", "saves": "ability"})
"""Lists of words of the game, each with the category of its words."""
ALSO: Mapping[str, str] = MappingProxyType(
    {
        **_LONG_NAMES,
        "character": "name",
        "character_name": "name",
        "class_and_level": "class",
        "species": "race",
        "hit_points": "hp",
        "current_hp": "hp",
        "hp_max": "max_hp",
        "hit_point_maximum": "max_hp",
        "armor_class": "ac",
        "armour_class": "ac",
        "temporary_hp": "temp_hp",
        "skill_proficiencies": "skills",
        "skill_expertise": "expertise",
        "save_proficiencies": "saves",
        "saving_throws": "saves",
        "spells": "known_spells",
        "prepared": "prepared_spells",
        "equipment": "items",
        "inventory": "items",
        "feats": "features",
        "type": "character_type",
    }
)
"""Other names of fields."""
_PLAIN = ("features", "languages", "cantrips", "known_spells", "prepared_spells")
FIELDS = (
    *("name", "character_type", "race", "class", "subclass", "level", "background", *_ABILITIES, "stats"),
    *("hp", "max_hp", "temp_hp", "ac", "base_ac", "speed", "fly_speed", "swim_speed", "climb_speed", "size", *SENSES),
    *("skills", "expertise", "saves", "spellcasting_ability", *_PLAIN, "slots", "hit_dice"),
    *("resistances", "immunities", "vulnerabilities", "condition_immunities", "conditions", "exhaustion"),
    *("items", "equipped", "attacks", *COINS),
)
"""The fields of a table, in the order in which they are written."""


def read_row(value: JsonObject, root: str, target: Target, format_name: str) -> Imported:
    """Return the character of one row of a table, or of one map.

    Raises:
        ImportFault: naming the field that does not fit.
    """
    fields = Fields(value, root)
    nodes = _by_field(fields.root)
    if "name" not in nodes or (name := nodes["name"].text(MAX_NAME)) is None:
        raise fields.root["name"].fault("wants a name")
    draft = Draft(name)
    nodes["name"].taken("name")
    _take_classes(nodes, draft, fields)
    _take_stats(nodes, draft)
    library = _library(target)
    for field, node in nodes.items():
        take = _TAKEN.get(field)
        if take is not None and node.is_said:
            take(node, draft)
    coins, draft.items = draft.items, []
    if "items" in nodes:
        _take_items(nodes["items"], draft, library)
    draft.items += coins
    if "equipped" in nodes:
        _take_equipped(nodes["equipped"], draft)
    if (hit_dice := nodes.get("hit_dice")) is not None and hit_dice.is_said:
        draft.spent_hit_dice = draft.level - (hit_dice.integer(0, draft.level) or 0)
        hit_dice.taken("sheet.hit_dice")
    return finished(draft, fields, target, format_name, "")


def _by_field(root: Node) -> dict[str, Node]:
    if not isinstance(root.value, Mapping):
        raise root.fault("wants an object of fields")
    found: dict[str, Node] = {}
    for key in root.value:
        node = root.at(str(key))
        field = field_of(str(key))
        if field is None:
            node.dropped("no field of a character" + did_you_mean(_key(str(key)), FIELDS))
        elif field in found:
            raise node.fault(f"is {field}, which stands there twice")
        else:
            found[field] = node
    return found


def field_of(key: str) -> str | None:
    """Return the field that a key or a column head means; None if it is unknown."""
    word = _key(key)
    word = ALSO.get(word, word)
    return word if word in FIELDS else None


def _key(key: str) -> str:
    return _NOT_IN_KEYS.sub("_", key.strip().casefold())


def _library(target: Target) -> Library | None:
    if not has_content(target.world):
        return None
    try:
        return library_of(target.world, target.open_packs())
    except PackError as error:
        raise ImportFault(str(error)) from None


def listed(node: Node, most: int) -> list[tuple[str, Node]]:
    """Return the texts of a list, or of a text whose parts are separated by semicolons, each with its place.

    Raises:
        ImportFault: when the value is something else.
    """
    if isinstance(node.value, str):
        return [(part, node) for each in node.value.split(";") if (part := each.strip()[: most + 1])]
    return [(text, each) for each in node.each() if (text := each.text(most)) is not None]


# class and scores


def _take_classes(nodes: Mapping[str, Node], draft: Draft, fields: Fields) -> None:
    level_node, node = nodes.get("level"), nodes.get("class")
    level = level_node.integer(1, MAX_LEVEL) if level_node is not None else None
    if level_node is not None:
        level_node.taken("sheet.level")
    text = node.text(MAX_NAME) if node is not None else None
    if node is None or text is None:
        raise fields.root["class"].fault("wants a class")
    node.taken("sheet.class")
    parts = [part for part in re.split(r"[/;]", text) if part.strip()]
    for part in parts:
        match_ = _CLASS.fullmatch(part)
        name = match_["name"] if match_ else part.strip()
        own = int(match_["level"]) if match_ else None
        if own is None and len(parts) > 1:
            raise node.fault(f"wants a level for each class, as in Fighter 3 / Wizard 2, and {name} has none")
        if len(name) > MAX_WORD or not 1 <= (own or 1) <= MAX_LEVEL:
            raise node.fault(f"wants classes with levels from 1 to {MAX_LEVEL}")
        draft.levels.append(ClassLevels(name, own or level or 1))
    if level is not None and level != draft.level:
        raise node.fault(f"has {draft.level} levels, and level says {level}")
    if not draft.levels or draft.level > MAX_LEVEL:
        raise node.fault(f"wants 1 to {MAX_LEVEL} levels")


def _take_stats(nodes: Mapping[str, Node], draft: Draft) -> None:
    places = dict(nodes)
    if "stats" in nodes:
        for each in nodes["stats"].each():
            ability = field_of(str(each.path[-1]))
            if ability in _ABILITIES and ability not in nodes:
                places[ability] = each
    for ability in _ABILITIES:
        score = places[ability].integer(1, 30) if ability in places else None
        draft.stats[ability] = 10 if score is None else score
        if score is not None:
            places[ability].taken(f"sheet.stats.{ability}")


# single fields


def _number(name: str, least: int, most: int, into: str) -> Callable[[Node, Draft], None]:
    def take(node: Node, draft: Draft) -> None:
        setattr(draft, name, node.integer(least, most))
        node.taken(into)

    return take


def _feet(name: str) -> Callable[[Node, Draft], None]:
    def take(node: Node, draft: Draft) -> None:
        draft.put(name, node.integer(0, _MAX_FEET))
        node.taken(f"sheet.{name}")

    return take


def _text(name: str, most: int) -> Callable[[Node, Draft], None]:
    def take(node: Node, draft: Draft) -> None:
        draft.put(name, node.text(most))
        node.taken(f"sheet.{name}")

    return take


def _sense(name: str) -> Callable[[Node, Draft], None]:
    def take(node: Node, draft: Draft) -> None:
        feet = node.integer(0, _MAX_FEET)
        if feet:
            draft.sheet.setdefault("senses", {})[name] = feet
        node.taken("sheet.senses")

    return take


def _known_words(field: str, name: str) -> Callable[[Node, Draft], None]:
    def take(node: Node, draft: Draft) -> None:
        found = {_word(_LISTS[field], text, place) for text, place in listed(node, MAX_WORD)}
        draft.put(name, [word for word in CATEGORIES[_LISTS[field]] if word in found])
        node.taken(f"sheet.{name}")

    return take


def _word(category: str, text: str, place: Node) -> str:
    try:
        return match(category, text).word
    except (UnknownWord, AmbiguousWord):
        raise place.fault(f"{text!r} is no {category.replace('_', ' ')}") from None


def _names(name: str) -> Callable[[Node, Draft], None]:
    def take(node: Node, draft: Draft) -> None:
        found = [_short(text, place) for text, place in listed(node, MAX_WORD)]
        if name == "features":
            draft.features.extend(found)
        else:
            draft.put(name, list(dict.fromkeys(found)))
        node.taken(f"sheet.{name}")

    return take


def _short(text: str, place: Node) -> str:
    if len(text) > MAX_WORD:
        raise place.fault(f"wants parts of at most {MAX_WORD} characters")
    return text


def _size(node: Node, draft: Draft) -> None:
    draft.put("size", _word("size", node.text(MAX_WORD) or "", node))
    node.taken("sheet.size")


def _casting(node: Node, draft: Draft) -> None:
    draft.put("spellcasting_ability", _word("ability", node.text(MAX_WORD) or "", node))
    node.taken("sheet.spellcasting_ability")


def _character_type(node: Node, draft: Draft) -> None:
    draft.character_type = _word("character_type", node.text(MAX_WORD) or "", node)
    node.taken("character_type")


def _armor_class(node: Node, draft: Draft) -> None:
    draft.ac = node.integer(0, 100)
    node.derived("ac", "compared with what the rules give")


def _conditions(node: Node, draft: Draft) -> None:
    for text, place in listed(node, MAX_WORD):
        draft.conditions.append(Condition(condition=_word("condition", text, place)))
    node.taken("conditions")


def _exhaustion(node: Node, draft: Draft) -> None:
    level = node.integer(0, 6)
    if level:
        draft.conditions.append(Condition(condition="exhaustion", exhaustion_level=level))
    node.taken("conditions")


def _slots(node: Node, draft: Draft) -> None:
    if isinstance(node.value, Mapping):
        for each in node.each():
            level = str(each.path[-1])
            if level not in map(str, range(1, 10)):
                raise each.fault("wants a spell level from 1 to 9")
            draft.slots[level] = each.integer(0, 99) or 0
    else:
        for text, place in listed(node, MAX_WORD):
            slot = _SLOTS_LEFT.fullmatch(text.strip())
            if slot is None:
                raise place.fault("wants slots that are left, as in 1:4; 2:3")
            draft.slots[slot[1]] = int(slot[2])
    node.taken("sheet.spell_slots")


def _attacks(node: Node, draft: Draft) -> None:
    for text, place in listed(node, MAX_NAME):
        attack = _ATTACK.fullmatch(text)
        if attack is None:
            raise place.fault("wants attacks as in Longsword +5 1d8+3")
        damage = attack["damage"]
        draft.stated_attacks[attack["name"]] = int(attack["bonus"]), damage.strip() if damage else None
    node.derived("attacks", "compared with what the rules give")


def _coins(coin: str) -> Callable[[Node, Draft], None]:
    def take(node: Node, draft: Draft) -> None:
        count = node.integer(0, MAX_PIECES)
        if count:
            draft.items.append({"name": COINS[coin], "type": "currency", "quantity": count})
        node.taken("inventory")

    return take


_TAKEN: Mapping[str, Callable[[Node, Draft], None]] = MappingProxyType(
    {
        "character_type": _character_type,
        "race": _text("race", MAX_WORD),
        "subclass": _text("subclass", MAX_WORD),
        "background": _text("background", MAX_NAME),
        "hp": _number("hp", 0, _MAX_HP, "hp"),
        "max_hp": _number("max_hp", 1, _MAX_HP, "max_hp"),
        "temp_hp": _number("temp_hp", 0, _MAX_HP, "temp_hp"),
        "ac": _armor_class,
        "base_ac": _number("base_ac", 0, 100, "sheet.ac"),
        "speed": _feet("speed"),
        "fly_speed": _feet("fly_speed"),
        "swim_speed": _feet("swim_speed"),
        "climb_speed": _feet("climb_speed"),
        "size": _size,
        **{sense: _sense(sense) for sense in SENSES},
        "skills": _known_words("skills", "skill_proficiencies"),
        "expertise": _known_words("expertise", "skill_expertise"),
        "saves": _known_words("saves", "save_proficiencies"),
        "spellcasting_ability": _casting,
        **{name: _names(name) for name in _PLAIN},
        "slots": _slots,
        **{name: _known_words(name, name) for name in _DEFENSES},
        "conditions": _conditions,
        "exhaustion": _exhaustion,
        "attacks": _attacks,
        **{coin: _coins(coin) for coin in COINS},
    }
)


# belongings


def _take_items(node: Node, draft: Draft, library: Library | None) -> None:
    for place in [node] if isinstance(node.value, str) else list(node.each()):
        if isinstance(place.value, Mapping):
            draft.items.append(_own_item(place))
            place.taken("inventory")
            continue
        for text, _ in (
            listed(place, MAX_NAME) if isinstance(node.value, str) else [(place.text(MAX_NAME) or "", place)]
        ):
            _take_named(text, place, draft, library)


def _counted(text: str) -> tuple[str, int]:
    """Return the name and the number of things such as "20 arrows", "2 x torch" or "arrow (x20)"."""
    text = " ".join(text.split())
    before = _COUNT_BEFORE.match(text)
    if before is not None:
        return text[before.end() :], int(before[1])
    name, _, end = text.rpartition("(")
    after = _COUNT_AFTER.fullmatch(end)
    return (name.rstrip(), int(after[1])) if after is not None else (text, 1)


def _take_named(text: str, place: Node, draft: Draft, library: Library | None) -> None:
    name, count = _counted(text)
    if not name or len(text) > MAX_NAME:
        raise place.fault("wants items as in longsword; 20 arrows")
    if count > MAX_PIECES:
        raise place.fault(f"wants at most {MAX_PIECES} pieces")
    entry = entry_called(library, name) if library is not None else None
    item: NewItem = {"name": entry.name, **figures_of(entry)} if entry is not None else {"name": name}
    if count != 1:
        item["quantity"] = count
    if entry is not None and entry.kind == "weapons" and "monk" in entry.value.get("properties", ()):
        draft.monk_weapons.append(len(draft.items))
    draft.items.append(item)
    if entry is not None and entry.pack:
        draft.packs[entry.pack] = _sha256_of(library, entry.pack)
    if entry is not None:
        place.derived("inventory", "figures of content, by name")
    else:
        place.taken("inventory", "a name alone: " + ("no entry of content has it" if library else "no content is used"))


def _sha256_of(library: Library | None, pack_id: str) -> str:
    return next((pack.sha256 for pack in library.packs if pack.id == pack_id), "") if library else ""


def _own_item(place: Node) -> NewItem:
    from pydantic import ValidationError

    from turnwright.model.error_text import faults_of, sentence

    try:
        item = Item.model_validate({"id": "item", **place.value})
    except ValidationError as error:
        first = faults_of(error)[0]
        raise ImportFault(f"{place.place}.{'.'.join(map(str, first['loc']))}: {sentence(first)}") from None
    written = {key: value for key, value in item.as_written.items() if key != "id"}
    return cast("NewItem", written)


def _take_equipped(node: Node, draft: Draft) -> None:
    names = [_key(item["name"]) for item in draft.items]
    for text, place in listed(node, MAX_NAME):
        if _key(text) not in names:
            raise place.fault(f"{text!r} is none of the items{did_you_mean(_key(text), names)}")
        draft.worn.append(names.index(_key(text)))
    node.taken("equipped")
