"""The opening of a scene after an interlude.

Source: docs/tools/scenes.md, "Scene openings".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from turnwright.model.base import ListOf, Model, Text
from turnwright.model.character import Character
from turnwright.model.crew import BetweenScenes, BetweenScenesContext, FromInterlude
from turnwright.model.intrigue import Faction
from turnwright.model.location import Location
from turnwright.model.mood import (
    Label,
    Mood,
    Said,
    SceneDiscovery,
    SceneEncounter,
    SceneOpportunity,
    TraumaMood,
    Words,
)
from turnwright.model.prose import Narration
from turnwright.model.scene import DmNarration, Style
from turnwright.model.wire import hint
from turnwright.model.wire.reason import Reason
from turnwright.rulesets.core.geography import settle
from turnwright.rulesets.scenes.beats import add_beat
from turnwright.rulesets.scenes.closing import set_pool, start_scene
from turnwright.rulesets.scenes.moods import check_trauma
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.seeds import Faults, NewLocation
from turnwright.rulesets.scenes.waiting import after_turn

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import SceneBegun

SUGGESTIONS = (2, 4)


class _Opportunity(SceneOpportunity):
    """Something is to be had, at a catch."""

    catch: Words = Field(default="", description="The cost of the chance; required.")


class SceneInit(Model):
    """The beginning of the next scene: place, characters, stakes, and the first moment told to the player."""

    location_id: Text | None = Field(default=None, description="Id of a known place; otherwise new_location.")
    new_location: NewLocation | None = Field(default=None, description="A place that is not known yet.")
    present_npcs: ListOf[Text] = Field(default=(), description="Ids of the characters who are present.")
    stakes: Said = Field(description="The stakes of the scene.")
    style: Style = Field(default=Style(), description="The narrative style; each axis has a default.")
    variant: Annotated[SceneEncounter | _Opportunity | SceneDiscovery, Field(discriminator="variant")] = Field(
        description="The first thing the crew meets."
    )
    opening_narration: Narration = Field(description="The first moment of the scene, told to the player.")
    suggested_actions: ListOf[Label] = Field(
        description="2 to 4 things the player could do first.",
        json_schema_extra={"minItems": SUGGESTIONS[0], "maxItems": SUGGESTIONS[1]},
    )


def apply(play: Play, output: SceneInit) -> SceneBegun:
    """Begin a scene: all of it, or nothing.

    Raises:
        CallFailed: `scene_init_invalid`, with every inconsistency.
    """
    phase = play.crew.phase
    assert isinstance(phase, BetweenScenes)
    _require_sound(play, output)
    location_id = _location(play, output)
    broken = _broken(play)
    mood = _mood(output) if broken is None else _breaking(broken, phase.context)
    scene = start_scene(play, location_id, output.present_npcs, output.stakes, output.style, mood)
    if not play.crew.dice_pool and (dice := play.rule("empty_scene_pool")):
        set_pool(play, dice, "init")
    play.set_crew(
        scene_entry_context=_entry(phase.context),
        suggested_actions=output.suggested_actions,
        ledger=type(play.crew.ledger)(),  # changes between the scenes do not belong to the first turn
    )
    narration = output.opening_narration
    add_beat(play, DmNarration(text=narration, mood="scene", seq=play.seq, turn=play.crew.turn))
    if broken is not None:
        play.acting_id = broken.id
        play.emit("MoodTransition", tool="scene_start", from_mood=phase.tag, to_mood=mood.mood)
    play.tell(narration)
    check_trauma(play, "entanglement", narration)
    after_turn(play)
    return {"scene_id": scene.id, "location_id": location_id, "dice_pool": list(play.crew.dice_pool)}


def _require_sound(play: Play, output: SceneInit) -> None:
    faults, world = Faults(Reason.SCENE_INIT_INVALID), play.world
    places = [place.id for place in world.all(Location)]
    people = [person.id for person in world.characters() if person.character_type != "pc"]
    _check_location(play, faults, output, places)
    for place, npc_id in enumerate(output.present_npcs):
        faults.refers(f"output.present_npcs.{place}", npc_id, people, "person")
    faults.no_repeats("output.present_npcs", output.present_npcs)
    variant = output.variant
    if isinstance(variant, SceneOpportunity):
        faults.refers("output.variant.offered_by", variant.offered_by, people, "person")
        if not variant.catch.strip():
            repair = hint.ask("output.variant.catch", variant.catch)
            faults.add("output.variant.catch", "an opportunity needs a catch", repair)
    faults.count("output.suggested_actions", output.suggested_actions, *SUGGESTIONS)
    faults.require_none()


def _check_location(play: Play, faults: Faults, output: SceneInit, places: list[str]) -> None:
    new = output.new_location
    if new is None and output.location_id is None:
        faults.add("output.location_id", "wants it, or new_location", hint.ask_for("output.location_id", places))
    elif new is not None and output.location_id is not None:
        faults.add(
            "output.new_location", "wants it or location_id, not both", hint.ask("output.new_location", new.as_written)
        )
    faults.refers("output.location_id", output.location_id, places, "location")
    if new is not None:
        factions = [faction.id for faction in play.world.all(Faction)]
        faults.refers("output.new_location.controlled_by", new.controlled_by, factions, "faction")
        faults.ids(play.world, Location, [("output.new_location.id", new.id)])


def _mood(output: SceneInit) -> Mood:
    variant = output.variant
    return SceneOpportunity.model_validate(variant.as_written) if isinstance(variant, SceneOpportunity) else variant


def _location(play: Play, output: SceneInit) -> str:
    """Return the id of the place, which is created if it is new."""
    new = output.new_location
    if new is None:
        assert output.location_id is not None
        return output.location_id
    identifier = new.id or play.world.new_id("location", Location)
    settle(play.world, new.document(identifier))
    return identifier


def _broken(play: Play) -> Character | None:
    """Return the first party member who broke between the scenes; each of them gets a scene of their own."""
    return next((member for member in play.world.party() if member.pending_trauma), None)


def _breaking(broken: Character, context: BetweenScenesContext) -> TraumaMood:
    entanglement = context.entanglement
    what = entanglement.narration if entanglement else "what happened between the scenes"
    return TraumaMood.model_validate({"for": broken.id, "what_broke": what, "trigger": "entanglement"})


def _entry(context: BetweenScenesContext) -> FromInterlude:
    return FromInterlude(
        option=context.chosen or "new_scene",
        narration=context.transition_narration,
        completed_clocks=context.completed_clocks,
    )
