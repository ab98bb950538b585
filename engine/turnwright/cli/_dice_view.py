"""Dice of the table on a terminal: what has to be thrown, the faces that are typed, and how to hand them in."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING

import click

from turnwright.cli._asking import RunCommand, ask_line
from turnwright.cli._output import safe
from turnwright.cli._scene_view import echo_line
from turnwright.model.dice.draws import DiceRequest, Wanted
from turnwright.model.errors import BadRequest
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.protocol.table_dice import CANCEL

if TYPE_CHECKING:
    from turnwright.model.knowledge import Knowledge

Faces = list[int] | str
"""The faces of the dice of a request, in its order; or `cancel`."""
Describe = Callable[[Wanted], str]
"""Returns what a die is thrown for."""


def describe_for(reader: Knowledge) -> Describe:
    """Return a function that tells a reader, with names, what a die is thrown for."""
    from turnwright.rulesets.story import describe_draw  # most turns wait for no dice

    return lambda die: describe_draw(die, reader)


def echo_dice(
    request: DiceRequest, reader: Knowledge | None = None, *, how: str | None = None, indent: str = "  "
) -> None:
    """Print the dice that the table has to throw.

    Args:
        request: what is asked.
        reader: what the reader knows; default: purposes are printed by the ids that the request names.
        how: the command that answers, but for the value; None to leave it out.
        indent: what each line begins with.
    """
    dice = request["dice"]
    echo_line(f"{indent}{safe(request['request_id'])} waits for {len(dice)} {'die' if len(dice) == 1 else 'dice'}:")
    describe = describe_for(reader) if reader else lambda die: die["why"]
    for why, thrown in groupby(dice, key=describe):
        sides = " ".join(f"d{die['sides']}" for die in thrown)
        echo_line(f"{indent}  {sides}  {safe(why)}")
    if how is not None:
        example = " ".join(["FACE"] * len(dice))
        shown = f'{indent}answer with: {how} "{example}", or {CANCEL}'
        echo_line(click.style(safe(shown), dim=True))


def read_faces(text: str) -> Faces:
    """Return the faces that were written on a command line: `14 3 5`, `14,3,5`, a JSON list, or `cancel`.

    Raises:
        BadRequest: when they are none of these.
    """
    plain = text.strip()
    if plain.lower() == CANCEL:
        return CANCEL
    if plain.startswith("["):
        try:
            value = parse_json(plain)
        except JsonError as error:
            raise BadRequest(f"the faces are no JSON: {error}") from None
    else:
        value = [_number(word) for word in re.split(r"[\s,;]+", plain) if word]
    if not isinstance(value, list) or not value or not all(type(face) is int for face in value):
        raise BadRequest(f'the faces are whole numbers, such as "14 3 5", or {CANCEL} (got {text!r})')
    return value


def _number(word: str) -> int | None:
    return int(word) if re.fullmatch(r"[0-9]{1,9}", word) else None


def ask_faces(request: DiceRequest, describe: Describe, run: RunCommand | None = None) -> Faces:
    """Ask a person for one die after the other; `cancel` gives up the turn.

    Args:
        request: what is asked.
        describe: says what a die is for.
        run: carries out commands that are typed in place of a face; None where there are none.

    Raises:
        Left: when they leave instead; the turn waits on.
    """
    faces: list[int] = []
    for die in request["dice"]:
        face = _ask_face(die, describe(die), run)
        if face is None:
            return CANCEL
        faces.append(face)
    return faces


def _ask_face(die: Wanted, why: str, run: RunCommand | None) -> int | None:
    """Return the face that a person types; None when they cancel."""
    sides = die["sides"]
    while True:
        text = ask_line(f"{safe(why)}: roll a d{sides} and type the face", run)
        if text.lower() == CANCEL:
            return None
        face = _number(text)
        if face is not None and 1 <= face <= sides:
            return face
        echo_line(f"a d{sides} shows 1 to {sides}; {CANCEL} gives up the turn, and q leaves it waiting")
