"""Arguments and results of `manage_condition`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, Text
from turnwright.model.creature import Condition, CustomMechanical, Lasting, RollKind, Rounds, Words
from turnwright.model.vocabulary import Ability, ConditionWord, Word
from turnwright.rulesets.fifth_edition.condition_rules import mechanical
from turnwright.rulesets.fifth_edition.sheets.derived_stats import mechanics
from turnwright.rulesets.references import Choice, Name, NewLabel, ParticipantId, RunningEncounterId
from turnwright.rulesets.toolkit import ToolkitArgs

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import HeldConditionReport

Operation = Annotated[
    Literal["add", "remove", "query", "tick"],
    Choice(
        synonyms={
            "add": ("apply", "give", "inflict", "set"),
            "remove": ("clear", "cure", "delete", "end", "lift"),
            "query": ("get", "list", "show", "check", "view"),
            "tick": ("decrement", "advance", "count down"),
        }
    ),
]
ConditionOrAll = Annotated[Literal[ConditionWord, "all"], Word("condition")]
UntilWhat = Annotated[
    Literal["concentration", "until_dispelled", "until_rest", "save_ends"],
    Choice(
        synonyms={
            "concentration": ("concentrating", "while concentrating"),
            "until_dispelled": ("dispelled", "until dispel"),
            "until_rest": ("rest", "until a rest"),
            "save_ends": ("save", "until saved", "until save"),
        }
    ),
]


class ManageConditionArgs(ToolkitArgs):
    """Arguments of `manage_condition`."""

    target_id: ParticipantId | None = Field(default=None, description="The bearer of the conditions.")
    target_name: Name | None = Field(default=None, description="The bearer's name, in place of target_id.")
    encounter_id: RunningEncounterId | None = Field(
        default=None, description="The fight, when the target exists in it alone."
    )
    operation: Operation = Field(
        description="add or remove a condition; query its conditions; tick takes a round from those counted in rounds."
    )
    condition: ConditionOrAll | None = Field(
        default=None, description="Which condition, for add and remove; all removes every one."
    )
    source: Words | None = Field(
        default=None, description="Its source; an id or a name of a creature ties it to that creature."
    )
    description: Words | None = Field(default=None, description="A description in words; no rule reads it.")
    duration: Rounds | UntilWhat | None = Field(
        default=None,
        description="Rounds, or what ends it: concentration (of the source), until_dispelled, until_rest, save_ends "
        "(then save_dc and save_ability are required). Left out: it stays until it is removed.",
        examples=[10, "save_ends"],
    )
    save_dc: Annotated[int, Field(strict=True, ge=1, le=100, examples=[13])] | None = Field(
        default=None, description="The DC of the saving throw that ends it."
    )
    save_ability: Ability | None = Field(default=None, description="The ability that saving throw is made with.")
    exhaustion_levels: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        default=1, description="How many levels of exhaustion are added or removed."
    )
    custom_name: NewLabel | None = Field(
        default=None, description="A condition other than the fifteen, in place of `condition`."
    )
    mechanical: CustomMechanical | None = Field(default=None, description="The effects of such a condition on numbers.")


class MechanicalResult(Model):
    """The effects of a condition."""

    disadvantage_on: ListOf[RollKind]
    speed_multiplier: int | float
    max_hp_multiplier: int | float
    cannot_move: Flag
    can_only_crawl: Flag
    incapacitated: Flag
    auto_fail_saves: ListOf[Ability]
    dead: Flag


class ConditionResult(Model):
    """One condition of a creature."""

    condition: Text
    source: Text | None
    duration: Rounds | Lasting | Literal["save_ends"] | None = Field(description="Null: until it is removed.")
    rounds_remaining: Count | None
    save_dc: SafeInt | None
    save_ability: Ability | None
    exhaustion_level: SafeInt | None
    mechanical: MechanicalResult


class ManageConditionResult(Model):
    """The result, and the creature's conditions now."""

    target: Id
    operation: Text
    changed: Flag = Field(description="Whether anything is other than before.")
    blocked: Flag = Field(description="Whether they are immune to it.")
    condition: Text | None
    exhaustion_level: SafeInt | None = Field(description="Their level now, where the call is about exhaustion.")
    conditions: ListOf[ConditionResult]
    expired: ListOf[Text] = Field(description="Conditions that ran out.")
    ticked: ListOf[Text] = Field(description="Conditions with rounds left.")
    concentration_broken: Flag


def shown(condition: Condition) -> HeldConditionReport:
    """Return a condition as results hold it."""
    return {
        "condition": condition.condition,
        "source": condition.source,
        "duration": condition.duration,
        "rounds_remaining": condition.rounds_remaining,
        "save_dc": condition.save_dc,
        "save_ability": condition.save_ability,
        "exhaustion_level": condition.exhaustion_level,
        "mechanical": mechanical(mechanics(condition)),
    }
