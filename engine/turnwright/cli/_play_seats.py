"""Who sits at the keyboard, and what they may see.

A seat is `table` (the party together: they share what players may see), `gm`, or `player:<character id>`.
Source: docs/agents.md, "Seats".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.stages.settings import GM
from turnwright.tools.registry import TOOLS

Json = Mapping[str, Any]
TABLE = "table"
_BEHIND_THE_SCREEN = frozenset(
    {
        "create_character",
        "delete_character",
        "manage_location",
        "manage_notes",
        "modify_terrain",
        "place_prop",
        "update_character",
    }
)
"""Tools whose work players learn of from the story alone."""


def authority_of(seat: str) -> str:
    """Return the door through which somebody speaks; the table's is that of the command line."""
    return GM if seat == TABLE else seat


def player_of(seat: str) -> str | None:
    """Return the character of a seat that is one player's; None for the others."""
    return seat.partition(":")[2] if seat.startswith("player:") else None


def eyes_of(seat: str, acting_id: str | None) -> str:
    """Return the reader whose projection a seat is shown."""
    return f"player:{acting_id or ''}" if seat == TABLE else seat


def hears(record: Json, seat: str) -> bool:
    """Return whether somebody at the table heard what a record tells."""
    player = player_of(seat)
    if player is None or record.get("private") is not True:
        return True
    return player in (record.get("actor_id"), record.get("speaker_id"), *record.get("addressees", ()))


def shown_actions(record: Json, seat: str) -> Iterator[Json]:
    """Yield the actions of a turn that a seat is shown beside the story."""
    return (done for done in record["applied_actions"] if _is_shown(done["tool"], seat))


def shown_draws(record: Json, seat: str) -> Iterator[Json]:
    """Yield the dice of a turn that a seat is shown."""
    calls = record.get("tool_calls") or ()
    for draw in record["draws"]:
        place = draw["part"] - 1
        call = calls[place] if 0 <= place < len(calls) else None
        tool = call.get("tool") if isinstance(call, Mapping) else None
        if _is_shown(str(tool), seat):
            yield draw


def _is_shown(tool: str, seat: str) -> bool:
    if seat == GM:
        return True
    known = TOOLS.get(tool)
    return seat == TABLE and tool not in _BEHIND_THE_SCREEN and not (known is not None and known.reads)
