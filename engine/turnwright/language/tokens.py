"""Cut a text into words and set apart what is not the narrator's own voice: quotations, asides, code.

Offsets always count characters of the text as it was given; only the spelling inside a word is normalized.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

WINDOW = 4000
"""Maximum number of characters read at once: reading time grows with the square of a sentence's length."""
MAX_READ_LENGTH = 40_000
"""A longer text is read at its beginning and its end only, half of this each."""

_ALNUM = r"[^\W_]"
# Every quantified group below holds alternatives that begin with different characters, so matching stays linear.
_TOKEN = re.compile(
    rf"\d+(?=(?:hp|dmg)(?!{_ALNUM}))"
    rf"|\d+(?:[.,]\d+)?(?!{_ALNUM})"
    rf"|(?<={_ALNUM})['’]{_ALNUM}+"
    rf"|{_ALNUM}(?:{_ALNUM}|[\u0300-\u036f]|[_-](?={_ALNUM}))*"
    r"|\n|[-=]{1,3}>|--+|\.\.+|[^\s\w*#>~`]",
    re.IGNORECASE,
)
_ARROW = "→"
_DELIMITER = re.compile(r"```|[\"“«(\[{]|(?<!\w)['‘](?=\w)")
_CLOSING = re.compile(r"```|[\"“”»)\]}\n]")
_OPENING = 'opening "'
_OPENS = re.compile(r'[\s(\[—]"\w')
"""A straight quotation mark between a blank and a word closes nothing."""
_GOES_ON = re.compile(r'\n{1,2}["“«]')
_DATA = re.compile(r'[{}=<>|\\]|"[ \t]*:|\w\(|\w_\w|;[ \t]*$|^[ \t]*[/+#-]{2}', re.MULTILINE)
"""Signs of code, data or a drawing, as opposed to prose."""
_PROSE = ("", "text", "txt", "plaintext", "markdown", "md")
"""The labels of fences that hold prose."""
_FAR = 12
"""Maximum number of blanks and marks before a bracket that is a line by itself."""
_APOSTROPHE_END = re.compile(r"(?<=\S)['’](?!\w)")
_SENTENCE_END = re.compile(r"[.!?;](?=\s)|\n")
_CLOSERS = {"“": "”", "«": "»", '"': '"', "(": ")", "[": "]", "{": "}", "```": "```"}
_MULTILINE = frozenset({"{", "```"})
_QUOTES = frozenset('"“«')
_STOPS = frozenset({".", "!", "?", ";", "\n"})


@dataclass(frozen=True, slots=True)
class Word:
    """One word, clitic (`'s`, `'t`), number or mark; `norm` is NFKC and casefolded, with straight apostrophes.

    `sign` is compared with lists of function words; it is empty when the word is a character's name.
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
    if raw[-1] == ">":
        return Word(_ARROW, start, end, sign=_ARROW)
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
    if len(text) <= MAX_READ_LENGTH:
        return None
    half = MAX_READ_LENGTH // 2
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
    """Return quotations, bracketed asides and code regions, in order and disjoint.

    An unclosed quotation or bracket ends with its sentence. Prose in a fence and a whole sentence in brackets are the
    narrator's own words: only the brackets around them are regions.

    In a long text, only regions that overlap the part being read are returned; the whole text decides where they begin.
    """
    head, tail = gap_of(text) or (len(text), 0)
    return [Region(*one) for one in sorted(_regions(text)) if one[0] < head or one[1] > tail]


class _Ends:
    """The positions of closing marks in a text, indexed so that no text is scanned more than once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._places: dict[str, list[int]] = {}
        for match in _CLOSING.finditer(text):
            is_opening = match[0] == '"' and _OPENS.match(text, max(match.start() - 1, 0)) is not None
            self._places.setdefault(_OPENING if is_opening else match[0], []).append(match.start())
        self._apostrophes = [match.start() for match in _APOSTROPHE_END.finditer(text)]
        self._sentences = [match.end() for match in _SENTENCE_END.finditer(text)]

    def closing(self, mark: str, at: int) -> int | None:
        """Return where the next closing `mark` behind `at` stands, on the same line and before another quotation."""
        found = self.anywhere(mark, at)
        if found is None or found >= self.line(at):
            return None
        opening = self.anywhere({'"': _OPENING, "”": "“"}.get(mark, mark), at)
        return None if opening is not None and opening < found else found

    def anywhere(self, mark: str, at: int) -> int | None:
        """Return where the next closing `mark` behind `at` stands."""
        places = self._apostrophes if mark == "'" else self._places.get(mark, ())
        index = bisect_right(places, at)
        return places[index] if index < len(places) else None

    def line(self, at: int) -> int:
        """Return where the line ends in which `at` stands."""
        found = self.anywhere("\n", at - 1)
        return len(self._text) if found is None else found

    def unclosed(self, mark: str, at: int) -> int:
        """Return the end of a quotation or bracket that opens at `at` and is never closed.

        It ends with its sentence, or with its paragraph if the next one begins with the same mark, as in continued
        speech.
        """
        line = self.line(at)
        if mark in _QUOTES and _GOES_ON.match(self._text, line) and self._text[line:].lstrip("\n")[:1] == mark:
            return line
        index = bisect_right(self._sentences, at)
        return min(self._sentences[index] if index < len(self._sentences) else line, line)


def _regions(text: str) -> Iterator[tuple[int, int, bool]]:
    ends, resume, fence_end = _Ends(text), 0, -1
    for match in _DELIMITER.finditer(text):
        mark, at = match.group(), match.start()
        if at < resume or at == fence_end or (mark == '"' and text[at - 1 : at].isdigit()):
            continue
        if mark in "'‘":
            closing = ends.closing("'", at)
            if closing is not None:
                resume = closing + 1
                yield at, resume, True
            continue
        look = ends.anywhere if mark in _MULTILINE else ends.closing
        closing = look(_CLOSERS[mark], at + len(mark) - 1)
        if closing is None:
            if mark != "```":
                resume = max(ends.unclosed(mark, at), at + 1)
                yield at, resume, mark in _QUOTES
            continue
        past = closing + len(mark)
        if mark not in _QUOTES and _is_told(text, at, closing, mark):
            resume = at + len(mark)
            fence_end = closing if mark == "```" else fence_end
            yield at, resume, False
            yield closing, past, False
        else:
            resume = past
            yield at, past, mark in _QUOTES


def _is_told(text: str, at: int, closing: int, mark: str) -> bool:
    """Whether the brackets from `at` to `closing` enclose a whole sentence; for a fence, whether all of it is prose."""
    inner = text[at + len(mark) : closing]
    if mark == "```":
        label, _, inner = inner.partition("\n")
        return label.strip().lower() in _PROSE and not _DATA.search(inner)
    if mark in inner or _DATA.search(inner):
        return False
    begins = text.rfind("\n", max(at - _FAR, 0), at) + 1
    before = text[begins:at] if begins or at < _FAR else "?"
    after = text[closing + 1 : closing + 3]
    is_line = not before.strip(" \t*_>") and (not after.strip(" .!*_") or "\n" in after)
    sentence = inner.strip()
    return is_line or ("A" <= sentence[:1] <= "Z" and sentence[-1:] in ".!" and "\n" not in sentence)
