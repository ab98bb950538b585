"""What players may see of the tools and parts of scene games."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "set_scene_style": visible("atmosphere pressure class", subject="caller"),
    "choose": visible("chosen_index chosen_label", subject="caller"),
    "spend_die": visible("request_id dice", subject="caller"),
    "engage": visible("position transition", subject="caller"),
    "resolve": visible("outcome tier immediate_danger complications transition", subject="caller"),
    "accept": visible("transition", subject="caller"),
    "accept_bargain": visible("new_pool_size cost_applied transition", subject="caller"),
    "retreat": visible("transition", subject="caller"),
    "pass_out": visible("clocks_advanced woke_up_at transition", subject="caller"),
    "answer": visible(
        "cancelled character_id chosen chosen_die_value clocks_advanced coin_applied cost_amount cost_applied "
        "cost_type heat_applied name new_pool_size resolution result_narrative stress_applied text tier "
        "transition woke_up_at",
        subject="caller",
    ),
    "user_input": visible("", subject="caller"),
    "output": visible("", subject="caller"),
}
