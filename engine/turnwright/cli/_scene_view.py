"""A scene game on a terminal: dice, bars, clocks, and what just happened."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Any, cast

import click

from turnwright.cli._output import safe
from turnwright.model.state.overlay import World
from turnwright.render.scene_story import Line, Weight, happened

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import RecordedEvent
    from turnwright.rulesets.scenes.shapes import AwaitedNow, Gauge, PersonInFull, PersonInShort, ShownClock, TableClock
    from turnwright.views.shapes import GameView

Json = Mapping[str, Any]
_DICE = "⚀⚁⚂⚃⚄⚅"
_BAR = 12
_SIGNS: Mapping[Weight, tuple[str, str | None]] = {
    "critical": ("!!", "red"),
    "warning": ("! ", "yellow"),
    "positive": ("+ ", "green"),
    "bargain": ("$ ", "magenta"),
    "info": ("  ", None),
}
_AWAITED = {
    "player_creation": "a player, to make a character",
    "player_text": "the players: what do they do?",
    "player_dice": "{whose}, to spend a die",
    "player_choice": "the players, to choose",
    "dm_scenario": "the game master, to open the story",
    "dm_turn": "the game master, to go on",
    "dm_compression": "the game master, to sum the scene up",
    "dm_entanglement": "the game master, to tell how the law closes in",
    "dm_transition": "the game master, to tell how time passes",
    "dm_scene_init": "the game master, to open the next scene",
    "none": "nobody: the session is over",
}
BAR = "| "
"""What stands before a line of a story that looks like the engine's own: a sign, and no color, tells them apart."""
_LIKE_OURS = re.compile(
    r"\s*\S.{0,80}? [>＞](?:\s|$)"  # a prompt, with what was typed behind it
    r"|[\s\u2800]+\S|\s*(?:[!>|！＞]|\*\s"  # what is indented or has a sign of ours
    r"|(?:what was done|nothing was done|withheld|the books disagree|player|narration):"
    r"|(?:finding|applied|rejected|error)\s\s|last time$)",
    re.IGNORECASE,
)


def echo_line(text: str = "") -> None:
    """Print a line; what the terminal has no signs for becomes question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "replace").decode(encoding))


def set_apart(line: str) -> str:
    """Return a line of a story; one that could pass for a line of the engine's, or a prompt, behind a bar."""
    return f"{BAR}{line}" if _LIKE_OURS.match(line) else line


def echo_wrapped(text: object, first: str = "", color: str | None = None, *, is_told: bool = False) -> None:
    """Print foreign text in lines that fit the terminal, the further ones indented like the first.

    Args:
        text: the text.
        first: prefix of its first line.
        color: of all of it.
        is_told: whether a person at the table wrote it, so that it must not pass for the engine's words.
    """
    width = max(40, shutil.get_terminal_size((100, 24)).columns - 1)
    lines = [part for line in str(text).splitlines() for part in wrap(safe(line), width - len(first))]
    lines = list(map(set_apart, lines)) if is_told else lines
    for place, line in enumerate(lines or [""]):
        before = first if place == 0 else " " * len(first)
        echo_line(click.style(before + line, fg=color).rstrip())


def die(face: int) -> str:
    """Return a die as a picture with its number, or as the number alone where pictures cannot be printed."""
    try:
        _DICE.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return f"[{face}]"
    return f"{_DICE[face - 1]} {face}"


def echo_game(state: GameView) -> None:
    """Print where a scene game stands, without the request."""
    if scene := state["scene"]:
        present = f", with {', '.join(scene['present'])}" if scene["present"] else ""
        echo_wrapped(safe(f"{scene['location'] or 'somewhere'}{present}"))
        if scene["stakes"]:
            echo_wrapped(scene["stakes"], "  at stake: ")
    mood = f", {state['mood']}" if state["mood"] else ""
    echo_line(f"{state['phase'].replace('_', ' ')}{mood}; {state['precarity'].replace('_', ' ')}")
    echo_line()
    if state["phase"] != "character_creation":
        _echo_numbers(state)
    echo_line(click.style("awaited", bold=True) + f"       {awaited(state['awaiting'], _people(state))}")


def _echo_numbers(state: GameView) -> None:
    for person in _people(state):
        _echo_person(person)
    _echo_gauge("heat", state["heat"])
    _echo_gauge("wanted", state["wanted"])
    echo_line(f"{'dice':<14}" + ("   ".join(map(die, state["dice_pool"])) or "none"))
    _echo_clocks(state["clocks"])
    _echo_list("costs lately", state["recent_costs"])
    held: Mapping[str, Any] = state
    _echo_list("threats", held.get("unresolved_threats", ()))
    echo_line()


def _people(state: GameView) -> list[PersonInShort | PersonInFull]:
    held: Mapping[str, Any] = state
    you: PersonInFull | None = held.get("you")
    return [*([you] if you else []), *state["party"]]


def _echo_person(person: PersonInShort | PersonInFull) -> None:
    _echo_gauge(person["name"], person["stress"], "stress ")
    if "coin" not in person:
        return
    whole = cast("PersonInFull", person)
    broken = "  about to break" if whole["pending_trauma"] else ""
    scars = f", scars: {', '.join(map(safe, whole['trauma']))}" if whole["trauma"] else ""
    echo_line(f"{'':<14}coin {whole['coin']}{scars}{broken}")


def _echo_gauge(name: str, gauge: Gauge, what: str = "") -> None:
    value, most = gauge["value"], gauge["max"]
    share = value / most
    color = "red" if share >= 0.8 else "yellow" if share >= 0.5 else "green"
    word = f"  {gauge['word']}" if gauge["word"] else ""
    echo_line(f"{_column(name)}{what}{_bar(value, most, color)} {value}/{most}{word}")


def _column(text: str) -> str:
    shown = safe(text)
    return f"{shown:<13.13} "


def _bar(filled: int, most: int, color: str) -> str:
    """Return a bar with one sign for each step; a long scale is drawn shorter, and never looks empty when it is not."""
    length = min(most, _BAR)
    full = min(length, -(-filled * length // most))
    return f"[{click.style('#' * full, fg=color)}{'-' * (length - full)}]"


def _echo_clocks(clocks: Iterable[ShownClock | TableClock]) -> None:
    name = "clocks"
    for clock in clocks:
        color = "red" if clock["type"] == "threat" else "cyan"
        kind = " (goal)" if clock["type"] == "goal" else ""
        hidden = "" if _is_visible(clock) else " (hidden from players)"
        bar = _bar(clock["filled"], clock["segments"], color)
        echo_line(f"{name:<14}{bar} {clock['filled']}/{clock['segments']} {safe(clock['name'])}{kind}{hidden}")
        name = ""


def _is_visible(clock: ShownClock | TableClock) -> bool:
    held: Mapping[str, object] = clock
    return bool(held.get("visible", True))


def _echo_list(name: str, texts: Iterable[str]) -> None:
    for text in texts:
        echo_wrapped(text, f"{name:<14}")
        name = ""


def awaited(waiting: AwaitedNow, people: Iterable[PersonInShort | PersonInFull] = ()) -> str:
    """Describe the input that the game waits for.

    Args:
        waiting: its `stage`, and the player it is `for`.
        people: those with known names, with `id` and `name`.
    """
    whose = next((person["name"] for person in people if person["id"] == waiting["for"]), "a player")
    return safe(_AWAITED[waiting["stage"]].format(whose=whose))


def echo_happened(events: Iterable[RecordedEvent], world: World) -> None:
    """Print what happened in a turn, each line with a sign and a color for how much it weighs."""
    from turnwright.rulesets.scenes.projection import place_names  # most campaigns are no scene games

    known = list(events)
    ids = [event["data"]["location"] for event in known if event["type"] == "SceneStarted"]
    for line in happened(known, place_names(world, ids)):
        _echo_weighed(line)


def _echo_weighed(line: Line) -> None:
    sign, color = _SIGNS[line.weight]
    echo_wrapped(line.text, f"{sign} ", color, is_told=line.is_told)
