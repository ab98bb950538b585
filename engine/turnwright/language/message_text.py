"""The text of a message, made plain: quotation marks, spaces and letters of one kind, before and within its clauses.

Source: docs/suggestions.md, "Reading a message".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

MAX_LENGTH = 4000
"""A longer message is read at its beginning and its end only, half of this each."""
WORD = re.compile(r"[\w'-]+")
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
_SPACES = re.compile(r"[ \t\r\f\v]+")
_MARKS = re.compile(r"[^\w\s',+-]|(?<!\w)'|'(?!\w)|(?<!\w)[-+](?!\d)|(?<=\w)[-+](?!\w)|(?<=\w)\+")
_DASHES = re.compile(r" -{1,8} | ?(?:--+|[—–]) ?")
_DASH = "-—–"


def normalised(text: str) -> tuple[str, tuple[str, ...], bool]:
    """Return the message with plain quotes and single spaces, its addressee, and whether it was cut."""
    truncated = len(text) > MAX_LENGTH
    if truncated:
        text = f"{text[: MAX_LENGTH // 2]}\n{text[-MAX_LENGTH // 2 :]}"
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


def dashed(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text that dashes set off, each with where it begins."""
    at = 0
    for dash in _DASHES.finditer(text) if any(map(text.__contains__, _DASH)) else ():
        yield at, text[at : dash.start()]
        at = dash.end()
    yield at, text[at:]


def without_marks(text: str) -> str:
    """Return the words of a clause, single spaced, with commas as the only marks."""
    if text.replace(" ", "").replace(",", "").isalnum() and " ," not in text:
        return text.strip(" ,")
    cleaned = _MARKS.sub(" ", text)
    if cleaned != text:
        cleaned = _SPACES.sub(" ", cleaned).replace(" ,", ",")
    return cleaned.strip(" ,")
