"""Dice rolled at a real table, in place of the campaign's own.

Source: docs/stages/3-tools.md, "Dice".
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.model.dice.expression import Expression, Roll, dice_ahead, parse, roll
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.tool import Context


def throw_with(ctx: Context, expression: str | Expression, why: str, faces: Sequence[int] = ()) -> Roll:
    """Roll an expression with these faces first, in rolling order, and the campaign's own after them."""
    tree, given = parse(expression) if isinstance(expression, str) else expression, iter(faces)
    if not faces:
        ctx.dice.expect((sides, why) for sides in dice_ahead(tree))

    def draw(sides: int) -> int:
        face = next(given, None)
        return ctx.dice.draw(sides, why) if face is None else ctx.dice.take(face, sides, why)

    return roll(tree, draw)


def require_faces(field: str, expression: str | None, faces: Sequence[int]) -> None:
    """Refuse faces that do not fit their dice, or too many of them; no dice are rolled."""
    if not faces:
        return
    if expression is None:
        raise CallFailed(Reason.INVALID_ARGS, f"{field}: there is nothing to roll", hint.ask(field, list(faces)))
    given = list(faces)
    fitting: list[int] = []

    def draw(sides: int) -> int:
        if not given:
            return 1
        fitting.append(min(max(1, given.pop(0)), sides))
        return fitting[-1]

    roll(parse(expression), draw)
    if fitting != list(faces):
        repair = hint.ask(field, list(faces))
        raise CallFailed(Reason.INVALID_ARGS, f"{field}: does not fit {expression}", repair)
