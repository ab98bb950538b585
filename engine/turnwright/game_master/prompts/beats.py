"""What a prompt shows of the beats of a scene.

Source: docs/tools/scenes.md, "Scenes".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from turnwright.game_master.prompts.scene_views import name_of
from turnwright.model.character import Character
from turnwright.model.clock import Clock
from turnwright.model.scene import (
    Beat,
    ClockTick,
    DiceRoll,
    DmNarration,
    NpcAction,
    NpcSpeech,
    PlayerAction,
    Revelation,
)
from turnwright.model.state.overlay import World


class BeatView(NamedTuple):
    """A beat: of which kind, who, what, and a word beside it (mood, tier, manner) where there is one."""

    kind: str
    who: str
    text: str
    beside: str = ""
    number: int = 0


def beat_views(world: World, beats: Iterable[Beat]) -> tuple[BeatView, ...]:
    """Return beats with names in the place of ids."""
    return tuple(_beat_view(world, beat) for beat in beats)


def _beat_view(world: World, beat: Beat) -> BeatView:
    match beat:
        case PlayerAction():
            return BeatView(beat.beat, name_of(world, Character, beat.by) if beat.by else "", beat.text)
        case DmNarration():
            return BeatView(beat.beat, "", beat.text, beat.mood)
        case NpcSpeech():
            return BeatView(beat.beat, name_of(world, Character, beat.npc_id), beat.text, beat.manner)
        case NpcAction():
            return BeatView(beat.beat, name_of(world, Character, beat.npc_id), beat.text)
        case Revelation():
            return BeatView(beat.beat, "", beat.secret.content)
        case DiceRoll():
            return BeatView(beat.beat, "", beat.situation, beat.tier, beat.value)
        case ClockTick():
            return BeatView(beat.beat, name_of(world, Clock, beat.clock_id), "", "", beat.ticks)
    return BeatView(beat.beat, "", beat.text)


def without_dice(beats: Sequence[Beat]) -> int:
    """Return how many beats there have been since a die was spent."""
    return next((at for at, beat in enumerate(reversed(beats)) if isinstance(beat, DiceRoll)), len(beats))
