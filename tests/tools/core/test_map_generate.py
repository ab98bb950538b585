"""map_generate through the front door: what it takes, what it reports, and that a failed call leaves no trace."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, area, call, documents, failed, move, on_disk, results, spelt, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign

ERROR = ("error", "invalid_args")


def make_map(**args: Any) -> Json:
    return call("map_generate", **args)


@pytest.mark.parametrize("parent", [..., "area_404", "", " area_001", "AREA_001", 5, True, [], {}])
def test_the_parent_is_null_or_an_area_and_its_key_is_required(campaign: Campaign, parent: Any) -> None:
    args = {} if parent is ... else {"parent_area_id": parent}
    before = spelt(campaign.state)
    reply = campaign.process(turn(make_map(**args)))
    assert failed(reply) == [ERROR]
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]["field"] == "args.parent_area_id"
    assert spelt(campaign.state) == before


SIZES: tuple[Any, ...] = (None, True, 0, 31, -1, 6.0, "6", [6], 2**53 + 1)
SEEDS: tuple[Any, ...] = (5, True, ["a"], {})
TWO_WAYS: tuple[Any, ...] = (0, 1, "true", [])


@pytest.mark.parametrize(
    "more",
    [
        {"theme": 5},
        {"theme": True},
        {"theme": []},
        {"constraints": 5},
        {"constraints": "x"},
        {"constraints": []},
        {"constraints": True},
        *({"constraints": {"size": size}} for size in SIZES),
        *({"constraints": {"seed": seed}} for seed in SEEDS),
        *({"constraints": {"two_way": value}} for value in TWO_WAYS),
    ],
)
def test_theme_and_constraints_are_strict_about_types_and_ranges(campaign: Campaign, more: Json) -> None:
    before = spelt(campaign.state)
    assert failed(campaign.process(turn(make_map(parent_area_id=None, **more)))) == [ERROR]
    assert spelt(campaign.state) == before


@pytest.mark.parametrize(
    ("more", "size"),
    [
        ({}, 6),
        ({"theme": None, "constraints": None}, 6),
        ({"constraints": {}}, 6),
        ({"constraints": {"seed": None}}, 6),
        ({"constraints": {"size": 1, "colour": "red"}}, 1),
        ({"constraints": {"size": 30}}, 30),
        ({"size": 2, "seed": "x"}, 6),
        ({"size": 2, "constraints": {"size": 3}}, 3),
    ],
)
def test_what_is_absent_has_a_default_and_unknown_names_are_ignored(campaign: Campaign, more: Json, size: int) -> None:
    assert len(results(campaign.process(turn(make_map(parent_area_id=None, **more))))[0]["created_area_ids"]) == size


def test_a_size_alone_beside_constraints_is_no_seed(campaign: Campaign) -> None:
    reply = campaign.process(turn(make_map(parent_area_id=None, seed="x")))
    assert results(reply)[0]["warnings"] == ["seed_defaulted"]


def test_the_report_says_what_was_made(campaign: Campaign) -> None:
    constraints = {"size": 2, "seed": "alpha"}
    reply = campaign.process(turn(make_map(parent_area_id="area_003", theme="Cave", constraints=constraints)))
    assert results(reply) == [
        {
            "created_area_ids": ["area_005", "area_006"],
            "created_connections": 3,
            "root_parent_area_id": "area_003",
            "warnings": [],
        }
    ]
    layer = campaign.state["maps/area_003.json"]
    assert [layer["areas"][i]["name"] for i in layer["areas"]] == ["Cave Entry", "Cave Area 02"]


def test_connections_on_disk_are_the_sorted_links_of_their_layer(campaign: Campaign, tmp_path: Any) -> None:
    campaign.process(turn(make_map(parent_area_id="area_001"), make_map(parent_area_id=None)))
    for path, layer in on_disk(tmp_path / "campaign_0").items():
        if path.startswith("maps/"):
            links = sorted([i, j] for i, one in layer["areas"].items() for j in one["reachable_area_ids"])
            assert [[link["from_area_id"], link["to_area_id"]] for link in layer["connections"]] == links
            assert all(
                one["reachable_area_ids"] == sorted(one["reachable_area_ids"]) for one in layer["areas"].values()
            )


def test_a_new_layer_can_be_entered_and_left_in_the_turn_that_made_it(campaign: Campaign) -> None:
    reply = campaign.process(
        turn(
            make_map(parent_area_id="area_001", constraints={"size": 2}),
            move("area_005"),
            move("area_001", "area_005"),
            make_map(parent_area_id="area_005", constraints={"size": 1}),
        )
    )
    assert reply["status"] == "applied"
    assert results(reply)[3]["created_area_ids"] == ["area_007"]


def test_two_way_opens_the_inside_in_both_directions(campaign: Campaign) -> None:
    campaign.process(turn(make_map(parent_area_id="area_003", constraints={"size": 9, "two_way": True})))
    areas = campaign.state["maps/area_003.json"]["areas"]
    assert all(i in areas[j]["reachable_area_ids"] for i in areas for j in areas[i]["reachable_area_ids"] if j in areas)


def test_a_failed_call_between_two_others_consumes_no_number(campaign: Campaign) -> None:
    good = make_map(parent_area_id=None, constraints={"size": 1})
    reply = campaign.process(
        turn(good, make_map(parent_area_id="area_404"), make_map(parent_area_id=None, theme=5), good)
    )
    assert [result["created_area_ids"] for result in results(reply)] == [["area_005"], ["area_006"]]


def test_an_undone_number_is_given_out_again(campaign: Campaign) -> None:
    good = turn(make_map(parent_area_id=None, constraints={"size": 1}))
    first = results(campaign.process(good))
    campaign.undo()
    assert results(campaign.process(good)) == first


def test_exotic_digits_and_long_numbers_in_a_campaign_are_no_trouble(make_campaign: MakeCampaign) -> None:
    odd = ("area_²", "area_٣", "area_", "area_999")
    areas = [area("area_001", *odd), *(area(i) for i in odd)]
    campaign = make_campaign(documents(areas=areas))
    reply = campaign.process(turn(make_map(parent_area_id="area_²", constraints={"size": 2})))
    assert results(reply)[0]["created_area_ids"] == ["area_1000", "area_1001"]


@pytest.mark.parametrize("allowlist", [["map_generate"], []])
def test_a_layer_on_top_of_an_import_needs_the_allowlist(make_campaign: MakeCampaign, allowlist: list[str]) -> None:
    campaign = make_campaign(documents(allowlist=allowlist))
    reply = campaign.process(turn(make_map(parent_area_id=None)))
    assert failed(reply) == ([] if allowlist else [("rejected", "tool_not_allowed")])


def test_the_links_of_a_layer_are_sorted_when_it_is_written(make_campaign: MakeCampaign) -> None:
    areas = [area("area_001", "area_003", "area_002"), area("area_002", "area_001"), area("area_003")]
    campaign = make_campaign(documents(areas=areas))
    assert campaign.process(turn(make_map(parent_area_id=None)))["status"] == "applied"
    links = [one["reachable_area_ids"] for one in campaign.state["maps/root.json"]["areas"].values()]
    assert links == [sorted(found) for found in links]
    assert len(links) == 9
