"""The checkpoint's SQLite file: its tables, how it is opened and made, and what its errors mean.

Source: docs/stages/5-commit.md, "Checkpoint".
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from turnwright.store import disk
from turnwright.store.files import ENGINE_FOLDER, Files
from turnwright.store.fork_safety import IN_SQLITE, Connection

CHECKPOINT_PATH = f"{ENGINE_FOLDER}/checkpoint.sqlite3"
WENT_BACK = f"if you went back to an older log on purpose, delete {CHECKPOINT_PATH} and the results of later turns"
"""Advice for a checkpoint that is ahead of the log."""
_VERSION = 6
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    path TEXT PRIMARY KEY, seq INTEGER NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER,
    mark TEXT
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


class Unreadable(Exception):
    """The checkpoint is missing, damaged or of another version: make it again."""


class OtherVersion(Unreadable):
    """The checkpoint was made by another version of the engine, which says nothing against the campaign."""


class Unavailable(Unreadable):
    """The machine does not let us read the checkpoint, which says nothing of what it holds."""


class CheckpointFile(Connection):
    """The open file. Whatever it is asked for may turn out `Unreadable`."""

    def __init__(self, files: Files, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._files = files
        self._db = connection
        self._place = files.at(CHECKPOINT_PATH)
        self._identity = files.identity(CHECKPOINT_PATH)

    @classmethod
    def open(cls, files: Files, *, writable: bool) -> CheckpointFile:
        """Open the file that is there.

        Raises:
            Unreadable: when there is none that can be used.
        """
        files.require_own_folders_of(CHECKPOINT_PATH)
        seen = files.look(CHECKPOINT_PATH)
        if seen is None or not seen.is_file:
            raise Unreadable("missing")
        try:
            file = cls(files, _connect(files, writable=writable))
        except sqlite3.Error as error:
            raise _unreadable(error) from None
        try:
            if file.one("PRAGMA user_version") != (_VERSION,):
                raise OtherVersion("another version")
            if not writable:
                file.hold()
        except Unreadable:
            file.close()
            raise
        return file

    @classmethod
    def create(cls, files: Files) -> CheckpointFile:
        """Make an empty file in place of whatever is there."""
        for ending in ("", "-wal", "-shm", "-journal"):
            files.remove(CHECKPOINT_PATH + ending)
        # By us, because SQLite's own would be closed to the group; the files beside it are made like it.
        files.close(files.disk.open(files.at(CHECKPOINT_PATH), disk.NEW))
        with IN_SQLITE, _writing(files.at(CHECKPOINT_PATH)):
            db = _connect(files, writable=True)
            try:
                db.execute("PRAGMA journal_mode = WAL")
                db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")
            except sqlite3.Error:
                db.close()
                raise
        return cls(files, db)

    @classmethod
    def give_own(cls, files: Files) -> None:
        """Put a copy of the file in its place, so that no other name leads to what is written to it from now on.

        Raises:
            Unreadable: when it cannot be copied.
        """
        copy = f"{CHECKPOINT_PATH}-own"
        files.remove(copy)
        files.close(files.disk.open(files.at(copy), disk.NEW))
        source = cls.open(files, writable=False)
        try:
            with IN_SQLITE, _writing(files.at(copy)), closing(sqlite3.connect(files.at(copy))) as target:
                source._db.backup(target)
        finally:
            source.close()
        for ending in ("-wal", "-shm", "-journal"):  # what they held is in the copy
            files.remove(CHECKPOINT_PATH + ending)
        files.rename(copy, CHECKPOINT_PATH)

    def is_in_place(self) -> bool:
        """Return whether the opened file still has its name; it may be deleted at any time."""
        self._files.require_own_folders_of(CHECKPOINT_PATH)
        return self._files.identity(CHECKPOINT_PATH) == self._identity

    def close(self) -> None:
        """Close the file."""
        with IN_SQLITE, suppress(sqlite3.Error):
            self._db.close()

    def one(self, sql: str, *values: Any) -> Any:
        """Return the first row of what is asked for, or None."""
        try:
            with IN_SQLITE:
                return self._db.execute(sql, values).fetchone()
        except sqlite3.Error as error:
            raise _unreadable(error) from None

    def all(self, sql: str, *values: Any) -> list[Any]:
        """Return every row of what is asked for."""
        try:
            with IN_SQLITE:
                return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _unreadable(error) from None

    def require_sound(self, *tables: str) -> None:
        """Look for damage that hides what tables hold; it takes longer the more that is."""
        for table in tables:
            if (found := self.one(f"PRAGMA quick_check({table})")) != ("ok",):
                raise Unreadable(found[0])

    def hold(self) -> None:
        """Let what is read be as of one record, until `release` or the next `writing`: reading costs less so."""
        if not self._is_held:
            self.one("BEGIN")

    def release(self) -> None:
        """End what `hold` began: as long as it lasts, SQLite cannot tidy up after other writers."""
        if self._is_held:
            self.one("COMMIT")

    @property
    def _is_held(self) -> bool:
        try:
            return self._db.in_transaction
        except sqlite3.Error as error:  # it is closed, as in a child of the process that opened it
            raise _unreadable(error) from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write whatever is done in a `with` block, whole or not at all.

        Raises:
            OSError: when the machine refuses.
            Unreadable: when the file is damaged, or closed to us: another user may have made it.
        """
        with IN_SQLITE, _writing(self._place, may_be_closed=True):
            self.release()
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise


def _connect(files: Files, *, writable: bool) -> sqlite3.Connection:
    from urllib.parse import quote

    uri = f"file:{quote(os.fsencode(files.at(CHECKPOINT_PATH)))}?mode={'rwc' if writable else 'ro'}"
    with IN_SQLITE:
        db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=5, check_same_thread=False)
        if writable:
            db.execute("PRAGMA synchronous = NORMAL")
    return db


def _refusal(error: sqlite3.Error) -> int | None:
    """Return what the machine refused, as an `errno`; None where the file is at fault."""
    return _REFUSALS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)


def _unreadable(error: sqlite3.Error) -> Unreadable:
    # What cannot be read is rebuilt, also when the medium is at fault.
    is_kept_away = _refusal(error) not in (None, errno.EIO)
    return (Unavailable if is_kept_away else Unreadable)(str(error))


@contextmanager
def _writing(place: str, *, may_be_closed: bool = False) -> Iterator[None]:
    """Tell a file that can be made again, as a damaged one, from a machine that refuses to write."""
    try:
        yield
    except sqlite3.Error as error:
        code = _refusal(error)
        if code is None or (may_be_closed and code == errno.EROFS):
            raise Unreadable(str(error)) from None
        raise OSError(code, str(error), place) from error
