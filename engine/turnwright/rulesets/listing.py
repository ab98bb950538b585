"""How the lists that models are given show a tool: which arguments most calls need, and how soon a short list has it.

The rows are in `_listing.py` beside the tools; a tool without one is listed after all others, with the arguments that
it requires. Source: docs/stages/0-prepare.md, "Profiles".
"""

from typing import NamedTuple

LAST = 1000
"""The rank of a tool without a row."""


class Listing(NamedTuple):
    """How lists show a tool.

    Attributes:
        rank: its position in a short list; the smallest first.
        usual: the arguments that most calls need; the most needed first.
        few: how many of them the shortest list names.
        note: what a model must know beyond the first line of the description; empty if that is enough.
        inner: the keys that most calls need of an argument that holds objects, as `argument.key`; none: all of them.
        words: search words for `find_tool` in addition to its name and operations.
    """

    rank: int = LAST
    usual: tuple[str, ...] = ()
    few: int = 0
    note: str = ""
    inner: tuple[str, ...] = ()
    words: str = ""

    def keys_of(self, argument: str) -> tuple[str, ...]:
        """Return the usual keys of the objects in an argument; none if all keys are usual."""
        own = f"{argument}."
        return tuple(name.removeprefix(own) for name in self.inner if name.startswith(own))


UNLISTED = Listing()


def listing(rank: int, usual: str, note: str = "", inner: str = "", words: str = "") -> Listing:
    """Return a row.

    Args:
        rank: the tool's position in a short list.
        usual: the arguments that most calls need, separated by blanks; those before `|` are in the shortest list.
        note: what else a model must know.
        inner: `argument.key` of arguments that hold objects, separated by blanks.
        words: everyday words for what it does, separated by blanks.
    """
    few, bar, more = usual.partition("|")
    names = (*few.split(), *more.split())
    return Listing(rank, names, len(few.split()) if bar else len(names), note, tuple(inner.split()), words)
