"""What calls did in words, for the game master and for players: every kind of call that a golden case applies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import untyped
from tests.golden.case import HERE
from tests.sampling import tries

from turnwright.model.knowledge import Knowledge
from turnwright.model.state.fold import fold
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.viewer import GAME_MASTER, PARTY, Viewer
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.story import describe_action, describe_failed_call
from turnwright.rulesets.toolbox import TOOLS

Json = Any
TABLE = HERE / "story.txt"
_PUBLIC = frozenset({"roll_dice", "spend_die", "answer"})
"""Tools whose dice nobody in particular throws, or players see."""
_SECRET = frozenset(
    {"ability_mod", "ac", "actor_total", "after", "before", "bonus", "current", "dc", "healed", "hp", "hp_after"}
    | {"hp_before", "hp_gain", "initial", "initiative", "max", "max_hp", "modifier", "natural", "new_hp", "new_max_hp"}
    | {"old_max_hp", "opponent_total", "proficiency", "raw", "rounds_remaining", "save_dc", "target_ac", "target_total"}
    | {"temp"}
)
"""Keys of numbers that who knows nobody's numbers is never told."""
_PLANTED = 770077


class Told(NamedTuple):
    """An applied call, the record of its turn, and the campaign at the end of its log."""

    case: str
    action: Json
    record: Json
    world: World

    @property
    def master(self) -> WorldKnowledge:
        """The game master, who reads it by names and ids."""
        return WorldKnowledge(self.world, GAME_MASTER, shows_ids=True)


@cache
def told() -> list[Told]:
    """Return every call that a golden case applied."""
    return [each for log in sorted(HERE.glob("*/*/expect/log.jsonl")) for each in _told_in(log)]


def _told_in(log: Path) -> Iterator[Told]:
    # Some cases leave a log that is torn or no log of ours.
    lines = log.read_bytes().splitlines()
    try:
        records = [json.loads(line) for line in lines]
        world = world_after(records)
    except (ValueError, KeyError, TypeError):
        return
    case = "/".join(log.parts[-4:-2])
    for record in records:
        for action in record.get("applied_actions", ()):
            yield Told(case, action, record, world)


def world_after(records: list[Json]) -> World:
    """Return the campaign after these records."""
    documents = {}
    for path, value in fold(records).items():
        model = BUILT_IN.documents.model_of(path)
        assert model is not None
        documents[path] = model.model_validate(value)
    return World(InMemorySource(documents))


def kinds() -> dict[tuple[str, ...], Told]:
    """Return the first call of each kind: by tool, operation, and what the result holds."""
    found: dict[tuple[str, ...], Told] = {}
    for each in told():
        args, result = each.action["args"], each.action["result"]
        operation = str(args.get("operation") or args.get("action_type") or args.get("check_type") or "")
        found.setdefault((each.action["tool"], operation, *sorted(result)), each)
    return found


def test_every_tool_has_words() -> None:
    without = [name for name in TOOLS if not TOOLS.stories[name].__doc__]
    assert without == []


def test_every_tool_is_told_in_the_table() -> None:
    assert set(TOOLS) == {tool for tool, *_ in kinds() if tool in TOOLS}


def test_what_calls_did_is_told_as_in_the_table(update_golden: bool) -> None:
    lines = []
    for (tool, *_), each in sorted(kinds().items()):
        lines.append(f"{tool}  ({each.case})")
        lines.append(f"  gm      {describe_action(each.action, each.master, each.record)}")
        lines.append(f"  player  {describe_action(each.action, WorldKnowledge(each.world, PARTY), each.record)}")
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    if update_golden:
        TABLE.write_text(text, encoding="utf-8")
    assert text == TABLE.read_text(encoding="utf-8")


# whatever a record lacks


_ODD: tuple[Any, ...] = (None, True, 0, -3, 2.5, "", "a word", [], {}, [None], ["x"], {"x": 1})
_ODD_HINTS: tuple[Any, ...] = (
    None,
    1,
    "x",
    [],
    {},
    ["y", 1],
    {"field": "args.x"},
    {"field": 1, "allowed": 3},
    [{"choices": [1]}],
)


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every key and place in a JSON value, with what it is a key or place of."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places_in(value[key])


def spoiled(data: st.DataObject, action: Json) -> Json:
    """Return an action of which keys are missing, and values are of another type."""
    changed = deepcopy(action)
    for _ in range(data.draw(st.integers(1, 6))):
        places = [each for part in ("args", "result") if part in changed for each in places_in(changed[part])]
        if not places:
            break
        within, key = data.draw(st.sampled_from(places))
        if isinstance(within, dict) and data.draw(st.booleans()):
            del within[key]
        else:
            within[key] = deepcopy(data.draw(st.sampled_from(_ODD)))  # it may be spoiled in its turn
    if data.draw(st.integers(0, 9)) == 0:
        del changed[data.draw(st.sampled_from(["args", "result"]))]
    return changed


def given_texts(value: Any) -> str:
    """Return every text in a JSON value."""
    if isinstance(value, dict):
        return "\n".join(map(given_texts, value.values()))
    return "\n".join(map(given_texts, value)) if isinstance(value, list) else value if isinstance(value, str) else ""


def is_readable(words: str, action: Json) -> bool:
    """Return whether words hold no raw data that is not in a text of the action itself."""
    texts = given_texts([action.get("args"), action.get("result")])
    raw = re.findall(r"[{}\[\]]|\bNone\b|\bTrue\b|\bFalse\b|<[a-z_.]+>", words)
    return "\n" not in words and all(sign in texts for sign in raw)


@settings(max_examples=tries(60))
@given(st.data())
def test_whatever_a_record_lacks_it_is_told_without_a_fault_and_without_raw_data(data: st.DataObject) -> None:
    each = data.draw(st.sampled_from(told()))
    action = spoiled(data, each.action)
    for viewer in (each.master, WorldKnowledge(each.world, PARTY)):
        for record in (None, each.record):
            words = describe_action(action, viewer, record)
            assert is_readable(words, action), words


def test_what_was_applied_is_readable_and_names_nobody_by_an_id() -> None:
    for each in told():
        people = {person.id for person in each.world.characters() if "_" in person.id and person.label != person.id}
        for viewer in (WorldKnowledge(each.world, GAME_MASTER), WorldKnowledge(each.world, PARTY)):
            words = describe_action(each.action, viewer, each.record)
            assert is_readable(words, each.action), words
            named = set(re.findall(r"\w+", words))
            assert not named & people, words
            assert not any(each.world.area(word) for word in named if "_" in word), words


# what players may not know


def planted(value: Any, key: str = "") -> Any:
    """Return a result with a number that is found again wherever one stands that players may not know."""
    if isinstance(value, dict):
        return {name: planted(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_PLANTED if key == "rolls" and type(each) is int else planted(each, key) for each in value]
    return _PLANTED if key in _SECRET and type(value) is int else value


def test_who_knows_nobodys_numbers_is_told_none() -> None:
    tried = set()
    for each in told():
        args, tool = each.action["args"], each.action["tool"]
        items = args.get("batch", [args])
        is_of_nobody = tool == "roll_check" and not all(
            "character_id" in item or "character_name" in item for item in items
        )
        if tool in _PUBLIC or is_of_nobody:
            continue
        action = {**each.action, "result": planted(each.action["result"])}
        words = describe_action(untyped(action), WorldKnowledge(each.world, Viewer.player(""), unseen=()), each.record)
        assert str(_PLANTED) not in words, (tool, words)
        tried.add(tool)
    assert len(tried) > 35


@pytest.mark.parametrize("tool", ["execute_action", "create_encounter", "roll_check", "end_encounter", "advance_turn"])
def test_numbers_that_players_may_not_know_are_told_the_game_master(tool: str) -> None:
    words = [
        describe_action(
            untyped({**each.action, "result": planted(each.action["result"])}),
            each.master,
            each.record,
        )
        for each in told()
        if each.action["tool"] == tool
    ]
    assert any(str(_PLANTED) in each for each in words)


def test_who_hides_is_named_nowhere() -> None:
    for each in told():
        people = [person.id for person in each.world.characters()]
        viewer = WorldKnowledge(each.world, Viewer.player(""), unseen=people)
        if each.action["tool"] == "execute_action":
            words = describe_action(each.action, viewer, each.record)
            for person in each.world.characters():
                assert f"{person.label} " not in f"{words} ", words


# what failed


FAILED = {"reason": "invalid_args", "detail": "area_02 cannot be reached from area_001"}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "invalid args: area_02 cannot be reached from area_001"),
        ({"hint": {"field": "args.x", "got": 1, "allowed": ["a", 2]}}, " (try args.x: a, 2)"),
        ({"hint": {"field": "args.x", "got": 1, "choices": ["a", "b"]}}, " (args.x: one of a, b)"),
        ({"hint": {"field": "args.x", "choices": [*"abcdefgh"]}}, " (args.x: one of a, b, c, d, e, f, g, h)"),
        ({"hint": {"field": "args.x", "choices": [*"abcdefghi"]}}, " (args.x: one of a, b, c, d, ... and 5 more)"),
        ({"hint": {"field": "args.x", "add": True}}, "area_001"),
        ({"hint": {"field": "args.x", "remove": True}}, " (leave args.x out)"),
        ({"hint": {"why": "locked"}}, "area_001"),
        (
            {"hints": [{"field": "args.x", "remove": True}, {"field": "args.y", "add": True, "choices": [1]}]},
            " (leave args.x out; args.y: one of 1)",
        ),
    ],
)
def test_what_failed_is_told_with_how_it_can_be_mended(more: Json, words: str) -> None:
    line = describe_failed_call({**FAILED, **more}, Knowledge(GAME_MASTER, shows_ids=True))
    assert line.startswith("invalid args: ")
    assert line.endswith(words)


@given(st.data())
def test_no_failure_is_told_with_a_fault(data: st.DataObject) -> None:
    each = data.draw(st.sampled_from(told()))
    odd = st.sampled_from(_ODD_HINTS)
    call = {key: data.draw(odd) for key in data.draw(st.sets(st.sampled_from(["reason", "detail", "hint", "hints"])))}
    for viewer in (each.master, WorldKnowledge(each.world, PARTY)):
        assert describe_failed_call(call, viewer)


# dice


def test_faces_that_were_given_beside_a_call_are_marked() -> None:
    result = {"expression": "2d6", "rolls": [3, 4], "kept": [3, 4], "dropped": [], "total": 7}
    action = {"id": "c", "tool": "roll_dice", "args": {"expression": "2d6"}, "result": result}
    draws = [{"part": 1, "value": 3, "given": True}, {"part": 1, "value": 4, "given": False}]
    call = {"id": "c", "tool": "roll_dice"}
    record = {"tool_calls": [call], "draws": draws}
    assert describe_action(untyped(action), Knowledge(GAME_MASTER), untyped(record)) == "2d6 (3 (given), 4) = 7"
    # Of two calls with one id it is not sure whose the dice were.
    twice = {**record, "tool_calls": [call, call]}
    assert describe_action(untyped(action), Knowledge(GAME_MASTER), untyped(twice)) == "2d6 (3, 4) = 7", (
        "whose they were is not sure"
    )


def test_a_check_tells_both_faces_and_what_was_added() -> None:
    result = {"check_type": "skill", "skill": "perception", "natural": 10, "rolls": [15, 10], "mode": "disadvantage"}
    result |= {"modifier": 3, "total": 13, "dc": 12, "success": True}
    action = {"id": "c", "tool": "roll_check", "args": {"character_name": "Mira"}, "result": result}
    viewer = Knowledge(GAME_MASTER)
    words = "Mira, Perception (disadvantage: 15, 10) + 3 = 13 against DC 12: success"
    assert describe_action(untyped(action), viewer) == words
    # A sum that does not hold is told as none.
    odd = {**action, "result": {**result, "total": 14}}
    assert "(disadvantage: 15, 10), 14 in all" in describe_action(untyped(odd), viewer)


def test_what_hit_points_were_is_told_only_where_it_is_sure() -> None:
    class NoMaximum(Knowledge):
        def has_no_maximum(self, character_id: str) -> bool:
            return character_id == "drake"

    viewer = NoMaximum(GAME_MASTER)

    def lost(who: str, delta: int, now: int, **before: int) -> str:
        args, result = {"target_character_id": who, "delta": delta, "cause": "a boathook"}, {"new_hp": now, **before}
        return describe_action(untyped({"id": "c", "tool": "hp_delta", "args": args, "result": result}), viewer)

    assert lost("drake", -1, 5) == "drake 6 -> 5 hp (a boathook)"
    assert lost("drake", 2, 7) == "drake 5 -> 7 hp (a boathook)"
    assert lost("drake", -9, 0) == "drake -9 hp, now 0 (a boathook)"
    assert lost("mira", -1, 5) == "mira -1 hp, now 5 (a boathook)"
    assert lost("mira", 0, 5) == "mira: 5 hp (a boathook)"
    assert lost("mira", 9, 10, hp_before=5) == "mira 5 -> 10 hp (a boathook)"
    assert lost("mira", -9, 0, hp_before=5) == "mira 5 -> 0 hp (a boathook)"
    assert lost("mira", -3, 10, hp_before=10) == "mira -3 hp, now 10 (a boathook)"  # temporary hit points took it


@pytest.mark.parametrize(
    ("count", "name", "words"),
    [
        (5, "gold", "5 gold"),
        (1, "gold", "1 gold"),
        (20, "Gold pieces", "20 Gold pieces"),
        (3, "gold ring", "3 x gold ring"),
    ],
)
def test_coins_are_counted_and_things_are_multiplied(count: int, name: str, words: str) -> None:
    result = {"operation": "give", "character_id": "aria", "quantity": count, "item": {"name": name}}
    action = {"tool": "manage_inventory", "args": {"operation": "give"}, "result": result}
    assert describe_action(untyped(action), Knowledge(GAME_MASTER, shows_ids=True)) == f"aria gets {words}"
