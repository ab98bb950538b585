"""hp_delta: a character loses or regains hit points."""

from pydantic import Field

from turnwright.model.base import MAX_ID_LENGTH, Count, Model, SafeInt, Text, is_none
from turnwright.model.character import CharacterState
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import MAX_INT
from turnwright.model.wire import hint
from turnwright.rulesets.core.hp import without_sheet
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.tool import Applied, Context, CoreArgs, Legal, refuse, tool

_MAX_LISTED = 500
MAX_CAUSE_LENGTH = 1000
"""Characters: the cause appears in every account of the call."""


class HpDeltaArgs(CoreArgs):
    """Arguments of `hp_delta`."""

    target_character_id: Text = Field(
        max_length=MAX_ID_LENGTH, description="Any character, in the party or not, at any distance."
    )
    delta: SafeInt = Field(description="Hit points: negative is damage, positive is healing.")
    cause: Text = Field(max_length=MAX_CAUSE_LENGTH, description="The cause of the harm or healing, in a few words.")


class HpDeltaResult(Model):
    """The target's hit points now."""

    new_hp: Count
    hp_before: Count | None = Field(
        default=None, exclude_if=is_none, description="Their former value; only with a sheet."
    )
    temp_hp_lost: Count | None = Field(
        default=None, exclude_if=is_none, description="Temporary hit points that absorbed damage, if any."
    )


def _permits(state: CharacterState, args: JsonObject, acting_id: str) -> bool:
    """Permit the living everything, and the dying to heal themselves."""
    if state is CharacterState.DYING:
        delta = args.get("delta")
        return args.get("target_character_id") == acting_id and type(delta) is int and delta > 0
    return state is CharacterState.ALIVE


def _legal(world: World, ctx: Context) -> Legal | None:
    actor = world.character(ctx.acting_id) if ctx.acting_id else None
    if actor and actor.state is CharacterState.DYING:
        return {"target_character_id": [actor.id], "delta": {"type": "integer", "minimum": 1, "maximum": MAX_INT}}
    known = _known(world)
    return {"target_character_id": known} if known else None


def _known(world: World) -> list[str]:
    """Return the ids of the characters that can be named; the party first if there are too many to list."""
    paths = world.paths("characters/")
    if len(paths) > _MAX_LISTED:
        return list(world.campaign.selected.party_character_ids)
    return sorted(character.id for character in world.characters() if character.hp is not None)


@tool(
    HpDeltaArgs,
    HpDeltaResult,
    family="core",
    legal=_legal,
    permits=_permits,
    example={"target_character_id": "pc_001", "delta": -3, "cause": "a falling stone"},
)
def hp_delta(world: World, args: HpDeltaArgs, ctx: Context) -> Applied:
    """Take hit points from a character, or give them back.

    Hit points never fall below 0. At 0 a character is dying; a dying character may do nothing but heal itself. Healing
    stops at the maximum.
    """
    target = world.character(args.target_character_id)
    if target is None or target.hp is None:
        detail = f"there is no character {args.target_character_id} with hit points"
        from turnwright.rulesets.reference_lookup import replace_person  # only failed calls need it

        raise refuse(detail, replace_person(world, "args.target_character_id", args.target_character_id, _known(world)))
    if target.max_hp is None and target.hp + args.delta > MAX_INT:
        raise refuse("hit points would grow beyond 2^53", hint.ask("args.delta", args.delta))

    vitals = tables_of(world.campaign).vitals if target.max_hp is not None else None
    if vitals is not None:
        return vitals.change(world, target, args.delta, ctx)
    changed = without_sheet(target, args.delta, changes_state=ctx.settings["rules.hp_zero_ends_game"])
    world.put(changed)
    return Applied({"new_hp": changed.hp})
