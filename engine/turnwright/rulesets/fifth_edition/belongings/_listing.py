"""How lists show the tools of belongings."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "manage_inventory": listing(
        35,
        "operation character_id item_name | quantity to_character_id slot item item_id",
        inner="item.name item.type item.quantity item.value item.description item.damage item.ac",
        words="pick take loot buy sell drop carry item",
    ),
    "get_session_context": listing(42, "| include"),
}
