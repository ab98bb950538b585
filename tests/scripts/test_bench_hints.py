"""The measure of the hints: its follower, its verdicts, its tables."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from scripts.bench_hints.following import follow, repairs
from scripts.bench_hints.playing import MAX_ROUNDS, Outcome, Verdict, play
from scripts.bench_hints.report import as_json, as_markdown, misses, targets
from scripts.bench_hints.rows import Row
from scripts.bench_hints.worlds import Worlds
from tests.builders import call, hp_delta, move, turn

Json = Any


@pytest.fixture(scope="module")
def worlds() -> Iterator[Worlds]:
    with Worlds() as worlds:
        yield worlds


def row(handed_in: Mapping[str, Any], *meant: Mapping[str, Any], world: str = "yard", **keys: Any) -> Row:
    return Row("h00-00", "by hand", world, handed_in, meant, "why", keys)


def followed(args: Json, *hints: Json, **keys: Any) -> Any:
    """Return the arguments after all hints were followed in one round; None when there was nothing to do."""
    failed = {"hint": hints[0], "hints": [*hints]} if len(hints) > 1 else {"hint": hints[0]}
    mended = follow({**keys, **turn(call("move", **args))}, repairs(failed))
    return mended and mended["tool_calls"][0]["args"]


# following


def test_a_value_is_replaced_by_the_first_that_is_allowed() -> None:
    assert followed({"to": 1}, {"field": "args.to", "got": 1, "allowed": ["a", "b"]}) == {"to": "a"}


def test_what_is_missing_is_added_and_what_is_too_much_is_left_out() -> None:
    hints: list[Json] = [
        {"field": "args.to", "add": True, "allowed": ["a"]},
        {"field": "args.zu", "remove": True},
        {"field": "args.no", "remove": True},
    ]

    assert followed({"zu": "a"}, *hints) == {"to": "a"}


def test_questions_are_left_alone() -> None:
    questions: list[Json] = [
        {"field": "args.to", "got": 1, "choices": ["a", "b"]},
        {"field": "args.to", "got": 1},
        {"field": "args.by", "add": True, "choices": ["a"]},
        {"field": "args.by", "add": True},
    ]

    assert [followed({"to": 1}, one) for one in questions] == [None] * 4
    assert followed({"to": 1, "no": 2}, *questions, {"field": "args.no", "remove": True}) == {"to": 1}


def test_items_are_taken_out_of_a_list_from_its_end_after_all_else() -> None:
    hints: list[Json] = [
        {"field": "args.of.0", "remove": True},
        {"field": "args.of.2", "remove": True},
        {"field": "args.of.1", "got": "b", "allowed": ["B"]},
    ]

    assert followed({"of": ["a", "b", "c", "d"]}, *hints) == {"of": ["B", "d"]}


def test_hints_of_all_items_of_a_batch_are_followed_at_once() -> None:
    items = [
        {"index": 0, "hint": {"field": "args.batch.0.dc", "got": "1", "allowed": [1]}},
        {
            "index": 1,
            "hint": {"field": "args.batch.1.dc", "got": "2", "allowed": [2]},
            "hints": [
                {"field": "args.batch.1.dc", "got": "2", "allowed": [2]},
                {"field": "args.batch.1.no", "remove": True},
            ],
        },
    ]

    assert followed({"batch": [{"dc": "1"}, {"dc": "2", "no": 0}]}, {"items": items}) == {
        "batch": [{"dc": 1}, {"dc": 2}]
    }


def test_who_acts_can_be_mended_in_the_turn() -> None:
    mended = follow({"actor_id": "a", **turn(move("b"))}, [{"field": "turn.actor_id", "got": "a", "allowed": ["b"]}])

    assert mended == {"actor_id": "b", **turn(move("b"))}


def test_a_call_that_was_handed_in_is_not_changed_itself() -> None:
    given = turn(move("b"))

    follow(given, [{"field": "args.to_area_id", "got": "b", "allowed": ["c"]}])

    assert given == turn(move("b"))


# verdicts


@pytest.mark.parametrize(
    ("handed_in", "meant", "verdict"),
    [
        (move("area_002"), [move("area_002")], "repaired"),
        (hp_delta(-3), [hp_delta(-4), hp_delta(-3)], "repaired"),
        (move("Courtyard"), [move("area_002")], "repaired"),
        (hp_delta("-3"), [hp_delta(-3)], "repaired"),
        (hp_delta(-3), [hp_delta(-4)], "something else"),
        (hp_delta("-3"), [hp_delta(-3, cause="a rock")], "something else"),
        (hp_delta(-3), [], "something else"),
        (hp_delta(-1, "enemy_001"), [hp_delta(-1, "pc_002")], "something else"),
        (call("move_options", **{"from_area_id": "area_002"}), [call("move_options")], "repaired"),
        ({"id": "a", "tool": "hp_delta", "args": [1, 2]}, [], "rightly silent"),
    ],
)
def test_what_was_applied_is_held_against_what_was_meant(
    handed_in: Json, meant: list[Json], verdict: Verdict, worlds: Worlds
) -> None:
    assert play(row(handed_in, *meant), worlds).verdict == verdict


def test_dice_and_people_may_be_spelt_in_several_ways(worlds: Worlds) -> None:
    dice = play(
        row(call("roll_dice", expression="1D8 + 2"), call("roll_dice", expression="1d8+2"), world="hall"), worlds
    )
    rest = {"rest_type": "long"}
    named = play(
        row(
            call("take_rest", character_name="Dain", **rest),
            call("take_rest", character_id="dain", **rest),
            world="hall",
        ),
        worlds,
    )

    assert (dice.verdict, named.verdict) == ("repaired", "repaired")


def test_another_person_by_name_is_something_else(worlds: Worlds) -> None:
    rest = {"rest_type": "long"}
    handed_in = row(
        call("take_rest", character_name="Brom", **rest), call("take_rest", character_id="dain", **rest), world="hall"
    )

    assert play(handed_in, worlds).verdict == "something else"


def test_a_row_whose_meant_call_is_refused_is_an_error(worlds: Worlds) -> None:
    with pytest.raises(ValueError, match="what was meant is refused"):
        play(row(move("area_002"), move("moon")), worlds)


def test_rows_leave_no_trace_in_the_world_they_share(worlds: Worlds) -> None:
    before = len(list(worlds.shared("yard").records()))

    play(row(hp_delta(-3), hp_delta(-3)), worlds)

    assert len(list(worlds.shared("yard").records())) == before


# tables


def outcome(verdict: Verdict, *meant: Mapping[str, Any], rounds: int = 0) -> Outcome:
    return Outcome(row(move("area_002"), *meant), verdict, rounds)


def test_the_targets_are_met_when_all_is_right() -> None:
    outcomes = [outcome("repaired", move("area_002")), outcome("rightly silent")]

    assert all(target.is_met for target in targets(outcomes))
    assert list(misses(outcomes)) == []


@pytest.mark.parametrize(
    "wrong",
    [outcome("silent", move("area_002")), outcome("something else", move("area_002")), outcome("something else")],
)
def test_every_kind_of_miss_fails_a_target_and_is_listed(wrong: Outcome) -> None:
    outcomes = [outcome("repaired", move("area_002")), outcome("rightly silent"), wrong]

    assert not all(target.is_met for target in targets(outcomes))
    assert wrong.verdict in "\n".join(misses(outcomes))


def test_the_table_counts_by_mechanism_and_in_all() -> None:
    outcomes = [outcome("repaired", move("area_002")), outcome("rightly silent")]

    assert "| by hand | 2 | 1 | 1 | 1 | 0 | 0 |\n| all | 2 | 1 | 1 | 1 | 0 | 0 |" in as_markdown(outcomes)
    assert as_json(outcomes)["mechanisms"][-1]["rows"] == 2


def test_two_rounds_are_all_that_a_program_has_to_follow() -> None:
    assert MAX_ROUNDS == 2
