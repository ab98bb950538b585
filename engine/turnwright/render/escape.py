"""Make text written by players and models harmless to a terminal and to XML."""

from __future__ import annotations

import re

_CONTROL_PICTURES = 0x2400
_REPLACEMENT = "\ufffd"

JOINERS = "\u200c\u200d"
"""Zero width, and at their places a part of spelling: they decide how the signs beside them are drawn."""
_JOINING = (
    "\u0620-\u06ff\u0700-\u077f\u07ca-\u07fa\u0840-\u08ff"  # Arabic, Syriac, N'Ko, Mandaic
    "\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17d3\u1807\u1820-\u18aa"  # India to Mongolia
)
_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
_EMOJI = "\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_IN_PLACE = (
    f"[{JOINERS}](?:(?<=[{_JOINING}].)(?=[{_JOINING}])|(?<=[{_VIRAMA}].))"
    f"|\u200d(?:(?<=[{_EMOJI}].)|(?<=[{_EMOJI}]\ufe0f.))(?=[{_EMOJI}])"
)

# Explicit ranges instead of Unicode categories: the answer must not change with the interpreter's Unicode version.
HIDDEN = (
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # invisible letters, marks and hyphens
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # zero width, line separators, bidi controls
    "\ud800-\udfff\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff"  # surrogates, noncharacters, interlinear annotation
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # format controls of single scripts
    "\U000e0000-\U000e0fff"  # tags and other ignorables
    "]"
)
"""Pattern of a character that could steer a terminal or hide itself, wherever it stands."""
_OUT_OF_PLACE = f"(?!{_IN_PLACE}){HIDDEN}"
_NOT_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def terminal_safe(text: str) -> str:
    """Replace every character that could steer a terminal or hide itself, one visible character for each.

    Controls become their pictures (ESC is U+241B), the rest U+FFFD. Joiners stay between letters of scripts that are
    written with them, and between emoji that make one. Applying it twice changes nothing more.
    """
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_OUT_OF_PLACE, _stand_in, text)


def xml_safe(text: str) -> str:
    """Escape text for XML content and quoted attributes; characters XML 1.0 has no place for are dropped."""
    return re.sub(_NOT_XML, "", text).translate(_ENTITIES)


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    return "\u2421" if code == 0x7F else _REPLACEMENT
