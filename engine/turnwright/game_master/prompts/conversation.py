"""Build a model's conversation: the texts it may see, as messages, and the message to answer.

Source: docs/agents.md, "Who sees what"; docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwright.game_master.agents import Chosen
from turnwright.game_master.knowledge.utterances import standing
from turnwright.game_master.knowledge.visibility import Line, Reader, visible
from turnwright.game_master.prompts import context_pack as pack
from turnwright.game_master.prompts.people import clipped
from turnwright.game_master.prompts.quoting import Ours, block, quoted
from turnwright.game_master.prompts.token_budget import Budget
from turnwright.llm.port import Message
from turnwright.model.encounter import Encounter
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.render.escape import terminal_safe
from turnwright.rulesets.fifth_edition.fights.running import fight_now

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

RECENT = 400
"""Number of records, from the newest, that are searched for messages."""
NOBODY_SPEAKS = "(Nobody says anything. Go on.)"
BRIDGE = "(Write the summary.)"


def seen(
    world: World, records: Sequence[Record], settings: Settings, chosen: Chosen, actor_id: str | None, message: str
) -> tuple[Line, ...]:
    """Return what the agent may see of what was said, without the message that waits for the answer."""
    fight = fight_now(world, actor_id) if chosen.agent is AgentKind.COMBAT else _last_fight(world, records, chosen)
    reader = Reader(chosen.agent, chosen.npc_id if chosen.agent in NPC_AGENTS else None, fight.id if fight else None)

    def name_of(identifier: str) -> str:
        person = world.character(identifier)
        return person.label if person else identifier

    history: str = settings["suggestions.party_history"]
    lines = visible(records[-RECENT:], reader, name_of=name_of, party_history=history)
    last = next((line for line in reversed(lines) if line.agent is not AgentKind.SUMMARIZER), None)
    is_waiting = last is not None and last.role == "player" and last.text == message
    return tuple(line for line in lines if line is not last) if is_waiting else lines


def _last_fight(world: World, records: Sequence[Record], chosen: Chosen) -> Encounter | None:
    """Return the fight that a bridge is about: the running one, or the last one that a turn changed."""
    if chosen.agent is not AgentKind.SUMMARIZER:
        return None
    touched = (
        path
        for record in reversed(standing(records[-RECENT:]))
        for path in record["changes"]
        if path.startswith(Encounter.collection)
    )
    known = (found for path in touched if isinstance(found := world.get(path), Encounter))
    return fight_now(world, None) or next(known, None)


def untold(records: Sequence[Record], settings: Settings, chosen: Chosen) -> tuple[Ours, ...]:
    """Return what the agent's own last text claimed and nothing applied, where that is to be told."""
    if settings["narration.check"] != "note":
        return ()
    told = (record for record in reversed(standing(records[-RECENT:])) if "assistant_text" in record)
    last = next(told, None)
    speaker = chosen.npc_id if chosen.agent in NPC_AGENTS else None
    if last is None or (last.get("agent", AgentKind.NARRATIVE), last.get("speaker_id")) != (chosen.agent, speaker):
        return ()
    from turnwright.narration.feedback import feedback_lines

    return tuple(Ours(terminal_safe(" ".join(line.split()))) for line in feedback_lines(last["findings"]))


def history(world: World, asked: pack.Asked, room: Budget) -> list[Message]:
    """Return the earlier messages that there is room for."""
    return [_as_message(world, asked, line) for line in _own_lines(asked, room)]


def _own_lines(asked: pack.Asked, room: Budget) -> list[Line]:
    """Return the agent's own conversation: its texts, and the messages it answered."""
    chosen = asked.chosen
    if chosen.agent is AgentKind.SUMMARIZER:
        return []
    lines = [line for line in asked.lines if line.agent is not AgentKind.SUMMARIZER]
    most = room.exchanges
    if chosen.agent in NPC_AGENTS:
        own = pack.own_exchanges(lines, chosen.npc_id)
        lines = [line for line in lines if line.exchange in own]
        most = min(most, pack.EXCHANGES_OF_PERSONS)
    return pack.last_exchanges(lines, most)


def _as_message(world: World, asked: pack.Asked, line: Line) -> Message:
    if line.role == "player":
        return Message("player", _spoken(world, line.speaker_id, clipped(line.text, pack.MAX_LINE_LENGTH)))
    is_own = asked.chosen.agent not in NPC_AGENTS or line.speaker_id == asked.chosen.npc_id
    text = clipped(line.text, pack.MAX_LINE_LENGTH)
    return Message("game_master", text) if is_own else Message("player", block(text))


def to_answer(world: World, asked: pack.Asked, message: str) -> str:
    """Return the message to answer: the player's, or an instruction to act without one."""
    if asked.chosen.agent is AgentKind.SUMMARIZER:
        return BRIDGE
    if message:
        return _spoken(world, asked.actor_id, message)
    if asked.due is not None:
        return f"(It is the turn of {quoted(asked.due.name)}. Play it, and end it.)"
    return NOBODY_SPEAKS


def _spoken(world: World, speaker_id: str | None, text: str) -> str:
    """Return the player's message; with several players, prefixed by the speaker, so that none can pose as another."""
    players = [one for one in world.party() if one.character_type == "pc"]
    if len(players) < 2:
        return text
    speaker = world.character(speaker_id) if speaker_id else None
    return f"{quoted(speaker.label) if speaker else 'Somebody'} says:\n{block(text)}".rstrip("\n")
