from __future__ import annotations

import json
import random
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests import builders
from tests.game_master.telemetry_samples import Log, asking, failure, finding, hint, telemetry

from turnwright import Campaign
from turnwright.analysis.report.counters import RuleState
from turnwright.analysis.report.joined import play_of
from turnwright.analysis.report.page import html_of, svg_of
from turnwright.analysis.report.play import Play
from turnwright.analysis.report.report import comparison, report_of
from turnwright.analysis.report.shapes import Figure, Report
from turnwright.analysis.report.tables import comparison_table, figure, tables_of
from turnwright.game_master.telemetry import Asking, append, read, record_of
from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.suggestion import Suggestion, SuggestionSet, Suppressed

GOLDEN = Path(__file__).parent / "golden_report"
RULES = [RuleState("R09", enabled=True), RuleState("R14", enabled=True), RuleState("R15", enabled=False)]


def report(log: Log, *entries: Any) -> Report:
    return report_of([play_of("c", log.records, entries)])


def bare(told: Figure) -> tuple[int, int]:
    return told["count"], told["n"]


def in_conflict(retries: int) -> dict[str, Any]:
    """Return what a record has of a turn that was wanted again and failed."""
    return {"status": "failed", "conflict_report": {"retries": retries, "conflicts": [finding()]}}


def many(turns: int, *, used: bool = True, failing: int = 0, confidence: float = 0.9) -> list[Play]:
    """Return play of so many turns, each with a hint, of which the first fail."""
    log = Log()
    entries = []
    for number in range(turns):
        said = f"message {number}"
        failed = [failure()] if number < failing else []
        turn = log.turn(*(["move"] if used else []), said=said, failed=failed)
        entries.append(telemetry(turn, hint(confidence=confidence), message=said))
    return [play_of("c", log.records, entries)]


# use


def test_a_hint_is_used_when_its_tool_is_applied_in_the_same_exchange() -> None:
    log = Log()
    log.turn(said="I go")
    log.turn("move")
    log.turn(said="I fall", failed=[failure("hp_delta")])
    log.turn(said="nothing")
    log.turn("move")
    told = report(
        log,
        telemetry("t1", hint()),
        telemetry("t3", hint("hp_delta", 0.65, "R09", "hp.change"), message="I fall"),
        telemetry("t4", message="nothing"),
    )
    assert bare(told["use"]["all"]) == (1, 2)
    assert {label: bare(one) for label, one in told["use"]["by_label"].items()} == {
        "highly recommended": (1, 1),
        "recommended": (0, 1),
        "optional": (0, 0),
    }
    assert {rule: bare(one) for rule, one in told["use"]["by_rule"].items()} == {"R09": (0, 1), "R14": (1, 1)}
    assert bare(told["suggestions"]["without_any"]) == (1, 3)
    assert told["missed"] == {"move": {"count": 1, "clause_types": ["commit"], "intents": []}}
    assert told["counters"]["missed"] == {"narrative · move": 1}


def test_a_hinted_call_that_was_taken_back_is_harm() -> None:
    log = Log()
    log.turn("move", said="I go")
    log.turn("hp_delta", said="I fall")
    log.undo(2)
    entries = telemetry("t1", hint()), telemetry("t2", hint("hp_delta"), message="I fall")
    assert bare(report(log, *entries)["harm"]) == (1, 2)


def test_arguments_of_hints_are_compared_with_the_most_alike_call() -> None:
    log = Log()
    log.turn(("move", {"to_area_id": "cave"}), ("move", {"to_area_id": "Mill", "actor_id": "pc_002"}), said="I go")
    shown = hint(to_area_id="mill", actor_id="pc_001", from_area_id="inn")
    told = report(log, telemetry("t1", shown, dropped_arguments=["move.speed"]))
    assert told["left_out"]["arguments"] == {"used": 1, "overridden": 1, "not_given": 1, "dropped": 1}


def test_what_was_left_out_is_counted_by_cause() -> None:
    log = Log()
    log.turn(said="I rest")
    left = [
        {"tool": "take_rest", "intent": "rest.short", "cause": "excluded_by:rest.long"},
        {"tool": None, "intent": "time.advance", "cause": "unmapped"},
    ]
    told = report(log, telemetry("t1", suppressed=left, errors=[{"rule_id": "R03", "error": "no"}]))
    assert told["left_out"]["suppressed"] == {"excluded_by": 1, "unmapped": 1}
    assert told["left_out"]["unmapped"] == {"time.advance": 1}
    assert told["left_out"]["errors"] == {"R03": 1}


def test_a_rule_that_promises_more_than_it_keeps_is_pointed_out() -> None:
    kept, broken = report_of(many(100)), report_of(many(100, used=False))
    few = report_of(many(99, used=False))
    overrated = [told["calibration"]["by_rule"]["R14"]["overrated"] for told in (kept, broken, few)]
    assert overrated == [False, True, False]


@pytest.mark.parametrize(
    ("confidence", "name"), [(0.7, "0.7-0.8"), (0.699, "0.6-0.7"), (1.0, "0.9-1.0"), (0.0, "0.0-0.1")]
)
def test_a_tenth_of_confidence_includes_its_lower_end(confidence: float, name: str) -> None:
    assert list(report_of(many(1, confidence=confidence))["calibration"]["by_confidence"]) == [name]


# calls


def test_an_exchange_is_covered_when_every_tool_it_tells_of_was_applied() -> None:
    log = Log()
    log.turn("move", said="covered")
    log.turn(said="told, never called", findings=[finding()])
    log.turn(said="told, then called", findings=[finding()])
    log.turn("hp_delta")
    log.turn("hp_delta", said="one called, another told", findings=[finding("rejected", "move")])
    log.turn(said="wrong otherwise", findings=[finding("contradiction", None)])
    log.turn(said="nothing expected")
    told = report(log)["coverage"]
    assert bare(told) == (2, 4)
    assert told["not_called"] == {"hp_delta": 1, "move": 1}


def test_what_only_an_attempt_told_is_not_expected() -> None:
    log = Log()
    log.turn(said="I fall", kind="attempt", findings=[finding()], turn_id="t2")
    log.turn("move", said="I fall")
    assert bare(report(log)["coverage"]) == (1, 1)


def test_a_turn_closed_in_conflict_tells_nothing_and_owes_nothing() -> None:
    log = Log()
    for _ in range(2):
        log.turn(said="I fall", kind="attempt", turn_id="t3", findings=[finding()])
    log.turn(said="I fall", **in_conflict(2), findings=[finding()])
    log.turn(said="I fall", turn_id="t5", kind="attempt", findings=[finding()])
    log.turn(said="I fall", **in_conflict(0))
    log.turn(said="the sun shines")
    told = report(log)
    assert bare(told["coverage"]) == (0, 0)
    assert bare(told["findings"]["published"]["error"]) == (0, 3)
    assert told["findings"]["ended"] == {"called": 0, "amended": 0, "ignored": 2}
    assert told["findings"]["turns_closed_in_conflict"] == 2


def test_a_turn_that_came_right_though_its_calls_failed_is_not_closed_in_conflict() -> None:
    log = Log()
    log.turn(said="I fall", kind="attempt", turn_id="t2", findings=[finding()])
    log.turn(said="I fall", **in_conflict(1), assistant_text="You do not.", findings=[finding(severity="warn")])
    told = report(log)["findings"]
    assert bare(told["published"]["warn"]) == (1, 1)
    assert told["turns_closed_in_conflict"] == 0


def test_a_failed_call_is_repaired_when_its_tool_is_applied_later_in_the_exchange() -> None:
    log = Log()
    log.turn(said="a", failed=[failure(), failure("hp_delta", hinted=False)])
    log.turn("move", "hp_delta")
    log.turn("move", said="b", failed=[failure()])
    log.turn("move", said="c")
    told = report(log)["failures"]
    assert bare(told["repaired"]) == (2, 3)
    assert bare(told["repaired_after_hint"]) == (1, 2)
    assert bare(told["failed"]) == (3, 4)
    assert bare(told["applied"]) == (4, 7)


def test_failures_are_told_by_reason_with_and_without_hints() -> None:
    log = Log()
    log.turn(said="a", failed=[failure(reason="conflict")])
    log.turn(said="b", failed=[failure(), failure()])
    told = report(log, telemetry("t1", hint(), message="a"))["failures"]
    assert list(told["by_reason"]) == ["invalid_args", "conflict"]
    assert {reason: bare(one) for reason, one in told["with_hints"].items()} == {"conflict": (1, 1)}
    assert {reason: bare(one) for reason, one in told["without_hints"].items()} == {"invalid_args": (2, 1)}


def test_a_group_within_a_report_has_rates_only_if_it_has_a_hundred_turns_itself() -> None:
    log = Log()
    entries = []
    for number in range(110):
        turn = log.turn(said=str(number), failed=[failure()])
        entries += [telemetry(turn, hint(), message=str(number))] * (number < 10)
    told = report(log, *entries)["failures"]
    assert told["by_reason"]["invalid_args"]["per_100"] == 100
    assert (bare(told["with_hints"]["invalid_args"]), told["with_hints"]["invalid_args"]["per_100"]) == ((10, 10), None)
    assert told["without_hints"]["invalid_args"]["per_100"] == 100


def test_how_a_finding_ended() -> None:
    log = Log()
    log.turn(said="amended", kind="attempt", findings=[finding(), finding("forbidden", None)], turn_id="t2")
    log.turn(said="amended", findings=[finding("forbidden", None)])
    log.turn(said="called", kind="attempt", findings=[finding()], turn_id="t4")
    log.turn("hp_delta", said="called")
    log.turn(said="closed", kind="attempt", findings=[finding(), finding()], turn_id="t6")
    log.turn(said="closed", **in_conflict(1))
    told = report(log)["findings"]
    assert told["by_kind"] == {
        "missing": {"found": 3, "called": 1, "amended": 1, "ignored": 1},
        "forbidden": {"found": 1, "called": 0, "amended": 0, "ignored": 1},
    }
    assert told["by_tool"]["none"]["ignored"] == 1
    assert bare(told["published"]["error"]) == (1, 3)
    assert told["turns_closed_in_conflict"] == 1


# time, tokens, cost


def test_time_tokens_and_cost_are_added_up_by_model() -> None:
    log = Log()
    log.turn(said="a")
    log.turn(said="b")
    first = telemetry("t1", models=[asking(ms=30, cost=0.002), asking(ms=50, step=1)], message="a", elapsed_us=90)
    failed = asking(model="large", ms=9000, failure="timeout", output_tokens=0)
    second = telemetry("t2", models=[failed], message="b", elapsed_us=20_000)
    told = report(log, first, second)
    models = told["models"]
    assert (models["asked"], models["failures"], models["cost"], models["cost_unknown"]) == (
        3,
        {"timeout": 1},
        0.002,
        2,
    )
    assert models["ms"] == {"n": 2, "p50": 30, "p99": 50, "max": 50}
    assert (models["input_tokens"], models["output_tokens"], models["tokens_per_message"]) == (300, 20, 160.0)
    assert models["by_model"]["large"]["cost"] is None
    looks = told["suggestor"]["elapsed_us"]
    assert (looks["p50"], looks["max"], looks["histogram"]["<100"], looks["histogram"][">=10000"]) == (90, 20_000, 1, 1)


# counts only, comparison


def test_with_fewer_than_a_hundred_turns_no_rate_is_given() -> None:
    told = report_of(many(99))
    rates = numbers_called(told, {"rate", "per_100", "low", "high", "per_message"})
    assert rates
    assert set(rates) == {None}
    assert told["use"]["all"]["count"] == 99


def numbers_called(value: Any, names: set[str]) -> list[Any]:
    if isinstance(value, dict):
        own = [value[name] for name in names & value.keys()]
        return own + [found for inner in value.values() for found in numbers_called(inner, names)]
    return [found for inner in value for found in numbers_called(inner, names)] if isinstance(value, list) else []


def test_two_groups_are_compared_measure_by_measure() -> None:
    rows = comparison(report_of(many(200, failing=10)), report_of(many(100, used=False, failing=20)))
    by_name = {row["measure"]: row for row in rows}
    failed = by_name["failed calls"]
    assert (failed["this"]["per_100"], failed["against"]["per_100"], failed["difference"]) == (5.0, 20.0, -15.0)
    assert failed["relative"] == -0.75
    assert failed["high"] is not None
    assert failed["high"] < 0
    used = by_name["used: highly recommended"]
    assert (used["difference"], used["this"]["n"], used["against"]["n"]) == (1.0, 200, 100)
    assert by_name["repaired"]["difference"] is None or by_name["repaired"]["against"]["n"]


def test_a_reason_that_only_one_group_has_is_compared_with_none() -> None:
    log = Log()
    for number in range(100):
        log.turn(said=str(number), failed=[failure(reason="conflict")])
    other = report_of([play_of("d", log.records, ())])
    rows = {row["measure"]: row for row in comparison(report_of(many(100)), other)}
    assert rows["failed: conflict"]["this"]["per_100"] == 0
    assert rows["failed: conflict"]["difference"] == -100.0


def test_groups_with_too_few_turns_are_compared_by_counts_alone() -> None:
    rows = comparison(report_of(many(300)), report_of(many(99)))
    assert {row["difference"] for row in rows} == {None}
    assert {row["measure"]: bare(row["against"]) for row in rows}["coverage"] == (99, 99)


def test_nothing_at_all_has_a_report() -> None:
    told = report_of([])
    assert told["turns"] == 0
    assert svg_of(told)
    assert tables_of(told)
    assert {row["difference"] for row in comparison(told, told)} == {None}


def test_the_order_of_logs_does_not_matter_to_what_is_counted() -> None:
    plays = [*many(60), *many(70, used=False), *many(10, failing=5)]
    first = report_of(plays)
    random.Random(1).shuffle(plays)
    second = report_of(plays)
    assert first["campaigns"] != second["campaigns"]
    assert first == {**second, "campaigns": first["campaigns"]}


# the fixture


def suggested(*hints: tuple[str, str, str, float, dict[str, Any]], left: Sequence[Suppressed] = ()) -> SuggestionSet:
    shown = [
        Suggestion(tool=tool, intent=intent, rule_id=rule, confidence=confidence, arguments=args, reason="said so")
        for tool, intent, rule, confidence, args in hints
    ]
    return SuggestionSet(
        suggestions=tuple(shown),
        suppressed=tuple(left),
        rules_version="0123456789ab",
        language="en",
        clauses=(("commit", 0, 9),),
    )


GO = ("move", "travel", "R14", 0.9, {"to_area_id": "area_002"})
HURT = ("hp_delta", "hp.change", "R09", 0.65, {"delta": -2, "target_character_id": "pc_001"})
REST = Suppressed("take_rest", "rest.short", "not_permitted")


def played(path: Path) -> Path:
    """Play a few exchanges in a new campaign, as the loop would, and return its directory."""
    values = builders.documents(settings={"narration": {"check": "retry"}})
    with builders.begin(path, values) as campaign:

        def take(turn_id: str, given: dict[str, Any], found: SuggestionSet | None, **more: Any) -> None:
            reply = campaign.process({"turn_id": turn_id} | given)
            if reply["status"] == "retry_needed":
                return
            asked = [Asking("narrative", "small", 40 + len(turn_id), 100, 12, 0.0001)]
            message = given.get("user_input", more.pop("message", None))
            record = record_of(
                campaign="plain",
                agent=AgentKind.NARRATIVE,
                reply=reply,
                message=message,
                suggested=found,
                elapsed_us=150,
                models=asked,
            )
            assert append(path, record) is None

        take("a1", builders.turn(builders.move("nowhere"), user_input="I go to Area 2"), suggested(GO))
        take("a2", builders.turn(builders.move("area_002")), None)
        take("a3", {"assistant_text": "Rain patters on the leaves."}, None)
        take("b1", builders.turn(builders.hp_delta(-3), user_input="I take 2 damage"), suggested(HURT, left=[REST]))
        take("c1", {"user_input": "What now?", "assistant_text": "You lose 4 hit points."}, suggested())
        take("c1", {"user_input": "What now?", "assistant_text": "Rain drums on the roof."}, suggested())
        campaign.undo()
        take(
            "d1",
            builders.turn(builders.hp_delta(1), user_input="I rest", assistant_text="You regain 1 hit point."),
            suggested(),
        )
    return path


def fixture_report(path: Path) -> Report:
    with Campaign.open(played(path)) as campaign:
        return report_of([play_of("plain", campaign.records(), read(path).records)], RULES)


def test_the_report_of_the_fixture_is_the_golden_one(tmp_path: Path, update_golden: bool) -> None:
    told = json.dumps(fixture_report(tmp_path / "c"), ensure_ascii=False, indent=1) + "\n"
    golden = GOLDEN / "report.json"
    if update_golden:
        golden.write_text(told, encoding="utf-8", newline="\n")
    assert told == golden.read_text(encoding="utf-8"), "run `make golden`"


def test_every_record_of_the_fixture_joins_the_log(tmp_path: Path) -> None:
    with Campaign.open(played(tmp_path / "c")) as campaign:
        turns = {record.get("turn_id"): record for record in campaign.records()}
    records = read(tmp_path / "c").records
    assert len(records) == 6
    for record in records:
        logged = turns[record["turn_id"]]
        assert {call["id"] for call in record["calls"]} == {call["id"] for call in logged.get("tool_calls", ())}


LOGS = sorted((Path(__file__).parents[1] / "golden").rglob("log.jsonl"))


def test_the_parts_of_a_report_add_up_over_every_golden_log() -> None:
    assert len(LOGS) > 100
    logs = [[json.loads(line) for line in log.read_text("utf-8").splitlines()] for log in LOGS]
    plays = [play_of(log.parent.name, records, ()) for log, records in zip(LOGS, logs, strict=True)]
    told = report_of(plays)
    turns = [record for records in logs for record in records if record["kind"] == "turn"]
    assert 0 < told["turns"] <= len(turns)
    failures = told["failures"]
    assert failures["failed"]["count"] == sum(one["count"] for one in failures["by_reason"].values())
    assert failures["failed"]["count"] == sum(failures["by_tool"].values()) == failures["repaired"]["n"]
    assert failures["calls"] == failures["applied"]["n"] == failures["applied"]["count"] + failures["failed"]["count"]
    found = told["findings"]
    assert found["found"] == sum(found["ended"].values()) == sum(one["found"] for one in found["by_kind"].values())
    assert told["coverage"]["count"] <= told["coverage"]["n"] <= told["exchanges"] <= told["turns"]
    assert Page(html_of(told)).tags


# what people see


class Page(HTMLParser):
    """Collects the tags of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = "<script>alert(1)</script>\"'&\x1b[31m\u202e"


def test_a_page_fetches_nothing_runs_nothing_and_shows_hostile_text_as_text(tmp_path: Path) -> None:
    log = Log()
    log.turn(said="a", failed=[failure()], findings=[finding(tool=HOSTILE)])
    entries = [
        telemetry("t1", hint(HOSTILE, rule=HOSTILE), models=[asking(model=HOSTILE, failure=HOSTILE)], message="a")
    ]
    told = report_of([play_of(HOSTILE, log.records, entries)], [RuleState(HOSTILE, enabled=False)])
    text = html_of(told, told, comparison(told, told))
    page = Page(text)
    names = {tag for tag, _ in page.tags}
    assert names.isdisjoint({"script", "link", "img", "iframe", "object", "image", "use", "a"})
    assert not [
        attribute
        for _, attributes in page.tags
        for attribute in attributes
        if attribute in ("href", "src") or attribute.startswith("on")
    ]
    assert "<script>alert(1)</script>" in page.text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.count("http") == text.count("http://www.w3.org/2000/svg") + text.count("http-equiv")


@pytest.mark.parametrize("plays", [many(3), many(150, failing=20), []], ids=["few", "many", "none"])
def test_the_drawing_is_xml_and_stays_on_its_sheet(plays: list[Play]) -> None:
    told = report_of(plays)
    for text in (svg_of(told), svg_of(told, told, comparison(told, told))):
        root = ElementTree.fromstring(text)
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for bar in root.iter("{http://www.w3.org/2000/svg}rect"):
            assert 0 <= float(bar.attrib["width"]) <= width
            assert 0 <= float(bar.attrib["height"]) <= height


def test_numbers_are_told_with_their_counts_and_intervals() -> None:
    told = report_of(many(200, failing=10))
    assert figure(told["failures"]["failed"]) == "5 per 100 (2.39 to 9.2), 10 in 200 turns"
    assert figure(told["use"]["all"]) == "100.0 % (98.1 to 100.0), 200 of 200"
    assert figure(report_of(many(9))["use"]["all"]) == "9 of 9"


def test_a_table_of_two_groups_says_which_is_which() -> None:
    table = comparison_table(comparison(report_of(many(200)), report_of(many(100, used=False))))
    row = next(row for row in table.rows if row[0] == "used: highly recommended")
    assert row[1].endswith("200 of 200")
    assert row[2].endswith("0 of 100")
    assert row[3].startswith("+100.0 points")
