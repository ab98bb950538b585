"""One clause of a message: its words written out, its main verb, and what it commits its speaker to.

Source: docs/suggestions.md, "Reading a message".
"""

from __future__ import annotations

from typing import NamedTuple

from turnwright.language.clause_head import Head, head_of
from turnwright.language.grammar import Cast, Grammar
from turnwright.language.message import Clause, ClauseType, Subject
from turnwright.language.message_text import WORD, folded, without_marks

_Form = tuple[str, str, frozenset[str], Head]
"""A clause while it is read: its text in lower case and in its own, its words, and its head."""
_CARRIED = frozenset({ClauseType.HYPOTHETICAL, ClauseType.PAST, ClauseType.NEGATED})
"""The state that a clause without a subject inherits from the previous one: "I would take it and run"."""


class Mood(NamedTuple):
    """The mood that a sentence gives one of its clauses."""

    asked: bool
    supposed: bool
    is_past: bool
    is_order: bool
    """Another character is addressed by name: "hand over the key, Vivian"."""


class ClauseReader(NamedTuple):
    """Reads the clauses of a sentence, one by one.

    Attributes:
        grammar: that of the language.
        cast: the characters it may refer to.
    """

    grammar: Grammar
    cast: Cast

    def read(self, text: str, start: int, before: Clause | None, mood: Mood) -> Clause:
        """Return a clause.

        Args:
            text: as it was typed.
            start: where it begins in the message.
            before: the clause before it in the sentence, if any.
            mood: what the sentence says of it.
        """
        grammar = self.grammar
        lower, original, words, head = self._form(text, before, mood)
        own = grammar.gated("own_report", lower, words)
        is_spoken = own is not None and head.subject == "self" and not self.cast.speaker_is_npc
        if own and is_spoken:
            lower, original = lower[own.end() :], original[own.end() :]
            head = head_of(grammar, lower, original, self.cast, None)
        reported = None if is_spoken else grammar.gated("report", lower, words)
        negated = grammar.denied_from(lower, words)
        kind = self._type(lower, words, head, negated, before, mood)
        if kind is ClauseType.COMMIT and is_spoken:
            kind = ClauseType.SPEECH
        weight = 0.9 if head.is_past and kind is ClauseType.COMMIT else 1.0
        if kind is ClauseType.PAST and not grammar.is_perfect(lower, words):
            weight = 0.0
        if kind is ClauseType.REQUEST:
            head = self._asked_for(lower, head)
        return Clause(
            kind,
            lower,
            original,
            start,
            start + len(text),
            words,
            head.at,
            head.places,
            Subject(head.subject),
            min(negated, reported.end() if reported else len(lower) + 1, self._undone_from(lower, head, words)),
            " " in lower[negated:].strip(" ,"),  # what ends in "nothing" says nothing of what follows
            weight,
        )

    def _form(self, text: str, before: Clause | None, mood: Mood) -> _Form:
        grammar = self.grammar
        original = without_marks(text)
        lower = folded(original)
        words = frozenset(WORD.findall(lower))
        if grammar.is_contracted(lower, words):
            original = grammar.written_out(original)
            lower = folded(original)
            words = frozenset(WORD.findall(lower))
        head = head_of(grammar, lower, original, self.cast, before.subject.value if before else None)
        if before is None:
            if mood.is_order and head.elided:
                head = head._replace(subject="you")
        elif not head.elided and self._is_speaker(before.text):
            head = head._replace(subject="self")  # "Mira and Brannoc [walk]", "me and Brannoc [walk]"
        correction = grammar.correction(lower[head.at :].partition(" ")[0]) if " " in lower else None
        form = lower, original, words, head
        return _mended(form, correction) if correction else form

    def _undone_from(self, lower: str, head: Head, words: frozenset[str]) -> int:
        """Return the verb's offset if its object is "nobody" or "nothing", else the end of the text."""
        is_undone = self.grammar.gated("on_nothing", lower, words, head.at)
        return head.at if is_undone else len(lower) + 1

    def _is_speaker(self, text: str) -> bool:
        return text in self.cast.selves or any(self.grammar.has(group, text) for group in ("selves", "let_selves"))

    def _type(
        self, lower: str, words: frozenset[str], head: Head, negated: int, before: Clause | None, mood: Mood
    ) -> ClauseType:
        """Return the first type that fits."""
        grammar = self.grammar
        if grammar.gated("request", lower, words):
            return ClauseType.REQUEST
        if mood.asked:
            return ClauseType.QUESTION
        if mood.supposed or grammar.gated("hypothetical", lower, words) or grammar.gated("not_yet", lower, words):
            return ClauseType.HYPOTHETICAL
        if (mood.is_past and not head.is_present) or grammar.is_perfect(lower, words):
            return ClauseType.PAST
        if negated <= head.at:
            return ClauseType.NEGATED
        return self._carried(lower, before) if before and head.elided else ClauseType.COMMIT

    def _carried(self, lower: str, before: Clause) -> ClauseType:
        """Return the state that a clause without a subject inherits from the previous one."""
        is_consequence = before.type is ClauseType.NEGATED and self.grammar.search("consequence", lower)
        if before.type in _CARRIED and not is_consequence:
            return before.type
        is_denied = before.is_negated and self.grammar.search("joins_denied", lower)
        return ClauseType.NEGATED if is_denied else ClauseType.COMMIT

    def _asked_for(self, lower: str, head: Head) -> Head:
        """Return the head of a request by the speaker, whose verb stands behind the subject: "may I [take] it"."""
        found = self.grammar.search("request", lower)
        words = found.group().split() if found else []
        if found is None or not any(self.grammar.has("selves", word) for word in words):
            return head
        at = found.end() - len(words[-1])
        return head._replace(at=at, places=((at, words[-1]),), subject="self")


def _mended(form: _Form, verb: str) -> _Form:
    """Return a clause with its main verb as it is spelled."""
    lower, original, words, head = form
    past = head.at + len(lower[head.at :].partition(" ")[0])
    return (
        f"{lower[: head.at]}{verb}{lower[past:]}",
        f"{original[: head.at]}{verb}{original[past:]}",
        words | {verb},
        head._replace(places=(*head.places[:-1], (head.at, verb))),
    )
