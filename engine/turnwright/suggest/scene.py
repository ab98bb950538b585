"""What a narration is compared with: who and what is near, and what became of the turn's calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """One tool call and what became of it. `reason` is None when it was applied, `result` empty when it was not.

    `is_at_maximum` tells that it left its target with all the hit points they can have.
    """

    tool: str
    args: Mapping[str, Any]
    applied: bool
    reason: str | None
    result: Mapping[str, Any]
    is_at_maximum: bool = False

    @property
    def target(self) -> str | None:
        """Whom the call names as its target, as it was asked; None where it names nobody."""
        value = self.args.get("target_character_id")
        return value if isinstance(value, str) else None

    def text(self, key: str) -> str | None:
        """Return the result's `key`, else the argument's, when it is a string."""
        for source in (self.result, self.args):
            value = source.get(key)
            if isinstance(value, str):
                return value
        return None


@dataclass(frozen=True, slots=True)
class Person:
    """A character near the turn; `state` is what it was after it, None when unknown."""

    id: str
    name: str | None
    state: str | None


@dataclass(frozen=True, slots=True)
class Scene:
    """One turn after its calls ran.

    `areas` maps the ids near, and those the turn touched, to names; `faces` are all values and totals drawn.
    """

    acting: str | None
    people: tuple[Person, ...]
    areas: Mapping[str, str]
    outcomes: tuple[CallOutcome, ...]
    faces: tuple[int, ...]
    dialog_type: str
