"""The moods of play: the voice that speaks, and what it needs to know.

A mood exists only while a scene is played. `mood` and `variant` identify it; every variant has exactly its own fields.
Source: docs/tools/scenes.md, "Moods".
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field

from turnwright.model.base import ABSENT, Flag, Id, ListOf, Model, SafeInt, Text, is_empty
from turnwright.model.prose import Prose

MAX_LENGTH = 4000
"""The most characters of any text of a scene game."""
Words = Annotated[Text, Field(max_length=MAX_LENGTH)]
"""A text for people and models, which rules never read."""
Said = Annotated[Text, Prose(MAX_LENGTH)]
"""Such a text that says something."""
Label = Annotated[Text, Prose(80)]
"""A short line, as on a button."""
Face = Annotated[int, Field(strict=True, ge=1, le=6)]
"""The face of a die of the pool."""
Position = Literal["controlled", "risky", "desperate"]
Effect = Literal["limited", "standard", "great"]
Tier = Literal["critical", "success", "partial", "bad", "disaster"]
Domain = Literal["infiltration", "social", "violence", "pursuit", "arcane"]
Urgency = Literal["low", "medium", "high", "critical"]
MoodName = Literal["scene", "action", "aftermath", "trauma", "bargain"]
MOODS: tuple[MoodName, ...] = get_args(MoodName)
CostType = Literal["stress", "heat", "wanted", "clock", "faction", "trauma", "item"]
TraumaName = Annotated[Text, Field(min_length=1, max_length=40)]


class Aliased(Model):
    """A value with a key that is a keyword of Python, such as `for`: its attribute has an underscore behind."""

    def replace(self, **changes: Any) -> Self:
        """Return the value with these fields changed, revalidated."""
        fields = type(self).model_fields
        given = {name: getattr(self, name) for name in self.model_fields_set} | changes
        return type(self).model_validate({fields[name].alias or name: value for name, value in given.items()})


class ActionContext(Model):
    """The chosen die, and its purpose."""

    die_chosen: Face
    position: Position
    effect: Effect = "standard"
    tier: Tier
    other_dice: ListOf[Face] = ()
    domain: Domain | None = ABSENT
    situation: Words = ""
    stakes: Words = ""


class SceneEncounter(Model):
    """The party meets a person or a thing."""

    mood: Literal["scene"] = "scene"
    variant: Literal["encounter"] = "encounter"
    source: Said
    urgency: Urgency = "medium"
    escapable: Flag = True


class SceneOpportunity(Model):
    """Something is to be had, at a catch."""

    mood: Literal["scene"] = "scene"
    variant: Literal["opportunity"] = "opportunity"
    offered_by: Id | None = ABSENT
    nature: Said
    catch: Said


class SceneDiscovery(Model):
    """Something comes to light."""

    mood: Literal["scene"] = "scene"
    variant: Literal["discovery"] = "discovery"
    what: Said
    implications: ListOf[Said] = ()


SceneMood = Annotated[SceneEncounter | SceneOpportunity | SceneDiscovery, Field(discriminator="variant")]


class _Action(Model):
    mood: Literal["action"] = "action"
    domain: Domain | None = ABSENT
    intent: Words
    approach: Words = ""


class ActionControlled(_Action):
    """Acting from an advantage."""

    variant: Literal["controlled"] = "controlled"
    advantage_source: Words
    risk_if_fails: Words


class ActionRisky(_Action):
    """Acting against a threat."""

    variant: Literal["risky"] = "risky"
    threat: Words
    opportunity: Words


class ActionDesperate(_Action):
    """Acting against the odds."""

    variant: Literal["desperate"] = "desperate"
    why_desperate: Words
    stakes: Words
    potential_trauma: Flag = True


ActionMood = Annotated[ActionControlled | ActionRisky | ActionDesperate, Field(discriminator="variant")]


class _Aftermath(Model):
    mood: Literal["aftermath"] = "aftermath"
    action_context: ActionContext


class AftermathClean(_Aftermath):
    """It worked."""

    variant: Literal["clean"] = "clean"
    what_achieved: Words


class AftermathCostly(_Aftermath):
    """Success at a price."""

    variant: Literal["costly"] = "costly"
    what_achieved: Words
    costs_paid: ListOf[Words] = ()
    new_complications: ListOf[Words] = ()


class AftermathSetback(_Aftermath):
    """It did not work."""

    variant: Literal["setback"] = "setback"
    what_went_wrong: Words
    immediate_danger: Flag = False
    escape_route: Words
    costs_paid: ListOf[Words] = ()
    new_complications: ListOf[Words] = ()


class AftermathDisaster(_Aftermath):
    """Much more than this went wrong."""

    variant: Literal["disaster"] = "disaster"
    catastrophe: Words
    trauma_risk: Flag = False
    immediate_danger: Literal[True] = True
    costs_paid: ListOf[Words] = ()
    world_state_changes: ListOf[Words] = ()


AftermathMood = Annotated[
    AftermathClean | AftermathCostly | AftermathSetback | AftermathDisaster, Field(discriminator="variant")
]
Trigger = Literal["dice", "turn", "bargain", "pass_out", "consequence", "entanglement"]


class TraumaMood(Aliased):
    """A character breaks."""

    mood: Literal["trauma"] = "trauma"
    variant: Literal["breaking"] = "breaking"
    for_: Id = Field(alias="for", description="Whose breaking point it is.")
    what_broke: Words
    trigger: Trigger
    adrenaline: Flag = False
    suggested: TraumaName | None = ABSENT
    end_scene_after: Flag = Field(default=False, exclude_if=is_empty)


class Plan(Model):
    """The promised outcome of a way out of a bargain; hidden from players until it is taken."""

    narration: Said
    wake_up_location: Annotated[Text, Prose(100)] | None = ABSENT
    clocks_to_advance: ListOf[Id] = Field(default=(), exclude_if=is_empty)


class BargainOffer(Model):
    """A deal with its price; the narrative is hidden from players until it is taken."""

    id: Id
    label: Label
    hint: Label
    cost_type: CostType
    cost_amount: SafeInt
    cost_target: Words | None = ABSENT
    trauma_name: TraumaName | None = ABSENT
    dice_gained: SafeInt
    narrative: Said
    source: Literal["dm", "system"] = Field(
        default="dm", exclude_if=lambda source: source == "dm", description="Whose words these are."
    )


class BargainMood(Model):
    """The dice are gone; the city lends."""

    mood: Literal["bargain"] = "bargain"
    variant: Literal["bargaining"] = "bargaining"
    what_drained: Words
    can_retreat: Flag
    retreat_desc: Words = ""
    pass_out_desc: Words = ""
    previous_mood: CalmMood = Field(description="Where an accepted deal leads back to.")
    offers: ListOf[BargainOffer] = Field(default=(), exclude_if=is_empty)
    retreat_plan: Plan | None = ABSENT
    pass_out_plan: Plan | None = ABSENT


CalmMood = Annotated[SceneMood | ActionMood | AftermathMood, Field(discriminator="mood")]
"""A mood that a bargain can lead back to: never a bargain, never trauma."""
Mood = Annotated[SceneMood | ActionMood | AftermathMood | TraumaMood | BargainMood, Field(discriminator="mood")]
"""Every mood, told apart by `mood`, then by `variant`."""
