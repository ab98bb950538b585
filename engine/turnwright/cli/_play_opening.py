"""How a session begins: where everybody is, and what was told last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from turnwright.campaign import Campaign
from turnwright.cli._output import safe
from turnwright.cli._play_screen import Screen
from turnwright.cli._play_seats import Shown, player_of
from turnwright.cli._scene_view import echo_line, echo_wrapped
from turnwright.model.agent import AgentKind
from turnwright.model.campaign import CREW_PATH
from turnwright.world.overlay import World
from turnwright.world.summary import people_at

Json = Mapping[str, Any]
_MOST_TEXTS, _LONGEST_TEXT = 6, 400


class Text(NamedTuple):
    """Something that was said or told, and by whom; None for the game master's own voice."""

    seq: int
    speaker: str | None
    text: str
    is_players: bool
    is_private: bool


def echo_banner(campaign: Campaign, screen: Screen, seat: str, models: str, shown_in: Callable[[World], Shown]) -> None:
    """Print the campaign, the goal, and where the acting character is."""
    with campaign.reading() as world:
        document = world.campaign
        screen.title(document.title or document.id)
        if goal := document.goal.get("text") if isinstance(document.goal, Mapping) else document.goal.text:
            echo_wrapped(goal, "  goal: ")
        for line in _where(world, seat, shown_in(world)):
            echo_wrapped(line, "  ")
    screen.note(f"game master: {models}; /help tells what else can be typed")
    echo_line()


def _where(world: World, seat: str, shown: Shown) -> Iterator[str]:
    actor = player_of(seat) or world.campaign.selected.active_actor_id
    person = world.character(actor) if actor else None
    if person is None:
        return
    area = world.area(person.position) if person.position else None
    if area is None:
        yield f"you play {person.label}"
        return
    here = [other.label for other in people_at(world, area.id) if other.id != person.id and shown.is_seen(other.id)]
    company = f", with {', '.join(here)}" if here else ""
    yield f"you play {person.label}, at {area.name}{company}"


def echo_recap(turns: Iterable[Json], screen: Screen, name_of: Callable[[str], str]) -> None:
    """Print what was said and told last in turns; but for what was whispered, cut short."""
    told = list(texts(turns, name_of))[-_MOST_TEXTS:]
    if not told:
        return
    screen.title("Last time")
    for text in told:
        echo_text(text if text.is_private else text._replace(text=_cut(text.text)))
    echo_line()


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST_TEXT else f"{words[: _LONGEST_TEXT - 3]}..."


def echo_text(text: Text) -> None:
    """Print one text."""
    words = text.text
    before = f"{safe(text.speaker)}: " if text.speaker and not words.startswith(f"{text.speaker}:") else ""
    echo_wrapped(f"{before}{words}", "  > " if text.is_players else "    ")


def texts(turns: Iterable[Json], name_of: Callable[[str], str]) -> Iterator[Text]:
    """Yield what was said and told in turns."""
    for record in turns:
        is_private = record.get("private") is True
        if said := record.get("user_input", "").strip():
            actor = record.get("actor_id")
            yield Text(record["seq"], name_of(actor) if actor else None, said, True, is_private)
        told = record.get("assistant_text", "").strip()
        if told and record.get("agent") != AgentKind.SUMMARIZER:
            speaker = record.get("speaker_id")
            yield Text(record["seq"], name_of(speaker) if speaker else None, told, False, is_private)


def is_scene_game(campaign: Campaign) -> bool:
    """Return whether a scene game runs in a campaign."""
    with campaign.reading() as world:
        return world.get(CREW_PATH) is not None
