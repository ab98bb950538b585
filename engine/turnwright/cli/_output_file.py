"""Files that commands write on demand: never one of a campaign, and no existing file of another kind unless forced."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import click

from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.errors import BadRequest
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.model.wire.telemetry import TELEMETRY_PATH
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.files import ENGINE_FOLDER, MAX_FILE_BYTES, Files, require_ordinary, utf_8
from turnwright.store.folders import holds_schemas
from turnwright.store.inbox import DROP_FOLDER
from turnwright.store.log import LOG_PATH
from turnwright.store.results import RESULTS_FOLDER

force_option = click.option(
    "--force", is_flag=True, help="Write over an existing file of another kind; never over one of a campaign."
)


class FileKind(NamedTuple):
    """What a command writes: its name, and whether the beginning of an existing file is of the same kind."""

    name: str
    fits: Callable[[bytes], bool]


def _begins_with(*words: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.lstrip().lower().startswith(words)


def _is_schema(data: bytes) -> bool:
    try:
        found = parse_json(data)
    except JsonError:
        return False
    return isinstance(found, dict) and "$schema" in found


SVG = FileKind("an SVG picture", _begins_with(b"<svg"))
HTML = FileKind("an HTML page", _begins_with(b"<!doctype html"))
PROPOSALS = FileKind("a file of proposals", _begins_with(b"# proposals for rules of suggestion"))
SCHEMA = FileKind("a JSON Schema", _is_schema)
_MARKS_OF_CAMPAIGN = (CAMPAIGN_PATH, LOG_PATH)
"""By these `check`, `verify` and `watch` find campaigns below a folder; a campaign.json that is a schema is none."""


class OutputFile:
    """A file that a command is to write. What must not be written over is refused before anything is done.

    Attributes:
        path: as it was given.
    """

    def __init__(self, path: Path, kind: FileKind, *, force: bool = False, makes_folder: bool = False) -> None:
        """Look where the file would be.

        Args:
            path: as it was given.
            kind: what it will hold.
            force: whether an existing file of another kind may go.
            makes_folder: whether its folder is made if it is not there.

        Raises:
            BadRequest: when it is a file of a campaign, not a regular file, has a name by which campaigns are found, or
                is of another kind and not forced.
        """
        self.path = path
        self._place = Path(os.path.realpath(path))
        self._kind = kind
        self._force = force
        self._makes_folder = makes_folder
        self._require_may_be_written()

    def write(self, data: str | bytes) -> None:
        """Write the file, whole or not at all."""
        self._require_may_be_written()
        content = data.encode() if isinstance(data, str) else data
        if self.path.exists() and not os.access(self._place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.path))
        if not self._makes_folder and not self._place.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.path))
        # As a new file: an existing one may have another name, in a campaign.
        Files(self._place.parent).replace(utf_8(self._place.name), content)

    def _require_may_be_written(self) -> None:
        # A folder of a campaign may look like one itself: the document of a hero named Campaign is a campaign.json.
        for campaign in _campaigns_above(self._place.parent):
            if is_name_of_campaign(self._place.relative_to(campaign).parts[0]):
                raise BadRequest(f"{self.path} is a place of the campaign in {campaign}; give another file")
        if self._place.name.casefold() in _MARKS_OF_CAMPAIGN and self._kind is not SCHEMA:
            raise BadRequest(
                f"{self.path}: a folder with a file of this name is taken for a campaign; name it otherwise"
            )
        require_ordinary(self.path)
        if self._force or not self.path.exists() or not self.path.stat().st_size:
            return
        if not self._kind.fits(Files(self._place.parent).read(utf_8(self._place.name), MAX_FILE_BYTES)):
            raise BadRequest(f"{self.path} is there and is not {self._kind.name}; --force writes over it")


def require_no_campaign(directory: Path, why: str) -> None:
    """Refuse a directory that holds a campaign, or lies in one.

    Args:
        directory: that is to be written into.
        why: the end of a sentence that says what is wrong with that.
    """
    place = Path(os.path.realpath(directory))
    if campaign := campaign_above(place):
        where = "holds" if campaign == place else f"lies in {campaign}, which holds"
        raise BadRequest(f"{directory} {where} a campaign, {why}; give another one")


def campaign_above(directory: Path) -> Path | None:
    """Return the nearest directory, this one or one above it, that holds a campaign; None where none does."""
    return next(_campaigns_above(directory), None)


def _campaigns_above(directory: Path) -> Iterator[Path]:
    """Yield this directory and all above it that hold a campaign, the nearest first."""
    return (folder for folder in (directory, *directory.parents) if _is_campaign(folder))


def is_name_of_campaign(name: str) -> bool:
    """Return whether a name in a campaign directory is one the campaign uses, however the letters are written."""
    folders = (folder.partition("/")[0] for folder in BUILT_IN.documents.collections)
    known = {*BUILT_IN.documents.single, *folders, LOG_PATH, TELEMETRY_PATH, DROP_FOLDER, RESULTS_FOLDER, ENGINE_FOLDER}
    return name.casefold() in known


def _is_campaign(directory: Path) -> bool:
    """Return whether a directory holds a log, or a campaign.json that is no schema."""
    if os.path.lexists(directory / LOG_PATH):
        return True
    try:
        return not holds_schemas(directory)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False
    except OSError:
        return True
