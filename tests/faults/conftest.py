"""What all tests of faults run with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.faults.disk import tell_of_checkpoints
from tests.faults.recovery import Recovery


@pytest.fixture
def recovery(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recovery]:
    """Give what goes on from crashes, with a room of its own."""
    tell_of_checkpoints(monkeypatch)
    recovery = Recovery(monkeypatch)
    yield recovery
    recovery.close()
