"""`--update-golden` is an option of the golden cases; named together with them, these are written anew, too."""

from __future__ import annotations

import pytest


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    # The option is unknown where the folder of the golden cases was not named on the command line.
    return bool(request.config.getoption("--update-golden", default=False))
