"""A campaign beside an event loop: the loop stays free, calls keep their order, and a cancellation loses nothing."""

from __future__ import annotations

import asyncio
import inspect
import random
import threading
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import builders
from tests.builders import Json, hp_delta, turn

from turnwright import AsyncCampaign, BadRequest, Campaign, CampaignBusy, CampaignClosed, CampaignInvalid, Viewer
from turnwright.campaign.content import AddedPack
from turnwright.model.viewer import GAME_MASTER
from turnwright.model.wire.record import as_reply

SECONDS = 60.0
"""How long a thread waits for what never comes where the loop is held up: a test fails then, and does not hang."""
Ask = Callable[[AsyncCampaign], Awaitable[Any]]
NO_PACK = AddedPack("none", "", 0, {})


async def first(source: Any) -> Any:
    async for each in source:
        await source.aclose()
        return each
    return None


async def no_more() -> bool:
    return False


ASKED: dict[str, Ask] = {
    "add": lambda one: one.add("place", "Inn"),
    "add_content": lambda one: one.add_content(NO_PACK),
    "close": lambda one: one.close(),
    "find_tools": lambda one: one.find_tools("move", viewer=GAME_MASTER),
    "flush": lambda one: one.flush(),
    "follow": lambda one: first(one.follow(viewer=GAME_MASTER, after=-1, wait=no_more)),
    "fork": lambda one: one.fork("nowhere", "0"),
    "legal": lambda one: one.legal(),
    "open_request": lambda one: one.open_request(viewer=GAME_MASTER),
    "process": lambda one: one.process({}),
    "process_drop": lambda one: first(one.process_drop()),
    "project": lambda one: one.project(as_reply({}), GAME_MASTER),
    "prompt": lambda one: one.prompt(viewer=GAME_MASTER),
    "query": lambda one: one.query("move_options", {}),
    "recall": lambda one: one.recall(viewer=GAME_MASTER),
    "records": lambda one: first(one.records()),
    "resume": lambda one: one.resume(),
    "run": lambda one: one.run(lambda campaign: campaign.state),
    "set": lambda one: one.set({}),
    "state": lambda one: one.state(),
    "state_at": lambda one: one.state_at("0"),
    "tools": lambda one: one.tools(viewer=GAME_MASTER),
    "undo": lambda one: one.undo(),
    "import_characters": lambda one: one.import_characters(b"{name: Pip, class: Rogue}", "pip.yaml"),
    "export_character": lambda one: one.export_character("pc_001"),
    "character_page": lambda one: one.character_page("pc_001"),
    "waiting_for_dice": lambda one: one.waiting_for_dice(),
}
SAME = {"open", "new"}
NOT_HERE = {"as_left", "moment", "now", "on_record", "open_packs", "reading", "unclaimed", "verifier_error"}
"""What gives things that are read later, which is done in the thread by `run`, or facts of it."""


class Gate:
    """Holds up a thread until the event loop, which must be free to do so, opens it."""

    def __init__(self) -> None:
        self.reached, self._open = threading.Event(), threading.Event()

    def hold(self) -> None:
        self.reached.set()
        assert self._open.wait(SECONDS), "the event loop was held up"

    def open(self) -> None:
        self._open.set()

    async def until_reached(self) -> None:
        while not self.reached.is_set():
            await asyncio.sleep(0.001)


def held_up(gate: Gate, whole: Any) -> Any:
    """Return something in its place that a thread waits in."""
    if isinstance(whole, property):
        return property(lambda _: gate.hold())

    def hold(*_: Any, **__: Any) -> Any:
        gate.hold()
        return iter(())

    return hold


def test_it_has_the_methods_of_a_campaign_with_the_same_arguments() -> None:
    public = {name for name in dir(AsyncCampaign) if not name.startswith("_")}
    campaigns = {name for name in dir(Campaign) if not name.startswith("_")}
    assert public == ASKED.keys() | SAME
    assert public - {"run"} == campaigns - NOT_HERE
    for name in public - {"run", "state", "follow", "process_drop"}:
        ours, theirs = (inspect.signature(getattr(one, name)).parameters for one in (AsyncCampaign, Campaign))
        assert {key: (one.kind, one.default) for key, one in ours.items()} == {
            key: (one.kind, one.default) for key, one in theirs.items()
        }, name


@pytest.mark.parametrize("name", sorted(ASKED.keys() - {"run", "follow"}))
def test_the_event_loop_is_free_while_a_method_is_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    async def ask() -> None:
        gate = Gate()
        campaign = await AsyncCampaign.open(tmp_path / "home", builders.clock)
        with monkeypatch.context() as patched:
            patched.setattr(Campaign, name, held_up(gate, inspect.getattr_static(Campaign, name)))
            asked = asyncio.ensure_future(ASKED[name](campaign))
            await gate.until_reached()
            assert not asked.done()
            gate.open()
            await asked
        await campaign.close()

    builders.begin(tmp_path / "home").close()
    asyncio.run(ask())


def test_the_loop_is_free_while_a_campaign_is_opened_and_while_it_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builders.begin(tmp_path / "home").close()

    async def ask() -> None:
        gate = Gate()
        with monkeypatch.context() as patched:
            patched.setattr("turnwright.campaign.campaign.require_campaign", lambda _: gate.hold())
            opening = asyncio.ensure_future(AsyncCampaign.open(tmp_path / "home", builders.clock)._open())
            await gate.until_reached()
            gate.open()
            campaign = await opening
        waited = asyncio.Event()

        async def wait() -> bool:
            await waited.wait()
            return False

        async def follow() -> list[int]:
            return [one["seq"] async for one in campaign.follow(viewer=GAME_MASTER, after=-1, wait=wait)]

        following = asyncio.create_task(follow())
        assert (await campaign.process({"user_input": "while it waits"}))["seq"] == 1
        waited.set()
        assert (await following)[0] == 0
        await campaign.close()

    asyncio.run(ask())


def test_calls_are_done_in_the_order_in_which_they_were_made(tmp_path: Path) -> None:
    builders.begin(tmp_path / "home").close()

    async def play() -> list[int | None]:
        async with AsyncCampaign.open(tmp_path / "home", builders.clock) as campaign:
            replies = await asyncio.gather(*(campaign.process({"user_input": str(one)}) for one in range(20)))
        return [reply["seq"] for reply in replies]

    assert asyncio.run(play()) == list(range(1, 21))
    said = [record["user_input"] for record in builders.log_of(tmp_path / "home")[1:]]
    assert said == [str(one) for one in range(20)]


def test_what_it_returns_is_what_a_campaign_returns(tmp_path: Path) -> None:
    for name in ("one", "other"):
        builders.begin(tmp_path / name).close()
    handed_in = turn(hp_delta(-1), turn_id="first", user_input="I slip.")
    mira = Viewer.player("pc_001")

    async def play() -> list[Any]:
        async with AsyncCampaign.open(tmp_path / "one", builders.clock) as campaign:
            reply = await campaign.process(handed_in, reply_as="openai")
            return [
                reply,
                await campaign.state(),
                [record async for record in campaign.records()],
                await campaign.recall("slip", viewer=mira),
                await campaign.project(reply, mira),
                await campaign.tools(viewer=mira, profile="tiny"),
                await campaign.prompt(viewer=mira),
                await campaign.legal(viewer=mira),
                await campaign.query("move_options", {}),
                [one async for one in campaign.follow(viewer=mira, after=0, wait=no_more)],
                await campaign.set({"results.keep": 9}),
                await campaign.undo(),
                await campaign.state_at("first"),
                await campaign.waiting_for_dice(),
                await campaign.run(lambda one: one.now()),
            ]

    with Campaign.open(tmp_path / "other", builders.clock) as campaign:
        reply = campaign.process(handed_in, reply_as="openai")
        expected = [
            reply,
            campaign.state,
            list(campaign.records()),
            campaign.recall("slip", viewer=mira),
            campaign.project(reply, mira),
            campaign.tools(viewer=mira, profile="tiny"),
            campaign.prompt(viewer=mira),
            campaign.legal(viewer=mira),
            campaign.query("move_options", {}),
            list(campaign.follow(viewer=mira, after=0, wait=lambda: False)),
            campaign.set({"results.keep": 9}),
            campaign.undo(),
            campaign.state_at("first"),
            campaign.waiting_for_dice(),
            campaign.now(),
        ]
    assert asyncio.run(play()) == expected


# cancellation


class HeldClock:
    """A clock in which a turn that has begun waits."""

    def __init__(self) -> None:
        self.gate: Gate | None = None

    def __call__(self) -> datetime:
        if self.gate is not None:
            gate, self.gate = self.gate, None
            gate.hold()
        return builders.NOW


def test_a_turn_that_has_begun_is_committed_once_and_only_then_is_it_cancelled(tmp_path: Path) -> None:
    clock = HeldClock()
    builders.begin(tmp_path / "home").close()

    async def play() -> None:
        async with AsyncCampaign.open(tmp_path / "home", clock) as campaign:
            await campaign.process({"turn_id": "warm"})
            gate = clock.gate = Gate()
            begun = asyncio.create_task(campaign.process({"turn_id": "begun"}))
            await gate.until_reached()
            begun.cancel()
            begun.cancel()
            await asyncio.sleep(0)
            assert not begun.done(), "whoever waits for the end of it finds the turn in the log"
            gate.open()
            with pytest.raises(asyncio.CancelledError):
                await begun
            seqs = [record["seq"] async for record in campaign.records()]
            assert seqs == [0, 1, 2]
            again = await campaign.process({"turn_id": "begun"})
            assert again["seq"] == 2, "the same turn again gets the first reply"

    asyncio.run(play())
    assert [record.get("turn_id") for record in builders.log_of(tmp_path / "home")] == [None, "warm", "begun"]


def test_a_turn_whose_time_has_not_come_is_never_done_once_it_is_cancelled(tmp_path: Path) -> None:
    clock = HeldClock()
    builders.begin(tmp_path / "home").close()

    async def play() -> None:
        async with AsyncCampaign.open(tmp_path / "home", clock) as campaign:
            await campaign.process({"turn_id": "warm"})
            gate = clock.gate = Gate()
            begun = asyncio.create_task(campaign.process({"turn_id": "begun"}))
            await gate.until_reached()
            waiting = asyncio.create_task(campaign.process({"turn_id": "waiting"}))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            gate.open()
            assert (await begun)["seq"] == 2
            assert (await campaign.process({"turn_id": "next"}))["seq"] == 3

    asyncio.run(play())
    turn_ids = [record.get("turn_id") for record in builders.log_of(tmp_path / "home")]
    assert turn_ids == [None, "warm", "begun", "next"]


def test_a_cancelled_turn_that_fails_says_nothing_of_it(tmp_path: Path) -> None:
    clock = HeldClock()
    builders.begin(tmp_path / "home").close()

    async def play() -> None:
        async with AsyncCampaign.open(tmp_path / "home", clock) as campaign:
            gate = clock.gate = Gate()

            def fail(one: Campaign) -> None:
                one.now()
                raise CampaignBusy("too late")

            begun = asyncio.create_task(campaign.run(fail))
            await gate.until_reached()
            begun.cancel()
            gate.open()
            with pytest.raises(asyncio.CancelledError):
                await begun

    asyncio.run(play())


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=12), st.integers())
def test_whatever_is_cancelled_each_turn_is_in_the_log_once_or_was_never_begun(
    tmp_path_factory: pytest.TempPathFactory, plan: list[tuple[bool, int]], seed: int
) -> None:
    path = tmp_path_factory.mktemp("any") / "home"
    builders.begin(path).close()
    chance = random.Random(seed)

    async def play() -> tuple[list[Any], dict[str | None, int | None]]:
        async with AsyncCampaign.open(path, builders.clock) as campaign:
            tasks = [asyncio.create_task(campaign.process({"turn_id": f"t{number}"})) for number in range(len(plan))]
            for task, (is_cancelled, steps) in zip(tasks, plan, strict=True):
                for _ in range(steps):
                    await asyncio.sleep(chance.choice((0, 0.001)))
                if is_cancelled:
                    task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            again = [await campaign.process({"turn_id": f"t{number}"}) for number in range(len(plan))]
        return ended, {reply["turn_id"]: reply["seq"] for reply in again}

    ended, seqs = asyncio.run(play())
    logged = [record["turn_id"] for record in builders.log_of(path)[1:]]
    assert sorted(logged) == sorted(f"t{number}" for number in range(len(plan)))
    for number, end in enumerate(ended):
        if not isinstance(end, asyncio.CancelledError):
            assert end["seq"] == seqs[f"t{number}"], "a turn that was answered is there, and not twice"


# the end


def require_no_threads() -> None:
    for one in threading.enumerate():
        if one.name.startswith("turnwright"):
            one.join(SECONDS)
            assert not one.is_alive()


def test_what_was_asked_before_it_is_closed_is_done_and_all_after_it_refused(tmp_path: Path) -> None:
    builders.begin(tmp_path / "home").close()

    async def play() -> None:
        campaign = await AsyncCampaign.open(tmp_path / "home", builders.clock)
        before = [asyncio.create_task(campaign.process({})) for _ in range(5)]
        await asyncio.sleep(0)
        closing = asyncio.create_task(campaign.close())
        assert [(await one)["seq"] for one in before] == [1, 2, 3, 4, 5]
        await closing
        for name, ask in ASKED.items():
            if name != "close":
                with pytest.raises(CampaignClosed):
                    await ask(campaign)
        await campaign.close()

    asyncio.run(play())
    assert len(builders.log_of(tmp_path / "home")) == 6
    require_no_threads()


def test_errors_come_through_and_the_first_one_is_told(tmp_path: Path) -> None:
    builders.begin(tmp_path / "home").close()

    async def play() -> None:
        with pytest.raises(CampaignInvalid):
            await AsyncCampaign.open(tmp_path / "nowhere")
        with pytest.raises(CampaignInvalid):
            async with AsyncCampaign.open(tmp_path / "nowhere"):
                pytest.fail("there is none")
        async with AsyncCampaign.open(tmp_path / "home") as campaign:
            with pytest.raises(BadRequest):
                await campaign.undo("no such turn")
            with pytest.raises(BadRequest):
                await first(campaign.follow(viewer=GAME_MASTER, last=-1))
        with pytest.raises(ZeroDivisionError):
            async with AsyncCampaign.open(tmp_path / "home"):
                raise ZeroDivisionError

    asyncio.run(play())
    require_no_threads()


def test_a_new_campaign_is_made_beside_the_loop(tmp_path: Path) -> None:
    async def play() -> Json:
        async with AsyncCampaign.new(tmp_path / "home", seed="made", clock=builders.clock) as campaign:
            return await campaign.process({"user_input": "hello"})

    assert asyncio.run(play())["seq"] == 1


def test_an_opening_that_is_cancelled_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builders.begin(tmp_path / "home").close()
    closed: list[Campaign] = []
    close = Campaign.close

    def watch(campaign: Campaign, *, wait: float | None = None) -> None:
        closed.append(campaign)
        close(campaign, wait=wait)

    async def play() -> None:
        gate = Gate()
        with monkeypatch.context() as patched:
            patched.setattr("turnwright.campaign.campaign.require_campaign", lambda _: gate.hold())
            patched.setattr(Campaign, "close", watch)
            opening = asyncio.ensure_future(AsyncCampaign.open(tmp_path / "home")._open())
            await gate.until_reached()
            opening.cancel()
            gate.open()
            with pytest.raises(asyncio.CancelledError):
                await opening
            while not closed:
                await asyncio.sleep(0.001)

    asyncio.run(play())
    assert len(closed) == 1


def test_it_may_be_used_by_one_loop_after_another(tmp_path: Path) -> None:
    builders.begin(tmp_path / "home").close()

    async def opened() -> AsyncCampaign:
        return await AsyncCampaign.open(tmp_path / "home", builders.clock)

    campaign = asyncio.run(opened())

    def again(work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run(work)

    assert [again(campaign.process({}))["seq"] for _ in range(3)] == [1, 2, 3]
    again(campaign.close())
