"""Derive the pending work from the turns not undone, so that any session can continue where another one stopped.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.game_master.agents import DueTurn, due_agent_turn
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import AgentKind
from turnwright.protocol.table_talk import HANDLED, is_aside

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

_WHOLE = ""
_RUNNING, _TURN = frozenset({_WHOLE, "/status"}), frozenset({_WHOLE, "/status", "/round", "/turn_index"})
"""The changes of a fight that begin or end it, and those that pass the turn."""


class Unfinished(NamedTuple):
    """The game master's pending work.

    Attributes:
        message: the turn with the unanswered message; None if no answer is due.
        done: the turns with calls since then.
        due: the turn in a fight that an agent takes now.
        of_turn: the turns with calls made in it, and not for a message.
        turn_since: the record that began it; -1 if unknown.
        untold: turns with calls in a fight that has moved on since, not described by any text.
        bridge: the record that last began or ended a fight, if no summary followed; else None.
    """

    message: Record | None = None
    done: tuple[Record, ...] = ()
    due: DueTurn | None = None
    of_turn: tuple[Record, ...] = ()
    turn_since: int = -1
    untold: tuple[Record, ...] = ()
    bridge: int | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether players wait for the game master; a bridge keeps no player waiting."""
        return bool(self.message or self.due or self.untold)


def unfinished(turns: Sequence[Record], world: World) -> Unfinished:
    """Return what is left to do after these turns.

    Args:
        turns: the turns that stand, the oldest first.
        world: the campaign after them.
    """
    log = _Log()
    for record in turns:
        log.take(record, speaks=_speaks(record, world))
    due, untold = due_agent_turn(world), log.untold
    is_over = due is None or any(_changes(record, _TURN) for record in untold)
    if not (is_over and any(map(_applied, untold))):
        untold = []
    return Unfinished(log.message, tuple(log.done), due, tuple(log.of_turn), log.turn_since, tuple(untold), log.bridge)


class _Log:
    """Accumulates the pending work while the log is read record by record."""

    def __init__(self) -> None:
        self.message: Record | None = None
        self.done: list[Record] = []
        self.untold: list[Record] = []
        self.of_turn: list[Record] = []
        self.turn_since = -1
        self.bridge: int | None = None

    def take(self, record: Record, *, speaks: bool) -> None:
        if speaks:
            is_handled = any(key in record for key in HANDLED)
            self.message, self.done, self.untold = None if is_handled else record, [], []
        elif record.get("tool_calls"):
            self._take_calls(record)
        self._take_fights(record)
        if "assistant_text" in record and record.get("agent") != AgentKind.SUMMARIZER:
            self.message, self.done, self.untold = None, [], []

    def _take_calls(self, record: Record) -> None:
        if self.message is not None:
            self.done.append(record)
        elif record.get("agent") == AgentKind.COMBAT:
            self.untold.append(record)
            self.of_turn.append(record)

    def _take_fights(self, record: Record) -> None:
        if _changes(record, _TURN):
            self.of_turn, self.turn_since = [], record["seq"]
        agent = record.get("agent")
        if agent == AgentKind.SUMMARIZER:
            self.bridge = None
        elif agent is not None and _changes(record, _RUNNING):
            self.bridge = record["seq"]


def last_exchange(turns: Sequence[Record], world: World) -> list[Record]:
    """Return the turns since the last message to the game master, that one first; empty if there is none.

    Talk among players is a separate exchange as long as nothing follows it.
    """
    for at in range(len(turns) - 1, -1, -1):
        if _speaks(turns[at], world) or (at == len(turns) - 1 and is_aside(turns[at], world)):
            return list(turns[at:])
    return []


def is_overtaken(turns: Sequence[Record], world: World, since: int, own: Collection[int | None]) -> bool:
    """Return whether another party has spoken, acted or narrated since a turn, or has undone it.

    Args:
        turns: the turns not undone.
        world: the campaign after them.
        since: the number of the turn; -1 for the beginning.
        own: the numbers of the agent's turns.
    """
    if since >= 0 and all(record["seq"] != since for record in turns):
        return True
    others = (record for record in turns if record["seq"] > since and record["seq"] not in own)
    return any(_goes_on(record, world) for record in others)


def _goes_on(record: Record, world: World) -> bool:
    by_master = ("agent" in record or "prompt_id" in record) and _applied(record)
    return by_master or "assistant_text" in record or (_speaks(record, world) and not _is_untaken(record))


def _speaks(record: Record, world: World) -> bool:
    return ("user_input" in record or "answer" in record) and not is_aside(record, world)


def _is_untaken(record: Record) -> bool:
    """Return whether a scene game waited for something else than what was said or answered."""
    return any(failed["tool"] in ("user_input", "answer") for failed in record["tool_feedback"]["failed_calls"])


def _applied(record: Record) -> bool:
    return bool(record["applied_actions"])


def _changes(record: Record, paths: Collection[str]) -> bool:
    """Return whether a turn changed one of these places of some fight."""
    changed = record["changes"]
    fights = (changes for path, changes in changed.items() if path.startswith(Encounter.collection))
    return any(change["path"] in paths for changes in fights for change in changes)
