"""Things and money as a text words them: "the brass key", "two healing potions", "50 gold pieces", "5 gp"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from turnwright.language.inflect import singulars_of
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.facts import Effect

_REACH = 6
"""How many words an article may stand before its thing."""
_OF_REACH = 3
_VALUE = {"platinum": 1000, "gold": 100, "electrum": 50, "silver": 10, "copper": 1}
_SHORT = {"p": "platinum", "g": "gold", "e": "electrum", "s": "silver", "c": "copper"}


@dataclass(frozen=True, slots=True)
class Goods:
    """Things or money. The words end before `past`.

    Attributes:
        words: the words for the thing, each in every singular it may have.
        pieces: the count, if the text gives one.
        copper: the worth of money, if the text names the coins; else None.
        is_money: whether it is money.
        is_own: whether a person has it already: "her sword".
        is_definite: whether a certain thing is meant: "the sword", "her sword", but not "one of her swords".
        name: as the text spells it.
    """

    words: frozenset[str]
    pieces: int | None
    copper: int | None
    is_money: bool
    is_own: bool
    is_definite: bool
    name: str
    past: int

    def is_that_of(self, deed: Effect) -> bool:
        """Return whether the deed is about the same thing, or about money too."""
        if self.is_money or deed.coin is not None:
            return self.is_money and deed.coin is not None
        return not deed.what or self.is_one_of(deed.what)

    def is_one_of(self, names: Iterable[str]) -> bool:
        """Return whether any of the names could be its own."""
        return any(not self.words.isdisjoint(telling(name)) for name in names)

    def is_as_much_as(self, deeds: Iterable[Effect], times: int = 1) -> bool:
        """Return whether the deeds together come to as much as the text says, so many times, if it says anything."""
        counted = [(deed.delta or 0, deed.coin) for deed in deeds]
        if self.pieces is None:
            return True
        if self.copper is not None and all(coin in _VALUE for _, coin in counted):
            return sum(pieces * _VALUE[coin or ""] for pieces, coin in counted) == self.copper * times
        return sum(pieces for pieces, _ in counted) == self.pieces * times


def telling(name: str) -> frozenset[str]:
    """Return the words of a name that tell it from others, each in every singular that it may have."""
    words = (word for word in name.lower().replace("-", " ").split() if len(word) > 2)
    return frozenset(form for word in words for form in singulars_of(word))


def goods_at(reading: ClauseView, at: int) -> Goods | None:
    """Return the money or thing that the noun phrase at `at` names, or None."""
    return _money_at(reading, at) or _thing_at(reading, at)


# money


def _money_at(reading: ClauseView, at: int) -> Goods | None:
    first, is_own, is_loose = at, False, False
    while (
        reading.has("money_loose", first)
        or (is_loose and (reading.has("of", first) or reading.has("money_fillers", first)))
        or reading.has("indefinite", first)
    ):
        is_own = is_own or (reading.has("own", first) and first == at)
        is_loose = True
        first += 1
        if first - at > _OF_REACH:
            return None
    if first < len(reading.words) and (reading.has("about", first) or reading.words[first].norm == "+"):
        first += 1
    copper, pieces, past = 0, 0, first
    known = exact = True
    while (found := _sum_at(reading, past)) is not None:
        count, coin, past = found
        pieces += count or 0
        exact = exact and count is not None
        known = known and coin is not None
        copper += (count or 0) * _VALUE.get(coin or "", 0)
        joint = past + (reading.words[past].norm == "," if past < len(reading.words) else 0)
        joint += reading.has("and", joint)
        if joint == past or _sum_at(reading, joint) is None:
            break
        past = joint
    if past == first or not _ends(reading, past):
        return None
    if not exact:
        if first == at or not _is_plainly_money(reading, first, past):
            return None
        return Goods(frozenset(), None, None, True, is_own, False, _text(reading, at, past), past)
    return Goods(frozenset(), pieces, copper if known else None, True, False, False, _text(reading, first, past), past)


def sum_at(reading: ClauseView, at: int) -> Goods | None:
    """Return the money of one coin that is counted at `at`, whatever follows: "thirty gold pieces", "5gp"."""
    found = _sum_at(reading, at)
    count, coin, past = found or (None, None, at)
    if count is None:
        return None
    copper = count * _VALUE[coin] if coin is not None else None
    return Goods(frozenset(), count, copper, True, False, False, _text(reading, at, past), past)


def _sum_at(reading: ClauseView, at: int) -> tuple[int | None, str | None, int] | None:
    """Return count, coin and end of "50 gold pieces", "5 gp", "5gp", "12 coins", "gold coins"."""
    if at >= len(reading.words):
        return None
    word = reading.words[at].norm
    if word[-2:] in reading.lexicon.lists["money_short"] and word[:-2].isascii() and word[:-2].isdigit():
        return int(word[:-2][:9]), _SHORT[word[-2]], at + 1
    count, unit = _count_at(reading, at)
    if unit >= len(reading.words):
        return None
    if count is not None and reading.has("of", unit):
        whose = unit + 1
        while whose < len(reading.words) and (reading.has("own", whose) or reading.has("definite", whose)):
            whose += 1
        owner = next((m for m in reading.mentions if m.owner and m.first == unit + 1), None)
        unit = reading.noun_after(owner) if owner and whose == unit + 1 else whose
        if unit >= len(reading.words):
            return None
    if reading.has("denominations", unit):
        return count, reading.words[unit].norm, unit + 1 + reading.has("money_pieces", unit + 1)
    if count is not None and reading.has("money_short", unit):
        return count, _SHORT[reading.words[unit].norm[0]], unit + 1
    is_coins = reading.has("money_pieces", unit) and reading.words[unit].norm.startswith("coin")
    return (count, None, unit + 1) if is_coins else None


def _count_at(reading: ClauseView, at: int) -> tuple[int | None, int]:
    """Return the number at `at` and where it ends: "17", "two hundred", "a hundred" from its "hundred" on."""
    count = reading.lexicon.number(reading.words[at])
    past = at + (count is not None)
    times = reading.lexicon.multiples.get(reading.words[past].norm) if past < len(reading.words) else None
    return (count, past) if times is None else ((count or 1) * times, past + 1)


def _is_plainly_money(reading: ClauseView, first: int, past: int) -> bool:
    """Whether money without a number is meant: "a handful of silver", "the coins", not "the gold"."""
    return reading.has("money_pieces", past - 1) or any(reading.has("of", i) for i in range(first - 1, first))


# things


def _thing_at(reading: ClauseView, at: int) -> Goods | None:
    is_counted, pieces, is_own, told = False, None, False, at
    for i in range(at, min(at + _REACH, len(reading.words))):
        known = reading.page.things.at(reading.words, i)
        past = known.past if known else i + 1
        if known or ((reading.has("item_nouns", i) or _measures(reading, i)) and is_counted):
            if known and not (is_counted or known.exact):
                return None
            if is_counted and reading.has("item_nouns", past):
                continue  # "the potion bottle" is a bottle
            end = _of_phrase(reading, past)
            if end is None or not _ends(reading, end) or (known and known.owner):
                return None
            return _thing(reading, told, i, end, pieces, is_own)
        if pieces is not None and told == i and _is_partitive(reading, i):
            is_counted = False  # "one of your potions": a new phrase starts behind "of"
        elif reading.has("own", i) and not is_counted:
            is_own = is_counted = True
            told = i + 1
        elif reading.has("both", i) and not is_counted:
            is_counted, pieces, told = True, 2, i + 1
        elif reading.has("determiners", i) and not is_counted:
            is_counted = True
            told = i + 1
        elif not is_counted and (number := reading.lexicon.number(reading.words[i])) is not None:
            is_counted, pieces, told = True, number, i + 1
        elif not is_counted or reading.lexicon.number(reading.words[i]) is not None or not _describes(reading, i):
            return None
    return None


def _is_partitive(reading: ClauseView, at: int) -> bool:
    return reading.has("of", at) and (reading.has("own", at + 1) or reading.has("definite", at + 1))


def _measures(reading: ClauseView, at: int) -> bool:
    """Whether the word at `at` measures out a thing: "a coil of rope", not "a coil of breath"."""
    if not (reading.has("measures", at) and reading.has("of", at + 1)):
        return False
    return reading.has("item_nouns", at + 2) or reading.page.things.at(reading.words, at + 2) is not None


def _thing(reading: ClauseView, told: int, head: int, past: int, pieces: int | None, is_own: bool) -> Goods:
    words = [word.norm for word in reading.words[min(told, head) : past] if not word.is_mark]
    forms = [singulars_of(word) for word in words]
    plain = reading.lexicon.lists["item_plain"]
    kept = [of for word, of in zip(words, forms, strict=True) if len(word) > 2 and plain.isdisjoint(of)] or forms
    kept = [of for of in kept if of.isdisjoint(reading.lexicon.lists["item_fillers"])] or kept
    is_other = any(reading.has("others", i) for i in range(told, head))
    is_known = reading.has("definite", told - 1) or reading.has("own", told - 1)
    is_definite = is_known and pieces is None and not is_other
    name = _text(reading, min(told, head), past)
    return Goods(frozenset().union(*kept), pieces, None, False, is_own, is_definite, name, past)


def _of_phrase(reading: ClauseView, past: int) -> int | None:
    """Return where "potion of greater healing" ends; None where "of" makes something else of it."""
    if not reading.has("of", past):
        return past
    if not reading.has("of_items", past - 1):
        return None
    end = past + 1
    while end < min(past + 1 + _OF_REACH, len(reading.words)) and not (reading.is_end(end) or _is_joint(reading, end)):
        end += 1
    return end if end > past + 1 else None


def _is_joint(reading: ClauseView, at: int) -> bool:
    return reading.has("function", at) and not reading.has("determiners", at)


def _describes(reading: ClauseView, at: int) -> bool:
    if reading.is_end(at) or reading.has("function", at) or reading.has("determiners", at):
        return False
    return reading.has("item_fillers", at) or not reading.names_person(at)


def _ends(reading: ClauseView, at: int) -> bool:
    """Whether a noun phrase may end here: not "sword arm", "key point"."""
    if reading.is_end(at) or reading.has("function", at) or reading.lexicon.is_adverb(reading.words[at]):
        return True
    if (
        reading.has("particles", at)
        or reading.has("straight", at)
        or reading.is_per_head(at)
        or reading.has("richer", at)
        or reading.has("poorer", at)
    ):
        return True
    return bool(reading.lexicon.forms(reading.words[at]) - {"base"})


def _text(reading: ClauseView, first: int, past: int) -> str:
    return " ".join(word.norm for word in reading.words[first:past])
