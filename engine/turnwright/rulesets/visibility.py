"""What players may see of the calls of a tool: a row for each tool, and nothing of a tool without one.

The rows are in `_visibility.py` beside the tools. Source: docs/stages/6-publish.md, "Visibility".
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Audience = Literal["table", "callers", "caller"]
Subject = Literal["caller", "people", "sheet"]


class Visibility(NamedTuple):
    """What players may see of a tool's calls. A key of a result that is not in it is hidden.

    Attributes:
        keys: the keys of a result that players may see.
        audience: who besides the game master sees a call: always the `table`; the table, when a player is the caller
            (`callers`); or only the player who calls (`caller`).
        subject: the subject of a result: only the `caller`; `people`, shown if the party sees them; or the `sheet` of
            a character, shown for the party alone.
    """

    keys: tuple[str, ...] = ()
    audience: Audience = "caller"
    subject: Subject = "people"

    def cut(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Return a result without the keys that are on no list."""
        return {key: value for key, value in result.items() if key in self.keys}


HIDDEN = Visibility()
"""The row of a tool that is on no list: nothing."""


def visible(keys: str, audience: Audience = "table", subject: Subject = "people") -> Visibility:
    """Return a row; the keys are one text, separated by spaces."""
    return Visibility(tuple(keys.split()), audience, subject)
