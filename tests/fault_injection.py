"""An engine with a fault: turns that bring out what nobody thought of."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright.protocol import pipeline
from turnwright.protocol.stage1_intake import ParsedTurn


def break_turns(monkeypatch: pytest.MonkeyPatch, what: str = "nobody thought of this") -> None:
    """Let turns with the key `x_breaks` raise a `LookupError`, and all others run."""
    run = pipeline.run

    def fail(desk: pipeline.TurnInputs, received: ParsedTurn, *rest: Any) -> pipeline.PreparedCommit:
        if "x_breaks" in received.raw:
            raise LookupError(what)
        return run(desk, received, *rest)

    monkeypatch.setattr(pipeline, "run", fail)
