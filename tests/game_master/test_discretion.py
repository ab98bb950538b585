"""What somebody who is played learns of their own calls, and may name in them: no secret, and enough to mend a call."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json, call, person
from tests.game_master.playing import Table, calls, says
from tests.game_master.table import HIDDEN, PARTY, fight, fighter, values

from turnwright.game_master.knowledge.redaction import OUTCOMES
from turnwright.game_master.suggestion_provider import suggest
from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.protocol.stage0_prepare.snapshot import snapshot_of
from turnwright.rulesets.agent_tools import TOOLS_OF

Open = Callable[..., Table]
OWN = {"agents": {"individual_npcs": ["marrow"]}}
SPY = "hidden_spy"
"""Who hides from everybody in the fight; the secrets of `values` say `HIDDEN`."""
TOLD = "Hm."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Open]:
    """Give a function that opens the table at the mill, with secrets of all kinds, and these answers of its model."""
    opened: list[Table] = []

    def begin(
        *lines: Any,
        party: Any = PARTY,
        is_fighting: bool = True,
        documents: dict[str, Json] | None = None,
        **how: Any,
    ) -> Table:
        path = tmp_path / f"campaign_{len(opened)}"
        others = with_secrets() | (documents or {})
        if not is_fighting:
            del others["encounters/encounter-1.json"]
        world = values(settings={**OWN, **how.pop("campaign", {})}, party=party, documents=others)
        opened.append(Table(builders.begin(path, world), path, *lines, **how))
        return opened[-1]

    yield begin
    for one in opened:
        one.campaign.close()


def with_secrets() -> dict[str, Json]:
    """Return somebody who hides, somebody else's note and quest, a way that nobody has found, and a full purse."""
    root: Json = json.loads(json.dumps(values()["maps/root.json"]))
    root["areas"]["mill"]["reachable_area_ids"].append("hidden_vault")
    root["areas"]["hidden_vault"] = builders.area("hidden_vault", "mill")
    del root["areas"]["location-3"]
    mira: Json = json.loads(json.dumps(values()["characters/mira.json"]))
    mira["inventory"].append({"id": "item-9", "name": f"{HIDDEN} dagger"})
    return {
        "maps/root.json": root,
        "characters/mira.json": mira,
        f"characters/{SPY}.json": person(SPY, name=f"{HIDDEN} spy", character_type="enemy", position="mill", max_hp=9),
        "encounters/encounter-1.json": fight(
            fighter("mira"), fighter("marrow"), fighter(SPY, name=f"{HIDDEN} spy", is_enemy=True, hidden=True)
        ),
        "locations/location-3.json": {
            "id": "location-3",
            "name": f"{HIDDEN} cellar",
            "area_id": "hidden_vault",
            "discovered": False,
        },
        "notes/note-3.json": {"id": "note-3", "content": f"{HIDDEN} I stole the bell.", "tags": ["guard"]},
        "quests/quest-2.json": {
            "id": "quest-2",
            "title": f"Bury the {HIDDEN} body",
            "giver_id": "guard",
            "status": "active",
            "objectives": [{"id": "objective-1", "text": f"Find the {HIDDEN} rope", "done": False}],
        },
    }


def is_secret(text: str) -> bool:
    return any(one in text for one in (HIDDEN, SPY, "hidden_vault", "location-3", "note-1", "note-3", "quest-2"))


def fed_back(play: Table) -> Any:
    """Return what the model was told of its calls, as data."""
    return json.loads(play.model.last.rpartition("\n")[0])


def hint_of(play: Table) -> Any:
    [failed] = fed_back(play)["failed"]
    return failed.get("hint", {})


# what was done


@pytest.mark.parametrize(
    "made",
    [
        call("manage_notes", operation="list"),
        call("manage_notes", operation="search", query=""),
        call("manage_notes", operation="get", note_id="note-1"),
        call("manage_notes", operation="read", note_id="note-1"),
        call("search_notes", query=""),
        call("manage_location", operation="list"),
        call("manage_location", operation="get", location_id="location-1"),
        call("get_location", location_id="location-1"),
        call("manage_quest", operation="list"),
        call("manage_inventory", operation="list", character_id="mira"),
        call("manage_inventory", operation="show", character_id="mira"),
        call("manage_inventory", batch=[{"operation": "list", "character_id": "mira"}]),
    ],
)
@pytest.mark.parametrize("whom", ["@Marrow", "@guard"])
def test_nobody_who_is_played_looks_things_up(table: Open, whom: str, made: Json) -> None:
    play = table(calls(made), says(TOLD))
    assert play.say(f"{whom} hello").barred
    [failed] = fed_back(play)["failed"]
    assert failed["reason"] == "tool_not_allowed"
    assert not {"list", "get", "search"} & set(failed["hint"]["choices"])


@pytest.mark.parametrize("word", ["add", "hand over", "Transfer", "wear"])
def test_operations_are_told_apart_by_what_they_mean(table: Open, word: str) -> None:
    made = call("manage_inventory", operation=word, character_id="marrow", item_name="Loaf of bread")
    play = table(calls(made), says(TOLD))
    assert play.say("@Marrow hello").barred == []


@pytest.mark.parametrize(
    ("made", "learned"),
    [
        (
            call("manage_location", operation="update", location_id="location-1"),
            {"location": {"location_id": "location-1", "name": "Mill", "discovered": True}},
        ),
        (
            call("manage_location", operation="update", location_id="location-3"),
            {"location": {"location_id": "location-3"}},
        ),
        (
            call("manage_quest", operation="complete", quest_id="quest-2", force=True),
            {"quest": {"quest_id": "quest-2", "status": "completed"}},
        ),
        (
            call(
                "manage_inventory",
                operation="transfer",
                character_id="mira",
                item_name="Silver piece",
                quantity=2,
                to_character_id="marrow",
            ),
            {"operation": "transfer", "character_id": "mira", "quantity": 2, "from": "mira", "to": "marrow"},
        ),
        (
            call("manage_inventory", operation="give", character_id="mira", item_name="Silver piece"),
            {"operation": "give", "character_id": "mira", "quantity": 1, "item": {"name": "Silver piece"}},
        ),
    ],
)
def test_what_was_done_tells_nothing_else(table: Open, made: Json, learned: Json) -> None:
    play = table(calls(made), says(TOLD))
    exchange = play.say("@Marrow hello")
    assert exchange.replies[1]["status"] == "applied"
    [done] = fed_back(play)["applied"]
    assert done["id"] == "call_001"
    assert {key: done["result"].get(key) for key in learned} == learned
    assert set(done["result"]) - set(learned) <= {"item"}
    assert HIDDEN not in play.model.last


def test_something_is_told_of_every_tool_that_somebody_has() -> None:
    assert OUTCOMES.keys() == {name for agent in NPC_AGENTS for name in TOOLS_OF[agent]}


def test_who_is_played_learns_what_became_of_their_own(table: Open) -> None:
    bread = call("manage_inventory", operation="take", character_id="marrow", item_name="Loaf of bread")
    done = call("manage_quest", operation="complete_objective", quest_id="quest-1", objective_id="objective-1")
    note = call("manage_notes", operation="add", content="They paid.", tags=["marrow"])
    play = table(calls(bread, done | {"id": "b"}, note | {"id": "c"}), says(TOLD))
    play.say("@Marrow hello")
    taken, quest, kept = (one["result"] for one in fed_back(play)["applied"])
    assert (taken["remaining"], taken["item"]["item_id"]) == (0, "item-3")
    assert quest["quest"]["objectives"] == [{"id": "objective-1", "text": "Look under the wheel", "done": True}]
    assert kept["note"]["content"] == "They paid."


def test_a_batch_is_cut_item_by_item(table: Open) -> None:
    items = [
        {"operation": "give", "characterId": "mira", "itemName": "Silver piece"},
        {"operation": "take", "characterId": "mira", "itemName": "Gold"},
        {"operation": "take", "characterId": "marrow", "itemName": "Loaf"},
    ]
    play = table(calls(call("manage_inventory", batch=items)), says(TOLD))
    play.say("@Marrow hello")
    [done] = fed_back(play)["applied"]
    given, theirs, mine = done["result"]["results"]
    assert given["result"]["item"] == {"name": "Silver piece"}
    assert theirs["hint"] == {"field": "args.batch.1.itemName", "got": "Gold"}
    assert mine["hint"]["choices"] == ["Loaf of bread"]


def test_a_batch_of_which_nothing_was_done_is_cut_too(table: Open) -> None:
    items = [{"operation": "take", "character_id": one, "item_name": "x"} for one in ("mira", "marrow")]
    play = table(calls(call("manage_inventory", batch=items)), says(TOLD))
    play.say("@Marrow hello")
    theirs, mine = hint_of(play)["items"]
    assert "allowed" not in theirs["hint"]
    assert mine["hint"]["choices"] == ["Loaf of bread"]


# what a failed call is mended by


def handed(**to: str) -> Json:
    """Return the call by which Marrow hands over the bread."""
    return call("manage_inventory", operation="transfer", character_id="marrow", item_name="Loaf of bread", **to)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (
            handed(to_character_id="mirra"),
            {"allowed": ["mira"]},
        ),
        (
            handed(to_character_name="Mirra"),
            {"allowed": ["Mira"]},
        ),
        (
            call("manage_inventory", operation="use", character_id="marrow", item_name="Loaf of bread", target_id="m"),
            {"choices": ["mira", "brom", "marrow", "guard", "wolf"]},
        ),
        (call("manage_inventory", operation="take", character_id="mira", item_name="dagger"), None),
        (call("manage_inventory", operation="take", character_id="mira"), None),
        (call("manage_inventory", operation="take", character_name="Mira", item_name="Rope", quantity=5), None),
        (
            call("manage_inventory", operation="take", character_name="Old Marrow", item_name="Loaf"),
            {"choices": ["Loaf of bread"]},
        ),
        (
            call("manage_inventory", operation="take", character_id="marrow", item_name="Loaf of bread", quantity=5),
            None,
        ),
        (
            call("manage_quest", operation="offer", title="x", giver_id="marow"),
            {"allowed": ["marrow"]},
        ),
        (call("manage_quest", operation="complete", quest_id="quest-9"), {"choices": ["quest-1"]}),
        (call("manage_quest", operation="complete_objective", quest_id="quest-2", objective_id="rope"), None),
        (
            call("manage_quest", operation="complete_objective", quest_id="quest-1", objective_id="wheel"),
            {"choices": ["objective-1"]},
        ),
        (
            call("manage_location", operation="update", location_id="Milll"),
            {"allowed": ["Mill"]},
        ),
        (call("manage_location", operation="update", location_id="location-1", area_id="vault"), {"choices": ["ford"]}),
        (call("manage_quest"), {"choices": ["offer", "start", "decline", "complete_objective", "complete"]}),
        (call("no_such_tool"), {"choices": ["manage_inventory", "manage_notes", "manage_location", "manage_quest"]}),
    ],
)
def test_a_hint_names_what_is_known_and_no_secret(table: Open, made: Json, expected: Json | None) -> None:
    play = table(calls(made), says(TOLD))
    exchange = play.say("@Marrow hello")
    assert exchange.barred == []
    assert exchange.replies[1]["tool_feedback"]["failed_calls"]
    told = hint_of(play)
    assert {key: sorted(told[key]) for key in ("allowed", "choices") if key in told} == {
        key: sorted(values) for key, values in (expected or {}).items()
    }
    assert HIDDEN not in play.model.last


def test_words_of_the_schema_are_told_to_everybody(table: Open) -> None:
    made = call("manage_location", operation="update", location_id="location-1", lighting="dusky")
    play = table(calls(made), says(TOLD))
    play.say("@Marrow hello")
    assert {"dim", "bright"} <= set(hint_of(play)["choices"])


def test_whoever_is_there_is_named_however_many_there_are(table: Open) -> None:
    crowd = {f"characters/marow_{n}.json": person(f"marow_{n}", position="ford") for n in range(30)}
    made = call("manage_quest", operation="offer", title="x", giver_id="marow_99")
    play = table(calls(made), says(TOLD), documents=crowd)
    play.say("@Marrow hello")
    assert sorted(hint_of(play)["choices"]) == ["brom", "guard", "marrow", "mira", "wolf"]


def test_a_member_knows_the_party_s_belongings_and_the_ways_it_has_found(table: Open) -> None:
    party = [*PARTY, "marrow"]
    take = call("manage_inventory", operation="take", character_id="mira", item_name="Ropes")
    walk = call("move", "b", actor_id="marrow", from_area_id="mill", to_area_id="vault")
    look = call("move_options", "c")
    play = table(calls(take, walk, look), says(TOLD), party=party)
    play.say("@Marrow hello")
    told = fed_back(play)
    assert told["failed"][0]["hint"]["allowed"][0] == "Rope"
    assert told["failed"][1]["hint"]["choices"] == ["ford"]
    assert [one["to_area_id"] for one in told["applied"][0]["result"]["options"]] == ["ford"]


def test_the_game_master_is_told_everything(table: Open) -> None:
    look = call("manage_location", operation="get", location_id="location-3")
    wrong = call("manage_quest", "b", operation="complete", quest_id="quest-9")
    play = table(calls(look, wrong), says(TOLD), is_fighting=False)
    play.say("I look around.")
    told = fed_back(play)
    assert told["applied"][0]["result"]["location"]["name"] == f"{HIDDEN} cellar"
    assert told["failed"][0]["hint"]["choices"] == ["quest-1", "quest-2"]


# what the schema offers


def schema_of(play: Table) -> str:
    play.say("@Marrow hello")
    return json.dumps(play.model.requests[0].answer_schema)


def test_the_schema_names_nothing_that_is_secret(table: Open) -> None:
    schema = schema_of(table(says(TOLD), has_schema=True, party=[*PARTY, "marrow"]))
    assert not is_secret(schema)
    for known in ("mira", "guard", "location-4", "quest-1", "ford"):
        assert f'"{known}"' in schema


@pytest.mark.parametrize("told", ["Behind the wheel lies location-3.", f"The {HIDDEN.title()} Cellar floods."])
def test_a_place_that_somebody_was_told_of_is_theirs_to_show(table: Open, told: str) -> None:
    note = {"notes/note-4.json": {"id": "note-4", "content": told, "tags": ["marrow"]}}
    show = call("manage_location", operation="update", location_id="location-3", discovered=True)
    play = table(calls(show), says(TOLD), has_schema=True, documents=note)
    assert '"location-3"' in schema_of(play)
    [done] = fed_back(play)["applied"]
    assert done["result"]["location"]["discovered"] is True


# what was done before


def test_who_goes_on_is_told_no_more_than_who_began(table: Open) -> None:
    made = call("manage_inventory", operation="take", character_id="mira", item_name="dagger")
    play = table(calls(made), {"fail": "timeout"}, says(TOLD))
    assert play.say("@Marrow hello").outcome == "failed"
    assert play.say().outcome == "answered"
    assert hint_of(play) == {"field": "args.item_name", "got": "dagger"}


def test_a_finding_names_no_ids(table: Open) -> None:
    lines = says("You finished the burial: the quest is complete. I hand Mira the loaf of bread."), says(TOLD)
    play = table(*lines, campaign={"narration": {"check": "retry"}})
    play.say("@Marrow hello")
    told = fed_back(play)["findings"]
    assert told
    assert all(set(one) == {"kind", "claim", "tool"} for one in told)


# hints before an answer


@pytest.mark.parametrize(("whom", "is_told"), [("@Marrow", False), ("@guard", True)])
def test_a_hint_is_of_the_quests_that_somebody_gave(table: Open, whom: str, is_told: bool) -> None:
    own = {"agents": {"individual_npcs": ["marrow", "guard"]}, "suggestions": {"enabled": True}}
    play = table(says(TOLD), suggest=suggest, campaign=own, is_fighting=False)
    play.say(f"{whom} I found the {HIDDEN.lower()} rope for the body")
    assert ("quest_id=quest-2" in play.model.requests[0].system) is is_told


@pytest.mark.parametrize(("whom", "is_told"), [("@Marrow", False), ("@guard", True)])
def test_an_offer_is_open_to_who_made_it(table: Open, whom: str, is_told: bool) -> None:
    offer = call("manage_quest", operation="offer", title=f"The {HIDDEN} bell", giver_id="guard")
    play = table(calls(offer), says("Well?"), says(TOLD), suggest=suggest, is_fighting=False)
    play.say("@guard is there work?")
    play.say(f"{whom} yes, I accept")
    assert ("quest-3" in play.model.requests[-1].system.partition("## Tool hints")[2]) is is_told


@pytest.mark.parametrize(
    ("party", "told"),
    [
        (PARTY, "You may use items, notes, quests, places; "),
        ((*PARTY, "marrow"), "You may use items, notes, quests, places, your own movement; "),
    ],
)
def test_the_note_names_the_tools_that_are_somebody_s(table: Open, party: Any, told: str) -> None:
    play = table(says(TOLD), suggest=suggest, party=list(party), is_fighting=False)
    play.say("@Marrow hello")
    assert f"- {told}fights, rests and travel are not yours." in play.model.requests[0].system


def test_hints_see_the_people_and_belongings_that_somebody_knows(table: Open) -> None:
    play = table(says(TOLD), party=[*PARTY, "marrow"])
    with play.campaign.reading() as world:
        seen = {
            one: snapshot_of(world, AgentKind.NPC_INDIVIDUAL, actor_id="brom", played_id=one)
            for one in ("marrow", "guard", None)
        }
    owners = {one: {thing.owner.id for thing in snapshot.items.owned} for one, snapshot in seen.items()}
    assert owners == {"marrow": {"mira", "marrow"}, "guard": set(), None: {"mira", "marrow"}}
    present = {one: {person.id for person in snapshot.npcs_present or ()} for one, snapshot in seen.items()}
    assert SPY not in present["marrow"] | present["guard"]
    assert SPY in present[None]
