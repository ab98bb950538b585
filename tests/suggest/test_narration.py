import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.facts import findings
from tests.growth import growth
from tests.sampling import sampled

from turnwright.narration.verifier import CallOutcome, Facts, Person

MIRA, BRAN, GOBLIN = "pc_001", "pc_002", "goblin_1"
MILL, HARBOUR, CAVE, TOWER = "area_001", "area_002", "area_003", "area_009"
PEOPLE = (Person(MIRA, "Mira Stone", "alive"), Person(BRAN, "Bran", "alive"), Person(GOBLIN, None, "dead"))
AREAS = {MILL: "Old Mill", HARBOUR: "Harbour", CAVE: "Dark Cave"}
FAR = {TOWER: "Far Tower"}


def scene(*outcomes: CallOutcome, faces: tuple[int, ...] = (), dialog_type: str = "scene_description") -> Facts:
    return Facts(MIRA, PEOPLE, AREAS, outcomes, faces, dialog_type, far=FAR)


def _outcome(tool: str, args: dict[str, Any], result: dict[str, Any], reason: str | None) -> CallOutcome:
    return CallOutcome(tool, args, reason is None, reason, result if reason is None else {})


def hp(target: str, delta: int, new_hp: int = 10, reason: str | None = None) -> CallOutcome:
    args = {"target_character_id": target, "delta": delta, "cause": "test"}
    return _outcome("hp_delta", args, {"new_hp": new_hp}, reason)


def move(to: str, reason: str | None = None) -> CallOutcome:
    args = {"actor_id": MIRA, "from_area_id": MILL, "to_area_id": to}
    return _outcome("move", args, {"to_area_id": to}, reason)


def grow(reason: str | None = None) -> CallOutcome:
    return _outcome("map_generate", {"parent_area_id": None}, {"created_area_ids": ["area_004"]}, reason)


REFUSED = (hp(MIRA, -99, reason="invalid_args"), move(HARBOUR, reason="invalid_args"), grow(reason="invalid_args"))


def brief(text: str, of: Facts) -> list[tuple[str, str, str]]:
    found = findings(text, of)
    return [(f["kind"], f["tool"] or "", f["severity"]) for f in found]


HP = ("missing", "hp_delta", "error")
GONE = ("missing", "move", "warn")
DEATH = ("contradiction", "hp_delta", "warn")
PLACE = ("missing", "map_generate", "warn")
ROLL = ("invented_roll", "", "error")
DECREE = ("forbidden", "", "error")

CLAIMS = [
    ("Mira takes 5 damage.", HP),
    ("Mira Stone takes five points of fire damage from the trap.", HP),
    ("You suffer a whopping 12 slashing damage.", HP),
    ("**Mira** takes **5 damage**!", HP),
    ("pc_001 takes 5 damage.", HP),
    ("Mira loses 3 hit points.", HP),
    ("You take twenty-three damage.", HP),
    ("Mira takes some damage.", HP),
    ("You take 2d6 fire damage.", HP),
    ("The orc hits Mira for 5 damage.", HP),
    ("The orc strikes you for 5.", HP),
    ("The ogre slams Mira for 9 damage!", HP),
    ("A dart hits you in the shoulder for 3 piercing damage.", HP),
    ("The arrow pierces your arm for 4 damage.", HP),
    ("Mira is struck for 5 damage.", HP),
    ("You're hit for 5 damage.", HP),
    ("The trap deals 5 damage to Mira.", HP),
    ("The spikes cost you 4 HP.", HP),
    ("The orc swings its axe at Mira, dealing 5 damage.", HP),
    ("The orc's blade catches Mira in the chest, dealing 5 damage.", HP),
    ("Mira stumbles back, taking 5 damage.", HP),
    ("You open the chest and take 5 damage.", HP),
    ("As the roof falls, you take 7 damage.", HP),
    ("Mira, who takes 5 damage, screams.", HP),
    ("Mira does not flinch and takes 5 damage.", HP),
    ("The shield does not hold and Mira takes 5 damage.", HP),
    ("Without warning, Mira takes 5 damage.", HP),
    ("You take 5 damage — what do you do?", HP),
    ('"Run!" Mira takes 5 damage.', HP),
    ("Mira's HP drops to 3.", HP),
    ("Your hit points fall by 5.", HP),
    ("Mira drops to 0 hit points.", HP),
    ("Mira: -5 HP", HP),
    ("The fire: 5 damage to Mira.", HP),
    ("The trap springs: 5 damage to Mira.", HP),
    ("A fireball engulfs the party for 8 damage.", HP),
    ("Mira receives 5 damage.", HP),
    ("Everyone takes 5 damage.", HP),
    ("You all take 5 damage.", HP),
    ("The goblin takes 5 damage.", HP),
    ("The blast causes you to lose 5 hit points.", HP),
    ("The potion heals Mira for 5.", HP),
    ("You regain 5 hit points.", HP),
    ("Mira is healed.", HP),
    ("The priest restores 6 hit points to Mira.", HP),
    ("You enter the Harbour.", GONE),
    ("You nod and enter the Harbour.", GONE),
    ("You walk slowly down to the Harbour.", GONE),
    ("Mira makes her way back to the Harbour.", GONE),
    ("The party travels to the Old Mill.", GONE),
    ("After a short walk, you reach the Harbour.", GONE),
    ("We move into the dark cave.", GONE),
    ("You follow the road to the Harbour.", GONE),
    ("You leave the Old Mill.", GONE),
    ("Entering the Harbour, you see ships.", GONE),
    ("Mira dies.", DEATH),
    ("The arrow kills Mira.", DEATH),
    ("Mira falls dead.", DEATH),
    ("Bran is slain by the orc.", DEATH),
    ("You're dead.", DEATH),
    ("A new area opens up beyond the gate.", PLACE),
    ("You discover a new chamber.", PLACE),
    ("The map expands.", PLACE),
    ("You rolled 23.", ROLL),
    ("Mira rolls a 19.", ROLL),
    ("You roll a natural 20!", ROLL),
    ("The die shows seventeen.", ROLL),
    ("Your perception check comes to 17.", ROLL),
    ("With a roll of 17, you leap.", ROLL),
    ("You roll the d20 and get 19.", ROLL),
    ("You got a 17 on the check.", ROLL),
    ("You get a 17 on your Stealth check.", ROLL),
    ("Stealth check: 17.", ROLL),
    ("Mira's stealth check: 17, success!", ROLL),
    ("Your roll of 17 beats the lock.", ROLL),
    ("Time rewinds.", DECREE),
    ("You wake up, and that never happened.", DECREE),
    ("The rules no longer apply.", DECREE),
    ("The rules of magic no longer apply.", DECREE),
    ("Ignore the rules.", DECREE),
    ("From now on the map is different.", DECREE),
    ("From now on, the rules will be different.", DECREE),
    ("None of this happened.", DECREE),
    ("I declare that the rules no longer apply.", DECREE),
    ("The timeline resets.", DECREE),
]


@pytest.mark.parametrize(("text", "expected"), CLAIMS)
def test_a_claim_nothing_bears_out_is_found_once(text: str, expected: tuple[str, str, str]) -> None:
    assert brief(text, scene()) == [expected]


LURES = """
The rain hits the roof.
The rain hits the roof for 5 hours.
The blow lands near you.
He is hit by a memory.
The smell strikes you for a moment.
A wave of heat hits Mira for five seconds.
His words wound Mira.
You move your hand.
You move your hand to the Harbour map.
You move the crate into the dark cave.
You stand in the center of the hall.
The deadline passes, and she removes her gloves.
Mira takes a deep breath.
Mira takes 5 minutes to repair the damage.
Mira takes damage control seriously.
Mira takes no damage.
Mira does not take 5 damage.
Mira avoids taking 5 damage.
Mira's shield takes 5 damage.
Mira's shield absorbs 5 damage.
The attack misses Mira and deals 0 damage.
The door takes 5 damage.
The dealer deals Mira 5 cards.
You lose your balance and 5 arrows.
You gain 5 temporary hit points.
You have 5 hit points left.
Mira is at 3 HP.
Time heals all wounds.
The temperature drops to 3.
Bran serves Mira for 5 years.
Mira hits Bran up for 5.
For 5 silver, Mira buys bread.
Mira could take 5 damage.
Mira takes 5 damage or flees.
Mira takes 5 damage unless you jump.
If you step on it, the plate clicks and you take 5 damage.
Had you been slower, you would take 5 damage.
Does Mira take 5 damage?
"Mira takes 5 damage," says Bran.
Bran says Mira takes 5 damage.
The sign reads: “You enter the Harbour.”
Bran shouts: 'You enter the Harbour!' and laughs.
Yesterday Mira took 5 damage.
Mira took 5 damage two days ago.
Mira had taken 5 damage.
Last turn Mira took 5 damage.
You will take 5 damage.
Each round you take 5 damage.
Anyone who enters the Harbour takes 5 damage.
A creature takes 5 damage.
(OOC: if she jumps, Mira takes 5 damage)
You call hp_delta and Mira takes 5 damage.
{"text": "Mira takes 5 damage"}
You head toward the Harbour.
You are still not in the Harbour.
You can see the Harbour.
You try to enter the Harbour.
You want to go to the Harbour.
Will you enter the Harbour?
Before you enter the Harbour, you pause.
Nobody enters the Harbour.
Rather than enter the Harbour, you wait.
You enter the Harbour tavern.
You enter the Harbour Master's office.
The road leads to the Harbour.
Your eyes move to the Harbour.
Bran walks to the Harbour.
You send Bran to the Harbour.
The letter arrives at the Harbour.
You enter the fray and reach an agreement.
You are dead tired.
The road is dead ahead.
Mira dies of laughter.
Mira almost dies.
Mira is not dead.
Bran thinks Mira is dead.
In your dream, Mira dies.
The fire dies down, and Mira kills the lights.
You are dying to know more.
The goblin tries to kill Mira.
The goblin dies.
A new chapter opens.
A new area of research interests Bran.
A new passage of the book appears.
The map shows a new area.
No new area appears.
Roll a d20.
You roll 2d6.
You need to roll a 15 or higher.
A roll of 15 is required.
A natural 20 always hits.
A perception check of 15 is required.
Your perception check comes to nothing.
Your perception check could come to 17.
The check comes to 17.
The DC of the strength check comes to 15.
The difficulty of the strength check comes to 15.
The cost of the strength check comes to 15.
Your passive perception check comes to 13.
The check comes to 17 gold.
Stealth check: DC 15.
Stealth check: 15 or higher.
Passive Perception check: 13.
Make a Stealth check: 15 is enough.
A roll of 17 beats the lock.
You get a 10 on your passive check.
You get a +2 on the check.
Mira rolls two dice.
The barrel rolls 20 feet.
Thunder rolls over the hills.
What did you roll, 17 or 18?
Time passes.
It is as if time rewinds.
You wish it never happened.
He mourns a wedding that never happened.
The rules of the guild no longer apply to you.
The rules of chess no longer apply.
The rules of magic no longer apply to you.
The rules of magic apply.
In the dead zone, the rules of magic no longer apply.
In the dead zone, the laws of magic no longer apply.
The laws of magic no longer apply.
If the rules of magic no longer apply, we are lost.
Do not ignore the rules.
The guard ignores the rules.
If the rules no longer apply, we are lost.
The world is different after the war.
From now on Bran trusts you.
""".strip().splitlines()


def test_lures_are_no_claims_even_where_every_call_was_refused() -> None:
    told = {text: findings(text, scene(*REFUSED)) for text in LURES}
    assert {text: found for text, found in told.items() if found} == {}


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("Mira takes 5 damage.", [hp(MIRA, -5)]),
        ("Mira takes 3 damage, then Mira takes 2 damage.", [hp(MIRA, -3), hp(MIRA, -2)]),
        ("Mira takes 5 damage in all.", [hp(MIRA, -3), hp(MIRA, -2)]),
        ("Mira takes damage.", [hp(MIRA, -7)]),
        ("Mira takes almost 10 damage.", [hp(MIRA, -9)]),
        ("Mira takes 5 fire and 3 cold damage.", [hp(MIRA, -8)]),
        ("Mira takes 5 damage from the fire and 3 from the fall.", [hp(MIRA, -8)]),
        ("Mira takes 8 damage, but her armour absorbs 3.", [hp(MIRA, -5)]),
        ("You lose your last 4 hit points.", [hp(MIRA, -7, new_hp=0)]),
        ("Mira's hit points drop to 5.", [hp(MIRA, -3, new_hp=5)]),
        ("Mira screams. She takes 5 damage.", [hp(MIRA, -5)]),
        ("The goblin takes 5 damage.", [hp(GOBLIN, -5)]),
        ("The orc takes 5 damage.", [hp("orc_7", -5)]),
        ("Everyone takes 5 damage.", [hp(MIRA, -5), hp(BRAN, -5)]),
        ("You walk to the Old Mill and then enter the Harbour.", [move(MILL), move(HARBOUR)]),
        ("You enter the Harbour. The gate of the Dark Cave stays shut.", [move(HARBOUR), move(CAVE, "invalid_args")]),
        ("You leave the Old Mill and reach the Harbour.", [move(HARBOUR)]),
        ("You reach the Harbour and enter a small room.", [move(HARBOUR)]),
        ("You enter the next chamber.", []),
        ("You are now in the Harbour.", []),
        ("You are now in the Harbour.", [move(HARBOUR)]),
        ("You stand in the Old Mill; the Harbour is out of reach.", [move(HARBOUR, "invalid_args")]),
        ("You see the Far Tower.", []),
        ("You head toward the Far Tower.", []),
        ("You leave the Far Tower behind.", []),
        ("You enter the far tower of the story.", []),
        ("You enter the tower.", []),
        ("You reach the Far Tower Inn.", []),
        ("The story so far: you travelled to the Far Tower and met Ser Odo.", []),
        ("As a squire you arrived at the Far Tower with nothing.", []),
        ("Since you entered the Far Tower, the nightmares have not stopped.", []),
        ("You walk to the Far Tower by way of the Harbour.", [move(HARBOUR)]),
        ("You reach the Far Tower.", [move(TOWER)]),
        ("A new area appears.", [grow()]),
    ],
)
def test_a_claim_that_some_call_bears_out_is_no_finding(text: str, outcomes: list[CallOutcome]) -> None:
    assert findings(text, scene(*outcomes)) == []


@pytest.mark.parametrize(
    ("text", "delta"),
    [
        ("The first arrow deals Mira 3 damage. The second deals her 4 damage.", -7),
        ("Mira takes 1 damage. Mira takes 2 damage. Mira takes 4 damage.", -7),
        ("Mira takes half of the 10 damage.", -5),
    ],
)
def test_several_claims_may_tell_one_call(text: str, delta: int) -> None:
    assert findings(text, scene(hp(MIRA, delta))) == []


@pytest.mark.parametrize(
    ("text", "outcomes", "kinds"),
    [
        ("Mira takes 5 damage.", [hp(MIRA, -3)], ["mismatch"]),
        ("Mira takes 5 damage.", [hp(MIRA, 5)], ["mismatch"]),
        ("Mira takes 5 damage.", [hp(MIRA, -5, reason="actor_state_restricted")], ["rejected"]),
        ("Mira takes 5 damage.", [hp(MIRA, -5, reason="invalid_args"), hp(MIRA, -3)], ["rejected"]),
        ("Mira takes 5 damage.", [hp(BRAN, -5)], ["mismatch"]),
        ("Mira takes 5 damage. Bran takes 5 damage.", [hp(BRAN, -5)], ["missing"]),
        ("Mira takes 5 damage and Bran takes 2.", [hp(MIRA, -5), hp(BRAN, -2, reason="invalid_args")], ["rejected"]),
        ("Mira takes 5 damage. Bran takes 2 damage.", [hp(MIRA, -5), hp(BRAN, -1)], ["mismatch"]),
        ("Mira and Bran take 5 damage.", [hp(MIRA, -5)], ["missing"]),
        ("Mira screams. She takes 5 damage.", [hp(MIRA, -3)], ["mismatch"]),
        ("Mira's hit points drop to 2.", [hp(MIRA, -3, new_hp=5)], ["mismatch"]),
        ("Mira regains 5 hit points.", [hp(MIRA, -5)], ["mismatch"]),
        ("You enter the Harbour.", [move(HARBOUR, "invalid_args")], ["rejected"]),
        ("You enter the Harbour.", [move("area_02", "invalid_args")], ["rejected"]),
        ("You enter the Harbour.", [move(CAVE)], ["mismatch"]),
        ("You enter the Harbour.", [move(CAVE, "invalid_args")], ["missing"]),
        ("You enter the cave.", [move(CAVE, "invalid_args")], ["rejected"]),
        ("You enter the next chamber.", [move(CAVE, "invalid_args")], ["rejected"]),
        ("You leave the Old Mill.", [move(CAVE, "invalid_args")], ["rejected"]),
        ("You are now in the Harbour.", [move(HARBOUR, "invalid_args")], ["rejected"]),
        ("You reach the Far Tower.", [], ["missing"]),
        ("You walk to the Far Tower.", [], ["missing"]),
        ("The party travels to the Far Tower.", [], ["missing"]),
        ("You reach the Far Tower.", [move(HARBOUR)], ["mismatch"]),
        ("You reach the Far Tower.", [move(HARBOUR, "invalid_args")], ["missing"]),
        ("A fireball engulfs Mira and Bran for 8 damage.", [hp(BRAN, -8)], ["missing"]),
        ("A new area appears.", [grow("invalid_args")], ["rejected"]),
        ("The first arrow deals Mira 3 damage. The second deals her 5 damage.", [hp(MIRA, -7)], ["mismatch"] * 2),
        ("Mira takes 3 damage. Mira regains 4 hit points.", [hp(MIRA, -7)], ["mismatch"] * 2),
        ("The first arrow deals Mira 3 damage. The second deals Bran 4.", [hp(MIRA, -7)], ["mismatch"]),
    ],
)
def test_a_claim_is_held_against_the_call_it_is_about(text: str, outcomes: list[CallOutcome], kinds: list[str]) -> None:
    assert [f["kind"] for f in findings(text, scene(*outcomes))] == kinds


def test_a_claim_about_somebody_the_campaign_may_not_keep_is_no_conflict() -> None:
    assert brief("The troll takes 5 damage.", scene()) == [("missing", "hp_delta", "warn")]
    assert brief("He takes 5 damage.", scene()) == [("missing", "hp_delta", "warn")]


def test_a_death_stands_when_the_state_after_the_turn_says_so_or_nothing() -> None:
    for state, expected in (("dead", []), ("dying", []), (None, []), ("alive", [DEATH]), ("unconscious", [DEATH])):
        of = Facts(MIRA, (Person(MIRA, "Mira", state),), {}, (), (), "scene_description")
        assert brief("Mira dies.", of) == expected


def test_a_roll_stands_when_its_face_or_total_is_known() -> None:
    assert findings("You rolled 17. Your perception check comes to 17.", scene(faces=(4, 17))) == []
    (finding,) = findings("You rolled a 12 and a 17.", scene(faces=(4, 17)))
    assert (finding["expected"], finding["actual"]) == ({"face": 12}, {"faces": [4, 17]})


def test_an_explanation_of_rules_is_searched_for_decrees_only() -> None:
    text = "Mira takes 5 damage. You rolled 17. The rules no longer apply."
    assert brief(text, scene(dialog_type=" Rule_Explanation ")) == [DECREE]


def test_a_finding_says_what_was_told_and_what_was_done() -> None:
    text = "The wind howls. Mira takes\n5 damage."
    assert findings(text, scene(hp(MIRA, -3, new_hp=7))) == [
        {
            "kind": "mismatch",
            "claim": "Mira takes 5 damage",
            "tool": "hp_delta",
            "expected": {"target_character_id": MIRA, "delta": -5},
            "actual": {"target_character_id": MIRA, "delta": -3, "new_hp": 7},
            "severity": "error",
            "span": [16, 35],
        }
    ]


def test_a_refused_call_is_blamed_with_its_reason() -> None:
    (finding,) = findings("You enter the Harbour.", scene(move(HARBOUR, "actor_state_restricted")))
    assert finding["actual"] == {"to_area_id": HARBOUR, "reason": "actor_state_restricted"}


def test_an_applied_call_no_word_recalls_is_unspoken_and_no_conflict() -> None:
    found = findings("Silence.", scene(hp(BRAN, -5), move(HARBOUR), grow()))
    assert [(f["kind"], f["tool"]) for f in found] == [("unspoken", t) for t in ("hp_delta", "move", "map_generate")]
    assert not any(f["severity"] == "error" for f in found)


@pytest.mark.parametrize("text", ["", " \n", "Bran winces.", "Something hurts.", "You rub your eyes."])
def test_an_applied_call_is_spoken_of_by_a_name_a_word_or_in_a_text_that_is_none(text: str) -> None:
    assert findings(text, scene(hp(MIRA if "You" in text else BRAN, -5))) == []


def test_findings_come_in_the_order_of_the_text_each_with_its_severity() -> None:
    found = findings("You rolled 23. You enter the Harbour. Mira takes 5 damage.", scene())
    assert [f["kind"] for f in found] == ["invented_roll", "missing", "missing"]
    assert [f["severity"] for f in found] == ["error", "warn", "error"]


def test_names_may_be_common_words_parts_of_names_or_missing() -> None:
    people = (
        Person("pc_1", "Will", "alive"),
        Person("old_tom", None, "alive"),
        Person("x", "Ann of the Mill", "alive"),
    )
    of = Facts("pc_1", people, {}, (), (), "scene_description")
    assert brief("Will takes 5 damage.", of) == [HP]
    assert brief("Old Tom takes 5 damage.", of) == [HP]
    assert brief("Ann takes 5 damage.", of) == [HP]
    assert brief("The will of the people takes time.", of) == []


def test_two_of_one_name_are_borne_out_by_either() -> None:
    people = (Person("g1", "Goblin", "dead"), Person("g2", "Goblin", "alive"))
    of = Facts(None, people, {}, (hp("g2", -5),), (), "scene_description")
    assert findings("The goblin takes 5 damage and dies.", of) == []
    assert [f["kind"] for f in findings("The goblin takes 6 damage.", of)] == ["mismatch"]


def test_a_language_without_word_lists_has_no_findings() -> None:
    assert findings("Mira takes 5 damage.", scene(), "xx") == []


def test_arguments_of_any_shape_are_survived() -> None:
    wild: list[Any] = [None, True, [1], {"a": 1}, float("nan"), "x", 10**30]
    for value in wild:
        args = {"target_character_id": value, "delta": value, "to_area_id": value}
        calls = [
            CallOutcome(tool, args, False, "invalid_args", {}) for tool in ("hp_delta", "move", "map_generate", "")
        ]
        found = findings("Mira takes 5 damage. You enter the Harbour. A new area appears.", scene(*calls))
        assert len(json.loads(json.dumps(found, allow_nan=False))) == 3


SOUP = """
Mira Bran you your the goblin Harbour Mill takes take 5 five damage hit points HP for to is dies dead dealing
, . ! ? — - and but if not never says " ' ( ) roll rolled a 17 d20 enter enters walk new area appears
the rules no longer apply time rewinds from now on map who her it 's 't -5 : all of everyone heals
gives hands you a key sword gold pieces pays picks up drops accepts the quest complete joins the party leaves
takes a short long rest sleeps night battle is over ends turn begins round 3 says attacks I hand has have left
healed regains drops made way causing
"""
WORDS = [*SOUP.split(), "\n"]
OUTCOMES = [hp(MIRA, -5), hp(BRAN, -3, reason="invalid_args"), move(HARBOUR), move(CAVE, "invalid_args"), grow("x")]
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join))


@given(TEXTS, st.lists(st.sampled_from(OUTCOMES), max_size=3))
def test_any_text_has_only_well_formed_findings(text: str, outcomes: list[CallOutcome]) -> None:
    found = findings(text, scene(*outcomes, faces=(12,)))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found == findings(text, scene(*outcomes, faces=(12,)))
    assert [f["span"] for f in found] == sorted(f["span"] for f in found)
    for finding in found:
        start, end = finding["span"]
        assert list(finding) == ["kind", "claim", "tool", "expected", "actual", "severity", "span"]
        assert 0 <= start <= end <= len(text)
        assert (start < end) == (finding["kind"] != "unspoken")
        assert finding["severity"] in ("error", "warn", "info")


@given(TEXTS)
def test_text_after_a_blank_line_does_not_change_what_was_found_before(text: str) -> None:
    claim = "Mira takes 5 damage.\n\n"
    assert findings(claim + text, scene())[:1] == findings(claim, scene())


UNITS = [
    "Mira hands you the key and ",
    "you accept the quest ",
    "Bran has joined the party, ",
    "+5 gold ",
    "'I hand you ",
]
UNITS += ["Mira takes 5 damage. ", "you take 5 damage, ", "for 5 damage ", '"', "'a ", "(", "a-", "5 "]
UNITS += [
    '" a',
    "“a. ",
    "```a\n",
    "[A.",
    "[A.] ",
    "{a ",
    ": ",
    "what is: it falls: ",
    "with a, ",
    ", who would a, ",
    "\u200b",
    "<b>a",
]


@pytest.mark.parametrize("unit", sampled(UNITS, 4))
def test_the_time_to_read_a_text_grows_no_faster_than_the_text(unit: str) -> None:
    def read(size: int) -> Callable[[], object]:
        text = (unit * size)[:size]
        return lambda: findings(text, scene(*REFUSED))

    assert growth(read, 1 << 12, 1 << 15, 3) < 3
