"""Drop-folder events to campaigns, and nothing else.

Every campaign below a folder is watched; a dropped turn file is taken at once, what was dropped while nobody watched is
taken at the start, and a sweep now and then catches what no event told of. Campaigns are opened when something waits in
them, and only the last few stay open: however many there are, those that are idle cost a look now and then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from threading import Event

from turnwright.campaign import Campaign
from turnwright.model.errors import CampaignInvalid
from turnwright.store import drop
from turnwright.store.files import Files, storage_errors
from turnwright.turns import Reply
from turnwright.writer import Clock

SWEEP_SECONDS = 15.0
"""How often everything is looked at although no event came."""
WAKE_MS = 1_000
"""How often files are looked at again that were left because they may not be finished."""
DEBOUNCE_MS = 50
STEP_MS = 3
MOST_OPEN = 16
"""How many campaigns stay open."""

Told = Callable[[Path, str, Reply], None]
Failed = Callable[[Path, Exception], None]
"""Is given a `CampaignError`, or whatever else a fault of this program raises."""


def find_campaigns(root: Path) -> Iterator[Path]:
    """Yield every campaign directory at or below a folder, sorted; links are not followed."""
    if _is_campaign(root):
        yield root
        return
    try:
        below = sorted(entry for entry in root.iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return
    for folder in below:
        if not folder.name.startswith("."):
            yield from find_campaigns(folder)


def is_found(root: Path, folder: Path) -> bool:
    """Return whether `find_campaigns` would yield this folder below a root, without looking at any other."""
    if not folder.is_relative_to(root):
        return False
    place = root
    for name in folder.relative_to(root).parts:
        if _is_campaign(place) or name.startswith(".") or (place := place / name).is_symlink():
            return False
    return _is_campaign(folder)


def _is_campaign(folder: Path) -> bool:
    try:
        return (folder / "campaign.json").is_file() or (folder / "log.jsonl").is_file()
    except OSError:  # nobody may look into it
        return False


class Watcher:
    """Takes the turn files of all campaigns below one folder.

    One bad file, or one campaign that is invalid or busy or brings out a fault of ours, never stops the rest.
    """

    def __init__(self, root: Path, told: Told, failed: Failed, *, clock: Clock | None = None, wait: float = 10) -> None:
        self._root = root.resolve()  # as events name it
        self._told = told
        self._failed = failed
        self._clock = clock
        self._wait = wait
        self._open: dict[Path, Campaign] = {}
        self._complaints: dict[Path, str] = {}
        self._in_the_way: dict[Path, set[str]] = {}
        self._unfinished: set[Path] = set()
        self._swept_at = float("-inf")

    def sweep(self) -> int:
        """Take whatever waits in any campaign; return how many turn files were taken."""
        self._swept_at = time.monotonic()
        return sum(self.take(folder) for folder in find_campaigns(self._root) if _may_have_work(folder))

    def take(self, folder: Path) -> int:
        """Take whatever waits in one campaign; return how many turn files were taken."""
        taken = 0
        for name, reply in self._take(folder):
            taken += 1
            self._told(folder, name, reply)
        return taken

    def _take(self, folder: Path) -> Iterator[tuple[str, Reply]]:
        """Take whatever waits in one campaign, and yield what is to be told; what goes wrong with it stays here."""
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
            self._complaints.pop(folder, None)
            with storage_errors("cannot read the drop folder"):
                if drop.waiting(Files(folder))[0]:
                    self._unfinished.add(folder)
        except Exception as error:
            self._drop(folder)
            # Said once, not at every sweep, until it changes.
            if self._complaints.get(folder) != repr(error):
                self._complaints[folder] = repr(error)
                self._failed(folder, error)

    def _untold(self, folder: Path) -> Iterator[tuple[str, Reply]]:
        """Process what waits in one campaign; yield the replies but those to what lay in the way before."""
        files, known, lying = Files(folder), self._in_the_way.setdefault(folder, set()), set[str]()
        for name, reply in self._campaign(folder).process_drop(patient=True):
            if reply["status"] == "refused" and drop.is_in_the_way(files, name):
                lying.add(name)
                if name in known:
                    continue
                known.add(name)
            yield name, reply
        known &= lying

    def run(self, stop: Event) -> None:
        """Watch until told to stop."""
        self.sweep()
        for changed in self._changes(stop):
            if stop.is_set():
                break
            folders = self._found(campaigns_of(changed or ()))
            self._unfinished = self._found(self._unfinished)
            for folder in sorted(folders | self._unfinished):
                self.take(folder)
            begun = self._found({Path(path).parent for path in changed or () if path.endswith("campaign.json")})
            is_new_campaign = not begun <= self._open.keys() | folders
            if changed is None or is_new_campaign or time.monotonic() - self._swept_at >= SWEEP_SECONDS:
                self.sweep()

    def _found(self, folders: Iterable[Path]) -> set[Path]:
        return {folder for folder in folders if is_found(self._root, folder)}

    def _changes(self, stop: Event) -> Iterator[Collection[str] | None]:
        """Yield which files changed, at each wake at the latest; None when it may be any."""
        while not stop.is_set():
            try:
                changes = self._listen(stop)
                next(changes, None)
                yield None  # what came before anybody listened
                yield from changes
            except (RuntimeError, UnicodeEncodeError):
                # A name that is in no encoding: the library cannot say which, and stops at it.
                yield None
                stop.wait(WAKE_MS / 1000)

    def _listen(self, stop: Event) -> Iterator[set[str]]:
        from watchfiles import watch

        # Nothing is filtered out: events of other files would put off what is due at each wake.
        changes = watch(
            self._root,
            watch_filter=None,
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            stop_event=stop,
            rust_timeout=WAKE_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
        )
        return ({path for _, path in batch} for batch in changes)

    def close(self) -> None:
        """Close every campaign."""
        for folder in list(self._open):
            self._drop(folder)

    def _campaign(self, folder: Path) -> Campaign:
        """Return a campaign, opened; the one that was not wanted for longest makes room for it."""
        campaign = self._open.pop(folder, None) or Campaign.open(folder, self._clock, wait=self._wait)
        self._open[folder] = campaign
        if len(self._open) > MOST_OPEN:
            self._drop(next(iter(self._open)))
        return campaign

    def _drop(self, folder: Path) -> None:
        campaign = self._open.pop(folder, None)
        if campaign is None:
            return
        try:
            campaign.close()
        except Exception as error:
            self._failed(folder, error)


def _may_have_work(folder: Path) -> bool:
    """Return whether something waits in a campaign; where one cannot even look, opening it will tell why."""
    try:
        return drop.is_anything_there(Files(folder))
    except OSError:
        return True


def is_turn_file(path: str) -> bool:
    """Return whether a path is that of a turn file that waits."""
    place = Path(path)
    return place.suffix == ".json" and not place.name.startswith(".") and place.parent.name == "turns"


def campaigns_of(paths: Iterable[str]) -> set[Path]:
    """Return the campaign directories in whose drop folders these files lie."""
    return {Path(path).parent.parent for path in paths if is_turn_file(path)}
