"""Utterances: the records with texts, each with the facts that decide its visibility, from the records alone.

Source: docs/agents.md, "Who sees what".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.state.log_state import LogState
from turnwright.model.wire.agent import NPC_AGENTS, AgentKind

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record


class Utterance(NamedTuple):
    """A record with texts, and the facts that decide their visibility.

    Attributes:
        record: the record.
        exchange: a number shared by the records that belong to one player message.
        agent: the agent that wrote or was to answer it.
        is_private: only its participants heard it.
        people: its participants.
        here: the characters present.
        members: the party members before or after.
        is_aside: players whispered it to each other.
    """

    record: Record
    exchange: int
    agent: AgentKind
    is_private: bool
    people: frozenset[str]
    here: frozenset[str]
    members: frozenset[str]
    is_aside: bool = False

    @property
    def is_dialogue(self) -> bool:
        """Whether it belongs to a talk with an agent-played character."""
        is_spoken = bool(self.record.get("addressees") or self.record.get("speaker_id"))
        return self.agent in NPC_AGENTS or is_spoken


def spoken(turns: Sequence[Record]) -> Iterator[Utterance]:
    """Yield the records with words, each with the facts that decide who sees it."""
    exchange, before, asides = 0, frozenset[str](), _asides(turns)
    for at, record in enumerate(turns):
        members, seq = _members(record), record["seq"]
        here, those = _named(record.get("present_ids")), members | before
        before = members
        if seq in asides:
            yield Utterance(record, seq, AgentKind.NARRATIVE, True, _people(record), here, those, is_aside=True)
            continue
        if "user_input" in record:
            exchange = seq
        if "user_input" in record or "assistant_text" in record:
            agent, is_private, people = _answered_as(turns, at, asides)
            yield Utterance(record, exchange, agent, is_private, people, here, those)


def _asides(turns: Sequence[Record]) -> frozenset[int]:
    """Return whispers between players: private, and not answered by an addressee."""
    found: set[int] = set()
    speakers: set[str] = set()
    for record in reversed(turns):
        if record.get("speaker_id"):
            speakers.add(record["speaker_id"])
        if "user_input" not in record:
            continue
        hearers = _named(record.get("addressees")) if record.get("private") is True else frozenset()
        if hearers and not hearers & speakers and "assistant_text" not in record:
            found.add(record["seq"])
        else:
            speakers.clear()
    return frozenset(found)


def _answered_as(turns: Sequence[Record], at: int, asides: frozenset[int]) -> tuple[AgentKind, bool, frozenset[str]]:
    """Return a record's agent, whether it is private, and its participants.

    A player's message may be recorded before its answering agent is known; it then takes these facts from the answer,
    not from later messages of others. A whisper stays between its two participants.
    """
    record = turns[at]
    named, is_private, people = record.get("agent"), record.get("private") is True, _people(record)
    is_said_to_some = bool(record.get("addressees"))
    if named is None and "assistant_text" not in record:
        answers = takewhile(lambda later: "user_input" not in later or later["seq"] in asides, turns[at + 1 :])
        for answer in _of_first(answers):
            named = answer["agent"]
            if not (is_said_to_some and record.get("private")):
                is_private, people = is_private or answer.get("private") is True, people | _people(answer)
    return AgentKind(named) if named in set(AgentKind) else AgentKind.NARRATIVE, is_private, people


def _of_first(answers: Iterable[Record]) -> Iterator[Record]:
    """Yield first answers with their agent and, where it plays a character, that character; bridges are none."""
    agent = speaker = None
    for answer in answers:
        if answer.get("agent", AgentKind.SUMMARIZER) == AgentKind.SUMMARIZER:
            continue
        agent = agent or answer["agent"]
        speaker = speaker or answer.get("speaker_id")
        if answer["agent"] == agent and answer.get("speaker_id") in (None, speaker):
            yield answer


def standing(records: Sequence[Record]) -> list[Record]:
    """Return the turns not undone; turns to be resubmitted do not count as said."""
    history = LogState()
    for record in records:
        history.follow(record)
    return [one for one in records if one["kind"] == "turn" and history.undone_by(one["seq"]) is None]


def _people(record: Record) -> frozenset[str]:
    """Return the participants of an utterance: its author, speaker and addressees.

    The actor is the author of a player's message; for a mere narration the actor does not count as a listener.
    """
    named = (record.get("actor_id") if "user_input" in record else None, record.get("speaker_id"))
    return _named(named) | _named(record.get("addressees"))


def _named(ids: Iterable[str | None] | None) -> frozenset[str]:
    return frozenset(one for one in ids or () if isinstance(one, str) and one)


def _members(record: Record) -> frozenset[str]:
    """Return who belonged to the party once a turn was done."""
    return frozenset(record["state_summary"].get("positions_child", ()))
