"""What players may see of the tools of space."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "measure_distance": visible("distance_feet distance_squares mode delta from to", audience="caller"),
    "calculate_aoe": visible("shape tiles tile_count footprint footprint_count creatures", audience="caller"),
    "check_line_of_sight": visible(
        "line_of_sight blocked cover ac_bonus dex_save_bonus distance_feet blocked_by can_see obscurement detected_by",
        audience="caller",
    ),
    "check_cover": visible("cover ac_bonus dex_save_bonus targetable sources distance_feet", audience="caller"),
    "place_prop": visible("prop props count moved", audience="caller"),
    "calculate_movement": visible(
        "path cost_feet steps difficult_squares reachable within_movement squares count opportunity_attacks_from",
        audience="caller",
    ),
}
