"""The campaign as the party knows it: unknown things are answered like missing ones.

Nothing is copied: each question is answered from the campaign, and what is hidden is left out of the answer. Source:
docs/stages/6-publish.md, "Projections".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from turnwright.model.area import Area, Layer, area_tag
from turnwright.model.aura import Aura
from turnwright.model.base import NAME_TAG, Document
from turnwright.model.campaign import PARTY_PATH
from turnwright.model.character import Character, position_tag
from turnwright.model.encounter import RUNNING_TAG, Encounter
from turnwright.model.location import UNDISCOVERED_TAG, Location
from turnwright.model.note import Note
from turnwright.model.party import PartyDocument
from turnwright.model.state.overlay import World
from turnwright.rulesets.actors import PartySource
from turnwright.rulesets.core.exits import exits_of


class PartyView:
    """A source without the people, places, areas and notes that the party does not know.

    The party knows its members, the characters in a member's area, and those in a running fight except hidden enemies;
    the places that were discovered or where members stand; the areas of these places, those to which known ways lead
    from the members' areas, and those that the party remembers. Notes are the game master's. The campaign must not
    change while the view is in use.

    Attributes:
        has_hidden: whether anything has been left out of an answer so far. While it is false, results derived from the
            answers equal those of the whole campaign.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.has_hidden = False

    def get(self, path: str) -> Document | None:
        """Return the known part of the document at a path, or None."""
        document = self._world.get(path)
        if isinstance(document, Layer):
            return self._layer(document)
        if document is None:
            return None
        if not self._is_known(path, document):
            self.has_hidden = True
            return None
        if isinstance(document, Encounter):
            return self._encounter(document)
        return self._location(document) if isinstance(document, Location) else document

    def has(self, path: str) -> bool:
        """Return whether there is a document at a path; whether known or not, nothing new may take its place."""
        return self._world.has(path)

    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's known documents, sorted."""
        return self._without_unknown(collection, self._world.paths(collection))

    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        """Return the paths of a collection's known documents that are looked up by this tag, sorted."""
        return self._without_unknown(collection, self._world.tagged(collection, tag))

    def layer_of(self, area_id: str) -> str | None:
        """Return the path of the layer that holds a known area, or None."""
        path = self._world.layer_of(area_id)
        if path is None or self._knows_area(area_id):
            return path
        self.has_hidden = True
        return None

    def highest_area(self) -> int:
        """Return the highest NNN of any `area_NNN`, known or not: no new area may get the id of a hidden one."""
        return self._world.highest_area()

    def _without_unknown(self, collection: str, paths: Sequence[str]) -> Sequence[str]:
        known = self._known_among(collection, paths)
        self.has_hidden = self.has_hidden or len(known) < len(paths)
        return known

    def _known_among(self, collection: str, paths: Sequence[str]) -> Sequence[str]:
        """Return the known ones of some paths of a collection; only auras have to be read for that."""
        if collection == Character.collection:
            return [path for path in paths if path in self._people]
        if collection == Location.collection:
            return [path for path in paths if path not in self._hidden_places]
        if collection == Note.collection:
            return []
        if collection == Aura.collection:
            auras = ((path, self._world.get(path)) for path in paths)
            return [path for path, aura in auras if aura is not None and self._is_known(path, aura)]
        return paths

    def _is_known(self, path: str, document: Document) -> bool:
        if isinstance(document, Character):
            return path in self._people
        if isinstance(document, Location):
            return path not in self._hidden_places
        if isinstance(document, Aura):
            owner = Character.path_of(document.owner_id)
            return owner in self._people or self._world.get(owner) is None
        return not isinstance(document, Note)

    @cached_property
    def _positions(self) -> Collection[str]:
        """The areas in which members stand, in the party's order."""
        return list(dict.fromkeys(member.position for member in self._world.party() if member.position is not None))

    @cached_property
    def _people(self) -> Collection[str]:
        """The paths of all known characters; some may not exist."""
        world = self._world
        met = set(world.campaign.selected.party_character_ids)
        for fight in world.all_tagged(Encounter, RUNNING_TAG):
            met.update(one.character_id for one in fight.participants if one.character_id is not None)
        near = (world.tagged(Character.collection, position_tag(area_id)) for area_id in self._positions)
        return set(map(Character.path_of, met)).union(*near)

    @cached_property
    def _hidden_places(self) -> Collection[str]:
        """The paths of the undiscovered places where no member stands."""
        world, collection = self._world, Location.collection
        here = (world.tagged(collection, area_tag(area_id)) for area_id in self._positions)
        return self._undiscovered.difference(*here)

    @cached_property
    def _undiscovered(self) -> frozenset[str]:
        """The paths of the undiscovered places; found by tag, so that none of them is read."""
        return frozenset(self._world.tagged(Location.collection, UNDISCOVERED_TAG))

    @cached_property
    def _areas_near(self) -> Collection[str]:
        """The ids of the areas where members stand, and of those to which known ways lead from there."""
        standing = [here for area_id in self._positions if (here := self._world.area(area_id))]
        beyond = (area.id for here in standing for area in exits_of(self._world, here, only_known=True))
        return {here.id for here in standing}.union(beyond)

    def _knows_area(self, area_id: str) -> bool:
        if area_id in self._areas_near:
            return True
        places = self._world.tagged(Location.collection, area_tag(area_id))
        if not places:
            return area_id in self._remembered
        return not self._undiscovered.issuperset(places)

    @cached_property
    def _remembered(self) -> Collection[str]:
        """The ids of the areas that members were in, or saw a way to."""
        party = self._world.get(PARTY_PATH)
        return frozenset(party.known_area_ids if isinstance(party, PartyDocument) else ())

    def _leads_on(self, area_id: str) -> bool:
        """Return whether a way to an area may be shown: it is known, or there is no area of this id."""
        return self._world.layer_of(area_id) is None or self._knows_area(area_id)

    def _location(self, place: Location) -> Location:
        """Return a place without its ways to hidden ones."""
        hidden = self._hidden_places
        if not hidden:
            return place
        edges = [edge for edge in place.edges if Location.path_of(edge.to_location_id) not in hidden]
        if len(edges) == len(place.edges):
            return place
        self.has_hidden = True
        return place.replace(edges=edges)

    def _encounter(self, fight: Encounter) -> Encounter:
        """Return a fight without hidden enemies, except the one whose turn it is."""
        party = self._world.campaign.selected.party_character_ids
        seen = [
            one for one in fight.participants if not one.hidden or one.character_id in party or one is fight.current
        ]
        if len(seen) == len(fight.participants):
            return fight
        self.has_hidden = True
        return fight.replace(participants=seen, turn_index=seen.index(fight.current))

    def _area(self, area: Area) -> Area | None:
        """Return the known part of an area, or None."""
        if not self._knows_area(area.id):
            self.has_hidden = True
            return None
        reachable = [area_id for area_id in area.reachable_area_ids if self._leads_on(area_id)]
        if len(reachable) == len(area.reachable_area_ids):
            return area
        self.has_hidden = True
        return area.replace(reachable_area_ids=reachable)

    def _layer(self, layer: Layer) -> Layer:
        """Return a layer that filters its areas one by one, as they are requested."""
        areas = _Areas(layer.areas, self._area)
        return Layer.model_construct(parent_area_id=layer.parent_area_id, areas=areas, extra=layer.extra)


class _Areas(Mapping[str, Area]):
    """The areas of a layer without those that are unknown."""

    def __init__(self, areas: Mapping[str, Area], known: Callable[[Area], Area | None]) -> None:
        self._areas = areas
        self._known = known

    def __getitem__(self, area_id: str) -> Area:
        area = self._known(self._areas[area_id])
        if area is None:
            raise KeyError(area_id)
        return area

    def __iter__(self) -> Iterator[str]:
        return (area_id for area_id, area in self._areas.items() if self._known(area) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class SameReferences:
    """A source of the whole campaign in which the texts of a call name only what they name in a view.

    An action takes everything that it touches into account, but can name only what the party knows: a hidden namesake
    does not make a name ambiguous, and the id of a hidden character is unknown.
    """

    def __init__(self, world: World, view: PartySource, texts: Iterable[str]) -> None:
        """Store the campaign, the view of it, and the texts of the call."""
        self._world = world
        self._view = view
        named = {model.path_of(text) for text in texts for model in (Character, Location, Note, Aura)}
        self._unknown = {path for path in named if view.get(path) is None}
        self.has = world.has
        self.layer_of = world.layer_of
        self.highest_area = world.highest_area

    def get(self, path: str) -> Document | None:
        """Return the document at a path, or None."""
        return None if path in self._unknown else self._world.get(path)

    def paths(self, collection: str) -> Sequence[str]:
        """Return the paths of a collection's documents, sorted."""
        return [path for path in self._world.paths(collection) if path not in self._unknown]

    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        """Return the paths of a collection's documents that are looked up by this tag, sorted."""
        found = (self._view if tag.startswith(NAME_TAG) else self._world).tagged(collection, tag)
        return [path for path in found if path not in self._unknown]
