"""Asking a person at a terminal for the answer to a request.

`quit`, `exit` and `q` leave at every question; nothing is sent then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from turnwright.cli._output import safe
from turnwright.cli._request_view import value_of
from turnwright.cli._scene_view import echo_line, echo_wrapped
from turnwright.model.json_types import JsonObject

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.shapes import ConversationRequest
    from turnwright.rulesets.scenes.shapes import ChoiceAsked, CreationAsked, DiceAsked, NamedKey

Json = Mapping[str, Any]
LEAVING = frozenset({"quit", "exit", "q"})


class Left(Exception):
    """The person leaves without an answer."""


class _Cancelled(Exception):
    """The person does not want a character after all."""


class _Back(Exception):
    """The person wants the question before this one."""


def says_yes(text: str | None) -> bool:
    """Return whether an answer to a question for yes or no is a yes; an empty line and the end of input are none."""
    return text is not None and text.casefold() in ("y", "yes")


RunCommand = Callable[[str], bool]
"""Carries out a line that begins with a slash; returns whether the person leaves by it."""


def ask(request: ConversationRequest, run: RunCommand | None = None) -> Any:
    """Return the answer that a person gives to a request that was shown.

    Args:
        request: the request.
        run: carries out commands that are typed in place of an answer; None where there are none.

    Raises:
        Left: when they leave instead.
    """
    return _Questions(run).answer(request)


def leaves(text: str) -> bool:
    """Return whether a person wants to leave rather than answer."""
    return text.strip().lower() in LEAVING


def ask_line(question: str, run: RunCommand | None = None) -> str:
    """Return what a person types, stripped; commands are carried out, and the question is asked again.

    Raises:
        Left: when they leave instead.
    """
    while True:
        text: str = click.prompt(question, default="", show_default=False, prompt_suffix=" > ").strip()
        if leaves(text):
            raise Left
        if run is None or not text.startswith("/") or text.startswith("//"):
            return text.removeprefix("/") if run is not None and text.startswith("//") else text
        if run(text):
            raise Left


class _Questions:
    """Asks until an answer can be read."""

    def __init__(self, run: RunCommand | None) -> None:
        self._run = run

    def answer(self, request: ConversationRequest) -> Any:
        kinds: Mapping[str, Callable[[Any], Any]] = {
            "text": self._text,
            "dice": self._dice,
            "choice": self._choice,
            "creation": self._creation,
            "custom": self._custom,
        }
        return kinds[request["kind"]](request["payload"])

    def _until(self, question: str, read: Callable[[str], Any], problem: str) -> Any:
        """Ask until an answer can be read; `read` returns None for one that cannot."""
        while True:
            value = read(ask_line(question, self._run))
            if value is not None:
                return value
            echo_line(problem)

    def _text(self, payload: JsonObject) -> Any:
        del payload
        return self._until(
            "what do you do", lambda text: value_of("text", text) if text else None, "say something, or q to leave"
        )

    def _dice(self, payload: DiceAsked) -> Any:
        numbers = {str(shown["index"]): shown["index"] for shown in payload["dice"]}
        return self._until("which die", numbers.get, f"one of {', '.join(numbers)}, or q to leave")

    def _choice(self, payload: ChoiceAsked) -> Any:
        known = [option for option in payload["options"] if not option.get("disabled")]
        keys: dict[str, Any] = {option["key"]: option["key"] for option in known}
        keys |= {str(option["index"]): option["index"] for option in known}
        numbers = ", ".join(str(option["index"]) for option in known)
        return self._until("which one", keys.get, f"one of {numbers}, or q to leave")

    def _custom(self, payload: JsonObject) -> Any:
        del payload
        return self._until(
            "your answer", lambda text: value_of("custom", text) if text else None, "answer something, or q to leave"
        )

    # a new character

    def _creation(self, payload: CreationAsked) -> Any:
        echo_line("`back` goes to the question before; `cancel` gives up making a character and ends the game;")
        echo_line("`q` only leaves.")
        while True:
            try:
                return self._choices(payload)
            except _Cancelled:
                if click.confirm("Give up, and end the game before it begins?"):
                    return "cancel"

    def _choices(self, payload: CreationAsked) -> JsonObject:
        """Return who the new character is, once the person has seen the whole of it and agrees."""
        questions: Mapping[str, Callable[[], Any]] = {
            "name": lambda: self._step("name", lambda text: text or None, "a name, please"),
            "pronouns": lambda: self._pronouns(payload["pronouns"]),
            "archetype": lambda: self._preset("archetype", payload["archetypes"]),
            "background": lambda: self._step("background (may stay empty)", lambda text: text, ""),
        }
        choices: dict[str, Any] = {}
        while True:
            try:
                for key, question in questions.items():
                    if key not in choices:
                        choices[key] = question()
                if self._agrees(payload, choices):
                    return choices | {"tarot_spread": [card["card"] for card in payload["tarot_spread"]]}
                choices = {}
            except _Back:
                if not choices:
                    echo_line("this is the first question")
                else:
                    choices.popitem()

    def _agrees(self, payload: CreationAsked, choices: JsonObject) -> bool:
        echo_line("the cards:")
        for card in payload["tarot_spread"]:
            echo_wrapped(f"{card['name']}: {card['meaning']}", f"  {card['position']:<8}  ")
        echo_line(f"{safe(choices['name'])}, {safe(choices['archetype'])}")
        return bool(self._step("begin with this character (yes or no)", _yes_or_no, "yes or no"))

    def _step(self, question: str, read: Callable[[str], Any], problem: str) -> Any:
        def unless_cancelled(text: str) -> Any:
            if text.lower() == "cancel":
                raise _Cancelled
            if text.lower() == "back":
                raise _Back
            return read(text)

        return self._until(question, unless_cancelled, problem)

    def _preset(self, question: str, presets: Sequence[NamedKey]) -> str:
        for number, preset in enumerate(presets, start=1):
            echo_wrapped(preset["label"], f"  {number}  {safe(preset['key']):<8}  ")
        found: str = self._step(question, lambda text: _picked(text, presets), "a number or a name from the list")
        return found

    def _pronouns(self, presets: Sequence[NamedKey]) -> str | dict[str, str]:
        for number, preset in enumerate(presets, start=1):
            echo_wrapped(preset["label"], f"  {number}  ")

        def read(text: str) -> str | dict[str, str] | None:
            return _picked(text, presets) or ({"custom": text} if text and not text.isdigit() else None)

        problem = "a number, or your own words"
        found: str | dict[str, str] = self._step("pronouns (a number, or your own)", read, problem)
        return found


def _yes_or_no(text: str) -> bool | None:
    return {"y": True, "yes": True, "n": False, "no": False}.get(text.lower())


def _picked(text: str, presets: Sequence[NamedKey]) -> str | None:
    names: dict[str, str] = {str(number): preset["key"] for number, preset in enumerate(presets, start=1)}
    names |= {preset["key"].lower(): preset["key"] for preset in presets}
    return names.get(text.lower())
