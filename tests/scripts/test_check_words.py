"""The word list of `make words`: it finds what it should, where it should, and passes on what is here."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import check_words

PAGE = """# Title

Whoever reads this, its behaviour
is told of. `whoever` is code, and [so is this](whoever.md).

```text
whoever
```

The Desk, a desk.
"""

MODULE = '''"""A module whose behaviour is odd."""

NAME = "colour"  # the favourite one
colour = "Whoever comes in stands in the door"
TABLE = ["colour", "grey"]
'''


def found(path: str, text: str) -> list[tuple[int, str]]:
    return [(one.line, one.word) for one in check_words.check(path, text)]


def test_prose_of_a_page_is_checked_and_code_is_not() -> None:
    assert sorted(found("README.md", PAGE)) == [(3, "Whoever"), (3, "behaviour"), (4, "is told of"), (10, "Desk")]


def test_comments_and_sentences_of_a_module_are_checked_and_names_and_data_are_not() -> None:
    assert sorted(found("engine/module.py", MODULE)) == [
        (1, "behaviour"),
        (3, "favourite"),
        (4, "Whoever"),
        (4, "stands in the"),
    ]


def test_a_phrase_that_a_line_break_divides_is_found() -> None:
    assert found("README.md", "one\nis told\nof it\n") == [(2, "is told of")]


def test_allowed_words_are_allowed_in_their_file_alone() -> None:
    path = "docs/tools/roll_check.md"
    assert (found(path, "It is cancelled."), found("docs/cli.md", "It is cancelled.")) == ([], [(1, "cancelled")])


def test_every_exception_names_a_file_that_needs_it() -> None:
    for path, words in check_words.ALLOWED.items():
        text = (check_words.ROOT / path).read_text(encoding="utf-8").lower()
        assert [word for word in words if word not in text] == []


def test_a_file_with_a_word_to_avoid_fails_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check_words, "ROOT", tmp_path)
    page = tmp_path / "README.md"
    page.write_text("Plain words.\n", encoding="utf-8")
    assert (check_words.main([]), capsys.readouterr().out) == (0, "")
    page.write_text("In a grey behaviour.\n", encoding="utf-8")
    assert check_words.main([]) == 1
    assert capsys.readouterr().out.splitlines() == ["README.md:1: 'behaviour': -or", "README.md:1: 'grey': gray"]
