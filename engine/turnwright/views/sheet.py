"""The sheet of one character, as one reader may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from turnwright.model.dice.draws import Dice
from turnwright.model.errors import BadRequest
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import compact, reread
from turnwright.model.viewer import Viewer
from turnwright.model.wire.record import as_action
from turnwright.protocol.stage6_publish.onlookers import Onlookers
from turnwright.rulesets.in_use import settings_in
from turnwright.rulesets.tool import Context
from turnwright.rulesets.toolbox import tools_of
from turnwright.views.state import person_view

if TYPE_CHECKING:
    from turnwright.views.shapes import Sheet

_TOOL = "get_character"


def sheet_view(world: World, viewer: Viewer, character_id: str) -> Sheet:
    """Return a character's identity and position, and the whole sheet if the rules have sheets.

    The game master may see any character; a player sees their own.

    Raises:
        BadRequest: when there is no such character, or the reader may not see it; the message is the same.
    """
    character = world.character(character_id)
    is_own = viewer.kind == "player" and character_id == viewer.character_id
    if character is None or not (viewer.is_game_master or is_own):
        raise BadRequest(f"there is no sheet of {character_id!r}")
    in_party = character.id in world.campaign.selected.party_character_ids
    person = person_view(world, character, in_party)
    tool = tools_of(world.campaign).get(_TOOL)
    if tool is None:
        return cast("Sheet", person)
    args = {"character_id": character.id}
    campaign = world.campaign
    ctx = Context(None, Dice(b"", "view").part(0), args, settings_in(campaign), campaign.contract)
    result = reread(compact(tool.apply(World(world), tool.args.model_validate(args), ctx).result))
    if not viewer.is_game_master:
        result = Onlookers(world).own_result(as_action({"tool": _TOOL, "args": args, "result": result}))
    return cast("Sheet", {**person, **result})
