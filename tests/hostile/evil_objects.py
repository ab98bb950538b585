"""Python objects that no JSON holds, and that fight back when they are looked at."""

from __future__ import annotations

from typing import Any, NoReturn


class Bites(Exception):
    """What an evil object raises."""


def _bite(*_: object, **__: object) -> NoReturn:
    raise Bites


class EvilRepr:
    """Cannot be shown."""

    __repr__ = __str__ = __format__ = _bite


class EvilEq:
    """Cannot be compared; hashes like any key."""

    __eq__ = __ne__ = _bite

    def __hash__(self) -> int:
        return hash("turn_id")


class EvilBool:
    """Is neither true nor false."""

    __bool__ = __len__ = _bite


class EvilDict(dict[str, Any]):
    """An object whose content cannot be had."""

    items = keys = values = get = __iter__ = __getitem__ = __len__ = _bite


class EvilList(list[Any]):
    """A list whose content cannot be had."""

    __iter__ = __getitem__ = __len__ = _bite


class EvilStr(str):
    """A text that cannot be used as one."""

    __eq__ = __ne__ = __str__ = __len__ = __iter__ = _bite
    encode = startswith = isascii = strip = lower = _bite

    def __hash__(self) -> int:
        return hash("turn_id")


class EvilKey(str):
    """A key that can be found, and then not be read."""

    __str__ = __iter__ = _bite
    encode = startswith = isascii = strip = lower = _bite


class EvilInt(int):
    """A number that cannot be compared."""

    __le__ = __lt__ = __ge__ = __gt__ = bit_length = __index__ = _bite


class EvilFloat(float):
    """A number that is not even itself."""

    __eq__ = __ne__ = __le__ = __lt__ = is_integer = _bite
    __hash__ = float.__hash__


class EvilBytes(bytes):
    """A file that cannot be read."""

    decode = startswith = __len__ = __getitem__ = _bite


class _Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise Bites


class EvilType(metaclass=_Nameless):
    """An object of a type without a name."""


def evil_objects() -> dict[str, Any]:
    """Return one of each, by name."""
    return {
        "repr": EvilRepr(),
        "eq": EvilEq(),
        "bool": EvilBool(),
        "dict": EvilDict(a=1),
        "list": EvilList([1]),
        "str": EvilStr("turn_id"),
        "key": EvilKey("turn"),
        "int": EvilInt(5),
        "float": EvilFloat(1.0),
        "bytes": EvilBytes(b"{}"),
        "type": EvilType(),
        "class": EvilDict,
        "bytearray": bytearray(b"{}"),
        "memoryview": memoryview(b"{}"),
        "frozenset": frozenset({1}),
        "generator": iter([1]),
        "function": _bite,
        "ellipsis": ...,
        "range": range(10**9),
        "digits": 10**5000,
        "surrogate": "\ud800",
    }
