"""Time and memory are bounded, whatever comes: turn files at the limits, words that nearly fit, faults by the hundred.

Times are CPU times, see `tests/timing.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests import plain
from tests.timing import best

from turnwright import Campaign
from turnwright.checker import check_directory
from turnwright.model.errors import CampaignInvalid
from turnwright.model.nearest import nearest
from turnwright.verifier import verify

MIB = 1_048_576
REFUSED_S = 0.05
TAKEN_S = 4.0
MOST_MEMORY = 64 * MIB


def filled(begin: str, unit: str, end: str) -> bytes:
    """Return a file of just under a mebibyte: one unit again and again."""
    room = MIB - len((begin + end).encode())
    return (begin + unit * (room // len(unit.encode())) + end).encode()


def compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def calls(number: int, **args: Any) -> dict[str, Any]:
    return plain.turn(*[plain.call("hp_delta", target_character_id="pc_001", delta=0, **args)] * number)


REFUSED: dict[str, Callable[[], bytes]] = {
    "brackets": lambda: b"[" * MIB,
    "braces": lambda: (b'{"a":' * MIB)[:MIB],
    "digits": lambda: b"9" * MIB,
    "digits in a turn": lambda: filled('{"x_a":', "9", "}"),
    "digits of an exponent": lambda: filled('{"x_a":1e', "9", "}"),
    "numbers of 4299 digits": lambda: filled('{"x_a":[', "9" * 4299 + ",", "9]}"),
    "an open string": lambda: (b'{"user_input":"' + b"a" * MIB)[:MIB],
    "a string that is one byte too long": lambda: filled('{"user_input":"', "a", '"}') + b" ",
    "lone surrogates": lambda: filled('{"user_input":"', "\\ud800", '"}'),
    "blanks": lambda: b" " * MIB,
    "bytes that are no text": lambda: b'{"user_input":"' + b"a" * (MIB - 20) + b'\xff"}',
    "one key again and again": lambda: filled("{", '"x_a":1,', '"x_a":1}'),
    "a key twice among many": lambda: (
        compact({f"x_padded_to_{n:020}": 1 for n in range(25_000)})[:-1] + b',"x_padded_to_00000000000000000005":1}'
    ),
    "a key as long as the file": lambda: filled('{"tool_call', "s", '":1}'),
    "near keys": lambda: compact({f"tool_call{n}": 1 for n in range(40_000)}),
    "too many calls": lambda: compact(calls(65, cause="x" * 15_900)),
    "integers too large": lambda: filled('{"x_a":[', "9007199254740993,", "1]}"),
    "a long actor": lambda: compact({"actor_id": "a" * (MIB - 20)}),
    "a long turn id": lambda: compact({"turn_id": "a" * (MIB - 20)}),
    "half a million calls": lambda: filled('{"tool_calls":[', "0,", "0]}"),
    "half a million wrong addressees": lambda: filled('{"addressees":[', "1,", "1]}"),
    "nested too deep, and wide": lambda: filled('{"x_a":[[' + "[" * 31 + "]" * 31, "," + "[" * 20 + "]" * 20, "]]}"),
}
TAKEN: dict[str, Callable[[], bytes]] = {
    "a string": lambda: filled('{"user_input":"', "a", '"}'),
    "astral characters": lambda: filled('{"user_input":"', "😀", '"}'),
    "escapes": lambda: filled('{"user_input":"', "\\u00e9", '"}'),
    "a narration": lambda: filled('{"assistant_text":"', "Mira takes damage. ", '"}'),
    "a narration of quotes": lambda: filled('{"assistant_text":"', "“", '"}'),
    "many notes": lambda: compact({f"x_{n}": n for n in range(60_000)}),
    "depth 32, and wide": lambda: filled('{"x_a":[' + "[" * 30 + "]" * 30, "," + "[" * 20 + "]" * 20, "]}"),
    "addressees": lambda: filled('{"addressees":[', '"a",', '"b"]}'),
    "64 long calls": lambda: compact(calls(64, cause="x" * 16_000)),
    "64 calls that fail": lambda: compact(plain.turn(*[plain.move("a" * 16_000)] * 64)),
    "64 calls with near arguments": lambda: compact(calls(64, **{f"caus{n}": n for n in range(900)})),
    "64 tools that are none": lambda: compact(plain.turn(*[plain.call("m" * 16_000)] * 64)),
    "floats that grow when they are written": lambda: filled('{"x_a":[', "1e308,", "1]}"),
    "a float as long as the file": lambda: filled('{"x_a":1.', "9", "}"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_turn_file_at_the_limits_is_refused_at_once(campaign: Campaign, name: str) -> None:
    data = REFUSED[name]()
    assert 0.6 * MIB < len(data) <= MIB + 1
    assert campaign.process(data)["status"] == "refused"
    assert best(lambda: campaign.process(data), REFUSED_S) < REFUSED_S


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_refusing_takes_bounded_memory(campaign: Campaign, name: str) -> None:
    assert peak(campaign, REFUSED[name]()) < MOST_MEMORY


SLOWEST = "depth 32, and wide"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == SLOWEST else name for name in TAKEN]
)
def test_a_turn_at_the_limits_is_taken_in_bounded_time(campaign: Campaign, name: str) -> None:
    data = TAKEN[name]()
    assert 0.6 * MIB < len(data) <= MIB
    assert campaign.process(data)["status"] != "refused"
    assert best(lambda: campaign.process(data), TAKEN_S) < TAKEN_S


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_taking_a_turn_takes_bounded_memory(campaign: Campaign, name: str) -> None:
    assert peak(campaign, TAKEN[name]()) < MOST_MEMORY


def peak(campaign: Campaign, data: bytes) -> int:
    """Return how much memory a turn takes at the most, in bytes."""
    return peak_of(lambda: campaign.process(data))


def peak_of(work: Callable[[], object]) -> int:
    """Return how much memory some work takes at the most, in bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# files of any size


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    """Give a campaign in which somebody has edited a document."""
    campaign.process(plain.turn(plain.hp_delta(-1)))
    campaign.close()
    path = tmp_path / "campaign_0"
    file = path / "characters/pc_002.json"
    file.write_bytes(file.read_bytes().replace(b'"Tomas"', b'"Toma"'))
    return path


def handed_in(path: Path) -> None:
    with Campaign.open(path, plain.clock) as campaign:
        campaign.process(plain.turn(plain.hp_delta(-1)))


def grow(path: Path) -> None:
    """Make a file, or add zeros to it, until it would take too much memory."""
    path.touch()
    os.truncate(path, 2 * MOST_MEMORY)


def is_bounded(path: Path) -> bool:
    return all(peak_of(partial(work, path)) < MOST_MEMORY for work in (handed_in, check_directory, verify))


@pytest.mark.parametrize("place", ["results/huge.json", "results/turn_0001.json", "turns/huge.json", "log.jsonl"])
def test_a_huge_file_beside_the_documents_stops_nothing_and_takes_bounded_memory(path: Path, place: str) -> None:
    grow(path / place)
    assert is_bounded(path)
    assert [record["kind"] for record in plain.log_of(path)] == ["new", "turn", "edit", "turn"]


@pytest.mark.parametrize("place", ["characters/huge.json", "characters/pc_001.json"])
def test_a_huge_document_is_named_and_takes_bounded_memory(path: Path, place: str) -> None:
    grow(path / place)
    what = "cannot be read: is longer than 67108864 bytes"
    with pytest.raises(CampaignInvalid, match=what):
        handed_in(path)
    assert [problem.message for problem in check_directory(path) if problem.file == place] == [what]
    assert [problem.message for problem in verify(path).problems if problem.file == place] == [what]


def test_a_document_that_grows_huge_meanwhile_is_named(path: Path) -> None:
    with Campaign.open(path, plain.clock) as campaign:
        campaign.process({})
        grow(path / "characters/pc_001.json")
        with pytest.raises(CampaignInvalid, match="is longer than"):
            campaign.process(plain.turn(plain.hp_delta(-1)))


# from Python


def test_many_near_keys_from_python_are_refused_at_once(campaign: Campaign) -> None:
    turn = {f"tool_call{n}": n for n in range(100_000)}
    assert best(lambda: campaign.process(turn), REFUSED_S) < REFUSED_S
    late: dict[str, Any] = {f"x_{n}": n for n in range(100_000)} | {"tool_call": []}
    assert best(lambda: campaign.process(late), REFUSED_S) < REFUSED_S


def test_a_value_that_is_shared_at_every_level_is_refused_at_once(campaign: Campaign) -> None:
    value: list[Any] = []
    for _ in range(20):
        value = [value, value]
    assert best(lambda: campaign.process({"x_note": value}), REFUSED_S, 1) < REFUSED_S
    assert campaign.process({"x_note": value})["status"] == "refused"


ENDLESS = """
import resource, sys
from pathlib import Path
from tests import plain
from tests.timing import best
campaign = plain.begin(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
endless = []
endless += [endless, endless]
for turn in ({"x_note": endless}, {"tool_calls": endless}, plain.turn(plain.call("move", a=endless))):
    assert campaign.process(turn)["status"] == "refused"
"""


@pytest.mark.slow
def test_a_list_that_holds_itself_twice_is_refused(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", ENDLESS, str(tmp_path / "table")], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


# nearest names

LONG_IDS = [f"{'a' * 190}{n:04}" for n in range(20)]


@pytest.mark.parametrize("given", ["a" * 200, "ab" * 100])
def test_the_search_for_near_names_is_quick_whatever_they_are(given: str) -> None:
    names = [*LONG_IDS[:4], *(name.replace("aa", "ba") for name in LONG_IDS[:4])]
    assert best(lambda: nearest(given, names), REFUSED_S, 1) < REFUSED_S


def test_64_calls_that_miss_long_names_take_bounded_time(make_campaign: Any) -> None:
    areas = [plain.area("area_001", *LONG_IDS), *map(plain.area, LONG_IDS)]
    campaign = make_campaign(plain.documents(areas=areas))
    turn = plain.turn(*[plain.move("a" * 200)] * 4)
    assert plain.failed(campaign.process(turn)) == [("error", "invalid_args")] * 4
    assert best(lambda: campaign.process(turn), TAKEN_S / 16, 1) < TAKEN_S / 16


def test_the_search_for_near_names_among_very_many_is_quick() -> None:
    names = [f"area_{number:05}" for number in range(100_000)]
    for given in ("area_00001", "a" * MIB, "", "z"):
        assert best(lambda given=given: nearest(given, names), 0.5, 1) < 0.5  # type: ignore[misc]


# documents

FAULTY: dict[str, Callable[[int], dict[str, Any]]] = {
    "unknown keys": lambda number: {"campaign.json": {f"titl{n}": n for n in range(number)}},
    "unknown settings": lambda number: {"campaign.json": {"settings": {f"limits{n}": n for n in range(number)}}},
    "areas that are none": lambda number: {"maps/root.json": {"areas": {f"a{n}": {"idd": n} for n in range(number)}}},
    "a party of nobody": lambda number: {
        "campaign.json": {"selected": {"party_character_ids": [f"pc_{n}" for n in range(number)]}}
    },
    "links to nowhere": lambda number: {
        "maps/root.json": {"areas": {"area_001": plain.area("area_001", *[f"area_{n}x" for n in range(number)])}}
    },
    "tools that are none": lambda number: {"campaign.json": {"allowlist": [f"mov{n}" for n in range(number)]}},
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_document_full_of_faults_is_checked_in_bounded_time(tmp_path: Path, name: str) -> None:
    values = plain.documents()
    for path, more in FAULTY[name](100).items():
        values[path] = values[path] | more
    for path, value in values.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(json.dumps(value), encoding="utf-8")
    assert len(check_directory(tmp_path)) >= 1
    assert best(lambda: check_directory(tmp_path), 0.1, 1) < 0.1
