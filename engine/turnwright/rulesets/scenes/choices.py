"""One option of the open choice.

Source: docs/tools/scenes.md, "Requests".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from turnwright.model.request import ChoiceRequest
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.play import Play


def picked(play: Play, value: Any, possible: Collection[str] | None = None) -> str:
    """Return the key of the chosen option, by its index or its key.

    Args:
        play: the game.
        value: the answer.
        possible: the keys that are available now; by default, those that were available when the choice was offered.

    Raises:
        CallFailed: `option_unavailable` for an option that is not offered or cannot be paid; `answer_invalid` for a
            value that names no option.
    """
    request = play.crew.request
    assert isinstance(request, ChoiceRequest)
    options = request.payload.options
    if possible is None:
        possible = [option.key for option in options if not option.disabled]
    repair = hint.ask("answer.value", value, possible)
    if type(value) is int and 0 <= value < len(options):
        option = options[value]
    elif isinstance(value, str) and value.strip():
        found = [option for option in options if option.key == value.strip()]
        if not found:
            raise CallFailed(Reason.OPTION_UNAVAILABLE, "answer.value: this is not offered", repair)
        option = found[0]
    else:
        raise CallFailed(Reason.ANSWER_INVALID, "answer.value: wants the index or the key of an option", repair)
    if option.key not in possible:
        raise CallFailed(Reason.OPTION_UNAVAILABLE, f"answer.value: {option.label} is not to be had", repair)
    return option.key
