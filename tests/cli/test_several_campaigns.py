"""`check` and `verify` look at several campaigns: each line names its own, and the worst code counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.cli.conftest import Turnwright

from turnwright.store.files import Files
from turnwright.store.lock import Lock


@pytest.fixture(name="root")
def fixture_root(tmp_path: Path) -> Path:
    """Give a folder with a sound campaign, one of which a turn would be refused, and a damaged one further below."""
    root = tmp_path / "root"
    (root / "group").mkdir(parents=True)
    for place in (root / "a_sound", root / "b_waits", root / "group" / "c_damaged"):
        with builders.begin(place) as campaign:
            campaign.process(builders.turn(builders.hp_delta(-1), turn_id="told"))
    (root / "b_waits" / "turns" / "bad.json").write_text("{", encoding="utf-8")
    damaged = root / "group" / "c_damaged"
    (damaged / "results" / "told.json").unlink()
    (damaged / "characters" / "pc_001.json").write_text("[1]", encoding="utf-8")
    return root


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_check_of_a_root_checks_every_campaign_below_it(root: Path, turnwright: Turnwright) -> None:
    code, out, err = turnwright("check", root)
    assert code == 3
    assert out.splitlines() == [f"{root / 'a_sound'}: nothing is wrong"]
    waits, *damaged = err.splitlines()
    assert waits.startswith(f"problem  {root / 'b_waits'}  turns/bad.json  ")
    assert damaged
    assert all(line.startswith(f"problem  {root / 'group' / 'c_damaged'}  ") for line in damaged)
    assert "nobody reads" not in err


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["a_sound"], 0),
        (["a_sound", "b_waits"], 2),
        (["b_waits", "a_sound"], 2),
        (["group/c_damaged", "b_waits"], 3),
        (["group", "a_sound"], 3),
    ],
)
def test_the_greatest_code_of_several_counts(root: Path, turnwright: Turnwright, names: list[str], code: int) -> None:
    places = [root / name for name in names]
    assert turnwright("check", *places)[0] == code
    found, out, err = turnwright("check", *places, "--json")
    assert (found, err) == (code, "")
    if len(names) > 1:
        assert all(next(iter(problem)) == "campaign" for problem in objects(out))


def test_verify_of_a_root_names_the_campaign_in_each_line(root: Path, turnwright: Turnwright) -> None:
    code, out, err = turnwright("verify", root)
    assert code == 3
    sound = "sound: 2 records, 1 turns, 0 draws, "
    assert [line.rpartition(", ")[0] + ", " for line in out.splitlines()] == [
        f"{root / name}: {sound}" for name in ("a_sound", "b_waits")
    ]
    damaged = root / "group" / "c_damaged"
    assert all(str(damaged) in line for line in err.splitlines())
    assert err.splitlines()[-1].startswith(f"{damaged}: damaged (2 problems); read: 2 records, 1 turns, ")
    code, out, _ = turnwright("verify", root, "--json", "--reveal")
    assert [Path(found["campaign"]).name for found in objects(out)] == ["a_sound", "b_waits", "c_damaged"]
    assert [len(found["problems"]) for found in objects(out)] == [0, 0, 2]
    assert turnwright("verify", root, "--repair")[0] == 0
    assert turnwright("verify", root)[0] == 0


def test_a_campaign_that_cannot_be_looked_at_stops_no_other(
    root: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.audit.verify.verify.__kwdefaults__", {"wait": 0.0})
    lock = Lock(Files(root / "a_sound"))
    with lock.held(0):
        code, out, err = turnwright("verify", root / "a_sound", root / "nowhere", root / "b_waits")
    lock.close()
    assert code == 4
    assert [line.partition("  ")[0] for line in err.splitlines()] == ["error", "problem"]
    assert str(root / "a_sound") in err
    assert "there is no campaign here" in err
    assert out.startswith(f"{root / 'b_waits'}: sound")


def test_a_folder_that_cannot_be_looked_into_is_told_and_hides_no_campaign(
    root: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = Path.iterdir

    def refuse(self: Path) -> Any:
        if self.name == "group":
            raise PermissionError(13, "Permission denied", str(self))
        return listed(self)

    monkeypatch.setattr(Path, "iterdir", refuse)
    code, out, err = turnwright("check", root)
    assert code == 74
    assert f"error  {root / 'group'}  cannot look for campaigns here: Permission denied" in err
    assert out.splitlines() == [f"{root / 'a_sound'}: nothing is wrong"]


def test_one_campaign_given_in_several_ways_is_looked_at_once(root: Path, turnwright: Turnwright) -> None:
    _, out, _ = turnwright("verify", root / "a_sound", root / "group" / ".." / "a_sound", "--json")
    assert len(objects(out)) == 1
