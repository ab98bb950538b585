"""What players may see of the tools of places, the party and notes."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "manage_location": visible("location connections changes edge locations count", audience="caller"),
    "move_party": visible("moved from to via location placed exits history total_moves"),
    "manage_party": visible("members size member previous_role removed"),
    "manage_notes": visible("note notes count total", audience="caller"),
}
