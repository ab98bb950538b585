"""The state of the log that later turns need, updated record by record.

Source: docs/stages/5-commit.md, "What is remembered".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from turnwright.model.call_shapes import labelled, understood_calls
from turnwright.model.dice.draws import DiceRequest, Draw
from turnwright.model.strict_json import canonical, copied
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.record import RECEIVED_KEYS, as_received

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction, CalledTool, FailedCall, Finding, ReceivedTurn, Record

NO_PREV = "0" * 64
"""The previous hash of the first line."""

TEXT_PART: "CalledTool" = {"id": "user_input", "tool": "user_input", "args": {}}
"""The player's message, reported like a part."""

MAX_WINDOW = 100
FailureKey = tuple[str, str, str | None, str]
"""The identity of a failure: tool, canonical arguments, acting character, reason."""
Label = tuple[str, str, str]
"""The identity of a call: id, tool, canonical arguments."""


@dataclass(slots=True)
class OpenTurn:
    """A submitted turn that must be resubmitted.

    Attributes:
        seq: the record of its first attempt, whose dice all attempts share.
        attempts: the number of attempts whose text contradicted the results.
        conflicts: the findings of severity error of the last such attempt.
        asked: the last attempt's turn id, acting character, text and calls: what closing it in conflict records.
        takes_text: whether the player's message was a part of it, as in a scene game.
        secret_hash: SHA-256 of the dice secret of its first attempt; a fork has another one.
        last: the record of its last attempt.
        request: the table dice that it waits for; None if other content is expected.
        faces: the faces that the table has rolled for it.
    """

    turn_id: str
    seq: int
    attempts: int
    conflicts: "list[Finding]"
    asked: "ReceivedTurn"
    takes_text: bool = False
    secret_hash: str = ""
    last: int = -1
    request: DiceRequest | None = None
    faces: list[Draw] = field(default_factory=list)


@dataclass(slots=True)
class LogState:
    """The log so far, in a few numbers.

    Attributes:
        seq: number of the last record, -1 before the first.
        head: SHA-256 of the last line.
        size: length of the log in bytes.
        head_offset: offset of the last line.
        closed_turns: the number of closed turns.
        open_turn: the turn that must be resubmitted or waits for dice, or None.
        failures: for each of the last turns, oldest first, its failures.
        undos: for each undo, its record and the first one it reverted.
        secret_hash: SHA-256 of the dice secret in use.
    """

    seq: int = -1
    head: str = NO_PREV
    size: int = 0
    head_offset: int = 0
    closed_turns: int = 0
    open_turn: OpenTurn | None = None
    failures: list[list[FailureKey]] = field(default_factory=list)
    undos: list[tuple[int, int]] = field(default_factory=list)
    secret_hash: str = ""

    def take(self, record: "Record", line: bytes) -> None:
        """Bring the history up to date with the record that comes next, and its line without the line feed."""
        self.head_offset = self.size
        self.size += len(line) + 1
        self.head = sha256(line).hexdigest()
        self.follow(record)
        kind = record["kind"]
        if kind == "turn":
            self._take_turn(record)
        elif kind == "attempt":
            self._take_attempt(record)
        elif kind == "undo" and self.waiting_turn and record["undone_from"] <= self.waiting_turn.last:
            self.open_turn = None
        elif kind in ("new", "fork"):
            self.secret_hash = record["secret_sha256"]

    def follow(self, record: "Record") -> None:
        """Take in the record that comes next as far as `undone_by` has to know it."""
        self.seq = record["seq"]
        if record["kind"] == "undo":
            self.undos.append((record["seq"], record["undone_from"]))

    @property
    def waiting_turn(self) -> OpenTurn | None:
        """The turn that waits for dice of the table, if there is one."""
        return self.open_turn if self.open_turn is not None and self.open_turn.request is not None else None

    def _take_turn(self, record: "Record") -> None:
        self.closed_turns += 1
        self.open_turn = None
        self.failures.append(failure_keys(record))
        del self.failures[:-MAX_WINDOW]

    def _take_attempt(self, record: "Record") -> None:
        before, is_waiting = self.open_turn, record["status"] == "waiting"
        # The reply to the attempt is made of the same values, and its receiver may change it.
        conflicts = copied([finding for finding in record["findings"] if finding["severity"] == "error"])
        asked = copied(_asked(record))
        attempts, takes_text = before.attempts if before else 0, before.takes_text if before else False
        if is_waiting:
            conflicts = before.conflicts if before else []
        else:
            attempts += 1
            told = len(record["tool_feedback"]["failed_calls"]) + len(record["applied_actions"])
            takes_text = told > len(list(parts_as_called(record)))
        self.open_turn = OpenTurn(
            turn_id=record["turn_id"],
            seq=before.seq if before else record["seq"],
            attempts=attempts,
            conflicts=conflicts,
            asked=asked,
            takes_text=takes_text,
            secret_hash=before.secret_hash if before else self.secret_hash,
            last=record["seq"],
            request=copied(record["request"]) if is_waiting else None,
            faces=copied(record.get("draws", [])),
        )

    def next_turn_id(self, find_turn: Callable[[str], object | None], *, goes_on: bool = False) -> str:
        """Return the id of a turn that came without one: the next number, or the next that is free.

        Args:
            find_turn: gives what is known of the turn that has an id; None where none has it.
            goes_on: whether it may be the next attempt at the turn that is wanted again. It is if that one has the next
                number; any other one will be closed first.
        """
        number = self.closed_turns + 1
        if self.open_turn is not None:
            if goes_on and self.open_turn.turn_id == f"turn_{number:04d}":
                return self.open_turn.turn_id
            number += 1
        while find_turn(f"turn_{number:04d}") is not None:
            number += 1
        return f"turn_{number:04d}"

    def repeated(self, window: int) -> frozenset[FailureKey]:
        """Return the failures that stood in each of the last `window` turns; none when there were fewer turns."""
        if window == 0 or len(self.failures) < window:
            return frozenset()
        common = set(self.failures[-1])
        for keys in self.failures[-window:]:
            common &= set(keys)
        return frozenset(common)

    def undone_by(self, seq: int) -> int | None:
        """Return the undo record that took a record back, or None while it stands."""
        here = self.seq
        for undo, target in reversed(self.undos):
            if undo > here:
                continue  # this undo was itself taken back
            if undo <= seq:
                return None
            if target <= seq:
                return undo
            here = target - 1
        return None

    def to_json(self) -> dict[str, Any]:
        """Return the history as JSON, for the checkpoint."""
        open_turn = asdict(self.open_turn) if self.open_turn else None
        return {name: getattr(self, name) for name in self.__slots__} | {"open_turn": open_turn}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "LogState":
        """Return the history that `to_json` gave."""
        history = cls(**value)
        history.open_turn = OpenTurn(**value["open_turn"]) if value["open_turn"] else None
        history.failures = [[tuple(key) for key in keys] for keys in value["failures"]]
        history.undos = [(undo, target) for undo, target in value["undos"]]
        return history


def _asked(record: "Record") -> "ReceivedTurn":
    """Return what the record that closes an unanswered turn takes over; its narration is not published."""
    kept = {"authority", "actor_id", "content", *RECEIVED_KEYS} - {"assistant_text"}
    return as_received({key: value for key, value in record.items() if key in kept or key.startswith("x_")})


def failure_keys(record: "Record") -> list[FailureKey]:
    """Return what failed in a turn, as later turns compare it.

    Raises:
        ValueError: when what failed are not entries of its calls.
    """
    failed = record["tool_feedback"]["failed_calls"]
    if not failed:
        return []
    keys: list[FailureKey] = []
    calls, places = _calls_and_failed_places(record)
    for place, entry in zip(places, failed, strict=True):
        if entry["reason"] != Reason.INVALID_CALL:
            reason = entry.get("hint", {}).get("first_reason", entry["reason"])
            keys.append((entry["tool"], canonical(calls[place]["args"]), record["actor_id"], reason))
    return keys


def outcomes_of_calls(record: "Record") -> "list[tuple[CalledTool, AppliedAction | FailedCall | None]]":
    """Return each normalized call of a turn with its result: an action or a failed call.

    The calls of a waiting turn have no result yet: None.

    Args:
        record: the record of the turn, or its reply merged with the submitted turn.
    """
    parts, places = _calls_and_failed_places(record)
    failed = dict(zip(places, record["tool_feedback"]["failed_calls"], strict=False))
    applied = iter(record["applied_actions"])
    became = [failed[place] if place in failed else next(applied, None) for place in range(len(parts))]
    first = len(parts) - len(record.get("tool_calls", ())) - ("output" in record)
    return [(parts[place], became[place]) for place in range(first, first + len(record.get("tool_calls", ())))]


def _calls_and_failed_places(record: "Record") -> "tuple[list[CalledTool], list[int]]":
    """Return the parts of a turn that are reported, and the places of those that failed.

    The record lists calls as received, and applied and failed ones apart, each in call order; which entry belongs to
    which call follows from the order, the ids and the tools. Older versions rejected calls in the shapes of other
    protocols, so their records have no normalized entries of them.
    """
    failed, applied = record["tool_feedback"]["failed_calls"], record["applied_actions"]
    parts: list[CalledTool] = []
    for calls in (understood_calls, list):
        parts = list(_parts(record, calls(record.get("tool_calls", ()))))
        if len(parts) < len(failed) + len(applied):
            parts.insert(0, TEXT_PART)  # listed only when it failed
        places = _failed_places(parts, applied, failed) if failed else []
        if len(places) == len(failed):
            return parts, places
    return parts, []


def _failed_places(
    calls: "Sequence[CalledTool]", applied: "Sequence[AppliedAction]", failed: "Sequence[FailedCall]"
) -> list[int]:
    """Return the places of the failed calls: the first way to deal the two lists out over the calls."""
    asked = [_label(call) for call in calls]
    done_as = [_label(action) for action in applied]
    failed_as = [_label(entry)[:2] for entry in failed]
    # Tools that accept loosely spelled arguments report them normalized, so these do not identify the call.
    # Another call's may be spelled exactly so; if that leads nowhere, arguments are ignored.
    exact = frozenset(label for label in done_as if label in asked)
    places = _dealt(asked, done_as, failed_as, exact)
    return (_dealt(asked, done_as, failed_as, frozenset()) or []) if places is None else places


def _dealt(
    asked: Sequence[Label], done_as: Sequence[Label], failed_as: Sequence[tuple[str, str]], exact: frozenset[Label]
) -> list[int] | None:
    """Return the places left over by the first way to match the applied calls to the submitted ones.

    None when there is no such way. `feasible[i]` holds how many of the first `i` calls may have been applied so that
    the rest can still be matched.
    """

    def is_same(done: int, place: int) -> bool:
        return done_as[done] == asked[place] or (done_as[done] not in exact and done_as[done][:2] == asked[place][:2])

    feasible: list[set[int]] = [set() for _ in asked] + [{len(done_as)}]
    for place in reversed(range(len(asked))):
        for done in range(min(place, len(done_as)) + 1):
            took = done + 1 in feasible[place + 1] and is_same(done, place)
            lost = place - done
            missed = done in feasible[place + 1] and lost < len(failed_as) and failed_as[lost] == asked[place][:2]
            if took or missed:
                feasible[place].add(done)
    if 0 not in feasible[0]:
        return None
    places = []
    done = 0
    for place in range(len(asked)):
        if done + 1 in feasible[place + 1] and is_same(done, place):
            done += 1
        else:
            places.append(place)
    return places


def _label(entry: "CalledTool | AppliedAction | FailedCall") -> Label:
    """Return the identity of an entry: id, tool, and its arguments if any."""
    held: Mapping[str, Any] = entry
    return held["id"], held.get("alias_of", held["tool"]), canonical(held.get("args", {}))


def parts_as_called(record: "Record") -> "Iterable[CalledTool]":
    """Yield each part that is reported like a call, with its id, tool and args as reported."""
    return _parts(record, understood_calls(record.get("tool_calls", ())))


def _parts(record: "Record", calls: Iterable[Any]) -> "Iterable[CalledTool]":
    if "answer" in record:
        yield {"id": "answer", "tool": "answer", "args": {}}
    yield from map(labelled, calls)
    if "output" in record:
        yield {"id": "output", "tool": "output", "args": {}}
