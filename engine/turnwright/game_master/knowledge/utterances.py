"""What was said: the records with words, each with the facts that decide who sees it, from the records alone.

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
    """A record with words in it: what decides who sees them.

    Attributes:
        record: the record.
        exchange: a number that records have in common which belong to one message of a player.
        agent: the agent that wrote or was to answer it.
        is_private: only those who had a part in it heard it.
        people: who had a part in it.
        here: who was there.
        members: who belonged to the party before or after.
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
        """Whether it belongs to a talk with somebody who is played."""
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
    """Return what players whispered to each other: said in private, and answered by nobody to whom it was said."""
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
    """Return to which agent a record belongs, whether it is private, and who had a part in it.

    What a player says may be recorded before it is settled who answers, and then shares this with the answer, and not
    with what others say later; but what was whispered to somebody is between these two alone.
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
    """Return the turns that no undo took back; what is wanted again was never said."""
    history = LogState()
    for record in records:
        history.follow(record)
    return [one for one in records if one["kind"] == "turn" and history.undone_by(one["seq"]) is None]


def _people(record: Record) -> frozenset[str]:
    """Return who had a part in what was said: who said it, who spoke, whom it was meant for.

    Who acts spoke where a player said something; of what is only told, they are no hearer.
    """
    named = (record.get("actor_id") if "user_input" in record else None, record.get("speaker_id"))
    return _named(named) | _named(record.get("addressees"))


def _named(ids: Iterable[str | None] | None) -> frozenset[str]:
    return frozenset(one for one in ids or () if isinstance(one, str) and one)


def _members(record: Record) -> frozenset[str]:
    """Return who belonged to the party once a turn was done."""
    return frozenset(record["state_summary"].get("positions_child", ()))
