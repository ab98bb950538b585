"""Hints: a program that reads nothing but `hint`, and understands nothing of it, gets most failing calls through."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.plain import AREAS, Json, area, begin, call, documents, hp_delta, move, person, turn

from turnwright import Campaign
from turnwright.stages.arguments import fitting

MOST_REPAIRS = 5
PC = person("pc_001", name="Mira")
OTHER = person("pc_002")

CAMPAIGNS: dict[str, dict[str, Json]] = {
    "alive": documents(),
    "dying": documents([PC | {"hp": 0, "character_state": "dying"}, OTHER]),
    "dead": documents([PC | {"character_state": "dead"}, OTHER]),
    "lost": documents([PC | {"position": None}, OTHER]),
    "dead end": documents([PC | {"position": "area_003"}, OTHER]),
    "nobody": documents(active=None),
    "move only": documents(allowlist=["move", "ghost"]),
    "nothing": documents(allowlist=[]),
    "reject": documents(protocol={"move_from": "checked", "actor_context": "reject", "repeat_window": 0}),
    "forbidden": documents(protocol={"move_from": "forbidden", "actor_context": "reject", "repeat_window": 0}),
}


def without(entry: Json, name: str) -> Json:
    return entry | {"args": {key: value for key, value in entry["args"].items() if key != name}}


def generate(parent: Any = None, **more: Any) -> Json:
    return call("map_generate", parent_area_id=parent, **more)


def sized(size: Any = 6, **more: Any) -> Json:
    return generate(constraints={"size": size, **more})


GOOD_MOVE, GOOD_HP = move("area_002"), hp_delta()

REPAIRABLE: list[tuple[str, Any]] = [
    # check 1
    ("alive", {"tool": "move", "args": GOOD_MOVE["args"]}),
    ("alive", GOOD_MOVE | {"id": 5}),
    ("alive", GOOD_MOVE | {"id": None}),
    ("alive", {"id": "a", "args": GOOD_MOVE["args"]}),
    ("alive", GOOD_MOVE | {"tool": 5}),
    ("alive", {"id": "a", "tool": "hp_delta"}),
    ("alive", {"id": "a", "tool": "move", "args": []}),
    ("alive", {"id": "a", "tool": "map_generate", "args": None}),
    ("alive", GOOD_MOVE | {"reason": 5}),
    ("alive", {"id": 5, "tool": "move_options", "args": {}, "reason": []}),
    # check 2
    ("alive", GOOD_MOVE | {"tool": "Move"}),
    ("alive", GOOD_HP | {"tool": "hp-delta"}),
    ("alive", GOOD_HP | {"tool": "damage_hp"}),
    ("alive", generate() | {"tool": "generate_map"}),
    ("move only", GOOD_MOVE | {"tool": "ghost"}),
    ("move only", call("move_options")),
    # check 5
    ("reject", move("area_002", actor="pc_002")),
    ("reject", move("area_002", actor="")),
    ("reject", move("area_002", actor=7)),
    ("reject", hp_delta() | {"args": hp_delta()["args"] | {"actor_id": "pc_002"}}),
    # check 6
    ("dying", hp_delta(-3)),
    ("dying", hp_delta(0)),
    ("dying", hp_delta(True)),
    ("dying", hp_delta("2")),
    ("dying", hp_delta(2, "pc_002")),
    ("dying", without(hp_delta(2), "target_character_id")),
    ("dying", without(hp_delta(2), "delta")),
    ("dying", without(hp_delta(-2, "pc_002"), "cause")),
    ("dying", call("hp_delta")),
    # checks 7 and 8: move
    ("alive", move("area_02")),
    ("alive", move("area_004")),
    ("alive", move("area_001")),
    ("alive", move("Area 003")),
    ("alive", move("")),
    ("alive", move(2)),
    ("alive", move(None)),
    ("alive", move(["area_002"])),
    ("alive", without(GOOD_MOVE, "to_area_id")),
    ("alive", move("area_002", "area_003")),
    ("alive", move("area_002", None)),
    ("alive", without(GOOD_MOVE, "from_area_id")),
    ("alive", move("area_002", actor="pc_002")),
    ("alive", move("area_002", actor="Mira")),
    ("alive", without(GOOD_MOVE, "actor_id")),
    ("alive", move("somewhere", "elsewhere", "somebody")),
    ("alive", move(1, 2, 3)),
    ("alive", call("move")),
    ("reject", move("area_002", "area_004")),
    ("forbidden", GOOD_MOVE),
    ("forbidden", move("area_04", "area_003", "pc_002")),
    ("forbidden", move("area_002", 5)),
    # hp_delta
    ("alive", hp_delta(-1, "pc_0001")),
    ("alive", hp_delta(-1, "grell")),
    ("alive", hp_delta(-1, None)),
    ("alive", without(GOOD_HP, "target_character_id")),
    ("alive", hp_delta(1.0)),
    ("alive", hp_delta(2.5)),
    ("alive", hp_delta("-3")),
    ("alive", hp_delta("a lot")),
    ("alive", hp_delta(True)),
    ("alive", hp_delta(None)),
    ("alive", hp_delta([1])),
    ("alive", hp_delta(2**53)),
    ("alive", hp_delta(2**53 + 1)),
    ("alive", hp_delta(float("nan"))),
    ("alive", without(GOOD_HP, "delta")),
    ("alive", hp_delta(-1, cause=None)),
    ("alive", hp_delta(-1, cause=5)),
    ("alive", without(GOOD_HP, "cause")),
    ("alive", hp_delta("x", 5, None)),
    # what JSON cannot hold
    ("alive", call("hp_delta", **GOOD_HP["args"], note=2**53 + 1)),
    ("alive", call("hp_delta", **GOOD_HP["args"], note=[{"deep": -(10**1300)}, 2**53 + 1])),
    ("alive", call("hp_delta", **GOOD_HP["args"], note={"deep": [1, float("nan")]})),
    ("alive", call("hp_delta", **GOOD_HP["args"], note={1, 2}, other="\ud800")),
    ("alive", call("hp_delta", **GOOD_HP["args"], note={"deep": {5: 1}})),
    # map_generate
    ("alive", without(generate(), "parent_area_id")),
    ("alive", generate("area_0001")),
    ("alive", generate("")),
    ("alive", generate(5)),
    ("alive", generate(theme=5)),
    ("alive", generate(theme=[])),
    ("alive", generate(constraints=[])),
    ("alive", generate(constraints="large")),
    ("alive", sized(0)),
    ("alive", sized(31)),
    ("alive", sized(-(2**60))),
    ("alive", sized("6")),
    ("alive", sized(6.0)),
    ("alive", sized(None)),
    ("alive", sized(6, seed=5)),
    ("alive", sized(6, two_way="yes")),
    ("alive", generate("area_9", theme=5, constraints={"size": 99, "seed": 1})),
    # move_options
    ("alive", call("move_options", actor_id="pc_002")),
    ("alive", call("move_options", actor_id=5)),
]

HOPELESS: list[tuple[str, Any]] = [
    ("alive", None),
    ("alive", "move"),
    ("nothing", GOOD_MOVE),
    ("dead", GOOD_HP),
    ("dead", GOOD_MOVE),
    ("dying", GOOD_MOVE),
    ("dying", generate()),
    ("nobody", GOOD_HP),
    ("lost", GOOD_MOVE),
    ("dead end", move("area_001", "area_003")),
]


@pytest.fixture(scope="module", name="tables")
def fixture_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Campaign]]:
    folder = tmp_path_factory.mktemp("repair")
    found = {name: begin(folder / name, values) for name, values in CAMPAIGNS.items()}
    yield found
    for campaign in found.values():
        campaign.close()


def repaired(entry: Json, hint: Json) -> Json:
    """Do what a hint says, by the letter: remove, add the first value, or replace by the first value."""
    entry = copy.deepcopy(entry)
    *groups, name = hint["field"].split(".")
    home: Any = entry
    for group in groups:
        home = home[int(group) if isinstance(home, list) else group]
    name = int(name) if isinstance(home, list) else name
    if hint.get("remove"):
        del home[name]
    elif hint.get("add"):
        assert name not in home, f"{hint} adds what is there"
        home[name] = hint["allowed"][0]
    else:
        assert isinstance(home, list) or name in home, f"{hint} replaces what is not there"
        home[name] = hint["allowed"][0]
    return entry


def attempts(campaign: Campaign, entry: Any) -> tuple[bool, list[Any]]:
    """Hand in a call, repair it by its hint, and so on; return whether it came through, and every hint on the way."""
    hints: list[Any] = []
    for _ in range(1 + MOST_REPAIRS):
        reply = campaign.process(turn(entry), dry_run=True)
        if reply["status"] == "applied":
            return True, hints
        hint = reply["tool_feedback"]["failed_calls"][0].get("hint")
        hints.append(hint)
        if not hint or "field" not in hint or not (hint.get("remove") or "allowed" in hint):
            return False, hints
        entry = repaired(entry, hint)
    return False, hints


def test_the_tables_hold_failing_calls_only(tables: Mapping[str, Campaign]) -> None:
    assert len(REPAIRABLE) >= 40
    for name, entry in [*REPAIRABLE, *HOPELESS]:
        assert tables[name].process(turn(entry), dry_run=True)["status"] == "failed", (name, entry)


def test_nearly_all_that_can_be_repaired_comes_through(tables: Mapping[str, Campaign]) -> None:
    tried = {f"{name}: {entry}": attempts(tables[name], entry) for name, entry in REPAIRABLE}
    stuck = {case: hints for case, (done, hints) in tried.items() if not done}
    assert len(tried) == len(REPAIRABLE)
    assert len(stuck) <= 0.05 * len(REPAIRABLE), stuck


HP_ARGS = GOOD_HP["args"]
SHAPELESS: list[Json] = [
    {"name": "hp_delta", "parameters": HP_ARGS},
    {"id": "a", "name": "hp_delta", "input": HP_ARGS},
    {"id": "a", "type": "tool_use", "name": "hp_delta", "arguments": json.dumps(HP_ARGS)},
    {"id": "a", "function": "hp_delta", "args": HP_ARGS},
    {"id": "a", "function": {"name": "hp_delta", "parameters": HP_ARGS}},
    {"id": "a", "tool": "hp_delta", "args": json.dumps(HP_ARGS, indent=1)},
    {"id": "a", "tool": "hp_delta", "args": str(HP_ARGS)},
]


@pytest.mark.parametrize("entry", SHAPELESS, ids=range(7))
def test_a_call_in_no_known_shape_is_led_to_what_it_means(tables: Mapping[str, Campaign], entry: Json) -> None:
    done, hints = attempts(tables["alive"], entry)
    for hint in hints:
        entry = repaired(entry, hint)
    assert done
    assert {key: entry[key] for key in ("tool", "args")} == {"tool": "hp_delta", "args": HP_ARGS}


@pytest.mark.parametrize("text", ["{", "[]", "", '{"a": 9007199254740993}', '{"a": 1, "a": 2}', "[" * 200])
def test_a_text_that_is_no_arguments_is_replaced_by_none(tables: Mapping[str, Campaign], text: str) -> None:
    entry = {"id": "a", "tool": "hp_delta", "args": text}
    [failed] = tables["alive"].process(turn(entry), dry_run=True)["tool_feedback"]["failed_calls"]
    assert failed["hint"] == {"field": "args", "got": text}


def test_what_another_protocol_calls_a_tool_is_offered_where_it_is_allowed(tables: Mapping[str, Campaign]) -> None:
    for name in ("create_encounter", "ghost"):
        [failed] = tables["move only"].process(turn({"id": "a", "name": name, "args": {}}), dry_run=True)[
            "tool_feedback"
        ]["failed_calls"]
        assert failed["hint"] == {"field": "tool", "add": True, "allowed": ["move"]}


@pytest.mark.parametrize(("name", "entry"), HOPELESS, ids=lambda value: value if isinstance(value, str) else "")
def test_what_cannot_be_repaired_is_given_up_at_once_or_soon(
    tables: Mapping[str, Campaign], name: str, entry: Any
) -> None:
    done, hints = attempts(tables[name], entry)
    assert not done
    assert len(hints) <= 2, hints


def test_a_hint_of_nothing_is_none(tables: Mapping[str, Campaign]) -> None:
    """Where nothing that could be named would be right, it says so; where nothing could be added, it says nothing."""
    walled_in = tables["dead end"].process(turn(move("area_001", "area_003")), dry_run=True)
    failed = walled_in["tool_feedback"]["failed_calls"][0]
    assert failed["hint"] == {"field": "args.to_area_id", "got": "area_001"}
    nothing_allowed = tables["nothing"].process(turn({"id": "a", "args": {}}), dry_run=True)
    assert "hint" not in nothing_allowed["tool_feedback"]["failed_calls"][0]


def test_hints_name_at_most_twenty_values_the_nearest_first(tables: Mapping[str, Campaign]) -> None:
    for name, entry in REPAIRABLE:
        for hint in attempts(tables[name], entry)[1]:
            assert len((hint or {}).get("allowed", ())) <= 20
    reply = tables["alive"].process(turn(hp_delta(-1, "npc_01")), dry_run=True)
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]["allowed"][0] == "npc_001"


def test_a_hint_shows_what_it_got(tables: Mapping[str, Campaign]) -> None:
    for entry, field, got in [(move("area_9"), "args.to_area_id", "area_9"), (sized(77), "args.constraints.size", 77)]:
        hint = tables["alive"].process(turn(entry), dry_run=True)["tool_feedback"]["failed_calls"][0]["hint"]
        assert (hint["field"], hint["got"]) == (field, got)


def test_turns_of_three_repeats_are_still_repaired(tmp_path: Any) -> None:
    with begin(tmp_path / "c", documents(protocol={})) as campaign:
        for _ in range(4):
            reply = campaign.process(turn(move("area_004")))
        told = reply["tool_feedback"]["failed_calls"][0]
        assert told["reason"] == "repeat_illegal_request"
        assert campaign.process(turn(repaired(move("area_004"), told["hint"])))["status"] == "applied"


def test_a_hint_in_a_large_campaign_names_what_was_meant(tmp_path: Any) -> None:
    crowd = [person(f"npc_{number:04d}") for number in range(400)]
    rooms = [area(f"room_{number}", f"room_{number + 1}") for number in range(400)]
    values = documents([PC, OTHER, *crowd], [*AREAS, *rooms, area("room_400", "area_001")])
    with begin(tmp_path / "c", values) as campaign:
        for entry, meant in [(hp_delta(-1, "npc_o345"), "npc_0345"), (generate("room-377"), "room_377")]:
            hint = campaign.process(turn(entry), dry_run=True)["tool_feedback"]["failed_calls"][0]["hint"]
            assert (meant in hint["allowed"], len(hint["allowed"])) == (True, 20)


@pytest.mark.parametrize(
    "value",
    [
        {"tool_cals": []},
        {"Turn_id": "x", "user_inputs": "y"},
        {"actor_id": "pc_003"},
        {"dialog_type": "action prompt"},
    ],
)
def test_turns_that_are_refused_whole_have_hints_too(tmp_path: Any, value: Json) -> None:
    with begin(tmp_path / "c", documents(settings={"dialog": {"strict_semantic_guard": True}})) as campaign:
        for _ in range(3):
            reply = campaign.process(value)
            if reply["status"] != "refused":
                break
            value = repaired(value, reply["hint"])
        assert reply["status"] == "empty"


def hint_of(campaign: Campaign, entry: Json) -> Any:
    return campaign.process(turn(entry), dry_run=True)["tool_feedback"]["failed_calls"][0].get("hint")


@pytest.mark.parametrize(
    ("got", "meant"),
    [("five", 5), ("-3", -3), ("minus 2", -2), ("3 damage", 3), ("-5hp", -5), ("\u22124 points", -4), ("+2", 2)],
)
def test_a_number_in_a_text_is_kept_with_its_sign(tables: Mapping[str, Campaign], got: str, meant: int) -> None:
    assert hint_of(tables["alive"], hp_delta(got)) == {"field": "args.delta", "got": got, "allowed": [meant]}


def test_a_wound_of_who_dies_is_not_turned_into_as_great_a_cure(tables: Mapping[str, Campaign]) -> None:
    for got, nearest in [(-5, 1), ("minus 5", 1), (0, 1), ("3 points", 3)]:
        assert hint_of(tables["dying"], hp_delta(got))["allowed"] == [nearest]


def test_who_is_missing_is_still_named(tables: Mapping[str, Campaign]) -> None:
    """What could have been named is; who acts is nobody's target by that."""
    entry = without(GOOD_HP, "target_character_id")
    known = hint_of(tables["alive"], entry)["allowed"]
    assert len(known) > 1
    assert hint_of(tables["alive"], entry | {"args": entry["args"] | {"actor_id": known[-1]}})["allowed"] == known


@pytest.mark.parametrize("key", ["target", "target_id", "victim", "targetCharacterId", "character_id", "npc"])
def test_who_is_named_by_another_key_comes_first(tables: Mapping[str, Campaign], key: str) -> None:
    entry = without(GOOD_HP, "target_character_id")
    found = hint_of(tables["alive"], entry | {"args": entry["args"] | {key: "pc_002"}})
    assert (found["field"], found["add"], found["allowed"][0]) == ("args.target_character_id", True, "pc_002")


@pytest.fixture(scope="module", name="inn")
def fixture_inn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    tools = ["update_character", "take_rest", "manage_inventory", "manage_condition", "roll_dice", "level_up"]
    people = [person(name.lower(), name=name) for name in ("Alda", "Wim")]
    values = documents(people, active="alda", party=["alda", "wim"], allowlist=tools)
    with begin(tmp_path_factory.mktemp("inn") / "c", values) as campaign:
        yield campaign


GIVE: Json = {"operation": "give", "character_id": "wim"}


@pytest.mark.parametrize(
    ("tool", "args", "meant"),
    [
        ("update_character", {"character_id": "wim", "hp": "-5hp"}, ["-5"]),
        ("update_character", {"character_id": "wim", "hp": "minus five"}, ["-5"]),
        ("update_character", {"character_id": "wim", "hp": "+5 hp"}, ["+5"]),
        ("update_character", {"character_id": "wim", "hp": "5"}, [5]),
        ("update_character", {"character_id": "wim", "hp": f"-{'9' * 20}"}, ["-999999999999999"]),
        ("manage_inventory", GIVE | {"item": {"name": "gp", "quantity": "50 gp"}}, [50]),
        ("manage_inventory", GIVE | {"item": {"name": "Axe", "damage": "1d8 slashing"}}, ["1d8"]),
        ("manage_inventory", GIVE | {"item": {"name": "Axe", "damage": 4}}, ["4"]),
        ("manage_inventory", GIVE | {"item": "Longsword"}, [{"name": "Longsword"}]),
        ("roll_dice", {"expression": "2 d6 + 3, fire"}, ["2d6+3"]),
        ("roll_dice", {"expression": "roll two d6 plus 3"}, ["2d6+3"]),
        ("roll_dice", {"expression": "2d6 and 1d4 fire"}, ["2d6+1d4"]),
        ("roll_dice", {"expression": "1d20 with advantage"}, ["2d20kh1"]),
        ("roll_dice", {"expression": "10 damage"}, ["10"]),
        ("roll_dice", {"expression": "a handful"}, ["2d6+3"]),
        ("roll_dice", {"expression": "2d6 " * 1000}, ["2d6"]),
        ("roll_dice", {"expression": "d20", "advantage": "No, thanks"}, [False]),
        ("roll_dice", {"expression": "d20", "advantage": "yes"}, [True]),
    ],
)
def test_what_was_said_is_kept(inn: Campaign, tool: str, args: Json, meant: Any) -> None:
    assert hint_of(inn, call(tool, **args))["allowed"] == meant


@pytest.mark.parametrize(
    ("tool", "args", "key", "first"),
    [
        ("update_character", {"target": "Wim", "hp": "-5"}, "character_name", "Wim"),
        ("update_character", {"participant_id": "wim", "hp": "-5"}, "character_id", "wim"),
        ("update_character", {"target": "Wim", "actor": "Alda", "hp": "-5"}, "character_name", "Wim"),
        ("take_rest", {"character": "Wim", "rest_type": "long"}, "character_name", "Wim"),
        ("take_rest", {"character_id": "wim", "type": "long"}, "rest_type", "long"),
        ("roll_dice", {"dice": "2d6"}, "expression", "2d6"),
        ("roll_dice", {"notation": "2d6 fire"}, "expression", "2d6"),
        ("level_up", {"character_id": "wim", "level": "four"}, "target_level", 4),
        ("manage_inventory", GIVE | {"itm_name": "Rope"}, "item_name", "Rope"),
        ("manage_inventory", GIVE | {"item": {"name": "Rope", "qty": 3}}, "item.quantity", 3),
        ("manage_condition", {"operation": "query", "target_ids": "wim"}, "target_id", "wim"),
    ],
)
def test_a_value_under_a_key_that_is_not_known_is_kept(
    inn: Campaign, tool: str, args: Json, key: str, first: Any
) -> None:
    found = hint_of(inn, call(tool, **args))
    assert (found["field"], found.get("add"), found["allowed"][0]) == (f"args.{key}", True, first)
    found = hint_of(inn, repaired(call(tool, **args), found))
    assert found is None or "add" not in found or found["field"] != f"args.{key}"


@pytest.mark.parametrize(
    ("tool", "args", "stray"),
    [
        ("update_character", {"character_id": "alda", "target": "Wim", "hp": "-5"}, "target"),
        ("update_character", {"actor": "Alda", "target": "Wim", "hp": "-5"}, "actor"),
        ("manage_condition", {"operation": "query", "actor": "Alda"}, "actor"),
        ("manage_inventory", {"operation": "list", "colour": "red"}, "colour"),
        ("manage_inventory", {"operation": "list", "hidden": True}, "hidden"),
        ("roll_dice", {"expression": "2d6", "dice": "3d6"}, "dice"),
        ("roll_dice", {"expression": "2d6", "dice": None}, "dice"),
        ("roll_dice", {"expression": "2d6", "e" * 10_000: 1}, "e" * 10_000),
        ("roll_dice", {"expression": "2d6", "": 1}, ""),
    ],
)
def test_a_key_that_means_none_which_is_absent_is_left_out(inn: Campaign, tool: str, args: Json, stray: str) -> None:
    found = hint_of(inn, call(tool, **args))
    assert (found["field"], found["remove"]) == (f"args.{stray}", True)


@pytest.mark.parametrize("word", ["False", "FALSE", " no ", "off", "None", "null", "n", "", "0"])
@pytest.mark.parametrize(("given", "meant"), [("{}", False), ("yes", True), ("True", True)])
def test_a_word_for_false_is_never_taken_for_true(word: str, given: str, meant: bool) -> None:
    assert fitting({"type": "boolean"}, given.replace("{}", word)) == [meant]
