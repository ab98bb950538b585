"""Split a text into clauses and say of each what its words commit the speaker to.

Every rule over free text reads clauses, never the raw text: a question, a supposition, a quotation or a recollection
claims nothing. Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from turnwright.language.clause_mood import typed
from turnwright.language.clause_split import ClauseKind, split, without_idioms
from turnwright.language.lexicon import Lexicon
from turnwright.language.tokens import Region, Word, gap_of, regions_of, windows, words_of

__all__ = ["Analysis", "Clause", "ClauseKind", "analyse"]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of one sentence. `elided`: its subject is that of the clause before it.

    `denied` are stretches of `words` under a negation or a verb of saying: `(first, past the last)`.
    """

    kind: ClauseKind
    words: tuple[Word, ...]
    sentence: int
    elided: bool = False
    denied: tuple[tuple[int, int], ...] = ()

    def is_denied(self, at: int) -> bool:
        """Return whether the word at `at` is negated or only reported."""
        return any(first <= at < past for first, past in self.denied)

    def asserts(self, at: int) -> bool:
        """Return whether the word at `at` is said to happen."""
        return self.kind is ClauseKind.COMMIT and not self.is_denied(at)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The clauses of a text, in text order; `truncated` when its middle was not read.

    `words` are all words and marks outside quotations, including those in brackets, in text order.
    """

    clauses: tuple[Clause, ...]
    truncated: bool
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    words: list[Word]
    question: bool
    ends_line: bool
    blank_before: bool


def analyse(
    text: str, lexicon: Lexicon, names: Collection[str] = frozenset(), tools: Collection[str] = frozenset()
) -> Analysis:
    """Return the clauses of `text`.

    `names` are single normalized words that count as names when capitalized, whatever else they could mean; a sentence
    that mentions one of `tools` by its identifier is `meta`.
    """
    regions = regions_of(text)
    clauses: list[Clause] = []
    told: list[Word] = []
    for start, end in windows(text):
        words = _named(words_of(text, start, end), names, lexicon)
        voice, asides = _apart(words, regions, text)
        whole = not any(not word.is_mark for word in voice)
        clauses.extend(
            Clause((ClauseKind.SPEECH if whole else ClauseKind.QUOTED) if region.quoted else ClauseKind.META, held, -1)
            for region, held in asides
        )
        clauses.extend(_voice_clauses(voice, text, lexicon, tools, len(clauses)))
        told.extend(voice)
        told.extend(word for region, held in asides if not region.quoted for word in held)
    clauses.sort(key=lambda clause: (clause.words[0].start, clause.words[-1].end))
    return Analysis(tuple(clauses), gap_of(text) is not None, tuple(sorted(told, key=lambda word: word.start)))


def _named(words: Sequence[Word], names: Collection[str], lexicon: Lexicon) -> list[Word]:
    """Mark the words that are names; a lower-case word counts where a capital may have been left out."""
    is_small = not any(word.capital for word in words)
    told: list[Word] = []
    for i, word in enumerate(words):
        is_name = word.norm in names
        if is_name and not word.capital:
            begins = i == 0 or (words[i - 1].is_stop and words[i - 1].norm != "\n")
            is_name = (is_small or begins) and not lexicon.knows(word)
        told.append(replace(word, sign="", capital=True) if is_name else word)
    return told


def _apart(
    words: Sequence[Word], regions: Sequence[Region], text: str
) -> tuple[list[Word], list[tuple[Region, tuple[Word, ...]]]]:
    """Part the narrator's own words from those inside regions; a quoted full sentence ends the one around it."""
    voice: list[Word] = []
    asides: list[tuple[Region, tuple[Word, ...]]] = []
    at = 0
    for region in [*regions, Region(len(text), len(text), quoted=False)]:
        while at < len(words) and words[at].start < region.start:
            voice.append(words[at])
            at += 1
        first = at
        while at < len(words) and words[at].start < region.end:
            at += 1
        if at > first:
            asides.append((region, tuple(words[first:at])))
            ended = text[max(region.end - 2, 0) : region.end - 1] in (".", "!", "?")
            if region.quoted and ended and at < len(words) and words[at].capital:
                voice.append(Word(".", region.end, region.end, sign="."))
    voice.extend(words[at:])
    return voice, asides


def _voice_clauses(
    words: Sequence[Word], text: str, lexicon: Lexicon, tools: Collection[str], number: int
) -> Iterator[Clause]:
    carried: ClauseKind | None = None
    for sentence in _sentences(words, text):
        number += 1
        carried = None if sentence.blank_before else carried
        aside = _is_meta(sentence.words, text, tools)
        told = without_idioms(_without_label(sentence.words, lexicon), lexicon)
        parts = typed(split(told, lexicon, is_question=sentence.question), sentence.question, lexicon)
        for part in parts:
            kind = ClauseKind.META if aside else (carried or part.kind)
            yield Clause(kind, part.words, number, part.elided, part.denied)
        # A list under "You could:" offers what its heading offers.
        if sentence.ends_line and sentence.words[-1].norm == ":" and parts[-1].kind is not ClauseKind.COMMIT:
            carried = parts[-1].kind


def _without_label(words: Sequence[Word], lexicon: Lexicon) -> Sequence[Word]:
    """Leave out an "OOC:" before a sentence: for all addressees, a game master's text is held to what it tells."""
    return words[2:] if len(words) > 2 and lexicon.has("aside", words[0]) and words[1].norm == ":" else words


def _is_meta(words: Sequence[Word], text: str, tools: Collection[str]) -> bool:
    if words[0].norm == "/":
        return True
    return any(w.norm in tools and ("_" in w.norm or text[w.start - 1 : w.start] == "`") for w in words)


def _sentences(words: Sequence[Word], text: str) -> Iterator[_Sentence]:
    current: list[Word] = []
    newlines = 0
    question = False
    blank = False
    for i, word in enumerate(words):
        following = words[i + 1] if i + 1 < len(words) else None
        if word.norm == "\n" and _is_soft(current, words[i + 1 : i + 3]):
            continue
        if not _ends_sentence(word, text):
            if not current:
                blank, newlines = newlines > 1, 0
            current.append(word)
            continue
        question = question or (word.norm == "?" and not _exclaims(words, i))
        newlines += word.norm == "\n"
        if current and not (following and following.norm in ("?", "!")):
            ends_line = word.norm == "\n" or following is None or following.norm == "\n"
            yield _Sentence(current, question, ends_line, blank)
            current, question = [], False
    if current:
        yield _Sentence(current, question, ends_line=True, blank_before=blank)


def _exclaims(words: Sequence[Word], i: int) -> bool:
    """Whether the question mark at `i` stands beside an exclamation mark: "The rope snaps!?" asks nothing."""
    return any(0 <= j < len(words) and words[j].norm == "!" for j in (i - 1, i + 1))


def _ends_sentence(word: Word, text: str) -> bool:
    if word.norm == ".":
        return not text[word.end : word.end + 1].isalnum()
    return word.is_stop


def _is_soft(current: Sequence[Word], following: Sequence[Word]) -> bool:
    """Whether a line break only wraps a continuing sentence; "1." and "2)" begin items of a list."""
    if not current or not following or following[0].is_mark:
        return False
    if current[-1].norm == ",":
        return True
    item = following[0].norm[0].isdigit() and (len(following) < 2 or following[1].is_mark)
    return not (current[-1].is_mark or following[0].capital or item)
