"""The sample campaigns: every turn file becomes what is told of it, and the one-file campaigns lose nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.sampling import some

from turnwright import Campaign
from turnwright.model.errors import BadRequest
from turnwright.model.state.fold import fold
from turnwright.model.strict_json import parse_json, pretty
from turnwright.rulesets.fifth_edition.template import TOOLKIT_GROUPS
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.toolbox import TOOLS
from turnwright.store.documents import find_documents, parse_document
from turnwright.store.files import Files
from turnwright.store.package_files import campaigns_folder, sample_campaigns, seed_of_sample

NOW = datetime(2026, 1, 14, 16, 5, 31, tzinfo=UTC)
STAMP = "2026-01-14T16:05:31+00:00"
LEGACY = campaigns_folder() / "legacy"

TABLE: dict[str, dict[str, str]] = {
    "barrow": {
        "0001-the-road.json": "applied",
        "0002-a-fourth-friend.json": "applied",
        "0003-the-door.json": "applied",
        "0004-before-the-hall.json": "applied",
        "0005-the-dead-rise.json": "applied",
        "0006-measuring-up.json": "applied",
        "0007-odo-calls-the-guardians.json": "applied",
        "0008-pip-goes-quiet.json": "applied",
        "0009-the-rat-blinks.json": "applied",
        "0010-the-thrall-comes-apart.json": "applied",
        "0011-the-king-answers.json": "applied",
        "0012-wren-reads.json": "applied",
        "0013-sigrun-charges.json": "applied",
        "0014-a-word-without-a-mouth.json": "applied",
        "0015-pip-strikes.json": "applied",
        "0016-the-rat-and-the-thrall.json": "applied",
        "0017-the-kings-reach.json": "applied",
        "0018-between-life-and-death.json": "applied",
        "0019-sigrun-holds-on.json": "applied",
        "0020-the-end-of-the-king.json": "applied",
        "0021-loot.json": "applied",
        "0022-home.json": "applied",
    },
    "crossing": {
        "0001-board-the-ferry.json": "applied",
        "0002-the-drake-surfaces.json": "applied",
        "0003-wrong-turnings.json": "partial"
        " stale=invalid_args too_far=invalid_args someone_else=invalid_args no_from=invalid_args",
        "0004-wrong-numbers.json": "failed"
        " in_words=invalid_args yes=invalid_args whole_but_float=invalid_args no_cause=invalid_args"
        " nobody=invalid_args no_hit_points=invalid_args"
        " no_parent=invalid_args size_in_words=invalid_args nowhere=invalid_args",
        "0005-no-calls-at-all.json": "partial"
        " =invalid_call no_tool=invalid_call args_in_a_list=invalid_call =invalid_call",
        "0006-not-on-the-list.json": "failed"
        " registered=tool_not_allowed unheard_of=tool_not_allowed capital=tool_not_allowed",
        "0007-spellbound.json": "failed sleepwalk=invalid_actor_state mutter=tool_not_allowed",
        "0008-the-cave-under-the-bank.json": "applied",
        "0009-the-drake-again.json": "partial"
        " crawl=actor_state_restricted call_002=actor_state_restricted nothing_given=actor_state_restricted",
        "0010-all-or-nothing.json": "failed last_blow=turn_aborted over_the_side=invalid_args far_bank=turn_aborted",
        "0011-a-slip-of-the-pen.json": "refused invalid_turn",
        "0012-a-taller-tale.json": "applied",
    },
    "delve": {
        "0001-at-the-gate.json": "applied",
        "0002-the-first-level.json": "applied",
        "0003-four-levels-more.json": "applied",
        "0004-all-the-way-down-and-back.json": "applied",
        "0005-other-manners.json": "partial"
        " true_but_unwanted=invalid_args"
        " somebody_else=actor_context_mismatch in_every_tool=actor_context_mismatch"
        " blank=invalid_args where_she_stands=invalid_args",
        "0006-the-walled-up-drift.json": "failed drift=invalid_args",
        "0007-knocking-on-stone.json": "partial drift=invalid_args",
        "0008-the-drift-again.json": "failed drift=invalid_args",
        "0009-once-too-often.json": "failed drift=repeat_illegal_request other_drift=invalid_args",
        "0010-the-wall-comes-down.json": "applied",
        "0011-blows-and-bandages.json": "applied",
        "0012-tomas-comes-to.json": "partial crawl=actor_state_restricted for_another=actor_state_restricted",
        "0013-berrin-lies-still.json": "failed"
        " rise=actor_state_restricted dream=actor_state_restricted haunt=tool_not_allowed",
        "0014-quill-in-irons.json": "failed look=actor_state_restricted slip_out=actor_state_restricted",
        "0015-told-wrong.json": "retry_needed lamp=turn_aborted",
        "0016-told-right.json": "applied",
        "0017-handed-in-twice.json": "applied",
    },
    "heist": {
        "0001-off-the-last-tram.json": "failed answer=answer_invalid",
        "0002-a-name-from-a-coat.json": "applied",
        "0003-three-cards.json": "failed output=scenario_invalid",
        "0004-three-cards-again.json": "applied",
        "0005-on-the-roof.json": "applied",
        "0006-who-is-awake.json": "partial think=tool_removed",
        "0007-pim-counts-them.json": "applied",
        "0008-down-the-rope.json": "partial too_soon=after_transition",
        "0009-four-dice-of-five.json": "failed one_short=outcome_count_mismatch",
        "0010-five-futures.json": "applied",
        "0011-the-two.json": "partial too_clean=outcome_tier_mismatch",
        "0012-what-the-two-costs.json": "applied",
        "0013-one-hundred-and-ninety.json": "applied",
        "0014-brams-turn.json": "applied",
        "0015-brams-dice.json": "applied",
        "0016-bram-takes-the-three.json": "applied",
        "0017-a-shoulder.json": "applied",
        "0018-go.json": "applied",
        "0019-the-cold-room.json": "applied",
        "0020-three-futures.json": "applied",
        "0021-the-old-request.json": "failed answer=request_stale",
        "0022-a-hair-too-low.json": "applied",
        "0023-a-pint-of-morning.json": "applied",
        "0024-every-lamp-at-once.json": "applied",
        "0025-the-five-for-pim.json": "applied",
        "0026-she-says-nothing.json": "failed output=trauma_required",
        "0027-the-woman-in-the-jar.json": "applied",
        "0028-too-short-a-summary.json": "failed output=invalid_args",
        "0029-no-moments-at-all.json": "failed output=invalid_args",
        "0030-get-up.json": "failed output=consequence_unaddressed",
        "0031-what-the-count-cost.json": "applied",
        "0032-the-archivist.json": "applied",
        "0033-the-grating.json": "applied",
        "0034-one-die-one-future.json": "applied",
        "0035-the-last-die.json": "applied",
        "0036-too-good-a-price.json": "failed output=bargain_rate_exceeded",
        "0037-under-the-arch.json": "applied",
        "0038-the-coat.json": "applied",
        "0039-clean.json": "applied",
        "0040-without-a-breath.json": "applied",
        "0041-two-ways-under-a-bridge.json": "applied",
        "0042-between-two-lights.json": "applied",
        "0043-one-thing-too-many.json": "partial and_again=transition_limit",
        "0044-swim.json": "applied",
        "0045-the-two-again.json": "applied",
        "0046-they-get-there.json": "applied",
        "0047-the-bottom-of-the-boat.json": "applied",
        "0048-let-go.json": "applied",
        "0049-what-was-left-in-the-canal.json": "applied",
        "0050-lost-property.json": "applied",
        "0051-an-old-prompt.json": "failed too_late=stage_mismatch",
        "0052-third-from-the-end.json": "applied",
        "0053-two-threes.json": "applied",
        "0054-a-lamp-falls.json": "applied",
        "0055-the-serjeant-is-polite.json": "applied",
        "0056-the-coal-hatch.json": "applied",
        "0057-one-three.json": "applied",
        "0058-daylight-in-the-yard.json": "applied",
        "0059-a-price-nobody-asks.json": "failed output=bargain_target_unknown",
        "0060-and-another.json": "failed output=invalid_args",
        "0061-over-the-gate.json": "applied",
        "0062-seven-minutes.json": "applied",
        "0063-a-knock-at-the-blind-key.json": "applied",
        "0064-more-than-she-has.json": "failed answer=option_unavailable",
        "0065-forty-names.json": "applied",
        "0066-time-passes.json": "applied",
        "0067-rest.json": "applied",
        "0068-a-bridge-nobody-knows.json": "failed output=scene_init_invalid",
        "0069-candle-bridge.json": "applied",
        "0070-the-empty-line.json": "applied",
        "0071-the-first-name.json": "applied",
        "0072-the-pencil.json": "applied",
        "0073-two-snuffers-and-a-cart.json": "applied",
        "0074-the-pike.json": "applied",
        "0075-the-hook.json": "applied",
        "0076-the-lamp.json": "applied",
        "0077-like-breathing.json": "applied",
        "0078-eleven-steps.json": "applied",
        "0079-which-way-should-i-look.json": "applied",
        "0080-four-fours.json": "applied",
        "0081-rose-and-copper.json": "applied",
        "0082-morning.json": "applied",
        "0083-on-the-bridge.json": "applied",
        "0084-what-does-it-look-like.json": "applied",
        "0085-the-last-summary.json": "applied",
        "0086-a-pot-of-tea.json": "applied",
        "0087-good-night.json": "applied",
        "0088-one-more-thing.json": "failed encore=session_ended",
    },
}
"""What becomes of each turn file: the status of the turn, then each failed call with its reason, in call order."""

ERRORS = {"invalid_args", "invalid_call"}
PARTS = [(part, part) for part in ("answer", "user_input", "output")]
"""What is told of like a call and is none."""


def clock() -> datetime:
    return NOW


@dataclass(frozen=True)
class Played:
    """A sample campaign after all its turn files."""

    path: Path
    replies: Mapping[str, Any]

    @property
    def records(self) -> list[Any]:
        with Campaign.open(self.path, clock) as campaign:
            return list(campaign.records())

    def state(self, mark: str | None = None) -> Any:
        with Campaign.open(self.path, clock) as campaign:
            return campaign.state if mark is None else campaign.state_at(mark)

    def reply(self, number: int) -> Any:
        return next(reply for name, reply in self.replies.items() if name.startswith(f"{number:04d}-"))

    def result(self, number: int, call_id: str) -> Any:
        found: Any = next(a["result"] for a in self.reply(number)["applied_actions"] if a["id"] == call_id)
        return found


def play(name: str, path: Path, seed: str | None = None) -> Played:
    with Campaign.new(path, template=name, seed=seed or seed_of_sample(name) or name, clock=clock) as campaign:
        return Played(path, dict(campaign.process_drop()))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Played]:
    folder = tmp_path_factory.mktemp("samples")
    return {name: play(name, folder / name) for name in TABLE}


def people(state: Any) -> dict[str, tuple[str | None, int | None, str]]:
    found = [value for path, value in state.items() if path.startswith("characters/")]
    return {who["id"]: (who["position"], who["hp"], who["character_state"]) for who in found}


def became(reply: Any) -> str:
    if reply["status"] == "refused":
        return f"refused {reply['reason']}"
    failed = reply["tool_feedback"]["failed_calls"]
    return " ".join([reply["status"], *(f"{call['id']}={call['reason']}" for call in failed)])


def test_the_barrow_calls_every_tool_of_the_toolkit_and_ends_well(played: Mapping[str, Played]) -> None:
    barrow = played["barrow"]
    actions = [action for reply in barrow.replies.values() for action in reply["applied_actions"]]
    toolkit = {name for name, folder in TOOLS.groups.items() if folder in TOOLKIT_GROUPS}
    toolkit -= {"cast_spell"}  # the barrow uses no content
    assert toolkit <= {action["tool"] for action in actions}
    assert {action["alias_of"] for action in actions if "alias_of" in action} >= {
        "link_rooms",
        "resolve_attack",
        "apply_damage",
    }
    encounter = barrow.state()["encounters/encounter-1.json"]
    assert (encounter["status"], encounter["outcome"]) == ("ended", "victory")
    assert "characters/quiet_king.json" not in barrow.state()
    assert people(barrow.state())["sigrun"] == ("antechamber", 30, "alive")


# what samples tell

SHOWN_LIES = {
    "barrow": set[tuple[str, str]](),
    "crossing": {("turn_0011", "regains 5 hit points")},
    "delve": {("the_warden", "Warden takes 9 damage")},
    "heist": set[tuple[str, str]](),
}
"""The texts that a sample is made to show as false: the turn, and what it claims."""


@pytest.mark.parametrize("name", TABLE)
def test_whatever_the_dice_do_no_text_of_a_sample_says_what_is_not_so(name: str, tmp_path: Path) -> None:
    seeds = some([str(number) for number in range(1, 21)], 3)
    for seed in (None, *seeds):
        records = play(name, tmp_path / f"{seed}", seed).records
        found = {
            (record["turn_id"], finding["claim"])
            for record in records
            for finding in record.get("findings", ())
            if finding["severity"] != "info"
        }
        assert found == SHOWN_LIES[name], seed


def test_the_samples_whose_story_depends_on_the_dice_say_which_they_were_written_for() -> None:
    assert {name: seed for name in TABLE if (seed := seed_of_sample(name))} == {"barrow": "barrow", "heist": "heist"}


def test_a_sample_made_without_a_seed_from_python_has_dice_that_nobody_can_guess(tmp_path: Path) -> None:
    hashes = set()
    for place in ("one", "other", "seeded"):
        seed = seed_of_sample("barrow") if place == "seeded" else None
        with Campaign.new(tmp_path / place, "barrow", seed=seed, clock=clock) as campaign:
            hashes.add(next(campaign.records())["secret_sha256"])
    assert len(hashes) == 3


def test_the_door_of_the_barrow_lets_nobody_through_before_it_is_open(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "barrow", "barrow", seed="x", clock=clock, with_turns=False) as campaign:
        calls = [{"id": to, "tool": "move", "args": {"to_area_id": to}} for to in ("barrow_mouth", "antechamber")]
        reply = campaign.process({"tool_calls": calls})
    assert became(reply) == "partial antechamber=invalid_args"


# all samples


def test_every_template_but_the_first_is_a_sample_with_a_table_here() -> None:
    assert set(sample_campaigns()) == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_every_turn_file_becomes_what_the_table_says(name: str, played: Mapping[str, Played]) -> None:
    assert {file: became(reply) for file, reply in played[name].replies.items()} == TABLE[name]


@pytest.mark.parametrize("name", ["crossing", "delve"])
def test_what_is_stopped_is_rejected_and_what_is_wrong_is_an_error(name: str, played: Mapping[str, Played]) -> None:
    replies = played[name].replies.values()
    failed = [
        call for reply in replies if reply["status"] != "refused" for call in reply["tool_feedback"]["failed_calls"]
    ]
    assert {(c["reason"] in ERRORS, c["status"]) for c in failed} == {(True, "error"), (False, "rejected")}


@pytest.mark.parametrize("name", TABLE)
def test_every_call_is_in_exactly_one_of_the_two_lists(name: str, played: Mapping[str, Played]) -> None:
    for record in played[name].records[1:]:
        told = [*record["applied_actions"], *record["tool_feedback"]["failed_calls"]]
        calls = [entry for entry in told if (entry["id"], entry["tool"]) not in PARTS]
        assert len(calls) == len(record.get("tool_calls", ()))


@pytest.mark.parametrize("name", TABLE)
def test_the_readme_tells_every_turn_file_and_its_status(name: str) -> None:
    text = (sample_campaigns()[name] / "README.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(\d{4}-[^`]+)` \| (\w+) \|", text, re.MULTILINE))
    assert told == {file: row.split()[0] for file, row in TABLE[name].items()}


@pytest.mark.parametrize("name", TABLE)
def test_documents_are_spelt_as_the_engine_spells_them(name: str) -> None:
    folder = sample_campaigns()[name]
    for path in find_documents(Files(folder), BUILT_IN.documents):
        data = (folder / path).read_bytes()
        document, problems = parse_document(path, data, BUILT_IN.documents)
        assert document is not None, problems
        assert data == pretty(document.value()), path


@pytest.mark.parametrize("name", TABLE)
def test_taken_files_lie_among_the_done_or_the_refused(name: str, played: Mapping[str, Played]) -> None:
    turns = played[name].path / "turns"
    refused = {file for file, row in TABLE[name].items() if row.startswith("refused")}
    assert {file.name for file in (turns / "done").glob("*")} == set(TABLE[name]) - refused
    assert {file.name for file in (turns / "refused").glob("*")} == refused | {
        f"{file}.reason.json" for file in refused
    }
    assert not list(turns.glob("*.json"))


@pytest.mark.parametrize("name", TABLE)
def test_the_log_alone_gives_the_documents(name: str, played: Mapping[str, Played]) -> None:
    state = played[name].state()
    assert fold(played[name].records) == state
    for path, value in state.items():
        assert (played[name].path / path).read_bytes() == pretty(value)


@pytest.mark.parametrize("name", TABLE)
def test_the_same_turns_with_the_same_clock_and_seed_give_the_same_log(
    name: str, played: Mapping[str, Played], tmp_path: Path
) -> None:
    again = play(name, tmp_path / name)
    assert (again.path / "log.jsonl").read_bytes() == (played[name].path / "log.jsonl").read_bytes()


# the crossing


def test_the_call_of_the_stage_3_document_gives_the_action_of_the_stage_3_document(
    played: Mapping[str, Played],
) -> None:
    assert played["crossing"].reply(1)["applied_actions"] == [
        {
            "id": "call_001",
            "tool": "move",
            "args": {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_002"},
            "result": {"to_area_id": "area_002"},
            "timestamp": STAMP,
        }
    ]


def test_a_cave_of_two_has_the_result_that_the_stage_3_document_prints(played: Mapping[str, Played]) -> None:
    assert played["crossing"].result(8, "cave") == {
        "created_area_ids": ["area_003", "area_004"],
        "created_connections": 3,
        "root_parent_area_id": "area_001",
        "warnings": [],
    }


def test_the_failed_call_of_the_stage_3_document_has_its_status_and_reason(played: Mapping[str, Played]) -> None:
    failed = {call["id"]: call for call in played["crossing"].reply(9)["tool_feedback"]["failed_calls"]}
    shown = {key: failed["call_002"][key] for key in ("id", "tool", "status", "reason")}
    assert shown == {"id": "call_002", "tool": "hp_delta", "status": "rejected", "reason": "actor_state_restricted"}


def test_a_true_narration_has_no_findings_and_a_taller_tale_has_one(played: Mapping[str, Played]) -> None:
    assert played["crossing"].reply(2)["findings"] == []
    [finding] = played["crossing"].reply(12)["findings"]
    assert (finding["kind"], finding["severity"], finding["tool"]) == ("missing", "error", "hp_delta")
    assert finding["expected"] == {"target_character_id": "pc_001", "delta": 5}


def test_a_misspelt_key_is_answered_with_the_nearest_one_and_is_not_recorded(played: Mapping[str, Played]) -> None:
    crossing = played["crossing"]
    reason = crossing.path / "turns/refused/0011-a-slip-of-the-pen.json.reason.json"
    assert parse_json(reason.read_bytes()) == crossing.reply(11)
    assert crossing.reply(11)["hint"]["choices"][0] == "tool_calls"
    assert [record["seq"] for record in crossing.records] == list(range(12))


def test_the_ferryman_is_present_at_what_is_told_on_his_ferry(played: Mapping[str, Played]) -> None:
    assert "npc_001" in played["crossing"].records[2]["present_ids"]


def test_harm_told_of_a_drake_that_no_call_touches_is_an_error(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", template="crossing", clock=clock) as campaign:
        step = {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_002"}
        calls = [{"id": "aboard", "tool": "move", "args": step}]
        reply = campaign.process({"tool_calls": calls, "assistant_text": "The River Drake takes 5 damage."})
    assert [(finding["kind"], finding["severity"]) for finding in reply["findings"]][:1] == [("missing", "error")]


@pytest.mark.parametrize("size", [0, 31])
def test_a_cave_has_one_to_thirty_areas(size: int, tmp_path: Path) -> None:
    args = {"parent_area_id": "area_001", "theme": "Cave", "constraints": {"size": size}}
    with Campaign.new(tmp_path / "c", template="crossing", clock=clock) as campaign:
        reply = campaign.process({"tool_calls": [{"id": "cave", "tool": "map_generate", "args": args}]})
    assert became(reply) == "failed cave=invalid_args"


def test_an_atomic_turn_that_fails_changes_nothing(played: Mapping[str, Played]) -> None:
    record = played["crossing"].records[10]
    assert (record["atomic"], record["status"], record["changes"]) == (True, "failed", {})


def test_the_crossing_ends_as_its_readme_tells(played: Mapping[str, Played]) -> None:
    state = played["crossing"].state()
    assert people(state) == {
        "pc_001": ("far_bank", 3, "alive"),
        "pc_002": ("area_001", 7, "spellbound"),
        "npc_001": ("area_002", None, "alive"),
        "enemy_001": ("area_002", 5, "alive"),
    }
    cave = state["maps/area_001.json"]["areas"]
    assert {area_id: area["reachable_area_ids"] for area_id, area in cave.items()} == {
        "area_003": ["area_001", "area_004"],
        "area_004": [],
    }


# the delve


def test_the_mine_is_five_levels_deep(played: Mapping[str, Played]) -> None:
    areas = {
        area_id: area
        for path, layer in played["delve"].state("turn_0003").items()
        if path.startswith("maps/")
        for area_id, area in layer["areas"].items()
    }
    way, here = [], "area_012"
    while here:
        way.append(here)
        here = areas[here]["parent_area_id"]
    assert way == ["area_012", "area_010", "area_008", "area_005", "area_001", "shaft_head"]
    for inner, outer in pairwise(way):
        assert outer in areas[inner]["reachable_area_ids"]
        assert inner in areas[outer]["reachable_area_ids"]


def test_a_blank_theme_and_a_missing_seed_are_warnings(played: Mapping[str, Played]) -> None:
    assert played["delve"].result(3, "level_4")["warnings"] == ["theme_defaulted", "seed_defaulted"]
    assert played["delve"].result(3, "level_5")["warnings"] == []


def test_every_step_down_and_up_says_where_from_and_where_to(played: Mapping[str, Played]) -> None:
    steps = [action["result"] for action in played["delve"].reply(4)["applied_actions"]]
    way = ["area_001", "area_005", "area_008", "area_010", "area_012", "area_010", "area_008", "area_005", "area_001"]
    assert steps == [{"from_area_id": a, "to_area_id": b} for a, b in pairwise(way)]


def test_a_repeat_keeps_its_first_reason_until_the_world_changes(played: Mapping[str, Played]) -> None:
    delve = played["delve"]
    repeat = delve.reply(9)["tool_feedback"]["failed_calls"][0]
    assert repeat["hint"]["first_reason"] == "invalid_args"
    assert delve.result(10, "drift") == {"from_area_id": "area_001", "to_area_id": "area_013"}


def test_hit_points_with_a_sheet_know_temporary_ones_a_ceiling_and_death_saves(played: Mapping[str, Played]) -> None:
    delve = played["delve"]
    assert [delve.result(11, name)["new_hp"] for name in ("temporary_first", "up_to_the_ceiling")] == [10, 14]
    after = delve.state("turn_0011")
    assert "temp_hp" not in after["characters/ilse.json"]
    assert after["characters/tomas.json"]["death_saves"]["failures"] == 2
    assert "death_saves" not in delve.state("turn_0012")["characters/tomas.json"]


def test_a_turn_told_wrong_changes_nothing_and_its_second_attempt_reports_it(played: Mapping[str, Played]) -> None:
    delve = played["delve"]
    wrong, right = delve.records[15], delve.records[16]
    assert (wrong["kind"], wrong["turn_id"], "changes" in wrong) == ("attempt", "the_warden", False)
    assert wrong["state_summary"]["hp"]["warden"] == 8
    assert (right["kind"], right["turn_id"], right["state_summary"]["hp"]["warden"]) == ("turn", "the_warden", 5)
    assert right["conflict_report"] == {"retries": 1, "conflicts": wrong["findings"]}
    assert right["findings"] == []


def test_a_turn_handed_in_twice_is_answered_twice_and_done_once(played: Mapping[str, Played]) -> None:
    delve = played["delve"]
    assert delve.reply(17) == delve.reply(16)
    assert delve.records[-1]["turn_id"] == "the_warden"


def test_milestones_wait_for_a_successful_turn_and_count_retries(played: Mapping[str, Played]) -> None:
    marks = ("turn_0009", "turn_0010", "the_warden")
    milestones = [played["delve"].state(mark)["campaign.json"]["milestone"] for mark in marks]
    shown = [(stone["current"], stone["last_advanced_turn"], stone["pressure"]) for stone in milestones]
    assert shown == [("intro", 0, 0), ("milestone_1", 10, 0), ("milestone_1", 10, 1)]


def test_the_delve_ends_as_its_readme_tells(played: Mapping[str, Played]) -> None:
    assert people(played["delve"].state()) == {
        "ilse": ("shaft_head", 14, "alive"),
        "tomas": ("gate", 9, "alive"),
        "berrin": ("shaft_head", 4, "dead"),
        "quill": ("gate", 0, "restrained_permanent"),
        "warden": ("shaft_head", 5, "alive"),
    }


def test_a_reached_goal_closes_the_delve(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "closed", template="delve", clock=clock) as campaign:
        campaign.set({"goal.status": "achieved"})
        replies = dict(campaign.process_drop())
    assert {reply["reason"] for reply in replies.values()} == {"campaign_ended"}


# campaigns of one file


@pytest.fixture
def imported(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "imported", from_file=LEGACY / request.param, clock=clock) as campaign:
        yield campaign


from_old = pytest.mark.parametrize("imported", ["old-campaign.json"], indirect=True)
from_later = pytest.mark.parametrize("imported", ["later.json"], indirect=True)


def test_the_one_file_campaigns_are_not_offered_as_a_template(tmp_path: Path) -> None:
    with pytest.raises(BadRequest):
        Campaign.new(tmp_path / "c", template="legacy")


@from_old
def test_repairs_of_the_old_shape_stand_in_record_0(imported: Campaign) -> None:
    assert next(imported.records())["repairs"] == [
        "area_003 had no reachable_area_ids: they were taken from the connections",
        "the hit points of enemy_001 were -2: they were set to 0",
        "pc_002 had no hp: it was set to 10",
        "pc_002 had no character_state: it was set to alive",
    ]


@from_old
def test_the_old_shape_becomes_one_file_a_layer_and_a_character(imported: Campaign) -> None:
    state = imported.state
    assert people(state) == {
        "pc_001": ("area_001", 9, "alive"),
        "pc_002": ("area_001", 10, "alive"),
        "npc_001": ("area_003", 4, "unconscious"),
        "enemy_001": (None, 0, "dying"),
    }
    links = {
        path: {area_id: area["reachable_area_ids"] for area_id, area in layer["areas"].items()}
        for path, layer in state.items()
        if path.startswith("maps/")
    }
    assert links == {
        "maps/root.json": {
            "area_001": ["area_002"],
            "area_002": ["area_001", "area_003", "area_004"],
            "area_003": ["area_001", "area_002"],
        },
        "maps/area_002.json": {"area_004": ["area_002"]},
    }


@from_old
def test_a_stale_connection_of_the_old_shape_opens_no_way(imported: Campaign) -> None:
    args = {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_003"}
    reply = imported.process({"tool_calls": [{"id": "short_cut", "tool": "move", "args": args}]})
    assert became(reply) == "failed short_cut=invalid_args"


@from_old
def test_what_the_old_shape_holds_beyond_ours_is_kept(imported: Campaign) -> None:
    campaign = imported.state["campaign.json"]
    assert campaign["settings"] == {"rules": {"hp_zero_ends_game": False}}
    assert campaign["settings_revision"] == 4
    assert campaign["created_at"] == "2026-01-10T09:00:00+00:00"
    assert imported.state["maps/root.json"]["areas"]["area_002"]["extra"] == {"terrain": "white crust over mud"}
    extra = dict(campaign["extra"])
    assert sorted(leaves(extra.pop("settings_snapshot"))) == ["3", "false", "true", "true"]
    assert extra == {
        "selected": {"soundtrack": "wind"},
        "map": {"scale": "one day to an area"},
        "state": {"weather": "sandstorm"},
        "goal": {"told_by": "npc_001"},
        "house_rules": {"thirst": ["noon", "dusk"], "water_a_day": 2},
        "note": "Le sel brûle.",
    }


@from_later
def test_repairs_of_the_later_shape_stand_in_record_0(imported: Campaign) -> None:
    assert next(imported.records())["repairs"] == [
        "the inventory of pc_001 had entries that are no items: they are kept under extra",
        "pc_002 stood in area_900, which does not exist: the position was cleared",
        "the hit points of pc_002 were 'seven', no integer: they were set to 10",
        "the hit points of camel were -1: they were set to 0",
        "pc_002 had no position: it was set to area_001",
    ]


@from_later
def test_actors_of_the_later_shape_become_characters(imported: Campaign) -> None:
    state = imported.state
    assert people(state) == {
        "pc_001": ("area_002", 9, "alive"),
        "pc_002": ("area_001", 10, "alive"),
        "camel": (None, 0, "dying"),
    }
    guide = state["characters/pc_001.json"]
    assert [(item["id"], item["type"], item["quantity"]) for item in guide["inventory"]] == [
        ("rope", "misc", 1),
        ("waterskin", "misc", 2),
    ]
    assert guide["extra"] == {
        "inventory": {" waterskin ": 2, "rope": 1, "torch": 0},
        "meta": {"name": "Sabela", "trade": "guide"},
    }


@from_later
def test_the_text_checks_of_the_later_shape_become_retries(imported: Campaign) -> None:
    assert imported.state["campaign.json"]["settings"] == {
        "dialog": {"strict_semantic_guard": True},
        "narration": {"check": "retry"},
    }
    reply = imported.process({"assistant_text": "Pc_002 takes 3 damage.", "dialog_type": "resolution_summary"})
    assert reply["status"] == "retry_needed"


@from_later
def test_a_tool_that_nobody_has_stays_in_the_allowlist_and_permits_nothing(imported: Campaign) -> None:
    assert "inventory_add" in imported.state["campaign.json"]["allowlist"]
    reply = imported.process({"tool_calls": [{"id": "take", "tool": "inventory_add", "args": {}}]})
    assert became(reply) == "failed take=tool_not_allowed"


NOT_KEPT: dict[str, set[tuple[str, ...]]] = {
    "old-campaign.json": {
        ("map", "connections"),
        ("state", "positions"),
        ("state", "positions_parent"),
        ("hp", "enemy_001"),
    },
    "later.json": {
        ("map", "connections"),
        ("actors", "pc_001", "inventory", "torch"),
        ("actors", "pc_002", "position"),
        ("actors", "pc_002", "hp"),
        ("actors", "camel", "hp"),
        ("settings_snapshot", "dialog", "conflict_text_checks_enabled"),
    },
}
"""What an import does not take over as it is: links that are derived, mirrors, and what was repaired."""


def leaves(value: Any, path: tuple[str, ...] = (), but: frozenset[tuple[str, ...]] = frozenset()) -> Iterator[str]:
    """Yield every scalar as JSON, except below the paths in `but`."""
    if path in but:
        return
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, (*path, key), but)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, path, but)
    else:
        yield json.dumps(value)


@pytest.mark.parametrize("name", NOT_KEPT)
def test_every_value_of_a_one_file_campaign_is_found_in_the_directory(name: str, tmp_path: Path) -> None:
    source = parse_json((LEGACY / name).read_bytes())
    with Campaign.new(tmp_path / "c", from_file=LEGACY / name, clock=clock) as campaign:
        kept = set(leaves(campaign.state))
    assert set(leaves(source, but=frozenset(NOT_KEPT[name]))) - kept == set()
