"""What places and the party edited by hand must be like before a tool meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json
from tests.conftest import MakeCampaign
from tests.tools.hall import Hall, hall_documents

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.model.base import Document
from turnwright.model.errors import CampaignInvalid
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import document_from


def place(place_id: str, *leads_to: str, **fields: Any) -> dict[str, Json]:
    edges = [{"id": f"edge-{place_id}-{number}", "to_location_id": to} for number, to in enumerate(leads_to)]
    return {f"locations/{place_id}.json": {"id": place_id, "name": place_id.title(), "edges": edges} | fields}


def party(**fields: Any) -> dict[str, Json]:
    return {"party.json": fields}


def faults(
    *more: dict[str, Json],
    changed: list[str] | None = None,
    before: dict[str, Json] | None = None,
    warnings: bool = False,
) -> list[tuple[str, str, str]]:
    """Return file, JSON path and rule of all that is wrong, or only doubtful, with the hall and these documents."""
    values = hall_documents()
    for documents in more:
        values |= documents
    parsed = _parsed(values)
    found = campaign_problems(
        World(InMemorySource(parsed)), [*parsed] if changed is None else changed, _parsed(before or {}).get
    )
    return [(problem.file, problem.path, problem.rule) for problem in found if problem.warning == warnings]


def _parsed(values: dict[str, Json]) -> dict[str, Document]:
    parsed = {}
    for path, each in values.items():
        document, problems = document_from(path, each, BUILT_IN.documents)
        assert document is not None, problems
        parsed[path] = document
    return parsed


SOUND = place("gate", "yard", area_id="area_001") | place("yard", area_id="area_002")


def test_sound_places_and_a_sound_party_have_no_faults() -> None:
    assert faults(SOUND, party(roles={"aria": "leader"}, location_id="gate")) == []


@pytest.mark.parametrize(
    ("edited", "fault"),
    [
        (place("gate", "yard", "moat"), ("locations/gate.json", "$.edges[1].to_location_id", "unknown_location")),
        (place("gate", area_id="nowhere"), ("locations/gate.json", "$.area_id", "unknown_area")),
        (party(roles={"aria": "scout", "ogg": "tank"}), ("party.json", "$.roles.ogg", "not_in_party")),
        (party(roles={"nobody": "tank"}), ("party.json", "$.roles.nobody", "not_in_party")),
        (party(location_id="moat"), ("party.json", "$.location_id", "unknown_location")),
        (place("yard", "yard"), ("locations/yard.json", "$.edges[0].to_location_id", "leads_back")),
        (
            place("well", "yard", edges=[{"id": "e", "to_location_id": each} for each in ("yard", "gate")]),
            ("locations/well.json", "$.edges[1].id", "duplicate_id"),
        ),
        (
            party(roles={"aria": "leader", "brom": "leader", "cyra": "scout"}),
            ("party.json", "$.roles.brom", "two_leaders"),
        ),
    ],
)
def test_each_fault_is_told_with_its_place(edited: dict[str, Json], fault: tuple[str, str, str]) -> None:
    assert faults(SOUND, edited) == [fault]
    assert faults(SOUND, edited, changed=[*edited]) == [fault]


def test_an_area_is_the_area_of_one_place_alone() -> None:
    twice = place("yard", area_id="area_001")
    gate, yard = (f"locations/{each}.json" for each in ("gate", "yard"))
    assert faults(SOUND, twice) == [(gate, "$.area_id", "area_taken"), (yard, "$.area_id", "area_taken")]


def test_a_second_way_between_two_places_is_doubtful_whichever_keeps_it() -> None:
    gate, yard = (f"locations/{each}.json" for each in ("gate", "yard"))
    where = "$.edges[0].to_location_id"
    twice = [(gate, where, "linked_twice"), (yard, where, "linked_twice")]
    assert faults(SOUND, place("yard", "gate"), warnings=True) == twice
    assert faults(SOUND, place("gate", "yard", "yard"), warnings=True) == [
        (gate, "$.edges[1].to_location_id", "linked_twice")
    ]
    assert faults(SOUND, place("yard", "gate")) == faults(SOUND, warnings=True) == []


def test_a_map_that_loses_the_area_of_a_place_is_at_fault() -> None:
    area: Json = {"id": "area_099", "name": "Well", "parent_area_id": None, "reachable_area_ids": []}
    whole = {"maps/root.json": {"parent_area_id": None, "areas": {"area_099": area}}}
    lost, changed = SOUND | place("gate", area_id="area_099"), ["maps/root.json"]
    assert faults(lost, changed=changed, before=whole) == [("locations/gate.json", "$.area_id", "unknown_area")]
    assert faults(lost, changed=changed, before=hall_documents()) == []


def test_a_party_that_loses_a_member_with_a_role_is_at_fault() -> None:
    role, changed, hall = party(roles={"ogg": "tank"}), ["campaign.json"], hall_documents()
    assert faults(role, changed=changed, before=hall) == []
    hall["campaign.json"]["selected"]["party_character_ids"].append("ogg")
    assert faults(role, changed=changed, before=hall) == [("party.json", "$.roles.ogg", "not_in_party")]


def test_what_was_taken_over_once_stands_in_the_way_of_no_other_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "campaign"
    taken = place("den", "den", area_id="area_099") | party(roles={"aria": "leader", "brom": "leader", "ogg": "tank"})
    with builders.begin(home, hall_documents()) as campaign, monkeypatch.context() as lenient:
        lenient.setattr("turnwright.protocol.validation.edits.campaign_problems", lambda *_: [])
        (home / "locations").mkdir()
        for path, value in taken.items():
            (home / path).write_text(json.dumps(value))
        campaign.process({"tool_calls": []})
    for path in ("campaign.json", "maps/root.json"):
        (home / path).write_text(json.dumps(json.loads((home / path).read_text()) | {"extra": {"by": "hand"}}))
    assert not verify(home).problems
    with Campaign.open(home, builders.clock) as campaign:
        assert Hall(campaign).do("manage_location", operation="get", location_id="den")["connections"] == []
        assert Hall(campaign).do("manage_location", operation="list")["locations"][0]["connection_count"] == 0
    edited = json.loads((home / "party.json").read_text()) | {"extra": {"by": "hand"}}
    (home / "party.json").write_text(json.dumps(edited))
    with Campaign.open(home, builders.clock) as campaign, pytest.raises(CampaignInvalid) as refused:
        campaign.process({"tool_calls": []})
    assert {problem.rule for problem in refused.value.problems} == {"two_leaders", "not_in_party"}


def test_check_tells_them_and_a_turn_refuses_them(tmp_path: Path) -> None:
    home = tmp_path / "campaign"
    with builders.begin(home, hall_documents()):
        pass
    (home / "locations").mkdir()
    (home / "locations/gate.json").write_text(json.dumps(place("gate", "moat")["locations/gate.json"]))
    (home / "party.json").write_text(json.dumps({"roles": {"ogg": "tank"}}))
    expected = [
        ("locations/gate.json", "$.edges[0].to_location_id", "unknown_location"),
        ("party.json", "$.roles.ogg", "not_in_party"),
    ]
    found = [problem for problem in check_directory(home) if not problem.warning]
    assert [(problem.file, problem.path, problem.rule) for problem in found] == expected
    with Campaign.open(home, builders.clock) as campaign, pytest.raises(CampaignInvalid) as refused:
        campaign.process({"tool_calls": []})
    assert {problem.rule for problem in refused.value.problems} == {"unknown_location", "not_in_party"}


def test_what_the_tools_leave_is_sound(make_campaign: MakeCampaign, tmp_path: Path) -> None:
    hall = Hall(make_campaign(hall_documents()))
    for name, area in (("Gate", "area_001"), ("Yard", "area_002")):
        hall.do("manage_location", operation="create", name=name, area_id=area)
    hall.do("manage_location", operation="link", from_location_id="Gate", to_location_id="Yard")
    hall.do("move_party", to_location_name="Gate")
    hall.do("manage_party", operation="set_role", character_id="brom", role="tank")
    hall.do("delete_character", character_id="brom")
    hall.do("manage_location", operation="delete", location_id="Gate", force=True)
    assert [problem for problem in check_directory(tmp_path / "campaign_0") if not problem.warning] == []
