"""`crew.json`: the state of the crew and the conversation in a scene game.

A campaign has a scene game when it has this document. Source: docs/tools/scenes.md, "State".
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from turnwright.model.base import ABSENT, Count, Document, Flag, Id, ListOf, Model, SafeInt, is_empty, is_none
from turnwright.model.campaign import CREW_PATH
from turnwright.model.intrigue import Ledger
from turnwright.model.mood import (
    ActionContext,
    AftermathMood,
    Aliased,
    Domain,
    Effect,
    Face,
    Label,
    Mood,
    Position,
    Said,
    Tier,
    TraumaName,
    Words,
)
from turnwright.model.request import Awaiting, Request

Tone = Literal["tense", "neutral", "comedic", "dark", "hopeful", "mysterious"]
EndReason = Literal["player_choice", "creation_cancelled", "init_failed"]


class CharacterCreation(Model):
    """Nothing is chosen yet."""

    tag: Literal["character_creation"] = "character_creation"


class ScenarioPhase(Aliased):
    """There is a character; the opening is not told yet."""

    tag: Literal["scenario_init"] = "scenario_init"
    for_: Id = Field(alias="for")


class Playing(Model):
    """A scene is played, in a mood."""

    tag: Literal["playing"] = "playing"
    scene_id: Id
    mood: Mood


class ClockShown(Model):
    """A clock that players see."""

    name: Label
    filled: Count
    segments: Count
    is_threat: Flag


class EntanglementOption(Model):
    """A way out of an entanglement; its consequences are hidden from players until it is taken."""

    label: Label
    cost_type: Literal["coin", "stress"]
    cost_amount: Count
    resolution: Said


class Entanglement(Model):
    """The law closes in."""

    type: Literal["raid", "shakedown", "warrant", "informant", "reprisal"]
    narration: Said
    options: ListOf[EntanglementOption]


class InterludeOption(Model):
    """Something to do between scenes."""

    key: Id
    option: Literal["lay_low", "recover", "work_goal", "new_scene", "end_session"]
    label: Words
    clock_id: Id | None = ABSENT


class BetweenScenesContext(Model):
    """The state of an interlude."""

    clocks: ListOf[ClockShown] = Field(default=(), description="The visible ones.")
    transition_narration: Words = ""
    stage: Literal["entering", "entanglement", "narrating", "choosing", "scene_init"] = "entering"
    options: ListOf[InterludeOption] = ()
    chosen: Id | None = ABSENT
    entanglement: Entanglement | None = ABSENT
    completed_clocks: ListOf[Id] = Field(default=(), exclude_if=is_empty)


class BetweenScenes(Model):
    """The interlude."""

    tag: Literal["between_scenes"] = "between_scenes"
    context: BetweenScenesContext = BetweenScenesContext()


class SessionEnded(Model):
    """The session is over."""

    tag: Literal["session_ended"] = "session_ended"
    reason: EndReason


GamePhase = Annotated[
    CharacterCreation | ScenarioPhase | Playing | BetweenScenes | SessionEnded, Field(discriminator="tag")
]


class DieOutcome(Model):
    """One future: the cost of a die, and the text that is told when it is spent."""

    die_value: SafeInt
    hint: Words
    stress_cost: SafeInt = 0
    heat_cost: SafeInt = 0
    coin_delta: SafeInt = 0
    narrative: Words


class Costs(Model):
    """The price actually paid."""

    stress: SafeInt = 0
    heat: SafeInt = 0
    coin: SafeInt = 0


class PendingOutcome(Aliased):
    """Futures on offer, or one that was chosen and waits for `resolve`."""

    situation: Words
    position: Position
    effect: Effect = "standard"
    stakes: Words = ""
    domain: Domain | None = ABSENT
    outcomes: ListOf[DieOutcome] = Field(default=(), description="One for each die of the pool, in its order.")
    request_id: Id
    for_: Id | None = Field(default=None, alias="for")
    chosen_index: Count | None = ABSENT
    chosen_die: Face | None = ABSENT
    chosen_tier: Tier | None = ABSENT
    other_dice: ListOf[Face] = Field(default=(), exclude_if=is_empty)
    applied_costs: Costs | None = ABSENT


class ClockInterrupt(Model):
    """Something that breaks in."""

    clock_id: Id
    event_type: Label
    description: Words
    forces_action: Flag


class PendingConsequence(Model):
    """A full clock whose consequence the next output must make real."""

    id: Id
    clock_id: Id
    name: Label
    type: Literal["threat", "goal"]
    text: Words
    prompt_id: Count = Field(description="The prompt that was current when it came up; it is due in later ones.")


class Fresh(Model):
    """The first scene of all."""

    origin: Literal["fresh"] = "fresh"


class FromAftermath(Model):
    """The lasting results of an aftermath."""

    origin: Literal["from_aftermath"] = "from_aftermath"
    transition_note: Words = ""
    unresolved_threats: ListOf[Words] = ()
    recent_costs: ListOf[Words] = ()
    untold: AftermathMood | None = Field(
        default=None, exclude_if=is_none, description="The aftermath itself, as long as its output is owed."
    )


class FromTrauma(Model):
    """The lasting results of a breaking point."""

    origin: Literal["from_trauma"] = "from_trauma"
    trauma_gained: TraumaName
    adrenaline: Flag
    unresolved_action: ActionContext | None = ABSENT


class FromPassOut(Model):
    """The lasting results of a blackout."""

    origin: Literal["from_pass_out"] = "from_pass_out"
    narration: Words
    clocks_advanced: ListOf[Id] = ()


class FromInterlude(Model):
    """The lasting results of an interlude."""

    origin: Literal["from_interlude"] = "from_interlude"
    option: Id
    narration: Words = ""
    completed_clocks: ListOf[Id] = ()


SceneEntryContext = Annotated[
    Fresh | FromAftermath | FromTrauma | FromPassOut | FromInterlude, Field(discriminator="origin")
]


class Crew(Document):
    """The crew: its phase, its dice, what hunts it, and what the game waits for."""

    single: ClassVar[str] = CREW_PATH

    phase: GamePhase = CharacterCreation()
    heat: Count = 0
    wanted: Count = 0
    tone: Tone = "neutral"
    session_goals: Annotated[ListOf[Words], Field(max_length=5)] = ()
    dice_pool: ListOf[Face] = ()
    pending_outcome: PendingOutcome | None = None
    recent_costs: ListOf[Words] = Field(default=(), description="Newest first.")
    unresolved_threats: ListOf[Words] = Field(default=(), description="Newest first.")
    pending_interrupt: ClockInterrupt | None = Field(
        default=None, description="The head of the queue; once met, null until a player speaks again."
    )
    interrupt_queue: ListOf[ClockInterrupt] = ()
    pending_consequences: ListOf[PendingConsequence] = ()
    scene_entry_context: SceneEntryContext | None = None
    suggested_actions: ListOf[Words] = ()
    closed_scene_id: Id | None = Field(default=None, description="A scene that ended and is not compressed yet.")
    recent_summary_ids: Annotated[ListOf[Id], Field(max_length=3)] = ()
    awaiting: Awaiting = Awaiting()
    request: Request | None = None
    turn: Count = Field(default=0, description="How many inputs of players were taken.")
    mood_turns: Count = Field(
        default=0, exclude_if=is_empty, description="Outputs applied since the mood last changed."
    )
    ledger: Ledger = Field(
        default=Ledger(), exclude_if=lambda ledger: ledger == Ledger(), description="What changed since the last turn."
    )

    @model_validator(mode="after")
    def _segment_of_its_mood(self) -> Self:
        """Set the segment's opening mood to the current one if the noted one is impossible after a hand edit of the
        mood.

        Within a segment nothing but `accept` changes the mood.
        """
        noted, now = self.awaiting.mood, self.mood.mood if self.mood else None
        if noted not in (None, now) and not self._owes_aftermath:
            self.__dict__["awaiting"] = self.awaiting.replace(mood=now)
        return self

    @property
    def mood(self) -> Mood | None:
        """The mood, while a scene is played."""
        return self.phase.mood if isinstance(self.phase, Playing) else None

    @property
    def accepted(self) -> AftermathMood | None:
        """The aftermath that was accepted without an output, which is still owed: the segment continues with it."""
        entry = self.scene_entry_context
        return entry.untold if self._owes_aftermath and isinstance(entry, FromAftermath) else None

    @property
    def _owes_aftermath(self) -> bool:
        """Whether the output of an accepted aftermath is owed, even if an older crew document does not record it."""
        noted, mood = self.awaiting.mood, self.mood
        is_accepted = noted == "aftermath" and mood is not None and mood.mood == "scene"
        return is_accepted and self.awaiting.stage == "dm_turn" and isinstance(self.scene_entry_context, FromAftermath)
