"""choose: an honest weighted coin."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from turnwright.model.base import Count, Model, Number, Text
from turnwright.model.strict_json import MAX_INT
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.tools._scene_tool import SceneArgs, scene_tool

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import ChanceResult


def _pair(value: Any) -> Any:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise PydanticCustomError("pair", "wants a weight and a label")
    return tuple(value)


Weight = Annotated[Number, Field(gt=0)]
Choice = Annotated[
    tuple[Weight, Annotated[Text, Field(min_length=1, max_length=200, pattern=r"\S")]],
    BeforeValidator(_pair),
    WithJsonSchema(
        {
            "type": "array",
            "prefixItems": [
                {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_INT, "examples": [1]},
                {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"\S"},
            ],
            "minItems": 2,
            "maxItems": 2,
            "examples": [[1, "the watch comes"]],
        }
    ),
]


class ChooseArgs(SceneArgs):
    """Arguments of `choose`."""

    options: Annotated[tuple[Choice, ...], Field(min_length=2, max_length=8)] = Field(
        description="2 to 8 pairs of a weight and a label; twice the weight is twice as likely.",
        examples=[[[3, "the watch comes"], [1, "nobody heard it"]]],
    )


class ChooseResult(Model):
    """The selected option."""

    chosen_index: Count
    chosen_label: Text


@scene_tool(ChooseArgs, ChooseResult, example={"options": [[3, "the watch comes"], [1, "nobody heard it"]]})
def choose(play: Play, args: ChooseArgs) -> ChanceResult:
    """Let chance decide between 2 to 8 weighted options, for the game master only.

    For honest uncertainty ("who arrives first?"). It is not a menu for the player, nor a way around the dice: use
    `engage` for anything that could hurt a character.
    """
    labels = [label.strip() for _, label in args.options]
    for place, label in enumerate(labels):
        if label in labels[:place]:
            repair = hint.ask(f"args.options.{place}.1", label)
            raise CallFailed(Reason.INVALID_ARGS, f"args.options.{place}: the same label twice", repair)
    weights = [float(weight) for weight, _ in args.options]
    sums = list(accumulate(weights))
    drawn = play.dice.draw_real("choose") * sums[-1]
    index = next((place for place, total in enumerate(sums) if total > drawn), len(sums) - 1)
    play.emit("RandomChoice", label=labels[index], index=index, weights=[weight for weight, _ in args.options])
    return {"chosen_index": index, "chosen_label": labels[index]}
