"""The measurement of the small model goes on where it was stopped, and its table finds its place on the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripts.score_small_model import BEGIN, COLUMNS, END, jobs, name_of

from scripts import score_small_model as measurement
from turnwright.analysis.score.packs import Pack, read_pack, shipped_packs
from turnwright.analysis.score.run import Conditions, play
from turnwright.analysis.score.solution import solution_of
from turnwright.game_master.suggestion_provider import suggest
from turnwright.llm.echo import EchoModel


def a_run(job: measurement.Job) -> dict[str, Any]:
    return {"pack": job[1], "seed": job[2], "messages": [], "goal": [False], "passed": False}


def kept(*played: measurement.Job) -> measurement.Kept:
    return {"conditions": {"model": "m"}, "runs": {name_of(job): a_run(job) for job in played}}


def test_six_seeds_are_more_than_two_hundred_turns_in_each_of_four_columns() -> None:
    wanted = list(jobs(measurement.SEEDS))
    lengths = {name: len(read_pack(name).scenario.messages) for name in shipped_packs()}
    turns = dict.fromkeys(COLUMNS, 0)
    for column, pack, _ in wanted:
        turns[column] += lengths[pack]
    assert len(COLUMNS) == 4
    assert all(count >= 200 for count in turns.values())
    assert len({name_of(job) for job in wanted}) == len(wanted)


def test_what_was_measured_in_another_way_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "score.json"
    assert measurement.opened(path, {"model": "m"})["runs"] == {}
    measurement.keep(path, kept(next(jobs(1))))
    assert len(measurement.opened(path, {"model": "m"})["runs"]) == 1
    with pytest.raises(SystemExit, match=r"measured in another way \(model\)"):
        measurement.opened(path, {"model": "another"})


def test_only_runs_that_are_missing_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    class Here:
        """A pool that does everything at once."""

        def __init__(self, *_: Any, **__: Any) -> None: ...

        def __enter__(self) -> Here:
            return self

        def __exit__(self, *_: object) -> None: ...

        def submit(self, _: object, job: measurement.Job) -> Done:
            return Done(job)

    class Done:
        def __init__(self, job: measurement.Job) -> None:
            self.job = job

        def result(self) -> dict[str, Any]:
            played.append(self.job)
            return a_run(self.job)

    monkeypatch.setattr(measurement, "ProcessPoolExecutor", Here)
    monkeypatch.setattr(measurement, "as_completed", list)
    wanted = list(jobs(1))
    measurement.fill(tmp_path / "score.json", kept(*wanted[:5]), wanted, 1)
    assert played == wanted[5:]
    assert len(json.loads((tmp_path / "score.json").read_text("utf-8"))["runs"]) == len(wanted)


def test_a_column_is_shown_when_it_is_complete() -> None:
    wanted = list(jobs(2))
    first = [job for job in wanted if job[0] == COLUMNS[0]]
    assert measurement.table(kept(*first[:-1]), wanted) == "No column is complete.\n"
    assert measurement.table(kept(*first), wanted).startswith(f"|  | {COLUMNS[0].head} |\n")
    assert measurement.table(kept(*wanted), wanted).startswith(f"|  | {' | '.join(one.head for one in COLUMNS)} |\n")


def test_the_table_takes_the_place_of_what_stood_between_the_marks() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert measurement.written(page, "| new\\1 |\n") == f"before\n{BEGIN}\n| new\\1 |\n{END}\nafter\n"
    with pytest.raises(SystemExit, match="has no"):
        measurement.written("nothing", "x")


def test_the_page_has_a_place_for_the_table() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/score.md").read_text(encoding="utf-8")
    assert page.count(BEGIN) == page.count(END) == 1


def test_a_run_is_played_under_the_conditions_of_its_column(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("xllamacpp", reason="pip install 'xllamacpp>=2026.10'")
    schemas = set()

    class Noting(EchoModel):
        def answer(self, request: Any, on_text: Any = None) -> Any:
            schemas.add(request.answer_schema is not None)
            assert request.limits.max_tokens == measurement.SETTINGS["agents.narrative.max_tokens"]
            return super().answer(request, on_text)

    monkeypatch.setattr(measurement, "open_model", lambda *_, **__: Noting())
    for column in (COLUMNS[0], COLUMNS[3]):
        run = measurement.run((column, "delve", 1))
        assert len(run["messages"]) == 12
        assert schemas == {column.has_schema}
        schemas.clear()
    assert sorted(shipped_packs()) == ["bazaar", "delve", "skirmish"]


def test_prompts_have_room_for_hints_and_messages_for_a_repair(tmp_path: Path) -> None:
    """Check that the columns can differ: a budget below the bare prompt would cut the hints from all of them."""
    asked = hinted = 0

    class Noting:
        name = "solution"

        def __init__(self, pack: Pack) -> None:
            self._model = solution_of(pack)

        def answer(self, request: Any, on_text: Any = None) -> Any:
            nonlocal asked, hinted
            asked, hinted = asked + 1, hinted + ("## Tool hints" in request.system)
            return self._model.answer(request, on_text)

    for pack in map(read_pack, shipped_packs()):
        model = Noting(pack)
        how = Conditions("m", lambda _, one=model: one, suggest, settings=measurement.SETTINGS)  # type: ignore[misc]
        play(pack, 1, tmp_path / pack.name, how)
    assert hinted > asked / 3
    assert measurement.SETTINGS["agents.max_steps"] >= 3, "the last question offers no tools"
