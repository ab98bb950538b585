"""An event of a turn: a fact that a part caused. Which types there are, rulesets declare.

Source: docs/stages/6-publish.md, "The reply".
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from turnwright.model.strict_json import copied

Audience = Literal["player", "gm", "log"]
"""Who an event is for."""


class Event(NamedTuple):
    """A fact that a part of a turn caused."""

    type: str
    part: int
    segment: int | None
    audience: Audience
    data: Mapping[str, Any]
    cause: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the event as replies and records hold it; the data is a copy, apart from any document."""
        return self._asdict() | {"data": copied(self.data)}
