"""Find campaign folders, recognize campaigns, and check that a campaign's entries belong to it.

Source: docs/stages/README.md, "Files".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.errors import CampaignInvalid
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.model.wire.reason import Problem
from turnwright.store import disk
from turnwright.store.document_table import DocumentTable
from turnwright.store.files import ENGINE_FOLDER, Files, beside
from turnwright.store.inbox import CLAIMED_FOLDER, DONE_FOLDER, DROP_FOLDER, REFUSED_FOLDER
from turnwright.store.log import LOG_PATH, TORN_FOLDER
from turnwright.store.results import RESULTS_FOLDER

_FOLDERS = (ENGINE_FOLDER, TORN_FOLDER, RESULTS_FOLDER, DROP_FOLDER, CLAIMED_FOLDER, DONE_FOLDER, REFUSED_FOLDER)


def has_begun(files: Files) -> bool:
    """Return whether the log holds a record; if it cannot be read, opening the campaign reports why."""
    try:
        with files.opened(LOG_PATH, disk.READ) as descriptor:
            return any(b"\n" in block for block in files.blocks(descriptor, 0))
    except FileNotFoundError:
        return False
    except OSError:
        return True


def newest_change(files: Files, folder: str = "") -> int:
    """Return when a campaign's visible content, except the drop folder, last changed, in ns.

    Programs cannot set this time, unlike the modification time, which a copy may take from the original.
    """
    newest = 0
    with suppress(OSError):
        for name, seen in files.listing(folder).items():
            path = f"{folder}{name}"
            if path == DROP_FOLDER:
                continue
            status = files.status(path)
            below = newest_change(files, f"{path}/") if seen.is_folder else 0
            newest = max(newest, below, status.st_ctime_ns if status else 0)
    return newest


def age_ns(files: Files, moment: int) -> int:
    """Return how long ago a moment was by the file system's own clock, in ns; 0 where that cannot be told.

    The drop folder tells it, so that nothing else in the campaign changes by being asked.
    """
    folder = files.look(DROP_FOLDER)
    if folder and folder.is_folder:  # and no link to elsewhere
        passing = beside(f"{DROP_FOLDER}/now")
        with suppress(OSError):
            try:
                return files.touch(passing) - moment
            finally:
                files.remove(passing)
    return 0


def make_folders(files: Files) -> None:
    """Make the folders that a campaign begins with."""
    for folder in (ENGINE_FOLDER, DROP_FOLDER):
        files.make_folder(folder)


def require_campaign(files: Files) -> None:
    """Reject a path that holds no campaign.

    Raises:
        CampaignInvalid: the message says where a campaign is, or how to create one.
    """
    if files.look(CAMPAIGN_PATH) is None and files.look(LOG_PATH) is None:
        message = f"there is no campaign here{where_instead(files.root)}"
        raise CampaignInvalid([Problem(str(files.root), "$", "missing", message)])


def where_instead(path: Path) -> str:
    """Return the end of a "no campaign here" message: where a campaign is, or how to create one."""
    if path.is_file():
        is_beside_it = (path.parent / CAMPAIGN_PATH).is_file()
        return f"; did you mean {path.parent}?" if is_beside_it else "; a campaign is a directory"
    if campaigns := sorted(found.parent.name for found in path.glob(f"*/{CAMPAIGN_PATH}")):
        return f"; name one of those in it: {', '.join(campaigns[:5])}"
    is_free = not path.exists() or not any(path.iterdir())
    return "; `turnwright new` makes one" if is_free else ""


def require_own_folders(files: Files, kinds: DocumentTable) -> None:
    """Refuse a campaign whose folders lead elsewhere: nothing outside of it is read or written.

    Raises:
        CampaignInvalid: naming each folder that is a link.
    """
    if problems := linked_folders(files, kinds):
        raise CampaignInvalid(problems)


def linked_folders(files: Files, kinds: DocumentTable) -> list[Problem]:
    """Return a problem for each folder of a campaign that is a link."""
    looks = {name: files.look(name) for name in sorted({*_FOLDERS, *_own_folders(files, kinds)})}
    message = "is a link; the folders of a campaign must be its own"
    return [Problem(name, "$", "link", message) for name, seen in looks.items() if seen and seen.is_link]


def _own_folders(files: Files, kinds: DocumentTable) -> Iterator[str]:
    """Yield the folders of documents; nested folders only if their parent exists."""
    inner: dict[str, list[str]] = {}
    for folder in kinds.collections:
        above, slash, _ = folder.rstrip("/").rpartition("/")
        if slash:
            inner.setdefault(above, []).append(folder.rstrip("/"))
        else:
            yield folder.rstrip("/")
    for above, folders in inner.items():
        if (seen := files.look(above)) is not None:
            yield above
            yield from folders if seen.is_folder else ()


def folders_of_turns(files: Files) -> list[str]:
    """Return the folders whose content proves that turns were taken, even if the log is lost."""
    return [f"{folder}/" for folder in (RESULTS_FOLDER, DONE_FOLDER) if files.listing(folder)]


def find_campaigns(
    root: Path, unread: Callable[[Path, OSError], None] = lambda *_: None, is_over: Callable[[], bool] = lambda: False
) -> Iterator[Path]:
    """Yield every campaign directory at or below a folder, sorted; links are not followed.

    Args:
        root: the folder.
        unread: is given each folder that cannot be looked into, and why.
        is_over: whether to look no further.
    """
    if is_over():
        return
    if _is_campaign(root):
        yield root
        return
    try:
        below = sorted(entry for entry in root.iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError as error:
        unread(root, error)
        return
    for folder in below:
        if not folder.name.startswith("."):
            yield from find_campaigns(folder, unread, is_over)


def is_found(root: Path, folder: Path) -> bool:
    """Return whether `find_campaigns` would yield this folder below a root, without looking at any other."""
    if not folder.is_relative_to(root) or not _is_campaign(folder):
        return False
    place = root
    for name in folder.relative_to(root).parts:
        if _is_campaign(place) or name.startswith(".") or (place := place / name).is_symlink():
            return False
    return True


def _is_campaign(folder: Path) -> bool:
    """Return whether a folder holds a log, as one does whose other files were lost, or a campaign.json."""
    try:
        if (folder / LOG_PATH).is_file():
            return True
        return (folder / CAMPAIGN_PATH).is_file() and not holds_schemas(folder)
    except OSError:  # not readable
        return False


def holds_schemas(folder: Path) -> bool:
    """Return whether the campaign.json of a folder is the JSON Schema of that name; False for one that is damaged.

    Raises:
        OSError: when it cannot be read.
    """
    try:
        found = parse_json(Files(folder).read(CAMPAIGN_PATH))
    except JsonError:
        return False
    return isinstance(found, dict) and "$schema" in found
