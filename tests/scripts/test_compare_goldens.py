import json

import pytest
from scripts.compare_goldens import differences


def line(**keys: object) -> str:
    return json.dumps(keys) + "\n"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("results/a.json", line(detail="pc_001 is dying"), line(detail="Mira is dying")),
        ("log.jsonl", line(prev="0") + line(prev="1"), line(prev="2") + line(prev="3")),
        ("stdout.txt", "applied", "done"),
    ],
)
def test_words_and_the_hashes_of_lines_may_change(path: str, old: str, new: str) -> None:
    assert list(differences(path, old, new)) == []


@pytest.mark.parametrize(
    ("path", "old", "new", "found"),
    [
        ("a.json", line(reason="conflict"), line(reason="not_found"), ("$.reason", '"conflict" became "not_found"')),
        ("a.json", line(detail="x"), line(detail={}), ("$.detail", '"x" became {}')),
        ("a.json", line(hp=1, id="a"), line(id="a", hp=1), ("$", "the keys have another order")),
        ("a.json", line(hp=1), line(hp=1, hint={}), ("$.hint", "new: {}")),
        ("a.json", line(hp=1), line(), ("$.hp", "gone: 1")),
        ("log.jsonl", line(a=1) + line(a=2), line(a=1), ("$", "2 items became 1")),
        ("log.jsonl", line(draws=[1, 2]), line(draws=[2, 1]), ("$[0].draws[0]", "1 became 2")),
        ("files.txt", "log.jsonl", "log.json", ("", "the file differs")),
    ],
)
def test_what_the_engine_decided_may_not(path: str, old: str, new: str, found: tuple[str, str]) -> None:
    assert next(differences(path, old, new)) == found
