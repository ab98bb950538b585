"""One module for each theme of the table; each gives functions that measure rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from scripts.bench.ground import Ground
from scripts.bench.rows import (
    backlog,
    cold,
    content,
    drop,
    flatness,
    mcp,
    memory,
    pipe,
    readings,
    toolkit,
    turns,
    verification,
)
from scripts.bench.table import Row, broken

Measure = Callable[[Ground], Iterator[Row]]

ROWS: Mapping[str, Measure] = {
    "P1": cold.new_campaign,
    "P2": turns.durable,
    "P3": backlog.syncing,
    "P4": turns.cpu_time,
    "P5": flatness.with_the_map,
    "P5b": flatness.with_the_people,
    "P6": flatness.with_the_log,
    "P7": cold.big_campaign,
    "P8": drop.latency,
    "P9": verification.verify_log,
    "P10": flatness.of_generating,
    "P11": memory.resident,
    "P12": pipe.calls,
    "P13": mcp.calls,
    "R1": readings.again,
    "R2": readings.words,
    "R3": readings.messages,
    "R4": readings.narrations,
    "C1": content.lookups,
    "T": toolkit.calls,
}
"""Every row of the table by its number, in order."""


def rows_of(number: str, ground: Ground) -> list[Row]:
    """Measure one row; return its figures, as far as they could be measured."""
    rows: list[Row] = []
    try:
        rows.extend(ROWS[number](ground))
    except Exception as error:
        rows.append(broken(number, error))
    return rows
