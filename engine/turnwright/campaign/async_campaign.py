"""A campaign for programs with an event loop: the methods of `Campaign`, each done in one thread beside the loop.

from turnwright import AsyncCampaign

async with AsyncCampaign.open("my-campaign") as campaign:
    reply = await campaign.process({"tool_calls": [...]})

Source: docs/python.md, "With an event loop".
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from turnwright.campaign.campaign import Campaign
from turnwright.campaign.follow import Follower
from turnwright.campaign.writer import Clock
from turnwright.model.authority import GM
from turnwright.model.errors import CampaignClosed, CampaignError
from turnwright.model.json_types import JsonObject
from turnwright.store.lock import DEFAULT_WAIT
from turnwright.store.system import pause_async

if TYPE_CHECKING:
    from turnwright.campaign.content import AddedPack
    from turnwright.campaign.recall import RecallReply
    from turnwright.campaign.timeline import Last
    from turnwright.model.dice.draws import DiceRequest
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.json_types import JsonObject
    from turnwright.model.open_request import OpenRequest
    from turnwright.model.viewer import Viewer
    from turnwright.model.wire.prompt import Prompt, ToolDefinition
    from turnwright.model.wire.shapes import (
        AddedContentAnswer,
        QueryAnswer,
        Record,
        Reply,
        ResumeAnswer,
        SettingsAnswer,
        UndoAnswer,
    )
    from turnwright.rulesets.imports import ImportAnswer, Page
    from turnwright.toolset.find import FoundTools

T = TypeVar("T")
AsyncWait = Callable[[], Awaitable[bool]]
_MAX_TAKEN = 100
"""Number of records read at a time."""


class AsyncCampaign:
    """One campaign directory, used from an event loop. Use `AsyncCampaign.open` or `AsyncCampaign.new`.

    Calls are done one after the other, in the order in which they were made, in one thread of this object's own. A call
    that is canceled before its turn comes is never done. One that has begun is finished, and only then is the
    cancellation delivered: it is done once, whole, and the next call finds it done. After that, a turn that has a
    `turn_id` may be handed in again: it gets its first reply.
    """

    def __init__(self, campaign: Campaign, executor: ThreadPoolExecutor) -> None:
        self._campaign = campaign
        self._executor = executor
        self._is_closed = False

    # open and close

    @classmethod
    def open(
        cls, path: str | Path, clock: Clock | None = None, *, wait: float = DEFAULT_WAIT, lag: float | None = None
    ) -> Opening:
        """Open a campaign directory; to be awaited, or entered by `async with`. See `Campaign.open`."""
        return Opening(partial(Campaign.open, path, clock, wait=wait, lag=lag))

    @classmethod
    def new(
        cls,
        path: str | Path,
        template: str | None = None,
        from_file: str | Path | None = None,
        seed: str | None = None,
        clock: Clock | None = None,
        *,
        with_turns: bool = True,
    ) -> Opening:
        """Make a campaign directory and open it; to be awaited, or entered by `async with`. See `Campaign.new`."""
        return Opening(partial(Campaign.new, path, template, from_file, seed, clock, with_turns=with_turns))

    async def __aenter__(self) -> AsyncCampaign:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the campaign; an error on the way here is raised, and not that files are still behind."""
        with suppress(CampaignError) if kind else nullcontext():
            await self.close()

    async def flush(self, *, wait: float | None = None) -> None:
        """Bring documents and results up to the log. See `Campaign.flush`."""
        await self.run(lambda campaign: campaign.flush(wait=wait))

    async def close(self, *, wait: float | None = None) -> None:
        """Do what was asked for before, bring files up to the log, and end the thread. See `Campaign.close`."""
        if not self._is_closed:
            await self._done(partial(self._close, wait))

    def _close(self, wait: float | None) -> None:
        try:
            self._campaign.close(wait=wait)
        finally:
            self._is_closed = True
            self._executor.shutdown(wait=False)

    async def run(self, work: Callable[[Campaign], T]) -> T:
        """Do some work with the campaign in its thread, between two other calls, and return what it returns."""
        return await self._done(partial(work, self._campaign))

    async def _done(self, work: Callable[[], T]) -> T:
        if self._is_closed:
            raise CampaignClosed("this campaign was closed; open it again")
        return await _finished(self._executor, work)

    # turns

    async def process(
        self,
        turn: Any,
        *,
        authority: str = GM,
        dice: Sequence[int] = (),
        dry_run: bool = False,
        source: str | None = None,
        reply_as: str | None = None,
        by_model: bool = False,
        profile: str = "full",
    ) -> Reply:
        """Take one turn and return the reply. See `Campaign.process`."""
        return await self.run(
            lambda campaign: campaign.process(
                turn,
                authority=authority,
                dice=dice,
                dry_run=dry_run,
                source=source,
                reply_as=reply_as,
                by_model=by_model,
                profile=profile,
            )
        )

    async def process_drop(
        self, *, dry_run: bool = False, patient: bool = False, reply_as: str | None = None
    ) -> AsyncIterator[tuple[str, Reply]]:
        """Take the turn files that wait in the drop folder. See `Campaign.process_drop`."""

        def make(campaign: Campaign) -> Iterator[tuple[str, Reply]]:
            return campaign.process_drop(dry_run=dry_run, patient=patient, reply_as=reply_as)

        async for told in self._each(make, at_a_time=1):
            yield told

    async def waiting_for_dice(self) -> DiceRequest | None:
        """Return what the table has to throw for the turn that waits. See `Campaign.waiting_for_dice`."""
        return await self.run(lambda campaign: campaign.waiting_for_dice())

    async def open_request(self, *, viewer: Viewer) -> OpenRequest | None:
        """Return what is asked of a viewer now; None when nothing is. See `Campaign.open_request`."""
        return await self.run(lambda campaign: campaign.open_request(viewer=viewer))

    # what is legal, and what tools tell

    async def legal(self, authority: str = GM, *, viewer: Viewer | None = None, full: bool = False) -> JsonSchema:
        """Return the JSON Schema of the tool calls that are legal now. See `Campaign.legal`."""
        return await self.run(lambda campaign: campaign.legal(authority, viewer=viewer, full=full))

    async def tools(
        self, form: str = "openai", *, viewer: Viewer, profile: str = "full", can_find: bool = False
    ) -> list[ToolDefinition]:
        """Return the tools that a viewer may call now. See `Campaign.tools`."""
        return await self.run(lambda campaign: campaign.tools(form, viewer=viewer, profile=profile, can_find=can_find))

    async def find_tools(self, query: str, form: str = "openai", *, viewer: Viewer) -> FoundTools:
        """Return the tools that fit some words best. See `Campaign.find_tools`."""
        return await self.run(lambda campaign: campaign.find_tools(query, form, viewer=viewer))

    async def prompt(self, message: str | None = None, *, viewer: Viewer) -> Prompt:
        """Return what a model is given that answers now. See `Campaign.prompt`."""
        return await self.run(lambda campaign: campaign.prompt(message, viewer=viewer))

    async def query(self, tool: str, args: JsonObject, *, authority: str = GM) -> QueryAnswer:
        """Call a read-only tool outside a turn. See `Campaign.query`."""
        return await self.run(lambda campaign: campaign.query(tool, args, authority=authority))

    # reading

    async def state(self) -> dict[str, Any]:
        """Return every document as of the last record. See `Campaign.state`."""
        return await self.run(lambda campaign: campaign.state)

    async def state_at(self, mark: str) -> dict[str, Any]:
        """Return every document as it was after a record. See `Campaign.state_at`."""
        return await self.run(lambda campaign: campaign.state_at(mark))

    async def records(self, *, after: int = -1, last: int | None = None) -> AsyncIterator[Record]:
        """Yield the log's records in order. See `Campaign.records`."""
        async for record in self._each(lambda campaign: campaign.records(after=after, last=last)):
            yield record

    async def recall(
        self,
        query: str | None = None,
        *,
        viewer: Viewer,
        person: str | None = None,
        place: str | None = None,
        thing: str | None = None,
        limit: int = 20,
        before: int | None = None,
    ) -> RecallReply:
        """Search what was said and done, as far as one viewer may know it. See `Campaign.recall`."""
        return await self.run(
            lambda campaign: campaign.recall(
                query, viewer=viewer, person=person, place=place, thing=thing, limit=limit, before=before
            )
        )

    async def follow(
        self, *, viewer: Viewer, after: int | None = None, last: int | None = None, wait: AsyncWait | None = None
    ) -> AsyncIterator[Record]:
        """Yield one viewer's view of records as they are committed. See `Campaign.follow`.

        Args:
            viewer: the reader.
            after: the number of the last record to skip; None, the default, skips all existing ones.
            last: yield at most this many of the existing records, the last ones.
            wait: awaited after each look at the log, while other calls are done; returns whether to look again.
        """
        follower: Follower = await self.run(lambda campaign: campaign._reader.follower(viewer, after, last))
        is_on = True
        while is_on:
            async for record in self._each(lambda _: follower.look()):
                yield record
            is_on = await (wait or pause_async)()

    async def project(self, reply: Reply | Record, viewer: Viewer, *, own: bool | None = None) -> Reply:
        """Return what one viewer may see of a reply or of a record of a turn. See `Campaign.project`."""
        return await self.run(lambda campaign: campaign.project(reply, viewer, own=own))

    # changes to the campaign other than turns

    async def set(self, changes: JsonObject) -> SettingsAnswer:
        """Change settings. See `Campaign.set`."""
        return await self.run(lambda campaign: campaign.set(changes))

    async def add(self, kind: str, text: str) -> Reply:
        """Add what a few words describe, by one turn of the game master's. See `Campaign.add`."""
        return await self.run(lambda campaign: campaign.add(kind, text))

    async def add_content(self, pack: AddedPack) -> AddedContentAnswer:
        """Copy a checked pack into the campaign and use it. See `Campaign.add_content`."""
        return await self.run(lambda campaign: campaign.add_content(pack))

    async def import_characters(
        self,
        data: bytes,
        name: str,
        *,
        replace: bool = False,
        join: bool = False,
        as_id: str | None = None,
        dry_run: bool = False,
    ) -> ImportAnswer:
        """Bring the characters of a file into the campaign. See `Campaign.import_characters`."""
        return await self.run(
            lambda campaign: campaign.import_characters(
                data, name, replace=replace, join=join, as_id=as_id, dry_run=dry_run
            )
        )

    async def export_character(self, character_id: str, form: str = "sheet") -> bytes:
        """Return a character as a file. See `Campaign.export_character`."""
        return await self.run(lambda campaign: campaign.export_character(character_id, form))

    async def character_page(self, character_id: str) -> Page:
        """Return what a printable page about a character says. See `Campaign.character_page`."""
        return await self.run(lambda campaign: campaign.character_page(character_id))

    async def undo(self, mark: str | None = None, *, last: Last = "turn", dry_run: bool = False) -> UndoAnswer:
        """Return all documents to what they were before a turn. See `Campaign.undo`."""
        return await self.run(lambda campaign: campaign.undo(mark, last=last, dry_run=dry_run))

    async def resume(self) -> ResumeAnswer:
        """Resume a session that a player ended. See `Campaign.resume`."""
        return await self.run(lambda campaign: campaign.resume())

    async def fork(self, path: str | Path, mark: str, *, seed: str | None = None) -> Path:
        """Make a new campaign directory from this one as it was after a record. See `Campaign.fork`."""
        return await self.run(lambda campaign: campaign.fork(path, mark, seed=seed))

    async def _each(self, make: Callable[[Campaign], Iterator[T]], *, at_a_time: int = _MAX_TAKEN) -> AsyncIterator[T]:
        """Yield what an iterator gives that works in the thread; other calls may be done in between."""
        source = await self.run(make)
        try:
            while taken := await self._done(lambda: list(islice(source, at_a_time))):
                for each in taken:
                    yield each
        finally:
            if isinstance(source, Generator) and not self._is_closed:
                await self._done(source.close)


class Opening:
    """A campaign that is about to be opened: `await` it, or enter it by `async with`."""

    def __init__(self, work: Callable[[], Campaign]) -> None:
        self._work = work
        self._opened: AsyncCampaign | None = None

    def __await__(self) -> Generator[Any, None, AsyncCampaign]:
        return self._open().__await__()

    async def _open(self) -> AsyncCampaign:
        executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="turnwright")
        opened: list[Campaign] = []
        try:
            return AsyncCampaign(await _finished(executor, lambda: _kept(opened, self._work())), executor)
        except BaseException:
            if opened:  # the cancellation came while it was being opened
                executor.submit(opened[0].close)
            executor.shutdown(wait=False)
            raise

    async def __aenter__(self) -> AsyncCampaign:
        self._opened = await self._open()
        return self._opened

    async def __aexit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self._opened is not None:
            await self._opened.__aexit__(kind, *rest)


def _kept(kept: list[T], value: T) -> T:
    kept.append(value)
    return value


async def _finished(executor: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    """Do some work in a thread and return what it returns.

    Raises:
        asyncio.CancelledError: when this was canceled: before the work began, which is then never done, or once it is
            done.
    """
    future = executor.submit(work)
    done = asyncio.wrap_future(future)
    cancelled: asyncio.CancelledError | None = None
    while not done.done():
        try:
            await asyncio.wait({done})
        except asyncio.CancelledError as error:
            if future.cancel():
                raise
            cancelled = error
    if cancelled is not None:
        done.exception()  # whatever it is, the cancellation was first
        raise cancelled
    return done.result()
