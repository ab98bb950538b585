"""Hints in play: whatever fails of them, turns are those of a campaign without them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import move
from tests.cached_fixtures import english
from tests.game_master.playing import Line, Table, calls, says

from turnwright.game_master import suggestion_provider as suggesting
from turnwright.game_master.suggestion_provider import refreshed, suggest
from turnwright.rulesets.suggesting import PACKS
from turnwright.suggestions import engine as suggestor_module
from turnwright.suggestions import pack as pack_module
from turnwright.suggestions import pack_files
from turnwright.suggestions.pack_files import PackFiles

Open = Callable[..., Table]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Open]:
    """Give a function that sits down at a campaign of its own."""
    opened: list[Table] = []

    def sit(*lines: Line, **how: Any) -> Table:
        path = tmp_path / f"campaign_{len(opened)}"
        opened.append(Table(builders.begin(path), path, *lines, **{"suggest": suggest, **how}))
        return opened[-1]

    yield sit
    for one in opened:
        one.campaign.close()


LINES = (calls(move("area_002")), says("You arrive."))


def raises(*_: Any, **__: Any) -> Any:
    raise RuntimeError("broken")


BROKEN = {
    "resolver": (suggestor_module, "resolve_tool"),
    "aggregate": (suggestor_module, "rank"),
    "notes": (suggestor_module, "notes_on"),
    "message": (suggestor_module, "Reader"),
    "suggestor": (suggesting, "engine_for"),
}


@pytest.mark.parametrize("part", [*BROKEN, "block", "rule", "snapshot"])
def test_a18_whatever_fails_turns_are_those_without_hints(
    table: Open, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    off = table(*LINES, settings={"suggestions.enabled": False})
    off.say("I go to Area 002 and search the place")
    if part == "block":
        monkeypatch.setattr("turnwright.suggestions.prompt_block.render_block", raises)
    elif part == "snapshot":
        monkeypatch.setattr("turnwright.protocol.stage0_prepare.snapshot.snapshot_of", raises)
    elif part == "rule":
        monkeypatch.setattr("turnwright.rulesets.core.suggestions.journey.Travel.evaluate", raises)
    else:
        monkeypatch.setattr(*BROKEN[part], raises)
    broken = table(*LINES)
    broken.say("I go to Area 002 and search the place")
    assert broken.everything() == off.everything()
    records = broken.telemetry()
    assert len(records) == len(broken.texts()) + 1
    named = {error["rule_id"] for record in records for error in record["errors"]}
    assert named == {{"rule": "r14_travel", "snapshot": "suggestor"}.get(part, part)}
    assert off.telemetry() == []


def test_a19_the_same_session_gives_the_same_telemetry(table: Open) -> None:
    lines = []
    for _ in range(2):
        play = table(*LINES)
        play.say("I go to Area 002")
        lines.append([{**record, "ts": "", "elapsed_us": 0} for record in play.telemetry()])
    assert lines[0] == lines[1] != []
    assert lines[0][0]["suggestions"] != []


def test_hints_act_for_whoever_speaks(table: Open) -> None:
    play = table(says("So be it."))
    play.say("I go to Area 002", authority="player:pc_002")
    hints = [hint for record in play.telemetry() for hint in record["suggestions"]]
    assert [hint["arguments"]["actor_id"] for hint in hints if hint["tool"] == "move"] == ["pc_002"]


def test_a20_with_the_feature_off_no_rule_and_no_pack_is_loaded(tmp_path: Path) -> None:
    builders.begin(tmp_path / "campaign").close()
    program = f"""
import sys
from turnwright import Campaign
from turnwright.game_master.exchange import Said
from turnwright.game_master.loop import GameMaster
from turnwright.llm.script import ScriptModel
from turnwright.game_master.suggestion_provider import suggest
model = ScriptModel([{{"text": "It is quiet."}}])
path = {str(tmp_path / "campaign")!r}
with Campaign.open(path) as campaign:
    named = {{"agents.default_model": "any", "suggestions.enabled": False}}
    master = GameMaster(campaign, path, lambda _: model, suggest=suggest, overrides=named)
    assert master.exchange(Said("I take the lantern")).outcome == "answered"
rules = [name for name in sys.modules if name.startswith("turnwright.rulesets.") and ".suggestions." in name]
print(rules + [name for name in sys.modules if name.startswith("turnwright.suggestions.pack")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


# packs that change while a session goes on


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with two rules of the English pack, which is the one in use."""
    rules = {name: english()["rules"][name] for name in ("r03_item_take", "r16_rest_long")}
    place = tmp_path / "packs"
    place.mkdir()
    (place / "en.yaml").write_text(json.dumps({**english(), "rules": rules}), encoding="utf-8")  # which is YAML, too
    monkeypatch.setattr(suggesting, "_stamps", {})
    monkeypatch.setattr(PACKS, "_kept", {})
    found = PackFiles("en", place, "packs/en.yaml")
    monkeypatch.setattr(pack_module, "files_of", lambda _: found)
    monkeypatch.setattr(pack_files, "files_of", lambda _: found)
    return place


def test_a_pack_that_changed_is_read_again_between_messages(folder: Path) -> None:
    first = PACKS.of("en")
    assert (refreshed(["en"]), refreshed(["en"])) == ((), ())
    assert PACKS.of("en") is first
    with (folder / "en.yaml").open("a", encoding="utf-8") as file:
        file.write("# more\n")
    assert refreshed(["en"]) == ()
    assert PACKS.of("en") is not first


def test_a_pack_that_broke_is_told_of_once_and_the_old_one_stays(folder: Path, table: Open) -> None:
    play = table(says("So."), says("So."), says("So."))
    play.say("I take the lantern")
    first = PACKS.of("en")
    text = (folder / "en.yaml").read_text(encoding="utf-8")
    (folder / "en.yaml").write_text(text.replace('["rest.long"]', '["rest.lnog"]', 1), encoding="utf-8")
    play.say("I take the rope")
    play.say("I take the lamp")
    errors = [record["errors"] for record in play.telemetry()]
    assert [len(found) for found in errors] == [0, 1, 0]
    assert errors[1][0]["rule_id"] == "pack"
    assert "rest.lnog" in errors[1][0]["error"]
    assert PACKS.of("en") is first


def test_a_pack_that_is_gone_stays_in_use(folder: Path) -> None:
    first = PACKS.of("en")
    refreshed(["en"])
    (folder / "en.yaml").unlink()
    assert refreshed(["en"]) == ()
    assert PACKS.of("en") is first
