"""The conversation of a scene game: answers, texts of players, outputs, and whether a scene tool may be called now.

Source: docs/tools/scenes.md, "Waiting".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.base import Model
from turnwright.model.crew import Crew, Playing, SessionEnded
from turnwright.model.json_types import JsonObject
from turnwright.model.mood import MoodName
from turnwright.model.request import KIND_AWAITED
from turnwright.model.scene import DmNarration
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import copied
from turnwright.model.viewer import TABLE
from turnwright.model.wire import hint
from turnwright.model.wire.event import Event
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.model.wire.turn import Answer, Turn
from turnwright.rulesets.conversation import ModelledPart, PartContext, PartDone, Work
from turnwright.rulesets.scenes.beats import add_beat
from turnwright.rulesets.scenes.moods import TOOLS_OF_MOOD, tools_of
from turnwright.rulesets.scenes.outputs import HOUSEKEEPING, answer_to, book_failure, book_limit, output_of
from turnwright.rulesets.scenes.play import Play, find_crew
from turnwright.rulesets.scenes.texts import start_turn, take_text, text_of
from turnwright.rulesets.tool import Applied

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import PlayResult, TextTaken

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
"""Failure reasons that do not concern the content of an output."""


class Opened(NamedTuple):
    """The state of the conversation when the turn began.

    Attributes:
        is_outdated: whether the turn answers a prompt that is no longer current.
        keeps_narration: whether the narration of a late output is kept all the same.
        mood: the mood that the turn was written in, or None outside play.
        request_id: the request that was open, or None.
    """

    is_outdated: bool = False
    keeps_narration: bool = False
    mood: MoodName | None = None
    request_id: str | None = None


class SceneConversation:
    """What a scene game awaits, and how it handles it. Implements `rulesets.conversation.Conversation`."""

    def open(self, turn: Turn, world: World) -> Opened:
        """Return the state of the conversation at the beginning of a turn."""
        crew = _crew(world)
        is_outdated = turn.has("prompt_id") and turn.prompt_id != crew.awaiting.prompt_id
        mood, request_id = crew.mood.mood if crew.mood else None, crew.request.id if crew.request else None
        return Opened(is_outdated, bool(turn.keep_narration), mood, request_id)

    def request(self, world: World) -> JsonObject | None:
        """Return the request that is open, or None."""
        request: JsonObject | None = copied(_crew(world).as_written["request"])
        return request

    def awaited_actor(self, world: World) -> str | None:
        """Return the character that an awaited game master turn answers for, or None."""
        awaiting = _crew(world).as_written["awaiting"]
        character_id: str | None = awaiting["for"] if awaiting["stage"].startswith("dm_") else None
        return character_id

    def require_call(self, ctx: PartContext) -> None:
        """Check phase, prompt, request, transition and mood, in this order."""
        crew, name = find_crew(ctx.world), ctx.cause
        if crew is not None:
            _require_session(crew)
        if crew is None or not isinstance(crew.phase, Playing):
            raise CallFailed(Reason.TOOL_NOT_IN_PHASE, f"{name} needs a scene that is played")
        _require_floor(crew, ctx)
        mood = crew.phase.mood
        if name not in TOOLS_OF_MOOD[mood.mood]:
            repair = hint.ask("tool", name, tools_of(mood))
            raise CallFailed(
                Reason.TOOL_NOT_IN_MOOD, f"{name} is no tool of {mood.mood}", {**repair, "mood": mood.mood}
            )

    def begin_call(self, ctx: PartContext) -> tuple[Event, ...]:
        """Begin a turn when the player's text, or a summary, was awaited."""
        play = _play(ctx)
        stage = play.crew.awaiting.stage
        if stage in HOUSEKEEPING:
            HOUSEKEEPING[stage].stand_in(play)
        if play.crew.awaiting.stage == "player_text":
            start_turn(play)
        return tuple(play.events)

    def due(self, ctx: PartContext) -> Work | None:
        """Return the fallback of a due summary or the like, which does not block a player's text."""
        crew = _crew(ctx.world)
        if ctx.cause != "user_input" or isinstance(crew.phase, SessionEnded) or crew.awaiting.stage not in HOUSEKEEPING:
            return None
        return _work(HOUSEKEEPING[crew.awaiting.stage].stand_in)

    def part(self, ctx: PartContext, content: Any) -> Work | ModelledPart | None:
        """Return the action of an answer, a player's text or an output."""
        if ctx.cause == "answer":
            return ModelledPart(lambda: Answer, False, _take_answer)
        if ctx.cause == "user_input":
            return None if isinstance(_crew(ctx.world).phase, SessionEnded) else partial(_take_text, content)
        return _output(ctx, content)

    def after_failure(self, kind: str, failure: CallFailed) -> Work | None:
        """Return the effect of a failure: an output to request again, or a player's turn to speak."""
        if failure.reason is Reason.TRANSITION_LIMIT:
            return _work(book_limit)
        if kind == "output" and failure.reason not in _NO_REPAIR:
            return _work(partial(book_failure, why=failure.detail))
        return None


CONVERSATION = SceneConversation()


def _crew(world: World) -> Crew:
    crew = find_crew(world)
    assert crew is not None
    return crew


def _play(ctx: PartContext) -> Play:
    return Play(ctx.world, ctx.dice, ctx.settings, ctx.acting_id, ctx.seq, ctx.cause)


def _done(play: Play, result: PlayResult, args: JsonObject) -> PartDone:
    return PartDone(args, Applied(copied(result), tuple(play.warnings), tuple(play.events), broke=play.broke))


def _work(change: Callable[[Play], None]) -> Work:
    """Return the step that the engine takes by itself."""

    def work(ctx: PartContext) -> PartDone:
        play = _play(ctx)
        change(play)
        return _done(play, {}, {})

    return work


# checks


def _require_session(crew: Crew) -> None:
    if isinstance(crew.phase, SessionEnded):
        raise CallFailed(Reason.SESSION_ENDED, f"the session is over ({crew.phase.reason})")


def _require_floor(crew: Crew, ctx: PartContext) -> None:
    """Refuse game master parts that answer an old prompt, come before a player's answer, or follow a transition."""
    if ctx.opened is not None and ctx.opened.is_outdated:
        current = crew.awaiting.prompt_id
        raise CallFailed(Reason.STAGE_MISMATCH, f"this answers an old prompt; the present one is {current}")
    if crew.awaiting.stage in KIND_AWAITED and crew.awaiting.stage != "player_text":
        assert crew.request is not None
        raise CallFailed(Reason.AWAITING_PLAYER, f"{crew.request.id} waits for a player's {crew.request.kind}")
    for part in ctx.earlier:
        if part.broke:
            raise CallFailed(Reason.AFTER_TRANSITION, "the mood changed; the turn goes on in the next prompt")
        if part.reason is Reason.TRANSITION_LIMIT:
            raise CallFailed(Reason.AFTER_TRANSITION, "the mood changed too often; the player speaks next")


def _require_request(crew: Crew, answer: Answer, ctx: PartContext) -> None:
    _require_session(crew)
    request = crew.request
    if request is None or answer.request_id != request.id:
        repair = hint.ask("answer.request_id", answer.request_id, [request.id] if request else [])
        raise CallFailed(Reason.REQUEST_STALE, f"{answer.request_id} is not open", repair)
    if ctx.is_player and request.to not in (TABLE, ctx.acting_id):
        raise CallFailed(Reason.NOT_PERMITTED, f"{request.id} is not for {ctx.acting_id}")
    if answer.kind is not None and answer.kind != request.kind:
        repair = hint.ask("answer.kind", answer.kind, [request.kind])
        raise CallFailed(Reason.REQUEST_MISMATCH, f"{request.id} wants a {request.kind}", repair)


# answers and texts


def _take_answer(ctx: PartContext, answer: Answer, given: JsonObject) -> PartDone:
    play = _play(ctx)
    _require_request(play.crew, answer, ctx)
    request = play.crew.request
    assert request is not None
    if request.kind == "text":
        text = text_of(answer.value, request.payload.suggestions, "answer.value")
        take_text(play, text)
        taken: TextTaken = {"text": text}
        return _done(play, taken, given)
    play.acting_id = request.for_ or play.acting_id
    return _done(play, answer_to(play.crew)(play, answer.value), given)


def _take_text(content: Any, ctx: PartContext) -> PartDone:
    play = _play(ctx)
    crew = play.crew
    stage, mood = crew.awaiting.stage, crew.mood
    interrupts = stage == "dm_turn" and mood is not None and mood.mood not in ("trauma", "bargain")
    if stage != "player_text" and not interrupts:
        raise CallFailed(Reason.STAGE_MISMATCH, f"no text of a player is awaited now, but {stage}")
    take_text(play, text_of(content, crew.suggested_actions, "user_input"))
    return _done(play, {}, {})


# outputs


def _output(ctx: PartContext, content: Any) -> Work | ModelledPart:
    crew = _crew(ctx.world)
    _require_session(crew)
    try:
        _require_floor(crew, ctx)
    except CallFailed as failure:
        narration = _narration(content)
        if narration is None or not (ctx.opened.keeps_narration and _overtaken(failure, crew, ctx.opened)):
            raise
        return partial(_keep_narration, narration, content)

    def awaited() -> type[Model]:
        kind = output_of(crew)
        if kind is None:
            raise CallFailed(Reason.STAGE_MISMATCH, f"no output is awaited now, but {crew.awaiting.stage}")
        return kind.load_model()

    return ModelledPart(awaited, True, _apply_output)


def _overtaken(failure: CallFailed, crew: Crew, opened: Opened) -> bool:
    """Return whether the reason that an output cannot be applied arose earlier in the same turn."""
    if failure.reason is Reason.AWAITING_PLAYER:
        return crew.request is not None and crew.request.id != opened.request_id
    return failure.reason is Reason.AFTER_TRANSITION


def _apply_output(ctx: PartContext, output: Any, understood: JsonObject) -> PartDone:
    play = _play(ctx)
    kind = output_of(play.crew)
    assert kind is not None
    if play.crew.awaiting.stage == "player_text":
        start_turn(play)
    return _done(play, kind.apply_to(play, output), understood)


def _narration(content: Any) -> str | None:
    told = content.get("narration") if isinstance(content, Mapping) else None
    fits = isinstance(told, str) and told.strip() and len(told) <= _MAX_NARRATION_LENGTH
    return told.strip() if fits and isinstance(told, str) else None


def _keep_narration(narration: str, content: JsonObject, ctx: PartContext) -> PartDone:
    play = _play(ctx)
    play.warnings.append("output_after_break")
    mood = ctx.opened.mood or "scene"
    if isinstance(play.crew.phase, Playing) or play.crew.closed_scene_id is not None:
        add_beat(play, DmNarration(text=narration, mood=mood, seq=play.seq, turn=play.crew.turn))
    play.tell(narration)
    return _done(play, {}, content)
