"""The public class, as a program meets it."""

from __future__ import annotations

import pydoc
import re
from collections.abc import Callable
from pathlib import Path
from typing import assert_type

import pytest
from tests import builders

import turnwright
import turnwright.errors
from turnwright import BadRequest, Campaign, CampaignClosed, CampaignError, CampaignInvalid
from turnwright.campaign.content import AddedPack
from turnwright.model.viewer import GAME_MASTER


class Table(Campaign):
    """A campaign of a program's own."""


def test_a_subclass_is_opened_as_what_it_is(tmp_path: Path) -> None:
    made = assert_type(Table.new(tmp_path / "table", seed="table", clock=builders.clock), Table)
    made.close()
    with assert_type(Table.open(tmp_path / "table", builders.clock), Table) as table:
        assert type(assert_type(table, Table)) is type(made) is Table


def test_its_help_shows_nothing_private_and_no_other_class() -> None:
    own = {"__annotations__", "__firstlineno__", "__static_attributes__", "__enter__", "__exit__"}
    private = {name for name in dir(Campaign) if name.startswith("_")} - set(dir(object)) - own
    assert private <= {"__dict__", "__module__", "__weakref__"}
    assert Campaign.__mro__ == (Campaign, object)
    shown = pydoc.plain(pydoc.render_doc(Campaign))
    assert not re.findall(r"turnwright\.(?:store|protocol)\.|inherited from", shown)


REFUSED: builders.Json = {
    "turn_id": None,
    "seq": None,
    "timestamp": builders.STAMP,
    "status": "refused",
    "reason": "invalid_turn",
}
ASKED: dict[str, Callable[[Campaign], object]] = {
    "add": lambda one: one.add("place", "Inn"),
    "add_content": lambda one: one.add_content(AddedPack("none", "", 0, {})),
    "as_left": lambda one: one.as_left().__enter__(),
    "find_tools": lambda one: one.find_tools("move", viewer=GAME_MASTER),
    "character_page": lambda one: one.character_page("pc_001"),
    "export_character": lambda one: one.export_character("pc_001"),
    "flush": Campaign.flush,
    "follow": lambda one: next(one.follow(viewer=GAME_MASTER, wait=lambda: False)),
    "fork": lambda one: one.fork("elsewhere", "0"),
    "import_characters": lambda one: one.import_characters(b"{name: Pip, class: Rogue}", "pip.yaml"),
    "legal": Campaign.legal,
    "moment": lambda one: one.moment().__enter__(),
    "open_request": lambda one: one.open_request(viewer=GAME_MASTER),
    "process": lambda one: one.process({}),
    "process_drop": lambda one: next(one.process_drop()),
    "project": lambda one: one.project(REFUSED, GAME_MASTER),
    "prompt": lambda one: one.prompt(viewer=GAME_MASTER),
    "query": lambda one: one.query("move_options", {}),
    "reading": lambda one: one.reading().__enter__(),
    "recall": lambda one: one.recall(viewer=GAME_MASTER),
    "records": lambda one: next(one.records()),
    "resume": Campaign.resume,
    "set": lambda one: one.set({"results.keep": 9}),
    "state": lambda one: one.state,
    "state_at": lambda one: one.state_at("0"),
    "tools": lambda one: one.tools(viewer=GAME_MASTER),
    "undo": Campaign.undo,
    "waiting_for_dice": Campaign.waiting_for_dice,
}
OPENS_OR_ONLY_TELLS = {"close", "new", "now", "on_record", "open", "open_packs", "unclaimed", "verifier_error"}


def snapshot(path: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_once_it_is_closed_all_else_is_refused_and_nothing_is_touched(tmp_path: Path) -> None:
    assert {name for name in dir(Campaign) if not name.startswith("_")} == ASKED.keys() | OPENS_OR_ONLY_TELLS
    campaign = builders.begin(tmp_path / "home")
    campaign.process({"user_input": "one"})
    campaign.close()
    before = snapshot(tmp_path)
    for name, ask in ASKED.items():
        with pytest.raises(CampaignClosed, match="was closed"):
            pytest.fail(f"{name} answers: {ask(campaign)}")
    campaign.close()
    assert snapshot(tmp_path) == before
    assert isinstance(CampaignClosed(""), BadRequest)


def test_who_closes_it_while_it_is_read_or_followed_ends_that(tmp_path: Path) -> None:
    campaign = builders.begin(tmp_path / "home")
    following = campaign.follow(viewer=GAME_MASTER, after=-1, wait=lambda: True)
    assert next(following)["seq"] == 0
    campaign.close()
    with pytest.raises(CampaignClosed):
        next(following)


def test_all_public_names_can_be_imported_and_all_errors_are_campaign_errors() -> None:
    public = {name: getattr(turnwright, name) for name in turnwright.__all__}
    errors = {name for name, value in public.items() if issubclass(value, CampaignError)}
    data = {"JsonSchema", "Prompt", "PromptMessage", "RecallMatch", "RecallReply", "Record", "Reply", "ToolDefinition"}
    assert set(public) - errors - data == {"AsyncCampaign", "Campaign", "Problem", "Viewer"}
    assert errors | {"Problem", "Reason"} == set(turnwright.errors.__all__)
    assert all(getattr(turnwright.errors, name) is public[name] for name in errors)
    assert errors >= {one.__name__ for one in CampaignError.__subclasses__()}
    with pytest.raises(AttributeError, match="has no attribute 'Champaign'"):
        turnwright.Champaign  # noqa: B018


def test_a_campaign_of_a_newer_version_is_refused_and_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "later"
    turn = {"tool_calls": [builders.move("area_002")]}
    with Campaign.new(path, seed="later", clock=builders.clock) as campaign:
        assert campaign.process(turn)["status"] == "applied"
    log = (path / "log.jsonl").read_bytes()
    monkeypatch.setattr("turnwright.store.documents.FORMAT", 0)
    refusals: tuple[Callable[[Campaign], object], ...] = (
        lambda campaign: campaign.process(turn),
        lambda campaign: campaign.process(turn, dry_run=True),
        lambda campaign: list(campaign.process_drop()),
        Campaign.undo,
        lambda campaign: campaign.set({"results.keep": 9}),
        Campaign.legal,
        lambda campaign: campaign.state,
    )
    for refused in refusals:
        with Campaign.open(path, builders.clock) as campaign:
            for _ in range(2):  # what failed half way the first time is not built upon
                with pytest.raises(CampaignInvalid, match="a newer turnwright is needed"):
                    refused(campaign)
    assert (path / "log.jsonl").read_bytes() == log
