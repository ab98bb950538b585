"""Overlays: a plain dictionary is the oracle."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.area import Area, Layer, area_number, layer_path
from turnwright.model.base import Document
from turnwright.model.character import Character
from turnwright.model.state.overlay import InMemorySource, Source, World

AREA_IDS = ("area_001", "area_002", "area_010", "area_999", "area_1000", "cellar", "area_x")
PARENTS = (None, "area_001", "cellar")
PATHS = tuple(layer_path(parent) for parent in PARENTS)
NAMES = ("ann", "bob", "Ćuk")

Assignment = dict[str, str | None]
"""In which layer each area lies; areas that are missing here lie nowhere."""
ASSIGNMENTS = st.dictionaries(st.sampled_from(AREA_IDS), st.sampled_from(PARENTS), max_size=6)
PEOPLE = st.dictionaries(st.sampled_from(NAMES), st.none() | st.integers(0, 9), max_size=3)
CHANGES = st.tuples(ASSIGNMENTS, PEOPLE, st.sampled_from(["stack", "absorb", "drop"]))


def layers_of(assignment: Assignment) -> dict[str, Document]:
    found: dict[str, Document] = {}
    for parent in PARENTS:
        own = {
            i: Area(id=i, name=i, parent_area_id=parent, reachable_area_ids=())
            for i in assignment
            if assignment[i] == parent
        }
        if own:
            found[layer_path(parent)] = Layer(parent_area_id=parent, areas=own)
    return found


def people_of(people: Mapping[str, int | None]) -> dict[str, Document]:
    found = (Character(id=name, hp=hp) for name, hp in people.items() if hp is not None)
    return {person.path: person for person in found}


def show(source: Source) -> tuple[object, ...]:
    """Return all that a source says of itself."""
    paths = [*source.paths("maps/"), *source.paths("characters/")]
    documents = {path: document.value() for path in paths if (document := source.get(path))}
    return paths, documents, [source.layer_of(area_id) for area_id in AREA_IDS], source.highest_area()


def wanted(documents: Mapping[str, Document]) -> tuple[object, ...]:
    """Return what a source over these documents has to say."""
    held = {i: path for path, layer in documents.items() if isinstance(layer, Layer) for i in layer.areas}
    paths = [path for folder in ("maps/", "characters/") for path in sorted(documents) if path.startswith(folder)]
    numbers = [area_number(area_id) or 0 for area_id in held]
    values = {path: documents[path].value() for path in paths}
    return paths, values, [held.get(area_id) for area_id in AREA_IDS], max(numbers, default=0)


def put_all(world: World, after: Mapping[str, Document], before: Mapping[str, Document]) -> None:
    for path in {**before, **after}:
        if path not in after:
            world.remove(path)
        elif path not in before or before[path] != after[path]:
            world.put(after[path])


@given(ASSIGNMENTS, PEOPLE)
def test_a_shelf_shows_what_lies_on_it(assignment: Assignment, people: dict[str, int | None]) -> None:
    documents = layers_of(assignment) | people_of(people)
    assert show(InMemorySource(documents)) == wanted(documents)


@given(ASSIGNMENTS, PEOPLE, st.lists(CHANGES, max_size=6))
def test_overlays_stack_are_absorbed_and_dropped_like_copies_of_a_dictionary(
    assignment: Assignment, people: dict[str, int | None], steps: list[tuple[Assignment, dict[str, int | None], str]]
) -> None:
    below = layers_of(assignment) | people_of(people)
    worlds = [World(InMemorySource(below))]
    models = [dict(below)]
    for changed_areas, changed_people, what in steps:
        draft, model = World(worlds[-1]), layers_of(changed_areas) | people_of(changed_people)
        put_all(draft, model, models[-1])
        assert show(draft) == wanted(model)
        assert show(worlds[-1]) == wanted(models[-1]), "an overlay leaked into what lies below it"
        if what == "stack":
            worlds.append(draft)
            models.append(model)
        elif what == "absorb":
            worlds[-1].merge(draft)
            models[-1] = model
        assert show(worlds[-1]) == wanted(models[-1])
    while len(worlds) > 1:
        worlds[-2].merge(worlds.pop())
    assert show(worlds[0]) == wanted(models[-1])


@given(ASSIGNMENTS, ASSIGNMENTS)
def test_touched_names_what_was_put_or_removed_and_nothing_else(before: Assignment, after: Assignment) -> None:
    old, new = layers_of(before), layers_of(after)
    world = World(InMemorySource(old))
    put_all(world, new, old)
    assert dict(world.touched) == {path: new.get(path) for path in PATHS if old.get(path) != new.get(path)}


def test_a_document_under_a_hashed_name_is_found_by_its_id_alone() -> None:
    person = Character(id="Ćuk", hp=1)
    world = World(InMemorySource({person.path: person}))
    assert world.character("Ćuk") == person
    assert world.character(person.path.removeprefix("characters/").removesuffix(".json")) is None


def test_a_character_of_another_id_in_the_same_file_is_nobody() -> None:
    world = World(InMemorySource({"characters/ann.json": Character(id="bob")}))
    assert world.character("ann") is None
