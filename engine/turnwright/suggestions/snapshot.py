"""The part of the campaign that a rule may know: a frozen view, in which None means "unknown", never "none".

A gate over an unknown value is skipped, and no argument is made from it. Source: docs/suggestions.md, "The snapshot".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.model.wire.agent import AgentKind

Speaker = Literal["player", "npc", "dm", "system"]
SPEAKERS: tuple[Speaker, ...] = ("player", "npc", "dm", "system")


@dataclass(frozen=True, slots=True)
class Named:
    """Something with a name. `hostile` is known of people only."""

    name: str
    id: str | None = None
    hostile: bool | None = None


@dataclass(frozen=True, slots=True)
class EncounterView:
    """The running encounter, or `active=False` where there is none."""

    active: bool | None = None
    id: str | None = None
    enemies_alive: int | None = None
    round: int | None = None
    current_actor_id: str | None = None
    controller: str | None = None


@dataclass(frozen=True, slots=True)
class ActorView:
    """The acting character.

    Attributes:
        concentration: the spell it holds, or whether it holds one.
        is_dying: whether a death save can be rolled for it.
    """

    id: str | None = None
    name: str | None = None
    area: str | None = None
    hp: int | None = None
    conditions: tuple[str, ...] | None = None
    concentration: str | bool | None = None
    spells: tuple[str, ...] | None = None
    is_caster: bool | None = None
    is_dying: bool | None = None


@dataclass(frozen=True, slots=True)
class AreasView:
    """The acting character's position, the places it can go to at once, and every place it has heard of.

    Attributes:
        places: places of the story, to which the whole party is moved; the other fields hold areas of the map.
        place: the party's current one.
        exits: those reachable from there by an open way.
    """

    current: Named | None = None
    reachable: tuple[Named, ...] | None = None
    known: tuple[Named, ...] | None = None
    has_hidden: bool | None = None
    places: tuple[Named, ...] | None = None
    place: Named | None = None
    exits: tuple[Named, ...] | None = None


@dataclass(frozen=True, slots=True)
class Belonging:
    """A thing carried by another character than the acting one."""

    name: str
    owner: Named


@dataclass(frozen=True, slots=True)
class ItemsView:
    """Names of things: on the acting character, lying here, on the people here, and those with a known owner.

    A thing with a known owner matches only if the words name the owner: another like it may lie here.
    """

    actor: tuple[str, ...] | None = None
    area: tuple[str, ...] | None = None
    npcs: tuple[str, ...] | None = None
    owned: tuple[Belonging, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """Something offered that waits for an answer; `item` names the thing of an offered item."""

    kind: str
    id: str | None = None
    by: str | None = None
    turn: int | None = None
    item: str | None = None


@dataclass(frozen=True, slots=True)
class QuestView:
    """A quest and its objectives that are still open."""

    title: str
    id: str | None = None
    status: str = "active"
    giver: str | None = None
    objectives: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class RecentCall:
    """A call of one of the last turns: its target, damage and round, where known."""

    tool: str
    target: str | None = None
    damage: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The campaign as rules see it. `pending_offer` is None both when nothing is offered and when it is unknown.

    `legal` holds the tools of which the engine would take some call now; `fields` is what rulesets add of their own, by
    name.
    """

    speaker: Speaker = "player"
    agent: AgentKind = AgentKind.NARRATIVE
    language: str | None = None
    encounter: EncounterView = EncounterView()
    actor: ActorView = ActorView()
    areas: AreasView = AreasView()
    items: ItemsView = ItemsView()
    party: tuple[Named, ...] | None = None
    npcs_present: tuple[Named, ...] | None = None
    pending_offer: Offer | None = None
    quests: tuple[QuestView, ...] | None = None
    mood: str | None = None
    allowlist: frozenset[str] | None = None
    registry: frozenset[str] | None = None
    legal: frozenset[str] | None = None
    recent_calls: tuple[RecentCall, ...] = ()
    from_area_wanted: bool = True
    fields: Mapping[str, Any] = field(default_factory=dict)


def agent_kind(name: str) -> AgentKind:
    """Return the agent kind of a name; `npc` alone means an individual NPC.

    Raises:
        ValueError: when the name is not an agent's.
    """
    return AgentKind.NPC_INDIVIDUAL if name == "npc" else AgentKind(name)
