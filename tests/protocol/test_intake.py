"""Stage 1: what is refused as a whole, what only costs one call, and that nothing but a reply ever comes back."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.builders import STAMP, Json, begin, call, failed, hp_delta, log_file, log_of, results, spelt, turn, untyped
from tests.sampling import tries

from turnwright import Campaign

ERROR = ("error", "invalid_args")
BIG = 2**53 + 1


@pytest.fixture(scope="module", name="table")
def fixture_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """Give one campaign for all turns that leave nothing behind, or nothing that matters."""
    with begin(tmp_path_factory.mktemp("intake") / "c") as campaign:
        yield campaign


def count(campaign: Campaign) -> int:
    return log_file(campaign).read_bytes().count(b"\n")


def refused(campaign: Campaign, value: Any, *, turn_id: str | None = None) -> Json:
    """Hand in a turn that must be refused whole, and check that it left no trace; return the reply."""
    before, records = spelt(campaign.state), count(campaign)
    reply = campaign.process(value)
    assert (reply["status"], reply["reason"]) == ("refused", "invalid_turn"), reply
    assert (reply["turn_id"], reply["seq"], reply["timestamp"]) == (turn_id, None, STAMP)
    assert isinstance(reply["detail"], str)
    assert reply["detail"]
    assert (spelt(campaign.state), count(campaign)) == (before, records)
    return reply


# the turn as a whole


@pytest.mark.parametrize("value", [None, 5, True, 1.5, "{}", [], [{}], float("nan"), {1}, object(), (), ("a",)])
def test_a_turn_is_an_object(table: Campaign, value: Any) -> None:
    refused(table, value)


@pytest.mark.parametrize(
    ("key", "value", "near"),
    [
        ("tool_cals", [], "tool_calls"),
        ("turnid", "t-2", "turn_id"),
        ("Atomic", True, "atomic"),
        ("actor", "pc_002", "actor_id"),
        ("narration", "The drake dives.", "assistant_text"),
        ("text", "The drake dives.", "assistant_text"),
        ("calls", [], "tool_calls"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_known_one(table: Campaign, key: str, value: Any, near: str) -> None:
    reply = refused(table, {"turn_id": "t-1", key: value}, turn_id="t-1")
    assert key in reply["detail"]
    assert near in reply["detail"]
    assert (reply["hint"]["field"], reply["hint"]["choices"][0]) == (key, near)
    assert not {"remove", "allowed"} & {*reply["hint"]}


@pytest.mark.parametrize(("key", "value"), [("X_note", []), ("actor", None), ("reasoning", "they are tired")])
def test_an_unknown_key_that_says_nothing_of_the_deed_is_to_be_left_out(table: Campaign, key: str, value: Any) -> None:
    reply = refused(table, {"turn_id": "t-1", key: value}, turn_id="t-1")
    assert key in reply["detail"]
    assert reply["hint"] == {"field": key, "remove": True}


TEXT_AND_CALLS = ["tool_calls", "assistant_text"]
API_CALLS: list[Json] = [{"id": "a", "type": "function", "function": {"name": "move_options", "arguments": "{}"}}]


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ({"role": "assistant", "content": None, "tool_calls": API_CALLS}, {"field": "role", "remove": True}),
        ({"content": None, "tool_calls": API_CALLS}, {"field": "content", "remove": True}),
        ({"content": "It is dark.", "tool_calls": API_CALLS}, {"field": "content", "choices": ["assistant_text"]}),
        ({"choices": [{"message": {"tool_calls": API_CALLS}}]}, {"field": "choices", "choices": TEXT_AND_CALLS}),
        ({"content": [{"type": "tool_use"}]}, {"field": "content", "choices": TEXT_AND_CALLS}),
        ({"usage": {"total_tokens": 5}}, {"field": "usage", "remove": True}),
    ],
)
def test_the_answer_of_an_api_is_no_turn_but_its_calls_are_of_one(table: Campaign, answer: Json, hint: Json) -> None:
    reply = table.process(answer)
    assert (reply["status"], reply["hint"]) == ("refused", hint)
    assert "hand in its tool_calls alone" in reply["detail"]


@pytest.mark.parametrize("key", [5, None, True, ("a",), "\ud800", "x_\ud800"])
def test_a_key_that_json_cannot_hold_is_refused_in_a_reply_that_json_can_hold(table: Campaign, key: Any) -> None:
    spelt(refused(table, {key: 1})).encode()


def test_keys_that_begin_with_x_are_recorded_as_received(campaign: Campaign, tmp_path: Any) -> None:
    notes = {"x_note": {"any": [1, None, "é"]}, "x_": 0}
    assert campaign.process({"user_input": "hello", **notes})["status"] == "empty"
    record = log_of(tmp_path / "campaign_0")[-1]
    assert {key: record[key] for key in record if key.startswith("x_")} == notes


STRINGS = ("turn_id", "actor_id", "user_input", "assistant_text", "dialog_type", "dm_note", "agent", "speaker_id")
FLAGS = ("atomic", "keep_narration", "private")
WRONG: dict[str, list[Any]] = {
    **{key: [5, True, ["a"], {"a": "b"}] for key in STRINGS},
    **{key: [0, 1, "true", "", [], 1.0] for key in FLAGS},
    "prompt_id": [True, 1.0, "1", []],
    "addressees": ["pc_001", {"a": 1}, [5], [None]],
    "tool_calls": [{}, "move", 5, True, {"id": "a"}],
}


@pytest.mark.parametrize("key", [*STRINGS, *FLAGS, "prompt_id", "addressees", "tool_calls"])
def test_null_is_no_value_of_a_known_key(table: Campaign, key: str) -> None:
    refused(table, {key: None})


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in WRONG.items() for value in values])
def test_a_wrong_type_of_a_known_key_is_refused_and_named(table: Campaign, key: str, value: Any) -> None:
    assert key in refused(table, {key: value}, turn_id=None)["detail"]


@pytest.mark.parametrize("turn_id", ["", ".a", "a b", "a/b", "a\n", "é", "a" * 65, "..", "a:b", "~a"])
def test_a_turn_id_that_is_no_safe_name_is_refused(table: Campaign, turn_id: str) -> None:
    shown = turn_id if len(turn_id) <= 64 else None
    refused(table, {"turn_id": turn_id}, turn_id=shown)


@pytest.mark.parametrize("turn_id", ["a", "_", "-a.b_C", "0", "a" * 64, "CON", "turn..x"])
def test_any_other_name_is_a_turn_id(table: Campaign, turn_id: str) -> None:
    assert table.process({"turn_id": turn_id})["turn_id"] == turn_id


def test_an_answer_and_a_user_input_exclude_each_other(table: Campaign) -> None:
    refused(table, {"user_input": "yes", "answer": {"request_id": "r", "value": 1}})
    refused(table, {"user_input": "", "answer": None})


@pytest.mark.parametrize("part", ["output", "answer"])
@pytest.mark.parametrize("value", [None, 5, "text", [], True])
def test_an_output_or_answer_that_is_no_object_is_that_parts_error(table: Campaign, part: str, value: Any) -> None:
    reply = table.process({part: value, "tool_calls": [hp_delta(0)]})
    assert (reply["status"], failed(reply)) == ("partial", [ERROR])
    assert reply["tool_feedback"]["failed_calls"][0]["tool"] == part


# limits


def test_more_than_64_calls_are_refused_before_anything_runs(table: Campaign) -> None:
    assert "65" in refused(table, turn(*[hp_delta(-1)] * 65))["detail"]
    assert len(results(table.process(turn(*[hp_delta(0)] * 64)))) == 64


def test_the_limit_of_calls_is_a_setting(campaign: Campaign) -> None:
    campaign.set({"limits.calls": 2})
    refused(campaign, turn(*[hp_delta(0)] * 3))
    assert campaign.process(turn(*[hp_delta(0)] * 2))["status"] == "applied"


def nested(levels: int, innermost: Any) -> Any:
    """Return arrays and objects by turns, `levels` deep, the innermost included."""
    value = innermost
    for number in range(levels - 1):
        value = [value] if number % 2 else {"a": value}
    return value


DOORS: dict[str, Callable[[Any], Any]] = {
    "python": lambda value: value,
    "text": lambda value: json.dumps(value).encode(),
}
INNERMOST = [[], {}, [1], {"a": "b"}, [None]]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("innermost", INNERMOST, ids=str)
def test_a_turn_nests_32_deep_and_no_deeper_by_any_door(table: Campaign, door: str, innermost: Any) -> None:
    through = DOORS[door]
    assert table.process(through({"x_deep": nested(31, innermost)}))["status"] == "empty"
    refused(table, through({"x_deep": nested(32, innermost)}))
    assert table.process(through(turn(hp_delta(0) | {"note": nested(29, innermost)})))["status"] == "applied"
    refused(table, through(turn(hp_delta(0) | {"note": nested(30, innermost)})))
    deepest = call("hp_delta", **hp_delta(0)["args"], more=nested(28, innermost))
    assert table.process(through(turn(deepest)))["status"] == "applied"
    refused(table, through(turn(call("hp_delta", **hp_delta(0)["args"], more=nested(29, innermost)))))


def test_too_deep_refuses_the_turn_even_beside_what_would_only_cost_a_call(table: Campaign) -> None:
    for args in ({"a": nested(40, []), "b": float("nan")}, {"b": float("nan"), "a": nested(40, [])}):
        refused(table, turn(call("move", **args)))


def test_a_value_that_holds_itself_is_too_deep(table: Campaign) -> None:
    loop: list[Any] = []
    loop.append(loop)
    knot: Json = {}
    knot["knot"] = knot
    for value in (loop, knot):
        refused(table, {"x_loop": value})
        refused(table, turn(call("move", a=value, b=float("nan"))))
        refused(table, turn(call("move", b={1}, a=value)))
        refused(table, turn(value))


MIB = 1_048_576


@pytest.mark.parametrize("letter", ["a", "é", "😀"])
def test_a_turn_is_at_most_a_mebibyte_of_bytes_by_any_door(campaign: Campaign, letter: str) -> None:
    room = MIB - len(b'{"user_input":""}')
    text = letter * (room // len(letter.encode()))
    for value in (
        {"user_input": text},
        json.dumps({"user_input": text}, ensure_ascii=False, separators=(",", ":")).encode().ljust(MIB),
    ):
        assert campaign.process(value)["status"] == "empty"
    longer = {"user_input": text + letter}
    refused(campaign, longer)
    refused(campaign, json.dumps(longer, ensure_ascii=False, separators=(",", ":")).encode())
    refused(campaign, b"{}".ljust(MIB + 1))


# text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"{",
        b"{}{}",
        b"{} x",
        b"null",
        b"[]",
        b'"turn"',
        b"12",
        b"{'user_input': 'a'}",
        b'{"user_input": "a",}',
        b"// note\n{}",
        b"\xef\xbb\xbf{}",
        '{"user_input": "é"}'.encode("latin-1"),
        '{"user_input": "a"}'.encode("utf-16"),
        b'{"user_input": "a\x00"}',
        b'{"user_input": "a\nb"}',
        b'{"user_input": "\\ud800"}',
        b'{"user_input": "\\udc00\\ud800"}',
        b'{"x_note": {"\\ud800": 1}}',
        b'{"tool_calls": [{"id": "a", "tool": "move", "args": {"a": "\\ud83d"}}]}',
        b'{"user_input": "a", "user_input": "b"}',
        b'{"tool_calls": [{"id": "a", "tool": "move", "args": {"a": 1, "a": 1}}]}',
        b'{"tool_calls": [{"id": "a", "id": "a", "tool": "move", "args": {}}]}',
        b'{"x_a": NaN}',
        b'{"x_a": Infinity}',
        b'{"x_a": -Infinity}',
        b'{"x_a": 1e999}',
        b'{"x_a": ' + b"9" * 5000 + b"}",
        b'{"tool_calls": [{"id": "a", "tool": "move", "args": {"a": NaN}}]}',
        b'{"tool_calls": [{"id": "a", "tool": "move", "args": {"a": -1e999}}]}',
        b'{"x_a": 9007199254740993}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
    ],
)
def test_a_turn_file_is_strict_json_in_utf_8(table: Campaign, data: bytes) -> None:
    refused(table, data)


def test_a_pair_of_surrogates_is_a_character_and_non_ascii_is_kept(table: Campaign) -> None:
    assert table.process(b'{"user_input": "\\ud83d\\ude00"}')["status"] == "empty"
    assert list(table.records())[-1]["user_input"] == "😀"


def test_a_file_and_the_value_in_it_are_the_same_turn(table: Campaign) -> None:
    value = {"turn_id": "twice", "user_input": "é", "x_n": 1.5}
    first = table.process(value)
    assert table.process(json.dumps(value, indent=3).encode()) == first
    assert table.process(b'{"x_n": 1.50, "user_input": "\\u00e9", "turn_id": "twice"}') == first


# what JSON cannot hold


UNHOLDABLE = [
    float("nan"),
    float("inf"),
    {1, 2},
    (1,),
    b"x",
    object(),
    1j,
    BIG,
    -BIG,
    10**5000,
    "\ud800",
    {5: 1},
    {"\ud800": 1},
]


@pytest.mark.parametrize("value", UNHOLDABLE, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "wrap", [lambda v: v, lambda v: [v], lambda v: {"a": [{"b": v}]}], ids=["bare", "list", "deep"]
)
def test_inside_the_args_it_costs_the_call_and_outside_the_turn(table: Campaign, value: Any, wrap: Any) -> None:
    reply = table.process(turn(call("hp_delta", **hp_delta(0)["args"], more=wrap(value)), hp_delta(0)))
    assert (reply["status"], failed(reply)) == ("partial", [ERROR])
    spelt(reply).encode()
    refused(table, {"x_more": wrap(value)})
    refused(table, turn(hp_delta(0) | {"note": wrap(value)}))
    refused(table, turn(wrap(value)))
    refused(table, {"output": {"a": wrap(value)}})


def test_a_call_that_json_cannot_hold_is_still_checked_in_order(table: Campaign) -> None:
    nan = float("nan")
    reply = table.process(
        turn(call("nothing", a=nan), {"id": 5, "tool": "move", "args": {"a": nan}}, call("move", a=nan))
    )
    assert failed(reply) == [("rejected", "tool_not_allowed"), ("error", "invalid_call"), ERROR]


def test_the_log_stays_readable_after_what_json_cannot_hold(campaign: Campaign, tmp_path: Any) -> None:
    campaign.process(turn(*(call("move", a=value) for value in UNHOLDABLE)))
    assert len(log_of(tmp_path / "campaign_0")[-1]["tool_calls"]) == len(UNHOLDABLE)
    assert campaign.process({})["status"] == "empty"


def test_a_turn_that_is_handed_in_is_left_as_it_was(table: Campaign) -> None:
    value = {"user_input": "é", "tool_calls": [hp_delta(0), "no call", call("move", a=[1, {"b": None}])], "x_a": [1]}
    before = copy.deepcopy(value)
    reply = table.process(value)
    assert value == before
    untyped(reply["applied_actions"][0])["args"]["delta"] = 99
    assert list(table.records())[-1]["applied_actions"][0]["args"]["delta"] == 0


# anything at all

JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=2)
    | st.just({1}),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.integers(0, 1), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(["move", "hp_delta", "map_generate", "move_options", "ghost", ""])
ARGS = st.dictionaries(
    st.sampled_from(
        [
            "actor_id",
            "from_area_id",
            "to_area_id",
            "target_character_id",
            "delta",
            "cause",
            "parent_area_id",
            "theme",
            "constraints",
        ]
    ),
    JUNK | st.sampled_from(["pc_001", "area_001", "area_002", 1]),
    max_size=5,
)
CALLS = st.fixed_dictionaries(
    {"id": JUNK | st.just("a"), "tool": NAMES | JUNK, "args": ARGS | JUNK}, optional={"reason": JUNK}
)
TURNS = st.fixed_dictionaries(
    {},
    optional={
        "turn_id": st.sampled_from(["a", "b", "turn_0003"]) | JUNK,
        "actor_id": st.sampled_from(["pc_001", "pc_002", "npc_001"]) | JUNK,
        "user_input": st.text(max_size=5) | JUNK,
        "assistant_text": st.sampled_from(["Mira takes 5 damage and dies.", "You walk on to Area 002."]) | JUNK,
        "dialog_type": st.just("rule_explanation") | JUNK,
        "tool_calls": st.lists(CALLS | JUNK, max_size=4) | JUNK,
        "output": JUNK,
        "answer": JUNK,
        "atomic": st.booleans() | JUNK,
        "x_more": JUNK,
    },
)


@hypothesis_settings(max_examples=tries(60))
@given(
    TURNS | JUNK | st.binary(max_size=20),
    st.sampled_from(["gm", "player:pc_001", "player:npc_001", "player:", "player:?"]),
)
def test_whatever_is_handed_in_gets_a_reply_and_a_record_or_neither(
    table: Campaign, value: Any, authority: str
) -> None:
    records, before = count(table), spelt(table.state)
    reply = table.process(value, authority=authority)
    spelt(reply).encode()
    fresh = count(table) - records
    if reply["status"] == "refused":
        assert (fresh, reply["seq"]) == (0, None)
    else:
        assert fresh == (untyped(reply["seq"]) >= records)
    if not reply.get("applied_actions"):
        assert spelt(table.state) == before
