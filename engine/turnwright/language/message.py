"""A parsed message: its clauses, and what each commits its speaker to.

In a message a player says what a character does; `clauses.py` reads the other register, a narration of what happened.
Rules of suggestion read these clauses and never the raw text. Source: docs/suggestions.md, "Reading a message".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from turnwright.language.message_text import words_of


class ClauseType(StrEnum):
    """The type of a clause. Rules over words read only `commit`; some read `speech` too."""

    META = "meta"
    QUOTED = "quoted"
    SPEECH = "speech"
    """Said aloud by the speaker's own character."""
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    PAST = "past"
    NEGATED = "negated"
    """Denied from its first words on; a clause denied further in is another type, with `denied_from`."""
    COMMIT = "commit"
    REQUEST = "request"
    """Something politely asked for: weak evidence that nothing is done yet."""


class Subject(StrEnum):
    """The actor of a clause."""

    SELF = "self"
    MEMBER = "member"
    """Another member of the party, called by name."""
    OTHER = "other"
    YOU = "you"


class Clause(NamedTuple):
    """A clause. Offsets are those of the normalized message.

    Attributes:
        type: its type.
        text: its words, lower case, single spaces, contractions written out, without marks but commas.
        original: the same, in the message's own case; same length as `text`.
        start: its start offset in the message.
        end: its end offset in the message.
        words: the words of `text`, plus the typed form of a misspelled word.
        verb_at: offset in `text` of the main verb after subject and auxiliaries.
        verbs_at: offsets where a verb pattern may begin, with the words there: after the subject and each auxiliary.
        subject: the actor.
        denied_from: offset in `text` where a negation or a report begins; len(text) if there is none.
        is_negated: whether it contains a negation.
        weight: how firmly it commits, 1 for the present and for what has just been done, 0 for a memory.
    """

    type: ClauseType
    text: str
    original: str
    start: int
    end: int
    words: frozenset[str]
    verb_at: int
    verbs_at: tuple[tuple[int, str], ...]
    subject: Subject
    denied_from: int
    is_negated: bool
    weight: float


_COMMITTED = (ClauseType.COMMIT, ClauseType.REQUEST)


@dataclass(frozen=True)
class MessageReading:
    """A message laid open. `original` is the normalized message; `addressees` are lifted from its beginning.

    `found` is where rules keep what they looked for, so that it is looked for once.
    """

    original: str
    clauses: tuple[Clause, ...]
    addressees: tuple[str, ...]
    truncated: bool
    found: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def committed(self, *, spoken: bool, done: bool) -> tuple[Clause, ...]:
        """Return the clauses that commit their speaker; with direct speech, and with what has just been done."""
        if not (spoken or done):
            return self._committed
        types = {*_COMMITTED, *([ClauseType.SPEECH] if spoken else ()), *([ClauseType.PAST] if done else ())}
        return tuple(clause for clause in self.clauses if clause.type in types)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of all clauses, in the order of the message."""
        return tuple(words_of(" ".join(clause.text for clause in self.clauses)))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of every clause, misspelled verbs corrected."""
        return frozenset().union(*(clause.words for clause in self.clauses))

    @cached_property
    def _committed(self) -> tuple[Clause, ...]:
        return tuple(clause for clause in self.clauses if clause.type in _COMMITTED)
