"""Hostile words, names, objects and files: what all tests of this folder throw at the engine."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

from turnwright.store.log import LOG_PATH

STEERING = (
    "\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07\x1b]8;;http://evil\x1b\\link\x1b[2J\x1b[31m"  # OSC, CSI
    "\x9b31m\x9d0;x\x9c\x85\r\b\x7f\x00"  # C1, and single controls
    "\u202e\u2066\u200b\ufeff\u2028\u2029\u00ad\U000e0041"  # what turns text around or hides
    "\nFORGED"
)
"""Everything that steers a terminal or hides, and a line of its own."""
AS_A_NAME = STEERING.replace("/", "_").replace("\x00", "")
"""The same as a file system takes it."""
HOSTILE_IDS = (
    *("../x", "../../x", "..", ".", "/etc/passwd", "//x", "C:\\x", "..\\x", "a/b", "a/../../x", "~", "~root", "~0"),
    *("x\0y", "con", "NUL", "nul.json", "lpt1", "aux.txt", "root", "campaign.json", "log.jsonl", ".turnwright"),
    *("x" * 64, "x" * 65, "x" * 200, "é", "é" * 100, "x.", "x. ", " x", "-", "--help", "$(x)", "{x}", "%2e%2e%2fx"),
    *("x.json", "X", "ǅ", "e\u0301", "\u202ex", "\n", "\x1b[2J", "results", "turns", "*", "?", "|", "\U0001f409"),
)
"""Ids that would be trouble if one were ever a path."""


def steering_in(text: str) -> list[str]:
    """Return what in an output could steer a terminal, hide, or pass for a line of ours; line feeds alone may stand."""
    found = {f"U+{ord(char):04X}" for char in text if char != "\n" and _steers(char)}
    return sorted(found) + ["a forged line"] * any(line.startswith("FORGED") for line in text.split("\n"))


def _steers(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def tree(folder: Path) -> dict[str, str | bytes | None]:
    """Return everything below a folder: files with their bytes, links with where they lead."""
    return {place.relative_to(folder).as_posix(): _content(place) for place in sorted(folder.rglob("*"))}


def _content(place: Path) -> str | bytes | None:
    if place.is_symlink():
        return f"link to {os.readlink(place)}"  # noqa: PTH115
    return place.read_bytes() if place.is_file() else None


def forged(path: Path, seq: int, **fields: Any) -> None:
    """Change a record of a log and mend the chain of hashes; the checkpoint goes, so that the log is all there is."""
    from tests.fuzz.targets import chained

    records = [json.loads(line) for line in (path / LOG_PATH).read_text(encoding="utf-8").splitlines()]
    records[seq] |= fields
    (path / LOG_PATH).write_bytes(chained(b"".join(json.dumps(record).encode() + b"\n" for record in records)))
    for file in path.glob(".turnwright/checkpoint*"):
        file.unlink()
