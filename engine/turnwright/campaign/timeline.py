"""The log as a timeline: past states, undo, and forks.

Source: docs/stages/5-commit.md, "Undo" and "Fork".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from turnwright.campaign.bootstrap import completing, require_empty, secret_of
from turnwright.model.base import MAX_ID_LENGTH, Document
from turnwright.model.campaign import CAMPAIGN_PATH, FORMAT, CampaignDocument
from turnwright.model.errors import BadRequest, CampaignInvalid
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import settings_of
from turnwright.model.state.fold import Values, apply_changes, fold
from turnwright.model.state.overlay import InMemorySource, Source, World
from turnwright.model.strict_json import sha256
from turnwright.model.wire.turn import TURN_ID
from turnwright.protocol.stage5_commit import changes_of, changes_of_values
from turnwright.rulesets.in_use import tables_of
from turnwright.store import disk
from turnwright.store.carried_packs import CarriedPacks
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import document_from, read_documents
from turnwright.store.files import Files
from turnwright.store.folders import make_folders
from turnwright.store.lock import DEFAULT_WAIT, locked
from turnwright.store.log import LOG_PATH, encode
from turnwright.store.secret import read_secrets, write_secrets
from turnwright.store.store import Store
from turnwright.store.system import new_secret

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Migrated, Record, UndoneRecord

_RECENT = 200
"""Number of records searched for the turn that a misspelled id may have meant."""


def readable(reader: Store) -> Source:
    """Return the documents of a campaign that was loaded for reading, as of its last complete record.

    A directory whose log has not begun is read from its files.
    """
    if reader.history.seq >= 0 and not reader.kinds.is_older:
        return reader
    if reader.history.seq >= 0:
        return _source_of(values_at(reader, reader.history.seq))
    documents, problems = read_documents(reader.files, reader.kinds)
    if problems:
        raise CampaignInvalid(problems)
    if reader.kinds.is_older:
        return _source_of({path: document.value() for path, document in documents.items()})
    return InMemorySource(documents)


def _source_of(values: Values) -> Source:
    """Return documents of an older format as they are in the newest; nothing is written."""
    from turnwright.rulesets.migration import documents_of, migrated

    return InMemorySource(documents_of(migrated(values)))


def _kinds_of(values: Values) -> DocumentTable:
    from turnwright.rulesets.migration import tables_for

    return tables_for(values).documents


def _is_older(values: JsonObject) -> bool:
    """Return whether documents are of an older format than the newest."""
    campaign = values.get(CAMPAIGN_PATH)
    found = campaign.get("format") if isinstance(campaign, dict) else None
    return type(found) is int and found < FORMAT


def require_record(store: Store, mark: str) -> Record:
    """Return the record that a person names by turn id or by number.

    Raises:
        BadRequest: when there is none.
    """
    if not isinstance(mark, str):
        raise BadRequest("a record is named by a text: the id of its turn, or its number")
    record = store.record_of_turn(mark) if re.fullmatch(TURN_ID, mark) else None
    number = mark.removeprefix("#")
    if record is None and number.isascii() and number.isdigit() and len(number) < 16:
        record = store.record(int(number))
    if record is None:
        recent = (entry.get("turn_id") for entry in islice(_backwards(store), _RECENT))
        guess = did_you_mean(mark, filter(None, recent))
        end = f"the log ends with record {store.history.seq}"
        raise BadRequest(f"there is no turn and no record {mark!r}; {end}{guess}")
    return record


def values_at(store: Store, seq: int) -> Values:
    """Return every document as plain JSON as it was after a record, by path, sorted."""
    values = fold(takewhile(lambda record: record["seq"] <= seq, store.records()))
    return dict(sorted(values.items()))


def newest_values_at(store: Store, seq: int) -> Values:
    """Return every document as it was after a record, as plain JSON in the newest format, by path, sorted."""
    return _newest(values_at(store, seq))


def _newest(values: Values) -> Values:
    """Return documents in the newest format; the same object where they are in it already."""
    if not _is_older(values):
        return values
    from turnwright.rulesets.migration import migrated

    return migrated(values)


def documents_at(store: Store, mark: str) -> Source:
    """Return the documents as they were after a record, given by turn id or number."""
    values = values_at(store, require_record(store, mark)["seq"])
    if _is_older(values):
        return _source_of(values)
    found = {path: document_from(path, value, store.kinds) for path, value in values.items()}
    return InMemorySource({path: document for path, (document, _) in found.items() if document})


Last = Literal["turn", "exchange", "undo"]
"""The target of an undo without a mark: the last turn, everything since a player last spoke, or the last undo."""


def undo_target(store: Store, mark: str | None, last: Last = "turn") -> int:
    """Return the number of the first record to undo.

    Raises:
        BadRequest: when there is nothing to undo, or not any more.
    """
    if mark is not None and last != "turn":
        raise BadRequest("a turn was named, so it cannot be the last exchange or undo, too")
    if last == "exchange":
        return _beginning_of_exchange(store)
    if last == "undo":
        return _last_undo(store)
    if mark is None:
        if store.history.waiting_turn is not None:
            return store.history.waiting_turn.seq
        for record in _standing(store, 0):
            if record["kind"] == "turn":
                return int(record["seq"])
        raise BadRequest("there is no turn to undo")
    record = require_record(store, mark)
    seq = int(record["seq"])
    if record["kind"] in ("new", "fork"):
        raise BadRequest(f"record {seq} begins this campaign and cannot be undone")
    if (undo := store.history.undone_by(seq)) is not None:
        raise BadRequest(f"record {seq} was undone by record {undo}; undo #{undo} to have it back")
    return seq


def _beginning_of_exchange(store: Store) -> int:
    for record in _standing(store, 0):
        if record["kind"] in ("turn", "attempt") and "user_input" in record:
            return int(record["seq"])
    raise BadRequest("nobody has said anything that could be taken back; leave --exchange out to undo the last turn")


def _last_undo(store: Store) -> int:
    """Return the newest undo that nothing but redos came after: each redo brings back one more."""
    for record in takewhile(lambda record: record["kind"] == "undo", _standing(store, 0)):
        undone = store.record(record["undone_from"])
        if undone is not None and undone["kind"] != "undo":  # an undo of an undo is a redo
            return int(record["seq"])
    raise BadRequest("the last record took nothing back, so there is nothing to bring back")


def _backwards(store: Store) -> Iterator[Record]:
    for seq in range(store.history.seq, -1, -1):
        if record := store.record(seq):
            yield record


def _standing(store: Store, first: int) -> Iterator[Record]:
    """Yield the records from one on that are not undone, newest first; undone records are not even read."""
    undone_from = dict(store.history.undos)
    seq = store.history.seq
    while seq >= first:
        if record := store.record(seq):
            yield record
        seq = undone_from.get(seq, seq) - 1


class Undoing(NamedTuple):
    """The records that an undo reverts.

    Attributes:
        target: the first record undone.
        prev: the hash of the line before it, which verifies that the line is unchanged.
        records: the undone records, newest first, in the reported format.
        paths: the documents that it changed.
    """

    target: int
    prev: str
    records: list[UndoneRecord]
    paths: frozenset[str]


def undoing_from(store: Store, target: int) -> Undoing:
    """Return the records that an undo to before a record reverts; records already undone are skipped."""
    standing = list(_standing(store, target))
    told: list[UndoneRecord] = [
        {"seq": record["seq"], "kind": record["kind"], "turn_id": record.get("turn_id")} for record in standing
    ]
    paths = frozenset(path for record in standing for path in record.get("changes", {}))
    return Undoing(target, standing[-1]["prev"], told, paths)


class Before(NamedTuple):
    """Some documents before a record: by path, as plain JSON; those that did not exist are omitted."""

    target: int
    prev: str
    paths: frozenset[str]
    values: Values

    def fits(self, undoing: Undoing) -> bool:
        """Return whether it holds all that an undo has to know."""
        return (self.target, self.prev) == (undoing.target, undoing.prev) and self.paths >= undoing.paths


def read_before(reader: Store, undoing: Undoing) -> Before:
    """Read how the documents that an undo leads back were; this takes longer the longer the log is."""
    values: Values = {}
    for changes in reader.changes_up_to(undoing.target - 1, undoing.paths):
        apply_changes(values, changes, undoing.paths)
    return Before(undoing.target, undoing.prev, undoing.paths, values)


def documents_before(store: Store, undoing: Undoing, before: Before) -> dict[str, Document | None]:
    """Return every document that an undo leads back, as it was; None for those that did not exist.

    The campaign keeps its id and its counters: an id that was given out is never given out again. For the same reason a
    request that is open again gets a new one. It keeps its rulesets, too: without them the log could not be read.
    """
    documents: dict[str, Document | None] = {}
    values, paths = before.values, undoing.paths
    if _is_older(values):
        older = values_at(store, undoing.target - 1)
        values = _newest(older)
        paths |= {path for path in {*older, *values} if older.get(path) != values.get(path)}
    for path in sorted(paths):
        document = document_from(path, values[path], store.kinds)[0] if path in values else None
        now = store.peek(path)
        if isinstance(document, CampaignDocument) and isinstance(now, CampaignDocument):
            document = document.replace(id=now.id, counters=now.counters, rulesets=now.rulesets)
        documents[path] = document
    campaign = documents.get(CAMPAIGN_PATH) or store.peek(CAMPAIGN_PATH)
    assert isinstance(campaign, CampaignDocument)
    return tables_of(campaign).restore(World(store), documents)


def migrated_by_undo(store: Store, undoing: Undoing, before: Before) -> Migrated:
    """Return what the record of an undo holds besides, where it leads back to an older format and migrates again."""
    if not _is_older(before.values):
        return {}
    older = values_at(store, undoing.target - 1)
    newest = _newest(older)
    paths = sorted(path for path in {*older, *newest} if older.get(path) != newest.get(path))
    from turnwright.rulesets.migration import known_format

    return {"from": known_format(older), "to": known_format(newest), "migrated": paths}


def fork(store: Store, path: Path, mark: str, seed: str | None, now: str) -> Path:
    """Create a campaign directory whose log continues from a record of another; return its path."""
    record = require_record(store, mark)
    secrets = read_secrets(store.files)
    require_empty(path)
    end = _end_of(store, record["seq"])
    values = values_at(store, record["seq"])
    newest = _newest(values)
    kinds = _kinds_of(newest) if store.kinds.is_older else store.kinds
    campaign = document_from(CAMPAIGN_PATH, newest[CAMPAIGN_PATH], kinds)[0]
    assert isinstance(campaign, CampaignDocument)
    secret = secret_of(seed) if seed is not None else new_secret()
    parent_head = sha256(store.log.line_at(end[0]))
    ending = f"-{record['seq'] + 1}"
    renamed = campaign.replace(id=campaign.id[: MAX_ID_LENGTH - len(ending)] + ending)
    line: Record = {
        "seq": record["seq"] + 1,
        "kind": "fork",
        "prev": parent_head,
        "timestamp": now,
        "parent_id": campaign.id,
        "parent_seq": record["seq"],
        "parent_head": parent_head,
        "campaign_id": renamed.id,
        "secret_sha256": sha256(secret),
        "changes": changes_of(InMemorySource({CAMPAIGN_PATH: campaign}), {CAMPAIGN_PATH: renamed}),
    }
    if newest is not values:
        from turnwright.rulesets.migration import known_format

        del line["changes"]  # it comes last
        line |= {"from": known_format(values), "to": campaign.format}
        line["changes"] = changes_of_values(values, {**newest, CAMPAIGN_PATH: renamed.value()})
    files = Files(path)
    make_folders(files)
    with locked(files, wait=0):
        require_empty(path)  # another process may have started here meanwhile
        write_secrets(files, [*secrets, secret])
        _copy_log(store.files, files, end[1], encode(line) + b"\n")
        with completing(path):
            files.make_durable(LOG_PATH)
    with completing(path):
        _copy_packs(store.files, files)
        _write_out(files, kinds)
    return path


def _copy_packs(source: Files, target: Files) -> None:
    """Copy the content packs that travel with a campaign."""
    packs = CarriedPacks(source)
    for pack_id in packs.ids():
        CarriedPacks(target).write(pack_id, packs.files(pack_id))


def _end_of(store: Store, seq: int) -> tuple[int, int]:
    """Return where the line of a record begins and where the next one would."""
    for number, (offset, line) in enumerate(store.log.lines()):
        if number == seq:
            return offset, offset + len(line) + 1
    raise LookupError(seq)


def _copy_log(source: Files, target: Files, size: int, last_line: bytes) -> None:
    """Copy the head of a log and put a line after it; the new log appears whole, under its name, or not at all."""
    with source.opened(LOG_PATH, disk.READ) as log:
        target.replace(LOG_PATH, chain(source.blocks(log, 0, size), (last_line,)))


def _write_out(files: Files, kinds: DocumentTable) -> None:
    store = Store(files, kinds)
    try:
        with store.writing(DEFAULT_WAIT):
            store.changed_by_hand()
            campaign = store.peek(CAMPAIGN_PATH)
            assert isinstance(campaign, CampaignDocument)
            store.flush(settings_of(campaign.settings)["results.keep"])
    finally:
        store.close()
