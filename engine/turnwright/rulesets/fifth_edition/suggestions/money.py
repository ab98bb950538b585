"""Coins that change hands."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.language.message_text import words_of
from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.core.suggestions.quests import TALKERS
from turnwright.suggestions.entities import (
    head_of,
    is_money,
    noun_phrase,
    number_of,
    others,
    person_after,
    person_of,
    thing,
)
from turnwright.suggestions.rule import Found, Hit, Rule, RuleContext
from turnwright.suggestions.snapshot import Named

_TIMES = (100, 1000)
"""Numbers that multiply the number before them."""


class Currency(Rule):
    """An amount is paid or received."""

    id = "r07_currency"
    agents = TALKERS
    intents = ("money.change",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find verbs of paying and receiving with coins; the verb determines the direction."""
        sign = -1 if look.snapshot.speaker == "player" else 1
        for found in look.found("pay", "pay_for", "from_us", "give_coins", spoken=look.snapshot.speaker == "npc"):
            if _is_of_coins(look, found):
                yield self._hit(look, found, -1 if found.pattern.name != "give_coins" else sign)
        if look.snapshot.speaker == "player":
            for found in look.found("here_coins", spoken=True):
                yield self._hit(look, found, -1)
        for found in look.found("buy"):
            if found.group("amount") or thing(look, found.group("what"), found.named("what")):
                yield self._hit(look, found, -1)
        for found in look.found("receive", "find_coins", "lands_in", "sell", "paid_to_us"):
            if _is_of_coins(look, found):
                yield self._hit(look, found, 1)
        if look.snapshot.agent is not AgentKind.NARRATIVE and look.snapshot.speaker == "npc":
            for found in look.found("hand_coins", spoken=True):
                yield self._hit(look, found, 1)

    def _hit(self, look: RuleContext, found: Found, sign: int) -> Hit:
        amount = _amount(look, found.group("amount"))
        arguments: dict[str, object] = {"sign": sign}
        if amount:
            arguments["amount"] = sign * amount
        if coin := found.group("coin"):
            arguments["denomination"] = coin
        is_own = look.snapshot.speaker == "player" and found.pattern.name != "buy"
        if sign < 0 and is_own and (paid := _paid(look, found)):
            arguments["to"] = paid.name
        reason = "the player pays" if sign < 0 else "the player receives coins"
        return look.hit(found, "money.change", "amount" if amount else "unsaid", reason, arguments)


def _is_of_coins(look: RuleContext, found: Found) -> bool:
    """Return whether a "silver" thing is money, and not "the silver dagger" or "two gold rings"."""
    coin = found.group("coin")
    words = noun_phrase(look, found.clause.text[found.match.start("amount") :], "").words if coin else ()
    if coin not in words or look.has("denominations", head_of(look, words)) or is_money(look, words):
        return True
    head = head_of(look, words)
    return _amount(look, found.group("amount")) is not None and not look.has_any(
        "item_nouns", (head, head.removesuffix("s"))
    )


def _paid(look: RuleContext, found: Found) -> Named | None:
    """Return the paid character: named before the amount, right after the verb if there is none, or after "to".

    If the paid character has no name, "to Lena" means something else.
    """
    text, start = found.clause.text, found.match.start()
    end = found.match.start("amount") if found.group("amount") else found.match.end()
    words = words_of(text[start:end])[: None if found.group("amount") else 3]
    if person := person_of(look, others(look), words):
        return person
    return None if look.has_any("people", words) else person_after(look, "to_words", text[start:])


def _amount(look: RuleContext, text: str) -> int | None:
    """Return the number that the words express; "two hundred" is one."""
    total = 0
    for word in text.replace(",", "").split():
        number = number_of(look, word) or 0
        total = total * number if total and number in _TIMES else total + number
    return total or None
