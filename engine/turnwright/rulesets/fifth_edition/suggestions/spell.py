"""Spell slots."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.entities import number_of, valued
from turnwright.suggestions.rule import Hit, Rule, RuleContext


class Slot(Rule):
    """A spell above a cantrip is cast."""

    id = "r22_slot"
    agents = frozenset({AgentKind.COMBAT, AgentKind.NARRATIVE})
    requires = ("caster",)
    intents = ("slot.use",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read the name of a spell that the caster knows, or that everybody does."""
        levels = valued(look.words.lists.get("spells", frozenset()))
        for found in look.found():
            text = found.group("spell").replace(",", " ")
            spell = _spoken(levels, text)
            known = _spoken([name.lower() for name in look.snapshot.actor.spells or ()], text)
            said = next(filter(None, (found.group(name) for name in ("level", "level_b", "level_c"))), "")
            level = number_of(look, said) if said else None
            if known is not None and spell is None and level is None and not self._is_cantrip(look, known):
                yield look.hit(found, "slot.use", "cast", "a known spell is cast", {})
            elif (spell is not None and levels[spell] > 0) or (level or 0) > 0:
                arguments = {"level": level or levels[spell or ""]}
                yield look.hit(found, "slot.use", "cast", "a spell that takes a slot is cast", arguments)

    def _is_cantrip(self, look: RuleContext, spell: str) -> bool:
        return look.has("cantrips", spell.lower())


def _spoken(spells: Iterable[str], text: str) -> str | None:
    """Return the longest name of a spell that the text holds in full."""
    return max((name for name in spells if f" {name} " in f" {text} "), key=len, default=None)
