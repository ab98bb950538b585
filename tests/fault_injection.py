"""An engine with a fault: turns that bring out what nobody thought of."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from turnwright.protocol import pipeline


def break_turns(monkeypatch: pytest.MonkeyPatch, what: str = "nobody thought of this") -> None:
    """Let turns with the key `x_breaks` raise a `LookupError`, and all others run."""
    run = pipeline.run

    def fail(
        inputs: pipeline.TurnInputs, incoming: pipeline.IncomingTurn, given: Sequence[int]
    ) -> pipeline.PreparedCommit:
        if "x_breaks" in incoming.received.raw:
            raise LookupError(what)
        return run(inputs, incoming, given)

    monkeypatch.setattr(pipeline, "run", fail)
