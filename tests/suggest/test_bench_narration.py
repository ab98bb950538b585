"""The check of narrations keeps what it was measured to do on the labelled texts."""

import pytest
from scripts.bench_narration.measuring import Verdict, judge
from scripts.bench_narration.report import Group, as_json, groups, targets
from tests.sampling import some
from tests.suggest.narration_scenes import HALVES, Half, rows

CAUGHT = {"tune": 0.84, "unseen": 0.7}
"""The least share of lies that is caught; a little below what was measured, since a quick run plays a part of them."""
ACCUSED = {"tune": 0.02, "unseen": 0.06}
"""The greatest share of honest texts that is accused; the target for unseen texts is 0.04 and is not met yet."""
CONFLICTS = 0.01
_AT_LEAST_ALLOWED = 2
"""How many honest texts of a part may be accused, where the share would allow less."""
MAX_COUNT = 240


def measured(half: Half) -> tuple[list[Verdict], Group]:
    verdicts = judge(some(rows(half), MAX_COUNT))
    return verdicts, next(groups(verdicts))


@pytest.mark.parametrize("half", HALVES)
def test_lies_are_caught_and_honest_texts_left_alone(half: Half) -> None:
    _, total = measured(half)
    assert total.caught >= CAUGHT[half] * total.lies
    assert total.accused <= max(ACCUSED[half] * total.honest, _AT_LEAST_ALLOWED)
    assert total.conflicts <= CONFLICTS * total.honest


def test_what_is_measured_is_told_by_half_and_kind() -> None:
    verdicts = judge(rows("tune")[:6])
    data = as_json(verdicts)
    assert data["groups"][0]["kind"] == "all"
    assert sum(group["lies"] + group["honest"] for group in data["groups"]) == 2 * len(verdicts)
    assert targets(verdicts) == []
