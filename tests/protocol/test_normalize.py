"""Arguments as models write them: camelCase, words spelt loosely, and what is left alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import Json, call, turn
from tests.conftest import MakeCampaign
from tests.golden.repairer import repaired_by
from tests.tools.hall import Hall, fight, hall_documents, linked

from turnwright.protocol.stage3_tools.normalize import normalize_args, snake
from turnwright.rulesets.toolbox import TOOLS


@pytest.fixture
def hall(make_campaign: MakeCampaign) -> Hall:
    return Hall(make_campaign(hall_documents()))


@pytest.fixture
def duel(make_campaign: MakeCampaign) -> Hall:
    people = linked("aria", 0, 0), linked("grik", 5, 5)
    return Hall(make_campaign(hall_documents() | fight(*people)))


# keys


@pytest.mark.parametrize(
    ("camel", "key"),
    [
        ("maxHp", "max_hp"),
        ("saveDC", "save_dc"),
        ("targetHPValue", "target_hp_value"),
        ("HP", "hp"),
        ("max_hp", "max_hp"),
        ("MaxHp", "max_hp"),
        ("characterID", "character_id"),
        ("x1Y2", "x1_y2"),
        ("hp", "hp"),
    ],
)
def test_a_run_of_capitals_is_one_word(camel: str, key: str) -> None:
    assert snake(camel) == key


@given(st.from_regex(r"[a-z]{2,5}(_[a-z]{2,5}){0,3}", fullmatch=True))
def test_every_key_is_understood_in_camel_case(key: str) -> None:
    head, *tail = key.split("_")
    assert snake(head + "".join(word.title() for word in tail)) == key
    assert snake(snake(key)) == snake(key) == key


def test_keys_are_understood_at_every_depth(hall: Hall) -> None:
    action = hall.action(
        "create_character",
        name="Mira",
        maxHp=7,
        customClass={"name": "Sage", "hitDie": 6, "resourceName": "ink", "resourceMax": 2},
    )
    own = {"name": "Sage", "hit_die": 6, "resource_name": "ink", "resource_max": 2}
    assert action["args"] == {"name": "Mira", "max_hp": 7, "custom_class": own}
    assert "corrections" not in action


def test_keys_in_lists_are_understood(hall: Hall) -> None:
    people = [{"id": "g1", "name": "Goblin", "hp": 7, "maxHp": 7, "isEnemy": True, "position": {"x": 1, "y": 1}}]
    action = hall.action("create_encounter", [10], participants=people, terrain={"difficultTerrain": ["1,2"]})
    assert action["args"]["participants"][0]["max_hp"] == 7
    assert action["args"]["terrain"] == {"difficult_terrain": ["1,2"]}


@pytest.mark.parametrize(
    ("args", "field", "then"),
    [
        ({"max_hp": 7, "maxHp": 7}, "args.maxHp", {"remove": True}),
        ({"maxHp": 7, "max_hp": 8}, "args.maxHp", {"got": 7}),
        ({"maxHp": 7, "MaxHP": 7}, "args.MaxHP", {"remove": True}),
        ({"custom_class": {"name": "x", "hitDie": 8, "hit_die": 8}}, "args.custom_class.hitDie", {"remove": True}),
    ],
)
def test_both_spellings_at_once_are_refused(hall: Hall, args: Json, field: str, then: Json) -> None:
    told = hall.fail("create_character", name="Mira", **args)
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": field, **then})


def test_keys_of_free_maps_are_left_alone(hall: Hall) -> None:
    properties = {"ownerName": "Ogg", "owner_name": "Grik", "HP": 3}
    action = hall.action("manage_location", operation="create", name="Cellar", properties=properties)
    assert action["args"]["properties"] == properties
    assert action["result"]["location"]["properties"] == properties


@pytest.mark.parametrize(
    ("key", "value", "meant"),
    [
        ("stat", {"str": 12}, "stats"),
        ("custom_clas", {"name": "Warden"}, "custom_class"),
        ("resistence", ["fire"], "resistances"),
    ],
)
def test_an_unknown_key_is_refused_with_the_one_that_is_misspelt(hall: Hall, key: str, value: Any, meant: str) -> None:
    told = hall.fail("create_character", name="Mira", **{key: value})
    assert told["reason"] == "invalid_args"
    assert told["hints"] == [
        {"field": f"args.{meant}", "add": True, "allowed": [value]},
        {"field": f"args.{key}", "remove": True},
    ]
    assert told["hint"] == told["hints"][0]


@pytest.mark.parametrize("key", ["armor", "stat", "custom_clas"])
def test_an_unknown_key_whose_value_no_known_one_takes_is_asked_about(hall: Hall, key: str) -> None:
    told = hall.fail("create_character", name="Mira", **{key: 3})
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": f"args.{key}", "got": 3})


def test_a_missing_argument_comes_after_one_that_may_not_be(hall: Hall) -> None:
    assert hall.fail("create_character", hitpoints=3)["hint"]["field"] == "args.hitpoints"


def test_core_tools_take_neither(hall: Hall) -> None:
    args = {"targetCharacterId": "aria", "delta": -1, "cause": "a stone"}
    reply = hall.campaign.process(turn(call("hp_delta", **args)))
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]["field"] == "args.target_character_id"


# words


@pytest.mark.parametrize(
    ("tool", "args", "field", "word", "how"),
    [
        ("take_rest", {"rest_type": "shrt"}, "rest_type", "short", "fuzzy"),
        ("take_rest", {"rest_type": "lnog"}, "rest_type", "long", "fuzzy"),
        ("take_rest", {"rest_type": "LONG "}, "rest_type", "long", "case"),
        ("roll_check", {"check_type": "save", "ability": "wisdm"}, "ability", "wis", "fuzzy"),
        ("roll_check", {"check_type": "save", "ability": "dax"}, "ability", "dex", "fuzzy"),
        ("roll_check", {"check_type": "save", "ability": "strength"}, "ability", "str", "alias"),
        ("roll_check", {"check_type": "skill", "skill": "Sleight-of Hand"}, "skill", "sleight_of_hand", "case"),
        ("roll_check", {"check_type": "initiativ"}, "check_type", "initiative", "fuzzy"),
        ("update_character", {"hp": "-1", "damage_type": "Fire "}, "damage_type", "fire", "case"),
        ("update_character", {"hp": "-1", "damage_type": "flame"}, "damage_type", "fire", "alias"),
        ("update_character", {"size": "mediun"}, "size", "medium", "fuzzy"),
        ("update_character", {"character_type": "Monster"}, "character_type", "enemy", "alias"),
    ],
)
def test_words_are_understood_and_what_was_changed_is_told(
    make_campaign: MakeCampaign, tool: str, args: Json, field: str, word: str, how: str
) -> None:
    campaign = make_campaign(hall_documents())
    reply = campaign.process(turn(call(tool, character_id="aria", **args)), dice=[10] if tool == "roll_check" else [])
    action = reply["applied_actions"][0]
    assert action["args"][field] == word
    assert action["corrections"] == [{"field": f"args.{field}", "from": args[field], "to": word, "how": how}]
    assert list(campaign.records())[-1]["tool_calls"][0]["args"][field] == args[field]


def test_a_word_given_exactly_is_no_correction(hall: Hall) -> None:
    assert "corrections" not in hall.action("take_rest", character_id="aria", rest_type="short")


@pytest.mark.parametrize(
    ("tool", "args", "field"),
    [
        ("roll_check", {"check_type": "ability", "ability": "car"}, "ability"),
        ("roll_check", {"check_type": "ability", "ability": "foo"}, "ability"),
        ("roll_check", {"check_type": "ability", "ability": "xyz"}, "ability"),
        ("take_rest", {"rest_type": "short", "clear_conditions": ["banana"]}, "clear_conditions.0"),
    ],
)
def test_what_is_no_word_is_refused_with_the_nearest(hall: Hall, tool: str, args: Json, field: str) -> None:
    told = hall.fail(tool, character_id="aria", **args)
    assert (told["reason"], told["hint"]["field"]) == ("invalid_args", f"args.{field}")
    assert told["hint"]["choices"]
    assert "allowed" not in told["hint"]


def test_a_word_of_nothing_is_to_be_left_out(hall: Hall) -> None:
    told = hall.fail("update_character", character_id="aria", damage_type="")
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": "args.damage_type", "remove": True})


def test_a_word_that_could_be_two_is_ambiguous(hall: Hall) -> None:
    told = hall.fail("take_rest", character_id="aria", rest_type="shong")
    assert (told["status"], told["reason"]) == ("error", "ambiguous")
    assert sorted(told["hint"]["choices"]) == ["long", "short"]


@pytest.mark.parametrize("operation", ["remov", "delet", "Remoove"])
def test_what_destroys_is_never_guessed(hall: Hall, operation: str) -> None:
    assert hall.why("manage_effect", target_id="aria", operation=operation, name="Bless") == "invalid_args"


@pytest.mark.parametrize(("operation", "word"), [("qurey", "query"), ("tik", "tick"), ("LIST", "query")])
def test_other_operations_are_guessed(hall: Hall, operation: str, word: str) -> None:
    assert hall.do("manage_effect", target_id="aria", operation=operation)["operation"] == word


def test_words_deep_inside_are_understood_with_their_places(hall: Hall) -> None:
    action = hall.action(
        "manage_effect",
        target_id="aria",
        operation="Add",
        effect={
            "name": "Ward",
            "type": "Boons",
            "resistances": ["cold", "Flames", "thunderr"],
            "duration": "Until Rest",
            "trigger": "onHit",
        },
    )
    assert [(each["field"], each["to"], each["how"]) for each in action["corrections"]] == [
        ("args.operation", "add", "case"),
        ("args.effect.type", "boon", "fuzzy"),
        ("args.effect.resistances.1", "fire", "alias"),
        ("args.effect.resistances.2", "thunder", "fuzzy"),
        ("args.effect.duration", "until_rest", "case"),
        ("args.effect.trigger", "on_hit", "case"),
    ]


@pytest.mark.parametrize("value", [None, 3, True, ["fire"], {"type": "fire"}])
def test_what_is_no_text_is_left_for_the_checks(value: Any) -> None:
    tool = TOOLS["update_character"]
    assert normalize_args(tool.args, {"damage_type": value}) == ({"damage_type": value}, [])


def test_names_of_people_are_never_corrected(hall: Hall) -> None:
    action = hall.action("create_character", name="  Flame  ", background="FIRE", race="Elv")
    assert action["args"] == {"name": "  Flame  ", "background": "FIRE", "race": "Elv"}


TOOLKIT = [name for name in TOOLS if TOOLS[name].family == "toolkit"]


@pytest.mark.parametrize("name", TOOLKIT)
def test_the_example_of_every_tool_is_understood_as_it_stands(name: str) -> None:
    example = dict(TOOLS[name].example)
    assert normalize_args(TOOLS[name].args, example) == (example, [])


def _camel(value: Any) -> Any:
    if isinstance(value, dict):
        heads = ((key.split("_"), item) for key, item in value.items())
        return {head + "".join(word.title() for word in tail): _camel(item) for (head, *tail), item in heads}
    return [_camel(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", TOOLKIT)
def test_the_example_of_every_tool_is_understood_in_camel_case(name: str) -> None:
    example = dict(TOOLS[name].example)
    assert normalize_args(TOOLS[name].args, _camel(example)) == (example, [])


# hints name keys as they were written

GOBLIN = {"id": "goblin", "name": "Goblin", "hp": 7, "max_hp": 7, "position": {"x": 0, "y": 0}}
FIGHTER = {"id": "g1", "name": "Goblin", "hp": 7, "maxHp": 0, "position": {"x": 1, "y": 1}}


@pytest.mark.parametrize(
    ("tool", "args", "field"),
    [
        ("create_character", {"name": "Mira", "maxHp": 0}, "args.maxHp"),
        ("create_character", {"name": "Mira", "customClass": {"name": "x", "hitDie": 3}}, "args.customClass.hitDie"),
        ("create_character", {"name": "Mira", "customClass": {"hitDie": 6}}, "args.customClass.name"),
        ("create_character", {"name": "Mira", "customRace": {"name": "x", "Wings": 1}}, "args.customRace.Wings"),
        ("create_character", {"name": "Mira", "custom_class": {"name": "x", "hitDie": 3}}, "args.custom_class.hitDie"),
        ("create_encounter", {"participants": [FIGHTER]}, "args.participants.0.maxHp"),
        ("take_rest", {"characterId": "aria", "restType": "banana"}, "args.restType"),
        ("take_rest", {"characterId": "nobody", "restType": "long"}, "args.characterId"),
        ("manage_inventory", {"operation": "take", "characterID": "aria", "itemName": "Longsward"}, "args.itemName"),
        ("apply_damage", {"targetId": "nobody", "damage": 3}, "args.targetId"),
        ("apply_damage", {"target_id": "nobody", "damage": 3}, "args.target_id"),
        ("list_characters", {"minLevel": 99}, "args.minLevel"),
        ("list_characters", {"character_type": "zzz"}, "args.character_type"),
        ("list_characters", {"filter": {"minLevel": 99}}, "args.filter.minLevel"),
        ("resolve_attack", {"encounter_id": "encounter-9", "attackerName": "Aria"}, "args.encounter_id"),
        ("measure_distance", {"from": {"x": 1, "Y": 2.5}, "to": {"x": 1, "y": 2}}, "args.from.Y"),
    ],
)
def test_a_hint_names_the_path_as_it_was_written(hall: Hall, tool: str, args: Json, field: str) -> None:
    told = hall.fail(tool, **args)
    assert told["hint"]["field"] == field
    assert not told["detail"].startswith("args.") or told["detail"].startswith(f"{field}:")


FIGHT: Json = {"encounter_id": "encounter-1"}
BONUSES: Json = {"strength": 2, "DEX": 1}
CONE: Json = {"shape": "cone", "origin": {"x": 0, "y": 0}, "length": 15}
CONTEST: Json = {"check_type": "ability", "ability": "str", "contested_by": "grik"}
STEALTH: Json = {"type": "skill", "skill_or_ability": "stealth"}
OMENS = [{"why": "an omen", "modifier": points} for points in range(6)]


@pytest.mark.parametrize(
    ("tool", "args", "repair"),
    [
        ("create_character", {"custom_race": {"name": "x", "ability_bonuses": BONUSES}}, {"str": 2, "dex": 1}),
        ("create_character", {"custom_race": {"name": "x", "ability_bonuses": BONUSES | {"luck": 1}}}, None),
        ("create_character", {"custom_race": {"name": "x", "ability_bonuses": BONUSES | {"str": 1}}}, None),
        ("execute_action", FIGHT | {"actor_id": "aria", "move_to": [1, 0]}, {"x": 1, "y": 0}),
        ("render_battlefield", FIGHT | {"viewport": [1, 2, 3, 4]}, {"x": 1, "y": 2, "width": 3, "height": 4}),
        ("render_battlefield", FIGHT | {"viewport": [1, 2, 3, 0]}, {"x": 1, "y": 2, "width": 3, "height": 0}),
        ("render_battlefield", FIGHT | {"viewport": ["left", 2, 3, 4]}, None),
        ("render_battlefield", FIGHT | {"viewport": [1]}, None),
        ("execute_action", FIGHT | {"actor_id": "aria", "move_to": "north"}, None),
        ("calculate_movement", {"from": {"x": 1, "y": 1}}, None),
        ("calculate_aoe", CONE | {"direction": "east"}, None),
        ("calculate_aoe", CONE | {"direction": [0, 0.5]}, {"x": 0, "y": 0.5}),
        ("calculate_aoe", CONE | {"direction": [0, "0.5"]}, None),
        ("place_prop", FIGHT | {"operation": "place", "name": "Keg", "type": "barrel"}, None),
        ("manage_spell_slots", {"operation": "set", "character_id": "aria", "slots": {"1": 5}}, None),
        ("create_encounter", {"participants": [GOBLIN], "terrain": {"hazards": ["fire"]}}, None),
        ("modify_terrain", FIGHT | {"operation": "add", "terrain_type": "water"}, None),
        ("modify_terrain", FIGHT | {"operation": "add", "terrain_type": "water", "positions": []}, None),
        ("roll_check", CONTEST | {"contested_check": [None]}, None),
        ("roll_check", CONTEST | {"contested_check": ["skill", "stealth"]}, None),
        ("create_character", {"custom_class": {"name": "x", "resource_scaling": 10_001}}, None),
        ("create_character", {"custom_class": {"name": "x", "resource_scaling": -1}}, None),
        ("create_character", {"custom_class": {"name": "x", "resource_scaling": "0.5"}}, 0.5),
        ("manage_spell_slots", {"operation": "set", "character_id": "aria"}, None),
        ("manage_inventory", {"operation": "give", "character_id": "aria"}, None),
        ("synthesize_spell", {"intent": "x", "proposed_spell": None}, None),
        ("create_character", {"custom_class": 5}, None),
        ("manage_aura", {"operation": "process", "targets": [5]}, None),
        ("synthesize_spell", {"intent": "x", "circumstances": OMENS}, None),
    ],
)
def test_what_is_offered_fits_and_holds_nothing_made_up(duel: Hall, tool: str, args: Json, repair: Any) -> None:
    others: dict[str, Json] = {
        "synthesize_spell": {"caster_id": "aria", "proposed_spell": SPELL},
        "create_character": {"name": "Mira"},
    }
    assert duel.fail(tool, **{**others.get(tool, {}), **args}).get("hint", {}).get("allowed") == (
        None if repair is None else [repair]
    )


SPELL: Json = {"name": "Mist", "level": 1, "effect": {"type": "utility"}}
BLANK = [
    ("create_encounter", {"participants": [GOBLIN | {"name": " "}]}, "args.participants.0.name"),
    ("create_encounter", {"participants": [GOBLIN | {"id": " "}]}, "args.participants.0.id"),
    ("manage_condition", {"target_id": "aria", "operation": "add", "custom_name": " "}, "args.custom_name"),
    ("manage_concentration", {"character_id": "aria", "operation": "set", "spell_name": " "}, "args.spell_name"),
    (
        "modify_terrain",
        FIGHT | {"operation": "add", "terrain_type": "hazard", "positions": ["1,1"], "hazard_details": {"type": " "}},
        "args.hazard_details.type",
    ),
    ("execute_action", FIGHT | {"action_type": "ready", "trigger": " ", "readied_action": "dash"}, "args.trigger"),
    ("execute_action", FIGHT | {"action_type": "ready", "trigger": "it", "readied_action": " "}, "args.readied_action"),
    ("execute_action", FIGHT | {"action_type": "cast_spell", "spell_name": " "}, "args.spell_name"),
    ("manage_aura", {"operation": "create", "owner_id": "aria", "spell_name": " ", "radius": 5}, "args.spell_name"),
    ("use_scroll", {"character_id": "aria", "scroll_name": " ", "spell_level": 1}, "args.scroll_name"),
    ("synthesize_spell", {"caster_id": "aria", "intent": " ", "proposed_spell": SPELL}, "args.intent"),
    ("create_character", {"name": "Mira", "race": " "}, "args.race"),
    ("level_up", {"character_id": "aria", "new_features": [" "]}, "args.new_features.0"),
]


@pytest.mark.parametrize(("tool", "args", "field"), BLANK)
def test_what_is_blank_says_nothing(duel: Hall, tool: str, args: Json, field: str) -> None:
    told = duel.fail(tool, **args)
    assert (told["reason"], told["detail"], told["hint"]["field"]) == ("invalid_args", f"{field}: is blank", field)


def test_in_a_batch_too(hall: Hall) -> None:
    items = [{"characterId": "aria", "restType": "lnog"}, {"characterId": "nobody", "restType": "long"}]
    reply = hall.campaign.process(turn(call("take_rest", batch=items)))
    (action,) = reply["applied_actions"]
    assert action["result"]["results"][1]["hint"]["field"] == "args.batch.1.characterId"


WRONG: list[tuple[str, Json, Json]] = [
    (
        "create_character",
        {"name": "Mira", "customRace": {"name": "Elf", "abilityBonuses": {"dex": "2"}}, "maxHp": "9"},
        {"name": "Mira", "customRace": {"name": "Elf", "abilityBonuses": {"dex": 2}}, "maxHp": 9},
    ),
    ("apply_damage", {"targetId": "arya", "damage": "3"}, {"targetId": "aria", "damage": 3}),
    ("list_characters", {"minLevel": "2", "listAll": None}, {"minLevel": 2}),
    (
        "take_rest",
        {"batch": [{"characterId": "arya", "restType": "long"}]},
        {"batch": [{"characterId": "aria", "restType": "long"}]},
    ),
]


@pytest.mark.parametrize(("tool", "args", "meant"), WRONG)
def test_a_program_that_reads_hints_alone_does_what_was_spelt_or_built_wrongly(
    hall: Hall, tool: str, args: Json, meant: Json
) -> None:
    entry: Any = {"id": "call_001", "tool": tool, "args": args}
    for _ in range(3):
        reply = hall.campaign.process({"tool_calls": [entry]}, dry_run=True)
        if reply["status"] == "applied":
            break
        (failure,) = reply["tool_feedback"]["failed_calls"]
        entry = repaired_by(entry, failure["hint"]["items"][0] if "items" in failure["hint"] else failure)
        assert entry is not None, failure
    assert entry["args"] == meant


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("create_encounter", {"participants": [FIGHTER], "terrain": {"difficultTerrain": ["1;2"]}}),
        ("create_character", {"name": "Mira", "customClass": {"hitDie": "d8", "saveProficiencies": ["foo"]}}),
        ("manage_effect", {"targetId": "ogg", "operation": "add", "effect": {"name": "Curse", "acBonus": "x"}}),
        ("roll_check", {"check_type": "initiative", "manual_rolls": [3]}),
        ("list_characters", {"minLevel": 99, "class": 3}),
        ("take_rest", {"batch": [{"characterId": "arya", "restType": "banana"}]}),
    ],
)
def test_what_nothing_says_is_made_up_by_nobody(hall: Hall, tool: str, args: Json) -> None:
    told = hall.fail(tool, **args)
    told = told["hint"]["items"][0] if "items" in told["hint"] else told
    hints = told.get("hints") or [told["hint"]]
    assert any("allowed" not in hint and not hint.get("remove") for hint in hints)
