"""Following the log: records as they are committed, as one viewer may see them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, begin, hp_delta, move, turn
from tests.cli.conftest import Turnwright, turnwright

from turnwright import BadRequest, Campaign, CampaignInvalid, Viewer
from turnwright.model.viewer import GAME_MASTER, PARTY

__all__ = ["turnwright"]
MIRA = Viewer.player("pc_001")


def during(*works: Callable[[], object]) -> Callable[[], bool]:
    """Return a wait that does one piece of work each time, and ends when there is none left."""
    left = iter(works)

    def wait() -> bool:
        work = next(left, None)
        if work is None:
            return False
        work()
        return True

    return wait


def followed(campaign: Campaign, *works: Callable[[], object], viewer: Viewer = GAME_MASTER, **how: Any) -> list[Json]:
    return list(campaign.follow(viewer=viewer, wait=during(*works), **how))


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    campaign = begin(tmp_path / "home")
    campaign.process({"user_input": "one"})
    campaign.process({"user_input": "two"})
    return campaign


def seqs(records: list[Json]) -> list[int]:
    return [record["seq"] for record in records]


def test_records_come_as_they_are_committed_by_this_object_and_by_another(campaign: Campaign, tmp_path: Path) -> None:
    with Campaign.open(tmp_path / "home") as other:
        works = [lambda: other.process({"user_input": "three"}), lambda: campaign.process({"user_input": "four"})]
        assert followed(campaign, *works, after=0) == list(campaign.records(after=0))


def test_without_a_number_only_what_comes_is_told(campaign: Campaign) -> None:
    assert seqs(followed(campaign)) == []
    assert seqs(followed(campaign, lambda: campaign.process({"user_input": "three"}))) == [3]


def test_the_last_records_come_first_and_then_those_that_follow(campaign: Campaign) -> None:
    def more() -> object:
        return campaign.process({"user_input": "more"})

    assert seqs(followed(campaign, more, after=-1, last=1)) == [2, 3]
    assert seqs(followed(campaign, more, after=-1, last=0)) == [4]
    assert seqs(followed(campaign, after=3, last=9)) == [4]


def test_a_number_that_is_still_to_come_is_waited_for(campaign: Campaign) -> None:
    works = [lambda: campaign.process({"user_input": "three"}), lambda: campaign.process({"user_input": "four"})]
    assert seqs(followed(campaign, *works, after=3)) == [4]


def test_players_get_projections_and_of_other_records_that_there_is_one(campaign: Campaign) -> None:
    def play() -> None:
        campaign.process(turn(hp_delta(-3, cause="zorblax"), dm_note="zorblax", assistant_text="zorblax"))
        campaign.process(turn(move("area_002")), authority="player:pc_001")
        campaign.set({"goal.text": "zorblax"})
        campaign.undo("#4")

    for viewer in (MIRA, PARTY, Viewer.player(""), Viewer.character("npc_001")):
        seen = list(campaign.follow(viewer=viewer, after=2, wait=during(*([play] if viewer == MIRA else []))))
        assert [record["kind"] for record in seen] == ["turn", "turn", "settings", "undo"]
        assert "zorblax" not in json.dumps(seen)
        assert seen[0].keys() >= {"seq", "kind", "turn_id", "status", "timestamp"}
        assert seen[2].keys() == {"seq", "kind", "timestamp"}
        assert (seen[3]["undone_from"], seen[3]["undone"]) == (4, [5, 4])
        assert bool(seen[1].get("applied_actions")) == (viewer == MIRA)


def test_following_ends_when_it_is_closed_and_leaves_nothing_open(campaign: Campaign) -> None:
    following = campaign.follow(viewer=GAME_MASTER, after=-1, wait=lambda: True)
    assert next(following)["seq"] == 0
    following.close()  # type: ignore[attr-defined]
    assert next(following, None) is None
    campaign.process({"user_input": "three"})


def test_a_thread_may_follow_while_others_write(campaign: Campaign) -> None:
    came, done = threading.Event(), threading.Event()
    seen: list[int] = []

    def wait() -> bool:
        came.set()
        return not done.is_set()

    def listen() -> None:
        seen.extend(seqs(list(campaign.follow(viewer=MIRA, wait=wait))))

    thread = threading.Thread(target=listen)
    thread.start()
    assert came.wait(60)
    for number in range(20):
        campaign.process({"user_input": str(number)})
    done.set()
    thread.join(60)
    assert seen == list(range(3, 23))[: len(seen)]
    assert not thread.is_alive()


def test_another_log_in_its_place_is_not_followed(campaign: Campaign, tmp_path: Path) -> None:
    def put_another() -> None:
        with begin(tmp_path / "other") as other:
            other.process({"user_input": "else"})
            other.process({"user_input": "else"})
        (tmp_path / "home").rename(tmp_path / "gone")
        (tmp_path / "other").rename(tmp_path / "home")

    with pytest.raises(CampaignInvalid, match="not the log that was followed"):
        followed(campaign, put_another, after=0)


@pytest.mark.parametrize(
    "how", [{"after": "0"}, {"after": True}, {"last": -1}, {"last": 1.0}, {"viewer": "gm"}], ids=str
)
def test_what_cannot_be_followed_is_refused_at_once(campaign: Campaign, how: Any) -> None:
    with pytest.raises(BadRequest):
        campaign.follow(**{"viewer": GAME_MASTER, **how})


# the command

SHOWN: list[tuple[list[Any], list[int]]] = [
    ([], [0, 1, 2]),
    (["--after", 0], [1, 2]),
    (["--after", 2], []),
    (["--after", 99], []),
    (["--last", 0], []),
    (["--last", 1], [2]),
    (["--last", 99], [0, 1, 2]),
    (["--after", 0, "--last", 1], [2]),
    (["--after", 1, "--last", 2], [2]),
]


def test_the_command_leaves_out_what_comes_before(campaign: Campaign, tmp_path: Path, turnwright: Turnwright) -> None:
    for options, shown in SHOWN:
        code, out, _ = turnwright("log", tmp_path / "home", "--json", *options)
        assert (code, seqs(list(map(json.loads, out.splitlines())))) == (0, shown), options


def test_the_command_prints_text_of_the_same_records(
    campaign: Campaign, tmp_path: Path, turnwright: Turnwright
) -> None:
    code, out, _ = turnwright("log", tmp_path / "home", "--last", 1)
    assert code == 0
    assert "two" in out
    assert "one" not in out


@pytest.mark.parametrize("options", [["--after", "-2"], ["--last", "-1"], ["--last", "x"]], ids=str)
def test_the_command_refuses_other_numbers(
    campaign: Campaign, tmp_path: Path, turnwright: Turnwright, options: list[str]
) -> None:
    assert turnwright("log", tmp_path / "home", *options)[0] == 64
