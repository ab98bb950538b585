"""What models are held to compiles in the grammar engines that local models use. `make grammars` gets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.legal_moments import MOMENTS, campaign_at

from turnwright import Viewer

pytestmark = pytest.mark.slow


@pytest.fixture(params=MOMENTS)
def schemas(request: pytest.FixtureRequest, tmp_path: Path) -> list[Any]:
    with campaign_at(request.param, tmp_path) as campaign:
        return [campaign.legal(), campaign.prompt(viewer=Viewer.of("gm"))["answer_schema"]]


def test_llguidance_takes_all_of_it(schemas: list[Any]) -> None:
    engine = pytest.importorskip("llguidance")
    for schema in schemas:
        grammar = engine.LLMatcher.grammar_from_json_schema(json.dumps(schema))
        assert engine.LLMatcher.validate_grammar(grammar) == ""


def test_llguidance_refuses_what_it_cannot_follow() -> None:
    engine = pytest.importorskip("llguidance")
    grammar = engine.LLMatcher.grammar_from_json_schema(json.dumps({"not": {"type": "string"}}))
    assert "not" in engine.LLMatcher.validate_grammar(grammar)


def test_outlines_core_takes_all_of_it(schemas: list[Any]) -> None:
    engine = pytest.importorskip("outlines_core.json_schema")
    for schema in schemas:
        assert engine.build_regex_from_schema(json.dumps(schema))
