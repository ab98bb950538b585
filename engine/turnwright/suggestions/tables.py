"""The suggestion rows that rulesets declare, and the tables merged from several rulesets.

Source: docs/suggestions.md, "Intents and tools".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from typing import Any, NamedTuple, TypeVar

from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.rule import Hit, Rule
from turnwright.suggestions.snapshot import Snapshot

V = TypeVar("V")


class Resolved(NamedTuple):
    """The result of a hit: a tool with arguments, or the reason why there is none, with a note for the model."""

    tool: str | None
    arguments: Mapping[str, Any] = {}
    cause: str = ""
    note: str = ""


ArgumentMaker = Callable[[Hit, Snapshot], Resolved]
"""Returns a tool with the arguments that are sure for a hit, or why it is not the tool for it."""
Pairs = frozenset[frozenset[str]]


@dataclass(frozen=True, slots=True)
class SuggestionRows:
    """One ruleset's additions to the suggestions.

    Attributes:
        rules: its rules.
        intents: the tools of each intent, in the order in which they are tried; empty if there is no such tool.
        arguments: by tool, the function that builds its arguments; a tool without one takes the rule's arguments as
            they are.
        useful: by tool, whether it is useful in a state; a tool without a row always is.
        refusals: by intent, the reason why no tool can serve it in a state; None if one can.
        exclusive: groups of intents of which at most one can be meant.
        exclusive_of_one: groups of intents that exclude one another where they are about the same person or thing.
        always_wins: pairs of exclusive intents whose winner does not depend on confidence.
        subjects: by tool, its purpose as described to a character that a model plays.
    """

    rules: tuple[Rule, ...] = ()
    intents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    arguments: Mapping[str, ArgumentMaker] = field(default_factory=dict)
    useful: Mapping[str, Callable[[Snapshot], bool]] = field(default_factory=dict)
    refusals: Mapping[str, Callable[[Snapshot], Resolved | None]] = field(default_factory=dict)
    exclusive: tuple[tuple[str, ...], ...] = ()
    exclusive_of_one: tuple[tuple[str, ...], ...] = ()
    always_wins: Mapping[frozenset[str], str] = field(default_factory=dict)
    subjects: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SuggestionTables:
    """The rows of several rulesets, and what each agent may call.

    Attributes:
        parts: the rows; of an intent's tools those of the first part are tried first.
        tools_of: the tools of each agent.
        operations_of: the operations of each agent, of tools that it has for some only.
    """

    parts: Sequence[SuggestionRows]
    tools_of: Mapping[AgentKind, frozenset[str]]
    operations_of: Mapping[AgentKind, Mapping[str, tuple[str, ...]]]

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in the order of their ids, which breaks ties."""
        return tuple(sorted(chain.from_iterable(part.rules for part in self.parts), key=lambda rule: rule.id))

    @cached_property
    def rules_by_id(self) -> Mapping[str, Rule]:
        """Every rule by id."""
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def intents(self) -> Mapping[str, tuple[str, ...]]:
        """The tools of each intent, in the order in which they are tried."""
        merged: dict[str, dict[str, None]] = {}
        for part in self.parts:
            for intent, tools in part.intents.items():
                merged.setdefault(intent, {}).update(dict.fromkeys(tools))
        return {intent: tuple(tools) for intent, tools in merged.items()}

    @cached_property
    def arguments(self) -> Mapping[str, ArgumentMaker]:
        """The functions that build the arguments of tools."""
        return _first(part.arguments for part in self.parts)

    @cached_property
    def useful(self) -> Mapping[str, Callable[[Snapshot], bool]]:
        """Whether a tool is of use in a state."""
        return _first(part.useful for part in self.parts)

    @cached_property
    def refusals(self) -> Mapping[str, Callable[[Snapshot], Resolved | None]]:
        """Why no tool can do what an intent asks for."""
        return _first(part.refusals for part in self.parts)

    @cached_property
    def exclusive(self) -> Pairs:
        """Intents of which only one can be meant."""
        return _pairs(chain.from_iterable(part.exclusive for part in self.parts))

    @cached_property
    def exclusive_of_one(self) -> Pairs:
        """Intents that exclude one another where they are about the same person or thing."""
        return _pairs(chain.from_iterable(part.exclusive_of_one for part in self.parts))

    @cached_property
    def always_wins(self) -> Mapping[frozenset[str], str]:
        """Pairs whose winner does not depend on confidence."""
        return _first(part.always_wins for part in self.parts)

    @cached_property
    def subjects(self) -> Mapping[str, str]:
        """The purposes of tools as described to a character that a model plays."""
        return _first(part.subjects for part in self.parts)

    def excludes(self, one: Hit, other: Hit) -> bool:
        """Return whether only one of the two can be meant."""
        pair = frozenset({one.intent, other.intent})
        if pair in self.exclusive:
            return True
        return pair in self.exclusive_of_one and (one.subject == other.subject or not one.subject or not other.subject)


K = TypeVar("K")


def _first(parts: Iterable[Mapping[K, V]]) -> dict[K, V]:
    """Return several mappings as one; of the same key the first counts."""
    merged: dict[K, V] = {}
    for part in parts:
        for key, value in part.items():
            merged.setdefault(key, value)
    return merged


def _pairs(groups: Iterable[tuple[str, ...]]) -> Pairs:
    return frozenset(frozenset(pair) for group in groups for pair in combinations(group, 2))
