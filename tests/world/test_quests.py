"""Which offer a plain yes would mean."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.quest import Quest
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.rulesets.core.quests.offers import MAX_WAIT, pending_offer


def quest(number: int, giver: str | None = "lena", turn: int = 5, status: Any = "offered") -> Quest:
    return Quest(id=f"quest-{number}", title="Rats", giver_id=giver, offered_turn=turn, status=status)


def pending(*quests: Quest, present: tuple[str, ...] = ("lena",), messages: int | None = 1) -> str | None:
    found = pending_offer(World(InMemorySource({each.path: each for each in quests})), present, lambda _: messages)
    return found.id if found else None


def test_without_quests_nothing_waits() -> None:
    assert pending() is None


def test_an_offer_waits_while_its_giver_is_present() -> None:
    assert pending(quest(1)) == "quest-1"
    assert pending(quest(1), present=("ogg",)) is None
    assert pending(quest(1), present=()) is None


def test_an_offer_of_nobody_in_particular_waits_anywhere() -> None:
    assert pending(quest(1, giver=None), present=()) == "quest-1"


@pytest.mark.parametrize("status", ["active", "completed", "failed", "declined"])
def test_only_what_is_still_offered_waits(status: str) -> None:
    assert pending(quest(1, status=status)) is None
    assert pending(quest(1), quest(2, status=status)) == "quest-1"


@pytest.mark.parametrize(("messages", "waits"), [(0, True), (1, True), (3, True), (4, False), (None, False)])
def test_an_offer_waits_for_three_messages(messages: int | None, waits: bool) -> None:
    assert MAX_WAIT == 3
    assert (pending(quest(1), messages=messages) == "quest-1") is waits


def test_the_newest_counts_and_of_one_turn_the_one_that_was_offered_last() -> None:
    assert pending(quest(1, turn=6), quest(2, turn=5)) == "quest-1"
    assert pending(quest(9), quest(10)) == "quest-10"
    assert pending(quest(9), quest(10, giver="ogg")) == "quest-9"


@given(
    st.lists(
        st.builds(
            quest,
            st.integers(1, 12),
            st.sampled_from([None, "lena", "ogg"]),
            st.integers(0, 8),
            st.sampled_from(["offered", "active", "declined"]),
        ),
        max_size=8,
        unique_by=lambda each: each.id,
    ),
    st.integers(0, 8),
)
def test_what_waits_is_an_offer_that_could_be_answered_and_none_is_newer(quests: list[Quest], now: int) -> None:
    shelf = World(InMemorySource({each.path: each for each in quests}))
    waiting = pending_offer(shelf, ("lena",), lambda each: now - each.offered_turn)
    found = waiting.id if waiting else None
    fitting = [
        each
        for each in quests
        if each.status == "offered" and each.giver_id in (None, "lena") and each.offered_turn >= now - MAX_WAIT
    ]
    assert (found is None) == (not fitting)
    if found:
        (taken,) = (each for each in fitting if each.id == found)
        assert all(taken.offered_turn >= each.offered_turn for each in fitting)
