"""Dice of the table: the answers to the request of a turn that waits for faces which people throw.

Source: docs/stages/3-tools.md, "Dice of the table".
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.dice.draws import DiceRequest, Draw, Wanted
from turnwright.model.settings import Settings
from turnwright.model.state.log_state import OpenTurn
from turnwright.model.strict_json import canonical
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.model.wire.record import turn_of
from turnwright.protocol.parts import PartResult
from turnwright.protocol.stage1_intake import ParsedTurn, TurnRefused, receive
from turnwright.protocol.stage2_settings import TurnPolicy

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

CANCEL = "cancel"
"""The answer that gives up the turn."""
_REQUEST_ID = re.compile(r"dice-[0-9]+")
_ALONE = {"turn_id", "answer"}
"""The keys of a turn that answers a request for dice."""


class DiceAnswer(NamedTuple):
    """The table's answer to a turn's dice request.

    Attributes:
        turn: the waiting turn, as submitted.
        received: the answer as received.
        faces: every face that the table has rolled for the turn, by part and draw.
        is_cancel: whether the turn is canceled instead.
        failure: why the answer was rejected; None for a valid one.
    """

    turn: ParsedTurn
    received: Any
    faces: Mapping[tuple[int, int], Draw]
    is_cancel: bool = False
    failure: CallFailed | None = None

    def as_failed_part(self) -> PartResult:
        """Return the answer as a part that failed."""
        shown = self.received if isinstance(self.received, Mapping) else {}
        return PartResult(0, "answer", "answer", shown, failure=self.failure, kind="answer")


def request_for(dice: list[Wanted], seq: int, policy: TurnPolicy) -> DiceRequest:
    """Return the request of the attempt whose record has a number."""
    return {"request_id": f"dice-{seq}", "kind": "dice", "dice": dice, "for": policy.acting_id}


def seq_of(request: DiceRequest) -> int:
    """Return the number of the attempt that made a request."""
    return int(request["request_id"].rpartition("-")[2])


def by_place(faces: Sequence[Draw]) -> dict[tuple[int, int], Draw]:
    """Return faces by part and draw."""
    return {(face["part"], face["draw"]): face for face in faces}


def is_answer_again(record: "Record", received: ParsedTurn) -> bool:
    """Return whether a turn is the very answer that led to a record."""
    answer = received.raw.get("answer")
    return (
        "dice_answer" in record
        and received.raw.keys() <= _ALONE
        and canonical(answer) == canonical(record["dice_answer"])
    )


def names_request(received: ParsedTurn) -> bool:
    """Return whether a turn answers a request for dice, open or old."""
    answer = received.raw.get("answer")
    request_id = answer.get("request_id") if isinstance(answer, Mapping) else None
    return isinstance(request_id, str) and _REQUEST_ID.fullmatch(request_id) is not None


def is_answer_to_nothing(received: ParsedTurn) -> bool:
    """Return whether a turn is only an answer without a request id: it is meant for the waiting turn."""
    answer = received.raw.get("answer")
    request_id = answer.get("request_id") if isinstance(answer, Mapping) else None
    return received.raw.keys() == {"answer"} and not isinstance(request_id, str)


def require_answer(waiting: OpenTurn, received: ParsedTurn, authority: str) -> None:
    """Refuse a turn that names the waiting turn, or its request, without answering it; nothing is lost.

    Raises:
        TurnRefused: `not_permitted`, `turn_conflict` or `invalid_turn`.
    """
    assert waiting.request is not None
    turn_id, request_id = received.turn.turn_id, waiting.request["request_id"]
    if waiting.asked["authority"] != authority:
        raise TurnRefused(Reason.NOT_PERMITTED, f"{request_id} is asked of the game master", turn_id=turn_id)
    how = f"{waiting.turn_id} waits for dice; answer {request_id} with the faces, or with {CANCEL}"
    if turn_id not in (None, waiting.turn_id):
        detail = f"{how}, under that turn_id or none"
        raise TurnRefused(Reason.TURN_CONFLICT, detail, turn_id=turn_id)
    if "answer" not in received.raw:
        raise TurnRefused(Reason.TURN_CONFLICT, how, turn_id=turn_id)
    if more := sorted(received.raw.keys() - _ALONE):
        detail = f"$.{more[0]}: may not stand beside the answer to a request for dice"
        raise TurnRefused(Reason.INVALID_TURN, detail, turn_id=turn_id, hint=hint.remove(more[0]))


def read_answer(waiting: OpenTurn, record: "Record", received: ParsedTurn, settings: Settings) -> DiceAnswer:
    """Return what the table answered to the turn that waits.

    Args:
        waiting: the turn.
        record: its last attempt.
        received: the answer.
        settings: those in force.
    """
    assert waiting.request is not None
    known, answer = by_place(waiting.faces), received.raw["answer"]
    turn = _turn_again(record, settings)
    try:
        value = _value_for(waiting.request, answer)
        if value == CANCEL:
            return DiceAnswer(turn, answer, known, is_cancel=True)
        faces = _faces_for(waiting.request["dice"], value)
    except CallFailed as failure:
        return DiceAnswer(turn, answer, known, failure=failure)
    return DiceAnswer(turn, answer, known | by_place(faces))


def _turn_again(record: "Record", settings: Settings) -> ParsedTurn:
    """Return the turn of an attempt as first parsed, even if fewer calls are allowed by now.

    Raises:
        TurnRefused: when it is longer or deeper than the limits allow by now.
    """
    given = {"turn_id": record["turn_id"], **turn_of(record)}
    if record["actor_id"] is not None:
        given["actor_id"] = record["actor_id"]
    return receive(given, settings, lambda _: True)._replace(content=record["content"])


def _value_for(request: DiceRequest, answer: Any) -> Any:
    """Return the value of an answer to this request.

    Raises:
        CallFailed: `invalid_args`, `request_stale` or `request_mismatch`.
    """
    if not isinstance(answer, Mapping):
        raise CallFailed(Reason.INVALID_ARGS, "answer: is no object", hint.ask("answer", answer))
    expected, got = request["request_id"], answer.get("request_id")
    if got is None:
        detail = "answer.request_id: is missing"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for("answer.request_id", [expected]))
    if got != expected:
        repair = hint.ask("answer.request_id", got, [expected])
        raise CallFailed(Reason.REQUEST_STALE, f"{got} is not open, but {expected}", repair)
    kind = answer.get("kind", "dice")
    if kind not in (None, "dice"):
        repair = hint.ask("answer.kind", kind, ["dice"])
        raise CallFailed(Reason.REQUEST_MISMATCH, f"{expected} wants dice", repair)
    unknown = sorted(answer.keys() - {"request_id", "value", "kind"})
    if unknown:
        field = f"answer.{unknown[0]}"
        raise CallFailed(Reason.INVALID_ARGS, f"{field}: may not be given", hint.remove(field))
    return answer.get("value")


def _faces_for(wanted: Sequence[Wanted], value: Any) -> list[Draw]:
    """Return the draws that faces in the order of the request stand for.

    Raises:
        CallFailed: `answer_invalid`, naming the first face that does not fit its die.
    """
    field, count = "answer.value", len(wanted)
    if not isinstance(value, list):
        is_one_face = type(value) is int and count == 1
        repair = hint.repair(field, value, [value]) if is_one_face else hint.ask(field, value)
        raise CallFailed(Reason.ANSWER_INVALID, f"{field}: wants a list of {_counted(count)}, or {CANCEL}", repair)
    if len(value) != count:
        detail = f"{field}: holds {_counted(len(value))}, and {count} were asked for"
        raise CallFailed(Reason.ANSWER_INVALID, detail, hint.ask(field, value))
    for place, (die, face) in enumerate(zip(wanted, value, strict=True)):
        if type(face) is not int or not 1 <= face <= die["sides"]:
            detail = f"{field}.{place}: a d{die['sides']} ({die['why']}) shows 1 to {die['sides']}"
            raise CallFailed(Reason.ANSWER_INVALID, detail, hint.ask(f"{field}.{place}", face))
    return [
        Draw(part=die["part"], draw=die["draw"], why=die["why"], sides=die["sides"], value=face, given=True)
        for die, face in zip(wanted, value, strict=True)
    ]


def _counted(count: int) -> str:
    return f"{count} face{'' if count == 1 else 's'}"
