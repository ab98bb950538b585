"""Check the words of documentation, docstrings, comments and messages against a list of terms to avoid.

    python -m scripts.check_words [FILE ...]

Each term has its standard replacement. Code spans and code blocks of pages are not checked, nor are names in Python
code. `codespell` finds misspellings; this finds words that are spelled correctly and should be others.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("*.md", "docs/**/*.md", "campaigns/**/*.md", "examples/*.md")
CODE = ("engine/turnwright/**/*.py", "scripts/**/*.py", "examples/*.py")

ALLOWED: dict[str, frozenset[str]] = {
    "engine/turnwright/rulesets/fifth_edition/sheets/roll_check.py": frozenset({"cancelled"}),  # a value of `mode`
    "docs/tools/roll_check.md": frozenset({"cancelled"}),
    "engine/turnwright/rulesets/scenes/tools/_visibility.py": frozenset({"cancelled"}),  # a key of a result
    "docs/srd-tiers.md": frozenset({"spare"}),  # the name of a spell
    "scripts/freeze_archive.py": frozenset({"sealed"}),  # a quest's title
}
"""Words that a file needs although they are on the list, by path: wire words and quoted input."""


PRIVATE = {
    "Desk": "TurnInputs",
    "Bench": "TurnContext",
    "Sitting": "Session",
    "Spare": "ReaderPool",
    "InForce": "TurnPolicy",
    "Sealed": "PreparedCommit",
    "TurnTaker": "TurnRunner",
    "Asker": "ModelClient",
    "Horizon": "KnownWorld",
    "Suggestor": "SuggestionEngine",
    "NetDeeds?": "StateChange",
    "Ledger": "EventLog",
    "Shelf": "InMemorySource",
}
"""Names that this code once had for standard things; case counts."""

PHRASES = {
    r"\bwhoever\b": "name the person or program",
    r"\bwhomever\b": "name the person or program",
    r"\b(?:is|are|was|were|be) told of\b": "reported, listed",
    r"\bstands? in (?:the|a|its|their|no|one|stage|this|that)\b(?! way| area)": "is in, see",
    r"\bno ordinary\b": "not a regular",
    r"\bone's own\b": "your own, its own",
    r"\bwhat (?:becomes|became|had become) of\b": "the result of",
    r"\bmade anew\b": "rebuilt",
    r"\bgoes? the way of\b": "is processed like",
    r"\bas it were\b": "leave it out",
    r", be it\b": "whether it is",
}
"""Turns of phrase that make a reader stop; see CONTRIBUTING.md, "Words"."""

BRITISH = {
    r"\b(?:behavi|col|hon|fav|arm|hum|neighb|rum|val)our(?:s|ed|ing|ite|able|less)?\b": "-or",
    r"\b(?:cent|met|lit)res?\b": "-er",
    r"\b(?:recogni|organi|summari|normali|seriali|initiali|reali|capitali|minimi|maximi)s(?:e[sd]?|ing)\b": "-ize",
    r"\b(?:mis)?spelt\b": "spelled",
    r"\blearnt\b": "learned",
    r"\b(?:label|model|travel|cancel|signal|total|level)l(?:ed|ing)\b": "one l",
    r"\blicences?\b": "license",
    r"\bdefences?\b": "defense",
    r"\bgrey\b": "gray",
    r"\bcatalogues?\b": "catalog",
    r"\bartefacts?\b": "artifact",
    r"\bwhilst\b": "while",
}

_TERMS = {re.compile(rf"\b{name}\b"): standard for name, standard in PRIVATE.items()}
_TERMS |= {
    re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE): term for pattern, term in (PHRASES | BRITISH).items()
}
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)]*\)", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`[^`\n]*`")
_MIN_WORDS = 3
"""A string of fewer words is data, such as a name or a word list, rather than a message."""


class Found(NamedTuple):
    """A word to avoid, where it is, and what to write instead."""

    path: str
    line: int
    word: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.word!r}: {self.instead}"


def _blank(match: re.Match[str]) -> str:
    """Return as many lines as a piece of code has, so that line numbers hold."""
    return "\n" * match[0].count("\n") or " "


def prose_of_page(text: str) -> Iterator[tuple[int, str]]:
    """Yield the prose of a page with the number of its first line."""
    yield 1, _CODE.sub(_blank, text)


def prose_of_module(text: str) -> Iterator[tuple[int, str]]:
    """Yield the comments and the strings of a module that read like sentences, with their line numbers."""
    strings = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}  # the latter is new in 3.12
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_message = token.type in strings and len(token.string.split()) >= _MIN_WORDS
        if token.type == tokenize.COMMENT or is_message:
            yield token.start[0], _SPAN.sub(_blank, token.string)


def check(path: str, text: str) -> Iterator[Found]:
    """Yield what a file says in words to avoid, in the order of its lines."""
    pieces = prose_of_module(text) if path.endswith(".py") else prose_of_page(text)
    allowed = ALLOWED.get(path, frozenset())
    for first, piece in pieces:
        for pattern, instead in _TERMS.items():
            for match in pattern.finditer(piece):
                word = " ".join(match[0].split())
                if word.lower() not in allowed:
                    yield Found(path, first + piece.count("\n", 0, match.start()), word, instead)


def files() -> list[Path]:
    """Return the files that are checked, sorted."""
    return sorted({path for pattern in PAGES + CODE for path in ROOT.glob(pattern)})


def main(arguments: Iterable[str]) -> int:
    """Print every word to avoid; return 1 if there is one."""
    found: list[Found] = []
    for path in [Path(one).resolve() for one in arguments] or files():
        name = path.relative_to(ROOT).as_posix()
        if name != "scripts/check_words.py":
            found += check(name, path.read_text(encoding="utf-8"))
    for one in sorted(found):
        print(one)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
