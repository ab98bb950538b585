"""The grammar of one language as far as reading a message needs it: word lists and short patterns, from its pack.

Source: docs/suggestions.md, "Reading a message".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from turnwright.suggest.beginnings import one_line
from turnwright.suggest.verbs import Verbs, phrases

_WORD = re.compile(r"[\w'-]+")
_MOST_SKIPPED = 14
"""How many words may stand before the main verb."""


class Head(NamedTuple):
    """The main verb of a clause. `at`: where it stands; `elided`: the clause has no subject of its own.

    `places` are all words from the subject to it: "start" can be an auxiliary ("start to run") and a verb of its own.
    """

    at: int
    places: tuple[tuple[int, str], ...]
    subject: str
    elided: bool
    is_past: bool
    is_present: bool


class Cast(NamedTuple):
    """Whom a message may speak of.

    Attributes:
        selves: names, in lower case, of whoever the speaker may mean with itself.
        others: names of everybody else.
        speaker_is_npc: whether it is a character of the game master who speaks, told of in the third person.
        is_antecedent: whether "he" or "she" is the speaker's own character, which was called by its name.
    """

    selves: Collection[str] = frozenset()
    others: Collection[str] = frozenset()
    speaker_is_npc: bool = False
    is_antecedent: bool = False


@dataclass(frozen=True)
class Grammar:
    """The grammar of a language, compiled; every method takes text in lower case."""

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
        put(self, "_controls", pairs)
        gates = {key: word_lists.get(f"{key}_words") for key in self._rules}
        put(self, "_gates", gates)

    _words: Mapping[str, frozenset[str]] = field(init=False)
    _rules: Mapping[str, re.Pattern[str]] = field(init=False)
    _contractions: Sequence[tuple[re.Pattern[str], str]] = field(init=False)
    _controls: Mapping[str, tuple[tuple[str, ...], ...]] = field(init=False)
    _gates: Mapping[str, frozenset[str] | None] = field(init=False)

    def has(self, name: str, word: str) -> bool:
        """Return whether a word stands in a list."""
        return word in self._words.get(name, ())

    def has_any(self, name: str, words: Collection[str]) -> bool:
        """Return whether any of the words stands in a list."""
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

    def is_contracted(self, text: str, words: frozenset[str]) -> bool:
        """Return whether a text may hold contractions, with an apostrophe or without."""
        signs = self._words.get("sloppy")
        return "'" in text or (not signs.isdisjoint(words) if signs else bool(self._contractions))

    def is_others_speech(self, before: str, after: str, *, is_own: bool, speaker_is_npc: bool) -> bool:
        """Return whether the words around a quotation say that somebody or something else says it.

        `is_own`: the clause before it tells what the speaker does.
        """
        if speaker_is_npc:
            return bool(self.search("text_before", before))
        if is_own and self.search("other_before", before) and not self.search("text_before", before):
            return False
        if self.search("self_before", before) or self.search("self_after", after):
            return False
        found = self.search("text_before", before) or self.search("other_before", before)
        return bool(found or self.search("other_after", after))

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

    def gated(self, name: str, text: str, words: frozenset[str]) -> re.Match[str] | None:
        """Look for a pattern where one of the words it needs, the list `<name>_words`, is there at all."""
        gate = self._gates.get(name)
        return None if gate and gate.isdisjoint(words) else self.search(name, text)

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
        following = _WORD.search(text, conjunction.end(), conjunction.end() + 40)
        joined = (conjunction.group().strip(),)
        return joined in self._controls.get(before, ()) and following is not None and following[0] in self.verbs.first

    def _opens_clause(self, text: str, at: int, cast: Cast) -> bool:
        for _ in range(4):
            match = _WORD.search(text, at, at + 40)
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
        return any(text.startswith(" ".join((word, *rest)), at) for rest in self._controls.get(word, ()) if rest)

    def is_adverb(self, word: str) -> bool:
        """Return whether a word may stand between a subject and its verb."""
        is_by_ending = word.endswith(self.data.get("adverb_ending", "\0")) and word not in self.verbs.first
        return self.has("adverbs", word) or (is_by_ending and len(word) > 3)

    def head(self, text: str, original: str, cast: Cast, before: str | None) -> Head:
        """Return the main verb of a clause and who acts.

        `before` is the subject of the clause before it in the sentence, which a clause without a subject shares.
        """
        found = list(_WORD.finditer(text, 0, 300))[: _MOST_SKIPPED + 6]
        words = [match.group() for match in found]
        i, n = 0, len(words)
        while i < n and (self.has("leads", words[i]) or (self.is_adverb(words[i]) and i + 1 < n)):
            i += 1
        if 0 < i < n - 1 and words[i] not in self.verbs.first and self.has("selves", words[i + 1]):
            i += 1  # whoever is spoken to: "sure, doc, I take it"
        if i < n and (self.has("fronting", words[i]) or self._is_gerund(words[i])):
            i = self._subject_behind(words, i, found, text, cast)
        subject, i, elided = self._subject(words, i, found, original, cast, before)
        is_past = False
        places = []
        while i < n:
            places.append((found[i].start(), words[i]))
            skipped = self._control_length(words, i)
            if not skipped and i + 1 < n and (self.is_adverb(words[i]) or self.has("leads", words[i])) and not elided:
                skipped = 1
            if not skipped:
                break
            is_past = is_past or self.has("past_auxiliaries", words[i])
            i += skipped
        if i >= n:
            return Head(
                places[-1][0] if places else len(text), tuple(places), subject, elided, is_past, is_present=False
            )
        verb = words[i]
        if elided and (endings := self.data.get("infinitive_endings")):
            elided = verb.endswith(tuple(endings.split()))
        is_past = is_past or (verb in self.verbs.past and verb not in self.verbs.base)
        return Head(found[i].start(), tuple(places), subject, elided, is_past, self.has_any("present", words))

    def _is_gerund(self, word: str) -> bool:
        return word in self.verbs.gerund and bool(self.data.get("inflects"))

    def _subject_behind(self, words: list[str], i: int, found: list[re.Match[str]], text: str, cast: Cast) -> int:
        """Return the index of the subject behind a phrase: "behind the tapestry [we] find"; `i` for none."""
        for k in range(i + 1, min(len(words), i + 9)):
            if "," in text[found[k - 1].end() : found[k].start()]:
                return i
            if self.has("selves", words[k]) or self.has("addressed", words[k]):
                return k
            if k > i + 1 and (words[k] in cast.selves or (cast.is_antecedent and self.has("personal", words[k]))):
                return k
            if self._band_length(words, k):
                return k
        return i

    def _subject(
        self,
        words: list[str],
        i: int,
        found: list[re.Match[str]],
        original: str,
        cast: Cast,
        before: str | None,
    ) -> tuple[str, int, bool]:
        """Return who acts, the index of the first word after the subject, and whether there is none."""
        subject = self._named(words, i, cast) or self._addressed(words, i)
        if subject is None and i < len(words) and not self._is_clitic(words, i):
            subject = self._third_person(words, i, cast)
            if subject is None and original[found[i].start()].isupper():
                subject = self._capital(words, i, [original[one.start()].isupper() for one in found[i + 1 : i + 4]])
        return (*subject, False) if subject else (before or "self", i, True)

    def _named(self, words: list[str], i: int, cast: Cast) -> tuple[str, int] | None:
        """Return a subject that is called by a name the reader knows, and the index of the word after it."""
        for past in range(min(i + 3, len(words) - 1), i, -1):
            name = " ".join(words[i:past])
            if name in cast.selves:
                return "self", past
            if name in cast.others and not cast.speaker_is_npc:
                return "other", past
        return None

    def _addressed(self, words: list[str], i: int) -> tuple[str, int] | None:
        """Return a subject in the first or second person, and the index of the word after it."""
        if i >= len(words):
            return None
        word, n = words[i], len(words)
        if self.has("selves", word):
            return "self", i + 1
        if word == self.data.get("let") and not self.has_any("let_particles", words[i + 1 : i + 2]):
            is_own = i + 1 < n and self.has("let_selves", words[i + 1])
            return ("self", i + 2) if is_own else ("other", i + 1)
        if self.has("addressed", word):
            return "you", i + 1
        if self.has("own", word) and i + 2 < n and self.has("characters", words[i + 1]):
            return "self", i + 2
        band = self._band_length(words, i)
        return ("self", i + band) if band and i + band < n else None

    def _third_person(self, words: list[str], i: int, cast: Cast) -> tuple[str, int] | None:
        """Return a subject that begins like one in the third person, and the index of its verb."""
        if not self.has("subjects", words[i]):
            return None
        rest = range(i + 1, min(len(words), i + 7))
        verbs = (k for k in rest if words[k] in self.verbs.first or self._control_length(words, k))
        is_own = (cast.speaker_is_npc and self.has("npc_subjects", words[i])) or (
            cast.is_antecedent and self.has("personal", words[i])
        )
        return "self" if is_own else "other", next(verbs, len(words))

    def _capital(self, words: list[str], i: int, capitals: list[bool]) -> tuple[str, int] | None:
        """Return a subject that nobody knows, written like a name, and the index of the verb that has to follow it.

        `capitals`: for each of the next words whether it begins with one.
        """
        if words[i] in self.verbs.base or self.is_adverb(words[i]):
            return None
        last = next((i + 1 + k for k, is_name in enumerate(capitals) if not is_name), len(words))
        if last == len(words):
            return None
        is_verb = words[last] in self.verbs.third or words[last] in self.verbs.past
        return ("self", last) if is_verb or self._control_length(words, last) else None

    def _band_length(self, words: list[str], i: int) -> int:
        """Return how many words from here name the speaker's own company: "the party", "the two of us", "all of us"."""
        at = i + (words[i] == self.data.get("the"))
        if at > i and at < len(words) and self.has("bands", words[at]) and words[at + 1 : at + 2] != ["of"]:
            return 2 if not self.has("numbers", words[at]) else 0
        if words[at + 1 : at + 3] == ["of", "us"] and (
            self.has("bands", words[at]) or self.has("everybody", words[at])
        ):
            return at - i + 3
        return 0

    def _control_length(self, words: list[str], i: int) -> int:
        """Return how many words from here are auxiliaries or verbs of wanting and trying before the real verb."""
        if i >= len(words):
            return 0
        if self._is_clitic(words, i):
            return 1
        for rest in self._controls.get(words[i], ()):
            past = i + 1 + len(rest)
            if tuple(words[i + 1 : past]) == rest and past <= len(words):
                needs_verb = bool(rest) and rest[-1] in self._words.get("infinitives", ())
                if not needs_verb or (past < len(words) and self._leads_to_verb(words, past)):
                    return 1 + len(rest)
        return 0

    def _leads_to_verb(self, words: list[str], i: int) -> bool:
        return words[i] in self.verbs.first or self.is_adverb(words[i]) or self._is_clitic(words, i)

    def _is_clitic(self, words: list[str], i: int) -> bool:
        """Return whether a word is a pronoun before its verb ("la tomo"); it can look like an article."""
        if not self.has("clitics", words[i]) or i + 1 >= len(words):
            return False
        is_never_an_article = not self.has("subjects", words[i])
        return is_never_an_article or words[i + 1] in self.verbs.first or bool(self._control_length(words, i + 1))

    def correction(self, word: str) -> str | None:
        """Return the verb that a word is a slip for; None where it is none."""
        return None if self.has("no_verbs", word) else self.verbs.correction(word)


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(one_line(pattern))
