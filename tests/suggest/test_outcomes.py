"""How rolls came out, who falls and who stands, and how many hit points are left: told otherwise than it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.facts import findings
from tests.suggest.test_claims import BRAN, HARBOUR, LENA, MILL, MIRA, PEOPLE, call, item, scene

from turnwright.narration.claims import KINDS
from turnwright.narration.facts import Fight, Person
from turnwright.narration.verifier import CallOutcome, Facts


def attack(result: str, natural: int) -> CallOutcome:
    """Return Bran's attack at the wolf."""
    rolled = {"result": result, "natural": natural, "rolls": [natural], "total": natural + 5, "target_ac": 12}
    return call("execute_action", {"actor_id": BRAN}, {"actor": BRAN, "target": "wolf", "attack": rolled})


def check(kind: str, natural: int, **more: Any) -> CallOutcome:
    """Return a check or save of Mira's at 2 more than the die, against 12."""
    rolled = {"check_type": kind, "natural": natural, "rolls": [natural], "total": natural + 2, "dc": 12}
    return call(
        "roll_check", {"character_id": MIRA}, {**rolled, "success": natural + 2 >= 12, "ability": "dex", **more}
    )


def death_save(natural: int) -> CallOutcome:
    outcome = "success" if natural >= 10 else "failure"
    told = {"character": MIRA, "natural": natural, "rolls": [natural], "total": natural, "outcome": outcome}
    return call("roll_death_save", {"character_id": MIRA}, told)


def rest(**told: Any) -> CallOutcome:
    return call("take_rest", {"character_id": MIRA}, {"rest_type": "long", "interrupted": False, **told})


def told(text: str, of: Facts) -> list[tuple[str, Any, Any]]:
    return [(f["kind"], f["expected"], f["actual"]) for f in findings(text, of) if f["severity"] != "info"]


HIDDEN, SEEN = scene(check("skill", 15, skill="stealth")), scene(check("skill", 3, skill="stealth"))
SAVED, CAUGHT = scene(check("save", 15)), scene(check("save", 3))
HIT, MISSED = scene(attack("hit", 14)), scene(attack("miss", 4))
CRITICAL = scene(attack("critical_hit", 20))
HELD, SLIPPED = scene(death_save(15)), scene(death_save(3))
RESTED, WOKEN = scene(rest()), scene(rest(interrupted=True))
MOVED = scene(call("move", {"actor_id": MIRA}, {"to_area_id": MILL, "from_area_id": HARBOUR}))
PAID = scene(item("take", MIRA, "Gold Piece", 5, kind="currency"))
GIVEN = scene(item("transfer", LENA, "Silver Key", to=MIRA))
IN_FIGHT = scene(fight=Fight(frozenset({BRAN}), 2, (17, 12)))
NONE = scene()
_FALLEN = Person(MIRA, "Mira Stone", "dying", "dying", 0)
DYING = replace(NONE, people=(_FALLEN, *PEOPLE[1:]), permitted=frozenset({"roll_death_save"}))
HURT = scene(call("hp_delta", {"target_character_id": BRAN}, {"delta": -2, "hp_before": 10, "hp_after": 8}))
ARM_WRESTLED = scene(check("skill", 15, skill="athletics"))

SCENES = {name: value for name, value in globals().items() if isinstance(value, Facts)}
LIES = {
    "SEEN": """
Nobody clocks you.
Mira succeeds on her Stealth check.
You pass the Stealth check easily.
The Stealth check is a success.
Stealth check: success!
Success! You slip past.
A clear success.
You succeed.
Your Stealth check succeeds.
**Stealth check**: 5 vs DC 12 — Success!
(Stealth: 3 + 2 = 5 vs DC 12 — success)
Stealth (5 vs DC 12): success
Stealth: 17 vs DC 12. Failure.
[Stealth check: 17 — success]
Mira's Stealth check of 17 beats the DC.
With a 17 on her Stealth check, Mira slips past.
Mira makes her Stealth check.
Your Stealth check succeeds with a total of 17.
You roll a 17 for Stealth.
Stealth (17): You slip past.
Stealth check (DC 12): 17 — pass.
Stealth check: 3 + 2 = 5 against DC 5, success
The lookout never notices you.
You manage to slip past.
""",
    "CAUGHT": """
You succeed on the saving throw.
You make your Dexterity save.
Mira makes the save and takes half.
Your saving throw succeeds.
DEX save: 17 vs DC 12 - saved
Dexterity saving throw: 19, success!
""",
    "HIT": """
The blow slides off its hide and does it no injury.
Bran's axe comes down for a critical hit.
The wolf reels: a crit!
Thanks to that crit, the wolf reels.
Bran's blade goes wide.
Bran misses the wolf.
The arrow goes wide.
Bran misses.
The wolf dodges the blow.
The wolf sidesteps Bran's swing.
Bran's attack misses the wolf.
Attack: 19 vs AC 12 - miss
A critical hit!
Critical hit! The wolf howls.
Bran lands a critical hit on the wolf.
A miss.
The blow glances off the wolf's hide.
Bran swings, but his blade finds only air.
Bran fumbles: a critical miss.
""",
    "MISSED": """
The blade sinks to the hilt in the wolf's hide, a blow that everybody warns about, and it limps back.
What a blow, and it lands.
Steel finds fur.
Cold iron enters its shoulder.
Bran hits the wolf.
Bran's blade bites deep.
A hit!
Bran's axe strikes the wolf.
The blow lands.
Bran's arrow finds its mark.
The arrow strikes true.
The wolf is hit.
The wolf is struck by Bran's sword.
Bran lands a solid blow on the wolf.
Bran scores a hit.
""",
    "SLIPPED": """
Rolling death save... 16 - success!
You succeed on your death save.
Death save: 15, success.
Mira makes her death saving throw.
""",
    "HIDDEN": """
Mira fails her Stealth check.
The guard spots you at once.
To no avail: the board creaks.
Stealth: 17 vs DC 12. Failure.
A failure.
""",
    "SAVED": """
Mira fails her saving throw.
The blast catches you square in the chest, full force.
DEX save: 17 vs DC 12 - failed
""",
    "CRITICAL": """
Bran fumbles.
Bran misses the wolf.
A critical miss!
""",
    "HELD": """
Mira fails her death save.
Death save: 15, failure.
Mira slips closer to death.
""",
    "RESTED": """
Nobody sleeps a wink.
You get no rest.
You take a short rest.
""",
    "WOKEN": """
You wake refreshed.
You take a long rest.
You rest without event.
""",
    "MOVED": """
You turn back.
You never leave the Harbour.
You stay put.
""",
    "PAID": """
You keep your gold.
It is on the house.
Lena waves the coins away.
""",
    "GIVEN": """
Lena gives you the silver key and a brass compass.
""",
    "IN_FIGHT": """
Bran hits the wolf.
Initiative: Bran 17, Wolf 9.
""",
    "DYING": """
Mira sits up and, would you believe it, asks for beer.
Mira stands her ground.
And with that Mira is dead.
Mira dies, here in the mud.
Too late: Mira is dead, and cold.
Mira has drawn her last breath.
""",
    "HURT": """
Bran just got battered down to 3.
Bran's now at 3.
Bran 3 Mira 10. Next!
""",
    "NONE": """
Wisdom saves, everybody. Bran fails.
Everybody roll Perception. Okay: Mira succeeds.
The insight check went poorly for Mira.
Defeated this round: Bran
Bran's down.
Bran hits the floor. Unconscious.
- Bran: save failed, defeated
Bran slumps to the ground, defeated.
Bran slides senseless down the wall.
Mira falls unconscious.
Bran is defeated.
Bran goes down.
Bran is knocked out.
You pass out.
Bran collapses unconscious.
Bran is knocked unconscious.
The blow knocks Bran unconscious.
You defeat Bran.
Bran breathes his last.
The wolf's bite leaves Bran at 3 hit points.
HP: 10 -> 4
Mira's HP: 10 -> 4
Mira (4/12 HP)
Mira winces (4/12 HP).
Mira staggers, down to 4 HP.
Mira: 4 HP
Bran HP: 8 → 2
Mira HP 10 → 4/12
**HP:** 4/12
Mira is at 4 of 12 hit points.
leaving Mira with 4 hit points.
Ada spends. You spend a total of 17 gold pieces.
The captain pays you the promised hundred gold.
The captain pays you two hundred gold.
It costs you 5 gold for the room, and you pay.
You are 50 gold richer.
The smith wraps the iron sword in cloth and hands it to you.
You rest without event.
After a short rest you feel better.
A short rest later, you feel better.
Your long rest is over.
You push through the heavy doors into the warmth of the Harbour.
You find yourself in the Harbour.
You step out into the Harbour.
""",
}
HONEST = {
    "SEEN": """
Mira fails her Stealth check.
You fail the Stealth check.
Stealth check: 5 vs DC 12 - failure.
(Stealth: 3 + 2 = 5 vs DC 12 — failure)
A failure.
You rolled a 3 on your Stealth check, for a total of 5.
You fail to notice the guard and step on a twig.
You don't succeed.
If you succeed on a Stealth check, you may pass.
Make a Stealth check, DC 12.
Your Stealth is good, but not tonight: 5 against a DC of 12.
Stealth check: 5 (3 + 2). You fail.
You need a 12 to succeed.
Success would have been sweet.
""",
    "HIT": """
It never knew what hit it.
A solid hit, a little short of a critical.
So close to a crit: a 14, and a hit.
Anything but a crit, yet it lands.
One point short of a crit, Bran still hits.
There is red on its flank that was not there before.
The blade goes through the leather and into the wolf's flank.
Bran hits the wolf.
Bran's blade bites deep.
A hit!
Attack: 19 vs AC 12 - hit!
Bran's axe strikes the wolf.
Bran is critically important to the town.
The wolf dodges aside, but the blade finds its mark.
You miss home.
""",
    "MISSED": """
The wolf takes one lazy step back.
Steel finds nothing but fog.
Bran wants the steel to find fur.
Bran misses the wolf.
Bran strikes at the wolf, but the blow glances off.
Bran's axe strikes the wolf's collar and glances off.
Bran swings at the wolf.
The blade bites into the doorframe.
Bran attacks the wolf.
Bran hits the floor.
""",
    "HIDDEN": """
Mira succeeds on her Stealth check.
The guard notices nothing, and you slip past.
Stealth: 17 vs DC 12. Success!
""",
    "SAVED": """
Mira leaps clear in time.
You make the save.
DEX save: 15 + 2 = 17 vs DC 12 - success
""",
    "CRITICAL": """
A critical hit!
Bran rolls a natural 20.
Bran hits the wolf.
""",
    "HELD": """
Mira breathes! A 15 on the die.
Mira succeeds on her death save.
Death save: 15, success.
""",
    "RESTED": """
You wake refreshed.
You take a long rest.
After a long rest you feel better.
You sleep soundly until dawn.
""",
    "WOKEN": """
Your rest is interrupted.
You wake with a start; it is no rest at all.
""",
    "MOVED": """
You enter the Old Mill.
You leave the Harbour behind.
""",
    "PAID": """
You pay 5 gold.
Lena wanted to give it for free, but you pay 5 gold.
""",
    "GIVEN": """
Lena takes the silver key from its hook and hands it to you.
You now have the silver key.
The silver key is yours.
""",
    "IN_FIGHT": """
Initiative: Bran 17, Wolf 12.
Bran swings at the wolf.
""",
    "DYING": """
Mira is hanging in there.
Mira lies dying in the mud.
Mira is not dead. Not yet.
Mira will be dead by nightfall.
Bran fears that Mira is dead.
Mira lies there, one hand still on her belt, still breathing.
Dying: Mira
""",
    "HURT": """
Bran just got battered down to 8.
Bran's now at 8.
Bran is hit. Dying: nobody
Bran 8 Mira 10. Next!
""",
    "ARM_WRESTLED": """
Arm wrestling: Mira 17, Bran 15.
""",
    "NONE": """
The torch gutters and dies, one less in your pack.
A cat gets in and sleeps on Bran's feet.
Everybody, roll a Dexterity save. If Bran fails, he drops the lamp.
Make a Stealth check, Bran; when you succeed, tell me.
Mira hopes the Stealth check goes well.
Defeated this round: Grik
Dying: no longer
Conscious: Mira, Bran
Bran's down to his last arrow.
Bran isn't down. Hurt, but not unconscious.
Bran thinks of his brother, dead in a far-off ditch.
Bran staggers, half dead, but standing.
If Bran goes down, unconscious, who picks the locks?
Down, boy!
Bran goes down to the cellar.
Bran goes down the stairs.
Mira: 10 HP
Mira (10/12 HP)
HP: 10/12
Mira is not defeated.
The wolf falls unconscious.
Grik goes down.
You pass out of the gate.
Bran passes out flyers.
Bran collapses onto the bed.
Bran is down for it.
You are down the hall.
The lamp goes out.
You beat the drum.
You beat Bran at cards.
You beat Bran to the door.
Bran beats the odds.
You defeat the purpose.
""",
}


def rows(texts: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, text) for name, block in texts.items() for text in block.strip().splitlines()]


@pytest.mark.parametrize(("name", "text"), rows(LIES))
def test_what_came_out_otherwise_than_told_is_found(name: str, text: str) -> None:
    assert told(text, SCENES[name])


@pytest.mark.parametrize(("name", "text"), rows(HONEST))
def test_what_came_out_as_told_is_no_finding(name: str, text: str) -> None:
    assert told(text, SCENES[name]) == []


def test_a_finding_of_an_outcome_holds_what_was_said_and_the_roll() -> None:
    expected = {"outcome": "success", "check": "stealth", "character_id": MIRA}
    roll = {"outcome": "failure", "check": "stealth", "character_id": MIRA, "natural": 3, "total": 5, "dc": 12}
    assert told("Mira succeeds on her Stealth check.", SEEN) == [("mismatch", expected, roll)]


def test_a_finding_of_an_attack_holds_who_and_whom() -> None:
    expected = {"outcome": "miss", "actor_id": BRAN, "target_id": "wolf"}
    roll = {"outcome": "success", "check": "attack", "character_id": BRAN, "natural": 14, "total": 19, "dc": 12}
    assert told("Bran misses the wolf.", HIT) == [("mismatch", expected, {**roll, "target_id": "wolf"})]


def test_a_finding_of_hit_points_holds_both_numbers() -> None:
    found = [("contradiction", {"character_id": MIRA, "hp": 4}, {"hp": 10})]
    assert told("The blow leaves Mira at 4 hit points.", NONE) == found


def test_a_refused_check_did_not_succeed() -> None:
    refused = call(
        "roll_check", {"character_id": MIRA, "check_type": "skill", "skill": "stealth"}, reason="rule_violation"
    )
    kinds = [kind for kind, *_ in told("Mira succeeds on her Stealth check.", scene(refused))]
    assert kinds == ["rejected"]


def test_a_check_that_nobody_made_is_missing() -> None:
    assert [kind for kind, *_ in told("Mira succeeds on her Stealth check.", NONE)] == ["missing"]


def test_every_kind_of_claim_has_a_name_of_its_own() -> None:
    names = [kind.name for kind in KINDS]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)
