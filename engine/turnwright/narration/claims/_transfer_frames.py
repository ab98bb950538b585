"""How a text words that things change hands: one function a frame, "Bran hands you the key" to "You drop the torch"."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from turnwright.language.inflect import singulars_of
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._items import Goods, goods_at
from turnwright.narration.names import Mention

_AFTER = 4
_BACK = 6
"""How many clauses before an "it" may have named the thing."""
_WORDS_BACK = 60
"""How many words at the end of such a clause are looked at; only lists without an end are longer."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A person gives, gets or loses something. A side that the text does not name is an empty list.

    `is_loose`: a person who has such a thing already may merely handle it.
    """

    givers: tuple[Mention, ...]
    takers: tuple[Mention, ...]
    goods: Goods
    first: int
    past: int
    is_loose: bool = False


def handings(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Yield the transfers told by the word at `at`."""
    words = reading.words
    if words[at].norm in ("+", "-", "−"):
        yield from _ledger(reading, at)
        return
    if reading.has("here", at):
        yield from _here(reading, at)
        return
    forms = reading.lexicon.forms(words[at])
    if not forms or reading.is_command(at):
        return
    if "participle" in forms and reading.is_verb("be", at - 1):
        yield from _passive(reading, at)
        return
    for unowned in (_richer, _cost, _hand_it, _settle, _let, _is_yours, _part_with, _furnish):
        found = list(unowned(reading, at))
        if found:
            yield from found
            return
    doers = tuple(reading.subjects(at))
    if not doers:
        return
    for frame in (_now_has, _lay, _pays, _add, _give, _slide, _press, _take, _lose, _trade):
        found = list(frame(reading, at, doers))
        if found:
            yield from found
            return


def _past_particle(reading: ClauseView, at: int) -> int:
    return at + 1 if reading.has("particles", at) else at


def _to(reading: ClauseView, at: int) -> list[Mention]:
    """Return the people named by "to Mira" at `at`."""
    while at < len(reading.words) and (reading.has("straight", at) or reading.has("particles", at)):
        at += 1
    return reading.object_at(at + 1) if reading.has("infinitive", at) else []


def _behind(reading: ClauseView, preposition: str, at: int) -> int | None:
    """Return where the words behind a preposition begin, if it is within a few words."""
    for i in range(at, min(at + _AFTER, len(reading.words))):
        if reading.has(preposition, i):
            return i + 1
        if reading.words[i].is_mark:
            return None
    return None


def _named_from(reading: ClauseView, at: int) -> list[Mention]:
    """Return the people named from `at` on, up to where the thing they get begins: "the guard | a letter"."""
    found = reading.object_at(at)
    if len(found) != 1 or found[0].ids:
        return found
    (unknown,) = found
    inside = range(unknown.first + 1, unknown.past)
    past = next((i for i in inside if reading.has("determiners", i) or reading.lexicon.number(reading.words[i])), None)
    return found if past is None else [replace(unknown, past=past)] if past > unknown.first + 1 else []


def _past_of(mentions: Sequence[Mention], at: int) -> int:
    return max((mention.past for mention in mentions), default=at)


def _give(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "Bran gives you the key", "Bran hands the key to you", "Bran pays 5 gold for the room"."""
    if not reading.is_verb("goods.give", at):
        return
    start = _past_particle(reading, at + 1)
    goods = goods_at(reading, start)
    if goods:
        takers = _to(reading, goods.past)
        spent = goods.is_money and reading.is_verb("coins.pay", at)
        gone = reading.is_verb("goods.hand_over", at) and (start > at + 1 or reading.has("particles", goods.past))
        if takers or spent or gone:
            yield Transfer(doers, tuple(takers), goods, at, max(goods.past, _past_of(takers, at)))
        return
    takers = _named_from(reading, at + 1)
    goods = goods_at(reading, _past_of(takers, at + 1)) if takers else None
    while goods:
        yield Transfer(doers, tuple(takers), goods, at, goods.past)
        goods = goods_at(reading, goods.past + 1) if reading.has("and", goods.past) else None


def _hand_it(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "... and hands it to you" of the thing named last, and its possible earlier owner."""
    if not (reading.is_verb("goods.give", at) and reading.has("it", at + 1)):
        return
    if reading.lexicon.forms(reading.words[at]) == {"base"}:
        return
    goods, takers = it_before(reading, at + 1), tuple(_to(reading, at + 2))
    if goods and takers and not _ids_of(takers) & _ids_of(reading.subjects(at)):
        yield Transfer((), takers, goods, at, _past_of(takers, at), is_loose=True)


def _ids_of(mentions: Iterable[Mention]) -> frozenset[str]:
    return frozenset(identifier for mention in mentions for identifier in mention.ids)


def _here(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "Here is your reward, 20 gold" and "Here is your key" of a speaking character who has the key."""
    page, start = reading.page, at + 2
    if page.scene.speaker is None or at or not reading.has("here_is", at + 1):
        return
    is_named = reading.is_end(start + 2) or reading.has("of", start + 2)
    if reading.has("own", start) and reading.has("rewards", start + 1) and is_named:
        start = min(start + 3, len(reading.words))
    goods = goods_at(reading, start)
    if goods is None:
        return
    speaker = page.person(page.scene.speaker)
    has_it = speaker is not None and reading.has("your", start) and goods.is_one_of(speaker.items or ())
    if has_it or (goods.is_money and goods.pieces is not None):
        ours = (page.scene.party or frozenset()) | ({page.scene.acting} if page.scene.acting is not None else set())
        giver = Mention(at, at, frozenset({page.scene.speaker}))
        takers = Mention(at, at, ours - giver.ids, plural=True)
        yield Transfer((giver,), (takers,), goods, at, goods.past)


def _slide(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "Lena slides 10 gold across the bar to you"; a thing that is slid over may only be shown."""
    goods = goods_at(reading, _past_particle(reading, at + 1)) if reading.is_verb("coins.slide", at) else None
    behind = _behind(reading, "infinitive", goods.past) if goods and goods.is_money else None
    takers = reading.object_at(behind) if behind else []
    if goods and takers:
        yield Transfer(doers, tuple(takers), goods, at, _past_of(takers, goods.past))


def _press(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "Lena presses the key into your palm", and "it" of the thing named last, and its possible earlier owner."""
    if not reading.is_verb("goods.press", at):
        return
    is_pronoun = reading.has("it", at + 1)
    goods = it_before(reading, at + 1) if is_pronoun else goods_at(reading, at + 1)
    if goods is None or not reading.has("into", goods.past):
        return
    palms = (m for m in reading.mentions if m.owner and m.first == goods.past + 1)
    takers = [m for m in palms if reading.has("palms", reading.noun_after(m))]
    if _are_others(takers, doers):
        yield Transfer(() if is_pronoun else doers, tuple(takers), goods, at, reading.noun_after(takers[0]) + 1)


def it_before(reading: ClauseView, at: int) -> Goods | None:
    """Return the thing that was named last before the "it" at `at`, a few clauses back at most, quoted or not.

    None where that tells only of what another is: "the page of the letter".
    """
    start = reading.words[at].start
    page = reading.page
    past = bisect_left(page.clauses, start, key=lambda clause: clause.words[0].start)
    for number in range(past - 1, max(past - _BACK, 0) - 1, -1):
        there = page.once(("view", number), partial(ClauseView, page, page.clauses[number], None))
        end = bisect_left(there.words, start, key=lambda word: word.start)
        for i in range(end - 1, max(end - _WORDS_BACK, 0) - 1, -1):
            goods = goods_at(there, i)
            if goods and not goods.is_money:
                return None if _is_behind_of(there, i) else replace(goods, past=at + 1)
    return None


def _is_behind_of(reading: ClauseView, at: int) -> bool:
    """Whether the noun phrase around `at` follows "of"."""
    while at > 0 and not (reading.words[at - 1].is_mark or reading.has("function", at - 1)):
        at -= 1
    return reading.has("of", at - 1)


def _are_others(some: Iterable[Mention], than: Iterable[Mention]) -> bool:
    """Return whether known people are meant, and none of these."""
    ids = _ids_of(some)
    return bool(ids) and ids.isdisjoint(_ids_of(than))


def _take(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "you pick up the rope", "Mira takes the key from Bran", "you earn 50 gold"."""
    takes, earns = reading.is_verb("goods.take", at), reading.is_verb("coins.take", at)
    if not takes and not earns:
        return
    start = _past_particle(reading, at + 1)
    goods = goods_at(reading, start)
    if goods is None or not (takes or goods.is_money):
        return
    lifted = start > at + 1 or reading.has("particles", goods.past)
    if reading.is_verb("lift", at) and not lifted:
        return
    behind = _behind(reading, "from", goods.past)
    givers = (reading.object_at(behind) or _robbed(reading, behind, doers)) if behind else []
    if not behind and goods.is_money and goods.pieces is not None:
        givers = _owned_by(reading, start, doers)
    if (goods.is_own and not givers) or (takes and not behind and reading.has("infinitive", goods.past)):
        return
    if behind and not givers and reading.is_verb("coins.lift", at):
        return
    yield Transfer(tuple(givers), doers, goods, at, max(goods.past, _past_of(givers, at)), is_loose=not givers)


def _owned_by(reading: ClauseView, at: int, doers: Sequence[Mention]) -> list[Mention]:
    """Return the owner of the money that begins at `at`: "your 5 gold", but not the doer's."""
    owners = [m for m in reading.mentions if m.owner and m.first == at]
    return owners if _are_others(owners, doers) else []


def _robbed(reading: ClauseView, at: int, doers: Sequence[Mention]) -> list[Mention]:
    """Return the owner of the belongings that begin at `at`: "from Bran's belt", but not from the doer's."""
    owners = [m for m in reading.mentions if m.owner and m.first == at]
    found = [m for m in owners if reading.has("inventory", reading.noun_after(m))]
    return found if _are_others(found, doers) else []


def _lose(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "you drop the torch", "Mira drinks the potion", "you spend 5 gold", "you lose the key"."""
    spends = reading.is_verb("coins.pay", at)
    start = _past_particle(reading, at + 1)
    goods = goods_at(reading, start)
    if goods is None:
        return
    thrown = reading.is_verb("cast_off", at)
    gone = reading.is_verb("goods.lose", at) or reading.is_verb("goods.use_up", at)
    if thrown and not (start > at + 1 or reading.has("particles", goods.past)):
        return
    if gone or (spends and goods.is_money):
        yield Transfer(doers, (), goods, at, goods.past, is_loose=not goods.is_money)


def _trade(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "Mira buys the sword for 5 gold", "Mira sells the ring to Bran", "Mira sells Bran the ring"."""
    buys, sells = reading.is_verb("goods.buy", at), reading.is_verb("goods.sell", at)
    if not buys and not sells:
        return
    goods = goods_at(reading, at + 1)
    other: tuple[Mention, ...] = ()
    if sells and goods is None and (other := tuple(_named_from(reading, at + 1))):
        past = _past_of(other, at + 1)
        if reading.has("whichever", past):
            return
        goods = goods_at(reading, past)
    elif goods and sells:
        other = tuple(_to(reading, goods.past))
    elif goods and (behind := _behind(reading, "from", goods.past)):
        other = tuple(reading.object_at(behind))
    since = goods.past if goods else at + 1
    price = _behind(reading, "for", since)
    money = goods_at(reading, price) if price else None
    if goods:
        givers, takers = (doers, other) if sells else (other, doers)
        yield Transfer(givers, takers, goods, at, goods.past)
    if money and money.is_money:
        givers, takers = (other, doers) if sells else (doers, other)
        yield Transfer(givers, takers, money, at, money.past)


def _richer(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "you are 50 gold richer", "Mira is now 5 gold lighter"."""
    if not reading.is_verb("be", at):
        return
    start = at + 1
    while start < len(reading.words) and reading.lexicon.is_adverb(reading.words[start]):
        start += 1
    goods = goods_at(reading, start)
    people = tuple(reading.subjects(at) or _purses(reading, at)) if goods and goods.is_money else ()
    if goods and people and (reading.has("richer", goods.past) or reading.has("poorer", goods.past)):
        givers, takers = ((), people) if reading.has("richer", goods.past) else (people, ())
        yield Transfer(givers, takers, goods, at, goods.past + 1)


def _purses(reading: ClauseView, past: int) -> list[Mention]:
    """Return the owner of the purse that ends before `past`: "your purse is 5 gold lighter"."""
    last = past - 1
    return [m for m in reading.mentions if m.owner and reading.noun_after(m) == last and reading.has("inventory", last)]


def _furnish(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "Odo rewards you with 20 gold", "she provides you with a lantern"."""
    takers = reading.object_at(at + 1) if reading.is_verb("goods.furnish", at) else []
    past = _past_of(takers, at + 1)
    goods = goods_at(reading, past + 1) if takers and reading.has("with", past) else None
    if goods:
        yield Transfer(tuple(reading.subjects(at)), tuple(takers), goods, at, goods.past)


def _is_yours(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "the sword is yours (now)"."""
    if not (reading.is_verb("be", at) and (reading.has("yours", at + 1) or reading.has("yours", at + 2))):
        return
    first = next((i for i in range(at) if not (reading.has("leads", i) or reading.words[i].is_mark)), at)
    goods = goods_at(reading, first)
    acting = reading.page.scene.acting
    if goods and goods.past == at and not goods.is_money and acting is not None:
        taker = Mention(at + 1, at + 2, reading.page.scene.party or frozenset({acting}), plural=True, second=True)
        yield Transfer((), (taker,), goods, first, at + 2, is_loose=True)


def _part_with(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "you part with 5 gold", "you bribe the guard with 5 gold"."""
    behind = _behind(reading, "with", at + 1) if reading.is_verb("coins.part", at) else None
    goods = goods_at(reading, behind) if behind and behind < len(reading.words) else None
    doers = tuple(reading.subjects(at))
    if goods and goods.is_money and doers:
        yield Transfer(doers, (), goods, at, goods.past)


def _settle(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "you settle the bill, four gold all told"."""
    if not reading.is_verb("coins.settle", at) or reading.is_command(at):
        return
    bill = next((i for i in range(at + 1, at + 4) if reading.has("bills", i)), None)
    people = tuple(reading.subjects(at)) if bill is not None else ()
    for i in range((bill or 0) + 1, (bill or 0) + 4):
        goods = goods_at(reading, i) if people and i < len(reading.words) else None
        if goods and goods.is_money:
            yield Transfer(people, (), goods, at, goods.past)
            return


def _lay(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "you count twelve gold into Odo's hand", "Brakka puts eighty gold on the anvil"."""
    goods = goods_at(reading, _past_particle(reading, at + 1)) if reading.is_verb("coins.lay", at) else None
    if goods and goods.is_money and goods.pieces is not None and reading.has("laid_on", goods.past):
        yield Transfer(doers, (), goods, at, goods.past)


def _pays(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "you pay up", "Brakka pays the toll", whatever it comes to."""
    if reading.words[at].sign not in reading.lexicon.triggers["pay"]:
        return
    past = at + 2 if reading.has("pay_what", at + 1) else at + 3
    if (past == at + 2 or reading.has("pay_whose", at + 2)) and reading.is_end(past):
        goods = Goods(frozenset(), None, None, True, False, False, "money", past)
        yield Transfer(doers, (), goods, at, past)


def _let(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "she lets you have the key", "she lets you have it"."""
    takers = tuple(reading.object_at(at + 1)) if reading.is_verb("goods.let", at) else ()
    have = _past_of(takers, at + 1)
    if takers and reading.has("have_keep", have):
        goods = it_before(reading, have + 1) if reading.has("it", have + 1) else goods_at(reading, have + 1)
        if goods:
            yield Transfer((), takers, goods, at, goods.past, is_loose=True)


def _now_has(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "Brakka now has the grappling hook"."""
    if reading.is_verb("statement.have", at) and (reading.has("now", at - 1) or reading.has("now", at + 1)):
        goods = goods_at(reading, at + 1 + reading.has("now", at + 1))
        if goods and not goods.is_money:
            yield Transfer((), doers, goods, at, goods.past, is_loose=True)


def _cost(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "the room costs you 5 gold", "it costs you 5 gold"."""
    if not reading.is_verb("coins.cost", at) or reading.lexicon.forms(reading.words[at]) == {"base"}:
        return
    payers = _named_from(reading, at + 1)
    start = _past_of(payers, at + 1)
    goods = goods_at(reading, start + reading.has("back", start)) if payers else None
    if goods and goods.is_money:
        yield Transfer(tuple(payers), (), goods, at, goods.past)


def _add(reading: ClauseView, at: int, doers: tuple[Mention, ...]) -> Iterator[Transfer]:
    """Read "you add the key to your pack"."""
    goods = goods_at(reading, at + 1) if doers and reading.is_verb("goods.add", at) else None
    if goods and (owners := _keepers(reading, goods.past)):
        yield Transfer((), tuple(owners), goods, at, goods.past)


def _keepers(reading: ClauseView, at: int) -> list[Mention]:
    """Return the owner of the belongings in "to your pack" at `at`."""
    if not reading.has("to", at):
        return []
    return [
        m for m in reading.mentions if m.owner and m.first == at + 1 and reading.has("inventory", reading.noun_after(m))
    ]


def _passive(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "you are given a key", "the key is handed to you", "the key is added to your pack"."""
    behind = _behind(reading, "by", at + 1)
    givers = tuple(reading.object_at(behind)) if behind else ()
    if reading.is_verb("goods.give", at):
        takers = tuple(reading.subjects(at - 1))
        goods = goods_at(reading, at + 1) if takers else None
        if goods:
            yield Transfer(givers, takers, goods, at, goods.past)
            return
    first = 0
    while first < at and (reading.has("leads", first) or reading.words[first].is_mark):
        first += 1
    goods = goods_at(reading, first)
    if goods is None or goods.past != at - 1:
        return
    if reading.is_verb("goods.give", at):
        takers = tuple(_to(reading, at + 1))
        if takers:
            yield Transfer(givers, takers, goods, first, _past_of(takers, at + 1))
    elif reading.is_verb("goods.add", at) and (owners := _keepers(reading, at + 1)):
        yield Transfer((), tuple(owners), goods, first, at + 1)


def _ledger(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "Mira: +50 gold"."""
    words = reading.words
    if at + 1 >= len(words) or words[at].end != words[at + 1].start:
        return
    goods = goods_at(reading, at + 1)
    before = at - 1 if at and words[at - 1].norm in (":", ",") else at
    who = tuple(m for m in reading.mentions if m.past in (at, before) and not m.owner)
    if goods and goods.is_money and goods.pieces is not None and who:
        givers, takers = ((), who) if words[at].norm == "+" else (who, ())
        yield Transfer(givers, takers, goods, at, goods.past)


# looser frames: tried only on sentences in which the others find nothing


def loose_transfers(reading: ClauseView) -> Iterator[Transfer]:
    """Yield what changes hands by words that may also tell of handling a thing: found and kept, worn, robbed."""
    for at in range(len(reading.words)):
        if not reading.asserts(at) or not reading.lexicon.forms(reading.words[at]) or reading.is_command(at):
            continue
        for frame in (
            _take_it,
            _wear_it,
            _walk_off,
            _of_stranger,
            _rob,
            _slide_over,
            _becomes,
            _wander,
            _use_it,
            _leave_lying,
            _throw_away,
        ):
            found = list(frame(reading, at))
            if found:
                yield from found
                break


def noted_moves(reading: ClauseView) -> Iterator[Transfer]:
    """Read "Sella → Brakka: potion of healing ×2"."""
    for giver, taker in pairwise(reading.mentions):
        arrow = giver.past
        is_note = arrow < len(reading.words) and reading.words[arrow].norm == "→" and taker.first == arrow + 1
        colon = taker.past
        if not is_note or colon + 1 >= len(reading.words) or reading.words[colon].norm != ":":
            continue
        start = colon + 1 + reading.has("determiners", colon + 1)
        known = reading.page.things.at(reading.words, start) if start < len(reading.words) else None
        goods = goods_at(reading, colon + 1)
        if goods is None and known is not None:
            words = frozenset(form for w in reading.words[start : known.past] for form in singulars_of(w.norm))
            name = " ".join(word.norm for word in reading.words[start : known.past])
            goods = Goods(words, times_at(reading, known.past) or 1, None, False, False, False, name, known.past)
        if goods:
            count = goods.pieces if goods.is_money else times_at(reading, goods.past) or goods.pieces
            yield Transfer((giver,), (taker,), replace(goods, pieces=count), giver.first, goods.past)


def times_at(reading: ClauseView, at: int) -> int | None:
    """Return how many "x3" or "× 3" at `at` says."""
    if at >= len(reading.words):
        return None
    norm = reading.words[at].norm
    if norm[:1] in ("x", "×") and norm[1:].isascii() and norm[1:].isdigit():
        return int(norm[1:][:6])
    return reading.lexicon.number(reading.words[at + 1]) if norm in ("x", "×") and at + 1 < len(reading.words) else None


def _take_it(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "... finds a ring and pockets it", "stuffs it in her pack", "takes it up"."""
    verbs = ("goods.take", "goods.stow")
    if not any(reading.is_verb(group, at) for group in verbs) or not reading.has("it", at + 1):
        return
    if reading.is_verb("goods.leave_out", at) and not _is_stowed(reading, at + 2):
        return
    goods, doers = it_before(reading, at + 1), tuple(reading.subjects(at))
    behind = _behind(reading, "from", at + 2)
    places = [m for m in reading.mentions if m.owner and at + 2 < m.first <= at + 2 + _AFTER]
    if goods and doers and not behind and not _are_others(places, doers):
        yield Transfer((), doers, goods, at, at + 2, is_loose=True)


def _use_it(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "... uncorks the potion, and drinks it": what is used up is gone."""
    if reading.is_verb("goods.use_up", at) and reading.has("it", at + 1):
        goods, doers = it_before(reading, at + 1), tuple(reading.subjects(at))
        if goods and doers:
            yield Transfer(doers, (), goods, at, at + 2, is_loose=True)


def _throw_away(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "Nim tosses the key down the well"."""
    goods = goods_at(reading, at + 1) if reading.is_verb("goods.throw", at) else None
    doers = tuple(reading.subjects(at)) if goods and not goods.is_money else ()
    if (
        goods is not None
        and doers
        and any(reading.has(name, goods.past) for name in ("hold_in", "particles", "downward"))
    ):
        near = range(goods.past + 1, min(goods.past + 1 + _AFTER, len(reading.words)))
        sunk = next((i for i in near if reading.has("sinks", i)), None)
        if sunk is not None:
            yield Transfer(doers, (), goods, at, sunk + 1, is_loose=True)


def _leave_lying(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "you leave the torches by the well", "she leaves all three of them lying there"."""
    doers = tuple(reading.subjects(at)) if reading.is_verb("goods.abandon", at) else ()
    near = range(at + 1, min(at + 2 + _AFTER, len(reading.words)))
    pronoun = next((i for i in near if reading.has("it", i) or reading.has("them", i)), None)
    goods = goods_at(reading, at + 1) or (it_before(reading, pronoun) if pronoun is not None else None)
    if doers and goods and not goods.is_money and reading.has("lying", goods.past):
        yield Transfer(doers, (), goods, at, goods.past + 1, is_loose=True)


def _is_stowed(reading: ClauseView, at: int) -> bool:
    """Whether a place to keep things follows: "in her pack", "on your finger"."""
    owned = (i for i in range(at, min(at + _AFTER, len(reading.words))) if reading.has("held_in", i))
    return any(reading.has("hold_in", i) for i in range(at, next(owned, at)))


def _wear_it(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "Brakka buckles it on", "Pell hangs it around his neck", "you slip it on your finger"."""
    if not reading.is_verb("goods.wear", at) or not reading.has("it", at + 1):
        return
    goods, doers = it_before(reading, at + 1), tuple(reading.subjects(at))
    is_on = reading.has("worn_on", at + 2) and (reading.is_end(at + 3) or _is_stowed(reading, at + 2))
    if goods and doers and is_on:
        yield Transfer((), doers, goods, at, at + 3, is_loose=True)


def _walk_off(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "you walk off with Odo's sword", "a pickpocket makes off with Nim's key", "comes away with a map"."""
    if not reading.is_verb("goods.go_with", at):
        return
    far = range(at + 2, at + 7) if reading.has("away", at + 1) else range(at + 2, at + 4)
    behind = next((i for i in far if reading.has("with", i)), None)
    if behind is None or reading.is_end(behind + 1):
        return
    owners = [m for m in reading.mentions if m.owner and m.first == behind + 1]
    goods = goods_at(reading, behind + 1) or (goods_at(reading, reading.noun_after(owners[0])) if owners else None)
    if goods is None:
        return
    doers = tuple(reading.subjects(at))
    if owners and not _are_others(owners, doers):
        return
    if doers or owners:
        yield Transfer(tuple(owners), doers, goods, at, goods.past, is_loose=not owners)


def _of_stranger(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "a courier presses a letter into Sella's hands", "the smith bestowed upon Brakka a purse of gold"."""
    forms = reading.lexicon.forms(reading.words[at])
    gives = reading.is_verb("goods.give", at)
    if (
        not (gives or reading.is_verb("goods.press", at))
        or not forms & {"third", "past"}
        or reading.is_verb("be", at - 1)
    ):
        return
    start = at + 1 + (reading.has("upon", at + 1) or reading.has("infinitive", at + 1))
    takers = reading.object_at(start) if gives else []
    is_pronoun = not takers and reading.has("it", start)
    if is_pronoun:
        goods = it_before(reading, start)
    else:
        goods = goods_at(reading, _past_of(takers, start)) if takers else goods_at(reading, start)
    if goods is None:
        return
    if not takers:
        behind = next((i for i in range(goods.past, goods.past + 3) if reading.has("hold_to", i)), None)
        takers = reading.object_at(behind + 1) if behind is not None and not reading.is_end(behind + 1) else []
        owners = [m for m in reading.mentions if behind is not None and m.owner and m.first == behind + 1]
        held = [m for m in owners if any(reading.has("held_in", reading.noun_after(m) + i) for i in (0, 1))]
        takers = held or [m for m in takers if not m.owner]
    doers = reading.subjects(at)
    if takers and not (_ids_of(takers) & _ids_of(doers)):
        givers = () if is_pronoun else tuple(doers)
        yield Transfer(givers, tuple(takers), goods, at, max(goods.past, _past_of(takers, at)))


def _rob(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "somebody lifts the purse from Nim's belt", "a boy snatches the key off her"."""
    is_theft = reading.is_verb("goods.take", at) or reading.is_verb("coins.take", at)
    if not is_theft or not reading.lexicon.forms(reading.words[at]) & {"third", "past"}:
        return
    goods = goods_at(reading, _past_particle(reading, at + 1))
    if goods is None:
        return
    behind = next((i + 1 for i in range(goods.past, goods.past + 3) if reading.has("taken_from", i)), None)
    doers = reading.subjects(at)
    givers = _robbed(reading, behind, doers) if behind is not None else []
    if givers and not _goes_on(reading, goods.past):
        yield Transfer(tuple(givers), tuple(doers), goods, at, goods.past + 2)


def _goes_on(reading: ClauseView, past: int) -> bool:
    """Whether the sentence then gives away what was taken: "lifts the key from his belt and slips it ..."."""
    start = reading.words[min(past, len(reading.words)) - 1].end
    later = (word for word in reading.page.sentences.get(reading.clause.sentence, ()) if word.start >= start)
    groups = ("goods.give", "goods.press")
    return any(reading.lexicon.is_verb(word, group) for word in later for group in groups)


def _slide_over(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "Brakka slides 15 gold across the bar": coins that are put down are paid."""
    verb = reading.is_verb("coins.lay", at) or reading.is_verb("coins.slide", at) or reading.is_verb("goods.give", at)
    goods = goods_at(reading, _past_particle(reading, at + 1)) if verb else None
    doers = tuple(reading.subjects(at)) if goods and goods.is_money else ()
    is_to_person = goods is not None and _behind(reading, "infinitive", goods.past) is not None
    if goods and doers and not is_to_person and any(reading.has("laid_over", goods.past + i) for i in (0, 1)):
        yield Transfer(doers, (), goods, at, goods.past)


def _becomes(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "the lantern became Sella's", "the sword is Brakka's now"."""
    if not (reading.is_verb("be", at) or reading.is_verb("goods.become", at)):
        return
    first = next((i for i in range(at) if not (reading.has("leads", i) or reading.words[i].is_mark)), at)
    start = next((reading.noun_after(m) for m in reading.mentions if m.owner and m.first < at), first)
    goods = it_before(reading, first) if reading.has("it", first) else goods_at(reading, start)
    owner = next((m for m in reading.mentions if m.owner and m.first in (at + 1, at + 2)), None)
    if goods is None or owner is None or not owner.ids or goods.is_money or goods.past > at:
        return
    past = reading.noun_after(owner)
    if reading.is_end(past) or reading.has("now", past):
        yield Transfer((), (owner,), goods, first, past, is_loose=True)


def _wander(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "it goes straight into your bag", "ten gold coins wander over to Tansy", "coins vanish into her apron"."""
    if not reading.is_verb("goods.wander", at):
        return
    first = next((i for i in range(at) if not (reading.has("leads", i) or reading.words[i].is_mark)), at)
    is_pronoun = reading.has("it", at - 1)
    goods = it_before(reading, at - 1) if is_pronoun else goods_at(reading, first)
    if goods is None or not (is_pronoun or goods.past == at):
        return
    if reading.page.scene.fight is not None and reading.has("weapons", at - 1):
        return  # "the sword goes into its shoulder"
    for i in range(at + 1, min(at + 2 + _BACK, len(reading.words))):
        owner = next((m for m in reading.mentions if m.owner and m.first == i + 1), None)
        is_kept = owner is not None and any(reading.has("held_in", reading.noun_after(owner) + k) for k in (0, 1))
        if owner is not None and is_kept and owner.ids and reading.has("hold_in", i):
            yield Transfer((), (owner,), goods, at, reading.noun_after(owner) + 1, is_loose=True)
            return
        takers = reading.object_at(i + 1) if reading.has("to", i) and not reading.is_end(i + 1) else []
        if takers and all(m.ids and not m.owner for m in takers):
            yield Transfer((), tuple(takers), goods, at, _past_of(takers, i), is_loose=True)
            return
