"""Asking a person at a terminal for the answer to a request.

`quit`, `exit` and `q` leave at every question; nothing is sent then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from turnwright.cli._output import safe
from turnwright.cli._request_view import value_of
from turnwright.cli._scene_view import echo_line, echo_wrapped

Json = Mapping[str, Any]
LEAVING = frozenset({"quit", "exit", "q"})


class Left(Exception):
    """The person leaves without an answer."""


def ask(request: Json) -> Any:
    """Return the answer that a person gives to a request that was shown.

    Raises:
        Left: when they leave instead.
    """
    return _QUESTIONS[request["kind"]](request["payload"])


def leaves(text: str) -> bool:
    """Return whether somebody wants to leave rather than answer."""
    return text.strip().lower() in LEAVING


def _line(question: str) -> str:
    text: str = click.prompt(question, default="", show_default=False, prompt_suffix=" > ")
    if leaves(text):
        raise Left
    return text.strip()


def _until(question: str, read: Callable[[str], Any], problem: str) -> Any:
    """Ask until an answer can be read; `read` returns None for one that cannot."""
    while True:
        value = read(_line(question))
        if value is not None:
            return value
        echo_line(problem)


def _ask_text(payload: Json) -> Any:
    del payload
    return _until(
        "what do you do", lambda text: value_of("text", text) if text else None, "say something, or q to leave"
    )


def _ask_dice(payload: Json) -> Any:
    numbers = {str(shown["index"]): shown["index"] for shown in payload["dice"]}
    return _until("which die", numbers.get, f"one of {', '.join(numbers)}, or q to leave")


def _ask_choice(payload: Json) -> Any:
    known = [option for option in payload["options"] if not option.get("disabled")]
    keys: dict[str, Any] = {option["key"]: option["key"] for option in known}
    keys |= {str(option["index"]): option["index"] for option in known}
    numbers = ", ".join(str(option["index"]) for option in known)
    return _until("which one", keys.get, f"one of {numbers}, or q to leave")


def _ask_custom(payload: Json) -> Any:
    del payload
    return _until(
        "your answer", lambda text: value_of("custom", text) if text else None, "answer something, or q to leave"
    )


class _Cancelled(Exception):
    """The person does not want a character after all."""


def _ask_creation(payload: Json) -> Any:
    echo_line("`cancel` gives up making a character and ends the game; `q` only leaves.")
    while True:
        try:
            return _choices(payload)
        except _Cancelled:
            if click.confirm("Give up, and end the game before it begins?"):
                return "cancel"


def _choices(payload: Json) -> dict[str, Any]:
    """Return who the new character is, once the person has seen the whole of it and agrees."""
    while True:
        choices = {
            "name": _step("name", lambda text: text or None, "a name, please"),
            "pronouns": _pronouns(payload["pronouns"]),
            "archetype": _preset("archetype", payload["archetypes"]),
            "background": _step("background (may stay empty)", lambda text: text, ""),
            "tarot_spread": [card["card"] for card in payload["tarot_spread"]],
        }
        echo_line("the cards:")
        for card in payload["tarot_spread"]:
            echo_wrapped(f"{card['name']}: {card['meaning']}", f"  {card['position']:<8}  ")
        echo_line(f"{safe(choices['name'])}, {safe(choices['archetype'])}")
        if _step("begin with this character (yes or no)", _yes_or_no, "yes or no"):
            return choices


def _step(question: str, read: Callable[[str], Any], problem: str) -> Any:
    def unless_cancelled(text: str) -> Any:
        if text.lower() == "cancel":
            raise _Cancelled
        return read(text)

    return _until(question, unless_cancelled, problem)


def _yes_or_no(text: str) -> bool | None:
    return {"y": True, "yes": True, "n": False, "no": False}.get(text.lower())


def _preset(question: str, presets: Sequence[Json]) -> str:
    for number, preset in enumerate(presets, start=1):
        echo_wrapped(preset["label"], f"  {number}  {safe(preset['key']):<8}  ")
    found: str = _step(question, lambda text: _picked(text, presets), "a number or a name from the list")
    return found


def _pronouns(presets: Sequence[Json]) -> str | dict[str, str]:
    for number, preset in enumerate(presets, start=1):
        echo_wrapped(preset["label"], f"  {number}  ")

    def read(text: str) -> str | dict[str, str] | None:
        return _picked(text, presets) or ({"custom": text} if text and not text.isdigit() else None)

    found: str | dict[str, str] = _step("pronouns (a number, or your own)", read, "a number, or your own words")
    return found


def _picked(text: str, presets: Sequence[Json]) -> str | None:
    names: dict[str, str] = {str(number): preset["key"] for number, preset in enumerate(presets, start=1)}
    names |= {preset["key"].lower(): preset["key"] for preset in presets}
    return names.get(text.lower())


_QUESTIONS: Mapping[str, Callable[[Json], Any]] = {
    "text": _ask_text,
    "dice": _ask_dice,
    "choice": _ask_choice,
    "creation": _ask_creation,
    "custom": _ask_custom,
}
