"""Stage 3: authorize each part of a turn, run it on an overlay, and report its result.

Source: docs/stages/3-tools.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.model.call_shapes import Call
from turnwright.model.character import Character
from turnwright.model.dice.draws import DiceNeeded, PartDice
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import compact, reread, texts_in
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.protocol.attempt import Attempt, PartsDone
from turnwright.protocol.parts import Part, PartResult, TurnContext, abort, is_of_turn
from turnwright.protocol.stage1_intake import ParsedTurn
from turnwright.protocol.stage3_tools.arguments import parse_args, require_unwrapped
from turnwright.protocol.stage3_tools.checks import check_call, tool_called
from turnwright.protocol.stage3_tools.operation_args import parse_operation
from turnwright.protocol.table_dice import request_for
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.tool import Applied, Context, Legal, Tool

if TYPE_CHECKING:
    from turnwright.model.wire.event import Event
    from turnwright.protocol.stage3_tools.batch import Done

_KEYS_OF_A_CALL = 3
MAX_RESULT_BYTES = 4_194_304
"""The most bytes that the results of the toolkit's calls in one turn have together, unless one alone has more."""


def run_parts(attempt: Attempt) -> PartsDone:
    """Run the parts of a turn in order, each on the result of the previous one.

    If the table must roll dice first or gave up the turn, nothing is done.
    """
    before, context, answer = attempt.inputs.world, attempt.context, attempt.incoming.answer
    if attempt.earlier and answer and answer.is_cancel:
        return PartsDone(World(before), (), "canceled")
    if attempt.earlier and attempt.earlier.request and answer and answer.failure:
        return PartsDone(World(before), [answer.as_failed_part()], "waiting", request=attempt.earlier.request)
    world = World(before)
    try:
        outcomes = _run_turn(attempt.incoming.received, world, context)
    except DiceNeeded as needed:
        return PartsDone(World(before), (), "waiting", request=request_for(needed.dice, context.seq, context.policy))
    reported = [outcome for outcome in outcomes if _is_reported(outcome)]
    applied = [outcome for outcome in reported if outcome.applied is not None]
    return PartsDone(world, outcomes, _status_of(reported, applied), _narration_of(outcomes), applied=applied)


def _is_reported(outcome: PartResult) -> bool:
    """Return whether it is a part that is reported: not what the engine did by itself, nor a text that was taken."""
    return outcome.kind != "engine" and (outcome.kind != "user_input" or outcome.applied is None)


def _status_of(reported: Sequence[PartResult], applied: Sequence[PartResult]) -> str:
    if not reported:
        return "empty"
    if not applied:
        return "failed"
    return "partial" if len(applied) < len(reported) or any(map(_is_partial, applied)) else "applied"


def _is_partial(outcome: PartResult) -> bool:
    """Return whether it was applied except for some items of a batch."""
    return (
        outcome.applied is not None
        and "results" in outcome.applied.result
        and outcome.applied.result.get("failed", 0) > 0
    )


def _narration_of(outcomes: Sequence[PartResult]) -> str | None:
    """Return the narration of an output that was applied, as it was handed in; None when there is none."""
    handed_in = [outcome.args for outcome in outcomes if outcome.kind == "output" and outcome.applied]
    told = handed_in[-1].get("narration") if handed_in else None
    return told if isinstance(told, str) else None


def _run_turn(received: ParsedTurn, world: World, context: TurnContext) -> list[PartResult]:
    """Run all parts; `world` holds what they changed.

    An atomic turn applies whole or not at all: the first failing part keeps its reason, all others are aborted.
    """
    conversation = context.policy.conversation
    if conversation is not None:
        context = context._replace(opened=conversation.open(received.turn, world))
    if not received.turn.atomic:
        return _run_all(received, world, context)
    draft = World(world)
    given = tuple(context.dice.given)
    outcomes = _run_all(received, draft, context._replace(is_atomic=True))
    failed = next((outcome for outcome in outcomes if outcome.failure), None)
    if failed is None:
        world.merge(draft)
        return outcomes
    context.dice.forget(0, given)
    asked = filter(is_of_turn, outcomes)
    return [*(entry if entry is failed else abort(entry) for entry in asked), *_follow_failure(failed, world, context)]


def _parts_of_turn(received: ParsedTurn, *, takes_text: bool) -> list[Part]:
    """Return the parts of a turn in order.

    Args:
        received: the turn.
        takes_text: whether what a player says is a part: in a scene game it is.
    """
    turn, calls = received.turn, received.calls
    parts = [Part(0, "answer", turn.answer)] if "answer" in received.raw else []
    if takes_text and "user_input" in received.raw:
        parts = [Part(0, "user_input", turn.user_input)]
    parts += [Part(i, "call", call, received.bad_calls.get(i - 1)) for i, call in enumerate(calls, start=1)]
    if "output" in received.raw:
        parts.append(Part(len(calls) + 1, "output", turn.output))
    return parts


def _run_all(received: ParsedTurn, world: World, context: TurnContext) -> list[PartResult]:
    outcomes: list[PartResult] = []
    for part in _parts_of_turn(received, takes_text=context.policy.conversation is not None):
        if part.kind == "call":
            done = [run_call(part, world, context, outcomes)]
        elif context.policy.conversation is None:
            done = [_refuse_part(part)]
        else:
            from turnwright.protocol.stage3_tools.conversation_parts import run_part

            done = run_part(part, world, context, outcomes)
        outcomes += [*done, *_follow_failure(done[-1], world, context)] if done else []
    return outcomes


def _follow_failure(outcome: PartResult, world: World, context: TurnContext) -> list[PartResult]:
    """Book what a failure means for the conversation."""
    if outcome.failure is None or context.policy.conversation is None:
        return []
    from turnwright.protocol.stage3_tools.conversation_parts import run_after_failure

    return run_after_failure(outcome, world, context)


def _refuse_part(part: Part) -> PartResult:
    content = part.content if isinstance(part.content, Mapping) else {}
    failure = CallFailed(Reason.STAGE_MISMATCH, f"nothing in this campaign awaits an {part.kind}")
    if not isinstance(part.content, Mapping):
        failure = CallFailed(Reason.INVALID_ARGS, f"{part.kind}: is no object")
    return PartResult(part.number, part.kind, part.kind, content, failure=failure, kind=part.kind)


def run_call(part: Part, world: World, context: TurnContext, before: Sequence[PartResult] = ()) -> PartResult:
    """Run one call on an overlay, and take over what it changed where it was applied."""
    call: Call = part.content
    shown = PartResult(part.number, call.id, call.tool, call.args)
    draft = World(world)
    dice, drawn, given = context.dice, len(context.dice.drawn), tuple(context.dice.given)
    try:
        outcome = _apply(part, shown, draft, PartDice(dice, part.number), context, before)
        if context.is_atomic and _is_partial(outcome):
            raise _as_failed(outcome)
    except CallFailed as failure:
        dice.forget(drawn, given)  # a failed call draws nothing, whatever it drew before it failed
        failure = _unless_repeated(_with_arguments_beside(failure, call, context), shown, context)
        return shown._replace(failure=_adapt_to_caller(context, failure))
    world.merge(draft)
    return outcome


def _adapt_to_caller(context: TurnContext, failure: CallFailed) -> CallFailed:
    """Return a failure as it is reported to the caller: models have no dice to give."""
    if not context.policy.is_of_model:
        return failure
    from turnwright.protocol.stage3_tools.given_dice import without_offered_dice

    return without_offered_dice(failure)


def _with_arguments_beside(failure: CallFailed, call: Call, context: TurnContext) -> CallFailed:
    """Return the failure of a call whose missing arguments stand beside `args`, with these put where they belong."""
    is_longer = isinstance(call.entry, Mapping) and len(call.entry) > _KEYS_OF_A_CALL
    if not is_longer or not any(each.get("add") for each in failure.hints):
        return failure
    from turnwright.protocol.stage3_tools.repair.provider_formats import arguments_beside

    beside = arguments_beside(call.entry, tool_called(call.tool, context.policy.tools))
    if not beside:
        return failure
    told = f"args: {', '.join(beside)} stand beside it"
    return failure.replace(detail=told, hints=[hint.repair("args", call.args, {**call.args, **beside})])


def _as_failed(outcome: PartResult) -> CallFailed:
    """Return why a batch fails that is all or nothing: its first item that was not done."""
    from turnwright.protocol.stage3_tools.batch import all_or_nothing

    assert outcome.applied is not None
    return all_or_nothing(next(item for item in outcome.applied.result["results"] if not item["ok"]))


def _apply(
    part: Part, shown: PartResult, world: World, dice: PartDice, context: TurnContext, before: Sequence[PartResult]
) -> PartResult:
    tool, actor = check_call(part, world, context, before)
    ctx = _context(shown, dice, context, before, actor)
    if tool.is_exact:
        from turnwright.protocol.stage3_tools.repair.same_value import without_nothing

        model = tool.args_for(ctx.protocol)
        require_unwrapped(model, shown.args, "args", shown.tool)
        args = parse_args(model, shown.args, lambda: _legal(tool, world, ctx))
        _require_plain(part, shown.args)
        try:
            applied = tool.apply(world, args, ctx)
        except CallFailed as failure:
            from turnwright.protocol.stage3_tools.repair.other_faults import with_other_faults

            def run(apart: World, other: JsonObject) -> None:
                tool.apply(apart, parse_args(model, other, lambda: None), ctx)

            told = with_other_faults(failure, model, shown.args, world, ctx, run)
            raise without_nothing(told, model, shown.args, "args") from None
        return PartResult(shown.part, shown.id, shown.tool, shown.args, applied=applied)
    _require_plain(part, shown.args)
    began = _begin_call(tool, part.number, world, context)
    done = _run_normalized(tool, shown, world, ctx, context)
    written = compact(done.applied.result)
    if not _has_room(len(written), before):
        detail = f"the results of one turn are at most {MAX_RESULT_BYTES} bytes; ask for this in another"
        raise CallFailed(Reason.LIMIT_EXCEEDED, detail)
    # Results are made of parts of documents, and the receiver of the reply may change it.
    applied = done.applied._replace(result=reread(written), events=(*began, *done.applied.events))
    alias_of = shown.tool if shown.tool != tool.name else None
    return PartResult(
        shown.part,
        shown.id,
        tool.name,
        done.args,
        applied,
        alias_of=alias_of,
        corrections=done.corrections,
        size=len(written),
    )


def _has_room(size: int, before: Sequence[PartResult]) -> bool:
    """Return whether a result may be told beside those before; the first one may, however long it is."""
    told = sum(outcome.size for outcome in before)
    return told == 0 or told + size <= MAX_RESULT_BYTES


def _begin_call(tool: Tool[Any], number: int, world: World, context: TurnContext) -> Sequence[Event]:
    """Begin what a call of a conversation's own tools begins; return what happened."""
    if context.policy.conversation is None or not tool.in_conversation:
        return ()
    from turnwright.protocol.stage3_tools.conversation_parts import part_context

    return context.policy.conversation.begin_call(part_context(number, tool.name, world, context))


def _require_plain(part: Part, args: JsonObject) -> None:
    """Check 7, for what no schema sees: the arguments are JSON; `args` are those that a record can hold."""
    if part.fault is None:
        return
    why, path = part.fault
    field = ".".join(["args", *map(str, path)])
    got: Any = args
    for step in path:
        got = got[step]
    repair = hint.ask(field, got) if path else {}
    raise CallFailed(Reason.INVALID_ARGS, f"{field}: {why}", repair)


def _context(
    shown: PartResult, dice: PartDice, context: TurnContext, before: Sequence[PartResult], actor: Character | None
) -> Context:
    policy = context.policy
    done = [(outcome.tool, outcome.args) for outcome in before if outcome.applied]
    return Context(
        policy.acting_id,
        dice,
        shown.args,
        policy.settings,
        policy.protocol,
        context.seq,
        done,
        context.closed_turns,
        only_known=policy.is_player,
        actor=actor,
        open_packs=context.open_packs,
    )


def _run_normalized(tool: Tool[Any], shown: PartResult, world: World, ctx: Context, context: TurnContext) -> Done:
    """Run a call whose arguments may be spelled loosely or come in a batch: validate them (7), then apply (8)."""
    from turnwright.protocol.stage3_tools.aliases import batch_of, canonicalize, other_names
    from turnwright.protocol.stage3_tools.batch import Done, run_batch
    from turnwright.protocol.stage3_tools.normalize import read_spelling, with_original_keys
    from turnwright.protocol.stage3_tools.player_calls import require_own_deed
    from turnwright.protocol.stage3_tools.repair.same_value import without_nothing

    def run_one(world: World, given: JsonObject, where: str) -> Done:
        try:
            if not context.policy.is_player:
                return run_plain(world, given, where)
            return as_player(world, given, where)
        except CallFailed as failure:
            failure = without_nothing(failure, tool.args, given, where)
            told = with_original_keys(failure, given, where, other_names(shown.tool, tool.args))
            raise _adapt_to_caller(context, told) from None

    def as_player(world: World, given: JsonObject, where: str) -> Done:
        """Do for a player what can be done in the campaign as the party knows it: there, secrets are not.

        Only what changes something, and met something hidden on the way, is done a second time, in the whole campaign.
        """
        actors = context.policy.rulesets.actors
        view = actors.party_view(world)
        known = World(view)
        mark = ctx.dice.mark()
        done = run_plain(known, given, where)
        if not view.has_hidden:
            world.merge(known)
        if not view.has_hidden or not known.touched:
            return done
        ctx.dice.back_to(mark)
        whole = World(actors.same_references(world, view, texts_in(given)))
        try:
            done = run_plain(whole, given, where)
        except CallFailed as failure:
            # Any other reason would tell what is hidden; of a conflict players are told neither detail nor hint.
            raise failure.replace(reason=Reason.CONFLICT) from None
        world.merge(whole)
        return done

    owner = tables_of(world.campaign).installed_owner(tool.name)

    def apply(world: World, args: Any) -> Applied:
        if owner is None:
            return tool.apply(world, args, ctx)
        from turnwright.protocol.stage3_tools.installed_tools import apply_guarded

        return apply_guarded(tool, owner, world, ctx.dice, lambda: tool.apply(world, args, ctx))

    def run_plain(world: World, given: JsonObject, where: str) -> Done:
        require_unwrapped(tool.args, given, where, shown.tool)
        plain = canonicalize(shown.tool, tool.args, given, where) if shown.tool != tool.name else given
        understood, corrections, faults = read_spelling(tool.args, plain, where)
        args = parse_operation(tool.args, understood, lambda: _legal(tool, world, ctx), where, world, faults)
        if context.policy.is_player and not tool.reads:
            require_own_deed(understood, where, world, context.policy.acting_id)
        try:
            applied = apply(world, args)
            return Done(applied, understood, [*corrections, *applied.corrections])
        except CallFailed as failure:
            if tool.in_conversation:
                raise  # another call would meet the conversation at another point
            from turnwright.protocol.stage3_tools.repair.other_faults import with_other_faults

            def run(apart: World, other: JsonObject) -> None:
                apply(apart, parse_args(tool.args, other, lambda: None))

            raise with_other_faults(failure, tool.args, understood, world, ctx, run) from None

    batch, given = batch_of(shown.tool, shown.args) if tool.batch else (None, shown.args)
    if batch is not None:
        return run_batch(tool, given, world, run_one, batch)
    return run_one(world, given, "args")


def _unless_repeated(failure: CallFailed, shown: PartResult, context: TurnContext) -> CallFailed:
    failed = PartResult(shown.part, shown.id, shown.tool, shown.args, failure=failure)
    if failed.key(context.policy.acting_id) not in context.repeated:
        return failure
    detail = f"the same call failed in each of the last turns: {failure.detail}"
    first, *more = failure.hints or [hint.NONE]
    repeated: hint.Hint = {**first, "first_reason": failure.reason.value}
    return failure.replace(reason=Reason.REPEAT_ILLEGAL_REQUEST, detail=detail, hints=[repeated, *more])


def _legal(tool: Tool[Any], world: World, ctx: Context) -> Legal | None:
    from turnwright.protocol.stage3_tools.installed_tools import legal_values_for_hints  # only what fails needs it

    return legal_values_for_hints(tool, world, ctx)
