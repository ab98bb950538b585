"""`--update-golden`: write `expect/` anew instead of comparing with it."""

from __future__ import annotations

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="Write what golden cases give into their expect/.")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--update-golden", default=False) and os.environ.get("CI"):
        raise pytest.UsageError("--update-golden never runs in CI: review the diff first, like code")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # What is being written can be read by nobody: other tests wait for the next run.
    if config.getoption("--update-golden", default=False):
        kept = [item for item in items if "update_golden" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
