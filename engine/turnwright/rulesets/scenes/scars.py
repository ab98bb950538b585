"""Trauma: its names and how it is assigned.

Source: docs/tools/scenes.md, "Trauma".
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.stats import change_stress

TRAUMAS: Mapping[str, str] = {
    "cold": "nothing that happens to others reaches you any more",
    "haunted": "the past keeps walking beside you",
    "obsessed": "one thing has you, and everything else is in its way",
    "paranoid": "everybody is in on it",
    "reckless": "your own safety bores you",
    "soft": "you can no longer do what the work asks",
    "unstable": "what you feel turns without warning",
    "vicious": "you hurt more than the work needs",
}
"""Names that are known, with a line of meaning each; any other is good, too."""
ALIASES: Mapping[str, str] = {"volatile": "unstable"}


def scar_named(play: Play, name: str | None, where: str, *, missing: Reason = Reason.TRAUMA_REQUIRED) -> str:
    """Return the trauma with a name, which the acting character must not have yet.

    Raises:
        CallFailed: `missing` for no name or the reserved one, `duplicate_trauma`.
    """
    actor = play.require_actor()
    held = {trauma.casefold() for trauma in actor.trauma}
    free = [trauma for trauma in TRAUMAS if trauma not in held]
    scar = (name or "").strip()
    scar = ALIASES.get(scar.casefold(), scar)
    if not scar or scar.casefold() == "pending":
        repair = hint.ask_for(where, free) if name is None else hint.ask(where, name, free)
        raise CallFailed(missing, f"{where}: name the trauma", repair)
    if scar.casefold() in held:
        repair = hint.ask(where, name, free)
        raise CallFailed(Reason.DUPLICATE_TRAUMA, f"{where}: {actor.label} is {scar} already", repair)
    return scar


def assign(play: Play, scar: str, trigger: str, breaking_point: str) -> None:
    """Give the acting character a permanent trauma and clear their stress."""
    actor = play.require_actor()
    play.world.put(actor.replace(trauma=(scar, *actor.trauma), pending_trauma=False))
    change_stress(play, -actor.stress, "trauma")
    play.emit("TraumaTriggered", trauma=scar, trigger=trigger, breaking_point=breaking_point)
