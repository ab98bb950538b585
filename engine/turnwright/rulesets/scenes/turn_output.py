"""The output of a turn of play: a narration and deltas, judged by the mood in which the segment began.

Source: docs/tools/scenes.md, "Outputs".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from turnwright.model.base import ABSENT, Flag, Id, ListOf, Model, SafeInt, Text
from turnwright.model.mood import Label, MoodName, SceneMood
from turnwright.model.prose import Narration, Note


class Range(NamedTuple):
    """The least and the most that a number may be."""

    low: int
    high: int

    def __contains__(self, number: object) -> bool:
        """Return whether a number is in the range."""
        return isinstance(number, int) and self.low <= number <= self.high


def ranged(low: int, high: int, description: str, default: int = 0) -> Any:
    """Return a number field whose range is checked when it is applied, so that the failure has its own reason."""
    return Field(default=default, description=description, json_schema_extra={"minimum": low, "maximum": high})


class ClockTicks(Model):
    """A clock that moves on."""

    clock_id: Id
    ticks: SafeInt = ranged(1, 2, "1 or 2 segments.", 1)
    reason: Text = Field(default="", max_length=200, description="Why, in a few words.")


class FactionShift(Model):
    """A faction that thinks better or worse of the crew."""

    faction_id: Id
    steps: SafeInt = ranged(-1, 1, "One step: -1 is worse, 1 is better.")


class ConsequenceEffects(Model):
    """The effects of a full clock."""

    consequence_id: Id = Field(description="The id of a pending consequence.")
    acknowledged: Literal[True] = True
    stress_delta: SafeInt = ranged(-2, 3, "Stress of the acting character.")
    heat_delta: SafeInt = ranged(-2, 3, "Heat of the crew.")
    coin_delta: SafeInt = ranged(-4, 8, "Coin of the acting character.")
    wanted_delta: SafeInt = ranged(0, 1, "Wanted level of the crew.")
    threat: Note | None = Field(default=None, description="A lasting threat.")
    rumor: Note | None = Field(default=None, description="What people say about it.")
    faction_shift: FactionShift | None = ABSENT
    note: Text = Field(default="", max_length=600, description="The events; the reason, if nothing else changes.")


class TurnOutput(Model):
    """The events now, told to the player, and their changes. Numbers are changes, never totals."""

    narration: Narration = Field(description="The text that the player reads, including dialogue.")
    narrative_connector: Literal["therefore", "but", "meanwhile"] | None = Field(
        default=None, description="How it follows from the previous turn; use meanwhile rarely."
    )
    stress_delta: SafeInt = ranged(-9, 9, "Change of the acting character's stress.")
    coin_delta: SafeInt = ranged(-20, 20, "Change of the acting character's coin.")
    heat_delta: SafeInt = ranged(0, 4, "Change of the crew's heat.")
    continue_scene: Flag = Field(default=True, description="false ends the scene.")
    cost_description: Note | None = Field(default=None, description="The cost that was paid, to be echoed later.")
    threat_description: Note | None = Field(default=None, description="The new threat, to be echoed later.")
    suggested_actions: ListOf[Label] = Field(default=(), description="2 or 3 things the player could do next.")
    trauma_assigned: Annotated[Text, Field(max_length=40)] | None = Field(
        default=None, description="The permanent scar, when a character breaks."
    )
    threats_resolved: ListOf[Text] = Field(default=(), description="Threats of the list that are over.")
    clock_ticks: Annotated[ListOf[ClockTicks], Field(max_length=2)] = Field(default=(), description="Clocks that move.")
    consequence_effects: ListOf[ConsequenceEffects] = Field(
        default=(), description="One entry for each pending consequence."
    )
    scene_variant: SceneMood | None = Field(default=None, description="The scene's mood now.")


NOTHING = Range(0, 0)
NUMBERS: Mapping[str, Range] = {"stress_delta": Range(-9, 9), "heat_delta": Range(0, 4), "coin_delta": Range(-20, 20)}
"""The widest range of each delta, in any mood."""
MASK: Mapping[MoodName, Mapping[str, Range]] = {
    "scene": {"stress_delta": NOTHING, "heat_delta": NOTHING, "coin_delta": Range(-20, 20)},
    "action": {"stress_delta": NOTHING, "heat_delta": NOTHING, "coin_delta": NOTHING},
    "aftermath": {"stress_delta": Range(-2, 2), "heat_delta": Range(0, 2), "coin_delta": Range(-20, 20)},
    "trauma": {"stress_delta": NOTHING, "heat_delta": NOTHING, "coin_delta": NOTHING},
}
"""How far each mood lets a number go."""
FIELDS: Mapping[str, tuple[MoodName, ...]] = {
    "cost_description": ("aftermath",),
    "threat_description": ("scene", "aftermath"),
    "clock_ticks": ("aftermath",),
    "consequence_effects": ("scene", "action", "aftermath"),
    "threats_resolved": ("scene", "aftermath"),
    "scene_variant": ("scene", "aftermath"),
    "trauma_assigned": ("trauma",),
}
"""The moods in which each other field is allowed."""
ENDING: tuple[MoodName, ...] = ("scene", "aftermath")
"""The moods in which a scene can end."""


def fields_of(mood: MoodName) -> list[str]:
    """Return the fields that an output may use in a mood, in the order of the model."""
    numbers = [name for name, allowed in MASK[mood].items() if allowed != NOTHING]
    others = [name for name, moods in FIELDS.items() if mood in moods]
    always = ["narration", "narrative_connector", "suggested_actions"]
    ending = ["continue_scene"] if mood in ENDING else []
    wanted = {*numbers, *others, *always, *ending}
    return [name for name in TurnOutput.model_fields if name in wanted]
