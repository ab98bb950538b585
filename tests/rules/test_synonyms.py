"""The list of synonyms: complete, unambiguous, and nobody's other word."""

from __future__ import annotations

from collections import Counter

import pytest

from turnwright.model.data import load
from turnwright.model.fuzzy_words import Match, match, spelling
from turnwright.model.vocabulary import CATEGORIES

ALL = [
    (category, word, synonym)
    for category, words in load("synonyms").items()
    for word in words
    for synonym in words[word]
]


def test_the_categories_are_those_of_the_vocabulary_in_its_order() -> None:
    assert list(load("synonyms")) == list(CATEGORIES)


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_word_of_a_category_has_synonyms_and_no_other_word_does(category: str) -> None:
    synonyms = load("synonyms")[category]
    assert tuple(synonyms) == CATEGORIES[category]
    assert [word for word in synonyms if not synonyms[word]] == []


@pytest.mark.parametrize("category", CATEGORIES)
def test_no_synonym_stands_twice_in_a_category_in_whatever_spelling(category: str) -> None:
    spelt = Counter(spelling(synonym) for words in load("synonyms")[category].values() for synonym in words)
    assert [synonym for synonym, times in spelt.items() if times > 1] == []


@pytest.mark.parametrize("category", CATEGORIES)
def test_no_synonym_is_a_word_of_its_category(category: str) -> None:
    words = {spelling(word) for word in CATEGORIES[category]}
    assert len(words) == len(CATEGORIES[category])
    assert [row for row in ALL if row[0] == category and spelling(row[2]) in words] == []


def test_every_synonym_is_a_text_in_lower_case_that_leaves_something_to_compare() -> None:
    assert {type(synonym) for _, _, synonym in ALL} == {str}
    assert [synonym for _, _, synonym in ALL if synonym != synonym.strip().lower() or not spelling(synonym)] == []


def test_every_synonym_leads_to_its_word() -> None:
    assert [row for row in ALL if match(row[0], row[2]) != Match(row[1], "alias")] == []


@pytest.mark.parametrize(
    ("category", "said", "meant"),
    [
        ("ability", "Strength", "str"),
        ("ability", "charisma", "cha"),
        ("cover", "full", "total"),
        ("cover", "3/4", "three_quarters"),
        ("rest_type", "LR", "long"),
        ("roll_mode", "adv", "advantage"),
        ("condition", "knocked prone", "prone"),
        ("condition", "Paralysed", "paralyzed"),
        ("skill", "Slight of Hand", "sleight_of_hand"),
        ("action_cost", "BA", "bonus_action"),
        ("distance_mode", "5-10-5", "grid_alt"),
        ("sense", "night-vision", "darkvision"),
        ("terrain", "woods", "forest"),
        ("character_type", "Non-Player Character", "npc"),
    ],
)
def test_what_people_say_is_understood(category: str, said: str, meant: str) -> None:
    assert match(category, said) == Match(meant, "alias")
