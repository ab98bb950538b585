"""`results/`: the newest replies as files; all of them stand in the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests import builders
from tests.store.kit import contents, forget_checkpoint

from turnwright import Campaign
from turnwright.model.wire.record import reply_of
from turnwright.store.results import result_path

TALL_TALE = "Tomas loses 30 hit points."


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    return tmp_path / "campaign_0"


def results(path: Path) -> list[str]:
    return sorted(file.stem for file in (path / "results").iterdir())


def retried(campaign: Campaign, turn_id: str, *, attempts: int) -> list[str]:
    """Hand a turn in that claims what nobody applied, and then once more without the claim."""
    texts = [TALL_TALE] * attempts + ["All is quiet."]
    return [campaign.process({"turn_id": turn_id, "assistant_text": text})["status"] for text in texts]


def test_a_result_is_the_reply_to_its_turn(campaign: Campaign, path: Path) -> None:
    replies = [campaign.process(builders.turn(builders.hp_delta(-20), builders.move("nowhere"))), campaign.process({})]
    for reply in replies:
        file = path / "results" / f"{reply['turn_id']}.json"
        assert json.loads(file.read_text(encoding="utf-8")) == reply
        assert reply == reply_of(builders.log_of(path)[builders.untyped(reply["seq"])])


def test_a_refused_turn_and_what_is_no_turn_have_no_result(campaign: Campaign, path: Path) -> None:
    campaign.process({"turn_id": "bad", "dragons": 1})
    campaign.set({"goal.text": "x"})
    campaign.process({})
    campaign.undo()
    assert results(path) == ["turn_0001"]


def test_only_the_newest_results_are_kept(campaign: Campaign, path: Path) -> None:
    campaign.set({"results.keep": 3})
    for number in range(1, 6):
        campaign.process({})
        assert results(path) == [f"turn_{n:04d}" for n in range(max(1, number - 2), number + 1)]
    campaign.set({"results.keep": 1})
    assert results(path) == ["turn_0005"]
    campaign.set({"results.keep": 4})
    campaign.process({})
    campaign.process({})
    assert results(path) == ["turn_0005", "turn_0006", "turn_0007"]


def test_a_turn_that_was_wanted_again_is_one_among_the_newest(campaign: Campaign, path: Path) -> None:
    campaign.set({"results.keep": 2, "narration.check": "retry"})
    campaign.process({"turn_id": "a"})
    assert retried(campaign, "b", attempts=2) == ["retry_needed", "retry_needed", "empty"]
    assert results(path) == ["a", "b"]
    assert retried(campaign, "c", attempts=1)[0] == "retry_needed"
    assert results(path) == ["b", "c"]
    forget_checkpoint(path)
    campaign.close()
    with Campaign.open(path, builders.clock) as opened:
        assert opened.process({"turn_id": "d", "assistant_text": TALL_TALE})["status"] == "retry_needed"
        assert results(path) == ["c", "d"]


@pytest.mark.parametrize("keep", [2, 500])
def test_results_are_made_again_with_the_checkpoint(campaign: Campaign, path: Path, keep: int) -> None:
    campaign.set({"results.keep": keep, "narration.check": "retry"})
    campaign.process(builders.turn(builders.hp_delta(-1)))
    retried(campaign, "b", attempts=1)
    for _ in range(3):
        campaign.process({})
    campaign.close()
    before = contents(path)
    forget_checkpoint(path)
    for file in (path / "results").iterdir():
        file.write_bytes(b"nonsense")
    (path / "results").joinpath(sorted(before)[-1].rpartition("/")[2]).unlink()
    with Campaign.open(path, builders.clock) as opened:
        opened.set({"goal.text": "x"})
    after = contents(path)
    for name in before:
        if name.startswith("results/"):
            assert after[name] == before[name]
    assert results(path) == sorted(name.removeprefix("results/")[:-5] for name in before if name.startswith("results/"))


@pytest.mark.parametrize("turn_id", ["con", "CON", "nul.txt", "Com1.x.y", "-", "_", "a..b", "a.json", "x" * 64])
def test_a_turn_id_is_never_a_name_that_a_file_system_keeps_to_itself(
    campaign: Campaign, path: Path, turn_id: str
) -> None:
    campaign.process({"turn_id": turn_id})
    (file,) = (path / "results").iterdir()
    assert file == path / result_path(turn_id)
    assert file.name.partition(".")[0].lower() not in {"con", "nul", "com1"}
    assert json.loads(file.read_text(encoding="utf-8"))["turn_id"] == turn_id
