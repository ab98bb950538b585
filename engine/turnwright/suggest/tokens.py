"""Cut a text into words and set apart what is not the narrator's own voice: quotations, asides, code.

Offsets always count characters of the text as it was given; only the spelling inside a word is normalised.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

WINDOW = 4000
"""The most characters that are read in one go: what reading takes grows with the square of a sentence."""
LONGEST_READ = 40_000
"""A longer text is read at its beginning and its end only, half of this each."""

_ALNUM = r"[^\W_]"
# Every quantified group below holds alternatives that begin with different characters, so matching stays linear.
_TOKEN = re.compile(
    rf"\d+(?=(?:hp|dmg)(?!{_ALNUM}))"
    rf"|\d+(?:[.,]\d+)?(?!{_ALNUM})"
    rf"|(?<={_ALNUM})['’]{_ALNUM}+"
    rf"|{_ALNUM}(?:{_ALNUM}|[\u0300-\u036f]|[_-](?={_ALNUM}))*"
    r"|\n|--+|\.\.+|[^\s\w*#>~`]",
    re.IGNORECASE,
)
_DELIMITER = re.compile(r"```|[\"“”«»()\[\]{}\n]|(?<!\w)['‘](?=\w)")
_APOSTROPHE_END = re.compile(r"(?<=\S)['’](?!\w)")
_SENTENCE_END = re.compile(r"[.!?;](?=\s)|\n")
_CLOSERS = {"“": "”", "«": "»", '"': '"', "(": ")", "[": "]", "{": "}", "```": "```"}
_MULTILINE = frozenset({"{", "```"})
_QUOTES = frozenset('"“«')
_STOPS = frozenset({".", "!", "?", ";", "\n"})


@dataclass(frozen=True, slots=True)
class Word:
    """One word, clitic (`'s`, `'t`), number or mark; `norm` is NFKC and casefolded, with straight apostrophes.

    `sign` is what lists of function words are compared with; it is empty where the word is somebody's name.
    """

    norm: str
    start: int
    end: int
    capital: bool = False
    sign: str = ""

    @property
    def is_mark(self) -> bool:
        """Whether this is punctuation."""
        return not (self.norm[:1].isalnum() or (self.norm[:1] == "'" and len(self.norm) > 1))

    @property
    def is_stop(self) -> bool:
        """Whether this is a mark that a sentence can end with."""
        return self.norm in _STOPS or self.norm.startswith("..")


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch that is not the narrator's voice. `quoted` is false for asides and code."""

    start: int
    end: int
    quoted: bool


def words_of(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """Return the words and marks of `text[start:end]`, in order."""
    return [
        _word(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text, start, len(text) if end is None else end)
    ]


def _word(raw: str, start: int, end: int) -> Word:
    norm = raw.lower() if raw.isascii() else unicodedata.normalize("NFKC", raw).casefold().replace("’", "'")
    return Word(norm, start, end, raw[:1].isupper(), norm)


def windows(text: str) -> list[tuple[int, int]]:
    """Return the stretches to read, one after the other: all of a text, or both ends of a very long one.

    They end where a paragraph does, else a sentence, else a word.
    """
    if len(text) <= WINDOW:
        return [(0, len(text))]
    head, tail = gap_of(text) or (len(text), len(text))
    return [*_cut(text, 0, head), *_cut(text, tail, len(text))]


def gap_of(text: str) -> tuple[int, int] | None:
    """Return where the part of a text begins and ends that is not read; None where all of it is."""
    if len(text) <= LONGEST_READ:
        return None
    half = LONGEST_READ // 2
    first = _SENTENCE_END.search(text, len(text) - half)
    return _end_before(text, 0, half, is_whole=True), first.end() if first else len(text)


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        past = end if end - start <= WINDOW else _end_before(text, start, start + WINDOW)
        yield start, past
        start = past


def _end_before(text: str, start: int, limit: int, *, is_whole: bool = False) -> int:
    """Return where to stop reading between two places; with `is_whole` nowhere but behind a sentence."""
    paragraph = text.rfind("\n\n", (start + limit) // 2, limit)
    if paragraph >= 0:
        return paragraph + 2
    sentence = max((m.end() for m in _SENTENCE_END.finditer(text, start, limit)), default=start)
    if sentence > start or is_whole:
        return sentence
    word = max(text.rfind(" ", start, limit), text.rfind("\n", start, limit)) + 1
    return word if word > start else limit


def regions_of(text: str) -> list[Region]:
    """Return quotations, bracketed asides and code, in order and disjoint; an unclosed one ends with its line.

    Of a long text, those that reach into what is read; all of it decides where they begin.
    """
    apostrophes = [m.start() for m in _APOSTROPHE_END.finditer(text)]
    head, tail = gap_of(text) or (len(text), 0)
    return [Region(*found) for found in _regions(text, apostrophes) if found[0] < head or found[1] > tail]


def _regions(text: str, apostrophes: list[int]) -> Iterator[tuple[int, int, bool]]:
    opener, opened, resume, line_end = "", 0, 0, -1
    for match in _DELIMITER.finditer(text):
        mark, at = match.group(), match.start()
        if at < resume:
            continue
        if opener:
            if mark == _CLOSERS[opener] or (mark == "\n" and opener not in _MULTILINE):
                yield opened, at if mark == "\n" else match.end(), opener in _QUOTES
                opener = ""
        elif mark in "'‘":
            if line_end < at:  # find() answers -1 on the last line, which the remainder makes the end of the text
                line_end = text.find("\n", at) % (len(text) + 1)
            closing = bisect_left(apostrophes, at + 1)
            if closing < len(apostrophes) and apostrophes[closing] < line_end:
                resume = apostrophes[closing] + 1
                yield at, resume, True
        elif mark in _CLOSERS and not (mark == '"' and text[at - 1 : at].isdigit()):
            opener, opened = mark, at
    if opener:
        yield opened, len(text), opener in _QUOTES
