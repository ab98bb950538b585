"""How lists show the tools of places, the party and notes."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "manage_location": listing(
        60,
        "operation name location_id | description from_location_id to_location_id connection_type locked",
        words="room town place",
    ),
    "move_party": listing(20, "to_location_id | operation force", words="travel journey go"),
    "manage_party": listing(75, "operation character_id | role"),
    "manage_notes": listing(58, "operation content | query tags importance note_id"),
}
