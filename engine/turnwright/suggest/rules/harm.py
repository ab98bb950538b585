"""Hit points outside of attacks: falls, traps, fire, draughts."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.agent import AgentKind
from turnwright.suggest.message import words_of
from turnwright.suggest.objects import number_of, person_of
from turnwright.suggest.rule import Hit, Look, Rule


class HpChange(Rule):
    """Somebody loses or regains hit points."""

    id = "r09_hp_change"
    agents = frozenset({AgentKind.NARRATIVE, AgentKind.COMBAT})
    intents = ("hp.change",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read amounts, and causes that hurt or heal; patterns that heal are named `heal...`."""
        is_fight = look.snapshot.encounter.active is True
        if is_fight and look.snapshot.agent is AgentKind.NARRATIVE:
            return
        for found in look.found():
            if look.snapshot.agent is AgentKind.COMBAT and not found.pattern.name.startswith(
                ("heal", "hazard", "amount")
            ):
                continue
            sign = 1 if found.pattern.name.startswith("heal") else -1
            said = found.group("amount") or found.group("amount_b")
            amount = number_of(look, said) if said else None
            people = (*(look.snapshot.party or ()), *(look.snapshot.npcs_present or ()))
            person = person_of(look, people, words_of(found.clause.text))
            arguments: dict[str, object] = {"delta": sign * amount} if amount else {}
            if person and person.id:
                arguments["target_character_id"] = person.id
            elif look.snapshot.actor.id and found.clause.subject == "self":
                arguments["target_character_id"] = look.snapshot.actor.id
            reason = "hit points are regained" if sign > 0 else "somebody is hurt"
            yield look.hit(found, "hp.change", "amount" if amount else "unsaid", reason, arguments)
