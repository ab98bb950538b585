"""The scene game as one part of a turn meets it: documents to read and change, dice to draw, events to tell.

Source: docs/tools/scenes.md, "State".
"""

from __future__ import annotations

from typing import Any, Literal

from turnwright.model.campaign import CREW_PATH
from turnwright.model.character import Character
from turnwright.model.crew import Crew, Playing
from turnwright.model.dice.draws import PartDice
from turnwright.model.mood import Mood
from turnwright.model.scene import Scene
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.wire.event import Event
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.events import EVENTS

Source = Literal["dm", "player", "system"]
"""The author of a text: `system` for the engine's own."""


class Play:
    """One part of a turn that runs on the scene game.

    Attributes:
        world: the overlay of the part.
        dice: its draws.
        settings: the settings in force.
        acting_id: the character whose stress, coin and trauma it is about, or None.
        seq: the number of the record that the turn will write.
        cause: its cause: the name of a tool, `answer`, `output`, `user_input`.
        events: the events so far.
        warnings: what was accepted although it is not as it should be.
        broke: whether the segment ended, so that the rest of the turn is ignored.
    """

    def __init__(
        self, world: World, dice: PartDice, settings: Settings, acting_id: str | None, seq: int, cause: str
    ) -> None:
        self.world = world
        self.dice = dice
        self.settings = settings
        self.acting_id = acting_id
        self.seq = seq
        self.cause = cause
        self.events: list[Event] = []
        self.warnings: list[str] = []
        self.broke = False

    def rule(self, name: str) -> Any:
        """Return the value in force of `scene.<name>`."""
        return self.settings[f"scene.{name}"]

    # documents

    @property
    def crew(self) -> Crew:
        """The crew as it is now."""
        crew = find_crew(self.world)
        if crew is None:
            raise LookupError("this campaign has no scene game")
        return crew

    def set_crew(self, **changes: Any) -> None:
        """Change some fields of the crew."""
        self.world.put(self.crew.replace(**changes))

    @property
    def mood(self) -> Mood:
        """The mood; only while a scene is played."""
        mood = self.crew.mood
        if mood is None:
            raise LookupError("no scene is played")
        return mood

    @property
    def scene(self) -> Scene:
        """The scene that is played."""
        phase = self.crew.phase
        scene = self.world.find(Scene, phase.scene_id) if isinstance(phase, Playing) else None
        if scene is None:
            raise LookupError("no scene is played")
        return scene

    @property
    def actor(self) -> Character | None:
        """The character whose stress, coin and trauma the part is about."""
        return self.world.character(self.acting_id) if self.acting_id else None

    def require_actor(self) -> Character:
        """Return that character, or fail."""
        if self.actor is None:
            raise CallFailed(Reason.INVALID_ACTOR_STATE, "there is no acting character whose stress or coin it is")
        return self.actor

    # telling

    def emit(self, name: str, /, *, visible: bool = True, **data: Any) -> None:
        """Emit an event. Keys that are Python keywords are given with a trailing underscore.

        Args:
            name: one of `EVENTS`.
            visible: whether players see the clock of the event.
            data: the data of the event.
        """
        kind = EVENTS[name]
        held = {key.removesuffix("_"): value for key, value in data.items()}
        assert tuple(held) == kind.data, f"{name} holds {kind.data}"
        who = kind.audience if kind.audience != "visible" else ("player" if visible else "gm")
        segment = self.crew.awaiting.segment or None
        self.events.append(Event(name, self.dice.part, segment, who, held, self.cause))

    def tell(self, text: str, source: Source = "dm") -> None:
        """Add prose to the log of the game; blank text is none."""
        if text.strip():
            self.emit("NarrativeAdded", text=text, source=source)


def find_crew(world: World) -> Crew | None:
    """Return the crew, or None in a campaign without a scene game."""
    crew = world.get(CREW_PATH)
    return crew if isinstance(crew, Crew) else None
