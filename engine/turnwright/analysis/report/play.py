"""The records of a campaign as play: exchanges, each of one message and the turns that answer it.

Source: docs/report.md, "Turns and exchanges".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from turnwright.model.strict_json import canonical
from turnwright.rulesets.aliases import ALIASES

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Data, Finding, SuggestedHint, TelemetryRow

OUTPUT = "output"
"""Stands as a tool for the document that a scene game asks of its game master."""
NOT_MADE_GOOD = frozenset({"missing", "rejected"})
"""Findings that say that a tool should have been called with success."""


def tool_of(name: str) -> str:
    """Return the tool that a name stands for, which may be an old one."""
    alias = ALIASES.get(name)
    return alias.tool if alias else name


@dataclass(frozen=True, slots=True)
class Applied:
    """A call that was applied."""

    tool: str
    args: Data


@dataclass(frozen=True, slots=True)
class Failed:
    """A call that failed; `has_hint` when the game master was told how to mend it."""

    tool: str
    status: str
    reason: str
    has_hint: bool


@dataclass(slots=True)
class Step:
    """One record of a turn.

    Attributes:
        is_attempt: it was wanted again, and nothing of it was done.
        in_conflict: it never came right, and was closed with nothing done and nothing told.
    """

    seq: int
    turn_id: str
    is_attempt: bool
    text: str | None
    agent: str | None
    applied: tuple[Applied, ...]
    failed: tuple[Failed, ...]
    findings: tuple[Finding, ...]
    telemetry: tuple[TelemetryRow, ...]
    in_conflict: bool
    undone: bool = False

    @property
    def tools(self) -> frozenset[str]:
        """The tools that were applied."""
        return frozenset(call.tool for call in self.applied)

    @property
    def is_published(self) -> bool:
        """Whether players were told what it tells."""
        return not (self.is_attempt or self.in_conflict)


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint that was shown, once for each message it was shown for."""

    agent: str
    tool: str
    intent: str
    rule: str
    label: str
    confidence: float
    arguments: Data


@dataclass(slots=True)
class Exchange:
    """One message and what was done about it, in the order of the log."""

    steps: list[Step] = field(default_factory=list)

    @property
    def text(self) -> str | None:
        """What the player said."""
        return next((step.text for step in self.steps if step.text is not None), None)

    @property
    def telemetry(self) -> list[TelemetryRow]:
        """What was written down beside the log, in order."""
        return [record for step in self.steps for record in step.telemetry]

    @property
    def message_hash(self) -> str | None:
        """Which message hints were looked for in."""
        return next((record["message_sha256"] for record in self.telemetry if record["message_sha256"]), None)

    @property
    def advice(self) -> list[TelemetryRow]:
        """The records of looking for hints, one for each look: what it found may stand in those of later turns, too."""
        found: dict[tuple[str, str, str], TelemetryRow] = {}
        for record in self.telemetry:
            if record["message_sha256"]:
                seen = canonical([record["context"], record["suggestions"], record["notes"]])
                found.setdefault((record["agent"], record["message_sha256"], seen), record)
        return list(found.values())

    @property
    def was_advised(self) -> bool:
        """Whether hints were looked for, found or not."""
        return bool(self.advice)

    @property
    def hints(self) -> list[Hint]:
        """Every hint once, however many turns it was shown in."""
        found: dict[tuple[str, ...], Hint] = {}
        for record in self.advice:
            for shown in record["suggestions"]:
                hint = _hint(record, shown)
                found.setdefault((hint.agent, hint.tool, hint.intent, hint.rule), hint)
        return list(found.values())

    @property
    def hinted(self) -> frozenset[str]:
        """The tools that were hinted at."""
        return frozenset(hint.tool for hint in self.hints)

    @property
    def tools(self) -> frozenset[str]:
        """The tools that were applied."""
        return frozenset().union(*(step.tools for step in self.steps))

    @property
    def agent(self) -> str:
        """Who answered."""
        told = [record["agent"] for record in self.telemetry] or [step.agent for step in self.steps if step.agent]
        return str(told[0]) if told else "narrative"

    @property
    def was_retried(self) -> bool:
        """Whether any of its turns was wanted again."""
        return any(step.is_attempt for step in self.steps)

    @property
    def undone(self) -> bool:
        """Whether any of its turns was taken back."""
        return any(step.undone for step in self.steps)

    def after(self, step: Step) -> Iterator[Step]:
        """Yield the turns that followed one of them."""
        return (later for later in self.steps if later.seq > step.seq)

    def applied_after(self, step: Step, tool: str) -> bool:
        """Return whether a tool was applied in any turn after one of them."""
        return any(tool in later.tools for later in self.after(step))


def _hint(record: TelemetryRow, shown: SuggestedHint) -> Hint:
    confidence, arguments = round(float(shown["confidence"]), 3), shown["arguments"] or {}
    tool = tool_of(shown["tool"])
    return Hint(record["agent"], tool, shown["intent"], shown["rule_id"], shown["label"], confidence, arguments)


@dataclass(slots=True)
class Play:
    """One campaign's play.

    Attributes:
        name: what the campaign is called in reports.
        exchanges: in the order of the log.
        telemetry: every record of telemetry, whether it joins the log or not.
        unjoined: how many of them join no turn of the log.
    """

    name: str
    exchanges: list[Exchange]
    telemetry: list[TelemetryRow]
    unjoined: int

    @property
    def steps(self) -> Iterator[Step]:
        """Every record of a turn, in order."""
        return (step for exchange in self.exchanges for step in exchange.steps)

    @property
    def turns(self) -> list[Step]:
        """The turns that were closed."""
        return [step for step in self.steps if not step.is_attempt]
