"""How lists show the tools of the scene game: the tools of the current mood come first."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "set_scene_style": listing(9, "style_atmosphere style_pressure style_class"),
    "choose": listing(8, "options"),
    "spend_die": listing(3, "situation outcomes | position"),
    "engage": listing(
        2, "engage_intent engage_approach engage_position engage_threat engage_opportunity | engage_domain"
    ),
    "resolve": listing(
        3,
        "resolve_outcome resolve_what | resolve_costs resolve_complications immediate_danger escape_route",
    ),
    "accept": listing(3, "accept_transition | next_variant"),
    "accept_bargain": listing(
        3,
        "offer_id bargain_description bargain_cost_type bargain_cost_amount | "
        "bargain_cost_target bargain_dice_gained bargain_trauma_name",
    ),
    "retreat": listing(4, "retreat_narration"),
    "pass_out": listing(5, "pass_out_narration wake_up_location | clocks_to_advance stakes"),
}
