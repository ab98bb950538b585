"""Visibility of the fight tools' results for players."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

_HERE = "turnwright.rulesets.fifth_edition.fights"
VISIBILITY: Mapping[str, Visibility] = {
    "create_encounter": visible("encounter_id round lighting current_turn order terrain"),
    "get_encounter": visible(
        "encounter_id status round current_turn participant_count outcome participants turn_index terrain "
        "areas lighting auras props actions",
        audience="caller",
    ),
    "execute_action": visible(
        "action_type actor target attack damage target_hp check contest movement opportunity_attacks",
        redaction=f"{_HERE}._redaction:ACTION",
    ),
    "advance_turn": visible(
        "round new_round previous current expired ticked saves effects_expired triggered concentration_ended "
        "terrain_expired auras_expired aura_results hazard_results concentration_checks death_save_required "
        "all_down next",
        redaction=f"{_HERE}._redaction:TURN",
    ),
    "roll_death_save": visible(
        "character natural rolls modifier total outcome successes failures is_stable is_dead hp",
    ),
    "manage_condition": visible(
        "target operation changed blocked condition exhaustion_level conditions expired ticked concentration_broken",
    ),
    "render_battlefield": visible("viewport rows symbols legend header", audience="caller"),
    "modify_terrain": visible("operation terrain_type affected count totals", audience="caller"),
    "end_encounter": visible("outcome rounds summary participant_updates committed"),
    "manage_encounter": visible(
        "encounter_id status round lighting current_turn added order terrain participant_count participants "
        "turn_index areas auras props actions outcome rounds summary participant_updates committed encounters count",
    ),
}
