"""Who acts in a clause, and what it commits them to: the cases that one word decides."""

from __future__ import annotations

import pytest

from turnwright.language.message import Clause
from turnwright.language.message_reader import Reader
from turnwright.rulesets.suggesting import PACKS


def read(message: str) -> tuple[Clause, ...]:
    """Read a message of Mira's player, with Voss present, the game master's character."""
    pack = PACKS.of("en")
    assert pack is not None
    selves, others = frozenset({"mira"}), frozenset({"voss", "captain voss"})
    return Reader(pack.grammar, selves=selves, others=others, people=pack.people).read(message).clauses


def acted(message: str, verb: str) -> tuple[str, str]:
    """Return the type of the clause whose main verb that is, and who acts in it."""
    clause = next(clause for clause in read(message) if clause.text[clause.verb_at :].startswith(verb))
    return clause.type.value, clause.subject.value


@pytest.mark.parametrize(
    ("message", "verb", "subject"),
    [
        ("Mira walks in. She takes the key.", "takes", "self"),
        ("Mira looked up. Then she lifted the key and slipped it into her pocket.", "slipped", "self"),
        ("Mira sighs. With a snarl she swings the wrench at the drone.", "swings", "self"),
        ("Mira nods at Voss. He takes the key.", "takes", "other"),
        ("Mira greets the guard. She takes the key.", "takes", "other"),
        ("The guard greets Mira. She takes the key.", "takes", "self"),
        ("I wave. She takes the key.", "takes", "other"),
        ("I attack Voss. He takes the key.", "takes", "other"),
    ],
)
def test_he_or_she_is_the_character_that_was_just_called_by_name(message: str, verb: str, subject: str) -> None:
    assert acted(message, verb)[1] == subject


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        ("Hand over the key, Voss, or I walk.", "you"),
        ("Voss, hand over the key.", "you"),
        ("Hand over the key.", "self"),
        ("I hand over the key, Voss.", "self"),
        ("I nod and hand over the key, Voss.", "self"),
    ],
)
def test_an_order_to_somebody_is_no_act_of_the_speaker(message: str, subject: str) -> None:
    assert acted(message, "hand")[1] == subject


@pytest.mark.parametrize(
    ("message", "verb"),
    [
        ("sure, doc, i take it", "take"),
        ("sure doc i take it", "take"),
        ("holding my breath I sneak past", "sneak"),
        ("behind the curtain we hide", "hide"),
    ],
)
def test_the_subject_may_stand_behind_something_else(message: str, verb: str) -> None:
    assert acted(message, verb) == ("commit", "self")


@pytest.mark.parametrize(
    ("message", "verb", "kind"),
    [
        ("This is where we leave the road.", "leave", "commit"),
        ("This is where we leave the road?", "leave", "question"),
        ("I can not reach it, so I pass.", "pass", "commit"),
        ("nothing in my reach, so pass", "pass", "commit"),
        ("I do not take the key and leave", "leave", "negated"),
        ("I take nothing but the key", "take", "commit"),
    ],
)
def test_one_word_decides_what_a_clause_is(message: str, verb: str, kind: str) -> None:
    found = {clause.type.value for clause in read(message) if verb in clause.words}
    assert found == {kind}


def test_an_auxiliary_with_and_does_not_end_a_clause() -> None:
    (clause,) = read("All the raiders turn and flee into the dunes.")
    assert clause.text == "all the raiders turn and flee into the dunes"
    assert [clause.text for clause in read("I turn and the guard flees.")] == ["i turn", "and the guard flees"]
