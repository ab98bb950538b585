"""Content of a campaign: packs that travel with it, and entries of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.builders import STAMP, clock
from tests.content.packs import RAT, files, write

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.campaign.content import PackInvalid, require_addable
from turnwright.model.errors import CampaignInvalid
from turnwright.model.wire.shapes import AddedContentAnswer, QueryAnswer
from turnwright.store import disk
from turnwright.store.carried_packs import CarriedPacks
from turnwright.store.files import Files

Json = dict[str, Any]


@pytest.fixture(name="place")
def fixture_place(tmp_path: Path) -> Path:
    Campaign.new(tmp_path / "c", template="toolkit", seed="content", clock=clock).close()
    return tmp_path / "c"


def add(place: Path, content: dict[str, bytes]) -> AddedContentAnswer:
    with Campaign.open(place, clock=clock) as campaign:
        return campaign.add_content(require_addable(content, campaign.open_packs()))


def lookup(place: Path, name: str, **args: Any) -> QueryAnswer:
    with Campaign.open(place, clock=clock) as campaign:
        return campaign.query("lookup_content", {"name": name, **args})


def last_record(place: Path) -> Json:
    record: Json = json.loads((place / "log.jsonl").read_bytes().splitlines()[-1])
    return record


def edit(place: Path, path: str, value: Json) -> None:
    write(place, {path: json.dumps(value).encode()})


def test_a_new_fifth_edition_campaign_uses_the_srd(place: Path) -> None:
    assert json.loads((place / "campaign.json").read_bytes())["content"] == ["srd-5.1"]
    assert lookup(place, "goblins")["result"]["pack"] == "srd-5.1"
    assert check_directory(place) == []


def test_other_campaigns_use_no_content(tmp_path: Path) -> None:
    Campaign.new(tmp_path / "s", seed="content", clock=clock).close()
    assert "content" not in json.loads((tmp_path / "s" / "campaign.json").read_bytes())


def test_adding_copies_the_pack_and_uses_it_by_a_record(place: Path) -> None:
    done = add(place, {**files(), "README.md": b"rats"})
    record = last_record(place)
    assert (record["kind"], record["files"], record["timestamp"]) == ("edit", ["campaign.json"], STAMP)
    assert (done["record"], done["copied"], done["entries"]) == (record["seq"], True, 2)
    assert sorted(CarriedPacks(Files(place)).files("mill")) == [
        "README.md",
        "monsters.jsonl",
        "pack.json",
        "weapons/knife.json",
    ]
    assert json.loads((place / "campaign.json").read_bytes())["content"] == ["srd-5.1", "mill"]
    assert lookup(place, "mill rats")["result"]["pack"] == "mill"
    assert check_directory(place) == []
    assert list(verify(place).problems) == []


def test_adding_the_same_pack_again_changes_nothing(place: Path) -> None:
    add(place, files())
    log = (place / "log.jsonl").read_bytes()
    done = add(place, files())
    assert (done["record"], done["copied"]) == (None, False)
    assert (place / "log.jsonl").read_bytes() == log


def test_a_newer_version_takes_the_place_of_the_older_one(place: Path) -> None:
    add(place, {**files(), "README.md": b"rats"})
    first = lookup(place, "mill rat")
    done = add(place, files({**RAT, "name": "Great Mill Rat"}))
    assert (done["record"], done["copied"]) == (None, True)
    assert "README.md" not in CarriedPacks(Files(place)).files("mill")
    assert lookup(place, "mill-rat")["result"]["name"] == "Great Mill Rat" != first["result"]["name"]


def test_a_bad_pack_is_refused_whole(place: Path) -> None:
    log = (place / "log.jsonl").read_bytes()
    for content in (files({**RAT, "cr": 99}), files(id="srd-5.1")):
        with pytest.raises(PackInvalid):
            add(place, content)
    assert (place / "log.jsonl").read_bytes() == log
    assert not (place / "content").exists()


class FullDisk(disk.Disk):
    """Refuses the nth file that is made."""

    def __init__(self, nth: int) -> None:
        self.left = nth

    def open(self, place: str, flags: int, mode: int = disk.FOR_ALL) -> int:
        if flags == disk.NEW and "/content/" in place:
            self.left -= 1
            if self.left < 0:
                raise OSError(28, "No space left on device", place)
        return super().open(place, flags, mode)


@pytest.mark.parametrize("nth", [0, 1, 2])
def test_a_full_disk_leaves_no_pack_and_no_part_of_an_old_one(place: Path, nth: int) -> None:
    packs = CarriedPacks(Files(place, FullDisk(nth)))
    with pytest.raises(OSError, match="No space left"):
        packs.write("mill", files())
    assert packs.ids() == []
    assert packs.mark("mill") is None
    CarriedPacks(Files(place)).write("mill", files())
    newer = files({**RAT, "name": "Great Mill Rat"})
    with pytest.raises(OSError, match="No space left"):
        CarriedPacks(Files(place, FullDisk(nth))).write("mill", newer)
    assert packs.mark("mill") is None, "neither the old pack nor half of the new one"


def test_undo_takes_a_pack_out_of_use(place: Path) -> None:
    done = add(place, files())
    with Campaign.open(place, clock=clock) as campaign:
        campaign.undo(str(done["record"]))
    assert json.loads((place / "campaign.json").read_bytes())["content"] == ["srd-5.1"]
    assert lookup(place, "mill rat")["reason"] == "not_found"


def test_a_fork_takes_its_packs_along(place: Path, tmp_path: Path) -> None:
    add(place, files())
    with Campaign.open(place, clock=clock) as campaign:
        campaign.fork(tmp_path / "fork", "1")
    assert lookup(tmp_path / "fork", "mill rat")["result"]["pack"] == "mill"
    assert check_directory(tmp_path / "fork") == []


def test_an_own_entry_is_a_document_like_any_other(place: Path, tmp_path: Path) -> None:
    edit(place, "content/monsters/mill-rat.json", RAT)
    with Campaign.open(place, clock=clock) as campaign:
        campaign.process({"tool_calls": []})
        assert campaign.query("lookup_content", {"name": "mill rats"})["result"]["pack"] is None
        assert campaign.state["content/monsters/mill-rat.json"]["name"] == "Mill Rat"
    records = [json.loads(line) for line in (place / "log.jsonl").read_bytes().splitlines()]
    assert records[1]["files"] == ["content/monsters/mill-rat.json"]
    assert check_directory(place) == []
    with Campaign.open(place, clock=clock) as campaign:
        campaign.fork(tmp_path / "fork", "1")
        campaign.undo("1")
    assert not (place / "content" / "monsters" / "mill-rat.json").exists()
    assert lookup(place, "mill rat")["reason"] == "not_found"
    assert lookup(tmp_path / "fork", "mill rat")["result"]["id"] == "mill-rat"
    assert list(verify(place).problems) == []


def test_an_own_entry_overrides_one_of_a_pack(place: Path) -> None:
    edit(place, "content/monsters/goblin.json", {**RAT, "id": "goblin", "name": "House Goblin"})
    with Campaign.open(place, clock=clock) as campaign:
        reply = campaign.process({"tool_calls": [{"id": "a", "tool": "lookup_content", "args": {"name": "goblins"}}]})
    assert reply["applied_actions"][0]["result"]["name"] == "House Goblin"
    assert "packs" not in last_record(place), "nothing was taken from a pack"


def test_a_bad_own_entry_is_refused_with_file_and_path(place: Path) -> None:
    edit(place, "content/monsters/mill-rat.json", {**RAT, "hp": {"average": 9, "dice": "1d4"}})
    with Campaign.open(place, clock=clock) as campaign, pytest.raises(CampaignInvalid) as raised:
        campaign.process({"tool_calls": []})
    (problem,) = raised.value.problems
    assert (problem.file, problem.path) == ("content/monsters/mill-rat.json", "$.hp")
    assert problem.message == "average must be 2, as the dice give"
    assert any(found.path == "$.hp" for found in check_directory(place))


def test_a_record_says_which_packs_something_was_taken_from(place: Path) -> None:
    add(place, files())
    calls = [
        {"id": name, "tool": "lookup_content", "args": {"name": name}} for name in ("mill rat", "goblin", "nobody")
    ]
    with Campaign.open(place, clock=clock) as campaign:
        campaign.process({"tool_calls": calls})
        hashes = {name: campaign.open_packs().pack(name).sha256 for name in ("mill", "srd-5.1")}
    record = last_record(place)
    assert record["packs"] == hashes
    assert [*record][-3:] == ["changes", "draws", "packs"]


def test_verify_needs_no_pack(place: Path) -> None:
    add(place, files())
    with Campaign.open(place, clock=clock) as campaign:
        campaign.process({"tool_calls": [{"id": "a", "tool": "lookup_content", "args": {"name": "mill rat"}}]})
    CarriedPacks(Files(place)).remove("mill")
    assert list(verify(place).problems) == []
    warnings = check_directory(place)
    assert [(found.path, found.rule, found.warning) for found in warnings] == [("$.content[1]", "unknown_pack", True)]
    failed = lookup(place, "goblin")
    assert (failed["ok"], failed["reason"]) == (False, "not_found")
    assert "turnwright content add" in failed["detail"]


def test_check_names_damage_in_a_pack_by_entry_and_path(place: Path) -> None:
    add(place, files())
    write(place / "content" / "packs" / "mill", {"monsters.jsonl": json.dumps({**RAT, "size": "big"}).encode()})
    (found,) = check_directory(place)
    assert (found.file, found.path, found.warning) == ("content/packs/mill/monsters.jsonl", "$.size", True)
    assert found.message.startswith("line 1, monsters/mill-rat: wants 'tiny'")


def test_check_mentions_the_tool_where_only_content_is_set(place: Path) -> None:
    value = json.loads((place / "campaign.json").read_bytes())
    value["allowlist"].remove("lookup_content")
    edit(place, "campaign.json", value)
    assert [found.rule for found in check_directory(place)] == ["no_lookup"]
    value["content"] = ["../../etc"]
    edit(place, "campaign.json", value)
    assert {found.rule for found in check_directory(place)} == {"no_lookup", "unknown_pack"}


def test_a_link_in_the_folder_of_content_is_refused(place: Path, tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", {"monsters/mill-rat.json": json.dumps(RAT).encode()})
    (place / "content").symlink_to(tmp_path / "elsewhere")
    assert [found.rule for found in check_directory(place)] == ["link"]
    with Campaign.open(place, clock=clock) as campaign, pytest.raises(CampaignInvalid):
        campaign.process({"tool_calls": []})


def test_a_turn_without_content_loads_nothing_of_it(place: Path) -> None:
    program = (
        "import sys\n"
        "from turnwright import Campaign\n"
        f"with Campaign.open({str(place)!r}) as campaign:\n"
        "    call = {'id': 'a', 'tool': 'roll_dice', 'args': {'expression': '1d6'}}\n"
        "    reply = campaign.process({'tool_calls': [call]})\n"
        "assert reply['status'] == 'applied', reply\n"
        "print(sorted(name for name in sys.modules if name.startswith('turnwright.content')))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "['turnwright.content', 'turnwright.content.kinds']"
