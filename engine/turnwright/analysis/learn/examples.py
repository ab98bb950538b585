"""From play to examples: what a player committed to in a message, and which tools were applied for it.

Source: docs/report.md, "Learning from play".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from turnwright.analysis.learn.slots import Names, Tokens
from turnwright.analysis.report.play import Exchange, Play, tool_of
from turnwright.model.json_types import JsonObject
from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.snapshot import agent_kind

_USE = ("operation", "rest_type", "action_type")
"""Arguments that tell the uses of one tool apart."""


class Use(NamedTuple):
    """A tool, and for one with several uses, which."""

    tool: str
    how: str = ""

    def __str__(self) -> str:
        return f"{self.tool} {self.how}".strip()


@dataclass(frozen=True, slots=True)
class Example:
    """One message.

    Attributes:
        campaign: where it was said.
        turn_id: the first of the turns that answered it.
        agent: who answered; `narrative` where that is no agent that rules can be for.
        language: what it is written in.
        clauses: the clauses that commit the speaker, word by word, names replaced.
        applied: what was done.
        shown: what was hinted at.
        known: what today's rules suggest, or suggested then.
    """

    campaign: str
    turn_id: str
    agent: str
    language: str
    clauses: tuple[Tokens, ...]
    applied: frozenset[Use]
    shown: frozenset[Use]
    known: frozenset[Use]


class Reading(NamedTuple):
    """How messages are read.

    Attributes:
        language_of: gives the language of a message, None where there are no rules for it.
        committed: gives the clauses of a message that commit its speaker.
        suggested: gives what today's rules suggest for a message to an agent.
    """

    language_of: Callable[[str], str | None]
    committed: Callable[[str, str], Iterable[str]]
    suggested: Callable[[str, str], frozenset[Use]]


def examples_of(play: Play, names: Names, reading: Reading) -> Iterator[Example]:
    """Yield the examples of a campaign. What had to be told again, or was taken back, is none."""
    for exchange in play.exchanges:
        if exchange.text and not exchange.was_retried and not exchange.undone:
            example = _example(play.name, exchange, exchange.text, names, reading)
            if example is not None:
                yield example


def _example(campaign: str, exchange: Exchange, text: str, names: Names, reading: Reading) -> Example | None:
    language = next((look["language"] for look in exchange.advice), reading.language_of(text))
    if language is None:
        return None
    clauses = tuple(names.filled(clause, language) for clause in reading.committed(text, language))
    applied = frozenset(use_of(call.tool, call.args) for step in exchange.steps for call in step.applied)
    shown = frozenset(use_of(hint.tool, hint.arguments) for hint in exchange.hints)
    agent = _known_agent(exchange.agent)
    known = shown if exchange.was_advised else reading.suggested(text, agent)
    turn_id = exchange.steps[0].turn_id
    return Example(campaign, turn_id, agent, language, clauses, applied, shown, known)


def _known_agent(name: str) -> str:
    """Return the agent that a record names: an unknown agent counts as the narrator."""
    try:
        return agent_kind(name).value
    except ValueError:
        return AgentKind.NARRATIVE.value


def use_of(tool: str, arguments: JsonObject) -> Use:
    """Return the use that a call, or a hint, makes of a tool."""
    words = (arguments.get(name) for name in _USE)
    return Use(tool_of(tool), next((word for word in words if isinstance(word, str)), ""))
