"""What players may see of the calls of a tool: a row for each tool, and nothing of a tool without one.

The rows are in `_visibility.py` beside the tools. Source: docs/stages/6-publish.md, "Visibility".
"""

from collections.abc import Collection, Set
from typing import Literal, NamedTuple, Protocol

from turnwright.model.json_types import JsonObject, JsonValue
from turnwright.model.lazy import load
from turnwright.model.state.overlay import World

Audience = Literal["table", "callers", "caller"]
Subject = Literal["caller", "people", "sheet"]


class PartyView(Protocol):
    """The party as it looks at a result."""

    @property
    def world(self) -> World:
        """The campaign."""
        ...

    @property
    def unseen(self) -> Set[str]:
        """Every id of the characters that hide from the party, or that it never met."""
        ...

    def sees(self, named: JsonObject) -> bool:
        """Return whether an object names no unseen character, in itself or in nested objects."""
        ...

    def is_own(self, named: str | None) -> bool:
        """Return whether players play a character, by id or name."""
        ...


class Redaction:
    """What the party may see of a result that reveals more about others than is visible. By default all of it.

    A tool declares one if keys of its result depend on the character it is about.
    """

    def hide(self, result: JsonObject, party: PartyView) -> JsonObject:
        """Return a result without the characters that the party does not see; if one remains, all of it is hidden."""
        del party
        return result

    def redact(self, args: JsonObject, result: JsonObject, party: PartyView) -> JsonObject:
        """Return the visible part of a result that no longer names an unseen character."""
        del args, party
        return result

    def own_keys(self, result: JsonObject, party: PartyView) -> Collection[str] | None:
        """Return the keys that a player may see of their own call, redacted; None: all, if it names no others."""
        del result, party
        return None


class Visibility(NamedTuple):
    """What players may see of a tool's calls. A key of a result that is not in it is hidden.

    Attributes:
        keys: the keys of a result that players may see.
        audience: who sees a call besides the game master: always the `table`; the table if the caller is a player
            (`callers`); or only the calling player (`caller`).
        subject: the subject of a result: the `caller` only; `people`, shown if the party sees them; or the `sheet` of a
            character, shown for the party only.
        redaction: where the `Redaction` is, as `package.module:attribute`; "" for none.
    """

    keys: tuple[str, ...] = ()
    audience: Audience = "caller"
    subject: Subject = "people"
    redaction: str = ""

    @property
    def redacts(self) -> Redaction:
        """The object that redacts a result for the party."""
        redaction: Redaction = load(self.redaction) if self.redaction else _ALL
        return redaction

    def cut(self, result: JsonObject) -> dict[str, JsonValue]:
        """Return a result without the keys that are on no list."""
        return {key: value for key, value in result.items() if key in self.keys}


HIDDEN = Visibility()
"""The row of a tool that is on no list: nothing."""
_ALL = Redaction()


def visible(keys: str, audience: Audience = "table", subject: Subject = "people", redaction: str = "") -> Visibility:
    """Return a row; the keys are one text, separated by spaces."""
    return Visibility(tuple(keys.split()), audience, subject, redaction)
