from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError
from tests import builders
from tests.cached_fixtures import schemas

from turnwright import Campaign
from turnwright.model.dice.draws import Dice
from turnwright.model.errors import CampaignError
from turnwright.model.wire import log_record, reply
from turnwright.model.wire.reason import TURN_LEVEL, Reason
from turnwright.narration.claims._finding import MAX_EXCERPT_LENGTH, FindingKind, Severity
from turnwright.protocol.stage2_settings import DIALOG_TYPES
from turnwright.schemas.schemas import validator

Json = Any
VALIDATORS = {name: validator(schema) for name, schema in schemas().items()}
MODELS = {"reply.json": TypeAdapter[Any](reply.Reply), "record.json": TypeAdapter[Any](log_record.Record)}
TALL_TALE = "You lose 5 hit points."
KIND_MODELS = {
    get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(get_args(log_record.Record)[0])
}


def played(folder: Path) -> Iterator[Json]:
    """Play a campaign whose replies and records are of every kind there is, and yield the replies."""
    with builders.begin(folder / "one", builders.documents(protocol={})) as campaign:
        yield from one_of_each_status(campaign)
        yield from conflicts(campaign)
        campaign.set({"goal.text": "the crossing", "narration.check": "log"})
        edited = folder / "one" / "characters" / "pc_002.json"
        edited.write_text(json.dumps(builders.person("pc_002", name="Tomas", hp=3)))
        yield campaign.process({"turn_id": "after_edit", "x_note": [1, None]})
        campaign.undo("first")
        yield campaign.process({"turn_id": "first", "tool_calls": [builders.move("area_002")]}, reply_as="openai")
        campaign.fork(folder / "two", "after_edit")
    with Campaign.new(folder / "four", "toolkit", seed="dice", clock=builders.clock) as table:
        yield from dice_of_the_table(table)
    with Campaign.open(folder / "two", builders.clock) as forked:
        yield forked.process({"tool_calls": [builders.hp_delta(-3)]})
    with Campaign.new(folder / "three", "scenes", clock=builders.clock) as scenes:
        ended = {"phase": {"tag": "session_ended", "reason": "player_choice"}, "awaiting": {"stage": "none"}}
        (folder / "three" / "crew.json").write_text(json.dumps(ended))
        scenes.resume()
        (folder / "three" / "crew.json").write_text("{}")
        yield scenes.process({})


def dice_of_the_table(campaign: Campaign) -> Iterator[Json]:
    campaign.set({"dice.source": "table"})
    rolls = [builders.call("roll_dice", expression="2d6"), builders.call("roll_dice", expression="1d4")]
    yield campaign.process({"turn_id": "thrown", "tool_calls": rolls})
    for faces in ([7, 1], [6, 1]):
        yield campaign.process({"answer": {"request_id": "dice-2", "value": faces}})
    yield campaign.process({"answer": {"request_id": "dice-4", "value": "cancel"}})


def one_of_each_status(campaign: Campaign) -> Iterator[Json]:
    yield campaign.process({"turn_id": "first", "tool_calls": [builders.move("area_002")]})
    wrong = [
        *(None, {"id": "a"}, {"id": "a", "tool": "move", "args": {}, "reason": 1}, builders.call("Move")),
        *(
            builders.move("nowhere"),
            builders.hp_delta(1.5),
            builders.hp_delta(target="nobody"),
            builders.call("move_options"),
        ),
        builders.call("map_generate", parent_area_id="area_001", theme=" ", constraints={"size": 3}),
    ]
    everything = {
        "user_input": "?",
        "assistant_text": "Rain falls.",
        "dialog_type": "Scene_Description",
        "output": {"narration": "Rain falls."},
        "prompt_id": 1,
        "keep_narration": False,
        "dm_note": "",
        "agent": "narrator",
        "speaker_id": "pc_001",
        "addressees": ["pc_002"],
        "private": True,
    }
    yield campaign.process({"tool_calls": wrong, **everything})
    for _ in range(4):  # the fourth is a repeat
        yield campaign.process({"tool_calls": [builders.move("nowhere")], "answer": None})
    yield campaign.process({"atomic": True, "tool_calls": [builders.hp_delta(-1), builders.move("nowhere")]})
    yield campaign.process(
        {"tool_calls": [builders.hp_delta(-100), builders.move("area_001", "area_002"), builders.hp_delta(1)]}
    )
    yield campaign.process({"tool_calls": [builders.hp_delta(3)]})
    yield campaign.process({})
    yield campaign.process({"tool_calls": [builders.hp_delta(-1)]}, dry_run=True)
    yield campaign.process({"tool_call": []}, dry_run=True)
    yield from refusals(campaign)


def refusals(campaign: Campaign) -> Iterator[Json]:
    turns: list[Any] = [[], b"{", {"turn_id": "a b"}, {"turn_id": "first"}, {"actor_id": "nobody"}, {"tool_calls": {}}]
    for turn in turns:
        yield campaign.process(turn)
    yield campaign.process({"dm_note": ""}, authority="player:pc_001")
    yield campaign.process({"user_input": "I wait.", "tool_calls": [builders.hp_delta()]}, authority="player:pc_002")
    (campaign_folder(campaign) / "turns" / "1.json").write_text("{}")
    yield from (answer for _, answer in campaign.process_drop())


def conflicts(campaign: Campaign) -> Iterator[Json]:
    campaign.set({"narration.check": "retry"})
    tale = {"assistant_text": TALL_TALE, "tool_calls": [builders.move("nowhere"), builders.hp_delta(-1)]}
    for number in range(3):
        yield campaign.process({"turn_id": "closed", "user_input": str(number), **tale})
    yield campaign.process({"turn_id": "mended", **tale})
    yield campaign.process({"turn_id": "mended", "tool_calls": [builders.hp_delta(-1)]})
    yield campaign.process({"turn_id": "left", "output": 1, "answer": 2, "x_kept": 1, **tale})
    yield campaign.process({"turn_id": "another"})


def campaign_folder(campaign: Campaign) -> Path:
    return Path(campaign._store.files.root)


def records(folder: Path) -> list[Json]:
    logs = [folder / name / "log.jsonl" for name in ("one", "two", "three", "four")]
    return [json.loads(line) for log in logs for line in log.read_text(encoding="utf-8").splitlines()]


def faults(name: str, value: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATORS[name].iter_errors(value)]


def is_taken_by_model(name: str, value: Any) -> bool:
    try:
        MODELS[name].validate_python(value)
    except ValidationError:
        return False
    return True


@pytest.fixture(scope="module", name="play")
def fixture_play(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Json], list[Json]]:
    folder = tmp_path_factory.mktemp("play")
    replies = json.loads(json.dumps(list(played(folder))))
    return replies, records(folder)


def test_every_reply_fits_its_schema_and_its_model(play: tuple[list[Json], list[Json]]) -> None:
    for value in play[0]:
        assert faults("reply.json", value) == []
        MODELS["reply.json"].validate_python(value)


def test_every_record_fits_its_schema_and_its_model(play: tuple[list[Json], list[Json]]) -> None:
    for value in play[1]:
        assert faults("record.json", value) == []
        MODELS["record.json"].validate_python(value)


def test_every_result_fits_the_schema_of_its_tool(play: tuple[list[Json], list[Json]]) -> None:
    actions = [action for value in play[0] for action in value.get("applied_actions", ())]
    assert {action["tool"] for action in actions} == set(builders.ALL_CORE)
    for action in actions:
        assert faults(f"tools/{action['tool']}.result.json", action["result"]) == []


OF_OTHER_TOOLS = {"use", "why", "items", "lock_dc", "mood", "index"}
"""Keys of hints that only the toolkit and scenes give; their golden cases show them."""


OF_CONTENT = {"packs"}
"""Keys of records that only the toolkit gives; its golden cases show them, and these fit the models as well."""


def test_golden_cases_show_the_keys_of_records_that_core_tools_do_not_give() -> None:
    log = Path(__file__).parents[1] / "golden" / "lookup_content" / "applied" / "expect" / "log.jsonl"
    turn = json.loads(log.read_bytes().splitlines()[-1])
    assert turn.keys() >= OF_CONTENT
    assert faults("record.json", turn) == []
    MODELS["record.json"].validate_python(turn)


def test_golden_cases_show_the_keys_of_hints_that_core_tools_do_not_give() -> None:
    logs = (Path(__file__).parents[1] / "golden").glob("*/*/expect/log.jsonl")
    records_of = [json.loads(line) for log in logs for line in log.read_bytes().splitlines()]
    failed = [call for r in records_of for call in r.get("tool_feedback", {}).get("failed_calls", ())]
    assert {key for call in failed for key in call.get("hint", ())} >= OF_OTHER_TOOLS


def test_the_play_shows_every_status_and_every_key_of_a_reply(play: tuple[list[Json], list[Json]]) -> None:
    replies = play[0]
    statuses = get_args(reply.TakenReply.model_fields["status"].annotation)
    assert {value["status"] for value in replies} == {*statuses, "refused"}
    assert {key for value in replies for key in value} == {
        *reply.TakenReply.model_fields,
        *(set(reply.RefusedReply.model_fields) - {"problems"}),  # those of a campaign that takes no turns
    }
    failed = [
        entry for value in replies if "tool_feedback" in value for entry in value["tool_feedback"]["failed_calls"]
    ]
    assert {key for entry in failed for key in entry.get("hint", ())} == set(reply.Hint.model_fields) - OF_OTHER_TOOLS
    assert len({entry["reason"] for entry in failed}) >= 7


def test_the_play_shows_every_kind_of_record_that_is_written(play: tuple[list[Json], list[Json]]) -> None:
    others = {"migrate"}  # of an older format: tests/test_migration.py
    assert {value["kind"] for value in play[1]} == set(KIND_MODELS) - others
    shown = {key for value in play[1] if value["kind"] == "turn" for key in value}
    assert set(log_record.TurnRecord.model_fields) - OF_CONTENT <= shown


def test_keys_stand_in_the_documented_order(play: tuple[list[Json], list[Json]]) -> None:
    for value in play[0]:
        assert_order(value, reply.RefusedReply if value["status"] == "refused" else reply.TakenReply)
    for value in play[1]:
        assert_order(value, KIND_MODELS[value["kind"]])


def assert_order(value: Mapping[str, Any], model: type[reply.Written]) -> None:
    given = [key for key in value if not key.startswith("x_")]
    assert given == [key for key in model.model_fields if key in value]


def test_keys_of_ones_own_stand_before_the_content(play: tuple[list[Json], list[Json]]) -> None:
    keys = next(list(value) for value in play[1] if "x_note" in value)
    assert keys.index("x_note") == keys.index("content") - 1


TAKEN: Json = {
    "turn_id": "turn_0001",
    "seq": 1,
    "timestamp": builders.STAMP,
    "status": "failed",
    "applied_actions": [],
    "tool_feedback": {
        "failed_calls": [{"id": "", "tool": "", "status": "error", "reason": "invalid_call", "detail": "no call"}]
    },
    "events": [{"type": "StressChanged", "part": 1, "segment": None, "audience": "gm", "data": {}, "cause": None}],
    "findings": [],
    "request": None,
    "state_summary": {
        "active_actor_id": None,
        "positions": {"a": None},
        "positions_parent": {"a": None},
        "positions_child": {"a": None},
        "hp": {"a": 0},
        "character_states": {},
    },
}


def test_a_reply_made_by_hand_fits() -> None:
    assert faults("reply.json", TAKEN) == []
    assert is_taken_by_model("reply.json", TAKEN)


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (("seq",), 1.0),
        (("seq",), None),
        (("turn_id",), "a\n"),
        (("timestamp",), "2026-01-14T16:05:31Z"),
        (("status",), "done"),
        (("hint",), {}),
        (("conflict_report",), None),
        (("dry_run",), None),
        (("tool_feedback", "failed_calls", 0, "status"), "rejected"),
        (("tool_feedback", "failed_calls", 0, "reason"), "invalid_turn"),
        (("tool_feedback", "failed_calls", 0, "hint"), None),
        (("tool_feedback", "failed_calls", 0, "hint"), {"field": None}),
        (("tool_feedback", "failed_calls", 0, "hint"), {"allowed": [1] * 21}),
        (("events", 0, "audience"), "nobody"),
        (("state_summary", "hp", "a"), None),
        (("state_summary", "positions_child", "a"), "area_001"),
        (("request",), "?"),
    ],
)
def test_a_reply_with_a_slip_fits_neither_schema_nor_model(place: tuple[Any, ...], wrong: Any) -> None:
    value = json.loads(json.dumps(TAKEN))
    node = value
    for step in place[:-1]:
        node = node[step]
    node[place[-1]] = wrong
    assert faults("reply.json", value)
    assert not is_taken_by_model("reply.json", value)


def test_draws_fit_as_the_dice_keep_them(play: tuple[list[Json], list[Json]]) -> None:
    dice = Dice(b"secret", "1")
    dice.given.append(4)
    part = dice.part(1)
    part.draw(6, "given")
    part.draw(20, "drawn")
    part.draw_real("real")
    part.take_total(0, "thrown at the table")
    record = next(value for value in play[1] if value["kind"] == "turn") | {"draws": dice.drawn}
    assert faults("record.json", record) == []
    assert is_taken_by_model("record.json", record)
    for slip in ({"sides": None, "given": False}, {"value": 0.5}, {"sides": 0}):
        wrong = record | {"draws": [dice.drawn[0] | slip]}
        assert faults("record.json", wrong)
        assert not is_taken_by_model("record.json", wrong)


def test_closed_words_are_those_of_the_engine() -> None:
    finding = reply.Finding.model_fields
    assert get_args(finding["kind"].annotation) == tuple(FindingKind)
    assert set(get_args(finding["severity"].annotation)) == set(Severity)
    assert schemas()["reply.json"]["$defs"]["Finding"]["properties"]["claim"]["maxLength"] == MAX_EXCERPT_LENGTH
    assert get_args(log_record.TurnRecord.model_fields["dialog_type"].annotation) == DIALOG_TYPES
    assert {*reply.CALL_REASONS, *reply.TURN_REASONS, *reply.ERROR_REASONS} == set(Reason)
    assert set(reply.CALL_REASONS).isdisjoint(reply.ERROR_REASONS)
    assert {kind.reason for kind in CampaignError.__subclasses__()} == set(reply.ERROR_REASONS)
    assert set(reply.CALL_REASONS) & set(reply.TURN_REASONS) == {Reason.NOT_PERMITTED}
    assert set(reply.TURN_REASONS) >= TURN_LEVEL
