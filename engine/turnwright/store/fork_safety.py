"""Forks: what a process had open when it was forked stays the parent's, and the child opens all of it anew.

The lock belongs to the open file, which a fork gives to both, and SQLite would take the parent's locks on the
checkpoint for the child's own. Source: docs/stages/5-commit.md, "One writer at a time".
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, RLock
from weakref import WeakSet, WeakValueDictionary

from turnwright.store import platform

IN_SQLITE = RLock()
"""Held while inside SQLite, which has locks of its own: a child would find them taken for ever."""

_all: WeakValueDictionary[int, ForkGuard] = WeakValueDictionary()
_connections: WeakSet[Connection] = WeakSet()
_opening = Lock()
_held: list[ForkGuard] = []


class Connection:
    """What holds a connection to SQLite, which a child closes and finds closed."""

    def __init__(self) -> None:
        _connections.add(self)

    def close(self) -> None:
        """Close the connection, without undoing anything for the parent."""
        raise NotImplementedError


class ForkGuard:
    """What is used under a mutex, and let go of in a child: while a process forks, nobody is in the middle of it.

    To be kept by who has it open.
    """

    def __init__(self, mutex: RLock, let_go: Callable[[], None]) -> None:
        """Take the mutex, and what closes everything for the child without undoing anything for the parent."""
        self.mutex = mutex
        self.let_go = let_go
        with _opening:
            _all[id(self)] = self


def _before() -> None:
    """Wait until nobody is in the middle of anything, what was opened meanwhile included, and keep it so."""
    while True:
        for apart in _others():
            apart.mutex.acquire()
            _held.append(apart)
        _opening.acquire()
        if not _others():
            break
        _opening.release()
    IN_SQLITE.acquire()


def _others() -> list[ForkGuard]:
    known = [apart for reference in _all.valuerefs() if (apart := reference())]
    return [apart for apart in known if apart not in _held]


def _in_parent() -> None:
    IN_SQLITE.release()
    _opening.release()
    while _held:
        _held.pop().mutex.release()


def _in_child() -> None:
    for connection in list(_connections):
        connection.close()
    for apart in _held:
        apart.let_go()
    _in_parent()


platform.at_forks(_before, _in_parent, _in_child)
