"""Stage 3: gate each part of a turn, run it on an overlay, and say what became of it.

Source: docs/stages/3-tools.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.model import hint
from turnwright.model.campaign import CREW_PATH
from turnwright.model.character import CharacterState
from turnwright.model.errors import BadRequest
from turnwright.model.nearest import nearest_int
from turnwright.model.reason import CallFailed, Reason
from turnwright.model.strict_json import MAX_INT
from turnwright.stages.arguments import parse_args, require_for_operation
from turnwright.stages.intake import Received, plain_call
from turnwright.stages.parts import Bench, Outcome, Part, abort, is_of_turn, parts_of_turn
from turnwright.stages.settings import InForce
from turnwright.tools._base import Context, Tool
from turnwright.tools.registry import TOOLS
from turnwright.world.overlay import World

if TYPE_CHECKING:
    from turnwright.scenes.events import Event
    from turnwright.stages.batch import Done


def run_parts(received: Received, world: World, bench: Bench) -> list[Outcome]:
    """Run the parts of a turn in order, each seeing what the one before left; `world` holds what they changed.

    An atomic turn applies whole or not at all: the first failing part keeps its reason, all others are aborted.
    """
    if world.get(CREW_PATH) is not None:
        from turnwright.stages.scene_parts import talk_of

        bench = bench._replace(talk=talk_of(received.turn, world))
    if not received.turn.atomic:
        return _run_all(received, world, bench)
    draft = World(world)
    given = tuple(bench.dice.given)
    outcomes = _run_all(received, draft, bench._replace(is_atomic=True))
    failed = next((outcome for outcome in outcomes if outcome.failure), None)
    if failed is None:
        world.absorb(draft)
        return outcomes
    bench.dice.forget(0, given)
    asked = filter(is_of_turn, outcomes)
    return [*(entry if entry is failed else abort(entry) for entry in asked), *_booked(failed, world, bench)]


def _run_all(received: Received, world: World, bench: Bench) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for part in parts_of_turn(received, takes_text=bench.talk is not None):
        if part.kind == "call":
            done = [_run_call(part, world, bench, outcomes)]
        elif bench.talk is None:
            done = [_unawaited(part)]
        else:
            from turnwright.stages.scene_parts import run_part

            done = run_part(part, world, bench, outcomes)
        outcomes += [*done, *_booked(done[-1], world, bench)] if done else []
    return outcomes


def _booked(outcome: Outcome, world: World, bench: Bench) -> list[Outcome]:
    """Book what a failure means for the conversation of a scene game."""
    if outcome.failure is None or bench.talk is None:
        return []
    from turnwright.stages.scene_parts import booked

    return booked(outcome, world, bench)


def _unawaited(part: Part) -> Outcome:
    content = part.content if isinstance(part.content, Mapping) else {}
    failure = CallFailed(Reason.STAGE_MISMATCH, f"nothing in this campaign awaits an {part.kind}")
    if not isinstance(part.content, Mapping):
        failure = CallFailed(Reason.INVALID_ARGS, f"{part.kind}: is no object")
    return Outcome(part.number, part.kind, part.kind, content, failure=failure, kind=part.kind)


def query(name: str, args: Mapping[str, Any], world: World, bench: Bench) -> dict[str, Any]:
    """Call a read-only tool outside a turn: the same checks, nothing recorded.

    Raises:
        BadRequest: when the tool would change something.
    """
    tool = tool_called(name)
    if tool is not None and not tool.reads:
        raise BadRequest(f"{name} changes the campaign; hand it in as a turn")
    call, fault = plain_call({"id": "query", "tool": name, "args": dict(args)})
    outcome = _run_call(Part(1, "call", call, fault), world, bench)
    if outcome.applied:
        return {"ok": True, "result": outcome.applied.result}
    feedback = outcome.feedback()
    return {"ok": False, **{key: feedback[key] for key in ("status", "reason", "detail", "hint") if key in feedback}}


def _run_call(part: Part, world: World, bench: Bench, before: Sequence[Outcome] = ()) -> Outcome:
    call = part.content if isinstance(part.content, dict) else {}
    call_id, name, args = call.get("id"), call.get("tool"), call.get("args")
    shown = Outcome(
        part.number,
        call_id if isinstance(call_id, str) else "",
        name if isinstance(name, str) else "",
        args if isinstance(args, dict) else {},
    )
    draft = World(world)
    try:
        outcome = _apply(part, shown, draft, bench, before)
        if bench.is_atomic and outcome.is_partial:
            raise _as_failed(outcome)
    except CallFailed as failure:
        return Outcome(shown.part, shown.id, shown.tool, shown.args, failure=_unless_repeated(failure, shown, bench))
    world.absorb(draft)
    return outcome


def _as_failed(outcome: Outcome) -> CallFailed:
    """Return why a batch fails that is all or nothing: its first item that was not done."""
    assert outcome.applied is not None
    told = next(entry for entry in outcome.applied.result["results"] if not entry["ok"])
    detail = f"item {told['index']} of all or nothing: {told['detail']}"
    return CallFailed(Reason(told["reason"]), detail, {**told.get("hint", {}), "items": [told]})


def _apply(part: Part, shown: Outcome, world: World, bench: Bench, before: Sequence[Outcome]) -> Outcome:
    _require_call(part.content, lambda: _open_to(bench.force, world.campaign.allowlist))
    tool = gate(shown.tool, shown.args, world, bench, before)
    ctx = _context(part, shown, bench, before)
    if tool.family == "core":
        args = parse_args(tool.args_for(ctx.protocol), shown.args, lambda: tool.legal(world, ctx))
        _require_plain(part, shown.args)
        return Outcome(shown.part, shown.id, shown.tool, shown.args, applied=tool.apply(world, args, ctx))
    _require_plain(part, shown.args)
    began = _begun(tool, world, ctx)
    done = _run_spelt(tool, shown, world, ctx)
    if began:
        done = done._replace(applied=done.applied._replace(events=(*began, *done.applied.events)))
    alias_of = shown.tool if shown.tool != tool.name else None
    return Outcome(
        shown.part, shown.id, tool.name, done.args, done.applied, alias_of=alias_of, corrections=done.corrections
    )


def _begun(tool: Tool[Any], world: World, ctx: Context) -> Sequence[Event]:
    """Begin a turn of the scene game where a call of its tools does so; return what happened."""
    if tool.family != "scenes":
        return ()
    from turnwright.stages.scene_parts import begin_turn

    return begin_turn(world, ctx, tool.name)


def _require_plain(part: Part, args: Mapping[str, Any]) -> None:
    """Check 7, for what no schema sees: the arguments are JSON; `args` are those that a record can hold."""
    if part.fault is None:
        return
    why, path, nearest = part.fault
    field = ".".join(["args", *map(str, path)])
    repair = hint.remove(field) if path else {}
    if nearest is not None:
        got: Any = args
        for step in path:
            got = got[step]
        repair = hint.replace(field, got, [nearest])
    raise CallFailed(Reason.INVALID_ARGS, f"{field}: {why}", repair)


def _context(part: Part, shown: Outcome, bench: Bench, before: Sequence[Outcome]) -> Context:
    force = bench.force
    done = [(outcome.tool, outcome.args) for outcome in before if outcome.applied]
    dice = bench.dice.part(part.number)
    return Context(
        force.acting_id, dice, shown.args, force.settings, force.protocol, bench.seq, done, bench.closed_turns
    )


def _run_spelt(tool: Tool[Any], shown: Outcome, world: World, ctx: Context) -> Done:
    """Check 7 and 8 for tools whose arguments may be spelt loosely and come in batches."""
    from turnwright.stages.batch import Done, run_batch
    from turnwright.stages.old_names import batch_key, other_names, unaliased
    from turnwright.stages.spelling import as_given, spelt

    def run_one(world: World, given: Mapping[str, Any], where: str) -> Done:
        try:
            return run_plain(world, given, where)
        except CallFailed as failure:
            raise as_given(failure, given, where, other_names(shown.tool, tool.args)) from None

    def run_plain(world: World, given: Mapping[str, Any], where: str) -> Done:
        plain = unaliased(shown.tool, tool.args, given, where) if shown.tool != tool.name else given
        understood, corrections = spelt(tool.args, plain, where)
        args = parse_args(tool.args, understood, lambda: tool.legal(world, ctx), where)
        require_for_operation(args, where, lambda: tool.legal(world, ctx))
        return Done(tool.apply(world, args, ctx), understood, corrections)

    batch = batch_key(shown.tool, shown.args) if tool.batch else None
    if batch is not None:
        return run_batch(tool, shown.args, world, ctx, run_one, batch)
    return run_one(world, shown.args, "args")


def _unless_repeated(failure: CallFailed, shown: Outcome, bench: Bench) -> CallFailed:
    failed = Outcome(shown.part, shown.id, shown.tool, shown.args, failure=failure)
    if failed.key(bench.force.acting_id) not in bench.repeated:
        return failure
    detail = f"the same call failed in each of the last turns: {failure.detail}"
    return CallFailed(Reason.REPEAT_ILLEGAL_REQUEST, detail, {**failure.hint, "first_reason": failure.reason.value})


_CALL_KEYS: Sequence[tuple[str, type, str, list[Any]]] = (
    ("id", str, "a string", ["call"]),
    ("tool", str, "a string", []),
    ("args", dict, "an object", [{}]),
)


def _require_call(entry: Any, tools: Callable[[], list[str]]) -> None:
    """Check 1: the entry is a call at all."""
    if not isinstance(entry, dict):
        raise CallFailed(Reason.INVALID_CALL, "a call is an object with id, tool and args")
    for key, kind, name, allowed in _CALL_KEYS:
        if key not in entry:
            raise CallFailed(Reason.INVALID_CALL, f"{key} is missing", hint.add(key, allowed or tools()))
        if not isinstance(entry[key], kind):
            repair = hint.replace(key, entry[key], allowed or tools())
            raise CallFailed(Reason.INVALID_CALL, f"{key} must be {name}", repair)
    if entry.get("reason") is not None and not isinstance(entry["reason"], str):
        raise CallFailed(Reason.INVALID_CALL, "reason must be a string or null", hint.remove("reason"))


def gate(name: str, args: Mapping[str, Any], world: World, bench: Bench, before: Sequence[Outcome] = ()) -> Tool[Any]:
    """Checks 2 to 6, in order; the first that fails decides. Returns the tool that may now look at its arguments."""
    force = bench.force
    allowlist = world.campaign.allowlist
    tool = tool_called(name)
    if tool is None:
        _refuse_removed(name, allowlist)
    if tool is None or tool.name not in allowlist:
        repair = hint.replace_name("tool", name, _open_to(force, allowlist))
        raise CallFailed(Reason.TOOL_NOT_ALLOWED, f"{name or 'a tool without a name'} is not allowed here", repair)
    if force.is_player and tool.name not in force.settings["players.tools"]:
        repair = hint.replace_name("tool", name, _open_to(force, allowlist))
        raise CallFailed(Reason.NOT_PERMITTED, f"{name} is not for players", repair)
    if tool.family == "scenes":
        from turnwright.stages.scene_parts import require_scene_call

        require_scene_call(tool.name, world, bench, before)
    if tool.family == "core":
        _require_actor_context(args, force)
        _require_state(tool, args, world, force.acting_id)
    return tool


def _refuse_removed(name: str, allowlist: Sequence[str]) -> None:
    """Check 2, where scene tools are allowed: a tool that is no more says what does its work now."""
    if any(TOOLS.folders.get(allowed) == "scenes" for allowed in allowlist):
        from turnwright.scenes.moods import REMOVED_TOOLS

        if name in REMOVED_TOOLS:
            use = REMOVED_TOOLS[name]
            raise CallFailed(
                Reason.TOOL_REMOVED, f"{name} is no more: {use}", {"field": "tool", "got": name, "use": use}
            )


def tool_called(name: str) -> Tool[Any] | None:
    """Return the tool of this name, or the one that an old name stands for now."""
    if name in TOOLS:
        return TOOLS[name]
    from turnwright.tools.aliases import ALIASES

    return TOOLS[ALIASES[name].tool] if name in ALIASES else None


def _open_to(force: InForce, allowlist: Sequence[str]) -> list[str]:
    """Return the tools that whoever came through this door may ask for."""
    players = force.settings["players.tools"]
    return [name for name in allowlist if name in TOOLS and (not force.is_player or name in players)]


def gate_open(tool: Tool[Any], world: World, bench: Bench) -> bool:
    """Return whether some call of a tool could get past checks 2 to 6 now."""
    acting_id = bench.force.acting_id
    tries: Sequence[dict[str, Any]] = ({}, {"target_character_id": acting_id, "delta": 1})
    for args in tries:
        try:
            gate(tool.name, args, world, bench)
        except CallFailed:
            continue
        return True
    return False


def _require_actor_context(args: Mapping[str, Any], force: InForce) -> None:
    """Check 5: under `reject`, an `actor_id` that is given names the acting character."""
    if force.protocol.actor_context != "reject" or "actor_id" not in args:
        return
    named = args["actor_id"]
    repair = hint.replace("args.actor_id", named, [force.acting_id] if force.acting_id else [])
    if not isinstance(named, str) or not named.strip():
        raise CallFailed(Reason.INVALID_ARGS, "args.actor_id: must be a name", repair)
    if named.strip() != force.acting_id:
        raise CallFailed(Reason.ACTOR_CONTEXT_MISMATCH, f"{named} is not the acting character", repair)


def _require_state(tool: Tool[Any], args: Mapping[str, Any], world: World, acting_id: str | None) -> None:
    """Check 6: there is an acting character with a known state, and it permits this call."""
    actor = world.character(acting_id) if acting_id else None
    if actor is None:
        raise CallFailed(Reason.INVALID_ACTOR_STATE, "there is no acting character")
    if actor.state is None:
        stored = actor.character_state
        raise CallFailed(Reason.INVALID_ACTOR_STATE, f"{actor.id} is in a state that is none of the five: {stored!r}")
    if not tool.permits(actor.state, args, actor.id):
        raise CallFailed(
            Reason.ACTOR_STATE_RESTRICTED,
            f"{actor.id} is {actor.state.value}",
            _way_out(tool, args, actor.id, actor.state),
        )


def _way_out(tool: Tool[Any], args: Mapping[str, Any], acting_id: str, state: CharacterState) -> dict[str, Any]:
    """Return the first change towards a call that this state permits, or nothing where no change helps."""
    delta = args.get("delta")
    changes = {"target_character_id": acting_id, "delta": max(1, abs(nearest_int(delta, -MAX_INT, MAX_INT)))}
    if not tool.permits(state, {**args, **changes}, acting_id):
        return {}
    name, value = next((n, v) for n, v in changes.items() if (type(args.get(n)), args.get(n)) != (type(v), v))
    return hint.replace(f"args.{name}", args[name], [value]) if name in args else hint.add(f"args.{name}", [value])
