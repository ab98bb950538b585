"""The effects of each condition on its bearer, as a table. Source: SRD 5.1, "Appendix PH-A: Conditions"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

from turnwright.model.json_types import JsonObject
from turnwright.model.vocabulary import Ability, ConditionName, DamageType, words

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import MechanicalReport

Handicap = Literal["attack_rolls", "ability_checks", "saving_throws", "dex_saves"]
"""The rolls on which a condition can impose disadvantage."""
AttacksAgainst = Literal["normal", "advantage", "disadvantage", "by_distance"]
"""How others attack the bearer; `by_distance`: with advantage from within 5 feet, else with disadvantage."""

HANDICAPS: tuple[Handicap, ...] = ("attack_rolls", "ability_checks", "saving_throws", "dex_saves")
ALL_DAMAGE = frozenset(cast("tuple[DamageType, ...]", words(DamageType)))
MAX_EXHAUSTION = 6


@dataclass(frozen=True, slots=True)
class Mechanics:
    """The effects of one condition.

    Attributes:
        disadvantage_on: the bearer's rolls that have disadvantage.
        only_in_sight_of_source: its disadvantages apply while the bearer sees the source of its fear.
        only_unseen: its effects on attacks apply against creatures that do not see the bearer.
        attacks_with_advantage: the bearer's attacks have advantage.
        attacks_against: advantage or disadvantage of attacks against the bearer.
        critical_when_close: a hit from within 5 feet is critical.
        speed_multiplier: of the bearer's speed; see also `cannot_move` and `can_only_crawl`.
        max_hp_multiplier: of the bearer's hit point maximum.
        cannot_move: speed is 0, regardless of bonuses.
        can_only_crawl: each foot moved costs one more.
        incapacitated: no actions and no reactions.
        auto_fail_saves: saving throws of these abilities fail.
        fails_sight: checks that need sight fail.
        fails_hearing: checks that need hearing fail.
        falls_prone: the creature falls when it gets the condition, and drops held items.
        resistances, immunities: to damage.
        condition_immunities: conditions that the bearer cannot get.
        dead: it kills.
    """

    disadvantage_on: tuple[Handicap, ...] = ()
    only_in_sight_of_source: bool = False
    only_unseen: bool = False
    attacks_with_advantage: bool = False
    attacks_against: AttacksAgainst = "normal"
    critical_when_close: bool = False
    speed_multiplier: float = 1
    max_hp_multiplier: float = 1
    cannot_move: bool = False
    can_only_crawl: bool = False
    incapacitated: bool = False
    auto_fail_saves: tuple[Ability, ...] = ()
    fails_sight: bool = False
    fails_hearing: bool = False
    falls_prone: bool = False
    resistances: frozenset[DamageType] = frozenset()
    immunities: frozenset[DamageType] = frozenset()
    condition_immunities: frozenset[ConditionName] = frozenset()
    dead: bool = False


def _helpless(**more: Any) -> Mechanics:
    """Return the common effects of paralyzed, petrified, stunned and unconscious, with additions."""
    return Mechanics(
        incapacitated=True, cannot_move=True, auto_fail_saves=("str", "dex"), attacks_against="advantage", **more
    )


CONDITIONS: Mapping[ConditionName, Mechanics] = MappingProxyType(
    {
        "blinded": Mechanics(("attack_rolls",), attacks_against="advantage", fails_sight=True),
        "charmed": Mechanics(),  # its source decides which creature the bearer may not attack
        "deafened": Mechanics(fails_hearing=True),
        "frightened": Mechanics(("attack_rolls", "ability_checks"), only_in_sight_of_source=True),
        "grappled": Mechanics(cannot_move=True),
        "incapacitated": Mechanics(incapacitated=True),
        "invisible": Mechanics(attacks_with_advantage=True, attacks_against="disadvantage", only_unseen=True),
        "paralyzed": _helpless(critical_when_close=True),
        "petrified": _helpless(
            resistances=ALL_DAMAGE,
            immunities=frozenset({"poison"}),
            condition_immunities=frozenset({"poisoned"}),
        ),
        "poisoned": Mechanics(("attack_rolls", "ability_checks")),
        "prone": Mechanics(("attack_rolls",), attacks_against="by_distance", can_only_crawl=True),
        "restrained": Mechanics(("attack_rolls", "dex_saves"), attacks_against="advantage", cannot_move=True),
        "stunned": _helpless(),
        "unconscious": _helpless(critical_when_close=True, falls_prone=True),
        "exhaustion": Mechanics(),  # by level, below
    }
)

_LEVELS: tuple[dict[str, Any], ...] = (
    {"disadvantage_on": ("ability_checks",)},
    {"speed_multiplier": 0.5},
    {"disadvantage_on": ("attack_rolls", "ability_checks", "saving_throws")},
    {"max_hp_multiplier": 0.5},
    {"cannot_move": True},
    {"dead": True},
)
EXHAUSTION = tuple(accumulate(_LEVELS, lambda before, more: replace(before, **more), initial=Mechanics()))
"""The effects of exhaustion by level, 0 to 6; each includes those of the levels before it."""


def mechanics_of(condition: ConditionName, exhaustion_level: int = 0) -> Mechanics:
    """Return the effects of a condition; the level only matters for exhaustion, and is at most 6."""
    if condition == "exhaustion":
        return EXHAUSTION[max(0, min(exhaustion_level, MAX_EXHAUSTION))]
    return CONDITIONS[condition]


def mechanical(mechanics: Mechanics) -> MechanicalReport:
    """Return the effects of a condition for queries, as plain JSON values with every key present."""
    return {
        "disadvantage_on": [handicap for handicap in HANDICAPS if handicap in mechanics.disadvantage_on],
        "speed_multiplier": mechanics.speed_multiplier,
        "max_hp_multiplier": mechanics.max_hp_multiplier,
        "cannot_move": mechanics.cannot_move,
        "can_only_crawl": mechanics.can_only_crawl,
        "incapacitated": mechanics.incapacitated,
        "auto_fail_saves": list(mechanics.auto_fail_saves),
        "dead": mechanics.dead,
    }


def from_mechanical(values: JsonObject | MechanicalReport) -> Mechanics:
    """Return the effects of a condition outside the fifteen, none of which kills.

    Args:
        values: those of `mechanical`, any of them absent.
    """
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items() if value is not None
    }
    return Mechanics(**given | {"dead": False})
