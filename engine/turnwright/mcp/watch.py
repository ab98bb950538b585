"""Detect that any process changed a campaign, and notify subscribed clients.

A client of the handshake versions is notified on its own connection; one of 2026-07-28 on the stream it listens on.
Source: docs/mcp.md, "Changes".
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

from turnwright.mcp.apps import offered_resources
from turnwright.mcp.door import Door
from turnwright.mcp.tools import list_tools
from turnwright.model.errors import CampaignError
from turnwright.store.files import Files, Seen
from turnwright.store.log import LOG_PATH

logger = logging.getLogger(__name__)
INTERVAL = 0.2
"""Seconds between two looks at the log."""
_MAX_LOOKS = 10
"""Number of polls that may each find a longer log before clients are notified anyway."""
MAX_SESSIONS = 64
"""The most connections of the handshake versions that hear of changes; the oldest are forgotten first."""


class _Session(NamedTuple):
    """A connection of the handshake versions, and the resources it subscribed to."""

    session: ServerSession
    uris: set[str]


class Subscribers:
    """The subscribers to changes: connections of the handshake versions, and listening streams."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._sessions: OrderedDict[int, _Session] = OrderedDict()

    def add(self, session: ServerSession) -> None:
        """Tell a connection of changes of lists from now on."""
        key = id(session.client_params)
        self._sessions.setdefault(key, _Session(session, set()))
        while len(self._sessions) > MAX_SESSIONS:
            self._sessions.popitem(last=False)

    def subscribe(self, session: ServerSession, uri: str) -> None:
        """Tell a connection of changes of a resource from now on."""
        self.add(session)
        self._sessions[id(session.client_params)].uris.add(uri)

    def unsubscribe(self, session: ServerSession, uri: str) -> None:
        """Tell a connection of changes of a resource no more."""
        if known := self._sessions.get(id(session.client_params)):
            known.uris.discard(uri)

    async def tools_changed(self) -> None:
        """Tell everyone that the list of tools changed."""
        await self._tell(ToolsListChanged(), lambda known: known.session.send_tool_list_changed())

    async def resources_changed(self) -> None:
        """Tell everyone that the list of resources changed."""
        await self._tell(ResourcesListChanged(), lambda known: known.session.send_resource_list_changed())

    async def updated(self, uris: Iterable[str]) -> None:
        """Notify the subscribers of changed resources."""
        for uri in uris:
            await self.bus.publish(ResourceUpdated(uri=uri))
            for known in list(self._sessions.values()):
                if uri in known.uris:
                    await _send(known.session.send_resource_updated(uri))

    async def _tell(self, event: ServerEvent, send: Callable[[_Session], Awaitable[None]]) -> None:
        await self.bus.publish(event)
        for known in list(self._sessions.values()):
            await _send(send(known))


async def _send(sending: Awaitable[None]) -> None:
    try:
        await sending
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        logger.debug("a connection that ended was not told of a change")


class _Offer(NamedTuple):
    """A role's offer: the names and descriptions of its tools, and its resources."""

    tools: tuple[types.Tool, ...]
    resources: tuple[types.Resource, ...]


class Watch:
    """Polls the log, and compares a role's offer with its previous one."""

    def __init__(self, door: Door, files: Files, subscribers: Subscribers) -> None:
        self._door = door
        self._files = files
        self._subscribers = subscribers
        self._mark: Seen | None = None
        self._seen: _Offer | None = None

    async def begin(self) -> None:
        """Look for the first time: before a client can be offered anything, so that no change after it is missed."""
        self._mark = await anyio.to_thread.run_sync(self._look)
        self._seen = await anyio.to_thread.run_sync(self._offer)

    async def run(self) -> None:
        """Watch until canceled. While turns come fast, clients are notified at most every `_MAX_LOOKS` polls."""
        told, looks = self._mark, 0
        while True:
            await anyio.sleep(INTERVAL)
            mark = await anyio.to_thread.run_sync(self._look)
            is_still, self._mark = mark == self._mark, mark
            looks = 0 if mark == told else looks + 1
            if mark == told or not (is_still or looks >= _MAX_LOOKS):
                continue
            told, looks, before = mark, 0, self._seen
            seen = self._seen = await anyio.to_thread.run_sync(self._offer) or before
            if before is None or seen is None:
                continue
            if seen.tools != before.tools:
                await self._subscribers.tools_changed()
            if seen.resources != before.resources:
                await self._subscribers.resources_changed()
            await self._subscribers.updated(dict.fromkeys(one.uri for each in (before, seen) for one in each.resources))

    def _look(self) -> Seen | None:
        """Return what changes whenever the log does; None while it cannot be looked at."""
        try:
            return self._files.look(LOG_PATH)
        except OSError:
            return None

    def _offer(self) -> _Offer | None:
        """Return what the role is offered now; None while the campaign cannot be read."""
        try:
            return _Offer(tuple(list_tools(self._door)), tuple(offered_resources(self._door)))
        except CampaignError as error:
            logger.warning("the campaign cannot be read now: %s", error.reason.value)
            return None
