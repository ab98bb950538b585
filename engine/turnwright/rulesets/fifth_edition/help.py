"""Advantage that one lends another by the Help action. Source: SRD 5.1, "Actions in Combat"."""

from __future__ import annotations

from typing import Literal

from turnwright.model.encounter import Encounter, Help, Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.battlefield import feet_between
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.space.grid.distance import CLOSE
from turnwright.rulesets.fifth_edition.targets import put_participant, require_encounter

_HELPED = Sources(("helped",))


def take_help(
    world: World,
    encounter_id: str,
    participant_id: str,
    kind: Literal["check", "attack"],
    target: Participant | None = None,
) -> Sources:
    """Use up the help that a creature has for its next check, or for an attack on this target."""
    encounter = require_encounter(world, encounter_id)
    person = encounter.participant(participant_id)
    used = (
        next((each for each in person.helped if _counts(world, encounter, each, kind, target)), None)
        if person
        else None
    )
    if person is None or used is None:
        return Sources()
    left = list(person.helped)
    left.remove(used)
    put_participant(world, encounter_id, person.replace(helped=tuple(left)))
    return _HELPED


def _counts(world: World, encounter: Encounter, given: Help, kind: str, target: Participant | None) -> bool:
    if given.kind != kind:
        return False
    helper = encounter.participant(given.helper_id)
    return target is None or (helper is not None and feet_between(world, helper, target) <= CLOSE)
