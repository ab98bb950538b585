"""The effects of a scene game's calls, outputs and answers: stress, coin, and places to wake up in.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from turnwright.model.json_types import JsonObject
from turnwright.narration.facts import CallOutcome, Effect, EffectKind
from turnwright.narration.result_shapes import number_of, text_of
from turnwright.rulesets.effects import (
    EffectReader,
    arrivals,
    effect,
    hp_changes,
    moved,
    refusal,
    rolls,
)
from turnwright.rulesets.toolbox import PARTS

_TOOLS = (
    "set_scene_style",
    "choose",
    "spend_die",
    "engage",
    "resolve",
    "accept",
    "accept_bargain",
    "retreat",
    "pass_out",
)


def _read(call: CallOutcome) -> Iterator[Effect]:
    yield from hp_changes(call, _stress)
    yield from rolls(call)
    yield from _costs(call)
    yield from arrivals(call, text_of(call.result, "location_id", "woke_up_at"))
    if call.args.get("new_location"):
        yield effect(call, EffectKind.PLACE, shown=refusal(call))


def _stress(call: CallOutcome, part: JsonObject, asked: str | None) -> Iterator[Effect]:
    """Yield stress as the harm that a text may call it."""
    del asked
    stress = number_of(part, "stress_delta", "stress_applied")
    if stress:
        yield Effect(EffectKind.HP, tool=call.tool, delta=-stress, amounts=frozenset({abs(stress)}))


def _costs(call: CallOutcome) -> Iterator[Effect]:
    paid = call.result.get("cost_applied")
    coin = number_of(call.result, "coin_delta", "coin_applied")
    if isinstance(paid, Mapping):
        if paid.get("type") == "item":
            yield moved(call, text_of(paid, "target") or "", 1)
        elif paid.get("type") == "coin":
            coin = -(number_of(paid, "amount") or 0)
    if coin:
        yield effect(call, EffectKind.GOODS, coin="coin", delta=abs(coin))


EFFECTS: Mapping[str, EffectReader] = dict.fromkeys((*_TOOLS, *PARTS), _read)
