"""end_encounter: end a fight."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from turnwright.model.base import Count, Flag, ListOf, Model, is_none
from turnwright.model.creature import Words
from turnwright.model.encounter import Encounter, Outcome
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.fights._attaching import release_attached
from turnwright.rulesets.fifth_edition.fights._award import Award, Awarded, award
from turnwright.rulesets.fifth_edition.fights._end_report import ParticipantUpdate, Summary, summary, update
from turnwright.rulesets.fifth_edition.fights._ending import closed, put_back, remove_auras
from turnwright.rulesets.fifth_edition.fights._swallowing import let_all_out
from turnwright.rulesets.fifth_edition.fights.running import enemies_standing
from turnwright.rulesets.fifth_edition.passing_time import ROUND, keeps_calendar, pass_time
from turnwright.rulesets.fifth_edition.targets import body_of, require_running
from turnwright.rulesets.reference_lookup import legal_ids
from turnwright.rulesets.references import Choice, RunningEncounterId
from turnwright.rulesets.tool import Applied, Context, Legal
from turnwright.rulesets.toolkit import ToolkitArgs, running_encounters, toolkit

OutcomeWord = Annotated[
    Outcome,
    Choice(
        {
            "victory": ("won", "win", "success", "players win", "party wins", "enemies defeated", "foes defeated"),
            "defeat": ("lost", "loss", "lose", "players lose", "party defeated", "heroes defeated"),
            "fled": ("flee", "escape", "escaped", "retreat", "retreated", "ran away"),
            "negotiated": ("negotiation", "truce", "surrender", "peace", "parley", "talked"),
            "other": ("draw", "interrupted", "unknown", "none"),
        }
    ),
]


AwardWord = Annotated[Awarded, Choice({"defeated": ("beaten", "dead", "killed", "fallen"), "all": ("everybody",)})]


class EndEncounterArgs(ToolkitArgs):
    """Arguments of `end_encounter`."""

    encounter_id: RunningEncounterId = Field(description="The running fight.")
    outcome: OutcomeWord = Field(description="How it ended, for the party.")
    generate_summary: Flag = Field(default=True, description="Whether to sum the fight up in numbers.")
    notes: Words | None = Field(default=None, description="What should be remembered of it.")
    commit: Flag = Field(
        default=True, description="False for a dream or a rehearsal: characters get back what they had when it began."
    )
    award_xp: AwardWord | None = Field(
        default=None,
        description="Share out the XP of monsters by name: of the defeated, or of all if the party won otherwise.",
    )


class EndEncounterResult(Model):
    """How the fight ended."""

    outcome: Outcome
    rounds: Count
    summary: Summary | None
    participant_updates: ListOf[ParticipantUpdate] = Field(description="The outcome for each participant.")
    committed: Flag
    experience: Award | None = Field(default=None, exclude_if=is_none, description="The XP awarded.")


def likely_outcomes(world: World, received: JsonObject) -> list[Outcome]:
    """Return the possible outcomes of the fight that a call names, by the sides still standing: the likeliest first.

    While both sides stand, neither has won.
    """
    named = [value for key, value in received.items() if key.replace("_", "").casefold() == "encounterid"]
    fight = next((fight for fight in running_encounters(world) if fight.id in named), None)
    if fight is None:
        return []
    if not _heroes_standing(world, fight):
        return ["defeat", "fled", "negotiated", "other", "victory"]
    if not enemies_standing(world, fight):
        return ["victory", "negotiated", "other", "fled", "defeat"]
    return ["other", "fled", "negotiated", "victory", "defeat"]


def _heroes_standing(world: World, fight: Encounter) -> bool:
    bodies = (body_of(world, person) for person in fight.participants if not person.is_enemy)
    return any((body.hp or 0) > 0 and not body.is_dead for body in bodies)


def _legal(world: World, ctx: Context) -> Legal | None:
    known = legal_ids(EndEncounterArgs, world)
    likely = likely_outcomes(world, ctx.received)
    # As examples they stay in this order; a list of words would be sorted by similarity.
    return known if known is None or not likely else {**known, "outcome": {"examples": likely}}


@toolkit(
    EndEncounterArgs,
    EndEncounterResult,
    legal=_legal,
    example={"encounter_id": "encounter-1", "outcome": "victory"},
)
def end_encounter(world: World, args: EndEncounterArgs, ctx: Context) -> Applied:
    """End a fight: when one side is beaten, gone or talked round. It cannot be resumed afterwards.

    Characters keep the hit points, conditions and spent spell slots that the fight left them; no copying is needed.
    With `commit` false hit points, temporary hit points, death saves, conditions and state go back to what they were.
    The result sums up what each combatant did.
    """
    return finish(world, args, ctx)


def finish(world: World, args: EndEncounterArgs, ctx: Context) -> Applied:
    """End a fight as the call says."""
    encounter = require_running(world, args.encounter_id)
    if args.award_xp is not None and not args.commit:
        detail = "args.award_xp: nobody learns from what has not happened (commit is false)"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.award_xp"))
    earned = award(world, encounter, args.award_xp) if args.award_xp is not None else None
    let_all_out(world, encounter.id, ctx)
    release_attached(world, encounter.id, everybody=True)
    encounter = closed(world, require_running(world, args.encounter_id))
    world.put(encounter.replace(status="ended", outcome=args.outcome, notes=args.notes, committed=args.commit))
    remove_auras(world, encounter)
    if not args.commit:
        put_back(world, encounter)
    told: tuple[str, ...] = ()
    if args.commit and keeps_calendar(ctx.settings):
        # For the participants, the rounds have already passed one by one.
        fought = {person.character_id for person in encounter.participants if person.character_id is not None}
        told = pass_time(world, encounter.round * ROUND, ctx, fought).told
    result = EndEncounterResult(
        outcome=args.outcome,
        rounds=encounter.round,
        summary=summary(encounter) if args.generate_summary else None,
        participant_updates=tuple(update(person) for person in encounter.participants),
        committed=args.commit,
        experience=earned,
    )
    return Applied(result.as_written, told)
