"""Figures of the twelve first-level heroes that come with Foundry VTT's dnd5e system, written down as facts.

Read in github.com/foundryvtt/dnd5e, packs/_source/heroes (actors stamped 4.0.0 and 4.1.0): scores, hit points, the way
armor class is reckoned, slots, armor and weapons. The weapons are those that were read, not all that each one carries;
where the armor was not read, `ac` is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tests.imports.shapes import Goods, armor, effect, weapon

_LEATHER = armor("Leather Armor", "light", 11)
_CHAIN_MAIL = armor("Chain Mail", "heavy", 16, dex=0)
_SHIELD = armor("Shield", "shield", 2)


class Hero(NamedTuple):
    """One hero: what the file says, then what it comes to.

    Attributes:
        attacks: bonus to hit and damage, by weapon.
        slots: by level, those of a pact too.
    """

    name: str
    race: str
    of_class: str
    scores: Sequence[int]
    saves: Sequence[str]
    hp: int
    ac: int | None
    attacks: Mapping[str, tuple[int, str]]
    slots: Mapping[str, int] = {}
    goods: Sequence[Goods] = ()
    die: str = "d8"
    calc: str = "default"
    caster: tuple[str, str] = ("none", "")
    speed: int = 30
    size: str = "med"
    feats: Sequence[tuple[str, Sequence[dict[str, object]]]] = ()
    hp_per_level: str = ""


HEROES = (
    Hero(
        "Akra",
        "Dragonborn",
        "Cleric",
        (16, 10, 13, 8, 15, 9),
        ("wis", "cha"),
        9,
        16,
        {"Mace": (5, "1d6+3"), "Light Crossbow": (2, "1d8")},
        {"1": 2},
        (
            armor("Scale Mail", "medium", 14, dex=2),
            weapon("Light Crossbow", "1d8", "piercing", "amm", "lod", "two", normal=80, long=320),
            _SHIELD,
            weapon("Mace", "1d6", "bludgeoning"),
        ),
        caster=("full", "wis"),
    ),
    Hero(
        "Aoth",
        "Human",
        "Druid",
        (9, 13, 15, 14, 16, 11),
        ("int", "wis"),
        10,
        12,
        {"Quarterstaff": (1, "1d6-1"), "Club": (1, "1d4-1")},
        {"1": 2},
        (
            _LEATHER,
            weapon("Quarterstaff", "1d6", "bludgeoning", "ver"),
            weapon("Club", "1d4", "bludgeoning", "lgt", equipped=False),
        ),
        caster=("full", "wis"),
    ),
    Hero(
        "Beiro",
        "Half-Elf",
        "Bard",
        (8, 16, 14, 10, 12, 18),
        ("dex", "cha"),
        10,
        14,
        {"Rapier": (5, "1d8+3")},
        {"1": 2},
        (weapon("Rapier", "1d8", "piercing", "fin"), _LEATHER),
        caster=("full", "cha"),
    ),
    Hero(
        "Krusk",
        "Half-Orc",
        "Paladin",
        (17, 8, 14, 10, 12, 14),
        ("wis", "cha"),
        12,
        18,
        {"Javelin": (5, "1d6+3")},
        {},
        (weapon("Javelin", "1d6", "piercing", "thr", normal=30, long=120), _CHAIN_MAIL, _SHIELD),
        die="d10",
        caster=("half", "cha"),
    ),
    Hero(
        "Merric",
        "Lightfoot Halfling",
        "Barbarian",
        (14, 14, 15, 8, 10, 14),
        ("str", "con"),
        14,
        14,
        {"Greataxe": (4, "1d12+2"), "Javelin": (4, "1d6+2"), "Handaxe": (4, "1d6+2")},
        {},
        (
            weapon("Greataxe", "1d12", "slashing", "hvy", "two"),
            weapon("Javelin", "1d6", "piercing", "thr", normal=30, long=120),
            weapon("Handaxe", "1d6", "slashing", "lgt", "thr", normal=20, long=60),
        ),
        die="d12",
        calc="unarmoredBarb",
        speed=25,
        size="sm",
    ),
    Hero(
        "Morthos",
        "Tiefling",
        "Sorcerer",
        (10, 12, 14, 14, 8, 17),
        ("con", "cha"),
        9,
        14,
        {},
        {"1": 2},
        die="d6",
        calc="draconic",
        caster=("full", "cha"),
        hp_per_level="@classes.sorcerer.levels",
    ),
    Hero(
        "Perrin",
        "Lightfoot Halfling",
        "Monk",
        (8, 16, 13, 12, 15, 11),
        ("str", "dex"),
        9,
        15,
        {"Shortsword": (5, "1d6+3")},
        {},
        (weapon("Shortsword", "1d6", "piercing", "fin", "lgt"),),
        calc="unarmoredMonk",
        speed=25,
        size="sm",
    ),
    Hero(
        "Quillathe",
        "High Elf",
        "Ranger",
        (8, 17, 14, 11, 13, 12),
        ("str", "dex"),
        12,
        14,
        {"Shortsword": (5, "1d6+3")},
        {},
        (_LEATHER, weapon("Shortsword", "1d6", "piercing", "fin", "lgt")),
        die="d10",
        caster=("half", "wis"),
    ),
    Hero(
        "Randal",
        "Variant Human",
        "Fighter",
        (16, 14, 15, 9, 13, 11),
        ("str", "con"),
        12,
        19,
        {"Longsword": (5, "1d8+3"), "Longbow": (4, "1d8+2"), "Handaxe": (5, "1d6+3")},
        {},
        (
            weapon("Longsword", "1d8", "slashing", "ver"),
            weapon("Longbow", "1d8", "piercing", "amm", "hvy", "two", normal=150, long=600),
            weapon("Handaxe", "1d6", "slashing", "lgt", "thr", normal=20, long=60),
            _CHAIN_MAIL,
            _SHIELD,
        ),
        die="d10",
        feats=(("Defense", (effect("Fighting Style: Defense", "system.attributes.ac.bonus", "+1"),)),),
    ),
    Hero(
        "Riswynn",
        "Hill Dwarf",
        "Rogue",
        (10, 15, 16, 12, 14, 8),
        ("dex", "int"),
        11,
        13,
        {"Shortbow": (4, "1d6+2"), "Rapier": (4, "1d8+2")},
        {},
        (
            weapon("Shortbow", "1d6", "piercing", "amm", "two", normal=80, long=320),
            weapon("Rapier", "1d8", "piercing", "fin"),
            _LEATHER,
        ),
        speed=25,
    ),
    Hero(
        "Sefris",
        "Half-Elf",
        "Warlock",
        (12, 14, 14, 10, 8, 19),
        ("wis", "cha"),
        10,
        None,
        {},
        {"1": 1},
        caster=("pact", "cha"),
    ),
    Hero(
        "Zanna",
        "Rock Gnome",
        "Wizard",
        (8, 12, 15, 17, 13, 10),
        ("int", "wis"),
        8,
        None,
        {},
        {"1": 2},
        die="d6",
        caster=("full", "int"),
        speed=25,
        size="sm",
    ),
)
