"""A player's lists, schemas and searches say the same whether or not there is something hidden from the party."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import begin
from tests.protocol.test_player_secrets import MIRA, OPEN, SECRETS, open_documents

from turnwright import Campaign
from turnwright.toolset.calls import completed_args
from turnwright.toolset.find import find_tool
from turnwright.toolset.forms import in_form
from turnwright.toolset.offered import PROFILES, Role, offered_tools

PLAYER = Role(MIRA)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[Campaign]:
    folder = tmp_path_factory.mktemp("secrets")
    return [begin(folder / str(hidden), open_documents(is_hidden=hidden)) for hidden in (False, True)]


def test_what_is_legal_for_a_player_names_nothing_that_is_hidden(tables: list[Campaign]) -> None:
    plain, hidden = (campaign.legal(MIRA) for campaign in tables)
    assert plain == hidden
    told_to_game_master = str(tables[1].legal())
    assert "zorblax" in told_to_game_master
    assert "zorblax" not in str(hidden)


def test_a_players_lists_do_not_depend_on_what_is_hidden(tables: list[Campaign]) -> None:
    for profile in PROFILES:
        lists = []
        for campaign in tables:
            with campaign.reading() as world:
                lists.append(in_form(offered_tools(world, PLAYER, profile, door=("find_tool",)), "mcp"))
        assert lists[0] == lists[1]
        assert len(lists[0]) > 1


@given(query=st.sampled_from(SECRETS) | st.text(max_size=20))
def test_a_players_search_does_not_depend_on_what_is_hidden(tables: list[Campaign], query: str) -> None:
    answers = []
    for campaign in tables:
        with campaign.reading() as world:
            answers.append(find_tool(world, query, PLAYER))
    assert answers[0] == answers[1]


@given(tool=st.sampled_from(OPEN), secret=st.sampled_from(SECRETS), key=st.sampled_from(["character_id", "target_id"]))
def test_no_name_of_something_hidden_becomes_an_id(tables: list[Campaign], tool: str, secret: str, key: str) -> None:
    completed = []
    for campaign in tables:
        with campaign.reading() as world:
            completed.append(completed_args(world, tool, {key: secret, "location_id": secret}, PLAYER))
    assert completed[0] == completed[1]
