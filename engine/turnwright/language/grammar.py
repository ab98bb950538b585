"""The grammar of one language as far as reading a message needs it: word lists and short patterns, from its pack.

Source: docs/suggestions.md, "Reading a message".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from turnwright.language.message_text import WORD
from turnwright.language.pattern_prefixes import one_line
from turnwright.language.verbs import Verbs, any_of, phrases


class Cast(NamedTuple):
    """The characters that a message may refer to.

    Attributes:
        selves: names, in lower case, by which the speaker may refer to itself.
        others: names of all other characters.
        members: the others who belong to the party.
        speaker_is_npc: whether the speaker is a game master's character, described in the third person.
        is_antecedent: whether "he" or "she" is the speaker's own character, named before.
    """

    selves: Collection[str] = frozenset()
    others: Collection[str] = frozenset()
    members: Collection[str] = frozenset()
    speaker_is_npc: bool = False
    is_antecedent: bool = False


@dataclass(frozen=True)
class Grammar:
    """The grammar of a language, compiled; every method takes text in lower case.

    Attributes:
        verbs: the verbs of the language, in all their forms.
        data: the grammar as the pack has it.
        gestures: signs that stand for a word.
        controls: auxiliaries and verbs of wanting and trying by their first word: the words that follow, longest first.
    """

    verbs: Verbs
    data: Mapping[str, Any]
    gestures: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Compile the word lists."""
        put = object.__setattr__
        word_lists = {key: frozenset(phrases(value)) for key, value in self.data.get("words", {}).items()}
        put(self, "_words", word_lists)
        put(self, "_rules", {key: _compiled(value) for key, value in self.data.get("patterns", {}).items()})
        spelled = self.data.get("contractions", {})
        put(self, "_contractions", [(re.compile(key, re.IGNORECASE), value) for key, value in spelled.items()])
        pairs: dict[str, tuple[tuple[str, ...], ...]] = {}
        for entry in sorted(word_lists.get("controls", ()), key=lambda e: (-e.count(" "), e)):
            first, *rest = entry.split(" ")
            pairs[first] = (*pairs.get(first, ()), tuple(rest))
        put(self, "controls", pairs)
        signs = any_of(self.gestures)
        put(self, "_gestured", re.compile(rf"(?P<sign>{signs})(?:\s{{0,3}}(?:{signs}))*"))
        gates = {key: word_lists.get(f"{key}_words") for key in self._rules}
        put(self, "_gates", gates)

    controls: Mapping[str, tuple[tuple[str, ...], ...]] = field(init=False)
    _words: Mapping[str, frozenset[str]] = field(init=False)
    _rules: Mapping[str, re.Pattern[str]] = field(init=False)
    _contractions: Sequence[tuple[re.Pattern[str], str]] = field(init=False)
    _gestured: re.Pattern[str] = field(init=False)
    _gates: Mapping[str, frozenset[str] | None] = field(init=False)

    def has(self, name: str, word: str) -> bool:
        """Return whether a word is in a list."""
        return word in self._words.get(name, ())

    def has_any(self, name: str, words: Collection[str]) -> bool:
        """Return whether any of the words is in a list."""
        return not self._words.get(name, frozenset()).isdisjoint(words)

    def search(self, name: str, text: str) -> re.Match[str] | None:
        """Look for a pattern of the grammar; one that the pack does not have matches nothing."""
        rule = self._rules.get(name)
        return rule.search(text) if rule else None

    def _all(self, name: str, text: str) -> Iterator[re.Match[str]]:
        rule = self._rules.get(name)
        return rule.finditer(text) if rule else iter(())

    def written_out(self, text: str) -> str:
        """Return the words of a clause with contractions written out."""
        for pattern, written in self._contractions:
            text = pattern.sub(written, text)
        return text

    def spoken(self, text: str) -> str:
        """Return a message with gestures as words; a row of them is one."""
        return self._gestured.sub(lambda row: f" {self.gestures[row['sign']]}. ", text) if self.gestures else text

    def is_contracted(self, text: str, words: frozenset[str]) -> bool:
        """Return whether a text may hold contractions, with an apostrophe or without."""
        signs = self._words.get("sloppy")
        return "'" in text or (not signs.isdisjoint(words) if signs else bool(self._contractions))

    def is_others_speech(
        self, before: str, after: str, *, is_own: bool, is_own_after: bool, speaker_is_npc: bool
    ) -> bool:
        """Return whether the words around a quotation attribute it to another speaker.

        `is_own`: the clause before it describes the speaker's action; `is_own_after`: the clause after it does.
        """
        if speaker_is_npc:
            return bool(self.search("text_before", before))
        if is_own and self.search("other_before", before) and not self.search("text_before", before):
            return False
        if self.search("self_before", before) or self.search("self_after", after):
            return False
        found = self.search("text_before", before) or self.search("other_before", before)
        return bool(found or (not is_own_after and self.search("other_after", after)))

    def is_tag_question(self, text: str) -> bool:
        """Return whether the question mark only asks for a nod: "..., ok?"."""
        return bool(self.search("tag", text))

    def leads_question(self, text: str, *, is_relative: bool) -> bool:
        """Return whether a clause begins like a question; "where we part" is none where it may be relative."""
        return bool(self.search("question", text)) and not (is_relative and self.search("relative", text))

    def may_ask(self, words: frozenset[str]) -> bool:
        """Return whether any of the words can begin a question."""
        gate = self._gates.get("question")
        return not gate or not gate.isdisjoint(words)

    def supposed_from(self, text: str, words: frozenset[str]) -> int:
        """Return from where on a sentence only supposes; past its end when it does not."""
        found = self.gated("condition", text, words)
        if found is None:
            return len(text) + 1
        complement = self.search("complement", text)
        return found.start() + 1 if complement and complement.end() >= found.start() else 0

    def denied_from(self, text: str, words: frozenset[str]) -> int:
        """Return where a negation begins, past the end where there is none."""
        gate = self._gates.get("negator")
        if gate and gate.isdisjoint(words):
            return len(text) + 1
        idioms = [found.span() for found in self._all("positive", text)]
        starts = (found.start() for found in self._all("negator", text))
        return next((at for at in starts if not any(a <= at < b for a, b in idioms)), len(text) + 1)

    def gated(self, name: str, text: str, words: frozenset[str], at: int = 0) -> re.Match[str] | None:
        """Look from `at` on for a pattern where one of the words it needs, the list `<name>_words`, is there at all."""
        gate = self._gates.get(name)
        return None if gate and gate.isdisjoint(words) else self.search(name, text[at:])

    def is_perfect(self, text: str, words: frozenset[str]) -> bool:
        """Return whether the clause tells of what was done before: "have taken"."""
        found = self.gated("perfect", text, words)
        if found is None or not self.data.get("inflects"):
            return found is not None
        word = found.group("participle")
        return word in self.verbs.participles or (word.endswith("ed") and len(word) > 4)

    def cuts(self, text: str, cast: Cast) -> list[int]:
        """Return where new clauses begin: at a conjunction or comma that a subject or a verb follows."""
        found = []
        for match in self._all("conjunction", text):
            if match.lastgroup == "always" or (
                self._opens_clause(text, match.end(), cast) and not self._joins_verbs(text, match)
            ):
                found.append(match.start())
        return found

    def _joins_verbs(self, text: str, conjunction: re.Match[str]) -> bool:
        """Return whether a conjunction belongs to an auxiliary: "turn [and] flee"."""
        before = text[max(conjunction.start() - 40, 0) : conjunction.start()].rpartition(" ")[2]
        following = WORD.search(text, conjunction.end(), conjunction.end() + 40)
        joined = (conjunction.group().strip(),)
        return joined in self.controls.get(before, ()) and following is not None and following[0] in self.verbs.first

    def _opens_clause(self, text: str, at: int, cast: Cast) -> bool:
        for _ in range(4):
            match = WORD.search(text, at, at + 40)
            if match is None:
                return False
            word = match.group()
            if self.has("selves", word.partition("'")[0]) or word in self.verbs.first or word in cast.selves:
                return True
            if self.has("subjects", word.partition("'")[0]) or word in cast.others:
                return True
            if not (self.has("leads", word) or self.has("clitics", word) or self.is_adverb(word)):
                return self._is_control(text, match.start())
            at = match.end()
        return False

    def _is_control(self, text: str, at: int) -> bool:
        word = text[at:].partition(" ")[0]
        return any(text.startswith(" ".join((word, *rest)), at) for rest in self.controls.get(word, ()) if rest)

    def is_adverb(self, word: str) -> bool:
        """Return whether a word may stand between a subject and its verb."""
        is_by_ending = word.endswith(self.data.get("adverb_ending", "\0")) and word not in self.verbs.first
        return self.has("adverbs", word) or (is_by_ending and len(word) > 3)

    def correction(self, word: str) -> str | None:
        """Return the verb that a word is a slip for; None where it is none."""
        return None if self.has("no_verbs", word) else self.verbs.correction(word)


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(one_line(pattern))
