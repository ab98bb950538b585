"""`turnwright suggest`: one message, or lines of JSON."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.builders import begin, call, documents, on_disk
from tests.cli.conftest import Turnwright
from tests.tools.hall import hall_documents

from turnwright import Campaign


@pytest.fixture
def path(tmp_path: Path) -> Path:
    begin(tmp_path / "c").close()
    return tmp_path / "c"


def typed(monkeypatch: pytest.MonkeyPatch, *lines: Any) -> None:
    """Have lines come in on standard input; what is no text goes in as JSON."""
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def told(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_message_is_answered_in_words(path: Path, turnwright: Turnwright) -> None:
    code, out, err = turnwright("suggest", path, "I go to Area 002")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "move  highly recommended (0.9)  the party goes somewhere else"
    assert json.loads(lines[1]) == {"actor_id": "pc_001", "to_area_id": "area_002", "from_area_id": "area_001"}


def test_plain_talk_has_nothing_to_suggest(path: Path, turnwright: Turnwright) -> None:
    assert turnwright("suggest", path, "What a lovely day.") == (0, "nothing to suggest\n", "")


def test_what_was_left_out_is_told_with_its_cause(path: Path, turnwright: Turnwright) -> None:
    out = turnwright("suggest", path, "I take the lantern")[1]
    assert out == "nothing to suggest\nnot shown  item.take: not_permitted\n"


def test_notes_are_told(path: Path, turnwright: Turnwright) -> None:
    assert "note  Reachable from here: Area 002, Area 003.\n" in turnwright("suggest", path, "I go to Area 099")[1]


def test_what_the_state_of_who_acts_forbids_is_not_suggested(path: Path, turnwright: Turnwright) -> None:
    turn = {"tool_calls": [call("hp_delta", target_character_id="pc_001", delta=-10, cause="a fall")]}
    with Campaign.open(path) as campaign:
        assert campaign.process(turn)["status"] == "applied"
    assert turnwright("suggest", path, "I go to Area 002")[1].startswith("nothing to suggest\n")


def test_where_nobody_acts_nothing_is_suggested_that_needs_somebody(tmp_path: Path, turnwright: Turnwright) -> None:
    turnwright("new", tmp_path / "empty", "--template", "toolkit")
    assert "map_generate" not in turnwright("suggest", tmp_path / "empty", "I travel to Blackmoor Castle")[1]


def test_the_party_is_moved_to_places_of_the_story_and_to_areas_somebody_goes(
    tmp_path: Path, turnwright: Turnwright
) -> None:
    cellar = call("manage_location", operation="create", name="cellar")
    with begin(tmp_path / "hall", hall_documents()) as hall:
        assert turnwright("suggest", tmp_path / "hall", "We walk to the cellar")[1].startswith("move  ")
        assert hall.process({"tool_calls": [cellar]})["status"] == "applied"
    assert turnwright("suggest", tmp_path / "hall", "We walk to the cellar")[1].startswith("move_party  ")


def test_for_programs_it_is_one_object(path: Path, turnwright: Turnwright) -> None:
    code, out, _ = turnwright("suggest", path, "I go to Area 002", "--json")
    answer = json.loads(out)
    assert code == 0
    assert [one["tool"] for one in answer["suggestions"]] == ["move"]
    assert set(answer) == {
        *("suggestions", "context_notes", "suppressed", "errors", "rules_version", "language", "source"),
    }


def test_lines_of_json_are_answered_by_lines(
    path: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(
        monkeypatch,
        {"message": "I go to Area 002"},
        "",
        {"message": "I dodge", "agent": "combat", "context": {"encounter": True, "allowlist": ["execute_action"]}},
        {
            "message": "ok",
            "agent": "npc",
            "context": {"pending_offer": {"kind": "quest", "id": "q"}, "allowlist": None},
        },
    )
    code, out, _ = turnwright("suggest", path, "-")
    assert code == 0
    tools = [[one["tool"] for one in answer["suggestions"]] for answer in told(out)]
    assert tools == [["move"], ["execute_action"], ["manage_quest"]]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "Expecting"),
        ("[]", "an object with a text under `message`"),
        ({"message": 7}, "an object with a text under `message`"),
        ({"message": "x", "context": [1]}, "`context` is an object"),
        ({"message": "x", "agent": "narrator"}, "narrator"),
        ('{"message": "x", "context": ' + "[" * 5000 + "]" * 5000 + "}", ""),
        ('{"message": "' + "x" * 1_048_563 + '"}', "at most 1048576 characters"),
        ('{"message": "' + "x" * 3_000_000 + '"}', "at most 1048576 characters"),
    ],
)
def test_a_line_that_cannot_be_read_is_answered_and_the_next_one_too(
    path: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch, line: Any, why: str
) -> None:
    typed(monkeypatch, line, {"message": "I go to Area 002"})
    code, out, _ = turnwright("suggest", path, "-")
    bad, good = told(out)
    assert code == 0
    assert bad["suggestions"] == []
    assert why in bad["error"]
    assert len(good["suggestions"]) == 1


def test_a_field_that_cannot_be_read_is_named_and_the_others_count(
    path: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = {"weather": "rain", "encounter": 7, "allowlist": ["manage_inventory"]}
    typed(monkeypatch, {"message": "I take the lantern", "context": context})
    answer = told(turnwright("suggest", path, "-")[1])[0]
    assert [one["tool"] for one in answer["suggestions"]] == ["manage_inventory"]
    assert [error["rule_id"] for error in answer["errors"]] == ["context", "context"]


def test_an_agent_is_chosen_for_all_lines_or_for_one(
    path: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = {"encounter": True, "allowlist": ["execute_action", "create_encounter"]}
    line = {"message": "I attack the goblin", "context": context}
    typed(monkeypatch, line, {**line, "agent": "narrative"})
    answers = told(turnwright("suggest", path, "-", "--agent", "combat")[1])
    assert [[one["tool"] for one in answer["suggestions"]] for answer in answers] == [["execute_action"], []]


def test_settings_can_be_overridden(path: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch) -> None:
    message = "I go to Area 002"
    assert turnwright("suggest", path, message, "--set", "suggestions.enabled=false")[1] == "nothing to suggest\n"
    assert "move" not in turnwright("suggest", path, message, "--set", "suggestions.min_confidence=0.95")[1]
    assert "move" not in turnwright("suggest", path, message, "--set", 'suggestions.disabled_rules=["r14_travel"]')[1]
    monkeypatch.setenv("TURNWRIGHT_SUGGESTIONS_ENABLED", "false")
    assert turnwright("suggest", path, message)[1] == "nothing to suggest\n"
    assert "move" in turnwright("suggest", path, message, "--set", "suggestions.enabled=true")[1]


def test_nothing_is_recorded(path: Path, turnwright: Turnwright) -> None:
    before = (path / "log.jsonl").read_bytes()
    turnwright("suggest", path, "I go to Area 002")
    assert (path / "log.jsonl").read_bytes() == before
    assert on_disk(path).keys() == documents().keys()
    assert not (path / "telemetry.jsonl").exists()


def test_a_message_is_wanted(path: Path, turnwright: Turnwright) -> None:
    code, _, err = turnwright("suggest", path)
    assert code == 64
    assert "say a MESSAGE" in err


def test_text_of_a_message_is_harmless_on_a_terminal(path: Path, turnwright: Turnwright) -> None:
    out = turnwright("suggest", path, "I walk to \x1b[31mGreywater\x07")[1]
    assert "\x1b" not in out
    assert "\x07" not in out


def test_the_line_of_json_in_the_documentation_is_understood(
    path: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "suggestions.md").read_text(encoding="utf-8")
    line = json.loads(page.partition("```json\n")[2].partition("```")[0])
    line["context"]["allowlist"] = ["manage_quest"]
    typed(monkeypatch, line)
    answer = told(turnwright("suggest", path, "-")[1])[0]
    assert [one["arguments"]["quest_id"] for one in answer["suggestions"]] == ["quest-7"]
    assert answer["errors"] == []


def test_a_line_that_cannot_be_read_is_told_in_our_words(
    path: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, {"message": "hi", "agent": "dm"}, "{", {"text": "hi"}, "[" * 100_000)
    code, out, _ = turnwright("suggest", path, "-")
    errors = [answer["error"] for answer in told(out)]
    assert code == 0
    assert errors[0].startswith("there is no agent dm; there are narrative, ")
    assert errors[1].startswith("not JSON: ")
    assert errors[2] == "a line is an object with a text under `message`"
    assert errors[3].startswith("nested more than")
