"""Time and memory are bounded, whatever comes: turn files at the limits, words that nearly fit, faults by the hundred.

Time is bounded by how it grows, see `tests/growth.py`.
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
from tests import builders
from tests.growth import Work, growth, ratio
from tests.sampling import sampled

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.model.errors import CampaignInvalid
from turnwright.model.fuzzy_match import nearest

MIB = 1_048_576
MAX_GROWTH = 2.0
"""What four times the input may cost, for each of its parts; what grows with the square costs 4."""
MAX_MEMORY = 64 * MIB


def filled(size: int, begin: str, unit: str, end: str) -> bytes:
    """Return a file of just under so many bytes: one unit again and again."""
    room = size - len((begin + end).encode())
    return (begin + unit * (room // len(unit.encode())) + end).encode()


def compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def calls(number: int, **args: Any) -> Any:
    return builders.turn(*[builders.call("hp_delta", target_character_id="pc_001", delta=0, **args)] * number)


Make = Callable[[int], bytes]
REFUSED: dict[str, Make] = {
    "brackets": lambda size: b"[" * size,
    "braces": lambda size: (b'{"a":' * size)[:size],
    "digits": lambda size: b"9" * size,
    "digits in a turn": lambda size: filled(size, '{"x_a":', "9", "}"),
    "digits of an exponent": lambda size: filled(size, '{"x_a":1e', "9", "}"),
    "numbers of 4299 digits": lambda size: filled(size, '{"x_a":[', "9" * 4299 + ",", "9]}"),
    "an open string": lambda size: (b'{"user_input":"' + b"a" * size)[:size],
    "lone surrogates": lambda size: filled(size, '{"user_input":"', "\\ud800", '"}'),
    "blanks": lambda size: b" " * size,
    "bytes that are no text": lambda size: b'{"user_input":"' + b"a" * (size - 20) + b'\xff"}',
    "one key again and again": lambda size: filled(size, "{", '"x_a":1,', '"x_a":1}'),
    "a key twice among many": lambda size: (
        compact({f"x_padded_to_{n:020}": 1 for n in range(size // 42)})[:-1] + b',"x_padded_to_00000000000000000005":1}'
    ),
    "a key as long as the file": lambda size: filled(size, '{"tool_call', "s", '":1}'),
    "near keys": lambda size: compact({f"tool_call{n}": 1 for n in range(size // 26)}),
    "too many calls": lambda size: compact(calls(65, cause="x" * (size // 66 - 100))),
    "integers too large": lambda size: filled(size, '{"x_a":[', "9007199254740993,", "1]}"),
    "a long actor": lambda size: compact({"actor_id": "a" * (size - 20)}),
    "a long turn id": lambda size: compact({"turn_id": "a" * (size - 20)}),
    "half a million calls": lambda size: filled(size, '{"tool_calls":[', "0,", "0]}"),
    "half a million wrong addressees": lambda size: filled(size, '{"addressees":[', "1,", "1]}"),
    "nested too deep, and wide": lambda size: filled(
        size, '{"x_a":[[' + "[" * 31 + "]" * 31, "," + "[" * 20 + "]" * 20, "]]}"
    ),
}
TAKEN: dict[str, Make] = {
    "a string": lambda size: filled(size, '{"user_input":"', "a", '"}'),
    "astral characters": lambda size: filled(size, '{"user_input":"', "😀", '"}'),
    "escapes": lambda size: filled(size, '{"user_input":"', "\\u00e9", '"}'),
    "a narration": lambda size: filled(size, '{"assistant_text":"', "Mira takes damage. ", '"}'),
    "a narration of quotes": lambda size: filled(size, '{"assistant_text":"', "“", '"}'),
    "many notes": lambda size: compact({f"x_{n}": n for n in range(size // 18)}),
    "depth 32, and wide": lambda size: filled(size, '{"x_a":[' + "[" * 30 + "]" * 30, "," + "[" * 20 + "]" * 20, "]}"),
    "addressees": lambda size: filled(size, '{"addressees":[', '"a",', '"b"]}'),
    "64 long calls": lambda size: compact(calls(64, cause="x" * (size // 65 - 100))),
    "64 calls that fail": lambda size: compact(builders.turn(*[builders.move("a" * (size // 65 - 120))] * 64)),
    "64 calls with near arguments": lambda size: compact(calls(64, **{f"caus{n}": n for n in range(size // 64 // 18)})),
    "64 tools that are none": lambda size: compact(builders.turn(*[builders.call("m" * (size // 65 - 60))] * 64)),
    "floats that grow when they are written": lambda size: filled(size, '{"x_a":[', "1e308,", "1]}"),
    "a float as long as the file": lambda size: filled(size, '{"x_a":1.', "9", "}"),
}


def processed(campaign: Campaign, make: Make) -> Callable[[int], Work]:
    """Return what gives the work of taking a turn file, by its size."""

    def of(size: int) -> Work:
        data = make(size)
        return lambda: campaign.process(data)

    return of


@pytest.mark.parametrize("name", sampled(REFUSED, 7))
def test_the_time_to_refuse_a_turn_file_grows_no_faster_than_the_file(campaign: Campaign, name: str) -> None:
    data = REFUSED[name](MIB)
    assert 0.6 * MIB < len(data) <= MIB
    assert campaign.process(data)["status"] == "refused"
    assert growth(processed(campaign, REFUSED[name]), MIB // 4, MIB, MAX_GROWTH) < MAX_GROWTH


def test_a_turn_file_that_is_one_byte_too_long_is_refused(campaign: Campaign) -> None:
    longest = filled(MIB, '{"user_input":"', "a", '"}')
    assert len(longest) == MIB
    assert campaign.process(longest)["status"] != "refused"
    assert campaign.process(longest + b" ")["status"] == "refused"


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_refusing_takes_bounded_memory(campaign: Campaign, name: str) -> None:
    assert peak(campaign, REFUSED[name](MIB)) < MAX_MEMORY


@pytest.mark.parametrize("name", sampled(TAKEN, 4))
def test_the_time_to_take_a_turn_grows_no_faster_than_the_turn(campaign: Campaign, name: str) -> None:
    data = TAKEN[name](MIB)
    assert 0.6 * MIB < len(data) <= MIB
    assert campaign.process(data)["status"] != "refused"
    assert growth(processed(campaign, TAKEN[name]), MIB // 8, MIB // 2, MAX_GROWTH) < MAX_GROWTH


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_taking_a_turn_takes_bounded_memory(campaign: Campaign, name: str) -> None:
    assert peak(campaign, TAKEN[name](MIB)) < MAX_MEMORY


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
    campaign.process(builders.turn(builders.hp_delta(-1)))
    campaign.close()
    path = tmp_path / "campaign_0"
    file = path / "characters/pc_002.json"
    file.write_bytes(file.read_bytes().replace(b'"Tomas"', b'"Toma"'))
    return path


def handed_in(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        campaign.process(builders.turn(builders.hp_delta(-1)))


def grow(path: Path) -> None:
    """Make a file, or add zeros to it, until it would take too much memory."""
    path.touch()
    os.truncate(path, 2 * MAX_MEMORY)


def is_bounded(path: Path) -> bool:
    return all(peak_of(partial(work, path)) < MAX_MEMORY for work in (handed_in, check_directory, verify))


@pytest.mark.parametrize("place", ["results/huge.json", "results/turn_0001.json", "turns/huge.json", "log.jsonl"])
def test_a_huge_file_beside_the_documents_stops_nothing_and_takes_bounded_memory(path: Path, place: str) -> None:
    grow(path / place)
    assert is_bounded(path)
    assert [record["kind"] for record in builders.log_of(path)] == ["new", "turn", "edit", "turn"]


@pytest.mark.parametrize("place", ["characters/huge.json", "characters/pc_001.json"])
def test_a_huge_document_is_named_and_takes_bounded_memory(path: Path, place: str) -> None:
    grow(path / place)
    what = "cannot be read: is longer than 67108864 bytes"
    with pytest.raises(CampaignInvalid, match=what):
        handed_in(path)
    assert [problem.message for problem in check_directory(path) if problem.file == place] == [what]
    assert [problem.message for problem in verify(path).problems if problem.file == place] == [what]


def test_a_document_that_grows_huge_meanwhile_is_named(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        campaign.process({})
        grow(path / "characters/pc_001.json")
        with pytest.raises(CampaignInvalid, match="is longer than"):
            campaign.process(builders.turn(builders.hp_delta(-1)))


# from Python


def test_the_time_to_refuse_near_keys_grows_no_faster_than_they_do(campaign: Campaign) -> None:
    def early(size: int) -> Work:
        turn = {f"tool_call{n}": n for n in range(size)}
        return lambda: campaign.process(turn)

    def late(size: int) -> Work:
        turn: Any = {f"x_{n}": n for n in range(size)} | {"tool_call": []}
        return lambda: campaign.process(turn)

    assert growth(early, 25_000, 100_000, MAX_GROWTH) < MAX_GROWTH
    assert growth(late, 25_000, 100_000, MAX_GROWTH) < MAX_GROWTH


def test_a_value_that_is_shared_at_every_level_is_not_read_to_its_end(campaign: Campaign) -> None:
    def shared(levels: int) -> Work:
        value: list[Any] = []
        for _ in range(levels):
            value = [value, value]
        return lambda: campaign.process({"x_note": value})

    assert ratio(shared(24), shared(20), MAX_GROWTH) < MAX_GROWTH, "it would be 16 if all were read"
    reply = shared(20)()
    assert isinstance(reply, dict)
    assert reply["status"] == "refused"


ENDLESS = """
import resource, sys
from pathlib import Path
from tests import builders
campaign = builders.begin(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
endless = []
endless += [endless, endless]
for turn in ({"x_note": endless}, {"tool_calls": endless}, builders.turn(builders.call("move", a=endless))):
    assert campaign.process(turn)["status"] == "refused"
"""


@pytest.mark.slow
def test_a_list_that_holds_itself_twice_is_refused(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", ENDLESS, str(tmp_path / "table")], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


# nearest names


def test_the_search_for_near_names_takes_a_share_of_their_length() -> None:
    def search(letters: int) -> Work:
        ids = [f"{'a' * (letters - 10)}{n:04}" for n in range(4)]
        names = [*ids, *(name.replace("aa", "ba") for name in ids)]
        return lambda: [nearest(given, names) for given in ("a" * letters, "ab" * (letters // 2))]

    assert growth(search, 50, 200, 2.5, repeat=20) < 2.5


def test_calls_that_miss_long_names_take_a_share_of_their_length(make_campaign: Any) -> None:
    def missed(letters: int) -> Work:
        ids = [f"{'a' * (letters - 10)}{n:04}" for n in range(20)]
        campaign = make_campaign(builders.documents(areas=[builders.area("area_001", *ids), *map(builders.area, ids)]))
        turn = builders.turn(*[builders.move("a" * letters)] * 4)
        assert builders.failed(campaign.process(turn)) == [("error", "invalid_args")] * 4
        return lambda: campaign.process(turn)

    assert growth(missed, 50, 200, 2.5, repeat=3) < 2.5


def test_the_search_for_near_names_takes_a_share_of_their_number() -> None:
    def search(number: int, given: str) -> Work:
        names = [f"area_{n:05}" for n in range(number)]
        return lambda: nearest(given, names)

    for given in ("area_00001", "a" * MIB, "", "z"):
        assert growth(partial(search, given=given), 25_000, 100_000, MAX_GROWTH) < MAX_GROWTH, given[:20]


# documents

FAULTY: dict[str, Callable[[int], Any]] = {
    "unknown keys": lambda number: {"campaign.json": {f"titl{n}": n for n in range(number)}},
    "unknown settings": lambda number: {"campaign.json": {"settings": {f"limits{n}": n for n in range(number)}}},
    "areas that are none": lambda number: {"maps/root.json": {"areas": {f"a{n}": {"idd": n} for n in range(number)}}},
    "a party of nobody": lambda number: {
        "campaign.json": {"selected": {"party_character_ids": [f"pc_{n}" for n in range(number)]}}
    },
    "links to nowhere": lambda number: {
        "maps/root.json": {"areas": {"area_001": builders.area("area_001", *[f"area_{n}x" for n in range(number)])}}
    },
    "tools that are none": lambda number: {"campaign.json": {"allowlist": [f"mov{n}" for n in range(number)]}},
}


@pytest.mark.parametrize("name", sampled(FAULTY, 2))
def test_the_time_to_check_a_document_grows_no_faster_than_its_faults(tmp_path: Path, name: str) -> None:
    def checked(faults: int) -> Work:
        folder = tmp_path / str(faults)
        values = builders.documents()
        for path, more in FAULTY[name](faults).items():
            values[path] = values[path] | more
        for path, value in values.items():
            (folder / path).parent.mkdir(exist_ok=True, parents=True)
            (folder / path).write_text(json.dumps(value), encoding="utf-8")
        assert len(check_directory(folder)) >= 1
        return lambda: check_directory(folder)

    assert growth(checked, 100, 400, MAX_GROWTH) < MAX_GROWTH
