"""Arguments and results of a threat check.

Source: docs/content.md, "How hard a fight is".
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from turnwright.model.base import Count, Id, ListOf, Model, Number, Text
from turnwright.rulesets.references import Name

MAX_MONSTERS = 30
MAX_ROUNDS = 20
"""After so many rounds a simulation is left undecided."""


class Foes(Model):
    """Monsters of one kind that the party may meet."""

    monster: Name = Field(description="Name or id, such as goblin.")
    count: Annotated[int, Field(strict=True, ge=1, le=MAX_MONSTERS)] = Field(default=1, description="How many of them.")


class HeroRow(Model):
    """A party member who would fight."""

    id: Id
    name: Text
    level: Count
    hp: Count
    max_hp: Count
    falls_percent: Count = Field(description="Of the simulations in which they came to 0 hit points.")


class FoeRow(Model):
    """Monsters of one kind."""

    monster: Id
    name: Text
    count: Count
    cr: Number
    xp: Count = Field(description="Of one of them.")


class ByRules(Model):
    """The rules' estimate: SRD 5.1, "Challenge", sets a monster of a rating against four characters of that level."""

    xp: Count = Field(description="Of all monsters.")
    party_xp: Count = Field(description="A quarter of the XP of a monster rated as each member's level, summed up.")
    percent: Count = Field(description="`xp` of `party_xp`.")
    verdict: Literal["within", "beyond"] = Field(
        description="`within`: no more than a rested party should defeat without a death."
    )
    above_level: ListOf[Id] = Field(description="Monsters whose rating is above the level of every member.")


class BySimulation(Model):
    """How the fight went when the engine fought it out against itself."""

    runs: Count = Field(description="How often it was fought.")
    seed: Count = Field(description="The same seed and state give the same figures.")
    mean_rounds: Number
    least_rounds: Count
    most_rounds: Count
    party_wins_percent: Count
    undecided_percent: Count = Field(description=f"No side had won after {MAX_ROUNDS} rounds, or none stood.")
    somebody_falls_percent: Count = Field(description="At least one party member fell to 0 hit points.")
    somebody_dies_percent: Count = Field(description="At least one party member was dead at the end.")
    plays: Text = Field(description="The tactics of both sides.")


PLAYED = (
    "both sides strike the nearest foe with what hurts most: weapons, Multiattack, actions that recharge, legendary "
    "actions, spells that deal damage, from the strongest slot; not played: healing, other spells, spells of monsters, "
    "items, class features, flight; the party as it is now, 30 feet apart on open ground"
)


class Threat(Model):
    """How hard a fight would be, by two measures."""

    party: ListOf[HeroRow]
    monsters: ListOf[FoeRow]
    by_rules: ByRules
    by_simulation: BySimulation
