"""Words spelt loosely, against the written examples and a second implementation of the rules."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.data import load
from turnwright.model.fuzzy_words import DESTRUCTIVE, AmbiguousWord, Match, UnknownWord, match, match_in, spelling
from turnwright.model.vocabulary import CATEGORIES, DiagonalRule, words

PAIRS = [(category, word) for category, listed in CATEGORIES.items() for word in listed]
OPERATIONS = ("create", "get", "end", "list", "remove", "move", "place", "update")


def distance(left: str, right: str) -> int:
    table = {(row, 0): row for row in range(len(left) + 1)} | {(0, column): column for column in range(len(right) + 1)}
    for row in range(1, len(left) + 1):
        for column in range(1, len(right) + 1):
            kept = table[row - 1, column - 1] + (0 if left[row - 1] == right[column - 1] else 1)
            table[row, column] = min(kept, table[row - 1, column] + 1, table[row, column - 1] + 1)
    return table[len(left), len(right)]


def by_the_rules(category: str, text: str) -> Match | Sequence[str] | None:
    """Return the match, the candidates of an ambiguous text, or None for an unknown one."""
    given = text.strip().lower()
    if text in CATEGORIES[category]:
        return Match(text, None)
    for how, spelt in (
        ("case", [(word, word) for word in CATEGORIES[category]]),
        ("alias", [(word, said) for word, all_said in load("synonyms")[category].items() for said in all_said]),
    ):
        for word, said in spelt:
            if [letter for letter in given if letter not in " -_"] == [
                letter for letter in said if letter not in " -_"
            ]:
                return Match(word, "case" if how == "case" else "alias")
    ranked = sorted((distance(given, word), place, word) for place, word in enumerate(CATEGORIES[category]))
    least = ranked[0][0]
    tied = [word for edits, _, word in ranked if edits == least]
    if least > (2 if len(given) <= 5 else 3) or all(2 * least > max(len(given), len(word)) for word in tied):
        return None
    if len(tied) > 1:
        return tied
    return Match(tied[0], "fuzzy") if tied[0][:1] == given[:1] else None


def outcome(category: str, text: str) -> Match | Sequence[str] | None:
    try:
        return match(category, text)
    except AmbiguousWord as ambiguous:
        return list(ambiguous.candidates)
    except UnknownWord:
        return None


@st.composite
def slips(draw: st.DrawFn) -> tuple[str, str]:
    """A word of a category after a few slips of the pen."""
    category, word = draw(st.sampled_from(PAIRS))
    text = draw(st.sampled_from([word, *load("synonyms")[category][word]]))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(text)))
        text = (
            text[:place]
            + draw(st.sampled_from(["", "a", "e", "r", "_", " "]))
            + text[place + draw(st.integers(0, 1)) :]
        )
    return category, draw(st.sampled_from([text, text.upper(), text.title(), f" {text}\t"]))


# the written examples


@pytest.mark.parametrize(
    ("category", "text", "word", "how"),
    [
        ("rest_type", "shrt", "short", "fuzzy"),
        ("rest_type", "lnog", "long", "fuzzy"),
        ("roll_mode", "advantge", "advantage", "fuzzy"),
        ("condition", "poisond", "poisoned", "fuzzy"),
        ("damage_type", "Fire ", "fire", "case"),
        ("damage_type", "flame", "fire", "alias"),
        ("cover", "three quarters", "three_quarters", "case"),
        ("cover", "full", "total", "alias"),
        ("distance_mode", "grid5e", "grid_5e", "case"),
        ("terrain_type", "difficultTerrain", "difficult_terrain", "case"),
        ("ability", "wisdm", "wis", "fuzzy"),
        ("ability", "dax", "dex", "fuzzy"),
        ("ability", "strength", "str", "alias"),
        ("ability", "str", "str", None),
        ("damage_type", "FIRE", "fire", "case"),
        ("skill", "Animal-Handling", "animal_handling", "case"),
        ("action_type", "useMagicItem", "use_magic_item", "case"),
        ("condition", " prone", "prone", "case"),
        ("damage_type", "radia", "radiant", "fuzzy"),
        ("damage_type", "radiantess", "radiant", "fuzzy"),
    ],
)
def test_the_word_that_was_meant_is_found(category: str, text: str, word: str, how: str | None) -> None:
    assert match(category, text) == (word, how)


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("ability", "car"),
        ("ability", "foo"),
        ("ability", "xyz"),
        ("ability", ""),
        ("ability", "   "),
        ("ability", "-_-"),
        ("condition", "banana"),
        ("condition", "prone" * 100_000),
        ("rest_type", "medium"),
        ("damage_type", "flmae"),
        ("ability", "tr"),  # str but for its first letter
        ("damage_type", "radi"),  # three edits, too many for four letters
        ("damage_type", "radiantesse"),  # four
    ],
)
def test_what_is_near_nothing_is_refused_with_all_that_could_be_meant(category: str, text: str) -> None:
    with pytest.raises(UnknownWord) as caught:
        match(category, text)
    assert sorted(caught.value.nearest) == sorted(CATEGORIES[category])


def test_the_nearest_word_is_named_first() -> None:
    with pytest.raises(UnknownWord) as caught:
        match("condition", "unconsciouslyness")
    assert caught.value.nearest[0] == "unconscious"
    assert "unconscious, " in str(caught.value)


def test_a_synonym_with_a_slip_is_no_synonym() -> None:
    assert match("ability", "endurance") == ("con", "alias")
    with pytest.raises(UnknownWord):
        match("ability", "endurence")


def test_as_near_to_one_word_as_to_another_is_ambiguous() -> None:
    with pytest.raises(AmbiguousWord) as caught:
        match("ability", "chn")
    assert caught.value.candidates == ("con", "cha")


# against the second implementation


@given(slips())
def test_slips_come_out_as_the_rules_say(slip: tuple[str, str]) -> None:
    assert outcome(*slip) == by_the_rules(*slip)


@given(st.sampled_from(list(CATEGORIES)), st.text("aeinorstcdlp_ -", max_size=9))
def test_any_letters_come_out_as_the_rules_say(category: str, text: str) -> None:
    assert outcome(category, text) == by_the_rules(category, text)


@given(slips())
def test_no_guess_is_farther_off_than_allowed(slip: tuple[str, str]) -> None:
    found = outcome(*slip)
    if isinstance(found, Match) and found.how == "fuzzy":
        text = slip[1].strip().lower()
        edits = distance(text, found.word)
        assert 0 < edits <= (2 if len(text) <= 5 else 3)
        assert 2 * edits <= max(len(text), len(found.word))
        assert all(distance(text, other) > edits for other in CATEGORIES[slip[0]] if other != found.word)


@given(st.sampled_from(PAIRS), st.data())
def test_case_and_separators_never_matter(pair: tuple[str, str], data: st.DataObject) -> None:
    category, word = pair
    spelt = "".join(
        data.draw(st.sampled_from([letter, letter.upper()])) + data.draw(st.sampled_from(["", "", " ", "-", "_"]))
        for letter in word
    )
    assert match(category, spelt) == (word, None if spelt == word else "case")
    assert spelling(spelt) == spelling(word)


# other lists of words


def test_part_of_a_category_keeps_the_synonyms_of_what_is_left() -> None:
    assert match("distance_mode", "5-10-5", among=words(DiagonalRule)) == ("grid_alt", "alias")
    with pytest.raises(UnknownWord) as caught:
        match("distance_mode", "euclid", among=words(DiagonalRule))
    assert set(caught.value.nearest) == {"grid_5e", "grid_alt"}


def test_a_category_can_have_a_word_more() -> None:
    among = (*CATEGORIES["condition"], "all")
    assert match("condition", "All", among=among) == ("all", "case")
    assert match("condition", "blind", among=among) == ("blinded", "alias")


def test_operations_are_spelt_loosely_and_said_in_other_words() -> None:
    assert match_in(OPERATIONS, "create") == ("create", None)
    assert match_in(OPERATIONS, "Create ") == ("create", "case")
    assert match_in(OPERATIONS, "crate") == ("create", "fuzzy")
    assert match_in(OPERATIONS, "make", synonyms={"create": ["make", "new"]}) == ("create", "alias")
    assert match_in(["crate"], "crates") == ("crate", "fuzzy")


def test_a_synonym_of_no_word_of_the_list_leads_nowhere() -> None:
    with pytest.raises(UnknownWord):
        match_in(OPERATIONS, "obliterate", synonyms={"destroy": ["obliterate"]})


@pytest.mark.parametrize("slip", ["remov", "removee", "removve", "emd", "endd"])
def test_nothing_is_destroyed_by_a_slip_of_the_pen(slip: str) -> None:
    with pytest.raises(UnknownWord) as caught:
        match_in(OPERATIONS, slip)
    assert caught.value.nearest[0] in DESTRUCTIVE


def test_what_destroys_can_be_spelt_and_said_otherwise() -> None:
    assert match_in(OPERATIONS, "REMOVE") == ("remove", "case")
    assert match_in(OPERATIONS, "delete", synonyms={"remove": ["delete"]}) == ("remove", "alias")


@pytest.mark.parametrize("word", sorted(DESTRUCTIVE))
def test_a_word_near_a_destructive_one_is_not_taken_for_another(word: str) -> None:
    near = word + "x"
    with pytest.raises(UnknownWord):
        match_in((word, word[0] + "qqqqqqqq"), near)


def test_between_a_destructive_word_and_another_nothing_is_guessed() -> None:
    with pytest.raises(AmbiguousWord) as caught:
        match_in(("remove", "remote"), "remore")
    assert caught.value.candidates == ("remove", "remote")
