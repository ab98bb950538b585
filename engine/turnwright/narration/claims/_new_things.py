"""Things that a text introduces, and that a party member then has: "a ring ... slide it into your pocket".

No list can name all that may be found or given. What counts here is the wording: "a" or "an" at the thing's first
mention, and with a deed that keeps it, such as putting it where things are carried, or a person who hands it over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from turnwright.language.inflect import singulars_of
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._items import Goods, goods_at
from turnwright.narration.claims._transfer_frames import Transfer
from turnwright.narration.names import Mention

_LONGEST = 6
"""Maximum number of words for a thing."""
_SENTENCES = 3
"""How many sentences before an "it" the thing may have been brought in."""
_AFTER = 6
"""How many words behind a thing the place may be named where it is kept."""


def new_transfers(reading: ClauseView) -> Iterator[Transfer]:
    """Yield things that party members get and that the text itself introduces."""
    if _is_returned(reading):
        return
    for at in range(len(reading.words)):
        if reading.lexicon.forms(reading.words[at]) and reading.asserts(at) and not reading.is_command(at):
            found = next((one for frame in (_handed, _kept, _also) for one in frame(reading, at)), None)
            if found is not None:
                yield found


def _is_returned(reading: ClauseView) -> bool:
    """Whether something is given back or turned down nearby, which may be the new thing."""
    return reading.lexicon.phrases["goods_returned"].occur_in(reading.page.words_about(reading.clause.sentence))


def _kept(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "you slide it into your pocket", "Ione hangs it around her neck", "Nim pockets a jade frog"."""
    doers = tuple(reading.subjects(at))
    start = at + 1 + reading.has("particles", at + 1)
    goods = _object_at(reading, start) if doers else None
    if goods is None or (reading.page.scene.fight is not None and reading.has("weapons", goods.past - 1)):
        return
    is_kept = reading.is_verb("goods.keep", at) and reading.has("it", start) and reading.is_end(goods.past)
    is_worn = (
        reading.is_verb("goods.wear", at) and reading.has("worn_on", goods.past) and reading.is_end(goods.past + 1)
    )
    is_pocketed = is_kept or is_worn or reading.is_verb("goods.pocket", at)
    if is_pocketed or _place_to_keep(reading, goods.past, doers):
        yield Transfer((), doers, goods, at, goods.past, is_loose=True)


def _handed(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "the barkeep slides a parcel toward Sella", "a courier hands her a letter in red wax"."""
    if not (reading.is_verb("goods.give", at) or reading.is_verb("goods.press", at)):
        return
    takers = [m for m in reading.object_at(at + 1) if m.ids]
    start = max((m.past for m in takers), default=at + 1 + reading.has("particles", at + 1))
    goods = _new_at(reading, start)
    if goods is None:
        return
    doers = frozenset(identifier for mention in reading.subjects(at) for identifier in mention.ids)
    near = range(goods.past, min(goods.past + _AFTER, len(reading.words)))
    behind = next((i for i in near if reading.has("hands_to", i)), None)
    if not takers and behind is not None:
        takers = [_resolved(reading, m) for m in reading.mentions if behind < m.first <= behind + 1]
        takers = [m for m in takers if m.ids]
    if takers and doers.isdisjoint(i for m in takers for i in m.ids):
        taker = Mention(takers[0].first, takers[0].past, takers[0].ids, takers[0].plural, second=takers[0].second)
        yield Transfer((), (taker,), goods, at, max(goods.past, taker.past), is_loose=True)


def _resolved(reading: ClauseView, mention: Mention) -> Mention:
    """Resolve a person called only "her" to the party member named nearby."""
    party = reading.page.scene.party or frozenset()
    return mention if mention.ids else replace(mention, ids=reading.near() & party)


def _also(reading: ClauseView, at: int) -> Iterator[Transfer]:
    """Read "Nim gets the lantern and a tinderbox"."""
    doers = tuple(reading.subjects(at)) if reading.is_verb("goods.take", at) or reading.is_verb("goods.buy", at) else ()
    first = goods_at(reading, at + 1) if doers else None
    goods = _new_at(reading, first.past + 1) if first is not None and reading.has("and", first.past) else None
    if goods is not None and (reading.is_end(goods.past) or reading.has("function", goods.past)):
        yield Transfer((), doers, goods, at, goods.past, is_loose=True)


def _place_to_keep(reading: ClauseView, past: int, doers: tuple[Mention, ...]) -> bool:
    """Whether a place of the doer's own follows where things are carried: "into your pocket", "on his finger"."""
    near = range(past, min(past + _AFTER, len(reading.words)))
    end = next((i for i in near if reading.is_end(i) or reading.has("back", i)), near.stop)
    for i in range(past, end):
        owner = next((m for m in reading.mentions if m.owner and m.first == i + 1), None)
        is_own = owner is None or not owner.ids or any(not owner.ids.isdisjoint(m.ids) for m in doers)
        whose = reading.noun_after(owner) if owner is not None else i + 2
        if reading.has("hold_in", i) and is_own and (owner is not None or reading.has("own", i + 1)):
            return any(reading.has("kept_in", k) for k in range(whose, min(whose + 3, len(reading.words))))
    return False


def _object_at(reading: ClauseView, at: int) -> Goods | None:
    """Return the new thing that the words at `at` mean: by itself, as "it", or by its noun once more."""
    if reading.is_end(at):
        return None
    if reading.has("it", at):
        return _brought_in(reading, at, None, at + 1)
    if reading.has("definite", at):
        end = _noun_end(reading, at + 1)
        return _brought_in(reading, at, reading.words[end - 1].norm, end) if end > at + 1 else None
    return _new_at(reading, at)


def _new_at(reading: ClauseView, at: int) -> Goods | None:
    """Return the thing introduced at `at` with "a" or "an", if it is something that can be carried."""
    if at >= len(reading.words) or reading.words[at].norm not in ("a", "an"):
        return None
    end = _noun_end(reading, at + 1)
    if end == at + 1:
        return None
    head = end - 1
    is_thing = reading.has("item_nouns", head)
    if not is_thing and (reading.has("no_things", head) or "base" in reading.lexicon.forms(reading.words[head])):
        return None
    if any(reading.has(name, head) for name in ("body", "blows", "place_parts", "places")) and not is_thing:
        return None
    if any(reading.has("no_things", i) or reading.lexicon.number(reading.words[i]) for i in range(at + 1, end)):
        return None
    words = frozenset(form for word in reading.words[at + 1 : end] for form in singulars_of(word.norm) if len(form) > 2)
    name = " ".join(word.norm for word in reading.words[at + 1 : end])
    return Goods(words, None, None, False, False, False, name, end) if words else None


def _noun_end(reading: ClauseView, at: int) -> int:
    """Return where a noun phrase ends whose words begin at `at`."""
    end = at
    while end < min(at + _LONGEST, len(reading.words)):
        forms = reading.lexicon.forms(reading.words[end])
        is_verb = bool(forms) and not (forms & {"base", "participle", "gerund"}) and not reading.has("item_nouns", end)
        if reading.is_end(end) or reading.has("function", end) or reading.has("determiners", end) or is_verb:
            break
        if reading.has("prepositions", end) or reading.names_person(end) or (end > at and _is_past_noun(reading, end)):
            break
        end += 1
    return end


def _is_past_noun(reading: ClauseView, at: int) -> bool:
    """Whether a participle at `at` tells of the noun before it: "a parcel wrapped in oilcloth"."""
    following = at + 1 < len(reading.words) and (reading.has("function", at + 1) or reading.has("prepositions", at + 1))
    return bool(reading.lexicon.forms(reading.words[at]) & {"participle", "gerund"}) and following


def _brought_in(reading: ClauseView, at: int, noun: str | None, past: int) -> Goods | None:
    """Return the new thing named last before `at`; None if another was named since, or `noun` is not a new one.

    Nouns behind a preposition are skipped: "a ring between the stones" is about the ring.
    """
    start = reading.words[at].start
    for view in reversed([*reading.quoted_back(_SENTENCES)]):
        for i in range(len(view.words) - 1, -1, -1):
            if view.words[i].start >= start or view.has("prepositions", i - 1):
                continue
            new = _new_at(view, i)
            if new is not None and (noun is None or view.words[new.past - 1].norm == noun):
                return Goods(new.words, None, None, False, False, False, new.name, past)
            is_other = view.has("definite", i) or (view.has("own", i) and not view.has("body", i + 1))
            if noun is None and new is None and is_other and not view.is_end(i + 1):
                return _brought_in(view, i, view.words[_noun_end(view, i + 1) - 1].norm, past)
    return None
