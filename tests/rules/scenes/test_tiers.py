"""The tier of a die, and what hangs on it."""

from __future__ import annotations

from typing import get_args

import pytest

from turnwright.model.mood import Position, Tier
from turnwright.rulesets.scenes.tiers import COST_GUIDANCE, RESOLUTIONS, TIERS, Resolution, tier


@pytest.mark.parametrize(
    ("face", "controlled", "risky", "desperate"),
    [
        (6, "critical", "critical", "critical"),
        (5, "success", "success", "success"),
        (4, "success", "success", "success"),
        (3, "partial", "partial", "partial"),
        (2, "partial", "partial", "partial"),
        (1, "partial", "bad", "disaster"),
    ],
)
def test_each_face_has_its_tier(face: int, controlled: str, risky: str, desperate: str) -> None:
    assert [tier(position, face) for position in ("controlled", "risky", "desperate")] == [controlled, risky, desperate]


@pytest.mark.parametrize("position", get_args(Position))
def test_every_position_knows_the_six_faces_and_no_other(position: Position) -> None:
    assert sorted(TIERS[position]) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("tier", "allowed"),
    [
        ("critical", ["clean"]),
        ("success", ["clean", "costly"]),
        ("partial", ["costly", "setback"]),
        ("bad", ["setback", "disaster"]),
        ("disaster", ["disaster"]),
    ],
)
def test_each_tier_can_be_resolved_in_its_ways(tier: Tier, allowed: list[str]) -> None:
    assert [*RESOLUTIONS[tier]] == allowed


@pytest.mark.parametrize(
    ("tier", "stress", "heat"),
    [
        ("critical", (-3, 0), (0, 0)),
        ("success", (0, 1), (0, 1)),
        ("partial", (2, 3), (1, 2)),
        ("bad", (3, 3), (2, 2)),
        ("disaster", (3, 4), (2, 3)),
    ],
)
def test_each_tier_has_its_usual_cost(tier: Tier, stress: tuple[int, int], heat: tuple[int, int]) -> None:
    assert COST_GUIDANCE[tier][:2] == (stress, heat)


def test_tables_have_one_row_for_each_word() -> None:
    assert tuple(TIERS) == get_args(Position)
    assert tuple(RESOLUTIONS) == tuple(COST_GUIDANCE) == get_args(Tier)
    assert {way for ways in RESOLUTIONS.values() for way in ways} == set(get_args(Resolution))
    assert len({row.feel for row in COST_GUIDANCE.values()}) == len(COST_GUIDANCE)
