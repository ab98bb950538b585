"""The view of a campaign: taken from its documents, or given as JSON; what is unknown is None."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import builders
from tests.builders import call
from tests.game_master.test_loop_fights import BEGIN
from tests.tools.hall import hall_documents

from turnwright import Campaign
from turnwright.model.wire.agent import AgentKind
from turnwright.protocol.stage0_prepare.snapshot import fit_arguments, snapshot_of
from turnwright.rulesets.suggesting import BUILT_IN, suggest
from turnwright.rulesets.toolbox import TOOLS
from turnwright.suggestions.snapshot import (
    ActorView,
    AreasView,
    Belonging,
    EncounterView,
    ItemsView,
    Named,
    Offer,
    QuestView,
    RecentCall,
    Snapshot,
    agent_kind,
)
from turnwright.suggestions.snapshot_overrides import with_overrides
from turnwright.suggestions.tool_resolver import is_permitted

NOTHING = Snapshot()


def given_as(**context: Any) -> Snapshot:
    made, problems = with_overrides(NOTHING, context)
    assert problems == ()
    return made


# from JSON

FIELDS: list[tuple[str, Any, Any]] = [
    ("speaker", "npc", "npc"),
    ("agent", "npc", AgentKind.NPC_INDIVIDUAL),
    ("agent", "combat", AgentKind.COMBAT),
    ("language", "de", "de"),
    ("language", None, None),
    ("encounter", None, EncounterView(active=False)),
    ("encounter", True, EncounterView(active=True)),
    (
        "encounter",
        {
            "active": True,
            "id": "encounter-1",
            "enemies_alive": 2,
            "round": 3,
            "current_actor_id": "pc_001",
            "controller": "enemy",
        },
        EncounterView(True, "encounter-1", 2, 3, "pc_001", "enemy"),
    ),
    ("encounter", {"enemies_alive": ["a", "b"]}, EncounterView(True, None, 2)),
    ("actor", None, ActorView()),
    ("actor", "pc_001", ActorView("pc_001", "pc_001")),
    (
        "actor",
        {
            "id": "pc_001",
            "name": "Mira",
            "area": {"id": "area_001", "name": "Market"},
            "hp": {"current": 7, "max": 9},
            "conditions": [{"name": "prone"}, "stunned"],
            "concentration": {"spell": "bless"},
            "spells": ["bless"],
            "is_caster": True,
        },
        ActorView("pc_001", "Mira", "area_001", 7, ("prone", "stunned"), "bless", ("bless",), True),
    ),
    ("actor", {"id": "pc_001", "concentration": {}}, ActorView("pc_001", concentration=True)),
    ("actor", {"id": "pc_001", "is_dying": False}, ActorView("pc_001", is_dying=False)),
    ("areas", None, AreasView()),
    (
        "areas",
        {"current": "area_001", "reachable": [{"id": "area_002", "name": "Harbour"}], "known": {"area_003": "Mine"}},
        AreasView(
            Named("area_001", "area_001"),
            (Named("Harbour", "area_002"),),
            (Named("Mine", "area_003"),),
        ),
    ),
    ("areas", {"has_hidden": True}, AreasView(has_hidden=True)),
    ("areas", {"places": ["Harbour"]}, AreasView(places=(Named("Harbour", "Harbour"),))),
    (
        "areas",
        {"place": "Inn", "exits": ["Harbour"]},
        AreasView(place=Named("Inn", "Inn"), exits=(Named("Harbour", "Harbour"),)),
    ),
    ("items", None, ItemsView()),
    ("items", ["rope"], ItemsView(area=("rope",))),
    ("items", {"inventory": ["rope"], "area": [{"name": "lamp"}], "npc": []}, ItemsView(("rope",), ("lamp",), ())),
    (
        "items",
        {"owned": [{"name": "silver key", "owner": {"id": "npc_001", "name": "Lena"}}]},
        ItemsView(owned=(Belonging("silver key", Named("Lena", "npc_001")),)),
    ),
    ("party", None, None),
    ("party", [], ()),
    ("party", {"members": [{"id": "pc_001", "name": "Mira"}]}, (Named("Mira", "pc_001"),)),
    ("npcs_present", [{"name": "Grell", "character_type": "enemy"}], (Named("Grell", None, True),)),
    ("npcs_present", [{"name": "Bran", "disposition": "friendly"}], (Named("Bran", None, False),)),
    ("npcs_present", [{"id": "npc_001"}], (Named("npc_001", "npc_001"),)),
    ("pending_offer", None, None),
    ("pending_offer", "rest", Offer("rest")),
    (
        "pending_offer",
        {"kind": "item", "id": "offer-1", "by": "npc_001", "turn": 4, "item": {"name": "ring"}},
        Offer("item", "offer-1", "npc_001", 4, "ring"),
    ),
    ("quests", None, None),
    ("quests", ["Rats"], (QuestView("Rats", "Rats"),)),
    (
        "quests",
        [
            {
                "id": "quest-1",
                "title": "Rats",
                "status": "offered",
                "giver_id": "lena",
                "objectives": ["nest", {"id": "objective-2", "text": "king"}, {"text": "cellar", "done": True}],
            }
        ],
        (QuestView("Rats", "quest-1", "offered", "lena", (Named("nest"), Named("king", "objective-2"))),),
    ),
    ("mood", "action", "action"),
    ("mood", {"mood": "bargain"}, "bargain"),
    ("mood", None, None),
    ("allowlist", ["move"], frozenset({"move"})),
    ("allowlist", None, None),
    ("registry", ["move"], frozenset({"move"})),
    ("fields", {"momentum": 2}, {"momentum": 2}),
    ("recent_calls", None, ()),
    (
        "recent_calls",
        ["move", {"tool": "execute_action", "round": 2, "result": {"target": "pc_001", "damage": 4}}],
        (RecentCall("move"), RecentCall("execute_action", "pc_001", 4, 2)),
    ),
]


@pytest.mark.parametrize(("field", "value", "expected"), FIELDS)
def test_a_field_is_given_as_json(field: str, value: Any, expected: Any) -> None:
    assert getattr(given_as(**{field: value}), field) == expected


def test_every_field_that_can_be_given_is_tested() -> None:
    own = set(NOTHING.__slots__) - {"from_area_wanted", "legal"}
    assert {field for field, _, _ in FIELDS} == own


WRONG: list[tuple[str, Any]] = [
    ("speaker", "ghost"),
    ("agent", "narrator"),
    ("agent", 7),
    ("encounter", 7),
    ("encounter", {"round": "three"}),
    ("actor", []),
    ("actor", {"hp": "many"}),
    ("areas", [1]),
    ("items", 7),
    ("party", 7),
    ("party", [{}]),
    ("npcs_present", [7]),
    ("pending_offer", {}),
    ("quests", {}),
    ("quests", [{"title": "x", "objectives": [{"done": False}]}]),
    ("mood", 7),
    ("allowlist", "move"),
    ("fields", [["momentum", 2]]),
    ("recent_calls", {"tool": "move"}),
    ("weather", "rain"),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_what_cannot_be_read_is_told_and_left_as_it_was(field: str, value: Any) -> None:
    made, problems = with_overrides(NOTHING, {field: value, "language": "en"})
    assert len(problems) == 1
    assert problems[0].startswith(f"context.{field} ")
    assert made == given_as(language="en")


NAMES = st.sampled_from(
    ["id", "name", "title", "members", "current", "reachable", "known", "area", "hp", "objectives", "item", "kind"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | NAMES, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted({field for field, _, _ in FIELDS})), JSON, max_size=4))
def test_no_json_whatever_makes_it_fail(context: Mapping[str, Any]) -> None:
    made, problems = with_overrides(NOTHING, context)
    assert all(problem.startswith("context.") for problem in problems)
    found = suggest("I take the lantern and go to the Harbour, and Bran joins us. Yes!", made)
    assert found.errors == ()


def test_an_agent_is_named_as_in_the_documentation() -> None:
    assert agent_kind("npc") is AgentKind.NPC_INDIVIDUAL
    with pytest.raises(ValueError, match="narrator"):
        agent_kind("narrator")


def test_of_a_campaign_only_what_is_said_is_changed() -> None:
    before = given_as(mood="action", party=[{"name": "Mira"}])
    made, _ = with_overrides(before, {"mood": None})
    assert (made.mood, made.party) == (None, before.party)


# from a campaign


def taken(campaign: Campaign, agent: AgentKind = AgentKind.NARRATIVE, **how: Any) -> Snapshot:
    with campaign.reading() as world:
        return snapshot_of(world, agent, **how)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Campaign]:
    with builders.begin(tmp_path / "hall", hall_documents()) as campaign:
        yield campaign


def test_a_campaign_is_seen_by_whoever_acts(campaign: Campaign) -> None:
    found = taken(campaign)
    assert (found.actor.id, found.actor.name, found.actor.hp) == ("pc_001", "Mira", 10)
    assert found.areas.current == Named("Area 001", "area_001")
    assert found.areas.reachable == (Named("Area 002", "area_002"), Named("Area 003", "area_003"))
    assert found.party == (Named("Mira", "pc_001"), Named("Tomas", "pc_002"))
    assert found.npcs_present == (Named("Grell", "npc_001", True),)
    assert found.encounter == EncounterView(active=False)
    assert (found.mood, found.pending_offer, found.quests) == (None, None, ())
    assert found.allowlist == frozenset(builders.ALL_CORE)
    assert found.registry == frozenset(TOOLS)


def test_somebody_else_may_act(campaign: Campaign) -> None:
    assert taken(campaign, actor_id="pc_002").actor.name == "Tomas"
    assert taken(campaign, actor_id="nobody").actor == ActorView()


@pytest.fixture
def town(hall: Campaign) -> Campaign:
    ways: list[dict[str, Any]] = [{"to_location_id": "location-2"}, {"to_location_id": "location-3", "locked": True}]
    made = [
        *({"operation": "create", "name": name} for name in ("Inn", "Market", "Vault", "Harbour", "Well")),
        *({"operation": "link", "from_location_id": "location-1", **way} for way in ways),
    ]
    calls = [call("manage_location", f"call_{number:03}", **args) for number, args in enumerate(made)]
    assert hall.process({"tool_calls": calls})["status"] == "applied"
    return hall


def jump(location_id: str) -> dict[str, Any]:
    forced: dict[str, Any] = call("move_party", to_location_id=location_id, force=True)
    return forced


def parties_sent(town: Campaign, message: str) -> list[Any]:
    found = suggest(message, taken(town)).suggestions
    return [(one.arguments or {}).get("to_location_name") for one in found if one.tool == "move_party"]


def test_a_party_is_sent_where_an_open_way_leads_and_nowhere_else(town: Campaign) -> None:
    assert town.process({"tool_calls": [jump("location-1")]})["status"] == "applied"
    assert taken(town).areas.exits == (Named("Market", "location-2"),)
    assert parties_sent(town, "We go to the Market.") == ["Market"]
    for name in ("Harbour", "Vault"):
        assert parties_sent(town, f"We go to the {name}.") == []
        refused = town.process({"tool_calls": [call("move_party", to_location_name=name)]})
        assert builders.failed(refused) == [("rejected", "rule_violation")]
    assert "Reachable from here: Market." in suggest("We go to the Harbour.", taken(town)).context_notes


def test_who_leaves_the_place_where_the_party_stands_goes_by_the_only_way_out(town: Campaign) -> None:
    town.process({"tool_calls": [jump("location-1")]})
    [hint] = suggest("We leave the Inn.", taken(town)).suggestions
    assert hint.arguments == {"operation": "move", "to_location_name": "Market"}
    assert town.process({"tool_calls": [call("move_party", **hint.arguments)]})["status"] == "applied"
    assert parties_sent(town, "We leave the camp.") == [None]


def test_where_no_way_leads_away_no_party_is_sent_anywhere_known(town: Campaign) -> None:
    town.process({"tool_calls": [jump("location-5")]})
    assert parties_sent(town, "We go to the Market.") == parties_sent(town, "We leave the well.") == []


def test_a_fight_is_seen_with_its_enemies_and_whose_turn_it_is(hall: Campaign) -> None:
    assert hall.process({"tool_calls": [BEGIN]})["status"] == "applied"
    found = taken(hall, AgentKind.COMBAT)
    assert found.encounter == EncounterView(True, "encounter-1", 2, 1, "aria", "player")
    assert Named("Goblin", "goblin", True) in (found.npcs_present or ())


def test_the_tools_that_are_legal_now_are_seen_and_unknown_where_the_state_is_supposed(hall: Campaign) -> None:
    quiet = taken(hall)
    assert quiet.legal is not None
    assert "move" in quiet.legal
    assert "execute_action" not in (taken(hall, AgentKind.COMBAT).legal or ())
    assert with_overrides(quiet, {"language": "en"})[0].legal == quiet.legal
    assert with_overrides(quiet, {"encounter": True})[0].legal is None
    hall.process({"tool_calls": [call("hp_delta", target_character_id="aria", delta=-44, cause="a fall")]})
    assert "move" not in (taken(hall).legal or ())


def saves_of(hall: Campaign) -> list[str]:
    found = suggest("...", taken(hall, AgentKind.COMBAT))
    return [one.tool for one in found.suggestions if one.rule_id == "r20_death_save"]


@pytest.mark.parametrize(("face", "becomes"), [(15, "stable"), (5, "dead")])
def test_a_death_save_is_due_until_somebody_is_stable_or_dead(hall: Campaign, face: int, becomes: str) -> None:
    save = call("roll_death_save", character_id="aria", encounter_id="encounter-1")
    hall.process({"tool_calls": [BEGIN]})
    assert saves_of(hall) == []
    hall.process({"tool_calls": [call("hp_delta", target_character_id="aria", delta=-44, cause="a fall")]})
    for _ in range(3):
        assert saves_of(hall) == ["roll_death_save"]
        assert hall.process({"tool_calls": [save]}, dice=[face])["status"] == "applied"
    assert hall.state["characters/aria.json"]["death_saves"][becomes] is True
    assert saves_of(hall) == []


def test_a_save_that_was_made_with_the_damage_is_not_asked_for_again(hall: Campaign) -> None:
    begin = call(
        "create_encounter",
        participants=[
            {"character_id": "cyra", "position": {"x": 2, "y": 2}, "initiative_bonus": 60},
            {"id": "rat", "name": "Rat", "hp": 9, "max_hp": 9, "position": {"x": 3, "y": 2}, "is_enemy": True},
        ],
    )
    holds = call("manage_concentration", operation="set", character_id="cyra", spell_name="bless")
    hurts = call("hp_delta", target_character_id="cyra", delta=-3, cause="a bite")
    hall.process({"tool_calls": [begin, holds]})
    assert hall.process({"tool_calls": [hurts]}, dice=[20])["status"] == "applied"
    turns = [record for record in hall.records() if record["kind"] == "turn"]
    seen = taken(hall, AgentKind.COMBAT, turns=turns, actor_id="cyra")
    assert seen.actor.concentration is True
    assert RecentCall("hp_delta") in seen.recent_calls
    assert [one.tool for one in suggest("...", seen).suggestions] == []


def test_a_quest_on_offer_waits_for_an_answer(tmp_path: Path) -> None:
    values = hall_documents()
    values["campaign.json"]["allowlist"] = [*values["campaign.json"]["allowlist"], "manage_quest"]
    offer = call("manage_quest", operation="offer", title="Rats in the cellar", objectives=["Find the nest"])
    with builders.begin(tmp_path / "hall", values) as hall:
        assert hall.process({"tool_calls": [offer]})["status"] == "applied"
        turns = [record for record in hall.records() if record["kind"] == "turn"]
        found = taken(hall, turns=turns)
        assert taken(hall).pending_offer is None
    assert found.pending_offer is not None
    assert (found.pending_offer.kind, found.pending_offer.id) == ("quest", "quest-1")
    assert found.quests == (
        QuestView("Rats in the cellar", "quest-1", "offered", None, (Named("Find the nest", "objective-1"),)),
    )


# arguments


def test_arguments_of_every_suggested_call_fit_their_tool(hall: Campaign) -> None:
    hall.process({"tool_calls": [BEGIN]})
    fight, quiet = taken(hall, AgentKind.COMBAT), taken(hall)
    messages = (
        "I attack the goblin, then I cast fireball at the wolf and end my turn.",
        "I take the brass compass, pay 3 gold, give my rope to Bran and search the room.",
        "We take a long rest. Bran joins us. I go to the Harbour.",
    )
    for seen in (fight, quiet):
        for message in messages:
            for one in suggest(message, seen).suggestions:
                assert is_permitted(one.tool, seen, BUILT_IN)
                kept, dropped = fit_arguments(TOOLS, one.tool, one.arguments or {})
                assert (kept, dropped) == (one.arguments or {}, ())


@pytest.mark.parametrize(
    ("message", "name", "quantity"),
    [
        ("I pocket the brass compass.", "brass compass", 1),
        ("I pick up two torches.", "torches", 2),
        ("I receive 10 gold.", "gold", 10),
    ],
)
def test_a_hint_to_take_something_is_a_call_the_engine_takes(
    hall: Campaign, message: str, name: str, quantity: int
) -> None:
    [hint] = [one for one in suggest(message, taken(hall)).suggestions if one.tool == "manage_inventory"]
    reply = hall.process({"tool_calls": [call("manage_inventory", **(hint.arguments or {}))]})
    [action] = reply["applied_actions"]
    assert (action["result"]["item"]["name"], action["result"]["quantity"]) == (name, quantity)


@pytest.mark.parametrize(
    ("message", "who", "name", "quantity"),
    [
        ("I steal the silver key from Lena's belt.", "lena", "Silver Key", 1),
        ("I take Lena's silver key.", "lena", "Silver Key", 1),
        ("I grab two torches from Brom.", "brom", "Torch", 2),
        ("I buy Brom's torch.", "brom", "Torch", 1),
        ("I pay 3 gold to Lena.", "aria", "gold", 3),
        ("I give Lena 2 potions of healing.", "aria", "Potion of Healing", 2),
    ],
)
def test_what_somebody_has_is_handed_over_and_not_made_anew(
    hall: Campaign, message: str, who: str, name: str, quantity: int
) -> None:
    carried = [("lena", "Silver Key", 1), ("brom", "Torch", 3), ("aria", "gold", 5)]
    gifts = [
        call(
            "manage_inventory",
            f"call_{i}",
            operation="give",
            character_id=owner,
            item={"name": thing, "quantity": many},
        )
        for i, (owner, thing, many) in enumerate(carried)
    ]
    assert hall.process({"tool_calls": gifts})["status"] == "applied"
    hints = [one for one in suggest(message, taken(hall)).suggestions if one.operation == "transfer"]
    reply = hall.process({"tool_calls": [call("manage_inventory", **(one.arguments or {})) for one in hints]})
    [action] = reply["applied_actions"]
    result = action["result"]
    assert (result["from"], result["item"]["name"], result["quantity"]) == (who, name, quantity)
    assert "aria" in (result["from"], result["to"])


def test_arguments_that_do_not_fit_are_left_out_and_what_is_missing_is_no_fault() -> None:
    assert fit_arguments(TOOLS, "hp_delta", {"delta": -3}) == ({"delta": -3}, ())
    assert fit_arguments(TOOLS, "hp_delta", {"delta": "many", "colour": "red"}) == ({}, ("colour", "delta"))
    assert fit_arguments(TOOLS, "take_rest", {"rest_type": "medium"}) == ({}, ("rest_type",))
    assert fit_arguments(TOOLS, "move", {}) == ({}, ())


def test_the_spells_of_a_caster_are_seen_without_cantrips(tmp_path: Path) -> None:
    values = hall_documents()
    sheet = values["characters/cyra.json"]["sheet"]
    sheet |= {"known_spells": ["Grease", "Shield"], "prepared_spells": ["Shield"], "cantrips": ["Light"]}
    with builders.begin(tmp_path / "hall", values) as hall:
        actor = taken(hall, actor_id="cyra").actor
    assert (actor.spells, actor.is_caster) == (("Grease", "Shield"), True)
