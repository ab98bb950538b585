"""Dice on a turn's way: labels, given faces, and that nothing that failed ever drew. The tool here exists for this."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, call, documents, failed, hp_delta, log_of, results, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign, CampaignError
from turnwright.model.base import ListOf, Model
from turnwright.model.state.overlay import World
from turnwright.rulesets.tool import Applied, Args, Context, refuse, tool
from turnwright.rulesets.toolbox import TOOLS

SECRET = hashlib.sha256(b"fixed").digest()
ERROR = ("error", "invalid_args")
LIE = "Mira takes 5 damage."


class ThrowArgs(Args):
    sides: ListOf[int]
    fails: bool = False


class ThrowResult(Model):
    faces: ListOf[int]


@tool(ThrowArgs, ThrowResult, family="toolkit", legal=lambda *_: {}, example={"sides": [6]})
def throw(world: World, args: ThrowArgs, ctx: Context) -> Applied:
    """Throw dice."""
    del world
    if args.fails:
        raise refuse("not now")
    return Applied({"faces": [ctx.dice.draw(sides, f"d{sides}") for sides in args.sides]})


@pytest.fixture(autouse=True)
def _with_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TOOLS.rows, "throw", "nowhere:throw")
    monkeypatch.setitem(TOOLS.loaded, "throw", throw)


@pytest.fixture(name="table")
def fixture_table(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(documents(allowlist=["throw", "hp_delta"], settings={"narration": {"check": "retry"}}))


def throws(*sides: int, fails: bool = False) -> Json:
    return call("throw", sides=list(sides), fails=fails)


def wanted(n: int | str, part: int, *sides: int) -> list[int]:
    """Return the faces that the contract's sentence gives."""
    faces = []
    for draw, side in enumerate(sides):
        digest = hmac.new(SECRET, f"{n}/{part}/{draw}".encode(), "sha256").digest()
        faces.append(1 + (int.from_bytes(digest[:8], "big") * side >> 64))
    return faces


def faces(reply: Json) -> list[list[int]]:
    return [result["faces"] for result in results(reply) if "faces" in result]


def drawn(path: Path) -> list[tuple[int, int, int, bool]]:
    record = log_of(path / "campaign_0")[-1]
    return [(draw["part"], draw["draw"], draw["value"], draw["given"]) for draw in record["draws"]]


def test_the_label_is_record_part_and_draw(table: Campaign, tmp_path: Path) -> None:
    table.process({})
    reply = table.process(turn(throws(20, 6), hp_delta(0), throws(1000)))
    assert faces(reply) == [wanted(2, 1, 20, 6), wanted(2, 3, 1000)]
    assert drawn(tmp_path) == [
        (1, 0, wanted(2, 1, 20)[0], False),
        (1, 1, wanted(2, 1, 20, 6)[1], False),
        (3, 0, wanted(2, 3, 1000)[0], False),
    ]


def test_an_answer_is_part_zero_and_moves_no_call(table: Campaign) -> None:
    assert faces(table.process({"answer": {}, "tool_calls": [throws(20)], "output": {}})) == [wanted(1, 1, 20)]


def test_the_secret_of_a_seed_is_its_sha_256_and_record_0_tells_its_hash(table: Campaign) -> None:
    assert next(iter(table.records()))["secret_sha256"] == hashlib.sha256(SECRET).hexdigest()


def test_given_faces_come_first_and_are_marked(table: Campaign, tmp_path: Path) -> None:
    reply = table.process(turn(throws(20), throws(6, 6)), dice=[17, 3])
    assert faces(reply) == [[17], [3, wanted(1, 2, 6, 6)[1]]]
    assert [given for *_, given in drawn(tmp_path)] == [True, True, False]


@pytest.mark.parametrize("fault", [{"fails": True}, {"sides": "x"}, {"sides": None}])
def test_a_failed_call_draws_nothing_and_uses_up_no_given_face(table: Campaign, tmp_path: Path, fault: Json) -> None:
    bad = call("throw", **{"sides": [6], **fault})
    reply = table.process(turn(bad, throws(6)), dice=[5])
    assert (failed(reply), faces(reply)) == ([ERROR], [[5]])
    assert drawn(tmp_path) == [(2, 0, 5, True)]


def test_an_atomic_turn_that_fails_shows_and_logs_no_die(table: Campaign, tmp_path: Path) -> None:
    reply = table.process(turn(throws(6), throws(6, fails=True), throws(6), atomic=True), dice=[5])
    assert reply["status"] == "failed"
    assert drawn(tmp_path) == []
    assert "5" not in str(reply["applied_actions"])
    assert faces(table.process(turn(throws(20), atomic=True))) == [wanted(2, 1, 20)]


def test_every_attempt_draws_the_dice_of_the_first(table: Campaign, tmp_path: Path) -> None:
    for _ in range(2):
        reply = table.process(turn(throws(1000), turn_id="t", assistant_text=LIE))
        assert (reply["status"], reply["applied_actions"]) == ("retry_needed", [])
    done = table.process(turn(throws(1000), turn_id="t", assistant_text="Dice roll over the table."))
    assert (done["seq"], faces(done)) == (3, [wanted(1, 1, 1000)])
    assert drawn(tmp_path) == [(1, 0, wanted(1, 1, 1000)[0], False)]
    assert faces(table.process(turn(throws(1000)))) == [wanted(4, 1, 1000)]


def test_an_attempt_that_is_closed_shows_no_die(table: Campaign, tmp_path: Path) -> None:
    for _ in range(3):
        reply = table.process(turn(throws(6), turn_id="t", assistant_text=LIE))
    assert (reply["status"], reply["applied_actions"]) == ("failed", [])
    assert drawn(tmp_path) == []


def test_the_turn_after_one_closed_in_its_way_draws_for_its_own_record(table: Campaign) -> None:
    table.process(turn(throws(1000), turn_id="t", assistant_text=LIE))
    other = table.process(turn(throws(1000), turn_id="u"))
    assert (other["seq"], faces(other)) == (3, [wanted(3, 1, 1000)])


def test_a_dry_run_draws_under_another_label_and_says_so(table: Campaign) -> None:
    for _ in range(2):
        preview = table.process(turn(throws(1000, 1000)), dry_run=True)
        assert preview["dry_run"] is True
        assert faces(preview)[0] != wanted(1, 1, 1000, 1000)
    assert faces(table.process(turn(throws(1000, 1000)))) == [wanted(1, 1, 1000, 1000)]


def test_a_duplicate_draws_nothing_anew(table: Campaign) -> None:
    value: Any = turn(throws(1000), turn_id="t")
    first = table.process(value)
    assert table.process(value, dice=[1]) == first


def test_after_an_undo_the_next_record_has_other_dice(table: Campaign) -> None:
    first = table.process(turn(throws(1000)))
    table.undo()
    again = table.process(turn(throws(1000)))
    assert (faces(first), faces(again)) == ([wanted(1, 1, 1000)], [wanted(3, 1, 1000)])


def test_given_faces_may_stand_in_any_sequence(table: Campaign) -> None:
    assert faces(table.process(turn(throws(6)), dice=range(2, 3))) == [[2]]


@pytest.mark.parametrize("given", [[7], [0], [True], ["6"], [6.0], [None]])
def test_a_given_face_that_does_not_fit_is_an_error_of_whoever_gives_it(table: Campaign, given: list[Any]) -> None:
    with pytest.raises(CampaignError):
        table.process(turn(throws(6)), dice=given)
    assert sum(1 for _ in table.records()) == 1
    assert faces(table.process(turn(throws(6)), dice=[6])) == [[6]]
