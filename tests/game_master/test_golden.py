"""One prompt of each voice, word for word, as it was read and found good."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.game_master.city import CHOSEN, accepted, prompt, stages, values

FOLDER = Path(__file__).parent / "golden"
CASES = {
    "weaver": values("encounter"),
    "precipice": values("risky"),
    "precipice_after_the_die": values("risky", pending_outcome=CHOSEN, dice_pool=[5]),
    "echo": values("costly"),
    "echo_after_accept": accepted(),
    "crack": values("breaking"),
    "hungry_city": values("bargaining"),
    "waiting": stages()["waiting_for_a_choice"],
    **{name: stages()[name] for name in ("archivist", "interlude_narrator", "entangler", "opener", "fate")},
}


@pytest.mark.parametrize("name", CASES)
def test_the_prompt_is_the_one_that_was_read(name: str, update_golden: bool) -> None:
    given = prompt(CASES[name]).system
    path = FOLDER / f"{name}.md"
    if update_golden:
        path.write_text(given, encoding="utf-8", newline="\n")
    again = "to remake it: pytest tests/golden tests/game_master --update-golden"
    assert given == path.read_text(encoding="utf-8"), again


def test_every_golden_prompt_is_one_of_these() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)
