"""The view of a campaign that rules of suggestion look at: plain values, bounded, taken when a message comes.

Source: docs/suggestions.md, "The snapshot".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError

from turnwright.model.campaign import Protocol
from turnwright.model.character import Character
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import AgentKind
from turnwright.protocol.stage0_prepare.prepare import legal_tools
from turnwright.protocol.stage2_settings import between_turns
from turnwright.rulesets.agent_tools import tools_of_agent
from turnwright.rulesets.in_use import settings_in, tables_of
from turnwright.rulesets.sight import hiding_from
from turnwright.rulesets.snapshots import SnapshotContext
from turnwright.rulesets.toolbox import Toolbox, tools_of
from turnwright.suggestions.snapshot import Named, RecentCall, Snapshot, Speaker

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonValue
    from turnwright.model.wire.shapes import Record

RECENT = 3
"""How many of the last turns contribute their calls."""


def snapshot_of(
    world: World,
    agent: AgentKind,
    *,
    turns: Sequence[Record] = (),
    speaker: Speaker = "player",
    actor_id: str | None = None,
    played_id: str | None = None,
) -> Snapshot:
    """Return the snapshot that suggestion rules may read for a message.

    Args:
        world: the campaign.
        agent: the agent that will answer.
        turns: records of the last turns, oldest first; an offer that none of them made is too old to be answered.
        speaker: the author of the message.
        actor_id: the character that the turn acts for; by default the active character.
        played_id: the character that the agent plays: quests and belongings are limited to that character's knowledge.
            None: everything.
    """
    campaign = world.campaign
    actor = world.character(actor_id or campaign.selected.active_actor_id or "")
    seen = Snapshot(
        speaker=speaker,
        agent=agent,
        party=tuple(Named(member.name or member.id, member.id) for member in world.party()),
        allowlist=frozenset(campaign.allowlist),
        registry=frozenset(tools_of(campaign)),
        legal=_legal(world, agent, actor),
        recent_calls=tuple(_recent(turns)),
        from_area_wanted=campaign.contract.move_from == "required",
    )
    unseen = hiding_from(world, {played_id}) if played_id else frozenset()
    ctx = SnapshotContext(World(world), actor, turns, played_id, unseen)
    for fill in tables_of(campaign).snapshots():
        seen = fill(seen, ctx)
    return seen


def fit_arguments(tools: Toolbox, tool: str, arguments: JsonObject) -> tuple[dict[str, JsonValue], tuple[str, ...]]:
    """Return the arguments that a tool's schema takes as they are, and the names of those that it does not.

    Missing arguments are not an error: suggested arguments are only a part of a call.
    """
    model = tools[tool].args_for(Protocol())
    known = {name: value for name, value in arguments.items() if name in model.model_fields}
    try:
        model.model_validate(known)
    except ValidationError as error:
        wrong = {str(fault["loc"][0]) for fault in error.errors() if fault["loc"] and fault["type"] != "missing"}
        known = {name: value for name, value in known.items() if name not in wrong}
    return known, tuple(sorted(set(arguments) - set(known)))


def _legal(world: World, agent: AgentKind, actor: Character | None) -> frozenset[str]:
    """Return the agent's tools of which some call is legal now, in the turn that it makes for the actor."""
    campaign, selected = world.campaign, world.campaign.selected
    acting = actor.id if actor and actor.id in selected.party_character_ids else selected.active_actor_id
    policy = between_turns(campaign, settings_in(campaign), acting)
    own = tools_of_agent(tables_of(campaign), agent)
    return frozenset(tool.name for tool, _ in legal_tools(world, policy, own.intersection(campaign.allowlist)))


def _recent(turns: Sequence[Record]) -> Iterable[RecentCall]:
    """Yield the calls of the last turns, without their damage: a damage call already rolls the concentration save."""
    for record in turns[-RECENT:]:
        for action in record.get("applied_actions", ()):
            yield RecentCall(tool=action["tool"])
