"""Lay a message open: cut it into clauses, and say of each what it is.

Each step is linear in the length of the message. Source: docs/suggestions.md, "Reading a message".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

from turnwright.suggest.grammar import Cast, Grammar
from turnwright.suggest.heads import Head, head_of
from turnwright.suggest.message import Clause, ClauseType, MessageReading, Subject
from turnwright.suggest.message_text import dashed, folded, normalised, without_marks

MOST_CLAUSES = 600
"""No message that means anything has more; the others are not read."""
_Called = tuple[tuple[int, bool], ...]
"""Where somebody is named, and whether that is one the speaker may mean with itself."""
_QUOTED = re.compile(r"""\"([^"\n]*)(?:"|$|(?=\n))|(?<!\w)'(?=\w)((?:[^'\n]|'(?=\w)){1,300}[,.!?])'(?!\w)""")
"""Words in quotation marks; in single ones only with a mark before the last, since apostrophes look the same."""
_SENTENCE = re.compile(r"(?:[^.!?;\n…*]|(?<=\d)\.(?=\d)|(?<=\b[MDS][rst])\.(?= [A-Z])|(?<=\bMrs)\.(?= [A-Z]))+")
_META_START = re.compile(r"\s*(?:[(/\[{]|\bo{2}c\b|\bsystem\s*:)", re.IGNORECASE)
_WORD = re.compile(r"[\w'-]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_ENDS = re.compile(r"[.!?\n]")
_CARRIED = frozenset({ClauseType.HYPOTHETICAL, ClauseType.PAST, ClauseType.NEGATED})
"""What a clause without a subject of its own takes over from the one before: "I would take it and run"."""


class _Mood(NamedTuple):
    """What the sentence says of one of its clauses."""

    asked: bool
    supposed: bool
    is_past: bool
    is_order: bool
    """Somebody else is called by name: "hand over the key, Vivian"."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads messages in one language.

    Attributes:
        grammar: that of the language.
        selves: names, in lower case, of whoever the speaker may mean with itself.
        others: names of everybody else.
        members: those of the others who belong to the party.
        tools: names of tools; a sentence that speaks of one is about the game, not in it.
        people: nouns for people, such as "guard": after one of them it is not known who "he" is.
        speaker_is_npc: whether it is a character of the game master who speaks, told of in the third person.
    """

    grammar: Grammar
    selves: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()
    tools: Collection[str] = ()
    people: frozenset[str] = frozenset()
    speaker_is_npc: bool = False

    def read(self, text: str) -> MessageReading:
        """Return the clauses of a message in the order of the text."""
        original, addressees, truncated = normalised(text)
        original = self.grammar.spoken(original)
        clauses = tuple(islice(self._clauses(original), MOST_CLAUSES + 1))
        truncated = truncated or len(clauses) > MOST_CLAUSES
        return MessageReading(original, clauses[:MOST_CLAUSES], addressees, truncated)

    def _clauses(self, text: str) -> Iterator[Clause]:
        if _META_START.match(text):
            yield self._ignored(ClauseType.META, text, 0)
            return
        called = self._called(text)
        at = 0
        for quote in _QUOTED.finditer(text) if '"' in text or "'" in text else ():
            told = text[at : quote.start()]
            yield from self._voice(told, at, called)
            yield from self._quotation(text, quote, is_own=self._is_self(folded(told)))
            at = quote.end()
        yield from self._voice(text[at:], at, called)

    def _called(self, text: str) -> _Called:
        """Return where somebody is named whom "he" or "she" may stand for, if there is any."""
        lower = folded(text)
        if self.speaker_is_npc or not self.grammar.has_any("personal", lower.split()):
            return ()
        words = ((found.start(), found[0].partition("'")[0]) for found in _WORD.finditer(lower))
        somebody = self.others | self.people
        return tuple((at, word in self.selves) for at, word in words if word in self.selves or word in somebody)

    def _is_self(self, text: str) -> bool:
        """Return whether the last sentence of a text is about the speaker by name or as "I"."""
        words = _WORD.findall(_ENDS.split(text)[-1])
        return bool(words) and (self.grammar.has("selves", words[0]) or words[0] in self.selves)

    def _quotation(self, text: str, quote: re.Match[str], *, is_own: bool) -> Iterator[Clause]:
        said, start = quote.group(quote.lastindex or 1), quote.start(quote.lastindex or 1)
        before, after = text[max(quote.start() - 80, 0) : quote.start()], text[quote.end() : quote.end() + 60]
        if self.grammar.is_others_speech(
            folded(before), folded(after), is_own=is_own, speaker_is_npc=self.speaker_is_npc
        ):
            yield self._ignored(ClauseType.QUOTED, said, start)
            return
        for clause in self._voice(said, start, ()):
            yield clause._replace(type=ClauseType.SPEECH) if clause.type is ClauseType.COMMIT else clause

    def _ignored(self, kind: ClauseType, text: str, start: int) -> Clause:
        lower = folded(text)
        return Clause(
            kind, lower, text, start, start + len(text), frozenset(), len(lower), (), Subject.SELF, 0, False, 0.0
        )

    def _voice(self, text: str, start: int, called: _Called) -> Iterator[Clause]:
        """Yield the clauses of a stretch without quotations."""
        for found in _SENTENCE.finditer(text):
            if any(character.isalnum() for character in found.group()):
                asked = text[found.end() : found.end() + 3].lstrip("!.").startswith("?")
                first = start + found.start()
                before = bisect_left(called, (first,))
                is_antecedent = before > 0 and called[before - 1][1]
                cast = Cast(self.selves, self.others, self.members, self.speaker_is_npc, is_antecedent)
                yield from self._sentence(found.group(), first, cast, asked=asked)

    def _sentence(self, text: str, start: int, cast: Cast, *, asked: bool) -> Iterator[Clause]:
        grammar = self.grammar
        lower = folded(text)
        if _META_START.match(lower) or ("_" in lower and any(tool in lower for tool in self.tools)):
            yield self._ignored(ClauseType.META, text, start)
            return
        words = frozenset(_LETTERS.findall(lower))
        parts = [part for dashed in dashed(text) for part in self._parts(*dashed, cast)]
        asked = asked and not grammar.is_tag_question(lower)
        asked_from = self._asked_from(parts, lower, asked=asked) if asked or grammar.may_ask(words) else len(parts)
        supposed_from = grammar.supposed_from(lower, words)
        is_past = grammar.gated("past_time", lower, words) is not None
        called = any(lower[at : at + len(piece)].strip(" ,") in cast.others for at, piece in parts)
        is_order = called and not cast.speaker_is_npc
        before: Clause | None = None
        for number, (first, piece) in enumerate(parts):
            mood = _Mood(number >= asked_from, first >= supposed_from, is_past, is_order)
            clause = self._clause(piece, start + first, cast, before, mood)
            if clause.text:
                yield clause
                before = before if is_order and clause.text in cast.others else clause

    def _parts(self, first: int, text: str, cast: Cast) -> list[tuple[int, str]]:
        cuts = [0, *self.grammar.cuts(folded(text), cast), len(text)]
        return [(first + a, text[a:b]) for a, b in pairwise(cuts) if text[a:b].strip(" ,")]

    def _asked_from(self, parts: list[tuple[int, str]], lower: str, *, asked: bool) -> int:
        pieces = (lower[first : first + len(piece)].strip(" ,") for first, piece in parts)
        leads = (self.grammar.leads_question(piece, is_relative=i > 0 and not asked) for i, piece in enumerate(pieces))
        return next((i for i, is_led in enumerate(leads) if is_led), 0 if asked else len(parts))

    def _clause(self, text: str, start: int, cast: Cast, before: Clause | None, mood: _Mood) -> Clause:
        grammar = self.grammar
        original = without_marks(text)
        lower = folded(original)
        words = frozenset(_WORD.findall(lower))
        if grammar.is_contracted(lower, words):
            original = grammar.written_out(original)
            lower = folded(original)
            words = frozenset(_WORD.findall(lower))
        head = self._head(lower, original, cast, before)
        if mood.is_order and head.elided and before is None:
            head = head._replace(subject="you")
        if before is not None and not head.elided and self._is_speaker(before.text):
            head = head._replace(subject="self")  # "Mira and Brannoc [walk]", "me and Brannoc [walk]"
        if " " in lower and (correction := grammar.correction(lower[head.at :].partition(" ")[0])):
            past = head.at + len(lower[head.at :].partition(" ")[0])
            head = head._replace(places=(*head.places[:-1], (head.at, correction)))
            lower = f"{lower[: head.at]}{correction}{lower[past:]}"
            original = f"{original[: head.at]}{correction}{original[past:]}"
            words |= {correction}
        own = grammar.gated("own_report", lower, words)
        spoken = own is not None and head.subject == "self" and not self.speaker_is_npc
        if own and spoken:
            lower, original = lower[own.end() :], original[own.end() :]
            head = self._head(lower, original, cast, None)
        reported = None if spoken else grammar.gated("report", lower, words)
        negated = grammar.denied_from(lower, words)
        denied = min(negated, reported.end() if reported else len(lower) + 1)
        kind = self._type(lower, words, head, negated, before, mood)
        if kind is ClauseType.COMMIT and spoken:
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
            denied,
            negated <= len(lower),
            weight,
        )

    def _carried(self, lower: str, head: Head, before: Clause | None) -> ClauseType:
        """Return what a clause takes over from the one before where it has no subject of its own."""
        if before is not None and head.elided:
            is_consequence = before.type is ClauseType.NEGATED and self.grammar.search("consequence", lower)
            if before.type in _CARRIED and not is_consequence:
                return before.type
            if before.is_negated and self.grammar.search("joins_denied", lower):
                return ClauseType.NEGATED
        return ClauseType.COMMIT

    def _is_speaker(self, text: str) -> bool:
        return text in self.selves or any(self.grammar.has(group, text) for group in ("selves", "let_selves"))

    def _head(self, lower: str, original: str, cast: Cast, before: Clause | None) -> Head:
        return head_of(self.grammar, lower, original, cast, before.subject.value if before else None)

    def _asked_for(self, lower: str, head: Head) -> Head:
        """Return the head of a request of one's own, whose verb stands behind the subject: "may I [take] it"."""
        found = self.grammar.search("request", lower)
        words = found.group().split() if found else []
        if found is None or not any(self.grammar.has("selves", word) for word in words):
            return head
        at = found.end() - len(words[-1])
        return head._replace(at=at, places=((at, words[-1]),), subject="self")

    def _type(
        self, lower: str, words: frozenset[str], head: Head, denied: int, before: Clause | None, mood: _Mood
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
        if denied <= head.at:
            return ClauseType.NEGATED
        return self._carried(lower, head, before)
