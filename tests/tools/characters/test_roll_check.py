"""roll_check: modifiers worked out by hand, what helps and hinders, and contests."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, fight, linked

EVERYBODY = ["aria", "aria_2", "brom", "cyra", "dain", "grik", "lena", "ogg"]
LEVELS = {"exhaustion": {"condition": "exhaustion", "exhaustion_level": 1}}


def ailing(who: str, *conditions: str, **more: Any) -> dict[str, Json]:
    return changed(who, conditions=[{"condition": name} | more for name in conditions])


def effect(who: str, **values: Any) -> dict[str, Json]:
    return changed(who, effects=[{"effect_id": "e", "name": "Boon"} | values])


def check(hall: Hall, who: str | None, kind: str, dice: tuple[int, ...] = (10,), /, **args: Any) -> Json:
    person = {} if who is None else {"character_id": who}
    return hall.do("roll_check", dice, **person, check_type=kind, **args)


@pytest.mark.parametrize(
    ("who", "kind", "what", "ability", "parts"),
    [
        ("dain", "skill", {"skill": "stealth"}, "dex", (4, 6, 0)),
        ("dain", "skill", {"skill": "acrobatics"}, "dex", (4, 3, 0)),
        ("dain", "skill", {"skill": "perception"}, "wis", (1, 0, 0)),
        ("aria", "skill", {"skill": "athletics"}, "str", (4, 3, 0)),
        ("aria", "ability", {"ability": "cha"}, "cha", (-1, 0, 0)),
        ("aria", "save", {"ability": "con"}, "con", (2, 3, 0)),
        ("aria", "save", {"ability": "wis"}, "wis", (1, 0, 0)),
        ("cyra", "save", {"ability": "int"}, "int", (4, 3, 0)),
        ("grik", "save", {"ability": "str"}, "str", (-1, 0, 0)),
        ("aria", "attack", {"ability": "str"}, "str", (4, 3, 0)),
        ("cyra", "attack", {"ability": "str"}, "str", (-1, 3, 0)),
        ("aria", "initiative", {}, "dex", (2, 0, 0)),
        ("aria", "initiative", {"bonus": 5}, "dex", (2, 0, 5)),
        ("aria", "ability", {"ability": "str", "bonus": -3}, "str", (4, 0, -3)),
        (None, "ability", {"ability": "str", "bonus": 2}, "str", (0, 0, 2)),
        (None, "attack", {"ability": "str"}, "str", (0, 0, 0)),
        ("lena", "attack", {"ability": "str"}, "str", (0, 0, 0)),
        ("lena", "save", {"ability": "con", "bonus": 1}, "con", (0, 0, 1)),
    ],
)
def test_what_is_added_to_the_die(
    hall: Hall, who: str | None, kind: str, what: Json, ability: str, parts: tuple[int, int, int]
) -> None:
    result = check(hall, who, kind, **what)
    assert result["ability"] == ability
    assert (result["ability_mod"], result["proficiency"], result["bonus"]) == parts
    assert (result["modifier"], result["total"]) == (sum(parts), 10 + sum(parts))


@pytest.mark.parametrize(("natural", "dc", "success"), [(10, 14, True), (10, 15, False), (20, 40, False), (1, 2, True)])
def test_only_the_total_decides_a_check_or_a_save(hall: Hall, natural: int, dc: int, success: bool) -> None:
    result = check(hall, "aria", "ability", (natural,), ability="str", dc=dc)
    assert (result["success"], result["nat20"], result["nat1"]) == (success, natural == 20, natural == 1)


@pytest.mark.parametrize(("natural", "dc", "success"), [(20, 99, True), (1, 2, False), (7, 14, True), (6, 14, False)])
def test_the_die_decides_an_attack(hall: Hall, natural: int, dc: int, success: bool) -> None:
    assert check(hall, "aria", "attack", (natural,), ability="str", dc=dc)["success"] is success


def test_without_a_dc_nothing_succeeds_or_fails(hall: Hall) -> None:
    result = check(hall, "aria", "save", ability="dex")
    assert (result["dc"], result["success"], result["contest"]) == (None, None, None)


@pytest.mark.parametrize(
    ("flags", "dice", "natural", "mode"),
    [
        ({"advantage": True}, (3, 17), 17, "advantage"),
        ({"disadvantage": True}, (3, 17), 3, "disadvantage"),
        ({"advantage": True, "disadvantage": True}, (3,), 3, "cancelled"),
        ({}, (3,), 3, "normal"),
    ],
)
def test_advantage_throws_twice_and_cancels_with_disadvantage(
    hall: Hall, flags: Json, dice: tuple[int, ...], natural: int, mode: str
) -> None:
    result = check(hall, "aria", "ability", dice, ability="str", **flags)
    assert (result["rolls"], result["natural"], result["mode"]) == (list(dice), natural, mode)


@pytest.mark.parametrize(
    ("conditions", "kind", "what", "mode"),
    [
        (("poisoned",), "skill", {"skill": "arcana"}, "disadvantage"),
        (("poisoned",), "initiative", {}, "disadvantage"),
        (("poisoned",), "attack", {"ability": "str"}, "disadvantage"),
        (("poisoned",), "save", {"ability": "str"}, "normal"),
        (("restrained",), "save", {"ability": "dex"}, "disadvantage"),
        (("restrained",), "save", {"ability": "con"}, "normal"),
        (("exhaustion",), "ability", {"ability": "int"}, "disadvantage"),
        (("frightened",), "ability", {"ability": "int"}, "disadvantage"),
        (("invisible",), "attack", {"ability": "dex"}, "advantage"),
        (("invisible", "blinded"), "attack", {"ability": "dex"}, "cancelled"),
    ],
)
def test_conditions_are_consulted(
    hall_with: HallWith, conditions: tuple[str, ...], kind: str, what: Json, mode: str
) -> None:
    dice = (10, 10) if mode.endswith("advantage") else (10,)
    hall = hall_with(changed("aria", conditions=[LEVELS.get(name, {"condition": name}) for name in conditions]))
    assert check(hall, "aria", kind, dice, **what)["mode"] == mode


@pytest.mark.parametrize("condition", ["paralyzed", "petrified", "stunned", "unconscious"])
def test_the_helpless_fail_saves_of_strength_and_dexterity_with_the_die_drawn(
    hall_with: HallWith, condition: str
) -> None:
    hall = hall_with(ailing("aria", condition))
    failed = check(hall, "aria", "save", (20,), ability="dex", dc=5)
    assert (failed["natural"], failed["auto_fail"], failed["success"]) == (20, True, False)
    made = check(hall, "aria", "save", (20,), ability="con", dc=5)
    assert (made["auto_fail"], made["success"]) == (False, True)


@pytest.mark.parametrize(
    ("values", "kind", "what", "bonus", "ability_mod"),
    [
        ({"saving_throw_bonus": 2}, "save", {"ability": "wis"}, 2, 1),
        ({"saving_throw_bonus": 2}, "ability", {"ability": "wis"}, 0, 1),
        ({"attack_bonus": 3}, "attack", {"ability": "str"}, 3, 4),
        ({"ability_bonuses": {"wis": 4}}, "skill", {"skill": "survival"}, 0, 3),
    ],
)
def test_effects_are_reckoned_in(
    hall_with: HallWith, values: Json, kind: str, what: Json, bonus: int, ability_mod: int
) -> None:
    result = check(hall_with(effect("aria", **values)), "aria", kind, **what)
    assert (result["bonus"], result["ability_mod"]) == (bonus, ability_mod)


@pytest.mark.parametrize("roll", ["stealth", "Dex Checks", "ability_checks", "dex"])
def test_effects_give_advantage_on_what_they_name(hall_with: HallWith, roll: str) -> None:
    hall = hall_with(effect("dain", advantage_on=[roll]))
    assert check(hall, "dain", "skill", (3, 9), skill="stealth")["mode"] == "advantage"
    assert check(hall, "dain", "save", (3,), ability="dex")["mode"] == "normal"


def test_dice_of_the_table_take_the_place_of_drawn_ones(hall: Hall) -> None:
    one = check(hall, "aria", "ability", (13,), ability="str", manual_roll=13)
    assert (one["natural"], hall.draws()[0]["given"]) == (13, True)
    two = check(hall, "aria", "ability", (13, 4), ability="str", advantage=True, manual_rolls=[13, 4])
    assert (two["natural"], two["rolls"]) == (13, [13, 4])
    first = check(hall, "aria", "ability", (13,), ability="str", manual_rolls=[13, 4])
    assert first["rolls"] == [13]


# contests


def contend(hall: Hall, dice: tuple[int, int], **more: Any) -> Json:
    against = {"contested_by": "brom", "contested_check": {"type": "skill", "skill_or_ability": "insight"}}
    return check(hall, "dain", "skill", dice, **({"skill": "deception"} | against | more))


@pytest.mark.parametrize(
    ("dice", "winner", "tie", "success"),
    [((13, 10), "dain", False, True), ((12, 10), None, True, None), ((11, 10), "brom", False, False)],
)
def test_the_higher_total_wins_a_contest_and_a_tie_nobody(
    hall: Hall, dice: tuple[int, int], winner: str | None, tie: bool, success: bool | None
) -> None:
    result = contend(hall, dice)
    assert result["contest"] == {"opponent": "brom", "opponent_total": 14, "winner": winner, "tie": tie}
    assert result["success"] is success


def test_the_opponent_may_be_named_and_roll_a_bare_ability(hall: Hall) -> None:
    bare = {"type": "ability", "skill_or_ability": "Strength"}
    assert contend(hall, (10, 10), contested_by=" OGG ", contested_check=bare)["contest"]["opponent_total"] == 14


def test_who_is_nobody_may_be_contested_too(hall: Hall) -> None:
    against = {"contested_by": "brom", "contested_check": {"type": "skill", "skill_or_ability": "insight"}}
    result = check(hall, None, "ability", (20, 1), ability="str", **against)
    assert (result["contest"]["winner"], result["success"]) == (None, True)


def test_conditions_of_the_opponent_count(hall_with: HallWith) -> None:
    hall = hall_with(ailing("brom", "poisoned"))
    reply = hall.reply(
        "roll_check",
        {
            "character_id": "dain",
            "check_type": "ability",
            "ability": "str",
            "contested_by": "brom",
            "contested_check": {"type": "ability", "skill_or_ability": "str"},
        },
        [10, 15, 2],
    )
    assert reply["applied_actions"][0]["result"]["contest"]["opponent_total"] == 4


def test_whoever_is_charmed_is_easily_talked_to(hall_with: HallWith) -> None:
    hall = hall_with(ailing("brom", "charmed", source="dain"))
    insight = {"contested_by": "brom", "contested_check": {"type": "skill", "skill_or_ability": "insight"}}
    talk = check(hall, "dain", "skill", (3, 9, 10), skill="persuasion", **insight)
    assert talk["mode"] == "advantage"
    assert check(hall, "dain", "skill", (3, 10), skill="stealth", **insight)["mode"] == "normal"
    assert check(hall, "cyra", "skill", (3, 10), skill="persuasion", **insight)["mode"] == "normal"


def test_who_charmed_somebody_has_the_advantage_too_when_contested(hall_with: HallWith) -> None:
    hall = hall_with(ailing("brom", "charmed", source="dain"))

    def answered(by: str, dice: tuple[int, ...], word: str = "deception") -> Any:
        against = {"contested_by": by, "contested_check": {"type": "skill", "skill_or_ability": word}}
        return check(hall, "brom", "skill", dice, skill="insight", **against)["contest"]["opponent_total"]

    assert answered("dain", (10, 3, 9)) == 11
    assert answered("dain", (10, 3), "stealth") == 13
    assert answered("cyra", (10, 3)) == 3


@pytest.mark.parametrize(
    ("args", "reason", "hint"),
    [
        (
            {"contested_check": {"type": "skill", "skill_or_ability": "insight"}},
            "invalid_args",
            {"field": "args.contested_by", "add": True, "choices": EVERYBODY},
        ),
        (
            {"contested_by": "brom"},
            "invalid_args",
            {"field": "args.contested_check", "add": True},
        ),
        (
            {"contested_by": "brom", "contested_check": {"type": "ability", "skill_or_ability": "insight"}},
            "invalid_args",
            {"field": "args.contested_check.type", "got": "ability", "allowed": ["skill"]},
        ),
        (
            {"contested_by": "Aria", "contested_check": {"type": "skill", "skill_or_ability": "insight"}},
            "ambiguous",
            {"field": "args.contested_by", "got": "Aria", "choices": ["aria", "aria_2"]},
        ),
    ],
)
def test_contests_that_cannot_be_are_refused(hall: Hall, args: Json, reason: str, hint: Json) -> None:
    told = hall.fail("roll_check", character_id="dain", check_type="skill", skill="deception", **args)
    assert (told["reason"], told["hint"]) == (reason, hint)


@pytest.mark.parametrize(("who", "reason"), [("dain", "invalid_args"), ("nobody", "not_found")])
def test_an_opponent_is_somebody_else(hall: Hall, who: str, reason: str) -> None:
    against = {"contested_by": who, "contested_check": {"type": "skill", "skill_or_ability": "insight"}}
    told = hall.fail("roll_check", character_id="dain", check_type="skill", skill="deception", **against)
    assert told["reason"] == reason
    assert who not in told["hint"]["choices"]


# arguments


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        ({"check_type": "skill"}, {"field": "args.skill", "add": True}),
        ({"check_type": "save"}, {"field": "args.ability", "add": True}),
        ({"check_type": "attack"}, {"field": "args.ability", "add": True}),
        (
            {"check_type": "skill", "skill": "arcana", "ability": "str"},
            {"field": "args.ability", "got": "str", "choices": ["int"]},
        ),
        ({"check_type": "initiative", "ability": "str"}, {"field": "args.ability", "got": "str", "choices": ["dex"]}),
        ({"check_type": "save", "ability": "str", "skill": "arcana"}, {"field": "args.check_type", "got": "save"}),
        ({"check_type": "initiative", "skill": "arcana"}, {"field": "args.check_type", "got": "initiative"}),
        ({}, {"field": "args.check_type", "add": True}),
        ({"check_type": "initiative", "manual_roll": 21}, {"field": "args.manual_roll", "got": 21}),
        ({"check_type": "initiative", "manual_roll": 0}, {"field": "args.manual_roll", "got": 0}),
        ({"check_type": "initiative", "manual_rolls": [1]}, {"field": "args.manual_rolls"}),
        ({"check_type": "initiative", "dc": 1.5}, {"field": "args.dc", "got": 1.5}),
    ],
)
def test_arguments_that_do_not_fit_are_told(hall: Hall, args: Json, hint: Json) -> None:
    told = hall.fail("roll_check", character_id="aria", **args)
    assert told["reason"] == "invalid_args"
    assert hint.items() <= told["hint"].items()
    assert "allowed" not in told["hint"]


@pytest.mark.parametrize("word", ["car", "foo", "xyz"])
def test_three_letters_are_not_made_into_anything(hall: Hall, word: str) -> None:
    assert hall.why("roll_check", check_type="ability", ability=word) == "invalid_args"


def test_a_skill_that_goes_with_its_ability_may_name_both(hall: Hall) -> None:
    assert check(hall, "cyra", "skill", skill="arcana", ability="int")["total"] == 17


# fights and batches


def test_help_is_used_up_by_the_next_check(hall_with: HallWith) -> None:
    lent = [{"helper_id": "brom", "kind": "check"}, {"helper_id": "brom", "kind": "attack"}]
    hall = hall_with(fight(linked("aria", 0, 0, helped=lent), linked("brom", 1, 0)))
    assert check(hall, "aria", "save", (3,), ability="str")["mode"] == "normal"
    assert check(hall, "aria", "ability", (3, 9), ability="str")["mode"] == "advantage"
    assert check(hall, "aria", "ability", (3,), ability="str")["mode"] == "normal"
    assert hall.encounter()["participants"][0]["helped"] == lent[1:]


def test_whoever_dodges_saves_with_advantage(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0, dodging=True)))
    assert check(hall, "aria", "save", (3, 9), ability="dex")["mode"] == "advantage"
    assert check(hall, "aria", "save", (3,), ability="str")["mode"] == "normal"


def test_fear_hinders_while_its_source_is_in_sight(hall_with: HallWith) -> None:
    scared = ailing("aria", "frightened", source="ogg")
    people = linked("aria", 0, 0), linked("ogg", 4, 0)
    near = hall_with(scared, fight(*people))
    assert check(near, "aria", "ability", (3, 9), ability="str")["mode"] == "disadvantage"
    walled = hall_with(scared, fight(*people, terrain={"obstacles": [f"2,{y}" for y in range(20)]}))
    assert check(walled, "aria", "ability", (3,), ability="str")["mode"] == "normal"


def test_looking_and_listening_without_the_senses_for_it_are_thrown_with_a_warning(hall_with: HallWith) -> None:
    hall = hall_with(ailing("aria", "blinded"), ailing("brom", "deafened"))
    spot = {"character_id": "aria", "check_type": "skill", "skill": "perception"}
    assert hall.action("roll_check", [10], **spot)["warnings"] == ["aria cannot see: what needs sight fails"]
    rival = {"contested_by": "brom", "contested_check": {"type": "skill", "skill_or_ability": "perception"}}
    told = hall.action("roll_check", [10, 10], **spot | {"skill": "stealth"}, **rival)["warnings"]
    assert told == ["brom cannot hear: what needs hearing fails"]
    assert "warnings" not in hall.action("roll_check", [10], **spot | {"skill": "stealth"})


@pytest.mark.parametrize("roll", ["initiative", "initiative_rolls", "checks", "dex"])
def test_effects_on_initiative_are_consulted_and_change_no_other_roll(hall_with: HallWith, roll: str) -> None:
    hall = hall_with(changed("aria", effects=[{"effect_id": "effect-1", "name": "Alert", "advantage_on": [roll]}]))
    assert check(hall, "aria", "initiative", (3, 9))["mode"] == "advantage"
    if roll.startswith("initiative"):
        assert check(hall, "aria", "ability", (3,), ability="dex")["mode"] == "normal"


def test_initiative_is_a_check_to_fear_and_help(hall_with: HallWith) -> None:
    scared = ailing("aria", "frightened", source="ogg")
    people = linked("aria", 0, 0), linked("ogg", 4, 0)
    assert check(hall_with(scared, fight(*people)), "aria", "initiative", (3, 9))["mode"] == "disadvantage"
    walled = hall_with(scared, fight(*people, terrain={"obstacles": [f"2,{y}" for y in range(20)]}))
    assert check(walled, "aria", "initiative", (3,))["mode"] == "normal"
    lent = [{"helper_id": "brom", "kind": "check"}]
    helped = hall_with(fight(linked("aria", 0, 0, helped=lent), linked("brom", 1, 0)))
    assert check(helped, "aria", "initiative", (3, 9))["mode"] == "advantage"
    assert "helped" not in helped.encounter()["participants"][0]


def test_a_batch_draws_in_the_order_of_its_items(hall: Hall) -> None:
    items: list[Json] = [{"character_id": who, "check_type": "initiative"} for who in ("aria", "nobody", "brom")]
    reply = hall.reply("roll_check", {"batch": items}, [4, 15])
    result = reply["applied_actions"][0]["result"]
    assert [entry["result"]["total"] for entry in result["results"] if entry["ok"]] == [6, 15]
    assert (result["succeeded"], result["failed"]) == (2, 1)
