"""`turnwright new` and `add` for a campaign of one's own: by options, at a terminal, and with any answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json, call, clock
from tests.cli.test_play_terminal import Terminal

from turnwright import Campaign, Viewer
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.campaign.own_game import MAX_HEROES, Answers, GameDraft, begin_own_game, games
from turnwright.cli.main import run
from turnwright.game_master.own_game import drafted_answers
from turnwright.llm.script import ScriptModel
from turnwright.model.errors import BadRequest

NOW = ["--now", "2026-01-14T16:00:00+00:00", "--seed", "x"]
GRETA = "Greta, halfling rogue 2"


def new(*arguments: object) -> int:
    return run(["new", *map(str, arguments)])


def snapshot(place: Path) -> dict[str, bytes]:
    """Return the files of a directory but for the engine's own, by path."""
    found = {path.relative_to(place).as_posix(): path for path in sorted(place.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".turnwright/")}


def require_playable(place: Path) -> None:
    assert not check_directory(place)
    assert not verify(place).problems
    with Campaign.open(place, clock=clock) as campaign:
        assert all(not record.get("findings") for record in campaign.records())
        assert campaign.legal()
        assert campaign.prompt("What is here?", viewer=Viewer.of("gm"))["messages"]


def test_the_same_answers_give_the_same_bytes(tmp_path: Path) -> None:
    options = ["--hero", GRETA, "--place", "Oxbow", "--trouble", "giant rats in the mill", *NOW]
    taken = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        assert new(tmp_path / name / "game", *options) == 0
        taken.append(snapshot(tmp_path / name / "game"))
    assert taken[0] == taken[1]


def test_an_existing_directory_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert new(tmp_path, "--hero", "nobody, frog") == 64
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_without_a_terminal_and_options_it_is_stage3(tmp_path: Path) -> None:
    assert new(tmp_path / "c", *NOW) == 0
    assert [path.name for path in (tmp_path / "c" / "characters").iterdir()] == ["pc_001.json"]


def test_a_template_takes_no_answers(tmp_path: Path) -> None:
    assert new(tmp_path / "c", "--template", "toolkit", "--hero", GRETA) == 64
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("option", "answer", "told"),
    [
        ("--hero", "", "needs a word"),
        ("--hero", "  ,  ", "needs a word"),
        ("--hero", "x" * 10_000, "has at most 200 characters"),
        ("--hero", "Greta\x07, elf", "may hold only"),
        ("--hero", "Greta, elf wizard 0", "a level is 1 to 20"),
        ("--hero", "Greta, elf wizard -1", "a level is 1 to 20, in digits"),
        ("--hero", "Greta, elf wizard \u0663", "a level is 1 to 20, in digits"),
        ("--trouble", "0 giant rats", "how many giant rats: 1 to 20 (got 0)"),
        ("--trouble", "1.5 wolves in the mill", "how many wolves: 1 to 20 (got 1.5)"),
        ("--trouble", "-3 wolves", "how many wolves: 1 to 20 (got -3)"),
        ("--trouble", "99999 wolves", "how many wolves: 1 to 20 (got 99999)"),
        ("--hero", "Greta, elf frog", "no race, class or background is called frog"),
        ("--place", "\x1b[31m", "may hold only"),
        ("--place", "x" * 10_000, "characters"),
        ("--place", "Old Keep, 31 areas", "a map has 1 to 30 areas, in digits (got 31)"),
        ("--place", "Old Keep, 0 areas", "a map has 1 to 30 areas, in digits (got 0)"),
        ("--place", "Old Keep, \u00b2 areas", "a map has 1 to 30 areas"),
        ("--place", "Old Keep, many areas: moss", "a map has 1 to 30 areas, in digits (got many)"),
        ("--place", ", 8 areas", "needs a word"),
        ("--trouble", "!!!", "needs a word"),
        ("--trouble", "y" * 10_000, "characters"),
        ("--game", "chess", "the game is one of fifth_edition, core, scenes"),
        ("--title", "z" * 10_000, "characters"),
        ("--tone", "\x00", "may hold only"),
        ("--avoid", "?", "needs a word"),
    ],
)
def test_hostile_answers_are_told_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, answer: str, told: str
) -> None:
    assert new(tmp_path / "c", option, answer) == 64
    shown = capsys.readouterr().err
    assert told in shown
    assert len(shown) < 1000
    assert not (tmp_path / "c").exists()


def test_two_heroes_of_one_name_are_told_apart_by_the_person(tmp_path: Path) -> None:
    assert new(tmp_path / "c", "--hero", GRETA, "--hero", "greta, elf") == 64
    assert new(tmp_path / "c", *(["--hero", "Bo"] * (MAX_HEROES + 1))) == 64


WORDS = st.one_of(st.text("abcXYZ éü京'-,.:!?0 9", max_size=70), st.text(st.characters(codec="utf-8"), max_size=20))
NAMES = st.sampled_from(
    ["Greta", "con", "root", "area_001", "Ünal", "京", "x" * 60, "Oxbow", "../../etc", "-", "a: b", "Greta dies"]
)
KINDS = st.sampled_from(["", "elf", "halfling rogue 2", "red dragonborn sorcerer 20", "Half-Orc, monk, acolyte", "9"])
MAPS = st.builds("{}, {} areas".format, NAMES, st.sampled_from([1, 8, 30, 31, "x"]))
PLACES = st.one_of(NAMES, WORDS, MAPS)
TROUBLES = st.one_of(
    WORDS,
    st.sampled_from(
        [
            "3 wolves in the Oxbow",
            "dragons",
            "Greta is dead",
            '"Bo" loses 5 hit points',
            "a swarm of bats at the inn of oxbow",
            "x in " + "y" * 150,
        ]
    ),
)


@given(
    game=st.sampled_from(sorted(games())),
    heroes=st.lists(
        st.builds(lambda name, kind: f"{name}, {kind}" if kind else name, NAMES | WORDS, KINDS), max_size=3
    ),
    title=WORDS,
    place=PLACES,
    trouble=TROUBLES,
    tone=WORDS,
    avoid=st.lists(WORDS, max_size=2),
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_answers_that_are_taken_give_a_playable_campaign(
    tmp_path_factory: pytest.TempPathFactory, heroes: list[str], avoid: list[str], **answers: str
) -> None:
    place = tmp_path_factory.mktemp("own") / "game"
    try:
        begin_own_game(place, Answers(heroes=heroes, avoid=avoid, **answers), "x", clock)
    except BadRequest:
        assert not place.exists()
    else:
        require_playable(place)


def fight_note(place: Path) -> Json:
    note = json.loads((place / "notes" / "note-1.json").read_text())["content"]
    found: Json = json.loads(note[note.index("{") : note.rindex("}") + 1])
    return found


@pytest.mark.parametrize("trouble", ["giant rats in the mill", "a young red dragon", "wolves"])
def test_the_trouble_is_ready_for_a_fight(tmp_path: Path, trouble: str) -> None:
    assert new(tmp_path / "c", "--hero", GRETA, "--hero", "Bo, cleric", "--trouble", trouble, *NOW) == 0
    args: dict[str, Any] = {**fight_note(tmp_path / "c"), "participants": [{"character_id": "greta"}]}
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        reply = campaign.process({"tool_calls": [{"id": "a", "tool": "create_encounter", "args": args}]})
    assert reply["status"] == "applied", reply["tool_feedback"]


def test_monsters_that_are_added_join_the_fight_that_runs(tmp_path: Path) -> None:
    assert new(tmp_path / "c", "--hero", GRETA, *NOW) == 0
    args: dict[str, Any] = {**fight_note(tmp_path / "c"), "participants": [{"character_id": "greta"}]}
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        campaign.process({"tool_calls": [{"id": "a", "tool": "create_encounter", "args": args}]})
        assert campaign.add("monster", "2 wolves")["status"] == "applied"
        fighters = campaign.state["encounters/encounter-1.json"]["participants"]
    assert sorted(one["id"] for one in fighters) == ["giant-rat-1", "giant-rat-2", "greta", "wolf-1", "wolf-2"]


@pytest.mark.parametrize(
    ("words", "monsters"),
    [
        ("wolf", [("wolf", 1)]),
        ("wolves", [("wolf", 2)]),
        ("2 wolves and a worg in the old mill", [("wolf", 2), ("worg", 1)]),
        ("wolves, three goblins & an ogre", [("wolf", 2), ("goblin", 3), ("ogre", 1)]),
    ],
)
def test_several_kinds_of_monsters_are_added_at_once(
    tmp_path: Path, words: str, monsters: list[tuple[str, int]]
) -> None:
    assert new(tmp_path / "c", "--hero", GRETA, *NOW) == 0
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        (action,) = campaign.add("monster", words)["applied_actions"]
    wanted = [{"monster": name, "count": number} for name, number in monsters]
    assert json.dumps({"monsters": wanted}) in action["args"]["content"]


@pytest.mark.parametrize("words", ["2 wolves and some frogmen", "0 wolves", "3 goblins, 21 wolves"])
def test_monsters_that_are_none_are_told_and_nothing_is_added(tmp_path: Path, words: str) -> None:
    assert new(tmp_path / "c", "--hero", GRETA, *NOW) == 0
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        before = campaign.state
        with pytest.raises(BadRequest, match=r"no monster of|how many"):
            campaign.add("monster", words)
        assert campaign.state == before


def test_monsters_elsewhere_do_not_join_a_fight(tmp_path: Path) -> None:
    assert new(tmp_path / "c", "--hero", GRETA, *NOW) == 0
    args: dict[str, Any] = {**fight_note(tmp_path / "c"), "participants": [{"character_id": "greta"}]}
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        campaign.process({"tool_calls": [{"id": "a", "tool": "create_encounter", "args": args}]})
        (action,) = campaign.add("monster", "2 wolves in the old mill")["applied_actions"]
    assert action["tool"] == "manage_notes"


def test_a_hero_in_brackets_is_a_hero(tmp_path: Path) -> None:
    assert new(tmp_path / "c", "--hero", "Bo (halfling rogue, level 3)", *NOW) == 0
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        sheet = campaign.state["characters/bo.json"]["sheet"]
    assert (sheet["race"], sheet["class"], sheet["level"]) == ("Halfling", "Rogue", 3)


def test_a_hero_walks_to_the_trouble(tmp_path: Path) -> None:
    assert new(tmp_path / "c", "--hero", GRETA, *NOW) == 0
    args = {"actor_id": "greta", "from_area_id": "oxbow", "to_area_id": "mill"}
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        assert campaign.process({"tool_calls": [{"id": "a", "tool": "move", "args": args}]})["status"] == "applied"


def test_what_is_added_later_is_one_turn_that_undo_takes_back(tmp_path: Path) -> None:
    assert new(tmp_path / "c", "--hero", GRETA, *NOW) == 0
    before = snapshot(tmp_path / "c" / "characters")
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        assert campaign.add("hero", "Bo, hill dwarf cleric 3")["status"] == "applied"
        assert campaign.state["campaign.json"]["selected"]["party_character_ids"] == ["greta", "character-1"]
        assert campaign.state["characters/character-1.json"]["position"] == "oxbow"
        with pytest.raises(BadRequest, match="there is a bo already"):
            campaign.add("hero", "bo, elf")
        campaign.undo()
    assert snapshot(tmp_path / "c" / "characters") == before
    require_playable(tmp_path / "c")


def test_a_hero_who_is_added_while_a_fight_runs_fights_in_it(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="x", clock=clock) as campaign:
        assert campaign.add("hero", "Bo, dwarf fighter 2")["status"] == "applied"
        fight = call("create_encounter", monsters=[{"monster": "goblin"}])
        assert campaign.process({"tool_calls": [fight]})["status"] == "applied"
        assert campaign.add("hero", "Kit, elf wizard 1")["status"] == "applied"
        names = [each["name"] for each in campaign.state["encounters/encounter-1.json"]["participants"]]
        assert sorted(names) == ["Bo", "Goblin", "Kit"]


@pytest.mark.parametrize("game", sorted(games()))
def test_every_agent_is_told_the_tone_and_what_must_not_occur(tmp_path: Path, game: str) -> None:
    begin_own_game(tmp_path / "c", Answers(game, tone="like a lullaby", avoid=["spiders", "gore"]), "x", clock)
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        system = campaign.prompt("Hello?", viewer=Viewer.of("gm"))["system"]
    assert "like a lullaby" in system
    assert '"spiders", "gore"' in system


def test_the_questions_at_a_terminal(tmp_path: Path) -> None:
    """Wrong answers are asked again, `back` leads back, and the bytes are those that options give."""
    steps = [
        ("which game", "chess"),
        ("the game is one of", ""),
        ("where does it begin", "Oxbow"),
        ("what is it called", "back"),
        ("where does it begin", "Oxbow"),
        ("what is it called", ""),
        ("who plays", "Greta, frog"),
        ("no race, class or background is called frog", GRETA),
        ("take this hero", ""),
        ("another hero", "greta"),
        ("there is a greta already", ""),
        ("what is the matter", "giant rats in the mill"),
        ("how should it sound", "hopeful"),
        ("what must not occur", "spiders, gore"),
    ]
    (tmp_path / "asked").mkdir()
    (tmp_path / "told").mkdir()
    with Terminal("-m", "turnwright", "new", tmp_path / "asked" / "game", *NOW) as terminal:
        for question, answer in steps:
            terminal.until(question)
            shown = terminal.until(" > ")
            assert "quit)" in shown
            terminal.type(f"{answer}\n")
        terminal.until("is ready")
        assert terminal.end() == 0
    options = ["--hero", GRETA, "--place", "Oxbow", "--trouble", "giant rats in the mill", "--tone", "hopeful"]
    assert new(tmp_path / "told" / "game", *options, "--avoid", "spiders", "--avoid", "gore", *NOW) == 0
    assert snapshot(tmp_path / "asked" / "game") == snapshot(tmp_path / "told" / "game")


def test_a_hero_of_a_game_without_sheets_is_asked_for_by_name(tmp_path: Path) -> None:
    with Terminal("-m", "turnwright", "new", tmp_path / "game") as terminal:
        for question, answer in (("which game", "core"), ("where does it begin", ""), ("what is it called", "")):
            terminal.until(question)
            terminal.until(" > ")
            terminal.type(f"{answer}\n")
        terminal.until("who plays (name) [Robin]")
        terminal.type("quit\n")
        assert terminal.end() == 0


def test_a_hero_is_shown_at_a_terminal_before_they_join(tmp_path: Path) -> None:
    place = tmp_path / "game"
    assert new(place, "--hero", GRETA, *NOW) == 0
    before = snapshot(place)
    with Terminal("-m", "turnwright", "add", place, "hero", "Pip the hobbit") as terminal:
        terminal.until("Pip the hobbit: Human Fighter 1")
        terminal.until("take this hero, yes or no")
        terminal.type("no\n")
        terminal.until("nothing was added")
        assert terminal.end() == 0
    assert snapshot(place) == before
    with Terminal("-m", "turnwright", "add", place, "hero") as terminal:
        steps = [
            ("who joins the party", "Pip, hafling"),
            ("did you mean Halfling?", "Pip"),
            ("Pip: Human Fighter 1", "no"),
            ("who joins the party", "Pip, halfling bard"),
            ("Pip: Halfling Bard 1", ""),
        ]
        for told, answer in steps:
            terminal.until(told)
            terminal.until(" > ")
            terminal.type(f"{answer}\n")
        terminal.until("Pip joins the party")
        assert terminal.end() == 0
    require_playable(place)


@pytest.mark.parametrize(
    ("kind", "words", "told"),
    [
        ("hero", "Bo, barbarien 2", "called barbarien; did you mean Barbarian?"),
        ("hero", "Bo, orc fighter", "called orc; did you mean Half-Orc?"),
        ("hero", "Bo, elf wizard, akolyte", "called akolyte; did you mean Acolyte?"),
        ("hero", "Bo, hobbit", "called hobbit; races: Dragonborn, Dwarf"),
        ("npc", "Jon, humna innkeeper", "did you mean Human?"),
        ("monster", "3 wulves in the wood", "no monster is called wulves; did you mean Wolf?"),
        ("monster", "two gaint rats", "no monster is called gaint rats; did you mean Giant Rat?"),
        ("monster", "3 bears", "several kinds of bears: Black Bear, Brown Bear, Polar Bear"),
    ],
)
def test_a_word_that_is_nearly_a_name_is_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, words: str, told: str
) -> None:
    assert new(tmp_path / "game", "--hero", GRETA, *NOW) == 0
    assert run(["add", str(tmp_path / "game"), kind, words]) == 64
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("trouble", ["3 wulves in the wood", "three gobblins"])
def test_monsters_with_a_wrong_letter_are_no_silent_quest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], trouble: str
) -> None:
    assert new(tmp_path / "game", "--trouble", trouble, *NOW) == 64
    assert "did you mean" in capsys.readouterr().err
    assert not (tmp_path / "game").exists()


@pytest.mark.parametrize("trouble", ["3 gates of the city", "2 carts on the old road", "3 days of rain", "a wizard"])
def test_words_that_count_something_else_are_no_monsters(tmp_path: Path, trouble: str) -> None:
    assert new(tmp_path / "game", "--trouble", trouble, *NOW) == 0


def test_several_kinds_of_monsters_at_once_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert new(tmp_path / "game", "--trouble", "3 bears in the wood", *NOW) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "several kinds of bears: Black Bear, Brown Bear, Polar Bear; none is ready for a fight" in told


def test_what_a_person_is_by_trade_becomes_their_background(tmp_path: Path) -> None:
    assert new(tmp_path / "game", "--hero", GRETA, *NOW) == 0
    assert run(["add", str(tmp_path / "game"), "npc", "Lena, human innkeeper"]) == 0
    sheet = json.loads((tmp_path / "game" / "characters" / "character-1.json").read_bytes())["sheet"]
    assert (sheet["race"], sheet["background"]) == ("Human", "innkeeper")


@pytest.mark.parametrize("leaving", ["quit\n", "q\n", "\x04"])
def test_leaving_writes_nothing(tmp_path: Path, leaving: str) -> None:
    with Terminal("-m", "turnwright", "new", tmp_path / "game") as terminal:
        terminal.until("which game")
        terminal.type("\n")
        terminal.until("where does it begin")
        terminal.type(leaving)
        terminal.until("nothing was written")
        assert terminal.end() == 0
    assert not (tmp_path / "game").exists()


# from one sentence


DRAFT: Json = {
    "title": "Teeth of the Quay",
    "place": "Brackwater: a fishing town on stilts",
    "heroes": ["Ilse, half-elf bard level 3", "Tomas, tall grim dwarf fighter", {"name": "Wen", "class": "Wizard"}],
    "trouble": "three ghouls in the drowned chapel",
    "tone": "grim",
    "avoid": ["harm to children"],
}


def scripted(tmp_path: Path, *lines: Json) -> str:
    path = tmp_path / "draft.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return f"script:{path}"


def test_a_model_drafts_a_campaign_from_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it writes wrong is asked for once more, and what cannot be taken is repaired and told."""
    model = scripted(tmp_path, {"text": "I would love to."}, {"output": DRAFT, "expect": "one JSON document"})
    told = ["--describe", "horror in a fishing town", "--model", model, "--tone", "like a lullaby"]
    assert new(tmp_path / "c", *told, *NOW) == 0
    assert "'Tomas, tall grim dwarf fighter' became 'Tomas, dwarf fighter'" in capsys.readouterr().out
    with Campaign.open(tmp_path / "c", clock=clock) as campaign:
        state = campaign.state
    assert state["campaign.json"]["title"] == "Teeth of the Quay"
    assert state["campaign.json"]["selected"]["party_character_ids"] == ["ilse", "tomas", "wen"]
    assert state["campaign.json"]["settings"]["agents"] == {"tone": "like a lullaby", "avoid": ["harm to children"]}
    assert state["characters/ilse.json"]["sheet"]["level"] == 3
    assert fight_note(tmp_path / "c") == {"monsters": [{"monster": "ghoul", "count": 3}]}
    require_playable(tmp_path / "c")


@pytest.mark.parametrize("lines", [[{"text": "no"}, {"text": "[1]"}], [{"fail": "timeout"}], []])
def test_a_model_without_a_draft_writes_nothing(tmp_path: Path, lines: list[Json]) -> None:
    assert new(tmp_path / "c", "--describe", "horror", "--model", scripted(tmp_path, *lines)) == 64
    assert not (tmp_path / "c").exists()


def test_a_sentence_needs_a_model_and_a_model_a_sentence(tmp_path: Path) -> None:
    assert new(tmp_path / "c", "--describe", "horror") == 64
    assert new(tmp_path / "c", "--model", "echo") == 64
    assert not (tmp_path / "c").exists()


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS | st.just("x" * 10_000) | st.just("Ann, elf"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "race", "level"]), inner),
    max_leaves=4,
)


@given(
    output=st.fixed_dictionaries({}, optional=dict.fromkeys(DRAFT, JSON_VALUES)), game=st.sampled_from(sorted(games()))
)
@settings(max_examples=20, deadline=None)
def test_any_draft_becomes_answers_that_are_taken(output: Json, game: str) -> None:
    model = ScriptModel([{"output": output}])
    drafted = drafted_answers("a story", game, model, lambda: GameDraft(game, "c", "2026-01-14T16:00:00+00:00"))
    assert GameDraft(game, "c", "2026-01-14T16:00:00+00:00").finished(drafted.answers).documents
