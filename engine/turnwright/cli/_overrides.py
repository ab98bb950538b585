"""Settings that count for one run only: `agents.*` and `suggestions.*`, from the command line and the environment.

Nothing else can be overridden: what decides a turn is the campaign's own.
Source: docs/agents.md, "Settings for one session".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.settings import REGISTRY, Setting
from turnwright.model.strict_json import JsonError, parse_json

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonValue

F = TypeVar("F", bound=Callable[..., Any])
FAMILIES = ("agents", "suggestions")
_PREFIX = "TURNWRIGHT_"
OVERRIDABLE: Mapping[str, Setting] = {key: row for key, row in REGISTRY.items() if key.partition(".")[0] in FAMILIES}
BY_VARIABLE: Mapping[str, str] = {_PREFIX + key.replace(".", "_").upper(): key for key in OVERRIDABLE}
"""The setting that each environment variable overrides."""
_TRUTH = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}

overrides_option: Callable[[F], F] = click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="KEY=VALUE",
    help="A setting `agents.*` or `suggestions.*` for this run only; may be given several times.",
)


def overrides_of(assignments: Iterable[str], environment: Mapping[str, str]) -> dict[str, JsonValue]:
    """Return the settings that count for this run, by dotted key; the command line comes before the environment.

    Raises:
        click.UsageError: naming the setting that is none, or its bad value.
    """
    given = {key: (environment[name], name) for name, key in BY_VARIABLE.items() if environment.get(name)}
    given |= {key: (text, key) for key, text in map(_assignment, assignments)}
    _refuse_unknown(environment)
    return {key: _value(OVERRIDABLE[key], text, where) for key, (text, where) in sorted(given.items())}


def _assignment(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise click.UsageError(f"--set wants KEY=VALUE, not {text!r}")
    if key in OVERRIDABLE:
        return key, value
    from turnwright.rulesets.registry import BUILT_IN  # only what is refused needs to know of rulesets

    if key in BUILT_IN.settings:
        raise click.UsageError(f"--set {key}: only agents.* and suggestions.* can be set so")
    raise click.UsageError(f"--set {key}: is no setting{did_you_mean(key, OVERRIDABLE)}")


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    """Refuse a misspelled variable: a bound that silently does not hold would cost money."""
    families = tuple(f"{_PREFIX}{family.upper()}_" for family in FAMILIES)
    for name in sorted(environment):
        if name.startswith(families) and name not in BY_VARIABLE:
            raise click.UsageError(f"{name}: there is no such setting{did_you_mean(name, BY_VARIABLE)}")


def _value(row: Setting, text: str, where: str) -> Any:
    value = _read(row, text.strip())
    if fault := row.fault(value):
        raise click.UsageError(f"{where}: {fault}, not {text!r}")
    return value


def _read(row: Setting, text: str) -> Any:
    default = row.default
    if isinstance(default, bool):
        return _TRUTH.get(text.lower(), text)
    if isinstance(default, str):
        return text
    if isinstance(default, list) and not text.startswith("["):
        return [name.strip() for name in text.split(",") if name.strip()]
    try:
        return parse_json(text)
    except JsonError:
        return text
