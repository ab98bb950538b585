"""How a session begins: where everybody is, and what was told last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from turnwright.campaign import Campaign
from turnwright.cli._output import safe
from turnwright.cli._play_screen import Screen
from turnwright.cli._play_seats import hears, player_of
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


def echo_banner(campaign: Campaign, screen: Screen, seat: str, models: str) -> None:
    """Print the campaign, the goal, and where the acting character is."""
    with campaign.reading() as world:
        document = world.campaign
        screen.title(document.title or document.id)
        if goal := document.goal.get("text") if isinstance(document.goal, Mapping) else document.goal.text:
            echo_wrapped(goal, "  goal: ")
        for line in _where(world, seat):
            echo_wrapped(line, "  ")
    screen.note(f"game master: {models}; /help tells what else can be typed")
    echo_line()


def _where(world: World, seat: str) -> Iterator[str]:
    actor = player_of(seat) or world.campaign.selected.active_actor_id
    person = world.character(actor) if actor else None
    if person is None:
        return
    area = world.area(person.position) if person.position else None
    if area is None:
        yield f"you play {person.label}"
        return
    here = [other.label for other in people_at(world, area.id) if other.id != person.id]
    company = f", with {', '.join(here)}" if here else ""
    yield f"you play {person.label}, at {area.name}{company}"


def echo_recap(turns: Iterable[Json], screen: Screen, seat: str, name_of: Callable[[str], str]) -> None:
    """Print what was said and told last, cut short, as far as the seat heard it."""
    told = list(texts(turns, seat, name_of))[-_MOST_TEXTS:]
    if not told:
        return
    screen.title("Last time")
    for text in told:
        echo_text(text)
    echo_line()


def echo_text(text: Text) -> None:
    """Print one text, cut short."""
    words = " ".join(text.text.split())
    short = words if len(words) <= _LONGEST_TEXT else f"{words[: _LONGEST_TEXT - 3]}..."
    before = f"{safe(text.speaker)}: " if text.speaker and not short.startswith(f"{text.speaker}:") else ""
    echo_wrapped(f"{before}{short}", "  > " if text.is_players else "    ")


def texts(turns: Iterable[Json], seat: str, name_of: Callable[[str], str]) -> Iterator[Text]:
    """Yield what was said and told in turns, as far as somebody at the table heard it."""
    for record in turns:
        if not hears(record, seat):
            continue
        if said := record.get("user_input", "").strip():
            actor = record.get("actor_id")
            yield Text(record["seq"], name_of(actor) if actor else None, said, True)
        told = record.get("assistant_text", "").strip()
        if told and record.get("agent") != AgentKind.SUMMARIZER:
            speaker = record.get("speaker_id")
            yield Text(record["seq"], name_of(speaker) if speaker else None, told, False)


def is_scene_game(campaign: Campaign) -> bool:
    """Return whether a scene game runs in a campaign."""
    with campaign.reading() as world:
        return world.get(CREW_PATH) is not None
