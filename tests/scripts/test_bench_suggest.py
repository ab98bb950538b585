import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from scripts.bench_suggest.cases import Call, Case, Kind, parse_case, read_cases
from scripts.bench_suggest.report import ENOUGH_EXPECTED, as_json, as_text, misses, targets
from scripts.bench_suggest.scoring import (
    Hint,
    Result,
    Tally,
    arguments_agree,
    confusion,
    judge,
    share,
    sure,
    tally,
    tally_by_tool,
)

GIVE = Call("manage_inventory", "give")
ANY = Call("manage_inventory")


def case(
    expected: Sequence[Call] = (),
    tolerated: Sequence[Call] = (),
    forbidden: Sequence[Call] = (),
    *,
    kind: Kind = "positive",
    rule: str | None = "R03",
) -> Case:
    return Case("t0001", kind, rule, "I grab it", "narrative", {}, expected, tolerated, forbidden, "why")


def hint(
    tool: str, operation: str | None = None, confidence: float = 0.9, rule_id: str = "R03", **given: object
) -> Hint:
    return Hint(tool, operation, confidence, rule_id, given)


def verdicts(result: Result) -> list[str]:
    return [verdict for _, verdict in result.hints]


# one case


def test_the_expected_hint_is_right() -> None:
    result = judge(case([GIVE]), [hint("manage_inventory", "give")])

    assert (verdicts(result), result.missed, result.is_exact) == (["right"], [], True)


@pytest.mark.parametrize("operation", ["take", None])
def test_another_operation_than_the_expected_one_is_wrong_and_leaves_it_missed(operation: str | None) -> None:
    result = judge(case([GIVE]), [hint("manage_inventory", operation)])

    assert (verdicts(result), result.missed, result.is_exact) == (["wrong"], [GIVE], False)


@pytest.mark.parametrize("operation", ["take", "give", None])
def test_an_expected_tool_without_operation_means_any(operation: str | None) -> None:
    assert verdicts(judge(case([ANY]), [hint("manage_inventory", operation)])) == ["right"]


def test_two_hints_for_one_expected_call_count_it_once() -> None:
    result = judge(case([ANY]), [hint("manage_inventory", "give"), hint("manage_inventory", "take")])

    assert (verdicts(result), result.found, result.is_exact) == (["right", "right"], 1, True)


def test_a_tolerated_hint_is_neither_found_nor_wrong() -> None:
    result = judge(case([GIVE], [Call("roll_check")]), [hint("roll_check"), hint("manage_inventory", "give")])

    assert (verdicts(result), result.found, result.wrong, result.is_exact) == (["tolerated", "right"], 1, [], True)


def test_a_hint_that_no_list_names_is_wrong() -> None:
    result = judge(case([GIVE]), [hint("manage_inventory", "give"), hint("move")])

    assert (verdicts(result), result.is_exact, result.has_forbidden) == (["right", "wrong"], False, False)


def test_a_forbidden_hint_is_wrong_too() -> None:
    result = judge(case(forbidden=[Call("move")]), [hint("move")])

    assert (len(result.wrong), result.has_forbidden, result.is_exact) == (1, True, False)


def test_a_forbidden_operation_outranks_an_expected_tool() -> None:
    quest = Call("manage_quest")
    labelled = case([quest], forbidden=[Call("manage_quest", "start")])

    assert judge(labelled, [hint("manage_quest", "complete")]).is_exact
    started = judge(labelled, [hint("manage_quest", "start")])
    assert (verdicts(started), started.missed) == (["forbidden"], [quest])


def test_silence_is_exact_where_nothing_was_expected() -> None:
    assert judge(case(), []).is_exact
    assert not judge(case([GIVE]), []).is_exact


# figures


def test_a_tally_gives_precision_recall_and_their_mean() -> None:
    one = Tally(found=6, wrong=2, missed=4)

    assert (one.precision, one.recall, one.expected) == (0.75, 0.6, 10)
    assert one.f1 == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))


def test_a_share_of_nothing_is_whole() -> None:
    assert (share(0, 0), share(1, 4), Tally().f1) == (1.0, 0.25, 1.0)


def sample() -> list[Result]:
    quest = Call("manage_quest", "start", {"quest_id": "quest-1", "force": True})
    return [
        judge(
            case([GIVE, Call("move")], rule="R03"), [hint("manage_inventory", "give"), hint("take_rest", rule_id="R15")]
        ),
        judge(case([quest], rule="R01"), [hint("manage_quest", "start", 0.799, "R01", quest_id="quest-1")]),
        judge(case([], [Call("move")], kind="lure", rule="R14"), [hint("move", None, 0.8, "R14")]),
        judge(case(forbidden=[Call("move")], kind="negative", rule=None), [hint("move", None, 0.6, "R14")]),
    ]


def test_all_results_are_added_up() -> None:
    assert tally(sample()) == Tally(found=2, wrong=2, missed=1)


def test_results_are_added_up_by_tool() -> None:
    assert tally_by_tool(sample()) == {
        "manage_inventory": Tally(found=1),
        "manage_quest": Tally(found=1),
        "move": Tally(wrong=1, missed=1),
        "take_rest": Tally(wrong=1),
    }


def test_the_confusion_counts_hints_by_their_rule_and_misses_by_the_rule_of_the_case() -> None:
    results = [
        judge(case([Call("move")], rule="R14"), []),
        judge(case([], [Call("move")], kind="lure", rule="R14"), [hint("move", None, 0.8, "r14_travel")]),
        judge(case(forbidden=[Call("move")], kind="negative", rule=None), [hint("move", None, 0.6, "r14_travel")]),
        judge(case([], rule="R15"), [hint("take_rest", None, 0.9, "r15_rest_short")]),
        judge(case([Call("move")], kind="positive", rule=None), []),
    ]
    assert confusion(results) == {
        "none": {"missed": 1},
        "r14_travel": {"tolerated": 1, "forbidden": 1, "missed": 1},
        "r15_rest_short": {"wrong": 1},
    }


def test_hints_of_point_eight_and_more_are_the_sure_ones() -> None:
    assert sure(sample()) == (2, 3)


def test_labelled_arguments_are_compared_where_the_call_was_found() -> None:
    assert arguments_agree(sample()) == (1, 2)
    unfound = judge(case([Call("manage_quest", "start", {"quest_id": "quest-1"})]), [])
    assert arguments_agree([unfound]) == (0, 0)


# targets and report


def by_name(results: Sequence[Result]) -> dict[str, tuple[float, bool]]:
    return {target.what: (target.value, target.is_met) for target in targets(results)}


def test_targets_tell_which_figure_misses_its_bound() -> None:
    figures = by_name(sample())

    assert figures["F1"] == (4 / 7, False)
    assert figures["cases with a forbidden tool"] == (0.25, False)
    assert figures["cases of plain talk with one"] == (1.0, False)
    assert figures["hints >= 0.8 right or tolerated"] == (2 / 3, False)
    assert figures["recall on positive cases"] == (2 / 3, False)
    assert figures["exact sets"] == (0.5, False)


def test_everything_right_meets_every_target() -> None:
    results = [judge(case([GIVE]), [hint("manage_inventory", "give")]), judge(case(kind="negative", rule=None), [])]

    assert all(met for _, met in by_name(results).values())


@pytest.mark.parametrize(("many", "is_there"), [(ENOUGH_EXPECTED - 1, False), (ENOUGH_EXPECTED, True)])
def test_a_tool_has_a_target_of_its_own_from_ten_expectations_on(many: int, is_there: bool) -> None:
    assert ("F1 of manage_inventory" in by_name([judge(case([GIVE]), [])] * many)) is is_there


def test_misses_name_the_case_what_it_lacks_and_what_is_wrong() -> None:
    lines = list(misses(sample()))

    assert lines == [
        "t0001 positive R03 narrative: 'I grab it' (why)",
        "    missed move",
        "    wrong take_rest 0.9 R15",
        "t0001 negative - narrative: 'I grab it' (why)",
        "    forbidden move 0.6 R14",
    ]


def test_text_and_data_tell_the_same() -> None:
    text, data = as_text("test", sample()), json.loads(json.dumps(as_json("test", sample())))

    assert data["cases"] == {"positive": 2, "lure": 1, "negative": 1}
    assert data["rules"]["R14"] == {"right": 0, "tolerated": 1, "wrong": 0, "forbidden": 1, "missed": 0}
    assert text.startswith("test: 4 cases (2 positive, 1 lure, 1 negative)\nprecision 0.500  recall 0.667  F1 0.571\n")
    assert "\nmove              0      1      1       0.000  0.000  0.000\n" in text


# reading


def test_a_line_is_read_as_a_case() -> None:
    line = json.dumps(
        {
            **{
                "id": "t0002",
                "kind": "lure",
                "rule": None,
                "message": "hm",
                "agent": "combat",
                "context": {"mood": None},
            },
            "expected": [{"tool": "manage_inventory", "operation": "give", "arguments": {"quantity": 1}}],
            **{"tolerated": [{"tool": "move"}], "forbidden": ["manage_quest:start", "take_rest"], "note": "why"},
        }
    )

    read = parse_case(line)

    assert read.expected == (Call("manage_inventory", "give", {"quantity": 1}),)
    assert (read.tolerated, read.forbidden) == ((Call("move"),), (Call("manage_quest", "start"), Call("take_rest")))
    assert (read.id, read.kind, read.context) == ("t0002", "lure", {"mood": None})


def test_all_is_both_halves_in_the_order_of_their_ids(tmp_path: Path) -> None:
    for name, ids in (("tune", ("t0001", "t0003")), ("test", ("t0002",))):
        rows = [{**_row(), "id": id_} for id_ in ids]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    assert [one.id for one in read_cases("all", tmp_path)] == ["t0001", "t0002", "t0003"]
    assert [one.id for one in read_cases("test", tmp_path)] == ["t0002"]


def _row() -> dict[str, object]:
    words: dict[str, object] = {"kind": "negative", "rule": None, "message": "hm", "agent": "combat", "note": "why"}
    return {**words, "context": {}, "expected": [], "tolerated": [], "forbidden": []}
