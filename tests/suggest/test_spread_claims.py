"""Claims that no single verb makes: told over several clauses, by what was brought in, or by what a blow meets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.suggest.narration_scenes import Call, Row, play


def turn(scene: str, kind: str, *dice: int, tool: str | None = None, **args: Any) -> Row:
    calls = () if tool is None else (Call(tool, args, "applied"),)
    return Row("", "tune", scene, calls, dice, "", "honest", kind)


NOTHING = turn("town", "thing")
STRIKE = {"encounter_id": "encounter-1", "actor_name": "Brakka", "action_type": "attack", "target_name": "Grell"}
HIT = turn("fight", "attack", 13, 5, tool="execute_action", **STRIKE, attack_bonus=5, damage_expression="1d8+3")
ALLEY = turn("town", "dice", 3, tool="roll_dice", expression="1d4")
ASKED = turn("inn", "dice", 6, tool="roll_check", character_name="Nim", check_type="skill", skill="persuasion", dc=15)
TO_THE_EEL = turn("town", "move", tool="move_party", to_location_name="Gilded Eel")
ROPE = {"operation": "transfer", "character_name": "Brakka", "to_character_name": "Sella", "item_name": "hempen rope"}
LENT = turn("inn", "thing", tool="manage_inventory", **ROPE)

LIES = [
    (NOTHING, "You step outside the walls. The Old Crypt lies open before you, cold and dry."),
    (NOTHING, "Through the alley, left at the cooper's, and there you are: the Gilded Eel."),
    (NOTHING, "You push open the door of the Smithy."),
    (NOTHING, "The Smithy. Sparks, soot, and a glowing bar on the anvil."),
    (TO_THE_EEL, "You stop at the Smithy, and there you stay."),
    (TO_THE_EEL, "The Smithy is warm, and the anvil sings."),
    (NOTHING, "You bed down by the fountain, and when you open your eyes the sun is up."),
    (NOTHING, "Brakka gets her breath back for the better part of an hour."),
    (NOTHING, "It is a full eight hours before you open your eyes."),
    (NOTHING, "Something winks between the stones: a small ring. You work it free and slide it into your pocket."),
    (NOTHING, "An urchin shoves a crumpled letter into Brakka's hand and runs."),
    (NOTHING, "In the mud lies a silver whistle. Sella wipes it clean and keeps it."),
    (NOTHING, "Nim tosses the silver key down the well."),
    (NOTHING, "Sella → Brakka: potion of healing ×2"),
    (NOTHING, "Sella now has four potions."),
    (LENT, "Sella loops the rope over Brakka's shoulder."),
    (HIT, "Brakka's sword bites into a fence post."),
    (HIT, "Grell bursts like a sack, and that is the end of Grell."),
    (HIT, "Grell is ready for her. It clacks in what might be laughter, and her sword splits nothing but air."),
    (ALLEY, "d4 says... two."),
    (ALLEY, "A 1 on the d4."),
    (ASKED, "You get a 22."),
]
TRUE = [
    (NOTHING, "You stroll past the stalls and down to the fountain. The Old Crypt squats behind its railings."),
    (NOTHING, "You leave the talking to Nim. The Smithy, he explains, is closed on market days."),
    (NOTHING, "You follow the thief's gaze to the Smithy. He looks away."),
    (TO_THE_EEL, "You leave the Smithy for another day and push through the door of the Gilded Eel."),
    (NOTHING, "A dog sleeps by the fountain. It wakes, yawns and goes back to sleep."),
    (NOTHING, "An old soldier tells how he slept eight hours in a ditch and woke to find the war over."),
    (NOTHING, "You rest your eyes until the bells ring."),
    (NOTHING, "A peddler offers you a jade frog for two silver. You turn it over and hand it back."),
    (NOTHING, "Brakka tucks her thumbs into her belt, and Sella shoves a hand into her pocket."),
    (NOTHING, "Nim slips his silver key back into his pocket."),
    (NOTHING, "Sella has two potions."),
    (LENT, "Brakka lifts the coil off her shoulder and drops it over Sella's head like a garland."),
    (HIT, "Grell swerves like a kite in the wind, but the sword goes into its shoulder. Eight."),
    (HIT, "The critical thing is to keep it off Nim. Brakka's sword opens a gash in Grell's side."),
    (HIT, "In the old songs the hero fells Grell with one blow. Brakka needs a second."),
    (ALLEY, "A 3 on the d4, so it's the third alley, one short of the last."),
    (ASKED, "You needed fifteen and got eight. Two tables over, a dicer throws a twelve."),
]


def told(row: Row, text: str, directory: Path) -> list[dict[str, Any]]:
    reply = play(row, directory / "played", text)
    assert not reply["tool_feedback"]["failed_calls"]
    return [finding for finding in reply["findings"] if finding["severity"] != "info"]


@pytest.mark.parametrize(("row", "text"), LIES, ids=[text for _, text in LIES])
def test_what_is_told_over_several_clauses_is_held_against_the_turn(row: Row, text: str, tmp_path: Path) -> None:
    assert told(row, text, tmp_path)


@pytest.mark.parametrize(("row", "text"), TRUE, ids=[text for _, text in TRUE])
def test_what_only_looks_like_such_a_claim_is_none(row: Row, text: str, tmp_path: Path) -> None:
    assert not told(row, text, tmp_path)
