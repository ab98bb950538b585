"""What the golden cases prove together: every tool, every reason, and hints that a program can follow."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from tests.golden.case import Case, all_cases
from tests.golden.failures import Failure, asked_alone, before, failures, records
from tests.golden.repairer import repaired

from turnwright.model.reason import Reason
from turnwright.tools.registry import TOOLS

MOST_REPAIRS = 4
NOT_JSON = "<not JSON"
"""What the log holds in place of a value that JSON has none for: the call cannot be asked again as it was."""
CASES = all_cases()
PROVEN = re.compile(r"[A-Z`][^()]+[^.] \(docs/[0-9a-zA-Z/-]+\.md, \"[^\"]+\"\)")


def turns() -> Iterator[dict[str, Any]]:
    for case in CASES:
        yield from (record for record in records(case) if record["kind"] == "turn")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_says_which_sentence_of_the_docs_it_proves(case: Case) -> None:
    assert PROVEN.fullmatch(case.proves.strip())
    assert case.title


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_every_tool_has_an_applied_and_a_failed_case(tool: str) -> None:
    assert any(action["tool"] == tool for turn in turns() for action in turn["applied_actions"])
    assert any(call["tool"] == tool for turn in turns() for call in turn["tool_feedback"]["failed_calls"])


@pytest.mark.parametrize("move_from", ["required", "checked", "forbidden"])
def test_every_contract_of_move_has_an_applied_and_a_failed_case(move_from: str) -> None:
    found = set()
    for case in CASES:
        log = records(case)
        campaign = log[0]["changes"].get("campaign.json", [{}])[0].get("value", {}) if log else {}
        if (campaign.get("protocol") or {"move_from": "required"})["move_from"] == move_from:
            found |= {key for turn in log if turn["kind"] == "turn" for key in _outcomes_of_move(turn)}
    assert found == {"applied", "failed"}


def _outcomes_of_move(turn: dict[str, Any]) -> Iterator[str]:
    if any(action["tool"] == "move" for action in turn["applied_actions"]):
        yield "applied"
    if any(call["tool"] == "move" for call in turn["tool_feedback"]["failed_calls"]):
        yield "failed"


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_has_a_case_that_provokes_it(reason: Reason) -> None:
    files = [path for case in CASES for path in case.expect.rglob("*") if path.is_file()]
    spelt = re.compile(rb'"reason": ?"%s"' % reason.value.encode())
    assert any(spelt.search(path.read_bytes()) for path in files)


def test_every_failed_call_says_whether_its_hint_repairs_it() -> None:
    marked = [failure.why_unrepairable for failure in failures()]
    errors = [f for f in failures() if f.feedback["status"] == "error"]
    repairable = [f for f in errors if f.why_unrepairable is None]
    assert len(marked) > 100
    assert len(repairable) * 2 >= len(errors)


def test_no_case_marks_a_call_that_does_not_fail() -> None:
    failed = defaultdict(set)
    for failure in failures():
        failed[failure.case.name].add(failure.label)
    for case in CASES:
        marks = case.repairable
        named = set(marks) if isinstance(marks, dict) and set(marks) != {"no"} else set()
        assert named <= failed[case.name], case.name
        assert marks is None or failed[case.name], case.name


def test_hints_repair_the_calls_that_can_be_repaired(tmp_path: Path) -> None:
    stuck, marked_wrong, wanted = [], [], 0
    for (case, seq), group in groupby(failures(), key=lambda failure: (failure.case, failure.seq)):
        record = records(case)[seq]
        with before(case, seq, tmp_path / case.name / str(seq)) as campaign:
            for failure in group:
                why_stuck = _why_stuck(campaign, record, failure)
                if failure.why_unrepairable is None:
                    wanted += 1
                    stuck += [why_stuck] if why_stuck else []
                elif why_stuck is None and NOT_JSON not in json.dumps(failure.call):
                    marked_wrong.append(failure.name)
    assert marked_wrong == [], "marked `no`, but repaired"
    told = f"hints repaired {wanted - len(stuck)} of {wanted} failed calls ({1 - len(stuck) / wanted:.1%})"
    print(told)
    assert wanted - len(stuck) >= 0.95 * wanted, "\n".join([told, *stuck])


def _why_stuck(campaign: Any, record: dict[str, Any], failure: Failure) -> str | None:
    """Return why following hints does not lead to an applied call, or None when it does."""
    call, wanted = failure.call, [failure.feedback[key] for key in ("status", "reason")]
    if failure.feedback["tool"] in ("answer", "output"):
        return f"{failure.name}: is no call"
    for attempt in range(MOST_REPAIRS + 1):
        reply = asked_alone(campaign, record, call)
        if reply["status"] == "applied":
            return None if attempt else f"{failure.name}: does not fail when it stands alone"
        feedback = reply["tool_feedback"]["failed_calls"][0]
        if not attempt and [feedback[key] for key in ("status", "reason")] != wanted:
            return f"{failure.name}: fails as {feedback['reason']} when it stands alone"
        call = repaired(call, feedback.get("hint", {}))
        if call is None:
            return f"{failure.name}: no change is named by {json.dumps(feedback)}"
    return f"{failure.name}: not applied after {MOST_REPAIRS} repairs"
