"""What fights tell about a turn.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnwright.model.base import Document
from turnwright.model.encounter import RUNNING_TAG, Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.narration.facts import Effect, EffectKind, Fight, Person
from turnwright.rulesets.evidence import Evidence, EvidenceContext, hp_difference
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp


def evidence(turn: EvidenceContext) -> Evidence:
    """Return the running fight and its participants."""
    fights = turn.world.all_tagged(Encounter, RUNNING_TAG)
    return Evidence(
        people=tuple(_fighters(turn.before, fights)),
        fight=_fight(fights),
        aliases={p.id: p.character_id for fight in fights for p in fight.participants if p.character_id is not None},
    )


def fight_changes(before: Document | None, after: Document | None, world: World) -> Iterator[Effect]:
    """Yield whether a fight ended or continued, and hit point changes of participants that are not characters."""
    del world
    if not (isinstance(before, Encounter) and isinstance(after, Encounter)):
        return
    if before.is_running and not after.is_running:
        yield Effect(EffectKind.FIGHT_OVER, is_net=True)
    elif after.is_running and (after.turn_index, after.round) != (before.turn_index, before.round):
        yield Effect(EffectKind.TURN, who=after.current.id, total=after.round, is_net=True)
    for participant in after.participants:
        was = before.participant(participant.id)
        if participant.body is not None and was is not None and was.body is not None:
            yield from hp_difference(participant.id, counted_hp(was.body)[0], *counted_hp(participant.body))


def _fight(fights: Sequence[Encounter]) -> Fight | None:
    """Return the fight a text means: the only one."""
    if len(fights) != 1:
        return None
    (fight,) = fights
    current = fight.current
    initiatives = tuple(participant.initiative for participant in fight.participants)
    return Fight(frozenset(filter(None, (current.id, current.character_id))), fight.round, initiatives)


def _fighters(before: World, fights: Sequence[Encounter]) -> Iterator[Person]:
    """Yield the participants of a fight that are not characters of the campaign."""
    for fight in fights:
        earlier = before.find(Encounter, fight.id)
        for participant in fight.participants:
            if participant.character_id is None and participant.body is not None:
                was = earlier.participant(participant.id) if earlier else None
                body_before = was.body if was else None
                hp, most = counted_hp(participant.body)
                yield Person(
                    participant.id,
                    participant.name,
                    _state(participant),
                    _state(was) if was else None,
                    hp,
                    hp_was=counted_hp(body_before)[0] if body_before else None,
                    max_hp=most,
                    conditions=frozenset(participant.body.condition_names),
                )


def _state(participant: Participant) -> str | None:
    body = participant.body
    return body.state.value if body and body.state else None
