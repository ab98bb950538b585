"""Hit points of characters with a maximum: a ruleset defines how they change."""

from __future__ import annotations

from typing import Protocol, TypedDict

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.rulesets.tool import Applied, Context

MemberVitals = TypedDict(
    "MemberVitals", {"class": str | None, "level": int | None, "hp": int | None, "max_hp": int | None, "ac": int | None}
)


class Vitals(Protocol):
    """The interface that a ruleset with sheets implements."""

    def change(self, world: World, character: Character, delta: int, ctx: Context) -> Applied:
        """Hurt (negative) or heal a character with a hit point maximum, as untyped damage or healing; report it."""
        ...

    def describe(self, character: Character) -> MemberVitals:
        """Return the entry in a list of the party for a character with a hit point maximum."""
        ...

    def hit_points(self, character: Character) -> tuple[int | None, int | None]:
        """Return the hit points that count now, and their maximum, of a character with a hit point maximum."""
        ...

    def is_down(self, character: Character) -> bool:
        """Return whether a character who is not at 0 hit points looks as if it were."""
        ...
