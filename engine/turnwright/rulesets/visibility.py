"""What players may see of the calls of a tool: a row for each tool, and nothing of a tool without one.

The rows stand in `_visibility.py` beside the tools. Source: docs/stages/6-publish.md, "Visibility".
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Audience = Literal["table", "callers", "caller"]
Subject = Literal["caller", "people", "sheet"]


class Visibility(NamedTuple):
    """What of a tool's calls players may be told. A key of a result that is not in it is hidden.

    Attributes:
        keys: the keys of a result that may be told.
        audience: who sees a call beside the game master: the `table`, in any case; the table where a player
            is the caller (`callers`); or only the player who calls (`caller`).
        subject: whom a result tells of: nobody but the `caller`; `people`, so that it is judged whether the party sees
            them; or somebody's `sheet`, which is shown for the party alone.
    """

    keys: tuple[str, ...] = ()
    audience: Audience = "caller"
    subject: Subject = "people"

    def cut(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Return a result without the keys that are on no list."""
        return {key: value for key, value in result.items() if key in self.keys}


HIDDEN = Visibility()
"""Of a tool that is on no list: nothing."""


def visible(keys: str, audience: Audience = "table", subject: Subject = "people") -> Visibility:
    """Return a row; the keys are one text, separated by spaces."""
    return Visibility(tuple(keys.split()), audience, subject)
