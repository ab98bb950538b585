"""Stage 4: the narration against what was applied.

Source: docs/stages/4-conflicts.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwright.rules.draws import Dice
from turnwright.stages.parts import Outcome
from turnwright.stages.settings import InForce
from turnwright.world.overlay import World
from turnwright.world.summary import people_at

MOST_RETRIES = 2
"""How often a turn may be handed in again after a conflict."""

Finding = dict[str, Any]


def find(text: str | None, world: World, force: InForce, outcomes: Sequence[Outcome], dice: Dice) -> list[Finding]:
    """Return what the narration claims and nothing applied, and the like; empty where the check is off.

    Args:
        text: what was told.
        world: the campaign after the calls.
        force: what holds for the turn.
        outcomes: what became of its parts.
        dice: what was drawn.
    """
    if force.settings["narration.check"] == "off" or not (text or "").strip():
        return []
    from turnwright.suggest import narration

    people = tuple(
        narration.Person(person.id, person.name, person.state.value if person.state else None)
        for person in _people(world, force, outcomes)
    )
    scene = narration.Scene(
        acting=force.acting_id,
        people=people,
        areas=_areas(world, force, outcomes),
        outcomes=tuple(_seen(outcome, world) for outcome in outcomes),
        faces=tuple(draw["value"] for draw in dice.drawn if draw["sides"]),
        dialog_type=force.dialog_type,
    )
    return narration.findings(text or "", scene)


def conflicts(findings: Sequence[Finding], force: InForce) -> list[Finding]:
    """Return the findings for which the turn is wanted again; only `narration.check` = `retry` asks for that."""
    if force.settings["narration.check"] != "retry":
        return []
    return [finding for finding in findings if finding["severity"] == "error"]


def _seen(outcome: Outcome, world: World) -> Any:
    from turnwright.suggest.narration import CallOutcome

    reason = outcome.failure.reason.value if outcome.failure else None
    result = outcome.applied.result if outcome.applied else {}
    target = world.character(str(outcome.args.get("target_character_id", "")))
    is_full = target is not None and target.max_hp is not None and result.get("new_hp") == target.max_hp
    return CallOutcome(outcome.tool, outcome.args, outcome.applied is not None, reason, result, is_full)


def _people(world: World, force: InForce, outcomes: Sequence[Outcome]) -> list[Any]:
    """Return the party, whoever stands where the turn plays, and whoever the calls named."""
    named = [outcome.args.get("target_character_id") for outcome in outcomes]
    found = {person.id: person for person in world.party()}
    actor = world.character(force.acting_id) if force.acting_id else None
    if actor and actor.position is not None:
        found |= {person.id: person for person in people_at(world, actor.position)}
    for character_id in named:
        if isinstance(character_id, str) and (person := world.character(character_id)):
            found.setdefault(person.id, person)
    return list(found.values())


def _areas(world: World, force: InForce, outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Return the names of the areas around the acting character and of those the calls named or made."""
    actor = world.character(force.acting_id) if force.acting_id else None
    wanted = {actor.position} if actor else set()
    for outcome in outcomes:
        wanted |= {value for key, value in outcome.args.items() if key.endswith("area_id") and isinstance(value, str)}
        if outcome.applied:
            wanted |= set(outcome.applied.result.get("created_area_ids", ()))
    here = world.area(actor.position) if actor and actor.position else None
    wanted |= set(here.reachable_area_ids) if here else set()
    found = (world.area(area_id) for area_id in sorted(filter(None, wanted)))
    return {area.id: area.name for area in found if area}
