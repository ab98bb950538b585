"""Texts of turns without calls, in the town: things, money, ways, rests and wounds that nobody dealt with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.suggest.narration_scenes import open_scene

LIES = """
Nim slips the silver key into Sella's palm.
Sella tucks a sealed letter into her satchel.
You pocket the brass lantern.
Odo tosses Brakka the iron sword.
Nim swaps the silver key for a lantern.
Brakka surrenders the torch to the guard.
Nim fishes a ruby from the fountain.
Sella stows the scroll in her pack.
Odo rewards you with 20 gold.
Tansy provides Nim with a map.
Your purse is 10 gold lighter.
Brakka forks over 5 gold.
Brakka tips the bard 2 gold.
The toll sets you back 3 gold.
The stall keeper charges Brakka 4 gold.
Brakka plunks ten gold on the counter.
Sella finds 30 gold in the chest.
You cross the threshold of the Gilded Eel.
You emerge into the Old Crypt.
Brakka ducks into the Smithy.
Location: Old Crypt
The party makes camp and sleeps until dawn.
After a full night's sleep you feel ready.
You spend an hour bandaging your wounds.
Eight hours later, you rise restored.
Nim's wounds close.
Poison eats at Nim, who loses 4 hit points.
"""
HONEST = """
Odo offers you the sword for 15 gold.
The sword costs 15 gold.
The fence charges 5 gold per night.
You could sleep here until dawn.
Nim fingers the silver key in her pocket.
Brakka drops his shoulders and sighs.
You wind up the talk and look around.
Brakka carries himself like a soldier.
Tansy places the lantern on the sill.
Brakka throws a stone into the fountain.
Old burns scar the smith's arms.
You swallow hard.
Sella closes her eyes.
You claim a bench by the fountain.
You descend into an argument.
Sella gets a good look at the crowd.
Brakka bleeds charm, as always.
The bell gives two strokes.
Nobody has slept well lately.
"""


@pytest.mark.parametrize("text", LIES.strip().splitlines())
def test_what_no_call_did_is_found(text: str, tmp_path: Path) -> None:
    assert _found(text, tmp_path)


@pytest.mark.parametrize("text", HONEST.strip().splitlines())
def test_what_claims_nothing_is_no_finding(text: str, tmp_path: Path) -> None:
    assert _found(text, tmp_path) == []


def _found(text: str, directory: Path) -> list[Any]:
    with open_scene("town", directory / "town") as campaign:
        findings = campaign.process({"user_input": "I do it.", "assistant_text": text})["findings"]
    return [finding for finding in findings if finding["severity"] != "info"]
