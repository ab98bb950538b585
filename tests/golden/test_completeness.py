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
from tests.golden.case import HERE, all_cases
from tests.golden.failures import Failure, asked_alone, before, failures, records
from tests.golden.invariants import folded
from tests.golden.repairer import repaired_by
from tests.sampling import some

from turnwright.model.mood import MOODS
from turnwright.model.wire.reason import Reason
from turnwright.rulesets.registry import INCLUDED
from turnwright.rulesets.scenes.events import EVENTS
from turnwright.rulesets.scenes.moods import TOOLS_OF_MOOD
from turnwright.rulesets.toolbox import TOOLS

MAX_REPAIRS = 4
NOT_JSON = "<not JSON"
"""What the log holds in place of a value that JSON has none for: the call cannot be asked again as it was."""
LINTS = {
    "lint_action_stalled",
    "lint_hint_length",
    "lint_ledger_mismatch",
    "lint_outcome_inverted",
    "lint_suggestions",
    "lint_variant_unused",
    "output_after_break",
}
"""What a part of a scene game can be warned of."""
CASES = all_cases()
PROVEN = re.compile(r"[A-Z`][^()]+[^.] \((docs/[0-9a-zA-Z/-]+\.md), \"([^\"]+)\"\)")


def turns() -> Iterator[dict[str, Any]]:
    for case in CASES:
        yield from (record for record in records(case) if record["kind"] == "turn")


def test_every_case_says_which_sentence_of_the_docs_it_proves() -> None:
    assert [case.name for case in CASES if not (case.title and names_a_section(case.proves))] == []


def names_a_section(proves: str) -> bool:
    if (said := PROVEN.fullmatch(proves.strip())) is None:
        return False
    page, section = said.groups()
    lines = (HERE.parent.parent / page).read_text(encoding="utf-8").splitlines()
    return any(line.lstrip("#") == f" {section}" for line in lines if line.startswith("#"))


def test_every_tool_has_an_applied_and_a_failed_case() -> None:
    applied = {action["tool"] for turn in turns() for action in turn["applied_actions"]}
    failed = {call["tool"] for turn in turns() for call in turn["tool_feedback"]["failed_calls"]}
    assert set(TOOLS) - applied == set()
    assert set(TOOLS) - failed == set()


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


def test_every_reason_has_a_case_that_provokes_it() -> None:
    files = [path for case in CASES for path in case.expect.rglob("*") if path.is_file()]
    provoked = {reason for path in files for reason in re.findall(rb'"reason": ?"(\w+)"', path.read_bytes())}
    missing = {reason.value for reason in Reason} - {reason.decode() for reason in provoked}
    assert missing == {"internal_error"}, "that one takes an installed ruleset: see test_rulesets.py"


def test_every_event_happens_in_some_case() -> None:
    happened = {event["type"] for case in CASES for record in records(case) for event in record.get("events", ())}
    assert sorted(happened) == sorted(EVENTS)


def test_events_hold_what_is_documented_and_are_for_whom_it_says() -> None:
    for case in CASES:
        for event in (event for record in records(case) for event in record.get("events", ())):
            kind = EVENTS[event["type"]]
            assert tuple(event["data"]) == kind.data, (case.name, event)
            readers = ("player", "gm") if kind.audience == "visible" else (kind.audience,)
            assert event["audience"] in readers, (case.name, event)


def test_no_event_for_players_tells_what_is_hidden_from_them() -> None:
    looked_for = 0
    for case in CASES:
        found = records(case)
        told = "\n".join(_for_players(record) for record in found)
        hidden = _hidden(found)
        looked_for += len(hidden)
        assert [text for text in hidden if text in told] == [], case.name
        for record in (record for record in found if "offers" in (record.get("output") or {})):
            offers = [offer for offer in record["output"]["offers"] if isinstance(offer, dict)]
            assert [offer for offer in offers if offer["narrative"] in _for_players(record)] == [], case.name
    assert looked_for > 20


def _for_players(record: dict[str, Any]) -> str:
    events = [event for event in record.get("events", ()) if event["audience"] == "player"]
    return json.dumps(events, ensure_ascii=False)


def _hidden(found: list[dict[str, Any]]) -> set[str]:
    """Return the names of hidden clocks, and the futures of all the dice that were never chosen."""
    documents = folded(found)
    names = {value["name"] for path, value in documents.items() if path.startswith("clocks/") and not value["visible"]}
    offered, chosen = set(), set()
    for record in found:
        for action in record.get("applied_actions", ()):
            offered |= {future["narrative"].strip() for future in action["args"].get("outcomes", ())}
        spent = [event for event in record.get("events", ()) if event["type"] == "DieSpent"]
        chosen |= {event["data"]["narrative"] for event in spent}
    return names | (offered - chosen)


@pytest.mark.parametrize("mood", MOODS)
def test_every_tool_that_a_mood_does_not_have_is_refused_in_it(mood: str) -> None:
    refused = {
        call["tool"]
        for turn in turns()
        for call in turn["tool_feedback"]["failed_calls"]
        if call["reason"] == "tool_not_in_mood" and call["hint"]["mood"] == mood
    }
    every = {tool for tools in TOOLS_OF_MOOD.values() for tool in tools}
    assert refused == every - {tool for name, tools in TOOLS_OF_MOOD.items() if name == mood for tool in tools}


def test_every_removed_tool_is_told_what_does_its_work() -> None:
    failed = [call for turn in turns() for call in turn["tool_feedback"]["failed_calls"]]
    told = {call["tool"]: call["hint"]["use"] for call in failed if call["reason"] == "tool_removed"}
    assert told == dict(INCLUDED["scenes"].removed)


def test_every_warning_of_the_scene_game_is_given_in_some_case() -> None:
    actions = (action for turn in turns() for action in turn["applied_actions"] if turn.get("applied_actions"))
    given = {warning for action in actions for warning in action.get("warnings", ()) if isinstance(warning, str)}
    assert given >= LINTS
    assert {warning for warning in given if warning.startswith("lint_")} <= LINTS


def test_every_failed_call_says_whether_its_hint_repairs_it() -> None:
    marked = [failure.why_unrepairable for failure in failures()]
    assert len(marked) > 100
    assert marked.count(None) > 100


def test_no_case_marks_a_call_that_does_not_fail() -> None:
    failed: defaultdict[str, set[str]] = defaultdict(set)
    for failure in failures():
        failed[failure.case.name].update(failure.labels)
    for case in CASES:
        marks = case.repairable
        named = set(marks) if isinstance(marks, dict) and set(marks) != {"no"} else set()
        assert named <= failed[case.name], case.name
        assert marks is None or failed[case.name], case.name


def test_hints_repair_the_calls_that_can_be_repaired(tmp_path: Path) -> None:
    stuck, marked_wrong, wanted = [], [], 0
    turns_with_failures = [list(group) for _, group in groupby(failures(), key=lambda one: (one.case, one.seq))]
    tried = some(turns_with_failures, 90)
    doubtful = [group for group in turns_with_failures if group not in tried and any(map(_may_be_repaired, group))]
    for group in [*tried, *doubtful]:
        case, seq = group[0].case, group[0].seq
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


def _may_be_repaired(failure: Failure) -> bool:
    """Return whether its hint names a change although the case says that no hint repairs it."""
    return failure.why_unrepairable is not None and repaired_by(failure.call, failure.feedback) is not None


def _why_stuck(campaign: Any, record: dict[str, Any], failure: Failure) -> str | None:
    """Return why following hints does not lead to an applied call, or None when it does."""
    call, wanted = failure.call, [failure.feedback[key] for key in ("status", "reason")]
    for attempt in range(MAX_REPAIRS + 1):
        reply = asked_alone(campaign, record, call, is_part=failure.is_part)
        # A text of a player that is taken counts for nothing, and what waits for dice has not failed.
        if reply["status"] in ("applied", "empty", "waiting"):
            return None if attempt else f"{failure.name}: does not fail when it stands alone"
        feedback = reply["tool_feedback"]["failed_calls"][0]
        if not attempt and [feedback[key] for key in ("status", "reason")] != wanted:
            return f"{failure.name}: fails as {feedback['reason']} when it stands alone"
        call = repaired_by(call, feedback)
        if call is None:
            return f"{failure.name}: no change is named by {json.dumps(feedback)}"
    return f"{failure.name}: not applied after {MAX_REPAIRS} repairs"
