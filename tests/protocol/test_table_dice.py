"""Dice that the table throws: a turn waits for its faces, and is then what it would have been with the engine's."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import builders
from tests.builders import Json, call, failed, log_of, results, turn, untyped
from tests.conftest import MakeCampaign
from tests.tools.hall import fight, hall_documents, linked

from turnwright import Campaign, Viewer
from turnwright.audit.verify import verify
from turnwright.model.dice.draws import face, uniform
from turnwright.protocol.stage6_publish.publish import project

SECRET = hashlib.sha256(b"fixed").digest()
TABLE = {"dice": {"source": "table"}}
CHECK = call("roll_check", "check", character_id="dain", check_type="skill", skill="stealth")
THROW = call("roll_dice", "throw", expression="2d6+1d4")
FIREBALL: Json = {
    "action_type": "cast_spell",
    "target_ids": ["cyra", "grik"],
    "spell_name": "Fireball",
    "save_dc": 12,
    "save_ability": "dex",
    "damage_expression": "2d6",
    "damage_type": "fire",
}
BEGIN = [linked("aria", 1, 1), linked("cyra", 4, 1), linked("grik", 2, 1, is_enemy=True)]


def hall(*, at_table: bool) -> dict[str, Json]:
    values = hall_documents() | fight(*BEGIN)
    values["campaign.json"] |= {"settings": TABLE if at_table else {}}
    return values


@pytest.fixture(name="table")
def fixture_table(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(hall(at_table=True))


def answer(reply: Mapping[str, Any], *faces: Any, **keys: Any) -> Json:
    return {"answer": {"request_id": reply["request"]["request_id"], "value": list(faces)}, **keys}


def wanted(reply: Mapping[str, Any]) -> list[tuple[int, int, int]]:
    return [(die["part"], die["draw"], die["sides"]) for die in reply["request"]["dice"]]


def last(campaign: Campaign) -> Json:
    *_, record = campaign.records()
    return record


def folder_of(campaign: Campaign) -> Path:
    return builders.log_file(campaign).parent


# what a request holds, and who is asked


def test_a_turn_that_needs_faces_is_an_attempt_that_changes_nothing(table: Campaign) -> None:
    before = table.state
    reply = table.process(turn(CHECK, turn_id="a", actor_id="aria"))
    assert reply["status"] == "waiting"
    assert reply["request"] == {
        "request_id": f"dice-{reply['seq']}",
        "kind": "dice",
        "dice": [{"part": 1, "draw": 0, "sides": 20, "why": "dain stealth skill"}],
        "for": "aria",
    }
    record = last(table)
    assert (record["kind"], "changes" in record, "draws" in record) == ("attempt", False, False)
    assert table.state == before
    assert table.waiting_for_dice() == reply["request"]


def test_the_dice_of_one_throw_are_asked_for_together(table: Campaign) -> None:
    advantage = call("roll_check", character_id="dain", check_type="initiative", advantage=True)
    assert wanted(table.process(turn(advantage))) == [(1, 0, 20), (1, 1, 20)]
    assert wanted(table.process(turn(THROW))) == [(1, 0, 6), (1, 1, 6), (1, 2, 4)]
    exploding = call("roll_dice", expression="2d6!+1d4")
    assert wanted(table.process(turn(exploding))) == [(1, 0, 6), (1, 1, 6)]


def test_faces_may_call_for_more_dice(table: Campaign) -> None:
    exploding = table.process(turn(call("roll_dice", expression="1d6!+1d4"), turn_id="a"))
    more = table.process(answer(exploding, 6))
    assert wanted(more) == [(1, 1, 6)]
    third = table.process(answer(more, 2))
    assert wanted(third) == [(1, 2, 4)]
    assert results(table.process(answer(third, 3)))[0]["rolls"] == [6, 2, 3]


def test_what_was_given_so_far_stands_in_each_attempt(table: Campaign) -> None:
    first = table.process(turn(CHECK, THROW))
    second = table.process(answer(first, 13))
    assert [(draw["value"], draw["given"]) for draw in last(table)["draws"]] == [(13, True)]
    done = table.process(answer(second, 1, 2, 3))
    assert done["status"] == "applied"
    assert [(draw["value"], draw["given"]) for draw in last(table)["draws"]] == [(n, True) for n in (13, 1, 2, 3)]
    assert "conflict_report" not in done


@pytest.mark.parametrize("calls", [[CHECK, {**THROW, "args": {"expression": "1d"}}], [THROW, CHECK]])
def test_a_failed_call_asks_for_no_die(table: Campaign, calls: list[Json]) -> None:
    bad = call("roll_check", "bad", character_id="nobody", check_type="initiative")
    reply = table.process(turn(bad, *calls))
    assert reply["request"]["dice"][0]["part"] == 2


def test_a_call_whose_repair_would_draw_asks_for_no_die(table: Campaign) -> None:
    misspelt = call("roll_check", character_id="dian", check_type="initiative")
    reply = table.process(turn(misspelt))
    assert (reply["status"], failed(reply)) == ("failed", [("error", "not_found")])


def test_players_turns_are_thrown_by_the_engine(make_campaign: MakeCampaign) -> None:
    values = hall(at_table=True)
    values["campaign.json"]["settings"] = TABLE | {"players": {"tools": ["roll_dice"]}}
    values["campaign.json"]["selected"] |= {"party_character_ids": ["aria"]}
    reply = make_campaign(values).process(turn(THROW), authority="player:aria")
    assert reply["status"] == "applied"


def test_faces_of_a_test_come_before_those_of_the_table(table: Campaign) -> None:
    reply = table.process(turn(CHECK, THROW, turn_id="a"), dice=[11])
    assert wanted(reply) == [(2, 0, 6), (2, 1, 6), (2, 2, 4)]
    done = table.process(answer(reply, 1, 1, 1))
    assert results(done)[0]["rolls"] == [11]


def test_faces_that_the_call_gives_are_not_asked_for(table: Campaign) -> None:
    given_one = call("roll_check", character_id="dain", check_type="initiative", advantage=True, manual_rolls=[3, 9])
    assert results(table.process(turn(given_one)))[0]["natural"] == 9


def test_a_dry_run_asks_and_records_nothing(table: Campaign) -> None:
    size = len(log_of(folder_of(table)))
    reply = table.process(turn(CHECK), dry_run=True)
    assert (reply["status"], reply["dry_run"]) == ("waiting", True)
    assert table.waiting_for_dice() is None
    waiting = table.process(turn(CHECK))
    assert table.process(answer(waiting, 4), dry_run=True)["status"] == "applied"
    assert table.waiting_for_dice() == waiting["request"]
    assert len(log_of(folder_of(table))) == size + 1


# one turn, several ways to hand it in


def test_the_same_turn_and_the_same_answer_get_the_same_reply(table: Campaign) -> None:
    asked = turn(CHECK, turn_id="a")
    reply = table.process(asked)
    assert table.process(asked) == reply
    given_face = answer(reply, 7, turn_id="a")
    done = table.process(given_face)
    assert table.process(given_face) == table.process(asked) == done
    other = table.process(answer(reply, 8, turn_id="a"))
    assert (other["status"], other["reason"]) == ("refused", "turn_conflict")


def test_two_turns_may_wait_one_after_the_other_and_the_first_is_closed(table: Campaign) -> None:
    table.process(turn(CHECK, turn_id="a"))
    second = table.process(turn(CHECK, turn_id="b"))
    *_, closed, _ = table.records()
    assert (closed["turn_id"], closed["status"], closed["draws"]) == ("a", "failed", [])
    assert failed(closed) == [("rejected", "turn_aborted")]
    assert table.process(answer(second, 5))["turn_id"] == "b"


def test_a_turn_without_an_id_is_another_turn(table: Campaign) -> None:
    first = table.process(turn(CHECK))
    second = table.process(turn(CHECK))
    assert (first["turn_id"], second["turn_id"]) == ("turn_0001", "turn_0002")


def test_a_player_does_not_answer_for_the_game_master(make_campaign: MakeCampaign) -> None:
    values = hall(at_table=True)
    values["campaign.json"]["selected"] |= {"party_character_ids": ["aria"]}
    campaign = make_campaign(values)
    reply = campaign.process(turn(CHECK))
    refused = campaign.process(answer(reply, 7), authority="player:aria")
    assert (refused["status"], refused["reason"]) == ("refused", "not_permitted")
    assert project(reply, Viewer.of("player:aria"))["request"] is None
    assert campaign.process(answer(reply, 7))["status"] == "applied"


def test_with_the_engine_again_the_same_turn_goes_on_with_what_was_thrown(table: Campaign) -> None:
    asked = turn(CHECK, THROW, turn_id="a")
    table.process(answer(table.process(asked), 13))
    table.set({"dice.source": "engine"})
    done = table.process(asked)
    assert done["status"] == "applied"
    assert [draw["given"] for draw in last(table)["draws"]] == [True, False, False, False]
    assert verify(folder_of(table)).problems == ()


def test_a_text_that_is_wanted_again_keeps_its_faces(make_campaign: MakeCampaign) -> None:
    values = hall(at_table=True)
    values["campaign.json"]["settings"] = TABLE | {"narration": {"check": "retry"}}
    campaign = make_campaign(values)
    lie = turn(CHECK, turn_id="a", assistant_text="Aria takes 5 damage.")
    retry = campaign.process(answer(campaign.process(lie), 13))
    assert retry["status"] == "retry_needed"
    done = campaign.process(turn(CHECK, turn_id="a", assistant_text="Dain steps aside."))
    assert (done["status"], results(done)[0]["rolls"]) == ("applied", [13])
    assert done["conflict_report"]["retries"] == 1
    assert verify(folder_of(campaign)).problems == ()


def test_an_atomic_turn_that_fails_after_its_dice_fell_is_closed(table: Campaign) -> None:
    bad = call("roll_check", "bad", character_id="nobody", check_type="initiative")
    done = table.process(answer(table.process(turn(CHECK, bad, atomic=True)), 13))
    assert (done["status"], last(table)["draws"]) == ("failed", [])


# the log and its line of time


def test_a_crash_between_two_rounds_loses_nothing(table: Campaign) -> None:
    path = folder_of(table)
    first = table.process(turn(CHECK, THROW, turn_id="a"))
    table.close()
    with Campaign.open(path, builders.clock) as again:
        second = again.process(answer(first, 13))
    (path / ".turnwright" / "checkpoint.sqlite3").unlink()
    with Campaign.open(path, builders.clock) as again:
        assert again.waiting_for_dice() == second["request"]
        assert again.process(answer(second, 1, 2, 3))["status"] == "applied"
    assert verify(path).problems == ()


def test_an_undo_gives_up_the_turn_that_waits(table: Campaign) -> None:
    table.process(turn(turn_id="before", user_input="Hm."))
    waiting = table.process(turn(CHECK, turn_id="a"))
    undone = table.undo()
    assert [entry["seq"] for entry in undone["undone"]] == [waiting["seq"]]
    assert table.waiting_for_dice() is None
    assert table.process(turn(CHECK, turn_id="a"))["undone_by"] == undone["record"]
    stale = table.process(answer(waiting, 7))
    assert failed(stale) == [("rejected", "stage_mismatch")]
    table.process(turn(CHECK, turn_id="b"))
    assert table.undo("before")["from"] < untyped(waiting["seq"])
    assert table.waiting_for_dice() is None
    assert verify(folder_of(table)).problems == ()


def test_a_turn_whose_undo_was_taken_back_may_be_handed_in_anew(table: Campaign) -> None:
    asked = turn(CHECK, turn_id="a")
    first = table.process(asked)
    table.undo(f"#{table.undo()['record']}")
    assert table.waiting_for_dice() is None
    again = table.process(asked)
    assert again["request"]["request_id"] != first["request"]["request_id"]
    assert table.process(answer(again, 7))["status"] == "applied"
    assert verify(folder_of(table)).problems == ()


def test_an_undo_of_what_came_later_leaves_the_turn_waiting(table: Campaign) -> None:
    waiting = table.process(turn(CHECK, turn_id="a"))
    table.set({"goal.text": "the crossing"})
    table.undo(f"#{untyped(waiting['seq']) + 1}")
    assert table.process(answer(waiting, 7))["status"] == "applied"


def test_a_fork_goes_on_with_the_turn_that_waits(table: Campaign, tmp_path: Path) -> None:
    first = table.process(turn(CHECK, turn_id="a"))
    fork = table.fork(tmp_path / "fork", "a", seed="other")
    assert table.process(answer(first, 7))["status"] == "applied"
    with Campaign.open(fork, builders.clock) as other:
        assert results(other.process(answer(first, 8)))[0]["natural"] == 8
        assert other.state_at("a") == other.state
    assert verify(fork).problems == ()


def test_a_face_of_an_attempt_that_its_die_does_not_have_is_found(table: Campaign) -> None:
    path = folder_of(table)
    table.process(answer(table.process(turn(CHECK, THROW)), 13))
    table.close()
    log = path / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"sides":20,"value":13', b'"sides":20,"value":31'))
    assert any("was given as 31" in problem.message for problem in verify(path).problems)


def test_more_attempts_than_turns_leave_the_newest_results(make_campaign: MakeCampaign) -> None:
    values = hall(at_table=True)
    values["campaign.json"]["settings"] = TABLE | {"results": {"keep": 2}}
    campaign = make_campaign(values)
    path = folder_of(campaign)
    for name in ("a", "b", "c"):
        waiting = campaign.process(turn(CHECK, turn_id=name))
        for _ in range(9):
            waiting = campaign.process(answer(waiting, 21))
        campaign.process(answer(waiting, 20))
    campaign.close()
    (path / ".turnwright" / "checkpoint.sqlite3").unlink()
    with Campaign.open(path, builders.clock) as again:
        again.process(turn(turn_id="d"))
    assert sorted(file.stem for file in (path / "results").iterdir()) == ["c", "d"]


# what the table throws is what the engine would have thrown

_PEOPLE = st.sampled_from(["aria", "dain", "cyra", "grik", "ogg", "nobody"])
_CALLS = st.one_of(
    st.builds(
        lambda who, kind, bonus: call("roll_check", character_id=who, check_type="save", ability=kind, **bonus),
        _PEOPLE,
        st.sampled_from(["str", "dex", "wis"]),
        st.sampled_from([{}, {"advantage": True}, {"dc": 12}, {"manual_roll": 3}]),
    ),
    st.builds(
        lambda text, count: call("roll_dice", batch=[{"expression": text}] * count),
        st.sampled_from(["1d6", "3d6!", "4d6kh3", "1d20adv", "2d4!+1d8", "1d"]),
        st.integers(1, 3),
    ),
    st.builds(
        lambda actor, target, args: call(
            "execute_action", encounter_id="encounter-1", actor_id=actor, target_id=target, **args
        ),
        st.sampled_from(["aria", "grik", "cyra"]),
        st.sampled_from(["aria", "grik"]),
        st.sampled_from(
            [
                {"action_type": "attack", "damage_expression": "1d8+2"},
                {"action_type": "attack", "damage_expression": "2d6", "advantage": True},
                {"action_type": "shove"},
                {"action_type": "hide", "dc": 5},
            ]
        ),
    ),
    st.builds(lambda who: call("take_rest", character_id=who, rest_type="short", hit_dice_to_spend=2), _PEOPLE),
    st.builds(lambda who: call("level_up", character_id=who, hp_method="roll"), _PEOPLE),
    st.just(call("advance_turn", encounter_id="encounter-1")),
    st.just(call("execute_action", encounter_id="encounter-1", actor_id="aria", **FIREBALL)),
)


def test_all_targets_of_a_spell_save_in_one_round(table: Campaign) -> None:
    cast = call("execute_action", encounter_id="encounter-1", actor_id="aria", **FIREBALL)
    damage = table.process(turn(cast))
    assert wanted(damage) == [(1, draw, 6) for draw in range(2)]
    saves = table.process(answer(damage, 3, 4))
    assert [(die["sides"], die["why"].split()[0]) for die in saves["request"]["dice"]] == [(20, "cyra"), (20, "grik")]
    assert table.process(answer(saves, 10, 11))["status"] == "applied"


def engine_faces(number: int, request: Mapping[str, Any]) -> list[int]:
    labels = [(f"{number}/{die['part']}/{die['draw']}", die["sides"]) for die in request["dice"]]
    return [face(uniform(SECRET, label), sides) for label, sides in labels]


def told(record: Mapping[str, Any]) -> Json:
    kept = ("status", "applied_actions", "tool_feedback", "events", "findings", "state_summary", "changes")
    draws = [{key: value for key, value in draw.items() if key != "given"} for draw in record["draws"]]
    return {key: record[key] for key in kept} | {"draws": draws}


@given(turns=st.lists(st.tuples(st.lists(_CALLS, min_size=1, max_size=4), st.booleans()), min_size=1, max_size=3))
def test_a_turn_at_the_table_is_the_turn_of_the_engine(
    tmp_path_factory: pytest.TempPathFactory, turns: Sequence[tuple[list[Json], bool]]
) -> None:
    folder = tmp_path_factory.mktemp("table")
    numbers = iter(range(1, 1000))
    with (
        builders.begin(folder / "engine", hall(at_table=False)) as engine,
        builders.begin(folder / "table", hall(at_table=True)) as table,
    ):
        for calls, atomic in turns:
            labelled = [{**each, "id": f"call_{next(numbers)}"} for each in calls]
            reply = table.process({"tool_calls": labelled, "atomic": atomic})
            first = reply["seq"]
            while reply["status"] == "waiting":
                reply = table.process(answer(reply, *engine_faces(untyped(first), reply["request"])))
            # The engine throws for the number of the record, so its log has to be as long.
            while last(engine)["seq"] < untyped(first) - 1:
                engine.set({"goal.text": str(last(engine)["seq"])})
            engine.process({"tool_calls": labelled, "atomic": atomic})
            by_table, by_engine = json.loads(json.dumps([told(last(table)), told(last(engine))]))
            assert by_table == by_engine
            given_of = [draw for draw in last(table)["draws"] if draw["sides"]]
            assert all(draw["given"] or "grik" in draw["why"] for draw in given_of)
    assert verify(folder / "table").problems == ()


@pytest.mark.parametrize("given", [{"value": [7]}, None, "cancel", {"id": "dice-1", "value": [7]}])
def test_an_answer_that_names_no_request_leaves_the_turn_waiting(table: Campaign, given: Any) -> None:
    table.process(turn(CHECK, turn_id="a"))
    before = table.waiting_for_dice()
    reply = table.process({"answer": given})
    failed = reply["tool_feedback"]["failed_calls"]
    assert (reply["status"], [call["reason"] for call in failed]) == ("waiting", ["invalid_args"])
    after = table.waiting_for_dice()
    assert before is not None
    assert after is not None
    assert after["dice"] == before["dice"]


def test_an_answer_sent_again_gets_its_reply_while_the_text_is_wanted_again(table: Campaign) -> None:
    table.set({"narration.check": "retry"})
    lie = {"assistant_text": "Dain takes 15 damage from the falling beam."}
    asked = table.process(turn(THROW, turn_id="a") | lie)
    once = table.process(answer(asked, 1, 2, 3) | {"turn_id": "a"})
    again = table.process(answer(asked, 1, 2, 3) | {"turn_id": "a"})
    assert once["status"] == "retry_needed"
    assert again == once
