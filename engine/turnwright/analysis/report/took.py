"""What a report says of time, tokens and cost: of looking for hints, and of the models.

Source: docs/report.md, "Time, tokens and cost".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from turnwright.analysis.report.figure import counted, spread
from turnwright.analysis.report.play import Play

if TYPE_CHECKING:
    from turnwright.analysis.report.shapes import Looking, ModelFigures, ModelsFigures
    from turnwright.model.wire.shapes import ModelAsked

STEPS_US = (100, 250, 500, 1000, 2500, 5000, 10_000)
"""Upper ends of the classes of the histogram, in microseconds."""


def looking(plays: Iterable[Play]) -> Looking:
    """Return how long looking for hints took, in microseconds."""
    times = [record["elapsed_us"] for play in plays for exchange in play.exchanges for record in exchange.advice]
    classes = {f"<{end}": 0 for end in STEPS_US} | {f">={STEPS_US[-1]}": 0}
    for time in times:
        classes[next((f"<{end}" for end in STEPS_US if time < end), f">={STEPS_US[-1]}")] += 1
    return {**spread(times), "histogram": classes}


def models(plays: Sequence[Play]) -> ModelsFigures:
    """Return what the models took, in all and one by one."""
    asked = [asking for play in plays for record in play.telemetry for asking in record["models"]]
    messages = sum(
        any(record["models"] for record in exchange.telemetry) for play in plays for exchange in play.exchanges
    )
    names = sorted({asking["model"] for asking in asked})
    return {
        **_took(asked),
        "messages": messages,
        "tokens_per_message": _mean(_tokens(asked), messages),
        "by_model": {name: _took([asking for asking in asked if asking["model"] == name]) for name in names},
    }


def _took(asked: Sequence[ModelAsked]) -> ModelFigures:
    answered = [asking for asking in asked if asking["failure"] is None]
    costs = [asking["cost"] for asking in asked if asking["cost"] is not None]
    return {
        "asked": len(asked),
        "failures": counted(asking["failure"] for asking in asked if asking["failure"] is not None),
        "ms": spread(asking["ms"] for asking in answered),
        "input_tokens": sum(asking["input_tokens"] for asking in asked),
        "output_tokens": sum(asking["output_tokens"] for asking in asked),
        "cost": round(sum(costs), 6) if costs else None,
        "cost_unknown": len(asked) - len(costs),
    }


def _tokens(asked: Iterable[ModelAsked]) -> int:
    return sum(asking["input_tokens"] + asking["output_tokens"] for asking in asked)


def _mean(total: int, n: int) -> float | None:
    return round(total / n, 1) if n else None
