"""Make text written by players and models harmless to a terminal and to XML."""

from __future__ import annotations

import re

_CONTROL_PICTURES = 0x2400
_REPLACEMENT = "\ufffd"

# Explicit ranges instead of Unicode categories: the answer must not change with the interpreter's Unicode version.
_UNSAFE = (
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # invisible letters, marks and hyphens
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # zero width, line separators, bidi controls
    "\ud800-\udfff\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff"  # surrogates, noncharacters, interlinear annotation
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # format controls of single scripts
    "\U000e0000-\U000e0fff"  # tags and other ignorables
    "]"
)
_NOT_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def terminal_safe(text: str) -> str:
    """Replace every character that could steer a terminal or hide itself, one visible character for each.

    Controls become their pictures (ESC is U+241B), the rest U+FFFD. Applying it twice changes nothing more.
    """
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNSAFE, _stand_in, text)


def xml_safe(text: str) -> str:
    """Escape text for XML content and quoted attributes; characters XML 1.0 has no place for are dropped."""
    return re.sub(_NOT_XML, "", text).translate(_ENTITIES)


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    return "\u2421" if code == 0x7F else _REPLACEMENT
