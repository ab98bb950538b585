"""Stage 3 where a ruleset holds a conversation: answers, texts of players and outputs.

The ruleset says what is awaited and what it does; this module parses what was handed in and runs it on an overlay.
Source: docs/stages/3-tools.md, "Parts".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import MAX_DEPTH
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.protocol.parts import Part, PartResult, TurnContext
from turnwright.protocol.stage3_tools.arguments import parse_args
from turnwright.protocol.stage3_tools.normalize import normalize_args, with_original_keys
from turnwright.rulesets.conversation import Earlier, ModelledPart, PartContext, PartDone, Work
from turnwright.rulesets.in_use import tables_of


def part_context(
    number: int, cause: str, world: World, context: TurnContext, before: Sequence[PartResult] = ()
) -> PartContext:
    """Return what a ruleset gets to know for one part of a turn."""
    policy = context.policy
    dice, opened = context.dice.part(number), context.opened
    earlier = [
        Earlier(part.applied is not None and part.applied.broke, part.failure.reason if part.failure else None)
        for part in before
    ]
    acting_id = policy.acting_id
    return PartContext(world, dice, policy.settings, acting_id, context.seq, cause, policy.is_player, opened, earlier)


def require_call(name: str, world: World, context: TurnContext, before: Sequence[PartResult]) -> None:
    """Check 4: let the conversation that a tool belongs to refuse a call now, whether or not it has begun."""
    conversation = tables_of(world.campaign).conversation_of_tool(name)
    conversation.require_call(part_context(0, name, world, context, before))


def run_part(part: Part, world: World, context: TurnContext, before: Sequence[PartResult]) -> list[PartResult]:
    """Run an answer, a text of a player or an output, after what the engine does by itself before it."""
    assert context.policy.conversation is not None
    done: list[PartResult] = []
    while (work := context.policy.conversation.due(part_context(part.number, part.kind, world, context))) is not None:
        done.append(_run_by_itself(part._replace(kind="engine"), work, world, context))
    result = _run(part, world, context, before)
    return [*done, result] if result is not None else done


def run_after_failure(outcome: PartResult, world: World, context: TurnContext) -> list[PartResult]:
    """Run what the failure of a part means for the conversation."""
    if outcome.failure is None or context.policy.conversation is None:
        return []
    work = context.policy.conversation.after_failure(outcome.kind, outcome.failure)
    return [_run_by_itself(Part(outcome.part, outcome.tool, {}), work, world, context)] if work is not None else []


def _run_by_itself(part: Part, work: Work, world: World, context: TurnContext) -> PartResult:
    draft = World(world)
    done = work(part_context(part.number, part.kind, draft, context))
    world.merge(draft)
    return PartResult(part.number, part.kind, part.kind, done.args, done.applied, kind="engine")


def _run(part: Part, world: World, context: TurnContext, before: Sequence[PartResult]) -> PartResult | None:
    """Run a part on an overlay, which is dropped when it fails; None where the part is only recorded."""
    draft = World(world)
    ctx = part_context(part.number, part.kind, draft, context, before)
    assert context.policy.conversation is not None
    try:
        work = context.policy.conversation.part(ctx, part.content)
        if work is None:
            return None
        done = _run_modelled(part, work, ctx) if isinstance(work, ModelledPart) else work(ctx)
    except CallFailed as failure:
        shown = part.content if isinstance(part.content, Mapping) else {}
        return PartResult(part.number, part.kind, part.kind, shown, failure=failure, kind=part.kind)
    world.merge(draft)
    return PartResult(part.number, part.kind, part.kind, done.args, done.applied, kind=part.kind)


def _run_modelled(part: Part, work: ModelledPart, ctx: PartContext) -> PartDone:
    given = _object(part)
    model = work.model()
    if not work.is_loose:
        return work.run(ctx, parse_args(model, given, lambda: None, part.kind), given)
    try:
        understood, _ = normalize_args(model, given, part.kind)
        return work.run(ctx, parse_args(model, understood, lambda: None, part.kind), understood)
    except CallFailed as failure:
        raise with_original_keys(failure, given, part.kind) from None


def _object(part: Part) -> JsonObject:
    if not isinstance(part.content, Mapping):
        raise CallFailed(Reason.INVALID_ARGS, f"{part.kind}: is no object", _as_object(part))
    return part.content


def _as_object(part: Part) -> hint.Hint:
    """Return the hint for a part that is not an object: the object in its text."""
    from turnwright.protocol.stage3_tools.repair.provider_formats import coerce_args  # only what fails needs it

    said = coerce_args(part.content, MAX_DEPTH)
    return hint.repair(part.kind, part.content, said) if said else hint.ask(part.kind, part.content)
