"""An effect as a call describes it, and as a document holds it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from turnwright.model.base import ListOf, Model, Text
from turnwright.model.creature import Effect, Moment, Rounds, Words
from turnwright.model.fuzzy_words import spelling
from turnwright.model.vocabulary import DamageType, Skill, words
from turnwright.rulesets.fifth_edition.sheets._sheet_args import ABILITY_KEYS, AbilityPoints, Points, wants
from turnwright.rulesets.fifth_edition.sheets.checks import ATTACKS, CHECKS, DEATH_SAVES, INITIATIVE, SAVES
from turnwright.rulesets.references import Choice, DiceText

Kind = Annotated[
    Literal["boon", "curse", "neutral"],
    Choice({"boon": ("buff", "blessing", "bonus"), "curse": ("debuff", "hex", "malus"), "neutral": ("other", "none")}),
]
_UNTIL = {
    "concentration": ("concentrating",),
    "until_dispelled": ("dispelled", "permanent", "forever"),
    "until_rest": ("rest", "until long rest", "until short rest"),
}
Duration = Annotated[
    Rounds | Annotated[Literal["concentration", "until_dispelled", "until_rest"], Choice(_UNTIL)],
    wants("wants a number of rounds, concentration, until_dispelled or until_rest"),
]
Trigger = Annotated[
    Moment,
    Choice(
        {
            "start_of_turn": ("turn start", "on turn start"),
            "end_of_turn": ("turn end", "on turn end"),
            "on_attack": ("attack", "when attacking"),
            "on_hit": ("hit", "when hitting"),
            "on_damage_taken": ("damage", "on damage", "when damaged"),
            "on_death": ("death", "when killed"),
        }
    ),
]
RollName = Annotated[Text, Field(min_length=1, max_length=100, examples=["saving_throws"])]
EffectName = Annotated[Text, Field(min_length=1, max_length=200, pattern=r"\S", examples=["Blessing"])]


class EffectArgs(Model):
    """A boon, a curse or another lasting effect."""

    name: EffectName = Field(description="Its name; a new effect of the same name replaces it.")
    type: Kind = Field(default="neutral", description="boon: good for the bearer; curse: bad; neutral: neither.")
    source: Words | None = Field(
        default=None, description="Its source. With duration concentration: id or name of the concentrating creature."
    )
    ac_bonus: Points = Field(default=0, description="Added to armor class.")
    attack_bonus: Points | DiceText = Field(default=0, description="Added to attack rolls: a number, or dice.")
    saving_throw_bonus: Points | DiceText = Field(default=0, description="Added to saving throws, likewise.")
    check_bonus: DiceText | None = Field(
        default=None, description="Added to ability checks: dice, or a number as text."
    )
    uses: Annotated[int, Field(strict=True, ge=1, le=100)] | None = Field(
        default=None, description="Number of rolls that its dice are added to before it ends."
    )
    speed_modifier: Points = Field(default=0, description="Added to the speed, in feet.")
    max_hp_modifier: Points = Field(default=0, description="Added to the hit point maximum.")
    damage_bonus: DiceText | None = Field(default=None, description="Dice added to the damage of attacks.")
    ability_bonuses: AbilityPoints = Field(default_factory=dict, description="Added to scores: str, dex, con, ...")
    resistances: ListOf[DamageType] = Field(default=(), description="Damage the bearer takes half of.")
    immunities: ListOf[DamageType] = Field(default=(), description="Damage the bearer takes nothing of.")
    vulnerabilities: ListOf[DamageType] = Field(default=(), description="Damage the bearer takes double of.")
    advantage_on: ListOf[RollName] = Field(
        default=(), description="Rolls with advantage: attack_rolls, ability_checks, saving_throws, stealth, dex_saves."
    )
    disadvantage_on: ListOf[RollName] = Field(default=(), description="Rolls with disadvantage, named likewise.")
    duration: Duration | None = Field(
        default=None, description="Rounds, or the event that ends it. Absent: until it is removed."
    )
    trigger: Trigger | None = Field(
        default=None,
        description="When `trigger_effect` should happen; on_attack and on_hit: as the bearer attacks, hits.",
    )
    trigger_effect: Words | None = Field(
        default=None, description="What happens then, in words: results report it, and you play it out."
    )


def effect_of(args: EffectArgs, effect_id: str, source: str | None) -> Effect:
    """Return the effect that a call describes, with remaining rounds if its duration is counted in rounds."""
    rounds = args.duration if isinstance(args.duration, int) else None
    given = args.model_dump() | {"check_bonus": args.check_bonus or 0}
    return Effect(**given | {"effect_id": effect_id, "source": source, "rounds_remaining": rounds})


def unknown_rolls(args: EffectArgs) -> list[str]:
    """Return the rolls of a call that no rule ever looks for."""
    return [roll for roll in (*args.advantage_on, *args.disadvantage_on) if spelling(roll) not in _ROLLS]


_ROLLS = frozenset(
    spelling(roll)
    for roll in (
        *ATTACKS,
        *CHECKS,
        *SAVES,
        *INITIATIVE,
        *DEATH_SAVES,
        *ABILITY_KEYS,
        *(f"{ability}_checks" for ability in ABILITY_KEYS),
        *(f"{ability}_saves" for ability in ABILITY_KEYS),
        *words(Skill),
        *(f"{skill}_checks" for skill in words(Skill)),
    )
)
