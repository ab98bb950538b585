"""Override snapshot fields from a JSON context.

Source: docs/suggestions.md, "The snapshot".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from turnwright.model.base import name_tag
from turnwright.suggestions.snapshot import (
    SPEAKERS,
    ActorView,
    AreasView,
    Belonging,
    EncounterView,
    ItemsView,
    Named,
    Offer,
    QuestView,
    RecentCall,
    Snapshot,
    Speaker,
    agent_kind,
)

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject


def with_overrides(seen: Snapshot, context: JsonObject) -> tuple[Snapshot, tuple[str, ...]]:
    """Return the snapshot with fields overridden from a JSON context, and the problems of that context.

    The calls that are legal in a hypothetical state are unknown.
    """
    changed: dict[str, Any] = {}
    problems = []
    for key, value in context.items():
        if key not in _READERS:
            problems.append(f"context.{key} is no field of the snapshot")
            continue
        try:
            changed[key] = _READERS[key](value, seen)
        except (TypeError, ValueError, AttributeError, KeyError) as error:
            problems.append(f"context.{key} cannot be read: {error}")
    legal = None if changed.keys() - _SAYS_NOTHING_OF_STATE else seen.legal
    made = replace(seen, **changed, legal=legal)
    return replace(made, items=_with_owners(made)), tuple(problems)


def _with_owners(seen: Snapshot) -> ItemsView:
    """Return the things with their owners replaced by people present: by the same id, else by the same name."""
    people = (*(seen.npcs_present or ()), *(seen.party or ()))

    def present(owner: Named) -> Named:
        same = [one for one in people if one.id is not None and one.id == owner.id]
        has_name_only = owner.id is None or owner.id == owner.name
        return next(iter(same or (one for one in people if has_name_only and _is_called(one, owner.name))), owner)

    return replace(seen.items, owned=tuple(Belonging(one.name, present(one.owner)) for one in seen.items.owned))


def _is_called(one: Named, name: str) -> bool:
    return name_tag(one.name) == name_tag(name)


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


def _is_enemy(value: JsonObject) -> bool | None:
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
    current, place = value.get("current"), value.get("place")
    return AreasView(
        current=_named(current) if current else None,
        reachable=_all_named(value.get("reachable")),
        known=_all_named(value.get("known")),
        has_hidden=value.get("has_hidden"),
        places=_all_named(value.get("places")),
        place=_named(place) if place else None,
        exits=_all_named(value.get("exits")),
    )


def _items(value: Any, _before: Snapshot) -> ItemsView:
    if value is None:
        return ItemsView()
    if isinstance(value, (list, tuple)):
        return ItemsView(area=_names(value))
    own = value.get("actor", value.get("inventory"))
    owned = tuple(Belonging(_named(one).name, _named(one["owner"])) for one in _listed(value.get("owned") or []))
    return ItemsView(_names(own), _names(value.get("area")), _names(value.get("npcs", value.get("npc"))), owned)


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


def _fields(value: Any, before: Snapshot) -> JsonObject:
    if not isinstance(value, Mapping):
        raise ValueError(f"{value!r} is no object")
    return {**before.fields, **value}


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
    "fields": _fields,
}
