"""A fault of ours in the middle of an append: nothing is left of that turn, and those around it stand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.store.kit import contents

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.state.log_state import LogState
from turnwright.store import event_log as ledger
from turnwright.store.document_cache import Current
from turnwright.store.log import Log
from turnwright.store.records import Records
from turnwright.store.store import Store
from turnwright.store.working_files import Copies

STEPS = [
    (ledger, "encode"),
    (Log, "append"),
    (Copies, "note_base"),
    (Current, "take"),
    (Copies, "take"),
    (LogState, "take"),
    (Records, "take"),
]
"""What is done to append a record."""
BAD = builders.turn(builders.hp_delta(-4), builders.hp_delta(-4, "pc_002"), turn_id="bad")

Break = Callable[[object, str], None]


@pytest.fixture(name="break_at", params=[False, True], ids=["before", "after"])
def fixture_break_at(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Break:
    """Give a function that lets one step fail where the turn `bad` is appended, before or after it is done."""
    append, appended = Store.append, list[str]()

    def append_watched(self: Store, record: builders.Json, *args: Any, **kwargs: Any) -> None:
        appended.append(record.get("turn_id", ""))
        try:
            append(self, record, *args, **kwargs)
        finally:
            appended.pop()

    def break_at(owner: object, name: str) -> None:
        step = getattr(owner, name)

        def fail(*args: Any) -> Any:
            is_bad = appended == ["bad"]
            if is_bad and not request.param:
                raise LookupError("nobody thought of this")
            done = step(*args)
            if is_bad:
                raise LookupError("nobody thought of this")
            return done

        monkeypatch.setattr(owner, name, fail)

    monkeypatch.setattr(Store, "append", append_watched)
    return break_at


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    return tmp_path / "campaign_0"


def drop(path: Path, **turns: builders.Json) -> None:
    for name, turn in turns.items():
        (path / f"turns/{name}.json").write_text(json.dumps(turn), encoding="utf-8")


def require_sound(campaign: Campaign, path: Path) -> None:
    """Require that the campaign is what its log says, to whoever has it open and to whoever opens it."""
    state = campaign.state
    assert verify(path).problems == ()
    with Campaign.open(path, builders.clock) as fresh:
        assert fresh.state == state
    assert builders.on_disk(path) == state


@pytest.mark.parametrize(("owner", "name"), STEPS)
def test_a_dropped_turn_that_breaks_while_it_is_appended_leaves_nothing_behind(
    campaign: Campaign, path: Path, break_at: Break, owner: object, name: str
) -> None:
    drop(path, a=builders.turn(builders.hp_delta(-1)), b=BAD, c=builders.turn(builders.hp_delta(-2)))
    break_at(owner, name)
    told: list[tuple[str, str]] = []
    with pytest.raises(ExceptionGroup, match=r"at b\.json"):
        told += ((file, reply["status"]) for file, reply in campaign.process_drop())
    assert told == [("a.json", "applied"), ("b.json", "refused"), ("c.json", "applied")]
    assert [record.get("source") for record in builders.log_of(path)] == [None, "1__a.json", "2__c.json"]
    assert campaign.process(builders.turn(builders.hp_delta(1)))["state_summary"]["hp"] == {
        "pc_001": 8,
        "pc_002": 8,
        "npc_001": 5,
    }
    require_sound(campaign, path)


@pytest.mark.parametrize(("owner", "name"), STEPS)
def test_a_turn_that_breaks_while_it_is_appended_leaves_nothing_behind_in_a_program_that_stays(
    campaign: Campaign, path: Path, break_at: Break, owner: object, name: str
) -> None:
    before = contents(path)
    break_at(owner, name)
    with pytest.raises(LookupError):
        campaign.process(BAD)
    assert contents(path) == before
    assert campaign.process(builders.turn(builders.hp_delta(-1)))["state_summary"]["hp"]["pc_001"] == 9
    require_sound(campaign, path)


def test_the_turn_that_it_would_have_closed_stays_open(campaign: Campaign, path: Path, break_at: Break) -> None:
    campaign.set({"narration.check": "retry"})
    wrong, right = (
        {"turn_id": "open", "assistant_text": text} for text in ("Mira loses 30 hit points.", "All is well.")
    )
    drop(path, a=wrong, b=BAD, c=right)
    break_at(Records, "take")
    with pytest.raises(ExceptionGroup):
        list(campaign.process_drop())
    assert [(record["kind"], record.get("turn_id")) for record in builders.log_of(path)[2:]] == [
        ("attempt", "open"),
        ("turn", "open"),
    ]
    require_sound(campaign, path)
