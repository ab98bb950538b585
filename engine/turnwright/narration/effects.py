"""What calls did, to whom, and by how much, read from their arguments and results.

Every tool tells its results in its own shape. Here each becomes a row of deeds, so that a claim asks what was done and
not by which tool. Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from turnwright.model.base import name_tag
from turnwright.model.coin import denomination
from turnwright.narration.facts import CallOutcome, Effect, EffectKind, Facts
from turnwright.narration.result_shapes import hp_deeds, number_of, rows, text_of
from turnwright.narration.roll_shapes import roll_deeds

_MOVING = frozenset({"move", "move_party"})
_PEOPLE = frozenset({"character_id", "current", "from", "target_character_id", "target_id", "to"})
"""What of a deed is shown that stands for a person."""
_QUEST_STEPS = {"start_quest": "start", "complete_objective": "complete_objective", "complete_quest": "complete"}


def deeds_of(scene: Facts) -> tuple[Effect, ...]:
    """Return all that the calls did or failed to do, with people under the ids of the scene, then what is left over."""
    called, places = _aliases(scene), _places_called(scene)
    found: list[Effect] = []
    for outcome in scene.outcomes:
        for call in _each(outcome):
            found.extend(replace(_named(deed, called, places), told=call.told) for deed in _deeds(call))
    return (*found, *scene.changed)


def _aliases(scene: Facts) -> dict[str, str]:
    """Return which person each id or name in a call means; a name that two people have means neither."""
    named: dict[str, set[str]] = {}
    for person in scene.people:
        if person.name:
            named.setdefault(person.name.strip().casefold(), set()).add(person.id)
    found = {name: next(iter(ids)) for name, ids in named.items() if len(ids) == 1}
    return found | dict(scene.aliases) | {person.id: person.id for person in scene.people}


def _places_called(scene: Facts) -> dict[str, set[str]]:
    """Return which areas and places each name in a call can mean."""
    found: dict[str, set[str]] = {}
    for identifier, name in (*scene.areas.items(), *scene.far.items()):
        found.setdefault(name_tag(name), set()).add(identifier)
    return found


def _named(deed: Effect, called: Mapping[str, str], places: Mapping[str, set[str]]) -> Effect:
    def known(who: str | None) -> str | None:
        return called.get(who, called.get(who.strip().casefold(), who)) if who is not None else None

    what = deed.what
    if deed.kind is EffectKind.TRAVEL:
        what = what.union(*(places.get(name_tag(name), ()) for name in what))
    shown = {key: known(one) if key in _PEOPLE and isinstance(one, str) else one for key, one in deed.shown.items()}
    return replace(deed, who=known(deed.who), other=known(deed.other), what=what, shown=shown)


def _each(outcome: CallOutcome) -> Iterator[CallOutcome]:
    """Yield the items of a batch as calls of their own."""
    batch = rows(outcome.args.get("batch"))
    if not batch:
        yield outcome
        return
    common = {key: value for key, value in outcome.args.items() if key != "batch"}
    results = {row.get("index"): row for row in rows(outcome.result.get("results"))}
    for i, item in enumerate(batch):
        row = results.get(i, {})
        done = outcome.applied and row.get("ok") is True
        result = row.get("result") if done else {}
        reason = None if done else text_of(row, "reason") or outcome.reason
        yield CallOutcome(
            outcome.tool,
            {**common, **item},
            done,
            reason,
            result if isinstance(result, Mapping) else {},
            told=outcome.told,
        )


def _deeds(call: CallOutcome) -> Iterator[Effect]:
    yield from hp_deeds(call)
    yield from roll_deeds(call)
    for read in _READERS:
        yield from read(call)


def _deed(call: CallOutcome, kind: EffectKind, **known: Any) -> Effect:
    return Effect(kind, call.applied, call.tool, call.reason, **known)


def _operation(call: CallOutcome) -> str:
    return text_of(call.result, "operation") or text_of(call.args, "operation") or ""


def _owner(call: CallOutcome) -> str | None:
    return text_of(call.result, "character_id") or text_of(call.args, "character_id", "character_name")


def _goods(call: CallOutcome) -> Iterator[Effect]:
    if call.tool == "manage_inventory":
        yield from _inventory(call)
    elif call.tool == "execute_action":
        used = call.result.get("used")
        name = text_of(call.result, "item") or text_of(call.args, "item_name")
        if isinstance(used, Mapping) or (name and not call.applied):
            actor = text_of(call.result, "actor") or text_of(call.args, "actor_id", "actor_name")
            yield _moved(call, name or "", 1, other=actor)
    elif call.tool == "use_scroll":
        names = [text_of(call.args, "scroll_name") or "scroll", text_of(call.result, "spell_name") or ""]
        yield _moved(call, " ".join(names), 1, other=_owner(call))
    paid = call.result.get("cost_applied")
    coin = number_of(call.result, "coin_delta", "coin_applied")
    if isinstance(paid, Mapping):
        if paid.get("type") == "item":
            yield _moved(call, text_of(paid, "target") or "", 1)
        elif paid.get("type") == "coin":
            coin = -(number_of(paid, "amount") or 0)
    if coin:
        yield _deed(call, EffectKind.GOODS, coin="coin", delta=abs(coin))


def _inventory(call: CallOutcome) -> Iterator[Effect]:
    operation, owner = _operation(call), _owner(call)
    item = call.result.get("item", call.args.get("item"))
    name = (text_of(item, "name") if isinstance(item, Mapping) else None) or text_of(call.args, "item_name") or ""
    given = item.get("quantity") if isinstance(item, Mapping) and not call.applied else None
    quantity = number_of(call.result, "quantity") or number_of(call.args, "quantity")
    pieces = quantity or (given if type(given) is int else None) or 1
    coin = "coin" if isinstance(item, Mapping) and item.get("type") == "currency" else None
    if operation == "give":
        yield _moved(call, name, pieces, who=owner, coin=coin)
    elif operation in ("take", "use"):
        yield _moved(call, name, pieces, other=owner, coin=coin)
    elif operation == "transfer":
        taker = text_of(call.result, "to") or text_of(call.args, "to_character_id", "to_character_name")
        yield _moved(call, name, pieces, who=taker, other=owner, coin=coin)


def _moved(
    call: CallOutcome,
    name: str,
    pieces: int,
    *,
    who: str | None = None,
    other: str | None = None,
    coin: str | None = None,
) -> Effect:
    shown: dict[str, Any] = {"item": name or None, "quantity": pieces, "from": other, "to": who}
    if not call.applied:
        shown["reason"] = call.reason
    what = frozenset({name} if name else ())
    coin = denomination(name) or coin
    return _deed(call, EffectKind.GOODS, who=who, other=other, what=what, delta=pieces, coin=coin, shown=shown)


def _travel(call: CallOutcome) -> Iterator[Effect]:
    if call.tool == "move":
        to = call.text("to_area_id")
    elif call.tool == "move_party" and (call.result.get("moved") or not call.applied):
        to = text_of(call.args, "to_location_id", "to_location_name", "location_id")
    else:
        to = text_of(call.result, "location_id", "woke_up_at")
    if to is None and call.tool not in _MOVING:
        return
    places = {to} if to else set()
    for key in ("to", "location"):
        place = call.result.get(key)
        if isinstance(place, Mapping):
            places.update(filter(None, (text_of(place, "location_id"), text_of(place, "area_id"))))
    shown: dict[str, Any] = {"to_area_id": to} | ({} if call.applied else {"reason": call.reason})
    if call.tool in _MOVING and (call.tool == "move" or places):
        who, left, what = text_of(call.args, "actor_id"), _left(call), frozenset(places)
        yield _deed(call, EffectKind.TRAVEL, who=who, left=left, what=what, shown=shown)
    elif places:
        yield _deed(call, EffectKind.TRAVEL, what=frozenset(places), shown=shown)


def _left(call: CallOutcome) -> str | None:
    place = call.result.get("from")
    return text_of(place, "location_id") if isinstance(place, Mapping) else call.text("from_area_id")


def _places(call: CallOutcome) -> Iterator[Effect]:
    makes = call.tool == "map_generate" or (
        call.tool == "manage_location" and _operation(call) in ("", "create", "update", "link")
    )
    if makes or call.args.get("new_location"):
        yield _deed(call, EffectKind.PLACE, shown={} if call.applied else {"reason": call.reason})


def _quests(call: CallOutcome) -> Iterator[Effect]:
    step = ""
    if call.tool in ("manage_quest", *_QUEST_STEPS):
        step = _QUEST_STEPS.get(call.tool) or _operation(call)
    elif call.tool == "manage_notes" and _operation(call) in ("", "add"):
        note = call.result.get("note", call.args)
        tags = note.get("tags") if isinstance(note, Mapping) else None
        step = "any" if any("quest" in tag.lower() for tag in tags or () if isinstance(tag, str)) else ""
    if not step or step in ("list", "get"):
        return
    quest = call.result.get("quest")
    names = [text_of(source, key) for source in (call.args, quest) if isinstance(source, Mapping) for key in _TITLES]
    shown: dict[str, Any] = {"operation": step} | ({} if call.applied else {"reason": call.reason})
    yield _deed(call, EffectKind.QUEST, what=frozenset([step, *filter(None, names)]), shown=shown)


_TITLES = ("quest_id", "id", "title", "quest_title")


def _party(call: CallOutcome) -> Iterator[Effect]:
    step = _operation(call)
    if call.tool == "manage_party" and step in ("add", "remove", "clear"):
        who = text_of(call.args, "character_id", "character_name")
        shown = {"operation": step, "character_id": who} | ({} if call.applied else {"reason": call.reason})
        yield _deed(call, EffectKind.PARTY, who=who, what=frozenset({step}), shown=shown)


def _fight(call: CallOutcome) -> Iterator[Effect]:
    shown: dict[str, Any] = {} if call.applied else {"reason": call.reason}
    if call.tool == "take_rest":
        kind = text_of(call.result, "rest_type") or text_of(call.args, "rest_type") or ""
        if call.result.get("interrupted") is True:
            kind, shown = "interrupted", {**shown, "interrupted": True}
        yield _deed(call, EffectKind.REST, who=_owner(call), what=frozenset({kind}), shown={"rest_type": kind, **shown})
    elif call.tool == "advance_turn":
        current = call.result.get("current")
        who = text_of(current, "id") if isinstance(current, Mapping) else None
        yield _deed(
            call, EffectKind.TURN, who=who, total=number_of(call.result, "round"), shown={"current": who, **shown}
        )
    elif call.tool == "end_encounter" or (call.tool == "manage_encounter" and _operation(call) == "end"):
        yield _deed(call, EffectKind.FIGHT_OVER, shown=shown)


_READERS: tuple[Callable[[CallOutcome], Iterator[Effect]], ...] = (_goods, _travel, _places, _quests, _party, _fight)
