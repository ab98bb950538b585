"""Hints lead to what was meant or to nothing: applied calls of every tool, written sloppily and mended by them."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.golden.case import Case, all_cases
from tests.golden.failures import asked_alone, before, records
from tests.golden.repairer import repaired_by
from tests.sampling import some

from turnwright import Campaign
from turnwright.model.call_shapes import understood_calls
from turnwright.model.dice.expression import DiceError, parse
from turnwright.protocol.stage3_tools.repair.coercion import units_of
from turnwright.rulesets.toolbox import TOOLS

Json = Any
Path_ = tuple[str | int, ...]
MAX_ROUNDS = 4
MAX_ASKED = 0.2
"""The share of sloppy calls that may be asked about instead of mended."""
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NOTHING_SLOPPY = ("move_options",)
"""Tools that do not ask for any argument, nor say what is wrong with others."""
SIGNED_HP = ("update_character", ("hp",))
"""A text of its own, which a number that is no text does not stand for."""


class Done(NamedTuple):
    """A call of a golden case that was applied: its record, the calls before it in the turn, and its arguments."""

    case: Case
    record: Json
    earlier: Sequence[Any]
    args: Json


@cache
def applied() -> dict[str, list[Done]]:
    """Return applied calls by tool."""
    found: defaultdict[str, list[Done]] = defaultdict(list)
    for case in all_cases():
        # A turn whose dice the table threw would wait for them again.
        for record in (each for each in records(case) if each["kind"] == "turn" and "dice_answer" not in each):
            calls = understood_calls(record.get("tool_calls", []))
            for action in record["applied_actions"]:
                if action["tool"] in TOOLS and "batch" not in action["args"] and "alias_of" not in action:
                    place = [isinstance(call, dict) and call.get("id") for call in calls].index(action["id"])
                    found[action["tool"]].append(Done(case, record, calls[:place], action["args"]))
    return found


def places(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Yield every place in arguments, and what stands there."""
    steps: Sequence[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        steps = list(value.items())
    elif isinstance(value, list):
        steps = list(enumerate(value))
    for step, inner in steps:
        yield (*path, step), inner
        yield from places(inner, (*path, step))


def changed(args: Json, path: Path_, value: Any, key: str | None = None) -> Json:
    """Return arguments with another value at a place, or with the same under another key."""
    whole: Json = copy.deepcopy(args)
    home: Any = whole
    for step in path[:-1]:
        home = home[step]
    if key is None:
        home[path[-1]] = value
    else:
        entries = [(key if name == path[-1] else name, inner) for name, inner in home.items()]
        home.clear()
        home.update(entries)
    return whole


def sloppy_values(value: Any, key: str) -> Iterator[Any]:
    """Yield how a careless writer might put a value under a key; a number with the units that it has there."""
    if type(value) is bool:
        yield from ("Yes", "on", "true") if value else ("No", "False", "off")
    elif type(value) is int:
        yield from (str(value), *(f"{value} {unit}" for unit in sorted(units_of(key))))
        if abs(value) < len(WORDS):
            yield ("minus " if value < 0 else "") + WORDS[abs(value)]
    elif isinstance(value, str) and is_dice(value):
        yield from (f"{value} fire", f"roll {value}", value.replace("+", " plus ").replace("d", " d") + " damage")


def key_of(path: Path_) -> str:
    """Return the key that says what stands at a place."""
    return next(step for step in reversed(path) if isinstance(step, str))


def is_dice(text: str) -> bool:
    try:
        parse(text)
    except DiceError:
        return False
    return "d" in text


def sloppy_keys(key: str) -> Iterator[str]:
    """Yield slips in writing a key."""
    if len(key) >= 7:
        yield from (key[:2] + key[3:], key[:3] + key[2:], key[:2] + key[3] + key[2] + key[4:])
        yield key.replace("_", "-").upper()


def sloppy(tool: str, args: Json) -> Iterator[Json]:
    """Yield arguments with one thing written sloppily."""
    for path, value in places(args):
        if (tool, path) != SIGNED_HP:
            yield from (changed(args, path, each) for each in sloppy_values(value, key_of(path)))
        if isinstance(path[-1], str) and is_looked_at(tool, path):
            yield from (changed(args, path, None, key) for key in sloppy_keys(path[-1]))
        if isinstance(value, dict) and set(value) == {"name"}:
            yield changed(args, path, value["name"])


def is_looked_at(tool: str, path: Path_) -> bool:
    """Return whether a tool asks for what a key is not: the core tools ignore all that they do not know."""
    return TOOLS[tool].family != "core" or path[-1] in required(tool)


def required(tool: str) -> set[str]:
    return {name for name, field in TOOLS[tool].args.model_fields.items() if field.is_required()}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_sloppy_call_becomes_the_one_that_was_meant(tool: str, tmp_path: Path) -> None:
    require_all_mended(tool, tmp_path, 1)


@pytest.mark.slow
@pytest.mark.parametrize("tool", TOOLS)
def test_many_sloppy_calls_become_those_that_were_meant(tool: str, tmp_path: Path) -> None:
    require_all_mended(tool, tmp_path, 6)


def require_all_mended(tool: str, folder: Path, most: int) -> None:
    tried, changed_deeds, asked = 0, [], []
    for campaign, call, meant in some_calls(tool, folder, most):
        for written in some(list(sloppy(tool, call.args)), 10):
            done, hints = followed(campaign, call, tool, written)
            tried += bool(hints)
            if hints and done is not None and not is_same(tool, done, meant):
                changed_deeds.append((written, hints, done))
            if hints and done is None:
                asked.append((written, hints))
    assert tried or tool in NOTHING_SLOPPY
    assert not changed_deeds, "\n".join(map(str, [f"{len(changed_deeds)} of {tried}", *changed_deeds]))
    assert len(asked) <= MAX_ASKED * tried, "\n".join(map(str, [f"{len(asked)} of {tried}", *asked]))


def some_calls(tool: str, folder: Path, most: int) -> Iterator[tuple[Campaign, Done, Json]]:
    """Yield the first applied calls of a tool, of each set of keys one, with the campaign before and how it is done."""
    seen: list[set[str]] = []
    for number, call in enumerate(applied()[tool]):
        if len(seen) < most and set(call.args) not in seen and next(sloppy(tool, call.args), None):
            with before(call.case, call.record["seq"], folder / str(number)) as campaign:
                meant, _ = followed(campaign, call, tool, call.args)
                if meant is not None:
                    seen.append(set(call.args))
                    yield campaign, call, meant


def is_same(tool: str, done: Json | None, meant: Json) -> bool:
    """Return whether a call was done as it was meant; what a core tool does not know may still stand in it."""
    if done and TOOLS[tool].family == "core":
        done = {key: value for key, value in done.items() if key in meant}
    return done is not None and json.dumps(done, sort_keys=True) == json.dumps(meant, sort_keys=True)


def followed(campaign: Campaign, place: Done, tool: str, args: Json) -> tuple[Json | None, list[Json]]:
    """Return the arguments with which a call is applied once its hints were followed, or None; and the hints."""
    call: Json = {"id": "written", "tool": tool, "args": args}
    hints: list[Json] = []
    for _ in range(MAX_ROUNDS):
        reply = asked_alone(campaign, place.record, {"tool_calls": [*place.earlier, call]}, is_part=True)
        if done := [action["args"] for action in reply["applied_actions"] if action["id"] == "written"]:
            return done[0], hints
        failed = next(each for each in reply["tool_feedback"]["failed_calls"] if each["id"] == "written")
        hints += failed.get("hints") or [failed.get("hint", {})]
        mended = repaired_by(call, failed)
        if mended is None or mended == call:
            break
        call = mended
    return None, hints
