"""Warn about names in `campaign.json` that match no tool, rule, character or model.

Source: docs/stages/README.md, "Checking".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.character import Character
from turnwright.model.entry_points import Group, fault, installed
from turnwright.model.fuzzy_match import did_you_mean, nearest
from turnwright.model.model_name import OWN_NAMES, can_be
from turnwright.model.settings import Setting, settings_faults, settings_of
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.aliases import ALIASES
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.toolbox import tools_of

_FORMS = ("echo", "local", "script:FILE", "openai:NAME@URL", "PROVIDER:NAME", "the NAME of an installed adapter")
_ROLES = ("default", "larger")
"""Values of an agent's setting other than a model's name."""


def allowlist_warnings(world: World, document: CampaignDocument) -> Iterator[Problem]:
    """Yield a warning for each entry of the allowlist that names no tool and so permits nothing."""
    for place, name in enumerate(document.allowlist):
        if told := _no_tool(name, world):
            yield _warning(f"$.allowlist[{place}]", "tool", told)


def setting_warnings(
    world: World, document: CampaignDocument, keys: Collection[str] | None = None
) -> Iterator[Problem]:
    """Yield a warning for each tool, rule, character and model that one of these settings names and that is none."""
    rows = tables_of(document).settings
    faulty = {key for key, _ in settings_faults(document.settings, rows)}
    settings = settings_of(document.settings, rows)
    for row in rows.values():
        value = settings[row.key]
        if not row.names or (keys is not None and row.key not in keys) or row.key in faulty or not value:
            continue
        if value == row.default and row.names != "language":  # what turnwright names itself is there
            continue
        for place, name in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if told := _no_name(row, name, world):
                where = f"$.settings.{row.key}" + ("" if place is None else f"[{place}]")
                yield _warning(where, row.names, told)


def _warning(where: str, kind: str, message: str) -> Problem:
    return Problem(CAMPAIGN_PATH, where, f"unknown_{kind}", message, warning=True)


def _no_name(row: Setting, name: str, world: World) -> str | None:
    """Return what to say of a name in a setting that stands for nothing."""
    if row.names == "tool":
        return _no_tool(name, world)
    if row.names == "rule":
        return _no_rule(name, world)
    if row.names == "character":
        return _no_character(name, world)
    if row.names == "language":
        return _no_language(name)
    return _no_model(name, _ROLES if row.default else ())


def _no_tool(name: str, world: World) -> str | None:
    tools = tools_of(world.campaign)
    if name in tools:
        return None
    guess = ALIASES[name].tool if name in ALIASES else nearest(name, tools, 1)[0]
    return f"{name} is no tool, so this permits nothing; the nearest tool is {guess}"


def _no_rule(name: str, world: World) -> str | None:
    from turnwright.rulesets.suggesting import suggestions_of  # reads many modules; few campaigns turn rules off

    known = [rule.id for rule in suggestions_of(tables_of(world.campaign)).rules]
    if name in known:
        return None
    return f"{name} is no rule of suggestions, so this turns none off; the nearest rule is {nearest(name, known, 1)[0]}"


def _no_character(name: str, world: World) -> str | None:
    if world.character(name) is not None:
        return None
    guess = did_you_mean(name, [person.id for person in world.all(Character)])
    return f"there is no character {name}, so nobody has an agent by it{guess}"


def _no_language(name: str) -> str | None:
    from turnwright.suggestions.pack_files import language_fault  # loads the rules of suggestions

    return language_fault(name)


def _no_model(name: str, roles: tuple[str, ...]) -> str | None:
    if told := fault(Group.MODELS, name, OWN_NAMES):
        return told
    if name in roles or can_be(name) or name in installed(Group.MODELS):
        return None
    guess = did_you_mean(name, [*roles, "echo", "local"])
    return f"{name} can be no model: one is named by {', '.join([*roles, *_FORMS[:-1]])} or {_FORMS[-1]}{guess}"
