"""The head of a clause: its main verb behind subject and auxiliaries, and who acts.

Source: docs/suggestions.md, "Reading a message".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from turnwright.language.grammar import Cast, Grammar
from turnwright.language.message_text import WORD

_MAX_SKIPPED = 14
"""Maximum number of words before the main verb."""


class Head(NamedTuple):
    """The main verb of a clause. `at`: its index; `elided`: the clause has no explicit subject.

    `places` are all words from the subject to it: "start" can be an auxiliary ("start to run") and a main verb.
    """

    at: int
    places: tuple[tuple[int, str], ...]
    subject: str
    elided: bool
    is_past: bool
    is_present: bool


def head_of(grammar: Grammar, text: str, original: str, cast: Cast, before: str | None) -> Head:
    """Return the main verb of a clause and its actor.

    Args:
        grammar: that of its language.
        text: the clause in lower case.
        original: the same in its own case, of the same length.
        cast: the characters it may refer to.
        before: the subject of the clause before it in the sentence, which a clause without a subject shares.
    """
    found = list(WORD.finditer(text, 0, 300))[: _MAX_SKIPPED + 6]
    return _Words(grammar, cast, text, original, found, [match.group() for match in found]).head(before)


class _Words(NamedTuple):
    """The first words of a clause, `found` in its text; `i` is the index of one of them throughout."""

    grammar: Grammar
    cast: Cast
    text: str
    original: str
    found: list[re.Match[str]]
    words: list[str]

    def head(self, before: str | None) -> Head:
        grammar, words, found = self.grammar, self.words, self.found
        subject, i, elided = self._subject(self._start(), before)
        n = len(words)
        is_past = False
        places = []
        while i < n:
            places.append((found[i].start(), words[i]))
            skipped = self._control_length(i)
            if not (skipped or elided) and i + 1 < n:
                skipped = int(grammar.is_adverb(words[i]) or grammar.has("leads", words[i]))
            if not skipped:
                break
            is_past = is_past or grammar.has("past_auxiliaries", words[i])
            i += skipped
        if i >= n:
            at = places[-1][0] if places else len(self.text)
            return Head(at, tuple(places), subject, elided, is_past, is_present=False)
        verb = words[i]
        if elided and (endings := grammar.data.get("infinitive_endings")):
            elided = verb.endswith(tuple(endings.split()))
        is_past = is_past or (verb in grammar.verbs.past and verb not in grammar.verbs.base)
        return Head(found[i].start(), tuple(places), subject, elided, is_past, grammar.has_any("present", words))

    def _start(self) -> int:
        """Return where the subject may stand, behind what leads up to it."""
        grammar, words = self.grammar, self.words
        i, n = 0, len(words)
        while i < n and (grammar.has("leads", words[i]) or (grammar.is_adverb(words[i]) and i + 1 < n)):
            i += 1
        if 0 < i < n - 1 and words[i] not in grammar.verbs.first and grammar.has("selves", words[i + 1]):
            i += 1  # the person spoken to: "sure, doc, I take it"
        if i < n and (grammar.has("fronting", words[i]) or self._is_gerund(words[i])):
            return self._subject_behind(i)
        return i

    def _is_gerund(self, word: str) -> bool:
        return word in self.grammar.verbs.gerund and bool(self.grammar.data.get("inflects"))

    def _subject_behind(self, i: int) -> int:
        """Return the index of the subject behind a phrase: "behind the tapestry [we] find"; `i` for none."""
        grammar, cast, words = self.grammar, self.cast, self.words
        for k in range(i + 1, min(len(words), i + 9)):
            if "," in self.text[self.found[k - 1].end() : self.found[k].start()]:
                return i
            if grammar.has("selves", words[k]) or grammar.has("addressed", words[k]):
                return k
            if k > i + 1 and (words[k] in cast.selves or (cast.is_antecedent and grammar.has("personal", words[k]))):
                return k
            if self._band_length(k):
                return k
        return i

    def _subject(self, i: int, before: str | None) -> tuple[str, int, bool]:
        """Return who acts, the index of the first word after the subject, and whether there is none."""
        subject = self._named(i) or self._addressed(i)
        if subject is None and i < len(self.words) and not self._is_clitic(i):
            subject = self._third_person(i)
            if subject is None and self._is_capital(i):
                subject = self._unknown(i)
        return (*subject, False) if subject else (before or "self", i, True)

    def _named(self, i: int) -> tuple[str, int] | None:
        """Return a subject that is called by a name the reader knows, and the index of the word after it."""
        for past in range(min(i + 3, len(self.words) - 1), i, -1):
            name = " ".join(self.words[i:past])
            if name in self.cast.selves:
                return "self", past
            if name in self.cast.others and not self.cast.speaker_is_npc:
                return "member" if name in self.cast.members else "other", past
        return None

    def _addressed(self, i: int) -> tuple[str, int] | None:
        """Return a subject in the first or second person, and the index of the word after it."""
        grammar, words, n = self.grammar, self.words, len(self.words)
        if i >= n:
            return None
        word = words[i]
        if grammar.has("selves", word):
            return "self", i + 1
        if word == grammar.data.get("let") and not grammar.has_any("let_particles", words[i + 1 : i + 2]):
            is_own = i + 1 < n and grammar.has("let_selves", words[i + 1])
            return ("self", i + 2) if is_own else ("other", i + 1)
        if grammar.has("addressed", word):
            return "you", i + 1
        if grammar.has("own", word) and i + 2 < n and grammar.has("characters", words[i + 1]):
            return "self", i + 2
        band = self._band_length(i)
        return ("self", i + band) if band and i + band < n else None

    def _third_person(self, i: int) -> tuple[str, int] | None:
        """Return a subject that begins like one in the third person, and the index of its verb."""
        grammar, cast, words = self.grammar, self.cast, self.words
        if not grammar.has("subjects", words[i]):
            return None
        rest = range(i + 1, min(len(words), i + 7))
        verbs = (k for k in rest if words[k] in grammar.verbs.first or self._control_length(k))
        is_own = (cast.speaker_is_npc and grammar.has("npc_subjects", words[i])) or (
            cast.is_antecedent and grammar.has("personal", words[i])
        )
        return "self" if is_own else "other", next(verbs, len(words))

    def _unknown(self, i: int) -> tuple[str, int] | None:
        """Return an unknown subject written like a name, and the index of the verb that has to follow it."""
        verbs, words = self.grammar.verbs, self.words
        if words[i] in verbs.base or self.grammar.is_adverb(words[i]):
            return None
        after = range(i + 1, min(len(words), i + 4))
        last = next((k for k in after if not self._is_capital(k)), None)
        if last is None:
            return None
        is_verb = words[last] in verbs.third or words[last] in verbs.past
        return ("self", last) if is_verb or self._control_length(last) else None

    def _is_capital(self, i: int) -> bool:
        return self.original[self.found[i].start()].isupper()

    def _band_length(self, i: int) -> int:
        """Return how many words from here name the speaker's own company: "the party", "the two of us", "all of us"."""
        grammar, words = self.grammar, self.words
        at = i + (words[i] == grammar.data.get("the"))
        if at > i and at < len(words) and grammar.has("bands", words[at]) and words[at + 1 : at + 2] != ["of"]:
            return 2 if not grammar.has("numbers", words[at]) else 0
        if words[at + 1 : at + 3] == ["of", "us"] and (
            grammar.has("bands", words[at]) or grammar.has("everybody", words[at])
        ):
            return at - i + 3
        return 0

    def _control_length(self, i: int) -> int:
        """Return how many words from here are auxiliaries or verbs of wanting and trying before the real verb."""
        words = self.words
        if i >= len(words):
            return 0
        if self._is_clitic(i):
            return 1
        for rest in self.grammar.controls.get(words[i], ()):
            past = i + 1 + len(rest)
            if tuple(words[i + 1 : past]) == rest and past <= len(words):
                needs_verb = bool(rest) and self.grammar.has("infinitives", rest[-1])
                if not needs_verb or (past < len(words) and self._leads_to_verb(past)):
                    return 1 + len(rest)
        return 0

    def _leads_to_verb(self, i: int) -> bool:
        word = self.words[i]
        return word in self.grammar.verbs.first or self.grammar.is_adverb(word) or self._is_clitic(i)

    def _is_clitic(self, i: int) -> bool:
        """Return whether a word is a pronoun before its verb ("la tomo"); it can look like an article."""
        grammar, words = self.grammar, self.words
        if not grammar.has("clitics", words[i]) or i + 1 >= len(words):
            return False
        is_never_an_article = not grammar.has("subjects", words[i])
        return is_never_an_article or words[i + 1] in grammar.verbs.first or bool(self._control_length(i + 1))
