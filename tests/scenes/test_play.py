"""Scene games that are played at random, well and badly, and what holds whatever happens."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test
from tests.scenes.machine import DiskMachine, Machine

CALM = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def play(machine: type[RuleBasedStateMachine], games: int, turns: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=games, stateful_step_count=turns, deadline=None, suppress_health_check=CALM),
    )


def test_a_game_holds_together_whatever_happens_at_the_table() -> None:
    play(Machine, 7, 14)


def test_a_game_on_disk_holds_together() -> None:
    play(DiskMachine, 3, 8)


@pytest.mark.slow
def test_a_game_holds_together_for_long() -> None:
    play(Machine, 400, 60)


@pytest.mark.slow
def test_a_game_on_disk_holds_together_for_long() -> None:
    play(DiskMachine, 50, 30)
