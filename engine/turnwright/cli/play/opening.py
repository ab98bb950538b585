"""The opening of a session: the positions of characters, and the last texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.campaign.campaign import Campaign
from turnwright.cli._output import safe
from turnwright.cli._scene_view import echo_line, echo_wrapped
from turnwright.cli.play.account import is_withheld
from turnwright.cli.play.screen import ASIDE, Screen, disagreement
from turnwright.cli.play.seats import Shown
from turnwright.model.authority import player_of
from turnwright.model.campaign import CREW_PATH
from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer
from turnwright.model.wire.agent import AgentKind
from turnwright.protocol.stage6_publish.publish import project
from turnwright.rulesets.core.summary import people_at
from turnwright.views.state import unnamed

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record, RecordedEvent

Json = Mapping[str, Any]
_MAX_TEXTS, _MAX_TEXT_LENGTH = 6, 400


class Text(NamedTuple):
    """A message or narration and its speaker; None for the game master's own voice.

    `facts` returns the facts that contradict it, computed only for printed texts. `is_ours` is true for the engine's
    own account, `is_aside` for a text only for the reader.
    """

    seq: int
    speaker: str | None
    text: str
    is_players: bool
    is_private: bool
    facts: Callable[[], Sequence[str]] = tuple
    is_ours: bool = False
    is_aside: bool = False


def echo_banner(
    campaign: Campaign, screen: Screen, reader: str, models: str, shown_in: Callable[[World], Shown]
) -> None:
    """Print the campaign, the goal, and the acting character's location, except for a player without a character."""
    with campaign.reading() as world:
        document = world.campaign
        screen.title(document.title or document.id)
        if goal := document.goal.get("text") if isinstance(document.goal, Mapping) else document.goal.text:
            echo_wrapped(goal, "  goal: ")
        if person := who_plays(world, reader):
            place = whereabouts(world, person, shown_in(world))
            echo_wrapped(f"you play {person.label}{f', {place}' if place else ''}", "  ")
        elif not world.campaign.selected.party_character_ids:
            echo_wrapped("nobody is in the party yet", "  ")
    screen.note(f"game master: {models}; /help shows what else you can type")
    echo_line()


def who_plays(world: World, reader: str) -> Character | None:
    """Return the character whose place is told to a reader: a player's own, and else the acting one."""
    player = player_of(reader)
    actor = world.campaign.selected.active_actor_id if player is None else player
    return world.character(actor) if actor else None


def whereabouts(world: World, person: Character, shown: Shown) -> str:
    """Return a character's location and company as the seat knows them; empty for a character without a location."""
    area = world.area(person.position) if person.position else None
    if area is None:
        return ""
    others = (one for one in people_at(world, area.id) if one.id != person.id and shown.is_seen(one.id))
    here = [one.label if one.label != one.id else unnamed(one.id) for one in others]
    company = ", ".join(here)
    return f"at {area.name}{f', with {company}' if here else ''}"


def echo_recap(said: Iterable[Text], screen: Screen) -> list[Text]:
    """Print the last of what was said and told, and return it; but for what was whispered, cut short."""
    told = list(said)[-_MAX_TEXTS:]
    if not told:
        return []
    screen.title("Last time" if any(text.is_players for text in told) or len(told) > 1 else "The story so far")
    for text in told:
        echo_text(text if text.is_private else text._replace(text=_cut(text.text)))
    echo_line()
    return told


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _MAX_TEXT_LENGTH else f"{words[: _MAX_TEXT_LENGTH - 3]}..."


def echo_text(text: Text) -> None:
    """Print one text."""
    words = text.text
    aside = ASIDE if text.is_aside else ""
    before = f"{safe(text.speaker)}{aside}: " if text.speaker and not words.startswith(f"{text.speaker}:") else ""
    if aside and not before:
        before = f"{aside.strip()} "
    echo_wrapped(f"{before}{words}", "  > " if text.is_players else "    ", is_told=not text.is_ours)
    for fact in text.facts():
        echo_wrapped(disagreement(fact), "  ! ", "yellow")


def texts(
    turns: Iterable[Record],
    reader: str,
    name_of: Callable[[str], str],
    facts_of: Callable[[Record], Sequence[str]],
    account_of: Callable[[Record], str],
) -> Iterator[Text]:
    """Yield what was said and told in turns: what the events of a scene game tell, and else what the turn holds.

    Args:
        turns: their records.
        reader: whose projection of a scene game is shown.
        name_of: gives the name of a character.
        facts_of: gives what is so where the text of a turn says otherwise; it stands under the last that was told.
        account_of: gives what was done, for a turn whose own text was withheld for good.
    """
    player = player_of(reader)
    for record in turns:
        is_private = record.get("private") is True
        said = _said_in(record, reader)
        last = max((place for place, (_, is_players) in enumerate(said) if not is_players), default=None)
        for place, (text, is_players) in enumerate(said):
            speaker = record.get("actor_id") if is_players else record.get("speaker_id")
            facts = partial(facts_of, record) if place == last else tuple
            is_aside = is_private and player not in (None, speaker if is_players else None)
            name = name_of(speaker) if speaker else None
            yield Text(record["seq"], name, text, is_players, is_private, facts, is_aside=is_aside)
        if is_withheld(record):
            yield Text(record["seq"], None, account_of(record), False, is_private, is_ours=True)


def _said_in(record: Record, reader: str) -> list[tuple[str, bool]]:
    """Return what was said and told in a turn, each with whether a player said it."""
    told = list(_story(project(record, Viewer.of(reader))["events"]))
    said, narrated = record.get("user_input", "").strip(), record.get("assistant_text", "").strip()
    if said and not any(is_players for _, is_players in told):
        told.insert(0, (said, True))
    if narrated and record.get("agent") != AgentKind.SUMMARIZER and all(is_players for _, is_players in told):
        told.append((narrated, False))
    return told


def _story(events: Iterable[RecordedEvent]) -> Iterator[tuple[str, bool]]:
    """Yield the texts that events of a scene game tell, and whether a player said them."""
    for event in events:
        data = event["data"]
        if event["type"] == "NarrativeAdded":
            is_players = data["source"] == "player"
            yield data["text"].removeprefix("> ") if is_players else data["text"], is_players
        elif event["type"] == "DieSpent":
            yield data["narrative"], False


def is_scene_game(campaign: Campaign) -> bool:
    """Return whether a scene game runs in a campaign."""
    with campaign.reading() as world:
        return world.get(CREW_PATH) is not None
