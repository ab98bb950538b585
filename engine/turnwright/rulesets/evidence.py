"""What a narration is compared with: each ruleset reports what its own documents tell about a turn.

A ruleset names a reader by the document or folder that it reads (`Ruleset.evidence`), and is asked only where there is
such a document; `Ruleset.changes` names readers of single documents that a turn changed. Source: docs/rulesets.md,
"Evidence".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from turnwright.model.base import Document
from turnwright.model.state.overlay import World
from turnwright.narration.facts import CallOutcome, Counter, Effect, EffectKind, Fight, Person, Quest


class EvidenceContext(NamedTuple):
    """The turn that evidence is collected for.

    Attributes:
        world: the campaign after the calls; changes by a reader are dropped.
        before: the campaign before them.
        acting_id: the acting character, or None.
        calls: the turn's calls with their results, and those of earlier turns that the text may describe.
        in_conversation: whether a ruleset holds a conversation, which has places of its own.
    """

    world: World
    before: World
    acting_id: str | None
    calls: Sequence[CallOutcome]
    in_conversation: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """The facts that one ruleset knows about a turn. Missing facts are unknown, and contradict nothing.

    If two rulesets report the same character or place, the first wins.

    Attributes:
        people: the characters that the text may mention.
        areas: names of areas and places near, by id.
        far: those of all others.
        here: the areas and places in which the acting character is.
        faces: numbers rolled in earlier turns that count now.
        fight: the running fight.
        quests: the campaign's quests.
        aliases: other ids of people, as calls may give them.
        counters: amounts that people have of something.
        is_scene_game: whether a scene game runs, which keeps no account of belongings.
    """

    people: tuple[Person, ...] = ()
    areas: Mapping[str, str] = field(default_factory=dict)
    far: Mapping[str, str] = field(default_factory=dict)
    here: frozenset[str] = frozenset()
    faces: tuple[int, ...] = ()
    fight: Fight | None = None
    quests: tuple[Quest, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    counters: tuple[Counter, ...] = ()
    is_scene_game: bool = False


EvidenceReader = Callable[[EvidenceContext], Evidence]
"""Returns what a ruleset's documents tell about a turn."""
ChangeReader = Callable[[Document | None, Document | None, World], Iterable[Effect]]
"""Yields a turn's changes to a document: given before and after (None: missing), and the campaign after the turn."""


def hp_difference(who: str, before: int | None, after: int | None, most: int | None) -> Iterable[Effect]:
    """Yield the change of hit points between two states of a character; `most` is the maximum."""
    if before is None or after is None or before == after:
        return
    delta = after - before
    yield Effect(
        EffectKind.HP,
        who=who,
        delta=delta,
        amounts=frozenset({abs(delta)}),
        total=after,
        is_cut=after == 0 if delta < 0 else after == most,
        shown={"target_character_id": who, "delta": delta, "new_hp": after},
        is_net=True,
    )
