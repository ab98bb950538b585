"""How lists show the tools of the map and of plain hit points."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "move": listing(30, "to_area_id | actor_id from_area_id", words="go walk travel"),
    "hp_delta": listing(45, "target_character_id delta cause", words="heal hurt damage wound injure"),
    "map_generate": listing(90, "parent_area_id theme constraints"),
    "move_options": listing(31, "actor_id"),
}
