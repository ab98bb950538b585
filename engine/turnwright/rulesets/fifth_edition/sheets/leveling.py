"""The gains of a new level. Source: SRD 5.1, "Beyond 1st Level"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from turnwright.rulesets.fifth_edition.sheets.classes import average_gain, level_gain
from turnwright.rulesets.fifth_edition.sheets.rounding import bounded

HpMethod = Literal["roll", "average", "max", "manual"]


class Slots(NamedTuple):
    """The slots of one spell level: how many are left, and of how many."""

    current: int
    max: int


def hp_gain(method: HpMethod, die: int, con_modifier: int, given: int = 0) -> int:
    """Return the hit points of one level, at least 1.

    Args:
        method: how they are determined.
        die: the sides of the hit die.
        con_modifier: added to the die, but not to hit points given by hand.
        given: the face of the die for `roll`, the hit points for `manual`; ignored for the others.
    """
    if method == "manual":
        return max(1, given)
    return level_gain({"roll": given, "average": average_gain(die), "max": die}[method], con_modifier)


def raised_hp(hp: int, gain: int) -> int:
    """Return the hit points of a character whose maximum has risen; a new level does not wake a character at 0."""
    return bounded(hp + gain) if hp > 0 else hp


def grown(current: int, maximum: int, new_maximum: int) -> int:
    """Return the remaining slots or hit dice under a new maximum: increased by the rise of the maximum."""
    return min(new_maximum, current + max(0, new_maximum - maximum))


def grown_slots(slots: Mapping[int, Slots], maxima: Sequence[int]) -> dict[int, Slots]:
    """Return spell slots by spell level under new maxima, which are those of spell levels 1, 2, 3, ..."""
    before = {level: slots.get(level, Slots(0, 0)) for level in range(1, len(maxima) + 1)}
    return {level: Slots(grown(*before[level], maximum), maximum) for level, maximum in enumerate(maxima, 1)}
