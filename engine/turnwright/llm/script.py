"""A model that reads its answers from a file: for tests, demonstrations and scored scenarios.

Source: docs/agents.md, "Models".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict, cast, get_args

from turnwright.llm.conversation import size_of, text_of, tokens_of
from turnwright.llm.port import FailureKind, ModelAnswer, ModelFailed, ModelRequest, OnText, Usage
from turnwright.model.errors import BadRequest
from turnwright.model.strict_json import MAX_DEPTH, JsonError, parse_json

_KEYS: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "tool_calls": (list,),
    "output": (dict, list, str, int, float, bool, type(None)),
    "keep_narration": (bool,),
    "dm_note": (str,),
    "expect": (str,),
    "is_well_formed": (bool,),
    "is_cut_off": (bool,),
    "fail": (str,),
}


class ScriptLine(TypedDict, total=False):
    """One answer of a script.

    Attributes:
        expect: what has to be in the prompt.
        fail: how the model fails instead of answering.
    """

    expect: str
    text: str
    tool_calls: list[Any]
    output: Any
    keep_narration: bool
    dm_note: str
    is_well_formed: bool
    is_cut_off: bool
    fail: FailureKind


class ScriptModel:
    """Gives one answer after the other, each in its order, whatever it is asked."""

    def __init__(self, lines: Iterable[Mapping[str, Any]], name: str = "script") -> None:
        self._lines = list(lines)
        self._given = 0
        self._name = name

    @property
    def name(self) -> str:
        """The model's name in records."""
        return self._name

    @property
    def left(self) -> int:
        """The number of answers not given yet."""
        return len(self._lines) - self._given

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Return the next answer, or fail when there is none, or when it expects another prompt."""
        if not self.left:
            raise ModelFailed("unavailable", f"the script has no more answers (it had {len(self._lines)})")
        line = self._lines[self._given]
        self._given += 1
        expected = line.get("expect", "")
        if expected not in text_of(request):
            raise ModelFailed("refused", f"answer {self._given} of the script expects {expected!r} in the prompt")
        text = line.get("text", "")
        if on_text is not None:
            for piece in text.splitlines(keepends=True):
                on_text(piece)
        if "fail" in line:
            raise ModelFailed(line["fail"], f"answer {self._given} of the script fails")
        calls = tuple(line.get("tool_calls", ()))
        written = tokens_of(text + (json.dumps(calls) if calls else ""))
        return ModelAnswer(
            text,
            calls,
            line.get("output"),
            Usage(size_of(request), written),
            is_well_formed=line.get("is_well_formed", True),
            is_cut_off=line.get("is_cut_off", False),
            keeps_narration=line.get("keep_narration", False),
            note=line.get("dm_note", ""),
        )


def parse_script(data: bytes, name: str) -> ScriptModel:
    """Parse a script: JSON lines, one answer each; blank lines and lines that begin with `#` are skipped.

    Raises:
        BadRequest: naming the first line that is not an answer.
    """
    lines = []
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith(b"#"):
            lines.append(_line(line, f"line {number} of {name}"))
    return ScriptModel(lines, name)


def _line(data: bytes, where: str) -> ScriptLine:
    try:
        value = parse_json(data, max_depth=MAX_DEPTH)
    except JsonError as error:
        raise BadRequest(f"{where}: {error}") from None
    if not isinstance(value, dict):
        raise BadRequest(f"{where} is no JSON object")
    for key, given in value.items():
        if key not in _KEYS:
            raise BadRequest(f"{where}: an answer has no {key!r}, only {', '.join(_KEYS)}")
        if not isinstance(given, _KEYS[key]):
            raise BadRequest(f"{where}: {key!r} has a value of the wrong kind")
    if value.get("fail", "unavailable") not in get_args(FailureKind):
        raise BadRequest(f"{where}: `fail` is one of {', '.join(get_args(FailureKind))}")
    return cast("ScriptLine", value)
