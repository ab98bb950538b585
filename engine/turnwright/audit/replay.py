"""The log read again from its first line: each record checked, and the state after the last one kept.

Nothing is kept of a record once the next one is read, but for the states that an undo further on leads back to.
Source: docs/stages/5-commit.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.reason import Problem
from turnwright.model.record import RECEIVED_KEYS, answers_a_turn
from turnwright.model.settings import settings_of
from turnwright.model.strict_json import JsonError, canonical, parse_json, sha256
from turnwright.rules.draws import face, real, uniform
from turnwright.store.documents import document_from, json_path
from turnwright.store.log import LOG_PATH, Log, damaged, decode
from turnwright.store.results import result_path
from turnwright.store.secret import SECRET_PATH
from turnwright.world.fold import Values, apply_changes
from turnwright.world.history import History, OpenTurn
from turnwright.world.patch import PatchError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Record = dict[str, Any]
_MADE_KEYS = frozenset({"dialog_type", "dialog_type_source", "settings_revision", "area_id", "present_ids"})
"""Keys among those of a turn as received that hold what the engine made of it."""
_AS_RECEIVED = tuple(key for key in RECEIVED_KEYS if key not in _MADE_KEYS)


class Replay:
    """The log so far.

    Attributes:
        history: up to the last record that was taken.
        values: the documents after it, as plain JSON by path.
        problems: what is wrong with single records; damage that ends the reading is raised instead.
        turns: how many turns were closed.
        draws: how many draws there were, and `unchecked` of them for want of the secret.
        unproven: records whose `content` is not the hash of the turn they hold.
        newest: where the records of the replies stand that lie in `results/`, by file name, oldest first.
        older: the same for replies that need not lie there any more, as far as a file has their name.
        secrets: the record from which on a dice secret holds, and its SHA-256.
    """

    def __init__(self, log: Log, secrets: Mapping[str, bytes] | None, results: Container[str]) -> None:
        """Begin before the first record.

        Args:
            log: where undo records further on are looked for.
            secrets: the dice secrets by their SHA-256, or None where they are missing.
            results: the names of the files in `results/`.
        """
        self.history = History()
        self.values: Values = {}
        self.problems: list[Problem] = []
        self.turns = self.draws = self.unchecked = 0
        self.unproven: list[int] = []
        self.newest: dict[str, int] = {}
        self.older: dict[str, int] = {}
        self.secrets: list[tuple[int, str]] = []
        self._known_secrets = secrets
        self._secret: bytes | None = None
        self._results = results
        self._keep: int = 0
        self._before: dict[int, Values] = {}
        self._undos = Counter(_undo_targets(log))
        self._records = _record_models()

    def take(self, offset: int, line: bytes) -> Record:
        """Check the line that comes next and bring everything up to date with it.

        Raises:
            CampaignInvalid: when the line is not the record that belongs here; nothing after it can be trusted.
        """
        record = decode(line, self.history.seq + 1, self.history.head)
        seq, open_turn = self.history.seq + 1, self.history.open_turn
        if seq in self._undos:
            self._before[seq] = dict(self.values)
        self._check_shape(record)
        try:
            apply_changes(self.values, record.get("changes", {}))
            self.history.take(record, line)
            self._check(record, open_turn)
        except PatchError as error:
            raise damaged(seq, f"the changes of record {seq} do not fit: {error}") from None
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise damaged(seq, f"record {seq} is not what a record holds: {error!r}") from None
        self._remember_reply(record, offset)
        return record

    def _check_shape(self, record: Record) -> None:
        from pydantic import ValidationError

        try:
            self._records.validate_python(record)
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            where = json_path(step for step in fault["loc"] if step != record.get("kind"))
            self._problem(record, "record", f"{where}: {fault['msg'][:1].lower()}{fault['msg'][1:]}")
        first = self.history.seq < 0
        if first != (record.get("kind") == "new"):
            self._problem(record, "record", "the first record, and no other, is of kind new")

    def _check(self, record: Record, open_turn: OpenTurn | None) -> None:
        kind = record["kind"]
        if kind in ("new", "fork"):
            self._take_secret(record)
        if kind == "fork" and (record["parent_seq"], record["parent_head"]) != (record["seq"] - 1, record["prev"]):
            self._problem(record, "fork", "the parent's head is not the line before")
        if kind == "undo":
            self._check_undo(record)
        if kind == "turn":
            self.turns += 1
        if answers_a_turn(record) and content_fits(record) is False:
            self.unproven.append(record["seq"])
        is_next_attempt = answers_a_turn(record) and open_turn and open_turn.turn_id == record["turn_id"]
        self._check_draws(record, open_turn.seq if open_turn and is_next_attempt else record["seq"])

    def _problem(self, record: Record, rule: str, message: str) -> None:
        seq = record["seq"]
        self.problems.append(Problem(LOG_PATH, f"line {seq + 1}", rule, f"record {seq}: {message}"))

    def _take_secret(self, record: Record) -> None:
        digest = record["secret_sha256"]
        self.secrets.append((record["seq"], digest))
        if self._known_secrets is None:
            return
        self._secret = self._known_secrets.get(digest)
        if self._secret is None:
            message = f"holds no secret with the SHA-256 that record {record['seq']} speaks of"
            self.problems.append(Problem(SECRET_PATH, "$.secrets", "secret", message))

    def _check_draws(self, record: Record, number: int) -> None:
        """Compare each face with the one that the secret gives under the number of the record or first attempt."""
        drawn = Counter[int]()
        for draw in record.get("draws", ()):
            part, sides, value = draw["part"], draw["sides"], draw["value"]
            label = f"{number}/{part}/{draw['draw']}"
            if draw["draw"] != drawn[part]:
                self._problem(record, "dice", f"the draw {label} is not the next one of its part")
            drawn[part] += 1
            self.draws += 1
            if draw["given"]:
                if not 1 <= value <= sides:
                    self._problem(record, "dice", f"the draw {label} was given as {value} on a die of {sides} sides")
            elif self._secret is None:
                self.unchecked += 1
            elif value != (due := _due(uniform(self._secret, label), sides)):
                self._problem(record, "dice", f"the draw {label} ({draw['why']}) shows {value}; the secret gives {due}")

    def _check_undo(self, record: Record) -> None:
        target = record["undone_from"]
        if target not in self._undos:
            return  # appended while we read, so that nobody kept the state before its target
        before = self._before.get(target)
        if before is None or not 0 < target < record["seq"]:
            self._problem(record, "undo", f"takes back record {target}, which does not stand before it")
            return
        for path in sorted({*before, *self.values}):
            if not same_but_for_ids(path, before.get(path), self.values.get(path)):
                self._problem(record, "undo", f"leaves {path} other than it was before record {target}")
        self._undos[target] -= 1
        if not self._undos[target]:
            del self._before[target], self._undos[target]

    def _remember_reply(self, record: Record, offset: int) -> None:
        if CAMPAIGN_PATH in record.get("changes", {}):
            self._keep = _results_kept(self.values.get(CAMPAIGN_PATH))
        if record["kind"] == "fork":
            self._age(0)  # a fork brings along what it likes of its parent's results
        if answers_a_turn(record):
            name = result_path(record["turn_id"]).partition("/")[2]
            self.newest.pop(name, None)
            self.newest[name] = offset
        self._age(self._keep)

    def _age(self, keep: int) -> None:
        while len(self.newest) > keep:
            name = next(iter(self.newest))
            offset = self.newest.pop(name)
            if name in self._results:
                self.older[name] = offset


def _record_models() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    from turnwright.model.log_record import Record as AnyRecord

    return TypeAdapter(AnyRecord)


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


def _due(number: int, sides: int | None) -> float:
    return real(number) if sides is None else face(number, sides)


def _results_kept(campaign: Any) -> int:
    document = document_from(CAMPAIGN_PATH, campaign)[0]
    kept = settings_of(getattr(document, "settings", {}))["results.keep"]
    return kept if type(kept) is int else int(settings_of({})["results.keep"])


def content_fits(record: Mapping[str, Any]) -> bool | None:
    """Return whether `content` is the hash of the turn in a record; None where the record does not hold all of it.

    Turn id and acting character may have been given or not, and `dialog_type` is recorded in our spelling, so False
    does not prove that the record was changed.
    """
    if record["kind"] == "turn" and record["status"] == "failed" and "conflict_report" in record:
        return None  # closed in conflict: its narration is left out
    turn = {key: record[key] for key in record if key in _AS_RECEIVED or key.startswith("x_")}
    if record["dialog_type_source"] == "model":
        turn["dialog_type"] = record["dialog_type"]
    with_id = {"turn_id": record["turn_id"]}
    with_actor = {"actor_id": record["actor_id"]}
    spellings = (turn | with_id, turn, turn | with_id | with_actor, turn | with_actor)
    return any(sha256(canonical(spelling)) == record["content"] for spelling in spellings)


def same_document(path: str, one: Any, other: Any) -> bool:
    """Return whether two values of a document are the same once what they leave out is filled in."""
    if one is other:
        return True
    return canonical(one) == canonical(other) or canonical(_filled(path, one)) == canonical(_filled(path, other))


def same_but_for_ids(path: str, one: Any, other: Any) -> bool:
    """Return whether an undo may lead from one value to the other: a campaign keeps its id and its counters."""
    if path != CAMPAIGN_PATH or not isinstance(one, dict) or not isinstance(other, dict):
        return same_document(path, one, other)
    kept = {key: other[key] for key in ("id", "counters") if key in other}
    return same_document(path, one | kept, other)


def _filled(path: str, value: Any) -> Any:
    document = None if value is None else document_from(path, value)[0]
    return document.value() if document else value
