"""The words of the game: every enumeration that tools, sheets and encounters share.

A word is marked with its category, so that arguments may spell it loosely (`model/fuzzy_words.py`) while documents hold
it exactly. Source: SRD 5.1; docs/toolkit.md, "Words".
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args


class Word(NamedTuple):
    """The mark of a closed set of words: its category, by which synonyms are looked up."""

    category: str


AbilityWord = Literal["str", "dex", "con", "int", "wis", "cha"]
"""The words of `Ability`, unmarked: to make a longer list of."""
Ability = Annotated[AbilityWord, Word("ability")]
SkillWord = Literal[
    "acrobatics",
    "animal_handling",
    "arcana",
    "athletics",
    "deception",
    "history",
    "insight",
    "intimidation",
    "investigation",
    "medicine",
    "nature",
    "perception",
    "performance",
    "persuasion",
    "religion",
    "sleight_of_hand",
    "stealth",
    "survival",
]
"""The words of `Skill`, unmarked: to make a longer list of."""
Skill = Annotated[SkillWord, Word("skill")]
ConditionWord = Literal[
    "blinded",
    "charmed",
    "deafened",
    "frightened",
    "grappled",
    "incapacitated",
    "invisible",
    "paralyzed",
    "petrified",
    "poisoned",
    "prone",
    "restrained",
    "stunned",
    "unconscious",
    "exhaustion",
]
"""The words of `ConditionName`, unmarked: to make a longer list of."""
ConditionName = Annotated[ConditionWord, Word("condition")]
DamageType = Annotated[
    Literal[
        "slashing",
        "piercing",
        "bludgeoning",
        "fire",
        "cold",
        "lightning",
        "thunder",
        "acid",
        "poison",
        "necrotic",
        "radiant",
        "force",
        "psychic",
    ],
    Word("damage_type"),
]
Material = Literal["magical", "silvered", "adamantine"]
"""Further properties of weapons, besides their purpose."""
WeaponDefense = Literal["nonmagical", "nonmagical_not_silvered", "nonmagical_not_adamantine"]
"""The weapons resisted: nonmagical ones, or those neither magical nor of the metal."""
ActionType = Annotated[
    Literal[
        "attack",
        "cast_spell",
        "dash",
        "disengage",
        "dodge",
        "help",
        "hide",
        "ready",
        "search",
        "use_object",
        "use_magic_item",
        "use_special_ability",
        "shove",
        "grapple",
    ],
    Word("action_type"),
]
ActionCost = Annotated[
    Literal["action", "bonus_action", "reaction", "free", "movement", "legendary"], Word("action_cost")
]
WeaponType = Annotated[Literal["melee", "ranged", "melee_finesse", "ranged_thrown"], Word("weapon_type")]
Size = Annotated[Literal["tiny", "small", "medium", "large", "huge", "gargantuan"], Word("size")]
Cover = Annotated[Literal["none", "half", "three_quarters", "total"], Word("cover")]
Lighting = Annotated[Literal["bright", "dim", "darkness", "magical_darkness"], Word("lighting")]
AoeShape = Annotated[Literal["line", "cone", "cube", "sphere", "cylinder"], Word("aoe_shape")]
RestType = Annotated[Literal["short", "long"], Word("rest_type")]
CharacterType = Annotated[Literal["pc", "npc", "enemy", "neutral"], Word("character_type")]
RollMode = Annotated[Literal["normal", "advantage", "disadvantage"], Word("roll_mode")]
School = Annotated[
    Literal[
        "abjuration",
        "conjuration",
        "divination",
        "enchantment",
        "evocation",
        "illusion",
        "necromancy",
        "transmutation",
    ],
    Word("school"),
]
Verbosity = Annotated[Literal["minimal", "summary", "standard", "detailed"], Word("verbosity")]
LocationType = Annotated[
    Literal["town", "dungeon", "wilderness", "indoor", "outdoor", "underground", "planar", "other"],
    Word("location_type"),
]
LocationTerrain = Annotated[
    Literal["urban", "forest", "mountain", "desert", "swamp", "arctic", "coastal", "underground", "planar", "other"],
    Word("terrain"),
]
GridTerrain = Annotated[Literal["obstacle", "difficult_terrain", "water", "hazard"], Word("terrain_type")]
ConnectionType = Annotated[Literal["door", "passage", "stairs", "ladder", "portal", "hidden"], Word("connection_type")]
DistanceMode = Annotated[Literal["euclidean", "grid_5e", "grid_alt"], Word("distance_mode")]
DiagonalRule = Annotated[Literal["grid_5e", "grid_alt"], Word("distance_mode")]
ObstacleType = Annotated[
    Literal["wall", "pillar", "half_cover", "three_quarters_cover", "total_cover"], Word("obstacle")
]
Sense = Annotated[Literal["blindsight", "darkvision", "tremorsense", "truesight"], Word("sense")]

CasterType = Literal["full", "half", "third", "warlock", "none"]
"""The spell slot table of a class."""

CATEGORIES: Mapping[str, tuple[str, ...]] = {
    word.category: get_args(values)
    for values, word in (
        get_args(kind)
        for kind in (
            Ability,
            Skill,
            ConditionName,
            DamageType,
            ActionType,
            ActionCost,
            WeaponType,
            Size,
            Cover,
            Lighting,
            AoeShape,
            RestType,
            CharacterType,
            RollMode,
            School,
            Verbosity,
            LocationType,
            LocationTerrain,
            GridTerrain,
            ConnectionType,
            DistanceMode,
            ObstacleType,
            Sense,
        )
    )
}
"""The canonical words of every category, in the order in which they are listed."""


def words(kind: Any) -> tuple[str, ...]:
    """Return the words of an enumeration of this module."""
    values: tuple[str, ...] = get_args(get_args(kind)[0])
    return values
