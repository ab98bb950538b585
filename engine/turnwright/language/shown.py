"""Reduce a text to what a screen shows: no invisible characters, entities or tags; look-alikes become plain letters.

Every shown character keeps its offset in the given text, so that excerpts can be cut from the original.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

_PIECE = re.compile(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});"
    r"|<(?P<closing>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9]{0,9})(?P<attributes>[^<>]{0,200})>"
    r"|[^\t\n\r -~]"
)
_ATTRIBUTES = re.compile(r"""(?:\s+[\w:-]{1,40}\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=]+))*\s*/?""")
_WORD = re.compile(r"[^\W\d_]+")
_ROW = re.compile(r"^[ \t]*\|[ \t]*[^\W\d_][^\n]*\|[ \t]*$", re.MULTILINE)

_INLINE = re.compile(
    "a|abbr|b|big|center|cite|code|del|em|font|i|ins|kbd|mark|s|samp|small|span|strike|strong|su[bp]|tt|u|var"
)
_BLOCK = re.compile("blockquote|br|d[dlt]|details|div|h[1-6]|hr|li|ol|p|pre|section|summary|t(?:able|body|head|r)|ul")
_SIGNS = ("+", "-", "−", "×")
_CELLS = frozenset({"td", "th"})
_LINES = frozenset("\u0085\u2028\u2029")
_OVERLAYS = frozenset("\u034f\u0334\u0335\u0336\u0337\u0338")
"""Combining marks that join, or stand across, what they follow, and change no letter."""
_LOOKS = (
    dict(zip("аԁеһіјӏорԛсѕуԝхАВЕІЈКМНОРЅТУԜХ", "adehijlopqcsywxABEIJKMHOPSTYWX", strict=True))
    | dict(zip("αινορυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aivopuABEZHIKMNOPTYX", strict=True))
    | dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))
    | {chr(at + 0xFEE0): chr(at) for at in range(0x21, 0x7F)}
)
"""Letters of other scripts, small capitals and wide letters and marks, by the Latin ones that they look like."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as a screen shows it, and between which places of the given text each of its characters stands.

    `places` is empty where nothing differs.
    """

    text: str
    places: tuple[tuple[int, int], ...] = ()

    def span_of(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]` is in the given text; behind all of it what stands behind `text`."""
        if not self.places or not start < end:
            return self._past(start), self._past(end)
        return self.places[start][0], self.places[end - 1][1]

    def _past(self, at: int) -> int:
        if not self.places or not at:
            return at
        return self.places[at][0] if at < len(self.places) else self.places[-1][1]


def shown(text: str) -> Shown:
    """Return what a screen shows of a text. Takes time in proportion to its length."""
    characters: list[str] = []
    places: list[tuple[int, int]] = []
    past = 0
    for piece in _PIECE.finditer(text):
        looks = _looks_of(piece)
        if looks != piece[0]:
            characters.extend(text[past : piece.start()])
            places.extend((at, at + 1) for at in range(past, piece.start()))
            characters.extend(looks)
            places.extend([piece.span()] * len(looks))
            past = piece.end()
    if past:
        characters.extend(text[past:])
        places.extend((at, at + 1) for at in range(past, len(text)))
        # What took the place of an entity may be invisible itself.
        kept = [at for at, character in enumerate(characters) if not _is_invisible(character)]
        characters, places = [characters[at] for at in kept], [places[at] for at in kept]
    plain = "".join(characters) if past else text
    return Shown(_ROW.sub(_as_sentence, plain if plain.isascii() else _latin(plain)), tuple(places))


def _looks_of(piece: re.Match[str]) -> str:
    found = piece[0]
    if piece["tag"]:
        name = piece["tag"].lower()
        if not _ATTRIBUTES.fullmatch(piece["attributes"]):
            return found
        if name in _CELLS:
            return " "
        return "" if _INLINE.fullmatch(name) else "\n" if _BLOCK.fullmatch(name) else found
    if len(found) > 1:
        return html.unescape(found)
    if found in _LINES:
        return "\n"
    return "" if _is_invisible(found) else found


def _is_invisible(character: str) -> bool:
    if " " <= character <= "~" or character.isspace():
        return False
    is_selector = "\ufe00" <= character <= "\ufe0f"
    return is_selector or character in _OVERLAYS or unicodedata.category(character) in ("Cf", "Cc")


def _latin(text: str) -> str:
    """Return a text with look-alikes as Latin letters: in words that have some, and in all of a Latin text.

    A word in which any letter looks like no Latin one is in another script, and stays as it is.
    """
    letters = [letter for letter in text if letter.isalpha()]
    is_latin = 2 * sum(_is_latin(letter) for letter in letters) > len(letters)

    def fold(match: re.Match[str]) -> str:
        word = match[0]
        if word.isascii() or not all(_is_latin(letter) or letter in _LOOKS for letter in word):
            return word
        return "".join(_LOOKS.get(c, c) for c in word) if is_latin or any(map(_is_latin, word)) else word

    folded = _WORD.sub(fold, text)
    return "".join(_LOOKS.get(c, c) if "\uff01" <= c <= "\uff5e" else c for c in folded)


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


def _as_sentence(row: re.Match[str]) -> str:
    """Return the row of a table that begins with words as one sentence, mark by mark; of equal length.

    A cell that holds a number or one word is a value: "| Mira | 4 | 9 |" becomes a note, "Mira : 4 | 9 ;".
    """
    begin, _, rest = row[0].partition("|")
    inner, _, end = rest.rpartition("|")
    first, *cells = inner.split("|")
    joined, mark = first, ":"
    for cell in cells:
        is_value = cell.strip()[:1].isdigit() or cell.strip()[:1] in _SIGNS or len(cell.split()) == 1
        joined += (mark if is_value else " ") + cell
        mark = "|" if is_value else mark
    return f"{begin} {joined};{end}"
