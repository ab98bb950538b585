"""The checkpoint: every document as of one record, and an index of the log. It can be deleted and made again.

One SQLite file, so that opening a campaign costs what it asks for and not what the campaign holds, and so that a
reader sees all documents as of the same record. Source: docs/stages/5-commit.md, "Checkpoint".
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from turnwright.model.area import area_number
from turnwright.model.strict_json import sha256
from turnwright.store.files import Files, Seen
from turnwright.world.history import History

CHECKPOINT_PATH = ".turnwright/checkpoint.sqlite3"
_VERSION = 3
_MOST_RECORDS = 4
"""Records of one turn, at the most: its attempts and the one that closes it."""
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    path TEXT PRIMARY KEY, seq INTEGER NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER
) WITHOUT ROWID;
CREATE TABLE contents (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (seq INTEGER PRIMARY KEY, offset INTEGER NOT NULL, kind TEXT NOT NULL, turn_id TEXT, source TEXT);
CREATE INDEX records_turn ON records (turn_id, seq) WHERE turn_id IS NOT NULL;
CREATE INDEX records_source ON records (source) WHERE source IS NOT NULL;
CREATE TABLE areas (id TEXT PRIMARY KEY, layer TEXT NOT NULL, number TEXT) WITHOUT ROWID;
CREATE INDEX areas_number ON areas (number) WHERE number IS NOT NULL;
CREATE INDEX areas_layer ON areas (layer);
CREATE TABLE tags (tag TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (tag, path)) WITHOUT ROWID;
CREATE INDEX tags_path ON tags (path);
"""


_PUT_RECORD = "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)"
_REFUSALS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_BUSY: errno.EBUSY,
    sqlite3.SQLITE_LOCKED: errno.EBUSY,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_NOMEM: errno.ENOMEM,
}
"""Answers of SQLite that say something of the machine and nothing of the file."""


class Saved(NamedTuple):
    """A document as the checkpoint keeps it: its file, its value as JSON text, and what it is looked up by.

    Attributes:
        areas: for a layer, the ids of its areas.
    """

    row: Row
    value: str
    areas: Iterable[str] | None
    tags: Iterable[str]


class Unreadable(Exception):
    """The checkpoint is missing, damaged or of another version: make it again."""


class Unavailable(Unreadable):
    """The machine does not let us read the checkpoint, which says nothing of what it holds."""


def _unreadable(error: sqlite3.Error) -> Unreadable:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return (Unavailable if code in _REFUSALS and code != sqlite3.SQLITE_IOERR else Unreadable)(str(error))


@contextmanager
def _writing(place: str) -> Iterator[None]:
    """Tell a damaged checkpoint from a machine that refuses to write."""
    try:
        yield
    except sqlite3.Error as error:
        code = _REFUSALS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        if code is None:
            raise Unreadable(str(error)) from None
        raise OSError(code, str(error), place) from error


class Row(NamedTuple):
    """One document as of the checkpoint.

    Attributes:
        seq: the record that last changed it.
        sha256: of the file's bytes.
        mtime_ns: when the file was last changed; None while a change in the same instant could go unseen.
    """

    path: str
    seq: int
    sha256: str
    size: int
    mtime_ns: int | None

    def fits(self, seen: Seen) -> bool:
        """Return whether a file looks as it did."""
        return self.mtime_ns == seen.mtime_ns and self.size == seen.size


class RecordRow(NamedTuple):
    """Where a record stands in the log."""

    seq: int
    offset: int
    kind: str
    turn_id: str | None
    source: str | None


class Checkpoint:
    """The checkpoint of one campaign."""

    def __init__(self, files: Files, connection: sqlite3.Connection) -> None:
        self._files = files
        self._db = connection
        self._place = files.at(CHECKPOINT_PATH)
        self._identity = files.identity(CHECKPOINT_PATH)
        self._is_sound = False

    @classmethod
    def open(cls, files: Files, *, writable: bool) -> Checkpoint:
        """Open the checkpoint that is there.

        Raises:
            Unreadable: when there is none that can be used.
        """
        seen = files.look(CHECKPOINT_PATH)
        if seen is None or not seen.is_file:
            raise Unreadable("missing")
        try:
            checkpoint = cls(files, _connect(files, writable=writable))
        except sqlite3.Error as error:
            raise _unreadable(error) from None
        try:
            checkpoint._begin(writable=writable)
        except Unreadable:
            checkpoint.close()
            raise
        return checkpoint

    def _begin(self, *, writable: bool) -> None:
        if self._one("PRAGMA user_version") != (_VERSION,):
            raise Unreadable("another version")
        if not writable:
            self._one("BEGIN")  # everything read from here on is as of one record

    def require_sound(self) -> None:
        """Look for damage that hides what was saved: to be asked before something is believed not to be there.

        It takes longer the more areas there are, so it is done once, and not on opening. The index of records, which
        grows with play, is left out.
        """
        if self._is_sound:
            return
        for table in ("contents", "areas", "tags"):
            if (found := self._one(f"PRAGMA quick_check({table})")) != ("ok",):
                raise Unreadable(found[0])
        self._is_sound = True

    @classmethod
    def create(cls, files: Files) -> Checkpoint:
        """Make an empty checkpoint in place of whatever is there."""
        for ending in ("", "-wal", "-shm", "-journal"):
            files.remove(CHECKPOINT_PATH + ending)
        with _writing(files.at(CHECKPOINT_PATH)):
            db = _connect(files, writable=True)
            try:
                db.execute("PRAGMA journal_mode = WAL")
                db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")
            except sqlite3.Error:
                db.close()
                raise
        return cls(files, db)

    def is_in_place(self) -> bool:
        """Return whether the file we opened still has the checkpoint's name; anybody may delete it at any time."""
        return self._files.identity(CHECKPOINT_PATH) == self._identity

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._db.close()

    # reading

    def history(self) -> History:
        """Return the history up to the record the checkpoint is at."""
        found = self._one("SELECT value FROM meta WHERE key = 'history'")
        if found is None:
            raise Unreadable("never filled")
        try:
            return History.from_json(json.loads(found[0]))
        except (ValueError, TypeError, KeyError) as error:
            raise Unreadable(f"history: {error}") from None

    def boot_id(self) -> str | None:
        """Return in which start of the machine the last save was made, None where nobody knew."""
        found = self._one("SELECT value FROM meta WHERE key = 'boot'")
        return str(found[0]) if found else None

    def pruned_seq(self) -> int:
        """Return the record up to which results were taken away, -1 when none were."""
        return self._number("pruned", -1)

    def _number(self, key: str, default: int = 0) -> int:
        found = self._one("SELECT value FROM meta WHERE key = ?", key)
        try:
            return int(found[0]) if found else default
        except ValueError as error:
            raise Unreadable(f"{key}: {error}") from None

    def set_pruned_seq(self, seq: int) -> None:
        """Remember up to which record results were taken away."""
        with _writing(self._place), self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES ('pruned', ?)", (str(seq),))

    def value(self, path: str) -> Any:
        """Return a document as plain JSON, or None."""
        found = self._one("SELECT sha256, value FROM contents WHERE path = ?", path)
        if found is None:
            self.require_sound()
            return None
        digest, value = found
        if not isinstance(value, str) or sha256(value) != digest:
            raise Unreadable(f"{path}: is not what was saved")
        try:
            return json.loads(value)
        except ValueError as error:
            raise Unreadable(f"{path}: {error}") from None

    def row(self, path: str) -> Row | None:
        """Return how a document's file was left, or None."""
        found = self._one("SELECT path, seq, sha256, size, mtime_ns FROM documents WHERE path = ?", path)
        return Row(*found) if found else None

    def rows(self) -> Iterator[Row]:
        """Yield how each document's file was left."""
        found = self._all("SELECT path, seq, sha256, size, mtime_ns FROM documents")
        if len(found) != self._number("documents"):
            raise Unreadable("documents are missing in it")
        yield from (Row(*row) for row in found)

    def paths(self, collection: str) -> list[str]:
        """Return the paths of a collection's documents, sorted."""
        end = collection[:-1] + chr(ord(collection[-1]) + 1)
        listed, kept = (
            self._all(f"SELECT path FROM {table} WHERE path >= ? AND path < ? ORDER BY path", collection, end)
            for table in ("documents", "contents")
        )
        if listed != kept:  # each is saved with the other, so one of them is damaged
            raise Unreadable(f"documents of {collection} are missing in it")
        return [path for (path,) in listed]

    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds an area, or None."""
        found = self._one("SELECT layer FROM areas WHERE id = ?", area_id)
        if found is None:
            self.require_sound()
        return str(found[0]) if found else None

    def tagged(self, tag: str) -> list[str]:
        """Return the paths of all documents that are looked up by this tag, sorted."""
        self.require_sound()
        return [path for (path,) in self._all("SELECT path FROM tags WHERE tag = ? ORDER BY path", tag)]

    def tags(self) -> set[tuple[str, str]]:
        """Return every tag with the path of each document that has it."""
        return {(tag, path) for tag, path in self._all("SELECT tag, path FROM tags")}

    def highest_area(self, gone: Collection[str] = ()) -> int:
        """Return the highest NNN of any `area_NNN` but those that are gone, 0 when there is none."""
        self.require_sound()
        sql = "SELECT id, number FROM areas WHERE number IS NOT NULL ORDER BY number DESC LIMIT ?"
        rows = self._all(sql, len(gone) + 1)
        return next((int(number.partition(":")[2]) for area_id, number in rows if area_id not in gone), 0)

    def require_sound_records(self) -> None:
        """Look for damage that hides records; it takes longer the more of them there are."""
        if (found := self._one("PRAGMA quick_check(records)")) != ("ok",):
            raise Unreadable(found[0])

    def record_of_turn(self, turn_id: str) -> RecordRow | None:
        """Return where the last record of a turn stands, or None."""
        sql = "SELECT seq, offset, kind, turn_id, source FROM records WHERE turn_id = ? ORDER BY seq DESC LIMIT 1"
        found = self._one(sql, turn_id)
        return RecordRow(*found) if found else None

    def record_of_source(self, source: str) -> RecordRow | None:
        """Return where the record of a claimed turn file stands, or None."""
        found = self._one("SELECT seq, offset, kind, turn_id, source FROM records WHERE source = ?", source)
        return RecordRow(*found) if found else None

    def record(self, seq: int) -> RecordRow | None:
        """Return where a record stands, or None."""
        found = self._one("SELECT seq, offset, kind, turn_id, source FROM records WHERE seq = ?", seq)
        return RecordRow(*found) if found else None

    def newest_turns(self, most: int) -> dict[str, RecordRow]:
        """Return where the last records of the newest turns stand, by turn id, oldest first."""
        sql = """
            SELECT seq, offset, kind, turn_id, source FROM records WHERE turn_id IS NOT NULL ORDER BY seq DESC LIMIT ?
        """
        newest: dict[str, RecordRow] = {}
        for found in self._all(sql, _MOST_RECORDS * most):
            newest.setdefault(found[3], RecordRow(*found))
        return dict(reversed(list(newest.items())[:most]))

    def last_seq_before_newest(self, keep: int) -> int | None:
        """Return the record of the last turn that is not among the newest ones, or None when all are."""
        last = self._one("SELECT kind FROM records WHERE turn_id IS NOT NULL ORDER BY seq DESC LIMIT 1")
        closed = keep - (last == ("attempt",))  # a turn counts once: its record, or the attempts of one still open
        found = self._one("SELECT seq FROM records WHERE kind = 'turn' ORDER BY seq DESC LIMIT 1 OFFSET ?", closed)
        return int(found[0]) if found else None

    def turns_between(self, after: int, upto: int, newer_than: int) -> list[str]:
        """Return the ids of turns recorded after one record and up to another, and not again after a third."""
        sql = """
            SELECT turn_id FROM records AS old WHERE turn_id IS NOT NULL AND seq > ? AND seq <= ? AND NOT EXISTS
            (SELECT 1 FROM records AS new WHERE new.turn_id = old.turn_id AND new.seq > ?) ORDER BY seq
        """
        return [turn_id for (turn_id,) in self._all(sql, after, upto, newer_than)]

    # writing

    def save(
        self,
        history: History,
        documents: Iterable[Saved],
        removed: Iterable[str],
        records: Iterable[RecordRow],
    ) -> None:
        """Bring the checkpoint to another record, whole or not at all.

        Args:
            history: as of that record.
            documents: what changed.
            removed: paths of documents that are gone.
            records: the records since the last save.
        """
        with _writing(self._place), self._transaction() as db:
            number = self._number("documents")
            for path in removed:
                number -= db.execute("DELETE FROM documents WHERE path = ?", (path,)).rowcount
                db.execute("DELETE FROM contents WHERE path = ?", (path,))
                db.execute("DELETE FROM areas WHERE layer = ?", (path,))
                db.execute("DELETE FROM tags WHERE path = ?", (path,))
            for row, value, area_ids, tags in documents:
                number += self.row(row.path) is None
                db.execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?)", row)
                contents = (row.path, sha256(value), value)
                db.execute("INSERT OR REPLACE INTO contents VALUES (?, ?, ?)", contents)
                if area_ids is not None:
                    self._save_areas(row.path, area_ids)
                self._save_tags(row.path, tags)
            db.executemany(_PUT_RECORD, records)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('history', ?)", (json.dumps(history.to_json()),))
            db.execute("INSERT OR REPLACE INTO meta VALUES ('documents', ?)", (str(number),))
            if boot := self._files.disk.boot_id():
                db.execute("INSERT OR REPLACE INTO meta VALUES ('boot', ?)", (boot,))

    def save_records(self, records: Iterable[RecordRow]) -> None:
        """Save where records stand, ahead of what else they changed."""
        with _writing(self._place), self._transaction() as db:
            db.executemany(_PUT_RECORD, records)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self.release()
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield self._db
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise

    def _save_areas(self, layer: str, area_ids: Iterable[str]) -> None:
        kept = set(area_ids)
        known = {area_id for (area_id,) in self._all("SELECT id FROM areas WHERE layer = ?", layer)}
        self._db.executemany("DELETE FROM areas WHERE id = ?", [(area_id,) for area_id in sorted(known - kept)])
        fresh = [(area_id, layer, _sortable(area_id)) for area_id in sorted(kept - known)]
        self._db.executemany("INSERT OR REPLACE INTO areas VALUES (?, ?, ?)", fresh)

    def _save_tags(self, path: str, tags: Iterable[str]) -> None:
        kept = set(tags)
        known = {tag for (tag,) in self._all("SELECT tag FROM tags WHERE path = ?", path)}
        self._db.executemany(
            "DELETE FROM tags WHERE tag = ? AND path = ?", [(tag, path) for tag in sorted(known - kept)]
        )
        self._db.executemany("INSERT INTO tags VALUES (?, ?)", [(tag, path) for tag in sorted(kept - known)])

    def note(self, rows: Iterable[Row]) -> None:
        """Remember how files look whose content is as it was."""
        changes = [(row.sha256, row.size, row.mtime_ns, row.path) for row in rows]
        with _writing(self._place), self._transaction() as db:
            db.executemany("UPDATE documents SET sha256 = ?, size = ?, mtime_ns = ? WHERE path = ?", changes)

    def hold(self) -> None:
        """Let what is read be as of one record, until `release` or the next save: reading costs less so."""
        if not self._db.in_transaction:
            self._one("BEGIN")

    def release(self) -> None:
        """End what `hold` began: as long as it lasts, SQLite cannot tidy up after other writers."""
        if self._db.in_transaction:
            self._one("COMMIT")

    def _one(self, sql: str, *values: Any) -> Any:
        try:
            return self._db.execute(sql, values).fetchone()
        except sqlite3.Error as error:
            raise _unreadable(error) from None

    def _all(self, sql: str, *values: Any) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _unreadable(error) from None


def _connect(files: Files, *, writable: bool) -> sqlite3.Connection:
    from urllib.parse import quote

    uri = f"file:{quote(os.fsencode(files.at(CHECKPOINT_PATH)))}?mode={'rwc' if writable else 'ro'}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=5, check_same_thread=False)
    if writable:
        db.execute("PRAGMA synchronous = NORMAL")
    return db


def _sortable(area_id: str) -> str | None:
    """Return the number of an `area_NNN` so that text order is number order: its length, a colon, its digits."""
    number = area_number(area_id)
    return None if number is None else f"{len(str(number)):03d}:{number}"
