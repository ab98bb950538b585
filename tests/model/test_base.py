"""File names of ids, and the small types that all models share."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from tests import json_samples
from tests.made import schemas

from turnwright.model.base import Count, Document, Flag, FreeMap, Id, ListOf, SafeInt, Text, file_stem
from turnwright.model.strict_json import pretty
from turnwright.schemas import DOCUMENTS

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


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_changed_document_is_written_like_one_that_was_never_anything_else(name: str) -> None:
    model: type[Document] = DOCUMENTS[name][1]
    samples = json_samples.fitting(schemas()[f"{name}.json"])
    changed = 0

    @settings(max_examples=25, suppress_health_check=list(HealthCheck))
    @given(samples, samples)
    def write(first: Any, second: Any) -> None:
        nonlocal changed
        try:
            one, other = model.model_validate(first), model.model_validate(second)
        except ValidationError:
            return  # some rules are beyond a schema
        for field in sorted(other.model_fields_set):
            assert one.as_written
            try:
                made = one.having(**{field: getattr(other, field)})
            except ValidationError:
                continue
            alone = model.model_validate({field: getattr(made, field) for field in made.model_fields_set})
            assert pretty(made.as_written) == pretty(alone.as_written)
            changed += made != one

    write()
    assert changed > 10
