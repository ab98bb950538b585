"""Suggestions from the state of a fight alone, regardless of the message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.rule import Hit, Rule, RuleContext
from turnwright.suggestions.snapshot import RecentCall

COMBAT = frozenset({AgentKind.COMBAT})


class CombatOver(Rule):
    """No enemy is left standing."""

    id = "r11_combat_over"
    agents = COMBAT
    reads_text = False
    intents = ("combat.end",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """See whether the fight has been won."""
        fight = look.snapshot.encounter
        if fight.active and fight.enemies_alive == 0:
            yield Hit("combat.end", 0.95, "no enemy is above 0 hit points", {"outcome": "victory"})


class DeathSave(Rule):
    """The acting character is dying on its own turn."""

    id = "r20_death_save"
    agents = COMBAT
    reads_text = False
    intents = ("death.save",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """See whether a death save is due."""
        fight, actor = look.snapshot.encounter, look.snapshot.actor
        is_own_turn = fight.current_actor_id is None or actor.id is None or fight.current_actor_id == actor.id
        is_settled = actor.is_dying is False or {"stable", "dead"} & {name.lower() for name in actor.conditions or ()}
        if fight.active and actor.hp is not None and actor.hp <= 0 and is_own_turn and not is_settled:
            yield Hit("death.save", 0.95, "the acting character is at 0 hit points", {"character_id": actor.id})


class Concentration(Rule):
    """A concentrating creature was hurt, and has not saved yet."""

    id = "r21_concentration"
    agents = COMBAT
    reads_text = False
    intents = ("concentration.check",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Check whether concentration is at risk; if a campaign's own tools deal damage, they make the save with it."""
        seen = look.snapshot
        if not (seen.encounter.active and seen.actor.concentration) or (
            seen.actor.hp is not None and seen.actor.hp <= 0
        ):
            return
        names = {seen.actor.id, seen.actor.name} - {None}
        hurt = [
            call
            for call in _since_save(seen.recent_calls)
            if call.target in names and call.damage and _is_now(call.round, seen.encounter.round)
        ]
        if hurt:
            arguments = {"character_id": seen.actor.id, "damage": hurt[-1].damage}
            yield Hit("concentration.check", 0.9, "a concentrating character was hurt this round", arguments)


def _since_save(calls: Sequence[RecentCall]) -> Sequence[RecentCall]:
    """Return the calls after the last one that checked a creature's concentration."""
    saved = [place for place, call in enumerate(calls) if call.tool == "manage_concentration"]
    return calls[saved[-1] + 1 :] if saved else calls


def _is_now(then: int | None, now: int | None) -> bool:
    return then is None or now is None or then == now
