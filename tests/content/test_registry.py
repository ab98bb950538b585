"""Where packs are: in a campaign, in turnwright, or in a distribution whose code is never run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.content.packs import RAT, files, manifest, write
from tests.distributions import Distributions

from turnwright.content.compiled import compile_pack
from turnwright.content.library import Library
from turnwright.content.pack import PackError
from turnwright.content.registry import PackRegistry, installed_pack, pack_fault
from turnwright.content.source import read_pack
from turnwright.model.entry_points import Group

CODE = "raise SystemExit('the code of a pack was run')\n"


@pytest.fixture(name="distributions")
def fixture_distributions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Distributions]:
    installed_pack.cache_clear()
    yield Distributions(tmp_path / "installed", monkeypatch)
    installed_pack.cache_clear()


class Carried:
    """Packs of a campaign, in memory."""

    def __init__(self, packs: Mapping[str, Mapping[str, bytes]]) -> None:
        self.packs = dict(packs)
        self.reads = 0

    def mark(self, pack_id: str) -> object:
        found = self.packs.get(pack_id)
        return None if found is None else hash(tuple(sorted(found.items())))

    def files(self, pack_id: str) -> Mapping[str, bytes]:
        self.reads += 1
        return self.packs[pack_id]


def test_an_installed_pack_is_read_without_running_its_code(distributions: Distributions) -> None:
    place = distributions.install("mill-data", Group.CONTENT, {"mill": "mill_data"}, {"mill_data/__init__.py": CODE})
    write(place / "mill_data" / "mill", files())
    library = Library(PackRegistry().packs(["mill"]))
    assert library.look_up("mill rats").found.pack == "mill"
    assert "mill_data" not in sys.modules


def test_an_installed_pack_may_be_compiled(distributions: Distributions) -> None:
    place = distributions.install("mill-data", Group.CONTENT, {"mill": "mill_data"}, {"mill_data/__init__.py": CODE})
    pack = read_pack(files()).loaded()
    (place / "mill_data" / "mill.pack").write_bytes(compile_pack(pack.manifest, pack.entries))
    found = PackRegistry().pack("mill")
    assert (found.sha256, found.manifest.title) == (pack.sha256, "The Mill")
    assert Library([found]).look_up("mill rat").found.value == pack.entries["monsters"]["mill-rat"]


@pytest.mark.parametrize(
    ("points", "content", "told"),
    [
        ({"mill": "mill_data.code:pack"}, {}, "must name a package"),
        ({"mill": "no_such_package"}, {}, "there is no package"),
        ({"mill": "mill_data"}, {}, "cannot be read"),
        ({"mill": "mill_data"}, {"mill_data/mill/pack.json": "{}"}, "is damaged"),
        ({"mill": "mill_data"}, {"mill_data/mill/pack.json": manifest(id="other").decode()}, "has the id other"),
        ({"mill": "mill_data"}, {"mill_data/mill.pack": "no pack"}, "cannot be read"),
    ],
)
def test_an_installed_pack_that_cannot_be_used_is_named(
    distributions: Distributions, points: Mapping[str, str], content: Mapping[str, str], told: str
) -> None:
    distributions.install("mill-data", Group.CONTENT, points, {"mill_data/__init__.py": CODE, **content})
    fault = pack_fault(PackRegistry(), "mill")
    assert fault is not None
    assert told in fault


def test_a_name_that_two_distributions_register_means_neither(distributions: Distributions) -> None:
    for name in ("one", "two"):
        distributions.install(f"{name}-data", Group.CONTENT, {"mill": f"{name}_data"}, {f"{name}_data/__init__.py": ""})
    with pytest.raises(PackError, match="registered more than once"):
        PackRegistry().pack("mill")


def test_no_distribution_takes_a_name_of_turnwrights_own(distributions: Distributions) -> None:
    distributions.install("thief", Group.CONTENT, {"srd-5.1": "thief_data"}, {"thief_data/__init__.py": CODE})
    assert PackRegistry().pack("srd-5.1").manifest.license == "CC-BY-4.0"


def test_a_pack_that_nobody_has_is_an_error_with_what_to_do() -> None:
    with pytest.raises(PackError, match="turnwright content add"):
        PackRegistry().pack("moon")


def test_a_campaigns_copy_goes_first_and_is_read_once_until_it_changes() -> None:
    carried = Carried({"mill": files(), "srd-5.1": files(id="srd-5.1")})
    registry = PackRegistry(carried)
    assert Library(registry.packs(["srd-5.1"])).look_up("mill rat").found.pack == "srd-5.1"
    before = carried.reads
    first = registry.pack("mill").sha256
    assert registry.pack("mill").sha256 == first
    assert carried.reads == before + 1
    carried.packs["mill"] = files({**RAT, "name": "Great Rat"})
    assert registry.pack("mill").sha256 != first
    assert carried.reads == before + 2


def test_a_damaged_copy_in_a_campaign_is_an_error() -> None:
    registry = PackRegistry(Carried({"mill": files({**RAT, "cr": 99})}))
    with pytest.raises(PackError, match=r"content/packs/mill is damaged.*monsters/mill-rat"):
        registry.pack("mill")
