"""What somebody types who has not read the manual: extra words, lists, slips, plain words, and whose turn it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.builders import Json, log_of
from tests.cli.conftest import Play, Turnwright

from turnwright import Campaign
from turnwright.audit.verify import verify

HEROES = ("Tam, human wizard 1", "Bruna, half-orc barbarian 1", "Cal, dwarf cleric 1")


@pytest.fixture
def ashford(turnwright: Turnwright, tmp_path: Path) -> Path:
    """Give a village with three heroes, and three giant rats that are ready in its mill."""
    path = tmp_path / "ashford"
    heroes = [word for hero in HEROES for word in ("--hero", hero)]
    options = ("--place", "Ashford", "--trouble", "3 giant rats in the mill", "--seed", "a")
    assert turnwright("new", path, *heroes, *options)[0] == 0
    return path


def played(play: Play, path: Path, *lines: str) -> str:
    """Return what is printed where a person is the game master, without line breaks."""
    out = play(path, [], *lines, model="none")
    assert not verify(path).problems
    return " ".join(out.split())


def calls_of(path: Path, tool: str) -> list[Json]:
    made = [call for record in log_of(path) for call in record.get("tool_calls", ())]
    return [call["args"] for call in made if call["tool"] == tool]


BEGUN = ("/encounter 3 giant rat",)


def fight_of(path: Path) -> Json:
    with Campaign.open(path) as campaign:
        fight: Json = campaign.state["encounters/encounter-1.json"]
    return fight


def until(path: Path, names: Sequence[str]) -> tuple[str, list[str]]:
    """Return who of some people has the first turn in the fight, and the lines that let the turns before it pass."""
    fight = fight_of(path)
    order = [one["name"] for one in fight["participants"]]
    turns = [*order[fight["turn_index"] :], *order]
    place = next(place for place, name in enumerate(turns) if name in names)
    return turns[place], ["/next"] * place


def test_who_has_the_turn_is_no_target_and_no_other_is_taken_for_it(play: Play, ashford: Path) -> None:
    played(play, ashford, *BEGUN)
    name, waiting = until(ashford, ["Giant Rat 1", "Giant Rat 2", "Giant Rat 3"])
    out = played(play, ashford, *waiting, f"/attack {name}", "/attack giant rat 9", "")
    assert f"! it is the turn of {name}; /next ends it" in out
    assert "which of these is 'giant rat 9'?" in out
    assert not calls_of(ashford, "execute_action")


def test_an_attack_names_its_weapon(play: Play, ashford: Path) -> None:
    played(play, ashford, *BEGUN)
    name, waiting = until(ashford, ["Bruna"])
    out = played(play, ashford, *waiting, "/attack giant rat 1 with a spoon", "/attack giant rat 1 with handaxe")
    assert f"{name} attacks Giant Rat 1 (Handaxe)" in out
    assert "carries no weapon called a spoon" in out
    assert [args["weapon"] for args in calls_of(ashford, "execute_action")] == ["Handaxe"]


@pytest.mark.parametrize(
    ("typed", "check"),
    [
        ("/check athletics dc 10", ("athletics", 10)),
        ("/check athletics against 10", ("athletics", 10)),
        ("/check athletics 10", ("athletics", 10)),
    ],
)
def test_a_difficulty_may_have_a_word_before_it(play: Play, ashford: Path, typed: str, check: Json) -> None:
    played(play, ashford, typed)
    (made,) = calls_of(ashford, "roll_check")
    assert (made["skill"], made["dc"]) == check


def test_words_that_mean_nothing_are_told_and_nothing_is_done(play: Play, ashford: Path) -> None:
    out = played(
        play, ashford, "/check dexterity saving throw", "", "/rest long 3 please", "/roll", "2d6", "/hp tam -1 a b"
    )
    assert "which of these is 'dexterity saving throw'?" in out
    assert "what does 'please' mean here? It is typed like this: /rest short|long [HIT DICE]" in out
    assert not calls_of(ashford, "roll_check")
    assert not calls_of(ashford, "take_rest")
    assert calls_of(ashford, "hp_delta")[0]["cause"] == "a b"


def test_a_slip_is_guessed_and_a_part_of_several_names_is_asked(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/check percpetion 12", "1", *BEGUN, "/attack giant r", "")
    assert "which of these is 'percpetion'? 1 perception" in out
    assert re.search(
        "which of these is 'giant r'\\? 1 Giant Rat [123] 2 Giant Rat [123] (3 Giant Rat [123] )?a number", out
    )
    assert calls_of(ashford, "roll_check")[0]["skill"] == "perception"


def test_a_spell_is_cast_at_several(play: Play, ashford: Path) -> None:
    for typed in ("/cast bless at cal and bruna", "/cast bless at tam, bruna, cal", "/cast bless at cal"):
        played(play, ashford, "/hero cal", typed)
    targets = [args["target_ids"] for args in calls_of(ashford, "cast_spell")]
    assert targets[:2] == [["cal", "bruna"], ["tam", "bruna", "cal"]]


def test_whom_a_spell_is_at_is_asked_by_name(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/hero cal", "/cast cure wounds", "bruna")
    assert "at whom > " in out
    assert calls_of(ashford, "cast_spell")[0]["target_ids"] == ["bruna"]


def test_only_who_is_there_fights(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/hero tam", "/move mill", "/encounter giant rat")
    assert "a fight begins, in order:" in out
    (fight,) = calls_of(ashford, "create_encounter")
    assert fight == {"monsters": [{"monster": "giant rat"}]}
    with Campaign.open(ashford) as campaign:
        people = campaign.state["encounters/encounter-1.json"]["participants"]
    assert sorted(one["id"] for one in people) == ["giant-rat", "tam"]


def test_nobody_walks_out_of_a_fight(play: Play, ashford: Path) -> None:
    out = played(play, ashford, *BEGUN, "/move mill", "/travel mill")
    assert out.count("the party is in a fight: /step moves within it, and /endfight fled leaves it") == 2


def test_the_dead_stay_dead_and_the_dying_drink_nothing(play: Play, ashford: Path) -> None:
    out = played(
        play,
        ashford,
        *("/hero cal", "/gain potion of healing", "/hp cal -12", "/use potion of healing"),
        *("/hp tam -40", "/hp tam 1"),
    )
    assert "is at 0 hit points, and cannot use potion of healing; somebody else can, with target_id cal" in out
    assert "Tam is dead, and hit points bring nobody back to life" in out


def test_what_is_used_up_is_gone_and_coins_are_money(play: Play, ashford: Path) -> None:
    played(play, ashford, "/hero cal", "/use rations", "/gain 20 gp", "/gain 3 torches", "/gain 2 silver pieces")
    with Campaign.open(ashford) as campaign:
        carried = {one["name"]: one for one in campaign.state["characters/cal.json"]["inventory"]}
    assert carried["Rations (1 day)"]["quantity"] == 1
    assert (carried["Gold Pieces"]["quantity"], carried["Gold Pieces"]["type"]) == (20, "currency")
    assert (carried["Silver Pieces"]["quantity"], carried["Torch"]["quantity"]) == (2, 3)


def test_a_barbarian_who_casts_is_told_of(play: Play, ashford: Path) -> None:
    assert "note: Light is not among the spells of bruna" in played(
        play, ashford, "/hero bruna", "/cast light at bruna"
    )


def test_the_way_to_a_place_two_steps_off_is_told(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/travel inn", "/travel mill")
    assert "no way leads from Inn of Ashford to mill; the way there goes by ashford" in out


def test_plain_words_for_commands_are_those_and_numbers_answer_nothing(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "look", "42", "Look at that!", "@innkeeper good evening")
    assert "/look is meant; a sentence with more words is told Ashford here: Bruna, Cal" in out
    assert "nothing was asked that 42 could answer" in out
    assert "nobody called @innkeeper is here; here is Bruna, Cal. It was not said" in out
    assert [record["assistant_text"] for record in log_of(ashford)[2:]] == ["Look at that!"]


def test_who_plays_a_hero_at_a_table_without_a_model_speaks(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/as tam", "I listen at the door.")
    assert "there is no model" not in out
    assert log_of(ashford)[-1]["user_input"] == "I listen at the door."


def test_a_fight_that_is_ready_is_told_and_begun_from_a_list(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/travel mill", "/look", "/notes", "/encounter", "1")
    assert "ready for a fight: /encounter 3 giant rat" in out
    assert "ready for a fight: 3 Giant Rat" in out
    assert calls_of(ashford, "create_encounter") == [{"monsters": [{"monster": "giant rat", "count": 3}]}]


def test_who_comes_back_is_told_of_the_fight_and_of_what_was_done(play: Play, ashford: Path) -> None:
    played(play, ashford, "/travel mill", *BEGUN)
    out = played(play, ashford)
    name, _ = until(ashford, [one["name"] for one in fight_of(ashford)["participants"]])
    assert "Last time" in out
    assert "the party goes from Ashford to Mill" in out
    assert f"a fight goes on: round 1, and it is the turn of {name}; /fight shows it" in out


def test_the_picture_of_a_fight_is_of_where_they_are(play: Play, ashford: Path) -> None:
    out = play(ashford, [], *BEGUN, "/fight", model="none")
    rows = [line for line in out.splitlines() if line[:2].strip().isdecimal() and "·" in line]
    assert 0 < len(rows) <= 10


def test_what_the_engine_does_on_a_word_alone_is_asked(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/task start 3 giant", "/task complete 3 giant", "maybe", "yes")
    assert "do it all the same, yes or no > " in out
    assert "yes or no, please" in out
    assert calls_of(ashford, "manage_quest")[-1]["force"] is True


def test_more_than_one_record_is_taken_back_after_a_yes(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/undo", "/hp tam -1", "/hp cal -1", "/undo 2", "no", "/undo 2", "yes")
    assert "nothing was done yet" in out
    assert "Cal 12 -> 11 hp (damage) take" in out
    assert "nothing was taken back" in out
    assert "taken back: 2 records" in out


def test_in_a_fight_a_command_is_for_whose_turn_it_is(play: Play, ashford: Path) -> None:
    played(play, ashford, *BEGUN)
    name, waiting = until(ashford, ["Tam", "Cal"])
    out = played(play, ashford, *waiting, "/spells", "/hero bruna")
    assert f"{name} > /spells {name} knows" in out
    assert f"Bruna acts after the fight; it is the turn of {name}" in out


def test_another_command_in_place_of_a_yes_is_that_command(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/hp tam -1", "/hp cal -1", "/undo 2", "/hp tam -2")
    assert "nothing was taken back" in out
    assert "Tam 7 -> 5 hp" in out


def test_words_behind_a_command_that_takes_none_are_told(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/look mill", *BEGUN, "/next and heal cal")
    assert "what does 'mill' mean here? It is typed like this: /look" in out
    assert "what does 'and heal cal' mean here? It is typed like this: /next" in out
    assert not calls_of(ashford, "advance_turn")


def test_things_and_coins_are_counted_in_every_way(play: Play, ashford: Path) -> None:
    out = played(
        play,
        ashford,
        *("/hero cal", "/gain 1,000 gp", "/gain 20gp to tam", "/gain 20", "/gain -20 gp", "/gain rope to bruna"),
        *("/give 5 gp to bruna", "/drop 2 candles", "/give candle to tam"),
    )
    assert "how many of which thing is '20'?" in out
    assert "how many of which thing is '-20 gp'?" in out
    with Campaign.open(ashford) as campaign:
        carried = {
            who: {one["name"]: one["quantity"] for one in campaign.state[f"characters/{who}.json"]["inventory"]}
            for who in ("tam", "bruna", "cal")
        }
    assert carried["cal"]["Gold Pieces"] == 995
    assert (carried["tam"]["Gold Pieces"], carried["bruna"]["Gold Pieces"], carried["bruna"]["rope"]) == (20, 5, 1)
    assert (carried["cal"]["Candle"], carried["tam"]["Candle"]) == (7, 1)


def test_a_spell_for_its_caster_is_cast_at_nobody_else(play: Play, ashford: Path) -> None:
    out = played(play, ashford, "/hero tam", "/cast shield at bruna", "", "/cast shield at tam")
    assert "Shield is for tam, who casts it, and for nobody else" in out
    assert [args["target_ids"] for args in calls_of(ashford, "cast_spell")] == [["tam"]]


def test_a_level_asks_for_the_choice_that_cannot_be_made_later(
    play: Play, turnwright: Turnwright, tmp_path: Path
) -> None:
    path = tmp_path / "game"
    turnwright("new", path, "--hero", "Greta, halfling rogue 3", "--seed", "a")
    out = played(play, path, "/levelup greta", "/levelup greta dexterity", "/levelup greta as fighter", "/sheet")
    assert (
        "! level 4 of Rogue raises one ability by 2 or two by 1: /levelup Greta dex, /levelup Greta str and con" in out
    )
    assert "Greta reaches level 4" in out
    assert "DEX +2" in out
    assert "Greta reaches level 5" in out
    assert "still to choose: Fighting Style" in out
    assert "Halfling Rogue, level 5 (Rogue 4, Fighter 1)" in out
    assert calls_of(path, "level_up") == [
        {"character_id": "greta", "ability_increase": ["dex", "dex"]},
        {"character_id": "greta", "class": "Fighter"},
    ]


def test_a_level_without_a_choice_is_taken_when_one_declines(
    play: Play, turnwright: Turnwright, tmp_path: Path
) -> None:
    path = tmp_path / "game"
    turnwright("new", path, "--hero", "Greta, halfling rogue 3", "--seed", "a")
    assert "still to choose: Ability Score Improvement" in played(play, path, "/levelup greta nothing")
    assert "raises no ability score" in played(play, path, "/levelup greta dexterity")


def test_experience_is_given_and_tells_that_a_level_is_due(play: Play, turnwright: Turnwright, tmp_path: Path) -> None:
    path = tmp_path / "game"
    turnwright("new", path, "--hero", "Greta, halfling rogue 3", "--hero", "Bo, elf bard 1", "--seed", "a")
    lines = ("/xp 950", "/xp 1750 for greta", "/encounter a goblin", "/endfight victory xp all", "/sheet greta")
    out = played(play, path, *lines)
    assert "Greta: experience 950 -> 2700" in out
    assert "25 experience for Greta, Bo, level 4 is due for Greta" in out
    assert "experience 2725" in out
    assert "level 4 is due: /levelup Greta" in out


CASTERS = ("Gundren dwarf warlock 5", "Ayla, elf wizard 5")


@pytest.fixture
def casters(turnwright: Turnwright, tmp_path: Path) -> Path:
    """Give a game of a warlock and a wizard; the first has no comma behind the name."""
    path = tmp_path / "game"
    heroes = [word for hero in CASTERS for word in ("--hero", hero)]
    assert turnwright("new", path, *heroes, "--seed", "a")[0] == 0
    return path


def test_a_warlock_casts_by_the_slots_of_the_pact(play: Play, casters: Path) -> None:
    out = played(play, casters, "/cast charm person at ayla")
    assert "Gundren casts Charm Person (slot of level 3) at Ayla" in out
    assert calls_of(casters, "cast_spell")[0]["pact_magic"] is True


def test_a_spell_is_cast_at_a_square(play: Play, casters: Path) -> None:
    played(play, casters, "/encounter 3 goblins")
    before = until(casters, ["Ayla"])[1]
    out = played(play, casters, *before, "/cast fireball square 7,x", "/cast fireball square 7,1")
    assert "! which square is '7,x'? Such as /cast fireball square 7,3" in out
    assert "casts Fireball (slot of level 3) at Goblin" in out
    (cast,) = calls_of(casters, "cast_spell")
    assert cast["target_position"] == {"x": 7, "y": 1}


def test_a_question_for_a_square_takes_one(play: Play, casters: Path) -> None:
    played(play, casters, "/encounter goblin")
    before = until(casters, ["Ayla"])[1]
    out = played(play, casters, *before, "/cast misty step", "there", "3,3")
    assert "a square, such as 7,3; an empty line goes back" in out
    assert "! a square, such as 7,3, please" in out
    (cast,) = calls_of(casters, "cast_spell")
    assert cast["target_position"] == {"x": 3, "y": 3}


def test_several_monsters_without_a_number_are_asked_for(play: Play, casters: Path) -> None:
    assert "! how many goblins? Such as /encounter 3 goblins" in played(play, casters, "/encounter goblins")
    assert calls_of(casters, "create_encounter") == []


def test_people_made_in_play_are_where_it_plays(play: Play, casters: Path) -> None:
    out = played(play, casters, "/npc Lena, innkeeper", "/look")
    assert "Lena is new" in out
    assert "here: Ayla, Lena" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Elara elf wizard 5", "Elara, elf wizard 5"),
        ("Odo the bard level 3", "Odo, Human bard 3"),
        ("Robin Hood", "Robin Hood, Human Fighter 1"),
        ("Mira Stone, elf wizard", "Mira Stone, elf wizard 1"),
    ],
)
def test_a_hero_needs_no_comma(turnwright: Turnwright, tmp_path: Path, words: str, told: str) -> None:
    assert told in turnwright("new", tmp_path / "game", "--hero", words, "--seed", "a")[1]
