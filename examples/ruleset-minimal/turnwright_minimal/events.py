"""What the tools cause that is worth telling."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.api import EventType

EVENTS: Mapping[str, EventType] = {
    "MomentumSpent": EventType(("character_id", "left"), "`spend_momentum` rolls another die"),
}
