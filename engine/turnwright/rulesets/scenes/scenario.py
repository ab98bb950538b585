"""The opening of the game: the reading of the cards, and the world that they seed.

Source: docs/tools/scenes.md, "Starting a game".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from turnwright.model.base import ListOf, Model, SafeInt, Text
from turnwright.model.character import Character
from turnwright.model.clock import SEGMENTS, Clock
from turnwright.model.crew import Fresh, ScenarioPhase, SessionEnded
from turnwright.model.intrigue import Faction
from turnwright.model.location import Location
from turnwright.model.mood import Label, Said, TraumaName, Words
from turnwright.model.prose import Narration
from turnwright.model.scene import DmNarration, Style
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.geography import settle
from turnwright.rulesets.scenes.beats import add_beat
from turnwright.rulesets.scenes.choices import picked
from turnwright.rulesets.scenes.closing import roll_into_pool, start_scene
from turnwright.rulesets.scenes.moods import check_trauma, continuing
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.scars import scar_named
from turnwright.rulesets.scenes.seeds import ClockSeed, FactionSeed, Faults, LocationSeed, NpcSeed
from turnwright.rulesets.scenes.stats import change_coin, change_heat, change_stress, change_wanted
from turnwright.rulesets.scenes.tarot import POSITIONS
from turnwright.rulesets.scenes.turn_output import ranged
from turnwright.rulesets.scenes.waiting import after_turn, offer_choice, wait_for

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import GameBegun, GameSeeds, OptionChosen

STARTING = {
    "starting_stress": (0, 4),
    "starting_coin": (0, 4),
    "starting_heat": (0, 2),
    "starting_wanted": (0, 1),
}
"""The least and the most of each value that a game can begin with."""
COUNTS = {"locations": (2, 3), "factions": (2, 3), "npcs": (2, 4), "suggested_actions": (2, 4)}
"""How many of each an opening brings; of clocks, one for each card."""
REASON = "init"
"""Why something changes at the beginning."""


def _starting(name: str, description: str) -> Any:
    return ranged(*STARTING[name], description)


def _few(name: str, description: str) -> Any:
    least, most = (len(POSITIONS), len(POSITIONS)) if name == "clocks" else COUNTS[name]
    return Field(description=description, json_schema_extra={"minItems": least, "maxItems": most})


class ScenarioInit(Model):
    """How the game begins: the oracle's reading of the three cards, then the world and the first grounded moment."""

    fate_narration: Narration = Field(description="The oracle's reading of the three cards for this character.")
    opening_thread: Narration = Field(description="The opening, told to the player: the moment in which play begins.")
    opening_hook: Words = Field(
        default="", description="A problem that demands an answer now, in one or two sentences."
    )
    clocks: ListOf[ClockSeed] = _few("clocks", "Exactly three: one for each card.")
    starting_stress: SafeInt = _starting("starting_stress", "What the past has worn down.")
    starting_coin: SafeInt = _starting("starting_coin", "What is left in the purse.")
    starting_heat: SafeInt = _starting("starting_heat", "How much notice the law takes.")
    starting_wanted: SafeInt = _starting("starting_wanted", "Whether there is a file with a name on it.")
    starting_trauma: TraumaName | None = Field(default=None, description="A scar from before, at most one.")
    locations: ListOf[LocationSeed] = _few("locations", "2 or 3 places.")
    factions: ListOf[FactionSeed] = _few("factions", "2 or 3 factions.")
    npcs: ListOf[NpcSeed] = _few("npcs", "2 to 4 people.")
    scene_location: Text = Field(description="Id of the place of the first scene.")
    scene_present_npcs: ListOf[Text] = Field(default=(), description="Ids of the characters who are present.")
    scene_stakes: Said = Field(description="The stakes of the first scene.")
    suggested_actions: ListOf[Label] = _few("suggested_actions", "2 to 4 things the player could do first.")


def apply(play: Play, output: ScenarioInit) -> GameBegun:
    """Begin the game: all of it, or nothing.

    Raises:
        CallFailed: `scenario_invalid`, with every inconsistency.
    """
    phase = play.crew.phase
    assert isinstance(phase, ScenarioPhase)
    play.acting_id = phase.for_
    if output.starting_stress or output.starting_coin or output.starting_trauma:
        play.require_actor()
    trauma = _require_sound(play, output)
    play.emit("ScenarioGenerated", opening=output.opening_thread)
    made = _seed(play, output)
    _start_values(play, output, trauma)
    roll_into_pool(play, play.rule("pool_start"), REASON)
    mood = continuing("opening", "low")
    scene = start_scene(play, output.scene_location, output.scene_present_npcs, output.scene_stakes, Style(), mood)
    play.set_crew(
        scene_entry_context=Fresh(),
        suggested_actions=output.suggested_actions,
        ledger=type(play.crew.ledger)(),  # initial values do not belong to the first turn
    )
    for text in dict.fromkeys(_told(output)):
        play.tell(text)
        if text != output.fate_narration:
            add_beat(play, DmNarration(text=text, mood="scene", seq=play.seq, turn=play.crew.turn))
    check_trauma(play, "turn", output.opening_thread)
    after_turn(play)
    return {"scene_id": scene.id, **made, "dice_pool": list(play.crew.dice_pool)}


def _told(output: ScenarioInit) -> Iterator[str]:
    texts = (output.fate_narration, output.opening_thread, output.opening_hook)
    return (text.strip() for text in texts if text.strip())


# checks


def _require_sound(play: Play, output: ScenarioInit) -> str | None:
    """Refuse an inconsistent opening; return the trauma that it begins with."""
    faults = Faults(Reason.SCENARIO_INVALID)
    for name, (least, most) in STARTING.items():
        faults.within(f"output.{name}", getattr(output, name), least, most)
    for name, (least, most) in COUNTS.items():
        faults.count(f"output.{name}", getattr(output, name), least, most)
    _check_clocks(faults, output)
    _check_ids(play, faults, output)
    _check_references(faults, output)
    trauma = _trauma(play, faults, output.starting_trauma)
    faults.require_none()
    return trauma


def _check_clocks(faults: Faults, output: ScenarioInit) -> None:
    cards = [clock.from_card for clock in output.clocks]
    if sorted(cards) != sorted(POSITIONS):
        wrong = "wants one clock for each of past, present and future"
        faults.add("output.clocks", wrong, hint.ask("output.clocks", [clock.as_written for clock in output.clocks]))
    for place, clock in enumerate(output.clocks):
        where = f"output.clocks.{place}"
        if clock.segments not in SEGMENTS:
            repair = hint.ask(f"{where}.segments", clock.segments, SEGMENTS)
            faults.add(f"{where}.segments", "wants 4, 6 or 8", repair)
        if clock.filled is not None:
            faults.within(f"{where}.filled", clock.filled, *clock.range_filled)


def _check_ids(play: Play, faults: Faults, output: ScenarioInit) -> None:
    kinds = (("clocks", Clock), ("locations", Location), ("factions", Faction), ("npcs", Character))
    for name, model in kinds:
        seeds = getattr(output, name)
        faults.ids(play.world, model, [(f"output.{name}.{place}.id", seed.id) for place, seed in enumerate(seeds)])


def _check_references(faults: Faults, output: ScenarioInit) -> None:
    places, factions, people = (
        [seed.id for seed in seeds] for seeds in (output.locations, output.factions, output.npcs)
    )
    for place, location in enumerate(output.locations):
        faults.refers(f"output.locations.{place}.controlled_by", location.controlled_by, factions, "faction")
    for place, npc in enumerate(output.npcs):
        faults.refers(f"output.npcs.{place}.faction", npc.faction, factions, "faction")
        faults.refers(f"output.npcs.{place}.location", npc.location, places, "location")
    faults.refers("output.scene_location", output.scene_location, places, "location")
    for place, npc_id in enumerate(output.scene_present_npcs):
        faults.refers(f"output.scene_present_npcs.{place}", npc_id, people, "person")
    faults.no_repeats("output.scene_present_npcs", output.scene_present_npcs)


def _trauma(play: Play, faults: Faults, name: str | None) -> str | None:
    if name is None:
        return None
    where = "output.starting_trauma"
    try:
        return scar_named(play, name, where)
    except CallFailed as failure:
        faults.add(where, failure.detail.removeprefix(f"{where}: "), failure.hint)
        return None


# creation


def _seed(play: Play, output: ScenarioInit) -> GameSeeds:
    """Add the opening's documents to the world; return the ids."""
    given = [seed.id for seed in output.clocks if seed.id is not None]
    clocks = []
    for seed in output.clocks:
        identifier = seed.id or play.world.new_id("clock", Clock, held=given)
        play.world.put(seed.document(identifier))
        clocks.append(identifier)
    for location in output.locations:
        settle(play.world, location.document(location.id))
    for faction in output.factions:
        play.world.put(faction.document())
    for npc in output.npcs:
        play.world.put(npc.document())
    return {
        "clocks": clocks,
        "locations": [seed.id for seed in output.locations],
        "factions": [seed.id for seed in output.factions],
        "npcs": [seed.id for seed in output.npcs],
    }


def _start_values(play: Play, output: ScenarioInit, trauma: str | None) -> None:
    change_stress(play, output.starting_stress, REASON)
    change_heat(play, output.starting_heat, REASON)
    change_wanted(play, output.starting_wanted, REASON)
    change_coin(play, output.starting_coin, REASON)
    if trauma is not None:
        actor = play.require_actor()
        play.world.put(actor.replace(trauma=(trauma, *actor.trauma)))
        play.emit("TraumaTriggered", trauma=trauma, trigger=REASON, breaking_point=output.fate_narration)


def offer_to_stop(play: Play, errors: Sequence[str] = ()) -> None:
    """Let the players give up on an opening that stayed invalid; a valid one may still arrive."""
    del errors
    offer_choice(play, [{"key": key, "label": label} for key, label in STOPPING.items()], "Go on waiting?")


STOPPING = {"keep_waiting": "wait for the opening", "give_up": "end the session"}


def answer(play: Play, value: Any) -> OptionChosen:
    """Continue to wait for the opening, or end the session for good."""
    key = picked(play, value)
    if key == "give_up":
        play.set_crew(phase=SessionEnded(reason="init_failed"))
        wait_for(play, "none", for_=None)
    else:
        phase = play.crew.phase
        assert isinstance(phase, ScenarioPhase)
        play.set_crew(request=None, awaiting=play.crew.awaiting.replace(repairs=0))
    return {"chosen": key}
