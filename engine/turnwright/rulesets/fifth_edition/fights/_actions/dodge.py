"""dodge: look out for blows until the next turn."""

from __future__ import annotations

from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, Report


def dodge(act: ActionContext) -> Prepared:
    """Put attacks on the actor at a disadvantage, and its DEX saves at an advantage, until its next turn."""

    def carry_out() -> Report:
        act.change(act.actor_id, dodging=True)
        return {}

    return Prepared(carry_out)
