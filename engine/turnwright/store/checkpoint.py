"""The checkpoint: every document as of one record, and an index of the log. It can be deleted and made again.

One SQLite file, so that opening a campaign costs what it asks for and not what the campaign holds, and so that a
reader sees all documents as of the same record. Source: docs/stages/5-commit.md, "Checkpoint".
"""

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from turnwright.model.area import area_number
from turnwright.model.state.log_state import LogState
from turnwright.store.checkpoint_file import CheckpointFile, Unreadable
from turnwright.store.files import Files, Seen
from turnwright.store.record_index import RecordIndex, RecordRow, save_records


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes in hex, by which content is known again."""
    return hashlib.sha256(data).hexdigest()


class Row(NamedTuple):
    """One document as of the checkpoint.

    Attributes:
        seq: the record that last changed it.
        sha256: of the file's bytes.
        mtime_ns: when the file was last changed; None while another change at the same instant could go undetected.
        mark: detects changes that keep size and time; see `Seen.mark`.
    """

    path: str
    seq: int
    sha256: str
    size: int
    mtime_ns: int | None
    mark: str | None

    @classmethod
    def of(cls, path: str, seq: int, data: bytes, seen: Seen) -> "Row":
        """Return a document whose file holds these bytes and looks so."""
        return cls(path, seq, digest(data), seen.size, seen.mtime_ns, seen.mark)

    def fits(self, seen: Seen) -> bool:
        """Return whether a file looks as it did."""
        return self.mtime_ns == seen.mtime_ns and self.size == seen.size and self.mark == seen.mark

    def is_settled(self, limit: int) -> bool:
        """Return whether nothing about the file was changed since a time."""
        ctime = int((self.mark or "0:").partition(":")[0])
        return self.mtime_ns is not None and max(self.mtime_ns, ctime) < limit


class Saved(NamedTuple):
    """A document in the checkpoint: its file row, its value as JSON text, and its lookup keys.

    Attributes:
        areas: for a layer, the ids of its areas.
    """

    row: Row
    value: str
    areas: Iterable[str] | None
    tags: Iterable[str]


class Checkpoint:
    """The checkpoint of one campaign.

    Attributes:
        records: where each record stands.
    """

    def __init__(self, files: Files, file: CheckpointFile) -> None:
        self.records = RecordIndex(file)
        self._files = files
        self._file = file
        self._is_sound = False

    @classmethod
    def open(cls, files: Files, *, writable: bool) -> "Checkpoint":
        """Open the existing checkpoint; a read-only connection sees it as of one record.

        Raises:
            Unreadable: when there is no usable checkpoint.
        """
        return cls(files, CheckpointFile.open(files, writable=writable))

    @classmethod
    def create(cls, files: Files) -> "Checkpoint":
        """Make an empty checkpoint in place of whatever is there."""
        return cls(files, CheckpointFile.create(files))

    def is_in_place(self) -> bool:
        """Return whether the file we opened still has the checkpoint's name."""
        return self._file.is_in_place()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def hold(self) -> None:
        """Let what is read be as of one record, until `release` or the next save: reading costs less so."""
        self._file.hold()

    def release(self) -> None:
        """End what `hold` began."""
        self._file.release()

    # reading

    def require_sound(self) -> None:
        """Look for damage that hides what was saved: to be asked before something is believed not to be there.

        It takes longer the more areas there are, so it is done once, and not on opening. The index of records, which
        grows with play, is left out.
        """
        if not self._is_sound:
            self._file.require_sound("contents", "areas", "tags")
            self._is_sound = True

    def history(self) -> LogState:
        """Return the history up to the record the checkpoint is at."""
        found = self._meta("history")
        if found is None:
            raise Unreadable("never filled")
        try:
            return LogState.from_json(json.loads(found))
        except (ValueError, TypeError, KeyError) as error:
            raise Unreadable(f"history: {error}") from None

    def boot_id(self) -> str | None:
        """Return the boot id of the machine at the last save; None if it was unknown."""
        found = self._meta("boot")
        return None if found is None else str(found)

    def directory(self) -> str | None:
        """Return which directory it was saved for, as `directory_mark` names it; None where it does not say."""
        found = self._meta("directory")
        return None if found is None else str(found)

    def pruned_seq(self) -> int:
        """Return the record up to which results were taken away, -1 when none were."""
        return self._number("pruned", -1)

    def _number(self, key: str, default: int = 0) -> int:
        found = self._meta(key)
        try:
            return default if found is None else int(found)
        except ValueError as error:
            raise Unreadable(f"{key}: {error}") from None

    def _meta(self, key: str) -> Any:
        found = self._file.one("SELECT value FROM meta WHERE key = ?", key)
        return found[0] if found else None

    def value(self, path: str) -> Any:
        """Return a document as plain JSON, or None."""
        found = self._file.one("SELECT sha256, value FROM contents WHERE path = ?", path)
        if found is None:
            self.require_sound()
            return None
        saved, value = found
        if not isinstance(value, str) or digest(value.encode()) != saved:
            raise Unreadable(f"{path}: is not what was saved")
        try:
            return json.loads(value)
        except ValueError as error:
            raise Unreadable(f"{path}: {error}") from None

    def row(self, path: str) -> Row | None:
        """Return how a document's file was left, or None."""
        found = self._file.one("SELECT * FROM documents WHERE path = ?", path)
        return Row(*found) if found else None

    def rows(self) -> Iterator[Row]:
        """Yield how each document's file was left."""
        found = self._file.all("SELECT * FROM documents")
        if len(found) != self._number("documents"):
            raise Unreadable("documents are missing in it")
        yield from (Row(*row) for row in found)

    def paths(self, collection: str) -> list[str]:
        """Return the paths of a collection's documents, sorted."""
        end = collection[:-1] + chr(ord(collection[-1]) + 1)
        listed, kept = (
            self._file.all(f"SELECT path FROM {table} WHERE path >= ? AND path < ? ORDER BY path", collection, end)
            for table in ("documents", "contents")
        )
        if listed != kept:  # each is saved with the other, so one of them is damaged
            raise Unreadable(f"documents of {collection} are missing in it")
        return [path for (path,) in listed]

    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        found = self._file.one("SELECT layer FROM areas WHERE id = ?", area_id)
        if found is None:
            self.require_sound()
        return str(found[0]) if found else None

    def tagged(self, tag: str) -> list[str]:
        """Return the paths of all documents that are looked up by this tag, sorted."""
        self.require_sound()
        return [path for (path,) in self._file.all("SELECT path FROM tags WHERE tag = ? ORDER BY path", tag)]

    def tags(self) -> set[tuple[str, str]]:
        """Return every tag with the path of each document that has it."""
        return set(self._file.all("SELECT * FROM tags"))

    def highest_area(self, gone: Collection[str] = ()) -> int:
        """Return the highest NNN of any `area_NNN` but those that are gone, 0 when there is none."""
        self.require_sound()
        sql = "SELECT id, number FROM areas WHERE number IS NOT NULL ORDER BY number DESC LIMIT ?"
        rows = self._file.all(sql, len(gone) + 1)
        return next((int(number.partition(":")[2]) for area_id, number in rows if area_id not in gone), 0)

    # writing

    def save(
        self,
        history: LogState,
        documents: Iterable[Saved],
        removed: Iterable[str],
        records: Iterable[RecordRow],
    ) -> None:
        """Advance the checkpoint to a later record atomically.

        Args:
            history: as of that record.
            documents: what changed.
            removed: paths of documents that are gone.
            records: the records since the last save.
        """
        directory = directory_mark(self._files)
        with self._file.writing() as db:
            number = self._number("documents")
            for path in removed:
                number -= db.execute("DELETE FROM documents WHERE path = ?", (path,)).rowcount
                db.execute("DELETE FROM contents WHERE path = ?", (path,))
                db.execute("DELETE FROM areas WHERE layer = ?", (path,))
                db.execute("DELETE FROM tags WHERE path = ?", (path,))
            for row, value, area_ids, tags in documents:
                number += self.row(row.path) is None
                db.execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?)", row)
                db.execute(
                    "INSERT OR REPLACE INTO contents VALUES (?, ?, ?)", (row.path, digest(value.encode()), value)
                )
                if area_ids is not None:
                    self._save_areas(db, row.path, area_ids)
                self._save_tags(db, row.path, tags)
            save_records(db, records)
            _put(db, "history", json.dumps(history.to_json()))
            _put(db, "documents", str(number))
            _put(db, "directory", directory)
            if boot := self._files.disk.boot_id():
                _put(db, "boot", boot)

    def _save_areas(self, db: sqlite3.Connection, layer: str, area_ids: Iterable[str]) -> None:
        known = set(self._file.all("SELECT id FROM areas WHERE layer = ?", layer))
        kept = {(area_id,) for area_id in area_ids}
        db.executemany("DELETE FROM areas WHERE id = ?", sorted(known - kept))
        fresh = [(area_id, layer, _sortable(area_id)) for (area_id,) in sorted(kept - known)]
        db.executemany("INSERT OR REPLACE INTO areas VALUES (?, ?, ?)", fresh)

    def _save_tags(self, db: sqlite3.Connection, path: str, tags: Iterable[str]) -> None:
        known = set(self._file.all("SELECT * FROM tags WHERE path = ?", path))
        kept = {(tag, path) for tag in tags}
        db.executemany("DELETE FROM tags WHERE tag = ? AND path = ?", sorted(known - kept))
        db.executemany("INSERT INTO tags VALUES (?, ?)", sorted(kept - known))

    def note(self, rows: Iterable[Row]) -> None:
        """Remember how files look whose content is as it was."""
        changes = [(row.sha256, row.size, row.mtime_ns, row.mark, row.path) for row in rows]
        sql = "UPDATE documents SET sha256 = ?, size = ?, mtime_ns = ?, mark = ? WHERE path = ?"
        with self._file.writing() as db:
            db.executemany(sql, changes)

    def set_pruned_seq(self, seq: int) -> None:
        """Remember up to which record results were taken away."""
        with self._file.writing() as db:
            _put(db, "pruned", str(seq))


def directory_mark(files: Files) -> str:
    """Return what tells the directory of a campaign from a copy of it, wherever either is moved on its file system."""
    device, inode = files.identity("") or (0, 0)
    return f"{device}:{inode}"


def _put(db: sqlite3.Connection, key: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _sortable(area_id: str) -> str | None:
    """Return the number of an `area_NNN` so that text order is number order: its length, a colon, its digits."""
    number = area_number(area_id)
    return None if number is None else f"{len(str(number)):03d}:{number}"
