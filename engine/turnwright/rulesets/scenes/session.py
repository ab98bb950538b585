"""Sessions of a scene game: resume one that ended, and ask a question again after an undo.

Source: docs/tools/scenes.md, "Sessions".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CREW_PATH
from turnwright.model.crew import Crew, PendingOutcome, SessionEnded
from turnwright.model.dice.draws import PartDice
from turnwright.model.errors import BadRequest
from turnwright.model.json_types import JsonObject
from turnwright.model.request import Request
from turnwright.model.state.overlay import World
from turnwright.rulesets.in_use import settings_in
from turnwright.rulesets.lifetime import Resumed
from turnwright.rulesets.scenes.play import Play, find_crew

_FOR_GOOD = {
    "creation_cancelled": "the session ended before there was a character; begin a new campaign",
    "init_failed": "the session ended because its opening never came to be; begin a new campaign",
}


def ended(world: World) -> SessionEnded | None:
    """Return the end of the session; None while it runs, and without a scene game."""
    crew = find_crew(world)
    return crew.phase if crew is not None and isinstance(crew.phase, SessionEnded) else None


def is_for_good(end: SessionEnded) -> bool:
    """Return whether a session that ended this way can never be resumed."""
    return end.reason in _FOR_GOOD


def resumed(world: World, dice: PartDice, seq: int) -> Resumed:
    """Resume the session that a player ended.

    Raises:
        BadRequest: when no session was ended that way.
    """
    from turnwright.rulesets.scenes.interlude import resume

    campaign, crew = world.campaign, find_crew(world)
    if crew is None:
        raise BadRequest("this campaign has no scene game, and so no session to resume")
    end = ended(world)
    if end is None:
        raise BadRequest("the session has not ended; there is nothing to resume")
    if is_for_good(end):
        raise BadRequest(f"this cannot be resumed: {_FOR_GOOD[end.reason]}")
    acting_id = campaign.selected.active_actor_id
    play = Play(world, dice, settings_in(campaign), acting_id, seq, "resume")
    resume(play)
    request = play.crew.request
    record = {
        "session": "resumed",
        "events": [event.as_json() for event in play.events],
        "request": request.as_written if request else None,
    }
    return Resumed(record, world.touched)


def ask_again(world: World, restored: Mapping[str, Document | None]) -> dict[str, Document]:
    """Return crew and campaign with a new id for a reopened request, and with a new number for the prompt.

    An answer to the earlier request must not count a second time.

    Args:
        world: the current campaign.
        restored: the documents as they will be after the undo.
    """
    crew, now = restored.get(CREW_PATH), find_crew(world)
    if not isinstance(crew, Crew):
        return {}
    if now is not None:
        latest = max(now.awaiting.prompt_id, crew.awaiting.prompt_id) + 1
        crew = crew.replace(awaiting=crew.awaiting.replace(prompt_id=latest))
    if crew.request is None:
        return {CREW_PATH: crew}
    if now is not None and now.request is not None and now.request.id == crew.request.id:
        return {CREW_PATH: crew}  # it was open all the time
    if (campaign := restored.get(CAMPAIGN_PATH)) is not None:
        world.put(campaign)
    identifier = world.new_id("request")
    request: Request = crew.request.replace(id=identifier)
    pending = _waiting_for(crew.pending_outcome, crew.request.id, identifier)
    return {CAMPAIGN_PATH: world.campaign, CREW_PATH: crew.replace(request=request, pending_outcome=pending)}


def _waiting_for(pending: PendingOutcome | None, before: str, after: str) -> PendingOutcome | None:
    return pending.replace(request_id=after) if pending is not None and pending.request_id == before else pending


class _Restoration:
    """Implements `rulesets.lifetime.Restoration` for a crew: a request has a new id, and prompts are counted on."""

    restore = staticmethod(ask_again)

    def as_restored(self, before: JsonObject, after: JsonObject) -> JsonObject:
        """Return a crew with the number of the prompt and the id of the request that it has now."""
        return _asked_as(_counted_as(before, after.get("awaiting")), after.get("request"))


RESTORATION = _Restoration()


def _counted_as(crew: JsonObject, awaiting: Any) -> JsonObject:
    """Return a crew with the prompt number of another one."""
    before = crew.get("awaiting")
    if not isinstance(before, dict) or not isinstance(awaiting, dict) or "prompt_id" not in awaiting:
        return crew
    return {**crew, "awaiting": before | {"prompt_id": awaiting["prompt_id"]}}


def _asked_as(crew: JsonObject, request: Any) -> JsonObject:
    """Return a crew whose open request has the id of another crew's request."""
    before, pending = crew.get("request"), crew.get("pending_outcome")
    if not isinstance(before, dict) or not isinstance(request, dict):
        return dict(crew)
    new = {"request": before | {"id": request.get("id")}}
    if isinstance(pending, dict) and pending.get("request_id") == before.get("id"):
        new["pending_outcome"] = pending | {"request_id": request.get("id")}
    return {**crew, **new}
