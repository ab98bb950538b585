"""Marks on the types of arguments: the kind of thing a value names, so that hints and `legal` need no per-tool code."""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from turnwright.model.base import Id, Text
from turnwright.model.creature import Words
from turnwright.model.dice.expression import DiceError, parse
from turnwright.model.published_schema import DICE_FORMAT


class Choice(NamedTuple):
    """The mark of a closed set of words that is one tool's own, such as its operations."""

    synonyms: Mapping[str, tuple[str, ...]] = {}

    def __hash__(self) -> int:
        """Let the marked words be one branch of an optional argument: branches are kept in sets."""
        return hash(tuple(self.synonyms))


class AnyCase(NamedTuple):
    """The mark of a closed set of words that is matched without regard to case."""


class Names(NamedTuple):
    """The mark of an id, with its kind. Names of such things are accepted where the mark says so."""

    kind: Literal[
        "character",
        "encounter",
        "running_encounter",
        "participant",
        "combatant",
        "aura",
        "location",
        "note",
        "quest",
        "item",
        "prop",
    ]


def _is_dice(text: str) -> str:
    try:
        parse(text)
    except DiceError as error:
        raise PydanticCustomError("dice", "{told}", {"told": error.message}) from None
    return text


DiceText = Annotated[
    Text, Field(max_length=200, examples=["2d6+3"], json_schema_extra={"format": DICE_FORMAT}), AfterValidator(_is_dice)
]
"""An expression in dice notation."""
D20 = Annotated[int, Field(strict=True, ge=1, le=20)]
"""The face of a d20 rolled at a real table."""
CharacterId = Annotated[Id, Names("character")]
EncounterId = Annotated[Id, Names("encounter")]
RunningEncounterId = Annotated[Id, Names("running_encounter")]
ParticipantId = Annotated[Id, Names("participant")]
"""A combatant or a character."""
CombatantId = Annotated[Id, Names("combatant")]
"""A combatant, by its own id in the fight or by that of the character behind it."""
AuraId = Annotated[Id, Names("aura")]
LocationId = Annotated[Id, Names("location")]
NoteId = Annotated[Id, Names("note")]
QuestId = Annotated[Id, Names("quest")]
PropId = Annotated[Id, Names("prop")]
Name = Annotated[Text, Field(min_length=1, max_length=200)]
"""The name of a character or thing to look up; case and surrounding blanks do not matter."""
NewName = Annotated[Text, Field(min_length=1, max_length=200, pattern=r"\S")]
"""The name that a character or thing is given."""
NewLabel = Annotated[Text, Field(min_length=1, max_length=100, pattern=r"\S")]
"""A short text that is written down: the name of a place, a tag."""
NewWords = Annotated[Words, Field(min_length=1, pattern=r"\S")]
"""A text for people that has to say something."""
NewId = Annotated[Id, Field(pattern=r"\S")]
"""The id that a call gives to a new character."""
