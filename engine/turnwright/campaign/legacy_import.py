"""Import of a campaign that is one file: the Stage 3 document's shape and its later variant.

Nothing is lost: data without a field goes to `extra`. Source: docs/stages/1-intake.md, "Campaigns in one file".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

from pydantic import BaseModel

from turnwright.model.campaign import CAMPAIGN_PATH, FORMAT
from turnwright.model.json_types import JsonObject, JsonValue
from turnwright.model.settings import REGISTRY
from turnwright.rulesets.registry import BUILT_IN

Json = dict[str, JsonValue]
"""A document, or a part of one, that is being made; values are as they were, and may be of wrong types."""


class LayerJson(TypedDict):
    """A layer of the map."""

    parent_area_id: str | None
    areas: dict[str, Json]


STARTER_AREAS: Mapping[str, Json] = {
    "area_001": {"id": "area_001", "name": "Starting Area", "reachable_area_ids": ["area_002"]},
    "area_002": {"id": "area_002", "name": "Next Area", "reachable_area_ids": []},
}
STARTER_HP = 10
HOW_DIRECTORIES_ARE_COPIED = "copy the whole directory, or use `turnwright fork`"
_KNOWN = frozenset(
    {
        "id",
        "selected",
        "settings_snapshot",
        "settings_revision",
        "allowlist",
        "map",
        "positions",
        "state",
        "hp",
        "character_states",
        "goal",
        "milestone",
        "lifecycle",
        "created_at",
        "actors",
    }
)
_MIRRORS = frozenset({"positions", "positions_parent", "positions_child"})


class ImportFault(ValueError):
    """A part of a one-file campaign has a shape that nothing can be made of. `faults` pairs JSON paths with rules."""

    def __init__(self, faults: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{path}: {fault}" for path, fault in faults))
        self.faults = faults


def import_one_file(value: JsonObject, now: str) -> tuple[dict[str, Json], list[str]]:
    """Return the documents of a one-file campaign as plain JSON by path, and what was repaired.

    Single values are not validated here; those of the wrong type are passed on for the models to refuse.

    Raises:
        ImportFault: when a part is not the object or list it should be.
    """
    if faults := list(_shape_faults(value)):
        raise ImportFault(faults)
    repairs: list[str] = []
    layers = _layers(_part(value, "map"), repairs)
    characters = _characters(value, layers, repairs)
    documents: dict[str, Json] = {CAMPAIGN_PATH: _campaign(value, now)}
    documents |= {
        _place("maps", parent or "root", parent is None): {"parent_area_id": parent, "areas": layer["areas"]}
        for parent, layer in layers.items()
    }
    documents |= {_place("characters", name, False): person for name, person in sorted(characters.items())}
    return documents, repairs


def _shape_faults(value: JsonObject) -> Iterator[tuple[str, str]]:
    if "format" in value and "map" not in value:
        yield "$.format", f"says that it belongs to a campaign that is a directory; {HOW_DIRECTORIES_ARE_COPIED}"
        return
    objects = ("selected", "settings_snapshot", "map", "positions", "state", "hp", "character_states", "actors")
    for key in (*objects, "goal", "milestone", "lifecycle"):
        if key in value and not isinstance(value[key], Mapping):
            yield f"$.{key}", "wants an object"
    source = _part(value, "map")
    if not isinstance(source.get("areas", {}), Mapping):
        yield "$.map.areas", "wants an object of areas by id"
    if not isinstance(source.get("connections", []), list):
        yield "$.map.connections", "wants a list"
    for group, part in (("map.areas", source.get("areas")), ("actors", value.get("actors"))):
        for name, entry in part.items() if isinstance(part, Mapping) else ():
            if not isinstance(entry, Mapping):
                yield f"$.{group}.{name}", "wants an object"
            elif not isinstance(entry.get("inventory", {}), Mapping):
                yield f"$.{group}.{name}.inventory", "wants an object of counts by id"


def _place(folder: str, identifier: str, is_root: bool) -> str:
    from turnwright.model.base import file_stem

    return f"{folder}/{'root' if is_root else file_stem(identifier)}.json"


def _part(value: JsonObject, key: str) -> Mapping[str, Any]:
    part = value.get(key)
    return part if isinstance(part, Mapping) else {}


def _campaign(value: JsonObject, now: str) -> Json:
    settings, other_settings = _settings(_part(value, "settings_snapshot"))
    extra = {key: item for key, item in value.items() if key not in _KNOWN}
    rest: Json = {
        "settings_snapshot": other_settings,
        "state": {key: item for key, item in _part(value, "state").items() if not _is_mirror(value, key, item)},
        "map": {key: item for key, item in _part(value, "map").items() if key not in ("areas", "connections")},
    }
    if value.get("actors"):
        # The actors count; further entries of the older maps are kept, but no longer mean anything.
        rest |= {key: value[key] for key in ("positions", "hp", "character_states") if key in value}
    extra |= {key: part for key, part in rest.items() if part}
    campaign: Json = {"format": FORMAT, "id": value.get("id"), "settings": settings, "created_at": now, "extra": extra}
    for key in ("selected", "settings_revision", "allowlist", "goal", "milestone", "lifecycle", "created_at"):
        if key in value:
            campaign[key] = value[key]
    _move_unknown(campaign, extra)
    return campaign


def _is_mirror(value: JsonObject, key: str, item: Any) -> bool:
    """Return whether a part of `state` only says again what stands elsewhere."""
    if key == "positions_child":
        return isinstance(item, Mapping) and all(child is None for child in item.values())
    return key in _MIRRORS and item in ({}, value.get("positions", {}))


def _move_unknown(campaign: Json, extra: Json) -> None:
    """Move what the parts of an import hold beyond our models to `extra`, under the same names."""
    from turnwright.model.campaign import Goal, Lifecycle, Milestone, Selected

    models: dict[str, type[BaseModel]] = {
        "selected": Selected,
        "goal": Goal,
        "milestone": Milestone,
        "lifecycle": Lifecycle,
    }
    for key, model in models.items():
        part = campaign.get(key)
        if isinstance(part, Mapping):
            campaign[key] = {name: item for name, item in part.items() if name in model.model_fields}
            if unknown := {name: item for name, item in part.items() if name not in model.model_fields}:
                extra[key] = unknown


def _settings(snapshot: JsonObject) -> tuple[dict[str, Json], Json]:
    """Return the settings that the registry has, nested, and the rest of the snapshot as it was."""
    nested: dict[str, Json] = {}
    taken: set[str] = set()
    for key, item in _flat(snapshot):
        known, meant = key, item
        if key == "dialog.conflict_text_checks_enabled" and isinstance(item, bool):
            known, meant = "narration.check", "retry" if item else REGISTRY["narration.check"].default
        row = BUILT_IN.settings.get(known)
        if row is None or row.fault(meant):
            continue
        taken.add(key)
        if meant != row.default:
            group, _, name = known.partition(".")
            nested.setdefault(group, {})[name] = meant
    return nested, _without(snapshot, taken)


def _without(value: JsonObject, taken: set[str], prefix: str = "") -> Json:
    """Return a snapshot without the dotted keys that were taken; groups that become empty go too."""
    rest: Json = {}
    for key, item in value.items():
        if isinstance(item, Mapping) and item:
            item = _without(item, taken, f"{prefix}{key}.")
            if not item:
                continue
        elif f"{prefix}{key}" in taken:
            continue
        rest[key] = item
    return rest


def _flat(value: JsonObject, prefix: str = "") -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key, item in value.items():
        pairs += _flat(item, f"{prefix}{key}.") if isinstance(item, Mapping) else [(f"{prefix}{key}", item)]
    return pairs


def _layers(source: Mapping[str, Any], repairs: list[str]) -> dict[str | None, LayerJson]:
    areas = source.get("areas") or {}
    if not areas:
        areas = STARTER_AREAS
        repairs.append("the map had no areas: starter areas were added")
    links = _links(source.get("connections", []))
    layers: dict[str | None, LayerJson] = {}
    for area_id, given in areas.items():
        area = _area(area_id, given, links, repairs)
        parent = area["parent_area_id"] if isinstance(area["parent_area_id"], str) else None
        layers.setdefault(parent, {"parent_area_id": parent, "areas": {}})["areas"][area_id] = area
    return layers


def _area(area_id: str, given: JsonObject, links: Mapping[str, set[str]], repairs: list[str]) -> Json:
    area: Json = {"id": area_id, "name": area_id, "parent_area_id": None}
    known = ("id", "name", "parent_area_id", "reachable_area_ids", "description")
    area |= {key: given[key] for key in known if key in given}
    if extra := {key: item for key, item in given.items() if key not in known}:
        area["extra"] = extra
    if "reachable_area_ids" not in area:
        area["reachable_area_ids"] = sorted(links.get(area_id, ()))
        repairs.append(f"{area_id} had no reachable_area_ids: they were taken from the connections")
    return area


def _links(connections: Sequence[Any]) -> dict[str, set[str]]:
    links: dict[str, set[str]] = {}
    for link in connections:
        start, end = (link.get(key) if isinstance(link, Mapping) else None for key in ("from_area_id", "to_area_id"))
        if isinstance(start, str) and isinstance(end, str):
            links.setdefault(start, set()).add(end)
    return links


def _characters(value: JsonObject, layers: Mapping[str | None, LayerJson], repairs: list[str]) -> dict[str, Json]:
    actors = _part(value, "actors")
    people: dict[str, Json] = {name: _actor(name, actor, layers, repairs) for name, actor in actors.items()}
    for source, key in (("positions", "position"), ("hp", "hp"), ("character_states", "character_state")):
        for name, item in _part(value, source).items():
            person = people.setdefault(name, _nobody(name))
            if name not in actors:
                person[key] = _hp(name, item, repairs) if key == "hp" else item
    party = _part(value, "selected").get("party_character_ids")
    start = _start(layers)
    for name in party if isinstance(party, list) else ():
        if isinstance(name, str):
            _complete(people.setdefault(name, _nobody(name)), start, repairs)
    return people


def _start(layers: Mapping[str | None, LayerJson]) -> str:
    """Return where a party member without a position begins."""
    known = {area_id for layer in layers.values() for area_id in layer["areas"]}
    return "area_001" if "area_001" in known else min(layers[None]["areas"] if None in layers else known)


def _nobody(name: str) -> Json:
    return {"id": name, "character_type": "npc", "position": None, "hp": None, "character_state": None}


def _complete(person: Json, area_id: str, repairs: list[str]) -> None:
    """Give a party member what it lacks."""
    person["character_type"] = "pc"
    for key, given in (("position", area_id), ("hp", STARTER_HP), ("character_state", "alive")):
        if person[key] is None:
            person[key] = given
            repairs.append(f"{person['id']} had no {key}: it was set to {given}")


def _actor(name: str, actor: Mapping[str, Any], layers: Mapping[str | None, LayerJson], repairs: list[str]) -> Json:
    known = {area_id for layer in layers.values() for area_id in layer["areas"]}
    position = actor.get("position")
    if isinstance(position, str) and position not in known:
        repairs.append(f"{name} stood in {position}, which does not exist: the position was cleared")
        position = None
    person: Json = {**_nobody(name), "position": position, "character_state": actor.get("character_state")}
    person["hp"] = _hp(name, actor["hp"], repairs) if "hp" in actor else None
    inventory = actor.get("inventory", {})
    items = _items(inventory)
    person["inventory"] = items
    rest = {k: v for k, v in actor.items() if k not in ("position", "hp", "character_state", "inventory")}
    if {item["id"]: item["quantity"] for item in items} != dict(inventory):
        rest["inventory"] = inventory
        repairs.append(f"the inventory of {name} had entries that are no items: they are kept under extra")
    return {**person, "extra": rest} if rest else person


def _hp(name: str, given: Any, repairs: list[str]) -> Any:
    if type(given) is not int:
        repairs.append(f"the hit points of {name} were {given!r}, no integer: they were set to {STARTER_HP}")
        return STARTER_HP
    if given < 0:
        repairs.append(f"the hit points of {name} were {given}: they were set to 0")
    return max(0, given)


def _items(inventory: JsonObject) -> list[Json]:
    counted: dict[str, int] = {}
    for name, count in inventory.items():
        if name.strip() and type(count) is int and count > 0:
            counted[name.strip()] = counted.get(name.strip(), 0) + count
    return [{"id": name, "name": name, "type": "misc", "quantity": counted[name]} for name in sorted(counted)]
