"""The interlude: the steps between two scenes, and the one activity that the crew chooses.

Source: docs/tools/scenes.md, "Interludes".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pydantic import Field

from turnwright.model.base import Model
from turnwright.model.clock import Clock
from turnwright.model.crew import BetweenScenes, BetweenScenesContext, ClockShown, SessionEnded
from turnwright.model.prose import Narration
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.choices import picked
from turnwright.rulesets.scenes.clocks import check_completion, threat_clocks, tick
from turnwright.rulesets.scenes.compression import compression_due
from turnwright.rulesets.scenes.downtime import options, spend_time
from turnwright.rulesets.scenes.play import Play, Source
from turnwright.rulesets.scenes.waiting import ask_choice, wait_for

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import OptionChosen, PassedTime

HOLDING_LINE = "Time passes. The city goes on about its business, and so do those who look for you."
PROMPT = "What do you do with the time between?"


class TransitionOutput(Model):
    """How time passes between two scenes."""

    text: Narration = Field(description="One or two sentences, about 50 words, without dialogue.")


def enter(play: Play) -> None:
    """Leave play for the interlude; the scene is closed already, and is compressed before anything else."""
    play.set_crew(phase=BetweenScenes(), mood_turns=0)
    if play.crew.closed_scene_id is not None:
        compression_due(play)
    else:
        go_on(play)


def go_on(play: Play) -> None:
    """Take the next step of the interlude; the work of its present stage is done."""
    stage = context_of(play).stage
    if stage == "entering" and play.crew.heat >= play.rule("heat_max"):
        _at(play, stage="entanglement")
        wait_for(play, "dm_entanglement", player_text="")
    elif stage in ("entering", "entanglement"):
        _pass_time(play)
        _at(play, stage="narrating")
        wait_for(play, "dm_transition", player_text="")
    else:
        _offer(play)


def apply_transition(play: Play, output: TransitionOutput) -> PassedTime:
    """Narrate the passing of time, and let the crew choose."""
    _narrate(play, output.text, "dm")
    return {"options": [option.key for option in context_of(play).options]}


def fallback_transition(play: Play) -> None:
    """Use a neutral line in place of a missing transition, and let the crew choose."""
    play.emit("TurnFallback", reason="no transition could be applied")
    _narrate(play, HOLDING_LINE, "system")


def resume(play: Play) -> None:
    """Resume an ended session where it stopped: at the choice, with the current options."""
    play.set_crew(phase=BetweenScenes(context=BetweenScenesContext(stage="narrating")))
    go_on(play)


def answer(play: Play, value: Any) -> OptionChosen:
    """Perform the activity that the table chose, the only one in this interlude.

    Raises:
        CallFailed: `option_unavailable` for an activity that is not offered, or no longer possible; `answer_invalid`.
    """
    key = picked(play, value)
    possible = {option.key: option for option in options(play)}
    if key not in possible:
        repair = hint.name("answer.value", value, possible)
        raise CallFailed(Reason.OPTION_UNAVAILABLE, f"answer.value: {key} is not possible any more", repair)

    option = possible[key]
    play.emit("InterludeChosen", option=key)
    _note_completed(play, spend_time(play, option))
    if option.option == "end_session":
        play.set_crew(phase=SessionEnded(reason="player_choice"))
        wait_for(play, "none", for_=None)
    else:
        _at(play, stage="scene_init", options=(), chosen=key)
        wait_for(play, "dm_scene_init")
    return {"chosen": key}


def context_of(play: Play) -> BetweenScenesContext:
    """Return the stage of the interlude and its context; only between scenes."""
    phase = play.crew.phase
    assert isinstance(phase, BetweenScenes)
    return phase.context


def _at(play: Play, **changes: Any) -> None:
    """Store the stage of the interlude."""
    context = context_of(play).replace(**changes)
    play.set_crew(phase=BetweenScenes(context=context.replace(clocks=_shown(play, context.completed_clocks))))


def _shown(play: Play, just_completed: tuple[str, ...]) -> list[ClockShown]:
    """Return the clocks that players see; of the full ones only those completed in this interlude."""
    clocks = sorted(play.world.all(Clock), key=lambda clock: clock.id)
    return [
        ClockShown(name=clock.name, filled=clock.filled, segments=clock.segments, is_threat=clock.type == "threat")
        for clock in clocks
        if clock.visible and (not clock.is_full or clock.id in just_completed)
    ]


def _pass_time(play: Play) -> None:
    for clock in threat_clocks(play):
        tick(play, clock, 1, "interlude")
    _note_completed(play, check_completion(play))


def _note_completed(play: Play, clocks: Iterable[Clock]) -> None:
    """Store which clocks were completed in this interlude, for the prompt of the next scene."""
    _at(play, completed_clocks=(*context_of(play).completed_clocks, *(clock.id for clock in clocks)))


def _narrate(play: Play, text: str, source: Source) -> None:
    _at(play, transition_narration=text)
    play.tell(text, source)
    go_on(play)


def _offer(play: Play) -> None:
    offered = options(play)
    _at(play, stage="choosing", options=offered)
    play.emit("InterludeEntered", options=[option.as_written for option in offered])
    ask_choice(play, [{"key": option.key, "label": option.label} for option in offered], PROMPT)
