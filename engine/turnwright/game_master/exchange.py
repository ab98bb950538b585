"""The input and output of an exchange with the game master: plain values for a display.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from turnwright.game_master.telemetry import Asking
from turnwright.llm.port import ModelFailed
from turnwright.model.authority import GM
from turnwright.model.dice.draws import DiceRequest
from turnwright.model.wire.agent import AgentKind

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import FailedCall, ReceivedTurn, Reply

Json = Mapping[str, Any]
BARRED = "x_barred"
"""The key of a turn for calls that were not handed in before it, because their agent may not make them."""
WITHHELD = "the game master's text contradicts what was applied, so it was not published"
Outcome = Literal[
    "answered",
    "waiting",
    "noted",
    "refused",
    "failed",
    "cancelled",
    "capped",
    "stuck",
    "withheld",
    "overtaken",
    "declined",
    "nothing",
]
"""How an exchange ended.

* `answered`: the game master's text was committed
* `waiting`: a player has to answer a request, or the table has to roll dice, first
* `noted`: the message is recorded, and needed no answer from the game master's side
* `refused`: the player's turn was refused
* `failed`: a model gave no answer
* `cancelled`: the person stopped the model
* `capped`: the session reached its limit
* `stuck`: the model used all its attempts without a publishable text
* `withheld`: the model's text contradicted the results in every attempt; it was not published
* `overtaken`: another process continued the campaign meanwhile, so nothing more was submitted
* `declined`: the person at the table rejected the game master's proposal
* `nothing`: there was nothing to answer
"""


@dataclass(frozen=True, slots=True)
class Said:
    """One player's input to an exchange.

    Attributes:
        text: the message; None to continue with unanswered input.
        answer: an answer to the open request instead, as a turn holds it.
        authority: the authority it comes with.
        actor_id: the speaker, if the authority does not determine it.
        addressees: ids of the addressed characters; empty for all.
        private: whether only they hear it.
    """

    text: str | None = None
    answer: Json | None = None
    authority: str = GM
    actor_id: str | None = None
    addressees: tuple[str, ...] = ()
    private: bool = False

    def turn(self) -> ReceivedTurn:
        """Return it as a separate turn."""
        if self.answer is not None:
            return {"answer": dict(self.answer)}
        turn: ReceivedTurn = {"user_input": self.text or ""}
        if self.actor_id is not None:
            turn["actor_id"] = self.actor_id
        if self.addressees:
            turn["addressees"] = list(self.addressees)
        if self.private:
            turn["private"] = True
        return turn


# events reported during an exchange


@dataclass(frozen=True, slots=True)
class ModelStarted:
    """A model is asked now."""

    agent: AgentKind
    model: str
    step: int


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of what a model writes: a sign of life, not yet part of the story."""

    text: str


@dataclass(frozen=True, slots=True)
class ModelFinished:
    """A model answered or failed, with the cost."""

    asking: Asking


@dataclass(frozen=True, slots=True)
class TurnCommitted:
    """A turn is in the log. `turn` is what was handed in, `seq` the number of its record."""

    turn: ReceivedTurn
    reply: Reply
    seq: int


@dataclass(frozen=True, slots=True)
class CallsRejected:
    """Calls of an answer were not handed in: all of them, or those that the agent may not make. `failed` is why."""

    failed: Sequence[FailedCall]


@dataclass(frozen=True, slots=True)
class Narrated:
    """A text was published: it is committed and did not have to be told again.

    `is_cut_off` where it ends at the most that its model may write, and there was no question left to ask for another.
    """

    text: str
    agent: AgentKind
    speaker_id: str | None
    addressees: tuple[str, ...]
    private: bool
    turn_id: str
    is_cut_off: bool = False


@dataclass(frozen=True, slots=True)
class ActorTurn:
    """The game master takes the turn of a participant that no player plays."""

    character_id: str
    name: str


Event = ModelStarted | TextDelta | ModelFinished | TurnCommitted | CallsRejected | Narrated | ActorTurn
OnEvent = Callable[[Event], None]
Throw = Callable[[DiceRequest], list[int] | str | None]
"""Asks the table for dice: returns the faces, `cancel`, or None to leave the turn waiting."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A turn proposed by a model, before it is recorded.

    Attributes:
        turn: the turn.
        reply: the engine's reply to a trial run, with other dice than the final ones.
    """

    turn: ReceivedTurn
    reply: Reply


Review = Callable[[Proposal], "ReceivedTurn | None"]
"""Has a person decide: returns the turn as it is to be handed in, or None where it is not. An edited one is asked for
again."""
REVIEWED = "x_review"
"""The key of a turn of a model that a person has seen before: `approved`, or `edited` where they changed it."""


def leave_waiting(request: DiceRequest) -> None:
    """Throw no dice: a turn that needs some waits."""
    del request


@dataclass(slots=True)
class Exchange:
    """The result of one message.

    Attributes:
        outcome: how it ended.
        detail: the same in words, if it did not end with an answer.
        failure: the kind of the model's failure, if one failed.
        replies: the replies to all its turns, in order, the player's own first.
        narrations: the published texts.
        barred: calls that were not submitted, because their agent may not make them.
        askings: every request to a model.
    """

    outcome: Outcome = "nothing"
    detail: str = ""
    failure: str | None = None
    replies: list[Reply] = field(default_factory=list)
    narrations: list[Narrated] = field(default_factory=list)
    barred: list[FailedCall] = field(default_factory=list)
    askings: list[Asking] = field(default_factory=list)

    @property
    def turn_ids(self) -> list[str]:
        """The ids of the turns that were recorded, without repetitions."""
        recorded = (reply["turn_id"] for reply in self.replies if reply["seq"] is not None)
        return list(dict.fromkeys(turn_id for turn_id in recorded if turn_id is not None))


class Stopped(Exception):
    """An exchange ends here; committed turns stay."""

    def __init__(self, outcome: Outcome, detail: str, failure: str | None = None) -> None:
        super().__init__(detail)
        self.outcome: Outcome = outcome
        self.detail = detail
        self.failure = failure


class Cancelled(ModelFailed):
    """A person stopped the model."""

    def __init__(self) -> None:
        super().__init__("disconnected", "stopped")
