"""`log.jsonl`: append-only, one complete record a line, and the truth.

Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from turnwright.model.error_text import faults_of, sentence
from turnwright.model.errors import CampaignInvalid
from turnwright.model.strict_json import JsonError, compact, parse_json
from turnwright.model.wire.reason import Problem
from turnwright.model.wire.record import as_record
from turnwright.store import disk
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import json_path
from turnwright.store.files import ENGINE_FOLDER, Files, Seen

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

LOG_PATH = "log.jsonl"
NOBODY_READS = (
    "looks like a copy of the log, as services that sync make one where two machines wrote; nobody reads it, and there "
    "may be turns that stand in it alone"
)
"""The warning about a copy of the log."""
TORN_FOLDER = f"{ENGINE_FOLDER}/torn"
_LIKELY_LINE = 1 << 12
"""Bytes: most lines are shorter."""
_MAX_BLOCK_BYTES = 1 << 20
_CRLF = (
    "the lines end in CRLF, as git or an editor makes them: turn them back into LF, and let `*.jsonl -text` in "
    ".gitattributes keep git from it"
)
_FOREIGN_WRITE = "somebody else has written to the log, or put another in its place"


def encode(record: Record) -> bytes:
    """Return the line of a record, without its line feed."""
    return compact(record)


def line_hash(line: bytes) -> str:
    """Return the hash by which the next record knows a line."""
    return hashlib.sha256(line).hexdigest()


def damaged(seq: int, message: str) -> CampaignInvalid:
    """Return the error for a log that cannot be trusted from this record on."""
    return CampaignInvalid([Problem(LOG_PATH, f"line {seq + 1}", "log", message)])


def record_on(line: bytes, seq: int, prev: str) -> Record:
    """Return the record on a line, checking only its sequence number and the hash of the previous line.

    Raises:
        CampaignInvalid: naming the record, when the line is not a record, has the wrong number, or was written after a
        different line.
    """
    require_line_feed(line, seq)
    try:
        record = parse_json(line)
    except JsonError as error:
        raise damaged(seq, f"record {seq}: {error}") from None
    if not _is_numbered(record, seq):
        raise damaged(seq, f"record {seq} is not here")
    if record.get("prev") != prev:
        if seq == 0:
            raise damaged(0, "record 0 speaks of a line before it, but is the first")
        raise damaged(seq, f"record {seq} was not written after the line that stands before it")
    return as_record(record)


def _is_numbered(value: Any, seq: int) -> bool:
    return isinstance(value, dict) and type(value.get("seq")) is int and value["seq"] == seq


def require_line_feed(line: bytes, seq: int) -> None:
    """Refuse a line that ends in CRLF: it has another hash than the one that was written.

    Raises:
        CampaignInvalid: with what to do about it.
    """
    if line.endswith(b"\r"):
        raise damaged(seq, _CRLF)


def decode(line: bytes, seq: int, prev: str, kinds: DocumentTable) -> Record:
    """Return the record on a line, checked against the chain and the models; see `record_on` and `shaped`."""
    return shaped(record_on(line, seq, prev), kinds)


def shaped(record: Record, kinds: DocumentTable) -> Record:
    """Return a record that has the shape of one: its words become paths and its numbers offsets, so none is trusted.

    Raises:
        CampaignInvalid: naming the record, and the first thing in it that does not belong there.
    """
    seq = record["seq"]
    if fault := shape_fault(record):
        raise damaged(seq, f"record {seq} is not what a record holds: {fault}")
    for path in record.get("changes", {}):
        if kinds.model_of(path) is None:
            message = (
                f"record {seq} holds a document that is unknown here; "
                "a newer turnwright is needed, or a ruleset that campaign.json does not name"
            )
            raise CampaignInvalid([Problem(path, "$", "unknown_file", message)])
    return record


def shape_fault(record: Record) -> str | None:
    """Return the first thing in a record that does not fit the model of its kind; None where all does."""
    try:
        _models().validate_python(record)
    except ValidationError as error:
        first = faults_of(error)[0]
        if not (loc := first["loc"]):
            return "$.kind: is no kind of record that is known here"
        return f"{json_path(loc[1:])}: {sentence(first)}"
    return None


@cache
def _models() -> TypeAdapter[Any]:
    from turnwright.model.wire.log_record import Record  # only who reads the log needs it

    return TypeAdapter(Record)


def copies_of_log(files: Files) -> list[str]:
    """Return the names of files like `log (conflicted copy).jsonl`, which the engine ignores."""
    return [name for name in files.listing("") if re.fullmatch(r"log[\W\d_].*\.jsonl", name)]


class Log:
    """The log file of one campaign."""

    def __init__(self, files: Files, kinds: DocumentTable) -> None:
        self.kinds = kinds
        self._files = files
        self._place = files.at(LOG_PATH)
        self._descriptor: int | None = None
        self._identity: tuple[int, int] | None = None
        self._waiting: dict[int, bytes] = {}
        self._end = 0

    def size(self) -> int | None:
        """Return the log's length in bytes, or None when there is no log."""
        seen = self._look()
        return seen.size if seen else None

    def _look(self) -> Seen | None:
        seen = self._files.look(LOG_PATH)
        if seen and not seen.is_file:
            raise CampaignInvalid([Problem(LOG_PATH, "$", "log", "is not an ordinary file")])
        return seen

    def is_as_left(self, size: int) -> bool:
        """Return whether the file that was prepared still carries the log's name and no other, and is as long."""
        status = self._files.status(LOG_PATH)
        if status is None or status.st_size != size or status.st_nlink > 1:
            return False
        return (status.st_dev, status.st_ino) == self._identity

    def lines(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield complete lines from an offset, each with its own offset and without its line feed.

        Lines that wait to be written come last. A last line without a line feed is not complete and not yielded.
        """
        with self._files.opened(LOG_PATH, disk.READ) as descriptor:
            begun: list[bytes] = []
            for block in self._files.blocks(descriptor, start, self._end_of_lines(descriptor, start) - start):
                *complete, rest = block.split(b"\n")
                for line in complete:
                    whole = b"".join([*begun, line])
                    begun.clear()
                    yield start, whole
                    start += len(whole) + 1
                begun.append(rest)
        yield from [waiting for waiting in self._waiting.items() if waiting[0] >= start]

    def _end_of_lines(self, descriptor: int, start: int) -> int:
        """Return where the last complete line ends; the rest may be of any length, and is not kept in memory."""
        end, length = self._files.look_at_open(descriptor).size, _LIKELY_LINE
        while end > start:
            begin = max(start, end - length)
            block = b"".join(self._files.blocks(descriptor, begin, end - begin, block=length))
            if b"\n" in block:
                return begin + block.rindex(b"\n") + 1
            end, length = begin, min(2 * length, _MAX_BLOCK_BYTES)
        return start

    def lines_at(self, offsets: Iterable[int]) -> Iterator[bytes]:
        """Yield the lines that begin at these offsets; an empty one where none begins."""
        with self._files.opened(LOG_PATH, disk.READ) as descriptor:
            for offset in offsets:
                yield self._line_at(descriptor, offset)

    def line_at(self, offset: int) -> bytes:
        """Return the line that begins at an offset, also one that was not yet written."""
        return self._waiting.get(offset) or next(self.lines_at((offset,)))

    def _line_at(self, descriptor: int, offset: int) -> bytes:
        begun: list[bytes] = []
        for block in self._files.blocks(descriptor, offset, block=_LIKELY_LINE):
            head, feed, _ = block.partition(b"\n")
            begun.append(head)
            if feed:
                return b"".join(begun)
        return b""

    def prepare(self, end: int) -> None:
        """Keep the current log file open, so that appends go only to it, and remove a torn last line.

        Only called under the lock. The bytes after the last complete line are kept under `.turnwright/torn/`.

        Raises:
            CampaignInvalid: when a complete line was added meanwhile: another writer ignored the lock.
        """
        seen = self._look()
        self._identity = seen.identity if seen else None
        if seen is None or seen.size <= end:
            return
        with self._files.opened(LOG_PATH, disk.UPDATE) as descriptor:
            torn = hashlib.sha256()
            for block in self._files.blocks(descriptor, end):
                if b"\n" in block:
                    raise CampaignInvalid([Problem(LOG_PATH, "$", "log", _FOREIGN_WRITE)])
                torn.update(block)
            aside = f"{TORN_FOLDER}/{end}-{torn.hexdigest()[:8]}"
            self._files.replace(aside, self._files.blocks(descriptor, end))
            self._files.make_durable(aside)
            self._files.disk.truncate(descriptor, end)

    def append(self, line: bytes, offset: int) -> None:
        """Take a line for an offset, which is where the log ends with the lines taken before; see `write_out`."""
        if not self._waiting:
            self._end = offset
        self._waiting[offset] = line

    def write_out(self) -> None:
        """Write the queued lines in one piece, and make them durable.

        Raises:
            CampaignInvalid: when the log does not end where this writer left it, or was replaced.
            OSError: when writing fails; partial output is truncated if possible.
        """
        if not self._waiting:
            return
        lines = b"".join(line + b"\n" for line in self._waiting.values())
        self._waiting.clear()
        descriptor = self._opened()
        machine = self._files.disk
        status = machine.look(self._place)
        if status.st_size != self._end or (status.st_dev, status.st_ino) != self._identity:
            raise CampaignInvalid([Problem(LOG_PATH, "$", "log", _FOREIGN_WRITE)])
        try:
            self._files.write_all(descriptor, lines)
            machine.sync(descriptor)
        except OSError:
            with suppress(OSError):
                machine.truncate(descriptor, self._end)
            raise

    @property
    def has_lines(self) -> bool:
        """Whether lines were taken that are not written."""
        return bool(self._waiting)

    def forget_lines(self, start: int = 0) -> bool:
        """Forget the lines from an offset on that were taken and not written; return whether there were any."""
        forgotten = [offset for offset in self._waiting if offset >= start]
        for offset in forgotten:
            del self._waiting[offset]
        return bool(forgotten)

    def _opened(self) -> int:
        if self._descriptor is None:
            machine = self._files.disk
            self._descriptor = machine.open(self._place, disk.APPEND)
            self._identity = self._identity or self._files.look_at_open(self._descriptor).identity
            if self._end == 0:
                machine.sync_folder(str(self._files.root))
        return self._descriptor

    def make_durable(self) -> None:
        """Make what other processes appended durable: its writer may have died before its own sync."""
        with self._files.opened(LOG_PATH, disk.UPDATE) as descriptor:
            self._files.disk.sync(descriptor)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            self._files.close(self._descriptor)
            self._descriptor = self._identity = None
