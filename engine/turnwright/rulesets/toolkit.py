"""What the tools of the toolkit and of quests share: strict arguments, and required arguments by operation.

Source: docs/toolkit.md, "The tools".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from turnwright.model.base import Model
from turnwright.model.encounter import RUNNING_TAG, Encounter
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.rulesets.tool import Applied, Args, Context, Legal, Tool, Totals, tool

A = TypeVar("A", bound="ToolkitArgs")


class ToolkitArgs(Args):
    """Arguments of a toolkit tool: snake_case or camelCase, words spelled loosely, and no unknown names."""


def toolkit(
    args: type[A],
    result: type[Model],
    *,
    example: JsonObject,
    family: str = "toolkit",
    reads: bool = False,
    batch: bool = False,
    shared: tuple[str, ...] = (),
    totals: Totals | None = None,
    legal: Callable[[World, Context], Legal | None] | None = None,
) -> Callable[[Callable[[World, A, Context], Applied]], Tool[A]]:
    """Turn a function into a tool of the toolkit; the marks of its arguments narrow ids to existing ones.

    Args:
        args, result, family, reads, batch, shared, totals, example: as `Tool` holds them.
        legal: narrows the arguments in place of their marks.
    """
    return tool(
        args,
        result,
        family=family,
        legal=legal or partial(_legal, args),
        example=example,
        reads=reads,
        batch=batch,
        shared=shared,
        totals=totals,
    )


def _legal(args: type[ToolkitArgs], world: World, ctx: Context) -> Legal | None:
    from turnwright.rulesets.reference_lookup import legal_ids

    del ctx
    return legal_ids(args, world)


def running_encounters(world: World) -> list[Encounter]:
    """Return the running fights, in the order of their files."""
    return world.all_tagged(Encounter, RUNNING_TAG)
