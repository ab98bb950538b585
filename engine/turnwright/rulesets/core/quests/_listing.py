"""How lists show the tool of quests."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "manage_quest": listing(50, "operation quest_id title | objectives objective_id giver_id reward"),
}
