"""Write to a campaign directory: one writer at a time, on documents without unadopted hand edits.

Hand edits are adopted before a turn, and files follow the log.
Source: docs/stages/2-settings.md, "Hand edits"; docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.errors import BadRequest, CampaignBusy, CampaignClosed, CampaignError, CampaignInvalid
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import DEFAULTS, settings_of
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.model.wire.record import as_record
from turnwright.protocol import stage5_commit as commit
from turnwright.protocol.validation import edits
from turnwright.rulesets.in_use import require_rulesets_at
from turnwright.store import inbox as drop
from turnwright.store.files import storage_failed
from turnwright.store.fork_safety import ForkGuard
from turnwright.store.reader_pool import ReaderPool
from turnwright.store.store import DocumentChanged, Store
from turnwright.store.system import timestamps
from turnwright.store.write_behind import WriteBehind

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

Clock = Callable[[], datetime]
T = TypeVar("T")
_MAX_REREADS = 8
_MAX_LENGTH = 3600
"""The most seconds that files may be behind, or another writer be waited for."""


class Writer:
    """Writes to one campaign directory: holds its lock and its mutex, adopts hand edits, and updates files from the
    log.

    Args:
        store: the directory's log and files.
        pool: the stores for reading, which are closed with it.
        clock: gives an aware datetime.
        wait: seconds to wait for another writer.
        lag: seconds that documents and results may be behind the log while turns come fast.

    Attributes:
        now: returns the time in the records' format.

    Raises:
        BadRequest: when `wait` or `lag` is not a number of seconds from 0 to 3600.
    """

    def __init__(self, store: Store, pool: ReaderPool, clock: Clock, wait: float, lag: float) -> None:
        _require_seconds(wait=wait, lag=lag)
        self._store = store
        self._pool = pool
        self.now = timestamps(clock)
        self.wait = wait
        self._mutex = RLock()
        self._behind = WriteBehind(self._flush, lambda: self._bring_up(wait=0), lag, self._mutex, wait)
        self._apart = ForkGuard(self._mutex, self._let_go)
        self._edits_seen = False
        self._is_closed = False

    def flush(self, *, wait: float | None = None) -> None:
        """Bring documents and results up to the log; see `Campaign.flush`."""
        _require_seconds(wait=wait)
        with self._mutex:
            self.require_open()
            self._bring_up(wait)

    def _bring_up(self, wait: float | None) -> None:
        with self._mutex:
            if self._store.is_behind:
                doing = "the log has everything, but the files could not be brought up to it"
                with self.writing(wait, doing=doing, is_closing=True):
                    self._flush()

    def close(self, *, wait: float | None = None) -> None:
        """Bring documents and results up to the log, and close all files; see `Campaign.close`."""
        _require_seconds(wait=wait)
        with self._mutex:
            if self._is_closed:
                return
            self._require_idle()
            self._is_closed = True
            self._behind.stop()
            self._pool.close()
            try:
                if self.is_behind:
                    self._bring_up(wait)
            finally:
                self._store.close()

    def require_open(self) -> None:
        """Reject use of a closed campaign.

        Raises:
            CampaignClosed: when it was.
        """
        if self._is_closed:
            raise CampaignClosed("this campaign was closed; open it again")

    def _let_go(self) -> None:
        """Leave what is open to the process that this one was forked from."""
        self._behind.forget()
        self._store.close()
        self._pool.let_go()
        self._edits_seen = False

    # the lock and hand edits

    def prepare_reading(self) -> None:
        """Bring the files up to the log where that needs no wait, so that a reader need not read the log."""
        self.require_open()
        if self._mutex.acquire(blocking=False):
            try:
                if self.is_behind:
                    with suppress(CampaignError), self.writing(wait=0):
                        self._flush()
            finally:
                self._mutex.release()

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Keep other threads of this process from writing; other processes may write."""
        with self._mutex:
            self.require_open()
            yield

    @contextmanager
    def writing(
        self,
        wait: float | None = None,
        *,
        dry_run: bool = False,
        doing: str = "the campaign could not be written",
        is_closing: bool = False,
    ) -> Iterator[None]:
        """Hold the campaign's lock; records of other processes are read first. A dry run writes nothing.

        Args:
            wait: seconds to wait for another writer; default: those that the campaign was opened with.
            dry_run: whether the lock is for a dry run.
            doing: the operation to name in a storage error.
            is_closing: whether the campaign may be closed already.

        Raises:
            CampaignBusy, CampaignInvalid, CampaignClosed, StorageFailed: nothing is held.
        """
        if dry_run and self._store.kinds.is_older:
            message = "is of an older format: a dry run writes nothing, and so cannot migrate it; take a turn first"
            raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$.format", "format", message)])
        with self._mutex:
            if not is_closing:
                self.require_open()
            self._require_idle()
            if not self._store.kinds.is_complete:
                require_rulesets_at(self._store.files)
            if self._store.kinds.is_older:
                self._migrate(self.wait if wait is None else wait, doing)
            try:
                self._store.begin_writing(self.wait if wait is None else wait)
                try:
                    yield
                finally:
                    self._store.end_writing()
            except OSError as error:
                raise storage_failed(doing, error) from error

    def _migrate(self, wait: float, doing: str) -> None:
        """Migrate a campaign of an older format to the newest, in a separate record."""
        from turnwright.campaign.migration import migrate

        try:
            migrate(self._store, wait, self.now())
        except OSError as error:
            raise storage_failed(doing, error) from error

    def _require_idle(self) -> None:
        """Refuse what a signal handler or a clock asks for while the same thread is in the middle of a turn."""
        if self._store.is_writing:
            raise CampaignBusy("this thread is in the middle of something else with this campaign")

    def with_edits_adopted(self, work: Callable[[], T], *, dry_run: bool = False) -> T:
        """Run `work` after adopting pending hand edits; retry if a file changes meanwhile."""
        for _ in range(_MAX_REREADS):
            try:
                if not dry_run and not self._edits_seen:
                    self._adopt_edits()
                return work()
            except DocumentChanged:
                self._edits_seen = False
        raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$", "edit", "somebody keeps editing the campaign's files")])

    def _adopt_edits(self) -> None:
        """Take over what people changed by hand, or refuse the campaign; a log that has not begun is begun."""
        edited = self._store.changed_by_hand()
        if self._store.history.seq >= 0:
            self._store.get(CAMPAIGN_PATH)  # refuses the log of a newer version before anything is appended to it
        if self._store.history.seq < 0:
            from turnwright.campaign.bootstrap import begin_record

            begin_record(self._store, edited, self.now())
        elif edited:
            if self._store.log.has_lines:  # of dropped files, which the edit makes durable
                drop.make_claims_durable(self._store.files)
            self._record_edits(edited)
        if edited:
            self._flush_what_was_opened(edited)
        self._edits_seen = True

    def _flush_what_was_opened(self, edited: Collection[str]) -> None:
        """Write what rulesets made of an edit: no file holds it yet, so after a crash the edit would come again."""
        from turnwright.campaign.bootstrap import is_opened

        world = World(self._store)
        if is_opened(world, edited):
            self._store.flush(settings_of(world.campaign.settings)["results.keep"])

    def _record_edits(self, edited: Mapping[str, Document]) -> None:
        self._store.require_no_later_reply()
        documents = edits.with_revision(edited, World(self._store).campaign)
        world = self._require_valid(documents)
        drawn = self._open_documents(world, documents, "")
        self._append(self.head("edit") | {"files": sorted(documents)}, world.touched, **drawn)
        self._store.leave_as_written(path for path in edited if edited[path] is world.touched[path])

    def with_edits(self) -> tuple[World, bool]:
        """Return the campaign as hand edits make it once they are taken over, and whether there are any."""
        edited = self._store.changed_by_hand()
        self._edits_seen = False
        world = self._require_valid(edited)
        if world.get(CAMPAIGN_PATH) is None:
            raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$", "missing", "there is no campaign.json")])
        self._open_documents(world, edited, "dry/")
        return world, bool(edited)

    def _open_documents(self, world: World, edited: Collection[str], label: str) -> JsonObject:
        if not edited:
            return {}
        from turnwright.campaign.bootstrap import is_opened, open_documents

        if not is_opened(world, edited):
            return {}
        history = self._store.history
        return open_documents(world, edited, self._store.secrets.get(history.secret_hash), f"{label}{history.seq + 1}")

    def _require_valid(self, documents: Mapping[str, Document]) -> World:
        """Return the campaign with these documents in it, which must leave it valid."""
        world = World(self._store)
        for document in documents.values():
            world.put(document)
        found = edits.campaign_problems(world, documents, self._store.get)
        problems = [problem for problem in found if not problem.warning]
        if problems:
            raise CampaignInvalid(problems)
        return world

    def head(self, kind: str) -> Record:
        """Return what the next record begins with."""
        return commit.head_of(self._store.history, kind) | {"timestamp": self.now()}

    def commit(self, record: Record, documents: Mapping[str, Document | None], **drawn: Any) -> None:
        """Append a record that is not a turn, durably, and update the files."""
        self._append(record, documents, **drawn)
        self.follow()

    def _append(self, record: Record, documents: Mapping[str, Document | None], **drawn: Any) -> None:
        changes = commit.changes_of(self._store, documents)
        whole = as_record({**record, "changes": changes, **drawn})
        self._store.append(whole, {path: documents[path] for path in changes})

    @property
    def has_seen_edits(self) -> bool:
        """Whether all detected hand edits are adopted."""
        return self._edits_seen

    @property
    def is_behind(self) -> bool:
        """Whether there is something to write, over files that hold no edit we have not seen."""
        return self._store.is_behind and self._edits_seen

    def follow(self, *, at_once: bool = False) -> None:
        """Let the files follow the log, now or soon; at once where nothing more comes that would be written with it."""
        if self.is_behind and at_once:
            self._behind.at_once()
        elif self.is_behind:
            self._behind.follow()

    def _flush(self) -> None:
        campaign = self._store.peek(CAMPAIGN_PATH)
        assert isinstance(campaign, CampaignDocument)
        settings = settings_of(campaign.settings) if campaign.settings else DEFAULTS
        keep = settings["results.keep"]
        self.with_edits_adopted(lambda: self._store.flush(keep))


def _require_seconds(**seconds: float | None) -> None:
    for name, value in seconds.items():
        if value is not None and (type(value) not in (int, float) or not 0 <= value <= _MAX_LENGTH):
            raise BadRequest(f"{name} is a number of seconds from 0 to {_MAX_LENGTH}")
