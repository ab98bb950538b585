"""Reading an input as it comes."""

from __future__ import annotations

import os
import select

_BLOCK = 1 << 16


def read_block(descriptor: int) -> bytes:
    """Return the next bytes of an input, none at its end; waits for them also where it was set not to block."""
    while True:
        try:
            return os.read(descriptor, _BLOCK)
        except BlockingIOError:
            select.select([descriptor], [], [])
