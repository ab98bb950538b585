"""Claims of things, money, quests, party, rests, fights, and of people who cannot act: told, and not done."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import untyped
from tests.facts import findings
from tests.growth import ratio

import turnwright.narration.claims as claims_package
from turnwright.language.lexicon import lexicon
from turnwright.narration.facts import Effect, EffectKind, Fight, Quest
from turnwright.narration.verifier import CallOutcome, Facts, Person

MIRA, BRAN, LENA, GRIK, TOM = "pc_001", "pc_002", "lena", "grik", "tom"
MILL, HARBOUR = "area_001", "area_002"
PEOPLE = (
    Person(MIRA, "Mira Stone", "alive", "alive", 10, items=("Longsword", "Gold Piece")),
    Person(BRAN, "Bran", "alive", "alive", 8),
    Person(LENA, "Lena", "alive", "alive", 8, items=("Silver Key", "Potion of Healing")),
    Person(GRIK, "Grik", "dead", "dead", 0),
    Person("wolf", "Wolf", "unconscious", "unconscious", 0),
    Person(TOM, "Old Tom", "alive", "alive", 4, away="area_009"),
)
QUESTS = (Quest("quest-1", "Rats in the Cellar", "active"), Quest("quest-2", "The Lost Crown", "offered"))


def scene(*outcomes: CallOutcome, **known: Any) -> Facts:
    around: dict[str, Any] = {"party": frozenset({MIRA, BRAN}), "here": frozenset({MILL})}
    areas = {MILL: "Old Mill", HARBOUR: "Harbour"}
    return Facts(MIRA, PEOPLE, areas, outcomes, (), "scene_description", **(around | known))


def in_fight(*outcomes: CallOutcome) -> Facts:
    return scene(*outcomes, fight=Fight(frozenset({BRAN}), 2))


def call(
    tool: str, args: dict[str, Any], result: dict[str, Any] | None = None, reason: str | None = None
) -> CallOutcome:
    return CallOutcome(tool, args, reason is None, reason, (result or {}) if reason is None else {})


def item(operation: str, who: str, name: str, quantity: int = 1, **more: Any) -> CallOutcome:
    """Return a call of `manage_inventory`, applied unless a `reason` is given."""
    reason, kind = more.pop("reason", None), more.pop("kind", "misc")
    args = {"operation": operation, "character_id": who, "item_name": name, "quantity": quantity}
    result = {"operation": operation, "character_id": who, "quantity": quantity, "item": {"name": name, "type": kind}}
    if "to" in more:
        args["to_character_id"] = more["to"]
    return call("manage_inventory", args, result | {"from": who} | more, reason)


def hit(who: str, damage: int, before: int, **more: Any) -> CallOutcome:
    """Return an attack or spell of a fight that struck somebody."""
    struck = {"damage": {"final": damage}, "target_hp": {"before": before, "after": max(before - damage, 0), "max": 12}}
    return call("execute_action", {}, {"target": who, **struck, **more})


def quest(operation: str, quest_id: str = "quest-2", reason: str | None = None) -> CallOutcome:
    return call("manage_quest", {"operation": operation, "quest_id": quest_id}, {"quest": {"id": quest_id}}, reason)


def brief(text: str, of: Facts) -> list[tuple[str, str | None, str]]:
    return [(f["kind"], f["tool"], f["severity"]) for f in findings(text, of)]


ITEM = ("missing", "manage_inventory", "error")
QUEST = ("missing", "manage_quest", "error")
PARTY = ("missing", "manage_party", "warn")
REST = ("missing", "take_rest", "warn")
OVER = ("missing", "end_encounter", "warn")
TURN = ("missing", "advance_turn", "warn")
GHOST = ("contradiction", None, "warn")
ELSEWHERE = ("contradiction", "move", "warn")

TOLD = {
    ITEM: """
Lena hands you the silver key.
Lena gives you a brass compass.
Lena hands you the coil of rope.
Lena sells you the rope.
Lena hands the letter to you.
Lena passes Mira the potion of healing.
You give Lena the longsword.
You hand the sword over to Lena.
You give the guard a sealed letter.
You pick up the rope.
You pick the rope up and sling it over your shoulder.
Mira pockets the ruby.
You take the key from Lena.
The old man hands you a sealed letter.
You are given a rusty key.
Mira is handed a silver dagger by Lena.
The key is handed to you.
The map is added to your pack.
You add the map to your pack.
You drop the longsword.
You throw away the longsword.
Bran loses 2 health potions.
You return the ring to Lena.
You take 5 gold coins.
You pay Lena 5 gold pieces.
You pay the innkeeper 5 silver.
You pay 3 gp for the room.
Lena pays you 50 gold.
You receive 100 gold pieces.
Lena tosses Mira a purse of gold.
You earn 20 gold and 5 silver.
The room costs you 2 silver pieces.
Mira: +50 gold
You spend 15gp.
You loot 30 gold coins from the chest.
Lena slides 10 gold across the bar to you.
Lena presses the silver key into your palm.
Lena slips the silver key into Mira's hand.
"Take this silver key," she says, pressing it into your palm.
"Take this," Lena says, handing the silver key to you.
"Take this," Lena says, giving you the silver key.
You steal the silver key from Lena's belt.
Bran drops one of his torches.
Each of you gets 10 gold.
Lena takes your 5 gold.
""",
    QUEST: """
You accept the quest.
Mira accepts Lena's quest.
You accept The Lost Crown.
You complete the quest.
The quest is complete.
The quest is now complete.
You have completed the quest!
Quest accepted: find the crown.
Quest complete!
Lena offers you a quest.
Lena gives you a quest.
You fail the quest.
Lena gives you a quest to find her cat.
New quest: find the cat.
""",
    PARTY: """
Lena joins the party.
Lena joins your little group.
Lena has joined the party.
Lena joins you on your journey.
Bran leaves the party.
Bran has left the group.
Bran parts ways with you.
""",
    REST: """
You take a short rest.
The party takes a long rest.
You take a well-earned long rest.
You rest for an hour.
You make camp and sleep through the night.
Mira and Bran finish a long rest.
You rest until dawn.
You make camp and sleep until morning.
The party sleeps soundly until sunrise.
You all take a long rest.
""",
    GHOST: """
Grik attacks you.
Grik says nothing more than that; wait.
"You fools!" Grik snarls.
The wolf growls at you.
"Welcome," says Old Tom.
Old Tom grabs your arm.
"Hello," Old Tom whispers.
Mira has 3 hit points left.
You are at 2 HP.
You are down to seven hit points.
Mira is left with seven hit points.
You are at 7/12 HP.
Mira has 7 of 12 hit points left.
You were down to 7 HP.
""",
    ELSEWHERE: """
You are now in the Harbour.
You stand in the Harbour.
Mira waits at the Harbour.
""",
}
CLAIMS = [(text, expected) for expected, texts in TOLD.items() for text in texts.strip().splitlines()]
CLAIMS.remove(("Grik says nothing more than that; wait.", GHOST))
FIGHTS = {
    OVER: """
The battle is over.
The fight ends.
Combat has ended.
The combat is over and you catch your breath.
""",
    TURN: """
It is now Mira's turn.
It's your turn.
Mira's turn begins.
Round 3 begins.
Bran's turn ends.
Your turn ends.
You end your turn.
Mira ends her turn.
""",
}
FIGHT_CLAIMS = [(text, expected) for expected, texts in FIGHTS.items() for text in texts.strip().splitlines()]


@pytest.mark.parametrize(("text", "expected"), CLAIMS)
def test_what_is_told_and_not_done_is_found_once(text: str, expected: tuple[str, str, str]) -> None:
    assert brief(text, scene(quests=QUESTS if "Crown" in text else ())) == [expected]


@pytest.mark.parametrize(("text", "expected"), FIGHT_CLAIMS)
def test_what_is_told_of_a_fight_that_goes_on_is_found_once(text: str, expected: tuple[str, str, str]) -> None:
    assert brief(text, in_fight()) == [expected]


@pytest.mark.parametrize("text", [text for text, _ in FIGHT_CLAIMS])
def test_where_no_fight_goes_on_its_end_and_its_turns_are_only_talk(text: str) -> None:
    assert findings(text, scene()) == []


LURES = """
Lena offers you the silver key.
Lena could give you the key.
If you agree, Lena hands you the key.
Lena will give you 50 gold.
Will Lena give you the key?
Lena does not give you the key.
Lena refuses to hand over the key.
Lena hands you the key, but you decline.
"I'll give you 50 gold," says Lena.
"I hand you the key," says Lena.
"Lena gives you the key," the sign says.
Bran says Lena gives you the key.
Lena gives you a nod.
Lena gives you a warm smile and a long look.
Lena hands you your fate.
Lena sells you out.
Lena sells you a lie.
Lena sells you any sword you like.
The shop sells you any sword you like.
The shop sells you every sword you like.
Lena sells you any sword for 5 gold.
The shop sells you whatever sword you like.
You take a bag of flour as cover.
Lena gives you a bag of trouble.
Lena gives you two bags of time.
You take a coil of breath.
Lena slides a mug across the bar to you.
Lena slides the map across the table to you.
Lena slides down the rail to you.
Lena presses her hand into your palm.
Lena presses a kiss into your palm.
Lena slips into your room.
You press the silver key into the lock.
You slip the longsword into your hand.
"Quiet," she says, pressing it shut.
Lena says, pressing a finger to her lips, that Bran hands you the key.
"Gods," Bran says, taking the arrow in his shoulder.
"Hold it steady," Lena says, giving you the lantern to hold.
Lena shows the torn page of the letter and presses it into your hand.
You take the longsword from your belt.
One of your torches flickers.
You take one of the paths.
One of the guards hands the key to another.
You drink one of the ales.
Here is your reward, 20 gold.
Lena could sell you the rope.
Lena holds a bag of flour.
You see the coil of rope.
You give Lena your word.
You take a deep breath.
You take the stairs.
You take a seat.
You take cover behind the shield wall.
You take the lead.
Mira takes the ring road home.
Mira grabs her longsword and charges.
You take the longsword and swing it.
You pick a fight.
You pick your way through the rubble.
Mira draws her longsword.
You drop to your knees.
You drop your guard.
You drop the subject.
You lose your nerve.
You lose sight of the key.
You lose your balance and 5 arrows.
The key to victory is patience.
The sword costs 50 gold.
The innkeeper asks for 5 gold.
A reward of 500 gold is posted.
You see 30 gold coins on the table.
You have 20 gold left.
You pay attention to the map.
You pay your respects.
You pay the price.
Yesterday Lena gave you a key.
Lena had given you the silver key.
Lena gives the goblins hell.
The map shows a key landmark.
You throw the dagger at Grik.
You throw yourself down.
You present your case.
You deliver a speech.
Nobody hands you the key.
Lena tries to hand you the key.
Give Lena the key.
Pick up the rope or leave it.
A merchant sells a sword to a soldier.
You could accept the quest.
Do you accept the quest?
The quest awaits.
I could offer you a quest.
Lena asks whether you accept the quest.
If you accept the quest, you ride at dawn.
You refuse the quest, and Lena gives you a quest no more.
The quest is not complete.
You begin the long quest for answers.
You have already completed the quest.
You have not yet accepted the quest.
You decline the quest.
Lena accepts the quest.
Lena gives you no quest.
Lena has a quest for you.
I have a quest for you.
Lena could give you a quest to find her cat.
A new quest begins.
New quests are posted on the board.
New quests: none today.
New quest: none.
Quests completed: none.
You had completed the quest.
"Quest complete!" reads the sign.
Lena might join the party.
Lena wants to join your party.
Lena joins the fight.
Lena joins you at the table.
Will Lena join the party?
Bran joins the party.
Lena leaves the party.
Bran leaves the room.
Bran stays in the party.
The party leaves the inn.
Lena leaves the party of dancers.
You could take a short rest.
You need a long rest.
The rest of the party waits.
You rest your head on the table.
You rest assured.
You do not sleep.
Lena sleeps through the night.
Lena sleeps until dawn.
You wait until dawn.
You camp by the road until dawn, keeping watch; nobody sleeps.
You sleep badly until morning; nobody is the better for it.
Bran sleeps until dawn while you keep watch.
You could rest until dawn.
You rest until Bran returns.
You rest your eyes until morning.
You never rest until the job is done.
Until dawn the town sleeps.
Grik lies dead on the floor.
Grik falls.
Grik's corpse twitches.
You look at Grik.
Another goblin attacks.
The ghost of Grik says hello.
You hear Old Tom's voice in your head.
Old Tom's letter says to wait.
In your dream, Old Tom says hello.
Meanwhile, Old Tom says a prayer.
Old Tom arrives and says hello.
Old Tom would say no.
What would Old Tom say?
Old Tom says nothing.
You remember what Old Tom said.
Bran says hello.
Mira has 10 hit points.
You have 5 minutes left.
Mira has 3 daggers left.
Mira is left with 5 health potions.
You are left with 5 minutes to spare.
You are down to 3 torches.
You could be down to 3 hit points.
You are down to 10 hit points.
Mira is down to 3 HP from the top.
Mira is down to 3 health, in the game the children play.
You are at 10/12 HP.
Mira has 10 of 12 hit points left.
You can see the Harbour.
You are now in the Old Mill.
""".strip().splitlines()
FIGHT_LURES = """
The battle is not over.
Is the battle over?
The battle is far from over.
When the battle is over, you will rest.
The fight is over the crown.
A battle of wits ends.
The battle will end soon.
The old war is over.
It is Bran's turn.
It is now Bran's turn.
It's your turn to keep watch.
Is it Mira's turn?
Round 2 begins.
Your turn will come.
You turn around.
You end the conversation.
The corridor ends here.
Bran's luck turns.
""".strip().splitlines()
REFUSED = (
    item("transfer", LENA, "Silver Key", to=MIRA, reason="conflict"),
    quest("start", reason="conflict"),
    call("manage_party", {"operation": "add", "character_id": LENA}, reason="conflict"),
    call("take_rest", {"character_id": MIRA, "rest_type": "long"}, reason="rule_violation"),
    call("end_encounter", {"encounter_id": "e"}, reason="conflict"),
    call("advance_turn", {"encounter_id": "e"}, reason="conflict"),
)


def test_lures_are_no_claims_even_where_every_call_was_refused() -> None:
    told = {text: findings(text, scene(*REFUSED)) for text in LURES}
    assert {text: found for text, found in told.items() if found} == {}


@pytest.mark.parametrize("text", FIGHT_LURES)
def test_a_lure_about_fights_is_no_claim(text: str) -> None:
    assert findings(text, in_fight(*REFUSED)) == []


GIVEN = item("transfer", LENA, "Silver Key", to=MIRA)
PAID = item("give", MIRA, "Gold Piece", 50, kind="currency")


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("Lena hands you the silver key.", [GIVEN]),
        ("Lena hands you the key.", [GIVEN]),
        ("Lena presses something small into your palm. Lena gives you the trinket.", [GIVEN]),
        ("You pick up the rope.", [item("give", MIRA, "Rope (50 feet)")]),
        ("Lena hands you the coil of rope.", [item("give", MIRA, "Rope (50 feet)")]),
        ("Lena hands you two coils of rope.", [item("give", MIRA, "Coil of Rope", 2)]),
        ("Lena sells you a shield for 10 gold.", [item("give", MIRA, "Shield"), item("take", MIRA, "gp", 10)]),
        ("Lena hands you the silver key.", [item("take", LENA, "Silver Key"), item("give", MIRA, "Silver Key")]),
        ("Lena hands you a potion of speed.", [item("give", MIRA, "Potion of Speed")]),
        ("Lena slides 10 gold across the bar to you.", [item("give", MIRA, "Gold Piece", 10, kind="currency")]),
        ("Lena presses the silver key into your palm.", [GIVEN]),
        ("You steal the silver key from Lena's belt.", [GIVEN]),
        ("You drop two of your torches.", [item("take", MIRA, "Torch", 2)]),
        ("Lena gives you a quest to find her cat.", [quest("offer")]),
        ("New quest: find the cat.", [quest("offer")]),
        ("New quest: find the cat.", [quest("start")]),
        ("New quest: The Lost Crown.", []),
        ("You rest until dawn.", [call("take_rest", {"character_id": MIRA}, {"rest_type": "long"})]),
        ("You got a 17 on the check.", [call("roll_check", {}, {"natural": 12, "total": 17})]),
        ("Stealth check: 17.", [call("roll_check", {}, {"natural": 12, "total": 17})]),
        ("Your roll of 17 beats the lock.", [call("roll_check", {}, {"natural": 12, "total": 17})]),
        ("You take two daggers.", [item("give", MIRA, "Dagger"), item("give", MIRA, "Dagger")]),
        ("Lena hands Bran three torches. Each torch is soaked in pitch.", [item("give", BRAN, "torch", 3)]),
        ("Lena hands Bran three knives. Every knife is sharp.", [item("give", BRAN, "knife", 3)]),
        ("You take the longsword.", []),
        ("Mira drinks the potion.", [item("use", MIRA, "Potion of Healing")]),
        (
            "Mira quaffs a potion.",
            [call("execute_action", {"actor_id": MIRA}, {"actor": MIRA, "item": "Potion", "used": {}})],
        ),
        ("You drop the longsword.", [item("take", MIRA, "Longsword")]),
        ("Lena pays you 50 gold.", [PAID]),
        ("Lena pays you 50 gold pieces and 5 silver.", [PAID, item("give", MIRA, "Silver Piece", 5, kind="currency")]),
        ("You receive 5 gold.", [item("give", MIRA, "sp", 50, kind="currency")]),
        ("You pay Lena 5 gold.", [item("transfer", MIRA, "Gold Piece", 5, to=LENA, kind="currency")]),
        ("You pay Lena 5 gold.", [item("take", MIRA, "Gold Piece", 5, kind="currency")]),
        ("Lena takes your 5 gold.", [item("take", MIRA, "Gold Piece", 5, kind="currency")]),
        ("Lena takes your 5 gold.", [item("transfer", MIRA, "Gold Piece", 5, to=LENA, kind="currency")]),
        ("You pay 4 gold for the room. You pay 6 gold for the food.", [item("take", MIRA, "Gold Piece", 10)]),
        ("You pay 4 gold for the room and 6 gold for the food.", [item("take", MIRA, "Gold Piece", 10)]),
        ("Lena gives you and Bran 5 gold each.", [item("give", MIRA, "gp", 5), item("give", BRAN, "gp", 5)]),
        ("You buy a shield for 10 gold.", [item("give", MIRA, "Shield"), item("take", MIRA, "Gold Piece", 10)]),
        ("You accept the quest.", [quest("start")]),
        ("You accept the quest.", [call("manage_notes", {"operation": "add", "tags": ["quest", "active"]})]),
        ("You complete the quest.", [quest("complete")]),
        ("You accept The Lost Crown.", [call("start_quest", {"quest_id": "quest-2"})]),
        ("Lena offers you a quest.", [quest("offer")]),
        ("Lena joins the party.", [call("manage_party", {"operation": "add", "character_name": "lena"})]),
        ("You take a short rest.", [call("take_rest", {"character_id": MIRA}, {"rest_type": "short"})]),
        (
            "Everyone takes a long rest.",
            [
                call(
                    "take_rest",
                    {"batch": [{"rest_type": "long"}]},
                    {"results": [{"index": 0, "ok": True, "result": {"rest_type": "long"}}]},
                )
            ],
        ),
        ("You rest for an hour.", [call("take_rest", {"character_id": MIRA}, {"rest_type": "short"})]),
        ("Grik attacks you, and you cut him down.", [hit(GRIK, 5, 5)]),
        ('"Welcome," says Old Tom.', [call("move", {"actor_id": MIRA}, {"to_area_id": HARBOUR})]),
        ("You are now in the Harbour.", [call("move_party", {}, {"moved": True, "to": {"location_id": HARBOUR}})]),
        ("You enter the Harbour.", [call("output", {}, {"location_id": HARBOUR})]),
        ("You rolled 23.", [call("roll_check", {}, {"natural": 18, "total": 23})]),
        ("You discover a new chamber.", [call("manage_location", {"operation": "create", "name": "Chamber"})]),
    ],
)
def test_what_some_call_did_is_no_finding(text: str, outcomes: list[CallOutcome]) -> None:
    assert [f for f in findings(text, scene(*outcomes, quests=QUESTS)) if f["severity"] != "info"] == []


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("Mira takes 5 damage.", [hit(MIRA, 5, 10)]),
        (
            "Mira takes 8 damage.",
            [
                call(
                    "execute_action",
                    {},
                    {"targets": [{"target_id": MIRA, "damage": {"final": 8}, "target_hp": {"before": 10, "after": 2}}]},
                )
            ],
        ),
        ("Mira takes 9 damage.", [hit(MIRA, 9, 4)]),
        (
            "Mira takes 5 damage.",
            [
                call(
                    "execute_action",
                    {},
                    {"actor": MIRA, "opportunity_attacks": [{"attacker_id": "x", "result": "hit", "damage": 5}]},
                )
            ],
        ),
        (
            "Mira takes 7 damage.",
            [
                call(
                    "update_character", {"character_name": "mira stone", "hp": "-7"}, {"hp": {"before": 10, "after": 3}}
                )
            ],
        ),
        ("Mira takes 7 damage.", [call("manage_aura", {}, {"results": [{"target_id": MIRA, "damage_applied": 7}]})]),
        (
            "Mira takes 7 damage.",
            [call("advance_turn", {}, {"hazard_results": [{"target_id": MIRA, "damage_applied": 7}]})],
        ),
        (
            "Mira takes 7 damage.",
            [
                call(
                    "update_character",
                    {"batch": [{"character_id": BRAN}, {"character_id": MIRA}]},
                    {
                        "results": [
                            {"index": 0, "ok": False},
                            {
                                "index": 1,
                                "ok": True,
                                "result": {"character_id": MIRA, "hp": {"before": 10, "after": 3}},
                            },
                        ]
                    },
                )
            ],
        ),
        (
            "Mira regains 6 hit points.",
            [
                call(
                    "manage_inventory",
                    {"operation": "use"},
                    {"healing": {"target_id": MIRA, "total": 8, "healed": 6, "hp": 10, "max_hp": 10}},
                )
            ],
        ),
        (
            "Mira regains 8 hit points.",
            [
                call(
                    "manage_inventory",
                    {"operation": "use"},
                    {"healing": {"target_id": MIRA, "total": 8, "healed": 6, "hp": 10, "max_hp": 10}},
                )
            ],
        ),
        (
            "Mira regains 9 hit points.",
            [call("take_rest", {"character_id": MIRA}, {"hp_before": 1, "hp_after": 10, "healing": 9})],
        ),
        ("Mira takes 3 damage and falls back.", [call("output", {}, {"stress_delta": 3})]),
    ],
)
def test_hit_points_may_change_by_any_tool(text: str, outcomes: list[CallOutcome]) -> None:
    assert "error" not in [severity for *_, severity in brief(text, scene(*outcomes))]
    assert "error" in [severity for *_, severity in brief(text, scene())]


@pytest.mark.parametrize(
    ("text", "outcomes", "kind"),
    [
        ("Lena hands you the key.", [item("transfer", LENA, "Silver Key", to=MIRA, reason="conflict")], "rejected"),
        ("Lena hands you the key.", [item("transfer", LENA, "Silver Key", to=BRAN)], "mismatch"),
        ("Lena hands you the key.", [item("take", MIRA, "Silver Key")], "mismatch"),
        ("Lena hands you the key.", [item("give", MIRA, "silver key")], "mismatch"),
        ("You steal the silver key from Lena's belt.", [item("give", MIRA, "Silver Key")], "mismatch"),
        ("You drop two of your torches.", [item("take", MIRA, "Torch")], "mismatch"),
        ("Lena hands you the key.", [item("transfer", LENA, "Potion of Healing", to=BRAN)], "missing"),
        ("Lena hands you 3 daggers.", [item("give", MIRA, "Dagger")], "mismatch"),
        ("Lena hands you two coils of rope.", [item("give", MIRA, "Rope")], "mismatch"),
        ("Lena sells you a shield for 10 gold.", [item("give", MIRA, "Shield")], "missing"),
        ("Lena hands you 5 torches.", [item("give", MIRA, "torch", 3)], "mismatch"),
        ("Lena hands you 5 knives.", [item("give", MIRA, "Knife", 3)], "mismatch"),
        ("Lena pays you 50 gold.", [item("give", MIRA, "Gold Piece", 5, kind="currency")], "mismatch"),
        ("Lena pays you 50 gold.", [item("take", MIRA, "Gold Piece", 50, kind="currency")], "mismatch"),
        ("You pay 5 gold.", [item("take", MIRA, "Gold Piece", 5, kind="currency", reason="conflict")], "rejected"),
        ("You pay 4 gold.", [item("take", MIRA, "Gold Piece", 10, kind="currency")], "mismatch"),
        ("You accept The Lost Crown.", [quest("start", reason="conflict")], "rejected"),
        ("You accept The Lost Crown.", [quest("decline")], "mismatch"),
        ("You complete the quest.", [quest("complete", reason="rule_violation")], "rejected"),
        ("You take a long rest.", [call("take_rest", {"rest_type": "long"}, reason="rule_violation")], "rejected"),
        ("You take a long rest.", [call("take_rest", {}, {"rest_type": "short"})], "mismatch"),
        (
            "Lena joins the party.",
            [call("manage_party", {"operation": "add", "character_id": LENA}, reason="conflict")],
            "rejected",
        ),
        ("Mira takes 5 damage.", [call("execute_action", {"target_id": MIRA}, reason="conflict")], "rejected"),
        ("Mira takes 5 damage.", [hit(MIRA, 3, 10)], "mismatch"),
        (
            "You enter the Harbour.",
            [call("move_party", {"to_location_name": "Harbour"}, reason="conflict")],
            "rejected",
        ),
    ],
)
def test_what_a_call_did_otherwise_or_was_refused_is_held_against_it(
    text: str, outcomes: list[CallOutcome], kind: str
) -> None:
    quests = QUESTS if "Crown" in text else ()
    assert [f["kind"] for f in findings(text, scene(*outcomes, quests=quests)) if f["severity"] != "info"] == [kind]


@pytest.mark.parametrize(
    ("text", "outcomes", "kind"),
    [
        ("The battle is over.", [call("end_encounter", {}, reason="conflict")], "rejected"),
        ("It is now Mira's turn.", [call("advance_turn", {}, {"current": {"id": BRAN}, "round": 2})], "mismatch"),
        ("It is now Mira's turn.", [call("advance_turn", {}, reason="conflict")], "rejected"),
        ("You end your turn.", [call("advance_turn", {}, {"current": {"id": BRAN}, "round": 2})], None),
    ],
)
def test_a_fight_is_compared_with_its_own_calls(text: str, outcomes: list[CallOutcome], kind: str | None) -> None:
    assert [f["kind"] for f in findings(text, in_fight(*outcomes))] == ([kind] if kind else [])


def test_what_somebody_had_when_the_turn_began_is_told_in_the_past_only() -> None:
    healed = CallOutcome("hp_delta", {"target_character_id": MIRA, "delta": 7}, True, None, {"new_hp": 10})
    assert findings("You were down to 3 hit points.", scene(healed)) == []
    assert brief("You are down to 3 hit points.", scene(healed)) == [GHOST]


@pytest.mark.parametrize(
    ("text", "delta"),
    [
        ("Each of you loses two hit points.", -2),
        ("Each of you takes 3 damage.", -3),
        ("Each of you takes 3 damage, except Bran.", -3),
        ("Each of you takes 3 damage. Bran shrugs it off.", -3),
        ("The dart trap deals 3 damage to each of you. Resistance spares Bran.", -3),
        ("The dart trap deals 3 damage to each of you who failed.", -3),
        ("The dart trap deals 3 damage to each of you in the corridor.", -3),
        ("The dart trap deals 3 damage to each of you within ten feet.", -3),
        ("Each of you is healed to full.", 5),
        ("Each of you regains 5 hit points.", 5),
        ("Each of you regains 3 hit points by spending a hit die.", 3),
    ],
)
def test_what_is_told_of_each_is_borne_out_by_any_for_the_others_may_be_spared(text: str, delta: int) -> None:
    changed = CallOutcome("hp_delta", {"target_character_id": MIRA, "delta": delta}, True, None, {})
    assert findings(text, scene(changed)) == []
    assert [(f["kind"], f["severity"]) for f in findings(text, scene())] == [("missing", "error")]


def coins(who: str, pieces: int) -> CallOutcome:
    return item("give", who, "Gold Piece", pieces, kind="currency")


EACH = [
    "Each of you gets 10 gold.",
    "Lena pays each of you 10 gold.",
    "Mira and Bran get 10 gold each.",
    "Mira and Bran each get 10 gold.",
    "Mira and Bran receive 10 gold apiece.",
]


@pytest.mark.parametrize("text", EACH)
def test_what_each_gets_more_than_one_must_have_got_or_one_for_all(text: str) -> None:
    for done in ([coins(MIRA, 10), coins(BRAN, 10)], [coins(MIRA, 20)]):
        assert brief(text, scene(*done)) == []
    for done in ([coins(MIRA, 50), coins(BRAN, 50)], [coins(MIRA, 10)], [coins(MIRA, 10), coins(BRAN, 50)]):
        assert brief(text, scene(*done)) == [("mismatch", "manage_inventory", "error")]


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Each of you gets 10 gold. Bran gets 5 more for the singing.", [coins(BRAN, 5)]),
        ("Each of you gets 10 gold from Lena. Night falls. Under the table Bran finds 5 more.", [coins(BRAN, 5)]),
        ("Mira and Bran get 10 gold each. Night falls. Mira wins 4 gold at dice.", [coins(MIRA, 4)]),
        (
            "Each of you takes 10 gold, and you hand 5 of yours to Bran.",
            [item("transfer", MIRA, "Gold Piece", 5, to=BRAN, kind="currency")],
        ),
    ],
)
def test_who_gets_as_much_as_each_may_get_something_else_too(text: str, more: list[CallOutcome]) -> None:
    assert brief(text, scene(coins(MIRA, 10), coins(BRAN, 10), *more)) == []
    assert brief(text, scene(coins(MIRA, 10), coins(BRAN, 50), *more)) == [("mismatch", "manage_inventory", "error")]


def test_who_is_told_to_get_another_amount_than_each_may_get_that() -> None:
    text = "Each of you gets 10 gold. Bran, who came late, gets 5."
    assert brief(text, scene(coins(MIRA, 10), coins(BRAN, 5))) == []
    assert brief(text, scene(coins(MIRA, 10), coins(BRAN, 7))) == [("mismatch", "manage_inventory", "error")]


@pytest.mark.parametrize("who", [MIRA, BRAN])
def test_one_of_your_torches_comes_from_you_or_from_who_gives_it_away(who: str) -> None:
    torch = item("transfer", who, "Torch", to=LENA)
    assert brief("Bran gives Lena one of your torches.", scene(torch)) == []
    assert brief("Bran gives Old Tom one of your torches.", scene(torch)) == [("mismatch", "manage_inventory", "error")]
    assert brief("Bran drops one of your torches into the well.", scene(item("take", who, "Torch"))) == []
    lenas = scene(item("take", LENA, "Torch"))
    assert brief("Bran drops one of your torches into the well.", lenas) == [("mismatch", "manage_inventory", "error")]


@pytest.mark.parametrize(
    ("text", "name", "pieces"),
    [
        ("You buy a silver key from Lena.", "Silver Key", 1),
        ("Lena sells you a silver key.", "Silver Key", 1),
        ("You buy two potions of healing from Lena.", "Potion of Healing", 2),
        ("Lena hands you a second silver key, the twin of her own.", "Silver Key", 1),
        ("Lena hands you the second silver key.", "Silver Key", 1),
        ("Lena tosses you a spare key from the rack.", "Silver Key", 1),
    ],
)
def test_who_carries_a_thing_may_hand_over_another_of_its_kind(text: str, name: str, pieces: int) -> None:
    assert brief(text, scene(item("give", MIRA, name, pieces))) == []


@pytest.mark.parametrize("text", ["Lena hands you her silver key.", "You buy the silver key from Lena."])
def test_who_carries_it_still_has_not_handed_over_the_very_thing(text: str) -> None:
    assert brief(text, scene(item("give", MIRA, "Silver Key"))) == [("mismatch", "manage_inventory", "error")]


def test_you_all_are_the_party_and_everyone_is_whoever_is_there() -> None:
    (party,) = findings("Each of you gets 10 gold.", scene())
    assert untyped(party)["expected"]["to"] == [MIRA, BRAN]
    (everyone,) = findings("Everyone gets 10 gold.", scene())
    assert untyped(everyone)["expected"]["to"] == sorted(person.id for person in PEOPLE)


def lost(who: str, pieces: int) -> CallOutcome:
    return CallOutcome("hp_delta", {"target_character_id": who, "delta": -pieces}, True, None, {})


@pytest.mark.parametrize(
    "text",
    ["Mira and Bran lose 4 hit points each.", "Mira and Bran each take 4 damage.", "Mira and Bran take 4 damage each."],
)
def test_what_two_by_name_lose_each_both_have_lost(text: str) -> None:
    assert brief(text, scene(lost(MIRA, 4), lost(BRAN, 4))) == []
    assert brief(text, scene(lost(MIRA, 4))) == [("missing", "hp_delta", "error")]
    assert brief(text, scene(lost(MIRA, 4), lost(BRAN, 2))) == [("mismatch", "hp_delta", "error")]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Two arrows hit Mira for 4 damage each.", 8),
        ("Each arrow deals Mira 4 damage.", 8),
        ("Mira and Bran take 4 damage twice each.", 8),
        ("Mira and Bran take 4 damage each, but their shields absorb half.", 2),
        ("Mira and Bran are hit by two arrows for 4 damage each.", 8),
        ("Mira and Bran are hit by arrows for 4 damage each.", 8),
        ("Two arrows strike Bran and Mira for 4 damage each; the rest fly wide.", 8),
        ("Arrows strike Bran and Mira for 4 damage each.", 8),
    ],
)
def test_what_is_told_of_each_of_other_things_is_not_all_of_it(text: str, pieces: int) -> None:
    assert brief(text, scene(lost(MIRA, pieces), lost(BRAN, pieces))) == []


@pytest.mark.parametrize(
    "text",
    [
        "Bran and Mira each take 6 damage. Bran manages to halve it.",
        "Mira and Bran each take 6 damage. Bran, who made his save, takes only 3.",
        "Mira and Bran take 6 damage each. Resistant to fire, Bran shrugs off half.",
        "Mira and Bran take 6 damage each, though Bran feels most of it.",
        "Mira and Bran take 6 damage each. Bran's ring absorbs a little of it.",
    ],
)
def test_what_two_by_name_lose_each_may_be_less_for_one_where_the_text_goes_on_to_say_so(text: str) -> None:
    assert brief(text, scene(lost(MIRA, 6), lost(BRAN, 3))) == []
    assert brief(text, scene(lost(MIRA, 6)))[0] == ("missing", "hp_delta", "error")


def test_it_comes_from_who_had_it_or_from_who_hands_it_over() -> None:
    text = "Lena lifts the silver key from Bran's belt and slips it into your palm."
    people = tuple(replace(p, items=("Silver Key",) if p.id == BRAN else ()) for p in PEOPLE)
    for way in ((BRAN, MIRA),), ((BRAN, LENA), (LENA, MIRA)):
        steps = (item("transfer", giver, "Silver Key", to=taker) for giver, taker in way)
        assert brief(text, replace(scene(*steps), people=people)) == []
    assert ITEM in brief(text, replace(scene(), people=people))


def test_a_quest_on_offer_is_declined_by_a_call_and_no_other_is_there_to_be_declined() -> None:
    declined = (QUESTS[0], Quest("quest-2", "The Lost Crown", "declined"))
    two = (*QUESTS, Quest("quest-3", "The Cat", "offered"))
    for text in ("You decline the quest.", "You refuse the quest and walk out."):
        assert brief(text, scene(quests=QUESTS)) == [QUEST]
        assert brief(text, scene(quest("decline"), quests=declined)) == []
        assert brief(text, scene(quests=two)) == brief(text, scene()) == []
    for text in ("Bran declines the quest.", "You do not decline the quest.", "You decline a drink."):
        assert brief(text, scene(quests=QUESTS)) == []
    assert brief("You decline The Lost Crown.", scene(quests=two)) == [QUEST]


def test_what_the_turn_as_a_whole_changed_bears_a_claim_out() -> None:
    changed = (
        Effect(EffectKind.HP, who=MIRA, delta=-5, amounts=frozenset({5}), total=5, is_net=True),
        Effect(EffectKind.GOODS, who=MIRA, what=frozenset({"Brass Compass"}), delta=1, is_net=True),
        Effect(EffectKind.TRAVEL, who=MIRA, what=frozenset({HARBOUR}), is_net=True),
    )
    text = "Mira takes 5 damage. You pick up the compass. You enter the Harbour."
    assert findings(text, scene(changed=changed)) == []
    assert len(findings(text, scene())) == 3


def test_an_account_that_nobody_keeps_is_wrong_for_nobody() -> None:
    core = frozenset({"move", "hp_delta"})
    assert brief("Lena hands you the key.", scene(permitted=core)) == [("missing", "manage_inventory", "info")]
    assert brief("You accept the quest.", scene(permitted=core)) == [("missing", "manage_quest", "info")]
    assert brief("You take a long rest. Lena joins the party.", scene(permitted=core)) == []
    assert brief("Lena hands you the key.", scene(permitted=core, is_scene_game=True)) == []
    notes = scene(permitted=frozenset({"manage_notes"}))
    assert brief("You accept the quest.", notes) == [("missing", "manage_notes", "warn")]


def test_what_others_give_each_other_is_no_conflict() -> None:
    assert brief("Lena hands the key to Old Tom.", scene()) == [("missing", "manage_inventory", "warn")]


def test_who_fell_in_this_very_turn_may_have_acted_before() -> None:
    fallen = Person(GRIK, "Grik", "dead", "alive", 0)
    assert brief("Grik attacks you.", Facts(MIRA, (fallen,), {}, (), (), "scene_description")) == []


def test_two_who_share_a_name_are_not_taken_for_each_other() -> None:
    people = (Person("g1", "Goblin", "dead", "dead"), Person("g2", "Goblin Archer", "alive", "alive"))
    assert brief("The goblin attacks you.", Facts(MIRA, people, {}, (), (), "scene_description")) == []


def test_a_speaker_who_is_dead_or_absent_contradicts_what_it_says() -> None:
    for speaker, actual in ((GRIK, {"state": "dead"}), (TOM, {"area_id": "area_009"})):
        (finding,) = findings(' "Come in," comes the answer. ', scene(speaker=speaker))
        assert (finding["kind"], finding["actual"], finding["span"]) == ("contradiction", actual, [1, 29])
        assert findings("The yard lies still.", scene(speaker=speaker)) == []
    assert findings('"Come in."', scene(speaker=LENA)) == []


@pytest.mark.parametrize("text", ["I hand you the silver key.", '"Well." "I hand you the silver key," she says.'])
def test_who_speaks_for_itself_does_what_it_says_it_does(text: str) -> None:
    assert brief(text, scene(speaker=LENA)) == [ITEM]
    assert brief(text, scene()) == []
    assert brief(text, scene(GIVEN, speaker=LENA)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Here is your reward, 20 gold.", ITEM),
        ('"Here is your reward: 20 gold," she says.', ITEM),
        ('"Here are 20 gold pieces."', ITEM),
        ("Here's your silver key.", ITEM),
        ("I have a quest for you: kill the rat king.", QUEST),
        ('"I have a quest for you," she says.', QUEST),
    ],
)
def test_who_speaks_for_itself_hands_over_what_is_here_and_offers_what_it_has(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert brief(text, scene(speaker=LENA)) == [expected]
    assert brief(text, scene()) == []
    gone = tuple(replace(person, items=()) if person.id == LENA else person for person in PEOPLE)
    done = scene(GIVEN, coins(MIRA, 20), quest("offer"), speaker=LENA)
    assert brief(text, replace(done, people=gone)) == []


def test_who_speaks_for_itself_joins_the_party_by_a_call() -> None:
    assert brief("I join the party.", scene(speaker=LENA)) == [PARTY]
    added = call("manage_party", {"operation": "add", "character_id": LENA})
    assert findings("I join the party.", scene(added, speaker=LENA, party=frozenset({MIRA, BRAN, LENA}))) == []
    assert findings("I will join the party.", scene(speaker=LENA)) == []


def test_a_quest_that_is_on_offer_already_may_be_spoken_of() -> None:
    assert findings("I have a quest for you.", scene(speaker=LENA, quests=QUESTS)) == []


@pytest.mark.parametrize(
    "text",
    [
        '"Here is my price: 20 gold."',
        '"Here is my offer, 20 gold."',
        '"Here is my silver key."',
        '"Here is the silver key."',
        '"Here is your longsword."',
        '"If you help me, here is 20 gold."',
        '"Here is where the key lies."',
        '"Take this silver key."',
        '"I have no quest for you."',
        '"I had a quest for you."',
        '"Do I have a quest for you?"',
        '"I have a quest of my own."',
        '"I accept your quest."',
    ],
)
def test_who_speaks_for_itself_may_show_and_offer_things(text: str) -> None:
    assert findings(text, scene(speaker=LENA)) == []


@pytest.mark.parametrize(
    "text",
    ['"I will hand you the key."', '"I gave you the key."', '"Do I hand you the key?"', '"If I hand you the key, go."'],
)
def test_who_speaks_of_something_else_does_nothing(text: str) -> None:
    assert findings(text, scene(speaker=LENA)) == []


def test_an_earlier_text_leaves_nothing_to_be_blamed_or_unspoken() -> None:
    told = CallOutcome("hp_delta", {"target_character_id": MIRA, "delta": -3}, True, None, {"new_hp": 7}, told=True)
    assert findings("Mira takes 3 damage.", scene(told)) == []
    assert [f["kind"] for f in findings("Mira takes 5 damage.", scene(told))] == ["missing"]
    assert findings("Silence.", scene(told)) == []


def test_a_text_in_another_language_is_not_said_to_leave_something_out() -> None:
    hurt = CallOutcome("hp_delta", {"target_character_id": BRAN, "delta": -3}, True, None, {"new_hp": 7})
    assert findings("La lluvia cae sobre los tejados rojos del viejo molino.", scene(hurt)) == []
    assert len(findings("Rain sings on the red roofs of a quiet street.", scene(hurt))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The Harbour closes its jaws of wood and tar about them.",
        "The planks of the Harbour creak under Mira's boots, the open water glittering beyond.",
        "The Harbour. Mira has reached it at last.",
        "Ur standing in the Harbour, torch in hand.",
    ],
)
def test_a_place_that_takes_the_party_in_is_told_as_where_they_are(text: str) -> None:
    assert [(found["kind"], found["tool"]) for found in findings(text, scene())] in (
        [("contradiction", "move")],
        [("missing", "move")],
    )


@pytest.mark.parametrize(
    "text",
    [
        "Lena comes out of the Harbour and greets you.",
        "A song drifts from the Harbour and surrounds you.",
        "The Harbour's owner greets you with a nod.",
        "The noise of the Harbour rises behind them.",
        "The planks of the Harbour creak under Lena's boots.",
        "The Harbour? You have reached it before, in better weather.",
    ],
)
def test_what_comes_from_a_place_tells_nothing_of_where_they_are(text: str) -> None:
    assert not [found for found in findings(text, scene()) if found["severity"] != "info"]


def rest(who: str, kind: str) -> CallOutcome:
    """Return a call of `take_rest` that was applied."""
    return call("take_rest", {"character_id": who, "rest_type": kind}, {"character_id": who, "rest_type": kind})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It shows: the long rest has done its work.", "short"),
        ("Mira sleeps the whole night through, long rest done.", "short"),
        ("Ok, short rest for Mira, that's an hour gone, the sun's still up.", "long"),
        ("REST: long", "short"),
        ("You've slept, and the porridge is hot.", None),
    ],
)
def test_a_rest_of_another_kind_than_was_taken_is_found(text: str, told: str | None) -> None:
    outcomes = [] if told is None else [rest(MIRA, told)]
    found = [one for one in findings(text, scene(*outcomes)) if one["severity"] != "info"]
    assert [one["tool"] for one in found] == ["take_rest"]


@pytest.mark.parametrize(
    "text",
    [
        "If you take a long rest everyone's full. But thats the whole night gone.",
        "The cat sleeps by the fire the whole night through.",
        "There is a night's sleep waiting upstairs.",
        "You have not slept since the feast.",
        "Rest: short or long? Tell me.",
    ],
)
def test_a_rest_of_others_or_to_come_is_none(text: str) -> None:
    assert not [found for found in findings(text, scene()) if found["severity"] != "info"]


def test_sleep_that_never_came_is_held_against_a_rest() -> None:
    for text in ("Sleep came not to Mira that night.", "Nobody gained the smallest rest."):
        assert [one["tool"] for one in findings(text, scene(rest(MIRA, "long")))] == ["take_rest"]


def test_every_word_list_that_a_claim_asks_for_exists() -> None:
    words = lexicon("en")
    assert words is not None
    source = "\n".join(path.read_text() for path in sorted(Path(claims_package.__file__).parent.glob("*.py")))
    lists = set(re.findall(r'(?:has|said_in)\([^"\n]*"([a-z_.]+)"', source)) - {"coin", "complete"}
    groups = set(re.findall(r'is_verb\("([a-z_.]+)"', source))
    assert len(lists) > 50
    assert len(groups) > 30
    assert lists <= set(words.lists) | set(words.phrases)
    assert groups <= set(words.lemmas)
    assert {verb for group in words.lemmas.values() for verb in group} <= {verb.lemma for verb in words.verbs.values()}


SOUP = [word for text, _ in [*CLAIMS, *FIGHT_CLAIMS] for word in text.split()]
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(sorted(set(SOUP))), max_size=40).map(" ".join),
    st.lists(st.sampled_from([text for text, _ in CLAIMS] + LURES), max_size=4).map(" ".join),
)
KEYS = [
    "target_id",
    "target",
    "target_hp",
    "hp",
    "before",
    "after",
    "max",
    "damage",
    "final",
    "item",
    "name",
    "type",
    "quantity",
    "operation",
    "character_id",
    "to",
    "from",
    "results",
    "batch",
    "index",
    "ok",
    "result",
    "moved",
    "location",
    "quest",
    "title",
    "note",
    "tags",
    "current",
    "id",
    "round",
    "cost_applied",
    "coin_delta",
    "used",
    "healed",
    "healing",
    "total",
    "hp_before",
    "hp_after",
    "stress_delta",
    "delta",
    "target_character_id",
    "rolls",
    "natural",
    "rest_type",
]
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.sampled_from([MIRA, "give", "Key", 3])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)),
    max_leaves=12,
)
TOOLS = [
    "hp_delta",
    "move",
    "manage_inventory",
    "execute_action",
    "update_character",
    "manage_quest",
    "manage_notes",
    "manage_party",
    "move_party",
    "take_rest",
    "advance_turn",
    "end_encounter",
    "use_scroll",
    "manage_location",
    "output",
    "answer",
    "roll_death_save",
    "get_character",
]
OBJECTS = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6)
CALLS = st.builds(
    lambda tool, args, result, done: CallOutcome(
        tool, args, done, None if done else "conflict", result if done else {}
    ),
    st.sampled_from(TOOLS),
    OBJECTS,
    OBJECTS,
    st.booleans(),
)


@given(TEXTS, st.lists(CALLS, max_size=3), st.booleans(), st.sampled_from([None, LENA, GRIK, "nobody"]))
def test_no_text_and_no_call_of_any_shape_is_too_much(
    text: str, calls: list[CallOutcome], fighting: bool, speaker: str | None
) -> None:
    of = scene(*calls, quests=QUESTS, speaker=speaker, fight=Fight(frozenset({BRAN}), 2) if fighting else None)
    found = findings(text, of)
    assert found == findings(text, of)
    for finding in found:
        start, end = finding["span"]
        assert 0 <= start <= end <= len(text)


@pytest.mark.parametrize(
    "unit", ["Lena hands you the silver key. ", "you accept the quest and ", '"I hand you the key" ', "5 gold and "]
)
def test_what_a_text_holds_beyond_what_is_read_costs_next_to_nothing(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.language.tokens.MAX_READ_LENGTH", 4_000)

    def read(size: int) -> Callable[[], object]:
        text = (unit * size)[:size]
        return lambda: findings(text, scene(*REFUSED, speaker=LENA))

    assert ratio(read(100_000), read(4_000), 10) < 10


LOOSE_TRANSFERS = [
    "You find a ruby ring in the gutter and pocket it.",
    "Mira finds a brass lantern and stuffs it in her pack.",
    "You find a ruby ring and slip it on your finger.",
    "A courier presses a sealed letter into Mira's hands.",
]


@pytest.mark.parametrize("text", LOOSE_TRANSFERS)
def test_a_thing_found_and_kept_that_no_call_gave_is_a_warning(text: str) -> None:
    found = [finding for finding in findings(text, scene()) if finding["severity"] != "info"]
    assert [(finding["kind"], finding["severity"]) for finding in found] == [("missing", "warn")]


HANDLED = [
    "Mira lifts the lid and puts it down again.",
    "You find a ruby ring, look at it, and leave it where it lies.",
    "A courier waves a sealed letter at Mira.",
]


@pytest.mark.parametrize("text", HANDLED)
def test_a_thing_that_is_only_handled_changes_no_owner(text: str) -> None:
    assert [finding for finding in findings(text, scene()) if finding["severity"] != "info"] == []
