"""What could be named: the ids and names that hints offer and that `legal` narrows arguments to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from typing import Any, get_args

from pydantic.fields import FieldInfo

from turnwright.model.aura import Aura
from turnwright.model.base import Entry
from turnwright.model.character import Character
from turnwright.model.encounter import RUNNING_TAG, Encounter
from turnwright.model.location import Location
from turnwright.model.note import Note
from turnwright.model.quest import Quest
from turnwright.tools._base import Args
from turnwright.tools.marks import Names
from turnwright.world.overlay import World

MOST = 500
"""The most ids that are listed; of more characters, those of the party."""


def character_ids(world: World) -> list[str]:
    """Return the ids of all characters, sorted; of too many, those of the party."""
    if len(world.paths(Character.collection)) > MOST:
        return list(world.campaign.selected.party_character_ids)
    return sorted(person.id for person in world.characters())


def other_ids(world: World, but: Collection[str]) -> list[str]:
    """Return the ids of characters but for these: first those of the party, and no more than are listed."""
    people = map(world.get, world.paths(Character.collection))
    some = [person.id for person in islice(people, MOST + len(but)) if isinstance(person, Character)]
    known = dict.fromkeys([*world.campaign.selected.party_character_ids, *some])
    return [identifier for identifier in known if identifier not in but][:MOST]


def running_encounter_ids(world: World) -> list[str]:
    """Return the ids of the fights that go on."""
    return [encounter.id for encounter in world.all_tagged(Encounter, RUNNING_TAG)]


def _ids(model: type[Entry]) -> Callable[[World], list[str]]:
    return lambda world: sorted(document.id for document in world.all(model))[:MOST]


def participant_ids(world: World) -> list[str]:
    """Return the ids of everybody who is in a fight, and of all characters."""
    fighting = [person.id for fight in world.all_tagged(Encounter, RUNNING_TAG) for person in fight.participants]
    return list(dict.fromkeys([*fighting, *character_ids(world)]))


def prop_ids(world: World) -> list[str]:
    """Return the ids of the things that stand in running fights."""
    return [prop.id for fight in world.all_tagged(Encounter, RUNNING_TAG) for prop in fight.props]


CANDIDATES: Mapping[str, Callable[[World], list[str]]] = {
    "character": character_ids,
    "encounter": _ids(Encounter),
    "running_encounter": running_encounter_ids,
    "participant": participant_ids,
    "aura": _ids(Aura),
    "location": _ids(Location),
    "note": _ids(Note),
    "quest": _ids(Quest),
    "prop": prop_ids,
}
"""What ids there are, by the kind that a mark names."""


def legal_ids(args: type[Args], world: World) -> dict[str, list[Any]] | None:
    """Return the ids that each marked argument may be now; None when a required one can be none."""
    legal: dict[str, list[Any]] = {}
    for name, field in args.model_fields.items():
        kinds = list(_kinds(field))
        if not kinds:
            continue
        found = CANDIDATES[kinds[0]](world)
        if found:
            legal[field.alias or name] = found
        elif field.is_required():
            return None
    return legal


def _kinds(field: FieldInfo) -> Iterator[str]:
    yield from (mark.kind for mark in field.metadata if isinstance(mark, Names))
    for branch in get_args(field.annotation):
        yield from (mark.kind for mark in get_args(branch) if isinstance(mark, Names))
