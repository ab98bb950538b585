"""A read-only tool called outside a turn: the checks of stage 3, and nothing recorded.

Source: docs/stages/3-tools.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from turnwright.model.call_shapes import read_call
from turnwright.model.dice.draws import Dice
from turnwright.model.errors import BadRequest
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.protocol.parts import Part, PartResult, TurnContext
from turnwright.protocol.stage1_intake import depth_of_args, plain_call
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.protocol.stage3_tools.checks import tool_called
from turnwright.protocol.stage3_tools.run import run_call
from turnwright.protocol.stage5_commit import applied_action, failed_call

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry
    from turnwright.model.wire.shapes import FailedCall, QueryAnswer


def query(
    name: str, args: JsonObject, world: World, policy: TurnPolicy, open_packs: Callable[[], PackRegistry] | None = None
) -> QueryAnswer:
    """Call a read-only tool outside a turn: the same checks, nothing recorded.

    Args:
        name: the tool.
        args: its arguments.
        world: the campaign.
        policy: the policy of the call.
        open_packs: gives the content packs that the campaign can use.

    Raises:
        BadRequest: when the tool would change something.
    """
    tool = tool_called(name, policy.tools)
    if tool is not None and not tool.reads:
        raise BadRequest(f"{name} changes the campaign; hand it in as a turn")
    call, fault = plain_call({"id": "query", "tool": name, "args": dict(args)})
    depth = depth_of_args(policy.settings)
    context = TurnContext(policy, Dice(b"", "query"), open_packs=open_packs, max_args_depth=depth)
    outcome = run_call(Part(1, "call", read_call(call), fault), world, context)
    if policy.is_player:
        return _answer_to_player(outcome, world, policy.acting_id or "")
    if outcome.applied:
        return {"ok": True, "result": outcome.applied.result}
    return _describe_failure(failed_call(outcome))


def _describe_failure(failed: FailedCall) -> QueryAnswer:
    answer: QueryAnswer = {
        "ok": False,
        "status": failed["status"],
        "reason": failed["reason"],
        "detail": failed["detail"],
    }
    if "hint" in failed:
        answer["hint"] = failed["hint"]
    if "hints" in failed:
        answer["hints"] = failed["hints"]
    return answer


def _answer_to_player(outcome: PartResult, world: World, character_id: str) -> QueryAnswer:
    """Return what a player may know of the answer, as of their own call in a turn."""
    from turnwright.protocol.stage6_publish.onlookers import Onlookers
    from turnwright.protocol.stage6_publish.player_hints import known_to
    from turnwright.protocol.stage6_publish.publish import own_action, redact_own_failure

    known = known_to(world, character_id)
    if outcome.applied:
        action = applied_action(outcome, "")
        seen = own_action(action, Onlookers(world), lambda item: redact_own_failure(item, known))
        return {"ok": True, "result": seen["result"]}
    return _describe_failure(redact_own_failure(failed_call(outcome), known))
