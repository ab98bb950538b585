"""The state of any creature that can be hurt: abilities, conditions, effects, concentration, counted resources.

Source: SRD 5.1, "Conditions", "Spellcasting"; docs/toolkit.md, "One world".
"""

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from turnwright.model.base import (
    ABSENT,
    Count,
    Flag,
    FrozenMap,
    Id,
    ListOf,
    Model,
    Number,
    SafeInt,
    Text,
    is_empty,
    is_none,
)
from turnwright.model.vocabulary import Ability, ActionType, ConditionName, DamageType, Skill, WeaponDefense

Score = Annotated[int, Field(strict=True, ge=1, le=30)]
"""An ability score."""
Rounds = Annotated[int, Field(strict=True, ge=1, le=10_000_000)]
"""A duration in rounds."""
Words = Annotated[Text, Field(max_length=4000)]
"""A text for people, which rules never read."""
Multiplier = Annotated[Number, Field(ge=0, le=10), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 10})]


class Stats(Model):
    """The six ability scores."""

    str: Score = 10
    dex: Score = 10
    con: Score = 10
    int: Score = 10
    wis: Score = 10
    cha: Score = 10


class Pool(Model):
    """Something that is spent and comes back."""

    current: Count
    max: Count


class PactPool(Pool):
    """The slots of a warlock, all of one level."""

    slot_level: Annotated[int, Field(strict=True, ge=1, le=9)]


class Resource(Pool):
    """A class's own resource, such as ki or rage."""

    name: Text


Marks = Annotated[int, Field(strict=True, ge=0, le=3)]
"""Death saves made or failed."""


class DeathSaves(Model):
    """The death saves of a creature at 0 HP."""

    successes: Marks = 0
    failures: Marks = 0
    stable: Flag = False
    dead: Flag = False


Lasting = Literal["concentration", "until_dispelled", "until_rest", "until_long_rest"]
"""A duration that is not counted in rounds."""
RollKind = Literal["attack_rolls", "ability_checks", "saving_throws", "dex_saves"]
"""Rolls that a condition can make harder."""


class CustomMechanical(Model):
    """The numeric effects of a condition outside the 15."""

    disadvantage_on: ListOf[RollKind] = Field(default=(), exclude_if=is_empty)
    speed_multiplier: Multiplier | None = ABSENT
    max_hp_multiplier: Multiplier | None = ABSENT
    cannot_move: Flag = Field(default=False, exclude_if=is_empty)
    can_only_crawl: Flag = Field(default=False, exclude_if=is_empty)
    incapacitated: Flag = Field(default=False, exclude_if=is_empty)
    auto_fail_saves: ListOf[Ability] = Field(default=(), exclude_if=is_empty)


class Mechanical(CustomMechanical):
    """The numeric effects of a condition."""

    dead: Flag = Field(
        default=False, exclude_if=is_empty, description="Only the sixth level of exhaustion kills, whatever this says."
    )


class Ending(Model):
    """A turn in a fight that ends something: whose, at which of its two ends, and how many of them from now."""

    whose: Id
    at: Literal["start", "end"]
    turns: Annotated[int, Field(strict=True, ge=1, le=2)] = 1


class Blow(Model):
    """Damage that a lasting effect deals at some moment."""

    dice: Annotated[Text, Field(min_length=1, max_length=200)]
    type: DamageType | None = Field(default=None, exclude_if=is_none, description="Absent: that of the weapon.")


class TurnBlow(Blow):
    """Damage that something deals turn after turn."""

    at: Literal["start", "end"] = "start"
    whose: Id | None = Field(default=None, exclude_if=is_none, description="Whose turn; absent: the bearer's.")
    left: Count | None = Field(default=None, exclude_if=is_none, description="After so many hit points it is over.")


class AbilitySave(Model):
    """A saving throw that something asks for again and again."""

    ability: Ability
    dc: SafeInt


class EndsBy(Model):
    """An action of the bearer, or of a creature beside them, that ends something; a check may decide it."""

    skill: Skill | None = ABSENT
    abilities: ListOf[Ability] = Field(
        default=(), exclude_if=is_empty, description="A check of the best of these, where no skill goes with it."
    )
    save: Ability | None = Field(default=None, exclude_if=is_none, description="Of its bearer alone: a saving throw.")
    dc: SafeInt | None = ABSENT
    within: Count = Field(default=5, exclude_if=lambda feet: feet == 5, description="Feet from its bearer.")


class Bonds(Model):
    """An object that restrains a creature, and that a slashing weapon can cut."""

    item_id: Id = Field(description="Of the bearer of the weapon that it is.")
    ac: Count
    hp: Count


class Disguise(Model):
    """An illusion of what its bearer looks like, and the check of who examines it."""

    skill: Skill
    dc: SafeInt
    seen_through_by: ListOf[Id] = Field(default=(), exclude_if=is_empty)


class Daily(Model):
    """The effect of a disease or a curse on its bearer every 24 hours."""

    max_hp: Annotated[Text, Field(min_length=1, max_length=200, description="Dice that lower the hit point maximum.")]
    save: AbilitySave | None = Field(default=None, exclude_if=is_none, description="A success spares the bearer.")
    cures: Flag = Field(default=False, exclude_if=is_empty, description="The save that succeeds ends it.")
    passed: Count = Field(default=0, exclude_if=is_empty, description="Seconds of the day that has begun.")


class Tally(Model):
    """Saves that are counted until so many of one kind decide."""

    needed: Annotated[int, Field(strict=True, ge=1, le=10)]
    successes: Count = 0
    failures: Count = 0


class Condition(Model):
    """A condition of a creature; conditions apply in the order in which they were added."""

    condition: Annotated[Text, Field(min_length=1, max_length=100, description="One of the 15, or a name of its own.")]
    source: Words | None = ABSENT
    description: Words | None = ABSENT
    duration: Rounds | Lasting | Literal["save_ends"] | None = Field(
        default=None, exclude_if=is_none, description="Rounds, or what ends it; absent: until it is removed."
    )
    rounds_remaining: Count | None = ABSENT
    save_dc: SafeInt | None = ABSENT
    save_ability: Ability | None = ABSENT
    ends: Ending | None = Field(default=None, exclude_if=is_none, description="When another's turn ends it.")
    ends_on: ListOf[Literal["damage", "attacks", "casts_spell", "harmed"] | Id] = Field(
        default=(),
        exclude_if=is_empty,
        description="What ends it: damage taken, an attack made, a spell cast, damage by its source or a companion of "
        "theirs, a part of a stat block used.",
    )
    repeat_save: Literal["turn_end", "turn_end_unseen"] | None = Field(
        default=None,
        exclude_if=is_none,
        description="A save at the end of each turn ends it, whatever else does; unseen, where its source is out of "
        "sight.",
    )
    exhaustion_level: Annotated[int, Field(strict=True, ge=1, le=6)] | None = ABSENT
    spell: Text | None = Field(default=None, exclude_if=is_none, description="The spell of the packs that gave it.")
    slot_level: Count | None = Field(default=None, exclude_if=is_none, description="The level that spell was cast at.")
    mechanical: Mechanical | None = Field(
        default=None, exclude_if=is_none, description="What a condition outside the 15 does."
    )
    worsens_to: ConditionName | None = Field(
        default=None, exclude_if=is_none, description="What a further failed save makes of it."
    )
    escape_dc: SafeInt | None = Field(default=None, exclude_if=is_none, description="What breaking free has to reach.")
    ends_by: EndsBy | None = Field(
        default=None, exclude_if=is_none, description="An action of its bearer that ends it."
    )
    failed_save_damage: Blow | None = Field(
        default=None, exclude_if=is_none, description="What each failed save at the end of a turn deals."
    )
    turn_damage: TurnBlow | None = Field(
        default=None, exclude_if=is_none, description="Dealt turn after turn, while it lasts."
    )
    no_healing: Flag = Field(default=False, exclude_if=is_empty, description="Its bearer regains no hit points.")
    tally: Tally | None = Field(
        default=None, exclude_if=is_none, description="How many saves end it, or make of it what it worsens to."
    )
    saves_when_damaged: Literal["normal", "advantage"] | None = Field(
        default=None, exclude_if=is_none, description="Damage lets its bearer save against it at once."
    )
    hangs_on: Text | None = Field(
        default=None, exclude_if=is_none, description="The effect of its bearer, by name, that it ends with."
    )


Bonus = SafeInt | Annotated[Text, Field(min_length=1, max_length=200, description="Dice.")]
"""A modifier of rolls: a number, or dice that are rolled with each of them."""
Moment = Literal["start_of_turn", "end_of_turn", "on_attack", "on_hit", "on_damage_taken", "on_death"]
"""When the words of an effect should be played out: of attacks and hits, those that its bearer makes."""


class Duplicates(Model):
    """Duplicates of a creature: the number left, and for each number the lowest d20 that redirects an attack to one."""

    left: Count
    redirect: FrozenMap[Count]


class Discerned(Model):
    """A check that sees through an illusion, and who has."""

    skill: Skill
    dc: SafeInt
    by: ListOf[Id] = Field(default=(), exclude_if=is_empty)


class BlowOf(Blow):
    """Extra damage that one creature's attacks and spells deal."""

    whose: Id


class Shared(Model):
    """Damage that another creature takes, too, as long as it is near."""

    with_id: Id
    within: Count


class Flight(Model):
    """How far from a creature, and out of its sight, an effect ends for its bearer."""

    whose: Id
    feet: Count


class Counter(Model):
    """A spell that waits for another one: the level up to which it ends it at once, and what its check adds."""

    level: Count
    modifier: SafeInt


class Confusion(Model):
    """What a d10 decides at the start of each turn: the highest face of each outcome."""

    wanders: Count
    stands: Count
    strikes: Count


class SummonedGroup(Model):
    """Creatures of one kind that a spell has brought, as many as are left of them."""

    monster: Id = Field(description="The id of the entry.")
    count: Count
    then: Literal["gone", "hostile", "stays"] = Field(
        default="gone",
        exclude_if=lambda value: value == "gone",
        description="Whether they go, turn hostile or stay when the spell is over.",
    )
    ends_on: Literal["damage"] | None = Field(default=None, exclude_if=is_none)


class Globe(Model):
    """A sphere that keeps spells up to a level out."""

    radius: Count
    level: Count


class EnchantedWeapon(Model):
    """The changes that an effect makes to a weapon."""

    item_id: Id
    bonus: Count = Field(default=0, exclude_if=is_empty)
    dice: Text | None = Field(default=None, exclude_if=is_none, description="In place of its own.")
    ability: Ability | None = Field(default=None, exclude_if=is_none, description="In place of Strength.")


class Effect(Model):
    """A boon, a curse or another lasting effect on a creature."""

    effect_id: Id
    name: Annotated[Text, Field(min_length=1, max_length=200)]
    type: Literal["boon", "curse", "neutral"] = "neutral"
    source: Words | None = ABSENT
    ac_bonus: SafeInt = Field(default=0, exclude_if=is_empty)
    ac_base: Count | None = Field(
        default=None, exclude_if=is_none, description="Armor class of who wears no armor, before DEX."
    )
    ac_min: Count | None = Field(default=None, exclude_if=is_none, description="The armor class is at least this.")
    attack_bonus: Bonus = Field(default=0, exclude_if=is_empty)
    saving_throw_bonus: Bonus = Field(default=0, exclude_if=is_empty)
    check_bonus: Bonus = Field(default=0, exclude_if=is_empty)
    roll_bonuses: FrozenMap[SafeInt] = Field(
        default_factory=dict, exclude_if=is_empty, description="Added to rolls by their name, such as stealth."
    )
    uses: Annotated[int, Field(strict=True, ge=1, le=100)] | None = Field(
        default=None, exclude_if=is_none, description="How many rolls its dice are added to before it ends."
    )
    attacks_against: Literal["advantage", "disadvantage"] | None = Field(
        default=None, exclude_if=is_none, description="How others attack the bearer."
    )
    speed_factor: Multiplier | None = Field(
        default=None, exclude_if=is_none, description="The speed is multiplied by it, with all that is added."
    )
    speed_modifier: SafeInt = Field(default=0, exclude_if=is_empty)
    max_hp_modifier: SafeInt = Field(default=0, exclude_if=is_empty)
    damage_bonus: Text | None = Field(default=None, exclude_if=is_none, description="Dice.")
    ability_bonuses: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty)
    resistances: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    immunities: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    vulnerabilities: ListOf[DamageType] = Field(default=(), exclude_if=is_empty)
    condition_immunities: ListOf[ConditionName] = Field(default=(), exclude_if=is_empty)
    senses: FrozenMap[Count] = Field(default_factory=dict, exclude_if=is_empty, description="Feet, by sense.")
    advantage_on: ListOf[Text] = Field(default=(), exclude_if=is_empty)
    disadvantage_on: ListOf[Text] = Field(default=(), exclude_if=is_empty)
    duration: Rounds | Lasting | None = ABSENT
    rounds_remaining: Count | None = ABSENT
    ends: Ending | None = Field(default=None, exclude_if=is_none, description="When another's turn ends it.")
    slot_level: Count | None = Field(
        default=None, exclude_if=is_none, description="The level that it was cast at, of a spell of the packs."
    )
    versus: ListOf[Id] = Field(
        default=(), exclude_if=is_empty, description="It affects the bearer's attacks and hits only against these."
    )
    versus_kinds: ListOf[Text] = Field(
        default=(), exclude_if=is_empty, description="Kinds of creature against which alone it protects."
    )
    healing: Literal["maximum", "none", "magic"] | None = Field(
        default=None, exclude_if=is_none, description="All that healing can give, nothing of it, or only what is magic."
    )
    daily: Daily | None = Field(default=None, exclude_if=is_none, description="What it does day after day.")
    turn_hp: Count | None = Field(default=None, exclude_if=is_none, description="Regained as each turn starts.")
    turn_temp_hp: Count | None = Field(
        default=None, exclude_if=is_none, description="Temporary hit points as each turn starts."
    )
    hit_damage: Blow | None = Field(
        default=None, exclude_if=is_none, description="What hits with weapons deal beside their own damage."
    )
    turn_damage: TurnBlow | None = Field(default=None, exclude_if=is_none, description="Dealt turn after turn.")
    ethereal: Flag = Field(
        default=False, exclude_if=is_empty, description="On another plane: out of reach of creatures on this one."
    )
    away: Flag = Field(
        default=False,
        exclude_if=is_empty,
        description="Away from all other creatures: neither side can reach the other.",
    )
    leaves_on: Annotated[int, Field(strict=True, ge=1, le=20)] | None = Field(
        default=None,
        exclude_if=is_none,
        description="As each turn of its bearer ends, a d20 of at least this takes them to another plane for a round.",
    )
    barred_actions: ListOf[ActionType] = Field(
        default=(), exclude_if=is_empty, description="What its bearer cannot do."
    )
    harmless: Flag = Field(
        default=False, exclude_if=is_empty, description="Its bearer makes no attacks, and casts no harmful spells."
    )
    start_save: AbilitySave | None = Field(
        default=None, exclude_if=is_none, description="A save as each turn starts, or its action is lost."
    )
    damage_from: BlowOf | None = Field(
        default=None, exclude_if=is_none, description="What attacks and spells of one creature deal to it besides."
    )
    shares_damage: Shared | None = Field(
        default=None, exclude_if=is_none, description="Who takes the damage that its bearer takes, as well."
    )
    discerned: Discerned | None = Field(
        default=None, exclude_if=is_none, description="An illusion: the check that sees through it, and who did."
    )
    flees: Flight | None = Field(
        default=None, exclude_if=is_none, description="Where it ends, with the conditions that came with it."
    )
    undetected: Flag = Field(default=False, exclude_if=is_empty, description="Divinations do not find its bearer.")
    masked_as: Text | None = Field(
        default=None, exclude_if=is_none, description="The kind of creature that spells take its bearer for."
    )
    false_aura: Text | None = Field(
        default=None, exclude_if=is_none, description="The magic that shows on its bearer; none: nothing shows."
    )
    castings: Count | None = Field(
        default=None, exclude_if=is_none, description="How often a spell was cast since the last long rest."
    )
    chosen: Text | None = Field(default=None, exclude_if=is_none, description="What its caster chose.")
    slowed: Flag = Field(
        default=False,
        exclude_if=is_empty,
        description="No reactions; a turn has one attack at most, and an action or a bonus action, not both.",
    )
    end_damage: Blow | None = Field(default=None, exclude_if=is_none, description="Dealt as a turn ends it.")
    retaliation: Blow | None = Field(
        default=None, exclude_if=is_none, description="Dealt to who hits the bearer in melee from within 5 feet."
    )
    halves_strength_weapons: Flag = Field(
        default=False, exclude_if=is_empty, description="Hits with weapons that Strength wields deal half."
    )
    hp_at_zero: Count | None = Field(
        default=None, exclude_if=is_none, description="Hit points in place of 0, and of a death without damage."
    )
    check_floors: FrozenMap[Count] = Field(
        default_factory=dict, exclude_if=is_empty, description="The least that the d20 of a check counts, by ability."
    )
    blocks_spells: ListOf[Id] = Field(default=(), exclude_if=is_empty, description="Spells that do nothing to it.")
    suppresses: ListOf[ConditionName] = Field(
        default=(), exclude_if=is_empty, description="Conditions that do nothing for their bearer meanwhile."
    )
    never_surprised: Flag = Field(default=False, exclude_if=is_empty)
    halved_weapons: WeaponDefense | None = Field(
        default=None, exclude_if=is_none, description="Weapons of which the bearer takes half the damage."
    )
    repeat_save: AbilitySave | None = Field(
        default=None, exclude_if=is_none, description="A save at the end of each of the bearer's turns ends it."
    )
    attackers_save: AbilitySave | None = Field(
        default=None, exclude_if=is_none, description="Who attacks the bearer saves, or the attack is lost."
    )
    ends_on: ListOf[Literal["attacks", "casts_spell_on_enemy", "healed"]] = Field(
        default=(), exclude_if=is_empty, description="What ends it: what its bearer does, or magic that heals them."
    )
    ends_by: EndsBy | None = Field(default=None, exclude_if=is_none, description="An action that ends it.")
    disguise: Disguise | None = Field(default=None, exclude_if=is_none, description="What its bearer seems to be.")
    bonds: Bonds | None = Field(default=None, exclude_if=is_none, description="What it is, and how it is cut.")
    cured_as: ListOf[Literal["curse", "disease"]] = Field(
        default=(), exclude_if=is_empty, description="What it is to magic that frees of curses and diseases."
    )
    duplicates: Duplicates | None = Field(
        default=None, exclude_if=is_none, description="Images that attacks may strike in the bearer's place."
    )
    size_change: SafeInt = Field(default=0, exclude_if=is_empty, description="Steps of size.")
    weapon: EnchantedWeapon | None = Field(
        default=None, exclude_if=is_none, description="What it makes of one weapon of the bearer."
    )
    counters: Counter | None = Field(
        default=None, exclude_if=is_none, description="What meets the next spell that its bearer casts."
    )
    at: tuple[SafeInt, SafeInt, SafeInt] | None = Field(
        default=None, exclude_if=is_none, description="The square of what a spell has made."
    )
    is_presence: Flag = Field(
        default=False, exclude_if=is_empty, description="While its bearer is in the area of the spell."
    )
    order: Literal["approach", "drop", "flee", "grovel", "halt"] | None = Field(
        default=None, exclude_if=is_none, description="What its bearer does in their next turn."
    )
    confusion: Confusion | None = Field(default=None, exclude_if=is_none)
    summons: ListOf[SummonedGroup] = Field(
        default=(), exclude_if=is_empty, description="Who fights beside its bearer for as long as it lasts."
    )
    globe: Globe | None = Field(
        default=None, exclude_if=is_none, description="Around `at`, what spells from outside do nothing within."
    )
    extra_turns: Count | None = Field(
        default=None, exclude_if=is_none, description="Turns that the bearer still takes before any other creature."
    )
    fades: Count | None = Field(
        default=None, exclude_if=is_none, description="By how much a long rest lessens its penalties."
    )
    trigger: Moment | None = ABSENT
    trigger_effect: Words | None = ABSENT


class Concentration(Model):
    """The spell a creature concentrates on."""

    spell_name: Annotated[Text, Field(min_length=1, max_length=200)]
    targets: ListOf[Id] = Field(default=(), exclude_if=is_empty)
    duration: Rounds | None = ABSENT
    rounds_remaining: Count | None = ABSENT
    started_round: Count | None = ABSENT
    encounter_id: Id | None = ABSENT
    slot_level: Count | None = Field(
        default=None, exclude_if=is_none, description="The level it was cast at, of a spell of the packs."
    )
