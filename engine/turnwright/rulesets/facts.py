"""What a call was given or reports, read without trusting that anything is there.

A log keeps what older versions wrote: keys are missing, and some hold another type. Words are made of it all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Facts:
    """A JSON object of which nothing is sure: what is missing, or of another type, reads as nothing.

    No reading fails, and a text that is read is on one line, so that neither a fault nor raw JSON reaches who reads.
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
        """Return the first text there is under these keys, on one line; empty where there is none."""
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
        """Return an object, without anything in it where there is none."""
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
        """Return a change as what was and what is; twice None where there is none."""
        value = self._values.get(key)
        return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else (None, None)

    def under(self, shared: Facts) -> Facts:
        """Return this with what it lacks taken from what several share."""
        return Facts({**shared._values, **self._values})

    def _list(self, key: str) -> list[Any]:
        value = self._values.get(key)
        return value if isinstance(value, list) else []
