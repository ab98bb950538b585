"""The tools that the door itself adds to those of the campaign: whole turns, answers, undo.

Their names are reserved: they are in no allowlist and in no turn file. Source: docs/mcp.md, "Tools of the server".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import Field, ValidationError

from turnwright.mcp.door import Door
from turnwright.mcp.outcome import Outcome, failure
from turnwright.model.base import Flag, Model, Text
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.published_schema import published
from turnwright.model.wire.reason import Reason
from turnwright.protocol.stage0_prepare.prepare import inlined
from turnwright.rulesets.argument_schema import advertised_schema

Schema = dict[str, Any]
_CALLS: Schema = {
    "type": "array",
    "maxItems": 64,
    "description": "Calls of listed tools, run in order; each sees what the one before it changed.",
    "items": {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "A label of your own, unique in the turn."},
            "tool": {"type": "string"},
            "args": {"type": "object"},
        },
        "required": ["id", "tool", "args"],
    },
}
_OF_EVERYONE: Mapping[str, Schema] = {
    "user_input": {"type": "string", "description": "What the player said, word for word."},
    "tool_calls": _CALLS,
    "answer": {
        "type": "object",
        "properties": {"request_id": {"type": "string"}, "value": {}},
        "required": ["request_id", "value"],
        "description": "The player's answer to the open request.",
    },
    "atomic": {"type": "boolean", "description": "All parts apply, or none."},
    "turn_id": {"type": "string", "description": "Makes the turn safe to hand in twice; needed to hand it in again."},
    "prompt_id": {"type": "integer", "description": "Of a scene game: the prompt that this turn answers."},
}
_OF_GAME_MASTER: Mapping[str, Schema] = {
    "assistant_text": {
        "type": "string",
        "description": "Your narration as the players will read it. It is checked against what was applied.",
    },
    "actor_id": {"type": "string", "description": "The acting character; default: the active one."},
    "output": {"type": "object", "description": "Of a scene game: the document that it asks of you."},
    "speaker_id": {"type": "string", "description": "The character who speaks in assistant_text."},
    "addressees": {"type": "array", "items": {"type": "string"}, "description": "Who hears it, where not everybody."},
    "private": {"type": "boolean", "description": "Only the addressees hear it."},
    "dialog_type": {"type": "string"},
    "dm_note": {"type": "string", "description": "A note to yourself that no player sees."},
}


class AnswerArgs(Model):
    """Arguments of `answer_request`."""

    value: Any = Field(
        default=None,
        description="The answer: an index or key, a text, or for dice the list of faces. Without it the player is "
        "asked, where the client can ask.",
    )
    request_id: Text | None = Field(default=None, description="Which request is answered; default: the open one.")


class UndoArgs(Model):
    """Arguments of `undo`."""

    turn: Text | None = Field(
        default=None, description="A turn id, or # and a record's number; default: the last turn."
    )
    preview: Flag = Field(default=False, description="Only say what would be taken back.")


class DoorTool(NamedTuple):
    """One tool of the door.

    Attributes:
        name: the reserved word.
        description: what the model reads.
        schema: makes the schema of its arguments for a door.
        run: does it.
        is_offered: whether a door offers it now.
        reads: whether it changes and draws nothing.
        is_destructive: whether it takes something away.
    """

    name: str
    description: str
    schema: Callable[[Door], Schema]
    run: Callable[[Door, Mapping[str, Any]], Outcome]
    is_offered: Callable[[Door], bool]
    reads: bool = False
    is_destructive: bool = False


def _turn_schema(door: Door) -> Schema:
    properties = {**_OF_EVERYONE, **(_OF_GAME_MASTER if door.is_game_master else {})}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _submit_turn(door: Door, args: Mapping[str, Any]) -> Outcome:
    return door.take(args)


def _answer_request(door: Door, args: Mapping[str, Any]) -> Outcome:
    if "value" not in args:
        request = door.open_request()
        if request is None:
            return failure(Reason.REQUEST_MISMATCH, "nothing is asked now")
        with door.reading() as world:
            from turnwright.mcp.reply_text import describe_request

            text = "\n".join(describe_request(request.request, door.knowledge(world)))
        return Outcome({"status": "waiting", "request": request.request}, text, is_error=False)
    return _parsed(AnswerArgs, args, lambda given: door.answer(given.value, given.request_id))


def _undo(door: Door, args: Mapping[str, Any]) -> Outcome:
    return _parsed(UndoArgs, args, lambda given: door.undo(given.turn, dry_run=given.preview))


def _parsed(model: type[Model], args: Mapping[str, Any], run: Callable[[Any], Outcome]) -> Outcome:
    """Run a tool of the door whose arguments fit its model; say what is wrong with those of any other call."""
    try:
        given = model.model_validate(dict(args))
    except ValidationError as error:
        faults = [sentence(each) for each in faults_of(error)]
        return failure(Reason.INVALID_ARGS, f"args.{faults[0]}", known=sorted(model.model_fields))
    return run(given)


def _schema_of(model: type[Model]) -> Callable[[Door], Schema]:
    def schema(_: Door) -> Schema:
        return advertised_schema(published(inlined(model.model_json_schema())))

    return schema


def _has_request(door: Door) -> bool:
    return door.open_request() is not None


DOOR_TOOLS: Mapping[str, DoorTool] = {
    tool.name: tool
    for tool in (
        DoorTool(
            "submit_turn",
            "Hand in one whole turn: what the player said, calls, and the narration of it.\n\n"
            "The log then tells what was said, and the narration is checked against what was applied. Call tools alone "
            "when you need a result before you can go on; hand in the text afterwards.",
            _turn_schema,
            _submit_turn,
            lambda _: True,
        ),
        DoorTool(
            "answer_request",
            "Answer the open request of the game with what the player decided; never decide for the player.",
            _schema_of(AnswerArgs),
            _answer_request,
            _has_request,
        ),
        DoorTool(
            "undo",
            "Take back a turn and everything after it. The table is shown what was taken back, dice included.",
            _schema_of(UndoArgs),
            _undo,
            lambda door: door.can_undo,
            is_destructive=True,
        ),
    )
}
"""The tools of the door by name, in the order of the list."""
