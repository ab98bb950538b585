"""Simulate a fight with the engine's own tools, on an overlay that is discarded.

Both sides maximize damage: they go to the nearest foe in reach and strike, shoot from afar, breathe and cast
where no ally is caught. No combatant flees, heals, hides or uses the tricks that players would think of.
Source: docs/content.md, "How hard a fight is".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from turnwright.content.library import Library
from turnwright.model.dice.draws import Dice
from turnwright.model.encounter import Encounter, Participant, Position
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import CallFailed
from turnwright.rulesets.fifth_edition.battlefield import (
    are_hostile,
    body_on_grid,
    feet_between,
    is_down,
    position_of,
)
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.fights._action_args import ExecuteActionArgs
from turnwright.rulesets.fifth_edition.fights._economy import attacks_left, movement_left
from turnwright.rulesets.fifth_edition.fights._threat.options import Option, legendary_options, options_of
from turnwright.rulesets.fifth_edition.fights._threat.report import MAX_ROUNDS
from turnwright.rulesets.fifth_edition.fights.advance_turn import AdvanceTurnArgs, advance_turn
from turnwright.rulesets.fifth_edition.fights.create_encounter import CreateEncounterArgs, begin
from turnwright.rulesets.fifth_edition.fights.execute_action import execute_action
from turnwright.rulesets.fifth_edition.fights.roll_death_save import RollDeathSaveArgs, roll_death_save
from turnwright.rulesets.fifth_edition.fights.running import find_body, is_standing
from turnwright.rulesets.fifth_edition.magic._cast_args import CastSpellArgs
from turnwright.rulesets.fifth_edition.magic.cast_spell import cast_spell
from turnwright.rulesets.fifth_edition.space._movement_args import CalculateMovementArgs
from turnwright.rulesets.fifth_edition.space._ways import Mover, gait_of, ground_of
from turnwright.rulesets.fifth_edition.space.approach import square_to_strike_from
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.paths import reach
from turnwright.rulesets.fifth_edition.space.grid.space import Square
from turnwright.rulesets.fifth_edition.targets import body_of, require_encounter
from turnwright.rulesets.tool import Applied, Context, Tool

_FOES_TRIED = 3
"""At how many foes, the nearest first, something is tried before something else is."""


class Simulated(NamedTuple):
    """The outcome of one simulation.

    Attributes:
        rounds: the number of rounds.
        winner: the only side standing at the end; None where neither or both stand.
        fell: ids of party members who were at 0 hit points or dead at any time.
        died: ids of party members who are dead at the end.
    """

    rounds: int
    winner: str | None
    fell: frozenset[str]
    died: frozenset[str]


def simulate(
    world: World, args: CreateEncounterArgs, ctx: Context, library: Library | None, seed: int, run: int
) -> Simulated:
    """Simulate a fight once, on an overlay of its own and with dice of its own.

    The dice depend on the seed and the run alone: the secret of the campaign's dice is not read, so the result
    reveals no future roll of the campaign.

    Raises:
        CallFailed: when the fight cannot begin, as `create_encounter` would.
    """
    secret = sha256(f"threat/{seed}".encode()).digest()
    own = ctx._replace(dice=Dice(secret, str(run)).part(0), done=(), received={})
    apart = World(world)
    encounter_id = begin(apart, args, own).result["encounter_id"]
    return _Simulation(apart, own, encounter_id, library).fought()


@dataclass
class _Simulation:
    """One simulated fight in progress.

    Attributes:
        world: the overlay that takes all changes.
        ctx: the context of its calls.
        encounter_id: the fight.
        library: where spells are looked up.
        fell: ids of party members who have fallen so far.
    """

    world: World
    ctx: Context
    encounter_id: str
    library: Library | None
    fell: set[str] = field(default_factory=set)

    @property
    def encounter(self) -> Encounter:
        """The fight as it is now."""
        return require_encounter(self.world, self.encounter_id)

    def fought(self) -> Simulated:
        """Take turns until one side is down."""
        self._look()
        while self._is_open() and self.encounter.round <= MAX_ROUNDS:
            self._turn(self.encounter.current)
            self._look()
            if self._is_open():
                self._between_turns()
                advance_turn.apply(self.world, AdvanceTurnArgs(encounter_id=self.encounter_id), self.ctx)
                self._look()
        sides = self._standing_sides()
        winner = ("monsters" if True in sides else "party") if len(sides) == 1 else None
        died = frozenset(person.id for person in self._party() if body_of(self.world, person).is_dead)
        return Simulated(min(self.encounter.round, MAX_ROUNDS), winner, frozenset(self.fell), died)

    def _party(self) -> Iterator[Participant]:
        return (person for person in self.encounter.participants if not person.is_enemy)

    def _look(self) -> None:
        """Record which party members have fallen."""
        for person in self._party():
            body = body_of(self.world, person)
            if body.is_dead or is_down(body):
                self.fell.add(person.id)

    def _standing_sides(self) -> set[bool]:
        people = self.encounter.participants
        bodies = ((person, find_body(self.world, person)) for person in people)
        return {person.is_enemy for person, body in bodies if body is not None and is_standing(body)}

    def _is_open(self) -> bool:
        return len(self._standing_sides()) > 1

    # one turn

    def _turn(self, person: Participant) -> None:
        body = body_of(self.world, person)
        if is_down(body):
            saves = body.death_saves
            if body.character_type == "pc" and not body.is_dead and not (saves is not None and saves.stable):
                self._do(roll_death_save, RollDeathSaveArgs(character_id=person.id, encounter_id=self.encounter_id))
            return
        if found(body, "prone") is not None:
            self._act(person, stand_up=True)
        if not self._strike(person):
            self._approach(person, dashes=False)
            if not self._strike(person):
                self._approach(person, dashes=True)

    def _strike(self, person: Participant) -> bool:
        """Take the most harmful option, with all attacks that go with it; return whether any action was taken."""
        foes = self._foes(person)
        options = options_of(self.world, self.encounter, self._now(person), self.library, len(foes))
        chosen = next((each for each in options if self._try(each, person)), None)
        if chosen is None:
            return False
        if chosen.kind == "weapon":
            while attacks_left(self._now(person)) and self._try(chosen, person):
                pass
            self._second_weapon(person)
        return True

    def _second_weapon(self, person: Participant) -> None:
        if not body_of(self.world, person).equipped.get("offhand"):
            return
        for foe in self._foes(person)[:1]:
            self._act(person, action_type="attack", target_id=foe.id, action_cost="bonus_action")

    def _between_turns(self) -> None:
        """Use the legendary actions that are taken at the end of another's turn."""
        current = self.encounter.current.id
        for person in self.encounter.participants:
            if person.id != current and is_standing(body_of(self.world, person)):
                for option in legendary_options(self.encounter, person, len(self._foes(person))):
                    if self._try(option, person):
                        break
                self._look()

    def _try(self, option: Option, person: Participant) -> bool:
        """Do something to the nearest foe that it can be done to; return whether it was done."""
        return any(self._at(option, self._now(person), foe) for foe in self._foes(person)[:_FOES_TRIED])

    def _at(self, option: Option, person: Participant, foe: Participant) -> bool:
        if option.kind == "spell":
            aimed: dict[str, Any] = {"target_ids": (foe.id,) * option.times}
            if option.is_area:
                aimed = {"target_position": foe.position}
            args = CastSpellArgs(
                caster_id=person.id,
                encounter_id=self.encounter_id,
                spell=option.name,
                slot=option.slot,
                pact_magic=option.is_pact,
                **aimed,
            )
            return self._do(cast_spell, args, self._spares_friends(person)) is not None
        named: dict[str, Any] = {"action": option.name, "action_cost": option.cost}
        if option.kind == "weapon":
            named = {"action_type": "attack", "weapon": option.name or None}
        accept = self._spares_friends(person) if option.is_area else _anything
        if self._act(person, accept, target_id=foe.id, **named):
            return True
        if option.cost == "legendary" or option.is_area:
            return False
        square = square_to_strike_from(self.world, self.encounter, person, foe)
        if square is None:
            return False
        return self._act(person, accept, target_id=foe.id, move_to=position_of(square), move_when="before", **named)

    def _spares_friends(self, person: Participant) -> Callable[[Applied], bool]:
        friends = {other.id for other in self.encounter.participants if not are_hostile(person, other)}

        def accept(applied: Applied) -> bool:
            rows = applied.result.get("targets") or ()
            return not friends & {row.get("target_id") for row in rows}

        return accept

    def _approach(self, person: Participant, *, dashes: bool) -> None:
        """Go towards the nearest foe, as far as the movement, or a dash, lets."""
        person = self._now(person)
        foes = self._foes(person)
        if not foes:
            return
        if dashes:
            self._act(person, action_type="dash")
            person = self._now(person)
        square = self._nearest_square(person, foes[0])
        if square is not None:
            self._act(person, move_to=square)

    def _nearest_square(self, person: Participant, foe: Participant) -> Position | None:
        """Return the square within the movement that is nearest to a foe, or None for its present one."""
        args = CalculateMovementArgs(mode="reach")
        mover = Mover(self.encounter, body_on_grid(self.world, person), person, movement_left(self.world, person))
        goal, height = body_on_grid(self.world, foe), mover.body.at.z
        ground, gait = ground_of(self.world, args, mover), gait_of(self.world, args, mover)
        ways = [
            (between(mover.body._replace(at=Square(x, y, height)), goal), cost, y, x)
            for x, y, cost in reach(ground, mover.body, mover.budget, gait)
        ]
        apart, _, y, x = min(ways, default=(0, 0, 0, 0))
        if not ways or apart >= feet_between(self.world, person, foe):
            return None
        return position_of(Square(x, y, height))

    # targets and options

    def _now(self, person: Participant) -> Participant:
        now = self.encounter.participant(person.id)
        return person if now is None else now

    def _foes(self, person: Participant) -> Sequence[Participant]:
        """Return the standing foes, nearest first, and at equal distance the one with the fewest hit points."""
        person = self._now(person)
        foes = [
            (feet_between(self.world, person, other), body_of(self.world, other).hp or 0, place, other)
            for place, other in enumerate(self.encounter.participants)
            if are_hostile(person, other) and is_standing(body_of(self.world, other))
        ]
        return [other for *_, other in sorted(foes, key=lambda foe: foe[:3])]

    def _act(self, person: Participant, accept: Callable[[Applied], bool] | None = None, **given: Any) -> bool:
        args = ExecuteActionArgs(encounter_id=self.encounter_id, actor_id=person.id, **given)
        return self._do(execute_action, args, accept or _anything) is not None

    def _do(self, tool: Tool[Any], args: Any, accept: Callable[[Applied], bool] | None = None) -> Applied | None:
        """Make a call as a turn would, with all it changes and draws; None where it fails, or is not accepted."""
        draft, mark = World(self.world), self.ctx.dice.mark()
        try:
            applied = tool.apply(draft, args, self.ctx)
        except CallFailed:
            applied = None
        if applied is None or (accept is not None and not accept(applied)):
            self.ctx.dice.back_to(mark)
            return None
        self.world.merge(draft)
        return applied


def _anything(applied: Applied) -> bool:
    del applied
    return True
