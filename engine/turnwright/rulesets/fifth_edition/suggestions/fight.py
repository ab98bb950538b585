"""Actions in a fight."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.language.message import Subject
from turnwright.language.message_text import words_of
from turnwright.rulesets.fifth_edition.suggestions.fight_state import COMBAT
from turnwright.suggestions.entities import own_thing, person_of
from turnwright.suggestions.rule import Found, Hit, Rule, RuleContext
from turnwright.suggestions.snapshot import Named, Snapshot

_OUTCOMES = {"surrender": "negotiated", "rout": "victory", "escape": "fled"}
"""The outcome of a fight, by the beginning of a pattern's name."""
_STILL = frozenset({"unconscious", "dead", "paralyzed", "petrified", "stunned", "incapacitated"})


def has_turn(snapshot: Snapshot) -> bool:
    """Return whether it may be the acting character's turn; a player only speaks for their own turn."""
    actor, current = snapshot.actor, snapshot.encounter.current_actor_id
    is_known = current is not None and actor.id is not None
    return snapshot.speaker != "player" or not is_known or current in (actor.id, actor.name)


def may_act(snapshot: Snapshot) -> bool:
    """Return whether the acting character can act: it is up, and a player only speaks on its own turn."""
    actor = snapshot.actor
    conditions = {name.lower() for name in actor.conditions or ()}
    return has_turn(snapshot) and not (conditions & _STILL) and (actor.hp is None or actor.hp > 0)


def acts(look: RuleContext, found: Found) -> bool:
    """Return whether the message speaks for the acting one; a game master may speak for any character."""
    return found.clause.subject is Subject.SELF or look.snapshot.speaker != "player"


def target_of(look: RuleContext, found: Found) -> Named | None:
    """Return the character present that the rest of the clause names."""
    words = words_of(found.clause.text[found.match.start() :])
    return person_of(look, look.snapshot.npcs_present, words)


class Attack(Rule):
    """A character attacks."""

    id = "r08_attack"
    agents = COMBAT
    requires = ("encounter_active",)
    intents = ("hp.attack",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read verbs and weapons of attacking."""
        if not may_act(look.snapshot) or look.snapshot.encounter.enemies_alive == 0:
            return
        for found in look.found():
            if acts(look, found):
                target = target_of(look, found)
                kind = "cast_spell" if found.pattern.name == "cast" else "attack"
                arguments = {"action_type": kind} | ({"target": target.name} if target else {})
                yield look.hit(found, "hp.attack", "known" if target else "unknown", "an attack is made", arguments)


class CombatAct(Rule):
    """A character does something else with a turn."""

    id = "r08b_combat_act"
    agents = COMBAT
    requires = ("encounter_active",)
    intents = ("act.combat",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read the actions of a fight; each pattern is named for its action."""
        if not may_act(look.snapshot) or look.snapshot.encounter.enemies_alive == 0:
            return
        for found in look.found():
            if acts(look, found):
                arguments = {"action_type": found.pattern.name}
                if found.pattern.name == "use_object" and (name := own_thing(look, found.object)):
                    arguments["item_name"] = name
                yield look.hit(
                    found,
                    "act.combat",
                    "act",
                    f"somebody uses their turn to {found.pattern.name.replace('_', ' ')}",
                    arguments,
                )


class TurnEnd(Rule):
    """A turn is over: by announcement, or because its action was taken."""

    id = "r10_turn_end"
    agents = COMBAT
    requires = ("encounter_active",)
    intents = ("turn.advance",)
    reads_also = (Attack.id, CombatAct.id)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find the end of a turn, unless more is to come or a pause is requested. A downed character can still pass."""
        if look.snapshot.encounter.enemies_alive == 0 or not has_turn(look.snapshot):
            return
        # "I am not done" denies something, and "wait?" asks: neither commits to anything.
        more = max((clause.start + match.start() for clause, match in look.said("more")), default=-1)
        for found in look.found("end"):
            if found.at < more or found.clause.subject is Subject.MEMBER:
                continue
            yield look.hit(found, "turn.advance", "said", "the turn is said to be over")
        if may_act(look.snapshot):
            for found in (*look.found("action"), *(one for rule in self.reads_also for one in look.of(rule).found())):
                if acts(look, found) and found.at > more:
                    yield look.hit(found, "turn.advance", "done", "the action of the turn is taken")


class CombatOverText(Rule):
    """The fight ends in words: all remaining enemies surrender or flee, or the party is gone."""

    id = "r12_combat_over_text"
    agents = COMBAT
    requires = ("encounter_active",)
    intents = ("combat.end",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read the end of a fight; each pattern is named for its outcome."""
        for found in look.found(done=True):
            outcome = _OUTCOMES[found.pattern.name.partition("_")[0]]
            yield look.hit(found, "combat.end", "told", "the fight is told to be over", {"outcome": outcome})
