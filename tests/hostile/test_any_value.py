"""Whatever Python value or word is handed in, nothing but an answer or a `CampaignError` comes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests import builders
from tests.hostile.evil_objects import evil_objects
from tests.hostile.samples import HOSTILE_IDS
from tests.sampling import tries

from turnwright import Campaign, CampaignError
from turnwright.rulesets.registry import BUILT_IN

Wrap = Callable[[Any], Any]
EVIL = evil_objects()
HIT = {"target_character_id": "pc_001", "delta": -1, "cause": "a falling stone"}
PLACES: dict[str, Wrap] = {
    "the turn": lambda value: value,
    "user_input": lambda value: {"user_input": value},
    "turn_id": lambda value: {"turn_id": value},
    "addressees": lambda value: {"addressees": [value]},
    "atomic": lambda value: {"atomic": value},
    "x_": lambda value: {"x_note": [{"a": value}]},
    "tool_calls": lambda value: {"tool_calls": value},
    "a call": lambda value: builders.turn(value),
    "id": lambda value: builders.turn({"id": value, "tool": "move", "args": {}}),
    "tool": lambda value: builders.turn({"id": "a", "tool": value, "args": {}}),
    "args": lambda value: builders.turn({"id": "a", "tool": "hp_delta", "args": value}),
    "an argument": lambda value: builders.turn(builders.hp_delta(value, value, value)),
    "deep in the arguments": lambda value: builders.turn(builders.call("hp_delta", **HIT, more=[{"a": [value]}])),
    "output": lambda value: {"output": value},
    "answer": lambda value: {"answer": {"request_id": value}},
}
KEYS: dict[str, Wrap] = {
    "of the turn": lambda key: {key: 1},
    "of a call": lambda key: builders.turn({key: 1}),
    "of args": lambda key: builders.turn({"id": "a", "tool": "move", "args": {key: 1}}),
    "of x_": lambda key: {"x_note": {key: 1}},
}


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


@pytest.fixture(name="table", scope="module")
def fixture_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    with builders.begin(tmp_path_factory.mktemp("hostile") / "table") as campaign:
        yield campaign


def bitten(table: Campaign, name: str, wraps: dict[str, Wrap]) -> dict[str, str]:
    """Hand in turns that hold something evil; return where that made anything but a reply that can be written down."""
    found = {}
    for place, wrap in wraps.items():
        try:
            builders.spelt(table.process(wrap(EVIL[name]))).encode()
        except Exception as bite:
            found[place] = type(bite).__name__
    builders.spelt(list(table.records())).encode()
    return found


@pytest.mark.parametrize("name", EVIL)
def test_an_object_that_fights_back_costs_its_call_or_its_turn(table: Campaign, name: str) -> None:
    assert bitten(table, name, PLACES) == {}


@pytest.mark.parametrize("name", [name for name in EVIL if _is_hashable(EVIL[name])])
def test_a_key_that_fights_back_costs_its_call_or_its_turn(table: Campaign, name: str) -> None:
    assert bitten(table, name, KEYS) == {}


# what is no turn

MARKS = (*HOSTILE_IDS, "", "#", "#0", "-1", "9" * 5000, "#" + "9" * 5000, "1.0", "\u0663", "\uff11", "\u00b2")
DOORS: dict[str, Callable[[Campaign, str], Any]] = {
    "undo": lambda table, text: table.undo(text, dry_run=True),
    "state_at": lambda table, text: table.state_at(text),
    "reading": lambda table, text: table.reading(at=text).__enter__(),
    "legal": lambda table, text: table.legal(text),
    "legal for a player": lambda table, text: table.legal(f"player:{text}"),
    "tool": lambda table, text: table.query(text, {}),
    "key": lambda table, text: table.query("move_options", {text: text}),
    "argument": lambda table, text: table.query("move_options", {"actor_id": text}),
    "authority": lambda table, text: table.process({}, authority=text),
    "player": lambda table, text: table.process({}, authority=f"player:{text}"),
    "setting": lambda table, text: table.set({text: 1}),
    "goal": lambda table, text: table.set({"goal.text": text}),
    "status": lambda table, text: table.set({"goal.status": text}),
    "active": lambda table, text: table.set({"selected.active_actor_id": text}),
    "value": lambda table, text: table.set({"limits.calls": text, "players.tools": [text]}),
}


@pytest.mark.parametrize("door", DOORS)
def test_any_word_at_any_door_gets_an_answer_or_a_campaign_error(table: Campaign, door: str) -> None:
    for text in MARKS:
        try:
            DOORS[door](table, text)
        except CampaignError as error:
            str(error).encode()


@pytest.mark.parametrize("door", ["legal for a player", "player"])
def test_a_lone_surrogate_gets_an_answer_that_can_be_written_down(table: Campaign, door: str) -> None:
    with suppress(CampaignError):
        json.dumps(DOORS[door](table, "\ud800"), ensure_ascii=False).encode()


@pytest.mark.parametrize("door", ["undo", "state_at", "setting", "goal", "status", "active", "value"])
def test_a_lone_surrogate_is_refused(table: Campaign, door: str) -> None:
    with pytest.raises(CampaignError):
        DOORS[door](table, "\ud800")


@pytest.mark.parametrize("seed", ["\ud800"])
def test_any_seed_makes_dice_or_a_campaign_error(tmp_path: Path, seed: str) -> None:
    with suppress(CampaignError):
        Campaign.new(tmp_path / "new", seed=seed).close()


PATHS = {"nul": "a\0b", "lone": "\ud800", "long": "x" * 5000}
PATH_DOORS: dict[str, Callable[[Campaign, Path, str], Any]] = {
    "open": lambda _, home, name: Campaign.open(home / name),
    "new": lambda _, home, name: Campaign.new(home / name),
    "from a file": lambda _, home, name: Campaign.new(home / "new", from_file=home / name),
    "fork": lambda table, home, name: table.fork(home / name, "0"),
}


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("door", PATH_DOORS)
def test_a_path_that_no_machine_has_is_a_campaign_error(tmp_path: Path, table: Campaign, door: str, name: str) -> None:
    with pytest.raises(CampaignError):
        PATH_DOORS[door](table, tmp_path, PATHS[name])


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3),
    max_leaves=6,
)
few = hypothesis_settings(max_examples=tries(25))
SETTABLE = st.sampled_from(
    [*BUILT_IN.settings, "goal.text", "goal.status", "selected.active_actor_id", "goal", "limits", ""]
)


@few
@given(st.dictionaries(SETTABLE | st.text(max_size=5), ANY | st.sampled_from([1, True, "log", "pc_001", ["move"]])))
def test_any_change_of_settings_is_made_whole_or_refused(table: Campaign, changes: dict[str, Any]) -> None:
    before = table.state
    try:
        table.set(changes)
    except CampaignError:
        pass
    else:
        before = table.state
    assert table.state == before
    assert table.process({})["status"] in ("empty", "refused")


@few
@given(st.sampled_from(["move_options", "move", "ghost"]) | st.text(max_size=5), st.dictionaries(st.text(), ANY))
def test_any_query_gets_an_answer_or_a_campaign_error(table: Campaign, tool: str, args: dict[str, Any]) -> None:
    with suppress(CampaignError):
        builders.spelt(table.query(tool, args)).encode()


@pytest.mark.parametrize("depth", [100_000, "endless"])
def test_arguments_of_a_query_may_be_any_depth(table: Campaign, depth: int | str) -> None:
    value: list[Any] = []
    if isinstance(depth, int):
        for _ in range(depth):
            value = [value]
    else:
        value.append(value)
    assert table.query("move_options", {"actor_id": value})["ok"] is False
