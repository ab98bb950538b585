"""One viewer's knowledge of a campaign: the names and numbers that texts about calls and findings may contain.

The class here reads no campaign; the one in `protocol/stage6_publish/knowledge.py` reads one.
Source: docs/stages/6-publish.md, "Viewers".
"""

from typing import NamedTuple

from turnwright.model.viewer import Viewer


class Standing(NamedTuple):
    """The present health of a character: a word that everyone can see, and hit points that the viewer may know."""

    word: str
    hp: int | None = None
    max_hp: int | None = None


class Knowledge:
    """A viewer's knowledge: empty, except what a subclass looks up; the game master sees and knows everyone.

    `called`, `area_called` and `place_called` give names for a call that the viewer may read about. `person`, `area`,
    `quest`, `thing`, `standing` and `whereabouts` check the claims of a text: they are None also for what exists and
    the viewer may not know.

    Attributes:
        viewer: the reader.
        shows_ids: whether to show ids after names where the next call may need them.
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
        """The names of the rulesets whose calls have words; None: those that come with turnwright."""
        return None

    # names in a call

    def sees(self, named: str) -> bool:
        """Return whether a character, by id, does not hide from the viewer."""
        del named
        return self.is_game_master

    def knows(self, named: str) -> bool:
        """Return whether the numbers of a character, by id or by name in any case, are known."""
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
        """Return whether a character has hit points without a maximum: every change is then exactly what was asked."""
        del character_id
        return False

    def may_read(self, text: str) -> bool:
        """Return whether a sentence names only characters that the viewer plays, and no place of the map."""
        del text
        return self.is_game_master

    # claims of a text

    def person(self, person_id: str) -> str | None:
        """Return the name of a character that the viewer knows of."""
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
        """Return the name of a carried thing that the viewer knows of."""
        del name
        return None

    def standing(self, person_id: str) -> Standing | None:
        """Return the present health of a character that the viewer knows of."""
        del person_id
        return None

    def whereabouts(self, person_id: str) -> str | None:
        """Return the id of the area in which a character is now, where the viewer knows it."""
        del person_id
        return None

    def knows_numbers(self, person_id: str) -> bool:
        """Return whether the viewer may know the hit points of a character, by id alone."""
        del person_id
        return self.is_game_master
