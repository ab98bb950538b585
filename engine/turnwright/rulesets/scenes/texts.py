"""A player's text, which begins a turn of play.

Source: docs/tools/scenes.md, "A turn of play".
"""

from __future__ import annotations

from typing import Any

from turnwright.model.clock import Clock
from turnwright.model.crew import FromAftermath
from turnwright.model.mood import MAX_LENGTH, ActionRisky
from turnwright.model.scene import PlayerAction
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.beats import add_beat
from turnwright.rulesets.scenes.clocks import raise_interrupt, take_interrupt
from turnwright.rulesets.scenes.moods import enter_bargain, go
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.waiting import wait_for


def text_of(value: Any, suggestions: tuple[str, ...], where: str) -> str:
    """Return the player's text; the number of a suggestion selects that suggestion.

    Raises:
        CallFailed: `answer_invalid`, for a value that is not a text, is blank or too long, and for an integer without a
            suggestion.
    """
    if type(value) is int and not 1 <= value <= len(suggestions):
        repair = hint.ask(where, value, range(1, len(suggestions) + 1))
        raise CallFailed(Reason.ANSWER_INVALID, f"{where}: there is no suggestion {value}", repair)
    if type(value) is not int and not isinstance(value, str):
        raise CallFailed(Reason.ANSWER_INVALID, f"{where}: wants text", hint.ask(where, value, suggestions))
    text = _picked(str(value), suggestions)
    if not text.strip():
        raise CallFailed(Reason.ANSWER_INVALID, f"{where}: says nothing", hint.ask(where, value, suggestions))
    if len(text) > MAX_LENGTH:
        detail = f"{where}: wants at most {MAX_LENGTH} characters"
        raise CallFailed(Reason.ANSWER_INVALID, detail, hint.ask(where, None))
    return text


def _picked(text: str, suggestions: tuple[str, ...]) -> str:
    number = text.strip()
    is_one = number.isascii() and number.isdigit() and len(number) < 4 and 1 <= int(number) <= len(suggestions)
    return suggestions[int(number) - 1] if is_one else text


def take_text(play: Play, text: str) -> None:
    """Begin a turn of play with the player's text, and let a full clock interrupt."""
    crew = play.crew
    play.set_crew(turn=crew.turn + 1, ledger=type(crew.ledger)())
    add_beat(play, PlayerAction(text=text, by=play.acting_id, seq=play.seq, turn=crew.turn + 1))
    wait_for(play, "dm_turn", anew=True, segment=1, transition_count=0, player_text=text)
    play.tell(f"> {text}", "player")
    if _break_in(play):
        wait_for(play, "dm_turn", transition_count=1)


def start_turn(play: Play) -> None:
    """Begin a turn of play without a word of the player: no beat, and nothing breaks in."""
    wait_for(play, "dm_turn", segment=1, player_text="")


def _break_in(play: Play) -> bool:
    """Let the interrupt at the head of the queue change the mood, if it forces the crew to act."""
    raise_interrupt(play)
    head, mood = play.crew.pending_interrupt, play.mood
    if head is None or not head.forces_action or mood.mood not in ("scene", "aftermath"):
        return False
    if mood.mood == "aftermath":
        play.set_crew(scene_entry_context=left_by_aftermath(play, ""))
    take_interrupt(play)
    clock = play.world.find(Clock, head.clock_id)
    shown = head.clock_id if clock is not None and clock.visible else None
    play.emit("InterruptFired", clock_id=shown, description=head.description, forces_action=True)
    action = ActionRisky(
        intent="react", approach="at once", threat=head.description, opportunity="react before it lands"
    )
    if play.crew.dice_pool:
        go(play, "clock_interrupt", action)
    else:
        enter_bargain(play, "clock_interrupt", action, head.description, can_retreat=True)
    return True


def left_by_aftermath(play: Play, note: str) -> FromAftermath:
    """Return the entry context that the ending aftermath leaves behind."""
    crew = play.crew
    return FromAftermath(
        transition_note=note, unresolved_threats=crew.unresolved_threats, recent_costs=crew.recent_costs
    )
