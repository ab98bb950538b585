"""`campaign.json`: what a campaign is and what it allows."""

from functools import cache
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from turnwright.model.base import (
    Count,
    Document,
    Flag,
    FreeMap,
    FrozenMap,
    Id,
    ListOf,
    Model,
    SafeInt,
    Text,
    is_none,
    whole,
)
from turnwright.model.fuzzy_match import nearest

FORMAT = 2
"""The newest format of a campaign directory that this version reads."""

CAMPAIGN_PATH = "campaign.json"
CREW_PATH = "crew.json"
"""A campaign has a scene game when it has this document; most turns need to know no more of it."""
PARTY_PATH = "party.json"
"""The party's document; most turns only need to know whether it exists."""
DEFAULT_ALLOWLIST = ("move", "hp_delta", "map_generate")


class Selected(Model):
    """The party, and the character that acts by default. World and map ids are labels only."""

    party_character_ids: ListOf[Id] = Field(default=(), json_schema_extra={"uniqueItems": True})
    active_actor_id: Id | None = None
    world_id: Text | None = None
    map_id: Text | None = None

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if len(set(self.party_character_ids)) != len(self.party_character_ids):
            raise ValueError("a character is in the party twice")
        if self.active_actor_id is not None and self.active_actor_id not in self.party_character_ids:
            some = ", ".join(nearest(self.active_actor_id, self.party_character_ids, 5))
            told = f"{self.active_actor_id!r} is none of {some}" if some else "there is nobody in it"
            raise ValueError(f"active_actor_id is not in the party: {told}")
        return self


class Protocol(Model):
    """One of the two published contracts of the core tools. Source: docs/stages/3-tools.md, "Two contracts"."""

    move_from: Literal["required", "checked", "forbidden"] = "required"
    actor_context: Literal["strict_error", "reject"] = "strict_error"
    repeat_window: int = Field(default=3, ge=0, le=100, strict=True, description="0 switches repeat suppression off.")


@cache
def _unsaid() -> Protocol:
    return Protocol(repeat_window=0)


class Goal(Model):
    """The goal of the campaign."""

    text: Text = ""
    status: Text = "active"


class Milestone(Model):
    """The progress of the story; counted only while `lifecycle.enabled` is on."""

    current: Text = "intro"
    last_advanced_turn: Count = 0
    turn_trigger_interval: SafeInt = 6
    pressure: Count = 0
    pressure_threshold: SafeInt = 2
    summary: Text = ""


class Lifecycle(Model):
    """Whether the campaign is over."""

    ended: Flag = False
    reason: Text | None = None
    ended_at: Text | None = None


class CampaignDocument(Document):
    """The campaign's own document."""

    single: ClassVar[str] = CAMPAIGN_PATH

    format: Annotated[Literal[2], BeforeValidator(whole)] = Field(description="Version of the directory's layout.")
    id: Id
    title: Text = ""
    allowlist: ListOf[Text] = Field(default=DEFAULT_ALLOWLIST, description="Tools that may be called; empty: none.")
    selected: Selected = Field(default={}, validate_default=True)
    settings: FreeMap = Field(default_factory=dict, description="Differences from the defaults, nested.")
    settings_revision: Count = 0
    protocol: Protocol | None = None
    goal: Goal = Field(default={}, validate_default=True)
    milestone: Milestone = Field(default={}, validate_default=True)
    lifecycle: Lifecycle = Field(default={}, validate_default=True)
    created_at: Text | None = None
    rulesets: ListOf[Text] | None = Field(
        default=None,
        exclude_if=is_none,
        description="Names of the rulesets in use; absent: those that come with turnwright.",
    )
    content: ListOf[Text] | None = Field(
        default=None,
        exclude_if=is_none,
        description="Ids of the content packs in use, later ones override earlier ones; absent: none.",
    )
    counters: FrozenMap[Count] = Field(default_factory=dict, description="Last number given out, by kind of id.")

    @property
    def contract(self) -> Protocol:
        """The protocol in force: without a block of its own, the Stage 3 document's, and no repeat suppression."""
        return self.protocol or _unsaid()
