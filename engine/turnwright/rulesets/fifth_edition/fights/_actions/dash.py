"""dash: move farther this turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.rulesets.fifth_edition.battlefield import values_of
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport


def gained(act: ActionContext) -> int:
    """Return the feet that a dash adds to the movement of the turn."""
    return values_of(act.world, act.actor).speed.effective


def dash(act: ActionContext) -> Prepared:
    """Add the current speed to the movement of this turn."""
    feet = gained(act)

    def carry_out() -> ActionReport:
        economy = act.actor.economy
        act.change(act.actor_id, economy=economy.replace(dashes=economy.dashes + feet))
        return {}

    return Prepared(carry_out)
