"""What a model wrote, as an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import growth

from turnwright.llm.answer_parser import answer_from_prose, answer_from_text, fault_in, native_call
from turnwright.llm.port import ModelAnswer
from turnwright.model.json_schema import JsonSchema

CALL = {"id": "c1", "tool": "move", "args": {"to_area_id": "area_002"}}
TURN = {"assistant_text": "She goes {north}.", "tool_calls": [CALL]}
TEXT = json.dumps(TURN)
READ = ModelAnswer("She goes {north}.", (CALL,))

values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
prose = st.text(alphabet=st.characters(exclude_characters="{}", exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"\n  {TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{json.dumps(TURN, indent=2)}\n```\nI hope this helps!",
        f"Sure, here it is: {TEXT} Anything else?",
        f"{{He thinks}} and answers\n{TEXT}",
        f'A stray {{ and "quotes" before it. {TEXT}',
        f'{{"thought": "I should move her."}} {TEXT}',
        json.dumps({"thought": "hm", **TURN}),
    ],
)
def test_one_object_is_found_alone_fenced_and_among_prose(text: str) -> None:
    assert answer_from_text(text) == READ


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT[:-1],
        TEXT[:30],
        f"{TEXT} {TEXT}",
        '{"assistant_text": 7}',
        '{"tool_calls": {"tool": "move"}}',
        '{"tool_calls": [], "tool_calls": []}',
        '{"assistant_text": NaN}',
        json.dumps(CALL),
        json.dumps([TURN["tool_calls"]]),
        "{" * 5000,
        '{"tool_calls": ' + "[" * 200 + "]" * 200 + "}",
        '{"assistant_text": "\\ud800"}',
        '{"output": 1' + "0" * 5000 + "}",
    ],
    ids=range(14),
)
def test_what_cannot_be_read_as_one_answer_is_kept_as_text(text: str) -> None:
    assert answer_from_text(text) == ModelAnswer(text, is_well_formed=False)


def test_objects_without_end_are_given_up_soon() -> None:
    assert growth(lambda size: lambda: answer_from_text("{" * size), 25_000, 100_000, 2, repeat=3) < 2


def test_a_document_of_a_scene_game_is_read_under_output_and_bare() -> None:
    document = {"narration": "Rain.", "clock_ticks": []}
    assert answer_from_text(json.dumps({"output": document})).output == document
    schema: JsonSchema = {"properties": {"narration": {}, "clock_ticks": {}}}
    assert answer_from_text(f"Here: {json.dumps(document)}", schema) == ModelAnswer("", output=document)
    wrapped: JsonSchema = {"properties": {"output": schema}}
    assert not answer_from_text(json.dumps(document), wrapped).is_well_formed


@pytest.mark.parametrize(("note", "read"), [(" Her clerk knows. ", "Her clerk knows."), (["hm"], ""), (None, "")])
def test_a_note_is_read_where_it_is_one(note: Any, read: str) -> None:
    answer = answer_from_text(json.dumps({"dm_note": note, "output": {"narration": "Rain."}}))
    assert answer == ModelAnswer("", output={"narration": "Rain."}, note=read)


@pytest.mark.parametrize("choice", ["anyOf", "oneOf"])
def test_a_document_with_calls_is_no_bare_one_where_the_schema_leaves_a_choice_of_forms(choice: str) -> None:
    schema: Any = {choice: [{"properties": {"tool_calls": {}, "output": {}}}, {"properties": {"tool_calls": {}}}]}
    assert answer_from_text(json.dumps({"tool_calls": [CALL]}), schema) == ModelAnswer("", (CALL,))
    both = {"tool_calls": [CALL], "keep_narration": True, "output": {"narration": "Rain."}}
    answer = answer_from_text(json.dumps(both), schema)
    assert answer == ModelAnswer("", (CALL,), {"narration": "Rain."}, keeps_narration=True)


def test_prose_in_place_of_a_document_is_prose() -> None:
    assert answer_from_text("I go north.") == ModelAnswer("I go north.")
    assert not answer_from_text("<function=move>north</function>").is_well_formed


def test_calls_are_kept_as_they_were_written_however_wrong() -> None:
    calls = ["move", 7, {"tool": "no_such_tool", "args": "north"}]
    assert answer_from_text(json.dumps({"tool_calls": calls})) == ModelAnswer("", tuple(calls))


@given(values, prose, prose)
def test_any_output_is_found_whatever_prose_stands_around_it(output: Any, before: str, after: str) -> None:
    assert answer_from_text(f"{before}{json.dumps({'output': output})}{after}") == ModelAnswer("", output=output)


@given(st.text(max_size=200) | st.text(alphabet='{}[]":,\\ \n`atool_cs', max_size=200))
def test_no_text_whatever_raises(text: str) -> None:
    for answer in (answer_from_text(text), answer_from_prose(text), answer_from_text(text, {"properties": {}})):
        assert answer.is_well_formed or answer.text == text


def test_free_text_is_prose_unless_it_is_nothing_but_a_document() -> None:
    assert answer_from_prose(TEXT) == READ
    assert answer_from_prose(f"```json\n{TEXT}\n```") == READ
    for prose in (
        "{He thinks.}",
        "[The door creaks.]",
        'His "parameters": wind and tide.',
        "A tool calls for care.",
        "The king's 'arguments': 'we are doomed'.",
        'The runes spell "output": "fire".',
        'On the crate stands "tool", and below it "function".',
        '{He thinks.} The label says "tool": "hammer", and "input": {nothing}.',
        'The sign reads {"tool" or "input"}: nobody knows which.',
        "Move (quickly)!",
        "You move(d) on, and roll_check(skill) is what the parrot says.",
        "retreat\n(softly)",
    ):
        assert answer_from_prose(prose) == ModelAnswer(prose)


CALLED: dict[str, str] = {
    "Qwen": f"<tool_call>\n{json.dumps(CALL)}\n</tool_call>",
    "Qwen's coder": "<tool_call>\n<function=move>\n<parameter=to>\narea_002\n</parameter>\n</function>\n</tool_call>",
    "Llama": '{"name": "move", "parameters": {"to_area_id": "area_002"}}',
    "Llama beside words": '<|python_tag|>{"name": "move", "parameters": {}}',
    "Mistral": '[TOOL_CALLS][{"name": "move", "arguments": {"to": 1}}]',
    "DeepSeek": "<\uff5ctool\u2581calls\u2581begin\uff5c>move",
    "OpenAI": '{"type": "function", "function": {"name": "move", "arguments": "{}"}}',
    "Python": "{'name': 'move', 'arguments': {'to': 'area_002'}}",
    "an array": json.dumps([CALL]),
    "one call": json.dumps(CALL),
    "other JSON": '{"mood": "grim"}',
    "in prose": f"She said: {TEXT}",
    "fenced in prose": f"Sure!\n```json\n{TEXT}\n```",
    "cut off": TEXT[:30],
    "cut off and indented": json.dumps(TURN, indent=2)[:-9],
    "broken": '{"tool": "move" "args": {"to": 1}}',
    "Anthropic": 'Sure!\n{"type": "tool_use", "id": "toolu_1", "name": "move", "input": {"to": 1}}',
    "smolagents": '{"name": "move", "tool_input": ["north"]}',
    "flat, in prose": 'I move you: {"tool": "move", "to_area_id": "area_002"} Ilse stands in the dark.',
    "flat, with another key": "{'id': 1, 'tool_name': 'move'}. You go.",
    "a function alone": 'Now: {"function": {"name": "move"}} You go.',
    "a line of a program": 'roll_check(character_name="Ilse", skill="perception")',
    "a line among others": "I will look around.\n  `move_options()`;\nThere is a door.",
    "a call over lines": 'move(\n    to_area_id="area_002",\n)',
    "Llama's list": '[move(to_area_id="area_002"), roll_check(skill="perception")]',
    "by an old name": '```python\nquick_roll(roll="1d6")\n```',
    "an output": 'Here: {"output": {"narration": "Rain."}}',
}


@pytest.mark.parametrize("text", CALLED.values(), ids=CALLED)
def test_calls_written_as_text_are_no_prose(text: str) -> None:
    assert answer_from_prose(text) == ModelAnswer(text, is_well_formed=False)
    assert answer_from_prose(text, [CALL]) == ModelAnswer("", (CALL,)), "some servers leave in the text what they read"


NO_THOUGHTS = (
    "Mira looks up. <Thinking of the drake, she shivers> The ferry moves on.",
    'The carving says "</thought>" and nothing else.',
    "He writes \u201c<think>\u201d and '</think>.' below it.",
    "The page reads <think> twice.",
)


@pytest.mark.parametrize("text", NO_THOUGHTS)
def test_prose_may_name_the_marks_of_thoughts(text: str) -> None:
    assert answer_from_prose(text) == ModelAnswer(text)
    document = json.dumps({"tool_calls": [], "assistant_text": text}, ensure_ascii=False)
    for written in (document, f"```json\n{document}\n```", f"Sure: {document}", f"<think>Hm.</think>{document}"):
        assert answer_from_text(written) == ModelAnswer(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<think>a", ""),
        ("Rain.\n<think id='1' style=free>a", "Rain.\n"),
        ("Rain. <think>a</think><think>b", "Rain. "),
        ("Rain. <think>a\n<think>b</think>c", "Rain. c"),
        ("The page reads <think> twice.\n<think>a", "The page reads <think> twice.\n"),
        ("Rain.<|end|><|channel|>analysis<|message|>a", "Rain.<|end|>"),
        ("a </think> b </think>Rain.", "Rain."),
    ],
)
def test_thoughts_end_or_begin_where_thoughts_do(text: str, told: str) -> None:
    assert answer_from_prose(text).text == told
    for key in ("assistant_text", "output"):
        answer = answer_from_text(json.dumps({key: text}))
        assert (answer.output if key == "output" else answer.text) == told


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"assistant_text": "Rain.",}', "a comma stands before the closing bracket (line 1, column 28)"),
        ('\n```json\n{"output": 1,}\n```\n', "a comma stands before the closing bracket (line 2, column 14)"),
        ('```json {"output": 1,}```', "a comma stands before the closing bracket (line 1, column 22)"),
        ('{"output": 1, "output": 2}', 'the key "output" stands twice in one object'),
        ('{"output": NaN}', "NaN is not JSON"),
        ('{"mood": "grim"}', ""),
        ("<tool_call>{}", ""),
        ('Sure: {"output": 1,}', ""),
        ("", ""),
    ],
)
def test_what_is_wrong_with_one_object_is_told(text: str, fault: str) -> None:
    assert fault_in(text) == fault


def test_what_is_wrong_is_told_in_few_words() -> None:
    assert len(fault_in('{"%s": 1, "%s": 2}' % (("a" * 9000,) * 2))) == 200


def test_an_empty_answer_is_not_well_formed() -> None:
    assert answer_from_prose(" \n") == ModelAnswer(" \n", is_well_formed=False)
    assert answer_from_prose("", [CALL]).is_well_formed


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        ('{"to": 1}', {"to": 1}),
        ({"to": 1}, {"to": 1}),
        ("", {}),
        (None, {}),
        ('{"to": ', '{"to": '),
        ('{"to": 1, "to": 2}', '{"to": 1, "to": 2}'),
        ("[1]", [1]),
        ("north", "north"),
        ("\ud83d\ude00", "\U0001f600"),
        ({"to": "\ud83d\ude00"}, {"to": "\U0001f600"}),
        ({"to": "\ud83d"}, '{"to": "\\ud83d"}'),
        ({"to": float("nan")}, '{"to": NaN}'),
    ],
)
def test_arguments_of_native_calls(arguments: Any, read: Any) -> None:
    assert native_call(2, "move", arguments) == {"id": "call_002", "tool": "move", "args": read}


def test_a_name_that_no_file_can_hold_costs_its_call_alone() -> None:
    assert native_call(1, "mo\ud800ve", "{}")["tool"] == "mo\ufffdve"


@pytest.mark.parametrize(
    ("written", "read"), [("\ud83d\ude00 hi", "\U0001f600 hi"), ("hi \ud83d!", "hi \ufffd!"), ("\ude00", "\ufffd")]
)
def test_halves_of_characters_are_put_together_or_marked(written: str, read: str) -> None:
    assert answer_from_prose(written) == ModelAnswer(read)
    assert answer_from_text(json.dumps({"output": written}, ensure_ascii=False)) == ModelAnswer("", output=read)
