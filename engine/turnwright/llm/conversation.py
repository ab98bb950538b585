"""Normalize a conversation for every adapter: alternate the roles, and keep texts from forming the model's format
marks.

Source: docs/agents.md, "Models".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from turnwright.llm.port import Message, ModelRequest

Side = Literal["user", "assistant"]

_NOTHING_BEFORE = "(What came before is left out.)"
_JOINER = "\u200d"
_NAME = r"[^\s<>|\uff5c]{1,64}"
_MARK = re.compile(
    rf"<(?=\|{_NAME}\|?>|\uff5c{_NAME}\uff5c>|{_NAME}\|>|/?s>|(?:start|end)_of_(?:turn|text)>|/?(?:bos|eos|pad|unk)>)"
    r"|<(?=<SYS>>|</SYS>>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CALLS)\])"
)


def inert(text: str) -> str:
    """Return text in which no mark of a chat format is left, such as `<|im_end|>` or `[INST]`.

    Servers that run open models put messages into a template and then read such marks as their own, wherever they
    come from: one written into a name or a message could end it and continue as the system. A joiner without
    width inside the mark leaves it readable, and makes it text.
    """
    return _MARK.sub(lambda mark: mark[0] + _JOINER, text)


def sides(messages: Iterable[Message]) -> list[tuple[Side, str]]:
    """Return a conversation in which the two sides take turns, the user first, as many chat formats demand."""
    turns: list[tuple[Side, str]] = []
    for message in messages:
        side: Side = "assistant" if message.role == "game_master" else "user"
        text = inert(message.text)
        if turns and turns[-1][0] == side:
            turns[-1] = side, f"{turns[-1][1]}\n\n{text}"
        else:
            turns.append((side, text))
    if turns and turns[0][0] == "assistant":
        turns.insert(0, ("user", _NOTHING_BEFORE))
    return turns


def told_the_schema(request: ModelRequest) -> ModelRequest:
    """Return a request in which a schema is part of the prompt, for servers that can hold no answer to one."""
    if request.answer_schema is None:
        return request
    told = (
        f"Answer with one JSON object that fits this JSON Schema, and nothing else: {json.dumps(request.answer_schema)}"
    )
    return replace(request, system=f"{request.system}\n\n{told}", answer_schema=None, tools=())


def text_of(request: ModelRequest) -> str:
    """Return the whole request to a model as one text."""
    return "\n\n".join([request.system, *(message.text for message in request.messages)])


def tokens_of(text: str) -> int:
    """Return about how many tokens a text takes, for models that do not say: its characters divided by 4."""
    return -(-len(text) // 4)


def size_of(request: ModelRequest) -> int:
    """Return about how many tokens a request takes, with its tools and its schema."""
    extra = [*request.tools, *([request.answer_schema] if request.answer_schema else [])]
    return tokens_of(text_of(request)) + sum(tokens_of(json.dumps(one, ensure_ascii=False)) for one in extra)
