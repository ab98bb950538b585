"""No id, name or word ever becomes a path: nothing outside the campaign is made, changed or read."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.hostile.samples import AS_A_NAME, HOSTILE_IDS, forged, tree

from turnwright import Campaign, CampaignError
from turnwright.audit.verify import repair, verify
from turnwright.store.files import Files


@pytest.fixture(name="home")
def fixture_home(tmp_path: Path) -> Path:
    """Give a folder three levels down, and files above it that a path out of a campaign would meet."""
    home = tmp_path / "a" / "b" / "c"
    home.mkdir(parents=True)
    for place in (tmp_path, tmp_path / "a", home.parent, home):
        for name in ("x", "x.json", "evil.json"):
            (place / name).write_text('{"precious": true}', encoding="utf-8")
    return home


def outside(home: Path, *campaigns: Path) -> dict[str, Any]:
    """Return everything around some campaigns."""
    top = home.parents[2]
    inside = [f"{campaign.relative_to(top).as_posix()}/" for campaign in campaigns]
    return {place: content for place, content in tree(top).items() if not f"{place}/".startswith(tuple(inside))}


def names_inside(campaign: Path) -> set[str]:
    """Return the names of all files and folders of a campaign that are not of a fixed set."""
    fixed = {"campaign.json", "log.jsonl", "maps", "characters", "turns", "results", "done", "refused", ".claimed"}
    found = {place.name for place in campaign.rglob("*") if ".turnwright" not in place.parts[len(campaign.parts) :]}
    return found - fixed


def test_hostile_ids_of_characters_and_areas_stay_inside(home: Path) -> None:
    ids = list(HOSTILE_IDS)
    one_file = {
        "id": ids[0],
        "selected": {"world_id": ids[1], "party_character_ids": ids, "active_actor_id": ids[0]},
        "map": {"areas": {evil: {"name": evil, "reachable_area_ids": [to]} for evil, to in pairwise([*ids, ids[0]])}},
        "positions": {evil: evil for evil in ids},
    }
    (home / "source.json").write_text(json.dumps(one_file), encoding="utf-8")
    before = outside(home, home / "table")
    with Campaign.new(home / "table", from_file=home / "source.json", seed="x", clock=builders.clock) as campaign:
        for evil in ids:
            calls = [builders.hp_delta(-1, evil), builders.call("map_generate", evil, parent_area_id=evil, theme=evil)]
            reply = campaign.process(builders.turn(*calls, builders.call(evil, evil), actor_id=evil, user_input=evil))
            assert len(builders.results(reply)) == 2, evil
        campaign.undo()
    assert outside(home, home / "table") == before
    results = {f"turn_{number:04d}.json" for number in range(1, len(ids) + 1)}
    assert names_inside(home / "table") <= {*results, *_stems(home / "table")}
    assert len(_stems(home / "table")) == len(ids) + 1
    assert not verify(home / "table").problems


@pytest.mark.parametrize("evil", ["../x", "/etc/passwd", "x\0y", "~", "", AS_A_NAME])
def test_a_hostile_id_of_a_campaign_is_only_a_word(home: Path, evil: str) -> None:
    (home / "source.json").write_text(json.dumps({"id": evil}), encoding="utf-8")
    before = outside(home, home / "table")
    with suppress(CampaignError), Campaign.new(home / "table", from_file=home / "source.json") as campaign:
        assert campaign.state["campaign.json"]["id"] == evil
        with Campaign.open(campaign.fork(home / "table" / "fork", "0")) as forked:
            assert forked.state["campaign.json"]["id"].startswith(evil)
    assert outside(home, home / "table") == before


def _stems(campaign: Path) -> set[str]:
    """Return the names in the two folders of documents, each of which is a safe one."""
    names = {file.name for folder in ("maps", "characters") for file in (campaign / folder).iterdir()}
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-~.") for name in names), names
    assert not names & {"con.json", "nul.json", "lpt1.json", "..json", "...json"}
    return names


def test_hostile_turn_ids_are_refused_or_stay_in_results(home: Path) -> None:
    with builders.begin(home / "table") as campaign:
        before = outside(home, home / "table")
        for evil in HOSTILE_IDS:
            reply = campaign.process({"turn_id": evil})
            is_safe = evil.isascii() and len(evil) <= 64 and not set(evil) - set(_TURN_ID_LETTERS) and evil[:1] != "."
            assert (reply["status"] != "refused") == is_safe, evil
        assert outside(home, home / "table") == before
        results = {place.name for place in (home / "table/results").iterdir()}
    assert len(results) == len([record for record in builders.log_of(home / "table") if record["kind"] == "turn"])
    assert not {name.partition(".")[0].lower() for name in results} & {"con", "nul", "lpt1", "aux"}


_TURN_ID_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"


def test_hostile_names_of_dropped_files_stay_in_the_drop_folder(home: Path) -> None:
    names = [
        "..json",
        "...json",
        "..x.json",
        "~.json",
        "-rf.json",
        "$(x).json",
        "..\\x.json",
        "x.json.json",
        "con.json",
    ]
    names += [f"{AS_A_NAME}.json", " .json", "é.json", "x" * 195 + ".json", "1__x.json", "x.reason.json", "\n.json"]
    campaign = builders.begin(home / "table")
    drop = home / "table" / "turns"
    for text in ("{}", "{"):
        before = outside(home, home / "table")
        for name in names:
            (drop / name).write_text(text, encoding="utf-8")
        taken = [name for name, _ in campaign.process_drop()]
        assert set(taken) == {name for name in names if not name.startswith(".")}
        assert outside(home, home / "table") == before
        folder = drop / ("done" if text == "{}" else "refused")
        assert {place.name for place in folder.iterdir() if not place.name.endswith(".reason.json.reason.json")} >= {
            *taken
        }
        assert {place.name for place in drop.iterdir() if place.is_file()} == {*names} - {*taken}
    campaign.close()


def test_hostile_words_at_other_doors_make_nothing(home: Path) -> None:
    with builders.begin(home / "table") as campaign:
        before = outside(home, home / "table")
        for evil in HOSTILE_IDS:
            for mark in (evil, f"#{evil}"):
                with suppress(CampaignError):
                    campaign.fork(home / "fork", mark)
            with suppress(CampaignError):
                Campaign.new(home / "new", template=evil).close()
            with suppress(CampaignError):
                campaign.set({evil: evil, f"goal.{evil}": evil})
            campaign.process(builders.turn(builders.hp_delta(-1, evil)), authority=f"player:{evil}")
            campaign.process({"actor_id": evil})
        assert outside(home, home / "table") == before


# a log from elsewhere


def logs_with(field: str, path: Path) -> Iterator[tuple[str, Path]]:
    """Yield a hostile word, and a campaign whose log has it in a field of its first turn, the hashes mended."""
    words = ["../../evil", "/tmp/turnwright-evil", "a/b", "x\0y", "..", "", "x" * 300]
    for number, evil in enumerate(words):
        campaign = path / f"{field}_{number}"
        with builders.begin(campaign) as opened:
            opened.process({"user_input": "hello"})
        forged(campaign, 1, **{field: evil})
        yield evil, campaign


def _process(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        campaign.process({})


def _undo(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        campaign.undo()


def _fork(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        campaign.fork(path.parent / "fork", "1")


DOINGS: dict[str, Callable[[Path], object]] = {
    "verify": verify,
    "process": _process,
    "undo": _undo,
    "fork": _fork,
    "repair": repair,
}
FIELDS = [
    (field, doing) for field in ("turn_id", "source", "timestamp") for doing in ("process", "undo", "fork", "repair")
]


@pytest.mark.parametrize(("field", "doing"), FIELDS)
def test_a_word_in_a_log_from_elsewhere_is_no_path(home: Path, field: str, doing: str) -> None:
    for evil, campaign in logs_with(field, home):
        before = outside(home, campaign, home / "fork")
        with suppress(CampaignError):
            DOINGS[doing](campaign)
        assert outside(home, campaign, home / "fork") == before, evil
        shutil.rmtree(home / "fork", ignore_errors=True)


PLACES = [
    (place, doing)
    for place in ("../evil.json", "characters/../../evil.json", "/tmp/turnwright-evil.json", "turns/evil.json")
    for doing in DOINGS
]


@pytest.mark.parametrize(("place", "doing"), PLACES)
def test_a_document_in_a_log_from_elsewhere_lies_inside_or_nowhere(home: Path, place: str, doing: str) -> None:
    with builders.begin(home / "table") as opened:
        opened.process({"user_input": "hello"})
    document = {"id": "evil", "position": None, "hp": 1, "character_state": "alive"}
    forged(home / "table", 1, changes={place: [{"op": "add", "path": "", "value": document}]})
    before = outside(home, home / "table", home / "fork")
    with suppress(CampaignError):
        DOINGS[doing](home / "table")
    assert outside(home, home / "table", home / "fork") == before


def test_the_port_to_the_disk_is_asked_for_paths_inside_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    at = Files.at

    def noted(files: Files, path: str) -> str:
        asked.add(path)
        return at(files, path)

    monkeypatch.setattr(Files, "at", noted)
    with builders.begin(home / "table") as campaign:
        for evil in HOSTILE_IDS:
            calls = [
                builders.move(evil, evil, evil),
                builders.hp_delta(-1, evil),
                builders.call(evil, parent_area_id=evil),
            ]
            campaign.process(builders.turn(*calls, builders.call("map_generate", parent_area_id=evil), x_note=evil))
            campaign.query("move_options", {"actor_id": evil})
    assert asked
    assert not [path for path in asked if path.startswith(("/", "~", "\\")) or ".." in path.split("/") or "\0" in path]
