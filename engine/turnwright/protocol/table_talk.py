"""Talk among players, which no game master's agent answers.

Source: docs/agents.md, "Seats".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.state.overlay import World

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

HANDLED = ("assistant_text", "tool_calls", "output", "answer")
"""The content of a turn that needs no further answer."""


def is_aside(record: Record, world: World) -> bool:
    """Return whether a text addresses only players' characters, so that no game master's agent answers it."""
    if "user_input" not in record or any(key in record for key in HANDLED):
        return False
    named = [world.character(one) for one in record.get("addressees", ())]
    return bool(named) and all(one is not None and one.character_type == "pc" for one in named)
