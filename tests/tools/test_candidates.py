"""Hints that offer ids, through the front door: a name in place of an id means who bears it, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, area, call, documents, hp_delta, move, person, turn
from tests.conftest import MakeCampaign
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, linked

from turnwright import Campaign

PEOPLE = [
    person("pc_001", name="Mira"),
    person("pc_002", name="Tomas"),
    person("zealot", name="Old Grell", character_type="enemy"),
    person("npc_001", name="Odo", hp=None),
]
TARGET = "args.target_character_id"


@pytest.fixture(name="river")
def fixture_river(make_campaign: MakeCampaign) -> Campaign:
    """Give a campaign in which one has no hit points, and whose active character is Mira."""
    return make_campaign(documents(PEOPLE))


def hint(campaign: Campaign, entry: Json, **keys: Any) -> Any:
    reply = campaign.process(turn(entry, **keys), dry_run=True)
    told = reply if reply["status"] == "refused" else reply["tool_feedback"]["failed_calls"][0]
    return told.get("hint")


@pytest.mark.parametrize(
    ("entry", "meant"),
    [
        (hp_delta(-1, "Mira"), "pc_001"),
        (hp_delta(-1, "old  GRELL "), "zealot"),
        (move("AREA 003"), "area_003"),
        (move("area_002", actor=" mira"), "pc_001"),
        (call("map_generate", parent_area_id="Area 004"), "area_004"),
    ],
)
def test_the_id_of_what_is_called_so_comes_first(river: Campaign, entry: Json, meant: str) -> None:
    assert hint(river, entry)["allowed"][0] == meant


@pytest.mark.parametrize(
    ("entry", "field", "got", "choices"),
    [
        (hp_delta(-1, "odo"), TARGET, "odo", ["zealot", "pc_001", "pc_002"]),
        (hp_delta(-1, "npc_001"), TARGET, "npc_001", ["pc_001", "pc_002", "zealot"]),
        (move("Area 004"), "args.to_area_id", "Area 004", ["area_002", "area_003"]),
        (move("area_002", actor="Tomas"), "turn.actor_id", "pc_001", ["pc_002"]),
    ],
)
def test_no_id_will_do_for_another_who_is_named(
    river: Campaign, entry: Json, field: str, got: str, choices: list[str]
) -> None:
    assert hint(river, entry) == {"field": field, "got": got, "choices": choices}


def test_a_place_that_does_not_fit_and_a_misspelt_id_are_answered_with_the_nearest(river: Campaign) -> None:
    assert hint(river, move("area_004"))["choices"] == ["area_002", "area_003"]
    assert hint(river, hp_delta(-1, "zelot"))["allowed"][0] == "zealot"


def test_all_who_bear_a_name_come_first(make_campaign: MakeCampaign) -> None:
    twins = [person("pc_001", name="Mira"), person("x_1", name="Guard"), person("b_9", name="guard")]
    assert hint(make_campaign(documents(twins, party=["pc_001"])), hp_delta(-1, "Guard"))["choices"] == [
        "b_9",
        "x_1",
        "pc_001",
    ]


def test_whoever_acts_may_be_meant_by_name(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents(PEOPLE, protocol={"move_from": "checked", "actor_context": "reject"}))
    assert hint(campaign, hp_delta(), actor_id="Tomas")["allowed"] == ["pc_002"]
    assert hint(campaign, hp_delta(), actor_id="Odo") == {
        "field": "actor_id",
        "got": "Odo",
        "choices": ["pc_001", "pc_002"],
    }
    assert hint(campaign, move("area_002", actor="Mira"))["allowed"] == ["pc_001"]
    assert hint(campaign, move("area_002", actor="Tomas")) == {
        "field": "turn.actor_id",
        "got": "pc_001",
        "choices": ["pc_002"],
    }


def test_the_dying_are_not_healed_in_place_of_another(make_campaign: MakeCampaign) -> None:
    dying = PEOPLE[0] | {"hp": 0, "character_state": "dying"}
    campaign = make_campaign(documents([dying, *PEOPLE[1:]]))
    assert hint(campaign, hp_delta(2, "Tomas")) == {"field": TARGET, "got": "Tomas", "choices": ["pc_001"]}
    assert hint(campaign, hp_delta(2, "Mira"))["allowed"] == ["pc_001"]


def test_the_areas_where_the_party_stands_are_known_on_a_large_map(make_campaign: MakeCampaign) -> None:
    rooms = [area(f"room_{n}", parent=f"house_{n}") for n in range(25)]
    houses = [area(f"house_{n}", f"house_{n + 1}" if n < 24 else "area_001") for n in range(25)]
    people = [PEOPLE[0] | {"position": "room_7"}, *PEOPLE[1:]]
    campaign = make_campaign(documents(people, [area("area_001", "house_0"), *houses, *rooms]))
    assert hint(campaign, call("map_generate", parent_area_id="Room 7"))["allowed"][0] == "room_7"
    assert hint(campaign, call("map_generate", parent_area_id="House 13"))["allowed"][0] == "house_13"


def test_no_hint_tells_of_a_place_that_nobody_has_discovered(make_campaign: MakeCampaign) -> None:
    def place(identifier: str, name: str, **more: Any) -> dict[str, Json]:
        return {f"locations/{identifier}.json": {"id": identifier, "name": name, "location_type": "indoor", **more}}

    vault = place("location-1", "The Vault", area_id="area_004", discovered=False)
    inn = place("location-2", "The Inn", area_id="area_002", discovered=True)
    mill = place("location-3", "The Mill", discovered=True)
    campaign = make_campaign(documents(PEOPLE) | vault | inn | mill)
    for name in ("The Vault", "Area 004", "The Mill"):
        within_reach = {"field": "args.to_area_id", "got": name, "choices": ["area_002", "area_003"]}
        assert hint(campaign, move(name)) == within_reach
    assert hint(campaign, move("the inn"))["allowed"][0] == "area_002"


def test_tools_of_the_toolkit_know_names_as_well(hall: Hall) -> None:
    name = hall.person("brom")["name"]
    told = hall.fail("get_character", character_id=name)
    assert (told["reason"], told["hint"]["allowed"][0]) == ("not_found", "brom")
    batch = hall.fail("manage_effect", batch=[{"operation": "list", "target_id": name}])
    assert batch["hint"]["items"][0]["hint"]["allowed"][0] == "brom"


def test_in_a_fight_names_are_those_of_who_takes_part(hall_with: HallWith) -> None:
    foe = ephemeral("z9", 6, 5) | {"name": "Goblin"}
    hall = hall_with(fight(linked("cyra", 5, 5), foe, ephemeral("grik", 7, 5)))
    act = {"encounter_id": "encounter-1", "actor_id": "cyra", "action_type": "attack"}
    assert hall.fail("execute_action", **act, target_id="goblin")["hint"]["allowed"] == ["z9"]
    assert hall.fail("execute_action", **act, target_ids=["grik", "goblin"])["hint"]["allowed"] == ["z9"]
    assert hall.fail("execute_action", **act, target_ids="goblin")["hint"]["allowed"] == [["z9"]]


@pytest.mark.parametrize(
    ("tool", "args", "field"),
    [
        ("execute_action", {"actor_id": "cyra", "action_type": "attack"}, "target_id"),
        ("render_battlefield", {}, "focus_on"),
        ("check_cover", {"target_id": "z9"}, "attacker_id"),
    ],
)
@pytest.mark.parametrize("stranger", ["brom", "Brom"])
def test_for_who_takes_no_part_in_a_fight_those_who_do_are_to_choose_from(
    hall_with: HallWith, stranger: str, tool: str, args: Json, field: str
) -> None:
    foe = ephemeral("z9", 6, 5) | {"name": "Goblin"}
    hall = hall_with(fight(linked("cyra", 5, 5), foe, ephemeral("grik", 7, 5)))
    told = hall.fail(tool, encounter_id="encounter-1", **args, **{field: stranger})
    assert told["reason"] == "not_found"
    assert told["hint"] == {"field": f"args.{field}", "got": stranger, "choices": ["cyra", "grik", "z9"]}


def test_who_is_in_a_fight_alone_is_nobody_outside_of_it(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("cyra", 5, 5), ephemeral("z9", 6, 5) | {"name": "Goblin"}))
    told = hall.fail("hp_delta", **hp_delta(-1, "Goblin")["args"])["hint"]
    assert (told["field"], told["got"], "allowed" in told) == (TARGET, "Goblin", False)
    assert "z9" not in told["choices"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([5], {"field": "args.target_ids.0", "got": 5, "choices": ["cyra", "grik"]}),
        ([["grik"]], {"field": "args.target_ids.0", "got": ["grik"], "allowed": ["grik"]}),
        (["grik", None], {"field": "args.target_ids.1", "remove": True}),
        ("dragon", {"field": "args.target_ids", "got": "dragon", "allowed": [["dragon"]]}),
    ],
)
def test_nobody_is_put_in_the_place_of_one_of_a_list_whom_nothing_names(
    hall_with: HallWith, given: Json, told: Json
) -> None:
    hall = hall_with(fight(linked("cyra", 5, 5), ephemeral("grik", 7, 5)))
    act = {"encounter_id": "encounter-1", "actor_id": "cyra", "action_type": "attack"}
    assert hall.fail("execute_action", **act, target_ids=given)["hint"] == told
    assert hall.fail("execute_action", **act, target_ids="grikk")["hint"]["allowed"] == [["grik"]]
    assert hall.fail("execute_action", **act, target_ids=["grikk"])["hint"]["allowed"] == ["grik"]


def test_who_is_looked_for_outside_of_a_fight_as_well_is_offered_from_there(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("cyra", 5, 5), ephemeral("z9", 6, 5) | {"name": "Goblin"}))
    stun = {"encounter_id": "encounter-1", "operation": "add", "condition": "stunned"}
    for wanted, meant in ((hall.person("brom")["name"], "brom"), ("brm", "brom"), ("goblin", "z9")):
        assert hall.fail("manage_condition", **stun, target_id=wanted)["hint"]["allowed"][0] == meant


@pytest.mark.parametrize(
    ("tool", "args", "missing"),
    [
        ("advance_turn", {}, "encounter_id"),
        ("get_encounter", {}, "encounter_id"),
        ("resolve_attack", {"actor_id": "cyra", "target_id": "brom"}, "encounter_id"),
        ("manage_aura", {"operation": "remove"}, "aura_id"),
        ("manage_quest", {"operation": "complete_objective", "quest_id": "q"}, "objective_id"),
    ],
)
def test_no_id_is_made_up_to_be_added(hall: Hall, tool: str, args: Json, missing: str) -> None:
    told = hall.fail(tool, **args)
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": f"args.{missing}", "add": True})


def test_a_number_is_the_same_id_as_a_text_where_nobody_is_known(hall: Hall) -> None:
    fight_5 = hall.fail("advance_turn", encounter_id=5)
    assert fight_5["hint"] == {"field": "args.encounter_id", "got": 5, "allowed": ["5"]}
    quest = hall.fail("manage_quest", operation="decline", quest_id=7)
    assert quest["hint"] == {"field": "args.quest_id", "got": 7, "allowed": ["7"]}
