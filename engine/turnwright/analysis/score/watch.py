"""What a game master's models did for one message: every answer, its calls, and what was applied of them.

Source: docs/score.md, "The measures".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from turnwright.analysis.report.play import OUTPUT, tool_of
from turnwright.game_master.exchange import ActorTurn, CallsRejected, Event, Narrated, TurnCommitted
from turnwright.llm.port import LanguageModel, ModelAnswer, ModelFailed, ModelRequest, OnText
from turnwright.model.wire.reason import Reason
from turnwright.rulesets.toolbox import TOOLS

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import FailedCall

_NO_CALLS = frozenset({"user_input", "answer", OUTPUT})
"""What stands among the applied actions of a turn and is nothing that a model called."""


@dataclass(slots=True)
class Step:
    """One answer: the tools it called, those applied before the next one, and those that failed only with others."""

    made: Counter[str]
    applied: Counter[str]
    aborted: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, made: Iterable[str], applied: Iterable[str] = ()) -> Step:
        """Return an answer with these calls, of which these were applied."""
        return cls(Counter(made), Counter(applied))

    @property
    def legal(self) -> int:
        """How many of its calls were applied."""
        return (self.made & self.applied).total()

    @property
    def failed(self) -> list[str]:
        """The tools of its calls that failed by themselves."""
        return sorted((self.made - self.applied - self.aborted).elements())


class Watch:
    """Looks on while one message is answered. `began` is called before each.

    Attributes:
        steps: every answer of a model, those in the turns of others that follow in a fight among them.
        has_text: whether the message itself got a text.
        asked: how many questions there were; of their answers some are `well_formed`, some `cut_off`.
        failures: how questions failed.
    """

    def __init__(self) -> None:
        self.began()

    def began(self) -> None:
        """Forget what was seen: another message is about to be answered."""
        self.steps: list[Step] = []
        self._before_others: int | None = None
        self.has_text = False
        self.asked = 0
        self.well_formed = 0
        self.cut_off = 0
        self.failures: Counter[str] = Counter()

    def answered(self, request: ModelRequest, answer: ModelAnswer) -> None:
        """Take note of an answer. Calls where no tools were offered are not handed in, and no calls."""
        self.asked += 1
        self.well_formed += answer.is_well_formed
        self.cut_off += answer.is_cut_off
        was_offered = bool(request.tools) or request.answer_schema is not None
        self.steps.append(Step.of(map(_tool, answer.tool_calls) if was_offered else ()))

    def failed(self, kind: str) -> None:
        """Take note of a question that got no answer."""
        self.asked += 1
        self.failures[kind] += 1

    def told(self, event: Event) -> None:
        """Take note of what the game master tells: of texts, of turns that were committed, of turns of others."""
        if isinstance(event, ActorTurn) and self._before_others is None:
            self._before_others = len(self.steps)
        elif isinstance(event, Narrated) and self._before_others is None:
            self.has_text = True
        elif isinstance(event, CallsRejected):
            self.steps[-1].aborted.update(_aborted(event.failed))
        elif isinstance(event, TurnCommitted) and self.steps:
            actions = (action["tool"] for action in event.reply["applied_actions"])
            self.steps[-1].applied.update(tool_of(name) for name in actions if name not in _NO_CALLS)
            self.steps[-1].aborted.update(_aborted(event.reply["tool_feedback"]["failed_calls"]))

    # what it comes to

    @property
    def made(self) -> Counter[str]:
        """The calls that were made, by tool."""
        return sum((step.made for step in self.steps), Counter())

    @property
    def judged(self) -> int:
        """How many calls were made, but for those that failed only because of others, or with the whole turn."""
        return sum((step.made - step.aborted).total() for step in self.steps)

    @property
    def applied(self) -> Counter[str]:
        """The calls that were applied, by tool."""
        return sum((step.applied for step in self.steps), Counter())

    @property
    def legal(self) -> int:
        """How many of the calls were applied."""
        return sum(step.legal for step in self.steps)

    @property
    def repaired(self) -> int:
        """How many failed calls were of a tool that was applied after a later answer."""
        later: Counter[str] = Counter()
        found = 0
        for step in reversed(self.steps):
            found += sum(tool in later for tool in step.failed)
            later += step.applied
        return found

    @property
    def only_looked(self) -> bool:
        """Whether no call was made for the message itself but such as change nothing."""
        tools = (tool for step in self.steps[: self._before_others] for tool in step.made)
        return all(tool in TOOLS and TOOLS[tool].reads for tool in tools)

    def met(self, expected: Sequence[Sequence[str]]) -> int:
        """Return how many of the expected calls were applied, each by a call of its own, as many as can be at once."""
        applied = list(self.applied.elements())
        meets: dict[int, int] = {}

        def is_met(number: int, tried: set[int]) -> bool:
            for place, tool in enumerate(applied):
                if tool in expected[number] and place not in tried:
                    tried.add(place)
                    if place not in meets or is_met(meets[place], tried):
                        meets[place] = number
                        return True
            return False

        return sum(is_met(number, set()) for number in range(len(expected)))


class Watched:
    """A model under observation."""

    def __init__(self, model: LanguageModel, watch: Watch) -> None:
        self._model = model
        self._watch = watch

    @property
    def name(self) -> str:
        """What records and people call it."""
        return self._model.name

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Return the model's answer, or raise how it failed."""
        try:
            answer = self._model.answer(request, on_text)
        except ModelFailed as failure:
            self._watch.failed(failure.kind)
            raise
        self._watch.answered(request, answer)
        return answer


def _tool(call: Any) -> str:
    name = call.get("tool") if isinstance(call, dict) else None
    return tool_of(name) if isinstance(name, str) else ""


def _aborted(failed: Iterable[FailedCall]) -> list[str]:
    return [tool_of(call["tool"]) for call in failed if call["reason"] == Reason.TURN_ABORTED]
