"""manage_inventory: what is carried, worn, handed on and used up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

from turnwright.model.character import Character
from turnwright.model.item import Item
from turnwright.rulesets.fifth_edition.belongings import equipment, inventory
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective

TOOL = "manage_inventory"


def give(hall: Hall, name: str, /, to: str = "aria", **item: Any) -> Json:
    """Give somebody an item and return the result."""
    return hall.do(TOOL, operation="give", character_id=to, item={"name": name, **item})


def bag(hall: Hall, character_id: str = "aria") -> dict[str, int]:
    """Return how many pieces somebody has of what."""
    return {item["name"]: item["quantity"] for item in hall.person(character_id).get("inventory", [])}


def worn(hall: Hall, character_id: str = "aria") -> Mapping[str, str]:
    """Return the names of what somebody has equipped, by slot."""
    person = hall.person(character_id)
    names = {item["id"]: item["name"] for item in person.get("inventory", [])}
    return {slot: names[item_id] for slot, item_id in person.get("equipped", {}).items()}


def ac(hall: Hall, character_id: str) -> int:
    """Return the armor class that counts now."""
    return effective(Character.model_validate(hall.person(character_id))).ac.effective


# give


def test_an_item_that_is_given_is_there_with_an_id_of_its_own(hall: Hall) -> None:
    result = give(hall, "Rope", type="equipment", quantity=2, weight=10, properties=["hempen"])
    assert result["item"] == {
        "item_id": "item-1",
        "name": "Rope",
        "type": "equipment",
        "quantity": 2,
        "weight": 10,
        "properties": ["hempen"],
    }
    # 3 + 2 * 0.5 + 2 * 10 pounds; 15 pounds for each point of STR 18.
    assert (result["quantity"], result["total_weight"], result["capacity"]) == (2, 24, 270)
    assert result["encumbered"] is False


def test_equal_names_of_one_type_and_container_stack_and_others_do_not(hall: Hall) -> None:
    give(hall, "Torch", type="equipment", quantity=3)
    stacked = give(hall, " TORCH", type="adventuring gear")
    assert stacked["item"]["quantity"] == 4
    assert give(hall, "Torch", type="misc")["item"]["quantity"] == 1
    assert give(hall, "Torch", type="equipment", container="Backpack")["item"]["quantity"] == 1
    assert [item["quantity"] for item in hall.person("aria")["inventory"] if item["name"] == "Torch"] == [4, 1, 1]


def test_what_a_stack_does_not_take_over_is_told(hall: Hall) -> None:
    action = hall.action(
        TOOL, operation="give", character_id="aria", item={"name": "longsword", "type": "weapon", "weight": 4}
    )
    assert action["warnings"] == ["Longsword was there already, and keeps its own weight"]
    assert action["result"]["item"]["weight"] == 3


def test_the_quantity_may_stand_beside_the_item_but_not_contradict_it(hall: Hall) -> None:
    result = hall.do(
        TOOL, operation="add", character_name="aria", character_id="aria", quantity=5, item={"name": "Nut"}
    )
    assert result["item"]["quantity"] == 5
    failed = hall.fail(TOOL, operation="give", character_id="aria", quantity=5, item={"name": "Nut", "quantity": 4})
    assert (failed["reason"], failed["hint"]) == ("invalid_args", {"field": "args.quantity", "got": 5})


def test_an_item_may_be_given_by_its_name_alone(hall: Hall) -> None:
    result = hall.do(TOOL, operation="give", character_id="aria", item_name="brass compass", quantity=2)
    assert result["item"] == {"item_id": "item-1", "name": "brass compass", "type": "misc", "quantity": 2}
    give(hall, "Gold", type="currency", container="Purse", quantity=5)
    result = hall.do(TOOL, operation="give", character_id="aria", item_name="gold", quantity=10)
    assert (result["item"]["type"], result["item"]["quantity"]) == ("currency", 15)
    failed = hall.fail(TOOL, operation="give", character_id="aria", item_name="  ")
    assert (failed["reason"], failed["hint"]["field"]) == ("invalid_args", "args.item_name")
    failed = hall.fail(TOOL, operation="give", character_id="aria")
    assert (failed["reason"], failed["hint"]["field"]) == ("invalid_args", "args.item")


def test_least_scores_may_be_written_in_both_ways(hall: Hall) -> None:
    effects = {"strSet": 19, "abilityMinimums": {"str": 17, "dex": 12}, "abilityBonuses": {"con": 2}}
    item = give(hall, "Girdle", type="wondrous", mechanicalEffects=effects)["item"]
    assert item["mechanical_effects"] == {"ability_bonuses": {"con": 2}, "ability_minimums": {"dex": 12, "str": 19}}


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ({}, "args.item.name"),
        ({"name": "  "}, "args.item.name"),
        ({"name": "Rope", "quantity": 0}, "args.item.quantity"),
        ({"name": "Rope", "weight": -1}, "args.item.weight"),
        ({"name": "Rope", "type": "banana"}, "args.item.type"),
        ({"name": "Club", "damage": "1q4"}, "args.item.damage"),
        ({"name": "Rope", "colour": "red"}, "args.item.colour"),
        ({"name": "Plate", "armor_stats": {"category": "heavy"}}, "args.item.armor_stats.base_ac"),
    ],
)
def test_an_item_that_is_none_is_invalid(hall: Hall, item: Json, field: str) -> None:
    failed = hall.fail(TOOL, operation="give", character_id="aria", item=item)
    assert (failed["reason"], failed["hint"]["field"]) == ("invalid_args", field)


def test_one_entry_and_one_inventory_hold_only_so_much(hall: Hall, hall_with: HallWith) -> None:
    give(hall, "Pebble", quantity=inventory.MAX_PIECES - 1)
    failed = hall.fail(TOOL, operation="give", character_id="aria", item={"name": "Pebble", "quantity": 2})
    assert (failed["reason"], failed["hint"]) == ("limit_exceeded", {"field": "args.item.quantity", "got": 2})
    hoarder = hall_documents()["characters/brom.json"]
    hoarder["inventory"] = [{"id": f"i{n}", "name": f"Thing {n}"} for n in range(inventory.MAX_ENTRIES)]
    full = hall_with({"characters/brom.json": hoarder})
    assert full.why(TOOL, operation="give", character_id="brom", item={"name": "One more"}) == "limit_exceeded"
    assert give(full, "Thing 7", to="brom")["item"]["quantity"] == 2


# take


def test_taking_the_last_piece_takes_the_entry_and_empties_its_slot(hall: Hall) -> None:
    result = hall.do(TOOL, operation="remove", character_id="aria", item_name="longsword")
    assert (result["quantity"], result["remaining"]) == (1, 0)
    assert result["unequipped"] == [{"slot": "mainhand", "item_id": "item-a1", "name": "Longsword"}]
    assert bag(hall) == {"Potion of Healing": 2}
    assert worn(hall) == {}


def test_more_than_there_is_cannot_be_taken(hall: Hall) -> None:
    failed = hall.fail(TOOL, operation="take", character_id="aria", item_id="item-a2", quantity=3)
    assert failed["reason"] == "rule_violation"
    assert failed["hint"] == {"field": "args.quantity", "got": 3}
    assert hall.do(TOOL, operation="take", character_id="aria", item_id="item-a2", quantity=2)["remaining"] == 0


@pytest.mark.parametrize("operation", ["take", "equip", "transfer", "use"])
def test_what_is_not_carried_is_not_found(hall: Hall, operation: str) -> None:
    rest = {"to_character_id": "brom"} if operation == "transfer" else {}
    failed = hall.fail(TOOL, operation=operation, character_id="aria", item_name="Longsward", **rest)
    assert (failed["reason"], failed["hint"]["allowed"][0]) == ("not_found", "Longsword")
    failed = hall.fail(TOOL, operation=operation, character_id="aria", item_id="item-a9", **rest)
    assert (failed["reason"], failed["hint"]["field"]) == ("not_found", "args.item_id")
    failed = hall.fail(TOOL, operation=operation, character_id="aria", **rest)
    assert (failed["reason"], failed["hint"]["choices"]) == ("invalid_args", ["Longsword", "Potion of Healing"])


def test_a_name_of_two_entries_is_ambiguous_until_the_id_or_the_container_tells(hall: Hall) -> None:
    give(hall, "Potion of Healing", type="consumable", container="Backpack")
    failed = hall.fail(TOOL, operation="take", character_id="aria", item_name="potion of healing")
    assert failed["reason"] == "ambiguous"
    assert failed["hint"] == {"field": "args.item_id", "add": True, "choices": ["item-a2", "item-1"]}
    args = {"operation": "take", "character_id": "aria", "item_name": "potion of healing"}
    assert hall.do(TOOL, **args, from_container="backpack")["item"]["item_id"] == "item-1"
    give(hall, "Potion of Healing", type="consumable", container="Backpack")
    assert hall.do(TOOL, **args, from_container="")["item"]["item_id"] == "item-a2"
    assert hall.why(TOOL, **args, from_container="Chest") == "not_found"
    assert hall.why(TOOL, operation="take", character_id="aria", item_id="item-a2", item_name="Rope") == "invalid_args"


# equip, unequip


def test_a_shield_counts_as_soon_as_it_is_worn(hall: Hall) -> None:
    give(hall, "Shield", to="brom", type="shield", weight=6)
    assert ac(hall, "brom") == 18
    result = hall.do(TOOL, operation="equip", character_id="brom", item_name="shield")
    assert (result["slot"], result["unequipped"], result["equipped"]) == ("offhand", [], {"offhand": "item-1"})
    assert ac(hall, "brom") == 20
    hall.do(TOOL, operation="unequip", character_id="brom", slot="off hand")
    assert ac(hall, "brom") == 18


@pytest.mark.parametrize(
    ("stats", "expected"),
    [
        # DEX 16, so +3.
        ({"base_ac": 12, "category": "light"}, 15),
        ({"base_ac": 14, "category": "medium"}, 16),
        ({"base_ac": 18, "category": "heavy"}, 18),
        ({"baseAc": 11}, 14),
    ],
)
def test_armor_takes_the_place_of_the_sheets_armor_class(hall: Hall, stats: Json, expected: int) -> None:
    give(hall, "Armor", to="cyra", type="armour", armorStats=stats)
    hall.do(TOOL, operation="wear", character_id="cyra", item_name="armor")
    assert ac(hall, "cyra") == expected


def test_armor_that_protects_nobody_is_told_of(hall: Hall) -> None:
    before, told = ac(hall, "cyra"), ["Chain Mail changes no armor class: it has no armor_stats"]
    mail = {"name": "Chain Mail", "type": "armor", "ac": 16}
    assert hall.action(TOOL, operation="give", character_id="cyra", item=mail)["warnings"] == told
    assert hall.action(TOOL, operation="equip", character_id="cyra", item_name="Chain Mail")["warnings"] == told
    assert ac(hall, "cyra") == before


@pytest.mark.parametrize(
    "item",
    [
        {"type": "armor", "armor_stats": {"base_ac": 16}},
        {"type": "armor", "mechanical_effects": {"ac_bonus": 1}},
        {"type": "shield", "ac": 3},
        {"type": "weapon"},
    ],
)
def test_armor_that_protects_and_what_is_none_are_not_warned_of(hall: Hall, item: Json) -> None:
    new = {"name": "New", **item}
    assert "warnings" not in hall.action(TOOL, operation="give", character_id="cyra", item=new)
    assert "warnings" not in hall.action(TOOL, operation="equip", character_id="cyra", item_name="New")


def test_gold_is_currency(hall: Hall) -> None:
    assert give(hall, "Purse", type="gold")["item"]["type"] == "currency"


def test_armor_too_heavy_slows_and_a_girdle_makes_strong(hall: Hall) -> None:
    give(hall, "Plate", to="cyra", type="armor", armor_stats={"base_ac": 18, "category": "heavy", "min_str": 15})
    give(hall, "Girdle", to="cyra", type="wondrous", slot="belt", mechanical_effects={"str_set": 19})
    hall.do(TOOL, operation="equip", character_id="cyra", item_name="Plate")
    values = effective(Character.model_validate(hall.person("cyra")))
    assert (values.speed.effective, values.stats["str"].effective) == (20, 8)
    result = hall.do(TOOL, operation="equip", character_id="cyra", item_name="Girdle")
    values = effective(Character.model_validate(hall.person("cyra")))
    assert (result["slot"], values.speed.effective, values.stats["str"].effective) == ("belt", 30, 19)


@pytest.mark.parametrize(("girdle", "ring"), [("belt", "ring1"), ("ring1", "belt")])
def test_a_least_score_is_compared_with_all_that_is_added_whatever_the_slots(
    hall: Hall, girdle: str, ring: str
) -> None:
    give(hall, "Girdle", to="cyra", type="wondrous", slot=girdle, mechanical_effects={"str_set": 19})
    give(hall, "Band", to="cyra", type="wondrous", slot=ring, mechanical_effects={"ability_bonuses": {"str": 2}})
    for name in ("Girdle", "Band"):
        hall.do(TOOL, operation="equip", character_id="cyra", item_name=name)
    values = effective(Character.model_validate(hall.person("cyra")))
    assert values.stats["str"].effective == 19


def test_who_was_in_the_slot_leaves_it_and_an_item_leaves_its_other_slot(hall: Hall) -> None:
    give(hall, "Axe", type="weapon")
    result = hall.do(TOOL, operation="equip", character_id="aria", item_name="axe")
    assert result["unequipped"] == [{"slot": "mainhand", "item_id": "item-a1", "name": "Longsword"}]
    result = hall.do(TOOL, operation="equip", character_id="aria", item_name="axe", slot="offhand")
    assert result["equipped"] == {"offhand": "item-1"}
    assert result["unequipped"] == [{"slot": "mainhand", "item_id": "item-1", "name": "Axe"}]


def test_two_pieces_of_one_entry_fill_two_hands(hall: Hall) -> None:
    give(hall, "Dagger", to="dain", type="weapon", quantity=2)
    hall.do(TOOL, operation="equip", character_id="dain", item_name="dagger")
    hall.do(TOOL, operation="equip", character_id="dain", item_name="dagger", slot="offhand")
    assert worn(hall, "dain") == {"mainhand": "Dagger", "offhand": "Dagger"}
    result = hall.do(TOOL, operation="take", character_id="dain", item_name="dagger")
    assert [left["slot"] for left in result["unequipped"]] == ["offhand"]
    assert worn(hall, "dain") == {"mainhand": "Dagger"}


@pytest.mark.parametrize("word", ["two-handed", "Two-Handed", "two handed", "two_handed", "twohanded"])
def test_a_weapon_for_two_hands_takes_both(hall: Hall, word: str) -> None:
    give(hall, "Greatsword", type="weapon", properties=["heavy", word])
    give(hall, "Shield", type="shield")
    hall.do(TOOL, operation="equip", character_id="aria", item_name="Shield")
    assert worn(hall) == {"mainhand": "Longsword", "offhand": "Shield"}
    result = hall.do(TOOL, operation="equip", character_id="aria", item_name="Greatsword")
    assert [left["name"] for left in result["unequipped"]] == ["Longsword", "Shield"]
    assert worn(hall) == {"mainhand": "Greatsword"}
    result = hall.do(TOOL, operation="equip", character_id="aria", item_name="Shield")
    assert [left["name"] for left in result["unequipped"]] == ["Greatsword"]
    assert worn(hall) == {"offhand": "Shield"}


def test_a_versatile_weapon_needs_one_hand_and_force_needs_none(hall: Hall) -> None:
    give(hall, "Spear", type="weapon", weapon_stats={"properties": ["versatile (1d8)"]})
    give(hall, "Pike", type="weapon", weapon_stats={"properties": ["two-handed"]})
    hall.do(TOOL, operation="equip", character_id="aria", item_name="Spear", slot="offhand")
    assert worn(hall) == {"mainhand": "Longsword", "offhand": "Spear"}
    hall.do(TOOL, operation="equip", character_id="aria", item_name="Pike", force=True)
    assert worn(hall) == {"mainhand": "Pike", "offhand": "Spear"}


def test_armor_is_put_on_with_a_weapon_for_two_hands_in_them(hall: Hall) -> None:
    give(hall, "Pike", type="weapon", properties=["two-handed"])
    give(hall, "Leather", type="armor", armor_stats={"base_ac": 11})
    hall.do(TOOL, operation="equip", character_id="aria", item_name="Pike")
    hall.do(TOOL, operation="equip", character_id="aria", item_name="Leather")
    assert worn(hall) == {"mainhand": "Pike", "armor": "Leather"}


def test_what_is_equipped_is_no_longer_in_a_container(hall: Hall) -> None:
    give(hall, "Axe", type="weapon", container="Backpack")
    result = hall.do(TOOL, operation="equip", character_id="aria", item_name="Axe")
    assert (result["item"]["item_id"], "container" in result["item"]) == ("item-1", False)
    assert all("container" not in item for item in hall.person("aria")["inventory"])


def test_one_piece_is_taken_out_of_a_stack_and_ammunition_all_at_once(hall: Hall) -> None:
    give(hall, "Dagger", type="weapon", quantity=3, container="Belt")
    give(hall, "Arrow", type="ammunition", quantity=20, container="Belt")
    result = hall.do(TOOL, operation="equip", character_id="aria", item_name="Dagger")
    assert (result["item"]["item_id"], result["item"]["quantity"]) == ("item-3", 1)
    hall.do(TOOL, operation="equip", character_id="aria", item_name="Arrow")
    left = [(item["name"], item["quantity"], item.get("container")) for item in hall.person("aria")["inventory"][2:]]
    assert left == [("Dagger", 2, "Belt"), ("Dagger", 1, None), ("Arrow", 20, None)]
    assert worn(hall) == {"mainhand": "Dagger", "quiver": "Arrow"}
    second = hall.do(TOOL, operation="equip", character_id="aria", item_id="item-1", slot="offhand")
    assert (second["item"]["item_id"], second["item"]["quantity"]) == ("item-3", 2)
    assert worn(hall) == {"mainhand": "Dagger", "offhand": "Dagger", "quiver": "Arrow"}


@pytest.mark.parametrize(
    ("item", "slot", "fits"),
    [
        ({"type": "armor"}, "head", "armor"),
        ({"type": "shield"}, "mainhand", "offhand"),
        ({"type": "weapon"}, "armor", "mainhand"),
        ({"type": "ammunition"}, "belt", "quiver"),
        ({"type": "wondrous", "slot": "ring1"}, "neck", "ring1"),
        ({"type": "wondrous", "slot": "cloak"}, "head", "cloak"),
        ({"type": "wondrous"}, "armor", "head"),
    ],
)
def test_a_slot_has_to_suit_the_item_unless_it_is_forced(hall: Hall, item: Json, slot: str, fits: str) -> None:
    give(hall, "Thing", to="brom", **item)
    failed = hall.fail(TOOL, operation="equip", character_id="brom", item_name="thing", slot=slot)
    assert (failed["reason"], failed["hint"]["choices"][0]) == ("rule_violation", fits)
    assert "allowed" not in failed["hint"]
    forced = hall.do(TOOL, operation="equip", character_id="brom", item_name="thing", slot=slot, force=True)
    assert forced["slot"] == slot


def test_rings_go_to_the_free_finger(hall: Hall) -> None:
    for name in ("Ring of Warmth", "Ring of Jumping"):
        give(hall, name, type="wondrous")
        hall.do(TOOL, operation="equip", character_id="aria", item_name=name)
    assert worn(hall) == {"mainhand": "Longsword", "ring1": "Ring of Warmth", "ring2": "Ring of Jumping"}


def test_coins_are_nothing_to_wear_and_a_lantern_has_no_usual_slot(hall: Hall) -> None:
    give(hall, "Gold", type="treasure", quantity=10)
    give(hall, "Lantern", type="gear")
    assert hall.why(TOOL, operation="equip", character_id="aria", item_name="gold") == "rule_violation"
    failed = hall.fail(TOOL, operation="equip", character_id="aria", item_name="lantern")
    assert (failed["reason"], failed["hint"]["field"]) == ("invalid_args", "args.slot")
    assert (
        hall.do(TOOL, operation="equip", character_id="aria", item_name="lantern", slot="left hand")["slot"]
        == "offhand"
    )


def test_a_fourth_attuned_item_is_refused_until_one_is_taken_off(hall: Hall) -> None:
    for name, slot in (("Cloak", "cloak"), ("Boots", "feet"), ("Amulet", "neck"), ("Helm", "head")):
        give(hall, name, type="wondrous", slot=slot, requires_attunement=True)
    for name in ("Cloak", "Boots", "Amulet"):
        hall.do(TOOL, operation="equip", character_id="aria", item_name=name)
    assert hall.why(TOOL, operation="equip", character_id="aria", item_name="Helm") == "rule_violation"
    assert hall.why(TOOL, operation="equip", character_id="aria", item_name="Helm", force=True) == "rule_violation"
    hall.do(TOOL, operation="unequip", character_id="aria", item_name="Boots")
    assert hall.do(TOOL, operation="equip", character_id="aria", item_name="Helm")["slot"] == "head"


def test_what_takes_the_slot_of_an_attuned_item_takes_its_attunement_too(hall: Hall) -> None:
    for name, slot in (("Cloak", "cloak"), ("Boots", "feet"), ("Amulet", "neck"), ("Torc", "neck")):
        give(hall, name, type="wondrous", slot=slot, requires_attunement=True)
    for name in ("Cloak", "Boots", "Amulet", "Torc"):
        result = hall.do(TOOL, operation="equip", character_id="aria", item_name=name)
    assert [left["name"] for left in result["unequipped"]] == ["Amulet"]


def test_only_what_is_equipped_can_be_unequipped(hall: Hall) -> None:
    failed = hall.fail(TOOL, operation="unequip", character_id="aria", slot="head")
    assert (failed["reason"], failed["hint"]["choices"]) == ("rule_violation", ["mainhand"])
    failed = hall.fail(TOOL, operation="unequip", character_id="aria", item_name="Potion of Healing")
    assert (failed["reason"], failed["hint"]["choices"]) == ("rule_violation", ["Longsword"])
    failed = hall.fail(TOOL, operation="unequip", character_id="aria")
    assert (failed["reason"], failed["hint"]["choices"]) == ("invalid_args", ["mainhand"])
    give(hall, "Buckler", type="shield")
    hall.do(TOOL, operation="equip", character_id="aria", item_name="Buckler")
    failed = hall.fail(TOOL, operation="unequip", character_id="aria", item_name="Longsword", slot="offhand")
    assert (failed["reason"], failed["hint"]["choices"]) == ("rule_violation", ["mainhand"])
    result = hall.do(TOOL, operation="unequip", character_id="aria", item_id="item-a1")
    assert (result["slot"], result["equipped"]) == ("mainhand", {"offhand": "item-1"})
    assert "nothing" in hall.fail(TOOL, operation="unequip", character_id="brom", slot="head")["detail"]


# list


def test_a_list_tells_everything_and_what_it_weighs(hall: Hall) -> None:
    result = hall.do(TOOL, operation="view", character_name="Dain")
    assert result["items"] == []
    result = hall.do(TOOL, operation="list", character_id="aria")
    assert [item["name"] for item in result["items"]] == ["Longsword", "Potion of Healing"]
    assert result["items"][0]["weapon_stats"] == {"damage": "1d8", "damage_type": "slashing"}
    assert (result["count"], result["equipped"]) == (2, {"mainhand": "item-a1"})
    assert (result["total_weight"], result["capacity"], result["encumbered"]) == (4, 270, False)


def test_a_list_leaves_out_what_is_not_asked_for(hall: Hall) -> None:
    args: Json = {"operation": "list", "character_id": "aria"}
    assert [item["name"] for item in hall.do(TOOL, **args, filter_type="potion")["items"]] == ["Potion of Healing"]
    assert [item["name"] for item in hall.do(TOOL, **args, show_inventory=False)["items"]] == ["Longsword"]
    without = hall.do(TOOL, **args, show_equipped=False)
    assert [item["name"] for item in without["items"]] == ["Potion of Healing"]
    assert without["equipped"] is None
    brief = hall.do(TOOL, **args, show_stats=False)["items"][0]
    assert brief == {"item_id": "item-a1", "name": "Longsword", "type": "weapon", "quantity": 1}


@pytest.mark.parametrize(
    ("character_id", "capacity"), [("ogg", 2 * 15 * 19), ("dain", 150), ("grik", 120), ("lena", None)]
)
def test_the_large_carry_twice_as_much_and_of_nobody_without_a_sheet_is_known(
    hall: Hall, character_id: str, capacity: int | None
) -> None:
    assert hall.do(TOOL, operation="list", character_id=character_id)["capacity"] == capacity


@pytest.mark.parametrize(
    ("size", "expected"),
    [("tiny", 82.5), ("small", 165), ("medium", 165), ("large", 330), ("huge", 660), ("gargantuan", 1320)],
)
def test_capacity_goes_by_size(size: Any, expected: float) -> None:
    assert inventory.capacity(11, size) == expected


def test_who_carries_too_much_is_told_so_and_no_more(hall: Hall) -> None:
    assert give(hall, "Anvil", to="cyra", weight=120.5)["encumbered"] is True
    result = hall.do(TOOL, operation="take", character_id="cyra", item_name="anvil")
    assert (result["total_weight"], result["encumbered"]) == (0, False)


def test_weights_are_summed_without_the_errors_of_floats(hall: Hall) -> None:
    assert give(hall, "Feather", to="brom", weight=0.1, quantity=3)["total_weight"] == 0.3


# transfer


def test_what_is_handed_over_stacks_and_leaves_the_hand_it_was_in(hall: Hall) -> None:
    give(hall, "Potion of Healing", to="brom", type="consumable", weight=0.5, effect="Heal 2d4+2")
    result = hall.do(
        TOOL, operation="transfer", character_id="aria", item_name="potion of healing", to_character_name="brom"
    )
    assert (result["quantity"], result["remaining"], result["from"], result["to"]) == (1, 1, "aria", "brom")
    assert (result["item"]["item_id"], result["item"]["quantity"]) == ("item-1", 2)
    result = hall.do(TOOL, operation="transfer", character_id="aria", item_id="item-a1", to_character_id="brom")
    assert [left["slot"] for left in result["unequipped"]] == ["mainhand"]
    assert worn(hall) == {}
    assert bag(hall, "brom") == {"Potion of Healing": 2, "Longsword": 1}
    assert hall.person("brom")["inventory"][1]["id"] == "item-a1"


def test_pieces_of_a_stack_get_an_id_of_their_own(hall: Hall) -> None:
    result = hall.do(TOOL, operation="transfer", character_id="aria", item_id="item-a2", to_character_id="dain")
    assert result["item"]["item_id"] == "item-1"
    assert (bag(hall), bag(hall, "dain")) == ({"Longsword": 1, "Potion of Healing": 1}, {"Potion of Healing": 1})


def test_an_id_that_the_taker_has_for_something_else_is_changed(hall_with: HallWith) -> None:
    taker = hall_documents()["characters/brom.json"] | {
        "inventory": [{"id": "item-a1", "name": "Mace", "type": "weapon"}]
    }
    hall = hall_with({"characters/brom.json": taker})
    hall.do(TOOL, operation="transfer", character_id="aria", item_id="item-a1", to_character_id="brom")
    assert [item["id"] for item in hall.person("brom")["inventory"]] == ["item-a1", "item-1"]


def test_nobody_hands_something_to_themselves_or_to_nobody(hall: Hall) -> None:
    args: Json = {"operation": "transfer", "character_id": "aria", "item_id": "item-a1"}
    failed = hall.fail(TOOL, **args, to_character_id="aria")
    assert (failed["reason"], failed["hint"]["choices"][0]) == ("invalid_args", "brom")
    missing = hall.fail(TOOL, **args)
    assert (missing["reason"], missing["hint"]["choices"][:2]) == ("invalid_args", ["brom", "cyra"])
    assert "aria" not in missing["hint"]["choices"]
    assert hall.why(TOOL, **args, to_character_id="bromm") == "not_found"
    assert hall.why(TOOL, **args, to_character_name="aria") == "ambiguous"
    assert hall.why(TOOL, **args, to_character_id="brom", quantity=2) == "rule_violation"


def test_who_is_alone_in_the_party_may_hand_to_all_others(hall: Hall) -> None:
    give(hall, "Rope", "lena")
    hall.do("manage_party", operation="clear")
    hall.do("manage_party", operation="add", character_id="lena")
    args: Json = {"operation": "transfer", "character_id": "lena", "item_name": "Rope"}
    others = ["aria", "aria_2", "brom", "cyra", "dain", "grik", "ogg"]
    assert hall.fail(TOOL, **args, to_character_id="lena")["hint"]["choices"] == others
    by_name = hall.fail(TOOL, **args, to_character_name="LENA")["hint"]
    assert (by_name["field"], by_name["got"]) == ("args.to_character_name", "LENA")
    assert {"Brom", "Ogg"} < set(by_name["choices"])
    assert "Lena" not in by_name["choices"]
    assert hall.fail(TOOL, **args)["hint"] == {"field": "args.to_character_id", "add": True, "choices": others}


def test_handing_over_too_much_is_told(hall: Hall) -> None:
    give(hall, "Anvil", weight=130)
    action = hall.action(TOOL, operation="transfer", character_id="aria", item_name="anvil", to_character_id="cyra")
    assert action["warnings"] == ["Cyra now carries more than 120 pounds"]
    assert action["result"]["encumbered"] is False


# use


def test_a_potion_heals_and_is_gone(hall: Hall) -> None:
    args: Json = {"operation": "use", "character_id": "aria", "item_name": "potion of healing"}
    result = hall.do(TOOL, [1, 2], **args, target_name="dain")
    assert (result["quantity"], result["remaining"]) == (1, 1)
    assert result["healing"] == {
        "target_id": "dain",
        "expression": "2d4+2",
        "rolls": [1, 2],
        "total": 5,
        "healed": 5,
        "hp": 25,
        "max_hp": 38,
    }
    result = hall.do(TOOL, [4, 4], **args)
    assert (result["remaining"], result["healing"]["healed"], result["healing"]["hp"]) == (0, 0, 44)
    assert bag(hall) == {"Longsword": 1}


def test_healing_wakes_who_is_at_zero(hall_with: HallWith) -> None:
    down = hall_documents()["characters/dain.json"] | {"hp": 0, "character_state": "dying"}
    down |= {"conditions": [{"condition": "unconscious", "source": "hp_zero"}], "death_saves": {"failures": 2}}
    hall = hall_with({"characters/dain.json": down})
    hall.do(TOOL, [1, 1], operation="use", character_id="aria", item_id="item-a2", target_id="dain")
    dain = hall.person("dain")
    assert (dain["hp"], dain["character_state"]) == (4, "alive")
    assert "conditions" not in dain
    assert "death_saves" not in dain


def test_a_potion_reaches_an_ephemeral_participant_and_counts_in_the_fight(hall_with: HallWith) -> None:
    guard = ephemeral("guard", 2, 1, hp=10, character_type="npc")
    guard["body"] |= {"hp": 1}
    hall = hall_with(fight(linked("aria", 1, 1), guard))
    result = hall.do(TOOL, [3, 3], operation="use", character_id="aria", item_id="item-a2", target_name="Guard")
    assert (result["healing"]["target_id"], result["healing"]["hp"]) == ("guard", 9)
    people = {person["id"]: person for person in hall.encounter()["participants"]}
    assert people["guard"]["body"]["hp"] == 9
    assert people["aria"]["statistics"] == {"healing_done": 8}


def test_the_dead_cannot_be_healed_and_no_potion_is_lost(hall_with: HallWith) -> None:
    dead = hall_documents()["characters/dain.json"] | {"hp": 0, "character_state": "dead"}
    hall = hall_with({"characters/dain.json": dead})
    args: Json = {"operation": "use", "character_id": "aria", "item_id": "item-a2", "target_id": "dain"}
    assert hall.why(TOOL, **args) == "rule_violation"


def test_uses_are_counted_and_what_is_no_consumable_stays(hall: Hall) -> None:
    give(hall, "Wand", type="wondrous", uses_remaining=1, effect="Three darts of force")
    args: Json = {"operation": "use", "character_id": "aria", "item_name": "wand"}
    result = hall.do(TOOL, **args)
    assert (result["remaining"], result["healing"]) == (0, None)
    assert result["item"]["effect"] == "Three darts of force"
    assert hall.why(TOOL, **args) == "rule_violation"
    give(hall, "Kit", type="consumable", uses_remaining=2)
    args |= {"item_name": "kit"}
    assert hall.do(TOOL, **args)["remaining"] == 1
    assert hall.do(TOOL, **args)["remaining"] == 0
    assert "Kit" not in bag(hall)
    give(hall, "Rope", type="equipment")
    assert hall.do(TOOL, operation="use", character_id="aria", item_name="rope")["remaining"] is None
    assert bag(hall)["Rope"] == 1


@pytest.mark.parametrize("effect", ["heal 1d4", "Heals 1d4 hit points.", "HEAL: 1d4 hp"])
def test_healing_may_be_written_in_several_ways(hall: Hall, effect: str) -> None:
    give(hall, "Herb", type="consumable", effect=effect)
    assert (
        hall.do(TOOL, [3], operation="use", character_id="aria", item_name="herb", target_id="dain")["healing"]["hp"]
        == 23
    )


@pytest.mark.parametrize("effect", ["Heal somebody", "Heal", "Restores 2d4", "Heal 99999d4"])
def test_an_effect_that_is_no_dice_is_left_to_the_game_master(hall: Hall, effect: str) -> None:
    give(hall, "Herb", type="consumable", effect=effect)
    assert hall.do(TOOL, operation="use", character_id="aria", item_name="herb")["healing"] is None


# move


def test_moving_splits_stacks_and_joins_them_again(hall: Hall) -> None:
    args: Json = {"operation": "move", "character_id": "aria", "item_id": "item-a2"}
    result = hall.do(TOOL, **args, to_container=" Backpack ", quantity=1)
    assert (result["from"], result["to"], result["remaining"], result["quantity"]) == (None, "Backpack", 1, 1)
    assert (result["item"]["item_id"], result["item"]["container"]) == ("item-1", "Backpack")
    result = hall.do(TOOL, **args, to_container="backpack")
    assert (result["remaining"], result["item"]["item_id"], result["item"]["quantity"]) == (0, "item-1", 2)
    result = hall.do(TOOL, operation="move", character_id="aria", item_id="item-1", to_container="")
    assert (result["from"], result["to"]) == ("Backpack", None)
    assert "container" not in result["item"]


def test_a_whole_entry_keeps_its_id_and_leaves_its_slot(hall: Hall) -> None:
    result = hall.do(TOOL, operation="move", character_id="aria", item_name="longsword", to_container="Backpack")
    assert result["item"]["item_id"] == "item-a1"
    assert [left["slot"] for left in result["unequipped"]] == ["mainhand"]
    assert worn(hall) == {}
    args: Json = {"operation": "move", "character_id": "aria", "item_name": "longsword"}
    assert hall.why(TOOL, **args, to_container="backpack") == "conflict"
    assert hall.why(TOOL, **args) == "invalid_args"
    assert hall.why(TOOL, **args, to_container="Chest", quantity=2) == "rule_violation"


# all of them


def test_items_of_a_batch_see_what_those_before_them_did(hall: Hall) -> None:
    sword = {"operation": "take", "character_id": "aria", "item_name": "TERROR blade"}
    reply = hall.reply(
        TOOL,
        {
            "batch": [
                {"operation": "give", "character_id": "aria", "item": {"name": "TERROR blade", "type": "weapon"}},
                {"operation": "equip", "character_id": "aria", "item_name": "terror blade"},
                sword,
                sword,
            ]
        },
    )
    assert reply["status"] == "partial"
    result = reply["applied_actions"][0]["result"]
    assert [entry["ok"] for entry in result["results"]] == [True, True, True, False]
    assert result["results"][3]["reason"] == "not_found"
    assert bag(hall) == {"Longsword": 1, "Potion of Healing": 2}


def test_an_atomic_batch_does_all_or_nothing(hall: Hall) -> None:
    sword = {"operation": "take", "character_id": "aria", "item_id": "item-a1"}
    assert hall.why(TOOL, batch=[sword, sword], atomic=True) == "not_found"
    assert bag(hall) == {"Longsword": 1, "Potion of Healing": 2}


@pytest.mark.parametrize(
    "args", [{}, {"operation": "eat"}, {"operation": "list"}, {"operation": "list", "who": "aria"}]
)
def test_a_call_without_an_operation_or_a_person_is_invalid(hall: Hall, args: Json) -> None:
    assert hall.why(TOOL, **args) == "invalid_args"


def test_names_that_are_nobodys_or_two_peoples_fail(hall: Hall) -> None:
    assert hall.why(TOOL, operation="list", character_name="Aria") == "ambiguous"
    assert hall.why(TOOL, operation="list", character_name="Zed") == "not_found"
    assert hall.why(TOOL, operation="list", character_id="../../aria") == "not_found"


# properties of the rules

ITEMS = st.lists(
    st.builds(
        lambda name, quantity, uses: {"name": name, "type": "consumable", "quantity": quantity} | uses,
        st.sampled_from(["Potion", "Kit", "Herb"]),
        st.integers(1, 9),
        st.one_of(st.just({}), st.builds(lambda n: {"uses_remaining": n}, st.integers(0, 30))),
    ),
    max_size=6,
)


def _with_all(items: list[Json]) -> Character:
    character = Character.model_validate({"id": "a", "hp": 1, "max_hp": 1})
    for number, item in enumerate(items):
        character = inventory.with_item(character, Item.model_validate({"id": f"i{number}", **item})).character
    return character


def _uses(character: Character) -> int:
    return sum(item.quantity if item.uses_remaining is None else item.uses_remaining for item in character.inventory)


@given(ITEMS)
def test_stacking_loses_no_piece_and_leaves_one_entry_a_name(items: list[Json]) -> None:
    character = _with_all(items)
    assert sum(item.quantity for item in character.inventory) == sum(item["quantity"] for item in items)
    names = [item.name for item in character.inventory]
    assert len(names) == len(set(names))


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(ITEMS, st.data())
def test_taking_and_giving_back_changes_nothing_that_is_counted(items: list[Json], data: st.DataObject) -> None:
    character = _with_all(items)
    if not character.inventory:
        return
    item = data.draw(st.sampled_from(character.inventory))
    quantity = data.draw(st.integers(1, item.quantity))
    taken = inventory.without_item(character, item, quantity)
    assert taken.left + taken.item.quantity == item.quantity
    back = inventory.with_item(taken.character, taken.item).character
    assert sum(held.quantity for held in back.inventory) == sum(held.quantity for held in character.inventory)
    assert _uses(back) == _uses(character)


@given(ITEMS, st.lists(st.tuples(st.sampled_from(equipment.SLOTS), st.integers(0, 5)), max_size=12))
def test_no_entry_fills_more_slots_than_it_has_pieces(items: list[Json], moves: list[tuple[str, int]]) -> None:
    character = _with_all(items)
    for slot, index in moves:
        if index < len(character.inventory):
            character = equipment.with_equipped(character, character.inventory[index], slot).character
    for item in character.inventory:
        assert len(equipment.slots_of(character, item.id)) <= item.quantity
    assert len(character.equipped) <= len(equipment.SLOTS)


@given(ITEMS)
def test_using_everything_up_takes_just_as_many_uses_as_there_are(items: list[Json]) -> None:
    character = _with_all(items)
    wanted, done = _uses(character), 0
    while usable := next((item for item in character.inventory if not inventory.is_used_up(item)), None):
        character = inventory.with_item_used(character, usable).character
        done += 1
    assert done == wanted
    assert all(inventory.is_used_up(item) for item in character.inventory)


# a receiver, whatever the key


@pytest.mark.parametrize(
    "key",
    [
        *("to", "recipient", "receiver", "to_character_id", "to_character_name", "toCharacterName", "to_name"),
        *("giveTo", "target", "target_id", "target_name", "target_character_name", "recipient_id", "for"),
        *("from", "from_character_name", "from_character_id"),
    ],
)
@pytest.mark.parametrize("item", [{"item": "potion"}, {"item": {"name": "potion"}}, {"item_name": "potion"}])
@pytest.mark.parametrize("whose", [{"character_name": "Brom"}, {}])
def test_giving_to_somebody_else_is_asked_about_and_never_makes_an_item(
    hall: Hall, key: str, item: Json, whose: Json
) -> None:
    failed = hall.fail(TOOL, operation="give", **whose, **item, **{key: "Aria"})
    assert failed["hint"] == {"field": "args.operation", "got": "give", "choices": ["transfer"]}
    assert "hints" not in failed, "no repair that drops or renames who gets it"
    assert "transfer hands something to somebody else" in failed["detail"]


def test_taking_for_somebody_else_is_asked_about(hall: Hall) -> None:
    failed = hall.fail(TOOL, operation="take", character_name="Brom", item_name="Rope", recipient="Aria")
    assert failed["hint"] == {"field": "args.operation", "got": "take", "choices": ["transfer"]}


@pytest.mark.parametrize("key", ["to", "recipient", "target_name", "to_character_name"])
@pytest.mark.parametrize("item", ["Rope", {"name": "Rope"}])
def test_the_answer_leads_to_the_thing_being_handed_over(hall: Hall, key: str, item: Any) -> None:
    give(hall, "Rope", to="brom")
    args: Json = {"operation": "transfer", "character_id": "brom", "item": item, key: "Cyra"}
    for told in (hints := hall.fail(TOOL, **args)).get("hints", [hints["hint"]]):
        name = told["field"].removeprefix("args.")
        if told.get("remove"):
            del args[name]
        else:
            args[name] = told["allowed"][0]
    hall.do(TOOL, **args)
    assert "Rope" in bag(hall, "cyra")
    assert "Rope" not in bag(hall, "brom")


@pytest.mark.parametrize("key", ["owner", "character", "player"])
def test_a_key_for_the_owner_alone_is_still_repaired(hall: Hall, key: str) -> None:
    failed = hall.fail(TOOL, operation="give", item_name="Rope", **{key: "Aria"})
    assert failed["hint"] == {"field": "args.character_name", "add": True, "allowed": ["Aria"]}
