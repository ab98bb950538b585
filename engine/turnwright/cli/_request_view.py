"""The open request on a terminal: what is asked, what can be answered, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwright.cli._output import safe
from turnwright.cli._program import command_line
from turnwright.cli._scene_view import die, echo_line, echo_wrapped
from turnwright.model.authority import GM
from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.render.scene_story import price_in_words

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ConversationRequest
    from turnwright.rulesets.scenes.shapes import ChoiceAsked, CreationAsked, DiceAsked, TextAsked

_TIERS = {"critical": "green", "success": "green", "partial": "yellow", "bad": "red", "disaster": "red"}
_FITTING: Mapping[str, tuple[type, ...]] = {
    "text": (int, str),
    "dice": (int,),
    "choice": (int, str),
    "creation": (dict, str),
}
"""Which types of JSON an answer to each kind of request can be; any for the kinds that are not here."""


def value_of(kind: str, text: str) -> Any:
    """Return the value that an answer written on a command line stands for: JSON of a type that fits, else the text."""
    try:
        value = parse_json(text)
    except JsonError:
        return text
    return value if kind not in _FITTING or type(value) in _FITTING[kind] else text


def echo_request(request: ConversationRequest) -> None:
    """Print what is asked and what can be answered."""
    _echo_prompt(request)
    _SHOWN[request["kind"]](request["payload"])


def echo_question(request: ConversationRequest) -> None:
    """Print the question to the person who answers now. A creation asks step by step: each step prints its own."""
    if request["kind"] == "creation":
        _echo_prompt(request)
    else:
        echo_request(request)


def _echo_prompt(request: ConversationRequest) -> None:
    echo_wrapped(request["prompt"] or request["kind"], "? ")


def answer_command(campaign: Path, reader: str) -> str:
    """Return how one reader answers from a command line, but for the value."""
    return command_line("answer", campaign, *([] if reader == GM else ["--as", reader]))


def echo_how(request: ConversationRequest, command: str) -> None:
    """Print how to answer from a command line; `command` is what comes before the value."""
    example = _EXAMPLES[request["kind"]](request["payload"])
    echo_line(click.style(safe(f"  answer with: {command} {example}"), dim=True))


def _show_text(payload: TextAsked) -> None:
    for number, suggestion in enumerate(payload["suggestions"], start=1):
        echo_wrapped(suggestion, f"  {number}  ")


def _show_dice(payload: DiceAsked) -> None:
    for shown in payload["dice"]:
        tier = click.style(f"{shown['tier']:<8}", fg=_TIERS[shown["tier"]])
        price = price_in_words(shown)
        told = f"{safe(shown['hint'])}  ({price})" if price else safe(shown["hint"])
        echo_line(f"  {shown['index']}  {die(shown['value'])}  {tier}  {told}")


def _show_choice(payload: ChoiceAsked) -> None:
    for option in payload["options"]:
        about = f": {option['hint']}" if option.get("hint") else ""
        closed = " (not to be had)" if option.get("disabled") else ""
        echo_wrapped(
            f"{option['label']}{about}{closed}",
            f"  {option['index']}  ",
            "bright_black" if option.get("disabled") else None,
        )


def _show_creation(payload: CreationAsked) -> None:
    for card in payload["tarot_spread"]:
        echo_wrapped(f"{card['name']}: {card['meaning']}", f"  {card['position']:<8}  ")
    for archetype in payload["archetypes"]:
        echo_wrapped(archetype["label"], f"  {safe(archetype['key']):<8}  ")


def _show_custom(payload: JsonObject) -> None:
    echo_wrapped(payload["tag"], "  ")


def _dice_example(payload: DiceAsked) -> str:
    return str(payload["dice"][0]["index"]) if payload["dice"] else "INDEX"


def _choice_example(payload: ChoiceAsked) -> str:
    return next((str(option["index"]) for option in payload["options"] if not option.get("disabled")), "KEY")


def _creation_example(payload: CreationAsked) -> str:
    archetype = payload["archetypes"][0]["key"] if payload["archetypes"] else "cutter"
    pronouns = payload["pronouns"][0]["key"] if payload["pronouns"] else "they_them"
    keys = f'"name": "...", "pronouns": "{pronouns}", "archetype": "{archetype}", "background": "..."'
    return f"'{{{keys}}}'"


_SHOWN: Mapping[str, Callable[[Any], None]] = {
    "text": _show_text,
    "dice": _show_dice,
    "choice": _show_choice,
    "creation": _show_creation,
    "custom": _show_custom,
}
_EXAMPLES: Mapping[str, Callable[[Any], str]] = {
    "text": lambda payload: "1" if payload["suggestions"] else '"..."',
    "dice": _dice_example,
    "choice": _choice_example,
    "creation": _creation_example,
    "custom": lambda _: "VALUE",
}
