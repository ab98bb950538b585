"""What players may be told of the tools of places, belongings and notes."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "manage_location": visible("location connections changes edge locations count", audience="caller"),
    "move_party": visible("moved from to via location placed exits history total_moves"),
    "manage_party": visible("members size member previous_role removed"),
    "manage_inventory": visible(
        "operation character_id item quantity remaining slot unequipped items count equipped total_weight "
        "capacity encumbered from to healing",
    ),
    "manage_notes": visible("note notes count total", audience="caller"),
    "get_session_context": visible("location party notes combat summary", audience="caller"),
}
