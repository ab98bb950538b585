"""The positions of records in the log, as stored in the checkpoint.

Source: docs/stages/5-commit.md, "Checkpoint".
"""

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from turnwright.model.strict_json import MAX_INT
from turnwright.store.checkpoint_file import CheckpointFile


class RecordRow(NamedTuple):
    """The position of a record in the log."""

    seq: int
    offset: int
    kind: str
    turn_id: str | None
    source: str | None


class RecordIndex:
    """The records of a log up to the last one saved."""

    def __init__(self, file: CheckpointFile) -> None:
        self._file = file

    def require_sound(self) -> None:
        """Look for damage that hides records; it takes longer the more of them there are."""
        self._file.require_sound("records")

    def at(self, seq: int) -> RecordRow | None:
        """Return where a record stands, or None."""
        return self._first("SELECT * FROM records WHERE seq = ?", seq)

    def of_turn(self, turn_id: str) -> RecordRow | None:
        """Return where the last record of a turn stands, or None."""
        return self._first("SELECT * FROM records WHERE turn_id = ? ORDER BY seq DESC LIMIT 1", turn_id)

    def of_source(self, source: str) -> RecordRow | None:
        """Return where the record of a claimed turn file stands, or None."""
        return self._first("SELECT * FROM records WHERE source = ?", source)

    def _first(self, sql: str, value: int | str) -> RecordRow | None:
        found = self._file.one(sql, value)
        return RecordRow(*found) if found else None

    def newest_turns(self, most: int) -> dict[str, RecordRow]:
        """Return where the last records of the newest turns stand, by turn id, oldest first."""
        sql = "SELECT * FROM records WHERE turn_id IS NOT NULL AND seq < ? ORDER BY seq DESC LIMIT ?"
        newest: dict[str, RecordRow] = {}
        before = MAX_INT
        while len(newest) < most and (rows := [RecordRow(*found) for found in self._file.all(sql, before, most)]):
            for row in rows:  # a turn may have attempts before the record that closes it
                newest.setdefault(row.turn_id or "", row)
            before = rows[-1].seq
        return dict(reversed(list(newest.items())[:most]))

    def last_before_newest(self, keep: int) -> int | None:
        """Return the record of the last turn that is not among the newest ones, or None when all are."""
        last = self._file.one("SELECT kind FROM records WHERE turn_id IS NOT NULL ORDER BY seq DESC LIMIT 1")
        closed = keep - (last == ("attempt",))  # a turn counts once: its record, or the attempts of one still open
        sql = "SELECT seq FROM records WHERE kind = 'turn' ORDER BY seq DESC LIMIT 1 OFFSET ?"
        found = self._file.one(sql, closed)
        return int(found[0]) if found else None

    def turns_between(self, after: int, upto: int, newer_than: int) -> list[str]:
        """Return the ids of turns recorded after one record and up to another, and not again after a third."""
        sql = """
            SELECT turn_id FROM records AS old WHERE turn_id IS NOT NULL AND seq > ? AND seq <= ? AND NOT EXISTS
            (SELECT 1 FROM records AS new WHERE new.turn_id = old.turn_id AND new.seq > ?) ORDER BY seq
        """
        return [turn_id for (turn_id,) in self._file.all(sql, after, upto, newer_than)]

    def save(self, rows: Iterable[RecordRow]) -> None:
        """Save where records stand, ahead of what else they changed."""
        with self._file.writing() as db:
            save_records(db, rows)


def save_records(db: sqlite3.Connection, rows: Iterable[RecordRow]) -> None:
    """Save where records stand, as a part of what is being written."""
    db.executemany("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)", rows)
