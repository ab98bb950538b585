"""Lies of a game master, one for each kind of claim: no table reads one anywhere without being told what is so."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from tests import builders
from tests.builders import Json
from tests.cli.conftest import Play, Turnwright
from tests.game_master.playing import Line, says
from tests.game_master.scripted_lies import LIES, Lie, hall
from tests.sampling import some
from tests.scenes import night
from tests.scenes.moments import SUMMARY

from turnwright import Campaign
from turnwright.narration.claims import KINDS

SCREENFUL = 24
"""Lines."""
MARKS = ("! the books disagree: ", "finding   ")
HONEST = "The wind is cold."
IN_FIGHTS = [False, True]


def test_every_kind_of_claim_has_a_lie() -> None:
    """A new kind of claim wants a line in `tests/game_master/scripted_lies.py`; the tests below try it everywhere."""
    assert sorted(LIES) == sorted(kind.name for kind in KINDS)


def lies(*, in_fight: bool) -> dict[str, Lie]:
    return {name: lie for name, lie in LIES.items() if lie.in_fight is in_fight}


def is_marked(out: str, text: str) -> bool:
    """Return whether each place where a text is told is followed by a mark before the screen is full."""
    lines = out.splitlines()
    told = [place for place, line in enumerate(lines) if text in line and not line.lstrip().startswith(MARKS)]
    return all(any(mark in line for line in lines[at : at + SCREENFUL] for mark in MARKS) for at in told)


def unmarked(out: str, told: Mapping[str, Lie]) -> list[str]:
    return [name for name, lie in told.items() if not is_marked(out, lie.text)]


def begin(path: Path, check: str, *, in_fight: bool) -> Path:
    values = hall(in_fight=in_fight)
    values["campaign.json"]["settings"] = {"narration": {"check": check}}
    builders.begin(path, values).close()
    return path


def answers(told: Mapping[str, Lie], repeats: Iterable[str] = ()) -> Iterator[Line]:
    """Yield what the game master answers to one message a lie; what is withheld is told as often as it may be."""
    for name, lie in told.items():
        if lie.calls:
            yield says("", *lie.calls)
        yield from [says(lie.text)] * (3 if name in repeats else 1)


def without_mark(out: str) -> str:
    return "".join(line for line in out.splitlines(keepends=True) if not line.startswith("! the books"))


@pytest.fixture(params=IN_FIGHTS, ids=["hall", "fight"])
def in_fight(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_where_texts_are_only_noted_each_lie_is_marked_with_what_is_so(
    play: Play, turnwright: Turnwright, tmp_path: Path, in_fight: bool
) -> None:
    told, path = lies(in_fight=in_fight), begin(tmp_path / "log", "log", in_fight=in_fight)
    live = play(path, list(answers(told)), *["I wait"] * len(told))
    for name, lie in told.items():
        below = live.partition(f"{lie.text}\n")[2]
        assert below.startswith(f"! the books disagree: {lie.fact}\n"), (name, below[:200])
    assert not is_marked(without_mark(live), told["fight" if in_fight else "goods"].text), "the measure measures"
    for name in told:
        assert told[name].text in turnwright("log", path)[1]
    assert unmarked(turnwright("log", path)[1], told) == []
    recap = play(path, [], "/quit")
    assert "Last time" in recap
    assert any(lie.text in recap for lie in told.values())
    assert unmarked(recap, told) == []


def test_who_takes_the_keyboard_reads_each_lie_with_the_same_mark(play: Play, tmp_path: Path, in_fight: bool) -> None:
    told, path = lies(in_fight=in_fight), begin(tmp_path / "log", "log", in_fight=in_fight)
    lines = [*["I wait"] * len(told), "/as gm", "/as table"]
    _, of_gm, of_table = play(path, list(answers(told)), *lines, options=["--as=player:cyra"]).split("> /as")
    for retold in (of_gm, of_table):
        assert all(lie.text in retold for lie in told.values())
        assert unmarked(retold, told) == []
    for name in {"hit_point_change", "death", "hit_points", "fight"} & told.keys():
        assert f"! the books disagree: {told[name].fact}\n" in of_table, "the words of a table at the time"


def test_where_texts_are_told_again_each_lie_is_withheld_or_marked(
    play: Play, turnwright: Turnwright, tmp_path: Path, in_fight: bool
) -> None:
    told = lies(in_fight=in_fight)
    grave = grave_among(told, tmp_path / "known", in_fight=in_fight)
    path = begin(tmp_path / "retry", "retry", in_fight=in_fight)
    out = play(path, list(answers(told, grave)), *["I wait"] * len(told))
    assert unmarked(out, told) == []
    assert [name for name in grave if told[name].text in out] == [], "what is an error is not told"
    assert out.count("here is what was done instead") == len(grave)
    assert out.count("\n  withheld: ") == 3 * len(grave)
    assert unmarked(turnwright("log", path)[1], told) == []


def grave_among(told: Mapping[str, Lie], path: Path, *, in_fight: bool) -> list[str]:
    """Return the names of those lies that are conflicts."""
    found = []
    with builders.begin(path, hall(in_fight=in_fight)) as campaign:
        for name, lie in told.items():
            reply = tell(campaign, lie)
            found += [name] if any(finding["severity"] == "error" for finding in reply["findings"]) else []
    assert found or in_fight
    return found


def tell(campaign: Campaign, lie: Lie, **turn: object) -> Json:
    campaign.process({"user_input": "I wait"})
    for call in lie.calls:
        assert campaign.process({"tool_calls": [call], "agent": "narrative"})["status"] == "applied"
    reply: Json = campaign.process({"assistant_text": lie.text, "agent": "narrative", **turn})
    return reply


def test_lies_in_whispers_are_marked_for_those_who_hear_them(play: Play, tmp_path: Path) -> None:
    told = {name: lie for name, lie in lies(in_fight=False).items() if not lie.calls}  # no person throws dice
    path = begin(tmp_path / "whisper", "log", in_fight=False)
    lines = ["/whisper lena what now?"] * len(told)
    out, of_brom = play(path, list(answers(told)), *lines, "/as brom", options=["--as=player:aria"]).split("> /as brom")
    assert all(lie.text in out for lie in told.values())
    assert unmarked(out, told) == []
    assert not any(mark in of_brom or lie.text in of_brom for lie in told.values() for mark in MARKS)


def test_lies_in_summaries_are_marked_in_the_log(turnwright: Turnwright, tmp_path: Path, in_fight: bool) -> None:
    told, path = lies(in_fight=in_fight), tmp_path / "bridge"
    with builders.begin(path, hall(in_fight=in_fight)) as campaign:
        for lie in told.values():
            tell(campaign, lie, agent="summarizer")
    out = turnwright("log", path)[1]
    assert all(lie.text in out for lie in told.values())
    assert unmarked(out, told) == []


# scene games


def scene(path: Path, in_fight: bool, *, is_opened: bool = True) -> Json:
    """Return the documents of a scene game that is played in the hall by Aria, with everybody there."""
    with Campaign.new(path, "scenes", seed="x", clock=builders.clock) as campaign:
        if is_opened:
            night.begin(campaign)
        else:
            night.answer(campaign, night.CHOICES)
        values: Json = json.loads(json.dumps(campaign.state))
    of_hall = hall(in_fight=in_fight)
    own = values["characters/character-1.json"]
    of_hall["characters/aria.json"] |= {key: own[key] for key in ("choices", "coin") if key in own}
    head = values["campaign.json"]
    head["allowlist"] = sorted({*head["allowlist"], *of_hall.pop("campaign.json")["allowlist"]})
    head["selected"] |= {"party_character_ids": ["aria", "brom"], "active_actor_id": "aria"}
    head["settings"] = {"narration": {"check": "log"}}
    del values["characters/character-1.json"]
    crew = json.loads(json.dumps(values["crew.json"]).replace("character-1", "aria"))
    of_hall["maps/root.json"]["areas"] = values["maps/root.json"]["areas"] | of_hall["maps/root.json"]["areas"]
    return {**values, **of_hall, "crew.json": crew}


def begin_scene(path: Path, *, in_fight: bool, is_opened: bool = True) -> Path:
    values = scene(path.parent / f"{path.name}-before", in_fight, is_opened=is_opened)
    builders.begin(path, values).close()
    return path


@pytest.mark.parametrize("half", [0, 1])
def test_lies_told_in_a_scene_game_are_marked(
    play: Play, turnwright: Turnwright, tmp_path: Path, in_fight: bool, half: int
) -> None:
    told = dict(list(lies(in_fight=in_fight).items())[half::2])  # a scene has few turns
    path = begin_scene(tmp_path / "night", in_fight=in_fight)
    script = [{"tool_calls": list(lie.calls), "output": {"narration": lie.text}} for lie in told.values()]
    own = ["--as=player:aria"]
    live, elsewhere = play(path, script, *["I wait"] * len(told), "/as gm", options=own).split("> /as gm")
    for name, lie in told.items():
        assert live.partition(f"{lie.text}\n")[2].startswith("! the books disagree: "), name
    for out in (elsewhere, turnwright("log", path)[1]):
        assert all(lie.text in out for lie in told.values())
        assert unmarked(out, told) == []
    recap = play(path, [], "/quit")
    assert any(lie.text in recap for lie in told.values())
    assert unmarked(recap, told) == []


@pytest.mark.parametrize("name", some(list(LIES), 4))
def test_a_lie_in_the_opening_of_a_story_is_marked(
    play: Play, turnwright: Turnwright, tmp_path: Path, name: str
) -> None:
    lie = LIES[name]
    path = begin_scene(tmp_path / "opening", in_fight=lie.in_fight, is_opened=False)
    opening = {"tool_calls": list(lie.calls), "output": {**night.OPENING, "fate_narration": lie.text}}
    live = play(path, [opening], "/quit")
    for out in (live, play(path, [], "/quit"), turnwright("log", path)[1]):
        assert lie.text in out
        assert unmarked(out, {name: lie}) == []


@pytest.mark.parametrize("name", some(list(LIES), 4))
def test_a_lie_in_what_a_die_tells_is_marked(play: Play, turnwright: Turnwright, tmp_path: Path, name: str) -> None:
    lie = LIES[name]
    path = begin_scene(tmp_path / "die", in_fight=lie.in_fight)
    with Campaign.open(path, builders.clock) as campaign:
        night.play(campaign, night.ENGAGE)
        spends = night.spend(*campaign.state["crew.json"]["dice_pool"])
        spends["args"]["outcomes"][0]["narrative"] = lie.text
        assert night.play(campaign, spends)["status"] == "applied"
        request = campaign.state["crew.json"]["request"]["id"]
        campaign.process({"answer": {"request_id": request, "value": 0}, "tool_calls": list(lie.calls)})
    for out in (play(path, [{"fail": "timeout"}], "/quit"), turnwright("log", path)[1]):
        assert lie.text in out
        assert unmarked(out, {name: lie}) == []


def test_a_lie_in_what_a_die_tells_is_marked_as_it_is_told(play: Play, tmp_path: Path) -> None:
    lie, path = LIES["goods"], begin_scene(tmp_path / "die", in_fight=False)
    with Campaign.open(path, builders.clock) as campaign:
        night.play(campaign, night.ENGAGE)
        spends = night.spend(*campaign.state["crew.json"]["dice_pool"])
        spends["args"]["outcomes"][0]["narrative"] = lie.text
        night.play(campaign, spends)
    out = play(path, [{"fail": "timeout"}], "0")
    assert f"! the books disagree: {lie.fact}\n" in out.partition(lie.text)[2]


@pytest.mark.parametrize("name", some(list(LIES), 4))
def test_a_lie_in_the_summary_of_a_scene_is_marked_in_the_log(
    turnwright: Turnwright, tmp_path: Path, name: str
) -> None:
    lie = LIES[name]
    path = begin_scene(tmp_path / "summary", in_fight=lie.in_fight)
    with Campaign.open(path, builders.clock) as campaign:
        night.play(campaign, narration="You leave.", continue_scene=False)
        reply = night.play(campaign, *lie.calls, **{**SUMMARY, "summary": lie.text})
        assert reply["status"] == "applied", reply["tool_feedback"]
    out = turnwright("log", path)[1]
    assert lie.text in out
    assert unmarked(out, {name: lie}) == []


@pytest.mark.parametrize(
    "text",
    [
        "OOC: Brom takes 5 damage.",
        "What was done: Brom took 5 damage.",
        "Brom ta\u200bkes 5 d\u0430mage.",
        "<b>Brom</b>&nbsp;takes 5 damage.",
        "```\nBrom takes 5 damage.\n```",
        "[Brom takes 5 damage.]",
        "| Brom | takes 5 damage |",
        "brom takes 5 damage",
        "Brom takes 5 damage!?",
        "Remember: Brom takes 5 damage.",
        "Brom, who would never run, takes 5 damage.",
        '"Ha! Brom takes 5 damage.\nBrom takes 5 damage.',
    ],
)
def test_no_form_of_a_text_hides_a_lie_from_the_table(play: Play, tmp_path: Path, text: str) -> None:
    out = play(begin(tmp_path / "log", "log", in_fight=False), [says(text)], "I wait")
    assert "! the books disagree: Brom is unhurt, 38/38" in out


NO_DIE = [builders.call("roll_dice", expression="17"), builders.call("roll_dice", expression="1d20*0+17")]


@pytest.mark.parametrize("chosen", NO_DIE, ids=["no die", "a die that does not count"])
@pytest.mark.parametrize("text", ["You rolled a 17!", "The die shows 17.", "You rolled a natural 17."])
def test_what_a_game_master_chose_is_no_roll(play: Play, tmp_path: Path, chosen: Json, text: str) -> None:
    path = begin(tmp_path / "log", "log", in_fight=False)
    out = play(path, [says("", chosen), says(text)], "I look")
    none = "no die showed 17" if "natural" in text else "no roll came to 17"
    assert out.partition(f"{text}\n")[2].startswith(f"! the books disagree: {none}"), out


@pytest.mark.parametrize(
    ("chosen", "text"),
    [
        (builders.call("roll_dice", expression="1d20*0+20"), "You rolled a natural 20."),
        (builders.call("roll_dice", expression="1d20*0+20"), "Attack roll: natural 20 vs AC 12."),
        (
            builders.call("hp_delta", target_character_id="brom", delta=-23, cause="a stone"),
            "Attack roll: 23 vs AC 12.",
        ),
        (
            builders.call(
                "manage_inventory", operation="give", character_id="brom", item={"name": "Ring", "value": 17}
            ),
            "You rolled 17.",
        ),
    ],
)
def test_what_is_no_face_is_none(play: Play, tmp_path: Path, chosen: Json, text: str) -> None:
    path = begin(tmp_path / "log", "log", in_fight=False)
    assert not is_marked(play(path, [says("", chosen), says("Hm.")], "I look") + text, text), "it can be unmarked"
    out = play(path, [says("", chosen), says(text)], "I look")
    assert is_marked(out, text), out


def test_faces_and_totals_that_came_out_are_left_alone(tmp_path: Path) -> None:
    with builders.begin(tmp_path / "log", hall()) as campaign:
        roll = campaign.process(builders.turn(builders.call("roll_dice", expression="1d20+30")))["applied_actions"][0][
            "result"
        ]
        texts = [
            f"You rolled a natural {roll['natural']}.",
            f"The die shows {roll['natural']}.",
            f"You rolled {roll['total']}.",
        ]
        for text in texts:
            assert campaign.process(builders.turn(assistant_text=text))["findings"] == [], text
        assert campaign.process(builders.turn(assistant_text=f"You rolled a natural {roll['total']}."))["findings"]


FOG = "Cold fog rolls over the moor, and the stones are wet.\n\n"
SPLIT = "Cold fog and "
UNREAD = "(the middle of this text was not checked: it is longer than 40,000 characters)"


@pytest.mark.parametrize("around", [FOG, FOG.strip() + " ", SPLIT], ids=["paragraphs", "sentences", "no sentence ends"])
def test_a_lie_in_the_middle_of_a_long_text_is_found(tmp_path: Path, around: str) -> None:
    fog = around * (12000 // len(around))
    with builders.begin(tmp_path / "log", hall()) as campaign:
        found = campaign.process(builders.turn(assistant_text=f"{fog}the light fades. Brom takes 5 damage. {fog}"))[
            "findings"
        ]
    assert [one["claim"] for one in found] == ["Brom takes 5 damage"]


def test_a_text_that_is_too_long_to_read_whole_says_so_once(play: Play, tmp_path: Path) -> None:
    path = begin(tmp_path / "log", "log", in_fight=False)
    fog = FOG * 400
    told = [says(FOG * 20), says(f"{fog}Brom takes 5 damage.\n\n{fog}"), says(fog * 2)]
    out = play(path, told, "I wait", "I wait", "I wait")
    assert " ".join(out.split()).count(UNREAD) == 1
