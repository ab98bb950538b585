"""What a narration is compared with: each ruleset says what its own documents tell of a turn.

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
    """The turn that evidence is wanted of.

    Attributes:
        world: the campaign after the calls; what a reader changes in it is dropped.
        before: the campaign before them.
        acting_id: the acting character, or None.
        calls: the turn's calls with their results, and those of earlier turns that the text may tell of.
        in_conversation: whether a ruleset holds a conversation, which has places of its own.
    """

    world: World
    before: World
    acting_id: str | None
    calls: Sequence[CallOutcome]
    in_conversation: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one ruleset knows of a turn. What is left out is unknown, and contradicts nothing.

    Of two rulesets that tell of the same person or place, the first is believed.

    Attributes:
        people: who may be spoken of.
        areas: names of areas and places near, by id.
        far: those of all others.
        here: the areas and places in which the acting character is.
        faces: numbers that dice made in earlier turns and that count now.
        fight: the running fight.
        quests: those the campaign keeps.
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
"""Returns what a ruleset's documents tell of a turn."""
ChangeReader = Callable[[Document | None, Document | None, World], Iterable[Effect]]
"""Yields what a turn did to a document: as it was before and is after (None: there is none), and the campaign after."""


def hp_difference(who: str, before: int | None, after: int | None, most: int | None) -> Iterable[Effect]:
    """Yield the change of hit points between two states of somebody; `most` is their maximum."""
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
