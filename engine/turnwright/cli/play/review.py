"""A person decides on a model's proposal before it is recorded: yes, no, or changed.

The trial run used other dice than the final ones, and they are not shown: a reviewer cannot see a result and then say
no. Source: docs/agents.md, "Who decides".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.cli._asking import leaves, says_yes
from turnwright.cli._output import safe
from turnwright.cli._scene_view import echo_line, echo_wrapped
from turnwright.cli.play.short_forms import typed_args
from turnwright.model.call_shapes import labelled, understood_calls
from turnwright.model.strict_json import compact
from turnwright.rulesets.play_commands import name_of
from turnwright.rulesets.story import describe_failed_call

if TYPE_CHECKING:
    from turnwright.cli.play.session import Session
    from turnwright.game_master.exchange import Proposal
    from turnwright.model.state.overlay import World
    from turnwright.model.wire.shapes import ReceivedTurn

Json = Mapping[str, Any]
_HOW = (
    "yes takes it and no does not; text WORDS tells something else; drop N leaves call N out; "
    "call N key=value changes what it is made with"
)
_DROP, _CALL = re.compile(r"drop ([0-9]{1,3})"), re.compile(r"call ([0-9]{1,3}) (.+)", re.DOTALL)
_TEXT = re.compile(r"text (.+)", re.DOTALL)


def review(session: Session, proposal: Proposal) -> ReceivedTurn | None:
    """Show a turn that a model wants, and return what is to be handed in; None for nothing.

    Args:
        session: the session at whose terminal the person sits.
        proposal: the turn, and the reply to it when it was tried.
    """
    turn = proposal.turn
    session.screen.clear()
    session.screen.title("The game master wants:")
    calls = understood_calls(turn.get("tool_calls") or ())
    for number, call in enumerate(calls, start=1):
        echo_wrapped(_in_words(session, call), f"  {number}  ")
    if text := text_of(turn):
        echo_wrapped(text, "  | ")
    _tell_faults(session, proposal)
    while True:
        line = session.line("yes, no, or edit > ")
        if line is None or leaves(line):
            session.is_over = True
            return None
        word = line.casefold()
        if says_yes(word):
            return turn
        if word in ("n", "no"):
            return None
        edited = edit(turn, calls, line)
        if edited is not None:
            return edited
        session.screen.note(_HOW)


def text_of(turn: ReceivedTurn) -> str:
    """Return what a turn tells: its text, or the narration of its document in a scene game."""
    output = turn.get("output")
    told = output.get("narration") if isinstance(output, Mapping) else turn.get("assistant_text")
    return told if isinstance(told, str) else ""


def edit(turn: ReceivedTurn, calls: Sequence[Any], line: str) -> ReceivedTurn | None:
    """Return a turn as a line changes it; None for a line that says nothing of the kind."""
    if found := _TEXT.fullmatch(line):
        if isinstance(turn.get("output"), Mapping):
            return {**turn, "output": {**turn["output"], "narration": found[1]}}
        return {**turn, "assistant_text": found[1]}
    changed = list(calls)
    if (found := _DROP.fullmatch(line)) and 0 < int(found[1]) <= len(calls):
        del changed[int(found[1]) - 1]
    elif (found := _CALL.fullmatch(line)) and 0 < int(found[1]) <= len(calls):
        call = labelled(calls[int(found[1]) - 1])
        changed[int(found[1]) - 1] = {**call, "args": {**call["args"], **typed_args(found[2])}}
    else:
        return None
    rest = turn.copy()
    rest.pop("tool_calls", None)
    return {**rest, "tool_calls": changed} if changed else rest


def _in_words(session: Session, call: Any) -> str:
    """Return a call as a person reads it: the tool, and what it is made with."""
    known = labelled(call)
    with session.campaign.reading() as world:
        shown = (f"{key}={_value(world, value)}" for key, value in known["args"].items())
        return f"{known['tool']}  {', '.join(map(safe, shown))}"


def _value(world: World, value: Any) -> str:
    return name_of(world, value) if isinstance(value, str) else compact(value).decode()


def _tell_faults(session: Session, proposal: Proposal) -> None:
    """Tell what the engine would refuse of it."""
    reply = proposal.reply
    if reply["status"] == "refused":
        session.screen.warn(f"it would be refused: {reply['detail']}")
        return
    for failed in reply["tool_feedback"]["failed_calls"]:
        with session.campaign.reading() as world:
            knowledge = session.shown(world).knowledge(world)
            why = describe_failed_call(failed, knowledge, names_reason=False, has_hints=False)
        session.screen.warn(f"{failed['tool']} would fail: {why}")
    if reply["status"] == "retry_needed":
        session.screen.warn("the text contradicts what was applied, so it would have to be told again")
    echo_line()
