"""roll_death_save: between life and death."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt
from turnwright.model.character import Character
from turnwright.model.creature import DeathSaves
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import RollMode
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.bonus_dice import throw_bonus_dice
from turnwright.rulesets.fifth_edition.damage import heal
from turnwright.rulesets.fifth_edition.fights.death_saves import DeathSave, death_save
from turnwright.rulesets.fifth_edition.rolls import mode_sources, throw
from turnwright.rulesets.fifth_edition.sheets import checks, health
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.targets import Creature, fighters, now, put_creature, reload, require_creature
from turnwright.rulesets.fifth_edition.triggers import told, triggers
from turnwright.rulesets.references import D20, Name, ParticipantId, RunningEncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

Outcome = Literal[
    "success",
    "failure",
    "critical_failure",
    "stabilized",
    "revived",
    "death",
    "already_stable",
    "already_dead",
]


class RollDeathSaveArgs(ToolkitArgs):
    """Arguments of `roll_death_save`."""

    character_id: ParticipantId | None = Field(default=None, description="The dying character or participant.")
    character_name: Name | None = Field(default=None, description="The dying creature's name.")
    encounter_id: RunningEncounterId | None = Field(
        default=None, description="The running fight; required for a participant without a character."
    )
    modifier: SafeInt = Field(default=0, description="Something that helps or hinders, such as a blessing.")
    roll_mode: RollMode = Field(default="normal", description="Advantage or disadvantage.")
    manual_roll: D20 | None = Field(
        default=None, description="Face of the d20 rolled at the table; counts whatever the mode."
    )
    manual_rolls: ListOf[D20] = Field(
        default=(), max_length=2, description="Two faces for (dis)advantage; the first counts otherwise."
    )


class RollDeathSaveResult(Model):
    """The roll, and its outcome."""

    character: Id
    natural: SafeInt | None
    rolls: ListOf[SafeInt]
    modifier: SafeInt
    total: SafeInt | None
    outcome: Outcome
    successes: Count
    failures: Count
    is_stable: Flag
    is_dead: Flag
    hp: Count


@toolkit(
    RollDeathSaveArgs,
    RollDeathSaveResult,
    example={"character_id": "aria"},
)
def roll_death_save(world: World, args: RollDeathSaveArgs, ctx: Context) -> Applied:
    """Roll a death saving throw for a player character at 0 hit points.

    Call it once at the start of each of its turns while it lies dying: `advance_turn` says when. The third success
    makes it stable, the third failure kills it, a 20 on the die brings it back with 1 hit point, a 1 counts twice.
    A stable or dead character rolls no more.
    """
    creature = require_creature(world, args.character_id, args.character_name, args.encounter_id, "character")
    saves = _require_dying(world, args, creature)
    if saves.dead or saves.stable:
        outcome: Outcome = "already_dead" if saves.dead else "already_stable"
        return Applied(_shown(creature, outcome, saves.successes, saves.failures, args.modifier).as_written)

    values = now(world, creature)
    modifier = args.modifier + values.save_bonus
    sources = checks.death_save_sources(values) + mode_sources(args.roll_mode)
    d20 = throw(
        ctx,
        f"{creature.id} death save",
        sources,
        args.manual_roll,
        args.manual_rolls,
        lucky=is_lucky(creature.character, "save"),
    )
    modifier += throw_bonus_dice(world, creature, "save", ctx)
    creature = reload(world, creature)
    total = d20.natural + modifier
    made = death_save(d20.natural, total, saves.successes, saves.failures)
    after = _become(world, creature, made, ctx)
    shown = _shown(after, made.outcome, made.successes, made.failures, modifier)
    triggered = told(triggers(creature, "on_death")) if made.outcome == "death" else ()
    return Applied(shown.replace(natural=d20.natural, rolls=d20.rolls, total=total).as_written, triggered)


def _require_dying(world: World, args: RollDeathSaveArgs, creature: Creature) -> DeathSaves:
    """Return how close to death a creature is that makes death saves at all."""
    character = creature.character
    why = _why_not(character)
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, f"{creature.id} {why}", _instead(world, args))
    saves = character.death_saves or DeathSaves()
    return saves.replace(dead=True) if character.is_dead else saves


def _why_not(character: Character) -> str | None:
    """Return why a creature makes no death saves, or None where it makes them."""
    if character.max_hp is None:
        return "has no sheet, which death saves need"
    if character.character_type != "pc":
        return "is no player character, and makes no death saves"
    if (character.hp or 0) > 0 and not character.is_dead:
        return f"has {character.hp} hit points, and is not dying"
    return None


def _instead(world: World, args: RollDeathSaveArgs) -> hint.Hint:
    """Return how to name a dying participant of the fight, or without a fight a dying party member."""
    encounter = world.find(Encounter, args.encounter_id) if args.encounter_id else None
    # A participant's name in a fight means nothing to a call that names no fight.
    people = fighters(world, encounter) if encounter else [Creature(member.id, member) for member in world.party()]
    open_to = [each for each in people if _why_not(each.character) is None and not each.character.is_dead]
    if args.character_id is not None:
        return hint.ask("args.character_id", args.character_id, [each.id for each in open_to])
    return hint.ask("args.character_name", args.character_name, [each.label for each in open_to])


def _become(world: World, creature: Creature, made: DeathSave, ctx: Context) -> Creature:
    if made.outcome == "revived":
        heal(world, creature, 1, ctx)
        return reload(world, creature)
    changes = ctx.settings["rules.hp_zero_ends_game"]
    character = creature.character
    if made.outcome == "stabilized":
        return put_creature(world, creature, health.stabilized(character, changes_state=changes))
    return put_creature(world, creature, _marked(character, made, changes_state=changes))


def _marked(character: Character, made: DeathSave, *, changes_state: bool) -> Character:
    successes, failures = made.kept
    if made.outcome == "death":
        dead = health.killed(character, changes_state=changes_state)
        return dead.replace(death_saves=DeathSaves(successes=successes, failures=failures, dead=True))
    return character.replace(death_saves=DeathSaves(successes=successes, failures=failures))


def _shown(creature: Creature, outcome: Outcome, successes: int, failures: int, modifier: int) -> RollDeathSaveResult:
    character = creature.character
    return RollDeathSaveResult(
        character=creature.id,
        natural=None,
        rolls=(),
        modifier=modifier,
        total=None,
        outcome=outcome,
        successes=successes,
        failures=failures,
        is_stable=character.death_saves is not None and character.death_saves.stable,
        is_dead=character.is_dead,
        hp=character.hp or 0,
    )
