"""The drop folder: list pending turn files, claim them, and file them as done or refused.

Source: docs/stages/1-intake.md, "Taking a file".
"""

import errno
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.settings import MAX_TURN_BYTES
from turnwright.model.strict_json import JsonError, parse_json, pretty
from turnwright.store import disk
from turnwright.store.files import Files, FolderFault, Seen, beside

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Reply

DROP_FOLDER = "turns"
CLAIMED_FOLDER = "turns/.claimed"
DONE_FOLDER = "turns/done"
REFUSED_FOLDER = "turns/refused"
UNFINISHED_NS = 2_000_000_000
"""How long a file that does not parse must be unchanged before a watcher refuses it."""
_MAX_NAME_LENGTH = 200
"""In bytes: leaves room for the prefix and suffix added to a file's name."""
_CLAIM = r"([0-9]+)__(.+)"
_ABOUT_ONE_FILE = frozenset({errno.EPERM, errno.EACCES, errno.EBUSY, errno.EXDEV})
"""With these a system may refuse to rename a file whose folder is in order."""


class Lying(NamedTuple):
    """An entry of the drop folder that cannot be taken: why, and what tells it from whatever gets its name later."""

    fault: str
    identity: tuple[int, int]
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, seen: Seen, fault: str) -> "Lying":
        """Return an entry that looks so."""
        return cls(fault, seen.identity, seen.size, seen.mtime_ns)


class CannotBeMoved(Exception):
    """A file can be read but not renamed, although its folder is writable: only this file is affected."""

    def __init__(self, lying: Lying) -> None:
        super().__init__(lying.fault)
        self.lying = lying


class Claim(NamedTuple):
    """A turn file that this campaign took for itself: `name` as dropped, `source` as the record will hold it."""

    name: str
    source: str

    @property
    def path(self) -> str:
        """The file's path while it is being processed."""
        return f"{CLAIMED_FOLDER}/{self.source}"


def waiting(files: Files) -> tuple[list[str], dict[str, Lying]]:
    """Return the names of pending turn files in byte order, and the entries that can never be taken, by name."""
    entries = files.listing(DROP_FOLDER)
    named = [name for name in entries if name.endswith(".json") and not name.startswith(".")]
    named.sort(key=lambda name: name.encode(errors="surrogateescape"))
    faults = {name: _fault(files, name, entries[name]) for name in named}
    lying = {name: Lying.of(entries[name], fault) for name, fault in faults.items() if fault}
    return [name for name in named if name not in lying], lying


def is_anything_there(files: Files) -> bool:
    """Return whether a file is pending, or was claimed and not finished."""
    return any(name.endswith(".json") for name in files.listing(DROP_FOLDER)) or bool(files.listing(CLAIMED_FOLDER))


def _fault(files: Files, name: str, seen: Seen) -> str | None:
    """Return why an entry cannot be taken, or None when it can.

    Claiming what may not be read, and giving it back, would tell every watcher of a new file.
    """
    if not seen.is_file:
        return "is not an ordinary file (a link, a folder or a device)"
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "has a name that is not UTF-8, which no record can hold"
    if size > _MAX_NAME_LENGTH:
        return f"has a name of {size} bytes; at most {_MAX_NAME_LENGTH} can be kept"
    return None if _may_be_read(files, name) else "may not be read"


def _may_be_read(files: Files, name: str) -> bool:
    try:
        with files.opened(f"{DROP_FOLDER}/{name}", disk.READ):
            return True
    except PermissionError:
        return False
    except OSError:
        return True  # whatever is the matter shows when it is taken


def read_turn(files: Files, path: str) -> bytes:
    """Return the bytes of a turn file; of one that is too long, enough to tell."""
    return files.read(path, MAX_TURN_BYTES + 1)


def may_be_unfinished(files: Files, name: str) -> bool:
    """Return whether a file does not parse and changed so recently that its writer may not be done."""
    path = f"{DROP_FOLDER}/{name}"
    try:
        parse_json(read_turn(files, path))
    except JsonError:
        seen = files.look(path)
        # What was changed in the future was given that time, as by a copy; only what is written now has about now.
        return seen is not None and abs(seen.mtime_ns - files.now_ns()) < UNFINISHED_NS
    except FileNotFoundError:
        return True
    return False


def claimed(files: Files) -> list[Claim]:
    """Return the files that were taken and not finished, in the order in which they were taken."""
    found = [
        match for name in files.listing(CLAIMED_FOLDER) if (match := re.fullmatch(_CLAIM, name, re.ASCII | re.DOTALL))
    ]
    found.sort(key=lambda match: (int(match[1]), len(match[1]), match[2]))
    return [Claim(match[2], match[0]) for match in found]


def is_lying(files: Files, path: str, known: Lying | None) -> bool:
    """Return whether an entry that could not be moved is there as it was."""
    seen = files.look(path) if known else None
    return known is not None and seen is not None and Lying.of(seen, known.fault) == known


def still_claimed(files: Files, claims: list[Claim]) -> list[Claim]:
    """Return the claims that are still unfinished since they were seen."""
    return [claim for claim in claims if files.look(claim.path) is not None]


def claim(files: Files, name: str, seq: int) -> Claim | None:
    """Claim a dropped file for the record `seq`; None when another process was faster.

    If a file of that name was claimed for the same record and not finished, the number gets a leading 0. With another
    number it could match the source of another record, and count as applied.

    Raises:
        CannotBeMoved: when it cannot be renamed, such as an immutable file or another user's file in a sticky folder.
    """
    files.make_folder(CLAIMED_FOLDER)
    number = str(seq)
    while files.look((taken := Claim(name, f"{number}__{name}")).path):
        number = f"0{number}"
    try:
        _move(files, f"{DROP_FOLDER}/{name}", taken.path)
    except FileNotFoundError:
        return None
    return taken


def _move(files: Files, path: str, to: str) -> None:
    """Rename a turn file.

    Raises:
        CannotBeMoved: when that fails although names can be made and taken away in both folders.
    """
    try:
        files.rename(path, to)
    except FolderFault:
        raise
    except OSError as error:
        seen = files.look(path)
        if error.errno not in _ABOUT_ONE_FILE or seen is None or not _can_be_written(files, path, to):
            raise
        raise CannotBeMoved(Lying.of(seen, f"cannot be moved ({error.strerror})")) from error


def _can_be_written(files: Files, *paths: str) -> bool:
    """Return whether names can be made beside these paths, and taken away."""
    try:
        for path in paths:
            passing = beside(f"{path.rpartition('/')[0]}/now")
            files.touch(passing)
            files.remove(passing)
    except OSError:
        return False
    return True


def make_claims_durable(files: Files) -> None:
    """Make the new names of claimed files survive a power cut: their old ones must not come back beside a record."""
    for folder in (CLAIMED_FOLDER, DROP_FOLDER):
        files.make_names_durable(folder)


def give_back(files: Files, taken: Claim) -> None:
    """Return a claimed file to the drop folder, unless a newer file has its name by now.

    A file that cannot be returned stays claimed, and is processed first the next time.
    """
    with suppress(OSError):
        if files.look(f"{DROP_FOLDER}/{taken.name}") is None:
            files.rename(taken.path, f"{DROP_FOLDER}/{taken.name}")


def put_away(files: Files, taken: Claim, seq: int, reply: "Reply") -> str:
    """Move a claimed file to the done files or, with the reply beside it, to the refused ones; return its path.

    The reply is not in the log, so it is made durable before the rename: a power cut leaves neither a refused file
    without its reply nor a partial reply that the next run would take for another file's.

    Raises:
        CannotBeMoved: when it can never be moved.
    """
    is_refused = reply["status"] == "refused"
    folder = REFUSED_FOLDER if is_refused else DONE_FOLDER
    files.make_folder(folder)
    number = seq if reply["seq"] is None else reply["seq"]
    places = _places(f"{folder}/{taken.name.removesuffix('.json')}", number)
    place = next(place for place in places if _is_free(files, place))
    if is_refused:
        files.replace(_reason_of(place), pretty(reply), synced=True)
        files.make_names_durable(folder)
    _move(files, taken.path, place)
    return place


def _places(stem: str, seq: int) -> Iterator[str]:
    """Yield the places where a file may be put away: a taken name gets the record's number before its ending."""
    yield f"{stem}.json"
    yield f"{stem}.{seq}.json"
    yield from (f"{stem}.{seq}-{number}.json" for number in count(2))


def _is_free(files: Files, place: str) -> bool:
    """Return whether a path is free, and so is the path of its rejection reason, unless that is a leftover.

    A reason written by the engine without its file is a leftover of a crash; a refused file with such a name has its
    own reason.
    """
    if files.look(place) is not None or files.look(_reason_of(_reason_of(place))) is not None:
        return False
    return files.look(_reason_of(place)) is None or _is_reason(files, _reason_of(place))


def _is_reason(files: Files, path: str) -> bool:
    """Return whether a file holds the reply to a refused turn, as it was put there by us."""
    try:
        found = parse_json(files.read(path))
    except (OSError, JsonError):
        return False
    return isinstance(found, dict) and found.get("status") == "refused"


def _reason_of(place: str) -> str:
    return f"{place}.reason.json"
