"""The creatures hidden from the party in each turn that a session shows. A fight forgets them when it is over.

Source: docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwright.campaign.campaign import Campaign
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.rulesets.sight import hiding_from_party, out_of_sight

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

Json = Mapping[str, Any]


class Sight:
    """What a session remembers of it, so that what was not told when it happened is not told afterwards."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._unseen: dict[int, frozenset[str]] = {}

    def unseen(self, turn: Record) -> frozenset[str]:
        """Return the ids of creatures hidden from the party after a turn, including those hidden until it ended the
        fight.

        Args:
            turn: its record, or the reply to one that changed nothing.
        """
        if turn["seq"] not in self._unseen:
            with self._campaign.reading(at=f"#{turn['seq']}") as world:
                self.note(turn, world)
        return self._unseen[turn["seq"]]

    def note(self, turn: Record, world: World) -> None:
        """Remember it of a turn.

        Args:
            turn: as for `unseen`.
            world: the campaign as the turn left it.
        """
        hiding = hiding_from_party(world)
        if any(path.startswith(Encounter.collection) and not _runs(world, path) for path in turn.get("changes", ())):
            with self._campaign.reading(at=f"#{turn['seq'] - 1}") as before:
                hiding = hiding_from_party(before) | hiding
        self._unseen[turn["seq"]] = out_of_sight(world).union(*hiding.values())


def _runs(world: World, path: str) -> bool:
    fight = world.get(path)
    return isinstance(fight, Encounter) and fight.is_running
