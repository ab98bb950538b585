"""manage_encounter: begin, add to, look at, end and list fights, all in one tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Flag, Id, ListOf, Model, SomeOf, Text, is_none
from turnwright.model.creature import Words
from turnwright.model.encounter import Encounter, Outcome, Prop
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Lighting, Verbosity
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.fights._adding import Adding, add
from turnwright.rulesets.fifth_edition.fights._award import Award
from turnwright.rulesets.fifth_edition.fights._encounter_view import (
    AreaView,
    AuraView,
    ParticipantView,
    TerrainView,
    view,
)
from turnwright.rulesets.fifth_edition.fights._end_report import ParticipantUpdate, Summary
from turnwright.rulesets.fifth_edition.fights._monsters import MonsterRow, MonstersArgs
from turnwright.rulesets.fifth_edition.fights._participant_args import JoiningArgs
from turnwright.rulesets.fifth_edition.fights._terrain import TerrainArgs
from turnwright.rulesets.fifth_edition.fights._views import Named, OrderRow, TerrainCounts
from turnwright.rulesets.fifth_edition.fights.create_encounter import CreateEncounterArgs, begin
from turnwright.rulesets.fifth_edition.fights.end_encounter import (
    AwardWord,
    EndEncounterArgs,
    OutcomeWord,
    finish,
    likely_outcomes,
)
from turnwright.rulesets.fifth_edition.targets import require_encounter
from turnwright.rulesets.reference_lookup import legal_ids
from turnwright.rulesets.references import Choice, EncounterId
from turnwright.rulesets.tool import Applied, Context, Legal
from turnwright.rulesets.toolkit import ToolkitArgs, running_encounters, toolkit

A = TypeVar("A", bound=ToolkitArgs)
Operation = Literal["create", "add", "get", "end", "list"]


class ManageEncounterArgs(ToolkitArgs):
    """Arguments of `manage_encounter`."""

    needs: ClassVar = {
        "create": ("participants",),
        "add": ("encounter_id",),
        "get": ("encounter_id",),
        "end": ("encounter_id", "outcome"),
    }

    operation: Annotated[
        Operation,
        Choice(
            {
                "create": ("begin", "start", "new"),
                "add": ("join", "reinforce", "reinforcements", "summon"),
                "get": ("show", "view", "read", "status"),
                "end": ("finish", "close", "stop"),
                "list": ("all", "list all"),
            }
        ),
    ] = Field(description="What to do.")
    encounter_id: EncounterId | None = Field(default=None, description="The fight; for add, get and end.")
    participants: SomeOf[JoiningArgs] | None = Field(
        default=None, description="create, add: the participants, as in create_encounter."
    )
    monsters: ListOf[MonstersArgs] | None = Field(
        default=None, description="create, add: monsters by name, as in create_encounter."
    )
    terrain: TerrainArgs | None = Field(default=None, description="create: the grid.")
    lighting: Lighting | None = Field(default=None, description="create: the light; bright unless given.")
    surprise: ListOf[Id] | None = Field(default=None, description="create, add: ids of surprised participants.")
    verbosity: Verbosity | None = Field(default=None, description="get: how much of it; standard unless given.")
    outcome: OutcomeWord | None = Field(default=None, description="end: how it ended, for the party.")
    generate_summary: Flag | None = Field(default=None, description="end: whether to sum it up; true unless given.")
    notes: Words | None = Field(default=None, description="end: what should be remembered of it.")
    commit: Flag | None = Field(default=None, description="end: false undoes the fight, as a dream.")
    award_xp: AwardWord | None = Field(default=None, description="end: share out XP, as in end_encounter.")
    include_ended: Flag | None = Field(default=None, description="list: fights that have ended, too.")


class EncounterRow(Model):
    """One fight of a list."""

    encounter_id: Id
    status: Literal["running", "ended"]
    round: Count
    participant_count: Count
    outcome: Outcome | None


class ManageEncounterResult(Model):
    """What the tool for the operation reports: create_encounter, get_encounter, end_encounter, or a list."""

    encounter_id: Id | None = ABSENT
    status: Literal["running", "ended"] | None = ABSENT
    round: Count | None = ABSENT
    lighting: Lighting | None = ABSENT
    current_turn: Named | None = None
    added: ListOf[Id] | None = Field(default=None, exclude_if=is_none, description="Participants that joined.")
    order: ListOf[OrderRow] | None = ABSENT
    terrain: TerrainCounts | TerrainView | None = ABSENT
    monsters: ListOf[MonsterRow] | None = ABSENT
    participant_count: Count | None = ABSENT
    participants: ListOf[ParticipantView] | None = ABSENT
    turn_index: Count | None = ABSENT
    areas: ListOf[AreaView] | None = ABSENT
    auras: ListOf[AuraView] | None = ABSENT
    props: ListOf[Prop] | None = ABSENT
    actions: ListOf[dict[str, Any]] | None = ABSENT
    notes: Text | None = ABSENT
    outcome: Outcome | None = ABSENT
    rounds: Count | None = ABSENT
    summary: Summary | None = None
    participant_updates: ListOf[ParticipantUpdate] | None = ABSENT
    committed: Flag | None = ABSENT
    experience: Award | None = ABSENT
    encounters: ListOf[EncounterRow] | None = ABSENT
    count: Count | None = ABSENT


_TAKES: Mapping[Operation, frozenset[str]] = {
    "create": frozenset(CreateEncounterArgs.model_fields),
    "add": frozenset({"encounter_id", "participants", "monsters", "surprise"}),
    "get": frozenset({"encounter_id", "verbosity"}),
    "end": frozenset(EndEncounterArgs.model_fields),
    "list": frozenset({"include_ended"}),
}


def _legal(world: World, ctx: Context) -> Legal | None:
    known = legal_ids(ManageEncounterArgs, world)
    likely = likely_outcomes(world, ctx.received)
    return known if known is None or not likely else {**known, "outcome": list(likely)}


@toolkit(
    ManageEncounterArgs,
    ManageEncounterResult,
    legal=_legal,
    example={"operation": "list", "include_ended": True},
)
def manage_encounter(world: World, args: ManageEncounterArgs, ctx: Context) -> Applied:
    """Begin (`create`), add to, look at (`get`), end or list fights.

    `create`, `get` and `end` do just what create_encounter, get_encounter and end_encounter do, with the same
    arguments; use whichever you like. `add` brings reinforcements, summoned creatures and late players into a running
    fight, each with its own initiative; the current turn stays. `list` names the running fights, with `include_ended`
    also those that are over.
    """
    _require_fitting(args)
    if args.operation == "create":
        return begin(world, _as(CreateEncounterArgs, args), ctx)
    if args.operation == "add":
        wanted = Adding(args.encounter_id or "", args.participants or (), args.monsters or (), args.surprise or ())
        return add(world, wanted, ctx)
    if args.operation == "end":
        return finish(world, _as(EndEncounterArgs, args), ctx)
    if args.operation == "get":
        encounter = require_encounter(world, args.encounter_id or "")
        return Applied(view(world, encounter, args.verbosity or "standard").as_written)
    rows = _list(world, bool(args.include_ended))
    return Applied({"encounters": [row.as_written for row in rows], "count": len(rows)})


def _require_fitting(args: ManageEncounterArgs) -> None:
    """Refuse arguments that belong to another operation."""
    for name in ManageEncounterArgs.model_fields:
        if name != "operation" and name not in _TAKES[args.operation] and getattr(args, name) is not None:
            detail = f"args.{name}: is not for {args.operation}"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"args.{name}"))


def _as(model: type[A], args: ManageEncounterArgs) -> A:
    """Return the arguments as those of the tool for one operation."""
    given = {name: getattr(args, name) for name in model.model_fields}
    return model.model_validate({name: value for name, value in given.items() if value is not None})


def _list(world: World, include_ended: bool) -> list[EncounterRow]:
    found = list(world.all(Encounter)) if include_ended else running_encounters(world)
    return [
        EncounterRow(
            encounter_id=encounter.id,
            status=encounter.status,
            round=encounter.round,
            participant_count=len(encounter.participants),
            outcome=encounter.outcome,
        )
        for encounter in sorted(found, key=lambda encounter: (len(encounter.id), encounter.id))
    ]
