"""The table of spoiled calls: whether it says what it should."""

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from scripts.bench_hints.playing import play, turn_of, why_not_applied
from scripts.bench_hints.report import misses, targets
from scripts.bench_hints.rows import TABLE, parse_row, read_rows
from scripts.bench_hints.worlds import WORLDS, Worlds
from tests.builders import spelt
from tests.sampling import some

ROWS = read_rows()
MIN_ROWS = 400
MIN_OF_A_MECHANISM = 20
MIN_WITHOUT_A_CALL = 80
QUICK_ROWS = 220
"""How many rows are played in a quick run."""


@pytest.fixture(scope="module")
def worlds() -> Iterator[Worlds]:
    with Worlds() as worlds:
        yield worlds


def test_the_table_is_large_enough_and_every_mechanism_has_its_share() -> None:
    mechanisms = Counter(row.mechanism for row in ROWS)

    assert len(ROWS) >= MIN_ROWS
    assert min(mechanisms.values()) >= MIN_OF_A_MECHANISM
    assert sum(not row.meant for row in ROWS) >= MIN_WITHOUT_A_CALL


def test_every_mechanism_holds_calls_that_must_not_be_repaired() -> None:
    silent = {row.mechanism for row in ROWS if not row.meant}

    assert silent == {row.mechanism for row in ROWS}


def test_ids_are_unique_and_no_call_stands_in_the_table_twice() -> None:
    calls = Counter(spelt([row.world, row.turn, row.call]) for row in ROWS)

    assert len({row.id for row in ROWS}) == len(ROWS)
    assert [call for call, times in calls.items() if times > 1] == []


def test_rows_of_one_mechanism_stand_together_and_say_why() -> None:
    order = [row.mechanism for row in ROWS]

    assert [name for name, after in zip(order, [*order[1:], None], strict=True) if name != after] == [
        *dict.fromkeys(order)
    ]
    assert [row.id for row in ROWS if not row.why or row.world not in WORLDS] == []


def test_every_line_is_spelt_as_it_would_be_written_again() -> None:
    lines = TABLE.read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if line != json.dumps(json.loads(line), ensure_ascii=False)] == []


def test_a_row_with_a_key_that_no_row_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no row has"):
        parse_row('{"id": "h00-00", "mean": null}')


def test_every_call_that_is_meant_is_applied_in_its_world(worlds: Worlds) -> None:
    every = [(row, call) for row in ROWS for call in row.meant]
    different = {(row.world, spelt(turn_of(row, call))): (row, call) for row, call in every}
    refused = [(row.id, why_not_applied(row, call, worlds)) for row, call in different.values()]

    assert [told for told in refused if told[1] is not None] == []


def test_no_spoiled_call_is_the_one_that_is_meant_for_it() -> None:
    # Where the turn has further keys, these may be what is tried.
    assert [row.id for row in ROWS if row.meant and not row.turn and spelt(row.call) == spelt(row.meant[0])] == []


def test_hints_lead_to_what_was_meant_or_to_nothing(worlds: Worlds) -> None:
    outcomes = [play(row, worlds) for row in some(ROWS, QUICK_ROWS)]

    missed = [f"{target.what}: {target.value:g}" for target in targets(outcomes) if not target.is_met]
    assert missed == [], "\n".join(misses(outcomes))
