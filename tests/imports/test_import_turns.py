"""An import is one logged turn: whole or not at all, undone like any other, and nothing that a turn file can do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import clock
from tests.imports.shapes import actor, weapon

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.model.errors import BadRequest
from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish import publish

Json = dict[str, Any]
MIRA = json.dumps(
    actor(
        "Mira",
        (16, 12, 14, 10, 10, 8),
        "Fighter",
        race="Human",
        die="d10",
        goods=[weapon("Longsword", "1d8", "slashing", "ver")],
    )
).encode()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "game"


@pytest.fixture
def campaign(place: Path) -> Iterator[Campaign]:
    with Campaign.new(place, template="toolkit", seed="1", clock=clock) as opened:
        yield opened


def records(campaign: Campaign) -> list[Any]:
    return list(campaign.records())


def test_an_import_is_one_turn_that_undo_takes_back(campaign: Campaign, place: Path) -> None:
    reply = campaign.import_characters(MIRA, "mira.json", join=True)["reply"]

    assert (reply["status"], reply["turn_id"]) == ("applied", "turn_0001")
    record = records(campaign)[-1]
    assert (record["kind"], record["authority"]) == ("turn", "gm")
    assert sorted(record["changes"]) == ["campaign.json", "characters/mira.json"]
    assert campaign.state["campaign.json"]["selected"]["party_character_ids"] == ["mira"]
    campaign.flush()
    assert not check_directory(place)
    assert not verify(place).problems

    campaign.undo()

    assert "characters/mira.json" not in campaign.state
    assert campaign.state["campaign.json"]["selected"]["party_character_ids"] == []


def test_who_joins_stands_where_the_party_is(campaign: Campaign) -> None:
    campaign.import_characters(MIRA, "mira.json", join=True)
    area = next(iter(campaign.state["maps/root.json"]["areas"]))
    assert campaign.state["characters/mira.json"]["position"] == area

    campaign.import_characters(b"{name: Pip, class: Rogue}", "pip.yaml", join=True)
    campaign.import_characters(b"{name: Zed, class: Rogue}", "zed.yaml")

    assert campaign.state["characters/pip.json"]["position"] == area
    assert campaign.state["characters/zed.json"]["position"] is None


def test_what_was_imported_fights(campaign: Campaign) -> None:
    campaign.import_characters(MIRA, "mira.json")
    args = {"participants": [{"character_id": "mira"}], "monsters": [{"monster": "goblin"}]}

    reply = campaign.process({"tool_calls": [{"id": "a", "tool": "create_encounter", "args": args}]})

    assert reply["status"] == "applied", reply


def test_a_dry_run_changes_nothing(campaign: Campaign) -> None:
    answer = campaign.import_characters(MIRA, "mira.json", dry_run=True)

    assert answer["reply"]["dry_run"]
    assert answer["imported"][0]["character_id"] == "mira"
    assert len(records(campaign)) == 1


def test_an_id_that_is_taken_is_refused_and_nothing_is_recorded(campaign: Campaign) -> None:
    campaign.import_characters(MIRA, "mira.json")
    before = campaign.state

    with pytest.raises(BadRequest, match=r"there is a character mira already \(Mira\); --replace"):
        campaign.import_characters(MIRA, "mira.json")

    assert campaign.state == before
    assert len(records(campaign)) == 2
    campaign.import_characters(MIRA, "mira.json", as_id="other")
    assert campaign.state["characters/other.json"]["name"] == "Mira"


def test_of_several_one_that_cannot_be_put_stops_all(campaign: Campaign) -> None:
    campaign.import_characters(b"name: Zed\nclass: Rogue\n", "zed.yaml")
    both = b"- {name: Pip, class: Rogue}\n- {name: Zed, class: Rogue}\n"

    with pytest.raises(BadRequest, match="there is a character zed already"):
        campaign.import_characters(both, "both.yaml")

    assert "characters/pip.json" not in campaign.state
    with pytest.raises(BadRequest, match="two characters have the id 'pip'"):
        campaign.import_characters(b"- {name: Pip, class: Rogue}\n- {name: pip, class: Bard}\n", "twice.yaml")
    with pytest.raises(BadRequest, match="holds 2 characters, and one id was given"):
        campaign.import_characters(both, "both.yaml", as_id="x")


def test_a_character_that_is_replaced_stays_where_it_is(campaign: Campaign) -> None:
    campaign.import_characters(MIRA, "mira.json", join=True)
    area = next(iter(campaign.state["maps/root.json"]["areas"]))
    document = campaign.state["characters/mira.json"] | {"position": area, "stress": 2, "hp": 3}
    campaign.flush()
    path = campaign_path(campaign) / "characters" / "mira.json"
    path.write_text(json.dumps(document))

    answer = campaign.import_characters(MIRA, "mira.json", replace=True, join=True)

    after = campaign.state["characters/mira.json"]
    assert (after["position"], after["stress"], after["hp"]) == (area, 2, 12)
    assert campaign.state["campaign.json"]["selected"]["party_character_ids"] == ["mira"]
    result = answer["reply"]["applied_actions"][0]["result"]
    assert (result["replaced"], result["joined"]) == (True, False)


def campaign_path(campaign: Campaign) -> Path:
    return Path(campaign._store.files.root)


def test_nobody_is_replaced_in_the_middle_of_a_fight(campaign: Campaign) -> None:
    campaign.import_characters(MIRA, "mira.json")
    args = {"participants": [{"character_id": "mira"}], "monsters": [{"monster": "goblin"}]}
    reply = campaign.process({"tool_calls": [{"id": "a", "tool": "create_encounter", "args": args}]})
    assert reply["status"] == "applied"

    with pytest.raises(BadRequest, match="mira is in a fight that goes on; end it first"):
        campaign.import_characters(MIRA, "mira.json", replace=True)


def test_nobody_is_replaced_who_concentrates(campaign: Campaign) -> None:
    campaign.import_characters(b"name: Wanda\nclass: Wizard\n", "wanda.yaml")
    args = {"operation": "set", "character_id": "wanda", "spell_name": "Bless"}
    assert campaign.process({"tool_calls": [{"id": "a", "tool": "manage_concentration", "args": args}]})

    with pytest.raises(BadRequest, match="wanda concentrates on Bless; end that first"):
        campaign.import_characters(b"name: Wanda\nclass: Wizard\n", "wanda.yaml", replace=True)


def test_no_turn_and_no_list_has_the_tool(campaign: Campaign) -> None:
    args = {"character": {"id": "x"}, "format": "sheet", "file": "x"}
    call = {"id": "a", "tool": "import_character", "args": args}

    reply = campaign.process({"tool_calls": [call]})

    assert reply["tool_feedback"]["failed_calls"][0]["reason"] == "tool_not_allowed"
    names = [tool["function"]["name"] for tool in campaign.tools(viewer=Viewer.of("gm"))]
    assert "import_character" not in names


def test_players_see_that_somebody_came_and_not_who(campaign: Campaign) -> None:
    campaign.import_characters(MIRA, "mira.json", join=True)
    campaign.import_characters(b"name: Spy\nclass: Rogue\n", "spy.yaml")

    with campaign.reading() as world:
        seen = publish.project(records(campaign)[-1], Viewer.of("player:mira"), world=world)

    assert "spy" not in json.dumps(seen).lower()


def test_a_turn_that_is_wanted_again_stays_open(campaign: Campaign) -> None:
    campaign.import_characters(MIRA, "mira.json", join=True)
    campaign.set({"narration.check": "retry"})
    wrong = {"assistant_text": "Mira takes 5 damage.", "tool_calls": []}
    reply = campaign.process(wrong)
    assert reply["status"] == "retry_needed", reply

    campaign.import_characters(b"name: Zed\nclass: Rogue\n", "zed.yaml")

    assert records(campaign)[-1]["turn_id"] != reply["turn_id"]


def test_a_campaign_without_the_fifth_edition_says_so(tmp_path: Path) -> None:
    place = tmp_path / "scenes"
    Campaign.new(place, template="scenes", seed="1", clock=clock).close()
    path = place / "campaign.json"
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | {"rulesets": ["core", "scenes"]}))

    with Campaign.open(place, clock) as campaign, pytest.raises(BadRequest, match="no ruleset of this campaign"):
        campaign.import_characters(MIRA, "mira.json")
