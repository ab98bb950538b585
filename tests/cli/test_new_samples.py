"""Samples as `new` and `play --new` make them: with which dice, and how the barrow begins."""

from __future__ import annotations

from pathlib import Path

from tests import builders
from tests.builders import log_of
from tests.cli.conftest import Play, Turnwright

from turnwright import Campaign


def test_the_barrow_begins_with_its_party_and_says_where(play: Play, tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "barrow", "barrow", seed="x", clock=builders.clock, with_turns=False):
        pass
    out = play(tmp_path / "barrow", [], "/state", "/map", "/bars", "/quit")
    assert "you play Sigrun, at Moor Road, with Hob the Guide, Brother Odo, Wren\n" in out
    assert "Barrow Mouth" in out
    assert [known for known in ("45", "quiet_king", "Burial Hall", "Antechamber") if known in out] == []


def test_a_sample_that_depends_on_the_dice_is_made_with_its_own_and_that_is_told(
    turnwright: Turnwright, tmp_path: Path
) -> None:
    said = "its dice are those of its story: seed barrow"
    secrets = {}
    for name, options in {"own": (), "given": ("--seed", "barrow"), "other": ("--seed", "x")}.items():
        code, out, _ = turnwright("new", tmp_path / name, "--template", "barrow", *options)
        assert (code, said in out) == (0, name == "own")
        secrets[name] = secret_of(tmp_path / name)
    assert secrets["own"] == secrets["given"] != secrets["other"]


def test_a_sample_that_is_made_to_be_played_has_a_secret_of_its_own(play: Play, tmp_path: Path) -> None:
    for name in ("one", "other"):
        out = play(tmp_path / name, [], "/quit", options=["--new", "barrow"])
        assert "seed" not in out
    seeded = tmp_path / "seeded"
    Campaign.new(seeded, "barrow", seed="barrow", clock=builders.clock).close()
    assert len({secret_of(path) for path in (tmp_path / "one", tmp_path / "other", seeded)}) == 3


def secret_of(path: Path) -> str:
    """Return the hash of what the dice of a campaign are drawn from."""
    return str(log_of(path)[0]["secret_sha256"])
