"""What all tests share: a fixed clock, and campaigns made from plain documents."""

from __future__ import annotations

import faulthandler
import gc
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from _pytest.runner import runtestprotocol
from _pytest.tmpdir import tmppath_result_key
from hypothesis import settings
from tests import builders
from tests.distributions import Distributions
from tests.sampling import QUICK, THOROUGH

from turnwright import Campaign
from turnwright.campaign import campaign as campaign_module
from turnwright.model.entry_points import installed

settings.register_profile("quick", deadline=None, max_examples=QUICK)
settings.register_profile("thorough", deadline=None, max_examples=THOROUGH)
settings.load_profile("quick")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell has what it runs in the background ignore Ctrl-C; processes that tests start, and stop by it, would, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
gc.set_threshold(500_000, 10, 1000)  # a sixth of the time went into searches for garbage, which hardly found any
LONG = {"faults", "cli"}
"""Folders in which single tests take seconds."""
HANG_S, WATCH_EVERY_S = 1800, 60
"""After how many seconds a test hangs, and how much later at most that is told."""
_WATCHED_SINCE = pytest.StashKey[float]()
_NAMES = map("".join, product("jkqvwxz", repeat=6))
"""Of folders: nothing that a test could look for in what is told of them, as digits are."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let long tests come first: at the end there are then short ones alone, that all workers can share."""
    items.sort(key=lambda item: LONG.isdisjoint(item.path.parts))


def pytest_collection_finish() -> None:
    """Keep what was collected out of each search for garbage: it is most of what there is, and stays."""
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let a test that waits for something that never comes say where, and end the run.

    pytest's own `faulthandler_timeout` begins and ends a thread for every test, which costs as much as many a test.
    """
    stash, now = item.config.stash, time.monotonic()
    if now - stash.get(_WATCHED_SINCE, -WATCH_EVERY_S) >= WATCH_EVERY_S:
        stash[_WATCHED_SINCE] = now
        faulthandler.dump_traceback_later(HANG_S, exit=True, file=stash[fault_handler_stderr_fd_key])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Let a worker of a quiet run tell of a test that passes how it ended: each step told costs as much as many a test.

    Whatever goes wrong is told as always, and every step is where somebody asks for more than that.
    """
    options = item.config.option
    if not hasattr(item.config, "workerinput") or options.verbose >= 0 or options.durations or options.xmlpath:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture(autouse=True)
def without_lag() -> Iterator[None]:
    """Let documents and results follow every turn at once: most tests look at files, and only some at the lag."""
    # By hand, because it is done for every test: to patch a name given as text takes several times as long.
    lag, campaign_module.DEFAULT_LAG = campaign_module.DEFAULT_LAG, 0.0
    yield
    campaign_module.DEFAULT_LAG = lag


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give an empty folder, taken away after a test that passes.

    pytest's own looks through the folders of all tests before it for a free number, and leaves a link for each.
    """
    path = tmp_path_factory.getbasetemp() / next(_NAMES)
    path.mkdir()
    yield path
    if request.node.stash[tmppath_result_key].get("call", True):
        shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Say whether what golden cases give is written; other tests that are named with them are written anew, too."""
    # The option is unknown where the folder of the golden cases was not named on the command line.
    return bool(request.config.getoption("--update-golden", default=False))


MakeCampaign = Callable[..., Campaign]


@pytest.fixture(name="clock")
def fixture_clock() -> Callable[[], datetime]:
    return builders.clock


@pytest.fixture
def make_campaign(tmp_path: Path) -> Iterator[MakeCampaign]:
    """Give a function that begins a campaign from plain documents; all are closed at the end."""
    opened: list[Campaign] = []

    def make(values: Mapping[str, Any] | None = None, seed: str = "fixed") -> Campaign:
        opened.append(builders.begin(tmp_path / f"campaign_{len(opened)}", values, seed))
        return opened[-1]

    yield make
    for campaign in opened:
        campaign.close()


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """Give the small campaign of `builders.documents()`."""
    return make_campaign()


@pytest.fixture
def distributions(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Distributions]:
    """Give what installs distributions for one test."""
    yield Distributions(tmp_path_factory.mktemp("installed"), monkeypatch)
    installed.cache_clear()
