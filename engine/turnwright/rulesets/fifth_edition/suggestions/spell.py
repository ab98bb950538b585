"""Spell slots."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.language.message_text import words_of
from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.entities import number_of, valued
from turnwright.suggestions.rule import Found, Hit, Rule, RuleContext


class Slot(Rule):
    """A spell above a cantrip is cast."""

    id = "r22_slot"
    agents = frozenset({AgentKind.COMBAT, AgentKind.NARRATIVE})
    requires = ("caster",)
    intents = ("slot.use",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find the name of a spell that the caster knows, or that is known generally."""
        levels = valued(look.words.lists.get("spells", frozenset()))
        for found in look.found():
            text = found.group("spell").replace(",", " ")
            spell = _spoken(levels, text)
            known = _spoken([name.lower() for name in look.snapshot.actor.spells or ()], text)
            if self._is_no_spell(look, found, text, spell or known):
                continue
            said = next(filter(None, (found.group(name) for name in ("level", "level_b", "level_c"))), "")
            level = number_of(look, said) if said else None
            if known is not None and spell is None and level is None and not self._is_cantrip(look, known):
                yield look.hit(found, "slot.use", "cast", "a known spell is cast", {})
            elif (spell is not None and levels[spell] > 0) or (level or 0) > 0:
                arguments = {"level": level or levels[spell or ""]}
                yield look.hit(found, "slot.use", "cast", "a spell that takes a slot is cast", arguments)

    def _is_no_spell(self, look: RuleContext, found: Found, text: str, name: str | None) -> bool:
        """Return whether a word that is also the name of a spell means a thing or a manner here: "the jump rope".

        After a verb that only means casting it is the spell unless a noun follows, or another adjective is joined to
        it; after another verb, such as "use", an article or "my" makes it a thing as well.
        """
        if name is None or not look.has("everyday", name):
            return False
        words = text.split()
        at = words.index(name)
        before, behind = words[:at], words[at + 1 :]
        joined = words_of(found.clause.text[found.match.end("spell") :])[:2]
        if len(joined) == 2 and look.has("joints", joined[0]) and not self._begins_spell(look, joined[1]):
            return True
        if not all(look.has("beside_spell", word) for word in behind):
            return True
        is_casting = look.has("casting", words_of(found.match[0])[0]) or bool(behind)
        return not is_casting and (look.has_any("articles", before) or look.has_any("own", before))

    def _begins_spell(self, look: RuleContext, word: str) -> bool:
        """Return whether the name of a spell that takes a slot, of a cantrip, or that the caster knows begins so."""
        known = (name.lower() for name in look.snapshot.actor.spells or ())
        names = (*valued(look.words.lists["spells"]), *look.words.lists.get("cantrips", ()), *known)
        return any(name.split()[0] == word for name in names)

    def _is_cantrip(self, look: RuleContext, spell: str) -> bool:
        return look.has("cantrips", spell.lower())


def _spoken(spells: Iterable[str], text: str) -> str | None:
    """Return the longest name of a spell that the text holds in full."""
    return max((name for name in spells if f" {name} " in f" {text} "), key=len, default=None)
