"""The role for which a list of tools is made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from turnwright.model.authority import GM, player_of
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.protocol.stage2_settings import TurnPolicy, between_turns, require_authority
from turnwright.rulesets.in_use import settings_in


@dataclass(frozen=True, slots=True)
class Role:
    """A role that is offered tools.

    Attributes:
        authority: that of the door: `gm` or `player:<character id>`.
        tools: the tools of an agent; None for a door without agents, which is offered all that its authority may call.
        operations: where an agent has a tool for some operations only: these, by tool.
        acting_id: on whose behalf the calls are made; default: the player's character, or the active one.
    """

    authority: str = GM
    tools: frozenset[str] | None = None
    operations: Mapping[str, Sequence[str]] = field(default_factory=dict)
    acting_id: str | None = None

    def narrowed(self, names: Collection[str]) -> Role:
        """Return the same role with no other tools than these."""
        return replace(self, tools=frozenset(names) if self.tools is None else self.tools.intersection(names))

    def policy(self, world: World, settings: Settings | None = None) -> TurnPolicy:
        """Return what holds for the calls of this role.

        Raises:
            BadRequest: when the authority is none.
        """
        require_authority(self.authority)
        campaign = world.campaign
        acting_id = player_of(self.authority) or self.acting_id or campaign.selected.active_actor_id
        settings = settings or settings_in(campaign)
        return between_turns(campaign, settings, acting_id, self.authority)


GAME_MASTER = Role()
