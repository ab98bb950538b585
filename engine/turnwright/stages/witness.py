"""What a narration is compared with, gathered from the campaign: who was there, what was done, what it left.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from turnwright.model.base import Document
from turnwright.model.campaign import CREW_PATH
from turnwright.model.character import Character
from turnwright.model.party import PARTY_PATH, PartyDocument
from turnwright.rules.draws import Dice
from turnwright.stages.parts import Outcome
from turnwright.stages.settings import InForce
from turnwright.suggest.deeds import denomination
from turnwright.suggest.scene import CallOutcome, Deed, DeedKind, Fight, Person, Quest, Scene
from turnwright.world.overlay import World
from turnwright.world.summary import FULL_UP_TO, people_at

if TYPE_CHECKING:  # what most campaigns have none of is imported where there is some
    from turnwright.model.encounter import Encounter, Participant
    from turnwright.model.location import Location

MOST_RECORDS = 16
"""How many records a text that was handed in by itself is compared with, at most."""
_MOST_PARENTS = 50
_FIGHTS, _QUESTS = "encounters/", "quests/"


class Earlier(NamedTuple):
    """What the turns before did that this text is the first to tell of: their calls, and what was drawn."""

    outcomes: tuple[CallOutcome, ...] = ()
    faces: tuple[int, ...] = ()


def scene_of(
    world: World,
    before: World,
    force: InForce,
    outcomes: Sequence[Outcome],
    dice: Dice,
    speaker: str | None,
    earlier: Earlier,
) -> Scene:
    """Return what a narration of the turn is compared with.

    Args:
        world: the campaign after the calls.
        before: the campaign before them.
        force: what holds for the turn.
        outcomes: what became of its parts.
        dice: what was drawn.
        speaker: the character who speaks the text, if it is no narrator's.
        earlier: what the turns before did, for a text that was handed in by itself.
    """
    crew = world.get(CREW_PATH)
    calls = (*earlier.outcomes, *(_seen(outcome, world) for outcome in outcomes))
    fights = _fights(world)
    people = _people(world, force, calls)
    return Scene(
        acting=force.acting_id,
        people=(*_persons(world, before, force, people), *_fighters(before, fights, people)),
        areas=_areas(world, force, calls),
        outcomes=calls,
        faces=(*earlier.faces, *_faces(dice, crew)),
        dialog_type=force.dialog_type,
        changed=tuple(_changed(world, before)),
        here=_here(world, force),
        party=frozenset(world.campaign.selected.party_character_ids),
        fight=_fight(fights),
        quests=tuple(_quests(world)),
        aliases={p.id: p.character_id for fight in fights for p in fight.participants if p.character_id is not None},
        permitted=frozenset(world.campaign.allowlist),
        speaker=speaker,
        is_scene_game=crew is not None,
    )


def _faces(dice: Dice, crew: Document | None) -> Iterator[int]:
    yield from (draw["value"] for draw in dice.drawn if draw["sides"])
    if crew is not None:
        yield from crew.as_written["dice_pool"]


def _seen(outcome: Outcome, world: World) -> CallOutcome:
    reason = outcome.failure.reason.value if outcome.failure else None
    result = outcome.applied.result if outcome.applied else {}
    return told_call(outcome.tool, outcome.args, result, reason, world)


def told_call(
    tool: str,
    args: Mapping[str, Any],
    result: Mapping[str, Any],
    reason: str | None,
    world: World,
    *,
    told: bool = False,
) -> CallOutcome:
    """Return a call as the check of narrations sees it; `reason` is None for one that was applied."""
    target = world.character(str(args.get("target_character_id", "")))
    most = _hp(target)[1] if target is not None else None
    is_full = most is not None and result.get("new_hp") == most
    return CallOutcome(tool, args, reason is None, reason, result, is_full, told)


# the turns before


def lone_records(
    turn: Mapping[str, Any], record_at: Callable[[int], Mapping[str, Any] | None], last: int
) -> list[Mapping[str, Any]]:
    """Return the turns that a text handed in by itself may tell of, oldest first; none for any other turn.

    These are the turns since a player spoke last, among the last records, up to the one numbered `last`. An undo ends
    them: what lies before it may have been taken back.
    """
    found: list[Mapping[str, Any]] = []
    if any(turn.get(key) for key in ("user_input", "tool_calls", "output", "answer")):
        return found
    for seq in range(last, max(last - MOST_RECORDS, -1), -1):
        record = record_at(seq)
        if record is None or record["kind"] in ("undo", "new", "fork"):
            break
        if record["kind"] == "turn":
            found.append(record)
            if record.get("user_input"):
                break
    return found[::-1]


def earlier_of(records: Sequence[Mapping[str, Any]], world: World) -> Earlier:
    """Return what was done and drawn in some turns. What a text among them could have told of is told already."""
    calls: list[CallOutcome] = []
    faces: list[int] = []
    for i, record in enumerate(records):
        told = any(later.get("assistant_text") for later in records[i:])
        calls.extend(_recorded(record, world, told=told))
        faces.extend(draw["value"] for draw in record.get("draws", ()) if draw["sides"])
    return Earlier(tuple(calls), tuple(faces))


def _recorded(record: Mapping[str, Any], world: World, *, told: bool) -> Iterator[CallOutcome]:
    for action in record["applied_actions"]:
        yield told_call(action["tool"], action["args"], action["result"], None, world, told=told)
    asked = [call for call in record.get("tool_calls", ()) if isinstance(call, dict)]
    for failed in record["tool_feedback"]["failed_calls"]:
        args = next((call.get("args") for call in asked if call.get("id") == failed["id"]), None)
        yield told_call(failed["tool"], args if isinstance(args, dict) else {}, {}, failed["reason"], world, told=told)


# people


def _people(world: World, force: InForce, calls: Sequence[CallOutcome]) -> dict[str, Character]:
    """Return the party, whoever stands where the turn plays, whoever the calls named, and who is elsewhere."""
    found = {person.id: person for person in world.party()}
    actor = world.character(force.acting_id) if force.acting_id else None
    if actor and actor.position is not None:
        found |= {person.id: person for person in people_at(world, actor.position)}
    for call in calls:
        person = world.character(call.target) if call.target is not None else None
        if person:
            found.setdefault(person.id, person)
    if len(world.paths(Character.collection)) <= FULL_UP_TO:
        for person in world.characters():
            found.setdefault(person.id, person)
    return found


def _persons(world: World, before: World, force: InForce, people: Mapping[str, Character]) -> Iterator[Person]:
    here = _position(world, force)
    was_here = _position(before, force)
    for person in people.values():
        earlier = before.character(person.id)
        is_away = None not in (person.position, here) and person.position not in (here, was_here)
        yield Person(
            person.id,
            person.name,
            person.state.value if person.state else None,
            earlier.state.value if earlier and earlier.state else None,
            _hp(person)[0],
            person.position if is_away and (earlier is None or earlier.position == person.position) else None,
            tuple(item.name for item in person.inventory),
        )


def _hp(person: Character) -> tuple[int | None, int | None]:
    """Return the hit points that count now, and their maximum."""
    if person.max_hp is None:
        return person.hp, None
    from turnwright.rules.effective import counted_hp  # most campaigns of the core tools have no sheets

    return counted_hp(person)


def _position(world: World, force: InForce) -> str | None:
    actor = world.character(force.acting_id) if force.acting_id else None
    return actor.position if actor else None


def _fighters(before: World, fights: Sequence[Encounter], people: Mapping[str, Character]) -> Iterator[Person]:
    """Yield who takes part in a fight and is no character of the campaign."""
    for fight in fights:
        earlier = before.find(type(fight), fight.id)
        for participant in fight.participants:
            if participant.character_id is None and participant.id not in people and participant.body is not None:
                was = earlier.participant(participant.id) if earlier else None
                state_before = _state(was) if was and was.body else None
                hp, _ = _hp(participant.body)
                yield Person(participant.id, participant.name, _state(participant), state_before, hp)


def _state(participant: Participant) -> str | None:
    body = participant.body
    return body.state.value if body and body.state else None


# places


def _here(world: World, force: InForce) -> frozenset[str]:
    """Return the areas in which the acting character is, from the innermost out, and the party's place."""
    at, found = _position(world, force), set[str]()
    while at is not None and at not in found and len(found) < _MOST_PARENTS:
        found.add(at)
        area = world.area(at)
        at = area.parent_area_id if area else None
    places = [place for place in _places(world)[:1] if place.area_id in found or place.area_id is None]
    return frozenset(found | {place.id for place in places}) if found else frozenset()


def _places(world: World) -> list[Location]:
    """Return the place of the party and those it can go to from there; none in a scene game."""
    party = world.get(PARTY_PATH)
    if not isinstance(party, PartyDocument) or party.location_id is None or world.get(CREW_PATH) is not None:
        return []
    from turnwright.model.location import Location

    at = world.find(Location, party.location_id)
    if at is None:
        return []
    beyond = (world.find(Location, edge.to_location_id) for edge in at.edges if not edge.hidden or edge.discovered)
    return [at, *(place for place in beyond if place is not None)]


def _areas(world: World, force: InForce, calls: Sequence[CallOutcome]) -> dict[str, str]:
    """Return the names of the areas around the acting character and of those the calls named or made."""
    at = _position(world, force)
    wanted = {at}
    for call in calls:
        wanted |= {value for key, value in call.args.items() if key.endswith("area_id") and isinstance(value, str)}
        made = call.result.get("created_area_ids", ()) if call.applied else ()
        wanted |= {area_id for area_id in made if isinstance(area_id, str)}
    here = world.area(at) if at else None
    wanted |= set(here.reachable_area_ids) if here else set()
    found = (world.area(area_id) for area_id in sorted(filter(None, wanted)))
    return {area.id: area.name for area in found if area} | {place.id: place.name for place in _places(world)}


# fights and quests


def _fights(world: World) -> list[Encounter]:
    if not world.paths(_FIGHTS):
        return []
    from turnwright.model.encounter import RUNNING_TAG, Encounter

    return world.all_tagged(Encounter, RUNNING_TAG)


def _fight(fights: Sequence[Encounter]) -> Fight | None:
    """Return the fight a text means: the only one."""
    if len(fights) != 1:
        return None
    (fight,) = fights
    current = fight.current
    return Fight(frozenset(filter(None, (current.id, current.character_id))), fight.round)


def _quests(world: World) -> Iterator[Quest]:
    for path in world.paths(_QUESTS)[:FULL_UP_TO]:
        document = world.get(path)
        said = document.as_written if document else {}
        if all(isinstance(said.get(key), str) for key in ("id", "title", "status")):
            yield Quest(said["id"], said["title"], said["status"])


# what the turn as a whole changed


def _changed(world: World, before: World) -> Iterator[Deed]:
    party = world.campaign.selected.party_character_ids
    for path in sorted(world.touched):
        after, earlier = world.get(path), before.get(path)
        if isinstance(after, Character) and isinstance(earlier, Character):
            yield from _of_person(after, earlier)
            if after.id in party and after.position not in (None, earlier.position):
                yield Deed(DeedKind.TRAVEL, who=after.id, what=frozenset({after.position or ""}), is_net=True)
        elif path.startswith(_FIGHTS) and after is not None and earlier is not None:
            yield from _of_fight(cast("Encounter", after), cast("Encounter", earlier))
        elif isinstance(after, PartyDocument) and after.location_id not in (None, _place_of(earlier)):
            yield Deed(DeedKind.TRAVEL, what=frozenset({after.location_id or ""}), is_net=True)


def _place_of(party: Document | None) -> str | None:
    return party.location_id if isinstance(party, PartyDocument) else None


def _of_person(after: Character, before: Character) -> Iterator[Deed]:
    yield from _of_hp(after.id, _hp(before)[0], *_hp(after))
    had, has = (Counter({item.name: 0 for item in person.inventory}) for person in (before, after))
    for counted, person in ((had, before), (has, after)):
        for item in person.inventory:
            counted[item.name] += item.quantity
    kinds = {item.name: item.type for person in (before, after) for item in person.inventory}
    for name in sorted(kinds):
        change = has[name] - had[name]
        coin = denomination(name) or ("coin" if kinds[name] == "currency" else None)
        who, other = (after.id, None) if change > 0 else (None, after.id)
        if change:
            what = frozenset({name})
            yield Deed(DeedKind.GOODS, who=who, other=other, what=what, delta=abs(change), coin=coin, is_net=True)


def _of_hp(who: str, before: int | None, after: int | None, most: int | None) -> Iterator[Deed]:
    if before is None or after is None or before == after:
        return
    is_cut = after == 0 if after < before else after == most
    delta = after - before
    amounts = frozenset({abs(delta)})
    shown = {"target_character_id": who, "delta": delta, "new_hp": after}
    yield Deed(DeedKind.HP, who=who, delta=delta, amounts=amounts, total=after, is_cut=is_cut, shown=shown, is_net=True)


def _of_fight(after: Encounter, before: Encounter) -> Iterator[Deed]:
    if before.is_running and not after.is_running:
        yield Deed(DeedKind.FIGHT_OVER, is_net=True)
    elif after.is_running and (after.turn_index, after.round) != (before.turn_index, before.round):
        yield Deed(DeedKind.TURN, who=after.current.id, total=after.round, is_net=True)
    for participant in after.participants:
        was = before.participant(participant.id)
        if participant.body is not None and was is not None and was.body is not None:
            yield from _of_hp(participant.id, _hp(was.body)[0], *_hp(participant.body))
