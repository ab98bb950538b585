"""Decide which messages each agent may see, from the facts of the records alone.

All deciding facts are in the records as written: speaker, addressees, characters present, party members. Later changes
of a character do not matter. Source: docs/agents.md, "Who sees what".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from turnwright.game_master.knowledge.utterances import Utterance, spoken, standing
from turnwright.model.encounter import Encounter
from turnwright.model.wire.agent import AgentKind

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

Role = Literal["player", "game_master"]
EXCHANGES_OF_MINORS = 4
"""Number of exchanges that a minor character remembers."""


class Reader(NamedTuple):
    """The reader: an agent, the character it plays, and for the agent of fights the fight."""

    agent: AgentKind
    npc_id: str | None = None
    encounter_id: str | None = None


class Line(NamedTuple):
    """A message or narration.

    Attributes:
        seq: the record that holds it.
        exchange: a number shared by the lines that belong to one player message.
        role: the author: a player, or the game master's side.
        agent: the agent that wrote or was to answer it.
        speaker_id: the speaker; None for the game master's own voice.
        text: the text, prefixed with the name of an agent-played speaker.
    """

    seq: int
    exchange: int
    role: Role
    agent: AgentKind
    speaker_id: str | None
    text: str


Sees = Callable[[Utterance], bool]


def visible(
    records: Sequence[Record], reader: Reader, *, name_of: Callable[[str], str], party_history: str = "all"
) -> tuple[Line, ...]:
    """Return the lines that a reader may see, oldest first.

    Args:
        records: the records of a stretch of the log up to its end, the oldest first.
        reader: the reader.
        name_of: returns a character's name by id.
        party_history: `all`, or `since_join`: whether party members know the time before they joined.
    """
    turns = standing(records)
    said = list(spoken(turns))
    seen = _seen_by(reader, turns, said, party_history)
    lines = [line for one in said if seen(one) for line in _lines(one, reader, name_of)]
    if reader.agent is AgentKind.NPC_PUPPETEER:
        kept = set(list(dict.fromkeys(line.exchange for line in lines))[-EXCHANGES_OF_MINORS:])
        lines = [line for line in lines if line.exchange in kept]
    return tuple(lines)


# who sees it


def _seen_by(reader: Reader, turns: Sequence[Record], said: Sequence[Utterance], party_history: str) -> Sees:
    match reader.agent:
        case AgentKind.NARRATIVE:
            return _is_of_story
        case AgentKind.COMBAT:
            return _of_fight(reader.encounter_id, turns)
        case AgentKind.SUMMARIZER:
            of_fight = _of_fight(reader.encounter_id, turns)
            return lambda one: _is_of_story(one) or of_fight(one)
        case AgentKind.NPC_PUPPETEER if reader.npc_id:
            return lambda one: one.is_dialogue and reader.npc_id in one.people
        case AgentKind.NPC_INDIVIDUAL if reader.npc_id:
            return _heard_by(reader.npc_id, said, party_history)
    return _of_nobody


def _is_of_story(one: Utterance) -> bool:
    return one.agent is not AgentKind.COMBAT and not one.is_aside


def _of_nobody(_: Utterance) -> bool:
    return False


def _of_fight(encounter_id: str | None, turns: Sequence[Record]) -> Sees:
    """Return what tells the words of one fight, and the bridge into it."""
    if encounter_id is None:
        return _of_nobody
    path = Encounter.path_of(encounter_id)
    begun = [record["seq"] for record in turns if _begins(record, path)]
    first = begun[-1] if begun else 0

    def is_of_fight(one: Utterance) -> bool:
        if one.is_aside or one.record["seq"] < first or one.agent not in (AgentKind.COMBAT, AgentKind.SUMMARIZER):
            return False
        fights = [place for place in one.record["changes"] if place.startswith(Encounter.collection)]
        return not fights or path in fights

    return is_of_fight


def _begins(record: Record, path: str) -> bool:
    changes: Sequence[Mapping[str, Any]] = record["changes"].get(path, ())
    return any(change["op"] == "add" and change["path"] == "" for change in changes)


def _heard_by(npc_id: str, said: Sequence[Utterance], party_history: str) -> Sees:
    """Return the predicate for texts that a character took part in, overheard, or knows as a party member."""
    member_in = [one.record["seq"] for one in said if npc_id in one.members]
    last = member_in[-1] if member_in else -1

    def is_known_as_member(one: Utterance) -> bool:
        if one.agent is AgentKind.COMBAT:
            there = not one.here or npc_id in one.here
            return there and (npc_id in one.members or _as_all(one))
        # A bridge tells of whispers and of fights elsewhere, too: it is for the game master.
        if one.is_dialogue or one.agent is AgentKind.SUMMARIZER:
            return False
        return npc_id in one.members or _as_all(one)

    def _as_all(one: Utterance) -> bool:
        return party_history == "all" and one.record["seq"] <= last

    def is_heard(one: Utterance) -> bool:
        if npc_id in one.people and (one.is_dialogue or one.is_private):
            return True
        if one.is_private:
            return False
        return (one.is_dialogue and npc_id in one.here) or is_known_as_member(one)

    return is_heard


# how it reads


def _lines(one: Utterance, reader: Reader, name_of: Callable[[str], str]) -> Iterator[Line]:
    record, seq = one.record, one.record["seq"]
    if "user_input" in record and not _is_blank(record["user_input"]):
        actor = record.get("actor_id")
        yield Line(seq, one.exchange, "player", one.agent, actor, record["user_input"])
    if "assistant_text" in record and not _is_blank(record["assistant_text"]):
        speaker = record.get("speaker_id")
        if reader.agent is AgentKind.NPC_PUPPETEER and speaker != reader.npc_id:
            return
        text: str = record["assistant_text"]
        if speaker:
            text = prefixed(text, name_of(speaker))
        yield Line(seq, one.exchange, "game_master", one.agent, speaker, text)


def _is_blank(text: str) -> bool:
    return not text.strip()


def prefixed(text: str, name: str) -> str:
    """Return a speaker's text prefixed with the speaker's name, once."""
    bare = text.lstrip(" \t*_\"'")
    known = bare.casefold().startswith(name.casefold())
    is_there = known and bare[len(name) :].lstrip(" *_").startswith(":")
    return text if is_there else f"{name}: {text}"
