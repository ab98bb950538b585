"""Spell scrolls. Source: SRD 5.1, "Spell Scroll"."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class ScrollNumbers(NamedTuple):
    """The figures that a scroll uses in place of the reader's."""

    save_dc: int
    attack_bonus: int


SCROLLS: Mapping[int, ScrollNumbers] = MappingProxyType(
    {
        0: ScrollNumbers(13, 5),
        1: ScrollNumbers(13, 5),
        2: ScrollNumbers(13, 5),
        3: ScrollNumbers(15, 7),
        4: ScrollNumbers(15, 7),
        5: ScrollNumbers(17, 9),
        6: ScrollNumbers(17, 9),
        7: ScrollNumbers(18, 10),
        8: ScrollNumbers(18, 10),
        9: ScrollNumbers(19, 11),
    }
)
"""By spell level."""

_TITLE = "scroll of "


def scroll_check_dc(spell_level: int, highest_spell_level: int) -> int | None:
    """Return the DC of the check to cast from a scroll, or None when no check is needed.

    Args:
        spell_level: of the scroll, 0..9.
        highest_spell_level: the best the reader could cast, as `slots.highest_spell_level` says.
    """
    return 10 + spell_level if spell_level > highest_spell_level else None


def is_scroll(name: str) -> bool:
    """Return whether a thing of this name is the scroll of a spell."""
    return name.strip().lower().startswith(_TITLE)


def scroll_spell(scroll_name: str) -> str:
    """Return the name of the spell on a scroll: "Scroll of Fireball" holds "Fireball"."""
    name = scroll_name.strip()
    spell = name[len(_TITLE) :].strip() if name.lower().startswith(_TITLE) else name
    return spell or name
