import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripts.bench.bare_moves import bare_moves
from scripts.bench.campaigns import WALKER, build, clock, lengthen, ring
from scripts.bench.ground import Ground
from scripts.bench.measuring import in_turn, quantile, ratio, unsynced
from scripts.bench.rows import ROWS, backlog, drop, readings, toolkit, turns
from scripts.bench.table import Row, as_text
from scripts.bench.walk import Walk, turn_file

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.area import Layer


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path, tmp_path, is_quick=True)


def require_sound(folder: Path, records: int) -> None:
    found = verify(folder)
    assert (found.problems, found.notes, found.records) == ((), (), records)


# campaigns


@pytest.mark.parametrize(("areas", "layer"), [(1, 1), (2, 2), (10, 10), (10, 30), (95, 30), (70, 7)])
def test_a_made_campaign_is_sound_and_has_the_size_asked_for(tmp_path: Path, areas: int, layer: int) -> None:
    folder = build(tmp_path / "campaign", areas=areas, layer=layer, people=12)

    require_sound(folder, records=2)
    with Campaign.open(folder, clock) as campaign, campaign.reading() as world:
        layers = [world.get(path) for path in world.paths(Layer.collection)]
        assert [len(found.areas) for found in layers if isinstance(found, Layer)].count(
            min(areas, layer)
        ) >= areas // layer
        assert all(world.area(area_id) for area_id in ring(1, areas))
        assert world.area(f"area_{areas + 1:03d}") is None
        assert len(world.party()) == 2
        assert len(list(world.characters())) == 12


def test_a_lengthened_log_is_sound_and_goes_on(tmp_path: Path) -> None:
    folder = build(tmp_path / "campaign", areas=60, layer=30)
    walk = Walk(folder)
    walk.batch(3)
    walk.close()

    lengthen(folder, 40)
    require_sound(folder, records=2 + 3 + 1 + 40 + 1)

    walk = Walk(folder)
    walk.batch(3)
    walk.close()
    require_sound(folder, records=2 + 3 + 1 + 40 + 1 + 3)


def test_a_lengthened_log_holds_what_handing_in_the_turns_would_have_made(tmp_path: Path) -> None:
    written, handed_in = (build(tmp_path / name, areas=2, layer=2) for name in ("written", "handed-in"))
    lengthen(written, 3)
    with Campaign.open(handed_in, clock) as campaign:
        campaign.process({})
        for seq in range(3, 6):
            campaign.process({"turn_id": f"e{seq}"})

    made, expected = ((folder / "log.jsonl").read_bytes().splitlines() for folder in (written, handed_in))
    for line, other in zip(made[3:6], expected[3:6], strict=True):
        assert json.loads(line) | {"prev": ""} == json.loads(other) | {"prev": ""}
        assert list(json.loads(line)) == list(json.loads(other))


def test_walkers_go_round_the_layer_they_stand_in(tmp_path: Path) -> None:
    folder = build(tmp_path / "campaign", areas=65, layer=30)
    walk = Walk(folder)
    batch = walk.batch(31)
    walk.close()

    went = [record["applied_actions"][0]["args"]["to_area_id"] for record in batch.records]
    assert went == [*ring(32, 60), "area_031", "area_032"]


def test_a_refused_turn_is_never_measured(tmp_path: Path) -> None:
    walk = Walk(build(tmp_path / "campaign", areas=3, layer=3))
    args = {"actor_id": WALKER, "from_area_id": "area_002", "to_area_id": "area_001"}
    walk.laps = iter([("t1", turn_file("t1", "move", args))])

    with pytest.raises(RuntimeError, match="not all turns were applied"):
        walk.batch(1)
    walk.close()


# floors


@pytest.mark.parametrize("floor", [turns.parse_and_sync, turns.parse_and_dump])
def test_a_floor_appends_the_very_lines_the_log_gained(tmp_path: Path, floor: turns.Floor) -> None:
    folder = build(tmp_path / "campaign", areas=3, layer=3)
    before = (folder / "log.jsonl").read_bytes()
    walk = Walk(folder)
    batch = walk.batch(5)
    walk.close()

    descriptor = os.open(tmp_path / "lines", os.O_WRONLY | os.O_CREAT)
    floor(batch, descriptor)
    os.close(descriptor)

    assert before + (tmp_path / "lines").read_bytes() == (folder / "log.jsonl").read_bytes()
    assert len(batch.turns) == len(batch.lines) == len(batch.records) == 5


def test_bare_moves_leave_the_lines_and_the_results_of_real_ones(tmp_path: Path) -> None:
    folder, bare_folder = build(tmp_path / "campaign", areas=3, layer=3), tmp_path / "bare"
    bare_folder.mkdir()
    walk = Walk(folder)
    batch = walk.batch(5)
    walk.close()

    with bare_moves(bare_folder, folder) as bare:
        for _ in range(2):
            bare.begin(batch)
            bare.take(batch)
            assert bare.lines == batch.lines
    assert len(list((bare_folder / "results").iterdir())) == 5
    for result in (bare_folder / "results").iterdir():
        assert result.read_bytes() == (folder / "results" / result.name).read_bytes()


def test_the_floor_of_a_dropped_file_appends_one_line_for_each(ground: Ground) -> None:
    with drop.bare_watcher(ground, b"line\n") as drop_one:
        assert all(drop_one(f"t{number}", b"{}") > 0 for number in range(3))

    assert [log.read_bytes() for log in ground.disk.rglob("log")] == [b"line\n" * 3]


def test_a_backlog_is_taken_to_its_end(ground: Ground, tmp_path: Path) -> None:
    model = ground.small_campaign(tmp_path)
    backlog.drop(tmp_path / "root", model, campaigns=3, turns=10)
    assert len(list(tmp_path.glob("root/*/turns/*.json"))) == 10

    assert backlog.take_all(tmp_path / "root") == ["applied"] * 10
    assert not list(tmp_path.glob("root/*/turns/*.json"))
    for folder in (tmp_path / "root").iterdir():
        assert verify(folder).problems == ()


def test_what_calls_of_the_toolkit_cost_can_be_measured(ground: Ground) -> None:
    row = next(iter(toolkit.calls(ground)))
    assert row.number == "T1"
    assert row.value is not None
    assert row.value > 0


def test_a_reading_that_goes_on_costs_less_than_one_that_begins(ground: Ground) -> None:
    (row,) = readings.again(ground)
    assert row.is_met


@pytest.mark.slow
def test_words_that_were_tried_cost_less_than_those_that_are(ground: Ground) -> None:
    (row,) = readings.words(ground)
    assert row.is_met


# measuring


def test_measures_are_taken_in_turn_and_the_first_round_only_warms_up() -> None:
    order: list[str] = []
    ours, floor = iter([100.0, 4.0, 6.0, 99.0]), iter([100.0, 1.0, 2.0, 3.0])

    def take(name: str, values: Iterator[float]) -> float:
        order.append(name)
        return next(values)

    assert ratio(3, lambda: take("ours", ours), lambda: take("floor", floor)) == 3
    assert order == ["ours", "floor"] * 4


def test_without_warming_up_every_round_counts() -> None:
    values = iter([1.0, 2.0, 6.0])
    assert in_turn(3, lambda: next(values), warm=False) == [2]


@pytest.mark.parametrize(
    ("count", "part", "expected"), [(100, 0.5, 50), (100, 0.99, 99), (300, 0.99, 297), (1, 0.5, 1)]
)
def test_a_quantile_is_the_value_that_a_part_of_all_do_not_exceed(count: int, part: float, expected: int) -> None:
    assert quantile([float(value) for value in range(count, 0, -1)], part) == expected


def test_syncing_is_off_just_as_long_as_it_should_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fdatasync", synced.append)
    walk = Walk(build(tmp_path / "campaign", areas=3, layer=3))
    synced.clear()
    with unsynced():
        walk.batch(2)
    assert synced == []

    walk.batch(2)
    walk.close()
    assert len(synced) >= 2


# the table


def test_every_target_has_a_row() -> None:
    turns = ["P1", "P2", "P3", "P4", "P5", "P5b", "P6", "P7", "P8", "P9", "P10", "P11", "P12", "P13"]
    assert list(ROWS) == [*turns, "R1", "R2", "R3", "R4", "C1", "T"]


@pytest.mark.parametrize(
    ("value", "is_least", "expected"),
    [(1.5, False, True), (1.6, False, False), (1.5, True, True), (1.4, True, False), (None, False, False)],
)
def test_a_target_is_met_up_to_its_very_value(value: float | None, is_least: bool, expected: bool) -> None:
    row = Row("P1", "what", "floor", value, 1.5, is_least=is_least, wrong="broken")

    assert row.is_met is expected
    assert row.to_json()["is_met"] is expected
    shown = as_text([row]).splitlines()[1]
    assert shown.endswith("yes" if expected else "NO: broken" if value is None else "NO")
