"""A campaign that several users of one machine write: nobody's files keep the others out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests import builders
from tests.builders import log_of
from tests.store.kit import CHECKPOINT, ended, python

from turnwright.audit.verify import verify

NOBODY = 65534
SOMEBODY = """
import os, sys
from pathlib import Path
from tests import builders
from turnwright import Campaign
from turnwright.audit.verify import verify


def play(path):
    with Campaign.open(path, builders.clock, lag=0) as campaign:
        yield campaign.process(builders.turn(builders.hp_delta(-1)))["status"]
        yield campaign.process(builders.turn(builders.hp_delta(-1)))["status"]
    yield verify(Path(path)).problems


builders.begin(Path(sys.argv[2])).close()
list(play(sys.argv[2]))  # so that everything is imported while we may
if os.getuid() == 0:
    os.seteuid(int(sys.argv[3]))
print(*play(sys.argv[1]), sep="|")
if os.getuid() == 0:
    os.seteuid(0)
"""


@pytest.mark.parametrize("umask", [0o007, 0o027, 0o077])
def test_every_file_is_as_open_as_the_umask_says(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        (tmp_path / "c").mkdir()
        with builders.begin(tmp_path / "c" / "campaign") as campaign:
            (tmp_path / "c" / "campaign" / CHECKPOINT).unlink()
            campaign.process(builders.turn(builders.hp_delta(-1)))
    finally:
        os.umask(before)
    checkpoint = tmp_path / "c" / "campaign" / CHECKPOINT
    assert checkpoint.stat().st_mode & 0o777 == 0o666 & ~umask


@pytest.fixture(name="open_folder")
def fixture_open_folder() -> Iterator[Path]:
    """Give a folder that everybody may look into."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_checkpoint_that_is_closed_to_who_writes_is_made_again(tmp_path: Path, open_folder: Path) -> None:
    path = open_folder / "campaign"
    builders.begin(path).close()
    if os.getuid() == 0:  # whom no mode keeps out: somebody else writes, and the checkpoint is root's
        for place in (path, *path.rglob("*")):
            os.chown(place, NOBODY, NOBODY)
        os.chown(path / CHECKPOINT, 0, 0)
    (path / CHECKPOINT).chmod(0o444)
    assert ended(python(SOMEBODY, path, tmp_path / "warm", NOBODY)) == "applied|applied|()\n"
    assert [record["kind"] for record in log_of(path)] == ["new", "turn", "turn"]
    assert not verify(path).notes
