"""R1 to R4: what reading costs: an open campaign, the words of a language, a message, and a narration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scripts.bench.campaigns import clock
from scripts.bench.ground import Ground
from scripts.bench.measuring import cpu, ratio, timed, unsynced
from scripts.bench.table import Row

from turnwright import Campaign
from turnwright.rulesets.suggesting import BUILT_IN, suggest
from turnwright.rulesets.toolbox import TOOLS
from turnwright.suggestions.pack import load_pack, read_pack
from turnwright.suggestions.pack_files import files_of
from turnwright.suggestions.snapshot import Snapshot, agent_kind
from turnwright.suggestions.snapshot_overrides import with_overrides

_FLOOR = "the same by who opens the campaign for it"
_MAX_TIMES = 0.5
_MAX_TIMES_A_MESSAGE = 8
_MAX_TIMES_A_NARRATION = 25
MESSAGES = (
    "I walk over to the counter, put two silver coins on the wood and ask the old woman for a room. Then I take the "
    "brass compass from the shelf, slip it into my pocket, and we head north to the Harbour.",
    "The rain has not stopped since we left the city, and my cloak is soaked through. I sit down by the fire with the "
    "others and listen while Bran tells the story of the lighthouse keeper again.",
    "I look at the captain, shrug, and tell him that the weather will turn before evening. If he wants to sail he "
    "should do it now, because nobody in this harbour will take him out later.",
    'I raise my shield, step between Mira and the goblins and shout "Run for the gate, I will hold them here!" Then I '
    "swing my axe at the nearest one with everything that I have left in my arms.",
)
"""Messages of about 200 characters, as they are typed in play."""


def again(ground: Ground) -> Iterator[Row]:
    """R1: CPU time of `Campaign.state` where nothing is new, over that of opening, reading and closing."""
    folder, times = ground.small_campaign(ground.memory), ground.pick(300, 20)
    with Campaign.open(folder, clock) as campaign:
        expected = campaign.state
        if _opened_for_it(folder) != expected:
            raise RuntimeError("who goes on reading sees another state than who begins to")

        def ours() -> float:
            return timed(lambda: [campaign.state for _ in range(times)], cpu)[0]

        def anew() -> float:
            return timed(lambda: [_opened_for_it(folder) for _ in range(times)], cpu)[0]

        value = ratio(ground.rounds, ours, anew)
    yield Row("R1", "CPU time of reading the whole state, nothing new since", _FLOOR, value, _MAX_TIMES)


def _opened_for_it(folder: Path) -> dict[str, object]:
    with Campaign.open(folder, clock) as campaign:
        return campaign.state


def words(ground: Ground) -> Iterator[Row]:
    """R2: CPU time until the words of a language can be used, over that of parsing and trying their file."""
    files = files_of("en")
    if files is None or files.compiled() is None:
        raise RuntimeError("the English pack is not compiled: make setup")
    text = files.text()

    def kept() -> float:
        re.purge()  # Python keeps some hundred patterns that it compiled; a process that begins has none
        return timed(lambda: load_pack(files, BUILT_IN), cpu)[0]

    def tried() -> float:
        re.purge()
        return timed(lambda: read_pack(text, files.name, BUILT_IN), cpu)[0]

    what, floor = "CPU time until the English words of suggestions can be used", "parsing and trying their file"
    yield Row("R2", what, floor, ratio(ground.rounds, kept, tried), _MAX_TIMES)


def messages(ground: Ground) -> Iterator[Row]:
    """R3: CPU time of suggesting tools for messages of 200 characters, over that of taking each as a turn."""
    times = ground.pick(20, 2)
    snapshot, _ = with_overrides(Snapshot(agent=agent_kind("narrative"), language="en", registry=frozenset(TOOLS)), {})

    def ours() -> float:
        return timed(lambda: [suggest(text, snapshot) for text in MESSAGES * times], cpu)[0]

    with Campaign.open(ground.small_campaign(ground.memory), clock) as campaign, unsynced():

        def taken() -> float:
            return timed(lambda: [campaign.process({"user_input": text}) for text in MESSAGES * times], cpu)[0]

        value = ratio(ground.rounds, ours, taken)
    what, floor = "CPU time of suggestions for a message of 200 characters", "taking the message as a turn"
    yield Row("R3", what, floor, value, _MAX_TIMES_A_MESSAGE)


def narrations(ground: Ground) -> Iterator[Row]:
    """R4: CPU time of a turn whose narration of 800 characters is checked, over that of the same without the check."""
    text, times = " ".join(MESSAGES), ground.pick(80, 8)
    folders = [ground.small_campaign(ground.memory) for _ in range(2)]
    with Campaign.open(folders[0], clock) as checked, Campaign.open(folders[1], clock) as unchecked, unsynced():
        unchecked.set({"narration.check": "off"})

        def told(campaign: Campaign) -> float:
            return timed(lambda: [campaign.process({"assistant_text": text}) for _ in range(times)], cpu)[0]

        value = ratio(ground.rounds, lambda: told(checked), lambda: told(unchecked))
    what, floor = "CPU time of a turn with a narration of 800 characters", "the same turn, unchecked"
    yield Row("R4", what, floor, value, _MAX_TIMES_A_NARRATION)
