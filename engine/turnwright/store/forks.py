"""Forks: what a process had open when it was forked stays the parent's, and the child opens all of it anew.

The lock belongs to the open file, which a fork gives to both, and SQLite would take the parent's locks on the
checkpoint for the child's own. Source: docs/stages/5-commit.md, "One writer at a time".
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from weakref import WeakValueDictionary

from turnwright.store import platform

_all: WeakValueDictionary[int, Apart] = WeakValueDictionary()
_held: list[Apart] = []


class Apart:
    """What is used under a mutex, and let go of in a child: while a process forks, nobody is in the middle of it.

    To be kept by who has it open.
    """

    def __init__(self, mutex: RLock, let_go: Callable[[], None]) -> None:
        """Take the mutex, and what closes everything for the child without undoing anything for the parent."""
        self.mutex = mutex
        self.let_go = let_go
        _all[id(self)] = self


def _before() -> None:
    for reference in _all.valuerefs():
        if apart := reference():
            apart.mutex.acquire()
            _held.append(apart)


def _in_parent() -> None:
    while _held:
        _held.pop().mutex.release()


def _in_child() -> None:
    for apart in _held:
        apart.let_go()
    _in_parent()


platform.at_forks(_before, _in_parent, _in_child)
