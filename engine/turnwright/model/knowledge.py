"""What one viewer knows of a campaign: what words for calls and findings may name, and whose numbers they may tell.

This is what somebody knows without a campaign at hand; `protocol/stage6_publish/knowledge.py` reads one.
Source: docs/stages/6-publish.md, "Viewers".
"""

from typing import NamedTuple

from turnwright.model.viewer import Viewer


class Standing(NamedTuple):
    """How somebody is now: a word anybody could see, and hit points where the viewer may know them."""

    word: str
    hp: int | None = None
    max_hp: int | None = None


class Knowledge:
    """What a viewer knows: nothing, but for what a subclass looks up; the game master sees and knows everybody.

    `called`, `area_called` and `place_called` name what a call that may be told speaks of. `person`, `area`, `quest`,
    `thing`, `standing` and `whereabouts` answer for what a text claims: None also of what is there and the viewer
    may not know.

    Attributes:
        viewer: who it is.
        shows_ids: ids stand behind names, where the next call may need them.
    """

    def __init__(self, viewer: Viewer, *, shows_ids: bool = False) -> None:
        self.viewer = viewer
        self.shows_ids = shows_ids

    @property
    def is_game_master(self) -> bool:
        """Whether everything may be told."""
        return self.viewer.is_game_master

    @property
    def rulesets(self) -> tuple[str, ...] | None:
        """The names of the rulesets whose calls are told; None: those that come with turnwright."""
        return None

    # whom a call speaks of

    def sees(self, named: str) -> bool:
        """Return whether somebody, by id, does not hide from the viewer."""
        del named
        return self.is_game_master

    def knows(self, named: str) -> bool:
        """Return whether the numbers of somebody, by id or by name in any case, are known."""
        del named
        return self.is_game_master

    def called(self, named: str, encounter_id: str = "") -> str | None:
        """Return the name of a character or of a participant of a fight, by id or by the name in any case."""
        del named, encounter_id
        return None

    def area_called(self, area_id: str) -> str | None:
        """Return the name of an area of the map."""
        del area_id
        return None

    def place_called(self, location_id: str) -> str | None:
        """Return the name of a place of the story."""
        del location_id
        return None

    def has_no_maximum(self, character_id: str) -> bool:
        """Return whether somebody has hit points without a maximum, so that every change is exactly what was asked."""
        del character_id
        return False

    def may_read(self, text: str) -> bool:
        """Return whether a sentence names nobody but those whom the viewer plays, and none of the places of the map."""
        del text
        return self.is_game_master

    # what a text claims

    def person(self, person_id: str) -> str | None:
        """Return the name of somebody whom the viewer knows of."""
        del person_id
        return None

    def area(self, area_id: str) -> str | None:
        """Return the name of an area or place that the viewer knows of."""
        del area_id
        return None

    def quest(self, quest_id: str) -> str | None:
        """Return the title of a quest that the viewer knows of."""
        del quest_id
        return None

    def thing(self, name: str) -> str | None:
        """Return the name of a thing that the viewer knows somebody carries."""
        del name
        return None

    def standing(self, person_id: str) -> Standing | None:
        """Return how somebody is now whom the viewer knows of."""
        del person_id
        return None

    def whereabouts(self, person_id: str) -> str | None:
        """Return the id of the area in which somebody is now, where the viewer knows it."""
        del person_id
        return None

    def knows_numbers(self, person_id: str) -> bool:
        """Return whether the hit points of somebody, by id alone, may be told."""
        del person_id
        return self.is_game_master
