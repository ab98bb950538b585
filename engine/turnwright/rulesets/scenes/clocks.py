"""Clocks: ticks, completion, and the consequences of completion.

Source: docs/tools/scenes.md, "Clocks".
"""

from __future__ import annotations

from turnwright.model.clock import Clock
from turnwright.model.crew import ClockInterrupt, PendingConsequence, Playing
from turnwright.model.intrigue import Thread
from turnwright.model.scene import ClockTick
from turnwright.rulesets.scenes.beats import add_beat
from turnwright.rulesets.scenes.play import Play


def threat_clocks(play: Play) -> list[Clock]:
    """Return the clocks that threaten and are not full yet, in the order of their ids."""
    return [clock for clock in unfilled(play) if clock.type == "threat"]


def unfilled(play: Play) -> list[Clock]:
    """Return the clocks that are not full, in the order of their ids."""
    clocks = (clock for clock in play.world.all(Clock) if not clock.is_full)
    return sorted(clocks, key=lambda clock: clock.id)


def tick(play: Play, clock: Clock, ticks: int, cause: str) -> int:
    """Move a clock on, never past its last segment; return by how much it really moved."""
    filled = min(clock.segments, clock.filled + ticks)
    moved = filled - clock.filled
    if moved <= 0:
        return 0
    play.world.put(clock.replace(filled=filled))
    told = {"id": clock.id, "name": clock.name, "from_": clock.filled, "to": filled}
    play.emit("ClockAdvanced", visible=clock.visible, **told, segments=clock.segments, cause=cause)
    if isinstance(play.crew.phase, Playing):
        add_beat(play, ClockTick(clock_id=clock.id, ticks=moved, seq=play.seq, turn=play.crew.turn))
    return moved


def check_completion(play: Play) -> list[Clock]:
    """Record every clock that has become full: its consequence, its interrupt, the threads it ends. Return them."""
    full = sorted(
        (clock for clock in play.world.all(Clock) if clock.is_full and clock.completed_at_turn is None),
        key=lambda clock: clock.id,
    )
    for clock in full:
        _complete(play, clock)
    return full


def _complete(play: Play, clock: Clock) -> None:
    play.world.put(clock.replace(completed_at_turn=play.crew.turn))
    play.emit(
        "ClockCompleted",
        visible=clock.visible,
        clock_id=clock.id,
        clock_name=clock.name,
        consequence=clock.consequence,
    )
    due = PendingConsequence(
        id=play.world.new_id("consequence"),
        clock_id=clock.id,
        name=clock.name,
        type=clock.type,
        text=clock.consequence,
        prompt_id=play.crew.awaiting.prompt_id,
    )
    play.set_crew(pending_consequences=(*play.crew.pending_consequences, due))
    queue_interrupt(
        play,
        ClockInterrupt(
            clock_id=clock.id,
            event_type="clock_completed",
            description=clock.consequence or (clock.name if clock.visible else "something comes due"),
            forces_action=clock.breaks_in,
        ),
    )
    for thread in play.world.all(Thread):
        if thread.deadline == clock.id and thread.tension != "critical":
            play.world.put(thread.replace(tension="critical"))


def queue_interrupt(play: Play, interrupt: ClockInterrupt) -> None:
    """Add an interrupt to the end of the queue."""
    play.set_crew(interrupt_queue=(*play.crew.interrupt_queue, interrupt))
    raise_interrupt(play)


def raise_interrupt(play: Play) -> None:
    """Make the first interrupt of the queue the current one, if there is none."""
    queue = play.crew.interrupt_queue
    if play.crew.pending_interrupt is None and queue:
        play.set_crew(pending_interrupt=queue[0], interrupt_queue=queue[1:])


def take_interrupt(play: Play) -> None:
    """Take the head away; the next one moves up when a player speaks again, so that there is one in a turn."""
    play.set_crew(pending_interrupt=None)
