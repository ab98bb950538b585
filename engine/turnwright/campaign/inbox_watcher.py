"""Pass drop-folder events to campaigns.

Every campaign below a folder is watched; a dropped turn file is processed immediately, files dropped earlier are
processed at the start, and a periodic sweep catches missed events. Campaigns are opened when a file is pending, and
only the last few stay open: however many there are, idle ones only cost a periodic check.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from os.path import samestat
from pathlib import Path
from threading import Condition, RLock
from typing import TYPE_CHECKING

from turnwright.campaign.campaign import Campaign
from turnwright.campaign.writer import Clock
from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.errors import CampaignBusy, CampaignInvalid
from turnwright.store import inbox as drop
from turnwright.store.files import Files, storage_errors, storage_failed
from turnwright.store.folders import age_ns, find_campaigns, has_begun, is_found, newest_change
from turnwright.store.lock import DEFAULT_WAIT

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Reply

SWEEP_SECONDS = 15.0
"""Interval of sweeps without an event."""
WAKE_MS = 1_000
"""Interval of rechecks of files that may be unfinished, or of folders without change events."""
QUIET_SECONDS = 2.0
"""How long a campaign without a record must be unchanged before its log is started."""
BUSY_MS = 50
"""Interval of retries of a campaign that another process holds, if nothing else is pending."""
DEBOUNCE_MS = 50
STEP_MS = 3
MAX_OPEN = 16
"""Maximum number of open campaigns."""

CLOSE_SECONDS = 2.0
"""Total time to wait at shutdown for campaigns that other processes keep busy."""

Told = Callable[[Path, str, "Reply"], None]
Failed = Callable[[Path, Exception], None]
"""Is given a campaign or folder and a `CampaignError`, or whatever else a fault of this program raises."""
Recovered = Callable[[Path], None]


class StopSign:
    """A stop flag. Unlike an `Event`, a signal handler may set it, wherever it interrupts the waiting thread."""

    def __init__(self) -> None:
        self._is_set = False
        self._changed = Condition(RLock())

    def is_set(self) -> bool:
        """Return whether stop was requested."""
        return self._is_set

    def set(self) -> None:
        """Say so."""
        with self._changed:
            self._is_set = True
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait until stop is requested, at most some seconds; return whether it was."""
        with self._changed:
            if not self._is_set:
                self._changed.wait(seconds)
        return self._is_set


class Watcher:
    """Takes the turn files of all campaigns below one folder.

    One bad file, or one campaign that is invalid or busy or brings out a fault of ours, never stops or delays the rest.
    """

    def __init__(
        self,
        root: Path,
        told: Told,
        failed: Failed,
        recovered: Recovered = lambda _: None,
        *,
        clock: Clock | None = None,
        wait: float = DEFAULT_WAIT,
    ) -> None:
        """Set the watched folder and the callbacks.

        Args:
            root: the folder.
            told: called with each turn file's campaign, name and reply.
            failed: called with each error of a campaign or folder, once until the error changes.
            recovered: called when a campaign or folder that failed works again.
            clock: as for `Campaign.open`.
            wait: seconds after which a busy campaign counts as failed. Others are served meanwhile.
        """
        self._root = root.resolve()  # as events name it
        self._told = told
        self._failed = failed
        self._recovered = recovered
        self._clock = clock
        self._wait = wait
        self._stop = StopSign()
        self._open: dict[Path, Campaign] = {}
        self._complaints: dict[Path, str] = {}
        self._unread: set[Path] = set()
        self._in_the_way: dict[Path, Mapping[str, drop.Lying]] = {}
        self._unfinished: set[Path] = set()
        self._busy_since: dict[Path, float] = {}
        self._arriving: dict[Path, tuple[int, float]] = {}
        self._swept_at = float("-inf")

    def stop(self) -> None:
        """Take no more files; `run` ends when those already taken are reported. May be called by a signal handler."""
        self._stop.set()

    def sweep(self) -> int:
        """Take whatever waits in any campaign; return how many turn files were taken."""
        self._swept_at = time.monotonic()
        unread: set[Path] = set()

        def complain(folder: Path, error: OSError) -> None:
            if folder == self._root or not isinstance(error, FileNotFoundError):  # gone since it was listed
                unread.add(folder)
                self._complain(folder, storage_failed("cannot look for campaigns here", error))

        found = find_campaigns(self._root, complain, self._stop.is_set)
        taken = self._take_all(folder for folder in found if _may_have_work(folder))
        if not self._stop.is_set():
            for folder in self._unread - unread:
                self._recover(folder)
            self._unread = unread
        return taken

    def sweep_patiently(self) -> int:
        """Take whatever waits in any campaign, and wait for those that are busy; return how many files were taken."""
        taken = self.sweep()
        while self._busy_since and not self._stop.wait(BUSY_MS / 1000):
            taken += self._take_all(sorted(self._busy_since))
        return taken

    def _take_all(self, folders: Iterable[Path]) -> int:
        taken = 0
        for folder in folders:
            if self._stop.is_set():
                break
            taken += self.take(folder)
        return taken

    def take(self, folder: Path) -> int:
        """Take whatever waits in one campaign; return how many turn files were taken."""
        taken = 0
        for name, reply in self._take(folder):
            taken += 1
            self._busy_since.pop(folder, None)
            self._told(folder, name, reply)
        return taken

    def _take(self, folder: Path) -> Iterator[tuple[str, Reply]]:
        """Process the pending files of one campaign, and yield the reports; its errors are handled here."""
        self._unfinished.discard(folder)
        is_remembered = folder in self._open
        try:
            try:
                yield from self._untold(folder)
            except CampaignInvalid:
                if not is_remembered:
                    raise
                # It was held against a campaign that may have had this place before.
                self._drop(folder)
                yield from self._untold(folder)
            self._busy_since.pop(folder, None)
            with storage_errors("cannot read the drop folder"):
                lying = self._open[folder].unclaimed if folder in self._open else {}
                if not self._stop.is_set() and not lying.keys() >= set(drop.waiting(Files(folder))[0]):
                    self._unfinished.add(folder)
            self._recover(folder)
        except CampaignBusy as error:
            self._unfinished.add(folder)
            since = self._busy_since.setdefault(folder, time.monotonic())
            patience = max(self._wait, QUIET_SECONDS) if folder in self._arriving else self._wait
            if time.monotonic() - since >= patience:
                del self._busy_since[folder]
                self._complain(folder, error)
        except Exception as error:
            self._busy_since.pop(folder, None)
            self._drop(folder)
            self._complain(folder, error)

    def _complain(self, place: Path, error: Exception) -> None:
        """Say what is wrong with a campaign or folder: once, not at every sweep, until it changes."""
        if self._complaints.get(place) != repr(error):
            self._complaints[place] = repr(error)
            self._failed(place, error)

    def _recover(self, place: Path) -> None:
        if self._complaints.pop(place, None):
            self._recovered(place)

    def _untold(self, folder: Path) -> Iterator[tuple[str, Reply]]:
        """Process what waits in one campaign; yield the replies but those to what lay in the way before."""
        known = self._in_the_way.get(folder, {})
        if folder not in self._open:
            self._require_arrived(folder, Files(folder))
        campaign = self._campaign(folder)
        for name, reply in campaign.process_drop(patient=True, stop=self._stop):
            lying = campaign.unclaimed.get(name)  # filled before these are reported, after all others
            if lying is None or lying != known.get(name):
                yield name, reply
        self._in_the_way[folder] = campaign.unclaimed

    def _require_arrived(self, folder: Path, files: Files) -> None:
        """Skip a campaign without a record while it still changes: starting its log now would lose the log being
        copied.

        A program that copies it here may copy the log last. A campaign that changed recently, or in the future because
        the clock was set back, is watched for a while.
        """
        if not has_begun(files):
            newest = newest_change(files)
            if age_ns(files, newest) < QUIET_SECONDS * 1e9:
                if self._arriving.get(folder, (None, 0.0))[0] != newest:
                    self._arriving[folder] = newest, time.monotonic()
                if time.monotonic() - self._arriving[folder][1] < QUIET_SECONDS:
                    raise CampaignBusy("it has no log, and somebody may still be copying it here")
        self._arriving.pop(folder, None)

    def run(self) -> None:
        """Watch until told to stop."""
        self.sweep()
        for changed in self._changes():
            if self._stop.is_set():
                break
            folders = self._found(campaigns_of(changed or ()))
            self._unfinished = self._found(self._unfinished)
            self._take_all(sorted(folders | self._unfinished))
            is_new_campaign = not self._found(_may_have_come(changed or ())) <= self._open.keys() | folders
            if changed is None or is_new_campaign or time.monotonic() - self._swept_at >= SWEEP_SECONDS:
                self.sweep()

    def _found(self, folders: Iterable[Path]) -> set[Path]:
        return {folder for folder in folders if is_found(self._root, folder)}

    def _changes(self) -> Iterator[Collection[str] | None]:
        """Yield which files changed, at each wake at the latest; None when it may be any."""
        is_deaf = False
        while not self._stop.is_set():
            try:
                place = self._root.stat()
                changes = self._listen()
                next(changes, None)
                if is_deaf:
                    is_deaf = False
                    self._recovered(self._root)
                yield None  # files dropped before the watch began
                for changed in changes:
                    yield changed
                    if not samestat(place, self._root.stat()):
                        break  # the library still listens to the folder that had the name before
            except (OSError, RuntimeError, UnicodeEncodeError) as error:
                # One folder that may not be read is enough, or a name in no encoding: the library stops at it.
                yield None
                if isinstance(error, OSError) and not is_deaf and self._root not in self._unread:
                    is_deaf = True
                    what = "nothing tells of changes here, so that it is looked at once a second"
                    self._failed(self._root, storage_failed(what, error))
                self._stop.wait(WAKE_MS / 1000)

    def _listen(self) -> Iterator[set[str]]:
        from watchfiles import watch

        # Nothing is filtered out: events of other files would put off what is due at each wake.
        changes = watch(
            self._root,
            watch_filter=None,
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            stop_event=self._stop,
            rust_timeout=WAKE_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
        )
        return ({path for _, path in batch} for batch in changes)

    def close(self) -> None:
        """Close every campaign. The next writer catches up files of campaigns that stay busy too long."""
        until = time.monotonic() + CLOSE_SECONDS
        for folder in list(self._open):
            self._drop(folder, wait=min(self._wait, max(0.0, until - time.monotonic())))

    def _campaign(self, folder: Path) -> Campaign:
        """Return a campaign, opened; the one that was not wanted for longest makes room for it."""
        campaign = self._open.pop(folder, None) or Campaign.open(folder, self._clock, wait=self._wait)
        self._open[folder] = campaign
        for oldest in list(self._open)[:-MAX_OPEN]:
            if not self._is_behind_and_busy(oldest):
                self._drop(oldest)
        return campaign

    def _is_behind_and_busy(self, folder: Path) -> bool:
        """Return whether another process keeps the files of an open campaign from being brought up to its log."""
        with suppress(Exception):  # closing tells what else is wrong
            try:
                self._open[folder].flush(wait=0)
            except CampaignBusy:
                return True
        return False

    def _drop(self, folder: Path, *, wait: float | None = 0) -> None:
        campaign = self._open.pop(folder, None)
        if campaign is None:
            return
        try:
            campaign.close(wait=wait)
        except Exception as error:
            self._failed(folder, error)


def _may_have_work(folder: Path) -> bool:
    """Return whether a campaign has pending files; if it is unreadable, opening it reports why."""
    try:
        return drop.is_anything_there(Files(folder))
    except OSError:
        return True


def is_turn_file(path: str) -> bool:
    """Return whether a path is that of a turn file that waits."""
    place = Path(path)
    return place.suffix == ".json" and not place.name.startswith(".") and place.parent.name == drop.DROP_FOLDER


def campaigns_of(paths: Iterable[str]) -> set[Path]:
    """Return the campaign directories in whose drop folders these files lie."""
    return {Path(path).parent.parent for path in paths if is_turn_file(path)}


def _may_have_come(paths: Iterable[str]) -> set[Path]:
    """Return the directories that may be campaigns since these paths changed: written there, or moved there whole."""
    return {Path(path).parent if path.endswith(CAMPAIGN_PATH) else Path(path) for path in paths}
