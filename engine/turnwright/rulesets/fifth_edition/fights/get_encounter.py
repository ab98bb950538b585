"""get_encounter: look at a fight."""

from __future__ import annotations

from pydantic import Field

from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Verbosity
from turnwright.rulesets.fifth_edition.fights._encounter_view import GetEncounterResult, view
from turnwright.rulesets.fifth_edition.targets import require_encounter
from turnwright.rulesets.references import EncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit


class GetEncounterArgs(ToolkitArgs):
    """Arguments of `get_encounter`."""

    encounter_id: EncounterId = Field(description="A fight, running or ended.")
    verbosity: Verbosity = Field(default="standard", description="How much of it.")


@toolkit(GetEncounterArgs, GetEncounterResult, example={"encounter_id": "encounter-1"}, reads=True)
def get_encounter(world: World, args: GetEncounterArgs, ctx: Context) -> Applied:
    """Look at a fight: whose turn it is, how everybody fares, where they stand.

    It changes nothing, so use it whenever you are not sure. `minimal` tells the round and whose turn it is, `summary`
    how everybody is, `standard` adds hit points, conditions, positions and terrain, `detailed` everything there is. A
    fight that has ended shows how it ended.
    """
    del ctx
    return Applied(view(world, require_encounter(world, args.encounter_id), args.verbosity).as_written)
