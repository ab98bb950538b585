"""Claims in free wording of who ends up with a thing or money, compared with what people carry after the turn.

The frames of `_handing` know giver, taker and verb. Here a thing that the campaign keeps is enough, and a person who is
said to have it, to keep it, or to get it: "the lantern is in Nim's bag now", "it stays with her", "Odo parts with it".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from turnwright.language.inflect import singulars_of
from turnwright.model.coin import denomination
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._items import Goods, sum_at
from turnwright.narration.claims._transfer_frames import it_before
from turnwright.narration.facts import Effect, EffectKind
from turnwright.narration.names import Mention

_NEAR = 5
_ARTICLE = 3


@dataclass(frozen=True, slots=True)
class Holding:
    """The text says that a person has a thing in the end, or no longer has it. The words end before `past`.

    `keeps`: the text says that they had it before. `count`: how many, where the text says.
    """

    who: frozenset[str]
    goods: Goods
    first: int
    past: int
    keeps: bool = False
    loses: bool = False


def holdings(reading: ClauseView) -> Iterator[Holding]:
    """Yield the people said to end up with a thing that the campaign keeps, and those said to end up without it."""
    at = 0
    while at < len(reading.words):
        goods = _thing_named(reading, at)
        if goods is not None and reading.tells(at):
            yield from _of(reading, goods, at)
        at = goods.past if goods is not None and goods.past > at else at + 1


def _thing_named(reading: ClauseView, at: int) -> Goods | None:
    if reading.has("it", at):
        return it_before(reading, at)
    word = reading.words[at]
    known = reading.page.things.at(reading.words, at)
    past = known.past if known else at + 1
    if known is None and singulars_of(word.norm).isdisjoint(reading.page.heads):
        return None
    if reading.has("item_nouns", past) or (reading.lexicon.forms(word) and not _is_noun(reading, at)):
        return None
    words = frozenset(form for one in reading.words[at:past] for form in singulars_of(one.norm))
    return Goods(words, None, None, False, False, True, " ".join(word.norm for word in reading.words[at:past]), past)


def _is_noun(reading: ClauseView, at: int) -> bool:
    """Whether there is a determiner or a number a few words before the word at `at`."""
    before = range(max(at - _ARTICLE, 0), at)
    return any(reading.has("determiners", i) or reading.lexicon.number(reading.words[i]) is not None for i in before)


def _of(reading: ClauseView, goods: Goods, at: int) -> Iterator[Holding]:
    for mention, keeps in _keepers(reading, at, goods.past):
        if (who := _who(reading, mention)) and not mention.plural and reading.states(mention.first):
            yield Holding(who, goods, min(at, mention.first), max(goods.past, mention.past), keeps)
    is_gone = any(reading.has("is_gone", i) and reading.tells(i) for i in range(goods.past, len(reading.words)))
    is_stolen = any(reading.has("steals", i) and reading.tells(i) for i in range(max(at - _NEAR, 0), at))
    for mention in reading.mentions:
        noun = reading.noun_after(mention)
        is_worn = mention.owner and any(reading.has("held_in", i) for i in range(noun, noun + 2))
        if is_stolen and is_worn and reading.has("taken_from", mention.first - 1) and mention.first >= goods.past:
            owners = _who(reading, mention) - frozenset(i for one in reading.subject for i in one.ids)
            if owners and not reading.subject:
                yield Holding(owners, goods, at, mention.past, loses=True)
        if is_gone and mention.owner and mention.ids and at - _ARTICLE <= reading.noun_after(mention) <= at:
            yield Holding(_who(reading, mention), goods, mention.first, goods.past, loses=True)
        if (
            mention.first >= goods.past
            and mention.ids
            and not mention.plural
            and reading.has("taken_from", mention.first - 1)
        ):
            yield Holding(_who(reading, mention), goods, at, mention.past, loses=True)


def _is_wielded(reading: ClauseView, at: int, noun: int) -> bool:
    """Whether it is a weapon in a fighter's hand: the fighter need not have got it in this turn."""
    is_in_hand = any(reading.has("palms", i) for i in range(noun, noun + 2))
    return reading.page.scene.fight is not None and reading.has("weapons", at) and is_in_hand


def _is_owner(reading: ClauseView, at: int) -> bool:
    """Whether the text calls a person named behind `at` its owner: "its new owner: Ada"."""
    return any(reading.has("owner_words", i) for i in range(at - 2, at + 1))


def _is_credited(reading: ClauseView, past: int, at: int) -> bool:
    """Whether there is a plus between a person and a thing, in a note: "Ada: +1 silver key"."""
    marks = [reading.words[i].norm for i in range(past, at) if reading.words[i].is_mark]
    return "+" in marks and marks[0] in (":", "+", "|")


def _who(reading: ClauseView, mention: Mention) -> frozenset[str]:
    if mention.second:
        return reading.page.scene.party or mention.ids
    doers = frozenset(i for one in reading.subject for i in one.ids if not one.plural)
    return mention.ids or (doers if mention.owner and len(doers) == 1 else reading.near())


def _keepers(reading: ClauseView, at: int, past: int) -> Iterator[tuple[Mention, bool]]:
    """Yield the people who have the thing that is named between two places, and whether the text says they keep it."""
    stays = any(reading.has("stays", i) for i in range(past, min(past + _NEAR, len(reading.words))))
    for mention in reading.mentions:
        before = mention.first - 1
        noun = reading.noun_after(mention)
        is_held = mention.owner and any(reading.has("held_in", i) for i in range(noun, noun + 3))
        is_told_to = not mention.owner or reading.is_end(noun)
        is_behind, is_before = mention.first >= past, mention.past <= at and not mention.owner
        if is_held and _is_wielded(reading, at, noun):
            continue
        if is_held and reading.has("hold_in", before):
            is_back = any(reading.has("put_back", i) for i in range(past, before + 1)) and is_behind
            yield mention, stays or is_back or (is_behind and _is_put_by_other(reading, at, mention))
        elif is_held and mention.past < at and any(reading.has("closes_on", i) for i in range(noun, at)):
            yield mention, reading.has("once_more", past)
        elif is_behind and ((reading.has("hold_to", before) and is_told_to) or _is_owner(reading, before)):
            yield mention, stays
        elif is_before and (reading.is_verb("goods.give", before) or _is_credited(reading, mention.past, at)):
            yield mention, False
    back = range(at - 1, max(at - 1 - _NEAR, -1), -1)
    verb = next((i for i in back if reading.lexicon.forms(reading.words[i]) and not _is_noun(reading, i)), None)
    if verb is None or not reading.tells(verb) or reading.is_command(verb):
        return
    if any(reading.has("taken_from", i) for i in range(verb, at)):
        return
    keeps = reading.is_verb("goods.hold_on", verb)
    handles = reading.is_verb("goods.wear", verb) or reading.is_verb("goods.stow", verb)  # "wraps it again"
    ends = ("put_back",) if handles else ("put_back", "once_more")
    returns = any(reading.has(name, i) for name in ends for i in range(past, min(past + 2, len(reading.words))))
    leaves_with = reading.is_verb("goods.go_with", verb) and any(reading.has("with", i) for i in range(verb, at))
    if keeps or returns or leaves_with or reading.is_verb("goods.hold", verb):
        yield from ((mention, keeps or returns) for mention in reading.subjects(verb))


def _is_put_by_other(reading: ClauseView, at: int, mention: Mention) -> bool:
    """Whether another person puts a thing on the one named: "Sella loops the rope over Brakka's shoulder"."""
    for i in range(max(at - _NEAR, 0), at):
        if any(reading.is_verb(group, i) for group in ("goods.wear", "goods.press", "goods.stow", "goods.give")):
            doers = frozenset(identifier for one in reading.subjects(i) for identifier in one.ids)
            return bool(doers) and doers.isdisjoint(mention.ids) and bool(mention.ids)
    return False


def holders(page: AnnotatedText, goods: Goods) -> frozenset[str]:
    """Return the people who carry such a thing after the turn."""
    return frozenset(person.id for person in page.scene.people if goods.is_one_of(person.items or ()))


def moved(page: AnnotatedText, goods: Goods) -> list[Effect]:
    """Return the calls that moved such a thing."""
    deeds = (deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and not deed.is_net and deed.coin is None)
    return [deed for deed in deeds if deed.what and goods.is_one_of(deed.what)]


# money


def sums(reading: ClauseView) -> Iterator[Goods]:
    """Yield the sums of money that a clause tells of as something that is so, but for prices."""
    is_price = any(reading.has("priced", i) for i in range(len(reading.words)))
    if is_price and not (_is_paid(reading) or any(reading.has("money_goes", i) for i in range(len(reading.words)))):
        return
    at = 0
    while at < len(reading.words):
        goods = sum_at(reading, at) or _bare_sum(reading, at)
        if goods is None or not goods.is_money or goods.pieces is None:
            at += 1
            continue
        is_part = goods.pieces == 1 and (
            reading.has("of", at + 1) or reading.has("at", goods.past)
        )  # "one of the coins"
        if reading.tells(at) and not is_part:
            yield goods
        at = goods.past


def _is_paid(reading: ClauseView) -> bool:
    """Whether a price is also paid in the same sentence or the next: "asks fifty for the sword. Brakka pays it"."""
    words = reading.page.words_near(reading.clause.sentence)
    return any(reading.lexicon.has("pays_it", word) and reading.page.is_asserted(word) for word in words)


def _bare_sum(reading: ClauseView, at: int) -> Goods | None:
    """Return a number without a coin that is paid: "leaves fifteen on the counter"."""
    number = reading.lexicon.number(reading.words[at])
    if number is None or not (reading.is_end(at + 1) or reading.has("function", at + 1)):
        return None
    coins = any(deed.coin for deed in reading.page.of_kind(EffectKind.GOODS) if deed.applied and not deed.is_net)
    lays = any(reading.is_verb(group, i) for group in ("coins.lay", "coins.pay") for i in range(at))
    is_asked = reading.has("priced", at - 1) and _is_paid(reading)
    if not (coins and (lays or is_asked)):
        return None
    return Goods(frozenset(), number, None, True, False, False, reading.words[at].norm, at + 1)


def sum_told(page: AnnotatedText) -> int:
    """Return the total of all sums of money in the text, which may tell it piece by piece."""
    clauses = (clause for clause in page.clauses if clause.sentence >= 0)
    told = (goods.pieces or 0 for clause in clauses for goods in sums(ClauseView(page, clause, None)))
    return page.once("sum_told", lambda: sum(told))


def known_sums(page: AnnotatedText, near: frozenset[str]) -> frozenset[int]:
    """Return every number of coins that was moved, or that a person has or had; of those near, where any were moved."""
    deeds = [deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and deed.coin is not None]
    owners = near | sides(deeds) if deeds else frozenset(person.id for person in page.scene.people)
    moves = {abs(deed.delta or 0) for deed in deeds}
    held = [
        quantity
        for person in page.scene.people
        for item, quantity in zip(person.items or (), person.quantities, strict=False)
        if denomination(item) and person.id in owners
    ]
    totals = {
        *held,
        *(have + move for have in held for move in moves),
        *(have - move for have in held for move in moves),
    }
    return frozenset({*moves, sum(moves), *totals})


def sides(deeds: Iterable[Effect]) -> frozenset[str]:
    """Return the people who gave or got something by these calls."""
    return frozenset(who for deed in deeds for who in (deed.who, deed.other) if who is not None)
