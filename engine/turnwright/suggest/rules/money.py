"""Coins that change hands."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.agent import AgentKind
from turnwright.suggest.objects import number_of, thing
from turnwright.suggest.rule import Found, Hit, Look, Rule
from turnwright.suggest.rules.quests import TALKERS

_TIMES = (100, 1000)
"""Numbers that those before them are multiplied with."""


class Currency(Rule):
    """An amount is paid or received."""

    id = "r07_currency"
    agents = TALKERS
    intents = ("money.change",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read verbs of paying and receiving with coins; the verb tells which way they go."""
        sign = -1 if look.snapshot.speaker == "player" else 1
        for found in look.found("pay", "pay_for", "from_us", "give_coins", spoken=look.snapshot.speaker == "npc"):
            yield self._hit(look, found, -1 if found.pattern.name != "give_coins" else sign)
        if look.snapshot.speaker == "player":
            for found in look.found("here_coins", spoken=True):
                yield self._hit(look, found, -1)
        for found in look.found("buy"):
            if thing(look, found.group("what"), found.named("what")):
                yield self._hit(look, found, -1)
        for found in look.found("receive", "find_coins", "lands_in", "sell", "paid_to_us"):
            yield self._hit(look, found, 1)
        if look.snapshot.agent is not AgentKind.NARRATIVE and look.snapshot.speaker == "npc":
            for found in look.found("hand_coins", spoken=True):
                yield self._hit(look, found, 1)

    def _hit(self, look: Look, found: Found, sign: int) -> Hit:
        amount = _amount(look, found.group("amount"))
        arguments: dict[str, object] = {"sign": sign}
        if amount:
            arguments["amount"] = sign * amount
        if coin := found.group("coin"):
            arguments["denomination"] = coin
        reason = "the player pays" if sign < 0 else "the player receives coins"
        return look.hit(found, "money.change", "amount" if amount else "unsaid", reason, arguments)


def _amount(look: Look, text: str) -> int | None:
    """Return the number that the words come to; "two hundred" is one."""
    total = 0
    for word in text.replace(",", "").split():
        number = number_of(look, word) or 0
        total = total * number if total and number in _TIMES else total + number
    return total or None
