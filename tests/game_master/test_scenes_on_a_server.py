"""Scene games with the model on a server, which answers as real ones do: to the schema sent and like the examples."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import builders
from tests.builders import Json
from tests.game_master.city import EVERYTHING
from tests.game_master.models.fake_server import Line, fake_server
from tests.game_master.table import briefed, fight, values
from tests.json_samples import fitting
from tests.sampling import sampled, tries

from turnwright import Campaign
from turnwright.game_master.exchange import Exchange, Said
from turnwright.game_master.loop import GameMaster
from turnwright.llm.answer_parser import answer_from_text, spoken
from turnwright.llm.catalog import open_model
from turnwright.model.authority import GM
from turnwright.model.viewer import Viewer
from turnwright.model.wire.agent import SPEAKERS, AgentKind
from turnwright.protocol.stage6_publish.publish import project

HANDED_IN = ("tool_calls", "output", "keep_narration", "dm_note")
ASKS = {name: city for name, city in EVERYTHING.items() if city["crew.json"]["awaiting"]["stage"].startswith("dm_")}
"""Every mood and every kind of ask there is."""
WAYS = (
    "{}",
    "Sure! Here is my turn:\n```json\n{}\n```",
    "<think>{{He wants}} the jar. Hm.</think>\n\n{}",
    "They know nothing of the Assayer. </think>{}",
)
"""How models write the document they were asked for."""
VOICES = {"Fate", "Weaver", "Precipice", "Echo", "Crack", "Archivist", "Hungry City"}
"""Who speaks in the heist up to the first bargain."""


class Writer:
    """A model's server that answers with one document after the other, each written in another way."""

    def __init__(self) -> None:
        self.documents: deque[Json] = deque()
        self.asked: list[Json] = []

    def play(self, line: Line) -> None:
        if not self.documents:
            line.head("503 Service Unavailable", "application/json")
            return
        text = WAYS[len(self.asked) % len(WAYS)].format(json.dumps(self.documents.popleft()))
        self.asked.append(line.body)
        line.head()
        for at in range(0, len(text), 40):
            line.delta(content=text[at : at + 40])
        line.end()


class Evening:
    """A scene game whose game master is on such a server."""

    def __init__(self, campaign: Campaign, path: Path, url: str, writer: Writer) -> None:
        self.campaign = campaign
        self.writer = writer
        model = open_model(f"openai:any@{url}", env={})
        self._master = GameMaster(campaign, path, lambda _: model, overrides={"agents.default_model": "any"})

    def exchange(self, said: Said, *documents: Json) -> Exchange:
        self.writer.documents = deque(documents)
        return self._master.exchange(said)


@contextmanager
def evening(campaign: Campaign, path: Path) -> Iterator[Evening]:
    writer = Writer()
    with campaign, fake_server(writer.play) as server:
        yield Evening(campaign, path, server.url, writer)


# a session


def handed_in(turn: Json) -> Json:
    return {key: turn[key] for key in HANDED_IN if key in turn}


def brought(turn: Json) -> Said | None:
    authority = f"player:{turn['actor_id']}" if "actor_id" in turn else GM
    if "answer" in turn:
        return Said(answer=turn["answer"], authority=authority)
    return Said(turn["user_input"], authority=authority) if "user_input" in turn else None


def test_the_heist_is_played_from_the_cards_to_the_first_bargain(tmp_path: Path) -> None:
    """Whatever the sample's own turns hand in, slips and all, reaches the engine, and the story is told."""
    path = tmp_path / "heist"
    with evening(Campaign.new(path, "heist", seed="heist", clock=builders.clock), path) as night:
        turns = [json.loads(file.read_bytes()) for file in sorted((path / "turns").glob("*.json"))[:37]]
        for turn in turns[:2]:
            night.campaign.process(turn)
        assert night.exchange(Said(), *map(handed_in, turns[2:4])).outcome == "answered"
        night.campaign.process(turns[4])
        for said, *documents in _by_message(turns[5:]):
            exchange = night.exchange(said, *documents)
            assert exchange.outcome in ("answered", "waiting", "refused"), exchange.detail
            assert not night.writer.documents
        recorded = [handed_in(record) for record in night.campaign.records()][1:]
        assert [one for one in recorded if one] == [one for turn in turns if (one := handed_in(turn))]
        assert {voice_of(asked) for asked in night.writer.asked} == VOICES


def _by_message(turns: Sequence[Json]) -> Iterator[tuple[Any, ...]]:
    """Yield what players bring, each with the documents that answer it."""
    group: list[Any] = []
    for turn in turns:
        if (said := brought(turn)) is not None:
            if group:
                yield tuple(group)
            group = [said]
        if document := handed_in(turn):
            group.append(document)
    yield tuple(group)


def voice_of(asked: Json) -> str:
    title: str = asked["messages"][0]["content"].partition("\n")[0]
    return title.removeprefix("# ").removeprefix("The ")


# every kind of ask


def examples(system: str) -> list[Json]:
    return [json.loads(text) for text in re.findall(r"^```json\n(.+?)\n```$", system, re.M | re.S)]


@pytest.mark.parametrize("name", ASKS)
def test_what_the_examples_of_a_prompt_show_is_handed_in_as_it_is(name: str, tmp_path: Path) -> None:
    shown = examples(briefed(ASKS[name], None).system)
    assert shown
    for number, example in enumerate(shown):
        path = tmp_path / str(number)
        with evening(builders.begin(path, ASKS[name]), path) as night:
            night.exchange(Said(), example)
            assert handed_in(list(night.campaign.records())[1]) == handed_in(example)


@pytest.mark.parametrize("name", ASKS)
def test_what_a_prompt_asks_for_fits_the_schema_that_is_sent_with_it(name: str) -> None:
    told = briefed(ASKS[name], None)
    schema = told.answer_schema
    forms = [form["properties"] for form in schema.get("anyOf", [schema])]
    assert all(any(set(example) <= set(form) for form in forms) for example in examples(told.system))
    for form in forms:
        assert (form["actor_id"], form["prompt_id"]) == ({"const": told.actor}, {"const": told.prompt_id})
        assert "dm_note" in form
    assert f'Begin it with actor_id "{told.actor}" and prompt_id {told.prompt_id}.' in told.system


def test_a_thought_for_the_log_is_in_the_log_and_nowhere_else(tmp_path: Path) -> None:
    path = tmp_path / "city"
    with evening(builders.begin(path, ASKS["encounter"]), path) as night:
        document = {
            "actor_id": "nobody",
            "prompt_id": 99,
            "dm_note": "HUSH the clerk knows",
            "output": {"narration": "x"},
        }
        assert night.exchange(Said(), document).outcome == "answered"
        record = list(night.campaign.records())[1]
        assert (record["dm_note"], record["prompt_id"], record["actor_id"]) == (
            "HUSH the clerk knows",
            7,
            "character-1",
        )
        assert "HUSH" not in json.dumps([night.campaign.state, project(record, Viewer.of("player:character-1"))])


@pytest.mark.parametrize("name", sampled(ASKS, 7))
@settings(max_examples=tries(8), deadline=None)
@given(data=st.data())
def test_whatever_fits_the_schema_of_an_ask_is_read_as_it_is(name: str, data: st.DataObject) -> None:
    schema = briefed(ASKS[name], None).answer_schema
    document = data.draw(fitting(schema))
    answer = answer_from_text(json.dumps(document), schema)
    assert (answer.is_well_formed, answer.text) == (True, "")
    assert answer.output == document.get("output")
    assert answer.tool_calls == tuple(document.get("tool_calls", ()))
    assert answer.keeps_narration is document.get("keep_narration", False)
    assert answer.note == spoken(document.get("dm_note", "")).strip()


@pytest.mark.parametrize("agent", SPEAKERS)
@settings(max_examples=tries(8), deadline=None)
@given(data=st.data())
def test_whatever_fits_the_schema_of_an_agent_is_read_as_it_is(agent: AgentKind, data: st.DataObject) -> None:
    schema = briefed(values(fight=fight() if agent is AgentKind.COMBAT else None), agent=agent).answer_schema
    document = data.draw(fitting(schema))
    answer = answer_from_text(json.dumps(document), schema)
    assert (answer.text, answer.tool_calls) == (document["assistant_text"], tuple(document["tool_calls"]))
    assert answer.is_well_formed
