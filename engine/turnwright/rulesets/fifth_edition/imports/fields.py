"""The values of a file, and the fate of each: taken, derived or dropped.

A reader requests values by path and marks what it did with them; values that it never requested were dropped.
Source: docs/characters.md, "The report".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from turnwright.model.strict_json import MAX_INT
from turnwright.rulesets.imports import FieldReport, How, ImportFault

Path = tuple[str | int, ...]
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}(?:\.0+)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_MAX_SHOWN = 40


class _Fate(NamedTuple):
    how: How
    into: str
    why: str


class Fields:
    """The values of one file with the fate of each.

    Args:
        value: plain JSON.
        root: how paths begin.
    """

    def __init__(self, value: Any, root: str = "$") -> None:
        self._value = value
        self._root = root
        self._fates: dict[Path, _Fate] = {}

    @property
    def root(self) -> Node:
        """The whole value."""
        return Node(self, (), self._value)

    def mark(self, path: Path, how: How, into: str, why: str) -> None:
        """Mark everything below a place with its fate; the first mark of a place wins."""
        self._fates.setdefault(path, _Fate(how, into, why))

    def shown(self, path: Path) -> str:
        """Return a place as people read it."""
        return self._root + "".join(map(_step, path))

    def reports(self) -> list[FieldReport]:
        """Return the fate of every value, in the order of the file; equal fates below a place are merged.

        Empty places are left out.
        """
        inner = {path[:length] for path in self._fates for length in range(len(path))}
        return list(self._reports((), self._value, None, inner))

    def _reports(self, path: Path, value: Any, above: _Fate | None, inner: Set[Path]) -> Iterator[FieldReport]:
        fate = self._fates.get(path, above)
        if path in inner and isinstance(value, (Mapping, list)):
            for key, below in value.items() if isinstance(value, Mapping) else enumerate(value):
                yield from self._reports((*path, key), below, fate, inner)
            return
        how, into, why = fate or _DROPPED
        count = _count(value)
        if not count:
            return
        row: FieldReport = {"path": self.shown(path), "how": how, "fields": count}
        if into:
            row["into"] = into
        if why:
            row["why"] = why
        yield row


_DROPPED = _Fate("dropped", "", "")


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if _PLAIN_KEY.fullmatch(key) else f"[{key!r}]"


def _count(value: Any) -> int:
    """Return the number of values in a value; empty ones are not counted."""
    if isinstance(value, (Mapping, list)):
        return sum(map(_count, value.values() if isinstance(value, Mapping) else value))
    return 0 if value in (None, "") else 1


class Node:
    """A place in a file, which may be empty.

    Attributes:
        value: the value; None if there is none.
        path: its keys and indexes.
    """

    __slots__ = ("_fields", "path", "value")

    def __init__(self, fields: Fields, path: Path, value: Any) -> None:
        self._fields = fields
        self.path = path
        self.value = value

    @property
    def place(self) -> str:
        """The place as people read it."""
        return self._fields.shown(self.path)

    @property
    def is_said(self) -> bool:
        """Whether something is there: no null, no empty text, list or object."""
        return self.value not in (None, "", [], {})

    @property
    def word(self) -> str:
        """The text at this place; "" if there is another value."""
        return self.value if isinstance(self.value, str) else ""

    def __getitem__(self, keys: str | int) -> Node:
        """Return the place below; keys may be joined by dots."""
        node: Node = self
        for key in keys.split(".") if isinstance(keys, str) else [keys]:
            node = node._below(key)
        return node

    def at(self, key: str) -> Node:
        """Return the place below by one key, dots in it included."""
        return self._below(key)

    def _below(self, key: str | int) -> Node:
        value: Any = None
        if isinstance(self.value, Mapping) and isinstance(key, str):
            value = self.value.get(key)
        elif isinstance(self.value, list) and isinstance(key, int) and 0 <= key < len(self.value):
            value = self.value[key]
        return Node(self._fields, (*self.path, key), value)

    def each(self) -> Iterator[Node]:
        """Yield the elements of a list, or the members of an object by key; none for a missing value.

        Raises:
            ImportFault: when the value is neither.
        """
        if isinstance(self.value, Mapping):
            yield from (self._below(str(key)) for key in self.value)
        elif isinstance(self.value, list):
            yield from (self._below(index) for index in range(len(self.value)))
        elif self.is_said:
            raise self.fault("wants a list or an object")

    def objects(self) -> list[Node]:
        """Return the places of a list of objects.

        Raises:
            ImportFault: when something else is there.
        """
        found = list(self.each())
        for node in found:
            if not isinstance(node.value, Mapping):
                raise node.fault("wants an object")
        return found

    def fault(self, why: str) -> ImportFault:
        """Return the error that this place is wrong."""
        return ImportFault(f"{self.place}: {why}{self._got()}")

    def _got(self) -> str:
        if self.value is None or isinstance(self.value, (Mapping, list)):
            return ""
        text = repr(self.value)
        return f" (got {text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + '...'})"

    # its fate

    def taken(self, into: str, why: str = "") -> None:
        """Say that the value is in a field of the character."""
        self._fields.mark(self.path, "taken", into, why)

    def derived(self, into: str, why: str = "") -> None:
        """Say that a field of the character was worked out with the value."""
        self._fields.mark(self.path, "derived", into, why)

    def dropped(self, why: str) -> None:
        """Say why the value was dropped."""
        self._fields.mark(self.path, "dropped", "", why)

    # values

    def text(self, most: int) -> str | None:
        """Return a text without surrounding blanks; None if there is none.

        Raises:
            ImportFault: when the value is not a text, or is too long.
        """
        if not self.is_said:
            return None
        if isinstance(self.value, (int, float)) and not isinstance(self.value, bool):
            return str(self.value)
        if not isinstance(self.value, str):
            raise self.fault("wants a text")
        text = self.value.strip()
        if len(text) > most:
            raise self.fault(f"wants at most {most} characters")
        return text or None

    def integer(self, least: int, most: int) -> int | None:
        """Return a whole number, which may be written as a text; None if there is none.

        Raises:
            ImportFault: when the value is not a whole number, or is out of bounds.
        """
        if not self.is_said:
            return None
        value = self.value
        if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
            value = int(float(value))
        if isinstance(value, float) and value.is_integer() and abs(value) <= MAX_INT:
            value = int(value)
        if type(value) is not int:
            raise self.fault("wants a whole number")
        if not least <= value <= most:
            raise self.fault(f"wants a whole number from {least} to {most}")
        return value

    def number(self, most: float) -> int | float | None:
        """Return a number from 0 up, which may be written as a text; None if there is none.

        Raises:
            ImportFault: when the value is not a number, or is out of bounds.
        """
        if not self.is_said:
            return None
        value = self.value
        if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            value = float(value)
        if type(value) not in (int, float) or not 0 <= value <= most:
            raise self.fault(f"wants a number from 0 to {most:g}")
        return int(value) if float(value).is_integer() else float(value)

    def flag(self) -> bool:
        """Return whether true is there; null counts as false.

        Raises:
            ImportFault: when something else is there.
        """
        if self.value in (None, ""):
            return False
        if isinstance(self.value, str) and self.value.strip().casefold() in _FLAGS:
            return _FLAGS[self.value.strip().casefold()]
        if self.value not in (True, False):
            raise self.fault("wants true or false")
        return bool(self.value)

    def texts(self, most: int) -> Sequence[str]:
        """Return a list of texts; empty where nothing is there.

        Raises:
            ImportFault: when something else is there.
        """
        return [text for node in self.each() if (text := node.text(most))]


_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
