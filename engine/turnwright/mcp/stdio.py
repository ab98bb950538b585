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
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from turnwright.model.errors import CampaignError

logger = logging.getLogger(__name__)
_STOPS = (signal.SIGINT, signal.SIGTERM)


async def serve_stdio(server: Server[None], stop: Callable[[], None]) -> None:
    """Serve until the client closes its end, or a signal asks to stop.

    Args:
        server: what is served.
        stop: leaves the campaign as it should be left; called before a signal ends the process.
    """
    async with anyio.create_task_group() as group:
        group.start_soon(_end_on_signal, stop)
        async with stdio_server() as (read, write):
            into, out = anyio.create_memory_object_stream[SessionMessage | Exception]()
            group.start_soon(_answer_garbage, read, write.clone(), into)
            await server.run(out, write, server.create_initialization_options())
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


async def _answer_garbage(
    read: ObjectReceiveStream[SessionMessage | Exception],
    write: ObjectSendStream[SessionMessage],
    into: ObjectSendStream[SessionMessage | Exception],
) -> None:
    """Pass on messages, and answer a line that is none as JSON-RPC has it: with an error and no id."""
    async with read, write, into:
        async for message in read:
            if isinstance(message, Exception):
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await write.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=_fault(message))))
                continue
            await into.send(message)


def _fault(error: Exception) -> ErrorData:
    is_json = isinstance(error, ValidationError) and not any(one["type"] == "json_invalid" for one in error.errors())
    return ErrorData(
        code=INVALID_REQUEST if is_json else PARSE_ERROR,
        message="Invalid request" if is_json else "Parse error",
    )
