"""What is on no list is hidden: a tool, a key of a result, an event or a kind of documents no row shows to players.

Each is added as a later version or an installed ruleset would add it, and looked for wherever a player reads.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests import builders
from tests.builders import PEOPLE, call, documents, log_of, move, turn, untyped
from tests.cli.conftest import Play, Turnwright, play, turnwright
from tests.game_master.playing import says
from tests.scenes import night

from turnwright import Campaign, Viewer
from turnwright.model.errors import BadRequest
from turnwright.model.note import Note
from turnwright.model.state.overlay import World
from turnwright.model.viewer import GAME_MASTER, PARTY
from turnwright.model.wire.event import Event
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.ruleset import RULING, ToolRow
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolbox import TOOLS

__all__ = ["play", "turnwright"]
SECRET = "zorblax"
MIRA = "player:pc_001"
PLAYERS = ["table", MIRA]


def telling(tool: str, **more: Any) -> Any:
    """Return a tool as it is, whose results hold more than it declared."""

    def apply(world: World, args: Any, ctx: Context) -> Applied:
        done = TOOLS_AS_THEY_ARE[tool].apply(world, args, ctx)
        return done._replace(result={**done.result, **more})

    return replace(TOOLS_AS_THEY_ARE[tool], apply=apply)


TOOLS_AS_THEY_ARE = {name: TOOLS[name] for name in ("move", "move_options", "hp_delta", "roll_check", "choose")}


@pytest.fixture
def scrying(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install two tools without a row of visibility: one that changes something, and one that reads."""
    scry = replace(telling("hp_delta", vision=SECRET), name="scry")
    peer = replace(telling("move_options", vision=SECRET), name="peer")
    for added in (scry, peer):
        monkeypatch.setitem(TOOLS.rows, added.name, "tests:nowhere")
        monkeypatch.setitem(TOOLS.loaded, added.name, added)
        row = ToolRow("tests", len(BUILT_IN.tools), "core", RULING)
        monkeypatch.setitem(BUILT_IN.tools, added.name, row)
        monkeypatch.setitem(TOOLS._listings, added.name, row.listing)


def world_with(*tools: str) -> Any:
    return documents(PEOPLE, allowlist=["move", *tools], settings={"players": {"tools": ["move", *tools]}})


SCRY = call("scry", target_character_id="pc_001", delta=-1, cause=SECRET)


def seen_by_all(campaign: Campaign, reply: Any) -> str:
    """Return what everybody but the game master may see of a reply, and of its record."""
    viewers = [Viewer.of(MIRA), Viewer.player("pc_002"), Viewer.player(""), PARTY, Viewer.character("pc_001")]
    (record,) = campaign.records(after=reply["seq"] - 1)
    projected = [campaign.project(one, viewer) for one in (reply, record) for viewer in viewers]
    return json.dumps([*projected, campaign.project(reply, Viewer.of(MIRA), own=True)])


# tools


@pytest.mark.usefixtures("scrying")
def test_the_result_of_an_undeclared_tool_is_told_to_the_game_master_alone(tmp_path: Path) -> None:
    with builders.begin(tmp_path / "seen", world_with("scry", "peer")) as campaign:
        reply = campaign.process(turn(SCRY), authority=MIRA, reply_as="openai")
        assert reply["status"] == "applied"
        assert SECRET in json.dumps(campaign.project(reply, GAME_MASTER))
        assert SECRET not in seen_by_all(campaign, reply) + json.dumps(reply["tool_messages"])
        (action,) = campaign.project(reply, Viewer.of(MIRA))["applied_actions"]
        assert action["result"] == {}, "that the call was applied, the player who made it is told"
        assert campaign.query("peer", {}, authority=MIRA)["result"] == {}
        assert campaign.query("peer", {})["result"]["vision"] == SECRET


@pytest.mark.usefixtures("scrying")
@pytest.mark.parametrize("seat", PLAYERS)
def test_no_line_of_play_tells_players_what_an_undeclared_tool_did(play: Play, tmp_path: Path, seat: str) -> None:
    place = tmp_path / "scried"
    builders.begin(place, world_with("scry")).close()
    out = play(place, [says("", SCRY), says("Mist.")], "I wait", "/why", "/dice", "/state", options=[f"--as={seat}"])
    assert "Mist." in out
    assert "scry" not in out.replace("scried", "")
    assert SECRET not in out
    again = play(place, [says("", SCRY), says("Mist.")], "I wait", "/why", options=["--as=gm"])
    assert "scry" in again.replace("scried", "")
    applied = [action["tool"] for record in log_of(place)[1:] for action in record.get("applied_actions", ())]
    assert applied == ["scry", "scry"], "the calls were made, once for each seat"


def test_every_tool_has_a_row_and_every_row_names_keys_that_its_tool_reports() -> None:
    made_for_players = {"look": "hp_delta", "grand_total": "roll_dice"}
    for name in TOOLS:
        row, fields = TOOLS.visibility_of(name), TOOLS[name].result.model_fields
        reported = {field.alias or key for key, field in fields.items()}
        assert row.keys, f"{name} tells players nothing of its results; say so in this test"
        assert {key for key in row.keys if made_for_players.get(key) != name} <= reported


# keys of results


CHECK: Any = {"character_id": "pc_001", "check_type": "ability", "ability": "str"}
ASKED = {"move": move("area_002"), "roll_check": call("roll_check", **CHECK)}


@pytest.mark.parametrize("tool", ASKED)
def test_an_undeclared_key_of_a_result_is_told_to_the_game_master_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    monkeypatch.setitem(TOOLS.loaded, tool, telling(tool, omen=SECRET))
    with builders.begin(tmp_path / "keys", world_with("roll_check")) as campaign:
        reply = campaign.process(turn(ASKED[tool]), authority=MIRA, reply_as="mcp")
        assert reply["status"] == "applied", reply
        assert reply["applied_actions"][0]["result"]["omen"] == SECRET
        assert SECRET not in seen_by_all(campaign, reply) + json.dumps(reply["tool_messages"])
        (action,) = campaign.project(reply, Viewer.of(MIRA))["applied_actions"]
        assert action["result"] == {
            key: value for key, value in reply["applied_actions"][0]["result"].items() if key != "omen"
        }


def test_nor_is_one_in_an_item_of_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TOOLS.loaded, "roll_check", telling("roll_check", omen=SECRET))
    asked = call("roll_check", batch=[CHECK])
    with builders.begin(tmp_path / "batch", world_with("roll_check")) as campaign:
        reply = campaign.process(turn(asked), authority=MIRA)
        assert reply["applied_actions"][0]["result"]["results"][0]["result"]["omen"] == SECRET
        assert SECRET not in seen_by_all(campaign, reply)
        (action,) = campaign.project(reply, Viewer.of(MIRA))["applied_actions"]
        assert "total" in action["result"]["results"][0]["result"]


def test_an_undeclared_key_of_a_reply_or_of_an_entry_is_hidden(tmp_path: Path) -> None:
    with builders.begin(tmp_path / "reply", world_with()) as campaign:
        reply = campaign.process(turn(move("area_002"), move("nowhere")), authority=MIRA)
        (action,), (failure,) = reply["applied_actions"], reply["tool_feedback"]["failed_calls"]
        later = {**reply, "omen": SECRET, "applied_actions": [{**action, "omen": SECRET}]}
        later["tool_feedback"] = {"failed_calls": [{**failure, "omen": SECRET}]}
        for viewer in (Viewer.of(MIRA), Viewer.player("pc_002"), PARTY):
            assert campaign.project(untyped(later), viewer) == campaign.project(reply, viewer)


def test_who_is_misspelled_is_not_the_game_master(tmp_path: Path) -> None:
    for authority in ("", "GM", "plyer:pc_001", "party"):
        with pytest.raises(BadRequest, match="an authority is gm"):
            Viewer.of(authority)
    with builders.begin(tmp_path / "who", world_with()) as campaign:
        reply: Any = campaign.process(turn(move("area_002")))
        nobody: Any = "gm"
        with pytest.raises(BadRequest, match="a viewer is"):
            campaign.project(reply, nobody)
        with pytest.raises(BadRequest, match="only a reply"):
            campaign.project(untyped({"status": "applied"}), PARTY)


# events


@pytest.fixture
def omens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Callable[[], datetime]) -> Iterator[Campaign]:
    """Give a scene game whose last turn caused an event that this version does not know, and one that says more."""

    def apply(world: World, args: Any, ctx: Context) -> Applied:
        done = TOOLS_AS_THEY_ARE["choose"].apply(world, args, ctx)
        unknown = Event("OmenSeen", 1, 0, "player", {"omen": SECRET}, "choose")
        longer = Event("CoinChanged", 1, 0, "player", {"from": 1, "to": 2, "reason": "luck", "omen": SECRET}, "choose")
        return done._replace(events=(*done.events, unknown, longer))

    with Campaign.new(tmp_path / "night", "scenes", seed="x", clock=clock) as campaign:
        night.begin(campaign)
        monkeypatch.setitem(TOOLS.loaded, "choose", replace(TOOLS_AS_THEY_ARE["choose"], apply=apply))
        reply = campaign.process(turn(call("choose", options=[[1, "left"], [1, "right"]])))
        assert [one["type"] for one in reply["events"]][-2:] == ["OmenSeen", "CoinChanged"], reply
        yield campaign


def test_an_undeclared_event_or_key_of_one_reaches_no_player(omens: Campaign) -> None:
    *_, record = omens.records()
    for viewer in (Viewer.player("character-1"), Viewer.player(""), PARTY, Viewer.character("character-1")):
        assert SECRET not in json.dumps(omens.project(record, viewer))
    events = omens.project(record, PARTY)["events"]
    assert events[-1]["data"] == {"from": 1, "to": 2, "reason": "luck"}
    assert json.dumps(omens.project(record, GAME_MASTER)).count(SECRET) == 2


def test_show_tells_no_player_of_it(omens: Campaign, turnwright: Turnwright, tmp_path: Path) -> None:
    omens.flush()
    for options in ([], ["--json"]):
        code, out, _ = turnwright("show", tmp_path / "night", "--as=player:character-1", *options)
        assert code == 0
        assert SECRET not in out
        assert "OmenSeen" not in out
    assert SECRET in turnwright("show", tmp_path / "night", "--json")[1]
    assert SECRET in turnwright("log", tmp_path / "night", "--json")[1]


# documents


class Omen(Note):
    """A kind of documents that is on no list for players."""

    collection: ClassVar[str] = "omens/"


@pytest.fixture
def ominous(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(BUILT_IN.documents, "collections", (*BUILT_IN.documents.collections, "omens/"))
    monkeypatch.setitem(BUILT_IN.documents.loaded, "omens/", Omen)
    omen = {"id": "omen-1", "content": SECRET, "importance": "high", "turn": 0}
    builders.begin(tmp_path / "ominous", world_with("move_options") | {"omens/omen-1.json": omen}).close()
    return tmp_path / "ominous"


def test_no_player_is_shown_a_document_of_an_undeclared_kind(ominous: Path, turnwright: Turnwright, play: Play) -> None:
    for command in (["show", ominous, f"--as={MIRA}"], ["show", ominous, f"--as={MIRA}", "--json"]):
        code, out, _ = turnwright(*command)
        assert code == 0
        assert "omen-" not in out
        assert SECRET not in out
    for seat in PLAYERS:
        out = play(ominous, [says("Rain.")], "I look", "/state", "/map", "/bars", "/why", options=[f"--as={seat}"])
        assert SECRET not in out
    with Campaign.open(ominous) as campaign:
        assert campaign.state["omens/omen-1.json"]["content"] == SECRET
        reply = campaign.process(turn(move("area_002")), authority=MIRA)
        assert SECRET not in seen_by_all(campaign, reply)
        assert SECRET not in json.dumps(campaign.query("move_options", {}, authority=MIRA))
