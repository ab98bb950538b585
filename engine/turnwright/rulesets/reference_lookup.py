"""Ids by kind and by name: the ids that hints offer and that `legal` narrows arguments to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, get_args

from pydantic.fields import FieldInfo

from turnwright.model.area import Layer, area_tag
from turnwright.model.aura import Aura
from turnwright.model.base import Entry, Model, name_tag
from turnwright.model.character import Character
from turnwright.model.encounter import RUNNING_TAG, Encounter, Participant
from turnwright.model.fuzzy_match import says_nothing
from turnwright.model.location import Location
from turnwright.model.note import Note
from turnwright.model.quest import Quest
from turnwright.model.schema_path import schema_of
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.rulesets.references import Names
from turnwright.rulesets.tool import Args, Legal

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

MAX_COUNT = 500
"""The most ids that are listed; with more characters, only those of the party."""
_MAX_LAYERS = 20


def character_ids(world: World) -> list[str]:
    """Return the ids of all characters, sorted; if there are too many, those of the party."""
    if len(world.paths(Character.collection)) > MAX_COUNT:
        return list(world.campaign.selected.party_character_ids)
    return sorted(person.id for person in world.characters())


def other_ids(world: World, but: Collection[str]) -> list[str]:
    """Return the ids of all characters except these: first those of the party, and no more than are listed."""
    people = map(world.get, world.paths(Character.collection))
    some = [person.id for person in islice(people, MAX_COUNT + len(but)) if isinstance(person, Character)]
    known = dict.fromkeys([*world.campaign.selected.party_character_ids, *some])
    return [identifier for identifier in known if identifier not in but][:MAX_COUNT]


def running_encounter_ids(world: World) -> list[str]:
    """Return the ids of the running fights."""
    return [encounter.id for encounter in world.all_tagged(Encounter, RUNNING_TAG)]


def _ids(model: type[Entry]) -> Callable[[World], list[str]]:
    return lambda world: sorted(document.id for document in world.all(model))[:MAX_COUNT]


def _fighting(world: World) -> list[Participant]:
    return [person for fight in world.all_tagged(Encounter, RUNNING_TAG) for person in fight.participants]


def participant_ids(world: World) -> list[str]:
    """Return the ids of all combatants, and of all characters."""
    return list(dict.fromkeys([*(person.id for person in _fighting(world)), *character_ids(world)]))


def combatant_ids(world: World) -> list[str]:
    """Return the ids of all combatants in running fights, and of the characters behind them."""
    fighting = _fighting(world)
    behind = (person.character_id for person in fighting if person.character_id)
    return list(dict.fromkeys([*(person.id for person in fighting), *behind]))


def prop_ids(world: World) -> list[str]:
    """Return the ids of the props in running fights."""
    return [prop.id for fight in world.all_tagged(Encounter, RUNNING_TAG) for prop in fight.props]


CANDIDATES: Mapping[str, Callable[[World], list[str]]] = {
    "character": character_ids,
    "encounter": _ids(Encounter),
    "running_encounter": running_encounter_ids,
    "participant": participant_ids,
    "combatant": combatant_ids,
    "aura": _ids(Aura),
    "location": _ids(Location),
    "note": _ids(Note),
    "quest": _ids(Quest),
    "prop": prop_ids,
}
"""The existing ids, by the kind that a mark names."""


def some_layers(world: World) -> list[Layer]:
    """Return the layers of the map; if there are too many, the root and those in which the party stands."""
    paths = world.paths(Layer.collection)
    if len(paths) <= _MAX_LAYERS:
        return [layer for path in paths if isinstance(layer := world.get(path), Layer)]
    here = [world.area(member.position) for member in world.party() if member.position is not None]
    parents = dict.fromkeys([None, *(area.parent_area_id for area in here if area)])
    return [layer for layer in map(world.layer, parents) if layer]


def people_called(world: World, name: str, fights: Iterable[Encounter] | None = None) -> hint.Bearers:
    """Return the ids with this name: of characters, and of combatants, by default those of running fights.

    Each id comes with its bearer, as a character has a second id in a fight. A text that is an id means its bearer, and
    not another one with that name.
    """
    if world.character(name) is not None:
        return {name: name}
    tag = name_tag(name)
    people = {person.id: person.id for person in world.all_tagged(Character, tag)}
    fighting = world.all_tagged(Encounter, RUNNING_TAG) if fights is None else fights
    for fight in fighting:
        for person in fight.participants:
            if name_tag(person.name) == tag or person.character_id in people:
                people[person.id] = person.character_id or f"{fight.id} {person.id}"
    return people


def areas_called(world: World, name: str) -> Collection[str]:
    """Return the ids of the areas of this name, and of the areas of places of this name, or the place's own id.

    Undiscovered places have no name here, so that a hint does not reveal them.
    """
    if world.area(name) is not None:
        return ()
    tag = name_tag(name)
    found = {area.id for layer in some_layers(world) for area in layer.areas.values() if name_tag(area.name) == tag}
    hidden = {area_id for area_id in found if _is_hidden(world, area_id)}
    places = (place for place in world.all_tagged(Location, tag) if place.discovered)
    return (found - hidden) | {place.area_id or place.id for place in places}


def _is_hidden(world: World, area_id: str) -> bool:
    return any(not place.discovered for place in world.all_tagged(Location, area_tag(area_id)))


def _auras_called(world: World, name: str) -> hint.Bearers:
    return {aura.id: aura.id for aura in world.all(Aura) if name_tag(aura.spell_name) == name_tag(name)}


_CALLED: Mapping[str, Callable[[World, str], hint.Bearers]] = {
    "character": people_called,
    "participant": people_called,
    "combatant": people_called,
    "aura": _auras_called,
}
"""How ids are found by name, by the kind that a mark names. Other kinds have no names, or the name serves as the id."""
PEOPLE = frozenset({"character", "participant", "combatant"})
"""Kinds of marks that name a character."""
_ALSO_BY_NAME = frozenset({"location", "quest"})
"""Kinds whose names serve as ids."""


def replace_person(
    world: World, field: str, got: Any, known: Iterable[str], fights: Iterable[Encounter] | None = None
) -> hint.Hint:
    """Return the hint that names people in place of one; see `people_called`."""
    ids = list(known)
    called_so = people_called(world, got, fights) if isinstance(got, str) else {}
    people = [world.character(each) for each in ids]
    labels = {person.id: person.label for person in people if person}
    fighting = world.all_tagged(Encounter, RUNNING_TAG) if fights is None else fights
    labels |= {person.id: person.name for fight in fighting for person in fight.participants if person.id in ids}
    return hint.identifier(field, got, ids, called_so, labels=labels)


def replace_actor(world: World, field: str, got: Any, known: Iterable[str]) -> hint.Hint:
    """Return the hint that names who may act in a character's place."""
    return replace_person(world, field, got, known)


def replace_acting(world: World, field: str, got: Any, acting_id: str | None, *, is_player: bool) -> hint.Hint:
    """Return the hint that names who acts instead of a character; for other party members, how they could act instead.

    For a player it is the same for every name, so that it does not reveal who is present.
    """
    known = [acting_id] if acting_id else []
    if acting_id and (got is None or (isinstance(got, str) and says_nothing(got))):
        return hint.repair(field, got, acting_id)
    if is_player:
        return hint.ask(field, got, known)
    party = world.campaign.selected.party_character_ids
    named = people_called(world, got) if isinstance(got, str) else {}
    others = [each for each in named if each in party and each != acting_id]
    if field == "args.actor_id" and len(set(named.values())) == 1 and others:
        return hint.ask("turn.actor_id", acting_id, others)
    return replace_actor(world, field, got, known)


def replace_area(world: World, field: str, got: str, known: Iterable[str]) -> hint.Hint:
    """Return the hint that names areas in place of one; see `areas_called`. An existing area is not a misspelling."""
    others = (got,) if world.area(got) is not None else ()
    ids = list(known)
    names = {area.id: area.name for area in map(world.area, ids[:MAX_COUNT]) if area}
    return hint.identifier(field, got, ids, areas_called(world, got), others, names)


def called(world: World, kind: str | None, name: object) -> hint.Bearers:
    """Return the ids with this name, of a kind that a mark names."""
    find = _CALLED.get(kind or "")
    return find(world, name) if find and isinstance(name, str) else {}


def id_meant(world: World, kind: str | None, got: str, known: Sequence[str]) -> str:
    """Return the one of some ids that a text is, names or misspells; if there is none or several, the text.

    Args:
        world: the campaign in which names are looked up.
        kind: the kind of the ids, as a mark names it.
        got: the text.
        known: the ids.
    """
    if got in known or kind in _ALSO_BY_NAME:
        return got
    if kind in PEOPLE:
        told = replace_person(world, "", got, known)
    else:
        told = hint.identifier("", got, known, called(world, kind, got))
    return str(told.get("allowed", [got])[0])


def kind_of(args: type[Model], name: str) -> str | None:
    """Return the kind of id that an argument holds, alone or in a list, by its mark."""
    return _kinds_in(args).get(name)


@cache
def _kinds_in(args: type[Model]) -> Mapping[str, str]:
    """Return the kind of id of each marked argument; looked up once, as every list of tools asks for it."""
    found = {name: next(_kinds(field), None) for name, field in args.model_fields.items()}
    return {name: kind for name, kind in found.items() if kind is not None}


def legal_ids(args: type[Args], world: World) -> Legal | None:
    """Return the ids that each marked argument may be, or hold, now; None when a required one has no legal value."""
    legal: dict[str, list[Any] | JsonSchema] = {}
    for name, kind in _kinds_in(args).items():
        field = args.model_fields[name]
        found, key = CANDIDATES[kind](world), field.alias or name
        if found:
            plain = schema_of(args)["properties"][key]
            legal[key] = _list_of(found, plain) if plain.get("type") == "array" else found
        elif field.is_required():
            return None
    return legal


def _list_of(ids: list[str], plain: JsonSchema) -> JsonSchema:
    """Return the schema of a list of some of these, as long as the argument's own schema has it."""
    listed: JsonSchema = {"type": "array", "items": {"enum": ids}}
    if "minItems" in plain:
        listed["minItems"] = plain["minItems"]
    if "maxItems" in plain:
        listed["maxItems"] = plain["maxItems"]
    return listed


def _kinds(field: FieldInfo) -> Iterator[str]:
    yield from (mark.kind for mark in field.metadata if isinstance(mark, Names))
    for branch in get_args(field.annotation):
        yield from (mark.kind for mark in get_args(branch) if isinstance(mark, Names))
