"""What players see of a fight in `turnwright play`: in pictures, beside the story and afterwards."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json, call
from tests.cli.conftest import Play
from tests.game_master.playing import says
from tests.shaped import SHAPED
from tests.tools.hall import ephemeral, fight, hall_documents, linked

from turnwright import Campaign

PLAYERS = ["table", "player:aria"]
CONDITIONS = [{"condition": "prone"}, {"condition": "heir of Karn"}]
PROPS = [
    {"id": "prop-1", "name": "Door", "type": "door", "position": {"x": 4, "y": 4}, "locked": True, "hp": 18},
    {"id": "prop-2", "name": "Spiked Pit", "type": "trap", "position": {"x": 6, "y": 4}, "hidden": True},
]
HAZARD = {"position": "0,4", "type": "fire", "damage": "2d6", "damage_type": "fire", "dc": 12, "save_ability": "dex"}
HITS = call(
    "execute_action",
    encounter_id="encounter-1",
    actor_id="aria",
    action_type="attack",
    target_id="ogg",
    attack_bonus=500,
    damage_expression="5",
)


def brawl(**goblin: Any) -> dict[str, Json]:
    """Return the hall in a fight: Aria, Brom and a hound against Ogg and a goblin; a rat is down."""
    people = (
        linked("aria", 1, 1),
        linked("brom", 4, 1),
        ephemeral("hound", 8, 4, hp=9, character_type="npc"),
        linked("ogg", 2, 1, is_enemy=True),
        ephemeral("goblin", 9, 1, hp=7, conditions=CONDITIONS, temp_hp=5) | goblin,
        ephemeral("rat", 7, 1, hp=0, max_hp=2),
    )
    terrain = {"width": 12, "height": 6, "hazards": [HAZARD]}
    return hall_documents() | fight(*people, terrain=terrain, props=PROPS)


def begin(path: Path, **goblin: Any) -> Path:
    builders.begin(path, brawl(**goblin)).close()
    return path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return begin(tmp_path / "brawl")


@pytest.fixture
def ambush(tmp_path: Path) -> Path:
    """Give the brawl with a goblin whom nobody of the party has noticed."""
    return begin(tmp_path / "ambush", hidden=True)


# the picture


@pytest.mark.parametrize("seat", PLAYERS)
def test_the_map_of_a_fight_tells_players_the_numbers_of_the_party_alone(play: Play, place: Path, seat: str) -> None:
    out = play(place, [], "/map", "/map encounter-1", options=[f"--as={seat}"])
    shown, again = (part.partition("\n")[2] for part in out.split("> /map")[1:])
    assert again.startswith(shown.removesuffix("Aria "))
    assert "▶  A Aria    ally   (1,1)  44/44 hp" in shown
    assert "Hound   ally   (8,4)  unhurt\n" in shown
    assert "Ogg     enemy  (2,1)  unhurt\n" in shown
    assert "Goblin  enemy  (9,1)  unhurt, prone\n" in shown
    assert "○ r Rat     enemy  (7,1)  down" in shown
    assert "◘ Door (4,4)\n* fire (0,4)\n" in shown
    for secret in ("59", "9/9", "7/7", "+5", "0/2", "Karn", "locked", "18", "Pit", "2d6", "DC"):
        assert secret not in shown


def test_the_game_master_s_map_of_a_fight_tells_everything(play: Play, place: Path) -> None:
    shown = play(place, [], "/map", options=["--as=gm"]).partition("> /map")[2]
    for told in ("59/59 hp", "7/7 hp +5, prone, heir of Karn", "locked, 18 hp", "Spiked Pit", "2d6 fire, DC 12"):
        assert told in shown


@pytest.mark.parametrize("seat", PLAYERS)
def test_who_hides_from_the_party_is_not_on_its_map(play: Play, tmp_path: Path, seat: str) -> None:
    for name, order, headline in (("waits", 0, "Aria's turn"), ("acts", 4, "round 1 · bright light")):
        values = brawl(hidden=True)
        values["encounters/encounter-1.json"]["turn_index"] = order
        builders.begin(tmp_path / name, values).close()
        shown = play(tmp_path / name, [], "/map", options=[f"--as={seat}"]).partition("> /map")[2]
        assert headline in shown
        assert "Goblin" not in shown
        assert "\n1 ·Aoo" in shown
        assert shown.partition("\n1 ")[2].partition("\n")[0].count("·") == 7, "nor is the square"
    assert "Goblin" in play(tmp_path / "acts", [], "/map", options=["--as=gm"])


def test_who_hides_with_the_party_is_on_its_map(play: Play, tmp_path: Path) -> None:
    values = brawl()
    for person in values["encounters/encounter-1.json"]["participants"][:3]:
        person["hidden"] = True
    builders.begin(tmp_path / "hiding", values).close()
    shown = play(tmp_path / "hiding", [], "/map").partition("> /map")[2]
    assert all(name in shown for name in ("Aria", "Brom", "Hound"))


@pytest.mark.parametrize(
    ("hp", "look"), [(59, "unhurt"), (58, "hurt"), (30, "hurt"), (29, "bloodied"), (1, "bloodied"), (0, "down")]
)
def test_what_others_have_left_is_told_in_a_word(play: Play, tmp_path: Path, hp: int, look: str) -> None:
    values = brawl()
    values["characters/ogg.json"]["hp"] = hp
    builders.begin(tmp_path / "looks", values).close()
    assert f"enemy  (2,1)  {look}\n" in play(tmp_path / "looks", [], "/map")


def test_a_fight_that_nobody_of_the_party_is_in_is_not_shown(play: Play, tmp_path: Path) -> None:
    elsewhere = fight(ephemeral("rat", 1, 1), ephemeral("owl", 2, 1), encounter_id="encounter-2")
    builders.begin(tmp_path / "two", brawl() | elsewhere).close()
    error = "error  there is no encounter 'encounter-2'; did you mean encounter-1?"
    out = play(tmp_path / "two", [], "/map encounter-2", options=["--as=player:aria"], error=error)
    assert "Owl" not in out
    assert "Owl" in play(tmp_path / "two", [], "/map encounter-2", options=["--as=gm"])


# beside the story, and afterwards


def test_what_is_done_in_the_open_tells_how_others_look(play: Play, place: Path) -> None:
    hurt = [call("hp_delta", target_character_id=who, delta=-5, cause="a falling beam") for who in ("ogg", "brom")]
    answers = [says("", *hurt, HITS), says("The beam comes down, and you strike.")]
    out = play(place, answers, "I strike", "/why")
    for told in out.split("> /why"):
        assert "59" not in told
        assert "54" not in told
        assert "against" not in told
    assert "  Ogg: hurt (a falling beam)\n" in out
    assert "  Brom 38 -> 33 hp (a falling beam)\n" in out
    assert "Ogg: hurt\n" in out.partition("> /why")[0]
    assert "Brom 38 -> 33 hp (a falling beam)" in out.partition("> /why")[2]


def test_the_game_master_is_told_the_numbers(play: Play, place: Path) -> None:
    hurt = call("hp_delta", target_character_id="ogg", delta=-5, cause="a beam")
    out = play(place, [says("", hurt, HITS), says("You strike.")], "I strike", "/why", options=["--as=gm"])
    assert "Ogg 59 -> 54 hp" in out
    assert "Ogg 54 -> 49 hp" in out
    assert "against" in out.partition("> /why")[2]


def test_a_batch_tells_nothing_of_the_sheets_of_others(play: Play, hall: Path) -> None:
    rests = call("take_rest", batch=[{"character_id": who, "rest_type": "short"} for who in ("ogg", "brom")])
    out = play(hall, [says("", rests), says("So it goes.")], "We sit", "/why")
    assert out.count("Brom takes a short rest, 38 hp\n") == 2, "beside the story, and when it is asked for"
    assert "ogg" not in out
    assert "59 hp" not in out


def test_what_somebody_does_who_hides_is_not_told(play: Play, ambush: Path) -> None:
    turn = {"encounter_id": "encounter-1"}
    sneaks = call("execute_action", **turn, actor_id="goblin", action_type="dodge")
    checks = call("roll_check", character_id="goblin", **turn, check_type="skill", skill="stealth")
    own = call("roll_check", character_id="aria", check_type="skill", skill="perception")
    answers = [says("", own, checks, sneaks), says("You hear something.")]
    out = play(ambush, answers, "I listen", "/why", "/dice")
    assert "goblin" not in out.lower()
    assert "perception" in out
    assert out.count("d20") == 2, "Aria's die alone, when it is thrown and when it is asked for"


def test_the_turn_of_somebody_who_hides_is_nobody_s(play: Play, ambush: Path) -> None:
    passes = [says("", call("advance_turn", encounter_id="encounter-1")), says("On it goes.")]
    out = play(ambush, passes * 6, "I wait", "I wait, too", "/why")
    assert "-- someone unseen --" in out
    assert "Goblin" not in out
    assert "-- Ogg --" in out


def test_who_hides_keeps_the_party_no_company(play: Play, tmp_path: Path) -> None:
    values = brawl()
    values["encounters/encounter-1.json"]["participants"][3]["hidden"] = True
    builders.begin(tmp_path / "lurk", values).close()
    assert "Ogg" not in play(tmp_path / "lurk", [])
    assert "Grik, Lena, Ogg" in play(tmp_path / "lurk", [], options=["--as=gm"])


def burning(path: Path, square: str, **goblin: Any) -> Path:
    """Begin the brawl in the turn before the goblin's, with fire on a square."""
    values = brawl(**goblin)
    found = values["encounters/encounter-1.json"]
    found["turn_index"] = 3
    found["terrain"]["hazards"] = [HAZARD | {"position": square, "dc": 30}]
    builders.begin(path, values).close()
    return path


def passes() -> list[Any]:
    return [says("", call("advance_turn", encounter_id="encounter-1")), says("On it goes.")]


def test_what_befalls_the_party_after_the_turn_of_somebody_who_hides_is_told(play: Play, tmp_path: Path) -> None:
    out = play(burning(tmp_path / "fire", "1,1", hidden=True), passes() * 2, "/why")
    beside, _, why = out.partition("> /why")
    for told in (beside, why):
        assert "fire deals Aria" in told
    assert "fire at 1,1" in beside
    assert "goblin" not in out.lower()


def test_the_dice_of_the_ground_below_somebody_who_hides_are_not_told(play: Play, tmp_path: Path) -> None:
    out = play(burning(tmp_path / "fire", "9,1", hidden=True), passes() * 3, "I wait", "/dice", "/why")
    assert "someone unseen begins" in out
    assert "fire" not in out.partition("you play")[2]
    assert "fire at 9,1" in play(burning(tmp_path / "seen", "9,1"), passes() * 3, "I wait")


def test_a_condition_that_comes_from_somebody_who_hides_is_told_without_its_source(play: Play, ambush: Path) -> None:
    curse = {"operation": "add", "condition": "poisoned", "source": "goblin"}
    both = call("manage_condition", batch=[{"target_id": who, **curse} for who in ("aria", "goblin")])
    alone = call("manage_condition", target_id="brom", **curse)
    out = play(ambush, [says("", both, alone), says("You feel ill.")], "I wait", "/why")
    assert out.count("Aria is now poisoned") == 2
    assert out.count("Brom is now poisoned") == 2
    assert "goblin" not in out.lower()


def test_dice_of_what_is_told_in_part_are_those_of_the_party(play: Play, ambush: Path) -> None:
    asked = {"check_type": "skill", "skill": "stealth"}
    checks = call("roll_check", batch=[{"character_id": who, **asked} for who in ("aria", "goblin")])
    out = play(ambush, [says("", checks), says("Hush.")], "I sneak", "/dice")
    assert out.count("d20") == 2, "Aria's, when it is thrown and when it is asked for"
    assert "goblin" not in out.lower()


def test_a_player_character_of_the_fight_alone_is_shown_in_full(play: Play, tmp_path: Path) -> None:
    values = brawl()
    guest = ephemeral("guest", 5, 4, hp=40, max_hp=44, character_type="pc")
    values["encounters/encounter-1.json"]["participants"].append(guest)
    builders.begin(tmp_path / "guest", values).close()
    for seat in PLAYERS:
        assert "Guest   ally   (5,4)  40/44 hp" in play(tmp_path / "guest", [], "/map", options=[f"--as={seat}"])


def test_a_player_s_seat_is_shown_the_dice_of_its_own_character_by_name(play: Play, place: Path) -> None:
    script = [says("", HITS), says("You strike.")]
    of_aria = play(place, script, "I strike", "/dice", options=["--as=player:aria"])
    assert re.search(r"> /dice\n  d20 \d+  Aria attacks Ogg\n", of_aria)
    assert "these are the dice of your own character" in of_aria
    of_brom = play(place, script, "I strike", "/as brom", "/dice").partition("> /as brom")[2]
    assert "no dice of your own character were rolled" in of_brom
    assert "d20" not in of_brom


@pytest.mark.parametrize("seat", ["table", "player:aria", "gm"])
def test_players_are_not_shown_what_others_throw_for_initiative(play: Play, tmp_path: Path, seat: str) -> None:
    builders.begin(tmp_path / "hall", hall_documents()).close()
    wolf = {"id": "wolf", "name": "Wolf", "hp": 11, "max_hp": 11, "ac": 13, "is_enemy": True}
    people = [{"character_id": "aria", "position": {"x": 1, "y": 1}}, {**wolf, "position": {"x": 5, "y": 1}}]
    begun = call("create_encounter", participants=people)
    checks = [call("roll_check", character_id=who, check_type="initiative") for who in ("ogg", "aria")]
    script = [says("", begun), says("", *checks), says("It growls.")]
    out = play(tmp_path / "hall", script, "I look", "/dice", options=[f"--as={seat}"])
    assert "Aria initiative" in out
    assert ("Wolf initiative" in out) is (seat == "gm")
    assert "Aria Dexterity initiative" in out
    assert ("Ogg Dexterity initiative" in out) is (seat == "gm")


def test_dice_are_told_with_names_in_place_of_ids(play: Play, place: Path) -> None:
    check = call("roll_check", character_id="brom", check_type="initiative")
    for seat in (*PLAYERS, "gm"):
        out = play(place, [says("", check), says("Hm.")], "I wait", "/dice", options=[f"--as={seat}"])
        assert "brom initiative" not in out
        assert ("Brom Dexterity initiative" in out) is (seat != "player:aria")


@pytest.mark.parametrize("seat", ["table", "player:aria", "player:brom"])
def test_what_the_game_master_rolls_for_nobody_in_particular_is_not_shown(play: Play, place: Path, seat: str) -> None:
    secret = call("roll_dice", expression="1d12", reason="does the assassin wake?", label="assassin")
    answers = [says("", secret), says("You hear water."), says("Still nothing.")]
    of_seat, of_gm = play(
        place, answers, "I listen", "/dice", "/why", "/as gm", "/dice", "/why", options=[f"--as={seat}"]
    ).split("> /as gm")
    for told in ("d12", "assassin", "roll_dice"):
        assert told not in of_seat
        assert told in of_gm


# what hides, once it is asked for afterwards

END = call("end_encounter", encounter_id="encounter-1", outcome="fled")
FALLS = call("hp_delta", target_character_id="brom", delta=-1, cause="a pit")


def numbered(*calls: Json) -> list[Json]:
    """Return calls as a server numbers them, so that each can be told from the others."""
    return [one | {"id": f"call_{place:03}"} for place, one in enumerate(calls)]


def of_ogg(*others: Json) -> list[Json]:
    """Return what becomes of Ogg, and other calls."""
    checks = call("roll_check", character_id="ogg", check_type="skill", skill="stealth")
    return numbered(checks, call("hp_delta", target_character_id="ogg", delta=-5, cause="a trap"), *others)


@pytest.fixture
def lurking(tmp_path: Path) -> Path:
    """Give the brawl with Ogg hidden, who is a character and goes on being one."""
    values = brawl()
    values["encounters/encounter-1.json"]["participants"][3]["hidden"] = True
    builders.begin(tmp_path / "lurking", values).close()
    return tmp_path / "lurking"


@pytest.mark.parametrize("seat", PLAYERS)
def test_a_turn_that_nobody_ends_names_nobody_who_hides(play: Play, tmp_path: Path, seat: str) -> None:
    values = brawl(hidden=True)
    values["encounters/encounter-1.json"]["turn_index"] = 4
    builders.begin(tmp_path / "stuck", values).close()
    out = play(tmp_path / "stuck", [says("Something stirs.")] * 4, "", "/why", options=[f"--as={seat}"])
    assert "! it is still the same turn of the fight: nothing ended it" in out
    assert "goblin" not in out.lower()


def test_what_was_not_told_in_a_fight_is_not_told_when_it_is_over(play: Play, lurking: Path) -> None:
    answers = [says("", *of_ogg(FALLS)), says("", END), says("It is quiet."), says("They fled.")]
    out = play(lurking, answers, "I listen", "/why", "/dice", "/as gm", "/why", "/dice")
    of_table, of_gm = out.split("> /as gm")
    assert "ogg" not in of_table.lower()
    assert "d20" not in of_table
    assert of_table.count("the fight ends after 1 round: fled") == 2
    assert "Brom 38 -> 37 hp" in of_table.partition("> /why")[2], "what befell the party"
    assert "Ogg, Stealth" in of_gm
    assert "d20" in of_gm
    assert "d20" not in play(lurking, [], "/dice"), "nor in a later session"


def test_who_hid_until_the_fight_was_over_is_not_told_of_in_the_same_turn(play: Play, lurking: Path) -> None:
    answers = [says("", *of_ogg(END)), says("It is quiet."), says("They fled.")]
    out = play(lurking, answers, "I listen", "/why", "/dice")
    assert out.count("the fight ends after 1 round: fled") == 2
    assert "ogg" not in out.lower()
    assert "d20" not in out


def test_what_was_told_in_a_fight_is_told_when_it_is_over(play: Play, place: Path) -> None:
    answers = [says("", *of_ogg()), says("", END), says("It is quiet."), says("They fled.")]
    out = play(place, answers, "I listen", "/why", "/dice")
    assert out.count("Ogg, Stealth") == 2
    assert out.count("d20") == 2


def test_why_tells_the_table_nothing_of_what_stood_in_calls_that_failed(play: Play, ambush: Path) -> None:
    bad = numbered(
        call("hp_delta", target_character_id="assassin_behind_aria", delta=-3, cause="x"),
        call("execute_action", encounter_id="encounter-1", actor_id="goblin", action_type="lurk"),
        call("manage_notes", operation="get", note_id="x"),
        call("manage_party", operation=["list"]),
    )
    out = play(ambush, [says("", *bad), says("You hear water.")], "I listen", "/why", "/as gm", "/why")
    of_table, of_gm = out.split("> /as gm")
    assert "the game master asked for it wrongly" in of_table
    for secret in ("assassin", "execute_action", "goblin", "lurk", "manage_notes"):
        assert secret not in of_table
    assert "assassin_behind_aria" in of_gm
    assert "'lurk' is none of the words" in of_gm


def test_why_tells_the_table_of_no_text_that_was_not_published(play: Play, tmp_path: Path) -> None:
    values = brawl()
    values["campaign.json"]["settings"] = {"narration": {"check": "retry"}}
    builders.begin(tmp_path / "retry", values).close()
    answers = [says("", FALLS), says("Brom loses 7 hit points."), says("You hear water.")]
    of_table, of_gm = play(tmp_path / "retry", answers, "I listen", "/why", "/as gm", "/why").split("> /as gm")
    assert "withheld, and asked for again" in of_table
    for internal in ("retry_needed", "mismatch", "empty", "invalid args"):
        assert internal not in of_table + of_gm
    assert "loses 7" not in of_table
    assert "the text said 'Brom loses 7 hit points'; in truth Brom lost 1 hit point" in of_gm


def test_looking_something_up_is_no_deed(play: Play, hall: Path) -> None:
    looks = (
        call("manage_inventory", operation="list", character_id="ogg"),
        call("manage_quest", operation="list"),
        call("manage_aura", operation="list"),
        call("manage_condition", batch=[{"target_id": who, "operation": "query"} for who in ("ogg", "aria")]),
    )
    adds = {"target_id": "aria", "operation": "add", "condition": "prone"}
    mixed = call("manage_condition", batch=[{"target_id": "ogg", "operation": "query"}, adds])
    stray = FALLS | {"args": FALLS["args"] | {"operation": "list"}}
    answers = [says("", *numbered(*looks, mixed, stray)), says("Hm.")]
    of_table, of_gm = play(hall, answers, "I wait", "/why", "/as gm", "/why").split("> /as gm")
    assert of_table.count("Aria is now prone") == 2
    assert "Brom 38 -> 37 hp" in of_table, "an argument that the tool does not know is none"
    for told in ("query", "operation", "ogg", "manage_inventory", "manage_quest", "manage_aura"):
        assert told not in of_table
    assert "manage_aura" in of_gm


# dice


def test_a_model_that_gives_itself_a_twenty_has_it_refused_and_the_log_has_no_such_die(play: Play, place: Path) -> None:
    cheats = {**HITS, "args": HITS["args"] | {"manual_attack_roll": 20, "manual_damage_roll": 99}}
    check = call("roll_check", character_id="aria", check_type="initiative", manualRoll=20)
    answers = [says("", cheats), says("", SHAPED["anthropic"](check)), says("You strike, and it goes wide.")]
    out = play(place, answers, "I strike", "/why")
    assert out.count("this is not permitted here") == 2, "by /why"
    assert "it goes wide.\n! the books disagree: the engine refused the attack\n" in out
    with Campaign.open(place, builders.clock) as campaign:
        records = [record for record in campaign.records() if record.get("tool_calls")]
        assert [one["reason"] for record in records for one in record["tool_feedback"]["failed_calls"]] == [
            "not_permitted",
            "not_permitted",
        ]
        assert not [record for record in records if record.get("draws") or record["applied_actions"]]
        assert campaign.state["characters/ogg.json"]["hp"] == 59
