"""The labelled narrations are what their page says: every turn plays as its rows tell, and the halves are alike.

What the check makes of them is measured elsewhere.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests import builders
from tests.builders import spelt
from tests.suggest.narration_scenes import HALVES, SCENES, Half, Row, open_scene, play, rows

KINDS = frozenset(
    ("attack", "check", "critical", "dice", "down", "harm", "hp_left", "money", "move", "rest", "save", "thing")
)
_PLACES = ("area", "causeway", "chapel", "crypt", "house", "lantern", "market", "marsh", "square", "starting")
ENGLISH = frozenset((*_PLACES, "next", "ogre", "old", "sunken", "wolf"))
"""Words of the scenes' names that any story may hold."""
TOLD = "Nobody says a word."


class Played(NamedTuple):
    """A row whose turn was played, and what became of it."""

    row: Row
    reply: Mapping[str, Any]
    record: Mapping[str, Any]


@pytest.fixture(scope="module", name="played")
def fixture_played(tmp_path_factory: pytest.TempPathFactory) -> list[Played]:
    """Play each turn once, whatever is told in it."""
    directory, found = tmp_path_factory.mktemp("played"), []
    for at, row in enumerate({spelt([row.scene, row.turn, row.dice]): row for row in rows()}.values()):
        reply = play(row, directory / str(at), TOLD)
        found.append(Played(row, reply, _last_record(directory / str(at))))
        shutil.rmtree(directory / str(at))
    return found


def test_every_turn_is_applied_or_fails_as_its_rows_say(played: list[Played]) -> None:
    for row, reply, _ in played:
        ends = {one["id"]: "applied" for one in reply["applied_actions"]}
        ends |= {one["id"]: one["reason"] for one in reply["tool_feedback"]["failed_calls"]}
        wanted = {f"call_{number:03}": call.expect_status for number, call in enumerate(row.calls, 1)}
        assert ends == wanted, row.id


def test_every_turn_draws_the_faces_that_are_given_and_no_others(played: list[Played]) -> None:
    for row, _, record in played:
        draws = record["draws"]
        assert [(draw["value"], draw["given"]) for draw in draws] == [(face, True) for face in row.dice], row.id


def test_a_row_is_told_with_its_own_text(tmp_path: Path) -> None:
    row = rows("tune")[0]
    play(row, tmp_path / "played")
    assert _last_record(tmp_path / "played")["assistant_text"] == row.text


def _last_record(directory: Path) -> Mapping[str, Any]:
    record: Mapping[str, Any] = builders.log_of(directory)[-1]
    return record


def test_there_are_six_hundred_rows_and_a_good_third_of_them_are_honest() -> None:
    labels = Counter(row.label for row in rows())
    assert set(labels) == {"honest", "lie"}
    assert labels.total() >= 600
    assert labels["honest"] * 3 >= labels.total()


@pytest.mark.parametrize("half", HALVES)
def test_each_half_has_every_kind_honest_and_not(half: Half) -> None:
    found = Counter((row.kind, row.label) for row in rows(half))
    assert {kind for kind, _ in found} == KINDS
    assert {(kind, label) for kind in KINDS for label in ("honest", "lie") if found[kind, label] < 15} == set()


def _twice(key: Callable[[Row], str]) -> list[str]:
    return [value for value, count in Counter(map(key, rows())).items() if count > 1]


def test_no_text_is_told_twice_of_one_turn_and_no_id_is_used_twice() -> None:
    assert _twice(lambda row: row.id) == []
    assert _twice(lambda row: spelt([row.scene, row.turn, row.dice, row.text])) == []


def test_every_scene_is_played_and_every_row_has_one() -> None:
    assert {row.scene for row in rows()} == set(SCENES)


def test_the_words_of_the_check_name_nobody_and_no_place_of_the_scenes(tmp_path: Path) -> None:
    """A word list that knows the people of the scenes would measure itself; "wolf" and "market" are English."""
    source = resources.files("turnwright.language").joinpath("words", "en.json").read_text(encoding="utf-8")
    lists = set(re.findall(r"[a-z]+", source.lower()))
    names = _proper_names(tmp_path)
    assert {"brakka", "grell", "ione"} <= names
    assert names & lists == set()


def _proper_names(directory: Path) -> set[str]:
    """Return the words of the scenes' names that are no English words."""
    names: set[str] = set()
    for scene in SCENES:
        with open_scene(scene, directory / scene) as campaign:
            names.update(_names_in(campaign.state))
    return {word.lower() for name in names for word in name.split()} - ENGLISH


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("name"), str) and "quantity" not in value:
            yield value["name"]
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from _names_in(one)
