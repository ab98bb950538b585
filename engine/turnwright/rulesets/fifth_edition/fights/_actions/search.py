"""search: look for something, or for a hidden creature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import values_of
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared
from turnwright.rulesets.fifth_edition.fights._contest import check
from turnwright.rulesets.fifth_edition.sheets.checks import senses_missed

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport

_SEARCHING = ("perception", "investigation")


def search(act: ActionContext) -> Prepared:
    """Make a perception or investigation check; a target that hides is found by a success."""
    skill = act.args.skill or "perception"
    if skill not in _SEARCHING:
        repair = hint.ask("args.skill", skill, _SEARCHING)
        raise CallFailed(Reason.INVALID_ARGS, f"args.skill: nobody searches with {skill}", repair)
    dc = act.args.dc or 0

    def carry_out() -> ActionReport:
        made = check(act, act.actor_id, skill)
        act.warnings += senses_missed(values_of(act.world, act.actor), act.actor_id, skill)
        found = [each for each in act.target_ids if made.total >= dc and act.person(each).hidden]
        for each in found:
            act.change(each, hidden=False)
        return {"check": made.shown(dc), **({"found": found} if act.target_ids else {})}

    return Prepared(carry_out)
