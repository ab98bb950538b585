"""Stage 3 in a scene game: answers, texts of players, outputs, and whether a scene tool may be called now.

Source: docs/tools/scenes.md, "Waiting".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from turnwright.model.crew import Crew, Playing, SessionEnded
from turnwright.model.request import KIND_AWAITED, TABLE
from turnwright.model.scene import DmNarration
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import MAX_DEPTH, copied
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.model.wire.turn import Answer, Turn
from turnwright.protocol.parts import Part, PartResult, SceneConversation, TurnContext
from turnwright.protocol.stage3_tools.arguments import parse_args
from turnwright.protocol.stage3_tools.normalize import normalize_args, with_original_keys
from turnwright.scenes.beats import add_beat
from turnwright.scenes.events import Event
from turnwright.scenes.moods import TOOLS_OF_MOOD, tools_of
from turnwright.scenes.outputs import HOUSEKEEPING, answer_to, book_failure, book_limit, output_of
from turnwright.scenes.play import Play, find_crew
from turnwright.scenes.texts import start_turn, take_text, text_of
from turnwright.tools._base import Applied, Context

_MAX_NARRATION_LENGTH = 4000
_NO_REPAIR = frozenset(
    {
        Reason.NOT_PERMITTED,
        Reason.SESSION_ENDED,
        Reason.STAGE_MISMATCH,
        Reason.AWAITING_PLAYER,
        Reason.AFTER_TRANSITION,
        Reason.TURN_ABORTED,
    }
)
"""Reasons for which an output failed that say nothing about the output."""


def talk_of(turn: Turn, world: World) -> SceneConversation:
    """Return where the conversation stands as the turn begins."""
    crew = _crew(world)
    is_outdated = turn.has("prompt_id") and turn.prompt_id != crew.awaiting.prompt_id
    mood, request_id = crew.mood.mood if crew.mood else None, crew.request.id if crew.request else None
    return SceneConversation(is_outdated, bool(turn.keep_narration), mood, request_id)


def _crew(world: World) -> Crew:
    crew = find_crew(world)
    assert crew is not None
    return crew


# calls of scene tools


def require_scene_call(name: str, world: World, bench: TurnContext, before: Sequence[PartResult]) -> None:
    """Check 4: phase, prompt, request, transition, mood, in this order."""
    crew = find_crew(world)
    if crew is not None:
        _require_session(crew)
    if crew is None or not isinstance(crew.phase, Playing):
        raise CallFailed(Reason.TOOL_NOT_IN_PHASE, f"{name} needs a scene that is played")
    _require_floor(crew, bench, before)
    mood = crew.phase.mood
    if name not in TOOLS_OF_MOOD[mood.mood]:
        repair = hint.ask("tool", name, tools_of(mood))
        raise CallFailed(Reason.TOOL_NOT_IN_MOOD, f"{name} is no tool of {mood.mood}", {**repair, "mood": mood.mood})


def _require_session(crew: Crew) -> None:
    if isinstance(crew.phase, SessionEnded):
        raise CallFailed(Reason.SESSION_ENDED, f"the session is over ({crew.phase.reason})")


def _require_floor(crew: Crew, bench: TurnContext, before: Sequence[PartResult]) -> None:
    """Refuse what the game master says to an old prompt, before a player has answered, or after a transition."""
    if bench.talk is not None and bench.talk.is_outdated:
        current = crew.awaiting.prompt_id
        raise CallFailed(Reason.STAGE_MISMATCH, f"this answers an old prompt; the present one is {current}")
    if crew.awaiting.stage in KIND_AWAITED and crew.awaiting.stage != "player_text":
        assert crew.request is not None
        raise CallFailed(Reason.AWAITING_PLAYER, f"{crew.request.id} waits for a player's {crew.request.kind}")
    for outcome in before:
        if outcome.applied is not None and outcome.applied.broke:
            raise CallFailed(Reason.AFTER_TRANSITION, "the mood changed; the turn goes on in the next prompt")
        if outcome.failure is not None and outcome.failure.reason is Reason.TRANSITION_LIMIT:
            raise CallFailed(Reason.AFTER_TRANSITION, "the mood changed too often; the player speaks next")


def begin_turn(world: World, ctx: Context, cause: str) -> tuple[Event, ...]:
    """Let a call that was let through begin a turn where the player's text, or a summary, was awaited."""
    play = Play(world, ctx.dice, ctx.settings, ctx.acting_id, ctx.seq, cause)
    _begin(play)
    return tuple(play.events)


def _begin(play: Play) -> None:
    stage = play.crew.awaiting.stage
    if stage in HOUSEKEEPING:
        HOUSEKEEPING[stage].stand_in(play)
    if play.crew.awaiting.stage == "player_text":
        start_turn(play)


# answers, texts, outputs


def run_part(part: Part, world: World, bench: TurnContext, before: Sequence[PartResult]) -> list[PartResult]:
    """Run an answer, a text of a player or an output."""
    if part.kind == "answer":
        return [_run(part, world, bench, _answered(part, bench))]
    if part.kind == "user_input":
        return _run_text(part, world, bench)
    return [_run(part, world, bench, _handed_in(part, bench, before))]


Work = Callable[[Play], tuple[dict[str, Any], Mapping[str, Any]]]
"""What a part does: it returns the result and the arguments as they were understood."""


def _run(part: Part, world: World, bench: TurnContext, work: Work) -> PartResult:
    """Do the work of a part on an overlay, which is dropped when it fails."""
    shown = part.content if isinstance(part.content, Mapping) else {}
    draft = World(world)
    play = _play(part, draft, bench)
    try:
        result, args = work(play)
    except CallFailed as failure:
        return PartResult(part.number, part.kind, part.kind, shown, failure=failure, kind=part.kind)
    world.merge(draft)
    applied = Applied(copied(result), tuple(play.warnings), tuple(play.events), broke=play.broke)
    return PartResult(part.number, part.kind, part.kind, args, applied, kind=part.kind)


def _play(part: Part, world: World, bench: TurnContext) -> Play:
    force = bench.force
    return Play(world, bench.dice.part(part.number), force.settings, force.acting_id, bench.seq, part.kind)


def _answered(part: Part, bench: TurnContext) -> Work:
    def work(play: Play) -> tuple[dict[str, Any], Mapping[str, Any]]:
        given = _object(part)
        answer = parse_args(Answer, given, lambda: None, "answer")
        _require_request(play.crew, answer, bench)
        request = play.crew.request
        assert request is not None
        if request.kind == "text":
            text = text_of(answer.value, request.payload.suggestions, "answer.value")
            take_text(play, text)
            return {"text": text}, given
        play.acting_id = request.for_ or play.acting_id
        return answer_to(play.crew)(play, answer.value), given

    return work


def _require_request(crew: Crew, answer: Answer, bench: TurnContext) -> None:
    _require_session(crew)
    request = crew.request
    if request is None or answer.request_id != request.id:
        repair = hint.ask("answer.request_id", answer.request_id, [request.id] if request else [])
        raise CallFailed(Reason.REQUEST_STALE, f"{answer.request_id} is not open", repair)
    if bench.force.is_player and request.to not in (TABLE, bench.force.acting_id):
        raise CallFailed(Reason.NOT_PERMITTED, f"{request.id} is not for {bench.force.acting_id}")
    if answer.kind is not None and answer.kind != request.kind:
        repair = hint.ask("answer.kind", answer.kind, [request.kind])
        raise CallFailed(Reason.REQUEST_MISMATCH, f"{request.id} wants a {request.kind}", repair)


def _as_object(part: Part) -> hint.Hint:
    """Return the hint for a part that is no object: the object that its text says."""
    from turnwright.protocol.stage3_tools.repair.provider_formats import args_said  # only what fails needs it

    said = args_said(part.content, MAX_DEPTH)
    return hint.repair(part.kind, part.content, said) if said else hint.ask(part.kind, part.content)


def _object(part: Part) -> Mapping[str, Any]:
    if not isinstance(part.content, Mapping):
        raise CallFailed(Reason.INVALID_ARGS, f"{part.kind}: is no object", _as_object(part))
    return part.content


def _run_text(part: Part, world: World, bench: TurnContext) -> list[PartResult]:
    """Take what a player says where it is awaited; a due summary and the like do not stand in its way."""
    done: list[PartResult] = []
    crew = _crew(world)
    if isinstance(crew.phase, SessionEnded):
        return done
    while crew.awaiting.stage in HOUSEKEEPING:
        kind = HOUSEKEEPING[crew.awaiting.stage]
        by_itself = part._replace(kind="engine")
        done.append(_run(by_itself, world, bench, _standing_in(kind.stand_in)))
        crew = _crew(world)
    return [*done, _run(part, world, bench, _said(part))]


def _standing_in(stand_in: Callable[[Play], None]) -> Work:
    def work(play: Play) -> tuple[dict[str, Any], Mapping[str, Any]]:
        stand_in(play)
        return {}, {}

    return work


def _said(part: Part) -> Work:
    def work(play: Play) -> tuple[dict[str, Any], Mapping[str, Any]]:
        crew = play.crew
        stage, mood = crew.awaiting.stage, crew.mood
        interrupts = stage == "dm_turn" and mood is not None and mood.mood not in ("trauma", "bargain")
        if stage != "player_text" and not interrupts:
            raise CallFailed(Reason.STAGE_MISMATCH, f"no text of a player is awaited now, but {stage}")
        take_text(play, text_of(part.content, crew.suggested_actions, "user_input"))
        return {}, {}

    return work


def _handed_in(part: Part, bench: TurnContext, before: Sequence[PartResult]) -> Work:
    def work(play: Play) -> tuple[dict[str, Any], Mapping[str, Any]]:
        _require_session(play.crew)
        try:
            _require_floor(play.crew, bench, before)
        except CallFailed as failure:
            narration, talk = _narration(part), bench.talk
            if narration is None or talk is None or not (talk.keeps_narration and _overtaken(failure, play.crew, talk)):
                raise
            return _keep_narration(play, narration, talk), _object(part)
        return _apply_output(play, _object(part))

    return work


def _overtaken(failure: CallFailed, crew: Crew, talk: SceneConversation) -> bool:
    """Return whether what keeps an output from being applied was brought about earlier in the same turn."""
    if failure.reason is Reason.AWAITING_PLAYER:
        return crew.request is not None and crew.request.id != talk.request_id
    return failure.reason is Reason.AFTER_TRANSITION


def _apply_output(play: Play, given: Mapping[str, Any]) -> tuple[dict[str, Any], Mapping[str, Any]]:
    kind = output_of(play.crew)
    if kind is None:
        raise CallFailed(Reason.STAGE_MISMATCH, f"no output is awaited now, but {play.crew.awaiting.stage}")
    model = kind.load_model()
    try:
        understood, _ = normalize_args(model, given, "output")
        output = parse_args(model, understood, lambda: None, "output")
        if play.crew.awaiting.stage == "player_text":
            start_turn(play)
        return kind.apply_to(play, output), understood
    except CallFailed as failure:
        raise with_original_keys(failure, given, "output") from None


def _narration(part: Part) -> str | None:
    told = part.content.get("narration") if isinstance(part.content, Mapping) else None
    fits = isinstance(told, str) and told.strip() and len(told) <= _MAX_NARRATION_LENGTH
    return told.strip() if fits and isinstance(told, str) else None


def _keep_narration(play: Play, narration: str, talk: SceneConversation) -> dict[str, Any]:
    play.warnings.append("output_after_break")
    mood = talk.mood or "scene"
    if isinstance(play.crew.phase, Playing) or play.crew.closed_scene_id is not None:
        add_beat(play, DmNarration(text=narration, mood=mood, seq=play.seq, turn=play.crew.turn))
    play.tell(narration)
    return {}


def booked(outcome: PartResult, world: World, bench: TurnContext) -> list[PartResult]:
    """Book what a failure means for the conversation: an output to be asked for again, a player's turn to speak."""
    assert outcome.failure is not None
    reason = outcome.failure.reason
    if reason is Reason.TRANSITION_LIMIT:
        work = _standing_in(book_limit)
    elif outcome.kind == "output" and reason not in _NO_REPAIR:
        work = _standing_in(partial(book_failure, why=outcome.failure.detail))
    else:
        return []
    done = _run(Part(outcome.part, outcome.tool, {}), world, bench, work)
    return [done._replace(kind="engine")]
