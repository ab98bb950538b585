"""check_line_of_sight: whether one square or creature sees another."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from turnwright.model.base import Flag, ListOf, Model, SafeInt, Text
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Cover, Lighting, Sense
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import (
    is_invisible,
    own_senses,
    screen_by_rule,
    through_veils,
    values_of,
)
from turnwright.rulesets.fifth_edition.space._lines import CreatureArgs, ObstacleArgs, on_the_way
from turnwright.rulesets.fifth_edition.space._where import End, Range, Spot, fight_meant, require_end
from turnwright.rulesets.fifth_edition.space.grid.distance import measure
from turnwright.rulesets.fifth_edition.space.grid.sight import Obscurement, sight
from turnwright.rulesets.fifth_edition.targets import body_of
from turnwright.rulesets.references import CombatantId, EncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

_WITHOUT_EYES: tuple[Sense, ...] = ("blindsight", "tremorsense")
_RANGES: Mapping[Sense, str] = {
    "blindsight": "blindsight_range",
    "darkvision": "darkvision",
    "tremorsense": "tremorsense_range",
    "truesight": "truesight_range",
}


class CheckLineOfSightArgs(ToolkitArgs):
    """Arguments of `check_line_of_sight`."""

    from_: Spot | None = Field(default=None, alias="from", description="The square to look from.")
    from_id: CombatantId | None = Field(default=None, description="Or the observer: a participant of the fight.")
    to: Spot | None = Field(default=None, description="The square to look at.")
    to_id: CombatantId | None = Field(default=None, description="Or the target: a participant of the fight.")
    encounter_id: EncounterId | None = Field(
        default=None, description="The fight: its walls and props are in the way, and its light applies."
    )
    obstacles: ListOf[ObstacleArgs] = Field(default=(), description="Other things in the way.")
    creatures: ListOf[CreatureArgs] = Field(default=(), description="Other creatures in the way.")
    creatures_block: Flag = Field(default=False, description="Whether creatures in the way give half cover.")
    lighting: Lighting | None = Field(default=None, description="The light; default: the fight's, or bright.")
    darkvision: Range | None = Field(default=None, description="Its range in feet; default: the observer's.")
    blindsight_range: Range | None = Field(default=None, description="Its range in feet.")
    tremorsense_range: Range | None = Field(default=None, description="Its range in feet.")
    truesight_range: Range | None = Field(default=None, description="Its range in feet.")
    senses: ListOf[Sense] | None = Field(default=None, description="The only senses that count, when given.")


class BlockedBy(Model):
    """The first thing that blocks the line."""

    type: Text
    x: SafeInt
    y: SafeInt


class CheckLineOfSightResult(Model):
    """The cover between observer and target, and whether one perceives the other."""

    line_of_sight: Flag
    blocked: Flag
    cover: Cover
    ac_bonus: SafeInt | None = Field(description="The bonus of the cover; null under total cover: nothing to aim at.")
    dex_save_bonus: SafeInt | None
    distance_feet: SafeInt
    blocked_by: BlockedBy | None
    can_see: Flag
    obscurement: Obscurement
    detected_by: ListOf[Sense] = Field(description="The special senses that notice the target, seen or not.")


@toolkit(
    CheckLineOfSightArgs,
    CheckLineOfSightResult,
    example={"from": {"x": 2, "y": 2}, "to": {"x": 8, "y": 2}, "obstacles": [{"x": 5, "y": 2, "type": "wall"}]},
    reads=True,
)
def check_line_of_sight(world: World, args: CheckLineOfSightArgs, ctx: Context) -> Applied:
    """Check whether one square or creature sees another: walls and props in the way, cover, light and senses.

    Use it before you say what a creature sees or can aim at; changes nothing. `line_of_sight` considers only obstacles,
    `can_see` also the light and the observer's eyes. Roll a check to find out whether a creature hides well.
    """
    del ctx
    encounter = fight_meant(world, args.encounter_id)
    observer = require_end(world, encounter, args.from_, args.from_id, "from")
    target = require_end(world, encounter, args.to, args.to_id, "to")
    senses = _senses(world, observer, args)

    around = on_the_way(
        world, encounter, (observer, target), args.obstacles, args.creatures, creatures_cover=args.creatures_block
    )
    between = screen_by_rule(world, observer.body, target.body, around)
    light = args.lighting or (encounter.lighting if encounter else "bright")
    unseen = _is_blind(world, observer) or (target.person is not None and is_invisible(body_of(world, target.person)))
    if encounter is not None:
        senses, veiled = through_veils(world, encounter, observer.body, target.body, senses)
        unseen = unseen or veiled
    seen = sight(observer.body, target.body, between.cover, light, senses, unseen)
    blocked_by = between.blocked_by
    return Applied(
        {
            "line_of_sight": between.is_clear,
            "blocked": not between.is_clear,
            "cover": between.cover,
            "ac_bonus": between.bonus,
            "dex_save_bonus": between.bonus,
            "distance_feet": measure(observer.body, target.body).feet,
            "blocked_by": {"type": blocked_by.type, "x": blocked_by.x, "y": blocked_by.y} if blocked_by else None,
            "can_see": seen.can_see,
            "obscurement": seen.obscurement,
            "detected_by": list(seen.detected_by),
        }
    )


def _senses(world: World, observer: End, args: CheckLineOfSightArgs) -> dict[Sense, float]:
    """Return the range of each sense: the call's, else the observer's."""
    own = own_senses(values_of(world, observer.person)) if observer.person else {}
    given = {sense: getattr(args, field) for sense, field in _RANGES.items()}
    ranges = {sense: own.get(sense, 0) if given[sense] is None else given[sense] for sense in _RANGES}
    if args.senses is not None:
        for sense in args.senses:
            if observer.person is None and given[sense] is None:
                detail = f"args.{_RANGES[sense]}: is required for {sense} of nobody in particular"
                raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(f"args.{_RANGES[sense]}"))
        ranges = {sense: feet for sense, feet in ranges.items() if sense in args.senses}
    if _is_blind(world, observer):
        return {sense: feet for sense, feet in ranges.items() if sense in _WITHOUT_EYES}
    return ranges


def _is_blind(world: World, observer: End) -> bool:
    return observer.person is not None and values_of(world, observer.person).impairment.fails_sight
