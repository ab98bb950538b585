"""Which fight counts, and which body a participant has. Source: docs/agents.md, "The agents"."""

from __future__ import annotations

from turnwright.model.character import Character
from turnwright.model.encounter import RUNNING_TAG, Encounter, Participant
from turnwright.model.state.overlay import World

FIGHT_TAG = "fight"
"""The tag of a note that has a fight ready; its other tags are the monsters, such as `2 Giant Rat`."""


def fight_now(world: World, actor_id: str | None) -> Encounter | None:
    """Return the running fight that counts: the actor's own, else one of the party's, else the first there is."""
    running = world.all_tagged(Encounter, RUNNING_TAG)
    wanted = [actor_id] if actor_id else []
    for one in [*wanted, *world.campaign.selected.party_character_ids]:
        for fight in running:
            if any(person.character_id == one for person in fight.participants):
                return fight
    return running[0] if running else None


def find_body(world: World, person: Participant) -> Character | None:
    """Return the character that a participant is: its own body, or the one it is linked to; None where that is gone."""
    if person.body is not None:
        return person.body
    return world.character(person.character_id) if person.character_id else None


def enemies_standing(world: World, fight: Encounter) -> int:
    """Return how many enemies of a fight are above 0 hit points, and not dead by other means."""
    bodies = (find_body(world, person) for person in fight.participants if person.is_enemy)
    return sum(body is not None and is_standing(body) for body in bodies)


def is_standing(body: Character) -> bool:
    """Return whether a combatant is above 0 hit points, and not dead by other means."""
    return (body.hp is None or body.hp > 0) and not body.is_dead
