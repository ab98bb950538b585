"""Templates are strict: what is not there is an error, and nothing comes out that was not meant to."""

from __future__ import annotations

from importlib import resources

import pytest
from jinja2 import UndefinedError, meta, nodes
from tests.game_master.city import stages, values, world_of

from turnwright.game_master.prompts.context_pack import PackContext
from turnwright.game_master.prompts.scene_context import SceneContext, context_of
from turnwright.game_master.prompts.scene_prompt import VOICES, VOICES_OF_MOODS
from turnwright.game_master.prompts.templates import environment, render
from turnwright.model.settings import settings_of
from turnwright.model.wire.agent import SPEAKERS
from turnwright.rulesets.registry import BUILT_IN

FILES = sorted(file.name for file in resources.files("turnwright.game_master").joinpath("templates").iterdir())


AGENTS = {f"{agent}.md.j2" for agent in SPEAKERS}
DRAFTS = {"own_game.md.j2": {"races", "classes", "wishes"}}
"""The templates of what is drafted before there is a campaign, and what each is given."""


def rendered(source: str) -> str:
    world = world_of(values("encounter"))
    return environment().from_string(source).render(context_of(world, settings_of({}, BUILT_IN.settings))._asdict())


@pytest.mark.parametrize(
    "source",
    ["{{ nothing }}", "{{ player.nothing }}", "{% if nothing %}{% endif %}", "{% for x in nothing %}{% endfor %}"],
)
def test_what_is_not_there_is_an_error(source: str) -> None:
    with pytest.raises(UndefinedError):
        rendered(source)


@pytest.mark.parametrize("source", ["{{ domain }}", "{{ player }}", "{{ npcs }}", "{{ now }}", "{{ rules }}"])
def test_what_nobody_should_read_is_an_error(source: str) -> None:
    with pytest.raises(TypeError):
        rendered(source)


def test_text_of_the_game_is_quoted_unless_a_template_says_otherwise() -> None:
    assert rendered("{{ stakes }} {{ player.coin }} {{ dice.pool }}") == '"the ledger, or your name" 3 [2, 5]'
    assert rendered("{{ stakes|block }}") == "> the ledger, or your name\n"
    assert rendered("{{ session_goals|each }}") == '"find the boat"'


@pytest.mark.parametrize("source", ["{{ stakes|word }}", "{{ player.name|word }}"])
def test_text_of_the_game_never_passes_for_a_word_of_ours(source: str) -> None:
    with pytest.raises(ValueError, match="no word of the game"):
        rendered(source)


@pytest.mark.parametrize("file", FILES)
def test_a_template_asks_for_nothing_that_contexts_do_not_hold(file: str) -> None:
    loader = environment().loader
    assert loader is not None
    tree = environment().parse(loader.get_source(environment(), file)[0])
    local = {name.name for loop in tree.find_all(nodes.For) for name in loop.target.find_all(nodes.Name)}
    local |= {loop.target.name for loop in tree.find_all(nodes.For) if isinstance(loop.target, nodes.Name)}
    local |= {each.target.name for each in tree.find_all(nodes.Assign) if isinstance(each.target, nodes.Name)}
    # Parts of a loop's body may stand in a template of their own.
    is_agent_s = file.startswith("_agent") or file in AGENTS
    held = {*PackContext._fields, "has", "shows", "row"} if is_agent_s else set(SceneContext._fields)
    held = DRAFTS.get(file, held)
    assert meta.find_undeclared_variables(tree) - local <= held


def test_every_template_is_a_voice_or_part_of_one() -> None:
    loader = environment().loader
    assert loader is not None
    voices = {f"{voice}.md.j2" for voice in (*VOICES.values(), *VOICES_OF_MOODS.values(), "waiting")}
    used = voices | AGENTS | DRAFTS.keys()
    for file in FILES:
        tree = environment().parse(loader.get_source(environment(), file)[0])
        used |= {part for part in meta.find_referenced_templates(tree) if part}
    assert used == set(FILES)


def test_a_prompt_ends_with_one_line_feed_and_has_no_gaps() -> None:
    for documents in (values("disaster"), *stages().values()):
        world = world_of(documents)
        context = context_of(world, settings_of({}, BUILT_IN.settings))
        text = render("waiting" if context.stage == "player_choice" else "interlude_narrator", context)
        assert text.endswith("\n")
        assert "\n\n\n" not in text
        assert not text.endswith("\n\n")
