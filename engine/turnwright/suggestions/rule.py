"""Suggestion rules: a rule reads a message and a snapshot and names intents, never tools.

Source: docs/suggestions.md, "A rule".
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from turnwright.language.message import Clause, ClauseType, MessageReading, Subject
from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.snapshot import Snapshot

REQUEST_CAP = 0.45
"""A polite request stays below the threshold of what is shown: nothing has been given yet."""


class Hit(NamedTuple):
    """An intent that a rule found. `arguments` hold what the rule understood, under its own keys; `at` orders ties."""

    intent: str
    confidence: float
    reason: str
    arguments: Mapping[str, Any] = {}
    span: tuple[int, int] | None = None
    at: int = 0
    subject: str = ""


@dataclass(frozen=True)
class Pattern:
    """A pattern of a pack.

    Attributes:
        name: its name within the rule.
        written: the source of the regular expression.
        at_verb: whether it has to begin at the main verb; else it may match anywhere in a clause.
        begins: the words it can begin with; empty if unknown.
        needs: words of which a clause must contain one; empty means any clause.
        subjects: the required actors.
        intents: the intents it stands for.
        weight: factor for the rule's confidence.
    """

    name: str
    written: str
    at_verb: bool
    begins: frozenset[str]
    needs: frozenset[str]
    subjects: frozenset[Subject]
    intents: tuple[str, ...]
    weight: float

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """The regular expression, compiled when a clause needs it: few messages need more than some of a pack's."""
        return re.compile(self.written)


@dataclass(frozen=True)
class RuleWords:
    """A pack's words for one rule; `agents` and `requires` apply in addition to those of the rule."""

    base: Mapping[str, float]
    patterns: Mapping[str, Pattern]
    idioms: re.Pattern[str] | None
    lists: Mapping[str, frozenset[str]]
    agents: frozenset[AgentKind] | None = None
    requires: tuple[str, ...] = ()

    @cached_property
    def by_verb(self) -> Mapping[str, tuple[Pattern, ...]]:
        """The patterns of verbs by the word they begin with, with those that may begin with any."""
        words = {word for pattern in self.patterns.values() for word in pattern.begins}
        verbs = [pattern for pattern in self.patterns.values() if pattern.at_verb]
        return {word: tuple(one for one in verbs if not one.begins or word in one.begins) for word in words}

    @cached_property
    def loose(self) -> tuple[Pattern, ...]:
        """The patterns of verbs that may begin with any word."""
        return tuple(one for one in self.patterns.values() if one.at_verb and not one.begins)

    @cached_property
    def signs(self) -> frozenset[str] | None:
        """Words of which a clause has to hold one, or no pattern fits; None where that is not known."""
        of_each = [pattern.begins if pattern.at_verb else pattern.needs for pattern in self.patterns.values()]
        return frozenset().union(*of_each) if all(of_each) else None

    def says_nothing_to(self, words: frozenset[str]) -> bool:
        """Return whether none of the words could make any pattern fit."""
        return self.signs is not None and self.signs.isdisjoint(words)

    @cached_property
    def anywhere(self) -> tuple[Pattern, ...]:
        """The patterns that may stand anywhere in a clause."""
        return tuple(pattern for pattern in self.patterns.values() if not pattern.at_verb)


NO_WORDS = RuleWords({}, {}, None, {})


class Found(NamedTuple):
    """A pattern found in a clause."""

    clause: Clause
    match: re.Match[str]
    pattern: Pattern

    def group(self, name: str) -> str:
        """Return a named part of the pattern, or nothing where the pattern or the message does not have it."""
        return (self.match[name] or "").strip(" ,") if name in self.match.re.groupindex else ""

    def named(self, name: str) -> str:
        """Return a part as the message spells it."""
        if not self.group(name):
            return ""
        start, end = self.match.span(name)
        return self.clause.original[start:end].strip(" ,")

    @property
    def object(self) -> str:
        """The text after the verb, for a pattern that begins with one."""
        return self.match.group().partition(" ")[2]

    @property
    def weight(self) -> float:
        """The clause's commitment times the weight of the pattern."""
        return self.clause.weight * self.pattern.weight

    @property
    def span(self) -> tuple[int, int]:
        """The clause's offsets in the message."""
        return self.clause.start, self.clause.end

    @property
    def at(self) -> int:
        """Offset of the evidence, which orders hits."""
        return self.clause.start + self.match.start()


@dataclass(frozen=True, slots=True)
class RuleContext:
    """One rule's look at one message. `rules` are the words of all rules, for one that reads another's, too."""

    snapshot: Snapshot
    message: MessageReading
    words: RuleWords
    rules: Mapping[str, RuleWords] = field(default_factory=dict)

    def of(self, rule_id: str) -> RuleContext:
        """Return the same look with the words of another rule."""
        return replace(self, words=self.rules.get(rule_id, NO_WORDS))

    def found(self, *names: str, spoken: bool = False, done: bool = False, members: bool = False) -> Iterator[Found]:
        """Yield the matches of these patterns, or all, that commit the speaker.

        Args:
            names: the patterns to look for; none means all.
            spoken: read direct speech too.
            done: also read actions reported as just done: "the party has fled".
            members: also read actions of other party members.
        """
        # A rule may ask several times, and rules may share their patterns.
        asked = (id(self.words.patterns), spoken, done, members)
        if asked not in self.message.found:
            self.message.found[asked] = list(self._found(spoken=spoken, done=done, members=members))
        for found in self.message.found[asked]:
            if not names or found.pattern.name in names:
                yield found

    def _found(self, *, spoken: bool, done: bool, members: bool) -> Iterator[Found]:
        signs = self.words.signs
        for clause in self.message.committed(spoken=spoken, done=done):
            if signs is not None and signs.isdisjoint(clause.words):
                continue
            is_idiom: bool | None = None
            subject = clause.subject
            if subject is Subject.MEMBER:
                subject = Subject.SELF if members else Subject.OTHER
            for pattern, match in self._matches(clause, subject):
                is_idiom = self._is_idiom(clause) if is_idiom is None else is_idiom
                if is_idiom:
                    break
                yield Found(clause, match, pattern)

    def _matches(self, clause: Clause, subject: Subject) -> Iterator[tuple[Pattern, re.Match[str]]]:
        """Yield each pattern that fits a clause where nothing is denied, with its first match."""
        words = self.words
        for pattern in words.anywhere:
            if not pattern.needs or not pattern.needs.isdisjoint(clause.words):
                match = pattern.expression.search(clause.text)
                if match is not None and match.start() < clause.denied_from:
                    yield pattern, match
        seen = set()
        for at, verb in clause.verbs_at:
            for pattern in words.by_verb.get(verb, words.loose):
                if at < clause.denied_from and pattern.name not in seen and subject in pattern.subjects:
                    match = pattern.expression.match(clause.text, at)
                    if match is not None:
                        seen.add(pattern.name)
                        yield pattern, match

    def _is_idiom(self, clause: Clause) -> bool:
        return self.words.idioms is not None and self.words.idioms.search(clause.text) is not None

    def hit(
        self,
        found: Found,
        intent: str,
        base: str | float,
        reason: str,
        arguments: Mapping[str, Any] | None = None,
        subject: str = "",
    ) -> Hit:
        """Return the hit of a pattern; `base` is a confidence or the name of one of the pack's."""
        confidence = (self.words.base[base] if isinstance(base, str) else base) * found.weight
        if found.clause.type is ClauseType.REQUEST:
            confidence = min(confidence, REQUEST_CAP)
        return Hit(intent, confidence, reason, arguments or {}, found.span, found.at, subject)

    def said(self, name: str) -> Iterator[tuple[Clause, re.Match[str]]]:
        """Yield the matches of a pattern in any clause about the speaker, whether it commits to an action or not."""
        if name in self.words.patterns:
            expression = self.words.patterns[name].expression
            for clause in self.message.clauses:
                if clause.type is not ClauseType.QUOTED and (match := expression.search(clause.text)):
                    yield clause, match

    def refuses(self) -> bool:
        """Return whether the speaker says no: the pattern `refuse`, wherever it stands."""
        return any(True for _ in self.said("refuse"))

    def is_questioned(self, found: Found) -> bool:
        """Return whether a question with a "but" follows: "okay, but why us?"."""
        clauses = self.message.clauses
        after = bisect_right(clauses, found.clause.start, key=lambda clause: clause.start)
        if after == len(clauses) or clauses[after].type is not ClauseType.QUESTION:
            return False
        following = clauses[after]
        return self.has("but", following.text.lstrip(" ,").partition(" ")[0])

    def has(self, name: str, word: str) -> bool:
        """Return whether a word is in one of the rule's lists."""
        return word in self.words.lists.get(name, ())

    def has_any(self, name: str, words: Collection[str]) -> bool:
        """Return whether any of the words is in one of the rule's lists."""
        return not self.words.lists.get(name, frozenset()).isdisjoint(words)


Predicate = Callable[[Snapshot], bool]

PREDICATES: Mapping[str, Predicate] = {
    "encounter_active": lambda seen: seen.encounter.active is not False,
    "no_encounter": lambda seen: seen.encounter.active is not True,
    "speaker_is_player": lambda seen: seen.speaker == "player",
    "speaker_is_npc": lambda seen: seen.speaker == "npc",
    "offer_pending": lambda seen: seen.pending_offer is not None,
    "mood_set": lambda seen: seen.mood is not None,
    "has_active_quest": lambda seen: seen.quests is None or any(quest.status == "active" for quest in seen.quests),
    "caster": lambda seen: seen.actor.is_caster is not False,
}
"""The predicates that rules and packs may require. An unknown value passes, which skips the gate."""


class Rule(ABC):
    """One rule.

    Attributes:
        id: its name in packs, settings and records.
        version: raised when its behavior changes.
        agents: the agents it advises.
        requires: names of predicates that must hold.
        reads_text: whether it needs words; a rule that does not need any runs in every language.
        reads_also: ids of further rules whose patterns it reads.
        intents: every intent it may name.
    """

    id: ClassVar[str]
    version: ClassVar[int] = 1
    agents: ClassVar[frozenset[AgentKind]]
    requires: ClassVar[tuple[str, ...]] = ()
    reads_text: ClassVar[bool] = True
    reads_also: ClassVar[tuple[str, ...]] = ()
    intents: ClassVar[tuple[str, ...]]

    @abstractmethod
    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Return what the message and the snapshot show; at most one hit of an intent counts, the most confident."""
