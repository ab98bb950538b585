"""Characters of other programs: what is taken, what the rules make of it, and where a file says otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import clock
from tests.imports.heroes import HEROES, Hero
from tests.imports.shapes import ABILITIES, actor, armor, beyond, beyond_item, effect, modifier, weapon

from turnwright import Campaign
from turnwright.model.errors import BadRequest
from turnwright.rulesets.imports import ImportReport

Json = dict[str, Any]


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "game", template="toolkit", seed="1", clock=clock) as opened:
        yield opened


def bring(campaign: Campaign, value: Any, name: str = "hero.json", **options: Any) -> ImportReport:
    """Import one character and return its report."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    (report,) = campaign.import_characters(data, name, **options)["imported"]
    return report


def sheet_of(campaign: Campaign, character_id: str) -> Json:
    document: Json = campaign.state[f"characters/{character_id}.json"]
    return document


def hero_actor(hero: Hero, version: str = "4.1.0") -> Json:
    """Return an actor of our own making with a hero's figures."""
    pact = hero.caster[0] == "pact"
    return actor(
        hero.name,
        hero.scores,
        hero.of_class,
        race=hero.race,
        goods=hero.goods,
        hp=hero.hp,
        version=version,
        speed=hero.speed,
        size=hero.size,
        calc=hero.calc,
        saves=hero.saves,
        slots={} if pact else {int(level): count for level, count in hero.slots.items()},
        pact=hero.slots.get("1", 0) if pact else 0,
        caster=hero.caster,
        die=hero.die,
        feats=hero.feats,
        hp_per_level=hero.hp_per_level,
    )


@pytest.mark.parametrize("version", ["4.1.0", "5.2.3"])
def test_the_twelve_heroes_have_their_figures(campaign: Campaign, version: str) -> None:
    for hero in HEROES:
        report = bring(campaign, hero_actor(hero, version), f"{hero.name}.json")

        document = sheet_of(campaign, hero.name.lower())
        derived = report["derived"]
        assert derived is not None
        assert [document["sheet"]["stats"][ability] for ability in ABILITIES] == list(hero.scores), hero.name
        assert (document["hp"], document["max_hp"], derived["max_hp"]) == (hero.hp, hero.hp, hero.hp), hero.name
        assert hero.ac in (None, derived["ac"]), hero.name
        attacks = {each["name"]: (each["attack_bonus"], each["damage"]) for each in derived["attacks"]}
        assert attacks == hero.attacks, hero.name
        assert derived["spell_slots"] == hero.slots, hero.name
        assert document["sheet"]["speed"] == hero.speed
        assert "save_proficiencies" not in document["sheet"], "they are the class's own"
        assert not report["differences"], hero.name
        assert report["version"] == version


def test_every_value_of_a_file_is_taken_derived_or_dropped(campaign: Campaign) -> None:
    value = hero_actor(HEROES[0])

    report = bring(campaign, value)

    assert sum(field["fields"] for field in report["fields"]) == values_in(value)
    assert {field["how"] for field in report["fields"]} == {"taken", "derived", "dropped"}
    assert all("into" in field for field in report["fields"] if field["how"] != "dropped")
    dropped = {field["path"] for field in report["fields"] if field["how"] == "dropped"}
    assert {"$.img", "$.prototypeToken"} <= dropped


def values_in(value: Any) -> int:
    """Return how many values there are in JSON that say something."""
    if isinstance(value, (dict, list)):
        return sum(map(values_in, value.values() if isinstance(value, dict) else value))
    return value not in (None, "")


def test_a_stated_maximum_wins_and_the_difference_is_shown(campaign: Campaign) -> None:
    value = actor("Mira", (10, 10, 14, 10, 10, 10), "Fighter", race="Human", hp=30, die="d10")
    value["system"]["attributes"]["hp"]["max"] = 20

    report = bring(campaign, value)

    assert report["differences"] == [
        {"value": "max_hp", "file": 20, "derived": 12, "kept": "file"},
        {"value": "hp", "file": 30, "derived": 20, "kept": "derived"},
    ]
    assert sheet_of(campaign, "mira")["hp"] == 20


def test_rolled_hit_dice_are_added_up(campaign: Campaign) -> None:
    gains = {"1": "max", "2": 3, "3": "avg"}
    value = actor("Mira", (10, 10, 14, 10, 10, 10), "Fighter", race="Human", level=3, die="d10", gains=gains)

    report = bring(campaign, value)

    assert report["derived"] is not None
    assert report["derived"]["max_hp"] == 10 + 3 + 6 + 3 * 2
    assert not report["differences"]


def test_more_slots_than_there_can_be_are_not_kept(campaign: Campaign) -> None:
    value = actor("Mira", (10,) * 6, "Wizard", race="Elf", slots={1: 9, 2: 1}, caster=("full", "int"), die="d6")
    value["system"]["spells"]["spell3"]["override"] = 2

    report = bring(campaign, value)

    assert [(each["value"], each["file"], each["derived"], each["kept"]) for each in report["differences"]] == [
        ("spell_slots.3", 2, 0, "file"),
        ("spell_slots.1", 9, 2, "derived"),
        ("spell_slots.2", 1, 0, "derived"),
    ]
    slots = sheet_of(campaign, "mira")["sheet"]["spell_slots"]
    assert slots == {"1": {"current": 2, "max": 2}, "3": {"current": 0, "max": 2}}


def test_only_effects_that_work_on_the_bearer_count(campaign: Campaign) -> None:
    off = effect("Off", "system.attributes.ac.bonus", "5") | {"disabled": True}
    on_target = effect("On a target", "system.attributes.ac.bonus", "5") | {"transfer": False}
    override = effect("Set", "system.attributes.ac.bonus", "5")
    override["changes"][0]["mode"] = 5
    formula = effect("Formula", "system.attributes.ac.bonus", "@prof")
    tough = effect("Tough", "system.attributes.hp.bonuses.level", "2")
    newer = effect("Newer", "", "") | {"changes": []}
    newer["system"] = {"changes": [{"key": "system.traits.dr.value", "type": "add", "value": "fire"}]}
    feats = [(each["name"], [each]) for each in (off, on_target, override, formula, tough, newer)]
    value = actor("Mira", (10,) * 6, "Fighter", race="Human", die="d10", feats=feats)
    value["effects"] = [effect("Prone", "", "") | {"changes": [], "statuses": ["prone", "dodging"]}]

    report = bring(campaign, value)

    document = sheet_of(campaign, "mira")
    assert [each["name"] for each in document["effects"]] == ["Newer"]
    assert document["effects"][0]["resistances"] == ["fire"]
    assert report["derived"] is not None
    assert (report["derived"]["ac"], report["derived"]["max_hp"]) == (10, 12)
    assert [each["condition"] for each in document["conditions"]] == ["prone"]


def test_a_monk_strikes_with_monk_weapons_by_dexterity(campaign: Campaign) -> None:
    goods = [weapon("Quarterstaff", "1d6", "bludgeoning", "ver"), weapon("Maul", "2d6", "bludgeoning", "hvy", "two")]
    report = bring(campaign, actor("Li", (8, 16, 10, 10, 14, 10), "Monk", race="Human", goods=goods))

    assert report["derived"] is not None
    attacks = {each["name"]: each["attack_bonus"] for each in report["derived"]["attacks"]}
    assert attacks == {"Quarterstaff": 5, "Maul": 1}


def test_armor_goes_on_before_hands_are_filled(campaign: Campaign) -> None:
    bow = weapon("Longbow", "1d8", "piercing", "amm", "two", normal=150, long=600)
    sword = weapon("Longsword", "1d8", "slashing")
    goods = [bow, sword, armor("Shield", "shield", 2), armor("Plate", "heavy", 18)]
    bring(campaign, actor("Mira", (16, 10, 10, 10, 10, 10), "Fighter", race="Human", goods=goods))

    assert sheet_of(campaign, "mira")["equipped"] == {"armor": "plate", "mainhand": "longsword", "offhand": "shield"}


def test_a_class_of_ones_own_and_levels_in_several(campaign: Campaign) -> None:
    value = actor("Ada", (10, 10, 14, 16, 10, 10), "Tinker", race="Gnome", level=2, saves=("con", "int"), die="d10")
    gains = {"1": "avg", "2": "avg", "3": "avg"}
    other = actor("x", (10,) * 6, "Wizard", race="x", level=3, die="d6", caster=("full", "int"), gains=gains)
    wizard = other["items"][0]
    value["items"].append(wizard | {"_id": "second0000000000"})

    bring(campaign, value)

    sheet = sheet_of(campaign, "ada")["sheet"]
    assert (sheet["class"], sheet["level"], sheet["features"]) == ("Wizard", 5, ["Tinker 2"])
    assert sheet["save_proficiencies"] == ["con", "int"]
    assert sheet_of(campaign, "ada")["max_hp"] == 12 + 8 + 3 * 6

    bring(campaign, actor("Bea", (10,) * 6, "Tinker", race="Gnome", die="d10", saves=("con",), caster=("half", "int")))

    own = sheet_of(campaign, "bea")["sheet"]["custom_class"]
    assert own == {
        "name": "Tinker",
        "hit_die": 10,
        "spellcasting": "half",
        "spellcasting_ability": "int",
        "save_proficiencies": ["con"],
        "resource_scaling": "none",
    }


@pytest.mark.parametrize(
    ("classes", "slots", "pact", "ability"),
    [
        ("Fighter 5 / Wizard 3", {"1": 4, "2": 2}, None, "int"),
        ("Cleric 3 / Paladin 4", {"1": 4, "2": 3, "3": 2}, None, None),
        ("Rogue 3 / Warlock 2", {}, {"current": 2, "max": 2, "slot_level": 1}, "cha"),
        ("Bard 2 / Ranger 1", {"1": 3}, None, None),
    ],
)
def test_slots_of_several_classes(
    campaign: Campaign, classes: str, slots: dict[str, int], pact: Json | None, ability: str | None
) -> None:
    bring(campaign, f"{{name: Multi, class: {classes}}}".encode(), "x.yaml")

    sheet = sheet_of(campaign, "multi")["sheet"]
    assert {level: pool["max"] for level, pool in sheet.get("spell_slots", {}).items()} == slots
    assert sheet.get("pact_slots") == pact
    assert sheet.get("spellcasting_ability") == ability


def test_somebody_at_no_hit_points_lies_dying(campaign: Campaign) -> None:
    value = actor("Mira", (10,) * 6, "Fighter", race="Human", hp=0)
    value["system"]["attributes"]["death"] = {"success": 1, "failure": 2}

    bring(campaign, value)

    document = sheet_of(campaign, "mira")
    assert (document["hp"], document["character_state"]) == (0, "dying")
    assert (document["death_saves"]["successes"], document["death_saves"]["failures"]) == (1, 2)


BRUNI = beyond(
    "Bruni",
    (14, 8, 13, 10, 15, 12),
    "Cleric",
    level=3,
    base_hp=18,
    removedHitPoints=4,
    modifiers={
        "race": [
            modifier("bonus", "constitution-score", 2),
            modifier("bonus", "wisdom-score", 1),
            modifier("bonus", "hit-points-per-level", 1),
            modifier("resistance", "poison"),
            modifier("set-base", "darkvision", 60),
            modifier("language", "dwarvish"),
        ],
        "class": [
            modifier("proficiency", "wisdom-saving-throws"),
            modifier("proficiency", "charisma-saving-throws"),
            modifier("proficiency", "medicine"),
            modifier("expertise", "religion"),
        ],
        "item": [
            modifier("bonus", "armor-class", 1, componentId=7),
            modifier("set", "strength-score", 19, componentId=99),
        ],
    },
    inventory=[
        beyond_item(
            "Warhammer",
            filterType="Weapon",
            damage={"diceString": "1d8"},
            damageType="Bludgeoning",
            range=5,
            longRange=5,
            properties=[{"name": "Versatile", "notes": "1d10"}],
            grantedModifiers=[modifier("bonus", "magic", 1)],
        ),
        beyond_item("Scale Mail", filterType="Armor", armorClass=14, armorTypeId=2, stealthCheck=2),
        beyond_item("Shield", filterType="Armor", armorClass=2, armorTypeId=4),
        beyond_item("Belt", id=99, equipped=False, magic=True, canAttune=True, rarity="Rare"),
        beyond_item("Arrows", quantity=20, weight=1, bundleSize=20, subType="Ammunition"),
    ],
    spells=[("Sacred Flame", 0, False), ("Bless", 1, True), ("Bane", 1, False)],
    spellSlots=[{"level": 1, "used": 3}, {"level": 2, "used": 0}],
    conditions=[{"id": 12, "level": None}, {"id": 4, "level": 2}],
    characterValues=[{"typeId": 1, "value": 20}],
)


def test_a_sheet_of_d_and_d_beyond(campaign: Campaign) -> None:
    report = bring(campaign, BRUNI)

    document = sheet_of(campaign, "bruni")
    sheet = document["sheet"]
    assert list(sheet["stats"].values()) == [14, 8, 15, 10, 16, 12], "of an item that is not worn nothing counts"
    assert (document["max_hp"], document["hp"]) == (18 + 3 * 2 + 3, 23)
    assert sheet["spell_slots"] == {"1": {"current": 1, "max": 4}, "2": {"current": 2, "max": 2}}
    assert (sheet["resistances"], sheet["senses"], sheet["speed"]) == (["poison"], {"darkvision": 60}, 25)
    assert (sheet["skill_proficiencies"], sheet["skill_expertise"]) == (["medicine", "religion"], ["religion"])
    assert (sheet["cantrips"], sheet["known_spells"], sheet["prepared_spells"]) == (
        ["Sacred Flame"],
        ["Bless", "Bane"],
        ["Bless"],
    )
    assert report["derived"] is not None
    assert report["derived"]["attacks"] == [
        {"name": "Warhammer", "attack_bonus": 4, "damage": "1d8+1+2", "damage_type": "bludgeoning"}
    ]
    assert report["derived"]["ac"] == 14 - 1 + 2 + 1
    assert report["differences"] == [{"value": "ac", "file": 20, "derived": 16, "kept": "derived"}]
    mail = document["inventory"][1]["armor_stats"]
    assert mail == {"base_ac": 14, "category": "medium", "stealth_disadvantage": True}
    arrows = next(item for item in document["inventory"] if item["name"] == "Arrows")
    assert (arrows["type"], arrows["quantity"], arrows["weight"]) == ("ammunition", 20, 0.05)
    assert [(each["condition"], each.get("exhaustion_level")) for each in document["conditions"]] == [
        ("prone", None),
        ("exhaustion", 2),
    ]
    assert sum(field["fields"] for field in report["fields"]) == values_in(BRUNI)
    assert "$.data.decorations" in {field["path"] for field in report["fields"] if field["how"] == "dropped"}


def test_d_and_d_beyond_without_the_answer_around_it_and_with_overrides(campaign: Campaign) -> None:
    value = beyond("Ann", (10,) * 6, "Barbarian", base_hp=12, die=12, overrideHitPoints=40)["data"]
    value["overrideStats"][0]["value"] = 20
    value["modifiers"]["class"] = [modifier("set", "unarmored-armor-class", None, statId=3)]

    report = bring(campaign, value)

    assert report["differences"] == [{"value": "max_hp", "file": 40, "derived": 12, "kept": "file"}]
    assert sheet_of(campaign, "ann")["sheet"]["stats"]["str"] == 20


CSV = (
    "Name,Class & Level,STR,dexterity,AC,Skills,Items,Equipped,Attacks,gp,Remarks\n"
    'Pip,Rogue 3,8,17,15,"Stealth; perception","rapier; leather armor; 20 arrows; Lucky Charm",'
    '"rapier; leather armor","Rapier +7 1d8+3; Sling +5",5,"\'=cmd()"\n'
)


def test_a_table_of_ones_own(campaign: Campaign) -> None:
    report = bring(campaign, CSV.replace(" & ", " and ").encode(), "party.csv")

    document = sheet_of(campaign, "pip")
    assert (document["sheet"]["class"], document["sheet"]["level"]) == ("Rogue", 3)
    assert document["sheet"]["skill_proficiencies"] == ["perception", "stealth"]
    assert [(item["name"], item["quantity"]) for item in document["inventory"]] == [
        ("Rapier", 1),
        ("Leather Armor", 1),
        ("Arrow", 20),
        ("Lucky Charm", 1),
        ("Gold Pieces", 5),
    ]
    assert [(each["value"], each["file"], each["derived"]) for each in report["differences"]] == [
        ("ac", 15, 14),
        ("attacks.Rapier.attack_bonus", 7, 5),
        ("attacks.Sling", "+5", "none"),
    ]
    remarks = next(field for field in report["fields"] if field["path"] == "row 2.Remarks")
    assert remarks["how"] == "dropped"
    record = list(campaign.records())[-1]
    assert list(record["packs"]) == ["srd-5.1"]


def test_yaml_of_ones_own_holds_several(campaign: Campaign) -> None:
    text = """
- name: Pip
  class: Rogue
  level: 3
  stats: {str: 8, dex: 17}
  saves: [DEX, intelligence]
  slots: {1: 2}
  items: [rapier, {name: Odd stone, quantity: 2, weight: 1}]
- name: Zed
  class: Fighter 2 / Wizard 1
  conditions: [prone]
"""
    answer = campaign.import_characters(text.encode(), "party.yml")

    assert [report["character_id"] for report in answer["imported"]] == ["pip", "zed"]
    assert len(answer["reply"]["applied_actions"]) == 2
    assert sheet_of(campaign, "zed")["sheet"]["level"] == 3
    assert sheet_of(campaign, "pip")["inventory"][1] == {
        "id": "odd-stone",
        "name": "Odd stone",
        "type": "misc",
        "quantity": 2,
        "weight": 1,
    }


def test_without_content_items_have_names_alone(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "plain", seed="1", clock=clock) as campaign:
        bring(campaign, b"name: Pip\nclass: Rogue\nitems: [rapier]\n", "pip.yaml")

        assert sheet_of(campaign, "pip")["inventory"] == [
            {"id": "rapier", "name": "rapier", "type": "misc", "quantity": 1}
        ]


def test_an_actor_of_another_version_says_what_to_do(campaign: Campaign) -> None:
    old = actor("Mira", (10,) * 6, "Fighter", race="Human", version="3.3.1")

    with pytest.raises(BadRequest, match=r"_stats\.systemVersion: versions 4 and 5 of dnd5e are read"):
        bring(campaign, old)


def test_other_units_become_feet_pounds_and_gold(campaign: Campaign) -> None:
    bow = weapon("Longbow", "1d8", "piercing", "amm", "two", normal=45, long=180)
    value = actor("Mira", (10,) * 6, "Fighter", race="Human", goods=[bow], die="d10")
    item, race = value["items"][-1]["system"], value["items"][1]["system"]
    item["range"]["units"], race["movement"] = "m", {"walk": 9, "fly": 1, "units": "parsec"}
    value["system"]["attributes"]["movement"] = {"walk": 9, "units": "m"}
    item["weight"], item["price"] = {"value": 1.5, "units": "kg"}, {"value": 5, "denomination": "sp"}

    report = bring(campaign, value)

    document = sheet_of(campaign, "mira")
    stats = document["inventory"][0]["weapon_stats"]
    assert (stats["range"], stats["long_range"]) == (150, 600)
    assert (document["inventory"][0]["weight"], document["inventory"][0]["value"]) == (3, 0.5)
    assert document["sheet"]["speed"] == 30
    assert "fly_speed" not in document["sheet"]
    why = {field.get("why") for field in report["fields"]}
    assert {"in feet", "in pounds", "in gold pieces", "in units that are not known"} <= why


def test_what_is_written_for_foundry_can_attack_there(campaign: Campaign) -> None:
    bring(campaign, hero_actor(HEROES[0]))

    written = json.loads(campaign.export_character("akra", "foundry"))

    weapons = {item["name"]: item["system"] for item in written["items"] if item["type"] == "weapon"}
    kinds = {
        name: [each["attack"]["type"]["value"] for each in system["activities"].values()]
        for name, system in weapons.items()
    }
    assert kinds == {"Light Crossbow": ["ranged"], "Mace": ["melee"]}
    ids = [item["_id"] for item in written["items"]]
    assert len(set(ids)) == len(ids)
    assert all(len(each) == 16 and each.isalnum() for each in ids)


def test_rows_of_a_table_have_the_numbers_of_a_spreadsheet(campaign: Campaign) -> None:
    with pytest.raises(BadRequest, match=r"row 4\.class: wants a class"):
        bring(campaign, b"name,class\nPip,Rogue\n\nZed,\n", "x.csv")


def test_a_class_of_ones_own_of_d_and_d_beyond_casts_as_it_says(campaign: Campaign) -> None:
    value = beyond("Ari", (10, 10, 10, 16, 10, 10), "Tinker", level=5)
    value["data"]["classes"][0]["definition"] |= {
        "canCastSpells": True,
        "spellCastingAbilityId": 4,
        "spellRules": {"multiClassSpellSlotDivisor": 2},
    }
    report = bring(campaign, value)

    assert report["derived"] is not None
    assert report["derived"]["spell_slots"] == {"1": 4, "2": 2}
