"""Determine what one viewer knows of a campaign.

The game master knows everything. Players know the party, the people in the area of a member or openly in a fight, the
areas of its members with the known ways out, and the quests it took on. A player knows their own hit points, and the
party those of its members.
Source: docs/stages/4-conflicts.md, "Findings in words"; docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from functools import cached_property
from typing import TYPE_CHECKING

from turnwright.model.base import name_tag
from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.knowledge import Knowledge, Standing
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer
from turnwright.rulesets.in_use import tables_of

if TYPE_CHECKING:
    from turnwright.model.character import Character
    from turnwright.model.location import Location
    from turnwright.rulesets.sight import Figure, Sight

_QUESTS_OF_PLAYERS = ("active", "completed", "failed")


class WorldKnowledge(Knowledge):
    """One viewer's knowledge of a campaign.

    Args:
        world: the campaign.
        viewer: the reader.
        unseen: ids of the characters hidden from the party at the time of a turn, for views of that turn; default:
            those that hide now or that the party never met.
        shows_ids: whether to show ids after names where the next call may need them.
    """

    def __init__(
        self, world: World, viewer: Viewer, *, unseen: Collection[str] | None = None, shows_ids: bool = False
    ) -> None:
        super().__init__(viewer, shows_ids=shows_ids)
        self._world = world
        self._then = unseen

    @cached_property
    def unseen(self) -> Set[str]:
        """Every id of the characters that hid from the party, or that it never met; empty for the game master."""
        if self.is_game_master:
            return frozenset()
        return self._unseen_now if self._then is None else frozenset(self._then)

    @property
    def rulesets(self) -> tuple[str, ...] | None:
        """The names of the rulesets that the campaign uses; None: those that come with turnwright."""
        names = self._world.campaign.rulesets
        return None if names is None else tuple(names)

    # names in a call

    def sees(self, named: str) -> bool:
        """Return whether a character, by id, does not hide from the viewer."""
        return named not in self.unseen

    def speaker(self, speaker_id: str | None) -> str | None:
        """Return the name of who says or tells something; None where the viewer may not know who does."""
        return self.called(speaker_id) if speaker_id and self.sees(speaker_id) else None

    def knows(self, named: str) -> bool:
        """Return whether the numbers of a character, by id or by name in any case, are known."""
        return self.is_game_master or named in self._own or name_tag(named) in self._names_of_own

    def called(self, named: str, encounter_id: str = "") -> str | None:
        """Return the name of a participant of the fight, of a character, or of a participant of another fight."""
        character = self._world.character(named)
        if character is not None and not encounter_id:
            return character.label
        fought = self._figure_called(named, encounter_id)
        return fought or (character.label if character else self._spelled(named))

    def _figure_called(self, identifier: str, encounter_id: str) -> str | None:
        found = (sight.called(self._world, identifier, encounter_id) for sight in self._sights)
        return next((name for name in found if name is not None), None)

    def _spelled(self, name: str) -> str | None:
        """Return the exact name of the only character of that name."""
        from turnwright.model.character import Character

        found = self._world.all_tagged(Character, name_tag(name))
        return found[0].label if len(found) == 1 else None

    def area_called(self, area_id: str) -> str | None:
        """Return the name of an area of the map."""
        area = self._world.area(area_id)
        return area.name if area else None

    def place_called(self, location_id: str) -> str | None:
        """Return the name of a place of the story."""
        location = self._location(location_id)
        return location.name if location else None

    def _location(self, location_id: str) -> Location | None:
        if not self._world.paths("locations/"):
            return None
        from turnwright.model.location import Location  # campaigns without places do without it

        return self._world.find(Location, location_id)

    def has_no_maximum(self, character_id: str) -> bool:
        """Return whether a character has hit points without a maximum."""
        character = self._world.character(character_id)
        return character is not None and character.hp is not None and character.max_hp is None

    def may_read(self, text: str) -> bool:
        """Return whether a sentence names only characters that the viewer plays, and no place of the map."""
        if self.is_game_master:
            return True
        told = text.casefold()
        others = (name for name in self._names_of_others() if name and not self.knows(name))
        return not any(name.casefold() in told for name in others)

    def _names_of_others(self) -> Iterator[str]:
        from turnwright.model.area import Layer

        for person in self._world.characters():
            if person.id not in self._own:
                yield from (person.id, person.label)
        for sight in self._sights:
            for one_id, name in sight.names(self._world):
                if one_id not in self._own:
                    yield from (one_id, name)
        for path in self._world.paths(Layer.collection):
            layer = self._world.get(path)
            for area in layer.areas.values() if isinstance(layer, Layer) else ():
                yield from (area.id, area.name)

    # claims of a text

    def person(self, person_id: str) -> str | None:
        """Return the name of a character that the viewer knows of; to the game master the id of one that is gone."""
        fighter, character = self._figures.get(person_id), self._world.character(person_id)
        if self.is_game_master:
            return fighter.name if fighter else character.label if character else person_id
        if character is not None and character.id in self._party:
            return character.label
        ids = {person_id} if character is None else {person_id, character.id}
        if any(one in self._unseen_now or one in self.unseen for one in ids):
            return None
        if fighter is not None:
            return fighter.name
        is_met = character is not None and character.position is not None and character.position in self._stood
        return character.label if character is not None and is_met else None

    def area(self, area_id: str) -> str | None:
        """Return the name of an area, or of a place of the story, that the viewer knows of."""
        area = self._world.area(area_id)
        place = None if area is not None else self._location(area_id)
        if self.is_game_master:
            return area.name if area else place.name if place else area_id
        if area is not None:
            return area.name if area_id in self._known_areas else None
        return place.name if place is not None and place.discovered and place.area_id in self._known_areas else None

    def quest(self, quest_id: str) -> str | None:
        """Return the title of a quest; to players of those that the party took on."""
        from turnwright.model.quest import Quest

        quest = self._world.find(Quest, quest_id)
        if quest is None:
            return None
        return quest.title if self.is_game_master or quest.status in _QUESTS_OF_PLAYERS else None

    def thing(self, name: str) -> str | None:
        """Return the name of a thing; to players of one that the party carries, as it is called there."""
        if self.is_game_master:
            return name
        carried = (item.name for member in self._world.party() for item in member.inventory)
        return next((each for each in carried if name_tag(each) == name_tag(name)), None)

    def standing(self, person_id: str) -> Standing | None:
        """Return how a character looks now, with hit points where the viewer may know them."""
        from turnwright.rulesets.health_words import look_of
        from turnwright.rulesets.hit_points import hit_points

        body = self._body(person_id) if self.person(person_id) is not None else None
        if body is None:
            return None
        hp, most = hit_points(self._world, body)
        look, has_numbers = look_of(self._world, body), self.knows_numbers(person_id)
        if look is None and not (has_numbers and hp is not None):
            return None
        return Standing(look or "alive", *((hp, most) if has_numbers else ()))

    def whereabouts(self, person_id: str) -> str | None:
        """Return the area in which a member of the party is; to the game master that of any character."""
        character = self._world.character(person_id)
        if character is None or not (self.is_game_master or person_id in self._party):
            return None
        return character.position

    def knows_numbers(self, person_id: str) -> bool:
        """Return whether the viewer may know the hit points of a character, by id alone."""
        return self.is_game_master or person_id in self._own

    # people and areas

    @cached_property
    def _party(self) -> frozenset[str]:
        return frozenset(self._world.campaign.selected.party_character_ids)

    @cached_property
    def _eyes(self) -> frozenset[str]:
        """Return the characters through whose eyes a player or the party sees."""
        return self._party if self.viewer.kind == "party" else frozenset([self.viewer.character_id])

    @cached_property
    def _own_figures(self) -> list[Figure]:
        """Return the viewer's participants in running encounters; for the party also those without a character."""
        return [one for one in self._running if self._plays(one)]

    @cached_property
    def _running(self) -> list[Figure]:
        return [one for sight in self._sights for one in sight.figures(self._world)]

    @property
    def _sights(self) -> tuple[Sight, ...]:
        # A campaign that has not begun has no document yet, and a file that is refused does not begin it.
        return tables_of(self._world.campaign).sights if self._world.has(CAMPAIGN_PATH) else ()

    def _plays(self, one: Figure) -> bool:
        return one.is_own(self._party) if self.viewer.kind == "party" else one.character_id in self._eyes

    @cached_property
    def _own(self) -> frozenset[str]:
        return self._eyes.union(person.id for person in self._own_figures)

    @cached_property
    def _names_of_own(self) -> frozenset[str]:
        labels = (person.label for one in self._eyes if (person := self._world.character(one)))
        return frozenset(map(name_tag, [*labels, *(person.name for person in self._own_figures)]))

    def _body(self, person_id: str) -> Character | None:
        figure = self._figures.get(person_id)
        if figure is None or figure.body is not None:
            return self._world.character(person_id) if figure is None else figure.body
        return self._world.character(figure.character_id) if figure.character_id else None

    @cached_property
    def _figures(self) -> dict[str, Figure]:
        """Return those in running encounters that the viewer knows of, by each of their ids."""
        from turnwright.rulesets.sight import known_encounters

        known = None if self.is_game_master else known_encounters(self._running, self._party)
        seen = (figure for figure in self._running if known is None or figure.encounter_id in known)
        return {one: figure for figure in seen for one in figure.ids}

    @cached_property
    def _unseen_now(self) -> Set[str]:
        from turnwright.rulesets.sight import UnseenByParty  # the game master needs none

        return UnseenByParty(self._world)

    @cached_property
    def _stood(self) -> frozenset[str]:
        """Return the areas of the characters through whose eyes the viewer sees."""
        people = map(self._world.character, self._eyes)
        return frozenset(person.position for person in people if person is not None and person.position is not None)

    @cached_property
    def _known_areas(self) -> frozenset[str]:
        from turnwright.protocol.stage6_publish.player_hints import known_to

        known = (known_to(self._world, one).areas for one in self._eyes)
        party = (person.position for person in self._world.party() if person.position is not None)
        return frozenset(party).union(*known)
