"""Read one clause: the people named in it, and each verb's subject and object."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from turnwright.language.clauses import Clause, ClauseKind
from turnwright.language.tokens import Word
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.names import Mention

_SENTENCES = 4
"""How many sentences back the person may be named that a reference means."""
_CLAUSES = 24
"""How many clauses back are looked at, however many a sentence has."""
NP_REACH = 3
"""How many words an article may stand before its noun."""


def readings(page: AnnotatedText) -> Iterator[ClauseView]:
    """Yield each clause in the narrator's own voice, in order, knowing those before it."""
    before: ClauseView | None = None
    for clause in page.clauses:
        if clause.sentence >= 0 and clause.kind is not ClauseKind.META:
            before = ClauseView(page, clause, before)
            yield before


def aside_readings(page: AnnotatedText) -> Iterator[ClauseView]:
    """Yield each clause in brackets, by itself."""
    return (ClauseView(page, clause, None) for clause in page.asides)


class ClauseView:
    """One clause with the people named in it.

    A subject or object is a list of mentions: empty when there is none we may judge; a mention without ids is
    a person the campaign may not know ("the goblin").
    """

    def __init__(self, page: AnnotatedText, clause: Clause, before: ClauseView | None) -> None:
        self.page, self.clause = page, clause
        self.words: Sequence[Word] = clause.words
        self.lexicon = page.lexicon
        self._signs = {word.sign for word in clause.words}
        # Two clauses back are enough for a subject or a pronoun, and keep the chain from growing with the text.
        self.before = before
        if before and before.before:
            before.before.before = None
        self._by_first = {mention.first: mention for mention in self._mentions()}
        self._by_past = {mention.past: mention for mention in self._by_first.values()}
        self.mentions = tuple(self._by_first.values())
        self.subject: list[Mention] = self._own_subject()

    def has(self, name: str, at: int) -> bool:
        """Return whether there is a word at `at` that the list `name` holds."""
        return 0 <= at < len(self.words) and self.lexicon.has(name, self.words[at])

    def may_tell(self, kind: str) -> bool:
        """Return whether the clause holds any of the words that a kind of claim cannot do without."""
        return not self._signs.isdisjoint(self.lexicon.triggers[kind])

    def is_verb(self, group: str, at: int) -> bool:
        """Return whether there is a verb of `group` at `at`."""
        return 0 <= at < len(self.words) and self.lexicon.is_verb(self.words[at], group)

    def is_end(self, at: int) -> bool:
        """Return whether the clause is over at `at`, or there is a punctuation mark."""
        return at >= len(self.words) or self.words[at].is_mark

    def ends_phrase(self, at: int) -> bool:
        """Return whether a phrase is over at `at`: the clause ends there, or a word of another phrase begins."""
        return self.is_end(at) or self.has("function", at) or self._is_adverb(at) or self.is_idiom(at)

    def is_idiom(self, at: int) -> bool:
        """Return whether a fixed phrase is at `at` whose words have no meaning of their own: "without a sound"."""
        return not (self.words[at].sign or self.words[at].capital)

    def is_per_head(self, at: int) -> bool:
        """Return whether "each" or "apiece" follows, at `at`, an amount that all get: "4 each", not "4 each time"."""
        return self.has("per_head", at) and self.ends_phrase(at + 1)

    def asserts(self, at: int) -> bool:
        """Return whether the verb at `at` really happens: not "to enter", unless a person manages or is made to."""
        if not self.clause.asserts(at):
            return False
        if not self.has("infinitive", at - 1):
            return True
        forced = self._by_past.get(at - 1)
        return self.has("allowed_to", at - 2) or (forced is not None and self.has("forcing", forced.first - 1))

    def back(self, sentences: int) -> Iterator[ClauseView]:
        """Yield the clauses of so many sentences before this one and of its own up to it, in order, each by itself."""
        before: ClauseView | None = None
        for clause in self._up_to(sentences):
            if clause.sentence >= 0:
                before = ClauseView(self.page, clause, before)
                yield before

    def quoted_back(self, sentences: int) -> Iterator[ClauseView]:
        """Yield the same clauses as `back`, and the quotations among them."""
        told = (clause for clause in self._up_to(sentences) if clause.kind is not ClauseKind.META)
        return (ClauseView(self.page, clause, None) for clause in told)

    def _up_to(self, sentences: int) -> Sequence[Clause]:
        clauses = self.page.clauses
        past = bisect_right(clauses, self.clause.words[0].start, key=lambda clause: clause.words[0].start)
        near = clauses[max(past - _CLAUSES, 0) : past]
        first = next((i for i, c in enumerate(near) if self.clause.sentence - sentences <= c.sentence), len(near))
        return near[first:]

    def is_arrival(self, at: int) -> bool:
        """Return whether the word at `at` tells of an arrival: "until she came to", "and reaches"."""
        return (self.is_verb("arrive", at) or self.is_verb("enter", at) or self.has("comes", at)) and self.tells(at)

    def is_by_party(self) -> bool:
        """Return whether a party member may do what the clause says: by name, as "you", or as "they".

        Not where its subject is a noun: "the cat curls up".
        """
        scene = self.page.scene
        party = (scene.party or frozenset()) | ({scene.acting} if scene.acting is not None else set())
        if named := {identifier for mention in self.subject for identifier in mention.ids}:
            return not party.isdisjoint(named)
        if self.has("first_plural", 0):
            return True
        first = next((i for i in range(len(self.words)) if not (self.words[i].is_mark or self.has("leads", i))), 0)
        if self.clause.elided and self.before is not None and not self.subject:
            return self.before.is_by_party()
        is_noun = self.has("determiners", first) or self.has("there", first) or self._by_first.get(first) is not None
        return (bool(self.subject) or not is_noun) and not party.isdisjoint(self.near() or party)

    def is_command(self, at: int) -> bool:
        """Return whether the verb at `at` is a command: a base form with nothing before it."""
        k = self._skip_adverbs_back(at - 1)
        return "base" in self.lexicon.forms(self.words[at]) and k < 0 and not self.clause.elided

    def names_person(self, at: int) -> bool:
        """Return whether a person is named at `at`."""
        return at in self._by_first

    def happens(self, at: int) -> int | None:
        """Return where the verb is that carries the tense of the verb at `at`, if the text presents it as done by now.

        That is the verb itself, or the "have" of "has joined": a recent event, not a recollection.
        """
        if self.asserts(at):
            return at
        helper = self._skip_adverbs_back(at - 1)
        if self.clause.kind is not ClauseKind.PAST or self.clause.is_denied(at) or not self.has("perfect_now", helper):
            return None
        before_now = any(self.lexicon.phrases[name].occur_in(self.words) for name in ("past_time", "past"))
        return None if before_now else helper

    def tells(self, at: int) -> bool:
        """Return whether the verb at `at` is said to happen, or to have just come about ("has fallen")."""
        return self.states(at) and (self.asserts(at) or not self.has("infinitive", at - 1))

    def states(self, at: int) -> bool:
        """Return whether the word at `at`, a verb or not, is presented as true now, or as a recent event."""
        if self.clause.asserts(at):
            return True
        if self.clause.kind is not ClauseKind.PAST or self.clause.is_denied(at):
            return False
        is_now = any(self.has("perfect_now", i) for i in range(at))
        return is_now and not any(self.lexicon.phrases[name].occur_in(self.words) for name in ("past_time", "past"))

    def near(self) -> frozenset[str]:
        """Return everyone a reference here may mean: those the sentence names so far, else the one before; "you" too.

        A statement that holds for none of them is false, whichever of them it is about.
        """
        sentences = range(self.clause.sentence, self.clause.sentence - _SENTENCES, -1)
        found = self._told_of(self.clause.sentence) or self._fronted()
        return found or next((found for sentence in sentences if (found := self._told_of(sentence))), frozenset())

    def _fronted(self) -> frozenset[str]:
        """Return the person named by a sentence that begins with another phrase: "Ten gold lighter, Bran leaves"."""
        is_first = self.before is None or self.before.clause.sentence != self.clause.sentence
        row = self.page.naming.get(self.clause.sentence, ())
        return next((ids for _, ids in row), frozenset()) if is_first and not self.subject else frozenset()

    def _told_of(self, sentence: int) -> frozenset[str]:
        return frozenset(i for first, ids in self.page.naming.get(sentence, ()) if first < self._past for i in ids)

    @property
    def _past(self) -> int:
        return self.words[-1].end

    def named(self, first: int = 0, past: int | None = None) -> frozenset[str]:
        """Return the people named between two places of the clause, each by name or as "you"."""
        limit = len(self.words) if past is None else past
        mentions = (m for m in self.mentions if first <= m.first < limit and not m.plural)
        return frozenset(identifier for mention in mentions for identifier in mention.ids)

    def about(self, at: int) -> frozenset[str]:
        """Return the people that the words at `at` may mean: the person named last before them, else all who are near.

        "It" is not a party member, where another character is near.
        """
        for k in range(at - 1, -1, -1):
            if self.has("it_forms", k):
                return self._others()
            if self.has("they_forms", k):
                return self._third_persons()
            mention = self._by_past.get(k + 1)
            if mention and mention.ids and not mention.plural and not self._is_aside(mention):
                return (self.page.scene.party or mention.ids) if mention.second else mention.ids
        if self.has("it_forms", at):
            return self._others()
        return self.near()

    def _is_aside(self, mention: Mention) -> bool:
        return self.has("prepositions", mention.first - 1) or self.has("prepositions", mention.first - 2)

    def _others(self) -> frozenset[str]:
        party = self.page.scene.party or frozenset()
        near, fight = self.near(), self.page.scene.fight
        everyone = frozenset(one.id for one in self.page.scene.people) if fight is not None else frozenset[str]()
        return near - party or everyone - party

    def _third_persons(self) -> frozenset[str]:
        """Return the people that "she" may mean: not the person a text calls "you", if others are near."""
        near, acting = self.near(), self.page.scene.acting
        is_you = acting is not None and self.page.once("says_you", self._says_you)
        return (near - {acting} or near) if is_you else near

    def _says_you(self) -> bool:
        told = (word for clause in self.page.clauses if clause.sentence >= 0 for word in clause.words)
        return any(self.lexicon.has(name, word) for word in told for name in ("you", "your"))

    def noun_after(self, owner: Mention) -> int:
        """Return where the noun that belongs to a possessive begins."""
        return owner.past + (owner.past < len(self.words) and self.words[owner.past].norm == "'s")

    def subjects(self, at: int) -> list[Mention]:
        """Return the subject of the verb at `at`."""
        forms = self.lexicon.forms(self.words[at])
        k = self._skip_adverbs_back(at - 1)
        if self.has("infinitive", k):
            forced = self._by_past.get(k)
            return [forced] if forced else []
        if k < 0 or self.words[k].norm == "," or self.has("and", k):
            found = self._after_comma(at) if k < 0 and "gerund" in forms and not self.clause.elided else self.subject
            return found if "gerund" in forms or self._agree(found, forms) else []
        if forms == {"gerund"}:
            return []
        if self.has("relatives", k):
            k = k - 1 if k > 0 and self.words[k - 1].norm == "," else k
            antecedent = self._by_past.get(k)
            return [antecedent] if antecedent and not antecedent.owner else []
        found = self._ending_at(k + 1)
        return found if self._agree(found, forms) else []

    def object_at(self, at: int) -> list[Mention]:
        """Return the people that the words from `at` on name: a person, a part of a person's body, or a stranger."""
        first = at
        while first < min(at + NP_REACH, len(self.words)) and first not in self._by_first:
            if self.words[first].is_mark or self.has("function", first) or self.lexicon.number(self.words[first]):
                break
            first += 1
        mention = self._by_first.get(first)
        if mention is None:
            return self._unknown_at(at)
        if mention.owner:
            noun = self.noun_after(mention)
            past = next((i + 1 for i in range(noun, noun + NP_REACH) if self.has("body", i)), 0)
            return [replace(mention, past=past, owner=False)] if past else []
        following = self._by_first.get(mention.past + 1)
        if following and not following.owner and self.has("and", mention.past):
            return [mention, following]
        return [mention]

    def struck_before(self, at: int) -> list[Mention]:
        """Return the target of an earlier verb of the clause: "swings at Mira, dealing ..."."""
        past = at
        while past > 0 and past not in self._by_past:
            past -= 1
            if self.has("definite", past) and not any(self.has("body", i) for i in (past + 1, past + 2)):
                return []
        mention = self._by_past.get(past)
        if mention is None or mention in self.subject or mention.first == 0:
            return []
        if self.has("and", mention.first - 1):
            mention = self._by_past.get(mention.first - 1) or mention
        before = mention.first - 1
        plain = not (self.words[before].is_mark or self.has("function", before) or self.has("prepositions", before))
        return self.object_at(mention.first) if plain or self.has("aimed", before) else []

    def span(self, first: int, past: int) -> tuple[int, int]:
        """Return the offsets in the text of `words[first:past]`."""
        return self.words[first].start, self.words[min(past, len(self.words)) - 1].end

    def _mentions(self) -> Iterator[Mention]:
        at = 0
        while at < len(self.words):
            mention = self._mention_at(at)
            if mention:
                yield mention
            at = mention.past if mention else at + 1

    def _mention_at(self, at: int) -> Mention | None:
        people = self.page.scene.people
        everyone = frozenset(person.id for person in people)
        acting = self.page.scene.acting
        you = frozenset({acting}) if acting is not None else everyone
        if self.has("everyone", at):
            return Mention(at, at + 1, everyone, plural=True, exact=False)
        group = self.lexicon.phrases["group"].length_at(self.words, at)
        if group:
            party = self.page.scene.party
            ids = (party | you) if party else everyone
            return Mention(at, at + group, ids, plural=True, exact=False)
        if self.page.scene.speaker is not None and self.has("first_person", at):
            return Mention(at, at + 1, frozenset({self.page.scene.speaker}), plural=True, exact=False)
        if self.has("you", at) or self.has("yourself", at):
            return Mention(at, at + 1, self._addressed() or you, second=True)
        if self.has("your", at):
            return Mention(at, at + 1, you, owner=True, second=True)
        owner = self.has("owners", at) and self._opens_noun(at + 1)
        if owner or self.has("pronouns", at):
            plural = self.has("plural_subjects", at)
            return Mention(at, at + 1, self._antecedent(), plural=plural, owner=owner, exact=False)
        return self.page.people.at(self.words, at)

    def _addressed(self) -> frozenset[str]:
        """Return the party members addressed by name in this clause: "you have it now, Ada", "Ada, you fall"."""
        party = self.page.scene.party or frozenset()
        for at in range(len(self.words)):
            mention = self.page.people.at(self.words, at)
            if mention is None or mention.owner or len(mention.ids) > 1 or mention.ids.isdisjoint(party):
                continue
            ends = mention.past >= len(self.words) or self.words[mention.past].is_mark
            is_set_off = at > 1 and self.words[at - 1].norm == "," and not self.has("you", at - 2)
            if (is_set_off and ends and not self._lists(mention.past)) or (at == 0 and self._calls(mention.past)):
                return mention.ids
        return frozenset()

    def _lists(self, past: int) -> bool:
        """Whether more names follow: "you, Ada, and Bran"."""
        return any(self.has("and", i) for i in (past, past + 1)) or (
            past + 1 < len(self.words) and self.page.people.at(self.words, past + 1) is not None
        )

    def _calls(self, past: int) -> bool:
        """Whether "you" follows a name that the clause begins with: "Ada, you fall"."""
        return past + 1 < len(self.words) and self.words[past].norm == "," and self.has("you", past + 1)

    def _opens_noun(self, at: int) -> bool:
        return not (self.is_end(at) or self.has("function", at) or self.lexicon.number(self.words[at]) is not None)

    def _antecedent(self) -> frozenset[str]:
        """Return the referent of a pronoun: the only person named just before, if the turn's calls concern no other."""
        recent: set[str] = set()
        reading: ClauseView | None = self
        for _ in range(3):
            if reading is None or reading.clause.sentence < self.clause.sentence - 1:
                break
            named = (self.page.people.at(reading.words, i) for i in range(len(reading.words)))
            recent.update(identifier for mention in named if mention for identifier in mention.ids)
            reading = reading.before
        return frozenset(recent) if len(recent) == 1 and self.page.targets == recent else frozenset()

    def _own_subject(self) -> list[Mention]:
        at = 0
        while at < len(self.words) and (self.words[at].is_mark or self.has("leads", at) or self._is_adverb(at)):
            at += 1
        found = self._starting_at(at)
        if found or at >= len(self.words):
            return found
        if self.clause.elided and self.before and self.lexicon.forms(self.words[at]):
            return self.before.subject
        opening = self.has("prepositions", at) or "gerund" in self.lexicon.forms(self.words[at])
        return self._after_comma(at) if opening else []

    def _after_comma(self, at: int) -> list[Mention]:
        comma = next((i for i in range(at, len(self.words)) if self.words[i].norm == ","), len(self.words))
        return self._starting_at(comma + 1)

    def _starting_at(self, at: int) -> list[Mention]:
        first = at
        while self.has("determiners", first) and first not in self._by_first:
            first += 1
        mention = self._by_first.get(first)
        if mention is None or mention.owner:
            return []
        following = self._by_first.get(mention.past + 1)
        return [mention, following] if following and self.has("and", mention.past) else [mention]

    def _ending_at(self, past: int) -> list[Mention]:
        mention = self._by_past.get(past)
        if mention is None:
            return self._unknown_before(past)
        before = mention.first - 1
        while self.has("determiners", before):
            before -= 1
        if mention.owner or self.has("prepositions", before):
            return []
        other = self._by_past.get(before) if self.has("and", before) else None
        return [other, mention] if other and not other.owner else [mention]

    def _unknown_before(self, past: int) -> list[Mention]:
        """Return the nameless creature whose noun ends at `past`: "the goblin"."""
        noun = past - 1
        if noun < 0 or self.words[noun].is_mark or self.has("function", noun) or self.has("objects", noun):
            return []
        for first in range(noun - 1, max(noun - NP_REACH, 0) - 1, -1):
            if self.words[first].is_mark or self.has("indefinite", first):
                return []
            if self.has("definite", first):
                return [] if self.has("prepositions", first - 1) else [Mention(first, past, frozenset(), exact=False)]
        return []

    def _unknown_at(self, at: int) -> list[Mention]:
        if not self.has("definite", at):
            return []
        past = at + 1
        while (
            past < min(at + 1 + NP_REACH, len(self.words)) and not self.is_end(past) and not self.has("function", past)
        ):
            past += 1
        known = past > at + 1 and not any(self.has("objects", i) or self.words[i].norm == "'s" for i in range(at, past))
        return [Mention(at, past, frozenset(), exact=False)] if known else []

    def _agree(self, found: Sequence[Mention], forms: frozenset[str]) -> bool:
        """Whether a verb form suits its subject: "Mira take" is not a statement, "makes Mira take" is one."""
        if not found or forms & {"past", "gerund"}:
            return bool(found)
        many = len(found) > 1 or found[0].plural or found[0].second
        if "base" in forms and (many or self.has("making", found[0].first - 1)):
            return True
        return "third" in forms and not (found[0].second or len(found) > 1)

    def _skip_adverbs_back(self, at: int) -> int:
        # A word that ends a person's name ("you all") is not an adverb there.
        while at >= 0 and self._is_adverb(at) and not self.has("and", at) and at + 1 not in self._by_past:
            at -= 1
        return at

    def _is_adverb(self, at: int) -> bool:
        return self.lexicon.is_adverb(self.words[at])
