"""What a ruleset adds to the snapshot that suggestion rules read.

A ruleset names one function (`Ruleset.snapshot`) that takes a snapshot and returns it with its own facts added. Source:
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
    """The state that a snapshot is taken of.

    Attributes:
        world: the campaign; changes to it are dropped.
        actor: the character that the speaker plays, or None.
        turns: records of the last turns, oldest first.
        played_id: the character that the advised agent plays, which limits the snapshot to what that character knows;
            None: everything.
        unseen: the ids of the characters that it does not see.
    """

    world: World
    actor: Character | None
    turns: Sequence[Record]
    played_id: str | None
    unseen: Collection[str]


FillSnapshot = Callable[[Snapshot, SnapshotContext], Snapshot]
"""Returns a snapshot with a ruleset's facts added. The core comes last, and keeps what others said of who is here."""
