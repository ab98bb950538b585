"""Clocks: countdowns to events. Source: docs/tools/scenes.md, "Clocks"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import BeforeValidator, ConfigDict, Field, JsonValue, model_validator

from turnwright.model.base import ABSENT, Count, Entry, Flag, whole
from turnwright.model.mood import Label, Words

if TYPE_CHECKING:
    pass

SEGMENTS = (4, 6, 8)
"""The allowed numbers of segments of a clock."""


def _bound(segments: int) -> dict[str, JsonValue]:
    """Return what the schema says of a clock with so many segments."""
    return {
        "if": {"properties": {"segments": {"const": segments}}},
        "then": {"properties": {"filled": {"maximum": segments}}},
    }


class Clock(Entry):
    """One clock. A full one stays, with the turn in which it was completed."""

    model_config = ConfigDict(json_schema_extra={"allOf": [_bound(segments) for segments in SEGMENTS]})
    collection: ClassVar[str] = "clocks/"

    name: Label
    segments: Annotated[Literal[4, 6, 8], BeforeValidator(whole)]
    filled: Count = 0
    visible: Flag = Field(default=True, description="Hidden clocks are for the game master alone.")
    type: Literal["threat", "goal"]
    consequence: Words = Field(default="", description="What happens when it is full.")
    forces_action: Flag | None = Field(
        default=None, description="Whether it breaks into the scene; null: a threat does."
    )
    completed_at_turn: Count | None = ABSENT

    @model_validator(mode="after")
    def _within(self) -> Clock:
        if self.filled > self.segments:
            raise ValueError(f"filled is more than its {self.segments} segments")
        return self

    @property
    def is_full(self) -> bool:
        """Whether every segment is filled."""
        return self.filled == self.segments

    @property
    def breaks_in(self) -> bool:
        """Whether its completion forces the crew to act."""
        return self.type == "threat" if self.forces_action is None else self.forces_action
