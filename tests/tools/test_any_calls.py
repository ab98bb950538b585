"""Any calls of any tools, in any order: nothing but a reply comes of them, and what must always hold does."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import clock
from tests.sampling import tries
from tests.tools.calls import tool_calls
from tests.tools.hall import WORLD, hall_documents

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import document_from

Json = Any
FIGHT: Json = {
    "id": "fight",
    "tool": "create_encounter",
    "args": {
        "terrain": {"width": 12, "height": 12, "obstacles": ["5,5"], "difficult_terrain": ["4,4"], "water": ["6,2"]},
        "participants": [
            {"character_id": "aria", "position": {"x": 1, "y": 1}},
            {"character_id": "brom", "position": {"x": 1, "y": 3}},
            {"character_id": "cyra", "position": {"x": 0, "y": 2}},
            {"character_id": "dain", "position": {"x": 0, "y": 5}},
            {"character_id": "grik", "position": {"x": 8, "y": 8}},
            {"character_id": "ogg", "position": {"x": 3, "y": 1}, "is_enemy": True},
            {"id": "g1", "name": "Goblin", "hp": 7, "max_hp": 7, "is_enemy": True, "position": {"x": 2, "y": 1}},
            {"id": "g2", "name": "Goblin", "hp": 7, "max_hp": 7, "is_enemy": True, "position": {"x": 6, "y": 6}},
        ],
    },
}
TURNS = st.lists(st.lists(tool_calls(), min_size=1, max_size=3), min_size=1, max_size=12)


@settings(max_examples=tries(15), deadline=None, suppress_health_check=list(HealthCheck))
@given(TURNS)
def test_whatever_is_called_a_reply_comes_and_the_world_stays_sound(turns: Sequence[Sequence[Json]]) -> None:
    play(turns)


@pytest.mark.slow
@settings(max_examples=2500, deadline=None, suppress_health_check=list(HealthCheck))
@given(TURNS)
def test_thousands_of_calls_leave_the_world_sound(turns: Sequence[Sequence[Json]]) -> None:
    play(turns)


def play(turns: Sequence[Sequence[Json]]) -> None:
    """Play turns on the hall with a fight in it, and look at everything after each."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hall"
        shutil.copytree(WORLD, path)
        (path / "campaign.json").write_text(json.dumps(hall_documents()["campaign.json"]), encoding="utf-8")
        with Campaign.open(path, clock=clock, lag=3600) as campaign:
            begun = campaign.process({"tool_calls": [FIGHT]})
            assert begun["status"] == "applied"
            for calls in turns:
                before = campaign.state
                reply = campaign.process({"tool_calls": list(calls)})
                assert reply["status"] in ("applied", "partial", "failed")
                hints = [call["hint"] for call in reply["tool_feedback"]["failed_calls"] if "hint" in call]
                assert all(hint.get("allowed") != [] for hint in hints), "a hint of nothing"
                if reply["status"] == "failed":
                    assert campaign.state == before, "a failed call changed something"
                    assert list(campaign.records())[-1]["draws"] == [], "a failed call drew a die"
                require_sound(campaign.state)
        assert not verify(path).problems


def require_sound(state: Json) -> None:
    """Check what must hold of every document, whatever was asked; nothing is left that a hand edit could not leave."""
    documents = {}
    for path, value in state.items():
        document, problems = document_from(path, value, BUILT_IN.documents)
        assert document is not None, problems
        documents[path] = document
        if path.startswith("characters/") and value.get("max_hp"):
            _require_sound_body(document)
        if path.startswith("encounters/"):
            for person in document.participants:  # type: ignore[attr-defined]
                if person.body is not None:
                    _require_sound_body(person.body)
    problems = campaign_problems(World(InMemorySource(documents)), documents)
    assert [problem for problem in problems if not problem.warning] == []


def _require_sound_body(person: Any) -> None:
    now = effective(person)
    assert person.hp >= 0, person.id
    if person.hp > 0:
        assert person.character_state not in ("dying", "unconscious"), person.id
    if person.is_dead or person.hp == 0 or now.impairment.incapacitated:
        assert person.concentration is None, f"{person.id} concentrates"
    if person.sheet is not None:
        assert person.sheet.hit_dice.current <= person.sheet.hit_dice.max
        for pool in person.sheet.spell_slots.values():
            assert pool.current <= pool.max
    names = [condition.condition for condition in person.conditions]
    assert len(names) == len(set(names)), "a condition stands twice"
