"""An engine with a fault: turns that bring out what nobody thought of."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright import pipeline
from turnwright.stages.intake import Received


def break_turns(monkeypatch: pytest.MonkeyPatch, what: str = "nobody thought of this") -> None:
    """Let turns with the key `x_breaks` raise a `LookupError`, and all others run."""
    run = pipeline.run

    def fail(desk: pipeline.Desk, received: Received, *rest: Any) -> pipeline.Sealed:
        if "x_breaks" in received.raw:
            raise LookupError(what)
        return run(desk, received, *rest)

    monkeypatch.setattr(pipeline, "run", fail)
