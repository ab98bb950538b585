"""Things and money that change hands: "Bran hands you the key", "you pay 5 gold", "Mira drops her torch"."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from turnwright.suggest.claims._cues import cue_in
from turnwright.suggest.claims._finding import SEVERITY, Finding, FindingKind, Severity, finding_of, some_of, unmet
from turnwright.suggest.claims._goods import Goods, goods_at, telling
from turnwright.suggest.claims._handing import Handing, handings
from turnwright.suggest.claims._page import Page
from turnwright.suggest.claims._reading import Reading
from turnwright.suggest.inflect import singulars_of
from turnwright.suggest.names import Mention
from turnwright.suggest.scene import Deed, DeedKind

TOOLS = ("manage_inventory", "update_character", "execute_action")


class GoodsClaims:
    """Claims that somebody gave, got or lost a thing or money."""

    name = "goods"
    tools: tuple[str, ...] = TOOLS

    def read(self, reading: Reading) -> Iterator[Finding]:
        """Yield what this clause claims and nothing did."""
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
        yield from _unpaid(reading)
        yield from _not_given(reading)


def _not_given(reading: Reading) -> Iterator[Finding]:
    """Yield that a thing stayed where it was, as the text tells, where a call took it from somebody."""
    page = reading.page
    deeds = [deed for deed in page.of_kind(DeedKind.GOODS) if deed.applied and not deed.is_net]
    given = next((deed for deed in deeds if deed.coin is None and deed.who and deed.other and not deed.told), None)
    cue = cue_in(reading, ["goods_bad"]) if given else None
    if not (given and cue):
        return
    clauses = (clause for clause in page.clauses if clause.sentence >= 0)
    told = [(clause, i) for clause in clauses for i in range(len(clause.words)) if clause.asserts(i)]
    gives = ("goods.give", "goods.press", "goods.sell", "goods.take", "goods.buy")
    if any(page.lexicon.is_verb(clause.words[i], group) for clause, i in told for group in gives):
        return
    expected = {"item": min(given.what, default=None), "quantity": 0, "from": given.other, "to": given.who}
    span = reading.span(*cue)
    yield Finding(FindingKind.MISMATCH, given.tool, expected, dict(given.shown), Severity.WARN, span)


def _unpaid(reading: Reading) -> Iterator[Finding]:
    """Yield that nothing was paid, as the text tells, where a call took coins."""
    coins = [deed for deed in reading.page.of_kind(DeedKind.GOODS) if deed.applied and deed.coin and deed.other]
    paid = next((deed for deed in coins if not deed.told and not deed.is_net), None)
    cue = cue_in(reading, ["money_bad"]) if paid else None
    if paid and cue and not any(reading.is_verb("coins.pay", i) for i in range(cue[0])):
        expected = {"item": "money", "quantity": 0, "from": paid.other, "to": paid.who}
        span = reading.span(*cue)
        yield Finding(FindingKind.MISMATCH, paid.tool, expected, dict(paid.shown), Severity.WARN, span)


def _kept(reading: Reading, at: int) -> Iterator[Finding]:
    """Yield that somebody is told to keep what a call took from them: "Odo keeps the iron sword"."""
    keeps = reading.is_verb("goods.keep", at)
    has_still = reading.is_verb("statement.have", at) and reading.has("still", at - 1)
    goods = goods_at(reading, at + 1) if keeps or has_still else None
    owners = _ids(reading.subjects(at)) if goods and not goods.is_money and not reading.is_command(at) else frozenset()
    if goods is None or len(owners) != 1:
        return
    page = reading.page
    gone = [deed for deed in page.of_kind(DeedKind.GOODS) if deed.applied and not deed.told and deed.other in owners]
    lost = next((deed for deed in gone if deed.coin is None and deed.what and goods.is_one_of(deed.what)), None)
    if lost is None or any(goods.is_one_of(items) for items in _carried(page, owners)):
        return
    expected = {"item": goods.name, "quantity": goods.pieces, "from": None, "to": some_of(owners)}
    kind = FindingKind.CONTRADICTION
    yield Finding(kind, lost.tool or TOOLS[0], expected, dict(lost.shown), SEVERITY[kind], reading.span(at, goods.past))


def _is_of_quest(handing: Handing, reading: Reading) -> bool:
    """Whether it is the name of a quest that sounds like a thing: "you accept The Lost Crown"."""
    words = range(handing.first, min(handing.past, len(reading.words)))
    titles = (reading.page.quests.at(reading.words, i) for i in words)
    return any(title is not None and title.exact for title in titles)


def _ids(mentions: Sequence[Mention]) -> frozenset[str]:
    return frozenset(identifier for mention in mentions for identifier in mention.ids)


def _judge(handing: Handing, reading: Reading) -> Finding | None:
    page, goods = reading.page, handing.goods
    givers, takers = _ids(handing.givers), _ids(handing.takers)
    if not givers and not takers:
        return None
    if givers:
        givers |= _ids(_owners(reading, handing)) - takers
    deeds = [deed for deed in page.of_kind(DeedKind.GOODS) if goods.is_that_of(deed) or not deed.applied]
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

    def fits(deed: Deed) -> bool:
        is_enough = not each and goods.is_as_much_as([deed])
        return deed in own and goods.is_that_of(deed) and (is_enough or not deed.applied)

    def concerns(deed: Deed) -> bool:
        return goods.is_that_of(deed) and (deed.applied or _touches(deed, givers | takers))

    verdict = unmet(deeds, fits, concerns)
    if verdict and verdict[0] is not FindingKind.REJECTED and takers and _is_at_hand(handing, page, givers, takers):
        return None
    if (verdict and verdict[0] is FindingKind.MISSING) and (
        _is_called_otherwise(goods, page, givers, takers) or _is_at_hand(handing, page, givers, takers)
    ):
        return None
    expected = {"item": goods.name, "quantity": goods.pieces, "from": some_of(givers), "to": some_of(takers)}
    missing = Severity.ERROR if _is_ours(page, givers | takers) else Severity.WARN
    return finding_of(page, verdict, TOOLS[:2], expected, _span(reading, handing), missing)


def _owners(reading: Reading, handing: Handing) -> list[Mention]:
    """Return whose a thing is, which another may give away: "Bran drops one of your torches"."""
    inside = range(handing.first, handing.goods.past)
    return [m for m in reading.mentions if m.owner and m.first in inside and reading.has("of", m.first - 1)]


def _between(deeds: Sequence[Deed], givers: frozenset[str], takers: frozenset[str]) -> list[Deed]:
    """Return what went from and to those who are named.

    Where both are, a call that tells where a thing went is asked, and not what was left of it afterwards.
    """
    fitting = [deed for deed in deeds if _sides_fit(deed, givers, takers)]
    if not (givers and takers):
        return fitting
    return [deed for deed in fitting if not (deed.is_net and any(_accounts_for(call, deed) for call in deeds))]


def _accounts_for(call: Deed, change: Deed) -> bool:
    """Whether a call gave or took just what somebody has more or less of after the turn."""
    if call.is_net or not call.applied or not _same_name(call, change):
        return False
    return call.who == change.who if change.who is not None else call.other == change.other


def _same_name(one: Deed, other: Deed) -> bool:
    return not {name.casefold() for name in one.what}.isdisjoint(name.casefold() for name in other.what)


def _sides_fit(deed: Deed, givers: frozenset[str], takers: frozenset[str]) -> bool:
    """Whether it went from and to those who are named; what comes from or goes to nowhere fits one side alone."""
    if deed.who is None and deed.other is None:
        return True
    if not takers:
        return deed.other in givers
    if not givers:
        return deed.who in takers
    right = deed.who in takers and (deed.other is None or deed.other in givers)
    return right or (deed.who is None and deed.other in givers)


def _is_copy(deed: Deed, deeds: Sequence[Deed], page: Page, givers: frozenset[str]) -> bool:
    """Whether a thing came from nowhere, while whoever is told to have handed it over keeps it and lost none."""
    if not givers or deed.coin is not None or deed.who is None or deed.other is not None:
        return False
    if any(other.applied and other.other in givers and _same_name(other, deed) for other in deeds):
        return False
    names = {name.casefold() for name in deed.what}
    carried = list(_carried(page, givers))
    kept = [items for items in carried if not names.isdisjoint(item.casefold() for item in items)]
    return len(kept) == len(givers)


def _touches(deed: Deed, people: frozenset[str]) -> bool:
    return deed.who in people or deed.other in people


def _each_of(reading: Reading, handing: Handing) -> frozenset[str]:
    """Return the several people of whom each gets or gives as much: "each of you gets 10 gold", "10 gold each"."""
    alike = reading.has("per_head", handing.first - 1) or reading.is_per_head(handing.goods.past)
    for side in (handing.takers, handing.givers):
        told = alike or any(mention in reading.mentions and reading.has("per_head", mention.first) for mention in side)
        if handing.goods.pieces is not None and told and len(side) + sum(mention.plural for mention in side) > 1:
            return _ids(side)
    return frozenset()


def _is_shared_out(goods: Goods, done: Sequence[Deed], people: frozenset[str], told: Collection[int | None]) -> bool:
    """Whether more than one had that much, and nobody only amounts that are not `told`; or one had it for all."""
    shares: dict[str | None, list[Deed]] = {}
    for deed in done:
        shares.setdefault(deed.who if deed.who in people else deed.other, []).append(deed)

    def is_right(share: Sequence[Deed]) -> bool:
        one_by_one = ([deed] for deed in share)
        return any(map(goods.is_as_much_as, (share, *one_by_one))) or sum(deed.delta or 0 for deed in share) in told

    is_alike = len(shares) > 1 and all(map(is_right, shares.values()))
    return is_alike or len(people) == 1 or goods.is_as_much_as(done, len(people))


def _is_shared(reading: Reading, handing: Handing) -> bool:
    """Whether the number is not all of it: so many for each, or more coins follow."""
    plural = any(mention.plural for mention in (*handing.givers, *handing.takers))
    each = any(reading.has("multiples", i) for i in range(handing.first, len(reading.words)))
    after = range(handing.goods.past, len(reading.words) - 1) if handing.goods.is_money else ()
    more = any(reading.has("plus", i) and reading.lexicon.number(reading.words[i + 1]) for i in after)
    return plural or each or more or len(handing.takers) > 1 or len(handing.givers) > 1


def _is_called_otherwise(goods: Goods, page: Page, givers: frozenset[str], takers: frozenset[str]) -> bool:
    """Whether something changed hands just so, under a name that the text never uses."""
    said = frozenset(form for words in page.sentences.values() for word in words for form in singulars_of(word.norm))
    return any(
        said.isdisjoint(word for name in deed.what for word in telling(name))
        for deed in _between(page.of_kind(DeedKind.GOODS), givers, takers)
        if deed.applied and (deed.coin is None) is not goods.is_money
    )


def _is_at_hand(handing: Handing, page: Page, givers: frozenset[str], takers: frozenset[str]) -> bool:
    """Whether whoever takes it has one already, or whoever loses it never had one that the campaign keeps."""
    if not handing.is_loose:
        return False
    if takers:
        passed_on = (deed for deed in page.of_kind(DeedKind.GOODS) if deed.applied and deed.coin is None)
        had = any(deed.other in takers and handing.goods.is_that_of(deed) for deed in passed_on)
        return had or any(handing.goods.is_one_of(items) for items in _carried(page, takers))
    carried = list(_carried(page, givers))
    return bool(carried) and not any(handing.goods.is_one_of(items) for items in carried)


def _carried(page: Page, people: Iterable[str]) -> Iterator[tuple[str, ...]]:
    for identifier in sorted(people):
        person = page.person(identifier)
        if person is not None and person.items is not None:
            yield person.items


def _is_ours(page: Page, people: frozenset[str]) -> bool:
    party = page.scene.party
    return party is None or page.scene.acting in people or not party.isdisjoint(people)


def _span(reading: Reading, handing: Handing) -> tuple[int, int]:
    doers = [m.first for m in (*handing.givers, *handing.takers) if m in reading.mentions and m.first < handing.first]
    first = max(doers, default=handing.first)
    return reading.span(first if handing.first - first <= 5 else handing.first, max(handing.past, handing.first + 1))
