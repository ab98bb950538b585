"""Where the bench works, at which sizes, and the campaigns that several rows share."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from scripts.bench.campaigns import build, lengthen
from scripts.bench.measuring import in_child

LAYER = 30
"""Areas in each layer of a large map."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where the bench works.

    Attributes:
        disk: a folder on a real disk, for what is about syncing.
        memory: a folder in memory where the machine has one, for what is about CPU time.
        is_quick: whether to measure at smaller sizes and fewer times.
    """

    disk: Path
    memory: Path
    is_quick: bool

    def pick(self, full: int, quick: int) -> int:
        """Return a size or a number of rounds."""
        return quick if self.is_quick else full

    @property
    def rounds(self) -> int:
        """How often floor and ours are measured."""
        return self.pick(7, 3)

    @property
    def turns(self) -> int:
        """How many turns make one measurement."""
        return self.pick(600, 200)

    @property
    def burst(self) -> int:
        """Turns in a row where what is written behind the log counts too: several times as many as results stay."""
        return self.pick(3000, 1000)

    @property
    def areas(self) -> int:
        """How large the large map is."""
        return self.pick(100_000, 10_000)

    @property
    def records(self) -> int:
        """How long the long log is."""
        return self.pick(1_000_000, 20_000)

    def fresh(self, base: Path) -> Path:
        """Return a new empty folder."""
        return Path(mkdtemp(dir=base))

    def small_campaign(self, base: Path, areas: int = 10, people: int = 2) -> Path:
        """Return a new campaign of one layer."""
        return build(self.fresh(base) / "campaign", areas=areas, layer=areas, people=people)

    def large_map(self) -> Path:
        """Return the campaign with the large map; made when first asked for."""
        folder = self.memory / "large-map"
        if not folder.exists():
            in_child(build, folder, areas=self.areas, layer=LAYER)
        return folder

    def long_log(self) -> Path:
        """Return a campaign with the large map and the long log; made when first asked for."""
        folder = self.memory / "long-log"
        if not folder.exists():
            shutil.copytree(self.large_map(), folder)
            in_child(lengthen, folder, self.records)
        return folder
