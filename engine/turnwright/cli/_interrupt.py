"""Ctrl-C as a sign that is looked at, so that nothing is torn apart by it and it is never lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopSign:
    """Whether the person at the terminal pressed Ctrl-C."""

    def __init__(self, *, interrupts: bool = False) -> None:
        """Begin with the sign down.

        Args:
            interrupts: whether Ctrl-C also raises `KeyboardInterrupt`, so that nothing has to be waited for. That alone
                is no sign: Python drops what is raised while it takes an object away.
        """
        self.is_up = False
        self._interrupts = interrupts

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Take Ctrl-C as this sign, as long as the block runs."""
        self.is_up = False
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def raise_sign(_number: int, _frame: FrameType | None) -> None:
            self.is_up = True
            if self._interrupts:
                raise KeyboardInterrupt

        before = signal.signal(signal.SIGINT, raise_sign)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
