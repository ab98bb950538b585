"""The records of a log: their positions and contents.

Offsets of records newer than the checkpoint are kept in memory; older ones are looked up in it.
"""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.settings import MAX_RESULTS
from turnwright.model.state.log_state import NO_PREV
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.model.wire.record import as_record
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.checkpoint_file import Unreadable
from turnwright.store.log import Log, decode, line_hash, record_on, shaped
from turnwright.store.record_index import RecordRow

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Changes, Record

MAX_AHEAD = 20_000
"""The number of records held in memory beyond the checkpoint before their positions are saved to it."""
_TOLD_BY = ("seq", "kind", "turn_id")


class Start(NamedTuple):
    """A position to resume reading a log: the last record read, the SHA-256 of its line, and the next offset."""

    seq: int = -1
    head: str = NO_PREV
    offset: int = 0


class Records:
    """The records of one log, up to the last one taken. Reading a damaged checkpoint raises `Unreadable`.

    Attributes:
        ahead: the positions of records newer than the checkpoint, by number.
        replies: the position of the last record of each turn whose result is still to be written, newest last.
    """

    def __init__(self, log: Log, checkpoint: Checkpoint | None) -> None:
        self._log = log
        self._checkpoint = checkpoint
        self.ahead: dict[int, RecordRow] = {}
        self.replies: dict[str, RecordRow] = {}
        self._turns: dict[str, RecordRow] = {}
        self._sources: dict[str, RecordRow] = {}

    def take(self, record: "Record", offset: int) -> None:
        """Remember where the record stands that comes next."""
        row = RecordRow(record["seq"], offset, record["kind"], record.get("turn_id"), record.get("source"))
        self.ahead[row.seq] = row
        if row.source is not None:
            self._sources[row.source] = row
        if row.turn_id is not None:
            self._turns[row.turn_id] = row
            self.replies.pop(row.turn_id, None)  # the newest stands last, also when it was wanted again
            self.replies[row.turn_id] = row

    def save_early(self) -> None:
        """Let the checkpoint know where records stand, ahead of what else they say, when they are too many."""
        if len(self.ahead) >= MAX_AHEAD and self._checkpoint:
            self._checkpoint.records.save(self.ahead.values())
            self._forget_places()
            for turn_id in list(self.replies)[:-MAX_RESULTS]:
                del self.replies[turn_id]

    def settle(self) -> None:
        """Forget what the checkpoint and the results hold by now."""
        self._forget_places()
        self.replies.clear()

    def _forget_places(self) -> None:
        for known in (self.ahead, self._turns, self._sources):
            known.clear()

    def of_turn(self, turn_id: str) -> RecordRow | None:
        """Return where the last record of a turn stands, or None."""
        found = self._turns.get(turn_id)
        if found is None and self._checkpoint:
            self._checkpoint.hold()
            found = self._checkpoint.records.of_turn(turn_id)
        return found

    def of_source(self, source: str) -> RecordRow | None:
        """Return where the record of a claimed turn file stands, or None."""
        found = self._sources.get(source)
        return self._checkpoint.records.of_source(source) if found is None and self._checkpoint else found

    def at(self, seq: int) -> RecordRow | None:
        """Return where a record stands, or None."""
        found = self.ahead.get(seq)
        return self._checkpoint.records.at(seq) if found is None and self._checkpoint else found

    def read(self, row: RecordRow) -> "Record":
        """Return a record that stands where the checkpoint says.

        Raises:
            Unreadable: when another one stands there, or none.
        """
        return shaped(self.on_line(self._log.line_at(row.offset), row), self._log.kinds)

    def on_line(self, line: bytes, row: RecordRow) -> "Record":
        """Return what `read` does, from the line that begins at that place; its shape was looked at before."""
        try:
            value: Any = parse_json(line)
        except JsonError as error:
            raise Unreadable(f"record {row.seq}: {error}") from None
        if not isinstance(value, dict) or [value.get(key) for key in _TOLD_BY] != [row.seq, row.kind, row.turn_id]:
            raise Unreadable(f"record {row.seq} stands elsewhere")
        return as_record(value)

    def start_after(self, seq: int) -> Start:
        """Return where the records after one begin: at the first of all when it is not known where that one stands.

        Raises:
            Unreadable: when it does not stand where the checkpoint says.
        """
        row = self.at(seq) if seq >= 0 else None
        if row is None:
            return Start()
        line = self._log.line_at(row.offset)
        self.on_line(line, row)
        return Start(seq, line_hash(line), row.offset + len(line) + 1)

    def changes_up_to(self, last: int, paths: Collection[str]) -> "Iterator[Changes]":
        """Yield the changes of the records up to one that touch some documents, from the first of all on.

        Each line is held against the chain, and read only where it names one of them: its shape was looked at before.

        Raises:
            CampaignInvalid: at the first line that was not written after the one that stands before it.
        """
        seq, head, marks = -1, NO_PREV, [f'"{path}"'.encode() for path in paths]
        for _, line in self._log.lines() if last >= 0 else ():
            seq += 1
            if head.encode() not in line or any(mark in line for mark in marks):
                yield record_on(line, seq, head).get("changes", {})
            if seq == last:
                return
            head = line_hash(line)

    def following(self, start: Start, last: int) -> "Iterator[Record]":
        """Yield the records from some place on, up to the one with number `last`, each checked against the chain.

        Raises:
            CampaignInvalid: at the first record that is not the one that belongs there.
        """
        seq, head, offset = start
        for _, line in self._log.lines(offset) if seq < last else ():
            record = decode(line, seq + 1, head, self._log.kinds)
            seq, head = record["seq"], line_hash(line)
            yield record
            if seq == last:
                return
