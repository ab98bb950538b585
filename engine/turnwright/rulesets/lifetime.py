"""What a ruleset does as a campaign begins, is edited, goes on after a session, and is led back by an undo.

Source: docs/rulesets.md, "The life of a campaign".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from turnwright.model.base import Document
from turnwright.model.dice.draws import PartDice
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World


class Template(NamedTuple):
    """A campaign to begin with: one area, nobody in it, and what a ruleset adds.

    Attributes:
        allowlist: the tools that it allows beside those that every template does.
        content: the content packs that it uses.
        documents: documents that it holds beside `campaign.json` and the map, as plain JSON by path.
        settings: settings of its own, nested.
    """

    allowlist: Sequence[str] = ()
    documents: Mapping[str, Any] = {}
    content: Sequence[str] = ()
    settings: Mapping[str, Any] = {}


Opened = Callable[[World, PartDice], None]
"""Makes the changes that follow when people wrote documents: in a new campaign, or by hand.

The world has the documents in it, and takes the changes; the dice are those of the record that the documents come with.
"""


class Resumed(NamedTuple):
    """A session that goes on.

    Attributes:
        record: what its record holds beside head and changes; with `request`, what is asked now.
        documents: what changed.
    """

    record: dict[str, Any]
    documents: Mapping[str, Document | None]


Resume = Callable[[World, PartDice, int], Resumed]
"""Lets a session go on that a player ended; the number is that of its record.

Raises `BadRequest` when there is no such session.
"""


class Restoration(Protocol):
    """How a document that an undo leads back is restored, where it must not be quite what it was."""

    def restore(self, world: World, documents: Mapping[str, Document | None]) -> Mapping[str, Document]:
        """Return the documents that are not to be what they were, as they will be.

        Args:
            world: how things are.
            documents: how documents will be.
        """
        ...

    def as_restored(self, before: JsonObject, after: JsonObject) -> JsonObject:
        """Return the value that a document had, with all that `restore` may change taken from the value it has now."""
        ...
