"""What the requests of a pipe do, for the game master and for players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders import PEOPLE, area, begin, documents, move, person, turn
from tests.pipe.conftest import Ask

from turnwright import BadRequest, Campaign
from turnwright.pipe import session as session_module

MIRA = "player:pc_001"
AREAS = [area("area_001", "area_002") | {"name": "Hall"}, area("area_002", "area_001") | {"name": "Old Yard"}]
STEP = turn(move("area_002"))


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return begin(tmp_path / "c", documents(PEOPLE, AREAS))


def results(lines: list[dict[str, Any]]) -> list[Any]:
    return [line["result"] if line["ok"] else line["error"]["detail"] for line in lines if "ok" in line]


def test_answers_come_in_order_with_their_ids(ask: Ask, campaign: Campaign) -> None:
    ids = [3, "x", 1, "ü" * 200, 1, -5]
    lines = ask(campaign, *({"id": each, "op": "legal"} for each in ids))
    assert [line["id"] for line in lines] == ids
    assert all(line["ok"] for line in lines)


def test_a_turn_is_what_it_is_through_any_door(ask: Ask, campaign: Campaign, tmp_path: Path) -> None:
    twin = begin(tmp_path / "twin", documents(PEOPLE, AREAS))
    reply, again = results(ask(campaign, *({"id": n, "op": "turn", "turn": {**STEP, "turn_id": "t"}} for n in (1, 2))))
    expected = twin.process({**STEP, "turn_id": "t"})
    assert reply == again == expected
    assert [record["changes"] for record in campaign.records()] == [record["changes"] for record in twin.records()]


def test_a_wrong_line_ends_nothing(ask: Ask, campaign: Campaign) -> None:
    wrong = [b"{", b'{"id": 7, "op": "turn", "turn": {}, "turn": {}}', {"id": 8, "op": "query", "tool": "move"}]
    lines = ask(campaign, *wrong, {"id": 9, "op": "turn", "turn": STEP})
    assert [(line["id"], line["ok"]) for line in lines] == [(None, False), (7, False), (8, False), (9, True)]
    assert lines[-1]["result"]["status"] == "applied"


def test_a_refused_turn_has_a_reply(ask: Ask, campaign: Campaign) -> None:
    (line,) = ask(campaign, {"id": 1, "op": "turn", "turn": {"tool_call": []}})
    assert line["ok"]
    assert (line["result"]["status"], line["result"]["reason"]) == ("refused", "invalid_turn")


def test_a_dry_run_and_messages_for_an_api(ask: Ask, campaign: Campaign) -> None:
    request = {"id": 1, "op": "turn", "turn": STEP, "dry_run": True, "reply_as": "openai"}
    (line,) = ask(campaign, request)
    assert line["result"]["dry_run"]
    assert line["result"]["tool_messages"][0]["tool_call_id"] == "call_001"
    assert len(list(campaign.records())) == 1


def test_a_query_leaves_no_record(ask: Ask, campaign: Campaign) -> None:
    (line,) = ask(campaign, {"id": 1, "op": "query", "tool": "move_options", "args": {}})
    assert line["result"] == campaign.query("move_options", {})
    assert len(list(campaign.records())) == 1


def test_calls_of_a_short_list_name_things_by_name(ask: Ask, campaign: Campaign) -> None:
    wrapped = {"name": "move", "arguments": {"to_area_id": "old yard"}}
    calls = [{"tool": "call_tool", "args": wrapped}, {"type": "function", "id": "o", "function": {"name": "hp_delta"}}]
    calls[1]["function"]["arguments"] = '{"target_character_id": "Mira", "delta": -1, "cause": "a stone"}'  # type: ignore[index]
    (line,) = ask(campaign, {"id": 1, "op": "turn", "turn": {"tool_calls": calls}, "profile": "tiny"})
    actions = line["result"]["applied_actions"]
    assert [(action["id"], action["tool"]) for action in actions] == [("call_001", "move"), ("o", "hp_delta")]
    assert actions[1]["args"]["target_character_id"] == "pc_001"


def test_tools_are_listed_and_found(ask: Ask, campaign: Campaign) -> None:
    full, tiny, found = results(
        ask(
            campaign,
            {"id": 1, "op": "tools", "form": "mcp"},
            {"id": 2, "op": "tools", "profile": "tiny"},
            {"id": 3, "op": "tools", "query": "hit points", "form": "anthropic"},
        )
    )
    assert [tool["name"] for tool in full["tools"]] == ["move", "hp_delta", "map_generate", "move_options"]
    assert [tool["function"]["name"] for tool in tiny["tools"]][-2:] == ["find_tool", "call_tool"]
    assert found["tools"][0]["name"] == "hp_delta"
    assert "move" in found["others"]


def test_an_undo_and_a_prompt_are_the_game_masters(ask: Ask, campaign: Campaign) -> None:
    campaign.process(STEP)
    undo, prompt = {"id": 1, "op": "undo"}, {"id": 2, "op": "prompt", "message": "Where am I?"}
    assert results(ask(campaign, undo, prompt, authority=MIRA)) == [
        "undo is the game master's",
        "prompt is the game master's",
    ]
    undone, told = results(ask(campaign, undo, prompt))
    assert undone["undone"][0]["turn_id"] == "turn_0001"
    assert told["messages"][-1]["text"].endswith("Where am I?")


def test_nothing_can_be_answered_where_nothing_is_asked(ask: Ask, campaign: Campaign) -> None:
    assert results(ask(campaign, {"id": 1, "op": "answer", "value": 3})) == ["nothing is asked now"]


def test_a_table_answers_with_its_dice(ask: Ask, tmp_path: Path) -> None:
    settings = {"dice": {"source": "table"}}
    values = documents(PEOPLE, AREAS, allowlist=["roll_dice"], settings=settings)
    campaign = begin(tmp_path / "c", values)
    roll = {"id": "r", "tool": "roll_dice", "args": {"expression": "1d6"}}
    waiting, done = results(
        ask(campaign, {"id": 1, "op": "turn", "turn": turn(roll)}, {"id": 2, "op": "answer", "value": [4]})
    )
    assert waiting["status"] == "waiting"
    assert (done["status"], done["applied_actions"][0]["result"]["total"]) == ("applied", 4)


# records that are followed


def test_all_records_up_to_the_end_of_the_input_are_told(ask: Ask, campaign: Campaign) -> None:
    campaign.process(STEP)
    back = turn(move("area_001", "area_002"))
    lines = ask(campaign, {"id": "f", "op": "follow", "after": -1}, {"id": 2, "op": "turn", "turn": back})
    records = [line["record"] for line in lines if line.get("event") == "record"]
    assert records == list(campaign.records())
    assert {line["of"] for line in lines if "event" in line} == {"f"}
    told = [line.get("id", line.get("record", {}).get("turn_id")) for line in lines]
    assert told.index(2) < told.index("turn_0002")


def test_following_begins_with_what_comes_and_can_be_stopped(ask: Ask, campaign: Campaign) -> None:
    campaign.process(STEP)
    follow, stop = {"id": 1, "op": "follow"}, {"id": 3, "op": "follow", "stop": True}
    back = {"id": 2, "op": "turn", "turn": turn(move("area_001", "area_002"))}
    assert [line["record"]["seq"] for line in ask(campaign, follow, back) if "event" in line] == [2]
    assert not [line for line in ask(campaign, follow, stop, {**back, "id": 4}) if "event" in line]


def test_a_second_follower_takes_the_place_of_the_first(ask: Ask, campaign: Campaign) -> None:
    campaign.process(STEP)
    first, second = ({"id": each, "op": "follow", "after": -1} for each in ("a", "b"))
    told = [line["of"] for line in ask(campaign, first, second) if "event" in line]
    assert told.count("b") == 2
    assert "a" not in told[told.index("b") :]


def test_following_from_no_record_is_refused(ask: Ask, campaign: Campaign) -> None:
    (line,) = ask(campaign, {"id": 1, "op": "follow", "after": -2})
    assert not line["ok"]


# what players are told

SECRET = "zzsecret"


def planted(*, is_planted: bool) -> dict[str, Any]:
    """Return a campaign with or without somebody, some place and some note that the party does not know."""
    ways = ["area_002", *(["area_009"] if is_planted else [])]
    areas = [area("area_001", *ways) | {"name": "Hall"}, AREAS[1]]
    people = [*PEOPLE]
    allowed = ["move", "move_options", "hp_delta", "roll_check", "manage_notes", "manage_location", "update_character"]
    players = {"players": {"tools": [name for name in allowed if name != "manage_notes"]}}
    values: dict[str, Any] = {}
    if is_planted:
        areas.append(area("area_009", "area_001") | {"name": f"{SECRET} vault"})
        people.append(person(f"{SECRET}_npc", name=f"{SECRET} Spy", position="area_009", character_type="npc"))
        values["locations/location-1.json"] = {
            "id": "location-1",
            "name": f"{SECRET} vault",
            "area_id": "area_009",
            "discovered": False,
        }
        values["notes/note-1.json"] = {"id": "note-1", "content": f"{SECRET} plan"}
    return documents(people, areas, allowlist=allowed, settings=players) | values


REQUESTS: list[dict[str, Any]] = [
    {"op": "legal"},
    *(
        {"op": "tools", "profile": profile, "form": form}
        for profile in ("full", "core", "tiny")
        for form in ("mcp", "openai")
    ),
    *({"op": "tools", "query": words} for words in ("vault", SECRET, "character", "area_009", "note", "")),
    {"op": "query", "tool": "move_options", "args": {}},
    {"op": "query", "tool": "manage_location", "args": {"operation": "list"}},
    {"op": "query", "tool": "manage_notes", "args": {"operation": "list"}},
    {
        "op": "turn",
        "turn": {"tool_calls": [{"tool": "move", "args": {"to_area_id": "Old"}}]},
        "profile": "tiny",
        "dry_run": True,
    },
    {
        "op": "turn",
        "turn": {"tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "spy", "delta": -1}}]},
        "profile": "core",
        "dry_run": True,
    },
    {"op": "turn", "turn": {"tool_calls": [{"tool": "roll_check", "args": {"character_id": "npc"}}]}, "dry_run": True},
    {"op": "prompt"},
    {"op": "answer", "value": 1},
    {"op": "recall", "query": "spy"},
    {"op": "undo"},
    {"op": "follow", "after": -1},
    {"op": "nothing"},
]


def test_nothing_that_a_players_pipe_says_depends_on_what_is_hidden(ask: Ask, tmp_path: Path) -> None:
    said = []
    for is_planted in (True, False):
        campaign = begin(tmp_path / str(is_planted), planted(is_planted=is_planted))
        requests = [{"id": number, **request} for number, request in enumerate(REQUESTS)]
        lines = ask(campaign, *requests, authority=MIRA)
        assert SECRET not in str([line for line in lines if not is_echo(line)])
        said.append([line for line in lines if "event" not in line])
    with_secret, without = said
    for one, other in zip(with_secret, without, strict=True):
        assert one == other


def is_echo(line: dict[str, Any]) -> bool:
    """Return whether a line answers the request that has the secret word in it itself."""
    return bool(REQUESTS[line.get("id", 0)].get("query") == SECRET)


def test_a_game_masters_pipe_does_say_what_is_hidden(ask: Ask, tmp_path: Path) -> None:
    campaign = begin(tmp_path / "c", planted(is_planted=True))
    assert SECRET in str(ask(campaign, {"id": 1, "op": "legal"}))


def test_players_are_not_told_what_is_wrong_with_the_files(ask: Ask, tmp_path: Path) -> None:
    campaign = begin(tmp_path / "c", planted(is_planted=True))
    (tmp_path / "c" / "characters" / f"{SECRET}_npc.json").write_text('{"id": 3}', encoding="utf-8")
    request = {"id": 1, "op": "turn", "turn": STEP}
    (player,), (game_master,) = (ask(Campaign.open(tmp_path / "c"), request, authority=who) for who in (MIRA, "gm"))
    assert player["error"]["reason"] == game_master["error"]["reason"] == "campaign_invalid"
    assert SECRET in str(game_master)
    assert SECRET not in str(player)
    del campaign


def test_a_fault_of_ours_is_an_answer_and_is_reported(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError(SECRET)

    faults: list[Exception] = []
    session = session_module.PipeSession(
        campaign, MIRA, follow=lambda *_: None, stop_following=lambda: None, report=faults.append
    )
    monkeypatch.setattr(session, "_done", broken)
    line = session.answer(b'{"id": 1, "op": "legal"}')
    assert (line["id"], line["ok"]) == (1, False)
    assert SECRET not in str(line)
    assert isinstance(faults[0], ZeroDivisionError)


def test_a_player_without_a_character_gets_no_pipe(ask: Ask, campaign: Campaign) -> None:
    with pytest.raises(BadRequest, match="needs the id of a character"):
        ask(campaign, {"id": 1, "op": "legal"}, authority="player:")
