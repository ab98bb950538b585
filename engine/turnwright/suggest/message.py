"""Lay a message open: its clauses, and of each what it commits its speaker to.

A message is somebody at a table saying what they do; `clauses.py` reads the other register, a narration that tells
what happened. Rules of suggestion read these clauses and never the raw text. Each step is linear in the length of the
message. Source: docs/suggestions.md, "Reading a message".
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from turnwright.suggest.grammar import Cast, Grammar, Head

LONGEST = 4000
"""A longer message is read at its beginning and its end only, half of this each."""


class ClauseType(StrEnum):
    """What a clause is. Rules over words read `commit` alone; some read `speech` too."""

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
    """Who acts in a clause."""

    SELF = "self"
    OTHER = "other"
    YOU = "you"


class Clause(NamedTuple):
    """A clause. Offsets are those of the normalised message.

    Attributes:
        type: what it is.
        text: its words, lower case, single spaces, contractions written out, without marks but commas.
        original: the same, in the message's own case; same length as `text`.
        start: where it begins in the message.
        end: where it ends there.
        words: the words of `text`, and as they were typed where one was misspelt.
        verb_at: where in `text` the main verb stands after subject and auxiliaries.
        verbs_at: where a pattern of a verb may begin, with the words there: after the subject, after each auxiliary.
        subject: who acts.
        denied_from: where in `text` a negation or a report begins; len(text) where there is none.
        is_negated: whether it holds a negation.
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


_Called = tuple[tuple[int, bool], ...]
"""Where somebody is named, and whether that is one the speaker may mean with itself."""
_COMMITTED = (ClauseType.COMMIT, ClauseType.REQUEST)


@dataclass(frozen=True)
class MessageReading:
    """A message laid open. `original` is the normalised message; `addressees` are lifted from its beginning.

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
        """Every word of every clause, misspelt verbs mended."""
        return frozenset().union(*(clause.words for clause in self.clauses))

    @cached_property
    def _committed(self) -> tuple[Clause, ...]:
        return tuple(clause for clause in self.clauses if clause.type in _COMMITTED)


_QUOTES = str.maketrans(
    {
        "“": '"',
        "”": '"',
        "«": '"',
        "»": '"',
        "„": '"',
        "‘": "'",
        "’": "'",
        "´": "'",
        "`": "'",
        "「": '"',
        "」": '"',
        "『": '"',
        "』": '"',
        "。": ".",
        "、": ",",
    }
)
_ADDRESSEE = re.compile(r"\s*@([\w-]{1,64})[,:]?\s*")
_QUOTED = re.compile(r"""\"([^"\n]*)(?:"|$|(?=\n))|(?<!\w)'(?=\w)((?:[^'\n]|'(?=\w)){1,300}[,.!?])'(?!\w)""")
"""Words in quotation marks; in single ones only with a mark before the last, since apostrophes look the same."""
_SENTENCE = re.compile(r"(?:[^.!?;\n…*]|(?<=\d)\.(?=\d)|(?<=\b[MDS][rst])\.(?= [A-Z])|(?<=\bMrs)\.(?= [A-Z]))+")
_SPACES = re.compile(r"[ \t\r\f\v]+")
_MARKS = re.compile(r"[^\w\s',+-]|(?<!\w)'|'(?!\w)|(?<!\w)[-+](?!\d)|(?<=\w)[-+](?!\w)|(?<=\w)\+")
_DASHES = re.compile(r" -{1,8} | ?(?:--+|[—–]) ?")
_DASH = "-—–"
_META_START = re.compile(r"\s*(?:[(/\[{]|\bo{2}c\b|\bsystem\s*:)", re.IGNORECASE)
_WORD = re.compile(r"[\w'-]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_ENDS = re.compile(r"[.!?\n]")


def normalised(text: str) -> tuple[str, tuple[str, ...], bool]:
    """Return the message with plain quotes and single spaces, who it is addressed to, and whether it was cut."""
    truncated = len(text) > LONGEST
    if truncated:
        text = f"{text[: LONGEST // 2]}\n{text[-LONGEST // 2 :]}"
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    elif "`" in text:
        text = text.replace("`", "'")
    text = _SPACES.sub(" ", text).strip()
    addressees = []
    while found := _ADDRESSEE.match(text):
        addressees.append(found.group(1))
        text = text[found.end() :]
    return text, tuple(addressees), truncated


def words_of(text: str) -> list[str]:
    """Return the words of the text of clauses, whose only marks are commas."""
    return text.replace(",", " ").split()


def folded(text: str) -> str:
    """Return the text in lower case, with the same length."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads messages in one language.

    Attributes:
        grammar: that of the language.
        selves: names, in lower case, of whoever the speaker may mean with itself.
        others: names of everybody else.
        tools: names of tools; a sentence that speaks of one is about the game, not in it.
        people: nouns for people, such as "guard": after one of them it is not known who "he" is.
        speaker_is_npc: whether it is a character of the game master who speaks, told of in the third person.
    """

    grammar: Grammar
    selves: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    tools: Collection[str] = ()
    people: frozenset[str] = frozenset()
    speaker_is_npc: bool = False

    def read(self, text: str) -> MessageReading:
        """Return the clauses of a message in the order of the text."""
        original, addressees, truncated = normalised(text)
        for sign, word in self.grammar.gestures.items():
            original = original.replace(sign, f" {word}. ")
        return MessageReading(original, tuple(self._clauses(original)), addressees, truncated)

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
                cast = Cast(self.selves, self.others, self.speaker_is_npc, is_antecedent)
                yield from self._sentence(found.group(), first, cast, asked=asked)

    def _sentence(self, text: str, start: int, cast: Cast, *, asked: bool) -> Iterator[Clause]:
        grammar = self.grammar
        lower = folded(text)
        if _META_START.match(lower) or ("_" in lower and any(tool in lower for tool in self.tools)):
            yield self._ignored(ClauseType.META, text, start)
            return
        words = frozenset(_LETTERS.findall(lower))
        parts = [part for dashed in _dashed(text) for part in self._parts(*dashed, cast)]
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
        original = _without_marks(text)
        lower = folded(original)
        words = frozenset(_WORD.findall(lower))
        if grammar.is_contracted(lower, words):
            original = grammar.written_out(original)
            lower = folded(original)
            words = frozenset(_WORD.findall(lower))
        head = self._head(lower, original, cast, before)
        if mood.is_order and head.elided and before is None:
            head = head._replace(subject="you")
        if " " in lower and (correction := grammar.correction(lower[head.at :].partition(" ")[0])):
            past = head.at + len(lower[head.at :].partition(" ")[0])
            head = head._replace(places=(*head.places[:-1], (head.at, correction)))
            lower = f"{lower[: head.at]}{correction}{lower[past:]}"
            original = f"{original[: head.at]}{correction}{original[past:]}"
            words |= {correction}
        own = grammar.gated("own_report", lower, words)
        spoken = own is not None and head.subject == "self" and not self.speaker_is_npc
        if own is not None and spoken:
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
        subject = Subject(head.subject)
        return Clause(
            kind,
            lower,
            original,
            start,
            start + len(text),
            words,
            head.at,
            head.places,
            subject,
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

    def _head(self, lower: str, original: str, cast: Cast, before: Clause | None) -> Head:
        return self.grammar.head(lower, original, cast, before.subject.value if before else None)

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


class _Mood(NamedTuple):
    """What the sentence says of one of its clauses."""

    asked: bool
    supposed: bool
    is_past: bool
    is_order: bool
    """Somebody else is called by name: "hand over the key, Vivian"."""


_CARRIED = frozenset({ClauseType.HYPOTHETICAL, ClauseType.PAST, ClauseType.NEGATED})
"""What a clause without a subject of its own takes over from the one before: "I would take it and run"."""


def _dashed(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for dash in _DASHES.finditer(text) if any(map(text.__contains__, _DASH)) else ():
        yield at, text[at : dash.start()]
        at = dash.end()
    yield at, text[at:]


def _without_marks(text: str) -> str:
    """Return the words of a clause, single spaced, with commas as the only marks."""
    if text.replace(" ", "").replace(",", "").isalnum() and " ," not in text:
        return text.strip(" ,")
    cleaned = _MARKS.sub(" ", text)
    if cleaned != text:
        cleaned = _SPACES.sub(" ", cleaned).replace(" ,", ",")
    return cleaned.strip(" ,")
