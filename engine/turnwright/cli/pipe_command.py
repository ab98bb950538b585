"""turnwright pipe."""

from __future__ import annotations

import os
import select
import signal
import sys
import traceback
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument, clock_of, now_option, require_authority, wait_option
from turnwright.cli._streams import OutputFailed
from turnwright.model.authority import GM
from turnwright.store.input_blocks import read_block

if TYPE_CHECKING:
    from turnwright.pipe.serve import Server

_GRACE = 1.0
"""Seconds that a signal leaves to a reader who has not taken all of an answer."""


@click.command()
@campaign_argument
@click.option(
    "--as", "authority", default=GM, show_default=True, help="`gm`, or `player:ID`: the role of all requests."
)
@now_option
@wait_option
def command(campaign: Path, authority: str, now: datetime | None, wait: float) -> None:
    """Serve a CAMPAIGN to a program: a JSON object a line in, an answer a line out, in order.

    A request is such as {"id": 1, "op": "turn", "turn": {...}}; op is turn, query, legal, tools, prompt, answer, undo,
    follow or recall. The answer holds the same id, and either `"ok": true` and a result or `"ok": false` and an error,
    after which the pipe stays open. It ends when its input ends, when its reader is gone, and on SIGINT or SIGTERM.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.pipe.serve import Server
    from turnwright.views.state import require_member

    require_authority(authority)
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        with opened.reading() as world:
            require_member(world, authority)
        output = _Output(sys.stdout.fileno())
        server = Server(opened, authority, partial(read_block, sys.stdin.fileno()), output.write, _report)
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, partial(_stop, server, output))
        with suppress(BrokenPipeError, _Stopped):
            server.run()


class _Stopped(Exception):
    """A signal came while an answer could not be written, because the reader did not read."""


class _Output:
    """Standard output, without a buffer: what cannot be written is known at once, and nothing is left for later."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.is_writing = False

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        self.is_writing = True
        try:
            while rest:
                rest = rest[self._written(rest) :]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputFailed(self._descriptor, error) from error
        finally:
            self.is_writing = False

    def _written(self, data: memoryview) -> int:
        """Write some of the bytes, and return how many; like `_read`, wait where the output does not block."""
        while True:
            try:
                return os.write(self._descriptor, data)
            except BlockingIOError:
                select.select([], [self._descriptor], [])


def _stop(server: Server, output: _Output, _number: int, _frame: FrameType | None) -> None:
    """End after the current request; an unread answer delays this by at most a second."""
    server.stop()
    if not output.is_writing:
        return
    if not hasattr(signal, "setitimer"):
        raise _Stopped
    signal.signal(signal.SIGALRM, partial(_give_up, output))
    signal.setitimer(signal.ITIMER_REAL, _GRACE)


def _give_up(output: _Output, _number: int, _frame: FrameType | None) -> None:
    if output.is_writing:
        raise _Stopped


def _report(fault: Exception) -> None:
    click.echo("".join(traceback.format_exception(fault)), err=True)
