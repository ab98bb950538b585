"""The table of spoiled calls: what a row says, and reading it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[2] / "tests" / "hints" / "spoiled.jsonl"
Call = Mapping[str, Any]
_KEYS = frozenset({"id", "mechanism", "world", "turn", "call", "meant", "or", "why"})


@dataclass(frozen=True, slots=True)
class Row:
    """A spoiled call.

    Attributes:
        mechanism: how it was spoiled.
        world: where it is handed in; one of `worlds.WORLDS`.
        call: as it is handed in.
        meant: the calls that say what it was meant to say, any of which is right; empty where there are two readings
            or something would have to be invented.
        why: it is judged so.
        turn: further keys of the turn.
    """

    id: str
    mechanism: str
    world: str
    call: Call
    meant: Sequence[Call]
    why: str
    turn: Mapping[str, Any]


def parse_row(line: str) -> Row:
    """Read one line of the table.

    Raises:
        ValueError: for a key that no row has.
    """
    data = json.loads(line)
    if unknown := set(data) - _KEYS:
        raise ValueError(f"{data.get('id')}: no row has {sorted(unknown)}")
    meant = data["meant"]
    return Row(
        id=data["id"],
        mechanism=data["mechanism"],
        world=data["world"],
        call=data["call"],
        meant=() if meant is None else (meant, *data.get("or", ())),
        why=data["why"],
        turn=data.get("turn", {}),
    )


def read_rows(path: Path = TABLE) -> list[Row]:
    """Return the rows of the table, in its order."""
    return [parse_row(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
