"""The harness itself: it notices what is missing, left over or different, and never writes in CI."""

from __future__ import annotations

from typing import Any, cast

import pytest
from tests.golden.conftest import pytest_configure
from tests.golden.repairer import repaired
from tests.golden.test_golden import differences

LOG = b'{"seq":0}\n{"seq":1,"kind":"turn"}\n'


def test_equal_files_give_no_complaint() -> None:
    assert list(differences({"log.jsonl": LOG}, {"log.jsonl": LOG})) == []


def test_a_file_that_is_missing_and_one_that_is_left_over_are_named() -> None:
    told = list(differences({"old.txt": b"", "same": b"a"}, {"new.txt": b"", "same": b"a"}))
    assert len(told) == 2
    assert "expect/new.txt is missing" in told[0]
    assert "expect/old.txt was never given" in told[1]


def test_the_first_line_that_differs_is_named_and_shown() -> None:
    told = "\n".join(differences({"stdout.txt": b"a\nb\nc\n"}, {"stdout.txt": b"a\nB\nc\n"}))
    assert "differs first in line 2" in told
    assert "-b\n+B" in told


def test_a_longer_file_differs_past_its_common_lines() -> None:
    assert "differs first in line 2" in next(differences({"stdout.txt": b"a\n"}, {"stdout.txt": b"a\nb\n"}))


def test_bytes_that_make_the_same_lines_still_differ() -> None:
    assert list(differences({"stdout.txt": b"a\n"}, {"stdout.txt": b"a"})) != []
    assert list(differences({"log.jsonl": LOG}, {"log.jsonl": LOG.replace(b":", b": ")})) != []


class _Asked:
    def getoption(self, name: str, default: bool) -> bool:
        return name == "--update-golden" or default


def test_expected_files_are_never_written_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    config = cast(pytest.Config, _Asked())
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.UsageError, match="never runs in CI"):
        pytest_configure(config)
    monkeypatch.delenv("CI")
    pytest_configure(config)


@pytest.mark.parametrize(
    ("hint", "args"),
    [
        ({"field": "args.to", "got": "a", "allowed": ["b", "c"]}, {"to": "b", "deep": {"size": 0}}),
        ({"field": "args.deep.size", "got": 0, "allowed": [1]}, {"to": "a", "deep": {"size": 1}}),
        ({"field": "args.to", "remove": True}, {"deep": {"size": 0}}),
        ({"field": "args.from", "add": True, "allowed": ["x"]}, {"to": "a", "deep": {"size": 0}, "from": "x"}),
        ({"field": "args.to", "got": "a"}, None),
        ({"field": "args.to.size", "got": None, "allowed": [1]}, None),
        ({"first_reason": "invalid_args"}, None),
        ({}, None),
    ],
)
def test_a_repair_is_one_change_of_the_named_field(hint: dict[str, Any], args: dict[str, Any] | None) -> None:
    call = {"id": "a", "tool": "move", "args": {"to": "a", "deep": {"size": 0}}}
    expected = None if args is None else {"id": "a", "tool": "move", "args": args}
    assert repaired(call, hint) == expected
    assert call["args"] == {"to": "a", "deep": {"size": 0}}
