"""Fork safety: file handles and locks stay with the parent; the child reopens them.

The lock belongs to the open file, which both processes share after a fork, and SQLite in the child would mistake the
parent's locks on the checkpoint for its own. Source: docs/stages/5-commit.md, "One writer at a time".
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, RLock
from weakref import WeakSet, WeakValueDictionary

from turnwright.store import platform

IN_SQLITE = RLock()
"""Held while inside SQLite, whose internal locks would otherwise stay locked in a child forever."""

_all: WeakValueDictionary[int, ForkGuard] = WeakValueDictionary()
_connections: WeakSet[Connection] = WeakSet()
_opening = Lock()
_held: list[ForkGuard] = []


class Connection:
    """A holder of an SQLite connection; after a fork the child closes it and sees it as closed."""

    def __init__(self) -> None:
        _connections.add(self)

    def close(self) -> None:
        """Close the connection, without undoing anything for the parent."""
        raise NotImplementedError


class ForkGuard:
    """A resource used under a mutex and released in a child: no thread is using it while the process forks.

    The opener must keep a reference to it.
    """

    def __init__(self, mutex: RLock, let_go: Callable[[], None]) -> None:
        """Take the mutex, and what closes everything for the child without undoing anything for the parent."""
        self.mutex = mutex
        self.let_go = let_go
        with _opening:
            _all[id(self)] = self


def _before() -> None:
    """Acquire the mutex of every guard, including guards opened meanwhile, and hold them."""
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
