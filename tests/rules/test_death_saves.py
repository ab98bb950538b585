"""Death saves, in every state they can be made in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.rulesets.fifth_edition.fights.death_saves import DeathSave, death_save

COUNTS = st.integers(0, 2)


@pytest.mark.parametrize(
    ("natural", "modifier", "before", "after", "kept"),
    [
        (10, 0, (0, 0), ("success", 1, 0), (1, 0)),
        (9, 0, (0, 0), ("failure", 0, 1), (0, 1)),
        (9, 1, (1, 1), ("success", 2, 1), (2, 1)),
        (10, -1, (1, 1), ("failure", 1, 2), (1, 2)),
        (10, 0, (2, 2), ("stabilized", 3, 2), (0, 0)),
        (9, 0, (2, 2), ("death", 2, 3), (2, 3)),
        (1, 0, (0, 0), ("critical_failure", 0, 2), (0, 2)),
        (1, 15, (0, 0), ("critical_failure", 0, 2), (0, 2)),
        (1, 0, (2, 1), ("death", 2, 3), (2, 3)),
        (1, 0, (0, 2), ("death", 0, 3), (0, 3)),
        (20, 0, (2, 2), ("revived", 0, 0), (0, 0)),
        (20, -15, (0, 2), ("revived", 0, 0), (0, 0)),
        (19, 0, (0, 0), ("success", 1, 0), (1, 0)),
        (2, 8, (0, 0), ("success", 1, 0), (1, 0)),
    ],
)
def test_what_becomes_of_the_dying(
    natural: int, modifier: int, before: tuple[int, int], after: DeathSave, kept: tuple[int, int]
) -> None:
    saved = death_save(natural, natural + modifier, *before)
    assert saved == after
    assert saved.kept == kept


@given(st.integers(1, 20), st.integers(-5, 15), COUNTS, COUNTS)
def test_one_count_rises_and_the_end_comes_at_three(natural: int, modifier: int, successes: int, failures: int) -> None:
    saved = death_save(natural, natural + modifier, successes, failures)
    if natural == 20:
        assert saved == ("revived", 0, 0)
    else:
        assert (saved.successes > successes) != (saved.failures > failures)
        assert (saved.successes == 3) == (saved.outcome == "stabilized")
        assert (saved.failures == 3) == (saved.outcome == "death")


def test_from_any_state_the_dying_are_settled_within_five_plain_saves() -> None:
    open_states = {(0, 0)}
    for _ in range(5):
        saves = [death_save(face, face, *state) for state in open_states for face in range(2, 20)]
        open_states = {saved.kept for saved in saves if saved.outcome in ("success", "failure")}
    assert open_states == set()
