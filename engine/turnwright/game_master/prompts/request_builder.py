"""Build a model's request: its identity, knowledge, conversation, and available tools.

A pure function of the state and of the records. Source: docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from turnwright.game_master.agents import (
    Chosen,
    DueTurn,
    choose_agent,
    chosen_as,
    limits_of,
    model_of,
)
from turnwright.game_master.answer_schema import schema_of_answer, schema_of_turn_file
from turnwright.game_master.knowledge.known_world import horizon_of
from turnwright.game_master.prompts import context_pack as pack
from turnwright.game_master.prompts import conversation
from turnwright.game_master.prompts.token_budget import Budget, fit
from turnwright.game_master.prompts.tool_list import listed_tools, prompt_tokens, takes_names
from turnwright.game_master.tool_permissions import own_tools, permission_failure, tools_for
from turnwright.llm.port import Limits, Message
from turnwright.model.authority import GM
from turnwright.model.campaign import CREW_PATH, Protocol
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.protocol.stage0_prepare.prepare import describe, legal_schema
from turnwright.protocol.stage2_settings import TurnPolicy, between_turns
from turnwright.rulesets.agent_tools import operations_of_agent
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.toolbox import Toolbox, tools_of
from turnwright.toolset.forms import in_form
from turnwright.toolset.role import GAME_MASTER, Role

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.wire.prompt import ToolDefinition
    from turnwright.model.wire.shapes import FailedCall, Record

__all__ = ["AgentRequest", "build_request", "limits_of", "model_of"]


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """A model's input for one answer, and the fields of the resulting turn.

    Attributes:
        agent: the answering agent.
        npc_id: the character it plays, if any.
        said: the player's message; empty if there is none.
        system: the system prompt.
        messages: the conversation, oldest first; the last message is the one to answer.
        tools: the tools it may ask for, in the form of the OpenAI API.
        tool_names: their names.
        own_tools: all tools of the agent, whether or not they are allowed and can be called now.
        known_tools: the tools of all agents: one that is not among them is unknown, and not merely forbidden.
        answer_schema: the JSON Schema of an answer that is one document, with the ids that are legal now.
        output_schema: that of the `output` of a scene game alone; None where none is taken.
        prompt_id: what the turn names as its `prompt_id`; None where it names none.
        actor: what the turn names as its `actor_id`; None where it names none.
        speaker_id: who speaks in the text; None for the game master's voice.
        addressees: the characters the text is meant for; empty for all.
        private: whether only they hear it.
        voice: who a model is to be in a scene game; empty elsewhere.
        model: the name of the model, empty where none is named.
        limits: its limits.
        role: what it may call, for `find_tool`.
        takes_names: whether its calls come from a short list: they may go through `call_tool`, name things by name, and
            leave out what can be one thing only.
    """

    agent: AgentKind
    npc_id: str | None
    said: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...]
    tool_names: tuple[str, ...]
    own_tools: frozenset[str]
    known_tools: Toolbox
    answer_schema: JsonSchema
    output_schema: JsonSchema | None
    prompt_id: int | None
    actor: str | None
    speaker_id: str | None
    addressees: tuple[str, ...]
    private: bool
    voice: str
    model: str
    limits: Limits
    role: Role = GAME_MASTER
    takes_names: bool = False

    def refusal(self, call: Any) -> FailedCall | None:
        """Return the feedback to a call of a model that its agent may not make; None for any other."""
        return permission_failure(call, self.own_tools, self.role.operations, self.tool_names, self.known_tools)


def build_request(
    world: World,
    records: Sequence[Record],
    settings: Settings,
    message: str | None,
    *,
    agent: AgentKind | Chosen | None = None,
    actor_id: str | None = None,
    private: bool = False,
    due: DueTurn | None = None,
    suggestions_block: str = "",
    seed: int | None = None,
) -> AgentRequest:
    """Return the input of the agent that answers a message.

    Args:
        world: the campaign.
        records: its records up to the last one, the oldest first; of many, the newest are enough.
        settings: the settings in force.
        message: the player's message; None or blank for none.
        agent: who answers; by default, the agent that the message is for.
        actor_id: who speaks; by default the active character.
        private: only those who are addressed hear it.
        due: the turn in a fight that is taken without a message.
        suggestions_block: what was suggested for the message, as it goes into the prompt.
        seed: for models that can be seeded.

    Raises:
        CampaignInvalid: in a scene game when the scene, or the place where it is, does not exist.
    """
    said = (message or "").strip()
    if world.get(CREW_PATH) is not None:
        return _of_scene(world, settings, message or "", suggestions_block, seed)
    actor_id = actor_id or world.campaign.selected.active_actor_id
    chosen = agent if isinstance(agent, Chosen) else _chosen(world, settings, said, agent, actor_id, private, due)
    lines = conversation.seen(world, records, settings, chosen, actor_id, message or "")
    role = _role(world, chosen, actor_id)
    names, schema = _legal(world, settings, chosen, role)
    tools = listed_tools(world, settings, role, names)
    asked = pack.Asked(
        chosen=chosen,
        actor_id=actor_id,
        tools=names,
        operations=role.operations.get("manage_quest", ("offer", "complete")),
        due=due,
        lines=lines,
        untold=conversation.untold(records, settings, chosen),
        has_hints=bool(suggestions_block),
    )
    system, messages = _fitted(world, settings, asked, said and (message or ""), suggestions_block)
    is_somebody = chosen.agent in NPC_AGENTS
    limits = limits_of(settings, chosen.agent, seed)
    hearers = [one for one in (actor_id, *chosen.addressees) if one and one != chosen.npc_id]
    return AgentRequest(
        agent=chosen.agent,
        npc_id=chosen.npc_id,
        said=message or "",
        system=system,
        messages=messages,
        tools=tuple(in_form(tools, "openai")),
        tool_names=names,
        own_tools=own_tools(world, chosen),
        known_tools=tools_of(world.campaign),
        answer_schema=schema_of_answer(schema, limits.max_tokens),
        output_schema=None,
        prompt_id=None,
        actor=_actor(world, chosen, actor_id),
        speaker_id=chosen.npc_id if is_somebody else None,
        addressees=tuple(dict.fromkeys(hearers)) if is_somebody or chosen.private else (),
        private=chosen.private,
        voice="",
        model=model_of(settings, chosen.agent),
        limits=limits,
        role=role,
        takes_names=takes_names(settings),
    )


def _chosen(
    world: World,
    settings: Settings,
    said: str,
    agent: AgentKind | None,
    actor_id: str | None,
    private: bool,
    due: DueTurn | None,
) -> Chosen:
    if due is not None:
        return Chosen(AgentKind.COMBAT, due.acting_id, is_ally_turn=due.side == "ally")
    chosen = choose_agent(world, said, settings=settings, actor_id=actor_id, private=private)
    return chosen if agent is None else chosen_as(world, settings, agent, chosen)


def _actor(world: World, chosen: Chosen, actor_id: str | None) -> str | None:
    """Return the character that the turn acts for: an agent-played party member acts for itself."""
    party = world.campaign.selected.party_character_ids
    if chosen.agent in NPC_AGENTS and chosen.npc_id in party:
        return chosen.npc_id
    return actor_id if actor_id in party else None


# what it may ask for


def _role(world: World, chosen: Chosen, actor_id: str | None) -> Role:
    """Return an agent's allowed calls, and the characters it may act for."""
    operations = operations_of_agent(tables_of(world.campaign), chosen.agent)
    return Role(GM, frozenset(tools_for(world, chosen)), operations, _actor(world, chosen, actor_id))


def _legal(world: World, settings: Settings, chosen: Chosen, role: Role) -> tuple[tuple[str, ...], JsonSchema]:
    """Return the names of the tools of which some call is legal now, and the schema of one call."""
    known = horizon_of(world, chosen, role.acting_id).ids if chosen.agent in NPC_AGENTS else None
    schema = legal_schema(world, role.policy(world, settings), role.tools, role.operations, known=known)
    return tuple(call["properties"]["tool"]["const"] for call in schema.get("oneOf", ())), schema


def _in_force(world: World, settings: Settings, acting_id: str | None) -> TurnPolicy:
    return between_turns(world.campaign, settings, acting_id or world.campaign.selected.active_actor_id)


@lru_cache(maxsize=256)
def _described(tool: Tool[Any], protocol: Protocol) -> ToolDefinition:
    described: ToolDefinition = describe(tool, "openai", protocol)
    return described


# the prompt


def _fitted(
    world: World, settings: Settings, asked: pack.Asked, message: str, suggestions_block: str
) -> tuple[str, tuple[Message, ...]]:
    """Return the system prompt and the messages, cut to the budget; the message itself is never cut."""
    from turnwright.game_master.prompts.templates import render_from

    def system(room: Budget) -> str:
        text = render_from(str(asked.chosen.agent), pack.context_of(world, asked, room).values())
        return f"{text}\n{suggestions_block.strip()}\n" if room.has_hints and suggestions_block else text

    def texts(room: Budget) -> list[str]:
        return [system(room), *(one.text for one in conversation.history(world, asked, room))]

    room = fit(texts, prompt_tokens(settings))
    last = Message("player", conversation.to_answer(world, asked, message))
    return system(room), (*conversation.history(world, asked, room), last)


# scene games


def _of_scene(world: World, settings: Settings, message: str, suggestions_block: str, seed: int | None) -> AgentRequest:
    from turnwright.game_master.prompts.scene_prompt import prompt_of

    agent = AgentKind.NARRATIVE
    prompt = prompt_of(world, settings)
    said = prompt.user or message
    policy = _in_force(world, settings, prompt.actor)
    schema, known_tools = legal_schema(world, policy, prompt.tools), tools_of(world.campaign)
    limits = limits_of(settings, agent, seed)
    if prompt.output_schema is None:
        answer_schema = schema_of_answer(schema, limits.max_tokens)
    else:
        answer_schema = schema_of_turn_file(
            schema, limits.max_tokens, prompt.output_schema, prompt_id=prompt.prompt_id, actor=prompt.actor
        )
    block_too = f"{prompt.system}\n{suggestions_block.strip()}\n" if suggestions_block else prompt.system
    return AgentRequest(
        agent=agent,
        npc_id=None,
        said=said,
        system=block_too,
        messages=(Message("player", said or conversation.NOBODY_SPEAKS),),
        tools=tuple(_described(known_tools[name], policy.protocol) for name in prompt.tools),
        tool_names=prompt.tools,
        own_tools=frozenset(known_tools),
        known_tools=known_tools,
        answer_schema=answer_schema,
        output_schema=prompt.output_schema,
        prompt_id=prompt.prompt_id,
        actor=prompt.actor,
        speaker_id=None,
        addressees=(),
        private=False,
        voice=prompt.voice,
        model=model_of(settings, agent),
        limits=limits,
    )
