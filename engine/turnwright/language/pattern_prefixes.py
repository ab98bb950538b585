"""The words that a pattern can begin with, so that it is tried only where one of them stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from turnwright.language.message_text import WORD

MACRO = re.compile(r"\{([a-z][a-z_]*)\}|(?<!P)<([a-z]+)>")
"""A list in braces, or a verb in angle brackets."""
_ENDING = re.compile(r"\(\?:([\w'|]+)\)(\??)|\[(\w+)\](\??)")
_AFTER_WORD = re.compile(r" |$|\\b|,|\||\)|\(\?:\$|\(\?: |\(\?:, ")


def one_line(pattern: str) -> str:
    """Return a pattern that may be written over several lines as the one line it stands for."""
    return "".join(line.strip() for line in pattern.splitlines())


Spelt = Callable[[str], frozenset[str]]


def first_words(pattern: str, lists: Mapping[str, frozenset[str]], spelt: Spelt) -> frozenset[str]:
    """Return every word a pattern can begin with; empty where that cannot be told.

    Understood are lists in braces, verbs in angle brackets (`spelt` gives their forms), plain words with an optional
    ending (`take(?:s)?`, `use[sd]?`), and groups of alternatives of these.
    """
    found: set[str] = set()
    for branch in _branches(one_line(pattern)):
        words = _of_branch(branch, lists, spelt)
        if not words:
            return frozenset()
        found |= words
    return frozenset(found)


def _branches(pattern: str) -> Iterator[str]:
    """Yield the alternatives at the beginning of a pattern, groups within groups taken apart."""
    for branch in _alternatives(pattern):
        inner = _leading_group(branch)
        if inner is None:
            yield branch
        else:
            group, rest = inner
            yield from (part + rest for part in _branches(group))


def _leading_group(branch: str) -> tuple[str, str] | None:
    """Return the inside of a group that a branch begins with, and what follows it."""
    if not branch.startswith("(?:"):
        return None
    depth = 0
    for at, sign in enumerate(branch):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            rest = branch[at + 1 :]
            return None if rest[:1] in ("?", "*", "{") and not MACRO.match(rest) else (branch[3:at], rest)
    return None


def _alternatives(pattern: str) -> Iterator[str]:
    """Yield what stands between the bars that are not inside a group."""
    depth, first = 0, 0
    for at, sign in enumerate(pattern):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            yield pattern[first:at]
            first = at + 1
    yield pattern[first:]


def _of_branch(branch: str, lists: Mapping[str, frozenset[str]], spelt: Spelt) -> set[str]:
    if macro := MACRO.match(branch):
        entries = lists.get(macro.group(1), frozenset()) if macro.group(1) else spelt(macro.group(2))
        return {entry.partition(" ")[0] for entry in entries}
    literal = WORD.match(branch)
    if literal is None:
        return set()
    word, at = literal.group(), literal.end()
    ending = _ENDING.match(branch, at)
    if ending is None:
        return {word} if _AFTER_WORD.match(branch, at) or at == len(branch) else set()
    if not (_AFTER_WORD.match(branch, ending.end()) or ending.end() == len(branch)):
        return set()
    endings = ending.group(1).split("|") if ending.group(1) else list(ending.group(3))
    is_optional = "?" in (ending.group(2), ending.group(4))
    return {word + end for end in endings} | ({word} if is_optional else set())
