"""check_cover: the cover of a target from an attacker."""

from __future__ import annotations

from pydantic import Field

from turnwright.model.base import Flag, ListOf, Model, SafeInt, Text
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Cover
from turnwright.rulesets.fifth_edition.battlefield import screen_by_rule
from turnwright.rulesets.fifth_edition.space._lines import CreatureArgs, ObstacleArgs, on_the_way
from turnwright.rulesets.fifth_edition.space._where import Spot, fight_meant, require_end
from turnwright.rulesets.fifth_edition.space.grid.distance import measure
from turnwright.rulesets.references import CombatantId, EncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit


class CheckCoverArgs(ToolkitArgs):
    """Arguments of `check_cover`."""

    attacker: Spot | None = Field(default=None, description="The square the attack comes from.")
    attacker_id: CombatantId | None = Field(default=None, description="Or the attacker: a participant of the fight.")
    target: Spot | None = Field(default=None, description="The square it is aimed at.")
    target_id: CombatantId | None = Field(default=None, description="Or the target: a participant of the fight.")
    encounter_id: EncounterId | None = Field(default=None, description="The fight: its walls and props cover.")
    obstacles: ListOf[ObstacleArgs] = Field(default=(), description="Other things that may cover.")
    creatures: ListOf[CreatureArgs] = Field(default=(), description="Other creatures that may cover.")
    creatures_provide_cover: Flag = Field(default=False, description="Whether creatures in the way give half cover.")


class CoverSource(Model):
    """Something on the line, and how much it covers."""

    type: Text
    x: SafeInt
    y: SafeInt
    z: SafeInt
    cover: Cover


class CheckCoverResult(Model):
    """The best cover the target has; covers do not add up."""

    cover: Cover
    ac_bonus: SafeInt | None = Field(description="Its bonus; null under total cover: nothing to aim at.")
    dex_save_bonus: SafeInt | None
    targetable: Flag
    sources: ListOf[CoverSource] = Field(description="All that the line passes, the nearest to the attacker first.")
    distance_feet: SafeInt


@toolkit(
    CheckCoverArgs,
    CheckCoverResult,
    example={
        "attacker": {"x": 1, "y": 4},
        "target": {"x": 7, "y": 4},
        "obstacles": [{"x": 5, "y": 4, "type": "half_cover"}],
    },
    reads=True,
)
def check_cover(world: World, args: CheckCoverArgs, ctx: Context) -> Applied:
    """Return the cover of a target from an attacker, and its bonus to armor class and Dexterity saves.

    Use it for attacks that are not resolved by a tool; attacks by execute_action include cover. Changes nothing.
    """
    del ctx
    encounter = fight_meant(world, args.encounter_id)
    attacker = require_end(world, encounter, args.attacker, args.attacker_id, "attacker")
    target = require_end(world, encounter, args.target, args.target_id, "target")
    around = on_the_way(
        world,
        encounter,
        (attacker, target),
        args.obstacles,
        args.creatures,
        creatures_cover=args.creatures_provide_cover,
    )
    found = screen_by_rule(world, attacker.body, target.body, around)
    return Applied(
        {
            "cover": found.cover,
            "ac_bonus": found.bonus,
            "dex_save_bonus": found.bonus,
            "targetable": found.is_clear,
            "sources": [source._asdict() for source in found.sources],
            "distance_feet": measure(attacker.body, target.body).feet,
        }
    )
