"""How lists show the tools that measure a battlefield."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "measure_distance": listing(41, "from to | encounter_id"),
    "calculate_aoe": listing(71, "shape origin radius length encounter_id"),
    "check_line_of_sight": listing(73, "from_id to_id encounter_id"),
    "check_cover": listing(74, "attacker_id target_id encounter_id"),
    "place_prop": listing(78, "operation name type position encounter_id"),
    "calculate_movement": listing(76, "mode combatant_id to_position encounter_id"),
}
