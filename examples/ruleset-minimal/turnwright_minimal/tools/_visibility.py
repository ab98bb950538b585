"""What players may be told of the calls of the tools."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.api import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "pool_roll": visible("faces successes momentum", subject="sheet"),
    "spend_momentum": visible("face success momentum", subject="sheet"),
}
