"""Things and money that change hands: "Bran hands you the key", "you pay 5 gold", "Mira drops her torch"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from turnwright.language.inflect import singulars_of
from turnwright.language.tokens import Word
from turnwright.model.coin import denomination
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._cues import cue_in
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind, Severity, finding_of, some_of, unmet
from turnwright.narration.claims._holding import Holding, holders, holdings, known_sums, moved, sides, sum_told, sums
from turnwright.narration.claims._items import Goods, goods_at, telling
from turnwright.narration.claims._new_things import new_transfers
from turnwright.narration.claims._transfer_frames import Transfer, handings, loose_transfers, noted_moves, times_at
from turnwright.narration.facts import Effect, EffectKind
from turnwright.narration.names import Mention

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject

CLAIM = "goods"

_COINS = "denominations"
_COUNTED = 5
"""How many words behind a number the thing may be named that it counts: "all three of her torches"."""


_END = Word("", 0, 0)
_REACH_OF_LOSS = 7
"""How many words may stand between a thing and the words of its loss."""


class GoodsClaims:
    """Claims that a person gave, got or lost a thing or money."""

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield claims of this clause that no call supports."""
        yield from _unpaid(reading)
        yield from _not_given(reading)
        if reading.page.said_in(reading.clause.sentence, "declines"):
            return
        for at in range(len(reading.words)):
            if not reading.asserts(at):
                continue
            yield from _kept(reading, at)
            for handing in handings(reading, at):
                finding = None if _is_of_quest(handing, reading) else _judge(handing, reading)
                if finding:
                    yield finding


def loosely(reading: ClauseView) -> Iterator[Finding]:
    """Yield people said to have things they lack, and sums of money that no one has, in any wording."""
    if not reading.page.said_in(reading.clause.sentence, "declines"):
        yield from _misplaced(reading)
        yield from _miscounted(reading)
        yield from _noted(reading)
        yield from _booked(reading)
        yield from _misdirected(reading)
        yield from _paid(reading)
        yield from _emptied(reading)
        yield from _used(reading)
        yield from _purse_noted(reading)
        yield from _balance(reading)
        yield from _purse_level(reading)
        yield from _listed(reading)
        yield from _is_gone(reading)
        yield from _has_so_many(reading)
        for transfer in (*loose_transfers(reading), *new_transfers(reading), *noted_moves(reading)):
            finding = _judge(transfer, reading)
            if finding is not None and finding.severity is not Severity.INFO:
                yield replace(finding, severity=Severity.WARN)


def _purse_noted(reading: ClauseView) -> Iterator[Finding]:
    """Yield a balance of coins that no party member has: "Gold: 60 -> 45", "Purse 45 gp", without a name."""
    page = reading.page
    if reading.mentions or not any(person.quantities for person in page.scene.people):
        return
    first = next((i for i, word in enumerate(reading.words) if not word.is_mark), len(reading.words))
    if not any(reading.has(name, first) for name in (_COINS, "money_labels")) or first + 2 >= len(reading.words):
        return
    at = first + 1 + any(reading.has(name, first + 1) for name in (_COINS, "money_labels", "money_pieces"))
    numbers = _numbers_noted(reading, at)
    party = page.scene.party or frozenset()
    had = {_quantity(page, identifier, denomination) for identifier in party}
    moves = {abs(deed.delta or 0) for deed in page.of_kind(EffectKind.GOODS) if deed.applied and deed.coin}
    known = {*had, sum(had), *moves}
    if numbers and numbers[-1] not in known and reading.states(first):
        expected: JsonObject = {"item": "money", "quantity": numbers[-1], "from": None, "to": None}
        yield _loose_finding(page, None, expected, reading.span(first, len(reading.words)))


def _listed(reading: ClauseView) -> Iterator[Finding]:
    """Yield another count of a thing in a list of belongings than its owner has: "Inventory: torch x2, rope"."""
    page = reading.page
    label = next((i for i in range(min(_COUNTED, len(reading.words))) if reading.has("inventory_labels", i)), None)
    owner = next((m for m in reading.mentions if m.first <= 1 and len(m.ids) == 1), None)
    is_list = label is not None or (owner is not None and any(times_at(reading, i) for i in range(len(reading.words))))
    if not is_list or not any(word.norm == ":" for word in reading.words):
        return
    party = page.scene.party or frozenset()
    people = owner.ids if owner is not None else party
    for at in range(len(reading.words) - 1):
        count = times_at(reading, at + 1)
        forms = singulars_of(reading.words[at].norm) & page.heads
        if count is None or not forms or not reading.states(at):
            continue
        counts = {_quantity(page, identifier, partial(_shares, forms)) for identifier in people}
        is_before = len(reading.words) > at + 4 and times_at(reading, at + 4) is not None  # "x3 -> x2" tells the change
        if not is_before and count not in counts:
            expected: JsonObject = {"item": min(forms), "quantity": count, "from": None, "to": some_of(people)}
            yield _loose_finding(page, None, expected, reading.span(at, at + 2))
            return


def _is_gone(reading: ClauseView) -> Iterator[Finding]:
    """Yield things said to be lost, stolen, broken or used up that their owner still has."""
    page = reading.page
    if not page.may_make(CLAIM):
        return
    for first, past in reading.lexicon.phrases["thing_gone"].find(reading.words):
        if not reading.tells(first):
            continue
        for at in range(first - 1, max(first - 1 - _REACH_OF_LOSS, -1), -1):
            forms = singulars_of(reading.words[at].norm) & page.heads
            if not forms or reading.has("infinitive", at - 1):
                continue
            deeds = page.of_kind(EffectKind.GOODS)
            moved_it = [deed for deed in deeds if any(_shares(forms, name) for name in deed.what)]
            is_all = any(reading.has(name, i) for name in ("both", "all_of", "last_one") for i in range(at))
            owners = [p.id for p in page.scene.people if _quantity(page, p.id, partial(_shares, forms))]
            named = reading.named(0, at)
            meant = [one for one in owners if one in named] if named else owners
            is_of = any(reading.has("of", i) and not _counts(reading, i - 1) for i in range(at)) and not is_all
            if meant and (not moved_it or is_all) and not is_of:
                expected: JsonObject = {"item": min(forms), "quantity": 0, "from": some_of(meant), "to": None}
                yield _loose_finding(page, None, expected, reading.span(at, past))
                return
            break


def _has_so_many(reading: ClauseView) -> Iterator[Finding]:
    """Yield people said to have more of a thing than they have, or fewer now or in the end."""
    page = reading.page
    for at in range(len(reading.words)):
        owners = _ids(reading.subjects(at)) if reading.is_verb("statement.have", at) and reading.asserts(at) else ()
        if len(owners) != 1:
            continue
        start = at + 1
        while start < len(reading.words) and (
            reading.has("now", start) or reading.lexicon.is_adverb(reading.words[start])
        ):
            start += 1
        number = reading.lexicon.number(reading.words[start]) if start < len(reading.words) else None
        near = range(start + 1, min(start + _COUNTED, len(reading.words)))
        found = next((i for i in near if singulars_of(reading.words[i].norm) & page.heads), None)
        if (
            number is None
            or found is None
            or any(reading.is_end(i) or reading.has("function", i) for i in range(start, found))
        ):
            continue
        forms, owner = singulars_of(reading.words[found].norm) & page.heads, next(iter(owners))
        person = page.person(owner)
        count = _quantity(page, owner, partial(_shares, forms))
        is_final = any(reading.has(name, i) for name in ("now", "state_left", "still") for i in (start - 1, found + 1))
        if person is not None and person.quantities and (number > count or (is_final and number != count)):
            expected: JsonObject = {"item": min(forms), "quantity": number, "from": None, "to": owner}
            yield _loose_finding(page, None, expected, reading.span(at, found + 1))
            return


def _counts(reading: ClauseView, at: int) -> bool:
    return at >= 0 and reading.lexicon.number(reading.words[at]) is not None


def _paid(reading: ClauseView) -> Iterator[Finding]:
    """Yield that one of the party pays, whatever it comes to, where no call took coins."""
    page = reading.page
    if any(deed.coin for deed in page.of_kind(EffectKind.GOODS) if deed.applied) or not page.may_make(CLAIM):
        return
    if any(reading.has("pay_not", i) for i in range(len(reading.words))):
        return
    party = page.scene.party or frozenset()
    for at in range(len(reading.words)):
        if not (reading.words[at].sign in reading.lexicon.triggers["pay"] and reading.tells(at)):
            continue
        payers = frozenset(i for mention in reading.subjects(at) for i in mention.ids)
        if payers & party and not reading.is_command(at):
            expected: JsonObject = {"item": "money", "quantity": None, "from": some_of(payers), "to": None}
            yield _loose_finding(page, None, expected, reading.span(at, at + 1))
            return


def _emptied(reading: ClauseView) -> Iterator[Finding]:
    """Yield people said to have no money left, or the last of a thing, who have more of it."""
    page = reading.page
    broke = next(
        (span for span in reading.lexicon.phrases["broke"].find(reading.words) if reading.tells(span[0])), None
    )
    if broke is not None:
        who = reading.about(broke[0])
        if who and all(_quantity(page, identifier, denomination) for identifier in who):
            expected: JsonObject = {"item": "money", "quantity": 0, "from": None, "to": some_of(who)}
            yield _loose_finding(page, None, expected, reading.span(*broke))
    for at in range(len(reading.words) - 1):
        is_none = reading.has("no_more", at) and reading.has("state_left", at + 2)  # "no torches left"
        if not ((reading.has("last_one", at) or is_none) and reading.states(at)):
            continue
        forms = singulars_of(reading.words[at + 1].norm) & page.heads
        who = frozenset(i for mention in reading.subject for i in mention.ids) or reading.about(at)
        if forms and len(who) == 1 and _quantity(page, next(iter(who)), partial(_shares, forms)):
            expected = {"item": min(forms), "quantity": 0, "from": None, "to": some_of(who)}
            yield _loose_finding(page, None, expected, reading.span(at, at + 2))
            return


def _shares(words: frozenset[str], name: str) -> bool:
    return not words.isdisjoint(telling(name))


def _quantity(page: AnnotatedText, identifier: str, is_meant: Callable[[str], object]) -> int:
    """Return how many things with a matching name a person has, as far as known."""
    person = page.person(identifier)
    if person is None or person.items is None:
        return 0
    return sum(count for name, count in zip(person.items, person.quantities, strict=False) if is_meant(name))


def _used(reading: ClauseView) -> Iterator[Finding]:
    """Yield that another number of things changed hands, or was used up, than a call moved."""
    page = reading.page
    if not any(reading.has("goods_go", i) for i in range(len(reading.words))):
        return
    for at in range(len(reading.words)):
        number = 2 if reading.has("both", at) else reading.lexicon.number(reading.words[at])
        is_all = reading.has("all_of", at - 1)
        is_part = not is_all and any(reading.has("of", i) for i in (at - 2, at - 1, at + 1))  # "one of her potions"
        if number is None or is_part or not reading.states(at):
            continue
        near = takewhile(
            lambda i: not reading.has("from", i), range(at + 1, min(at + 1 + _COUNTED, len(reading.words)))
        )
        forms = frozenset(form for i in near for form in singulars_of(reading.words[i].norm)) & page.heads
        moves = [deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and not (deed.is_net or deed.coin)]
        own = [deed for deed in moves if any(telling(name) & forms for name in deed.what)]
        deltas = [abs(deed.delta or 0) for deed in own]
        if own and number not in (*deltas, sum(deltas)) and not own[0].told:
            expected: JsonObject = {"item": min(forms), "quantity": number, "from": None, "to": None}
            yield _loose_finding(page, own[0], expected, reading.span(at, at + 2))
            return


def _misplaced(reading: ClauseView) -> Iterator[Finding]:
    """Yield people said to have a thing in the end that another person has."""
    page = reading.page
    for holding in holdings(reading):
        have, moves = holders(page, holding.goods), moved(page, holding.goods)
        have |= frozenset(deed.who for deed in moves if deed.who is not None)
        had = frozenset(deed.other for deed in moves if deed.other is not None)
        known = {person.id for person in page.scene.people if person.items is not None}
        is_asked = any(
            holding.goods.is_one_of(deed.what) for deed in page.of_kind(EffectKind.GOODS) if not deed.applied
        )
        is_known = bool(holding.who) and holding.who <= known and (bool(have) or bool(moves) or is_asked)
        if moves and not holding.keeps and _is_given_on(reading, holding):
            continue
        if not is_known or not _is_false(holding, have, had, moves):
            continue
        expected: JsonObject = {"item": holding.goods.name, "quantity": None, "from": None, "to": some_of(holding.who)}
        span = reading.span(holding.first, holding.past)
        yield _loose_finding(page, next((deed for deed in moves if not deed.told), None), expected, span)
        return


def _is_given_on(reading: ClauseView, holding: Holding) -> bool:
    """Whether the sentence then gives it to a person: "Lena lifts the key from his belt and hands it ..."."""
    start = reading.words[min(holding.past, len(reading.words)) - 1].end
    later = [word for word in reading.page.sentences.get(reading.clause.sentence, ()) if word.start >= start]
    groups = ("goods.give", "goods.press")
    verbs = (word for before, word in pairwise(later) if not _is_of_noun(reading, before))
    return any(reading.lexicon.is_verb(word, group) for word in verbs for group in groups)


def _is_of_noun(reading: ClauseView, before: Word) -> bool:
    """Whether a noun follows a word: "Nim's gift", "the throw"."""
    return before.norm == "'s" or reading.lexicon.has("determiners", before)


def _is_false(holding: Holding, have: frozenset[str], had: frozenset[str], moves: Sequence[Effect]) -> bool:
    """Whether the text names the wrong owner of a thing, by its present and earlier owners."""
    if holding.loses:
        return holding.who <= have and not moves
    return not (holding.who & have or (holding.who & had and not holding.keeps))


def _miscounted(reading: ClauseView) -> Iterator[Finding]:
    """Yield a sum of money that no one has, had, gave or got."""
    page = reading.page
    party = (page.scene.party or frozenset()) | ({page.scene.acting} if page.scene.acting is not None else set())
    near = reading.near()
    around = page.words_near(reading.clause.sentence)
    if any(
        reading.lexicon.has("multiples", word) and not reading.lexicon.has("each_not", following)
        for word, following in pairwise([*around, _END])
    ):
        return
    for goods in sums(reading):
        coins = [deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and deed.coin and not deed.is_net]
        is_odd = goods.pieces not in known_sums(page, near) and not any(goods.is_as_much_as([deed]) for deed in coins)
        is_moved = any(reading.has("money_moves", i) for i in range(len(reading.words)))
        is_counted = any(person.quantities for person in page.scene.people) and any(
            reading.has(name, i) for name in ("have_words", "state_left", "purses") for i in range(len(reading.words))
        )
        is_odd = is_odd and (bool(coins) or is_moved or is_counted) and sum_told(page) not in known_sums(page, near)
        is_lost = not coins and any(reading.has("money_goes", i) for i in range(len(reading.words)))
        is_two_sided = bool(coins) and all(deed.who is not None and deed.other is not None for deed in coins)
        is_of_others = is_two_sided and not near <= sides(coins) and _names_another_taker(reading, sides(coins))
        is_sure = reading.lexicon.phrases["changes_hands"].occur_in(reading.words) or any(
            deed.coin for deed in page.of_kind(EffectKind.GOODS) if not deed.applied
        )
        is_of_strangers = bool(near) and near.isdisjoint(party) and not (coins or is_sure)
        if not (is_odd or is_lost or is_of_others) or is_of_strangers:
            continue
        if not near and not coins and not is_sure:
            continue
        expected: JsonObject = {"item": goods.name, "quantity": goods.pieces, "from": None, "to": None}
        at = next(i for i in range(len(reading.words)) if i == goods.past - 1)
        yield _loose_finding(
            page, next((deed for deed in coins if not deed.told), None), expected, reading.span(at, at + 1)
        )
        return


def _names_another_taker(reading: ClauseView, known: frozenset[str]) -> bool:
    """Whether the clause says that something goes to another person."""
    return any(
        m.ids
        and not (m.plural or m.second)
        and m.ids.isdisjoint(known)
        and (reading.has("hold_to", m.first - 1) or reading.is_verb("goods.give", m.first - 1))
        for m in reading.mentions
    )


def _booked(reading: ClauseView) -> Iterator[Finding]:
    """Yield what is wrong in a note of people's money: "Gold: Ada 60 -> 45", a row of a table of gold."""
    page = reading.page
    if not page.once("speaks_of_coins", lambda: _speaks_of_coins(page)):
        return
    for mention in reading.mentions:
        person = page.person(next(iter(mention.ids))) if len(mention.ids) == 1 and not mention.owner else None
        if person is None or not person.quantities:
            continue
        numbers = _numbers_noted(reading, mention.past)
        coins = _quantity(page, person.id, denomination)
        moves = [deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and deed.coin and not deed.is_net]
        got = sum(abs(deed.delta or 0) for deed in moves if deed.who == person.id)
        given = sum(abs(deed.delta or 0) for deed in moves if deed.other == person.id)
        known = {coins, coins - got + given, *(abs(deed.delta or 0) for deed in moves)}
        is_hp = {person.hp, person.hp_was, person.max_hp} & set(numbers)
        is_row = len(numbers) > 1 or (bool(numbers) and reading.words[mention.past].norm == "|")
        if numbers and not is_hp and numbers[-1] not in ({coins} if is_row else known):
            expected: JsonObject = {"item": "money", "quantity": numbers[-1], "from": None, "to": person.id}
            yield _loose_finding(page, None, expected, reading.span(mention.first, mention.past))
            return


def _speaks_of_coins(page: AnnotatedText) -> bool:
    names = (_COINS, "money_short", "money_labels")
    return any(page.lexicon.has(name, word) for word in page.voice for name in names)


def _balance(reading: ClauseView) -> Iterator[Finding]:
    """Yield sums of money that people do not have, though the text says they are left: "Brakka has 35 gp left"."""
    page = reading.page
    if not any(reading.has(name, i) for name in ("have_words", "state_left") for i in range(len(reading.words))):
        return
    named = reading.named()
    person = page.person(next(iter(named))) if len(named) == 1 else None
    if person is None or not person.quantities or any(mention.second for mention in reading.mentions):
        return
    coins = _quantity(page, person.id, denomination)
    moves = [deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and deed.coin and not deed.is_net]
    got = sum(abs(deed.delta or 0) for deed in moves if deed.who == person.id)
    given = sum(abs(deed.delta or 0) for deed in moves if deed.other == person.id)
    known = {coins, coins - got + given, *(abs(deed.delta or 0) for deed in moves)}
    for goods in sums(reading):
        if goods.pieces not in known and sum_told(page) not in known:
            expected: JsonObject = {"item": "money", "quantity": goods.pieces, "from": None, "to": person.id}
            yield _loose_finding(page, None, expected, reading.span(goods.past - 1, goods.past))
            return


def _purse_level(reading: ClauseView) -> Iterator[Finding]:
    """Yield wrong totals of a purse, told without a coin: "that brings her purse to 80"."""
    page = reading.page
    at = next(
        (i for i in range(len(reading.words)) if reading.has("purses", i) or reading.has("money_labels", i)), None
    )
    owner = next((m for m in reading.mentions if m.owner and at is not None and at - 2 <= m.past <= at), None)
    number = next((i for i in range((at or 0) + 1, len(reading.words)) if reading.has("level_before", i - 1)), None)
    if at is None or number is None or number > at + _COUNTED or not reading.is_end(number + 1):
        return
    value, who = reading.lexicon.number(reading.words[number]), reading.near() if owner is None else owner.ids
    known = {_quantity(page, identifier, denomination) for identifier in who}
    if value is not None and known - {0} and value not in known and reading.states(number):
        expected: JsonObject = {"item": "money", "quantity": value, "from": None, "to": some_of(who)}
        yield _loose_finding(page, None, expected, reading.span(at, number + 1))


def _numbers_noted(reading: ClauseView, at: int) -> list[int]:
    """Return the numbers behind a name in a note, with only marks and coins between them."""
    found: list[int] = []
    is_note = at < len(reading.words) and reading.words[at].norm in (":", "|")
    while at < len(reading.words) and len(found) < _COUNTED:
        number = reading.lexicon.number(reading.words[at])
        if number is not None:
            found.append(number)
        elif not (_is_between(reading, at) or (found and reading.words[at].norm == "-")):
            break
        at += 1
    return found if is_note or len(found) > 1 else []


def _is_between(reading: ClauseView, at: int) -> bool:
    is_coin = reading.has("money_short", at) or reading.has(_COINS, at)
    return is_coin or (reading.words[at].is_mark and reading.words[at].norm not in (",", "+", "-"))


def _misdirected(reading: ClauseView) -> Iterator[Finding]:
    """Yield money that goes to, or comes from, people other than those between whom a call moved it."""
    page = reading.page
    coins = [deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and deed.coin and not deed.is_net]
    if not coins or coins[0].told or any(deed.who is None or deed.other is None for deed in coins):
        return
    told = next(
        (i for i in range(len(reading.words)) if reading.has("money_pieces", i) or reading.has(_COINS, i)), None
    )
    if told is None or not reading.states(told) or any(reading.has("priced", i) for i in range(len(reading.words))):
        return
    for mention in reading.mentions:
        noun = reading.noun_after(mention)
        is_purse = mention.owner and any(reading.has("purses", i) for i in range(noun, noun + 2))
        is_side = is_purse or (not mention.owner and reading.has("hold_to", mention.first - 1))
        is_other = mention.ids and mention.ids.isdisjoint(sides(coins)) and not (mention.plural or mention.second)
        if is_side and is_other and not reading.has("in_words", mention.first - 1):
            expected: JsonObject = {"item": "money", "quantity": None, "from": None, "to": some_of(mention.ids)}
            yield _loose_finding(page, coins[0], expected, reading.span(mention.first, mention.past))
            return


def _noted(reading: ClauseView) -> Iterator[Finding]:
    """Yield a thing noted as acquired that no one acquired: "Item acquired: Cloak of Shadows"."""
    page = reading.page
    cue = cue_in(reading, ["goods_noted"])
    if cue and not any(deed.applied for deed in page.of_kind(EffectKind.GOODS)) and page.may_make(CLAIM):
        expected: JsonObject = {"item": None, "quantity": None, "from": None, "to": None}
        yield _loose_finding(page, None, expected, reading.span(*cue))


def _loose_finding(page: AnnotatedText, blamed: Effect | None, expected: JsonObject, span: tuple[int, int]) -> Finding:
    kind = FindingKind.MISSING if blamed is None else FindingKind.MISMATCH
    tool = (blamed.tool if blamed else "") or page.tool_for(CLAIM)
    return Finding(kind, tool, expected, dict(blamed.shown) if blamed else None, Severity.WARN, span)


def _not_given(reading: ClauseView) -> Iterator[Finding]:
    """Yield claims that a thing stayed where it was, where a call took it from a person."""
    page = reading.page
    deeds = [deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and not deed.is_net]
    given = next((deed for deed in deeds if deed.coin is None and deed.who and not deed.told), None)
    cue = cue_in(reading, ["goods_bad"]) if given else None
    if not (given and cue) or reading.is_command(cue[0]):
        return
    clauses = (clause for clause in page.clauses if clause.sentence >= 0)
    told = [(clause, i) for clause in clauses for i in range(len(clause.words)) if clause.asserts(i)]
    gives = ("goods.give", "goods.press", "goods.sell", "goods.take", "goods.buy")
    if any(page.lexicon.is_verb(clause.words[i], group) for clause, i in told for group in gives):
        return
    expected: JsonObject = {"item": min(given.what, default=None), "quantity": 0, "from": given.other, "to": given.who}
    span = reading.span(*cue)
    yield Finding(FindingKind.MISMATCH, given.tool, expected, dict(given.shown), Severity.WARN, span)


def _unpaid(reading: ClauseView) -> Iterator[Finding]:
    """Yield claims that nothing was paid, where a call took coins."""
    coins = [deed for deed in reading.page.of_kind(EffectKind.GOODS) if deed.applied and deed.coin]
    paid = next((deed for deed in coins if not deed.told and not deed.is_net), None)
    cue = cue_in(reading, ["money_bad"]) if paid else None
    if (
        paid
        and cue
        and not any(reading.is_verb("coins.pay", i) for i in range(cue[0]))
        and not _pays_elsewhere(reading)
    ):
        expected: JsonObject = {"item": "money", "quantity": 0, "from": paid.other, "to": paid.who}
        span = reading.span(*cue)
        yield Finding(FindingKind.MISMATCH, paid.tool, expected, dict(paid.shown), Severity.WARN, span)


def _pays_elsewhere(reading: ClauseView) -> bool:
    """Whether another clause of the text tells that it is paid after all: "Tansy owes you six, and she pays up"."""
    told = (one for one in reading.page.clauses if one.sentence >= 0)
    return any(
        reading.lexicon.has("pays_it", word)
        and clause.asserts(i)
        and not any(reading.lexicon.has("nothing", other) for other in clause.words[i + 1 : i + 3])
        for clause in told
        for i, word in enumerate(clause.words)
    )


def _kept(reading: ClauseView, at: int) -> Iterator[Finding]:
    """Yield people said to keep what a call took from them: "Odo keeps the iron sword"."""
    keeps = reading.is_verb("goods.keep", at)
    has_still = reading.is_verb("statement.have", at) and reading.has("still", at - 1)
    goods = goods_at(reading, at + 1) if keeps or has_still else None
    owners = _ids(reading.subjects(at)) if goods and not goods.is_money and not reading.is_command(at) else frozenset()
    if goods is None or len(owners) != 1:
        return
    page = reading.page
    gone = [deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and not deed.told and deed.other in owners]
    lost = next((deed for deed in gone if deed.coin is None and deed.what and goods.is_one_of(deed.what)), None)
    if lost is None or any(goods.is_one_of(items) for items in _carried(page, owners)):
        return
    expected: JsonObject = {"item": goods.name, "quantity": goods.pieces, "from": None, "to": some_of(owners)}
    kind, span = FindingKind.CONTRADICTION, reading.span(at, goods.past)
    tool = lost.tool or next(iter(page.tools(CLAIM)), None)
    yield Finding(kind, tool, expected, dict(lost.shown), SEVERITY[kind], span)


def _is_of_quest(handing: Transfer, reading: ClauseView) -> bool:
    """Whether it is the name of a quest that sounds like a thing: "you accept The Lost Crown"."""
    words = range(handing.first, min(handing.past, len(reading.words)))
    titles = (reading.page.quests.at(reading.words, i) for i in words)
    return any(title is not None and title.exact for title in titles)


def _ids(mentions: Sequence[Mention]) -> frozenset[str]:
    return frozenset(identifier for mention in mentions for identifier in mention.ids)


def _judge(handing: Transfer, reading: ClauseView) -> Finding | None:
    page, goods = reading.page, handing.goods
    givers, takers = _ids(handing.givers), _ids(handing.takers)
    if not givers and not takers:
        return None
    if not _is_ours(page, givers | takers) and not _is_kept(page, goods):
        return None  # what others do with things that the campaign does not track
    if givers:
        givers |= _ids(_owners(reading, handing)) - takers
    deeds = [deed for deed in page.of_kind(EffectKind.GOODS) if goods.is_that_of(deed) or not deed.applied]
    own = _between(deeds, givers, takers)
    if goods.is_definite:
        own = [deed for deed in own if not _is_copy(deed, deeds, page, givers)]
    done = [deed for deed in own if deed.applied and not deed.is_net]
    each = _each_of(reading, handing) if done else frozenset[str]()
    if each:
        near = page.words_near(reading.clause.sentence)
        is_told_right = _is_shared_out(goods, done, each, {page.lexicon.number(word) for word in near})
    else:
        is_told_right = bool(done) and (goods.is_as_much_as(done) or _is_shared(reading, handing))
    if is_told_right:
        return None

    def fits(deed: Effect) -> bool:
        is_enough = not each and goods.is_as_much_as([deed])
        return deed in own and goods.is_that_of(deed) and (is_enough or not deed.applied)

    def concerns(deed: Effect) -> bool:
        return goods.is_that_of(deed) and (deed.applied or _touches(deed, givers | takers))

    verdict = unmet(deeds, fits, concerns)
    if verdict and verdict[0] is not FindingKind.REJECTED and takers and _is_at_hand(handing, page, givers, takers):
        return None
    if (verdict and verdict[0] is FindingKind.MISSING) and (
        _is_called_otherwise(goods, page, givers, takers) or _is_at_hand(handing, page, givers, takers)
    ):
        return None
    expected: JsonObject = {
        "item": goods.name,
        "quantity": goods.pieces,
        "from": some_of(givers),
        "to": some_of(takers),
    }
    missing = Severity.ERROR if _is_ours(page, givers | takers) else Severity.WARN
    return finding_of(page, verdict, page.tools(CLAIM), expected, _span(reading, handing), missing)


def _owners(reading: ClauseView, handing: Transfer) -> list[Mention]:
    """Return the owner of a thing, which another person may give away: "Bran drops one of your torches"."""
    inside = range(handing.first, handing.goods.past)
    return [m for m in reading.mentions if m.owner and m.first in inside and reading.has("of", m.first - 1)]


def _between(deeds: Sequence[Effect], givers: frozenset[str], takers: frozenset[str]) -> list[Effect]:
    """Return what went from and to the people named.

    Where both are named, use a call that says where a thing went, and not what was left of it afterwards.
    """
    fitting = [deed for deed in deeds if _sides_fit(deed, givers, takers)]
    if not (givers and takers):
        return fitting
    return [deed for deed in fitting if not (deed.is_net and any(_accounts_for(call, deed) for call in deeds))]


def _accounts_for(call: Effect, change: Effect) -> bool:
    """Whether a call gave or took exactly what a person has more or less of after the turn."""
    if call.is_net or not call.applied or not _same_name(call, change):
        return False
    return call.who == change.who if change.who is not None else call.other == change.other


def _same_name(one: Effect, other: Effect) -> bool:
    return not {name.casefold() for name in one.what}.isdisjoint(name.casefold() for name in other.what)


def _sides_fit(deed: Effect, givers: frozenset[str], takers: frozenset[str]) -> bool:
    """Whether it went from and to the people named; a deed without a giver or taker fits one side alone."""
    if deed.who is None and deed.other is None:
        return True
    if not takers:
        return deed.other in givers
    if not givers:
        return deed.who in takers
    right = deed.who in takers and (deed.other is None or deed.other in givers)
    return right or (deed.who is None and deed.other in givers)


def _is_copy(deed: Effect, deeds: Sequence[Effect], page: AnnotatedText, givers: frozenset[str]) -> bool:
    """Whether a thing came from nowhere, while its giver by the text keeps it and lost none."""
    if not givers or deed.coin is not None or deed.who is None or deed.other is not None:
        return False
    if any(other.applied and other.other in givers and _same_name(other, deed) for other in deeds):
        return False
    names = {name.casefold() for name in deed.what}
    carried = list(_carried(page, givers))
    kept = [items for items in carried if not names.isdisjoint(item.casefold() for item in items)]
    return len(kept) == len(givers)


def _touches(deed: Effect, people: frozenset[str]) -> bool:
    return deed.who in people or deed.other in people


def _each_of(reading: ClauseView, handing: Transfer) -> frozenset[str]:
    """Return the people who each get or give that much: "each of you gets 10 gold", "10 gold each"."""
    alike = reading.has("per_head", handing.first - 1) or reading.is_per_head(handing.goods.past)
    for side in (handing.takers, handing.givers):
        told = alike or any(mention in reading.mentions and reading.has("per_head", mention.first) for mention in side)
        if handing.goods.pieces is not None and told and len(side) + sum(mention.plural for mention in side) > 1:
            return _ids(side)
    return frozenset()


def _is_shared_out(goods: Goods, done: Sequence[Effect], people: frozenset[str], told: Collection[int | None]) -> bool:
    """Whether more than one had that much, and no one has only amounts that are not `told`; or one had it for all."""
    shares: dict[str | None, list[Effect]] = {}
    for deed in done:
        shares.setdefault(deed.who if deed.who in people else deed.other, []).append(deed)

    def is_right(share: Sequence[Effect]) -> bool:
        one_by_one = ([deed] for deed in share)
        return any(map(goods.is_as_much_as, (share, *one_by_one))) or sum(deed.delta or 0 for deed in share) in told

    is_alike = len(shares) > 1 and all(map(is_right, shares.values()))
    return is_alike or len(people) == 1 or goods.is_as_much_as(done, len(people))


def _is_shared(reading: ClauseView, handing: Transfer) -> bool:
    """Whether the number is not all of it: so many for each, or more coins follow."""
    plural = any(mention.plural for mention in (*handing.givers, *handing.takers))
    each = any(reading.has("multiples", i) for i in range(handing.first, len(reading.words)))
    after = range(handing.goods.past, len(reading.words) - 1) if handing.goods.is_money else ()
    more = any(reading.has("plus", i) and reading.lexicon.number(reading.words[i + 1]) for i in after)
    return plural or each or more or len(handing.takers) > 1 or len(handing.givers) > 1


def _is_called_otherwise(goods: Goods, page: AnnotatedText, givers: frozenset[str], takers: frozenset[str]) -> bool:
    """Whether something changed hands just so, under a name that the text never uses."""
    said = page.once("singulars", lambda: _singulars_said(page))
    return any(
        said.isdisjoint(word for name in deed.what for word in telling(name))
        for deed in _between(page.of_kind(EffectKind.GOODS), givers, takers)
        if deed.applied and (deed.coin is None) is not goods.is_money
    )


def _singulars_said(page: AnnotatedText) -> frozenset[str]:
    return frozenset(form for words in page.sentences.values() for word in words for form in singulars_of(word.norm))


def _is_at_hand(handing: Transfer, page: AnnotatedText, givers: frozenset[str], takers: frozenset[str]) -> bool:
    """Whether the taker has one already, or the loser never had one that the campaign keeps."""
    if not handing.is_loose:
        return False
    if takers:
        passed_on = (deed for deed in page.of_kind(EffectKind.GOODS) if deed.applied and deed.coin is None)
        had = any(deed.other in takers and handing.goods.is_that_of(deed) for deed in passed_on)
        return had or any(handing.goods.is_one_of(items) for items in _carried(page, takers))
    carried = list(_carried(page, givers))
    return bool(carried) and not any(handing.goods.is_one_of(items) for items in carried)


def _carried(page: AnnotatedText, people: Iterable[str]) -> Iterator[tuple[str, ...]]:
    for identifier in sorted(people):
        person = page.person(identifier)
        if person is not None and person.items is not None:
            yield person.items


def _is_kept(page: AnnotatedText, goods: Goods) -> bool:
    return goods.is_money or not page.heads.isdisjoint(goods.words)


def _is_ours(page: AnnotatedText, people: frozenset[str]) -> bool:
    party = page.scene.party
    return party is None or page.scene.acting in people or not party.isdisjoint(people)


def _span(reading: ClauseView, handing: Transfer) -> tuple[int, int]:
    doers = [m.first for m in (*handing.givers, *handing.takers) if m in reading.mentions and m.first < handing.first]
    first = max(doers, default=handing.first)
    return reading.span(first if handing.first - first <= 5 else handing.first, max(handing.past, handing.first + 1))
