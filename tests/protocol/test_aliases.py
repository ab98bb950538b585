"""Old names of tools: what each does now, with its renames and the arguments it stands for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, call, turn
from tests.conftest import MakeCampaign
from tests.golden.repairer import repaired
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

from turnwright.rulesets.aliases import ALIASES
from turnwright.rulesets.toolbox import TOOLS

FIGHT = {"encounter_id": "encounter-1"}
PLACES = {
    f"locations/{name.lower()}.json": {"id": name.lower(), "name": name, "location_type": "dungeon"}
    for name in ("Gate", "Cellar")
}
QUESTS: dict[str, Json] = {
    "quests/quest-1.json": {"id": "quest-1", "title": "Rats"},
    "quests/quest-2.json": {
        "id": "quest-2",
        "title": "Wolves",
        "status": "active",
        "objectives": [{"id": "objective-1", "text": "Find the den"}],
    },
}
CASES: list[tuple[str, Json, str, Json]] = [
    ("apply_damage", {"target_id": "aria", "damage": 5}, "update_character", {"character_id": "aria", "hp": "-5"}),
    (
        "apply_damage",
        {"targetName": "Brom", "Damage": 5},
        "update_character",
        {"character_name": "Brom", "hp": "-5"},
    ),
    ("apply_damage", {"target_id": "aria", "hp": "-5"}, "update_character", {"character_id": "aria", "hp": "-5"}),
    ("start_quest", {"quest_id": "quest-1"}, "manage_quest", {"operation": "start", "quest_id": "quest-1"}),
    (
        "complete_objective",
        {"questId": "quest-2", "objectiveId": "objective-1"},
        "manage_quest",
        {"operation": "complete_objective", "quest_id": "quest-2", "objective_id": "objective-1"},
    ),
    (
        "complete_quest",
        {"quest_id": "quest-2", "force": True},
        "manage_quest",
        {"operation": "complete", "quest_id": "quest-2", "force": True},
    ),
    ("quick_roll", {"roll": "1d6"}, "roll_dice", {"expression": "1d6"}),
    ("quick_roll", {"formula": "1d6", "label": "x"}, "roll_dice", {"expression": "1d6", "label": "x"}),
    (
        "resolve_attack",
        {"attacker_id": "aria", "target_id": "g1"} | FIGHT,
        "execute_action",
        {"action_type": "attack", "actor_id": "aria", "target_id": "g1"} | FIGHT,
    ),
    (
        "resolve_attack",
        {"attacker_name": "Aria", "target_name": "G1"} | FIGHT,
        "execute_action",
        {"action_type": "attack", "actor_name": "Aria", "target_name": "G1"} | FIGHT,
    ),
    (
        "batch_execute_action",
        {"actions": [{"actor_id": "aria", "action_type": "dodge"} | FIGHT]},
        "execute_action",
        {"batch": [{"actor_id": "aria", "action_type": "dodge"} | FIGHT]},
    ),
    ("get_encounter_summary", FIGHT, "get_encounter", {"verbosity": "summary"} | FIGHT),
    ("list_characters", {}, "get_character", {"list_all": True}),
    ("list_characters", {"character_type": "enemy"}, "get_character", {"filter": {"type": "enemy"}}),
    ("list_characters", {"characterType": "foe"}, "get_character", {"filter": {"type": "enemy"}}),
    (
        "list_characters",
        {"class": "wizard", "min_level": 2, "maxLevel": 9},
        "get_character",
        {"filter": {"class": "wizard", "min_level": 2, "max_level": 9}},
    ),
    ("list_characters", {"filter": {"type": "pc"}}, "get_character", {"filter": {"type": "pc"}}),
    (
        "list_characters",
        {"filter": {"type": "pc"}, "min_level": 2},
        "get_character",
        {"filter": {"type": "pc", "min_level": 2}},
    ),
    (
        "list_characters",
        {"listAll": False, "type": "pc"},
        "get_character",
        {"list_all": False, "filter": {"type": "pc"}},
    ),
    ("fetch_character_template", {"name": "Mira"}, "create_character", {"preview_template": True, "name": "Mira"}),
    (
        "check_concentration",
        {"character_id": "cyra", "damage": 4},
        "manage_concentration",
        {"operation": "check", "character_id": "cyra", "damage_amount": 4},
    ),
    (
        "check_concentration",
        {"character_id": "cyra", "damageTaken": 4},
        "manage_concentration",
        {"operation": "check", "character_id": "cyra", "damage_amount": 4},
    ),
    (
        "break_concentration",
        {"character_id": "cyra"},
        "manage_concentration",
        {"operation": "break", "character_id": "cyra"},
    ),
    (
        "get_concentration",
        {"character_id": "cyra"},
        "manage_concentration",
        {"operation": "get", "character_id": "cyra"},
    ),
    (
        "create_aura",
        {"owner_id": "brom", "spell_name": "Spirits", "radius": 15},
        "manage_aura",
        {"operation": "create", "owner_id": "brom", "spell_name": "Spirits", "radius": 15},
    ),
    (
        "process_aura",
        {"aura_id": "aura-7", "targets": [{"target_id": "aria", "distance": 90}]},
        "manage_aura",
        {"operation": "process", "aura_id": "aura-7", "targets": [{"target_id": "aria", "distance": 90}]},
    ),
    (
        "get_adjacent_squares",
        {"position": {"x": 3, "y": 3}},
        "calculate_movement",
        {"mode": "adjacent", "from_position": {"x": 3, "y": 3}},
    ),
    ("create_location", {"name": "Tower"}, "manage_location", {"operation": "create", "name": "Tower"}),
    ("get_location", {"location_id": "gate"}, "manage_location", {"operation": "get", "location_id": "gate"}),
    (
        "link_rooms",
        {"from_room_id": "gate", "toRoomId": "cellar"},
        "manage_location",
        {"operation": "link", "from_location_id": "gate", "to_location_id": "cellar"},
    ),
    (
        "unlink_rooms",
        {"from_room_id": "gate", "to_room_id": "stable"},
        "manage_location",
        {"operation": "unlink", "from_location_id": "gate", "to_location_id": "stable"},
    ),
    ("add_session_note", {"content": "x"}, "manage_notes", {"operation": "add", "content": "x"}),
    ("search_notes", {"query": "x"}, "manage_notes", {"operation": "search", "query": "x"}),
]


@pytest.fixture
def hall(make_campaign: MakeCampaign) -> Hall:
    """Give the hall with a fight, an aura, two quests, and three places of which two are linked."""
    edge = {"id": "edge-7", "to_location_id": "stable", "connection_type": "door"}
    gate = {"locations/gate.json": {"id": "gate", "name": "Gate", "edges": [edge]}}
    stable = {"locations/stable.json": {"id": "stable", "name": "Stable"}}
    aura = {"auras/aura-7.json": {"id": "aura-7", "owner_id": "brom", "spell_name": "Light", "radius": 5}}
    people = linked("aria", 0, 0), ephemeral("g1", 1, 0)
    return Hall(make_campaign(hall_documents() | PLACES | QUESTS | gate | stable | aura | fight(*people)))


def test_every_old_name_is_tried_and_belongs_to_a_tool() -> None:
    assert {name for name, *_ in CASES} == set(ALIASES)
    assert len(ALIASES) == 22
    assert all(alias.tool in TOOLS for alias in ALIASES.values())
    assert not set(ALIASES) & set(TOOLS)


@pytest.mark.parametrize(
    ("name", "given", "tool", "understood"), CASES, ids=lambda case: case if isinstance(case, str) else ""
)
def test_an_old_name_does_what_its_tool_does(hall: Hall, name: str, given: Json, tool: str, understood: Json) -> None:
    (action,) = hall.campaign.process(turn(call(name, **given)))["applied_actions"]
    assert (action["tool"], action["alias_of"], action["args"]) == (tool, name, understood)


@pytest.mark.parametrize(
    ("name", "given", "tool", "understood"), CASES, ids=lambda case: case if isinstance(case, str) else ""
)
def test_the_tool_does_the_same_without_an_alias(
    hall: Hall, name: str, given: Json, tool: str, understood: Json
) -> None:
    old = hall.campaign.process(turn(call(name, **given)), dry_run=True)["applied_actions"]
    new = hall.campaign.process(turn(call(tool, **understood)), dry_run=True)["applied_actions"]
    assert "alias_of" not in new[0]
    assert old[0]["result"] == new[0]["result"]


@pytest.mark.parametrize(
    ("name", "args", "field", "allowed"),
    [
        ("create_location", {"name": "x", "operation": "delete"}, "args.operation", ["create"]),
        ("get_encounter_summary", FIGHT | {"verbosity": "detailed"}, "args.verbosity", ["summary"]),
        ("resolve_attack", FIGHT | {"actor_id": "aria", "action_type": "dodge"}, "args.action_type", ["attack"]),
        ("fetch_character_template", {"name": "x", "preview_template": False}, "args.preview_template", [True]),
        ("resolve_attack", FIGHT | {"actor_id": "aria", "actionType": "dodge"}, "args.actionType", ["attack"]),
        ("create_location", {"name": "x", "operation": "banana"}, "args.operation", ["create"]),
        ("list_characters", {"listAll": False}, "args.listAll", [True]),
    ],
)
def test_what_contradicts_the_old_name_is_refused(
    hall: Hall, name: str, args: Json, field: str, allowed: list[Any]
) -> None:
    told = hall.fail(name, **args)
    assert (told["tool"], told["reason"]) == (name, "invalid_args")
    assert (told["hint"]["field"], told["hint"]["choices"]) == (field, allowed)


@pytest.mark.parametrize(
    ("name", "args", "key", "value"),
    [
        ("create_location", {"name": "Tower", "operation": "create"}, "operation", "create"),
        ("create_location", {"name": "Tower", "Operation": "Create"}, "operation", "create"),
        ("add_session_note", {"content": "x", "operation": "new"}, "operation", "add"),
        ("get_encounter_summary", FIGHT | {"verbosity": "sumary"}, "verbosity", "summary"),
        ("fetch_character_template", {"name": "x", "previewTemplate": True}, "preview_template", True),
        ("list_characters", {"listAll": True}, "list_all", True),
        ("get_adjacent_squares", {"position": {"x": 3, "y": 3}, "Mode": "beside"}, "mode", "adjacent"),
    ],
)
def test_what_the_old_name_stands_for_may_be_said_too(hall: Hall, name: str, args: Json, key: str, value: Any) -> None:
    assert hall.action(name, **args)["args"][key] == value


def test_what_is_said_so_is_a_correction_like_any_other(hall: Hall) -> None:
    args = FIGHT | {"attacker_id": "aria", "target_id": "g1", "actionType": "Attack"}
    (action,) = hall.campaign.process(turn(call("resolve_attack", **args)))["applied_actions"]
    told = {"field": "args.action_type", "from": "Attack", "to": "attack", "how": "case"}
    assert action["corrections"] == [told]


@pytest.mark.parametrize(
    ("name", "args", "field"),
    [
        ("quick_roll", {"roll": "1d6", "expression": "1d8"}, "args.roll"),
        ("quick_roll", {"roll": "1d6", "formula": "1d8"}, "args.formula"),
        ("resolve_attack", FIGHT | {"attacker_id": "aria", "actor_id": "g1"}, "args.attacker_id"),
        ("resolve_attack", FIGHT | {"attacker_id": "aria", "attackerId": "g1"}, "args.attackerId"),
        ("batch_execute_action", {"actions": [], "batch": []}, "args.actions"),
        ("apply_damage", {"target_id": "aria", "damage": 3, "hp": 4}, "args.hp"),
        ("apply_damage", {"target_id": "aria", "damage": 3, "Healing": 4}, "args.Healing"),
        ("apply_damage", {"target_id": "aria", "hp": "-3", "healing": 4}, "args.healing"),
        ("apply_damage", {"target_id": "aria", "damage": 3, "characterState": "dead"}, "args.characterState"),
        ("apply_damage", {"targetId": "aria", "target_id": "aria", "damage": 3}, "args.targetId"),
        ("list_characters", {"characterType": "pc", "character_type": "npc"}, "args.characterType"),
        ("list_characters", {"character_type": "pc", "type": "npc"}, "args.type"),
        ("list_characters", {"minLevel": 2, "filter": {"min_level": 3}}, "args.minLevel"),
    ],
)
def test_an_old_and_a_new_argument_do_not_stand_together(hall: Hall, name: str, args: Json, field: str) -> None:
    told = hall.fail(name, **args)
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": field, "remove": True})


@pytest.mark.parametrize("args", [{}, {"amount": 3}, {"hp": 12}, {"hp": "+3"}, {"healing": 3}, {"name": "Ana"}])
def test_damage_that_is_not_given_is_asked_for_before_anything_else(hall: Hall, args: Json) -> None:
    told = hall.fail("apply_damage", target_id="aria", **args)
    assert (told["status"], told["reason"], told["detail"]) == ("error", "invalid_args", "args.damage: is required")
    assert told["hint"] == {"field": "args.damage", "add": True}


@pytest.mark.parametrize("damage", [-3, "8", 2.5, None, True, "2d6", 10**15])
def test_an_amount_of_damage_is_a_number_from_nothing_up(hall: Hall, damage: Any) -> None:
    told = hall.fail("apply_damage", target_id="aria", damage=damage)
    assert (told["reason"], told["hint"]["field"]) == ("invalid_args", "args.damage")
    assert told["hint"].get("allowed") == ([8] if damage == "8" else None)


def test_damage_of_nothing_is_none(hall: Hall) -> None:
    assert hall.do("apply_damage", target_id="aria", damage=0)["changes"] == {}


@pytest.mark.parametrize("key", ["batch", "actions"])
def test_an_old_name_takes_a_batch_with_its_renames_in_every_item(hall: Hall, key: str) -> None:
    items = [{"targetId": "aria", "damage": 3}, {"target_id": "brom", "damage": -1}]
    if key == "actions":
        assert hall.why("apply_damage", actions=items) == "invalid_args"
        return
    action = hall.reply("apply_damage", {"batch": items})["applied_actions"][0]
    first, second = action["result"]["results"]
    assert action["args"]["batch"][0] == {"character_id": "aria", "hp": "-3"}
    assert first["result"]["hp"]["after"] == 41
    assert second["hint"]["field"] == "args.batch.1.damage"


@pytest.mark.parametrize("key", ["actions", "Actions", "batch"])
def test_hints_of_a_batch_name_it_as_it_was_written(hall: Hall, key: str) -> None:
    name = "batch_execute_action"
    items = [{"actor_id": "aria", "action_type": "Dodge"}, {"actorId": "nobody", "action_type": "dash"}, 3]
    action = hall.reply(name, {key: items} | FIGHT)["applied_actions"][0]
    entries = action["result"]["results"]
    assert [entry["hint"]["field"] for entry in entries[1:]] == [f"args.{key}.1.actorId", f"args.{key}.2"]
    assert list(action["args"]) == ["batch", "encounter_id"]
    assert action["corrections"][0]["field"] == "args.batch.0.action_type"
    assert hall.fail(name, **{key: []})["hint"]["field"] == f"args.{key}"
    assert hall.fail(name, **{key: 3})["detail"] == f"args.{key}: wants a list"
    assert hall.fail(name, **{key: [{}] * 21})["hint"]["field"] == f"args.{key}"
    told = hall.fail(name, **{key: [{"actor_id": "aria", "action_type": "x"}], "atomic": True} | FIGHT)
    assert told["hint"]["field"] == f"args.{key}.0.action_type"
    assert f"args.{key}.0.action_type: " in told["detail"]


@pytest.mark.parametrize(
    "args",
    [
        {"actions": [{"actorId": "arya", "action_type": "dodgex"}], "foo": None} | FIGHT,
        {"actions": {"actor_id": "aria", "action_type": "dogde"}} | FIGHT,
        {"Actions": [{"actor_name": "Arya", "actionType": "dodge", "comment": "quick"}], "atomic": True} | FIGHT,
    ],
)
def test_a_program_that_reads_hints_alone_repairs_a_batch(hall: Hall, args: Json) -> None:
    entry: Any = call("batch_execute_action", **args)
    for _ in range(8):
        reply = hall.campaign.process(turn(entry))
        if reply["status"] == "applied":
            return
        repair = reply["tool_feedback"]["failed_calls"][0]["hint"]
        entry = repaired(entry, repair if "field" in repair else repair["items"][0]["hint"])
        assert entry is not None, repair
    pytest.fail(f"not repaired: {entry}")


@pytest.mark.parametrize(
    ("item", "key", "choice"),
    [
        ({"action_type": "dogde2x"}, "action_type", "dodge"),
        ({"action_type": "banana"}, "action_type", "dash"),
        ({"action_type": "dodge", "speed": 3}, "speed", None),
    ],
)
@pytest.mark.parametrize("atomic", [False, True])
def test_what_nothing_says_in_a_batch_is_asked_about(
    hall: Hall, item: Json, key: str, choice: str | None, *, atomic: bool
) -> None:
    told = hall.fail("batch_execute_action", actions=[{"actor_id": "aria", **item}], atomic=atomic, **FIGHT)
    (entry,) = told["hint"]["items"]
    assert (entry["hint"]["field"], entry["hint"]["got"]) == (f"args.actions.0.{key}", item[key])
    assert choice is None or choice in entry["hint"]["choices"]
    assert not {"allowed", "remove"} & {*entry["hint"], *told["hint"]}


def test_only_old_names_of_arguments_are_parts_of_others(hall: Hall) -> None:
    assert hall.fail("list_characters", **{"filter.type": "pc"})["hint"]["field"] == "args.filter.type"
    assert hall.fail("list_characters", filter="pc", type="npc")["hint"]["field"] == "args.filter"
    assert hall.do("list_characters", filter=None, type="npc")["count"] == 2


def test_the_allowlist_knows_tools_by_their_own_names(make_campaign: MakeCampaign) -> None:
    values = hall_documents()
    values["campaign.json"]["allowlist"] = ["roll_dice", "list_characters"]
    hall = Hall(make_campaign(values))
    assert hall.do("quick_roll", [3], roll="1d6")["total"] == 3
    assert hall.why("list_characters") == "tool_not_allowed"
    assert hall.why("apply_damage", target_id="aria", damage=3) == "tool_not_allowed"


def test_what_was_asked_is_logged_as_it_came(hall: Hall) -> None:
    hall.campaign.process(turn(call("quick_roll", roll="1d6")))
    record = list(hall.campaign.records())[-1]
    assert record["tool_calls"] == [call("quick_roll", roll="1d6")]
    assert record["applied_actions"][0]["tool"] == "roll_dice"


def test_reading_by_an_old_name_needs_no_turn(hall: Hall) -> None:
    assert hall.campaign.query("list_characters", {})["result"]["count"] == 8


def test_a_failed_call_keeps_the_name_it_was_asked_by(hall: Hall) -> None:
    assert hall.fail("get_location", location_id="nowhere")["tool"] == "get_location"


def test_an_atomic_turn_that_fails_tells_of_its_calls_as_they_were_called(hall: Hall) -> None:
    calls = [call("quick_roll", "one", expression="1d6"), call("roll_dice", "two", expression="x")]
    reply = hall.campaign.process(turn(*calls, atomic=True))
    aborted, failed = reply["tool_feedback"]["failed_calls"]
    assert (aborted["tool"], aborted["reason"]) == ("quick_roll", "turn_aborted")
    assert (failed["tool"], failed["reason"]) == ("roll_dice", "invalid_args")


def test_a_turn_that_is_wanted_again_for_its_narration_tells_of_its_calls_as_they_were_called(hall: Hall) -> None:
    hall.campaign.set({"narration.check": "retry"})
    told = turn(call("quick_roll", expression="1d6"), turn_id="t", assistant_text="Aria loses 30 hit points.")
    replies = [hall.campaign.process({**told, "x_attempt": number}) for number in range(3)]
    assert [reply["status"] for reply in replies] == ["retry_needed", "retry_needed", "failed"]
    assert {reply["tool_feedback"]["failed_calls"][0]["tool"] for reply in replies} == {"quick_roll"}
