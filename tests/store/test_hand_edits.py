"""People edit files: what is valid is adopted by a record, what is not stops everything, and nothing is overwritten."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.store.kit import contents, edit, forget_checkpoint, kinds

from turnwright import Campaign
from turnwright.model.errors import CampaignInvalid

HIT = builders.turn(builders.hp_delta(-1))
PC, NPC = "characters/pc_001.json", "characters/npc_001.json"


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    """Give the directory of a campaign with one turn, which nobody has open."""
    campaign.process(HIT)
    campaign.close()
    return tmp_path / "campaign_0"


@pytest.fixture(name="lived_in")
def fixture_lived_in(campaign: Campaign) -> Campaign:
    """Give a campaign that stays open after its first turn."""
    campaign.process(HIT)
    return campaign


def opened(path: Path) -> Campaign:
    return Campaign.open(path, builders.clock)


def process(path: Path, turn: object = HIT) -> builders.Json:
    with opened(path) as campaign:
        return campaign.process(turn)


def refusal(path: Path) -> list[tuple[str, str, str]]:
    """Return file, JSON path and rule of each thing for which a turn is refused, once sure that nothing is touched."""
    before = contents(path)
    with pytest.raises(CampaignInvalid) as refused:
        process(path)
    assert contents(path) == before
    return [(problem.file, problem.path, problem.rule) for problem in refused.value.problems]


# what is no edit


def test_documents_that_are_missing_are_made_again_and_no_record_tells_of_it(path: Path) -> None:
    before = contents(path)
    for name in (PC, NPC, "maps/root.json", "campaign.json"):
        (path / name).unlink()
    process(path, {})
    after = contents(path)
    assert {name: after[name] for name in before if name != "log.jsonl"} == {
        name: before[name] for name in before if name != "log.jsonl"
    }
    assert kinds(path) == ["new", "turn", "turn"]


@pytest.mark.parametrize("has_checkpoint", [True, False])
def test_documents_that_are_merely_behind_are_brought_up_to_date(path: Path, has_checkpoint: bool) -> None:
    """As after a crash between the append and the writing of documents."""
    import shutil

    shutil.copytree(path, path.with_name("before"))
    process(path, builders.turn(builders.hp_delta(-1), builders.call("map_generate", parent_area_id="area_003")))
    expected = contents(path)
    shutil.copy(path / "log.jsonl", path.with_name("before") / "log.jsonl")
    behind = path.with_name("before")
    if not has_checkpoint:
        forget_checkpoint(behind)
    process(behind, builders.turn(turn_id="turn_0002"))
    assert contents(behind).keys() == expected.keys()
    assert builders.on_disk(behind) == builders.on_disk(path)
    assert kinds(behind) == ["new", "turn", "turn"]


@pytest.mark.parametrize("has_checkpoint", [True, False])
@pytest.mark.parametrize("left", [b"", b"\0" * 300, b"{", b'{\n  "id": "pc_001",\n  "nam'])
def test_documents_that_are_half_written_are_made_again(path: Path, has_checkpoint: bool, left: bytes) -> None:
    """As after a power cut: the line is durable, the documents are not yet."""
    whole = (path / PC).read_bytes()
    (path / PC).write_bytes(left)
    if not has_checkpoint:
        forget_checkpoint(path)
    process(path, {})
    assert (path / PC).read_bytes() == whole
    assert kinds(path) == ["new", "turn", "turn"]


def test_a_document_that_a_crash_left_although_it_is_gone_is_taken_away(path: Path) -> None:
    process(path, builders.turn(builders.call("map_generate", parent_area_id="area_003")))
    layer = path / "maps/area_003.json"
    left = layer.read_bytes()
    with opened(path) as campaign:
        campaign.undo()
    assert not layer.exists()
    layer.write_bytes(left)
    forget_checkpoint(path)
    process(path)
    assert not layer.exists()
    assert kinds(path) == ["new", "turn", "turn", "undo", "turn"]


@pytest.mark.parametrize("has_checkpoint", [True, False])
@pytest.mark.parametrize("stays", [True, False])
def test_an_edit_of_spacing_alone_is_left_alone_and_writes_no_record(
    campaign: Campaign, tmp_path: Path, has_checkpoint: bool, stays: bool
) -> None:
    path = tmp_path / "campaign_0"
    campaign.process(HIT)
    if not stays:
        campaign.close()
    if not has_checkpoint:
        forget_checkpoint(path)
    words = {}
    for name in ("campaign.json", NPC, "maps/root.json"):
        value = json.loads((path / name).read_text(encoding="utf-8"))
        value.pop("connections", None)
        words[name] = json.dumps(dict(reversed(value.items())), indent=7).encode()
        (path / name).write_bytes(words[name])
    for _ in range(2):
        campaign.process(HIT) if stays else process(path)
    assert kinds(path) == ["new", "turn", "turn", "turn"]
    assert {name: (path / name).read_bytes() for name in words} == words


# valid edits


def test_a_valid_edit_is_adopted_by_a_record_and_left_in_the_words_of_who_wrote_it(path: Path) -> None:
    edit(path / NPC, hp=77)
    words = (path / NPC).read_bytes()
    assert process(path)["state_summary"]["hp"]["npc_001"] == 77
    assert kinds(path) == ["new", "turn", "edit", "turn"]
    record = builders.log_of(path)[2]
    assert record["files"] == [NPC]
    assert record["changes"] == {NPC: [{"op": "replace", "path": "/hp", "value": 77}]}
    assert (path / NPC).read_bytes() == words
    process(path)
    assert kinds(path)[4:] == ["turn"]


def test_an_edit_is_adopted_by_whatever_comes_first(path: Path) -> None:
    edit(path / NPC, hp=77)
    with opened(path) as campaign:
        campaign.set({"goal.text": "Cross the river"})
        edit(path / NPC, hp=78)
        campaign.undo()
    assert kinds(path) == ["new", "turn", "edit", "settings", "edit", "undo"]


def test_a_reader_does_not_see_an_edit_before_it_is_adopted(path: Path) -> None:
    edit(path / PC, hp=77)
    with opened(path) as campaign:
        assert campaign.state[PC]["hp"] == 9
        campaign.process({})
        assert campaign.state[PC]["hp"] == 77


def test_a_dry_run_counts_with_an_edit_and_adopts_nothing(path: Path) -> None:
    edit(path / PC, hp=77)
    before = contents(path)
    with opened(path) as campaign:
        reply = campaign.process(HIT, dry_run=True)
    assert reply["state_summary"]["hp"]["pc_001"] == 76
    assert contents(path) == before
    with opened(path) as campaign:
        assert campaign.process(HIT)["seq"] == reply["seq"]


def test_documents_added_by_hand_are_adopted_as_they_are(path: Path) -> None:
    (path / "characters/new.json").write_text('{"id": "new", "hp": 3, "position": "hall"}', encoding="utf-8")
    layer = {"parent_area_id": "area_003", "areas": {"hall": builders.area("hall", parent="area_003")}}
    (path / "maps/area_003.json").write_text(json.dumps(layer), encoding="utf-8")
    assert process(path)["state_summary"]["positions"]["new"] == "hall"
    record = builders.log_of(path)[2]
    assert record["files"] == ["characters/new.json", "maps/area_003.json"]
    assert {operations[0]["op"] for operations in record["changes"].values()} == {"add"}


def test_a_new_character_is_adopted_when_a_turn_of_a_process_that_stays_names_it(
    lived_in: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "campaign_0/characters/new.json").write_text('{"id": "new", "hp": 3}', encoding="utf-8")
    reply = lived_in.process(builders.turn(builders.hp_delta(-1, "new")))
    assert builders.results(reply) == [{"new_hp": 2}]


@pytest.mark.parametrize("name", [PC, "campaign.json", "maps/root.json"])
def test_an_edit_between_two_turns_of_a_process_that_stays_is_adopted(
    lived_in: Campaign, tmp_path: Path, name: str
) -> None:
    edit(tmp_path / "campaign_0" / name, extra={"note": "by hand"})
    lived_in.process(builders.turn(builders.hp_delta(-1), builders.move("area_002")))
    assert kinds(tmp_path / "campaign_0") == ["new", "turn", "edit", "turn"]
    assert lived_in.state[name]["extra"] == {"note": "by hand"}
    assert builders.on_disk(tmp_path / "campaign_0")[name]["extra"] == {"note": "by hand"}


def test_an_edit_before_a_process_that_stays_replaces_a_document_it_does_not_read_is_adopted(
    lived_in: Campaign, tmp_path: Path
) -> None:
    edit(tmp_path / "campaign_0" / NPC, hp=77)
    lived_in.undo()
    assert kinds(tmp_path / "campaign_0") == ["new", "turn", "undo"]
    lived_in.process(builders.turn(builders.hp_delta(0, "npc_001")))
    assert lived_in.state[NPC]["hp"] == 77


def test_an_edit_that_only_python_takes_for_the_same_is_one(path: Path) -> None:
    edit(path / NPC, extra={"flag": 1})
    process(path)
    edit(path / NPC, extra={"flag": True})
    process(path)
    edit(path / NPC, extra={"flag": 1.0})
    process(path)
    assert kinds(path).count("edit") == 3
    assert '"path":"/extra/flag","value":1.0' in (path / "log.jsonl").read_text(encoding="utf-8").splitlines()[-2]


def test_an_edit_that_differs_in_the_sign_of_a_zero_is_adopted_once(path: Path) -> None:
    edit(path / NPC, extra={"depth": 0.0})
    process(path)
    edit(path / NPC, extra={"depth": -0.0})
    for _ in range(3):
        process(path)
    assert kinds(path) == ["new", "turn", "edit", "turn", "edit", "turn", "turn", "turn"]
    assert builders.log_of(path)[4]["changes"][NPC] == [{"op": "replace", "path": "/extra/depth", "value": -0.0}]


def test_an_edit_of_settings_raises_their_revision_and_any_other_does_not(path: Path) -> None:
    edit(path / "campaign.json", title="The Crossing")
    assert process(path)["status"] == "applied"
    assert builders.log_of(path)[-1]["settings_revision"] == 0
    edit(path / "campaign.json", settings={"narration": {"check": "off"}})
    process(path)
    assert builders.log_of(path)[-1]["settings_revision"] == 1
    assert builders.on_disk(path)["campaign.json"]["settings_revision"] == 1
    edit(path / "campaign.json", settings={}, settings_revision=40)
    process(path)
    assert builders.log_of(path)[-1]["settings_revision"] == 2
    process(path)
    assert kinds(path) == ["new", *["turn"], *["edit", "turn"] * 3, "turn"]


def test_an_edit_back_to_what_was_is_one_too(path: Path) -> None:
    earlier = (path / PC).read_bytes()
    process(path)
    (path / PC).write_bytes(earlier)
    assert process(path)["state_summary"]["hp"]["pc_001"] == 8
    assert kinds(path) == ["new", "turn", "turn", "edit", "turn"]


def test_many_edits_are_adopted_in_one_record_or_not_at_all(path: Path) -> None:
    edit(path / PC, hp=50)
    edit(path / NPC, hp=-3)
    assert [file for file, _, _ in refusal(path)] == [NPC]
    edit(path / NPC, hp=3)
    process(path)
    assert builders.log_of(path)[2]["files"] == [NPC, PC]


# invalid edits


def break_json(path: Path) -> None:
    (path / PC).write_text('{"id": "pc_001", "hp": 5,}', encoding="utf-8")


def write(name: str, text: str) -> Callable[[Path], None]:
    return lambda path: void((path / name).write_text(text, encoding="utf-8"))


def void(_: object) -> None:
    return None


def mend_area(**fields: Any) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        layer = json.loads((path / "maps/root.json").read_text(encoding="utf-8"))
        layer["areas"]["area_003"] |= fields
        (path / "maps/root.json").write_text(json.dumps(layer), encoding="utf-8")

    return change


def link(path: Path) -> None:
    (path / PC).rename(path / "elsewhere")
    (path / PC).symlink_to(path / "elsewhere")


def folder(path: Path) -> None:
    (path / "characters/somebody.json").mkdir()


INVALID: dict[str, tuple[Callable[[Path], None], tuple[str, str, str]]] = {
    "no JSON": (break_json, (PC, "$", "json")),
    "a key twice": (write(PC, '{"id": "pc_001", "id": "pc_001"}'), (PC, "$", "json")),
    "another id": (write(PC, '{"id": "pc_009"}'), (PC, "$", "file_name")),
    "an id whose file has a made-up name": (
        write("characters/A B.json", '{"id": "A B"}'),
        ("characters/A B.json", "$", "file_name"),
    ),
    "a float for an integer": (write(PC, '{"id": "pc_001", "hp": 5.0}'), (PC, "$.hp", "int_type")),
    "a key that nobody knows": (write(PC, '{"id": "pc_001", "hpp": 5}'), (PC, "$.hpp", "extra_forbidden")),
    "a link": (link, (PC, "$", "file")),
    "a folder": (folder, ("characters/somebody.json", "$", "file")),
    "a newer format": (write("campaign.json", '{"format": 3, "id": "plain"}'), ("campaign.json", "$.format", "format")),
    "a setting that is none": (
        lambda path: edit(path / "campaign.json", settings={"narration": {"chek": "off"}}),
        ("campaign.json", "$.settings.narration.chek", "setting"),
    ),
    "a party of strangers": (
        lambda path: edit(path / "campaign.json", selected={"party_character_ids": ["pc_001", "nobody"]}),
        ("campaign.json", "$.selected.party_character_ids[1]", "unknown_character"),
    ),
    "a link to nowhere": (
        mend_area(reachable_area_ids=["area_099"]),
        ("maps/root.json", "$.areas.area_003", "area:area_003:reachable_missing_target"),
    ),
    "an area that hangs in the air": (
        lambda path: edit(
            path / "maps/root.json",
            areas={"area_001": builders.area("area_001"), "area_002": builders.area("area_002", "area_004")},
        ),
        ("maps/root.json", "$.areas", "parent:root:disconnected"),
    ),
}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_edit_stops_every_turn_until_it_is_mended(path: Path, name: str) -> None:
    good = {place: (path / place).read_bytes() for place in (PC, "campaign.json", "maps/root.json")}
    damage, problem = INVALID[name]
    damage(path)
    for _ in range(2):
        assert problem in refusal(path)
    for place, data in good.items():
        (path / place).unlink()
        (path / place).write_bytes(data)
    for extra in ("characters/A B.json", "characters/somebody.json"):
        if (path / extra).is_dir():
            (path / extra).rmdir()
        (path / extra).unlink(missing_ok=True)
    assert process(path)["status"] == "applied"
    assert kinds(path) == ["new", "turn", "turn"]


def test_everything_that_is_wrong_is_said_at_once(path: Path) -> None:
    break_json(path)
    edit(path / NPC, hp=-1, max_hp=0, mood="bad")
    folder(path)
    assert set(refusal(path)) == {
        (PC, "$", "json"),
        (NPC, "$.hp", "greater_than_equal"),
        (NPC, "$.max_hp", "greater_than_equal"),
        (NPC, "$.mood", "extra_forbidden"),
        ("characters/somebody.json", "$", "file"),
    }


@pytest.mark.parametrize("name", [PC, NPC])
@pytest.mark.parametrize("damage", [{"hp": -1}, {"position": 5}])
def test_an_invalid_edit_stops_a_process_that_stays_as_soon_as_a_turn_would_read_it(
    lived_in: Campaign, tmp_path: Path, name: str, damage: builders.Json
) -> None:
    path = tmp_path / "campaign_0"
    edit(path / name, **damage)
    before = contents(path)
    for _ in range(3):
        with pytest.raises(CampaignInvalid):
            lived_in.process(builders.turn(builders.hp_delta(-1, "npc_001")))
    assert contents(path) == before
    edit(path / name, hp=30, position="area_001")
    assert lived_in.process(HIT)["status"] == "applied"
    assert lived_in.state[name]["hp"] == 30 - (name == PC)


def test_an_edit_that_does_not_fit_the_rest_stops_a_process_that_stays_until_it_is_mended(
    lived_in: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "campaign_0"
    mend_area(reachable_area_ids=["area_099"])(path)
    before = contents(path)
    for _ in range(3):
        with pytest.raises(CampaignInvalid):
            lived_in.process(builders.turn(builders.move("area_002")))
    assert contents(path) == before


def test_an_invalid_edit_found_on_opening_stops_turns_that_do_not_touch_it_too(path: Path) -> None:
    edit(path / "maps/area_002.json", areas={"area_004": builders.area("area_004", "area_099", parent="area_002")})
    with opened(path) as campaign:
        for _ in range(2):
            with pytest.raises(CampaignInvalid):
                campaign.process(HIT)


@pytest.mark.parametrize("has_checkpoint", [True, False])
def test_an_invalid_edit_is_never_overwritten(path: Path, has_checkpoint: bool) -> None:
    break_json(path)
    if not has_checkpoint:
        forget_checkpoint(path)
    words = (path / PC).read_bytes()
    with opened(path) as campaign:
        doors: list[Callable[[], object]] = [
            lambda: campaign.process(HIT),
            lambda: campaign.undo(),
            lambda: campaign.set({"goal.text": "x"}),
        ]
        for door in doors:
            with pytest.raises(CampaignInvalid):
                door()
    assert (path / PC).read_bytes() == words


def test_no_document_is_lost_when_somebody_moves_files_about_while_folders_are_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor's own temporary file that is gone a moment later must not hide the documents beside it."""
    import os

    edit(path / NPC, hp=77)
    scan = os.scandir

    class Fleeting:
        name = "a.json.tmp"

        def stat(self, **_: object) -> os.stat_result:
            raise FileNotFoundError

    class Folder:
        def __init__(self, place: str) -> None:
            with scan(place) as entries:
                self.entries = [Fleeting(), *entries]

        def __enter__(self) -> list[Any]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            pass

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", Folder)
        assert process(path)["state_summary"]["hp"]["npc_001"] == 77
