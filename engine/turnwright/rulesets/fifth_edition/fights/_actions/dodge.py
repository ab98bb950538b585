"""dodge: look out for blows until the next turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport


def dodge(act: ActionContext) -> Prepared:
    """Put attacks on the actor at a disadvantage, and its DEX saves at an advantage, until its next turn."""

    def carry_out() -> ActionReport:
        act.change(act.actor_id, dodging=True)
        return {}

    return Prepared(carry_out)
