"""move under the three contracts of `from_area_id` and the two of `actor_id`: every check, in order.

All of a core tool's own checks answer `invalid_args`; which one decided shows in the field that the hint names.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, area, call, documents, failed, person, results, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign
from turnwright.model.area import Layer
from turnwright.model.campaign import Protocol
from turnwright.model.character import Character
from turnwright.model.dice.draws import Dice
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.wire.reason import CallFailed
from turnwright.rulesets.core.actions.move import move as tool
from turnwright.rulesets.core.actions.move_options import move_options
from turnwright.rulesets.tool import Context

FROM = ("required", "checked", "forbidden")
CONTEXT = ("strict_error", "reject")
ERROR = ("error", "invalid_args")
MISMATCH = ("rejected", "actor_context_mismatch")


def under(make: MakeCampaign, move_from: str, actor_context: str = "strict_error", **pc: Any) -> Campaign:
    people = [
        person("pc_001", **pc),
        person("pc_002"),
        person("lost", position="area_404"),
        person("nowhere", position=None),
    ]
    protocol = {"move_from": move_from, "actor_context": actor_context, "repeat_window": 0}
    return make(documents(people, party=["pc_001", "pc_002", "lost", "nowhere"], protocol=protocol))


def args_for(move_from: str, **changes: Any) -> Json:
    """Return arguments of a good move under a contract, changed; an ellipsis takes one away."""
    args = {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_002"}
    if move_from == "forbidden":
        del args["from_area_id"]
    return {key: value for key, value in {**args, **changes}.items() if value is not ...}


def one(campaign: Campaign, args: Json, **keys: Any) -> tuple[tuple[str, str], str | None] | Json:
    """Process one move; return its result, or its status and reason with the field that decided."""
    reply = campaign.process(turn(call("move", **args), **keys))
    if reply["applied_actions"]:
        return dict(results(reply)[0])
    hint = reply["tool_feedback"]["failed_calls"][0].get("hint", {})
    return failed(reply)[0], hint.get("field")


def position(campaign: Campaign, who: str = "pc_001") -> str | None:
    return campaign.state[f"characters/{who}.json"]["position"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("actor_context", CONTEXT)
@pytest.mark.parametrize("move_from", FROM)
def test_a_good_move_is_applied_and_reports_what_its_contract_says(
    make_campaign: MakeCampaign, move_from: str, actor_context: str
) -> None:
    campaign = under(make_campaign, move_from, actor_context)
    both = {"from_area_id": "area_001", "to_area_id": "area_002"}
    assert one(campaign, args_for(move_from)) == ({"to_area_id": "area_002"} if move_from == "required" else both)
    assert position(campaign) == "area_002"


def test_a_campaign_without_a_protocol_follows_the_seed_to_the_letter(campaign: Campaign) -> None:
    args = args_for("required")
    reply = campaign.process(turn(call("move", "call_001", **args)))
    assert reply["applied_actions"] == [
        {
            "id": "call_001",
            "tool": "move",
            "args": args,
            "result": {"to_area_id": "area_002"},
            "timestamp": "2026-01-14T16:05:31+00:00",
        }
    ]
    assert one(campaign, args_for("required", actor_id=...)) == (ERROR, "args.actor_id")


@pytest.mark.parametrize("actor_context", CONTEXT)
@pytest.mark.parametrize("name", ["actor_id", "from_area_id", "to_area_id"])
@pytest.mark.parametrize("value", [..., None, 5, True, 1.5, [], {}])
def test_required_wants_three_strings(make_campaign: MakeCampaign, actor_context: str, name: str, value: Any) -> None:
    campaign = under(make_campaign, "required", actor_context)
    assert one(campaign, args_for("required", **{name: value})) == (ERROR, f"args.{name}")
    assert position(campaign) == "area_001"


@pytest.mark.parametrize("move_from", FROM)
@pytest.mark.parametrize("value", [..., None, 5, True, [], {}])
def test_every_contract_wants_a_string_to_go_to(make_campaign: MakeCampaign, move_from: str, value: Any) -> None:
    campaign = under(make_campaign, move_from)
    assert one(campaign, args_for(move_from, to_area_id=value)) == (ERROR, "args.to_area_id")


@pytest.mark.parametrize("actor_context", CONTEXT)
@pytest.mark.parametrize("move_from", ["checked", "forbidden"])
def test_the_later_contracts_default_to_the_acting_character(
    make_campaign: MakeCampaign, move_from: str, actor_context: str
) -> None:
    campaign = under(make_campaign, move_from, actor_context)
    assert one(campaign, {"to_area_id": "area_002"}) == {"from_area_id": "area_001", "to_area_id": "area_002"}
    assert one(campaign, {"to_area_id": "area_003"}, actor_id="pc_002") == {
        "from_area_id": "area_001",
        "to_area_id": "area_003",
    }
    assert (position(campaign), position(campaign, "pc_002")) == ("area_002", "area_003")


@pytest.mark.parametrize("name", ["actor_id", "from_area_id"])
@pytest.mark.parametrize("value", [5, True, [], {}])
def test_checked_wants_strings_where_something_is_given(make_campaign: MakeCampaign, name: str, value: Any) -> None:
    campaign = under(make_campaign, "checked")
    assert one(campaign, args_for("checked", **{name: value})) == (ERROR, f"args.{name}")


def test_checked_compares_from_when_it_is_given(make_campaign: MakeCampaign) -> None:
    campaign = under(make_campaign, "checked")
    assert one(campaign, args_for("checked", from_area_id="area_002")) == (ERROR, "args.from_area_id")
    assert one(campaign, args_for("checked", from_area_id=...)) == {
        "from_area_id": "area_001",
        "to_area_id": "area_002",
    }


@pytest.mark.parametrize("value", ["area_001", "area_002", None, 5])
def test_forbidden_takes_no_from_even_a_right_one(make_campaign: MakeCampaign, value: Any) -> None:
    campaign = under(make_campaign, "forbidden")
    assert one(campaign, args_for("forbidden", from_area_id=value))[0] == ERROR
    assert position(campaign) == "area_001"


def test_forbidden_is_told_apart_before_the_rest(make_campaign: MakeCampaign) -> None:
    campaign = under(make_campaign, "forbidden")
    wrong = args_for("forbidden", from_area_id="area_001", actor_id="pc_002", to_area_id="area_404")
    assert one(campaign, wrong) == (ERROR, "args.from_area_id")


@pytest.mark.parametrize("actor", ["pc_002", "npc", "PC_001", "", " ", " pc_001"])
@pytest.mark.parametrize("move_from", FROM)
def test_strict_error_compares_the_actor_exactly(make_campaign: MakeCampaign, move_from: str, actor: str) -> None:
    campaign = under(make_campaign, move_from)
    assert one(campaign, args_for(move_from, actor_id=actor)) == (
        ERROR,
        "turn.actor_id" if actor == "pc_002" else "args.actor_id",
    )


@pytest.mark.parametrize("move_from", FROM)
@pytest.mark.parametrize(
    ("actor", "verdict"),
    [
        ("pc_002", MISMATCH),
        ("PC_001", MISMATCH),
        ("", ERROR),
        (" \t", ERROR),
        (None, ERROR),
        (5, ERROR),
        (True, ERROR),
        ([], ERROR),
    ],
)
def test_reject_wants_a_name_and_then_the_right_one(
    make_campaign: MakeCampaign, move_from: str, actor: Any, verdict: tuple[str, str]
) -> None:
    campaign = under(make_campaign, move_from, "reject")
    assert one(campaign, args_for(move_from, actor_id=actor)) == (
        verdict,
        "turn.actor_id" if actor == "pc_002" else "args.actor_id",
    )


@pytest.mark.parametrize("move_from", FROM)
def test_reject_compares_after_trimming_and_logs_as_received(make_campaign: MakeCampaign, move_from: str) -> None:
    campaign = under(make_campaign, move_from, "reject")
    reply = campaign.process(turn(call("move", **args_for(move_from, actor_id="  pc_001\n"))))
    assert reply["status"] == "applied"
    assert reply["applied_actions"][0]["args"]["actor_id"] == "  pc_001\n"


@pytest.mark.parametrize("state", ["dead", "asleep"])
def test_under_reject_a_wrong_actor_answers_before_the_state_does(make_campaign: MakeCampaign, state: str) -> None:
    campaign = under(make_campaign, "required", "reject", character_state=state)
    assert one(campaign, args_for("required", actor_id="pc_002"))[0] == MISMATCH
    assert one(campaign, args_for("required", actor_id=""))[0] == ERROR


def test_under_strict_error_the_state_answers_before_a_wrong_actor_or_bad_arguments(
    make_campaign: MakeCampaign,
) -> None:
    campaign = under(make_campaign, "required", character_state="dead")
    restricted = ("rejected", "actor_state_restricted")
    assert one(campaign, args_for("required", actor_id="pc_002"))[0] == restricted
    assert one(campaign, {})[0] == restricted


@pytest.mark.parametrize("actor_context", CONTEXT)
@pytest.mark.parametrize("tool", ["hp_delta", "map_generate", "move_options"])
def test_reject_looks_at_the_actor_of_every_core_call(
    make_campaign: MakeCampaign, actor_context: str, tool: str
) -> None:
    good: dict[str, Json] = {
        "hp_delta": {"target_character_id": "pc_001", "delta": 1, "cause": ""},
        "map_generate": {"parent_area_id": None},
        "move_options": {},
    }
    campaign = under(make_campaign, "required", actor_context)
    reply = campaign.process(turn(call(tool, **good[tool], actor_id="pc_002")))
    if actor_context == "reject":
        assert failed(reply) == [MISMATCH]
    else:
        assert failed(reply) == ([ERROR] if tool == "move_options" else [])


@pytest.mark.parametrize(
    ("changes", "decides"),
    [
        ({"to_area_id": 5, "actor_id": "pc_002", "from_area_id": "area_404"}, "args.to_area_id"),
        ({"actor_id": "pc_002", "from_area_id": "area_404", "to_area_id": "area_404"}, "turn.actor_id"),
        ({"from_area_id": "area_002", "to_area_id": "area_404"}, "args.from_area_id"),
        ({"to_area_id": "area_404"}, "args.to_area_id"),
        ({"to_area_id": "area_004"}, "args.to_area_id"),
        ({"to_area_id": "area_001"}, "args.to_area_id"),
        ({"to_area_id": "AREA_002"}, "args.to_area_id"),
        ({"to_area_id": " area_002"}, "args.to_area_id"),
        ({"to_area_id": ""}, "args.to_area_id"),
    ],
)
@pytest.mark.parametrize("move_from", ["required", "checked"])
def test_the_first_check_that_fails_decides(
    make_campaign: MakeCampaign, move_from: str, changes: Json, decides: str
) -> None:
    assert one(under(make_campaign, move_from), args_for(move_from, **changes)) == (ERROR, decides)


@pytest.mark.parametrize("move_from", FROM)
@pytest.mark.parametrize("who", ["lost", "nowhere"])
def test_who_stands_nowhere_or_in_no_area_cannot_move(make_campaign: MakeCampaign, move_from: str, who: str) -> None:
    campaign = under(make_campaign, move_from)
    args = args_for(move_from, actor_id=who)
    if move_from == "required":
        args["from_area_id"] = position(campaign, who) or "area_001"
    assert one(campaign, args, actor_id=who)[0] == ERROR


def test_links_are_directed_one_hop_a_call_and_may_cross_layers(campaign: Campaign) -> None:
    def go(start: str, to: str) -> Json:
        return call("move", actor_id="pc_001", from_area_id=start, to_area_id=to)

    reply = campaign.process(turn(go("area_001", "area_002"), go("area_002", "area_004"), go("area_004", "area_001")))
    assert results(reply) == [{"to_area_id": "area_002"}, {"to_area_id": "area_004"}]
    assert failed(reply) == [ERROR]
    assert position(campaign) == "area_004"
    campaign.process(turn(go("area_004", "area_002"), go("area_002", "area_001"), go("area_001", "area_003")))
    assert failed(campaign.process(turn(go("area_003", "area_001")))) == [ERROR]


def test_unknown_arguments_are_ignored_and_logged_as_received(campaign: Campaign) -> None:
    args = args_for("required", speed="fast", toAreaId="area_404")
    reply = campaign.process(turn(call("move", **args)))
    assert reply["applied_actions"][0]["args"] == args


@pytest.mark.parametrize("move_from", FROM)
def test_a_dangling_link_opens_no_void(move_from: str) -> None:
    """No valid campaign has one, so the tool is asked directly."""
    layer = Layer.model_validate({"areas": {"area_001": area("area_001", "void")}})
    someone = Character.model_validate(person("pc_001"))
    world = World(InMemorySource({layer.path: layer, someone.path: someone}))
    args = args_for(move_from, to_area_id="void")
    protocol = Protocol.model_validate({"move_from": move_from})
    ctx = Context("pc_001", Dice(b"", "0").part(1), args, settings_of({}), protocol, actor=someone)
    with pytest.raises(CallFailed):
        tool.apply(world, tool.args_for(protocol).model_validate(args), ctx)
    assert dict(world.touched) == {}
    options = move_options.apply(world, move_options.args.model_validate({}), ctx)
    assert options.result == {"options": []}
