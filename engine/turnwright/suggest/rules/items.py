"""Things that change hands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

from turnwright.model.agent import AgentKind
from turnwright.suggest.message import ClauseType
from turnwright.suggest.message_text import words_of
from turnwright.suggest.objects import Phrase, Thing, is_money, mentioned, noun_phrase, person_of, thing
from turnwright.suggest.rule import Found, Hit, Look, Rule
from turnwright.suggest.rules.quests import TALKERS

_NEAR = 12
"""How many clauses back an "it" is looked for."""


class ItemTake(Rule):
    """Somebody of the party takes a thing."""

    id = "r03_item_take"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("item.take",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read verbs of taking whose object is a thing that is not one's own."""
        for found in look.found():
            taken = thing(look, found.group("item"), found.named("item") or found.group("item"))
            if (
                taken is None
                and found.group("item").split()[:1]
                and look.has("pronouns", found.group("item").split()[0])
            ):
                taken = _spoken_of(look, found, "area", "npcs")
            phrase = noun_phrase(look, found.group("item"), found.group("item"))
            if taken is None or taken.where == "actor" or is_money(look, phrase.words):
                continue
            if (
                look.has("own", phrase.owner)
                and taken.where not in ("area", "npcs")
                and not _is_taken_back(look, found)
            ):
                continue
            base = {"area": "known", "npcs": "known", "kind": "kind"}.get(taken.where, "other")
            if found.pattern.name in ("get_loosely", "from_source") and base != "known":
                continue
            arguments: dict[str, Any] = {"item_name": taken.name}
            if taken.quantity > 1:
                arguments["quantity"] = taken.quantity
            yield look.hit(found, "item.take", base, "the player takes a thing", arguments, taken.name.lower())


def _spoken_of(look: Look, found: Found, *places: str) -> Thing | None:
    """Return the thing that an "it" stands for: one of these places that the message named before."""
    known = {name: where for where in places for name in getattr(look.snapshot.items, where) or ()}
    if not known:
        return None
    at = bisect_left(look.message.clauses, found.clause.start, key=lambda clause: clause.start)
    before = [c for c in look.message.clauses[max(at - _NEAR, 0) : at] if c.type is not ClauseType.META]
    own = found.clause.text[: found.match.start()]
    name = mentioned(known, words_of(" ".join([*(c.text for c in before), own])))
    return Thing(name, 1, known[name]) if name else None


def _is_taken_back(look: Look, found: Found) -> bool:
    """Return whether one's own thing comes from somewhere else: "my arrows out of the dummy"."""
    return not {"from", "out", "off", "back"}.isdisjoint(words_of(found.group("item"))) and not look.has_any(
        "carriers", words_of(found.group("item"))
    )


class ItemGive(Rule):
    """The player hands something over."""

    id = "r04_item_give"
    agents = TALKERS
    requires = ("speaker_is_player",)
    intents = ("item.give",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read verbs of giving with a thing and whom it goes to; what names a receiver counts first."""
        yield from sorted(self._hits(look), key=lambda hit: "to" not in hit.arguments)

    def _hits(self, look: Look) -> Iterable[Hit]:
        for found in look.found():
            to = noun_phrase(look, found.group("to"), found.named("to"))
            receiver = words_of(found.group("to"))
            if receiver and look.has("selves_object", receiver[0]):
                continue
            given = thing(look, found.group("item"), found.named("item"))
            if given is None and look.has_any("pronouns", words_of(found.group("item"))[:1]):
                given = _spoken_of(look, found, "actor")
            if given is None or is_money(look, noun_phrase(look, found.group("item"), found.group("item")).words):
                continue
            if given.where in ("area", "npcs") and not receiver:
                continue
            people = (*(look.snapshot.npcs_present or ()), *(look.snapshot.party or ()))
            person = person_of(look, people, to.words)
            is_somebody = person is not None or look.has_any("people", receiver)
            if given.where == "other" and not is_somebody and not look.has_any("receivers", receiver[:1]):
                continue
            name = person.name if person else _told(look, to, receiver)
            arguments = {"item_name": given.name} | ({"to": name} if name else {})
            base = "known" if given.where == "actor" else "other"
            yield look.hit(found, "item.give", base, "the player hands a thing over", arguments, given.name.lower())


def _told(look: Look, to: Phrase, receiver: Sequence[str]) -> str:
    """Return the receiver's name where the message gives one; a pronoun stands for the only one present."""
    present = look.snapshot.npcs_present or ()
    is_pronoun = look.has_any("receivers", receiver[:1]) or look.has_any("pronouns", receiver[:1])
    if len(present) == 1 and (not receiver or is_pronoun):
        return present[0].name
    is_name = to.original[:1].isupper() and not is_pronoun and not all(look.has("people", word) for word in to.words)
    return to.original if is_name else ""


class ItemOfferAccept(Rule):
    """An offered thing is accepted."""

    id = "r05_item_offer_accept"
    agents = TALKERS
    requires = ("speaker_is_player",)
    intents = ("item.take",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read assent while a thing is on offer."""
        offer = look.snapshot.pending_offer
        if offer is None or offer.kind != "item":
            return
        if look.refuses():
            return
        arguments = {"item_name": offer.item} if offer.item else {}
        for found in look.found("assent", "take_it", "not_refused", spoken=True):
            if look.is_questioned(found):
                continue
            yield look.hit(
                found,
                "item.take",
                "offered",
                "the player accepts the offered thing",
                arguments,
                (offer.item or "").lower(),
            )


class NpcGives(Rule):
    """A character of the game master hands something to the one it speaks to."""

    id = "r06_npc_gives"
    agents = frozenset({AgentKind.NPC_INDIVIDUAL, AgentKind.NPC_PUPPETEER})
    requires = ("speaker_is_npc",)
    intents = ("item.receive",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read words and gestures of handing over."""
        for found in look.found(spoken=True):
            words = words_of(found.group("item"))
            given = thing(look, found.group("item"), found.named("item"))
            if given is None and not (words and look.has("shown", words[0])):
                continue
            if is_money(look, noun_phrase(look, found.group("item"), found.group("item")).words):
                continue
            arguments = {"item_name": given.name} if given else {}
            yield look.hit(found, "item.receive", "given", "the character hands a thing over", arguments)
