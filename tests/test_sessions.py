"""How scene games begin, end and go on, as records of the log: draws that can be checked, ids that never come twice."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json, begin, clock, documents, log_of
from tests.scenes.beginnings import CHOICES, SCENARIO, SCENE, changed

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.cli.main import run
from turnwright.model.errors import BadRequest, CampaignInvalid
from turnwright.rulesets.toolbox import TOOLS

ENDED: Json = {
    "phase": {"tag": "session_ended", "reason": "player_choice"},
    "heat": 2,
    "awaiting": {"stage": "none", "prompt_id": 30, "segment": 2},
}
GOAL = {"id": "goal", "name": "A Way Out", "segments": 8, "type": "goal"}


@pytest.fixture(name="new")
def fixture_new(tmp_path: Path) -> Iterator[Callable[[], Campaign]]:
    opened: list[Campaign] = []

    def new() -> Campaign:
        opened.append(Campaign.new(tmp_path / f"game_{len(opened)}", "scenes", seed="x", clock=clock))
        return opened[-1]

    yield new
    for campaign in opened:
        campaign.close()


def sound(path: Path) -> None:
    """Require that log, documents and dice agree."""
    found = verify(path)
    assert found.problems == ()
    assert found.notes == ()
    assert [problem for problem in check_directory(path) if not problem.warning] == []


def edit(path: Path, name: str, value: Any) -> None:
    (path / name).parent.mkdir(parents=True, exist_ok=True)
    (path / name).write_text(json.dumps(value), encoding="utf-8")


def answer(campaign: Campaign, value: Any) -> Json:
    request = campaign.state["crew.json"]["request"]
    return campaign.process({"answer": {"request_id": request["id"], "value": value}})


def request_of(campaign: Campaign) -> Json:
    found: Json = campaign.state["crew.json"]["request"]
    return found


# beginnings


def test_a_scene_game_begins_with_a_question_and_cards_that_can_be_checked(
    new: Callable[[], Campaign], tmp_path: Path
) -> None:
    with new() as campaign:
        first = next(campaign.records())
        assert list(first)[-2:] == ["changes", "draws"]
        assert [(draw["part"], draw["why"], draw["sides"]) for draw in first["draws"]] == [
            *((0, "tarot", 78), (0, "tarot", 77), (0, "tarot", 76)),
        ]
        assert campaign.state["campaign.json"]["counters"] == {"request": 1}
        assert request_of(campaign)["kind"] == "creation"
    assert verify(tmp_path / "game_0").draws == 3
    sound(tmp_path / "game_0")


def test_a_card_that_the_secret_does_not_give_is_found(new: Callable[[], Campaign], tmp_path: Path) -> None:
    new().close()
    log = tmp_path / "game_0" / "log.jsonl"
    line = log.read_text(encoding="utf-8")
    value = log_of(tmp_path / "game_0")[0]["draws"][0]["value"]
    log.write_text(
        line.replace(f'"sides":78,"value":{value}', f'"sides":78,"value":{value % 78 + 1}'), encoding="utf-8"
    )
    (tmp_path / "game_0" / ".turnwright" / "checkpoint.sqlite").unlink(missing_ok=True)
    assert any("tarot" in problem.message for problem in verify(tmp_path / "game_0").problems)


def test_the_template_allows_the_scene_tools_and_four_more(new: Callable[[], Campaign]) -> None:
    campaign = new().state["campaign.json"]
    nine = [name for name, folder in TOOLS.groups.items() if folder == "scenes"]
    assert sorted(campaign["allowlist"]) == sorted([*nine, "move", "hp_delta", "map_generate", "roll_dice"])
    assert len(nine) == 9
    assert campaign["selected"]["party_character_ids"] == []


def test_the_template_of_the_toolkit_has_no_tool_of_a_scene_game(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", "toolkit", clock=clock) as campaign:
        allowed = campaign.state["campaign.json"]["allowlist"]
        assert "crew.json" not in campaign.state
    folders = {"core", "combat", "characters", "magic", "spatial", "data", "quests"}
    assert {TOOLS.groups[name] for name in allowed} == folders


def test_the_same_seed_deals_the_same_cards(new: Callable[[], Campaign]) -> None:
    assert request_of(new()) == request_of(new())


def test_a_campaign_without_a_scene_game_draws_nothing_as_it_begins(tmp_path: Path) -> None:
    with begin(tmp_path / "c") as campaign:
        assert "draws" not in next(campaign.records())


def test_a_crew_that_somebody_adds_by_hand_is_asked_in_the_same_record(tmp_path: Path) -> None:
    path = tmp_path / "c"
    with begin(path) as campaign:
        edit(path, "crew.json", {})
        campaign.process({})
        record = log_of(path)[1]
        assert (record["kind"], record["files"]) == ("edit", ["crew.json"])
        assert sorted(record["changes"]) == ["campaign.json", "crew.json"]
        assert [draw["why"] for draw in record["draws"]] == ["tarot"] * 3
        assert request_of(campaign)["id"] == "request-1"
        assert json.loads((path / "crew.json").read_text(encoding="utf-8"))["request"]["id"] == "request-1"
    sound(path)


def test_such_an_edit_is_not_taken_over_twice_after_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c"
    monkeypatch.setattr("turnwright.store.write_behind.WriteBehind.follow", lambda _self: None)
    with begin(path) as campaign:
        edit(path, "crew.json", {})
        campaign.process({"answer": {"request_id": "request-1", "value": CHOICES}})
        shutil.copytree(path, tmp_path / "crashed")
    with Campaign.open(tmp_path / "crashed", clock) as crashed:
        crashed.process({})
        assert crashed.state["crew.json"]["phase"]["tag"] == "scenario_init"
        assert [record["kind"] for record in crashed.records()] == ["new", "edit", "turn", "turn"]


def test_a_dry_run_over_such_an_edit_shows_the_question_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c"
    with begin(path) as campaign:
        edit(path, "crew.json", {})
        reply = campaign.process({}, dry_run=True)
        assert reply["request"]["id"] == "request-1"
        assert len(log_of(path)) == 1
        done = campaign.process({"answer": {"request_id": "request-1", "value": CHOICES}}, dry_run=True)
        assert done["status"] == "applied"


def test_a_crew_whose_log_has_not_begun_is_asked_as_it_begins(tmp_path: Path) -> None:
    path = tmp_path / "c"
    for name, value in {**documents(), "crew.json": {}}.items():
        edit(path, name, value)
    with Campaign.open(path, clock) as campaign:
        assert campaign.process({}, dry_run=True)["request"]["kind"] == "creation"
        campaign.process({})
        assert len(log_of(path)[0]["draws"]) == 3
    sound(path)


def test_a_crew_that_was_asked_already_is_not_asked_again(new: Callable[[], Campaign], tmp_path: Path) -> None:
    with new() as campaign:
        crew = campaign.state["crew.json"]
        edit(tmp_path / "game_0", "crew.json", crew | {"session_goals": ["get rich"]})
        campaign.process({})
        record = log_of(tmp_path / "game_0")[1]
        assert record["kind"] == "edit"
        assert "draws" not in record
        assert request_of(campaign)["id"] == "request-1"


# undo


def test_a_question_that_is_open_again_after_an_undo_has_a_new_id(new: Callable[[], Campaign], tmp_path: Path) -> None:
    with new() as campaign:
        before = campaign.state
        answer(campaign, CHOICES)
        campaign.undo()
        after = campaign.state
        assert request_of(campaign)["id"] == "request-2"
        assert after["crew.json"] == changed(before["crew.json"], request__id="request-2", awaiting__prompt_id=2)
        assert after["campaign.json"]["counters"] == {"character": 1, "request": 2}
        stale = campaign.process({"answer": {"request_id": "request-1", "value": CHOICES}})
        assert stale["tool_feedback"]["failed_calls"][0]["reason"] == "request_stale"
        assert answer(campaign, CHOICES)["applied_actions"][0]["result"]["character_id"] == "character-2"
    sound(tmp_path / "game_0")


def test_a_question_that_was_open_all_the_time_keeps_its_id(new: Callable[[], Campaign]) -> None:
    with new() as campaign:
        edited = campaign.state["crew.json"] | {"session_goals": ["get rich"]}
        edit(Path(campaign._store.files.root), "crew.json", edited)
        campaign.process({})
        campaign.undo("1")
        assert request_of(campaign)["id"] == "request-1"
        assert campaign.state["crew.json"]["session_goals"] == []


def test_redo_brings_a_question_back_under_yet_another_id(new: Callable[[], Campaign], tmp_path: Path) -> None:
    with new() as campaign:
        answer(campaign, CHOICES)
        campaign.process({"output": SCENARIO})
        text = request_of(campaign)["id"]
        undone = campaign.undo()["record"]
        assert campaign.state["crew.json"]["request"] is None
        campaign.undo(str(undone))
        again = request_of(campaign)
        assert again["kind"] == "text"
        assert again["id"] not in (text, "request-1")
        assert "scenes/scene-1.json" in campaign.state
    sound(tmp_path / "game_0")


def test_dice_on_offer_again_wait_for_the_new_id(new: Callable[[], Campaign], tmp_path: Path) -> None:
    with new() as campaign:
        offered(campaign)
        before = campaign.state["crew.json"]
        answer(campaign, 0)
        campaign.undo()
        crew = campaign.state["crew.json"]
        assert crew["request"]["id"] == crew["pending_outcome"]["request_id"] != before["request"]["id"]
        assert answer(campaign, 1)["status"] == "applied"
    sound(tmp_path / "game_0")


def offered(campaign: Campaign) -> None:
    """Play until dice are on offer."""
    answer(campaign, CHOICES)
    campaign.process({"output": SCENARIO})
    texts = {f"engage_{name}": name for name in ("intent", "approach", "threat", "opportunity")}
    campaign.process({"user_input": "go", "tool_calls": [builders.call("engage", **texts, engage_position="risky")]})
    pool = campaign.state["crew.json"]["dice_pool"]
    free = {"stress_cost": 0, "heat_cost": 0, "coin_delta": 0}
    outcomes = [{"die_value": face, "hint": f"way {i}", **free, "narrative": f"so {i}"} for i, face in enumerate(pool)]
    reply = campaign.process({"tool_calls": [builders.call("spend_die", situation="now", outcomes=outcomes)]})
    assert reply["request"]["kind"] == "dice", reply


def test_an_undo_that_changes_more_than_the_id_of_a_question_is_found(
    new: Callable[[], Campaign], tmp_path: Path
) -> None:
    with new() as campaign:
        answer(campaign, CHOICES)
        campaign.undo()
    log = tmp_path / "game_0" / "log.jsonl"
    *before, last = log.read_text(encoding="utf-8").splitlines()
    forged = json.loads(last)
    forged["changes"]["crew.json"].append({"op": "replace", "path": "/heat", "value": 3})
    line = json.dumps(forged, separators=(",", ":"), ensure_ascii=False)
    log.write_text("\n".join([*before, line, ""]), encoding="utf-8")
    (tmp_path / "game_0" / ".turnwright" / "checkpoint.sqlite").unlink(missing_ok=True)
    assert any("crew.json other than it was" in problem.message for problem in verify(tmp_path / "game_0").problems)


# going on with a session


def ended(path: Path, **crew: Any) -> Campaign:
    values = documents() | {"crew.json": ENDED | crew, "clocks/goal.json": GOAL}
    return begin(path, values)


def test_a_session_that_a_player_ended_goes_on_with_the_choice(tmp_path: Path) -> None:
    with ended(tmp_path / "c") as campaign:
        done = campaign.resume()
        crew = campaign.state["crew.json"]
        assert done == {"record": 1, "request": crew["request"]}
        assert (crew["phase"]["tag"], crew["phase"]["context"]["stage"]) == ("between_scenes", "choosing")
        assert crew["awaiting"]["stage"] == "player_choice"
        keys = [option["key"] for option in crew["request"]["payload"]["options"]]
        assert keys == ["lay_low", "recover", "work_goal:goal", "new_scene", "end_session"]
        assert crew["request"]["for"] == "pc_001"
        record = log_of(tmp_path / "c")[1]
        assert list(record) == [
            *("seq", "kind", "prev", "timestamp", "session", "events", "request", "changes"),
        ]
        assert (record["kind"], record["session"]) == ("session", "resumed")
        assert [event["type"] for event in record["events"]] == ["InterludeEntered"]
        assert answer(campaign, "new_scene")["status"] == "applied"
    sound(tmp_path / "c")


def test_a_resumed_session_can_be_taken_back_and_forked(tmp_path: Path) -> None:
    with ended(tmp_path / "c") as campaign:
        before = campaign.state["crew.json"]
        campaign.resume()
        campaign.fork(tmp_path / "fork", "1")
        assert campaign.undo("1")["undone"] == [{"seq": 1, "kind": "session", "turn_id": None}]
        prompts = campaign.state["crew.json"]["awaiting"]["prompt_id"]
        assert campaign.state["crew.json"] == changed(before, awaiting__prompt_id=prompts)
        assert prompts > before["awaiting"]["prompt_id"] + 1
        assert campaign.resume()["record"] == 3
        assert request_of(campaign)["id"] == "request-2"
    sound(tmp_path / "c")
    sound(tmp_path / "fork")


@pytest.mark.parametrize(
    ("phase", "stage"),
    [
        ({"tag": "session_ended", "reason": "creation_cancelled"}, "none"),
        ({"tag": "session_ended", "reason": "init_failed"}, "none"),
        ({"tag": "scenario_init", "for": "pc_001"}, "dm_scenario"),
        ({"tag": "character_creation"}, "player_creation"),
    ],
)
def test_nothing_else_can_be_resumed(phase: Json, stage: str, tmp_path: Path) -> None:
    with ended(tmp_path / "c", phase=phase, awaiting={"stage": stage}) as campaign:
        with pytest.raises(BadRequest):
            campaign.resume()
        assert len(log_of(tmp_path / "c")) == 1


def test_without_a_scene_game_there_is_no_session(tmp_path: Path) -> None:
    with begin(tmp_path / "c") as campaign, pytest.raises(BadRequest, match="no scene game"):
        campaign.resume()


def test_hand_edits_are_taken_over_before_a_session_goes_on(tmp_path: Path) -> None:
    with ended(tmp_path / "c") as campaign:
        edit(tmp_path / "c", "crew.json", ENDED | {"heat": 0})
        campaign.resume()
        assert [record["kind"] for record in log_of(tmp_path / "c")] == ["new", "edit", "session"]
        keys = [option["key"] for option in request_of(campaign)["payload"]["options"]]
        assert "lay_low" not in keys


def test_an_edit_that_leaves_the_game_unsound_is_refused(tmp_path: Path) -> None:
    with ended(tmp_path / "c") as campaign:
        edit(tmp_path / "c", "crew.json", ENDED | {"heat": 11})
        with pytest.raises(CampaignInvalid) as caught:
            campaign.resume()
        assert [(problem.file, problem.path, problem.rule) for problem in caught.value.problems] == [
            ("crew.json", "$.heat", "too_much")
        ]


def test_an_evening_from_the_first_question_to_the_next_session(new: Callable[[], Campaign], tmp_path: Path) -> None:
    with new() as campaign:
        answer(campaign, CHOICES)
        steps: list[Json] = [
            {"output": SCENARIO},
            {"user_input": "I leave.", "output": {"narration": "You are gone.", "continue_scene": False}},
            {"output": {"summary": "They left.", "key_moments": ["the skylight"]}},
            {"output": {"text": "Two nights pass."}},
        ]
        for step in steps:
            assert campaign.process(step)["status"] == "applied"
        answer(campaign, "lay_low")
        assert campaign.process({"output": SCENE})["status"] == "applied"
        crew = campaign.state["crew.json"]
        assert crew["phase"]["scene_id"] == "scene-2"
        assert crew["scene_entry_context"]["option"] == "lay_low"
        campaign.process({"user_input": "Enough.", "output": {"narration": "Home.", "continue_scene": False}})
        campaign.process({"user_input": "Go on."})  # nobody sums up, nobody tells how time passes
        answer(campaign, "end_session")
        assert campaign.state["crew.json"]["awaiting"]["stage"] == "none"
        assert campaign.resume()["request"]["kind"] == "choice"
    sound(tmp_path / "game_0")


# the command line


def test_resume_prints_what_there_is_to_choose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended(tmp_path / "c").close()
    assert run(["resume", str(tmp_path / "c"), "--now", builders.STAMP]) == 0
    out = capsys.readouterr().out
    assert out.startswith("resumed by record 1\n")
    assert "  3  go on to the next scene\n" in out
    assert run(["log", str(tmp_path / "c")]) == 0
    assert "session  resumed" in capsys.readouterr().out


def test_resume_speaks_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ended(tmp_path / "c").close()
    assert run(["resume", str(tmp_path / "c"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["record"] == 1
    assert run(["resume", str(tmp_path / "c"), "--json"]) == 64
    assert "has not ended" in capsys.readouterr().out
