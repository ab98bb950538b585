"""Hit points outside of attacks: falls, traps, fire, draughts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.language.message import Subject
from turnwright.language.message_text import words_of
from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.fifth_edition.suggestions.fight import CombatAct
from turnwright.rulesets.fifth_edition.suggestions.items import handed_over, source_of
from turnwright.suggestions.entities import number_of, own_thing, person_of
from turnwright.suggestions.rule import Found, Hit, Rule, RuleContext


class HpChange(Rule):
    """A character loses or regains hit points."""

    id = "r09_hp_change"
    agents = frozenset({AgentKind.NARRATIVE, AgentKind.COMBAT})
    intents = ("hp.change", "item.use")
    reads_also = (CombatAct.id,)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read amounts, and causes that hurt or heal; a pattern that heals is named `heal...`."""
        is_story = look.snapshot.agent is AgentKind.NARRATIVE
        if is_story and look.snapshot.encounter.active is True:
            return
        handed = {found.clause.start for found in handed_over(look)}
        used = set() if is_story else {found.clause.start for found in look.of(CombatAct.id).found("use_object")}
        for found in look.found():
            if not is_story and _is_blow(look, found):
                continue
            if found.clause.start in used and _draught(look, found):
                continue  # the action of the fight rolls the healing
            if found.clause.start in handed and not (found.group("amount") or found.group("amount_b")):
                continue  # an order to take the draught does not drink it
            yield from _changed(look, found)


def _changed(look: RuleContext, found: Found) -> Iterator[Hit]:
    sign = 1 if found.pattern.name.startswith("heal") else -1
    said = found.group("amount") or found.group("amount_b")
    amount = number_of(look, said) if said else None
    target = _target(look, found)
    arguments: dict[str, object] = {"delta": sign * amount} if amount else {}
    if target:
        arguments["target_character_id"] = target
    reason = "hit points are regained" if sign > 0 else "somebody is hurt"
    if used := _used(look, found, target):
        yield used
        reason += ", where using the thing does not restore them"
    yield look.hit(found, "hp.change", "amount" if amount else "unsaid", reason, arguments)


def _used(look: RuleContext, found: Found, target: str | None) -> Hit | None:
    """Return that a carried potion is used up; not if the target is unknown, as the user would get it."""
    name = _draught(look, found) if look.snapshot.agent is AgentKind.NARRATIVE else None
    if name is None or (target is None and not _is_own(found)):
        return None
    arguments = {"item_name": name} | ({"target_id": target} if target != look.snapshot.actor.id else {})
    return look.hit(found, "item.use", "carried", "the player uses a thing up", arguments, name.lower())


def _draught(look: RuleContext, found: Found) -> str | None:
    """Return the name of the potion in a pattern named for it, if the acting character carries and uses it up."""
    if "draught" not in found.pattern.name.split("_") or source_of(look, words_of(found.object)):
        return None
    if _is_own(found) and _target(look, found) != look.snapshot.actor.id:
        return None
    return own_thing(look, found.object)


def _is_blow(look: RuleContext, found: Found) -> bool:
    """Return whether the party deals the damage, which an attack of the fight already does."""
    is_dealt = found.pattern.name.startswith("dealt") and found.clause.subject in (Subject.SELF, Subject.MEMBER)
    return is_dealt and not _is_on_speaker(look, found)


def _target(look: RuleContext, found: Found) -> str | None:
    """Return the id of the character that is hurt or healed: of a pattern `own` the actor, of others the named one."""
    if _is_on_speaker(look, found):
        return look.snapshot.actor.id
    is_own = _is_own(found)
    said = found.clause.text[: found.match.start()] if is_own else _after_subject(found)
    people = (*(look.snapshot.party or ()), *(look.snapshot.npcs_present or ()))
    if person := person_of(look, people, words_of(said)):
        return person.id
    return look.snapshot.actor.id if is_own and found.clause.subject is Subject.SELF else None


def _is_on_speaker(look: RuleContext, found: Found) -> bool:
    """Return whether it happens to "me", unless that is only part of the subject: "let me", "the drake beside me"."""
    first = words_of(found.clause.text)[:1]  # "mir werden 6 Schaden zugefügt"
    said = found.match.group() if _is_own(found) else _after_subject(found)
    return look.has_any("me", (*first, *words_of(said)))


def _is_own(found: Found) -> bool:
    return "own" in found.pattern.name.split("_")


def _after_subject(found: Found) -> str:
    verbs = found.clause.verbs_at
    return found.clause.text[verbs[0][0] if verbs else 0 :]
