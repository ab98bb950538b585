"""What a ruleset adds to the snapshot that rules of suggestion look at.

A ruleset names one function (`Ruleset.snapshot`) that takes a snapshot and returns it with what it knows. Source:
docs/rulesets.md, "Suggestions".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.suggestions.snapshot import Snapshot

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record


class SnapshotContext(NamedTuple):
    """What a snapshot is taken of.

    Attributes:
        world: the campaign; what is changed in it is dropped.
        actor: the character on whose behalf somebody speaks, or None.
        turns: records of the last turns, oldest first.
        played_id: whom the advised agent plays, and so is told only what that one knows; None: everything.
        unseen: the ids of those whom that character does not see.
    """

    world: World
    actor: Character | None
    turns: Sequence[Record]
    played_id: str | None
    unseen: Collection[str]


FillSnapshot = Callable[[Snapshot, SnapshotContext], Snapshot]
"""Returns a snapshot with what a ruleset knows. The core comes last, and keeps what others have said of who is here."""
