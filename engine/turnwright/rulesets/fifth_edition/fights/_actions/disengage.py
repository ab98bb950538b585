"""disengage: leave without being struck at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport


def disengage(act: ActionContext) -> Prepared:
    """Provoke no opportunity attacks for the rest of the turn."""

    def carry_out() -> ActionReport:
        act.change(act.actor_id, economy=act.actor.economy.replace(disengaged=True))
        return {}

    return Prepared(carry_out)
