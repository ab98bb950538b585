"""What the game waits for next, and the one request that is open.

Source: docs/tools/scenes.md, "Waiting" and "Requests".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from turnwright.model.crew import Playing
from turnwright.model.mood import TraumaMood
from turnwright.model.request import Awaiting, Stage
from turnwright.model.viewer import TABLE
from turnwright.rulesets.scenes.play import Play

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import (
        CreationAsked,
        DiceAsked,
        NumberedOption,
        Payload,
        ShownDie,
        ShownOption,
        TextAsked,
    )

PROMPT = "What do you do?"


def wait_for(play: Play, stage: Stage, *, anew: bool = False, **changes: Any) -> None:
    """Set the one thing that is needed next; no request stays open.

    Args:
        play: the game.
        stage: the stage.
        anew: whether it is asked for again even if nothing else changed.
        changes: further fields of `Awaiting`; `for_` is the acting character unless given.
    """
    before = play.crew.awaiting
    mood = play.crew.mood
    wanted = {"for_": play.acting_id, "mood": mood.mood if mood else None, "segment": before.segment, **changes}
    after: Awaiting = before.replace(stage=stage, **wanted)
    if anew or (after.stage, after.for_, after.segment) != (before.stage, before.for_, before.segment):
        after = after.replace(prompt_id=before.prompt_id + 1, repairs=0)
    play.set_crew(awaiting=after, request=None)


def next_segment(play: Play) -> None:
    """End the segment: the same input meets the new mood, and nothing more of this turn counts."""
    awaiting, mood = play.crew.awaiting, play.mood
    play.broke = True
    answered = play.acting_id if awaiting.for_ is None else awaiting.for_
    wait_for(
        play,
        "dm_turn",
        for_=mood.for_ if isinstance(mood, TraumaMood) else answered,
        segment=awaiting.segment + 1,
        transition_count=awaiting.transition_count + 1,
    )


def same_segment(play: Play) -> None:
    """Let the game master continue under the same mood."""
    awaiting = play.crew.awaiting
    wait_for(play, "dm_turn", for_=awaiting.for_, mood=awaiting.mood)


def queue_trauma(play: Play) -> None:
    """Let the game master narrate how a character breaks; no player needs to speak first."""
    mood = play.mood
    assert isinstance(mood, TraumaMood)
    wait_for(play, "dm_turn", for_=mood.for_, segment=play.crew.awaiting.segment + 1, player_text="")


def ask_text(play: Play) -> None:
    """Ask the player for an action."""
    payload: TextAsked = {"suggestions": list(play.crew.suggested_actions)}
    _ask(play, "player_text", "text", payload, PROMPT, for_=None, player_text="")


def ask_choice(play: Play, options: Sequence[ShownOption], prompt: str) -> None:
    """Ask the table to choose; options are `{key, label, hint?, disabled?}`, in order."""
    numbered: list[NumberedOption] = [{"index": index, **option} for index, option in enumerate(options)]
    _ask(play, "player_choice", "choice", {"options": numbered}, prompt, mood=play.crew.awaiting.mood)


def offer_choice(play: Play, options: Sequence[ShownOption], prompt: str) -> None:
    """Let the table choose, while the game master is still awaited: whichever comes first counts."""
    if play.crew.request is None:
        numbered: list[NumberedOption] = [{"index": index, **option} for index, option in enumerate(options)]
        _open(play, "choice", {"options": numbered}, prompt, TABLE)


def ask_dice(play: Play, situation: str, position: str, dice: Sequence[ShownDie]) -> str:
    """Ask the owner of the dice to spend one; return the id of the request."""
    payload: DiceAsked = {"situation": situation, "position": position, "dice": list(dice)}
    mood = play.crew.awaiting.mood
    return _ask(play, "player_dice", "dice", payload, situation, to=play.acting_id or TABLE, mood=mood)


def ask_creation(play: Play, payload: CreationAsked) -> None:
    """Ask for the new character."""
    _ask(play, "player_creation", "creation", payload, "Who are you?", for_=None)


def _ask(play: Play, stage: Stage, kind: str, payload: Payload, prompt: str, *, to: str = TABLE, **changes: Any) -> str:
    wait_for(play, stage, **changes)
    return _open(play, kind, payload, prompt, to)


def _open(play: Play, kind: str, payload: Payload, prompt: str, to: str) -> str:
    identifier = play.world.new_id("request")
    request = {
        "id": identifier,
        "kind": kind,
        "for": play.acting_id,
        "to": to,
        "prompt": prompt,
        "created_turn": play.crew.turn,
        "payload": payload,
    }
    play.set_crew(request=request)
    return identifier


def after_turn(play: Play) -> None:
    """Set what follows a turn in play: a breaking point, a due compression, or the player's text."""
    phase = play.crew.phase
    assert isinstance(phase, Playing)
    if phase.mood.mood == "trauma":
        queue_trauma(play)
    elif play.crew.closed_scene_id is not None or len(play.scene.beats) >= play.rule("compress_at"):
        from turnwright.rulesets.scenes.compression import compression_due

        compression_due(play)
    else:
        ask_text(play)
