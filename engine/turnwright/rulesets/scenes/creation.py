"""Character creation, the first request of a scene game. The cards are dealt when the request opens.

Source: docs/tools/scenes.md, "Starting a game".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, get_args

from pydantic import Field, StringConstraints, ValidationError

from turnwright.model.base import ListOf, Model, Text
from turnwright.model.campaign import CampaignDocument
from turnwright.model.character import Character
from turnwright.model.crew import ScenarioPhase, SessionEnded
from turnwright.model.dice.draws import PartDice
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.fuzzy_match import misspelt
from turnwright.model.json_types import JsonObject
from turnwright.model.mood import Words
from turnwright.model.person import Archetype, CharacterChoices, PronounPreset
from turnwright.model.request import CreationRequest
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import MAX_DEPTH, JsonError, parse_json
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.in_use import settings_in
from turnwright.rulesets.scenes.play import Play, find_crew
from turnwright.rulesets.scenes.tarot import POSITIONS, deal
from turnwright.rulesets.scenes.waiting import ask_creation, wait_for

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import CharacterMade, CreationCancelled

ARCHETYPES: Mapping[Archetype, str] = {
    "cutter": "You settle things with violence, or with the promise of it.",
    "hound": "You find who does not want to be found, and follow where nobody follows.",
    "leech": "You brew, wire, poison and repair; what you carry in jars opens doors.",
    "lurk": "You are the shadow in the room, gone before the lamp is lit.",
    "slide": "You lie beautifully, and people thank you for it.",
    "spider": "You know somebody everywhere, and the plan was yours all along.",
    "whisper": "You hear what the dead say, and sometimes they do what you say.",
}
"""Every archetype, in a line."""
PRONOUNS: Mapping[PronounPreset, str] = {"he_him": "he/him", "she_her": "she/her", "they_them": "they/them"}
CANCEL = "cancel"
HP = 10

_Short = Annotated[Text, StringConstraints(strip_whitespace=True, min_length=1)]


class _OwnPronouns(Model):
    custom: Annotated[_Short, Field(max_length=40)]


class _Answer(Model):
    name: Annotated[_Short, Field(max_length=60)]
    pronouns: PronounPreset | _OwnPronouns
    archetype: Archetype
    background: Words = ""
    tarot_spread: ListOf[Text] | None = None


def open_when_due(world: World, dice: PartDice) -> None:
    """Ask for the first character if a crew waits for one and no request is open.

    Args:
        world: the campaign as the next record will leave it.
        dice: the dice of that record.
    """
    crew = find_crew(world)
    if crew is None or crew.awaiting.stage != "player_creation" or crew.request is not None:
        return
    settings = settings_in(world.campaign)
    open_creation(Play(world, dice, settings, None, seq=0, cause="creation"))


def open_creation(play: Play) -> None:
    """Deal the cards and ask for the character."""
    cards = deal(partial(play.dice.draw, hidden=True))  # cards are not rolled by the table
    spread = [
        {"position": position, "card": card.id, "name": card.name, "meaning": card.meaning}
        for position, card in zip(POSITIONS, cards, strict=True)
    ]
    ask_creation(
        play,
        {
            "archetypes": [{"key": key, "label": label} for key, label in ARCHETYPES.items()],
            "pronouns": [{"key": key, "label": label} for key, label in PRONOUNS.items()],
            "tarot_spread": spread,
        },
    )


def answer(play: Play, value: Any) -> CharacterMade | CreationCancelled:
    """Create the character that a player chose, or end the session if the player declines.

    Raises:
        CallFailed: `answer_invalid`, for the first value that is not a choice.
    """
    if value == CANCEL:
        play.set_crew(phase=SessionEnded(reason="creation_cancelled"))
        wait_for(play, "none", for_=None)
        return {"cancelled": True}
    choices = _choices(play, value)
    character = Character(
        id=play.world.new_id("character", Character), name=choices.name, character_type="pc", hp=HP, choices=choices
    )
    play.world.put(character)
    play.world.put(_joined(play.world.campaign, character.id))
    play.emit("CharacterCreated", character_id=character.id, name=choices.name)
    play.acting_id = character.id
    play.set_crew(phase=ScenarioPhase.model_validate({"for": character.id}))
    wait_for(play, "dm_scenario", for_=character.id)
    return {"character_id": character.id, "name": choices.name}


def _choices(play: Play, value: Any) -> CharacterChoices:
    request = play.crew.request
    assert isinstance(request, CreationRequest)
    dealt = tuple(card.card for card in request.payload.tarot_spread)
    given = _read(value)
    if given.tarot_spread not in (None, dealt):
        where = "answer.value.tarot_spread"
        repair = hint.repair(where, list(given.tarot_spread or ()), list(dealt))
        raise CallFailed(Reason.ANSWER_INVALID, f"{where}: these are not the cards that were dealt", repair)
    return CharacterChoices.model_validate(given.as_written | {"tarot_spread": dealt})


def _joined(campaign: CampaignDocument, character_id: str) -> CampaignDocument:
    selected = campaign.selected
    party = (*selected.party_character_ids, character_id)
    active = selected.active_actor_id or character_id
    return campaign.replace(selected=selected.replace(party_character_ids=party, active_actor_id=active))


# reading an answer


def _read(value: Any) -> _Answer:
    if not isinstance(value, Mapping):
        detail = f"answer.value: wants an object with name, pronouns and archetype, or {CANCEL!r}"
        raise CallFailed(Reason.ANSWER_INVALID, detail, _whole(value))
    given = dict(value)
    if "tarotSpread" in given and "tarot_spread" not in given:
        given["tarot_spread"] = given.pop("tarotSpread")
    try:
        return _Answer.model_validate(given)
    except ValidationError as error:
        faults = faults_of(error)
    fault = next((fault for fault in faults if fault["type"] == "extra_forbidden"), faults[0])
    key = str(fault["loc"][0])
    where = f"answer.value.{key}"
    repair = _repair(where, key, fault["type"], given.get(key))
    told = "wants he_him, she_her, they_them or {custom: text}" if key == "pronouns" else sentence(fault)
    raise CallFailed(Reason.ANSWER_INVALID, f"{where}: {told}", repair)


def _whole(got: Any) -> hint.Hint:
    """Return the hint for an answer that is not an object: the object in a text, or the word that ends the session.

    If neither is meant, nothing is suggested: suggesting that word alone would end the session.
    """
    if isinstance(got, str):
        meant = misspelt(got, [CANCEL]) or _object_in(got)
        if meant is not None:
            return hint.repair("answer.value", got, meant)
    return hint.ask("answer.value", got)


def _object_in(text: str) -> JsonObject | None:
    with suppress(JsonError):
        value = parse_json(text, max_depth=MAX_DEPTH)
        return value if isinstance(value, dict) else None
    return None


def _repair(where: str, key: str, kind: str, got: Any) -> hint.Hint:
    if kind == "extra_forbidden":
        return hint.remove(where) if misspelt(key, _Answer.model_fields) is None else hint.ask(where, got)
    if key == "tarot_spread":
        return hint.remove(where)
    words: Sequence[str] = {"pronouns": tuple(PRONOUNS), "archetype": get_args(Archetype)}.get(key, ())
    return hint.ask_for(where, words) if kind == "missing" else hint.name(where, got, words)
