"""What the fuzzer begins with: taken from the sample campaigns and the golden cases, so that nothing is kept twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from tests import builders
from tests.fuzz import targets

from turnwright import Campaign, CampaignError

_TESTS = Path(__file__).parent.parent
_CAMPAIGNS = _TESTS.parent / "campaigns"
_GOLDEN = _TESTS / "golden"
_MAX_LENGTH = 20_000
_NOTATIONS = ("2d6+3", "4d6dl1", "(1d8+2)*3", "1d20adv", "3d6!/2", "-d%", "1d20 dis - 4", "10d10kh3", "((2))*-1d4+0")
_NAMES = ("Hall\nYard\nThe Well\n東京\n🐉", "a\x1b[2J\n<b>&\n\u202eevil\n\n", "x" * 300 + "\n" + "é" * 80, "\ud800")


def _turns() -> Iterator[bytes]:
    for folder in (_CAMPAIGNS, _GOLDEN):
        for file in sorted(folder.glob("**/turns/*.json")):
            data = file.read_bytes()
            if "expect" not in file.parts and len(data) <= _MAX_LENGTH:
                yield data


def _documents() -> Iterator[bytes]:
    values = builders.documents()
    for place, path in enumerate(targets.DOCUMENTS):
        yield bytes([place]) + json.dumps(values[path]).encode()
        folder = "campaign.json" if "/" not in path else f"{path.partition('/')[0]}/*.json"
        for file in sorted(_CAMPAIGNS.glob(f"*/{folder}"))[:4]:
            yield bytes([place]) + file.read_bytes()


def _one_files() -> Iterator[bytes]:
    for file in sorted(_GOLDEN.glob("**/beside/*.json")):
        if len(data := file.read_bytes()) <= _MAX_LENGTH:
            yield data


def _logs() -> Iterator[bytes]:
    lines = (targets.played() / "log.jsonl").read_bytes().splitlines(keepends=True)
    for mark in range(4):
        yield bytes([mark]) + b"".join(lines)
        yield bytes([mark]) + b"".join(lines[:2])
        yield bytes([mark]) + b"".join(lines[:-1]) + lines[-1][:-20]


def _settings() -> Iterator[bytes]:
    from turnwright.rulesets.registry import BUILT_IN

    for row in BUILT_IN.settings.values():
        yield json.dumps({row.key: row.default}).encode()
    yield b'{"goal.text": "Out!", "goal.status": "active", "selected.active_actor_id": "pc_002"}'
    yield b'{"limits.calls": 1, "limits.turn_depth": 8, "narration.check": "retry", "players.tools": ["move"]}'


def _narrations() -> Iterator[bytes]:
    for data in _turns():
        told = _text_in(data)
        if told:
            yield f"Grell\n{told}".encode(errors="replace")
    yield b'Mira\nMira takes 5 damage and dies. You walk on to the harbour ("not yet!") - roll a d20.'


def _text_in(data: bytes) -> str:
    try:
        value: Any = json.loads(data)
    except ValueError:
        return ""
    told = value.get("assistant_text") if isinstance(value, dict) else None
    return told if isinstance(told, str) else ""


def _characters() -> Iterator[bytes]:
    from tests.imports.test_round_trips import EVERYTHING

    # Those in our own form first, as they came out of the others.
    with suppress(CampaignError), Campaign.new(targets.fresh("sheets"), template="toolkit", seed="fixed") as campaign:
        for name, data in EVERYTHING[-5:]:
            (report,) = campaign.import_characters(data, name)["imported"]
            yield campaign.export_character(report["character_id"])
    yield from (data for _, data in EVERYTHING)


_SEEDS: dict[str, Callable[[], Iterable[bytes]]] = {
    "turn": _turns,
    "read": _turns,
    "directory": _documents,
    "one_file": _one_files,
    "dice": lambda: [text.encode() for text in _NOTATIONS],
    "settings": _settings,
    "log": _logs,
    "narration": _narrations,
    "character": _characters,
    "picture": lambda: [text.encode(errors="surrogatepass") for text in _NAMES],
}


@cache
def seeds(target: str) -> tuple[bytes, ...]:
    """Return what a target begins with, each once, in an order of its own."""
    return tuple(dict.fromkeys(_SEEDS[target]()))
