"""What the party sees: which figures hide in an encounter, and which ones the party never met.

A ruleset with encounters, such as fights, declares a `Sight` that lists their figures. This module decides what players
see of them. Source: docs/stages/6-publish.md, "A fight".
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from functools import cached_property
from typing import NamedTuple, Protocol

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.rulesets.in_use import tables_of


class Figure(NamedTuple):
    """A character or creature in an encounter.

    Attributes:
        encounter_id: the encounter.
        id: their id in it.
        ids: every id that refers to them there, including that of their character, even if deleted since.
        name: their name in it.
        character_id: their character, or None.
        body: their values in the encounter if they have no character, or None.
        is_enemy: whether they are on the side of the enemies.
        is_hidden: whether they hide from the other side.
    """

    encounter_id: str
    id: str
    ids: tuple[str, ...]
    name: str
    character_id: str | None
    body: Character | None
    is_enemy: bool
    is_hidden: bool

    def is_own(self, party: Collection[str]) -> bool:
        """Return whether players play them: a member of the party, or a player character of the encounter alone."""
        if self.character_id is not None:
            return self.character_id in party
        return self.body is not None and self.body.character_type == "pc" and not self.is_enemy


class Sight(Protocol):
    """The interface that a ruleset with encounters implements."""

    def figures(self, world: World) -> list[Figure]:
        """Return the figures in the running encounters, in the order of the encounters."""
        ...

    def met(self, world: World) -> Collection[str]:
        """Return the characters in encounters that players know of, even in one that is over."""
        ...

    def called(self, world: World, identifier: str, encounter_id: str) -> str | None:
        """Return the name of a figure or thing in an encounter; with "" as the encounter, in the latest one."""
        ...

    def names(self, world: World) -> Iterable[tuple[str, str]]:
        """Return id and name of every figure and thing in the running encounters."""
        ...


def figures(world: World) -> list[Figure]:
    """Return the figures in the running encounters."""
    return [figure for sight in tables_of(world.campaign).sights for figure in sight.figures(world)]


def known_encounters(among: Iterable[Figure], party: Collection[str]) -> Set[str]:
    """Return the encounters that players know of: those with a character that they play."""
    return {figure.encounter_id for figure in among if figure.is_own(party)}


def hiding(among: Collection[Figure], watching: Collection[str]) -> Iterator[Figure]:
    """Yield the figures of an encounter that hide from the given ids; if none of these is there, the hidden enemies."""
    sides = {figure.is_enemy for figure in among if figure.id in watching} or {False}
    return (figure for figure in among if figure.is_hidden and figure.is_enemy not in sides)


def hiding_from(world: World, onlookers: Collection[str]) -> frozenset[str]:
    """Return every id of the figures that hide from some characters; enemies hide from a character in no encounter."""
    unseen: set[str] = set()
    for among in _by_encounter(figures(world)).values():
        watching = {figure.id for figure in among if figure.character_id in onlookers}
        unseen.update(*(figure.ids for figure in hiding(among, watching)))
    return frozenset(unseen)


def hiding_from_party(world: World) -> dict[str, frozenset[str]]:
    """Return every id of the figures that hide from the party, by the running encounter in which they do."""
    return _hiding_from(figures(world), party_of(world))


def _hiding_from(all_figures: Iterable[Figure], party: Collection[str]) -> dict[str, frozenset[str]]:
    unseen: dict[str, frozenset[str]] = {}
    for encounter_id, among in _by_encounter(all_figures).items():
        own = {figure.id for figure in among if figure.is_own(party)}
        unseen[encounter_id] = frozenset().union(*(figure.ids for figure in hiding(among, own)))
    return unseen


def _by_encounter(all_figures: Iterable[Figure]) -> Mapping[str, list[Figure]]:
    encounters: dict[str, list[Figure]] = {}
    for figure in all_figures:
        encounters.setdefault(figure.encounter_id, []).append(figure)
    return encounters


def party_of(world: World) -> frozenset[str]:
    """Return the ids of the party."""
    return frozenset(world.campaign.selected.party_character_ids)


class _Acquaintance:
    """The enemies that the party met: in a member's area, or in an encounter of its own, even one that is over."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._party = party = party_of(world)
        self._stood = {member.position for member in world.party() if member.position is not None}
        self.figures = figures(world)
        known = known_encounters(self.figures, party)
        met = [figure for figure in self.figures if figure.encounter_id in known]
        self._met_now = {figure.character_id for figure in met if figure.character_id is not None}
        self.elsewhere = frozenset[str]().union(
            *(one.ids for one in self.figures if one.encounter_id not in known and one.character_id is None)
        )
        """Every id of figures without a character in running encounters that the party does not know of."""

    def is_stranger(self, one: Character) -> bool:
        """Return whether a character is an enemy that the party never met."""
        if one.character_type != "enemy" or one.id in self._party or one.position in self._stood:
            return False
        return one.id not in self._met_now and one.id not in self._met_ever

    @cached_property
    def _met_ever(self) -> Collection[str]:
        return frozenset[str]().union(*(sight.met(self._world) for sight in tables_of(self._world.campaign).sights))


def out_of_sight(world: World) -> frozenset[str]:
    """Return every id of enemies that the party never met, and of figures in encounters that it does not know of."""
    met = _Acquaintance(world)
    return met.elsewhere.union(one.id for one in world.characters() if met.is_stranger(one))


def unseen_by_party(world: World) -> frozenset[str]:
    """Return every id of the figures that hide from the party or are out of its sight."""
    return out_of_sight(world).union(*hiding_from_party(world).values())


class UnseenByParty(Set[str]):
    """The same as `unseen_by_party`; asked for one id, it looks at that one alone and not at every character."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._met = _Acquaintance(world)
        self._hiding = frozenset[str]().union(*_hiding_from(self._met.figures, party_of(world)).values())

    def __contains__(self, named: object) -> bool:
        if named in self._hiding or named in self._met.elsewhere:
            return True
        one = self._world.character(named) if isinstance(named, str) else None
        return one is not None and self._met.is_stranger(one)

    def __iter__(self) -> Iterator[str]:
        return iter(self._every)

    def __len__(self) -> int:
        return len(self._every)

    @cached_property
    def _every(self) -> frozenset[str]:
        return unseen_by_party(self._world)
