"""Hints: a program that understands nothing of them does what was meant, or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.builders import AREAS, Json, area, begin, call, documents, hp_delta, move, person, turn
from tests.golden.repairer import repaired, repaired_by

from turnwright import Campaign
from turnwright.model.schema_path import schema_at, schema_of
from turnwright.protocol.stage3_tools.repair.coercion import yes_or_no
from turnwright.rulesets.tool import Args
from turnwright.rulesets.toolbox import TOOLS

MAX_REPAIRS = 5
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

MENDED: list[tuple[str, Any, Json]] = [
    # check 1
    ("alive", {"tool": "move", "args": GOOD_MOVE["args"]}, GOOD_MOVE["args"]),
    ("alive", GOOD_MOVE | {"id": 5}, GOOD_MOVE["args"]),
    ("alive", GOOD_MOVE | {"id": None}, GOOD_MOVE["args"]),
    ("alive", GOOD_MOVE | {"reason": 5}, GOOD_MOVE["args"]),
    ("alive", {"id": 5, "tool": "move_options", "args": {}, "reason": []}, {}),
    # check 2
    ("alive", GOOD_MOVE | {"tool": "Move"}, GOOD_MOVE["args"]),
    ("alive", GOOD_HP | {"tool": "hp-delta"}, GOOD_HP["args"]),
    # check 5
    ("reject", move("area_002", actor=""), GOOD_MOVE["args"]),
    # checks 7 and 8: move
    ("alive", move("area_02"), GOOD_MOVE["args"]),
    ("alive", move("Area 003"), {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_003"}),
    ("alive", move(["area_002"]), GOOD_MOVE["args"]),
    ("alive", move("area_002", "area_003"), GOOD_MOVE["args"]),
    ("alive", move("area_002", None), GOOD_MOVE["args"]),
    ("alive", without(GOOD_MOVE, "from_area_id"), GOOD_MOVE["args"]),
    ("alive", move("area_002", actor="Mira"), GOOD_MOVE["args"]),
    ("alive", without(GOOD_MOVE, "actor_id"), GOOD_MOVE["args"]),
    ("reject", move("area_002", "area_004"), GOOD_MOVE["args"]),
    ("forbidden", GOOD_MOVE, {"actor_id": "pc_001", "to_area_id": "area_002"}),
    ("forbidden", move("area_002", 5), {"actor_id": "pc_001", "to_area_id": "area_002"}),
    # hp_delta
    ("alive", hp_delta(-1, "pc_0001"), GOOD_HP["args"]),
    ("alive", hp_delta(-1, "grell"), {"target_character_id": "npc_001", "delta": -1, "cause": "a falling stone"}),
    ("alive", hp_delta(1.0), {"target_character_id": "pc_001", "delta": 1, "cause": "a falling stone"}),
    ("alive", hp_delta("-3"), {"target_character_id": "pc_001", "delta": -3, "cause": "a falling stone"}),
    ("alive", hp_delta([1]), {"target_character_id": "pc_001", "delta": 1, "cause": "a falling stone"}),
    ("alive", hp_delta(-1, cause=5), {"target_character_id": "pc_001", "delta": -1, "cause": "5"}),
    # map_generate
    *(("alive", generate(word), {"parent_area_id": None}) for word in ("null", "None", "n/a", "undefined")),
    ("alive", generate("area_0001"), {"parent_area_id": "area_001"}),
    ("alive", generate(theme=5), {"parent_area_id": None, "theme": "5"}),
    ("alive", generate(theme=[]), {"parent_area_id": None}),
    ("alive", generate(constraints=[]), {"parent_area_id": None}),
    ("alive", sized("6"), {"parent_area_id": None, "constraints": {"size": 6}}),
    ("alive", sized(6.0), {"parent_area_id": None, "constraints": {"size": 6}}),
    ("alive", sized(None), {"parent_area_id": None, "constraints": {}}),
    ("alive", sized(6, seed=5), {"parent_area_id": None, "constraints": {"size": 6, "seed": "5"}}),
    ("alive", sized(6, two_way="yes"), {"parent_area_id": None, "constraints": {"size": 6, "two_way": True}}),
]
"""Calls that say one thing in another form, and the arguments that they mean."""

ASKED: list[tuple[str, Any]] = [
    # check 1
    ("alive", {"id": "a", "args": GOOD_MOVE["args"]}),
    ("alive", GOOD_MOVE | {"tool": 5}),
    ("alive", {"id": "a", "tool": "hp_delta"}),
    ("alive", {"id": "a", "tool": "move", "args": []}),
    ("alive", {"id": "a", "tool": "map_generate", "args": None}),
    # check 2
    ("alive", GOOD_HP | {"tool": "damage_hp"}),
    ("alive", generate() | {"tool": "generate_map"}),
    ("move only", GOOD_MOVE | {"tool": "ghost"}),
    ("move only", call("move_options")),
    # check 5
    ("reject", move("area_002", actor="pc_002")),
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
    ("alive", move("area_004")),
    ("alive", move("area_001")),
    ("alive", move("")),
    ("alive", move(2)),
    ("alive", move(None)),
    ("alive", without(GOOD_MOVE, "to_area_id")),
    ("alive", move("area_002", actor="pc_002")),
    ("alive", move("somewhere", "elsewhere", "somebody")),
    ("alive", move(1, 2, 3)),
    ("alive", call("move")),
    ("forbidden", move("area_04", "area_003", "pc_002")),
    # hp_delta
    ("alive", hp_delta(-1, None)),
    ("alive", without(GOOD_HP, "target_character_id")),
    ("alive", hp_delta(2.5)),
    ("alive", hp_delta("a lot")),
    ("alive", hp_delta(True)),
    ("alive", hp_delta(None)),
    ("alive", hp_delta(2**53)),
    ("alive", hp_delta(2**53 + 1)),
    ("alive", hp_delta(float("nan"))),
    ("alive", without(GOOD_HP, "delta")),
    ("alive", hp_delta(-1, cause=None)),
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
    ("alive", generate("")),
    ("alive", generate(5)),
    ("alive", generate(constraints="large")),
    ("alive", sized(0)),
    ("alive", sized(31)),
    ("alive", sized(-(2**60))),
    ("alive", generate("area_9", theme=5, constraints={"size": 99, "seed": 1})),
    # move_options
    ("alive", call("move_options", actor_id="pc_002")),
    ("alive", call("move_options", actor_id=5)),
]
"""Calls that leave something to be asked: what is given in its place would be made up."""

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


def attempts(campaign: Campaign, entry: Any) -> tuple[Any, list[Any]]:
    """Hand in a call, repair it by its hints, and so on; return it as it came through, or None, and every failure."""
    failures: list[Any] = []
    for _ in range(1 + MAX_REPAIRS):
        reply = campaign.process(turn(entry), dry_run=True)
        if reply["status"] == "applied":
            return entry, failures
        failures += reply["tool_feedback"]["failed_calls"]
        entry = repaired_by(entry, failures[-1])
        if entry is None:
            return None, failures
    return None, failures


def test_the_tables_hold_failing_calls_only(tables: Mapping[str, Campaign]) -> None:
    for name, entry in [*((name, entry) for name, entry, _ in MENDED), *ASKED, *HOPELESS]:
        assert tables[name].process(turn(entry), dry_run=True)["status"] == "failed", (name, entry)


@pytest.mark.parametrize(("name", "entry", "meant"), MENDED, ids=range(len(MENDED)))
def test_what_says_one_thing_in_another_form_comes_through_as_that(
    tables: Mapping[str, Campaign], name: str, entry: Any, meant: Json
) -> None:
    done, _ = attempts(tables[name], entry)
    assert done is not None
    assert done["args"] == meant


@pytest.mark.parametrize(("name", "entry"), ASKED, ids=range(len(ASKED)))
def test_what_leaves_something_to_be_asked_is_never_done(tables: Mapping[str, Campaign], name: str, entry: Any) -> None:
    done, failures = attempts(tables[name], entry)
    assert done is None
    hints = failures[-1].get("hints") or [failures[-1]["hint"]]
    asked = [hint for hint in hints if not hint.get("remove") and "allowed" not in hint]
    assert asked
    assert all(hint.keys() <= {"field", "got", "add", "choices"} for hint in asked)


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
    done, _ = attempts(tables["alive"], entry)
    assert done is not None
    assert {key: done[key] for key in ("tool", "args")} == {"tool": "hp_delta", "args": HP_ARGS}


@pytest.mark.parametrize("text", ["{", '{"a": 9007199254740993}', '{"a": 1, "a": 2}', "[" * 200, "no JSON", "12"])
def test_a_text_that_is_no_arguments_is_asked_about(tables: Mapping[str, Campaign], text: str) -> None:
    failed = failure_of(tables["alive"], {"id": "a", "tool": "hp_delta", "args": text})
    assert failed["hint"] == {"field": "args", "got": text}
    assert failed["detail"].startswith("args must be an object, not the text of one: ")


@pytest.mark.parametrize("given", ["", "[]", '"{}"', None, [], "{}"])
def test_what_holds_no_arguments_is_taken_for_none(tables: Mapping[str, Campaign], given: Any) -> None:
    failed = failure_of(tables["alive"], {"id": "a", "tool": "hp_delta", "args": given})
    assert failed["hint"] == {"field": "args", "got": given, "allowed": [{}]}


@pytest.mark.parametrize(
    "given",
    [
        {"arguments": HP_ARGS},
        {"parameters": json.dumps(HP_ARGS)},
        {"input": [HP_ARGS]},
        {"tool": "hp_delta", "args": HP_ARGS},
        {"hp_delta": HP_ARGS},
        [HP_ARGS],
        str(HP_ARGS),
        f"```json\n{json.dumps(HP_ARGS)}\n```",
    ],
)
def test_arguments_in_a_wrapper_or_as_text_are_kept(tables: Mapping[str, Campaign], given: Any) -> None:
    done, failures = attempts(tables["alive"], {"id": "a", "tool": "hp_delta", "args": given})
    assert (done["args"], len(failures)) == (HP_ARGS, 1)


def test_all_faults_of_a_call_are_told_at_once_and_speak_of_it_as_it_came(tables: Mapping[str, Campaign]) -> None:
    entry = call("hp_delta", victim="pc_002", delta="-3", cause=["an arrow"])
    failed = failure_of(tables["alive"], entry)
    assert failed["hint"] == failed["hints"][0]
    assert [hint["field"] for hint in failed["hints"]] == ["args.target_character_id", "args.delta", "args.cause"]
    done = repaired_by(entry, failed)
    assert done is not None
    assert tables["alive"].process(turn(done), dry_run=True)["status"] == "applied"


def test_one_fault_is_told_once(tables: Mapping[str, Campaign]) -> None:
    assert "hints" not in failure_of(tables["alive"], hp_delta("-3"))


def test_what_another_protocol_calls_a_tool_is_offered_where_it_is_allowed(tables: Mapping[str, Campaign]) -> None:
    for name in ("create_encounter", "ghost"):
        [failed] = tables["move only"].process(turn({"id": "a", "name": name, "args": {}}), dry_run=True)[
            "tool_feedback"
        ]["failed_calls"]
        assert failed["hint"] == {"field": "tool", "add": True, "choices": ["move"]}


@pytest.mark.parametrize(("name", "entry"), HOPELESS, ids=lambda value: value if isinstance(value, str) else "")
def test_what_cannot_be_repaired_is_given_up_at_once_or_soon(
    tables: Mapping[str, Campaign], name: str, entry: Any
) -> None:
    done, failures = attempts(tables[name], entry)
    assert done is None
    assert len(failures) <= 2, failures


def test_a_hint_of_nothing_names_what_is_wrong_alone(tables: Mapping[str, Campaign]) -> None:
    failed = failure_of(tables["dead end"], move("area_001", "area_003"))
    assert failed["hint"] == {"field": "args.to_area_id", "got": "area_001"}
    assert failure_of(tables["nothing"], {"id": "a", "args": {}})["hint"] == {"field": "tool", "add": True}


def test_questions_name_at_most_twenty_values_the_nearest_first(tables: Mapping[str, Campaign]) -> None:
    for name, entry in ASKED:
        for failed in attempts(tables[name], entry)[1]:
            assert len(failed["hint"].get("choices", ())) <= 20
    assert failure_of(tables["alive"], hp_delta(-1, "npc_00"))["hint"]["choices"][0] == "npc_001"


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
        assert told["hint"]["choices"] == ["area_002", "area_003"]


def test_a_hint_in_a_large_campaign_names_what_was_meant(tmp_path: Any) -> None:
    crowd = [person(f"npc_{number:04d}") for number in range(400)]
    rooms = [area(f"room_{number}", f"room_{number + 1}") for number in range(400)]
    values = documents([PC, OTHER, *crowd], [*AREAS, *rooms, area("room_400", "area_001")])
    with begin(tmp_path / "c", values) as campaign:
        for entry, meant in [(hp_delta(-1, "npc_345"), "npc_0345"), (generate("room-377"), "room_377")]:
            assert failure_of(campaign, entry)["hint"]["allowed"] == [meant]
        asked = failure_of(campaign, hp_delta(-1, "npc_o345"))["hint"]["choices"]
        assert ("npc_0345" in asked, len(asked)) == (True, 20)


def test_turns_that_are_refused_whole_have_hints_too(tmp_path: Any) -> None:
    with begin(tmp_path / "c", documents(settings={"dialog": {"strict_semantic_guard": True}})) as campaign:
        values: tuple[Json, ...] = (
            {"tool_cals": []},
            {"colour": "red"},
            {"actor_id": "pc_003"},
            {"actor_id": "Mira"},
            {"dialog_type": "action-prompt"},
        )
        told = [campaign.process(value)["hint"] for value in values]
    assert told == [
        {"field": "tool_cals", "choices": ["tool_calls", "atomic", "actor_id"]},
        {"field": "colour", "choices": ["actor_id", "output", "turn_id"]},
        {"field": "actor_id", "got": "pc_003", "choices": ["pc_001", "pc_002"]},
        {"field": "actor_id", "got": "Mira", "allowed": ["pc_001"]},
        {"field": "dialog_type", "got": "action-prompt", "allowed": ["action_prompt"]},
    ]


def failure_of(campaign: Campaign, entry: Any) -> Any:
    return campaign.process(turn(entry), dry_run=True)["tool_feedback"]["failed_calls"][0]


def hint_of_or_none(campaign: Campaign, entry: Json) -> Any:
    failed = campaign.process(turn(entry), dry_run=True)["tool_feedback"]["failed_calls"]
    return failed[0].get("hint") if failed else None


def hint_of(campaign: Campaign, entry: Json) -> Any:
    return campaign.process(turn(entry), dry_run=True)["tool_feedback"]["failed_calls"][0].get("hint")


@pytest.mark.parametrize(
    ("got", "meant"),
    [("five", 5), ("-3", -3), ("minus 2", -2), ("-5 hp", -5), ("\u22124 points", -4), ("+2", 2)],
)
def test_a_number_in_a_text_is_kept_with_its_sign(tables: Mapping[str, Campaign], got: str, meant: int) -> None:
    assert hint_of(tables["alive"], hp_delta(got)) == {"field": "args.delta", "got": got, "allowed": [meant]}


@pytest.mark.parametrize("key", ["to_character_id", "to_character_name"])
def test_an_argument_of_another_operation_is_asked_about(inn: Campaign, key: str) -> None:
    told = failure_of(inn, call("manage_inventory", **GIVE, item_name="Torch", **{key: "alda"}))
    assert (told["reason"], told["hint"]) == (
        "invalid_args",
        {"field": "args.operation", "got": "give", "choices": ["transfer"]},
    )
    about = "give is about one character alone; transfer hands something to somebody else"
    assert told["detail"] == f"args.{key}: {about}"


def test_no_hint_puts_a_value_under_an_argument_of_another_operation(inn: Campaign) -> None:
    asked = call("manage_inventory", **GIVE, item_name="Torch", recipient="alda")
    assert hint_of(inn, asked) == {"field": "args.operation", "got": "give", "choices": ["transfer"]}


USED = [name for name in TOOLS if TOOLS[name].args.only_for]


@pytest.mark.parametrize("tool", USED)
def test_arguments_are_for_operations_that_there_are(tool: str) -> None:
    args: type[Args] = TOOLS[tool].args
    operations = set(schema_at(schema_of(args), [args.operation_key])["enum"])
    for name, some in args.only_for.items():
        assert name in args.model_fields
        assert not args.model_fields[name].is_required()
        assert set(some) < operations
    for operation, names in args.needs.items():
        assert all(operation in args.only_for.get(name, (operation,)) for name in names)


def test_the_root_is_among_the_choices_where_a_parent_is_blank(tables: Mapping[str, Campaign]) -> None:
    assert hint_of(tables["alive"], generate(""))["choices"][0] is None


@pytest.mark.parametrize(
    "got",
    [
        *("five negative", "5 plus", "minus -5", "<5", ">5", "~5", "=5", "x5", "5x", "1.000", "12.500", "1,000", "$5"),
        *("5 gp", "5 ft", "5 feet", "hp 5", "DC 5", "5th", "5 levels", "about 5", "5 hp each", "5 damage", "-5 gp"),
    ],
)
def test_a_number_with_anything_beside_it_is_asked_about(tables: Mapping[str, Campaign], got: str) -> None:
    assert "allowed" not in hint_of(tables["alive"], hp_delta(got))


@pytest.mark.parametrize("got", ["3 damage", "half of 10", "10%", "2 minutes", "a few", "1 or 2", True, 2.5])
def test_a_text_that_says_more_or_less_than_a_number_leaves_none(tables: Mapping[str, Campaign], got: Any) -> None:
    assert hint_of(tables["alive"], hp_delta(got)) == {"field": "args.delta", "got": got}


@pytest.mark.parametrize(
    ("key", "value", "choices"),
    [
        ("damage", 5, [-5]),
        ("damageAmount", "5", [-5]),
        ("damage", -5, [-5]),
        ("healing", 5, [5]),
        ("amount", 5, [-5, 5]),
        ("hp", "five", [-5, 5]),
        ("damage", "2d6", None),
        ("amount", 0, None),
        ("armor", 5, None),
    ],
)
def test_an_amount_whose_sign_nothing_tells_is_asked_about_with_what_it_may_be(
    tables: Mapping[str, Campaign], key: str, value: Any, choices: list[int] | None
) -> None:
    entry = without(GOOD_HP, "delta")
    failed = failure_of(tables["alive"], entry | {"args": entry["args"] | {key: value}})
    assert failed["hint"] == {"field": "args.delta", "add": True} | ({"choices": choices} if choices else {})
    told = f"args.delta: is required; give it instead of {key}: negative for damage, positive for healing"
    assert failed["detail"] == (told if choices else "args.delta: is required")


def test_a_wound_of_who_dies_is_not_turned_into_a_cure(tables: Mapping[str, Campaign]) -> None:
    for got in (-5, "minus 5", 0):
        assert hint_of(tables["dying"], hp_delta(got)) == {"field": "args.delta", "got": got}


def test_who_is_missing_is_asked_for(tables: Mapping[str, Campaign]) -> None:
    """What could have been named is; who acts is nobody's target by that."""
    entry = without(GOOD_HP, "target_character_id")
    known = hint_of(tables["alive"], entry)["choices"]
    assert len(known) > 1
    assert hint_of(tables["alive"], entry | {"args": entry["args"] | {"actor_id": known[-1]}})["choices"] == known


@pytest.mark.parametrize("key", ["target", "target_id", "victim", "targetCharacterId", "character_id", "npc"])
def test_who_is_named_by_another_key_is_meant(tables: Mapping[str, Campaign], key: str) -> None:
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
        ("update_character", {"character_id": "wim", "hp": "-5 hp"}, ["-5"]),
        ("update_character", {"character_id": "wim", "hp": "minus five"}, ["-5"]),
        ("update_character", {"character_id": "wim", "hp": "+5 hp"}, ["+5"]),
        ("update_character", {"character_id": "wim", "hp": "5"}, [5]),
        ("manage_inventory", GIVE | {"item": {"name": "gp", "quantity": "50 gp"}}, [50]),
        ("manage_inventory", GIVE | {"item": {"name": "Axe", "damage": 4}}, ["4"]),
        ("manage_inventory", GIVE | {"item": "Longsword"}, [{"name": "Longsword"}]),
        ("roll_dice", {"expression": "2 d6 + 3, fire"}, ["2d6+3"]),
        ("roll_dice", {"expression": "roll two d6 plus 3"}, ["2d6+3"]),
        ("roll_dice", {"expression": "2d6 and 1d4 fire"}, ["2d6+1d4"]),
        ("roll_dice", {"expression": "1d20 with advantage"}, ["2d20kh1"]),
        ("roll_dice", {"expression": "1d20 advantage + 1d4"}, ["2d20kh1+1d4"]),
        ("roll_dice", {"expression": "4d6 drop lowest + 1d4"}, ["4d6dl1+1d4"]),
        ("roll_dice", {"expression": "10 damage"}, ["10"]),
        ("roll_dice", {"expression": "4d6 drop lowest"}, ["4d6dl1"]),
        ("roll_dice", {"expression": "1d20 + 5 (disadvantage)"}, ["2d20kl1+5"]),
        ("roll_dice", {"expression": "d20", "advantage": "No"}, [False]),
        ("roll_dice", {"expression": "d20", "advantage": "yes"}, [True]),
    ],
)
def test_what_was_said_is_kept(inn: Campaign, tool: str, args: Json, meant: Any) -> None:
    assert hint_of(inn, call(tool, **args))["allowed"] == meant


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("2d6 fire", "fire"),
        ("2d6 fire + 1d4 cold damage", "cold, fire"),
        ("2 d6 damage", None),
    ],
)
def test_kinds_of_damage_that_a_throw_does_not_keep_are_told(inn: Campaign, text: str, left_out: str | None) -> None:
    failed = failure_of(inn, call("roll_dice", expression=text))
    assert failed["hint"]["allowed"]
    _, is_told, told = failed["detail"].partition(" The dice keep no kind of damage; left out: ")
    assert (told if is_told else None) == (left_out and f"{left_out}.")


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("update_character", {"character_id": "wim", "hp": f"-{'9' * 20}"}),
        ("manage_inventory", GIVE | {"item": {"name": "Axe", "damage": "1d8 slashing"}}),
        ("manage_inventory", GIVE | {"item": '{"name": "Axe", '}),
        *(
            ("roll_dice", {"expression": text})
            for text in ("a handful", "2d6 " * 9, "2d10!>8", "1d20+STR", "2d6 or 1d8")
        ),
        *(
            ("roll_dice", {"expression": text})
            for text in (
                *("1d20+1d4 advantage", "1d20 + 1d4 with advantage", "1d20 + 5 + 1d4 disadvantage"),
                *("advantage 1d20+1d4", "1d20+1d4 (adv)", "4d6+1d4 drop lowest", "4d6+1d4 keep highest 3"),
            )
        ),
        *(
            ("take_rest", {"character_id": "wim", "rest_type": "short", "hit_dice_to_spend": text})
            for text in ("5 gp", "5 hp", "2 minutes", "1st")
        ),
        ("manage_inventory", GIVE | {"item": {"name": "Rope", "quantity": "50 gp"}}),
        ("manage_inventory", GIVE | {"item": {"name": "Rope", "value": "5 ft", "quantity": "2 ft"}}),
        ("roll_dice", {"expression": "d20", "advantage": "perhaps"}),
        ("roll_dice", {"expression": "d20", "advantage": True, "disadvantage": True}),
    ],
)
def test_what_was_said_is_never_replaced_by_something_else(inn: Campaign, tool: str, args: Json) -> None:
    assert hint_of(inn, call(tool, **args)).keys() == {"field", "got"}


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
    mended = repaired(call(tool, **args), found)
    assert mended is not None
    told = hint_of_or_none(inn, mended)
    assert told is None or "add" not in told or told["field"] != f"args.{key}"


@pytest.mark.parametrize(
    ("tool", "args", "stray"),
    [
        ("manage_inventory", {"operation": "list", "comment": "what has she?"}, "comment"),
        ("manage_inventory", {"operation": "list", "request_id": 5}, "request_id"),
        ("manage_inventory", {"operation": "list", "hidden": False}, "hidden"),
        ("roll_dice", {"expression": "2d6", "dice": None}, "dice"),
        ("roll_dice", {"expression": "2d6", "dice": "2d6"}, "dice"),
        ("roll_dice", {"expression": "2d6", "": []}, ""),
    ],
)
def test_a_key_that_says_nothing_of_the_deed_is_left_out(inn: Campaign, tool: str, args: Json, stray: str) -> None:
    assert hint_of(inn, call(tool, **args)) == {"field": f"args.{stray}", "remove": True}


@pytest.mark.parametrize(
    ("tool", "args", "stray"),
    [
        ("update_character", {"character_id": "alda", "target": "Wim", "hp": "-5"}, "target"),
        ("update_character", {"actor": "Alda", "target": "Wim", "hp": "-5"}, "actor"),
        ("manage_condition", {"operation": "query", "actor": "Alda"}, "actor"),
        ("manage_inventory", {"operation": "list", "colour": "red"}, "colour"),
        ("roll_dice", {"expression": "2d6", "dice": "3d6"}, "dice"),
        ("roll_dice", {"expression": "2d6", "times": 3}, "times"),
        ("roll_dice", {"expression": "2d6", "e" * 10_000: 1}, "e" * 10_000),
    ],
)
def test_a_key_that_may_say_something_of_the_deed_is_asked_about(
    inn: Campaign, tool: str, args: Json, stray: str
) -> None:
    failed = failure_of(inn, call(tool, **args))
    hints = failed.get("hints") or [failed["hint"]]
    assert {"field": f"args.{stray}", "got": args[stray]} in hints


@pytest.fixture(scope="module", name="town")
def fixture_town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    tools = ["move_party", "manage_location", "take_rest", "roll_check", "manage_inventory", "use_scroll"]
    values = documents([person("pc_001", name="Mira")], active="pc_001", party=["pc_001"], allowlist=tools)
    with begin(tmp_path_factory.mktemp("town") / "c", values) as campaign:
        made = [call("manage_location", operation="create", name=name) for name in ("Mill", "Quay")]
        assert campaign.process(turn(*made))["status"] == "applied"
        yield campaign


@pytest.mark.parametrize(
    ("tool", "args", "stray", "key"),
    [
        *(("move_party", {key: "Mill"}, key, "to_location_name") for key in ("location", "location_name", "place")),
        *(("move_party", {key: "Mill"}, key, "to_location_name") for key in ("area", "new_location", "target_place")),
        *(("move_party", {key: "location-1"}, key, "to_location_id") for key in ("location", "location_id", "placeId")),
        ("move_party", {"operation": "travel", "location": "Mill"}, "location", "to_location_name"),
        ("manage_location", {"operation": "update", "place": "location-1", "lighting": "dim"}, "place", "location_id"),
        ("take_rest", {"character_id": "pc_001", "rest": "long"}, "rest", "rest_type"),
        ("roll_check", {"character_id": "pc_001", "check_type": "ability", "stat": "dex"}, "stat", "ability"),
        ("manage_inventory", {"operation": "give", "character_id": "pc_001", "name": "Rope"}, "name", "item_name"),
        ("use_scroll", {"character_id": "pc_001", "spell": "Fly", "spell_level": 3}, "spell", "scroll_name"),
    ],
)
def test_a_key_that_can_mean_one_missing_argument_is_taken_for_that(
    town: Campaign, tool: str, args: Json, stray: str, key: str
) -> None:
    assert failure_of(town, call(tool, **args))["hints"] == [
        {"field": f"args.{key}", "add": True, "allowed": [args[stray]]},
        {"field": f"args.{stray}", "remove": True},
    ]


@pytest.mark.parametrize(
    ("args", "stray"),
    [
        ({"operation": "status", "location": "Mill"}, "location"),
        ({"location": "Mill", "to_location_id": "location-2"}, "location"),
        ({"location": "Mill", "place": "Quay"}, "place"),
        ({"from_location": "Mill"}, "from_location"),
        ({"party": "Mill"}, "party"),
    ],
)
def test_a_key_of_a_place_that_may_mean_something_else_is_asked_about(town: Campaign, args: Json, stray: str) -> None:
    failed = failure_of(town, call("move_party", **args))
    hints = failed.get("hints") or [failed["hint"]]
    assert {"field": f"args.{stray}", "got": args[stray]} in hints
    assert not any("allowed" in hint for hint in hints)


@pytest.mark.parametrize("key", ["location", "area", "place_id", "destination", "new_area_id"])
def test_where_to_is_meant_by_any_key_of_a_place_unless_it_is_where_somebody_stands(
    tables: Mapping[str, Campaign], key: str
) -> None:
    entry = without(GOOD_MOVE, "to_area_id")
    done, _ = attempts(tables["alive"], entry | {"args": entry["args"] | {key: "area_002"}})
    assert done is not None
    assert done["args"] == GOOD_MOVE["args"] | {key: "area_002"}
    assert attempts(tables["alive"], entry | {"args": entry["args"] | {key: "area_001"}})[0] is None


@pytest.mark.parametrize(
    ("tool", "args", "key", "meant"),
    [
        ("manage_inventory", GIVE | {"item_name": '{"name": "Rope"}'}, "item_name", "Rope"),
        ("manage_inventory", GIVE | {"itemName": "{'itemName': 'Rope'}"}, "itemName", "Rope"),
        ("manage_inventory", GIVE | {"item": {"name": '["Rope"]'}}, "item.name", "Rope"),
        ("manage_inventory", {"operation": "list", "character_id": '{"id": "wim"}'}, "character_id", "wim"),
        ("take_rest", {"character_name": '[{"name": "Wim"}]', "rest_type": "long"}, "character_name", "Wim"),
        ("manage_inventory", GIVE | {"item_name": '{"name": "Rope", "quantity": 3}'}, "item_name", None),
        ("manage_inventory", GIVE | {"item_name": '["Rope", "Hook"]'}, "item_name", None),
        ("manage_inventory", GIVE | {"item_name": '{"text": "Rope"}'}, "item_name", None),
        ("manage_inventory", GIVE | {"item_name": "{}"}, "item_name", None),
    ],
)
def test_the_text_of_json_is_no_name(inn: Campaign, tool: str, args: Json, key: str, meant: str | None) -> None:
    failed = failure_of(inn, call(tool, **args))
    got = args["item"]["name"] if key == "item.name" else args[key]
    assert failed["reason"] == "invalid_args"
    assert failed["detail"] == f"args.{key}: wants a name, not the text of JSON"
    assert failed["hint"] == {"field": f"args.{key}", "got": got} | ({"allowed": [meant]} if meant else {})


@pytest.mark.parametrize("name", ["[Redacted]", "{The Void}", "[sic", "{", "(Rope)", '"Rope"'])
def test_a_name_in_brackets_is_a_name(inn: Campaign, name: str) -> None:
    assert hint_of_or_none(inn, call("manage_inventory", **GIVE, item_name=name)) is None


@pytest.mark.parametrize(
    ("word", "told"),
    [
        *((word, False) for word in ("False", "FALSE", " no ", "off", "n", "0", "never")),
        *((word, True) for word in ("yes", "True", " on ", "1", "y")),
        *((word, None) for word in ("perhaps", "no, thanks", "yes but later", "", "null", "2")),
    ],
)
def test_a_word_is_yes_or_no_only_where_it_says_so(word: str, told: bool | None) -> None:
    assert yes_or_no(word) is told


def test_the_name_of_an_exit_is_said_to_be_one(tmp_path: Path) -> None:
    with begin(tmp_path / "alive", CAMPAIGNS["alive"]) as campaign:
        (failed,) = campaign.process(turn(move("Area 003")))["tool_feedback"]["failed_calls"]
    assert failed["detail"] == "Area 003 is a name; the id is area_003"
    assert failed["hint"] == {"field": "args.to_area_id", "got": "Area 003", "allowed": ["area_003"]}
