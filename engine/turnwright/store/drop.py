"""The drop folder: which turn files wait, and where they go.

Source: docs/stages/1-intake.md, "Taking a file".
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, NamedTuple

from turnwright.model.settings import LONGEST_TURN
from turnwright.model.strict_json import JsonError, parse_json, pretty
from turnwright.store.files import Files, Seen

DROP_FOLDER = "turns"
CLAIMED_FOLDER = "turns/.claimed"
DONE_FOLDER = "turns/done"
REFUSED_FOLDER = "turns/refused"
UNFINISHED_NS = 2_000_000_000
"""How long a file that does not parse must be unchanged before a watcher refuses it."""
_LONGEST_NAME = 200
_CLAIM = r"([0-9]+)__(.+)"


class Claim(NamedTuple):
    """A turn file that this campaign took for itself: `name` as dropped, `source` as the record will hold it."""

    name: str
    source: str

    @property
    def path(self) -> str:
        """Where the file lies while it is worked on."""
        return f"{CLAIMED_FOLDER}/{self.source}"


def waiting(files: Files) -> tuple[list[str], list[str]]:
    """Return the names of the turn files that wait, in byte order, and of entries that are no ordinary files."""
    entries = files.listing(DROP_FOLDER)
    named = [name for name in entries if name.endswith(".json") and not name.startswith(".")]
    named.sort(key=lambda name: name.encode(errors="surrogateescape"))
    can_be_taken = {name: _can_be_taken(name, entries[name]) for name in named}
    return [name for name in named if can_be_taken[name]], [name for name in named if not can_be_taken[name]]


def is_anything_there(files: Files) -> bool:
    """Return whether something waits, or was claimed and not finished."""
    return any(name.endswith(".json") for name in files.listing(DROP_FOLDER)) or bool(files.listing(CLAIMED_FOLDER))


def is_in_the_way(files: Files, name: str) -> bool:
    """Return whether an entry lies in the drop folder that cannot be taken; False where nobody can look."""
    with suppress(OSError):  # the reply to it is there, and worth more than what is asked here
        seen = files.look(f"{DROP_FOLDER}/{name}")
        return seen is not None and not _can_be_taken(name, seen)
    return False


def _can_be_taken(name: str, seen: Seen) -> bool:
    """Return whether an entry is an ordinary file, with a name that a record can hold and we can put words around."""
    try:
        return seen.is_file and len(name.encode()) <= _LONGEST_NAME
    except UnicodeEncodeError:
        return False


def read_turn(files: Files, path: str) -> bytes:
    """Return the bytes of a turn file; of one that is too long, enough to tell."""
    return files.read(path, LONGEST_TURN + 1)


def may_be_unfinished(files: Files, name: str) -> bool:
    """Return whether a file does not parse and was changed so lately that somebody may still be writing it."""
    path = f"{DROP_FOLDER}/{name}"
    try:
        parse_json(read_turn(files, path))
    except JsonError:
        seen = files.look(path)
        return seen is not None and seen.mtime_ns > files.now_ns() - UNFINISHED_NS
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


def still_claimed(files: Files, claims: list[Claim]) -> list[Claim]:
    """Return the claims that nobody has finished since they were seen."""
    return [claim for claim in claims if files.look(claim.path) is not None]


def claim(files: Files, name: str, seq: int) -> Claim | None:
    """Take a dropped file for the record `seq`; None when somebody else was faster.

    Where one of that name was taken for the same record and not finished, the number gets a 0 in front. With another
    number it could have the source of another record, and be taken for applied.
    """
    files.make_folder(CLAIMED_FOLDER)
    number = str(seq)
    while files.look((taken := Claim(name, f"{number}__{name}")).path):
        number = f"0{number}"
    try:
        files.rename(f"{DROP_FOLDER}/{name}", taken.path)
    except FileNotFoundError:
        return None
    return taken


def make_claims_durable(files: Files) -> None:
    """Make the new names of claimed files survive a power cut: their old ones must not come back beside a record."""
    for folder in (CLAIMED_FOLDER, DROP_FOLDER):
        files.make_names_durable(folder)


def give_back(files: Files, taken: Claim) -> None:
    """Put a claimed file back where it was dropped, unless a newer one has the name by now.

    What cannot be put back stays claimed, and is taken first the next time.
    """
    with suppress(OSError):
        if files.look(f"{DROP_FOLDER}/{taken.name}") is None:
            files.rename(taken.path, f"{DROP_FOLDER}/{taken.name}")


def put_away(files: Files, taken: Claim, seq: int, reply: dict[str, Any]) -> str:
    """Put a claimed file among the done or, with the reply beside it, the refused ones; return where it lies."""
    if reply["status"] != "refused":
        return _moved(files, taken, DONE_FOLDER, reply["seq"])
    files.make_folder(REFUSED_FOLDER)
    place = _free(files, REFUSED_FOLDER, taken.name, seq)
    files.replace(f"{place}.reason.json", pretty(reply))
    files.rename(taken.path, place)
    return place


def _moved(files: Files, taken: Claim, folder: str, seq: int) -> str:
    files.make_folder(folder)
    place = _free(files, folder, taken.name, seq)
    files.rename(taken.path, place)
    return place


def _free(files: Files, folder: str, name: str, seq: int) -> str:
    """Return a place for a file; a taken name gets the record's number before its ending."""
    stem = name.removesuffix(".json")
    names = [name, f"{stem}.{seq}.json"]
    place = next((f"{folder}/{free}" for free in names if files.look(f"{folder}/{free}") is None), None)
    number = 2
    while place is None:
        tried = f"{folder}/{stem}.{seq}-{number}.json"
        place = tried if files.look(tried) is None else None
        number += 1
    return place
