"""How a text words harm and healing: one function a frame, "Mira takes 5 damage" to "Mira: -5 HP"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._quantity import REACH, Quantity, bare_number, for_amount, quantity_at, unit_past
from turnwright.narration.facts import Effect, EffectKind
from turnwright.narration.names import Mention

HARM, HEAL = -1, 1
_LESS = ("portions", "prevents")


@dataclass(frozen=True, slots=True)
class HpClaim:
    """A person loses or regains hit points: `amount` of them, or down or up to `total`, or some."""

    who: Mention
    sign: int
    amount: int | None
    span: tuple[int, int]
    total: int | None = None

    @property
    def is_vague(self) -> bool:
        """Whether it is about a person the campaign may not know."""
        return not self.who.ids

    def suits(self, deed: Effect) -> bool:
        """Return whether the deed changes as much, and in this direction; of one not done, as far as that is known."""
        if self.total is not None:
            return deed.total == self.total or not deed.applied
        if deed.delta is None:
            return not deed.applied
        if deed.delta * self.sign <= 0:
            return False
        # A character brought to 0 loses what was left, and one healed to the full regains what was missing.
        return self.amount is None or self.amount in deed.amounts

    def is_about(self, deed: Effect) -> bool:
        """Return whether the deed has this target, or an unnamed one."""
        return deed.who in self.who.ids or (deed.who is None and deed.applied)


def _claims(
    reading: ClauseView, who: Sequence[Mention], sign: int, quantity: Quantity, first: int, total: int | None = None
) -> Iterator[HpClaim]:
    if not who:
        return  # no one has a share, and a search reads the whole clause
    amount = None if _is_shared(reading, quantity, first, who) else quantity.amount
    for mention in who:
        start = min(first, mention.first if mention in reading.mentions else first)
        span = reading.span(start if first - start <= REACH else first, max(quantity.past, mention.past))
        yield HpClaim(mention, sign, amount, span, total)


def _is_shared(reading: ClauseView, quantity: Quantity, first: int, who: Sequence[Mention]) -> bool:
    """Whether the number is not the whole change: part of it was warded off, or more of it follows."""
    if reading.page.said_in(reading.clause.sentence, "prevents"):
        return True
    shares = [i for i in range(len(reading.words)) if reading.has("multiples", i)]
    if shares and not _is_for_each(reading, quantity, first, who, shares):
        return True
    after = range(quantity.past, len(reading.words) - 1)
    if any(reading.has("reduced", i) for i in after):
        return True
    joints = (i for i in after if reading.has("plus", i) or reading.words[i].norm == ",")
    return any(reading.lexicon.number(word) for i in joints for word in reading.words[i + 1 : i + 3])


def _is_for_each(
    reading: ClauseView, quantity: Quantity, first: int, who: Sequence[Mention], shares: Sequence[int]
) -> bool:
    """Whether several people lose just that much: "Mira and Bran lose 4 hit points each".

    Not where something else may be what each of is counted, or some of them may have lost another part of it.
    """
    behind = quantity.past if reading.is_per_head(quantity.past) else first - 1
    is_of_others = list(who) != reading.subject or any(reading.has("by", i) for i in range(len(reading.words)))
    if len(who) < 2 or is_of_others or list(shares) != [behind] or not reading.has("per_head", behind):
        return False
    near = reading.page.words_near(reading.clause.sentence)
    numbers = [word for word in near if reading.lexicon.number(word) is not None]
    return len(numbers) == 1 and not any(reading.lexicon.has(name, word) for name in _LESS for word in near)


def _of_subject(reading: ClauseView, at: int) -> Iterator[HpClaim]:
    """Read "Mira takes 5 damage", "Mira loses 5 hit points", "Mira regains 5 hit points"."""
    for group, units, sign in (
        ("hp.take", "harm_units", HARM),
        ("hp.lose", "hp_units", HARM),
        ("hp.regain", "hp_units", HEAL),
    ):
        if reading.is_verb(group, at):
            quantity = quantity_at(reading, at + 1, units)
            if quantity is None and group == "hp.take" and reading.page.said_in(reading.clause.sentence, "harm_units"):
                quantity = bare_number(reading, at + 1)
            is_of_hp = reading.page.scene.fight is not None or bool(reading.page.of_kind(EffectKind.HP))
            is_fought = reading.is_verb("hp.strictly", at) and is_of_hp
            if quantity is None and (reading.is_verb("hp.heal", at) or (is_fought and reading.is_end(at + 2))):
                quantity = bare_number(reading, at + 1)
            if quantity:
                yield from _claims(reading, reading.subjects(at), sign, quantity, at)


def _of_receiver(reading: ClauseView, at: int) -> Iterator[HpClaim]:
    """Read "deals 5 damage to Mira", "deals Mira 5 damage", "restores 5 hit points to Mira", "costs Mira 5 HP"."""
    for group, units, sign in (
        ("hp.deal", "harm_units", HARM),
        ("hp.restore", "hp_units", HEAL),
        ("hp.cost", "hp_units", HARM),
    ):
        if not reading.is_verb(group, at) or _prevented(reading, at) or reading.is_command(at):
            continue
        who = reading.object_at(at + 1)
        past = max([at + 1, *(m.past for m in who)])
        quantity = quantity_at(reading, past, units)
        if quantity is None and group == "hp.deal" and reading.has("receiving", past + 1):
            quantity = bare_number(reading, past)
        if quantity is None:
            continue
        told = reading.has("receiving", quantity.past)
        who = who or (reading.object_at(quantity.past + 1) if told else [])
        if not who and not told and quantity.amount is not None:
            who = reading.struck_before(at)
        yield from _claims(reading, who, sign, quantity, at)


def _of_victim(reading: ClauseView, at: int) -> Iterator[HpClaim]:
    """Read "hits Mira for 5", "Mira is struck for 5 damage", "the potion heals Mira", "Mira is healed"."""
    heals = reading.is_verb("hp.heal", at)
    if not heals and not reading.is_verb("hp.hit", at):
        return
    passive = reading.is_verb("be", at - 1) and "participle" in reading.lexicon.forms(reading.words[at])
    who = reading.subjects(at - 1) if passive else reading.object_at(at + 1)
    if not passive and reading.is_command(at):
        return
    past = at + 1 if passive else max((m.past for m in who), default=at + 1)
    quantity = next((q for i in range(past, past + REACH) if (q := for_amount(reading, i, past))), None)
    if quantity is None and heals and not reading.has("heal_not", past) and all(m.ids for m in who):
        quantity = Quantity(None, past)
    if quantity:
        yield from _claims(reading, who, HEAL if heals else HARM, quantity, at)


def _of_level(reading: ClauseView, at: int) -> Iterator[HpClaim]:
    """Read "Mira drops to 0 hit points", "Mira's HP falls by 5", "Mira is reduced to 3 HP"."""
    sign = HARM if reading.is_verb("hp.fall", at) or reading.is_verb("hp.set", at) else HEAL
    if sign == HEAL and not reading.is_verb("hp.rise", at):
        return
    preposition = next((i for i in range(at + 1, at + 5) if reading.has("level", i)), None)
    passive = reading.is_verb("hp.set", at) and reading.is_verb("be", at - 1)
    verb = at - 1 if passive else at
    who, of_unit = _holder(reading, verb), True
    if not who:
        active = reading.is_verb("hp.set", at) and not passive
        who, of_unit = reading.object_at(at + 1) if active else reading.subjects(verb), False
    if preposition is None or preposition + 1 >= len(reading.words):
        return
    number = reading.lexicon.number(reading.words[preposition + 1])
    unit = unit_past(reading, preposition + 2, "hp_units")
    if number is None or not (of_unit or unit):
        return
    by = reading.has("by", preposition)
    quantity = Quantity(number if by else None, unit or preposition + 2)
    yield from _claims(reading, who, sign, quantity, at, None if by else number)


def _holder(reading: ClauseView, verb: int) -> list[Mention]:
    """Return the people whose hit points are the subject: "Mira's HP", "your hit points"."""
    for first in range(max(verb - 3, 0), verb):
        if unit_past(reading, first, "hp_units") == verb:
            return [m for m in reading.mentions if m.owner and reading.noun_after(m) == first]
    return []


def _ledger(reading: ClauseView, at: int) -> Iterator[HpClaim]:
    """Read "Mira: -5 HP"."""
    words = reading.words
    if words[at].norm not in ("-", "−", "+") or at + 1 >= len(words) or words[at].end != words[at + 1].start:
        return
    number = reading.lexicon.number(words[at + 1])
    past = unit_past(reading, at + 2, "hp_units")
    before = at - 1 if at and words[at - 1].norm in (":", ",") else at
    who = [m for m in reading.mentions if m.past in (at, before) and not m.owner]
    if number and past:
        sign = HEAL if words[at].norm == "+" else HARM
        yield from _claims(reading, who, sign, Quantity(number, past), at)


def _note(reading: ClauseView, at: int) -> Iterator[HpClaim]:
    """Read "5 damage to Mira" and "Damage: 5 to Mira" where no verb says more."""
    number = reading.lexicon.number(reading.words[at])
    quantity = quantity_at(reading, at, "harm_units") if number else None
    if number and at > 1 and reading.words[at - 1].norm == ":" and reading.has("harm_units", at - 2):
        quantity = Quantity(number, at + 1)
    if quantity is None or not reading.has("receiving", quantity.past) or _prevented(reading, at):
        return
    first = next((i + 1 for i in range(at - 1, -1, -1) if reading.words[i].is_mark), 0)
    past = next((i for i in range(at, len(reading.words)) if reading.words[i].is_mark), len(reading.words))
    if not any(map(reading.lexicon.forms, reading.words[first:past])):
        yield from _claims(reading, reading.object_at(quantity.past + 1), HARM, quantity, at)


def _of_struck(reading: ClauseView, at: int) -> Iterator[HpClaim]:
    """Read "slams Mira for 9 damage", whatever the verb."""
    quantity = quantity_at(reading, at + 1, "harm_units") if reading.has("for", at) else None
    if (
        quantity is None
        and reading.has("for", at)
        and reading.page.scene.fight is not None
        and reading.ends_phrase(at + 2)
    ):
        quantity = for_amount(reading, at, at)
    if quantity and quantity.amount is not None:
        yield from _claims(reading, reading.struck_before(at), HARM, quantity, at)


def _of_wounds(reading: ClauseView, at: int) -> Iterator[HpClaim]:
    """Read "Mira's wounds close", "your cuts slowly mend"."""
    if not reading.is_verb("hp.close", at) or "gerund" in reading.lexicon.forms(reading.words[at]):
        return
    last = at - 1
    while last > 0 and reading.lexicon.is_adverb(reading.words[last]):
        last -= 1
    owners = [m for m in reading.mentions if m.owner and last - 1 <= reading.noun_after(m) <= last]
    if reading.has("wounds", last) and owners and all(m.ids for m in owners):
        yield from _claims(reading, owners, HEAL, Quantity(None, at + 1), at)


FRAMES = (_of_wounds, _of_subject, _of_receiver, _of_victim, _of_level, _of_struck, _ledger, _note)
"""Every wording: what the word at a place begins, as claims."""


def _prevented(reading: ClauseView, at: int) -> bool:
    return any(reading.has("prevents", i) for i in range(max(at - REACH, 0), at))
