"""Lists of tools: what they hold, what they cost, and that no schema refuses what the engine takes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.builders import Json, begin, spelt, turn
from tests.cached_fixtures import require_a_schema
from tests.tools.hall import fight, hall_documents, linked

from turnwright import BadRequest, Campaign
from turnwright.model.campaign import Protocol
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import World
from turnwright.protocol.stage2_settings import between_turns
from turnwright.rulesets.argument_schema import is_given_dice
from turnwright.rulesets.ruleset import DOOR_TOOLS
from turnwright.rulesets.toolbox import TOOLS
from turnwright.toolset.forms import in_form
from turnwright.toolset.offered import (
    BOUNDS,
    PROFILES,
    Bounds,
    OfferedTool,
    Profile,
    Role,
    offer,
    offered_tools,
    token_count,
)

GOLDEN = Path(__file__).parents[1] / "golden"
SAMPLES = Path(__file__).parents[2] / "campaigns"
MAX_FULL = 9000
SHORT: tuple[Profile, ...] = ("core", "tiny")


def sample(path: Path, name: str, turns: int) -> Campaign:
    """Return a sample campaign after its first turns."""
    seed = SAMPLES / name / "seed.txt"
    seed_text = seed.read_text(encoding="utf-8").strip() if seed.exists() else "fixed"
    campaign = Campaign.new(path, template=name, seed=seed_text, with_turns=False)
    for file in islice(sorted((SAMPLES / name / "turns").iterdir()), turns):
        campaign.process(file.read_bytes())
    return campaign


def fighting(path: Path) -> Campaign:
    """Return a campaign that has every tool of the toolkit, as new games do, while a fight runs."""
    campaign = Campaign.new(path, template="toolkit", seed="fixed")
    calls = [
        {"id": "a", "tool": "create_character", "args": {"name": "Aria", "class": "Fighter"}},
        {"id": "b", "tool": "manage_party", "args": {"operation": "add", "character_name": "Aria"}},
        {"id": "c", "tool": "create_encounter", "args": {"monsters": [{"monster": "goblin"}]}},
    ]
    assert campaign.process({"tool_calls": calls})["status"] == "applied"
    return campaign


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Campaign]:
    folder = tmp_path_factory.mktemp("offered")
    moments = {"barrow": 4, "crossing": 1, "delve": 3, "heist": 30}
    opened = {name: sample(folder / name, name, turns) for name, turns in moments.items()}
    opened["barrow's fight"] = sample(folder / "fight", "barrow", 8)
    opened["a new game's fight"] = fighting(folder / "new")
    hall = hall_documents() | fight(linked("aria", 0, 0), linked("grik", 1, 0))
    return opened | {"a fight with quests": begin(folder / "hall", hall)}


def offers(campaign: Campaign, profile: Profile, role: Role = Role()) -> tuple[OfferedTool, ...]:  # noqa: B008 - frozen
    """Return the list of a door that has all tools of doors, or those that a tiny list needs."""
    door = DOOR_TOOLS[:2] if profile == "tiny" else DOOR_TOOLS
    with campaign.reading() as world:
        return offered_tools(world, role, profile, door=door)


def names(tools: tuple[OfferedTool, ...]) -> list[str]:
    return [tool.name for tool in tools]


# what a list costs


@pytest.mark.parametrize("moment", ["barrow's fight", "a fight with quests", "a new game's fight", "heist"])
def test_the_whole_list_fits_its_budget(campaigns: dict[str, Campaign], moment: str) -> None:
    tools = offers(campaigns[moment], "full")
    assert token_count(tools) <= MAX_FULL
    outputs = [tool.output_schema for tool in tools if not tool.door]
    assert all(outputs)
    assert sum(len(json.dumps(schema)) for schema in outputs) // 4 <= MAX_FULL


@pytest.mark.parametrize("profile", SHORT)
@pytest.mark.parametrize("moment", ["barrow", "crossing", "delve", "heist", "barrow's fight", "a new game's fight"])
def test_a_short_list_fits_its_budget(campaigns: dict[str, Campaign], moment: str, profile: Profile) -> None:
    tools = offers(campaigns[moment], profile)
    bounds = BOUNDS[profile]
    assert bounds is not None
    assert token_count(tools) <= bounds.tokens
    assert len(tools) <= bounds.tools
    assert {"find_tool", "call_tool"} <= set(names(tools))
    assert all(tool.output_schema is None for tool in tools)


def test_a_list_says_how_a_fight_takes_monsters_by_name(campaigns: dict[str, Campaign]) -> None:
    (tool,) = (one for one in offers(campaigns["barrow"], "full") if one.name == "create_encounter")
    monsters = tool.input_schema["properties"]["monsters"]
    assert {"monster", "count"} <= set(monsters["items"]["properties"])
    assert "Monsters of the rules" in tool.description


def test_players_are_offered_only_the_keys_of_a_turn_that_they_may_use(campaigns: dict[str, Campaign]) -> None:
    with campaigns["barrow"].reading() as world:
        player = Role(f"player:{world.campaign.selected.party_character_ids[0]}")
        (of_player,) = (tool for tool in offered_tools(world, player, door=("submit_turn",)) if tool.door)
        (of_gm,) = (tool for tool in offered_tools(world, door=("submit_turn",)) if tool.door)
    assert set(of_player.input_schema["properties"]) == {"user_input", "tool_calls", "atomic"}
    assert {"narration", "output"} <= set(of_gm.input_schema["properties"])


@pytest.mark.parametrize("bounds", [Bounds(300, 4), Bounds(1000, 3), Bounds(0, 0)])
def test_a_list_keeps_within_bounds_of_its_own(campaigns: dict[str, Campaign], bounds: Bounds) -> None:
    with campaigns["barrow's fight"].reading() as world:
        tools = offered_tools(world, profile="core", bounds=bounds)
    assert token_count(tools) <= bounds.tokens
    assert len(tools) <= bounds.tools


def test_tokens_are_characters_of_compact_json_divided_by_four() -> None:
    tool = OfferedTool("t", "é", {"type": "object"})
    text = '{"name":"t","description":"é","input_schema":{"type":"object"}}'
    assert tool.tokens == -(-len(text) // 4)
    assert token_count([tool, tool]) == 2 * tool.tokens


# what a list holds


def test_the_tools_of_a_fight_come_with_it(campaigns: dict[str, Campaign]) -> None:
    before, during = (set(names(offers(campaigns[moment], "full"))) for moment in ("barrow", "barrow's fight"))
    assert before < during
    assert {"execute_action", "advance_turn", "end_encounter"} <= during - before


def test_a_short_list_in_a_fight_begins_with_what_fights_need(campaigns: dict[str, Campaign]) -> None:
    for profile in SHORT:
        assert {"execute_action", "advance_turn"} <= set(names(offers(campaigns["barrow's fight"], profile)))


def test_the_order_is_that_of_the_registry_and_the_doors_tools_come_last(campaigns: dict[str, Campaign]) -> None:
    for profile in PROFILES:
        listed = offers(campaigns["barrow's fight"], profile)
        own = [tool.name for tool in listed if not tool.door]
        assert own == [name for name in TOOLS if name in own]
        assert [tool.name for tool in listed[len(own) :]] == [name for name in DOOR_TOOLS if name in names(listed)]


def test_what_the_allowlist_lacks_is_in_no_list(tmp_path: Path) -> None:
    values = hall_documents()
    values["campaign.json"]["allowlist"] = ["roll_dice", "find_tool"]
    campaign = begin(tmp_path / "c", values)
    for profile in PROFILES:
        with campaign.reading() as world:
            assert names(offered_tools(world, profile=profile)) == ["roll_dice"]


def test_an_agent_is_offered_its_own_tools_and_operations(campaigns: dict[str, Campaign]) -> None:
    role = Role(tools=frozenset({"manage_quest", "roll_dice"}), operations={"manage_quest": ("offer",)})
    for profile in PROFILES:
        listed = [tool for tool in offers(campaigns["a fight with quests"], profile, role) if not tool.door]
        assert [tool.name for tool in listed] == ["roll_dice", "manage_quest"]
        assert listed[1].input_schema["properties"]["operation"]["enum"] == ["offer"]


def test_players_are_offered_what_the_campaign_lets_them_call(campaigns: dict[str, Campaign]) -> None:
    listed = [tool for tool in offers(campaigns["delve"], "full", Role("player:ilse")) if not tool.door]
    assert {tool.name for tool in listed} <= {"move", "move_options"}
    with campaigns["delve"].reading() as world, pytest.raises(BadRequest):
        offered_tools(world, Role("everybody"))


def test_what_reads_and_what_deletes_is_marked(campaigns: dict[str, Campaign]) -> None:
    tools = {tool.name: tool for tool in offers(campaigns["a fight with quests"], "full")}
    assert {name for name, tool in tools.items() if tool.read_only} == {
        name for name in tools if (name in TOOLS and TOOLS[name].reads) or name in ("find_tool", "recall")
    }
    deleting = {"delete_character", "manage_location", "manage_notes", "undo"}
    assert {name for name, tool in tools.items() if tool.destructive} == deleting


# what its schemas say


def every_offer(protocol: Protocol = Protocol()) -> Iterator[tuple[Profile, OfferedTool]]:  # noqa: B008 - frozen
    """Yield every tool of every ruleset in every profile."""
    policy = policy_under(protocol)
    for tool in TOOLS.values():
        for profile in PROFILES:
            yield profile, offer(tool, TOOLS, profile, policy)


def policy_under(protocol: Protocol) -> Any:
    from turnwright.model.campaign import CampaignDocument

    campaign = CampaignDocument.model_validate({**hall_documents()["campaign.json"], "protocol": None})
    return between_turns(campaign, settings_of({}), None)._replace(protocol=protocol)


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from nodes(value)
    elif isinstance(node, list):
        for value in node:
            yield from nodes(value)


def test_schemas_are_plain_objects_that_every_api_takes() -> None:
    for _, tool in every_offer():
        schema = tool.input_schema
        require_a_schema(schema)
        assert schema["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf", "$defs"} & schema.keys()
        assert set(schema.get("required", ())) <= schema["properties"].keys()
        for node in nodes(schema):
            assert "$ref" not in node
            assert node.get("type") != "array" or "items" in node
        if tool.output_schema is not None:
            require_a_schema(tool.output_schema)


def test_no_list_offers_a_model_dice_to_give() -> None:
    for _, tool in every_offer():
        assert not [key for node in nodes(tool.input_schema) for key in node if is_given_dice(key)]


def test_a_full_list_names_every_argument_and_a_short_one_some_of_them() -> None:
    offered: dict[str, dict[Profile, OfferedTool]] = {}
    for profile, tool in every_offer():
        offered.setdefault(tool.name, {})[profile] = tool
    for name, forms in offered.items():
        full, core, tiny = (set(forms[profile].input_schema["properties"]) for profile in PROFILES)
        args = TOOLS[name].args.model_fields
        given = {field.alias or key for key, field in args.items() if not is_given_dice(field.alias or key)}
        assert full - {"batch", "atomic"} == given
        assert tiny <= core <= full


def golden_actions() -> Iterator[tuple[Path, Protocol, Json]]:
    """Yield every action of the golden logs, with the contract of core tools that holds there."""
    for path in sorted(GOLDEN.rglob("log.jsonl")):
        protocol: Protocol | None = None
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            if protocol is None:
                first = record["changes"]["campaign.json"][0]["value"]
                protocol = Protocol.model_validate(first.get("protocol") or {})
            for action in record.get("applied_actions", ()):
                if action["tool"] in TOOLS:
                    yield path, protocol, action


def without_null(value: Any) -> Any:
    """Return arguments without those that are null, which says the same as to leave them out."""
    if isinstance(value, dict):
        return {key: without_null(part) for key, part in value.items() if part is not None}
    return [without_null(part) for part in value] if isinstance(value, list) else value


def test_no_profile_refuses_a_call_that_the_engine_took() -> None:
    validators: dict[tuple[str, Protocol], tuple[Sequence[str], list[Draft202012Validator]]] = {}
    tried, seen = set(), set()
    for path, protocol, action in golden_actions():
        name = action["tool"]
        known = (name, protocol, spelt(action["args"]))
        if known in seen:
            continue
        seen.add(known)
        key = (name, protocol)
        if key not in validators:
            forms = [offer(TOOLS[name], TOOLS, profile, policy_under(protocol)) for profile in PROFILES]
            required = TOOLS[name].args_for(protocol).model_json_schema().get("required", ())
            validators[key] = (required, [Draft202012Validator(dict(form.input_schema)) for form in forms])
        needed, lists = validators[key]
        args = without_null(action["args"]) | {key: action["args"][key] for key in needed if key in action["args"]}
        if any(is_given_dice(key) for node in nodes(args) for key in node):
            continue  # no list is for people with dice of their own
        tried.add(name)
        for validator in lists:
            fault = next(validator.iter_errors(args), None)
            assert fault is None, (path, name, fault and fault.message)
    assert len(tried) > 40


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp", "jsonschema"])
def test_every_form_holds_name_description_and_schema(campaigns: dict[str, Campaign], form: Any) -> None:
    listed = offers(campaigns["barrow's fight"], "full")
    shown = in_form(listed, form)
    for tool, told in zip(listed, shown, strict=True):
        text = json.dumps(told)
        assert json.dumps(tool.description) in text
        assert json.dumps(dict(tool.input_schema))[1:-1] in text
        assert ("outputSchema" in told) == (form == "mcp" and tool.output_schema is not None)


def test_an_output_schema_fits_the_results_of_calls(campaigns: dict[str, Campaign]) -> None:
    policy = policy_under(Protocol())
    tried = 0
    for path, _, action in golden_actions():
        tool = TOOLS[action["tool"]]
        schema = offer(tool, TOOLS, "full", policy).output_schema
        assert schema is not None
        fault = next(
            Draft202012Validator(dict(schema)).iter_errors({"status": "applied", "result": action["result"]}), None
        )
        assert fault is None, (path, action["tool"], fault and fault.message)
        tried += 1
    assert tried > 100


def test_no_schema_of_a_list_holds_anything_of_the_campaign(campaigns: dict[str, Campaign]) -> None:
    for campaign in campaigns.values():
        with campaign.reading() as world:
            known = ids_and_names(world)
        for profile in PROFILES:
            words = set(json.dumps(in_form(offers(campaign, profile), "mcp")).replace("\\", '"').split('"'))
            assert not known & words


def ids_and_names(world: World) -> set[str]:
    people = {text for person in world.characters() for text in (person.id, person.label)}
    layers = [world.get(path) for path in world.paths("maps/")]
    areas = {text for layer in layers for area in getattr(layer, "areas", {}).values() for text in (area.id, area.name)}
    assert people
    return people | areas


def test_a_list_changes_when_another_process_begins_a_fight(tmp_path: Path) -> None:
    ours = begin(tmp_path / "c", hall_documents())
    assert "execute_action" not in names(offers(ours, "full"))
    with Campaign.open(tmp_path / "c") as theirs:
        fighters = [{"character_id": name, "is_enemy": name == "grik"} for name in ("aria", "grik")]
        call = {"id": "1", "tool": "create_encounter", "args": {"participants": fighters}}
        assert theirs.process(turn(call))["status"] == "applied"
    assert "execute_action" in names(offers(ours, "full"))
