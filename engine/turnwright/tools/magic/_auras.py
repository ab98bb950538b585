"""What an aura does to who is in it: whom it reaches, their saves, and what they take, regain and get.

`manage_aura` processes auras when it is asked to, `advance_turn` when a turn begins. Source: docs/toolkit.md,
"Auras".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from turnwright.model.aura import Aura, encounter_tag
from turnwright.model.creature import Condition
from turnwright.model.encounter import Encounter, Participant
from turnwright.rules.dice import Roll
from turnwright.rules.grid.distance import between
from turnwright.rules.grid.space import Body, Square
from turnwright.tools import harm
from turnwright.tools._base import Context
from turnwright.tools.afflict import afflict
from turnwright.tools.creatures import Creature, again, creature_of, fighter, now, participant_of
from turnwright.tools.magic._faces import throw_with
from turnwright.tools.rolls import Save, save, throw
from turnwright.world.overlay import World

Row: TypeAlias = dict[str, Any]


class Target(NamedTuple):
    """Somebody an aura may reach.

    Attributes:
        id: as the results name them.
        creature: who it is, or None for somebody the campaign does not know.
        distance: feet from the aura's owner.
        save_modifier: in place of their own.
    """

    id: str
    creature: Creature | None
    distance: int
    save_modifier: int | None = None


class Faces(NamedTuple):
    """Dice that fell on a real table: of damage and healing in the order of drawing, of saves by id."""

    damage: Sequence[int] = ()
    healing: Sequence[int] = ()
    saves: Mapping[str, int] = {}


NO_FACES = Faces()


class Processed(NamedTuple):
    """What an aura did: a row for each target, and who was passed over."""

    rows: list[Row]
    skipped: list[str]
    warnings: list[str]


def process_aura(
    world: World,
    aura: Aura,
    ctx: Context,
    *,
    targets: Sequence[Target] | None = None,
    only: str | None = None,
    faces: Faces = NO_FACES,
) -> list[Row]:
    """Let an aura act on whom it touches, and return what it did to each.

    Args:
        world: the campaign.
        aura: which one; bound to a running fight, unless targets are given.
        ctx: whose dice and settings.
        targets: whom it may reach; by default everybody in its fight.
        only: the participant whose turn begins; nobody else is touched.
        faces: dice that fell on a real table.
    """
    chosen = targets_in_fight(world, aura) if targets is None else targets
    if only is not None:
        chosen = [target for target in chosen if target.id == only and target.distance <= aura.radius]
    return run_aura(world, aura, ctx, chosen, faces).rows


def auras_of(world: World, encounter_id: str) -> list[Aura]:
    """Return the auras that are bound to a fight, oldest first."""
    return sorted(world.all_tagged(Aura, encounter_tag(encounter_id)), key=lambda aura: (len(aura.id), aura.id))


def owner_of(world: World, aura: Aura, encounter: Encounter | None) -> Creature | None:
    """Return who an aura surrounds, or None when they are gone."""
    person = participant_behind(encounter, aura.owner_id) if encounter else None
    if encounter is not None and person is not None:
        return fighter(world, encounter, person)
    character = world.character(aura.owner_id)
    return creature_of(world, character) if character else None


def participant_behind(encounter: Encounter, owner_id: str) -> Participant | None:
    """Return the place in a fight of whom an aura's `owner_id` means, or None."""
    return next((person for person in encounter.participants if owner_id in (person.character_id, person.id)), None)


def targets_in_fight(world: World, aura: Aura, encounter: Encounter | None = None) -> list[Target]:
    """Return everybody in the fight of an aura, with how far they are from its owner."""
    encounter = encounter or (world.find(Encounter, aura.encounter_id) if aura.encounter_id else None)
    person = participant_behind(encounter, aura.owner_id) if encounter else None
    if encounter is None or person is None or not encounter.is_running:
        return []
    centre = _body(world, encounter, person)
    return [
        Target(other.id, fighter(world, encounter, other), between(centre, _body(world, encounter, other)))
        for other in encounter.participants
    ]


def _body(world: World, encounter: Encounter, person: Participant) -> Body:
    at = person.position
    return Body(Square(at.x, at.y, at.z), now(world, fighter(world, encounter, person)).size)


def run_aura(world: World, aura: Aura, ctx: Context, targets: Sequence[Target], faces: Faces = NO_FACES) -> Processed:
    """Let an aura act on these targets, in their order.

    Drawn in this order: the dice of damage, those of healing, a save for each target, then what concentration asks.
    Who is out of reach, dead, or of a side that the aura does not affect draws nothing.
    """
    encounter = world.find(Encounter, aura.encounter_id) if aura.encounter_id else None
    owner = owner_of(world, aura, encounter)
    chosen: list[Target] = []
    skipped: list[str] = []
    for target in targets:
        if _affects(world, aura, owner, target):
            chosen.append(target)
        else:
            skipped.append(target.id)
    within = [target for target in chosen if target.distance <= aura.radius]
    act = _Act(world, aura, ctx, owner).thrown(faces) if within else None
    saves = {target.id: act.save(target, faces.saves.get(target.id)) for target in within} if act else {}
    hurt: dict[str, harm.Harm] = {}
    rows = [
        act.touch(target, saves[target.id], hurt) if act and target.id in saves else _row(aura, target)
        for target in chosen
    ]
    for row in rows:
        if row["target_id"] in hurt and (check := harm.check_concentration(world, hurt[row["target_id"]], ctx)):
            row["concentration_check"] = check
    unknown = [target.id for target in within if target.creature is None]
    told = [f"{each} is neither in the fight nor a character: only reckoned, nothing was changed" for each in unknown]
    return Processed(rows, skipped, told)


def _affects(world: World, aura: Aura, owner: Creature | None, target: Target) -> bool:
    """Return whether an aura is meant for somebody, wherever they are; the dead it never touches."""
    creature = target.creature
    if creature is None:
        return True
    if again(world, creature).character.is_dead:
        return False
    if owner is not None and (creature.id, creature.encounter_id) == (owner.id, owner.encounter_id):
        return aura.affects_self
    if owner is None or creature.encounter_id is None or creature.encounter_id != owner.encounter_id:
        return True  # who is named outside of any fight is on no side
    return aura.affects_enemies if _side(world, creature) != _side(world, owner) else aura.affects_allies


def _side(world: World, creature: Creature) -> bool:
    person = participant_of(world, creature)
    return person is not None and person.is_enemy


def _held(world: World, aura: Aura, owner: Creature | None) -> bool:
    """Return whether its owner's concentration holds an aura."""
    held = again(world, owner).character.concentration if owner else None
    return held is not None and held.spell_name.casefold() == aura.spell_name.casefold()


def _row(aura: Aura, target: Target) -> Row:
    """Return the row of somebody the aura does nothing to."""
    return {
        "aura_id": aura.id,
        "target_id": target.id,
        "in_range": False,
        "save": None,
        "damage_rolled": None,
        "damage_applied": 0,
        "healing": 0,
        "condition": None,
    }


class _Act(NamedTuple):
    """One processing of one aura."""

    world: World
    aura: Aura
    ctx: Context
    owner: Creature | None
    damage: Roll | None = None
    healing: Roll | None = None

    def thrown(self, faces: Faces) -> _Act:
        """Throw the dice that all targets share."""
        aura = self.aura
        damage = throw_with(self.ctx, aura.damage, f"{aura.id} damage", faces.damage) if aura.damage else None
        healing = throw_with(self.ctx, aura.healing, f"{aura.id} healing", faces.healing) if aura.healing else None
        return self._replace(damage=damage, healing=healing)

    def save(self, target: Target, manual: int | None) -> Save | None:
        """Make the save that the aura asks of somebody, if it asks any."""
        aura, ctx, why = self.aura, self.ctx, f"{target.id} save against {self.aura.id}"
        if aura.save_dc is None or aura.save_ability is None:
            return None
        if target.creature is None:
            d20, modifier = throw(ctx, why, manual=manual), target.save_modifier or 0
            total = d20.natural + modifier
            return Save(d20, modifier, total, total >= aura.save_dc)
        given = target.save_modifier
        ability = aura.save_ability
        return save(self.world, target.creature, ability, aura.save_dc, ctx, why=why, modifier=given, manual=manual)

    def touch(self, target: Target, made: Save | None, hurt: dict[str, harm.Harm]) -> Row:
        """Do to somebody what the aura does, and return the row that tells of it."""
        row = _row(self.aura, target) | {"in_range": True, "save": made.shown() if made else None}
        saved = made is not None and made.success
        known = target.creature
        creature = again(self.world, known) if known and known.character.hp is not None else None
        row |= self._damaged(target, creature, saved, hurt) | self._healed(creature)
        if self.aura.condition is not None:
            row["condition"] = "resisted" if saved else self._afflicted(known)
        if creature is not None:
            row["hp"] = again(self.world, creature).character.hp
        return row

    def _damaged(self, target: Target, creature: Creature | None, saved: bool, hurt: dict[str, harm.Harm]) -> Row:
        if self.damage is None:
            return {}
        rolled = max(0, self.damage.total)
        half = saved and self.aura.half_on_save
        due = rolled if half or not saved else 0
        if creature is None or due == 0:
            return {"damage_rolled": rolled, "damage_applied": due // 2 if half else due}
        done = harm.damage(self.world, creature, due, self.aura.damage_type, self.ctx, half=half, by=self.owner)
        hurt[target.id] = done
        return {"damage_rolled": rolled, "damage_applied": done.taken}

    def _healed(self, creature: Creature | None) -> Row:
        if self.healing is None:
            return {}
        amount = max(0, self.healing.total)
        if creature is None:
            return {"healing": amount}
        creature = again(self.world, creature)
        if creature.character.is_dead:  # the damage came first
            return {"healing": 0}
        return {"healing": harm.heal(self.world, creature, amount, self.ctx, by=self.owner)}

    def _afflicted(self, creature: Creature | None) -> Literal["applied", "resisted"]:
        aura = self.aura
        if creature is None:
            return "applied"
        duration = "concentration" if _held(self.world, aura, self.owner) else None
        given = Condition(
            condition=aura.condition, source=aura.owner_id, description=aura.spell_name, duration=duration
        )
        return "resisted" if afflict(self.world, creature, given, self.ctx).blocked else "applied"


def ticked(world: World, auras: Iterable[Aura]) -> tuple[list[Aura], list[Aura]]:
    """Take a round from auras that are counted in rounds; return those that go on, and those that ran out.

    What has gone meanwhile, with its owner's concentration for example, is in neither.
    """
    left: list[Aura] = []
    expired: list[Aura] = []
    for aura in filter(None, [world.find(Aura, aura.id) for aura in auras]):
        rounds = aura.rounds_remaining
        if rounds is None:
            left.append(aura)
        elif rounds > 1:
            left.append(aura.having(rounds_remaining=rounds - 1))
            world.put(left[-1])
        else:
            expired.append(aura)
            world.remove(aura.path)
    return left, expired
