"""Whether documents fit together: a ruleset's checks beyond the model of each document.

Hand edits, imported campaigns and `check` all use them. Source: docs/rulesets.md, "Validation".
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from turnwright.model.base import Document
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem

D = TypeVar("D", bound=Document)


class Edit(NamedTuple):
    """Documents written by hand, and the campaign that they are part of.

    Attributes:
        world: the campaign with these documents in it.
        paths: the paths of the documents, sorted; of a function that is declared for a path prefix, those below it.
        before: returns the document at a path before the edit; None if there was none.
    """

    world: World
    paths: Sequence[str]
    before: Callable[[str], Document | None]

    def documents(self, model: type[D]) -> Iterator[D]:
        """Yield the edited documents of one model, sorted by path."""
        for path in self.paths:
            document = self.world.get(path)
            if isinstance(document, model):
                yield document


Validation = Callable[[Edit], Iterable[Problem]]
"""Yields the problems of edited documents; any that is not a warning rejects the campaign."""


def duplicates(file: str, where: str, key: str, ids: Sequence[str]) -> Iterator[Problem]:
    """Yield each entry of a list that has the id of one before it: tools would take the one for the other."""
    seen: set[str] = set()
    for index, identifier in enumerate(ids):
        if identifier in seen:
            yield Problem(file, f"{where}[{index}].{key}", "duplicate_id", f"{identifier} stands there twice")
        seen.add(identifier)
