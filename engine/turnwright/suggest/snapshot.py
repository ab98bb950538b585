"""What a rule may know of the campaign: a frozen view, in which None is "unknown" and never "none".

A gate over something unknown is skipped, and no argument is made from it. Source: docs/suggestions.md, "The snapshot".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from turnwright.model.agent import AgentKind

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
    """Where the acting character is, where it can go at once, and every place it has heard of.

    Attributes:
        places: those of the story, to which the party as a whole is moved; the others are areas of the map.
    """

    current: Named | None = None
    reachable: tuple[Named, ...] | None = None
    known: tuple[Named, ...] | None = None
    has_hidden: bool | None = None
    places: tuple[Named, ...] | None = None


@dataclass(frozen=True, slots=True)
class ItemsView:
    """Names of things: on the acting character, lying here, on the people here."""

    actor: tuple[str, ...] | None = None
    area: tuple[str, ...] | None = None
    npcs: tuple[str, ...] | None = None


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
    """A call of one of the last turns: whom it hurt, by how much and in which round, where that is known."""

    tool: str
    target: str | None = None
    damage: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The campaign as rules see it. `pending_offer` is None both when nothing is offered and when it is unknown.

    `legal` holds the tools of which the engine would take some call now.
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

    def overridden(self, context: Mapping[str, Any]) -> tuple[Snapshot, tuple[str, ...]]:
        """Return the snapshot with the fields that a JSON context gives, and what of the context could not be read.

        What the engine would take in a state that is only supposed is unknown.
        """
        changed: dict[str, Any] = {}
        problems = []
        for key, value in context.items():
            if key not in _READERS:
                problems.append(f"context.{key} is no field of the snapshot")
                continue
            try:
                changed[key] = _READERS[key](value, self)
            except (TypeError, ValueError, AttributeError, KeyError) as error:
                problems.append(f"context.{key} cannot be read: {error}")
        legal = None if changed.keys() - _SAYS_NOTHING_OF_STATE else self.legal
        return replace(self, **changed, legal=legal), tuple(problems)


def agent_kind(name: str) -> AgentKind:
    """Return the agent of a name; `npc` alone is an individual one.

    Raises:
        ValueError: for a name that is no agent's.
    """
    return AgentKind.NPC_INDIVIDUAL if name == "npc" else AgentKind(name)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise ValueError(f"{value!r} is no text")


def _number(value: Any) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise ValueError(f"{value!r} is no whole number")


def _named(value: Any) -> Named:
    if isinstance(value, str):
        return Named(value, value)
    name = _text(value.get("name")) or _text(value.get("title")) or _text(value.get("text")) or _text(value.get("id"))
    if not name:
        raise ValueError("it has neither name nor id")
    hostile = value.get("hostile")
    return Named(name, _text(value.get("id")), hostile if isinstance(hostile, bool) else _is_enemy(value))


def _is_enemy(value: Mapping[str, Any]) -> bool | None:
    kind = value.get("character_type") or value.get("disposition") or value.get("attitude")
    return kind in ("enemy", "hostile") if isinstance(kind, str) else None


def _all_named(value: Any) -> tuple[Named, ...] | None:
    if value is None:
        return None
    if isinstance(value, Mapping):
        value = value.get("members", [{"id": key, "name": name} for key, name in value.items()])
    return tuple(_named(item) for item in _listed(value))


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{value!r} is no list")
    return list(value)


def _names(value: Any) -> tuple[str, ...] | None:
    named = _all_named(value)
    return None if named is None else tuple(item.name for item in named)


def _encounter(value: Any, before: Snapshot) -> EncounterView:
    if value is None or isinstance(value, bool):
        return EncounterView(active=bool(value))
    enemies = value.get("enemies_alive")
    return EncounterView(
        active=value.get("active", True) is True,
        id=_text(value.get("id")) or before.encounter.id,
        enemies_alive=len(enemies) if isinstance(enemies, list) else _number(enemies),
        round=_number(value.get("round")),
        current_actor_id=_text(value.get("current_actor_id")),
        controller=_text(value.get("controller")),
    )


def _actor(value: Any, _before: Snapshot) -> ActorView:
    if value is None:
        return ActorView()
    if isinstance(value, str):
        return ActorView(id=value, name=value)
    area, held, hp = value.get("area"), value.get("concentration"), value.get("hp")
    return ActorView(
        id=_text(value.get("id")),
        name=_text(value.get("name")),
        area=_named(area).id or _named(area).name if area else None,
        hp=_number(hp.get("current") if isinstance(hp, Mapping) else hp),
        conditions=_names(value.get("conditions")),
        concentration=held.get("spell", True) if isinstance(held, Mapping) else held,
        spells=_names(value.get("spells")),
        is_caster=value.get("is_caster"),
        is_dying=value.get("is_dying"),
    )


def _areas(value: Any, _before: Snapshot) -> AreasView:
    if value is None:
        return AreasView()
    current = value.get("current")
    return AreasView(
        current=_named(current) if current else None,
        reachable=_all_named(value.get("reachable")),
        known=_all_named(value.get("known")),
        has_hidden=value.get("has_hidden"),
        places=_all_named(value.get("places")),
    )


def _items(value: Any, _before: Snapshot) -> ItemsView:
    if value is None:
        return ItemsView()
    if isinstance(value, (list, tuple)):
        return ItemsView(area=_names(value))
    own = value.get("actor", value.get("inventory"))
    return ItemsView(_names(own), _names(value.get("area")), _names(value.get("npcs", value.get("npc"))))


def _offer(value: Any, _before: Snapshot) -> Offer | None:
    if value is None:
        return None
    if isinstance(value, str):
        return Offer(value)
    item = value.get("item") or value.get("item_name") or value.get("name")
    return Offer(
        kind=str(value["kind"]),
        id=_text(value.get("id")),
        by=_text(value.get("by")),
        turn=_number(value.get("turn")),
        item=_named(item).name if item else None,
    )


def _quest(value: Any) -> QuestView:
    if isinstance(value, str):
        return QuestView(value, value)
    left = [item for item in value.get("objectives") or () if isinstance(item, str) or not item.get("done")]
    return QuestView(
        title=_named(value).name,
        id=_text(value.get("id")),
        status=_text(value.get("status")) or "active",
        giver=_text(value.get("giver_id") or value.get("giver")),
        objectives=tuple(
            Named(one if isinstance(one, str) else one["text"], None if isinstance(one, str) else one.get("id"))
            for one in left
        ),
    )


def _quests(value: Any, _before: Snapshot) -> tuple[QuestView, ...] | None:
    return None if value is None else tuple(_quest(item) for item in _listed(value))


def _speaker(value: Any, _before: Snapshot) -> Speaker:
    found = next((speaker for speaker in SPEAKERS if speaker == value), None)
    if found is None:
        raise ValueError(f"wants one of {', '.join(SPEAKERS)}")
    return found


def _mood(value: Any, _before: Snapshot) -> str | None:
    return _text(value.get("mood") if isinstance(value, Mapping) else value)


def _calls(value: Any, _before: Snapshot) -> tuple[RecentCall, ...]:
    return tuple(_call(item) for item in _listed(value or []))


def _call(value: Any) -> RecentCall:
    if isinstance(value, str):
        return RecentCall(value)
    result = value.get("result")
    result = result if isinstance(result, Mapping) else {}
    return RecentCall(
        tool=str(value.get("tool")),
        target=_text(result.get("target")),
        damage=_number(result.get("damage")),
        round=_number(value.get("round")),
    )


def _tools(value: Any, _before: Snapshot) -> frozenset[str] | None:
    return None if value is None else frozenset(str(item) for item in _listed(value))


_SAYS_NOTHING_OF_STATE = frozenset({"speaker", "language"})
_READERS: Mapping[str, Callable[[Any, Snapshot], Any]] = {
    "speaker": _speaker,
    "agent": lambda value, _: agent_kind(value),
    "language": lambda value, _: _text(value),
    "encounter": _encounter,
    "actor": _actor,
    "areas": _areas,
    "items": _items,
    "party": lambda value, _: _all_named(value),
    "npcs_present": lambda value, _: _all_named(value),
    "pending_offer": _offer,
    "quests": _quests,
    "mood": _mood,
    "allowlist": _tools,
    "registry": _tools,
    "recent_calls": _calls,
}
