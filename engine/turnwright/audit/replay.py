"""The log read again from its first line: each record checked, and the state after the last one kept.

A record is dropped once the next one is read, except for changes since records that a later undo restores. Source:
docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from turnwright.audit.content import Contents
from turnwright.audit.dice import DiceAudit
from turnwright.audit.undo import NOTHING, Undos
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.settings import settings_of
from turnwright.model.state.fold import Values, apply_changes
from turnwright.model.state.log_state import LogState, OpenTurn
from turnwright.model.state.patch import PatchError
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.model.wire.reason import Problem
from turnwright.model.wire.record import answers_a_turn
from turnwright.rulesets.lifetime import Restoration
from turnwright.store.documents import validate_document
from turnwright.store.log import LOG_PATH, Log, damaged, record_on, shape_fault
from turnwright.store.results import result_path
from turnwright.store.secret import SECRET_PATH

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

MAX_COUNT = 100
"""How many faulty records are named; a log may hold a million."""


class Replay:
    """The log so far.

    Attributes:
        history: up to the last record that was taken.
        values: the documents after it, as plain JSON by path.
        problems: what is wrong with the first `MAX_COUNT` faulty records; damage that ends the reading is raised.
        unnamed: how many faults of single records there were beyond these.
        turns: how many turns were closed.
        dice: the draws and the secrets.
        unproven: the first `MAX_COUNT` records whose `content` is not the hash of the turn they hold.
        also_unproven: how many of these there were beyond.
        newest: where the records of the replies stand that lie in `results/`, by turn id, oldest first.
        kinds: the models of the campaign's documents.
        older: the same for replies that need not lie there any more, as far as a file has their name.
    """

    def __init__(
        self,
        log: Log,
        secrets: Mapping[str, bytes] | None,
        results: Container[str],
        restorations: Mapping[str, Restoration] = NOTHING,
    ) -> None:
        """Begin before the first record.

        Args:
            log: where undo records further on are looked for.
            secrets: the dice secrets by their SHA-256, or None where they are missing.
            results: the paths of the files in `results/`.
            restorations: how documents that an undo leads back are restored, by path.
        """
        self.history = LogState()
        self.values: Values = {}
        self.problems: list[Problem] = []
        self.unnamed = 0
        self.turns = 0
        self.dice = DiceAudit(secrets)
        self.unproven: list[int] = []
        self.also_unproven = 0
        self.newest: dict[str, int] = {}
        self.older: dict[str, int] = {}
        self._results = results
        self._keep: int = 0
        self.kinds = log.kinds
        self._undos = Undos(_undo_targets(log), log.kinds, restorations)
        self._contents = Contents()

    def take(self, offset: int, line: bytes) -> Record:
        """Check the line that comes next and bring everything up to date with it.

        Raises:
            CampaignInvalid: when the line is not the record that belongs here; nothing after it can be trusted.
        """
        seq, open_turn = self.history.seq + 1, self.history.open_turn
        record = record_on(line, seq, self.history.head)
        has_shape = self._has_shape(record)
        try:
            changes = record.get("changes", {})
            self._undos.pass_by(seq, self.values, changes)
            apply_changes(self.values, changes)
            self.history.take(record, line)
            self._check(record, open_turn)
            if has_shape:
                self._remember_reply(record, offset)
        except PatchError as error:
            raise damaged(seq, f"the changes of record {seq} do not fit: {error}") from None
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise damaged(seq, f"record {seq} is not what a record holds: {error!r}") from None
        return record

    def _has_shape(self, record: Record) -> bool:
        if fault := shape_fault(record):
            self._problem(record, "record", fault)
        is_first = self.history.seq < 0
        if is_first != (record.get("kind") == "new"):
            self._problem(record, "record", "the first record, and no other, is of kind new")
        return fault is None

    def _check(self, record: Record, open_turn: OpenTurn | None) -> None:
        kind = record["kind"]
        if kind == "turn":
            self.turns += 1
        elif kind == "undo":
            for fault in self._undos.faults(record, self.values):
                self._problem(record, "undo", fault)
        elif kind in ("new", "fork"):
            self._check_beginning(record)
        if answers_a_turn(record) and self._contents.fits(record) is False:
            self._note_unproven(record["seq"])
        if record.get("draws"):
            is_next_attempt = open_turn and open_turn.turn_id == record.get("turn_id")
            number = open_turn.seq if open_turn and is_next_attempt else record["seq"]
            for fault in self.dice.faults(record, number):
                self._problem(record, "dice", fault)

    def _check_beginning(self, record: Record) -> None:
        if fault := self.dice.take_secret(record):
            self._name(Problem(SECRET_PATH, "$.secrets", "secret", fault))
        before = record["seq"] - 1, record["prev"]
        if record["kind"] == "fork" and (record["parent_seq"], record["parent_head"]) != before:
            self._problem(record, "fork", "the parent's head is not the line before")

    def _note_unproven(self, seq: int) -> None:
        if len(self.unproven) < MAX_COUNT:
            self.unproven.append(seq)
        else:
            self.also_unproven += 1

    def _problem(self, record: Record, rule: str, message: str) -> None:
        seq = record["seq"]
        self._name(Problem(LOG_PATH, f"line {seq + 1}", rule, f"record {seq}: {message}"))

    def _name(self, problem: Problem) -> None:
        if len(self.problems) < MAX_COUNT:
            self.problems.append(problem)
        else:
            self.unnamed += 1

    def _remember_reply(self, record: Record, offset: int) -> None:
        if CAMPAIGN_PATH in record.get("changes", {}):
            self._keep = _results_kept(self.values.get(CAMPAIGN_PATH))
        if record["kind"] == "fork":
            self._age(0)  # a fork brings along what it likes of its parent's results
        if answers_a_turn(record):
            self.newest.pop(record["turn_id"], None)
            self.newest[record["turn_id"]] = offset
        if len(self.newest) > self._keep:
            self._age(self._keep)

    def _age(self, keep: int) -> None:
        while len(self.newest) > keep:
            turn_id = next(iter(self.newest))
            offset = self.newest.pop(turn_id)
            if result_path(turn_id) in self._results:
                self.older[turn_id] = offset


def _undo_targets(log: Log) -> Iterator[int]:
    """Yield the record from which each undo of the log takes back; only lines that may be undos are parsed."""
    for _, line in log.lines():
        if b'"undone_from"' in line:
            try:
                record = parse_json(line)
            except JsonError:
                return
            if isinstance(record, dict) and record.get("kind") == "undo" and type(record.get("undone_from")) is int:
                yield record["undone_from"]


def _results_kept(campaign: Any) -> int:
    document = validate_document(CampaignDocument, CAMPAIGN_PATH, campaign)[0]
    kept = settings_of(getattr(document, "settings", {}))["results.keep"]
    return kept if type(kept) is int else int(settings_of({})["results.keep"])
