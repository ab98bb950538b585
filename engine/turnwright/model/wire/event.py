"""An event of a turn: a fact that a part caused. Rulesets declare the types.

Source: docs/stages/6-publish.md, "The reply".
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from turnwright.model.strict_json import copied

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import RecordedEvent

Audience = Literal["player", "gm", "log"]
"""The audience of an event."""


class Event(NamedTuple):
    """A fact that a part of a turn caused."""

    type: str
    part: int
    segment: int | None
    audience: Audience
    data: Mapping[str, Any]
    cause: str | None

    def as_json(self) -> "RecordedEvent":
        """Return the event as replies and records hold it; the data is a copy, apart from any document."""
        return {
            "type": self.type,
            "part": self.part,
            "segment": self.segment,
            "audience": self.audience,
            "data": copied(self.data),
            "cause": self.cause,
        }
