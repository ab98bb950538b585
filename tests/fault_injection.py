"""An engine with a fault: turns that bring out what nobody thought of."""

from __future__ import annotations

import pytest

from turnwright.protocol import pipeline
from turnwright.protocol.attempt import Attempt, PartsDone
from turnwright.protocol.stage3_tools.run import run_parts


def break_turns(monkeypatch: pytest.MonkeyPatch, what: str = "nobody thought of this") -> None:
    """Let turns with the key `x_breaks` raise a `LookupError`, and all others run."""

    def fail(attempt: Attempt) -> PartsDone:
        if "x_breaks" in attempt.incoming.received.raw:
            raise LookupError(what)
        return run_parts(attempt)

    monkeypatch.setattr(pipeline, "run_parts", fail)
