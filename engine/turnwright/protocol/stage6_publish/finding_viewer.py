"""Stage 6 again: whom and what a finding may name to one viewer, and how these stand.

The game master may know everything. Players know the party, who is with somebody of theirs or fights in the open, the
places where the party stands with the known ways out, and the quests it took on; everybody and everything else is not
named to them, and of hit points they know their own.
Source: docs/stages/4-conflicts.md, "Findings in words".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.encounter import RUNNING_TAG, Encounter, Participant
from turnwright.model.location import Location
from turnwright.model.quest import Quest
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Reason
from turnwright.protocol.stage6_publish.fight_projection import known_fights, unseen_by_party
from turnwright.protocol.stage6_publish.player_hints import known_to
from turnwright.render.finding import Standing
from turnwright.rules.derived_stats import counted_hp
from turnwright.rules.visible_health import look_of
from turnwright.world.fights import find_body

_QUESTS_OF_PLAYERS = ("active", "completed", "failed")


def was_applied(turn: Mapping[str, Any]) -> bool:
    """Return whether what findings of a turn tell of its calls was done: of one that is wanted again it was not."""
    return all(call["reason"] != Reason.TURN_ABORTED for call in turn["tool_feedback"]["failed_calls"])


class WorldViewer:
    """Somebody who reads findings, and what they may know of the campaign.

    Args:
        world: the campaign.
        eyes: the characters whose players read; None for the game master, who knows everything.
        acting_id: who acted in the turn.
        is_applied: whether the calls of the turn were done.
        is_now: whether nothing changed since the turn; how somebody stood at another time is not told.
        has_read: whether the text is before them, so that what it calls a thing may be repeated.
        unseen: every id of who hid from the party as the turn was done; by default of who hides now.
    """

    def __init__(
        self,
        world: World,
        eyes: Collection[str] | None,
        acting_id: str | None = None,
        *,
        is_applied: bool = True,
        is_now: bool = True,
        has_read: bool = False,
        unseen: Collection[str] | None = None,
    ) -> None:
        self._world = world
        self._eyes = eyes
        self._is_now = is_now
        self._hidden = unseen
        self.is_applied = is_applied
        self.has_read = has_read
        self.acting_id = acting_id

    @property
    def is_master(self) -> bool:
        """Whether everything may be told."""
        return self._eyes is None

    def person(self, person_id: str) -> str | None:
        """Return somebody's name: of who is gone the id, and that to the game master alone."""
        fighter, character = self._fighters.get(person_id), self._world.character(person_id)
        if self._eyes is None:
            return fighter.name if fighter else character.label if character else person_id
        if character is not None and self._is_of_party(character.id):
            return character.label
        if person_id in self._unseen or (character is not None and character.id in self._unseen):
            return None
        if fighter is not None:
            return fighter.name
        is_met = character is not None and character.position is not None and character.position in self._stood
        return character.label if character is not None and is_met else None

    def area(self, area_id: str) -> str | None:
        """Return the name of an area, or of a place of the story."""
        area = self._world.area(area_id)
        place = None if area is not None else self._world.find(Location, area_id)
        if self._eyes is None:
            return area.name if area else place.name if place else area_id
        if area is not None:
            return area.name if area_id in self._known_areas else None
        return place.name if place is not None and place.discovered and place.area_id in self._known_areas else None

    def quest(self, quest_id: str) -> str | None:
        """Return the title of a quest; to players of those that the party took on."""
        quest = self._world.find(Quest, quest_id)
        if quest is None:
            return None
        return quest.title if self._eyes is None or quest.status in _QUESTS_OF_PLAYERS else None

    def thing(self, name: str) -> str | None:
        """Return the name of a thing; to players of one that the party carries, as it is called there."""
        if self._eyes is None:
            return name
        carried = (item.name for member in self._world.party() for item in member.inventory)
        return next((each for each in carried if name_tag(each) == name_tag(name)), None)

    def standing(self, person_id: str) -> Standing | None:
        """Return how somebody looks now, and to whom it is known their hit points."""
        body = self._body(person_id) if self._is_now and self.person(person_id) is not None else None
        if body is None:
            return None
        hp, most = counted_hp(body)
        look, has_numbers = look_of(body), self.knows_numbers(person_id)
        if look is None and not (has_numbers and hp is not None):
            return None
        return Standing(look or "alive", *((hp, most) if has_numbers else ()))

    def whereabouts(self, person_id: str) -> str | None:
        """Return the area in which somebody of the party is; to the game master of anybody."""
        character = self._world.character(person_id) if self._is_now else None
        if character is None or not (self._eyes is None or self._is_of_party(person_id)):
            return None
        return character.position

    def knows_numbers(self, person_id: str) -> bool:
        """Return whether somebody's hit points may be told: to players those of their own characters."""
        if self._eyes is None:
            return True
        fighter = self._fighters.get(person_id)
        return person_id in self._eyes or (fighter is not None and fighter.character_id in self._eyes)

    def _is_of_party(self, character_id: str) -> bool:
        return character_id in self._world.campaign.selected.party_character_ids

    def _body(self, person_id: str) -> Character | None:
        fighter = self._fighters.get(person_id)
        return find_body(self._world, fighter) if fighter else self._world.character(person_id)

    @cached_property
    def _fighters(self) -> dict[str, Participant]:
        """Return who is in a running fight that the viewer knows of, by each of their ids."""
        running = self._world.all_tagged(Encounter, RUNNING_TAG)
        known = running if self._eyes is None else [one for one in known_fights(self._world) if one.is_running]
        return {one: person for fight in known for person in fight.participants for one in person.ids}

    @cached_property
    def _unseen(self) -> frozenset[str]:
        return unseen_by_party(self._world).union(self._hidden or ())

    @cached_property
    def _stood(self) -> frozenset[str]:
        """Return the areas where those stand whose eyes these are."""
        people = (self._world.character(one) for one in self._eyes or ())
        return frozenset(person.position for person in people if person is not None and person.position is not None)

    @cached_property
    def _known_areas(self) -> frozenset[str]:
        known = (known_to(self._world, one).areas for one in self._eyes or ())
        party = (person.position for person in self._world.party() if person.position is not None)
        return frozenset(party).union(*known)
