"""What `turnwright show` says of momentum."""

from __future__ import annotations

from turnwright.rulesets.api import View, Viewer, World
from turnwright_minimal.momentum import Momentum


def momentum_text(world: World, viewer: Viewer) -> str:
    """Return a line for each character of the party with momentum; of others only the game master sees it."""
    party = world.campaign.selected.party_character_ids
    known = [one for one in world.all(Momentum) if viewer.is_game_master or one.id in party]
    people = ((world.character(one.id), one.amount) for one in known if one.amount)
    return "\n".join(f"{person.label}: {amount}" for person, amount in people if person)


MOMENTUM = View(momentum_text, for_players=True)
