"""File names of ids, and the small types that all models share."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from tests import json_samples
from tests.cached_fixtures import schemas
from tests.sampling import tries

from turnwright.model.base import Count, Document, Flag, FreeMap, Id, ListOf, Model, SafeInt, Text, file_stem
from turnwright.model.character import Character
from turnwright.model.strict_json import pretty
from turnwright.schemas.schemas import DOCUMENTS

DEVICES = ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
PLAIN = st.from_regex(r"[a-z0-9_-]{1,64}", fullmatch=True)


def hashed(identifier: str) -> str:
    return "~" + hashlib.sha256(identifier.encode("utf-8")).hexdigest()[:16]


@given(PLAIN)
def test_a_plain_id_is_its_own_file_name(identifier: str) -> None:
    if identifier not in ("root", *DEVICES):
        assert file_stem(identifier) == identifier


@pytest.mark.parametrize(
    "identifier",
    [
        "root",
        *sorted(DEVICES),
        "Ann",
        "a b",
        "a.b",
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "a\\b",
        "é",
        "a\n",
        "x" * 65,
        "~a",
        "a\0",
        "٣",
    ],
)
def test_any_other_id_is_hashed(identifier: str) -> None:
    assert file_stem(identifier) == hashed(identifier)


@given(st.text(), st.text())
def test_a_file_name_is_always_safe_and_two_ids_never_share_one(left: str, right: str) -> None:
    assert re.fullmatch(r"[a-z0-9_-]{1,64}|~[0-9a-f]{16}", file_stem(left), re.ASCII)
    assert (file_stem(left) == file_stem(right)) == (left == right)
    assert file_stem(left) != file_stem(right) or left.lower() == right.lower()


FITS: list[tuple[Any, Any]] = [
    (SafeInt, 0),
    (SafeInt, 2**53),
    (SafeInt, -(2**53)),
    (Count, 0),
    (Flag, True),
    (Text, ""),
    (Id, "a"),
    (Id, "x" * 200),
    (ListOf[Text], ["a"]),
    (ListOf[Text], ()),
]
DOES_NOT: list[tuple[Any, Any]] = [
    *((SafeInt, value) for value in (True, 1.0, "1", None, 2**53 + 1, -(2**53) - 1)),
    *((Count, value) for value in (-1, True, 2**53 + 1)),
    *((Flag, value) for value in (0, 1, "true", None)),
    *((Text, value) for value in (1, None, b"a", ["a"])),
    *((Id, value) for value in ("", "x" * 201, 1)),
    *((ListOf[Text], value) for value in ("ab", {"a": 1}, {"a"}, [1], None)),
    (FreeMap, [1]),
]


@pytest.mark.parametrize(("kind", "value"), FITS)
def test_a_value_that_fits_is_taken_as_it_is(kind: Any, value: Any) -> None:
    taken = TypeAdapter(kind).validate_python(value)
    wanted = tuple(value) if isinstance(value, list) else value
    assert (taken, type(taken)) == (wanted, type(wanted))


@pytest.mark.parametrize(("kind", "value"), DOES_NOT)
def test_a_value_that_does_not_is_refused_and_never_bent(kind: Any, value: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(kind).validate_python(value)


# what is written of a value that was made from another one


def anew(value: Any) -> Any:
    """Return the same value, of which nothing was ever written."""
    if isinstance(value, Model):
        fields = type(value).model_fields
        given = {fields[name].alias or name: anew(getattr(value, name)) for name in value.model_fields_set}
        return type(value).model_validate(given)
    if isinstance(value, MappingProxyType):
        return {key: anew(item) for key, item in value.items()}
    return tuple(map(anew, value)) if isinstance(value, tuple) else value


def mixed(one: Any, other: Any, rng: Random) -> Any:
    """Return a value with some parts of another, however deep, changed as tools do it; some are written on the way."""
    if isinstance(one, Model) and type(one) is type(other):
        names = [name for name in sorted(one.model_fields_set | other.model_fields_set) if rng.random() < 0.6]
        parts = {name: (getattr(one, name), getattr(other, name)) for name in names}
        changes = {name: mixed(*pair, rng) if rng.random() < 0.7 else pair[1] for name, pair in parts.items()}
        if rng.random() < 0.5:
            assert one.as_written is not None
        for some in (changes, *({name: part} for name, part in changes.items())):
            with suppress(ValidationError):  # not everything goes together
                made = one.replace(**some)
                assert rng.random() < 0.7 or made.as_written is not None
                return made
        return one
    if isinstance(one, tuple) and isinstance(other, tuple) and other:
        return tuple(mixed(item, rng.choice(other), rng) for item in one)
    if isinstance(one, MappingProxyType) and isinstance(other, MappingProxyType) and other:
        return {key: mixed(item, rng.choice(list(other.values())), rng) for key, item in one.items()}
    return rng.choice((one, other))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_changed_document_is_written_like_one_that_was_never_anything_else(name: str) -> None:
    model: type[Document] = DOCUMENTS[name][1]
    samples = json_samples.fitting(schemas()[f"{name}.json"])
    changed = 0

    @settings(max_examples=tries(40), suppress_health_check=list(HealthCheck))
    @given(samples, samples, st.integers(0, 2**32))
    def write(first: Any, second: Any, seed: int) -> None:
        nonlocal changed
        try:
            one, other = model.model_validate(first), model.model_validate(second)
        except ValidationError:
            return  # some rules are beyond a schema
        rng = Random(seed)
        for _ in range(6):
            before = pretty(one.as_written)
            made = mixed(one, other, rng)
            assert made == anew(made)
            assert pretty(made.as_written) == pretty(anew(made).as_written)
            assert pretty(one.as_written) == before
            changed += made != one
            one, other = made, one

    write()
    assert changed


def test_what_python_takes_for_the_same_is_written_anew() -> None:
    one = Character.model_validate({"id": "a", "extra": {"a": 1}})
    assert one.as_written["extra"] == {"a": 1}
    assert pretty(one.replace(extra={"a": True}).as_written["extra"]) == pretty({"a": True})
