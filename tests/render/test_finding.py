"""Findings as sentences of fact: each viewer reads what they may know, of findings of any shape and age."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import builders
from tests.builders import Json, untyped
from tests.tools.hall import changed, ephemeral, fight, hall_documents, linked

from turnwright import Campaign
from turnwright.model.state.overlay import World
from turnwright.model.viewer import GAME_MASTER, PARTY, Viewer
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.render.finding import (
    Reading,
    UndoneCall,
    describe_claim,
    describe_facts,
    describe_failure,
    describe_finding,
    marked,
)

UNKNOWN = "the record does not confirm this"
WOLF: Json = {"target_character_id": "wolf", "delta": -5}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """Give the hall in a fight with a wolf and a goblin who hides; Grik is in the cellar, Brom is hurt."""
    people = (
        linked("aria", 1, 1),
        linked("brom", 4, 1),
        ephemeral("wolf", 2, 1, hp=11),
        ephemeral("goblin", 9, 1, hp=7) | {"hidden": True},
    )
    values = hall_documents() | changed("grik", position="area_002") | changed("brom", hp=20) | fight(*people)
    with builders.begin(tmp_path_factory.mktemp("finding") / "hall", values) as campaign:
        yield campaign


def of(world: World, viewer: Viewer, **how: bool) -> Reading:
    """Return how a viewer reads the findings of a turn in which Aria acted."""
    return Reading(WorldKnowledge(world, viewer), "aria", **how)


def told(
    campaign: Campaign, finding: Json, viewer: Viewer = GAME_MASTER, *, is_applied: bool = True, is_now: bool = True
) -> str:
    with campaign.reading() as world:
        return describe_finding(finding, of(world, viewer, is_applied=is_applied, is_now=is_now))


def found(kind: str = "missing", /, actual: Json | None = None, **expected: Any) -> Json:
    return {"kind": kind, "claim": "as it was told", "tool": None, "expected": expected, "actual": actual}


def rolled(who: str, check: str, outcome: str, total_and_dc: tuple[int, int], /, **expected: Any) -> Json:
    """Return the finding of a text that is wrong about a roll in the record."""
    total, dc = total_and_dc
    actual = {"outcome": outcome, "check": check, "character_id": who, "total": total, "dc": dc}
    return found("mismatch", actual, **expected)


@pytest.mark.parametrize(
    ("finding", "of_table", "of_gm"),
    [
        (found(**WOLF), "Wolf is unhurt", "Wolf is unhurt, 11/11"),
        (
            found("mismatch", {"target_character_id": "wolf", "delta": -1, "new_hp": 10}, **WOLF),
            "Wolf is unhurt",
            "Wolf lost 1 hit point, and has 10 left",
        ),
        (
            found(target_character_id="brom", delta=-5),
            "the record shows no harm to Brom, who is hurt, 20/38",
            "the record shows no harm to Brom, who is hurt, 20/38",
        ),
        (
            found(target_character_id="brom", direction="healing"),
            "the record shows no healing of Brom, who is hurt, 20/38",
            "the record shows no healing of Brom, who is hurt, 20/38",
        ),
        (
            found("contradiction", {"state": "alive", "hp": 11}, character_id="wolf", state=["dead"]),
            "Wolf is unhurt",
            "Wolf is unhurt, 11/11",
        ),
        (found("contradiction", {"hp": 11}, character_id="wolf", hp=3), "Wolf is unhurt", "Wolf has 11 hit points"),
        (
            found("contradiction", {"max_hp": 11}, character_id="wolf", max_hp=30),
            "Wolf is unhurt",
            "Wolf is unhurt, 11/11",
        ),
        (
            found("contradiction", {"area_id": "area_002"}, character_id="grik", acts=True),
            "the record does not show this person here",
            "Grik is at Cellar",
        ),
        (
            found(target_character_id="goblin", delta=-5),
            "the record shows no loss of 5 hit points",
            "Goblin is unhurt, 7/7",
        ),
        (
            found("rejected", {"reason": "conflict"}, target_character_id="goblin", delta=-5),
            "the engine refused that",
            "Goblin is unhurt, 7/7",
        ),
        (found(to_area_id="area_002"), "Aria is at Great Hall", "Aria is at Great Hall"),
        (
            found(item="key", quantity=1, to="goblin", giver=None),
            "no such thing changed hands",
            "Goblin got no key",
        ),
        (
            found(
                "mismatch",
                {"item": "Rope", "quantity": 2, "from": None, "to": "brom"},
                item="rope",
                quantity=3,
                to="brom",
            ),
            "Brom got 2 things",
            "Brom got 2 x Rope",
        ),
        (
            found("invented_roll", {"faces": [4, 12]}, face=17),
            "no roll came to 17",
            "no roll came to 17 (thrown: 4, 12)",
        ),
        (
            rolled("wolf", "attack", "failure", (9, 15), outcome="hit", actor_id="wolf", target_id="aria"),
            "the attack of Wolf missed",
            "the attack of Wolf missed, 9 against 15",
        ),
        (
            rolled("aria", "attack", "success", (19, 15), outcome="critical hit", actor_id="aria"),
            "the attack of Aria hit, but was not critical",
            "the attack of Aria hit, but was not critical, 19 against 15",
        ),
        (
            rolled("goblin", "stealth", "success", (19, 12), outcome="failure", check="stealth", character_id="goblin"),
            UNKNOWN,
            "the Stealth check of Goblin succeeded, 19 against 12",
        ),
        (
            found("mismatch", {"outcome": "success", "check": "stealth", "character_id": "brom", "dc": 12}, dc=15),
            UNKNOWN,
            "it was against 12",
        ),
        (found(operation="add", character_id="lena"), "Lena is not in the party", "Lena is not in the party"),
        (found(operation="remove", character_id="brom"), "Brom is still in the party", "Brom is still in the party"),
        (found(current="brom"), "it is not Brom's turn", "it is not Brom's turn"),
        (found(round=3), "it is not round 3", "it is not round 3"),
        (
            found("forbidden"),
            "no text changes the rules, the map or the world: only calls do",
            "no text changes the rules, the map or the world: only calls do",
        ),
        (
            {"kind": "unspoken", "tool": "move", "expected": None, "actual": {}},
            "move was applied, and the text does not mention it",
            "move was applied, and the text does not mention it",
        ),
        (found("contradiction", {"weather": "rain"}, weather="sun"), UNKNOWN, UNKNOWN),
        ({"kind": "missing"}, UNKNOWN, UNKNOWN),
    ],
)
def test_a_finding_is_a_sentence_of_fact_for_each_viewer(
    hall: Campaign, finding: Json, of_table: str, of_gm: str
) -> None:
    assert told(hall, finding, PARTY) == of_table
    assert told(hall, finding) == of_gm


@pytest.mark.parametrize(
    ("finding", "claim", "fact"),
    [
        (
            found("mismatch", {"item": "Rope", "quantity": 1, "from": "aria", "to": "cyra"}, item="Rope", to="brom"),
            "Brom got something",
            "Cyra got something from Aria",
        ),
        (
            found("mismatch", {"item": "Rope", "quantity": 1, "from": "aria", "to": None}, item="Rope", to="brom"),
            "Brom got something",
            "Aria lost something",
        ),
        (
            found("mismatch", {"item": "Rope", "quantity": 1, "to": "brom"}, item="Rope", quantity=2, to="brom"),
            "Brom got 2 things",
            "Brom got 1 thing",
        ),
        (
            found("contradiction", {"state": "alive"}, character_id="brom", state=["dying", "dead", "unconscious"]),
            "Brom falls",
            "Brom is hurt, 20/38",
        ),
        (
            found("invented_roll", {"check": "athletics", "character_id": "brom", "total": 11}, total=22),
            "the Athletics check came to 22",
            "the Athletics check of Brom came to 11",
        ),
        (found("invented_roll", {"faces": [3, 8]}, total=22), "a roll came to 22", "no roll came to 22"),
        (
            found(
                "mismatch",
                {"outcome": "failure", "check": "dexterity save", "character_id": "brom"},
                outcome="success",
                check="dexterity save",
                character_id="brom",
            ),
            "the Dexterity save of Brom succeeded",
            "the Dexterity save of Brom failed",
        ),
    ],
)
def test_a_fact_is_taken_from_the_record_and_a_claim_from_the_text(
    hall: Campaign, finding: Json, claim: str, fact: str
) -> None:
    with hall.reading() as world:
        table = of(world, PARTY)
        assert (describe_claim(finding, table), describe_finding(finding, table)) == (claim, fact)


def test_a_failed_attack_is_of_who_attacked(hall: Campaign) -> None:
    call: UndoneCall = {"tool": "execute_action", "reason": "conflict"}
    with hall.reading() as world:
        told = describe_failure(call, {"actor_id": "aria", "target_id": "wolf"}, of(world, PARTY))
    assert told.startswith("the action of Aria was not taken: ")


def test_a_player_reads_numbers_of_their_own_character_alone(hall: Campaign) -> None:
    finding = found("contradiction", {"hp": 20}, character_id="brom", hp=3)
    assert told(hall, finding, Viewer.player("brom")) == "Brom has 20 hit points"
    assert told(hall, finding, Viewer.player("aria")) == "Brom is hurt"


def test_how_somebody_stands_is_not_told_once_something_was_done_since(hall: Campaign) -> None:
    assert told(hall, found(**WOLF), is_now=False) == "the record shows no harm to Wolf"
    assert told(hall, found(to_area_id="area_002"), is_now=False) == "the record shows no move to Cellar"


def test_what_was_not_applied_is_not_told_as_done(hall: Campaign) -> None:
    finding = found(
        "mismatch", {"target_character_id": "brom", "delta": -1, "new_hp": 19}, target_character_id="brom", delta=-4
    )
    assert told(hall, finding) == "Brom lost 1 hit point, and has 19 left"
    assert told(hall, finding, is_applied=False) == "Brom is hurt, 20/38"


def test_a_withheld_claim_names_nobody_whom_players_do_not_know(hall: Campaign) -> None:
    secret = found(target_character_id="goblin", delta=-5) | {"claim": "the goblin behind you bleeds"}
    known = found(target_character_id="brom", delta=-5) | {"claim": "the vampire bites Brom"}
    with hall.reading() as world:
        table, master = of(world, PARTY), of(world, GAME_MASTER)
        assert describe_claim(secret, table) == "someone lost 5 hit points"
        assert describe_claim(known, table) == "Brom lost 5 hit points"
        assert describe_claim(secret, master) == "'the goblin behind you bleeds'"


def test_at_most_so_many_facts_are_told_the_worst_first_and_none_twice(hall: Campaign) -> None:
    findings = [
        found("invented_roll", face=face) | {"severity": severity}
        for face, severity in ((1, "warn"), (2, "info"), (3, "error"), (3, "error"), (4, "warn"), (5, "warn"))
    ]
    assert [untyped(finding)["expected"]["face"] for finding in marked(findings)] == [3, 3, 1, 4, 5]
    with hall.reading() as world:
        facts = describe_facts(findings, Reading(WorldKnowledge(world, GAME_MASTER)), 3)
    assert facts == ["no roll came to 3", "no roll came to 1", "no roll came to 4 (and 1 more)"]


def test_what_failed_is_told_with_where_things_stand(hall: Campaign) -> None:
    blow: UndoneCall = {"tool": "hp_delta", "reason": "rule_violation", "detail": "the goblin is immune"}
    move: UndoneCall = {"tool": "move", "reason": "invalid_args", "detail": "no way to the vault"}
    check: UndoneCall = {"tool": "roll_check", "reason": "invalid_args", "detail": "dificulty is unknown"}
    with hall.reading() as world:
        table, master = of(world, PARTY), of(world, GAME_MASTER)
        told = "the hit points of Wolf were not changed: the rules of the game do not allow it; Wolf is unhurt"
        assert describe_failure(blow, {"target_character_id": "wolf"}, table) == told
        whole = "hp_delta failed: the goblin is immune; Wolf is unhurt, 11/11"
        assert describe_failure(blow, {"target_character_id": "wolf"}, master) == whole
        wrong = "the game master asked for it wrongly"
        told = f"the move was not made: {wrong}; Aria is at Great Hall"
        assert describe_failure(move, {"to_area_id": "area_009"}, table) == told
        assert describe_failure(check, {"character_id": "brom"}, table) == f"the check of Brom was not rolled: {wrong}"
        assert describe_failure(check, {"character_id": "goblin"}, table) == f"the check was not rolled: {wrong}"
        unknown = "'rest' was not done: this cannot be done as things stand"
        assert describe_failure({"tool": "rest"}, {}, table) == unknown


def test_a_total_is_no_die_and_a_natural_roll_is_one(hall: Campaign) -> None:
    stated = found("invented_roll", {"faces": [4]}, face=23) | {"claim": "rolled 23"}
    natural = found("invented_roll", {"faces": [4]}, face=20) | {"claim": "a natural 20"}
    assert told(hall, stated, PARTY) == "no roll came to 23"
    assert told(hall, natural, PARTY) == "no die showed 20"


def test_coins_are_counted_as_money(hall: Campaign) -> None:
    finding = found("mismatch", {"item": "gold", "quantity": 5, "to": "aria"}, item="gold", quantity=7, to="aria")
    assert told(hall, finding) == "Aria got 5 gold"


def test_which_rule_was_broken_is_told_of_the_own_character_alone(hall: Campaign) -> None:
    spent: UndoneCall = {
        "tool": "execute_action",
        "reason": "rule_violation",
        "detail": "the action of aria has been spent",
    }
    named = spent | {"detail": "aria cannot reach Grik"}
    own, of_others = {"actor_id": "aria"}, {"actor_id": "aria", "target_id": "wolf"}
    plain = "the rules of the game do not allow it"
    with hall.reading() as world:
        aria, brom = of(world, Viewer.player("aria")), of(world, Viewer.player("brom"))
        assert "the action of Aria has been spent" in describe_failure(spent, own, aria)
        assert plain in describe_failure(spent, own, brom)
        assert plain in describe_failure(spent, of_others, aria)
        assert plain in describe_failure(spent, {}, aria)
        assert plain in describe_failure(named, own, aria)


def test_of_a_text_that_was_read_a_thing_is_called_as_it_was_there(hall: Campaign) -> None:
    finding = found(item="iron key", quantity=1, to="aria") | {"claim": "Lena gives you the iron key"}
    with hall.reading() as world:
        read, withheld = (of(world, PARTY, has_read=has_read) for has_read in (True, False))
        assert describe_finding(finding, read) == "Aria got no iron key"
        assert describe_claim(finding, read) == "Aria got the iron key"
        assert describe_finding(finding, withheld) == "Aria got no such thing"
        assert describe_claim(finding, withheld) == "Aria got something"


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["goblin", "grik", "area_002", "wolf", "failure", "x"]),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
KEYS = (
    "target_character_id",
    "character_id",
    "delta",
    "new_hp",
    "hp",
    "hp_before",
    "max_hp",
    "state",
    "acts",
    "item",
    "quantity",
    "from",
    "to",
    "to_area_id",
    "from_area_id",
    "area_id",
    "operation",
    "quest_id",
    "rest_type",
    "current",
    "round",
    "is_over",
    "face",
    "faces",
    "outcome",
    "check",
    "total",
    "dc",
    "reason",
    "created_area_ids",
    "other",
)
SIDES = st.none() | JSONS | st.dictionaries(st.sampled_from(KEYS), JSONS, max_size=6)
KINDS = (
    "missing",
    "rejected",
    "mismatch",
    "invented_roll",
    "contradiction",
    "forbidden",
    "unspoken",
    "of a later time",
)


@given(kind=st.sampled_from(KINDS), expected=SIDES, actual=SIDES)
def test_no_finding_of_any_shape_tells_players_of_who_hides_or_is_elsewhere(
    hall: Campaign, kind: str, expected: Any, actual: Any
) -> None:
    finding = {"kind": kind, "claim": "Goblin, Grik and the Cellar", "expected": expected, "actual": actual}
    with hall.reading() as world:
        table, master = of(world, PARTY), of(world, GAME_MASTER)
        assert describe_finding(untyped(finding), master)
        for words in (describe_finding(untyped(finding), table), describe_claim(untyped(finding), table)):
            assert words
            assert not any(secret in words.lower() for secret in ("goblin", "grik", "cellar", "area_002"))
