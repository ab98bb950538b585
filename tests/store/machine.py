"""A machine that stops in the middle of its work."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from turnwright.store import platform
from turnwright.store.checkpoint import Checkpoint


class Killed(BaseException):
    """The process is gone."""


class Machine:
    """A machine that stops at its `last` operation on the disk; the process does nothing from then on.

    With `tears`, half of the bytes get into the log when it stops there.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, last: int, *, tears: bool) -> None:
        self.left = last
        self.tears = tears
        for name in ("replace", "unlink", "makedirs", "truncate", "write"):
            monkeypatch.setattr(os, name, self._wrapped(getattr(os, name)))
        monkeypatch.setattr(platform, "sync_file", self._wrapped(lambda _: None))
        monkeypatch.setattr(Checkpoint, "save", self._wrapped(Checkpoint.save))

    def _wrapped(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def until_killed(*args: Any, **kwargs: Any) -> Any:
            self.left -= 1
            if self.left == 0 and self.tears and work.__name__ == "write":
                work(args[0], args[1][: len(args[1]) // 2])
            if self.left <= 0:
                raise Killed
            return work(*args, **kwargs)

        return until_killed
