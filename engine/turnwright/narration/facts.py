"""Facts that a narration is compared with: the people and things near, and the outcomes of the turn's calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """One tool call and its outcome. `reason` is None when it was applied, `result` empty when it was not.

    `is_at_maximum`: it left its target at maximum hit points; `told`: an earlier text
    had its chance to mention it.
    """

    tool: str
    args: Mapping[str, Any]
    applied: bool
    reason: str | None
    result: Mapping[str, Any]
    is_at_maximum: bool = False
    told: bool = False

    @property
    def target(self) -> str | None:
        """The target that the call names, as the call spells it; None where it names none."""
        value = self.args.get("target_character_id")
        return value if isinstance(value, str) else None

    def text(self, key: str) -> str | None:
        """Return the result's `key`, else the argument's, when it is a string."""
        for source in (self.result, self.args):
            value = source.get(key)
            if isinstance(value, str):
                return value
        return None


class EffectKind(StrEnum):
    """Kinds of deed that a call can do and a text can tell."""

    HP = "hp"
    GOODS = "goods"
    TRAVEL = "travel"
    PLACE = "place"
    QUEST = "quest"
    PARTY = "party"
    REST = "rest"
    TURN = "turn"
    FIGHT_OVER = "fight_over"
    ATTACK = "attack"
    CHECK = "check"
    SAVE = "save"
    DEATH_SAVE = "death_save"


ROLLS = (EffectKind.ATTACK, EffectKind.CHECK, EffectKind.SAVE, EffectKind.DEATH_SAVE)
"""The kinds of deed that are a d20 roll: the roller (`who`), the opponent (`other`), the skill (`what`)."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a call did, or was asked to do but did not.

    Attributes:
        kind: the subject.
        applied: whether it was done; if not, only the request is known of what it would have done.
        tool: the tool that did it; empty for the net change of the whole turn.
        reason: why it was not done.
        who: the character concerned, or the new owner in a transfer; None for no one or anyone.
        other: the previous owner in a transfer.
        what: ids and names of its subject.
        delta: the signed change; None where it is not known.
        amounts: every magnitude a text may give for the change.
        total: the value after the change.
        is_cut: whether it went as far as it could, so that a text may give less than all of it.
        coin: the denomination of money.
        shown: the words a finding uses for it.
        is_net: whether it is the difference between before and after, and so may overlap others.
        told: whether an earlier text had its chance to mention it: it can support a claim, but contradict none.
        left: the area or place where a route began.
        dc: what a roll had to reach: a difficulty class or an armor class.
        success: whether a roll reached it: a save made, an attack that hit; None where there was no number to reach.
        natural: the face of the d20 that counts.
        is_critical: whether it was a critical hit or miss, or a natural 20 or 1.
    """

    kind: EffectKind
    applied: bool = True
    tool: str = ""
    reason: str | None = None
    who: str | None = None
    other: str | None = None
    what: frozenset[str] = frozenset()
    delta: int | None = None
    amounts: frozenset[int] = frozenset()
    total: int | None = None
    is_cut: bool = False
    coin: str | None = None
    shown: Mapping[str, Any] = field(default_factory=dict)
    is_net: bool = False
    told: bool = False
    left: str | None = None
    dc: int | None = None
    success: bool | None = None
    natural: int | None = None
    is_critical: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """A character near the turn, or one who takes part in its fight.

    Attributes:
        id: the character's, else the participant's.
        name: the displayed name.
        state: what it was after the turn, None when unknown.
        was: what it was before the turn, None when unknown.
        hp: hit points after the turn.
        away: the character's area, if it is not the scene of the turn.
        items: names of carried items after the turn; None when unknown.
        hp_was: hit points before the turn.
        max_hp: maximum hit points.
        conditions: conditions after the turn.
        quantities: how many of each of `items`, in their order; empty when unknown.
    """

    id: str
    name: str | None
    state: str | None
    was: str | None = None
    hp: int | None = None
    away: str | None = None
    items: tuple[str, ...] | None = None
    hp_was: int | None = None
    max_hp: int | None = None
    conditions: frozenset[str] = frozenset()
    quantities: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fight:
    """The fight still running after the turn, its current combatant, and all initiative rolls."""

    current: frozenset[str]
    round: int
    initiatives: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Quest:
    """A quest of the campaign after the turn."""

    id: str
    title: str
    status: str


@dataclass(frozen=True, slots=True)
class Counter:
    """An amount that a character has of something, before and after the turn: momentum, luck points, favors.

    Attributes:
        names: every word or phrase by which a text may name it, in lower case, the plural too.
        who: the id of its owner.
        amount: how much there is after the turn.
        was: how much there was before it.
    """

    names: tuple[str, ...]
    who: str
    amount: int
    was: int


@dataclass(frozen=True, slots=True)
class Facts:
    """One turn after its calls ran. Fields with a default may be unknown, and an unknown field contradicts no claim.

    Attributes:
        acting: the acting character.
        people: people near, and people the turn affected.
        areas: the ids of areas and places near, and of those the turn affected, with their names.
        far: those of all others, as far as they were looked up; a text means one of these only by its full name.
        outcomes: the outcome of each call.
        faces: all values and totals drawn.
        dialog_type: the kind of text.
        effects: what the calls did, or were asked to do and did not, as their tools name people and places.
        changed: the net changes of the turn.
        here: the ids of all areas and places in which the acting character is; empty when unknown.
        party: the members; None when unknown.
        fight: the running one; None when there is none, or unknown.
        quests: those the campaign keeps.
        aliases: other ids of people, as calls may give them.
        permitted: the tools that could be called; None when unknown.
        speaker: the character who speaks the text, when it is not the narrator's.
        is_scene_game: whether a scene game runs, which does not track belongings.
        counters: amounts that people have of something.
        tools: the tools any of which can make a kind of claim true, by its name, the likeliest first.
    """

    acting: str | None
    people: tuple[Person, ...]
    areas: Mapping[str, str]
    outcomes: tuple[CallOutcome, ...]
    faces: tuple[int, ...]
    dialog_type: str
    effects: tuple[Effect, ...] = ()
    changed: tuple[Effect, ...] = ()
    here: frozenset[str] = frozenset()
    party: frozenset[str] | None = None
    fight: Fight | None = None
    quests: tuple[Quest, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    permitted: frozenset[str] | None = None
    speaker: str | None = None
    is_scene_game: bool = False
    far: Mapping[str, str] = field(default_factory=dict)
    counters: tuple[Counter, ...] = ()
    tools: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
