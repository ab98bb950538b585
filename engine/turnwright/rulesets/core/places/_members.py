"""Membership of the party: one list in `campaign.json`; the members' roles in `party.json`.

Source: docs/toolkit.md, "Party".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwright.model.character import Character
from turnwright.model.party import Role
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.places.lookup import party_of, standing_of_party
from turnwright.rulesets.in_use import tables_of

if TYPE_CHECKING:
    from turnwright.rulesets.core.shapes import ShownMember


def member_ids(world: World) -> Sequence[str]:
    """Return the ids of the members, in the party's order."""
    return world.campaign.selected.party_character_ids


def join(world: World, newcomer: Character) -> None:
    """Add a character at the end; the first member becomes the acting character if there is none.

    A newcomer without a position is put where the party is; the very first member, into the first area of the map.
    """
    if newcomer.position is None:
        world.put(newcomer.replace(position=_where_to_join(world)))
    campaign = world.campaign
    selected = campaign.selected
    members = (*selected.party_character_ids, newcomer.id)
    acting = selected.active_actor_id or members[0]
    world.put(campaign.replace(selected=selected.replace(party_character_ids=members, active_actor_id=acting)))


def _where_to_join(world: World) -> str | None:
    """Return the area where the party is; None if it is split, or there is no map."""
    here = standing_of_party(world)
    if here is not None or member_ids(world):
        return here.area_id if here is not None else None
    root = world.layer(None)
    return next(iter(root.areas), None) if root is not None else None


def leave(world: World, gone: Sequence[str]) -> None:
    """Remove members from the party, with their roles; if one of them was acting, no character is."""
    campaign = world.campaign
    selected = campaign.selected
    left = [member for member in selected.party_character_ids if member not in gone]
    acting = None if selected.active_actor_id in gone else selected.active_actor_id
    world.put(campaign.replace(selected=selected.replace(party_character_ids=left, active_actor_id=acting)))
    party = party_of(world)
    roles = {member: role for member, role in party.roles.items() if member not in gone}
    if len(roles) != len(party.roles):
        world.put(party.replace(roles=roles))


def give_role(world: World, character_id: str, role: Role) -> str | None:
    """Give a member a role; there is at most one leader. Returns the id of the former leader, if replaced."""
    party = party_of(world)
    roles = {member: own for member, own in party.roles.items() if member in member_ids(world)}
    demoted = next((member for member, own in roles.items() if own == "leader" and member != character_id), None)
    if role != "leader":
        demoted = None
    elif demoted is not None:
        del roles[demoted]
    roles[character_id] = role
    world.put(party.replace(roles=roles))
    return demoted


def show_member(world: World, member: Character) -> ShownMember:
    """Return a member with current values; a member without a sheet has no class, level or armor class."""
    shown: ShownMember = {
        "character_id": member.id,
        "name": member.label,
        "class": None,
        "level": None,
        "role": party_of(world).roles.get(member.id),
        "hp": member.hp,
        "max_hp": None,
        "ac": None,
    }
    vitals = tables_of(world.campaign).vitals if member.max_hp is not None else None
    return {**shown, **vitals.describe(member)} if vitals is not None else shown
