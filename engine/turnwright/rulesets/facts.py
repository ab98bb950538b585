"""Read the arguments or result of a call without trusting that any key is present.

A log keeps what older versions wrote: keys may be missing or hold another type. It must still be readable as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Facts:
    """A JSON object with nothing guaranteed: values that are missing or of another type read as empty.

    Reading never fails and returns texts on one line, so that neither an error nor raw JSON reaches the reader.
    """

    __slots__ = ("_values",)

    def __init__(self, values: object = None) -> None:
        self._values: Mapping[str, Any] = values if isinstance(values, Mapping) else {}

    def __bool__(self) -> bool:
        return bool(self._values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        """Yield the keys, in order."""
        return iter(self._values)

    def text(self, *keys: str) -> str:
        """Return the first text under these keys, on one line; empty if there is none."""
        for key in keys:
            value = self._values.get(key)
            if isinstance(value, str) and (text := " ".join(value.split())):
                return text
        return ""

    def word(self, key: str) -> str:
        """Return a word of the wire as people write it, such as `critical hit`."""
        return self.text(key).replace("_", " ")

    def number(self, key: str) -> int | None:
        """Return an integer, or None."""
        value = self._values.get(key)
        return value if type(value) is int else None

    def flag(self, key: str) -> bool | None:
        """Return a truth value, or None."""
        value = self._values.get(key)
        return value if isinstance(value, bool) else None

    def one(self, key: str) -> Facts:
        """Return an object, or an empty one if there is none."""
        return Facts(self._values.get(key))

    def many(self, key: str) -> list[Facts]:
        """Return the objects of a list."""
        return [Facts(each) for each in self._list(key) if isinstance(each, Mapping)]

    def texts(self, key: str) -> list[str]:
        """Return the texts of a list, each on one line."""
        return [" ".join(each.split()) for each in self._list(key) if isinstance(each, str)]

    def numbers(self, key: str) -> list[int]:
        """Return the integers of a list."""
        return [each for each in self._list(key) if type(each) is int]

    def pair(self, key: str) -> tuple[Any, Any]:
        """Return a change as old and new value; both None if there is none."""
        value = self._values.get(key)
        return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else (None, None)

    def under(self, shared: Facts) -> Facts:
        """Return this object with missing keys filled from a shared one."""
        return Facts({**shared._values, **self._values})

    def _list(self, key: str) -> list[Any]:
        value = self._values.get(key)
        return value if isinstance(value, list) else []
