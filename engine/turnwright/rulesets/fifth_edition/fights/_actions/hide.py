"""hide: try not to be noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.rulesets.fifth_edition.battlefield import are_hostile, living, values_of
from turnwright.rulesets.fifth_edition.condition_sources import fear_in_sight
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared
from turnwright.rulesets.fifth_edition.fights._contest import check
from turnwright.rulesets.fifth_edition.fights._economy import why_unable
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.skills import passive_score

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport


def hide(act: ActionContext) -> Prepared:
    """Make a stealth check against what the enemies notice; it does not check for anything to hide behind."""
    dc = _noticed(act) if act.args.dc is None else act.args.dc

    def carry_out() -> ActionReport:
        made = check(act, act.actor_id, "stealth")
        hidden = made.total >= dc
        act.change(act.actor_id, hidden=hidden)
        return {"check": made.shown(dc)}

    return Prepared(carry_out)


def _noticed(act: ActionContext) -> int:
    """Return the highest passive perception of the enemies that are awake, 0 when there are none."""
    world, actor, encounter = act.world, act.actor, act.encounter
    highest = 0
    for enemy in living(world, encounter):
        if are_hostile(actor, enemy) and why_unable(world, enemy.replace(surprised=False)) is None:
            values = values_of(world, enemy)
            sources = checks.check_sources(
                values, "wis", "perception", fear_in_sight=fear_in_sight(world, encounter, enemy)
            )
            highest = max(highest, passive_score(checks.skill_check(values, "perception").total, sources.mode))
    return highest
