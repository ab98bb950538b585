"""Death and defeat: "Mira dies", "Grell is defeated", "Bran falls unconscious", said of a person who is still up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind, some_of
from turnwright.narration.facts import EffectKind, Person
from turnwright.narration.names import Mention

CLAIM = "death"
STATES = ("dying", "dead")
"""States after the turn that bear a death out: at 0 hit points a character is dying, whatever the text calls it."""


_NOTES = (":", "|", "(", "-", "–", "—")
_REACH_OF_SUBJECT = 4
_MAX_HEADING = 5
"""How many words the heading of a list of names may have."""
DOWN = (*STATES, "unconscious")
"""States, and the condition, that support the claim that a person lies senseless or is beaten."""


class DeathClaims:
    """Claims that a known character is dead, beaten or unconscious.

    expected: `{"character_id": ..., "state": ["dying", "dead"]}`, with every state that would bear the claim out.
    actual: `{"state": "alive", "hp": 7}`, the state after the turn and the hit points where they are known.
    """

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield the deaths and defeats of this clause that the state after the turn denies."""
        for at in range(len(reading.words)):
            if not reading.asserts(at):
                continue
            yield from _stands(reading, at)
            who, past, states = _fallen(reading, at)
            for mention in who:
                ids = _ours(reading) or mention.ids if mention.second else mention.ids
                people = [person for person in reading.page.scene.people if person.id in ids]
                if people and not mention.plural and not any(_bears_out(reading, person, states) for person in people):
                    span = reading.span(min(at, _start(reading, mention, at)), past)
                    yield _state_finding(reading, people, states, span)


def loosely(reading: ClauseView) -> Iterator[Finding]:
    """Yield each person whom the text wrongly calls down, or up, in any words."""
    yield from _looks(reading)
    yield from _ended(reading)
    yield from noted(reading)


def _looks(reading: ClauseView) -> Iterator[Finding]:
    """Yield a state told without naming a person, where no one near is in that state."""
    for name, states in (("looks_down", DOWN), ("looks_dead", STATES[1:]), ("looks_up", ("alive",))):
        for first, past in reading.lexicon.phrases[name].find(reading.words):
            if not reading.tells(first) or reading.has("as_like", first - 1) or _is_of_thing(reading, first):
                continue
            is_label = past < len(reading.words) and reading.words[past].norm == ":"
            if reading.names_person(past) and reading.lexicon.forms(reading.words[past - 1]) and name != "looks_up":
                continue  # "that does not move him"
            if past < len(reading.words) and (reading.is_verb("speak", past) or reading.is_verb("act", past)):
                continue  # "the corpse says"
            if is_label and (first == 0 or reading.words[first - 1].is_mark):
                continue  # "Dying: no longer"
            ids = reading.about(first)
            people = [person for person in reading.page.scene.people if person.id in ids]
            if any(_is_alive_still(reading, first, person) for person in people):
                continue
            if people and not any(_may_look(reading, person, states) for person in people):
                yield _state_finding(reading, people, states, reading.span(first, past))
                return


def _ended(reading: ClauseView) -> Iterator[Finding]:
    """Yield people still up whose end the text tells: "that is the end of Grell", "curtains for the wolf"."""
    for first, past in reading.lexicon.phrases["end_of"].find(reading.words):
        who = reading.object_at(past) if past < len(reading.words) and reading.tells(first) else []
        people = [person for person in reading.page.scene.people if any(person.id in m.ids for m in who)]
        if people and reading.ends_phrase(who[0].past) and not any(_may_look(reading, one, DOWN) for one in people):
            yield _state_finding(reading, people, DOWN, reading.span(first, who[0].past))
            return


def noted(reading: ClauseView) -> Iterator[Finding]:
    """Yield wrong states in notes: "Ada: unconscious", "| Ada | dead |", "Dead: Ada"."""
    yield from _headed(reading)
    yield from _lone(reading)
    for mention in reading.mentions:
        if mention.owner or mention.plural or not mention.ids or mention.past >= len(reading.words):
            continue
        if reading.words[mention.past].norm not in _NOTES:
            continue
        at = mention.past
        while at < len(reading.words) and reading.words[at].is_mark:
            at += 1
        states = DOWN if reading.has("note_down", at) else ("alive",) if reading.has("note_up", at) else ()
        people = [person for person in reading.page.scene.people if person.id in mention.ids]
        if states and people and reading.states(at) and not any(_may_look(reading, one, states) for one in people):
            yield _state_finding(reading, people, states, reading.span(mention.first, at + 1))
            return


def _headed(reading: ClauseView) -> Iterator[Finding]:
    """Yield people listed under a heading that does not apply to them: "Defeated this round: Grell"."""
    head = next((i for i, word in enumerate(reading.words) if not word.is_mark), 0)
    colon = next((i for i, word in enumerate(reading.words) if word.norm == ":"), 0)
    if not (reading.has("note_down", head) and head < colon <= head + _MAX_HEADING and reading.states(head)):
        return
    for mention in reading.mentions:
        people = [person for person in reading.page.scene.people if person.id in mention.ids]
        is_listed = colon < mention.first and not mention.owner and reading.is_end(mention.past)
        if is_listed and people and not any(_may_look(reading, one, DOWN) for one in people):
            yield _state_finding(reading, people, DOWN, reading.span(head, mention.past))
            return


def _lone(reading: ClauseView) -> Iterator[Finding]:
    """Yield a state on its own that no one near is in: "Unconscious.", "Nim's down."."""
    for at in range(len(reading.words)):
        states = DOWN if reading.has("note_down", at) else ("alive",) if reading.has("note_up", at) else ()
        is_label = at + 1 < len(reading.words) and reading.words[at + 1].norm == ":"
        if not states or is_label or not reading.is_end(at + 1) or not reading.states(at):
            continue
        before = at - 1
        while before >= 0 and reading.lexicon.is_adverb(reading.words[before]):
            before -= 1
        owner = next((m for m in reading.mentions if m.owner and m.ids and m.past == before), None)
        is_so = owner is not None and reading.words[before].norm == "'s"
        if not is_so and (reading.has("particles", at) or not (before < 0 or reading.words[before].is_mark)):
            continue
        ids = owner.ids if owner is not None and is_so else reading.about(at)
        people = [person for person in reading.page.scene.people if person.id in ids]
        if any(_is_alive_still(reading, at, one) for one in people):
            continue
        if people and not any(_may_look(reading, one, states) for one in people):
            yield _state_finding(reading, people, states, reading.span(at, at + 1))
            return


def _is_of_thing(reading: ClauseView, past: int) -> bool:
    """Whether the subject before `past` is a thing: "the door does not move", but not "her eyes close"."""
    is_noun = (
        reading.has("determiners", 0)
        and not reading.is_verb("be", 1)
        and reading.words[1:2]
        and not reading.has("here_is", 1)
    )
    if reading.clause.elided and reading.before is not None and not reading.subject:
        before = reading.before
        return bool(before.words) and _is_of_thing(before, min(_REACH_OF_SUBJECT, len(before.words)))
    verb = past - 1 if past and reading.is_verb("be", past - 1) else past
    article = next((i for i in range(verb - 1, max(verb - 4, -1), -1) if reading.has("determiners", i)), None)
    if article and (reading.has("and", article - 1) or reading.words[article - 1].is_mark):
        names = ("body", "alive_parts")
        is_body = any(reading.has(name, i) for name in names for i in range(article, verb))
        return not (is_body or any(m.first < verb and m.past > article for m in reading.mentions))
    if any(mention.ids for mention in reading.mentions if mention.first < past) or not is_noun:
        return False
    return not any(reading.has(name, i) for name in ("body", "alive_parts") for i in range(past))


def _may_look(reading: ClauseView, person: Person, states: Sequence[str]) -> bool:
    if person.state is None:
        return True
    if states == STATES[1:] and person.state == "dying":
        return _may_be_said_dead(reading, frozenset({person.id}))
    if states is DOWN or states == STATES[1:]:
        return _bears_out(reading, person, DOWN)
    return person.state not in STATES and person.conditions.isdisjoint(DOWN)


def _is_alive_still(reading: ClauseView, at: int, person: Person) -> bool:
    """Whether the text says "alive" of a dying party member: that is not wrong yet."""
    return reading.has("alive_words", at) and person.state == "dying" and person.id in _ours(reading)


def _stands(reading: ClauseView, at: int) -> Iterator[Finding]:
    """Yield people wrongly said to be alive, or on their feet: "the wolf survives", "Pell stays on his feet"."""
    lives = reading.lexicon.phrases["lives"].length_at(reading.words, at)
    stands = reading.lexicon.phrases["stands"].length_at(reading.words, at)
    past = at + max(lives, stands)
    if past == at or not reading.ends_phrase(past):
        return
    doers = reading.subjects(at) if reading.lexicon.forms(reading.words[at]) else []
    for mention in doers or _named_behind(reading, past):
        people = [person for person in reading.page.scene.people if person.id in mention.ids]
        if len(people) != 1 or mention.plural or mention.second:
            continue
        person, gone = people[0], (("dead",) if lives > stands and people[0].id in _ours(reading) else DOWN)
        if person.state in gone:
            yield _state_finding(reading, people, ("alive",), reading.span(at, past))


def _named_behind(reading: ClauseView, past: int) -> Sequence[Mention]:
    """Return the people named behind a comma: "Hurt but alive, the wolf backs off"."""
    return reading.object_at(past + 1) if past < len(reading.words) and reading.words[past].norm == "," else []


def _ours(reading: ClauseView) -> frozenset[str]:
    return reading.page.scene.party or frozenset()


def _bears_out(reading: ClauseView, person: Person, states: Sequence[str]) -> bool:
    """Whether a person may be said to be in one of the states, as far as the person's state is known."""
    if person.state is None or person.state in states or not person.conditions.isdisjoint(states):
        return True
    if states is not DOWN:
        return False
    return any(deed.applied for deed in reading.page.of_kind(EffectKind.FIGHT_OVER))


def _start(reading: ClauseView, mention: Mention, at: int) -> int:
    return mention.first if mention in reading.mentions else at


def _fallen(reading: ClauseView, at: int) -> tuple[Sequence[Mention], int, Sequence[str]]:
    """Return the people who fall by the words at `at`, where the claim ends, and which states support it."""
    who, past = _dead(reading, at)
    if who:
        is_dying = reading.has("dying_words", past - 1)
        return who, past, STATES if is_dying or _may_be_dying(reading, who) else STATES[1:]
    length = reading.lexicon.phrases["fallen"].length_at(reading.words, at)
    is_walk = reading.is_verb("go", at) and any(deed.applied for deed in reading.page.of_kind(EffectKind.TRAVEL))
    past = at + length
    is_over = reading.is_end(past) or reading.has("fallen_tail", past) or reading.is_idiom(past)
    if length and not is_walk and is_over:
        helper = at - 1 if at and reading.lexicon.forms(reading.words[at]) == {"participle"} else at
        return reading.subjects(helper if reading.is_verb("be", helper) else at), at + length, DOWN
    if reading.is_verb("defeat", at) and not reading.is_command(at):
        if reading.is_verb("be", at - 1) and "participle" in reading.lexicon.forms(reading.words[at]):
            return reading.subjects(at - 1), at + 1, DOWN
        who = reading.object_at(at + 1)
        return who, max((m.past for m in who), default=at + 1), DOWN
    if reading.is_verb("bring.down", at) and not reading.is_verb("be", at - 1) and not reading.is_command(at):
        ahead = reading.has("down_low", at + 1)
        who = reading.object_at(at + 1 + ahead)
        past = max((m.past for m in who), default=at)
        is_to = reading.has("level", past + 1 - ahead)  # "brings her down to three" leaves some
        if who and not is_to and (ahead or (reading.has("down_low", past) and reading.ends_phrase(past + 1))):
            return who, past + 1 - ahead, DOWN
    if reading.is_verb("rest.end", at) and reading.has("particles", at + 1) and not reading.is_command(at):
        who = reading.object_at(at + 2)
        return who, max((m.past for m in who), default=at + 2), DOWN
    if reading.is_verb("knock", at) and not reading.is_verb("be", at - 1) and not reading.is_command(at):
        who = reading.object_at(at + 1)
        past = max((m.past for m in who), default=at)
        if reading.has("senseless", past) and (reading.ends_phrase(past + 1) or reading.has("senseless", past + 1)):
            return who, past + 1, DOWN
    return (), at, DOWN


def _may_be_dying(reading: ClauseView, who: Sequence[Mention]) -> bool:
    """Whether a text may call the dying dead: not those of the party where death saves are rolled."""
    return _may_be_said_dead(reading, frozenset(identifier for mention in who for identifier in mention.ids))


def _may_be_said_dead(reading: ClauseView, ids: frozenset[str]) -> bool:
    page = reading.page
    has_saves = page.scene.permitted is not None and page.may_make("death_save")
    return not has_saves or not ids <= _ours(reading)


def _dead(reading: ClauseView, at: int) -> tuple[Sequence[Mention], int]:
    """Return the people who die by the verb at `at`, and where the claim ends."""
    if not reading.lexicon.forms(reading.words[at]):
        return (), at
    if reading.is_verb("die", at) and not _is_figure(reading, at + 1, "die_tail"):
        return reading.subjects(at), at + 1
    if reading.is_verb("kill", at) and not reading.is_verb("be", at - 1) and not reading.is_command(at):
        who = reading.object_at(at + 1)
        return who, max((m.past for m in who), default=at + 1)
    if reading.is_verb("fall.dead", at):
        dead = at + 1
        while dead < len(reading.words) and reading.lexicon.is_adverb(reading.words[dead]):
            dead += 1
        if reading.has("dead", dead) and reading.asserts(dead) and not _is_figure(reading, dead + 1, "dead_tail"):
            return reading.subjects(at), dead + 1
    return (), at


def _is_figure(reading: ClauseView, at: int, tails: str) -> bool:
    """Whether what follows makes a figure of speech of it: "dead tired", "dies of laughter" but not "of her wounds"."""
    return reading.has(tails, at) and not any(reading.has("die_of_death", i) for i in range(at + 1, at + 4))


def _state_finding(
    reading: ClauseView, people: Sequence[Person], states: Sequence[str], span: tuple[int, int]
) -> Finding:
    kind = FindingKind.CONTRADICTION
    expected = {"character_id": some_of(person.id for person in people), "state": list(states)}
    actual: dict[str, Any] = {"state": people[0].state if len(people) == 1 else [person.state for person in people]}
    if len(people) == 1 and people[0].hp is not None:
        actual["hp"] = people[0].hp
    return Finding(kind, reading.page.tool_for(CLAIM), expected, actual, SEVERITY[kind], span)
