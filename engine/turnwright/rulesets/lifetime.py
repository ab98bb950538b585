"""What a ruleset does when a campaign begins, is edited, resumes after a session, or is undone.

Source: docs/rulesets.md, "The life of a campaign".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from turnwright.model.base import Document
from turnwright.model.dice.draws import PartDice
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World


class Template(NamedTuple):
    """A starting campaign: one area without characters, and what a ruleset adds.

    Attributes:
        allowlist: the tools that it allows in addition to those of every template.
        content: the content packs that it uses.
        documents: its documents beside `campaign.json` and the map, as plain JSON by path.
        settings: its settings, nested.
    """

    allowlist: Sequence[str] = ()
    documents: Mapping[str, Any] = {}
    content: Sequence[str] = ()
    settings: Mapping[str, Any] = {}


Opened = Callable[[World, PartDice], None]
"""Makes the changes that follow when documents are written outside play: in a new campaign, or by hand.

The world contains the documents and receives the changes; the dice belong to the record that adds the documents.
"""


class Resumed(NamedTuple):
    """A resumed session.

    Attributes:
        record: the contents of its record beside head and changes; with `request`, the open request.
        documents: the changed documents.
    """

    record: dict[str, Any]
    documents: Mapping[str, Document | None]


Resume = Callable[[World, PartDice, int], Resumed]
"""Resumes a session that a player ended; the number is that of its record.

Raises `BadRequest` when no such session exists.
"""


class Restoration(Protocol):
    """How a document is restored by an undo, if not exactly as it was."""

    def restore(self, world: World, documents: Mapping[str, Document | None]) -> Mapping[str, Document]:
        """Return the documents that must differ from their former state, in their final form.

        Args:
            world: the current campaign.
            documents: the documents as they will be after the undo.
        """
        ...

    def as_restored(self, before: JsonObject, after: JsonObject) -> JsonObject:
        """Return the value that a document had, with all that `restore` may change taken from the value it has now."""
        ...
