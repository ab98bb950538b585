"""A small scenario pack in a folder, and game masters of all kinds that play it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from tests import builders
from tests.game_master.playing import Line

from turnwright.analysis.score.packs import Pack, load_pack
from turnwright.analysis.score.run import Conditions
from turnwright.llm.port import LanguageModel
from turnwright.llm.script import ScriptModel

Json = Any

MESSAGES: tuple[Json, ...] = (
    {"id": "go", "say": ["I go on.", "On I go.", "Forward!"], "expect": ["move"]},
    {"id": "wonder", "say": ["What if I flew?"], "abstain": True},
    {"id": "fall", "say": ["I fall and crawl back."], "expect": [["map_generate", "hp_delta"], "move"]},
    {"id": "talk", "say": ["Well, well."]},
)
GOAL: tuple[Json, ...] = ({"document": "characters/pc_001.json", "at": "/position", "equals": "area_002"},)


def written(folder: Path, **changes: Any) -> Path:
    """Write a pack, as JSON, which is YAML, too; a change of None leaves a key out."""
    value = {"title": "A test", "start": "start", "messages": list(MESSAGES), "goal": list(GOAL)} | changes
    folder.mkdir(parents=True)
    kept = {key: one for key, one in value.items() if one is not None}
    (folder / "pack.yaml").write_text(json.dumps(kept), encoding="utf-8")
    for path, document in builders.documents(people=builders.PEOPLE, party=("pc_001",)).items():
        (folder / "start" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "start" / path).write_text(json.dumps(document), encoding="utf-8")
    return folder


def a_pack(folder: Path, **changes: Any) -> Pack:
    return load_pack(written(folder, **changes))


def scripted(lines: Iterable[Line]) -> Callable[[str], LanguageModel]:
    kept = list(lines)
    return lambda _: ScriptModel(kept)


def conditions(open_model: Callable[[str], LanguageModel], **how: Any) -> Conditions:
    ticks = iter(range(10**9))
    return Conditions("any", open_model, **{"has_schema": False, "clock_ms": lambda: float(next(ticks)), **how})


def told(run: Mapping[str, Any], key: str) -> list[Any]:
    return [message[key] for message in run["messages"]]
