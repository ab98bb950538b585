"""What players may see of the tools of belongings."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "manage_inventory": visible(
        "operation character_id item quantity remaining slot unequipped items count equipped total_weight "
        "capacity encumbered from to healing",
    ),
    "get_session_context": visible("location party notes combat summary", audience="caller"),
}
