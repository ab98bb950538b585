"""The deck, its data, the deal and the people it suggests."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.data import load
from turnwright.rulesets.scenes.tarot import POSITIONS, Card, Spread, Suit, card, deal, deck, hooks

RANKS = [
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "page",
    "knight",
    "queen",
    "king",
]
MINORS = [f"{rank}_of_{suit}" for suit in ("wands", "cups", "swords", "pentacles") for rank in RANKS]
FACES = st.tuples(st.integers(1, 78), st.integers(1, 77), st.integers(1, 76))


def dealt(*faces: int) -> Spread:
    asked = iter(zip(faces, (78, 77, 76), strict=True))

    def draw(sides: int, why: str) -> int:
        face, expected = next(asked)
        assert (sides, why) == (expected, "tarot")
        return face

    spread = deal(draw)
    assert next(asked, None) is None
    return spread


def test_the_deck_has_22_majors_and_four_suits_of_14_in_order() -> None:
    assert len({card.id for card in deck()}) == len({card.name for card in deck()}) == 78
    assert Counter(card.suit for card in deck()) == dict.fromkeys(get_args(Suit), 14) | {"major": 22}
    assert [card.id for card in deck()[22:]] == MINORS
    assert [deck()[place].id for place in (0, 1, 8, 16, 21)] == [
        "the_fool",
        "the_magician",
        "strength",
        "the_tower",
        "the_world",
    ]


def test_every_card_knows_its_place_in_its_suit() -> None:
    ranks = {suit: [card.rank for card in deck() if card.suit == suit] for suit in get_args(Suit)}
    assert ranks == {suit: list(range(22 if suit == "major" else 14)) for suit in get_args(Suit)}


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("the_hanged_man", "The Hanged Man"),
        ("wheel_of_fortune", "Wheel of Fortune"),
        ("three_of_swords", "Three of Swords"),
    ],
)
def test_a_card_has_a_name_for_people(id: str, name: str) -> None:
    found = card(id)
    assert found is not None
    assert found.name == name


def test_there_is_no_card_that_nobody_knows() -> None:
    assert card("the_jester") is None


@pytest.mark.parametrize("card", deck(), ids=lambda card: card.id)
def test_a_meaning_is_one_line_of_8_to_16_words(card: Card) -> None:
    assert 8 <= len(card.meaning.split()) <= 16
    assert card.meaning == " ".join(card.meaning.split())
    assert card.meaning[0].isupper()
    assert card.meaning.endswith(".")


def test_no_two_cards_mean_the_same() -> None:
    assert len({card.meaning.lower() for card in deck()}) == 78


def test_no_two_lines_about_people_are_the_same_and_none_is_empty() -> None:
    lines = [line for group in load("tarot").values() for kind in ("wants", "fears") for line in group[kind]]
    assert len(set(lines)) == len(lines) > 70
    assert [line for line in lines if not 3 <= len(line.split()) <= 16 or line != line.strip() or line[-1] == "."] == []


def test_the_first_faces_deal_the_first_cards_and_the_last_the_last() -> None:
    assert dealt(1, 1, 1) == deck()[:3]
    assert dealt(78, 77, 76) == deck()[:-4:-1]


def test_a_face_counts_among_the_cards_that_are_left() -> None:
    assert [card.id for card in dealt(5, 5, 4)] == [deck()[place].id for place in (4, 5, 3)]


@given(FACES)
def test_three_different_cards_are_dealt_each_where_counting_leads(faces: tuple[int, int, int]) -> None:
    spread = dealt(*faces)
    assert len({card.id for card in spread}) == len(POSITIONS) == 3
    for place, (face, found) in enumerate(zip(faces, spread, strict=True)):
        gone = sum(earlier in deck()[: deck().index(found)] for earlier in spread[:place])
        assert deck().index(found) + 1 - gone == face


def test_every_spread_that_can_be_dealt_by_its_first_card_is_another() -> None:
    assert {dealt(face, 1, 1)[0] for face in range(1, 79)} == set(deck())


@given(FACES)
def test_a_spread_suggests_a_want_by_its_future_and_a_fear_by_its_past(faces: tuple[int, int, int]) -> None:
    past, present, future = dealt(*faces)
    want, fear = hooks((past, present, future))
    assert (want.kind, want.card, fear.kind, fear.card) == ("want", future.id, "fear", past.id)
    assert want.text in load("tarot")[future.suit]["wants"]
    assert fear.text in load("tarot")[past.suit]["fears"]


def test_every_line_about_people_is_suggested_by_some_card() -> None:
    suggested = {hook.text for card in deck() for hook in hooks([card])}
    assert suggested == {
        line for group in load("tarot").values() for kind in ("wants", "fears") for line in group[kind]
    }


def test_no_cards_suggest_nobody() -> None:
    assert hooks([]) == ()
