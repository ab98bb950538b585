"""Spell slots by caster type and level.

Source: SRD 5.1, the tables of the classes; those of a third caster follow the same steps at a third of the level.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from turnwright.model.sheet import Sheet
from turnwright.model.vocabulary import CasterType

# One column a caster type: the slots of spell levels 1, 2, 3, ...; the warlock's: slots x their level.
_TABLE = """
level  full       half   third  warlock
1      2          -      -      1x1
2      3          2      -      2x1
3      42         3      2      2x2
4      43         3      3      2x2
5      432        42     3      2x3
6      433        42     3      2x3
7      4331       43     42     2x4
8      4332       43     42     2x4
9      43331      432    42     2x5
10     43332      432    43     2x5
11     433321     433    43     3x5
12     433321     433    43     3x5
13     4333211    4331   432    3x5
14     4333211    4331   432    3x5
15     43332111   4332   432    3x5
16     43332111   4332   433    3x5
17     433321111  43331  433    4x5
18     433331111  43331  433    4x5
19     433332111  43332  4331   4x5
20     433332211  43332  4331   4x5
"""


class PactSlots(NamedTuple):
    """The slots of a warlock: all of them are of one level."""

    slots: int
    slot_level: int


def _columns() -> dict[str, dict[int, str]]:
    header, *rows = [line.split() for line in _TABLE.strip().splitlines()]
    return {name: {int(row[0]): row[column] for row in rows} for column, name in enumerate(header) if column}


_SLOTS: Mapping[str, Mapping[int, tuple[int, ...]]] = MappingProxyType(
    {
        name: {level: tuple(map(int, row.strip("-"))) for level, row in column.items()}
        for name, column in _columns().items()
        if name != "warlock"
    }
)
_PACT: Mapping[int, PactSlots] = MappingProxyType(
    {level: PactSlots(*map(int, row.split("x"))) for level, row in _columns()["warlock"].items()}
)


def spell_slots(caster: CasterType, level: int) -> tuple[int, ...]:
    """Return how many slots there are of spell levels 1, 2, 3, ...; empty for warlocks and non-casters.

    Raises:
        KeyError: for a level that is not 1..20, where the type has slots at all.
    """
    return _SLOTS[caster][level] if caster in _SLOTS else ()


def pact_slots(caster: CasterType, level: int) -> PactSlots | None:
    """Return a warlock's slots, None for all others; raises as `spell_slots` does."""
    return _PACT[level] if caster == "warlock" else None


def highest_spell_level(caster: CasterType, level: int) -> int:
    """Return the level of the best slot, 0 for none."""
    pact = pact_slots(caster, level)
    return pact.slot_level if pact else len(spell_slots(caster, level))


def spend(sheet: Sheet, level: int, count: int = 1) -> Sheet:
    """Return a sheet with `count` fewer slots of a level; the caller has made sure that there are so many."""
    pool = sheet.spell_slots[str(level)]
    return sheet.replace(spell_slots={**sheet.spell_slots, str(level): pool.replace(current=pool.current - count)})


def spend_pact(sheet: Sheet, count: int = 1) -> Sheet:
    """Return a sheet with `count` fewer slots of its pact; the caller has made sure that there are so many."""
    pact = sheet.pact_slots
    assert pact is not None
    return sheet.replace(pact_slots=pact.replace(current=pact.current - count))
