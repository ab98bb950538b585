"""Serving one client over standard input and output; everything else that is printed goes to standard error.

Source: docs/mcp.md, "Over stdio".
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable
from contextlib import suppress

import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server

from turnwright.mcp.wire import wire
from turnwright.model.errors import CampaignError

logger = logging.getLogger(__name__)
_STOPS = (signal.SIGINT, signal.SIGTERM)


async def serve_stdio(server: Server[None], stop: Callable[[], None]) -> None:
    """Serve until the client closes its end, or a signal asks to stop.

    Args:
        server: the server.
        stop: closes the campaign cleanly; called before a signal ends the process.
    """
    async with anyio.create_task_group() as group:
        group.start_soon(_end_on_signal, stop)
        with wire() as (read, write):
            await server.run(read, write, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _end_on_signal(stop: Callable[[], None]) -> None:
    """End the process at a signal: the thread that waits for the next line of the client cannot be woken."""
    with suppress(NotImplementedError), anyio.open_signal_receiver(*_STOPS) as signals:
        async for number in signals:
            logger.info("stopped by %s", signal.Signals(number).name)
            code = 0
            try:
                await anyio.to_thread.run_sync(stop)
            except CampaignError as error:
                logger.warning("%s", error)
                code = 1
            os._exit(code)
