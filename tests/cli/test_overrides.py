"""Settings for one run: from the command line and the environment, and only those that decide no turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import pytest

from turnwright.cli._overrides import BY_VARIABLE, OVERRIDABLE, overrides_of
from turnwright.model.settings import REGISTRY


@pytest.mark.parametrize(
    ("assignments", "environment", "found"),
    [
        ([], {}, {}),
        (["agents.max_steps=3"], {}, {"agents.max_steps": 3}),
        ([], {"TURNWRIGHT_AGENTS_MAX_STEPS": "3"}, {"agents.max_steps": 3}),
        (["agents.max_steps=2"], {"TURNWRIGHT_AGENTS_MAX_STEPS": "3"}, {"agents.max_steps": 2}),
        ([], {"TURNWRIGHT_AGENTS_NPC_INDIVIDUAL_MODEL": "larger"}, {"agents.npc_individual.model": "larger"}),
        ([], {"TURNWRIGHT_AGENTS_MAX_STEPS": ""}, {}),
        (["agents.narrative.temperature=0.25"], {}, {"agents.narrative.temperature": 0.25}),
        (["agents.session_cost=1"], {}, {"agents.session_cost": 1}),
        (["suggestions.enabled=off"], {}, {"suggestions.enabled": False}),
        ([], {"TURNWRIGHT_SUGGESTIONS_ENABLED": "True"}, {"suggestions.enabled": True}),
        (["suggestions.disabled_rules=R01, R02"], {}, {"suggestions.disabled_rules": ["R01", "R02"]}),
        (['suggestions.disabled_rules=["R01"]'], {}, {"suggestions.disabled_rules": ["R01"]}),
        (["suggestions.disabled_rules="], {}, {"suggestions.disabled_rules": []}),
        (
            ["agents.default_model=openai:x@http://127.0.0.1:1/v1?a=b"],
            {},
            {"agents.default_model": "openai:x@http://127.0.0.1:1/v1?a=b"},
        ),
    ],
)
def test_what_is_given_counts(assignments: list[str], environment: Mapping[str, str], found: Mapping[str, Any]) -> None:
    assert overrides_of(assignments, {"PATH": "/bin", "TURNWRIGHT_HOME": "x", **environment}) == found


@pytest.mark.parametrize(
    ("assignments", "environment", "told"),
    [
        (["agents.max_steps"], {}, "KEY=VALUE"),
        (["agents.max_stps=3"], {}, "did you mean agents.max_steps?"),
        (["agents.max_step=3"], {}, "--set agents.max_step: is no setting; did you mean agents.max_steps?"),
        (["players.tool=x"], {}, "--set players.tool: is no setting"),
        (["narration.check=off"], {}, "only agents.* and suggestions.*"),
        (["scene.pool_max=3"], {}, "only agents.* and suggestions.*"),
        (["agents.max_steps=many"], {}, "wants integer 1 to 50"),
        (["agents.max_steps=0"], {}, "wants integer 1 to 50"),
        (["agents.max_steps=true"], {}, "wants integer 1 to 50"),
        (["suggestions.enabled=maybe"], {}, "wants true or false"),
        ([], {"TURNWRIGHT_AGENTS_MAX_STEPS": "-1"}, "TURNWRIGHT_AGENTS_MAX_STEPS: wants integer"),
        ([], {"TURNWRIGHT_AGENTS_SESION_COST": "1"}, "did you mean TURNWRIGHT_AGENTS_SESSION_COST?"),
    ],
)
def test_what_cannot_be_is_told(assignments: list[str], environment: Mapping[str, str], told: str) -> None:
    with pytest.raises(click.UsageError) as refused:
        overrides_of(assignments, environment)
    assert told in refused.value.message


def test_every_setting_of_the_two_families_has_a_variable_of_its_own() -> None:
    assert sorted(BY_VARIABLE.values()) == sorted(OVERRIDABLE)
    assert {key for key in REGISTRY if key.startswith(("agents.", "suggestions."))} == set(OVERRIDABLE)
