"""Lay a message open: find what is said aloud, cut the rest into sentences and clauses, and read each.

Each step is linear in the length of the message. Source: docs/suggestions.md, "Reading a message".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from turnwright.language.grammar import Cast, Grammar
from turnwright.language.message import Clause, ClauseType, MessageReading, Subject
from turnwright.language.message_clause import ClauseReader, Mood
from turnwright.language.message_text import WORD, dashed, folded, normalised

MAX_CLAUSES = 600
"""No message that means anything has more; the others are not read."""
_Called = tuple[tuple[int, bool], ...]
"""Offsets of named characters, each with whether the name may refer to the speaker."""
_QUOTED = re.compile(r"""\"([^"\n]*)(?:"|$|(?=\n))|(?<!\w)'(?=\w)((?:[^'\n]|'(?=\w)){1,300}[,.!?])'(?!\w)""")
"""Words in quotation marks; in single ones only with a mark before the last, since apostrophes look the same."""
_SENTENCE = re.compile(r"(?:[^.!?;\n…*]|(?<=\d)\.(?=\d)|(?<=\b[MDS][rst])\.(?= [A-Z])|(?<=\bMrs)\.(?= [A-Z]))+")
_META_START = re.compile(r"\s*(?:[(/\[{]|\bo{2}c\b|\bsystem\s*:)", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_ENDS = re.compile(r"[.!?\n]")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads messages in one language.

    Attributes:
        grammar: that of the language.
        selves: names, in lower case, by which the speaker may refer to itself.
        others: names of all other characters.
        members: the others who belong to the party.
        tools: names of tools; a sentence that mentions one is about the game, not in it.
        people: nouns for people, such as "guard": after one of them "he" is ambiguous.
        speaker_is_npc: whether the speaker is a game master's character, described in the third person.
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
        clauses = tuple(islice(self._clauses(original), MAX_CLAUSES + 1))
        truncated = truncated or len(clauses) > MAX_CLAUSES
        return MessageReading(original, clauses[:MAX_CLAUSES], addressees, truncated)

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
        """Return the offsets of named characters to which "he" or "she" may refer; empty without such a pronoun."""
        lower = folded(text)
        if self.speaker_is_npc or not self.grammar.has_any("personal", lower.split()):
            return ()
        words = ((found.start(), found[0].partition("'")[0]) for found in WORD.finditer(lower))
        names = self.others | self.people
        return tuple((at, word in self.selves) for at, word in words if word in self.selves or word in names)

    def _is_self(self, text: str) -> bool:
        """Return whether the last sentence of a text is about the speaker by name or as "I"."""
        words = WORD.findall(_ENDS.split(text)[-1])
        return bool(words) and (self.grammar.has("selves", words[0]) or words[0] in self.selves)

    def _is_teller(self, text: str) -> bool:
        """Return whether a text that tells who said something begins with the speaker: "Mira says", "says Mira"."""
        names = [word for word in WORD.findall(_ENDS.split(text)[0])[:2] if word in self.selves or word in self.others]
        return bool(names) and names[0] in self.selves

    def _quotation(self, text: str, quote: re.Match[str], *, is_own: bool) -> Iterator[Clause]:
        said, start = quote.group(quote.lastindex or 1), quote.start(quote.lastindex or 1)
        before, after = text[max(quote.start() - 80, 0) : quote.start()], text[quote.end() : quote.end() + 60]
        if self.grammar.is_others_speech(
            folded(before),
            folded(after),
            is_own=is_own,
            is_own_after=self._is_teller(folded(after)),
            speaker_is_npc=self.speaker_is_npc,
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
        clauses, before = ClauseReader(grammar, cast), None
        for number, (first, piece) in enumerate(parts):
            mood = Mood(number >= asked_from, first >= supposed_from, is_past, is_order)
            clause = clauses.read(piece, start + first, before, mood)
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
