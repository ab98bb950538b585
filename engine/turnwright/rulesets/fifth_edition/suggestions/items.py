"""Things that change hands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from turnwright.language.message import ClauseType, Subject
from turnwright.language.message_text import words_of
from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.rulesets.core.suggestions.quests import TALKERS
from turnwright.suggestions.entities import (
    OF,
    Phrase,
    Thing,
    belonging,
    carried,
    is_money,
    mentioned,
    noun_phrase,
    others,
    own_thing,
    person_of,
    thing,
)
from turnwright.suggestions.rule import Found, Hit, Rule, RuleContext

_NOBODY = Phrase((), "", 1, "", False)
_NEAR = 12
"""How many clauses back an "it" is looked for."""


class ItemTake(Rule):
    """A party member takes a thing."""

    id = "r03_item_take"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("item.take",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find verbs of taking whose object does not belong to the actor."""
        for found in look.found():
            if theirs := belonging(look, found.group("item"), found.clause.text[found.match.start() :]):
                arguments = {"item_name": theirs.name, "owner": theirs.owner} | _several(look, found)
                yield look.hit(found, "item.take", "known", "the player takes a thing", arguments, theirs.name.lower())
                continue
            taken = thing(look, found.group("item"), found.named("item") or found.group("item"))
            if (
                taken is None
                and found.group("item").split()[:1]
                and look.has("pronouns", found.group("item").split()[0])
            ):
                taken = _spoken_of(look, found, "area", "npcs")
            phrase = noun_phrase(look, found.group("item"), found.named("item"))
            if taken is None or is_money(look, phrase.words) or _is_unpacked(look, found):
                continue
            if taken.where == "actor" and (look.has("own", phrase.owner) or not _is_one_more(look, found)):
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
            arguments = {"item_name": taken.name, **_several(look, found)}
            yield look.hit(found, "item.take", base, "the player takes a thing", arguments, taken.name.lower())


def _several(look: RuleContext, found: Found) -> dict[str, int]:
    """Return the number of things, as arguments; one needs no argument."""
    quantity = noun_phrase(look, found.group("item"), found.named("item")).quantity
    return {"quantity": quantity} if quantity > 1 else {}


def _spoken_of(look: RuleContext, found: Found, *places: str) -> Thing | None:
    """Return the thing that an "it" refers to: one of these places that the message named before."""
    known = {name: where for where in places for name in getattr(look.snapshot.items, where) or ()}
    if not known:
        return None
    at = bisect_left(look.message.clauses, found.clause.start, key=lambda clause: clause.start)
    before = [c for c in look.message.clauses[max(at - _NEAR, 0) : at] if c.type is not ClauseType.META]
    own = found.clause.text[: found.match.start()]
    name = mentioned(known, words_of(" ".join([*(c.text for c in before), own])))
    return Thing(name, 1, known[name]) if name else None


def _is_one_more(look: RuleContext, found: Found) -> bool:
    """Return whether a thing of a kind one has is a new one: "another torch", "three torches", "from the wall"."""
    words = words_of(found.group("item"))
    if look.has_any("carriers", words):
        return False
    source = source_of(look, words)
    comes_from = bool(source) and not look.has("own", source)
    return comes_from or found.pattern.name == "buy" or look.has_any("another", words[:2]) or _is_some(look, found)


def _is_some(look: RuleContext, found: Found) -> bool:
    """Return whether several things are taken, but not from known ones: "two of the torches"."""
    before = words_of(found.clause.text[found.match.start() : found.match.start("item")])
    is_known = any(
        joint in OF and (look.has("articles", word) or look.has("owners", word))
        for joint, word in pairwise(words_of(found.group("item")))
    )
    return bool(_several(look, found)) and not is_known and "out" not in before


def source_of(look: RuleContext, words: Sequence[str]) -> str:
    """Return the word behind "from" or "off", or nothing."""
    pairs = pairwise(words)
    return next((behind for word, behind in pairs if look.has("from_words", word) and word not in OF), "")


def _is_unpacked(look: RuleContext, found: Found) -> bool:
    """Return whether a thing comes out of the actor's own belongings: "from my pack"."""
    words = words_of(found.clause.text[found.match.start() :])
    return any(
        look.has("from_words", source) and look.has("own", owner) and look.has_any("carriers", words[at : at + 2])
        for at, (source, owner) in enumerate(pairwise(words), 2)
    )


def _is_taken_back(look: RuleContext, found: Found) -> bool:
    """Return whether the actor's thing is taken back from somewhere: "my arrows out of the dummy"."""
    return not {"from", "out", "off", "back"}.isdisjoint(words_of(found.group("item"))) and not look.has_any(
        "carriers", words_of(found.group("item"))
    )


class ItemGive(Rule):
    """The player hands something over."""

    id = "r04_item_give"
    agents = TALKERS
    requires = ("speaker_is_player",)
    reads_also = ("r06_npc_gives",)
    intents = ("item.give",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find verbs of giving with a thing and its receiver; matches that name a receiver count first."""
        yield from sorted((*self._hits(look), *self._spoken(look)), key=lambda hit: "to" not in hit.arguments)

    def _spoken(self, look: RuleContext) -> Iterable[Hit]:
        for found in handed_over(look):
            given = thing(look, found.group("item"), found.named("item"))
            words = words_of(found.group("item"))
            is_shown = bool(look.message.addressees) and look.of("r06_npc_gives").has_any("shown", words[:1])
            is_own = given is not None and given.where == "actor"
            is_new = found.pattern.name == "here" and given is not None and given.where == "kind"
            if not (is_own or is_shown or (is_new and look.snapshot.agent in NPC_AGENTS)):
                continue
            if is_money(look, noun_phrase(look, found.group("item"), found.named("item")).words):
                continue
            said = words_of(" ".join((*look.message.addressees, *look.message.words)).lower())
            person = person_of(look, others(look), said)
            name = person.name if person else _told(look, _NOBODY, ())
            arguments = ({"item_name": given.name} | _several(look, found) if given else {}) | (
                {"to": name} if name else {}
            )
            subject = given.name.lower() if given else ""
            base = "known" if is_own else "other"
            yield look.hit(found, "item.give", base, "the player hands a thing over", arguments, subject)

    def _hits(self, look: RuleContext) -> Iterable[Hit]:
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
            is_character = person is not None or look.has_any("people", receiver)
            if given.where == "other" and not is_character and not look.has_any("receivers", receiver[:1]):
                continue
            name = person.name if person else _told(look, to, receiver)
            arguments = {"item_name": given.name} | _several(look, found) | ({"to": name} if name else {})
            base = "known" if given.where == "actor" else "other"
            yield look.hit(found, "item.give", base, "the player hands a thing over", arguments, given.name.lower())


def handed_over(look: RuleContext) -> Iterator[Found]:
    """Yield the places where a player hands something over in the words of R06: "here, take this".

    "Have an ale" is an offer only at the beginning of a message, or when addressed to a character. "Take the torch"
    does not say whose it is, and "off the wall" says that it belongs to no one present.
    """
    words = look.of("r06_npc_gives")
    for found in words.found("here", "take", spoken=True):
        at = bisect_left(look.message.clauses, found.clause.start, key=lambda clause: clause.start)
        before = (
            found.clause.text[: found.match.start()],
            *(one.text for one in look.message.clauses[max(at - 2, 0) : at][::-1]),
        )
        is_here = found.pattern.name == "here" or _is_call(words, before)
        is_order = found.clause.subject is Subject.YOU or bool(look.message.addressees)
        is_offer = words.has_any("offers", words_of(found.match[0][: found.match.start("item") - found.match.start()]))
        is_first = not at and not found.match.start()
        is_said = is_order or (is_first if is_offer else look.snapshot.agent in NPC_AGENTS)
        if is_here or (is_said and (is_offer or _is_ours(words, words_of(found.group("item"))))):
            yield found


def _is_call(look: RuleContext, before: Iterable[str]) -> bool:
    """Return whether texts, the nearest first, address a character: "here", with or without the name of one present."""
    names = {word for one in others(look) for word in words_of(one.name.lower())}
    said = (" ".join(word for word in words_of(text) if word not in names) for text in before)
    return look.has("heres", next((text for text in said if text), ""))


def _is_ours(look: RuleContext, words: Sequence[str]) -> bool:
    """Return whether the offered thing can be the speaker's: not "the torch", not "this off the wall"."""
    source = source_of(look, words)
    if look.has_any("own", words) or look.has("selves_object", source):
        return True
    return not source and not look.has_any("definite", words[:1])


def _told(look: RuleContext, to: Phrase, receiver: Sequence[str]) -> str:
    """Return the receiver's name if the message gives one; a pronoun means the only character present."""
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

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
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

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read words and gestures of handing over."""
        for found in look.found(spoken=True):
            words = words_of(found.group("item"))
            given = thing(look, found.group("item"), found.named("item"))
            if given is None and not (words and look.has("shown", words[0])):
                continue
            if is_money(look, noun_phrase(look, found.group("item"), found.group("item")).words):
                continue
            arguments: dict[str, Any] = {"item_name": given.name} | _several(look, found) if given else {}
            speakers = look.snapshot.npcs_present or ()
            if theirs := carried(look, noun_phrase(look, found.group("item"), found.named("item")).words, speakers):
                arguments |= {"item_name": theirs.name, "owner": theirs.owner}
            yield look.hit(found, "item.receive", "given", "the character hands a thing over", arguments)


class ItemWear(Rule):
    """The player puts something on, takes it in hand, or takes it off; armor class and attacks depend on it."""

    id = "r25_item_wear"
    agents = frozenset({AgentKind.NARRATIVE, AgentKind.COMBAT})
    requires = ("speaker_is_player",)
    intents = ("item.equip", "item.unequip")

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read verbs of wearing and wielding with a thing that the player has, or that is worn or wielded."""
        for found in look.found():
            text = found.group("item")
            own = own_thing(look, text)
            phrase = noun_phrase(look, text, found.named("item"))
            is_worn = look.has_any("wearables", phrase.words)
            is_held = own is not None or look.has_any("weapons", phrase.words)
            # "I take the torch off" may be off the wall.
            if not is_worn and (not is_held or found.pattern.name == "off_split"):
                continue
            name = own or phrase.original
            intent = "item.unequip" if found.pattern.name.startswith("off") else "item.equip"
            said = "put on or taken in hand" if intent == "item.equip" else "taken off or put away"
            arguments = {"item_name": name}
            yield look.hit(found, intent, "known" if own else "other", f"a thing is {said}", arguments, name.lower())
