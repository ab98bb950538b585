"""Effects of lasting areas of spells: on creatures that enter them, start or end a turn in them, or are in them.

Source: SRD 5.1, "Spell Descriptions"; docs/content.md, "Lasting areas".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from turnwright.model.creature import Blow, Condition, Effect, EndsBy
from turnwright.model.dice.expression import Roll, render
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import DamageType
from turnwright.model.zone import Zone, ZoneMoment, ZoneSpot
from turnwright.rulesets.fifth_edition import damage as harm
from turnwright.rulesets.fifth_edition.battlefield import (
    are_apart,
    are_hostile,
    body_on_grid,
    cover_between,
    position_of,
    square_of,
)
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.damage import DamageResult, status_of
from turnwright.rulesets.fifth_edition.damage_rules import Damage, Source
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.fights.traits import MAGIC
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration
from turnwright.rulesets.fifth_edition.rolls import NOTHING, save, throw_dice
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.sheets.effect_list import with_effect, without_effect
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, Body, Square
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    body_of,
    combatant,
    now,
    put_creature,
    put_participant,
    reload,
    require_encounter,
)
from turnwright.rulesets.fifth_edition.zones import area_of, lying, spot, square_at
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import (
        AreaReport,
        DamageReport,
        TriggerReport,
    )

SPELL = Source(is_spell=True)


@dataclass(slots=True)
class ZoneActs:
    """The effects of a fight's areas in one call.

    Attributes:
        world, ctx: of the call.
        encounter_id: the fight.
        rows: what was done to each target, as results show it.
        harms: damage that may break concentration.
        triggered: effects to report now.
        warnings: warnings for the caller.
    """

    world: World
    ctx: Context
    encounter_id: str
    rows: list[AreaReport] = field(default_factory=list)
    harms: list[DamageResult] = field(default_factory=list)
    triggered: list[TriggerReport] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def encounter(self) -> Encounter:
        """The fight as it is now."""
        return require_encounter(self.world, self.encounter_id)

    def zones(self) -> list[Zone]:
        """Return the areas that are in the fight now."""
        encounter = self.encounter
        return lying(self.world, encounter) if encounter.zones else []

    # moments

    def at_turn(self, person_id: str, moment: ZoneMoment) -> None:
        """Apply areas to a combatant that starts or ends a turn in them."""
        for zone in self.zones():
            person = self.encounter.participant(person_id)
            if person is None:
                return
            if moment == "turn_start" and zone.entered:
                zone = self._put(zone.replace(entered=()))
            is_near = moment == "turn_end"
            if moment in zone.acts and self.affects(zone, person) and self.is_in(zone, person, near=is_near):
                self._act(zone, person_id, moment)

    def step(self, person_id: str, before: Square) -> None:
        """Apply areas to a creature that has gone one step, from this square to its present one."""
        for zone in self.zones():
            person = self.encounter.participant(person_id)
            if person is None or not self.affects(zone, person):
                continue
            others = tuple(each for each in zone.inside if each != person_id)
            if not self.is_in(zone, person):
                self._put(zone.replace(inside=others))
                continue
            zone = self._put(zone.replace(inside=(*others, person_id)))
            if zone.step_damage is not None:
                self._deal_steps(zone, person_id, 1)
            if not self.is_in(zone, person.replace(position=position_of(before))):
                self._enter(zone, person_id)

    def settle(self) -> None:
        """Remove areas that no caster maintains, and apply the others to creatures that something moved into them.

        A creature that an area moves onto has not entered it.
        """
        encounter = self.encounter
        kept = self.zones()
        if len(kept) != len(encounter.zones):
            self.world.put(encounter.replace(zones=tuple(kept)))
        for zone in kept:
            came = self._came_along(zone)
            people = self.encounter.participants
            inside = [each.id for each in people if self.affects(zone, each) and self.is_in(zone, each)]
            for each in inside:
                if not came and each not in zone.inside:
                    self._enter(self._now(zone) or zone, each)
            left = self._now(zone)
            if left is not None:
                self._put(left.replace(inside=tuple(inside), at=self._center(left)))
        self._touch_all()

    def _enter(self, zone: Zone, person_id: str) -> None:
        if "enters" not in zone.acts or (zone.once_a_turn and person_id in zone.entered):
            return
        self._put(zone.replace(entered=(*zone.entered, person_id)))
        self._act(zone, person_id, "enters")

    # where they are

    def _center(self, zone: Zone) -> ZoneSpot:
        source = self.encounter.meant(zone.source)
        return zone.at if zone.lies_on_ground or source is None else spot(square_of(source.position))

    def _came_along(self, zone: Zone) -> bool:
        """Return whether an area is where it was not before: around a creature that has moved."""
        return self._center(zone) != zone.at

    def is_in(self, zone: Zone, person: Participant, *, near: bool = False) -> bool:
        """Return whether a creature is in an area, or near enough."""
        return is_in(self.world, self.encounter, zone, person, near=near)

    def affects(self, zone: Zone, person: Participant) -> bool:
        """Return whether an area affects a creature, whatever its position."""
        return affects(self.world, self.encounter, zone, person)

    # what they do

    def _act(self, zone: Zone, person_id: str, moment: str) -> None:
        creature = self.creature(person_id)
        if creature.character.is_dead or creature.character.hp is None:
            return
        row: AreaReport = {"spell": zone.spell, "source_id": zone.source, "target_id": person_id, "moment": moment}
        if moment == "turn_start" and zone.bound_damage and _is_bound(creature, zone):
            self._deal(zone, creature, zone.bound_damage, row)
        elif zone.save is not None and not _is_proof(self.world, creature, zone):
            self._with_save(zone, creature, row, zone.save.half)
        elif zone.save is None and zone.damage:
            self._deal(zone, creature, zone.damage, row)
        if moment == "turn_start":
            self._try_concentration(zone, person_id, row)
        self._tell(person_id, row)

    def _with_save(self, zone: Zone, creature: Creature, row: AreaReport, half: bool) -> None:
        asked = zone.save
        assert asked is not None
        why = f"{creature.id} saves against {zone.spell}"
        versus = frozenset({MAGIC, *([zone.condition.condition] if zone.condition else [])})
        extra = Sources((), (f"it is {kind}",)) if (kind := self._hard_kind(zone, creature)) else NOTHING
        made = save(self.world, creature, asked.ability, asked.dc, self.ctx, why=why, extra=extra, versus=versus)
        row["save"] = made.shown_against(asked.ability, asked.dc)
        if zone.damage and (half or not made.success):
            self._deal(zone, creature, zone.damage, row, half=made.success)
        if made.success:
            return
        if zone.condition is not None:
            self._afflict(zone, creature.id, row)
        if zone.takes_action:
            self._take_action(creature.id, row)

    def _hard_kind(self, zone: Zone, creature: Creature) -> str | None:
        """Return which of its kinds makes a creature save with disadvantage, or None."""
        person = self.encounter.participant(creature.id)
        block = (self.encounter.block_of(person) if person is not None else None) or {}
        own = {block.get("type"), *str(block.get("subtype") or "").split(", ")}
        if person is not None and person.true_shape is not None:
            own.add("shapechanger")
        return next((kind for kind in (zone.save.hard_for if zone.save else ()) if kind in own), None)

    def _deal(
        self, zone: Zone, creature: Creature, blows: Sequence[Blow], row: AreaReport, *, half: bool = False
    ) -> None:
        thrown = [(throw_dice(self.ctx, blow.dice, f"damage of {zone.spell}"), blow.type) for blow in blows]
        (first, kind), *others = thrown
        done = harm.damage(
            self.world,
            reload(self.world, creature),
            first.total,
            kind,
            self.ctx,
            half=half,
            by=self._source(zone),
            more=[(roll.total, each) for roll, each in others],
            source=SPELL,
        )
        taken = done.parts or (Damage(done.taken, "none"),)
        shown = [shown_damage(roll, each, part) for (roll, each), part in zip(thrown, taken, strict=False)]
        row["damage"] = shown[0]
        if shown[1:]:
            row["further_damage"] = shown[1:]
        row["target_hp"] = {"before": done.before, "after": None, "max": None, "temp": 0}
        self.harms.append(done)
        self.triggered += done.triggered
        self.warnings += done.notices
        self._wear_out(zone, done.taken)

    def _wear_out(self, zone: Zone, taken: int) -> None:
        """Take away an area that has dealt all the damage that it can."""
        own = self._now(zone)
        if own is None or own.damage_left is None:
            return
        left = max(0, own.damage_left - taken)
        if left:
            self._put(own.replace(damage_left=left))
            return
        encounter = self.encounter
        self.world.put(encounter.replace(zones=tuple(each for each in encounter.zones if each.id != own.id)))
        source = self._source(own)
        kept = [each for each in source.character.effects if is_same_spell(own.spell, each.name)] if source else []
        for each in kept:
            assert source is not None
            source = put_creature(self.world, source, without_effect(source.character, each.effect_id).character)
        self.warnings.append(f"{own.spell} of {own.source} is over")

    def _deal_steps(self, zone: Zone, person_id: str, steps: int) -> None:
        creature = self.creature(person_id)
        if zone.step_damage is None or creature.character.is_dead or creature.character.hp is None:
            return
        row: AreaReport = {"spell": zone.spell, "source_id": zone.source, "target_id": person_id, "moment": "moves"}
        self._deal(zone, creature, [zone.step_damage] * steps, row)
        self._tell(person_id, row)

    def _afflict(self, zone: Zone, person_id: str, row: AreaReport) -> None:
        given = zone.condition
        creature = self.creature(person_id)
        if given is None or creature.character.is_dead:
            return
        done = afflict(self.world, creature, condition_of(self.world, self.encounter, zone), self.ctx)
        self.warnings += done.warnings
        if done.blocked:
            self.warnings.append(f"{person_id} is immune to being {given.condition}")
        else:
            row["conditions"] = [given.condition]

    def _take_action(self, person_id: str, row: AreaReport) -> None:
        person = self.encounter.participant(person_id)
        if person is not None:
            economy = person.economy.replace(action=True)
            put_participant(self.world, self.encounter_id, person.replace(economy=economy))
            row["loses_action"] = True

    def _try_concentration(self, zone: Zone, person_id: str, row: AreaReport) -> None:
        """Roll a caster's concentration save; failure ends the concentration."""
        creature = self.creature(person_id)
        held, ability = creature.character.concentration, zone.concentration_save
        if held is None or ability is None or zone.save is None:
            return
        why = f"{person_id} concentrates in {zone.spell}"
        made = save(self.world, creature, ability, zone.save.dc, self.ctx, why=why, versus=(MAGIC,))
        row["concentration_check"] = {
            "target_id": person_id,
            "spell_name": held.spell_name,
            "dc": zone.save.dc,
            "natural": made.d20.natural,
            "modifier": made.modifier,
            "total": made.total,
            "success": made.success,
            "broken": not made.success,
        }
        if not made.success:
            end_concentration(self.world, creature)

    # what applies while a creature is in them

    def _touch_all(self) -> None:
        """Give creatures in an area what applies there, and remove it from those that have left."""
        zones = [zone for zone in self.zones() if gives_presence(zone)]
        for person in self.encounter.participants:
            for zone in zones:
                is_inside = self.affects(zone, person) and self.is_in(zone, person)
                self._lend(zone, person.id) if is_inside else take_back(self.world, self.encounter, zone, person.id)

    def _lend(self, zone: Zone, person_id: str) -> None:
        creature = self.creature(person_id)
        has_it = any(_is_of(zone, each.name, each.source) and each.is_presence for each in creature.character.effects)
        if not has_it and (zone.roll_bonuses or zone.immunities or zone.speed_factor is not None):
            effect = Effect(
                effect_id=self.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
                name=zone.spell,
                type="curse" if zone.speed_factor is not None else "boon",
                source=zone.source,
                duration="concentration",
                roll_bonuses=dict(zone.roll_bonuses),
                immunities=zone.immunities,
                speed_factor=zone.speed_factor,
                is_presence=True,
            )
            creature = put_creature(self.world, creature, with_effect(creature.character, effect).character)
        if zone.inside_condition is not None:
            given = Condition(
                condition=zone.inside_condition, spell=zone.spell, source=zone.source, duration="concentration"
            )
            afflict(self.world, creature, given, self.ctx)

    # small things

    def creature(self, person_id: str) -> Creature:
        """Return a participant with the values they have now."""
        encounter = self.encounter
        person = encounter.participant(person_id)
        assert person is not None
        return combatant(self.world, encounter, person)

    def _source(self, zone: Zone) -> Creature | None:
        encounter = self.encounter
        person = encounter.meant(zone.source)
        return None if person is None else combatant(self.world, encounter, person)

    def _now(self, zone: Zone) -> Zone | None:
        return next((each for each in self.encounter.zones if each.id == zone.id), None)

    def _put(self, zone: Zone) -> Zone:
        encounter = self.encounter
        zones = tuple(zone if each.id == zone.id else each for each in encounter.zones)
        if zones != encounter.zones:
            self.world.put(encounter.replace(zones=zones))
        return zone

    def _tell(self, person_id: str, row: AreaReport) -> None:
        """Keep the row of what was done to a creature, with its state."""
        creature = self.creature(person_id)
        hp, most = counted_hp(creature.character)
        before = row["target_hp"]["before"] if "target_hp" in row else hp
        row["target_hp"] = {"before": before, "after": hp, "max": most, "temp": creature.character.temp_hp}
        row["target_status"] = status_of(creature)
        row["target_conditions"] = list(creature.character.condition_names)
        self.rows.append(row)

    # where they go

    def drift(self, person_id: str) -> None:
        """Move areas that move away from their caster, whose turn starts."""
        for zone in self.zones():
            source = self.encounter.meant(zone.source)
            if not zone.drift or source is None or source.id != person_id:
                continue
            here, at = square_of(source.position), square_at(zone.at)
            dx, dy = at.x - here.x, at.y - here.y
            far, steps = max(abs(dx), abs(dy)), zone.drift // FEET
            if far:
                there = at._replace(x=at.x + _scaled(dx, steps, far), y=at.y + _scaled(dy, steps, far))
                self.move(zone, there)

    def move(self, zone: Zone, there: Square) -> None:
        """Move an area; a creature that it moves onto has not entered it."""
        moved = self._put(zone.replace(at=spot(there)))
        inside = [
            each.id for each in self.encounter.participants if self.affects(moved, each) and self.is_in(moved, each)
        ]
        self._put(moved.replace(inside=tuple(inside)))

    def end_by_turn(self, ids: Iterable[str], at: str) -> None:
        """End areas that last until this moment of a combatant's turn."""
        encounter, whose = self.encounter, frozenset(ids)
        left: list[Zone] = []
        for zone in encounter.zones:
            if zone.ends is None or zone.ends.whose not in whose or zone.ends.at != at:
                left.append(zone)
            elif zone.ends.turns > 1:
                left.append(zone.replace(ends=zone.ends.replace(turns=zone.ends.turns - 1)))
        if tuple(left) != encounter.zones:
            self.world.put(encounter.replace(zones=tuple(left)))


def condition_of(world: World, encounter: Encounter, zone: Zone) -> Condition:
    """Return the condition that an area gives, for as long as it says, with the check that frees of it."""
    given = zone.condition
    assert given is not None
    source = encounter.meant(zone.source)
    held = body_of(world, source).concentration if source is not None else None
    is_held = held is not None and is_same_spell(zone.spell, held.spell_name)
    escape = EndsBy(abilities=given.escape, dc=zone.save.dc, within=0) if given.escape and zone.save else None
    return Condition(
        condition=given.condition,
        source=zone.source,
        spell=zone.spell,
        slot_level=zone.level,
        duration="concentration" if given.lasts and is_held else None,
        ends_by=escape,
    )


def take_back(world: World, encounter: Encounter, zone: Zone, person_id: str) -> None:
    """Remove from a creature what applies to creatures in an area."""
    person = encounter.participant(person_id)
    if person is None:
        return
    creature = combatant(world, encounter, person)
    character = creature.character
    effects = tuple(
        each for each in character.effects if not (_is_of(zone, each.name, each.source) and each.is_presence)
    )
    conditions = tuple(
        each
        for each in character.conditions
        if zone.inside_condition is None
        or each.condition != zone.inside_condition
        or not _is_of(zone, each.spell, each.source)
    )
    if (len(effects), len(conditions)) != (len(character.effects), len(character.conditions)):
        put_creature(world, creature, character.replace(effects=effects, conditions=conditions))


def lift_zones(world: World, encounter_id: str) -> None:
    """Remove from all participants what applies in the areas of a fight that is over."""
    encounter = require_encounter(world, encounter_id)
    for zone in encounter.zones:
        for person in encounter.participants:
            take_back(world, require_encounter(world, encounter_id), zone, person.id)


def gives_presence(zone: Zone) -> bool:
    """Return whether something applies to creatures in an area, while they are in it."""
    return bool(
        zone.speed_factor is not None or zone.roll_bonuses or zone.immunities or zone.inside_condition is not None
    )


def is_in(world: World, encounter: Encounter, zone: Zone, person: Participant, *, near: bool = False) -> bool:
    """Return whether a participant is in an area, as far as cover lets it reach.

    Args:
        world: the campaign.
        encounter: the fight.
        zone: the area.
        person: the participant to test.
        near: a participant as near as the area says counts as in it, too.
    """
    body = body_on_grid(world, person)
    if zone.shape == "emanation":
        source = encounter.meant(zone.source)
        if source is None or are_apart(world, source, person):
            return False
        return between(body_on_grid(world, source), body) <= zone.size
    area = area_of(zone)
    if are_apart(world, area.origin, person):
        return False
    if not any(area.covers(square) for square in body.squares) and not (near and _is_beside(zone, body)):
        return False
    if zone.around_corners or zone.shape in ("wall", "ring"):
        return True
    return cover_between(world, encounter, area.origin, person, creatures_cover=False).cover != "total"


def _is_beside(zone: Zone, body: Body) -> bool:
    if not zone.within:
        return False
    is_near = any(between(Body(Square(*tile)), body) <= zone.within for tile in area_of(zone).tiles())
    return is_near and (zone.side is None or any(_is_on_side(zone, square) for square in body.squares))


def affects(world: World, encounter: Encounter, zone: Zone, person: Participant) -> bool:
    """Return whether an area affects a participant, whatever its position; it never affects the dead."""
    source = encounter.meant(zone.source)
    if body_of(world, person).is_dead or person.id in zone.spares or (zone.only and person.id not in zone.only):
        return False
    if source is not None and source.id == person.id:
        return not zone.spares_source and not zone.foes_only
    return not zone.foes_only or source is None or are_hostile(source, person)


def is_silenced(world: World, encounter: Encounter, person: Participant) -> bool:
    """Return whether a creature is where sound is silenced."""
    return any(zone.silent and is_in(world, encounter, zone, person) for zone in lying(world, encounter))


def _is_of(zone: Zone, name: str | None, source: str | None) -> bool:
    return name is not None and source == zone.source and is_same_spell(zone.spell, name)


def _is_bound(creature: Creature, zone: Zone) -> bool:
    return any(
        each.condition == "restrained" and _is_of(zone, each.spell, each.source)
        for each in creature.character.conditions
    )


def _is_proof(world: World, creature: Creature, zone: Zone) -> bool:
    """Return whether a stench that costs the action does not affect a creature: it is immune to poison."""
    values = now(world, creature)
    return zone.takes_action and ("poison" in values.immunities or "poisoned" in values.condition_immunities)


def _is_on_side(zone: Zone, square: Square) -> bool:
    """Return whether a square is on the side of a wall that acts, as seen from its point to its end."""
    at = square_at(zone.at)
    if zone.shape == "ring":
        is_inside = between(Body(at), Body(square)) < zone.size
        return is_inside == (zone.side == "inside")
    toward = square_at(zone.toward) if zone.toward is not None else at
    turn = (toward.x - at.x) * (square.y - at.y) - (toward.y - at.y) * (square.x - at.x)
    return turn > 0 if zone.side == "right" else turn < 0


def _scaled(part: int, steps: int, far: int) -> int:
    """Return so many steps along one axis of a direction, halves away from 0."""
    size = (2 * abs(part) * steps + far) // (2 * far)
    return size if part >= 0 else -size


def shown_damage(roll: Roll, kind: DamageType | None, taken: Damage) -> DamageReport:
    """Return a part of damage as results hold it."""
    assert kind is not None
    return {
        "expression": render(roll.expression),
        "rolls": [face for term in roll.terms for face in term.rolls],
        "raw": roll.total,
        "final": taken.damage,
        "type": kind,
        "adjusted": taken.adjusted,
    }
