"""A fight: its grid, its participants, and what each has left of a turn.

A character's own state (hit points, conditions, slots) stays in the character's document during the fight; the
encounter holds only the state of the fight. Source: docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import (
    ABSENT,
    ONE_LINE,
    Count,
    Entry,
    Flag,
    FreeMap,
    FrozenMap,
    Id,
    ListOf,
    Model,
    SafeInt,
    Text,
    is_empty,
    is_none,
)
from turnwright.model.character import Character, fights_tag
from turnwright.model.creature import Condition, DeathSaves, Pool, Rounds, Words
from turnwright.model.sheet import Feet, Sheet
from turnwright.model.vocabulary import Ability, ConditionName, Cover, DamageType, GridTerrain, Lighting, Material, Size
from turnwright.model.zone import Zone

if TYPE_CHECKING:
    from turnwright.model.content_shapes import StatBlock

Side = Annotated[int, Field(strict=True, ge=5, le=100)]
"""Squares along one side of a grid."""
SquareKey = Annotated[Text, Field(pattern=r"^[0-9]{1,3},[0-9]{1,3}$", json_schema_extra=ONE_LINE, examples=["3,4"])]
"""A square of terrain, as `x,y`."""
Outcome = Literal["victory", "defeat", "fled", "negotiated", "other"]
MAX_NAME_LENGTH = 200
"""Maximum length of a participant's name."""
RUNNING = "running"
RUNNING_TAG = "status:running"


class Position(Model):
    """A square of a grid: x grows right, y grows down, z grows up; one square is 5 feet each way."""

    x: SafeInt
    y: SafeInt
    z: SafeInt = 0


class HazardDetails(Model):
    """The effect of a hazard on a creature that starts a turn in it."""

    type: Annotated[Text, Field(min_length=1, max_length=100)]
    damage: Text | None = Field(default=None, exclude_if=is_empty, description="Dice.")
    damage_type: DamageType | None = ABSENT
    dc: Count | None = ABSENT
    save_ability: Ability | None = ABSENT
    condition: ConditionName | None = ABSENT


class Hazard(HazardDetails):
    """A square that hurts."""

    position: SquareKey


class TimedTerrain(Model):
    """Terrain that goes away by itself."""

    terrain_type: GridTerrain
    hazard: Text | None = Field(default=None, exclude_if=is_none, description="Which of the hazards there.")
    positions: ListOf[SquareKey]
    rounds_remaining: Rounds
    source: Words | None = ABSENT


class Terrain(Model):
    """The ground of a fight: its size in squares and what lies where."""

    width: Side = 20
    height: Side = 20
    obstacles: ListOf[SquareKey] = Field(default=(), exclude_if=is_empty)
    difficult_terrain: ListOf[SquareKey] = Field(default=(), exclude_if=is_empty)
    water: ListOf[SquareKey] = Field(default=(), exclude_if=is_empty)
    hazards: ListOf[Hazard] = Field(default=(), exclude_if=is_empty)
    timed: ListOf[TimedTerrain] = Field(default=(), exclude_if=is_empty)


class Economy(Model):
    """The actions that a participant has spent since its turn began; the reaction returns when its next turn begins."""

    action: Flag = Field(default=False, exclude_if=is_empty)
    bonus_action: Flag = Field(default=False, exclude_if=is_empty)
    reaction: Flag = Field(default=False, exclude_if=is_empty)
    free_object: Flag = Field(default=False, exclude_if=is_empty)
    movement: Count = Field(default=0, exclude_if=is_empty, description="Feet moved.")
    dashes: Count = Field(default=0, exclude_if=is_empty, description="Feet gained by dashing.")
    attacks: Count = Field(default=0, exclude_if=is_empty, description="Attacks made with the Attack action.")
    light_attack: Flag = Field(default=False, exclude_if=is_empty, description="One of them was with a light weapon.")
    disengaged: Flag = Field(default=False, exclude_if=is_empty)
    ran_from: Position | None = Field(
        default=None, exclude_if=is_none, description="Where the last move began, if it made no detour."
    )
    extras: ListOf[Id] = Field(
        default=(), exclude_if=is_empty, description="Traits that have added damage, which do so once a turn."
    )
    multiattack: ListOf[Id] = Field(
        default=(), exclude_if=is_empty, description="Attacks of its stat block that the action still holds."
    )
    action_spell: SafeInt = Field(
        default=-1, exclude_if=lambda level: level == -1, description="Level of a spell cast."
    )
    bonus_spell: Flag = Field(default=False, exclude_if=is_empty, description="A spell was cast as a bonus action.")


class Help(Model):
    """Advantage that a participant gives another, until the giver's next turn."""

    helper_id: Id
    kind: Literal["check", "attack"]


class Readied(Model):
    """A readied action."""

    trigger: Words
    action: Words
    spell_name: Text | None = ABSENT


class Strike(Model):
    """A participant's usual attack, where no weapon on a sheet says it."""

    attack_bonus: SafeInt | None = ABSENT
    damage: Text | None = Field(default=None, exclude_if=is_empty, description="Dice.")
    damage_type: DamageType | None = ABSENT
    reach: Feet | None = ABSENT
    weapon_is: ListOf[Material] = Field(default=(), exclude_if=is_empty)
    attacks: Annotated[int, Field(strict=True, ge=1, le=20)] = 1


class BlockUse(Model):
    """The used parts of a monster's stat block, by ids of actions and traits."""

    recharging: ListOf[Id] = Field(default=(), exclude_if=is_empty, description="Actions that a die has to give back.")
    uses: FrozenMap[Count] = Field(default_factory=dict, exclude_if=is_empty, description="How often, of counted uses.")
    proof: FrozenMap[ListOf[Id]] = Field(
        default_factory=dict, exclude_if=is_empty, description="Who cannot be affected any more, by action."
    )
    legendary: Count = Field(default=0, exclude_if=is_empty, description="Legendary actions since its last turn.")
    legendary_now: Flag = Field(default=False, exclude_if=is_empty, description="One of them in the current turn.")
    from_within: Count = Field(default=0, exclude_if=is_empty, description="Damage this turn by creatures inside it.")
    regeneration_stopped: Flag = Field(default=False, exclude_if=is_empty)


NO_USE = BlockUse()


class Overrides(Model):
    """Values that hold for this fight only, in place of the sheet's."""

    ac: Count | None = ABSENT
    speed: Feet | None = ABSENT
    size: Size | None = ABSENT


NO_OVERRIDES = Overrides()


class Statistics(Model):
    """The statistics of a participant."""

    damage_dealt: Count = Field(default=0, exclude_if=is_empty)
    damage_taken: Count = Field(default=0, exclude_if=is_empty)
    healing_done: Count = Field(default=0, exclude_if=is_empty)
    attacks_made: Count = Field(default=0, exclude_if=is_empty)
    attacks_hit: Count = Field(default=0, exclude_if=is_empty)


class Remembered(Model):
    """The state of a linked character when it joined."""

    hp: Count
    temp_hp: Count = 0
    death_saves: DeathSaves | None = ABSENT
    conditions: ListOf[Condition] = ()
    character_state: Text | None = ABSENT
    spell_slots: FrozenMap[Pool] = Field(default_factory=dict, exclude_if=is_empty)
    pact_slots: Count | None = ABSENT


class TrueShape(Model):
    """The statistics that return when a creature takes its own shape again."""

    stat_block: Id
    sheet: Sheet
    strike: Strike = Field(default=Strike(), exclude_if=lambda strike: strike == Strike())
    save_bonuses: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty)


class Summoning(Model):
    """The link that keeps a creature summoned by a spell in a fight."""

    spell: Text
    source: Id = Field(description="Who cast it.")
    monster: Id = Field(description="The id of the entry.")
    until_round: Count | None = Field(default=None, exclude_if=is_none, description="When its time is over.")
    then: Literal["gone", "hostile", "stays"] = Field(
        default="gone",
        exclude_if=lambda value: value == "gone",
        description="Whether it goes, turns hostile or stays when the spell is over.",
    )
    ends_on: Literal["damage"] | None = Field(default=None, exclude_if=is_none)


class Participant(Model):
    """A participant in a fight: linked to a character by `character_id`, or ephemeral with its own `body`.

    After the fight, `body` holds a linked character's state at its end. `deleted_id` is the former character of an
    ephemeral participant whose character was deleted.
    """

    shared = frozenset({"body"})

    id: Id
    name: Annotated[Text, Field(min_length=1, max_length=MAX_NAME_LENGTH)]
    character_id: Id | None = ABSENT
    deleted_id: Id | None = ABSENT
    body: Character | None = ABSENT
    is_enemy: Flag = False
    position: Position
    initiative: SafeInt
    natural: SafeInt
    initiative_given: Flag = Field(default=False, exclude_if=is_empty, description="The d20 fell at the table.")
    initiative_bonus: SafeInt = 0
    surprised: Flag = Field(default=False, exclude_if=is_empty)
    overrides: Overrides = Field(default=NO_OVERRIDES, exclude_if=lambda overrides: overrides == NO_OVERRIDES)
    strike: Strike = Field(default=Strike(), exclude_if=lambda strike: strike == Strike())
    stat_block: Id | None = Field(default=None, exclude_if=is_none, description="Which of the fight's `stat_blocks`.")
    summoned: Summoning | None = Field(default=None, exclude_if=is_none, description="By a spell of the packs.")
    swallowed_by: Id | None = Field(default=None, exclude_if=is_none, description="The creature that swallowed it.")
    attached_to: Id | None = Field(
        default=None, exclude_if=is_none, description="The creature it is attached to, and drains."
    )
    summoned_by: Id | None = Field(default=None, exclude_if=is_none, description="Whose action brought it.")
    split_from: Id | None = Field(default=None, exclude_if=is_none, description="What it was a part of.")
    true_shape: TrueShape | None = Field(default=None, exclude_if=is_none, description="While it has another one.")
    block_use: BlockUse = Field(default=NO_USE, exclude_if=lambda use: use == NO_USE)
    save_bonuses: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty)
    economy: Economy = Field(default=Economy(), exclude_if=lambda economy: economy == Economy())
    dodging: Flag = Field(default=False, exclude_if=is_empty)
    hidden: Flag = Field(default=False, exclude_if=is_empty)
    helped: ListOf[Help] = Field(default=(), exclude_if=is_empty)
    readied: Readied | None = ABSENT
    remembered: Remembered | None = ABSENT
    statistics: Statistics = Field(default=Statistics(), exclude_if=lambda statistics: statistics == Statistics())

    @property
    def has_block(self) -> bool:
        """Whether it was made from an entry of content."""
        return self.stat_block is not None

    @property
    def ids(self) -> tuple[Id, ...]:
        """Every id that means them in their fight: their own, and the character's, even if it was deleted since."""
        behind = self.character_id or self.deleted_id
        return (self.id,) if behind is None else (self.id, behind)

    @property
    def has_sheet(self) -> bool:
        """Whether its values are a character's, even if it was deleted since; others are made up for the fight."""
        return self.character_id is not None or self.deleted_id is not None


PropType = Literal[
    "barrel",
    "crate",
    "chest",
    "door",
    "lever",
    "pillar",
    "statue",
    "table",
    "chair",
    "altar",
    "trap",
    "obstacle",
    "custom",
]
Dc = Annotated[int, Field(strict=True, ge=1, le=30)]


class Prop(Model):
    """A thing that stands on the grid."""

    id: Id
    name: Annotated[Text, Field(min_length=1, max_length=200)]
    type: PropType
    position: Position
    state: Words | None = ABSENT
    locked: Flag = Field(default=False, exclude_if=is_empty)
    lock_dc: Dc | None = ABSENT
    cover_type: Cover = "none"
    blocks_movement: Flag = Field(default=False, exclude_if=is_empty)
    destructible: Flag = Field(default=False, exclude_if=is_empty)
    hp: SafeInt | None = ABSENT
    ac: Annotated[int, Field(strict=True, ge=1, le=30)] | None = ABSENT
    size: Text | None = ABSENT
    description: Words | None = ABSENT
    hidden: Flag = Field(default=False, exclude_if=is_empty)
    trap_dc: Dc | None = ABSENT
    trap_damage: Text | None = Field(default=None, exclude_if=is_empty, description="Dice.")
    trigger: Words | None = ABSENT

    @property
    def is_broken(self) -> bool:
        """Whether it was destroyed, and so neither covers nor blocks."""
        return self.destructible and self.hp is not None and self.hp <= 0


class Encounter(Entry):
    """One fight; its participants are in the order of their turns."""

    collection: ClassVar[str] = "encounters/"
    shared = frozenset({"terrain", "participants", "props", "actions"})

    status: Literal["running", "ended"] = "running"
    round: Count = 1
    turn_index: Count = 0
    lighting: Lighting = "bright"
    terrain: Terrain = Terrain()
    participants: ListOf[Participant]
    props: ListOf[Prop] = Field(default=(), exclude_if=is_empty)
    actions: ListOf[FrozenMap[Any]] = Field(default=(), exclude_if=is_empty, description="The last 20, oldest first.")
    zones: ListOf[Zone] = Field(default=(), exclude_if=is_empty, description="Areas that spells keep up.")
    conditions_applied: FrozenMap[Count] = Field(default_factory=dict, exclude_if=is_empty)
    stat_blocks: FreeMap = Field(
        default_factory=dict, exclude_if=is_empty, description="Entries of content that monsters were made from, by id."
    )
    outcome: Outcome | None = ABSENT
    notes: Words | None = ABSENT
    committed: Flag | None = ABSENT

    @property
    def lookup(self) -> Collection[str]:
        """Running fights are found together, and by who of the characters is in them."""
        if self.status != RUNNING:
            return ()
        linked = (fights_tag(p.character_id) for p in self.participants if p.character_id is not None)
        return (RUNNING_TAG, *linked)

    @property
    def is_running(self) -> bool:
        """Whether the fight continues."""
        return self.status == RUNNING

    @property
    def current(self) -> Participant:
        """Whose turn it is."""
        return self.participants[self.turn_index]

    def block_of(self, person: Participant) -> StatBlock | None:
        """Return the stat block that a participant was made from, or None."""
        return self.stat_blocks.get(person.stat_block) if person.stat_block is not None else None

    def participant(self, identifier: str) -> Participant | None:
        """Return a participant by id, or None."""
        return next((person for person in self.participants if person.id == identifier), None)

    def meant(self, identifier: str) -> Participant | None:
        """Return the participant for an id: its own, else its character's, else that of a character deleted since."""
        named = [person for person in self.participants if identifier in person.ids]
        return min(named, key=lambda person: (person.id != identifier, person.character_id != identifier), default=None)

    def with_participant(self, changed: Participant) -> Encounter:
        """Return the encounter with one participant in place of the one of its id."""
        people = tuple(changed if person.id == changed.id else person for person in self.participants)
        return self.replace(participants=people)
