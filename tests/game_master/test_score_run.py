"""Runs of a scenario: a bad game master's numbers are the ones counted by hand, and nothing a model does ends a run."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from tests.builders import hp_delta, move
from tests.game_master.playing import Line, Once, calls, failing, says
from tests.game_master.scoring import a_pack, conditions, scripted, told, written

from turnwright.analysis.score.measures import measures_of
from turnwright.analysis.score.packs import load_pack, read_pack
from turnwright.analysis.score.run import play
from turnwright.analysis.score.shapes import Run
from turnwright.analysis.score.watch import Step, Watch
from turnwright.audit.verify import verify
from turnwright.game_master import telemetry
from turnwright.game_master.suggestion_provider import suggest
from turnwright.llm.echo import EchoModel
from turnwright.llm.port import Limits, Message, ModelAnswer, ModelRequest, Usage

BAD: tuple[Line, ...] = (
    # go: a way that is not there, the right one, the text
    calls(move("area_999")),
    calls(move("area_002")),
    says("You go."),
    # wonder: a call where there is nothing to be done, and its text beside it
    says("Ow.", hp_delta(-1)),
    # fall: nothing that can be read, then no answer
    says("{{{", is_well_formed=False),
    {"fail": "timeout"},
    # talk: a tool that there is not, one of the two that there are, and a claim that nothing bears out
    calls({"id": "x", "tool": "dance", "args": {}}, hp_delta(-2)),
    says("Mira loses 7 hit points."),
)


def run_of(folder: Path, *lines: Line, **how: Any) -> Run:
    return play(a_pack(folder / "pack"), 1, folder / "run", conditions(scripted(lines), **how))


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_of(tmp_path_factory.mktemp("bad"), *BAD)


def test_each_message_of_a_bad_game_master_has_the_numbers_counted_by_hand(bad: Run) -> None:
    assert told(bad, "outcome") == ["answered", "answered", "failed", "answered"]
    assert told(bad, "asked") == [3, 1, 2, 2]
    assert told(bad, "well_formed") == [3, 1, 0, 2]
    assert told(bad, "failures") == [{}, {}, {"timeout": 1}, {}]
    assert told(bad, "made") == [2, 1, 0, 2]
    assert told(bad, "applied") == [1, 1, 0, 1]
    assert told(bad, "repaired") == [1, 0, 0, 0]
    assert told(bad, "met") == [1, 0, 0, 0]
    assert told(bad, "expected") == [1, 0, 2, 0]
    assert told(bad, "abstained") == [None, False, None, None]
    assert told(bad, "findings") == [0, 0, 0, 1]
    assert told(bad, "calls")[3] == {"dance": 1, "hp_delta": 1}
    assert (bad["goal"], bad["passed"]) == ([True], True)


def test_the_measures_of_that_run_are_the_sums(bad: Run) -> None:
    measures: Any = measures_of([bad])
    shares = ("answered", "well_formed", "cut_off", "legal", "repaired", "abstained", "expected", "findings")
    assert {key: (measures[key]["count"], measures[key]["n"]) for key in shares} == {
        "answered": (3, 4),
        "well_formed": (6, 8),
        "cut_off": (0, 8),
        "legal": (3, 5),
        "repaired": (1, 2),
        "abstained": (0, 1),
        "expected": (1, 3),
        "findings": (1, 4),
    }
    assert measures["failures"] == {"timeout": 1}
    assert measures["pass"]["all"] == {
        "passed": 1,
        "n": 1,
        "pass_k": [{"k": 1, "rate": 1.0, "low": 0.2065, "high": 1.0}],
    }


def test_tokens_are_those_of_all_questions_and_time_is_that_of_the_whole_message(tmp_path: Path) -> None:
    model = Once(lambda _: ModelAnswer("So it goes.", usage=Usage(70, 3)))
    run = play(a_pack(tmp_path / "pack"), 1, tmp_path / "run", conditions(lambda _: model))
    assert told(run, "tokens") == [73] * 4
    assert all(ms >= 3 for ms in told(run, "ms")), "each look at this clock takes a millisecond"


@pytest.mark.parametrize("kind", ["unavailable", "timeout", "disconnected", "refused", "garbage", "too_long"])
def test_a_model_that_fails_counts_and_the_run_goes_on(tmp_path: Path, kind: str) -> None:
    run = play(a_pack(tmp_path / "pack"), 1, tmp_path / "run", conditions(lambda _: failing(kind)))
    assert told(run, "failures") == [{kind: 1}] * 4
    assert told(run, "answered") == [False] * 4
    assert told(run, "abstained")[1] is False, "whoever says nothing at all has not abstained"
    assert run["passed"] is False
    assert verify(tmp_path / "run").problems == ()


def test_a_model_that_only_talks_abstains_and_gets_nowhere(tmp_path: Path) -> None:
    run = play(a_pack(tmp_path / "pack"), 1, tmp_path / "run", conditions(lambda _: EchoModel()))
    assert told(run, "abstained")[1] is True
    assert sum(told(run, "met")) == 0
    assert run["passed"] is False


def test_to_look_is_to_abstain(tmp_path: Path) -> None:
    pack = a_pack(tmp_path / "pack", messages=[{"id": "wonder", "say": ["Where can I go?"], "abstain": True}])
    look = {"id": "c", "tool": "move_options", "args": {"actor_id": "pc_001"}}
    run = play(pack, 1, tmp_path / "run", conditions(scripted([calls(look), says("On.")])))
    assert (told(run, "abstained"), told(run, "made")) == ([True], [1])


def test_calls_after_the_last_question_with_tools_are_no_calls(tmp_path: Path) -> None:
    pack = a_pack(tmp_path / "pack", messages=[{"id": "go", "say": ["I go."], "expect": ["move"]}])
    lines = [calls(hp_delta(-1)), says("You go.", move("area_002"))]
    run = play(pack, 1, tmp_path / "run", conditions(scripted(lines), settings={"agents.max_steps": 2}))
    assert (told(run, "made"), told(run, "applied"), told(run, "met")) == ([1], [1], [0])


def test_what_was_closed_in_conflict_was_not_published_and_counts_no_findings(tmp_path: Path) -> None:
    folder = written(tmp_path / "pack", messages=[{"id": "fall", "say": ["I fall."]}])
    campaign = folder / "start" / "campaign.json"
    head = json.loads(campaign.read_text(encoding="utf-8"))
    campaign.write_text(json.dumps(head | {"settings": {"narration.check": "retry"}}), encoding="utf-8")
    lie = says("Mira takes 7 damage.")
    run = play(load_pack(folder), 1, tmp_path / "run", conditions(scripted([lie] * 3)))
    assert (told(run, "outcome"), told(run, "findings")) == (["withheld"], [0])


def test_a_call_that_failed_only_with_its_text_is_held_against_nobody(tmp_path: Path) -> None:
    folder = written(tmp_path / "pack", messages=[{"id": "fall", "say": ["I fall."]}])
    campaign = folder / "start" / "campaign.json"
    head = json.loads(campaign.read_text(encoding="utf-8"))
    campaign.write_text(json.dumps(head | {"settings": {"narration.check": "retry"}}), encoding="utf-8")
    lines = [says("Mira takes 7 damage."), says("Mira takes 7 damage.", move("area_002"), move("area_999"))]
    run = play(load_pack(folder), 1, tmp_path / "run", conditions(scripted([*lines, says("Mira rests.")])))
    assert (told(run, "calls"), told(run, "made"), told(run, "applied")) == ([{"move": 2}], [1], [0])


@pytest.mark.parametrize(
    "fault",
    [
        {"tool": "execute_action", "args": {"encounter_id": "encounter-1", "actor_id": "korrin"}},
        {"tool": "take_rest", "args": {"rest_type": "short"}},
    ],
    ids=["a call that fails", "a call that is not for this agent"],
)
def test_of_calls_that_are_done_together_only_the_one_at_fault_failed(tmp_path: Path, fault: Any) -> None:
    pack = read_pack("skirmish")
    good: list[Line] = [
        says(answer.text, *({"id": "c", "tool": one.tool, "args": one.args} for one in answer.calls))
        for message in pack.scenario.messages[:4]
        for answer in message.solution
    ]
    *before, mended, text, wolf, wolf_text = good
    end = {"id": "end", "tool": "advance_turn", "args": {"encounter_id": "encounter-1"}}
    lines = [*before, calls({"id": "bad", **fault}, end), mended, text, wolf, wolf_text]
    run = play(pack, 1, tmp_path / "run", conditions(scripted(lines), turns=4))
    assert told(run, "outcome") == ["answered"] * 4
    assert told(run, "calls")[3]["advance_turn"] == 3
    assert (told(run, "made")[3], told(run, "applied")[3]) == (5, 4)
    is_repaired = fault["tool"] == "execute_action"
    assert told(run, "repaired")[3] == is_repaired


def test_the_turn_of_an_enemy_takes_nothing_from_an_answer_or_an_abstention(tmp_path: Path) -> None:
    pack = read_pack("skirmish")
    good: list[Line] = [
        says(answer.text, *({"id": "c", "tool": one.tool, "args": one.args} for one in answer.calls))
        for message in pack.scenario.messages[:5]
        for answer in message.solution
    ]
    *before, wolf_acts, wolf_told, abstained = good
    lines = [*before, {"fail": "timeout"}, abstained, wolf_acts, wolf_told]
    run = play(pack, 1, tmp_path / "run", conditions(scripted(lines), turns=5))
    assert told(run, "outcome") == ["answered", "answered", "answered", "failed", "answered"]
    assert told(run, "answered") == [True] * 5
    assert told(run, "abstained") == [True, True, None, None, True]
    assert told(run, "calls")[4] == {"advance_turn": 1, "execute_action": 1}


def test_with_fewer_turns_the_goal_is_not_judged(tmp_path: Path) -> None:
    run = run_of(tmp_path, *BAD, turns=2)
    assert told(run, "id") == ["go", "wonder"]
    assert (run["goal"], run["passed"]) == ([], None)


def test_the_same_seed_gives_the_same_run_and_the_same_log(tmp_path: Path) -> None:
    runs = [run_of(tmp_path / str(number), *BAD, suggest=suggest) for number in range(2)]
    logs = [(tmp_path / str(number) / "run/log.jsonl").read_bytes() for number in range(2)]
    assert runs[0] == runs[1]
    assert logs[0] == logs[1]


def test_the_seed_picks_wordings_and_dice(tmp_path: Path) -> None:
    pack = a_pack(tmp_path / "pack")
    said, secrets = set(), set()
    for seed in range(1, 21):
        play(pack, seed, tmp_path / str(seed) / "run", conditions(lambda _: EchoModel(), turns=1))
        log = [json.loads(line) for line in (tmp_path / str(seed) / "run/log.jsonl").read_text("utf-8").splitlines()]
        said.add(log[1]["user_input"])
        secrets.add(log[0]["secret_sha256"])
    assert said == {"I go on.", "On I go.", "Forward!"}
    assert len(secrets) == 20


def test_no_two_questions_of_different_seeds_share_the_seed_of_the_model(tmp_path: Path) -> None:
    asked: list[int | None] = []

    class Noting(EchoModel):
        def answer(self, request: ModelRequest, on_text: Any = None) -> ModelAnswer:
            asked.append(request.limits.seed)
            return super().answer(request, on_text)

    pack = a_pack(tmp_path / "pack")
    for seed in (1, 2):
        play(pack, seed, tmp_path / str(seed), conditions(lambda _: Noting()))
    assert len(asked) == len(set(asked)) == 8
    assert None not in asked


def test_suggestions_and_the_schema_are_there_or_not_as_the_conditions_say(tmp_path: Path) -> None:
    schemas = []

    class Noting(EchoModel):
        def answer(self, request: ModelRequest, on_text: Any = None) -> ModelAnswer:
            schemas.append(request.answer_schema is not None)
            return super().answer(request, on_text)

    pack = a_pack(tmp_path / "pack")
    for number, hints in enumerate((suggest, None)):
        how = conditions(lambda _: Noting(), suggest=hints, has_schema=hints is not None)
        play(pack, 1, tmp_path / str(number), how)
        assert bool(telemetry.read(tmp_path / str(number)).records) == (hints is not None)
    assert schemas == [True] * 4 + [False] * 4


def test_a_campaign_cannot_name_the_models_that_are_asked(tmp_path: Path) -> None:
    asked: list[str] = []

    def open_model(name: str) -> EchoModel:
        asked.append(name)
        return EchoModel()

    pack = a_pack(tmp_path / "pack")
    campaign = pack.documents["campaign.json"]
    named = {"agents": {"narrative": {"model": "openai:x@http://example.org/v1"}, "larger_model": "script:secrets"}}
    pack.documents["campaign.json"] = campaign.replace(settings=named)
    play(pack, 1, tmp_path / "run", conditions(open_model))
    assert asked == ["any"], "and each model is opened once"


# what is counted


def a_watch(*steps: tuple[list[str], list[str]]) -> Watch:
    watch = Watch()
    for made, applied in steps:
        watch.steps.append(Step.of(made, applied))
    return watch


def test_a_failed_call_is_repaired_when_its_tool_is_applied_after_a_later_answer() -> None:
    assert a_watch((["move"], []), (["move"], ["move"])).repaired == 1
    assert a_watch((["move", "move"], ["move"])).repaired == 0, "not by the one beside it"
    assert a_watch((["move"], ["move"]), (["move"], [])).repaired == 0, "nor by one before"
    assert a_watch((["move", "move"], []), (["hp_delta"], ["hp_delta"]), (["move"], ["move"])).repaired == 2


def test_each_applied_call_meets_one_expectation() -> None:
    watch = a_watch((["move", "hp_delta"], ["move", "hp_delta"]))
    assert watch.met([["move"], ["move"]]) == 1
    assert watch.met([["map_generate", "hp_delta"], ["move"]]) == 2
    assert watch.met([]) == 0


def test_how_many_expectations_are_met_does_not_depend_on_their_order() -> None:
    watch = a_watch((["move", "hp_delta", "roll_dice"], ["move", "hp_delta", "roll_dice"]))
    expected = [["move", "hp_delta"], ["roll_dice", "move"], ["move"]]
    assert {watch.met(order) for order in permutations(expected)} == {3}


def test_what_is_no_call_at_all_is_a_call_that_failed() -> None:
    watch = Watch()
    request = ModelRequest("", (Message("player", "x"),), ({},), None, Limits(0.0, 16, 1.0))
    watch.answered(request, ModelAnswer("", ({"id": "c"}, "move", 3, {"tool": ["move"]})))
    assert (watch.made.total(), watch.legal, watch.only_looked) == (4, 0, False)
