"""disengage: leave without being struck at."""

from __future__ import annotations

from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, Report


def disengage(act: ActionContext) -> Prepared:
    """Provoke no opportunity attacks for the rest of the turn."""

    def carry_out() -> Report:
        act.change(act.actor_id, economy=act.actor.economy.replace(disengaged=True))
        return {}

    return Prepared(carry_out)
