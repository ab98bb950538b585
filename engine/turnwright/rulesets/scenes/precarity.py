"""How precarious a character's situation is, and how that should sound.

Source: docs/tools/scenes.md, "Precarity".
"""

from __future__ import annotations

from typing import NamedTuple


class Band(NamedTuple):
    """A stretch of a scale.

    Attributes:
        start: the lowest value that belongs to it; it ends where the next one starts.
        word: its name.
        voice: advice for the narrator.
    """

    start: int
    word: str
    voice: str


LABELS = (
    Band(0, "operating_from_strength", "Take your time; let things go well, perhaps a shade too smoothly."),
    Band(5, "room_to_maneuver", "Stay wry and exact; the work is done with care and eyes open."),
    Band(10, "walls_closing_in", "Keep paragraphs short; name one way out where there were three."),
    Band(15, "hanging_by_thread", "Strip sentences to the bone; nothing exists but the next heartbeat."),
)
"""The scale of the total score."""
STRESS = (
    Band(0, "clean", "Nothing shows; hands are steady."),
    Band(3, "functional", "Small tells: a clenched jaw, a second look at the door."),
    Band(5, "wearing", "Sleep is missing and patience thin; mistakes are caught late."),
    Band(8, "fraying", "One more push and something gives; let the body say so."),
)
HEAT = (
    Band(3, "ripples", "Talk travels: a shopkeeper goes quiet, a child stares."),
    Band(5, "watching", "The same face twice in one night; patrols linger."),
    Band(8, "hunting", "They have a description and ask from door to door."),
)
"""Below the first band there is no text."""
WANTED = (
    Band(1, "flagged", "A name in a file that some clerk may open."),
    Band(2, "person of interest", "Officers know the name and would like a talk."),
    Band(3, "priority target", "There is a reward, and somebody whose task this is."),
)
"""Below the first band there is no text."""


def score(stress: int, heat: int, wanted: int) -> int:
    """Return the precarity score, from 0 to 27 with the usual limits; each wanted level counts twice."""
    return stress + heat + 2 * wanted


def precarity(score: int) -> Band:
    """Return the band of a score."""
    return _band(LABELS, score) or LABELS[0]


def stress_band(stress: int) -> Band:
    """Return the band of a character's stress."""
    return _band(STRESS, stress) or STRESS[0]


def heat_band(heat: int) -> Band | None:
    """Return the band of the crew's heat; None while the city takes no notice."""
    return _band(HEAT, heat)


def wanted_band(wanted: int) -> Band | None:
    """Return the band of the crew's wanted level; None while the law has nothing on the crew."""
    return _band(WANTED, wanted)


def _band(bands: tuple[Band, ...], value: int) -> Band | None:
    return next((band for band in reversed(bands) if value >= band.start), None)
