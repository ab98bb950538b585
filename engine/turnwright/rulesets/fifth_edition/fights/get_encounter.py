"""get_encounter: look at a fight, or at how hard one would be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from turnwright.model.base import ListOf, SafeInt
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Verbosity
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.content_library import has_content
from turnwright.rulesets.fifth_edition.fights._encounter_view import GetEncounterResult, view
from turnwright.rulesets.fifth_edition.fights._threat.report import Foes
from turnwright.rulesets.fifth_edition.targets import require_encounter
from turnwright.rulesets.reference_lookup import CANDIDATES, legal_ids
from turnwright.rulesets.references import EncounterId
from turnwright.rulesets.tool import Applied, Context, Legal
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

_OF_PREVIEWS = ("runs", "seed")


class GetEncounterArgs(ToolkitArgs):
    """Arguments of `get_encounter`."""

    also: ClassVar[Mapping[str, str]] = {"preview": "monsters"}

    encounter_id: EncounterId | None = Field(default=None, description="A fight, running or ended.")
    verbosity: Verbosity = Field(default="standard", description="How much of it.")
    monsters: ListOf[Foes] = Field(
        default=(),
        max_length=20,
        description="Instead: monsters that the party may fight, to preview how hard that would be.",
    )
    runs: Annotated[int, Field(strict=True, ge=1, le=50)] = Field(
        default=20, description="Of a preview: how often the fight is simulated, at most."
    )
    seed: Annotated[SafeInt, Field(ge=0)] = Field(default=0, description="Of the dice of a preview.")


def _legal(world: World, ctx: Context) -> Legal | None:
    """Return what is legal now: nothing without a fight or monsters by name."""
    del ctx
    legal = legal_ids(GetEncounterArgs, world)
    return legal if legal or has_content(world) else None


@toolkit(GetEncounterArgs, GetEncounterResult, example={"encounter_id": "encounter-1"}, reads=True, legal=_legal)
def get_encounter(world: World, args: GetEncounterArgs, ctx: Context) -> Applied:
    """Look at a fight: the current turn, and each participant's state and position.

    It changes nothing, so use it whenever you are not sure. `minimal` tells the round and the current turn, `summary`
    each one's state, `standard` adds hit points, conditions, positions and terrain, `detailed` everything. A
    fight that has ended shows how it ended. With `monsters` and no `encounter_id` it tells, before a fight, how hard it
    would be: by the XP of the rules, and by simulating it.
    """
    if args.monsters:
        return _preview(world, args, ctx)
    if args.encounter_id is None:
        detail = "args.encounter_id: is required, or monsters for a preview"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for("args.encounter_id", CANDIDATES["encounter"](world)))
    for name in _OF_PREVIEWS:
        if name in args.model_fields_set:
            detail = f"args.{name}: is for a preview, with monsters"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"args.{name}"))
    return Applied(view(world, require_encounter(world, args.encounter_id), args.verbosity).as_written)


def _preview(world: World, args: GetEncounterArgs, ctx: Context) -> Applied:
    """Report how hard a fight would be; only the game master may know.

    Raises:
        CallFailed: `not_permitted` for a player, whatever the monsters; `invalid_args` beside an `encounter_id`.
    """
    if ctx.only_known:
        detail = "args.monsters: only the game master sees how hard a fight would be"
        raise CallFailed(Reason.NOT_PERMITTED, detail, hint.remove("args.monsters"))
    if args.encounter_id is not None:
        detail = "args.monsters: is for a fight that has not begun, and args.encounter_id names one that has"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.monsters"))
    from turnwright.rulesets.fifth_edition.fights._threat.check import check_threat  # most calls look at a fight

    return check_threat(world, args.monsters, args.runs, args.seed, ctx)
