"""No link leads out of a campaign: what lies behind one is neither read into it, nor changed, nor moved."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.hostile.samples import tree

from turnwright import Campaign, CampaignError
from turnwright.audit.check import check_directory
from turnwright.audit.verify import repair, verify
from turnwright.campaign.inbox_watcher import Watcher
from turnwright.store.disk import Disk

SECRET = "behind-the-link"
PERSON = builders.person("npc_009", name=SECRET, position=None)
LAYER = {"parent_area_id": "area_003", "areas": {SECRET: builders.area(SECRET, parent="area_003")}}
TURN = {"user_input": SECRET}
FILES: dict[str, Any] = {
    "turns/x.json": TURN,
    "characters/npc_009.json": PERSON,
    "characters/pc_001.json": builders.person("pc_001", name=SECRET),
    "maps/area_003.json": LAYER,
    "maps/root.json": {"parent_area_id": None, "areas": {}},
    "campaign.json": builders.documents(title=SECRET)["campaign.json"],
    ".turnwright-campaign.json.tmp": TURN,
    "log.jsonl": TURN,
    "results/t9.json": TURN,
    "results/.turnwright-t9.json.tmp": TURN,
    "results/turn_0001.json": TURN,
    "turns/refused/bad.json.reason.json": TURN,
    "turns/refused/.turnwright-bad.json.reason.json.tmp": TURN,
    "turns/done/ok.json": TURN,
    ".turnwright/lock": TURN,
    ".turnwright/now": TURN,
    ".turnwright/secret.json": {"secrets": ["00" * 32]},
    ".turnwright/checkpoint.sqlite3": TURN,
    ".turnwright/checkpoint.sqlite3-wal": TURN,
}
"""Places of files, and what lies behind a link there."""
FOLDERS: dict[str, dict[str, Any]] = {
    "turns": {"x.json": TURN, "done/a.json": TURN},
    "turns/.claimed": {"1__x.json": TURN},
    "turns/done": {"a.json": TURN},
    "turns/refused": {"a.json": TURN},
    "results": {"t9.json": TURN},
    "characters": {
        **{f"{one['id']}.json": one for one in builders.PEOPLE},
        "npc_009.json": PERSON,
    },
    "maps": {
        **{
            path.removeprefix("maps/"): layer
            for path, layer in builders.documents().items()
            if path.startswith("maps/")
        },
        "area_003.json": LAYER,
    },
    ".turnwright": {"secret.json": {"secrets": ["00" * 32]}},
    ".turnwright/torn": {"a": TURN},
}
"""Places of folders, and what lies behind a link there."""


def _with(work: Callable[[Campaign], object]) -> Callable[[Path], object]:
    def opened(path: Path) -> object:
        with Campaign.open(path, builders.clock, wait=0) as campaign:
            return work(campaign)

    return opened


def _watch(path: Path) -> list[Any]:
    said: list[Any] = []
    watcher = Watcher(path.parent, lambda *told: said.append(told), lambda *told: said.append(told), wait=0)
    watcher.sweep()
    watcher.close()
    return said


DOINGS: dict[str, Callable[[Path], object]] = {
    "check": check_directory,
    "verify": verify,
    "state": _with(lambda campaign: campaign.state),
    "turn": _with(lambda campaign: campaign.process({"turn_id": "t9", "tool_calls": [builders.hp_delta(-1)]})),
    "drop": _with(lambda campaign: [*campaign.process_drop()]),
    "set": _with(lambda campaign: campaign.set({"goal.text": "Out!"})),
    "watch": _watch,
    "undo": _with(lambda campaign: campaign.undo()),
    "repair": repair,
    "records": _with(lambda campaign: [*campaign.records()]),
}


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    """Give a campaign of one turn, with a good and a bad file in its drop folder and a torn log."""
    path = tmp_path / "inside" / "table"
    path.parent.mkdir()
    with builders.begin(path) as campaign:
        campaign.process({"user_input": "hello"})
    (path / "turns/ok.json").write_text("{}", encoding="utf-8")
    (path / "turns/bad.json").write_text("{", encoding="utf-8")
    with (path / "log.jsonl").open("ab") as log:
        log.write(b'{"seq":2,')
    return path


def put(place: Path, content: Any) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(content), encoding="utf-8")


def linked(path: Path, place: str, behind: Path) -> None:
    """Put a link in the place of a file or folder of a campaign."""
    here = path / place
    if here.is_dir():
        shutil.rmtree(here)
    here.unlink(missing_ok=True)
    here.parent.mkdir(parents=True, exist_ok=True)
    here.symlink_to(behind)


def followed(path: Path, behind: Path) -> dict[str, list[str]]:
    """Do everything with a campaign; return what was changed behind its link, and where the secret shows."""
    found: dict[str, list[str]] = {}
    for name, doing in DOINGS.items():
        before = tree(behind.parent)
        told: object = None
        with suppress(CampaignError):
            told = doing(path)
        after = tree(behind.parent)
        if before != after:
            found[name] = sorted(place for place in before | after if before.get(place, 0) != after.get(place, 0))
        if SECRET in str(told):
            found.setdefault(name, []).append("the secret shows")
    if any(SECRET.encode() in content for content in tree(path).values() if isinstance(content, bytes)):
        found["in the end"] = ["the secret is inside"]
    return found


@pytest.mark.parametrize("place", FILES)
def test_a_link_in_the_place_of_a_file_is_not_followed(path: Path, tmp_path: Path, place: str) -> None:
    behind = tmp_path / "outside" / "file"
    put(behind, FILES[place])
    linked(path, place, behind)
    assert followed(path, behind) == {}


@pytest.mark.parametrize("place", FOLDERS)
def test_a_link_in_the_place_of_a_folder_is_not_followed(path: Path, tmp_path: Path, place: str) -> None:
    behind = tmp_path / "outside" / "folder"
    behind.mkdir(parents=True)
    for name, content in FOLDERS[place].items():
        put(behind / name, content)
    linked(path, place, behind)
    assert followed(path, behind) == {}


@pytest.mark.parametrize("place", FOLDERS)
def test_a_folder_that_was_moved_away_and_linked_is_not_followed(path: Path, tmp_path: Path, place: str) -> None:
    behind = tmp_path / "outside" / "folder"
    (path / place).mkdir(parents=True, exist_ok=True)
    behind.parent.mkdir()
    (path / place).rename(behind)
    if place == "turns/.claimed":
        put(behind / "2__ok.json", TURN)
    linked(path, place, behind)
    assert followed(path, behind) == {}


@pytest.mark.parametrize("place", ["log.jsonl", "results", "turns", ".turnwright/checkpoint.sqlite3"])
def test_a_link_to_nowhere_makes_nothing_there(path: Path, tmp_path: Path, place: str) -> None:
    behind = tmp_path / "outside" / "nowhere"
    behind.parent.mkdir()
    linked(path, place, behind)
    assert followed(path, behind) == {}


@pytest.mark.parametrize(
    "place", [place for place in FILES if place.startswith(("characters", "maps", "campaign.json"))]
)
def test_a_linked_document_is_refused_by_name_and_in_clear_words(path: Path, tmp_path: Path, place: str) -> None:
    behind = tmp_path / "outside" / "file"
    put(behind, FILES[place])
    linked(path, place, behind)
    with pytest.raises(CampaignError, match=rf"{place}.* not an ordinary file \(a link"):
        DOINGS["turn"](path)


@pytest.mark.parametrize("place", ["results", "turns/done", "turns/refused", ".turnwright", ".turnwright/lock"])
def test_a_link_that_stops_a_turn_is_called_one(path: Path, tmp_path: Path, place: str) -> None:
    behind = tmp_path / "outside" / "nowhere"
    behind.parent.mkdir()
    linked(path, place, behind)
    with pytest.raises(CampaignError, match=r"\blink\b"):
        DOINGS["drop"](path)


def test_a_watcher_does_not_follow_links_to_other_campaigns(tmp_path: Path) -> None:
    builders.begin(tmp_path / "outside" / "other").close()
    put(tmp_path / "outside" / "other" / "turns" / "a.json", TURN)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "link").symlink_to(tmp_path / "outside")
    before = tree(tmp_path / "outside")
    assert _watch(tmp_path / "root" / "any") == []
    assert tree(tmp_path / "outside") == before


SWAPPED = ["characters", "results", ".turnwright"]


@pytest.mark.parametrize("folder", SWAPPED)
@pytest.mark.parametrize("moment", ["open", "write", "rename"])
def test_a_folder_that_is_swapped_for_a_link_during_a_turn_leads_nothing_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, moment: str
) -> None:
    """The link is put there at some moment of the second turn, and the folder is moved away."""
    path, outside = tmp_path / "c", tmp_path / "outside"
    outside.mkdir()
    campaign = builders.begin(path)
    assert campaign.process(builders.turn(builders.hp_delta(-1)))["status"] == "applied"
    campaign.flush()
    work = getattr(Disk, moment)

    def swapping(self: Disk, *args: object) -> object:
        done = work(self, *args)
        if not (path / folder).is_symlink():
            (path / folder).rename(tmp_path / "away")
            (path / folder).symlink_to(outside)
        return done

    def play() -> None:
        campaign.process(builders.turn(builders.hp_delta(-1)))
        campaign.flush()

    with monkeypatch.context() as patched, suppress(CampaignError):
        patched.setattr(Disk, moment, swapping)
        play()
    with pytest.raises(CampaignError, match="is a link"):
        play()
    assert list(outside.iterdir()) == []
    (path / folder).unlink()
    (tmp_path / "away").rename(path / folder)
    with Campaign.open(path, builders.clock) as again:
        assert again.process(builders.turn(builders.hp_delta(1)))["status"] == "applied"
    assert verify(path).problems == ()
