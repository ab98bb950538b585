"""Describe an entry in a few lines of plain text, for people and for models: figures in stat block order.

The text states only what the entry holds. Source: docs/content.md, "Read an entry".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from turnwright.content.figure_words import ORDINALS, counted, figures, listed, number, plain, signed
from turnwright.content.pack import Found
from turnwright.model.json_types import JsonObject

if TYPE_CHECKING:
    from turnwright.model.content_shapes import (
        BlockCasting,
        BlockPart,
        ConditionShape,
        DamageShape,
        DiceShape,
        EscapeShape,
        ResistanceShape,
        SaveShape,
    )

Json = Mapping[str, Any]
_ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


class Line(NamedTuple):
    """One fact about an entry: its label, and its text."""

    label: str
    text: str


class Described(NamedTuple):
    """An entry in words.

    Attributes:
        subtitle: a short classification, such as `small humanoid (goblinoid), neutral evil`.
        facts: its figures.
        parts: its traits, actions, features and the like, each with its heading.
    """

    subtitle: str
    facts: list[Line]
    parts: list[tuple[str, Line]]


def describe(found: Found) -> Described:
    """Return an entry in words."""
    made = _OF_KIND[found.kind](found.value)
    facts = [line for line in made.facts if line.text]
    if text := figures(found.value.get("figures", {}), found.value.get("level", 0) if found.kind == "spells" else 0):
        facts.append(Line("further", text))
    if "description" in found.value:
        facts.append(Line("description", found.value["description"]))
    return made._replace(facts=facts)


class PriceShape(TypedDict):
    """A price."""

    amount: int
    unit: str


class GoodsShape(TypedDict, total=False):
    """Fields that all goods have."""

    cost: PriceShape
    bundle: int
    weight: int | float


class WeaponShape(GoodsShape, total=False):
    """A weapon."""

    category: str
    kind: str
    damage: DamageShape
    versatile: str
    properties: Sequence[str]
    reach: int
    range: Sequence[int]
    thrown: Sequence[int]
    ammunition: str
    conditions: Sequence[ConditionShape]


class ArmorClassShape(TypedDict):
    """The armor class of armor, and how much of DEX adds to it."""

    base: int
    dex: Literal["full"] | int


class ArmorShape(GoodsShape, total=False):
    """Armor or a shield."""

    category: str
    ac: ArmorClassShape
    ac_bonus: int
    str_minimum: int
    stealth_disadvantage: bool


class SpeedShape(TypedDict):
    """How fast a vehicle or a mount is."""

    amount: int | float
    unit: str


class PartOfGear(TypedDict):
    """What a pack holds so many of."""

    id: str
    count: int


class GearShape(GoodsShape, total=False):
    """Any other thing that can be bought."""

    kind: str
    category: str
    save: SaveShape
    damage: Sequence[DamageShape]
    conditions: Sequence[ConditionShape]
    contents: Sequence[PartOfGear]
    speed: SpeedShape
    capacity: int | float


def executed(value: Json) -> str:
    """Return how much of an entry the engine plays out, and what it leaves to the table."""
    missing = _left(value.get("missing", ()))
    if value["tier"] == "full":
        return "the engine plays out all of it"
    how = "the engine plays out part of it" if value["tier"] == "partly" else "the engine plays out nothing of it"
    return how + (f"; left to the table: {missing}" if missing else "")


_MISSING = {
    "features without figures": "what features do beyond these figures",
    "effect": "its effect",
    "other": "further effects",
    "at": "when it counts",
    "death": "what its death brings",
}
"""Terms that packs use for missing parts, spelled out for a reader without the entry."""


def _left(terms: Iterable[str]) -> str:
    return ", ".join(_MISSING.get(term, plain(term)) for term in terms)


# rolls, areas and attacks


def roll(value: DiceShape) -> str:
    """Return dice, bonus and average."""
    if "flat" in value:
        return str(value["flat"])
    bonus = value.get("bonus", 0)
    dice = f"{value['dice']}{signed(bonus) if bonus else ''}"
    return f"{value['average']} ({dice})" if "average" in value else dice


def damage(value: DamageShape) -> str:
    """Return a part of damage."""
    kind = value.get("type")
    words = [roll(value)]
    words += [listed(kind, " or ") if isinstance(kind, (list, tuple)) else plain(kind)] if kind else []
    when = " ".join(
        part
        for part in ("instead" if value.get("instead") else "", plain(value["when"]) if "when" in value else "")
        if part
    )
    told = " ".join(words) + (f" ({when})" if when else "")
    if "per_slot" in value:
        step = value.get("slots_per_step", 1)
        told += f", {value['per_slot']} more for every {'higher slot level' if step == 1 else f'{step} slot levels'}"
    if value.get("by_level"):
        told += ", by level " + ", ".join(
            f"{level}: {dice}" for level, dice in sorted(value["by_level"].items(), key=_at)
        )
    return told


def _at(pair: tuple[str, Any]) -> int:
    return int(pair[0])


def save(value: Any) -> str:
    """Return a saving throw."""
    if not isinstance(value, Mapping):
        return f"{plain(value).upper()} save"
    ability = value["ability"]
    who = " or ".join(ability) if isinstance(ability, (list, tuple)) else ability
    dc = f"DC {value['dc']} " if "dc" in value else ""
    half = ", half on a success" if value.get("success") == "half" else ""
    versus = f" against {plain(value['versus'])}" if "versus" in value else ""
    return f"{dc}{who.upper()} save{versus}{half}"


def area(value: JsonObject) -> str:
    """Return an area."""
    size = f"{value['size']}-foot " if "size" in value else ""
    width = f", {number(value['width'])} ft. wide" if "width" in value else ""
    height = f", {value['height']} ft. high" if "height" in value else ""
    return f"{size}{plain(value['shape'])}{width}{height}"


def attack(value: Any) -> str:
    """Return an attack."""
    if not isinstance(value, Mapping):
        return plain(value)
    reach = [f"reach {value['reach']} ft."] if "reach" in value else []
    reach += [f"range {'/'.join(map(str, value['range']))} ft."] if "range" in value else []
    target = [_targets(value["target"])] if "target" in value else []
    return f"{plain(value['kind'])} {signed(value['to_hit'])} to hit, {', '.join([*reach, *target])}"


def _targets(value: Json) -> str:
    count = value.get("count")
    known = {"count", "kind", "max_size", "requires", "requires_any", "where"}
    words = [f"{'any number' if count == 'any' else count} x" if count not in (None, 1) else "one" if count else ""]
    words += [plain(value.get("kind", "target"))]
    words += [f"up to {value['max_size']}"] if "max_size" in value else []
    words += [listed(value["requires"])] if "requires" in value else []
    words += [listed(value["requires_any"], " or ")] if "requires_any" in value else []
    words += [f"in {plain(value['where'])}"] if "where" in value else []
    rest = figures(
        {key: item for key, item in value.items() if key not in known | {"figures"}} | dict(value.get("figures", {}))
    )
    return " ".join(word for word in words if word) + (f" ({rest})" if rest else "")


def condition(value: ConditionShape) -> str:
    """Return a condition that something gives."""
    told = [plain(value["id"])]
    told += [f"on {plain(value['on'])}"] if value["on"] not in ("always",) else []
    told += [f"for {plain(value['duration'])}"] if "duration" in value else []
    told += [f"save again at {plain(value['repeat'])}"] if "repeat" in value else []
    told += [_escape(value["escape"])] if "escape" in value else []
    return " ".join(told)


def _escape(value: EscapeShape) -> str:
    check = value["check"]
    who = " or ".join(check) if isinstance(check, (list, tuple)) else check
    return f"escape {plain(who).upper()} check" + (f" DC {plain(value['dc'])}" if "dc" in value else "")


def resistances(values: Iterable[ResistanceShape]) -> str:
    """Return types of damage with what limits them."""
    groups: dict[str, list[str]] = {}
    for value in values:
        limit = f" from {plain(value['source'])}" if "source" in value else ""
        limit += f" unless {value['unless']}" if "unless" in value else ""
        groups.setdefault(limit, []).append(value["type"])
    return "; ".join(", ".join(types) + limit for limit, types in groups.items())


_EFFECT_WORDS: Mapping[str, Callable[[Any], str]] = {
    "attack": attack,
    "save": save,
    "area": area,
    "heal": lambda value: f"heals {roll(value)}" + (f" + {plain(value['plus'])}" if "plus" in value else ""),
    "range": lambda value: f"range {value} ft." if isinstance(value, int) else f"range {plain(value)}",
    "targets": _targets,
    "teleport": lambda value: f"teleports {value} ft.",
    "forced_move": lambda value: f"moves the target {value['ft']} ft. {value['dir']}",
    "immune_after": lambda value: f"immune afterwards for {plain(value)}",
    "only": lambda value: f"only {figures(value)}" if isinstance(value, Mapping) else f"only {plain(value)}",
    "grapple": lambda value: (
        f"grappled, escape DC {value['escape_dc']}" + (", restrained" if value.get("restrained") else "")
    ),
}
_EFFECT_LISTS: Mapping[str, Callable[[Any], str]] = {"damage": damage, "more_saves": save, "conditions": condition}
_EFFECT_ORDER = (
    *("attack", "save", "more_saves", "range", "area", "targets", "only", "damage", "heal"),
    *("conditions", "grapple", "forced_move", "teleport", "immune_after"),
)


def effect(value: Json) -> str:
    """Return the effects of an action, a trait or an option."""
    told: list[str] = []
    if "kind" in value and not isinstance(value.get("spellcasting"), Mapping):
        told.append(plain(value["kind"]))
    for key in _EFFECT_ORDER:
        if key not in value:
            continue
        told += [_EFFECT_WORDS[key](value[key])] if key in _EFFECT_WORDS else map(_EFFECT_LISTS[key], value[key])
    told += [f"uses {_uses(use)}" for use in value.get("uses_actions", ())]
    told += [f"in the form {listed(value['forms'], ' or ')}"] if "forms" in value else []
    told += [f"{option['name']}: {effect(option)}" for option in value.get("options", ())]
    told += [casting(value["spellcasting"])] if "spellcasting" in value else []
    told += [figures(value["figures"])] if value.get("figures") else []
    if value.get("tier", "full") != "full":
        told.append(f"left to the table: {_left(value.get('missing', ())) or 'all of it'}")
    return "; ".join(told)


def _uses(use: JsonObject) -> str:
    count = use.get("count", 1)
    told = plain(use["action"]) if count == 1 else f"{count} x {plain(use['action'])}"
    return (
        told
        + (f" if {plain(use['when'])}" if "when" in use else "")
        + (" (may be left out)" if use.get("optional") else "")
    )


def heading(value: BlockPart) -> str:
    """Return the name of an action with how often it can be used."""
    told = str(value["name"])
    if "recharge" in value:
        least = value["recharge"]["min"]
        told += f" (recharge {least}-6)" if least < 6 else " (recharge 6)"
    if "uses" in value:
        told += f" ({value['uses']['count']} a {plain(value['uses']['per'])})"
    return told + (f" (costs {value['cost']})" if value.get("cost", 1) > 1 else "")


def casting(value: BlockCasting) -> str:
    """Return how a stat block casts."""
    dc = value.get("dc", value.get("dc_derived"))
    told = [f"{value['ability'].upper()}"]
    told += [f"DC {dc}"] if dc is not None else []
    told += [f"{signed(value['attack'])} to hit"] if "attack" in value else []
    told = [", ".join(told)]
    told += [f"at will: {listed(value['at_will'])}"] if "at_will" in value else []
    told += [f"{count} a day each: {listed(ids)}" for count, ids in value.get("per_day", {}).items()]
    for level, ids in value.get("prepared", {}).items():
        slots = value.get("slots", {}).get(level)
        told.append(f"{ORDINALS[int(level)]}{f' ({slots} slots)' if slots else ''}: {listed(ids)}")
    return "; ".join(told)


# kinds


def _monster(value: Json) -> Described:
    kind = f"{value['size']} {value['type']}" + (f" ({value['subtype']})" if "subtype" in value else "")
    hp, ac, speeds, languages = value["hp"], value["ac"], value["speeds"], value.get("languages", {})
    worn = f" ({listed(ac['armor'])})" if "armor" in ac else f" ({ac['kind']})" if ac["kind"] == "natural" else ""
    others = [
        f"{other['value']} {plain(other.get('spell') or other.get('condition') or listed(other.get('armor', ())))}"
        for other in value.get("ac_other", ())
    ]
    senses = [
        f"{plain(name)} {feet} ft." if feet is not True else plain(name)
        for name, feet in value.get("senses", {}).items()
    ]
    spoken = [
        *map(plain, languages.get("speaks", ())),
        *(f"understands {plain(each)}" for each in languages.get("understands", ())),
    ]
    spoken += [f"telepathy {languages['telepathy']} ft."] if "telepathy" in languages else []
    spoken += [plain(languages[key]) for key in ("speaks_special", "understands_special") if key in languages]
    spoken += [f"any {languages['any']}"] if "any" in languages else []
    facts = [
        Line("armor class", f"{ac['value']}{worn}" + (f"; {', '.join(others)}" if others else "")),
        Line("hit points", roll(hp)),
        Line("speed", ", ".join(f"{name} {feet} ft." if feet is not True else name for name, feet in speeds.items())),
        Line("abilities", ", ".join(f"{name.upper()} {value['stats'][name]}" for name in _ABILITIES)),
        Line(
            "saves",
            ", ".join(
                f"{name.upper()} {signed(value['saves'][name])}"
                for name in _ABILITIES
                if name in value.get("saves", {})
            ),
        ),
        Line("skills", ", ".join(f"{plain(name)} {signed(bonus)}" for name, bonus in value.get("skills", {}).items())),
        Line("vulnerabilities", resistances(value.get("vulnerabilities", ()))),
        Line("resistances", resistances(value.get("resistances", ()))),
        Line("immunities", resistances(value.get("immunities", ()))),
        Line("condition immunities", listed(value.get("condition_immunities", ()))),
        Line("senses", ", ".join([*senses, f"passive perception {value['passive_perception']}"])),
        Line("languages", ", ".join(spoken)),
        Line(
            "challenge", f"{number(value['cr'])} ({value['xp']} XP), proficiency {signed(value['proficiency_bonus'])}"
        ),
        Line("multiattack", " or ".join(" and ".join(map(_uses, way)) for way in value.get("multiattack", ()))),
        Line("other forms", listed(value.get("forms_of", ()))),
    ]
    groups = [("traits", value.get("traits", ())), ("actions", value.get("actions", ()))]
    groups += [
        ("reactions", value.get("reactions", ())),
        ("legendary actions", value.get("legendary", {}).get("actions", ())),
    ]
    parts = [(group, Line(heading(part), effect(part))) for group, found in groups for part in found]
    return Described(f"{kind}, {value['alignment']}", facts, parts)


def _lasting(value: Any) -> str:
    return (
        f"{value['amount']} {value['unit']}{'s' if value['amount'] > 1 else ''}"
        if isinstance(value, Mapping)
        else plain(value)
    )


_SPELL_FIGURES = (
    *(
        "damage_modifier",
        "temp_hp",
        "hp_pool",
        "roll_modifier",
        "targets_per_slot",
        "area_per_slot",
        "attacks_by_level",
    ),
    *("durations_by_slot", "summons", "repeat_save", "repeat", "only", "no_effect_on", "trigger", "weapon_ability"),
)


def _spell(value: Json) -> Described:
    level = value["level"]
    title = f"{value['school']} cantrip" if level == 0 else f"{ORDINALS[level]}-level {value['school']}"
    title += " (ritual)" if value.get("ritual") else ""
    time, reach = value["casting_time"], value["range"]
    cost = value.get("material_cost", {})
    facts = [
        Line("casting time", f"{time['amount']} {plain(time['unit'])}"),
        Line("range", f"{reach} ft." if isinstance(reach, int) else plain(reach)),
        Line("components", ", ".join(value["components"]) + (f" ({figures(cost)})" if cost else "")),
        Line("duration", ("concentration, " if value.get("concentration") else "") + _lasting(value["duration"])),
        Line("attack", f"{value['attack']} spell attack" if "attack" in value else ""),
        Line(
            "effect",
            effect(
                {key: value[key] for key in _EFFECT_ORDER if key in value and key not in ("attack", "range", "only")}
            ),
        ),
        Line("resistance", resistances(value.get("resistance", ()))),
        Line("rules", figures({key: value[key] for key in _SPELL_FIGURES if key in value}, level)),
        Line("classes", listed(value.get("classes", ()))),
    ]
    return Described(title, facts, [])


def _cost(value: GoodsShape) -> list[Line]:
    cost = value.get("cost")
    price = f"{cost['amount']} {cost['unit']}" if cost else ""
    bundle = f" for {value['bundle']}" if "bundle" in value else ""
    weight = f"{number(value['weight'])} lb." if "weight" in value else ""
    return [Line("cost", price + (bundle if price else "")), Line("weight", weight)]


def _weapon(value: WeaponShape) -> Described:
    reach = [f"reach {value['reach']} ft."] if "reach" in value else []
    reach += [f"range {'/'.join(map(str, value['range']))} ft."] if "range" in value else []
    reach += [f"thrown {'/'.join(map(str, value['thrown']))} ft."] if "thrown" in value else []
    facts = [
        Line("damage", damage(value["damage"]) if "damage" in value else ""),
        Line("two-handed", value.get("versatile", "")),
        Line("properties", listed(value.get("properties", ()))),
        Line("reach", ", ".join(reach)),
        Line("ammunition", plain(value.get("ammunition", ""))),
        Line("conditions", ", ".join(map(condition, value.get("conditions", ())))),
        *_cost(value),
    ]
    return Described(f"{value['category']} {value['kind']} weapon", facts, [])


def _armor(value: ArmorShape) -> Described:
    ac = value.get("ac")
    dex = {"full": " + DEX", 0: ""}.get(ac["dex"], f" + DEX up to {ac['dex']}") if ac else ""
    facts = [
        Line("armor class", f"{ac['base']}{dex}" if ac else f"+{value['ac_bonus']}"),
        Line("needs", f"STR {value['str_minimum']}" if "str_minimum" in value else ""),
        Line("stealth", "disadvantage" if value.get("stealth_disadvantage") else ""),
        *_cost(value),
    ]
    return Described("shield" if value["category"] == "shield" else f"{value['category']} armor", facts, [])


def _gear(value: GearShape) -> Described:
    speed = value.get("speed")
    told: Json = value
    facts = [
        Line("effect", effect({key: told[key] for key in ("save", "damage", "conditions") if key in told})),
        Line("contents", ", ".join(f"{part['count']} x {plain(part['id'])}" for part in value.get("contents", ()))),
        Line("speed", f"{number(speed['amount'])} {speed['unit']}" if speed else ""),
        Line("carries", f"{number(value['capacity'])} lb." if "capacity" in value else ""),
        *_cost(value),
    ]
    return Described(f"{plain(value['kind'])}: {plain(value['category'])}", facts, [])


_ITEM_FIGURES = (
    "charges",
    "sets_ability",
    "ability_bonus",
    "extra_damage",
    "spell_save_dc",
    "duration",
    "resistance_choice",
)


def _magic_item(value: Json) -> Described:
    needs = f" by {listed(value['attunement_by'], ' or ')}" if "attunement_by" in value else ""
    attunement = f"; attunement{needs}" if value.get("attunement") else ""
    spells = (
        plain(each["id"]) + (f" ({each['charges']} charges)" if "charges" in each else "")
        for each in value.get("spells", ())
    )
    bonus = ", ".join(f"{plain(name)} {signed(number)}" for name, number in value.get("bonus", {}).items())
    facts = [
        Line("made of", plain(value.get("base", ""))),
        Line("bonus", bonus),
        Line("effect", effect({key: value[key] for key in ("damage", "heal") if key in value})),
        Line("saves", ", ".join(map(save, value.get("saves", ())))),
        Line("resistances", resistances(value.get("resistances", ()))),
        Line("immunities", resistances(value.get("immunities", ()))),
        Line("spells", ", ".join(spells)),
        Line("rules", figures({key: value[key] for key in _ITEM_FIGURES if key in value})),
        Line("variants", listed(value.get("variants", ()))),
    ]
    return Described(f"{plain(value['kind'])}, {plain(value['rarity'])}{attunement}", facts, [])


def _trait_text(part: Json) -> str:
    return figures(part.get("figures", {}))


def _scores(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name.upper()} {signed(number)}" for name, number in values.items())


def _race(value: Json) -> Described:
    choice = value.get("ability_choice")
    languages = listed(value.get("languages", ()))
    further = value.get("language_choices")
    facts = [
        Line("speed", f"{value['speed']} ft."),
        Line("abilities", _scores(value.get("ability_bonuses", {}))),
        Line("ability choice", figures(choice) if choice else ""),
        Line("languages", languages + (f" and {further} of choice" if further else "")),
        Line(
            "ancestries",
            ", ".join(
                f"{each['name']}: {plain(each['damage_type'])}, {area(each['area'])}"
                for each in value.get("ancestries", ())
            ),
        ),
    ]
    parts = [("traits", Line(part["name"], _trait_text(part))) for part in value.get("traits", ())]
    for sub in value.get("subraces", ()):
        parts.append(("subraces", Line(sub["name"], _scores(sub.get("ability_bonuses", {})))))
        parts += [
            ("subraces", Line(f"{sub['name']}: {part['name']}", _trait_text(part))) for part in sub.get("traits", ())
        ]
    return Described(f"{value['size']} race", facts, parts)


def _choice(value: Json) -> str:
    if "category" in value:
        return f"{value['choose']} of {plain(value['category'])}"
    return f"{value['choose']} of {', '.join(map(_option, value.get('options', ())))}"


def _option(value: Any) -> str:
    if not isinstance(value, Mapping):
        return plain(value)
    if "all" in value:
        return " and ".join(map(_option, value["all"]))
    if "id" in value:
        return plain(value["id"]) + (f" x {value['count']}" if value.get("count", 1) > 1 else "")
    return _choice(value)


_COLUMNS = {
    "rage_count": "rage",
    "action_surges": "action surge",
    "extra_attacks": "extra attack",
    "indomitable_uses": "use of Indomitable",
    "channel_divinity_charges": "use of Channel Divinity",
    "ki_points": "ki point",
    "sorcery_points": "sorcery point",
    "metamagic_known": "metamagic option",
    "invocations_known": "invocation",
    "favored_enemies": "favored enemy",
    "favored_terrain": "favored terrain",
}
"""Columns of class tables that hold counts, and what they count."""
_PLURALS = {"favored enemy": "favored enemies", "use of Indomitable": "uses of Indomitable"}
_PLURALS["use of Channel Divinity"] = "uses of Channel Divinity"
_COLUMNS_OF_DICE = ("bardic_inspiration_die", "song_of_rest_die")
_COLUMNS_OF_CR = ("destroy_undead_cr", "wild_shape_max_cr")


def _column(name: str, value: Any) -> str:
    """Return one figure of a class table."""
    if name in _COLUMNS:
        one = _COLUMNS[name]
        return f"{number(value)} {_PLURALS[one]}" if value != 1 and one in _PLURALS else counted(value, one)
    if name in _COLUMNS_OF_DICE:
        return f"{plain(name.removesuffix('_die'))} d{value}"
    if name in _COLUMNS_OF_CR:
        return f"{plain(name.removesuffix('_cr').removesuffix('_max'))} up to CR {number(value)}"
    if name == "rage_damage_bonus":
        return f"{signed(value)} rage damage"
    if name in ("aura_range", "unarmored_movement"):
        return f"{plain(name.removesuffix('_range'))} {'+' if name == 'unarmored_movement' else ''}{value} ft."
    if name.startswith("magical_secrets_max_"):
        return f"{counted(value, 'magical secret')} up to {ORDINALS[int(name[-1])]} level"
    if name.startswith("mystic_arcanum_level_"):
        return f"mystic arcanum of {ORDINALS[int(name[-1])]} level"
    if name == "creating_spell_slots":
        return "slots for sorcery points: " + ", ".join(f"{ORDINALS[int(slot)]} {cost}" for slot, cost in value.items())
    return figures({name: value})


def _levels(value: Json) -> Iterator[Line]:
    """Yield the features of each level of a class."""
    names = {each["id"]: each["name"] for each in value.get("features", ())}
    for row in value["levels"]:
        features = [names.get(each, plain(each)) for each in row.get("features", ())]
        told = [", ".join(features)] if features else []
        told += [", ".join(_column(*column) for column in row["columns"].items())] if row.get("columns") else []
        slots = ", ".join(f"{ORDINALS[int(slot)]} {count}" for slot, count in row.get("slots", {}).items())
        told += [f"slots {slots}"] if slots else []
        yield Line(f"level {row['level']}", "; ".join(told) or "-")


def _class(value: Json) -> Described:
    casts = value.get("spellcasting")
    facts = [
        Line("hit die", f"d{value['hit_die']}"),
        Line("saves", ", ".join(name.upper() for name in value["saves"])),
        Line("proficiencies", listed(value.get("proficiencies", ()))),
        Line("choices", "; ".join(map(_choice, value.get("proficiency_choices", ())))),
        Line(
            "spellcasting",
            f"{casts['ability'].upper()}, {casts['kind']}, from level {casts['from_level']}" if casts else "",
        ),
        Line("equipment", ", ".join(map(_option, value.get("starting_equipment", ())))),
        Line("equipment choices", "; ".join(map(_choice, value.get("starting_equipment_choices", ())))),
        Line("subclasses", ", ".join(sub["name"] for sub in value.get("subclasses", ()))),
    ]
    parts = [("levels", line) for line in _levels(value)]
    return Described("class", facts, parts)


def _background(value: Json) -> Described:
    facts = [
        Line("skills", listed(value.get("skills", ()))),
        Line("tools", listed(value.get("tools", ()))),
        Line("languages", f"{value['languages']} of choice" if "languages" in value else ""),
        Line("equipment", ", ".join(map(_option, value.get("equipment", ())))),
        Line("equipment choices", "; ".join(map(_choice, value.get("equipment_choices", ())))),
        Line("gold", f"{value['gold']} gp" if "gold" in value else ""),
        Line("feature", plain(value.get("feature", ""))),
    ]
    return Described("background", facts, [])


_OF_KIND: Mapping[str, Callable[[Any], Described]] = {
    "monsters": _monster,
    "spells": _spell,
    "weapons": _weapon,
    "armor": _armor,
    "gear": _gear,
    "magic_items": _magic_item,
    "races": _race,
    "classes": _class,
    "backgrounds": _background,
}


# for models

MAX_BRIEF = 2000
"""The most characters of a brief entry as JSON: with what a tool puts around it, below 600 tokens of 4 characters."""
_MAX_TEXT = 400
_MAX_MISSING = 10


def brief(found: Found, at_most: int = MAX_BRIEF) -> dict[str, Any]:
    """Return an entry as short text for a model.

    Returns:
        `missing`, the first of what is not executed; `summary`; `facts`, texts by label; `parts`, `name: text` by
        heading; `left_out`, how many facts and parts did not fit.
    """
    told = describe(found)
    missing = list(found.value.get("missing", ()))[:_MAX_MISSING]
    made: dict[str, Any] = {"missing": missing, "summary": told.subtitle, "facts": {}, "parts": {}, "left_out": 0}
    room = at_most - _room_of(told.subtitle) - sum(map(_room_of, missing))
    for place, line in enumerate(told.facts):
        text = _cut(line.text)
        room -= _room_of(line.label) + _room_of(text)
        if room < 0:
            made["left_out"] = len(told.facts) - place + len(told.parts)
            return made
        made["facts"][line.label] = text
    for place, (group, line) in enumerate(told.parts):
        text = _cut(f"{line.label}: {line.text}" if line.text else line.label)
        room -= _room_of(text) + (0 if group in made["parts"] else _room_of(group))
        if room < 0:
            made["left_out"] = len(told.parts) - place
            break
        made["parts"].setdefault(group, []).append(text)
    return made


def _room_of(text: str) -> int:
    """Return how many characters a text takes as JSON, with its surrounding punctuation."""
    return len(json.dumps(text, ensure_ascii=False)) + 2


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 3].rstrip()}..."
