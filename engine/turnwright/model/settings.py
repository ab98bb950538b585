"""The settings registry: one row a setting, and the all-or-nothing patch.

Settings are dotted keys, stored nested in `campaign.json` as differences from the defaults. Here are those of the
engine; rulesets declare their own.
Source: docs/stages/2-settings.md.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.errors import BadRequest
from turnwright.model.json_types import JsonObject
from turnwright.model.lazy import load
from turnwright.model.strict_json import MAX_DEPTH, canonical

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonValue

NO_MODEL = "none"
"""The name that means no model: a person is the game master."""
Value = bool | int | float | str | list[str] | list[int]


class Setting(NamedTuple):
    """One row of the registry. `low` and `high` bound a number (inclusive); `choices` closes a string.

    `names` says what a text or the names in a list stand for: a `model`, `tool`, `rule`, `character` or
    `language`.
    """

    key: str
    default: Value
    hint: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    names: str = ""

    @property
    def kind(self) -> str:
        """The type as documentation names it."""
        if self.choices:
            return " · ".join(self.choices)
        if self.is_dice:
            return "list of up to 6 faces, 1 to 6"
        bounds = f"{self.low} to {self.high}"
        names = {
            bool: "true or false",
            int: f"integer {bounds}",
            float: f"number {bounds}",
            str: "text",
            list: "list of names",
        }
        return names[type(self.default)]

    @property
    def is_dice(self) -> bool:
        """Whether it is a list of faces of dice."""
        return isinstance(self.default, list) and bool(self.default) and type(self.default[0]) is int

    def fault(self, value: Any) -> str | None:
        """Return the fault of a value for this setting, or None. A boolean does not count as an integer."""
        fits = type(value) is type(self.default) or (type(self.default) is float and type(value) is int)
        if self.is_dice:
            fits = fits and len(value) <= 6 and all(type(face) is int and 1 <= face <= 6 for face in value)
        elif isinstance(self.default, list):
            fits = fits and all(isinstance(name, str) and name for name in value)
        if fits and self.choices:
            fits = value in self.choices
        if fits and type(value) in (int, float):
            fits = (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
        if fits:
            return None
        form = f", such as {json.dumps(self.default or ['name'])}" if isinstance(self.default, list) else ""
        return f"wants {self.kind}{form}"


MAX_TURN_BYTES = 16_777_216
"""The most bytes that a turn may be allowed to have; of a longer file no more than this and one is ever read."""

MAX_CALLS = 1024
"""The most calls that a turn may be allowed to have."""

MAX_RESULTS = 100_000
"""The most results that may be kept as files."""

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "agents.approve",
        "auto",
        "Who decides in `play` about what a model wants: nobody, a person before it is recorded, or a person alone.",
        choices=("auto", "review", "assist", "human"),
    ),
    Setting("agents.avoid", [], "What must not occur in the story; every agent knows it."),
    Setting("agents.context_tokens", 6000, "The most tokens of a prompt, before the player's words.", 256, 200_000),
    Setting("agents.default_model", "", "The model of an agent whose model is `default`.", names="model"),
    Setting("agents.individual_npcs", [], "Ids of characters that have an agent of their own.", names="character"),
    Setting(
        "agents.larger_model",
        "",
        "The model of an agent whose model is `larger`; empty: the default one.",
        names="model",
    ),
    Setting("agents.max_repairs", 2, "How often a model may mend failed calls for one message.", 0, 10),
    Setting("agents.max_steps", 6, "How often a model is asked for one message, at most.", 1, 50),
    Setting(
        "agents.profile",
        "moment",
        "How much of the tools a model is shown.",
        choices=("moment", "full", "core", "tiny"),
    ),
    Setting("agents.session_cost", 0.0, "The most US dollars of one session of play; 0: no bound.", 0, 10_000),
    Setting("agents.session_tokens", 0, "The most tokens of one session of play; 0: no bound.", 0, 1_000_000_000),
    Setting("agents.timeout_seconds", 120, "How long one answer of a model may take.", 1, 3600),
    Setting("agents.tone", "", "How the story should sound; every agent knows it."),
    Setting("agents.combat.max_tokens", 1024, "The longest answer of this agent.", 16, 32_768),
    Setting("agents.combat.model", "default", "`default`, `larger`, or a model's name.", names="model"),
    Setting("agents.combat.temperature", 0.5, "How freely this agent writes.", 0, 2),
    Setting("agents.narrative.max_tokens", 1024, "The longest answer of this agent.", 16, 32_768),
    Setting("agents.narrative.model", "default", "`default`, `larger`, or a model's name.", names="model"),
    Setting("agents.narrative.temperature", 0.8, "How freely this agent writes.", 0, 2),
    Setting("agents.npc_individual.max_tokens", 768, "The longest answer of this agent.", 16, 32_768),
    Setting("agents.npc_individual.model", "larger", "`default`, `larger`, or a model's name.", names="model"),
    Setting("agents.npc_individual.temperature", 0.7, "How freely this agent writes.", 0, 2),
    Setting("agents.npc_puppeteer.max_tokens", 512, "The longest answer of this agent.", 16, 32_768),
    Setting("agents.npc_puppeteer.model", "larger", "`default`, `larger`, or a model's name.", names="model"),
    Setting("agents.npc_puppeteer.temperature", 0.7, "How freely this agent writes.", 0, 2),
    Setting("agents.summarizer.max_tokens", 400, "The longest answer of this agent.", 16, 32_768),
    Setting("agents.summarizer.model", "default", "`default`, `larger`, or a model's name.", names="model"),
    Setting("agents.summarizer.temperature", 0.3, "How freely this agent writes.", 0, 2),
    Setting("dialog.strict_semantic_guard", False, "Refuse a turn whose dialog type is none of the four."),
    Setting("dice.source", "engine", "Who throws the dice of the game master's turns.", choices=("engine", "table")),
    Setting("lifecycle.enabled", False, "Advance milestones, and end the campaign when its goal or its party is done."),
    Setting("limits.calls", 64, "The most tool calls in one turn.", 1, MAX_CALLS),
    Setting("limits.turn_bytes", 1_048_576, "The longest turn file, in bytes.", 1024, MAX_TURN_BYTES),
    Setting("limits.turn_depth", 32, "The deepest nesting of a turn.", 8, MAX_DEPTH),
    Setting(
        "narration.check", "log", "What a claim that nothing applied leads to.", choices=("off", "log", "note", "retry")
    ),
    Setting(
        "players.tools", ["move", "move_options"], "The tools a player may call for their own character.", names="tool"
    ),
    Setting("results.keep", 500, "How many of the newest results stay as files.", 1, MAX_RESULTS),
    Setting("rules.hp_zero_ends_game", True, "Hit points change the state of a character."),
    Setting("suggestions.debug_log", False, "Keep messages in telemetry, up to 500 characters."),
    Setting("suggestions.disabled_rules", [], "Ids of rules of suggestions that are off.", names="rule"),
    Setting("suggestions.enabled", True, "Suggest tools to a model before it answers."),
    Setting(
        "suggestions.languages",
        ["en"],
        "Codes of the languages that messages are in, the usual one first.",
        names="language",
    ),
    Setting("suggestions.llm", "", "A model that suggests tools beside the rules; empty: none.", names="model"),
    Setting("suggestions.max", 3, "The most suggestions for one message.", 1, 8),
    Setting("suggestions.min_confidence", 0.6, "Suggestions below this confidence are not shown.", 0, 1),
    Setting("suggestions.party_history", "all", "What a new member of the party knows.", choices=("all", "since_join")),
)


class Rows(Mapping[str, Setting]):
    """Settings by dotted key: those of the engine, and those of rulesets, which are loaded when one is asked for."""

    def __init__(self, places: Iterable[str] = ()) -> None:
        """Take where the rows of rulesets are, each a tuple of `Setting` as `package.module:attribute`."""
        self._places = tuple(places)
        self._own = {row.key: row for row in SETTINGS}

    @cached_property
    def _all(self) -> Mapping[str, Setting]:
        return self._own | {row.key: row for place in self._places for row in load(place)}

    @cached_property
    def groups(self) -> frozenset[str]:
        """Prefixes before a dot in the keys."""
        return frozenset(key[:end] for key in self._all for end, char in enumerate(key) if char == ".")

    @property
    def engine_defaults(self) -> "dict[str, JsonValue]":
        """The defaults of the engine's own settings, which most turns need no others than."""
        return {key: row.default for key, row in self._own.items()}

    def __getitem__(self, key: str) -> Setting:
        """Return the row of a key."""
        return self._own[key] if key in self._own else self._all[key]

    def __contains__(self, key: object) -> bool:
        """Return whether there is a setting with this key."""
        return key in self._own or key in self._all

    def __iter__(self) -> Iterator[str]:
        """Yield the keys."""
        return iter(self._all)

    def __len__(self) -> int:
        """Return how many settings there are."""
        return len(self._all)

    __hash__ = object.__hash__  # tables are compared by identity

    def __eq__(self, other: object) -> bool:
        """Return whether it is the same table."""
        return self is other


_GROUPS = frozenset(row.key[:end] for row in SETTINGS for end, char in enumerate(row.key) if char == ".")
REGISTRY = Rows()
"""The engine's own settings."""


class SettingsFault(BadRequest):
    """A patch that cannot be applied. `faults` pairs each dotted key with what is wrong with it."""

    def __init__(self, faults: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{key}: {fault}" for key, fault in faults))
        self.faults = faults


class Settings(dict[str, Any]):
    """The settings in force, by dotted key: the defaults under the campaign's own. Shared, and so not to be changed."""

    def __init__(self, nested: JsonObject, rows: Rows = REGISTRY) -> None:
        super().__init__(rows.engine_defaults | dict(_flatten(nested, rows)))
        self._rows = rows

    def __missing__(self, key: str) -> Any:
        """Return the default of a ruleset's setting that the campaign does not change."""
        return self._rows[key].default

    def in_force(self) -> dict[str, Value]:
        """Return every registered key with its value, sorted by key."""
        return {key: self[key] for key in sorted(self._rows)}


def settings_faults(nested: JsonObject, rows: Rows = REGISTRY) -> list[tuple[str, str]]:
    """Return what is wrong with stored settings, as pairs of dotted key and fault."""
    faults, seen = [], set[str]()
    for key, value in _flatten(nested, rows):
        if fault := "is given twice" if key in seen else _fault(key, value, rows):
            faults.append((key, fault))
        seen.add(key)
    return faults


def patched(nested: JsonObject, changes: JsonObject, rows: Rows = REGISTRY) -> tuple[JsonObject, list[str]]:
    """Return settings with `changes` (dotted keys) applied, and the keys whose value in force changed.

    All or nothing; a value equal to its default is not stored.

    Raises:
        SettingsFault: with every key that is unknown or has a bad value, and every stored one that is bad.
    """
    faults = [(key, fault) for key, value in changes.items() if (fault := _fault(key, value, rows))]
    if faults:
        raise SettingsFault(faults)
    before = Settings(nested, rows)
    own = {**dict(_flatten(nested, rows)), **changes}
    changed = [key for key, value in changes.items() if value != before[key]]
    result = _nest({key: value for key, value in own.items() if key not in rows or value != rows[key].default})
    if remaining := settings_faults(result, rows):
        raise SettingsFault(remaining)
    return result, changed


def has_own(nested: JsonObject, key: str) -> bool:
    """Return whether settings as a campaign stores them hold a value of their own for a dotted key of the engine."""
    return key in dict(_flatten(nested, REGISTRY))


def _fault(key: str, value: Any, rows: Rows) -> str | None:
    row = rows.get(key)
    if row is None:
        return _unknown(key, rows)
    return row.fault(value) or (_fault_of_model(value) if value and row.names == "model" else None)


def _fault_of_model(name: str) -> str | None:
    from turnwright.model.model_name import name_fault  # most campaigns name none

    return name_fault(name)


def _unknown(key: str, rows: Rows) -> str:
    from turnwright.model.fuzzy_match import did_you_mean

    return f"is no setting{did_you_mean(key, rows)}"


def _flatten(nested: JsonObject, rows: Rows, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted keys and values; nothing of a group that is empty."""
    for name, value in nested.items():
        key = prefix + name
        if isinstance(value, Mapping) and (key in _GROUPS or key in rows.groups or (value and key not in rows)):
            yield from _flatten(value, rows, key + ".")
        else:
            yield key, value


def _nest(flat: JsonObject) -> JsonObject:
    nested: dict[str, Any] = {}
    for key in sorted(flat):
        *groups, name = key.split(".")
        home = nested
        for group in groups:
            home = home.setdefault(group, {})
        home[name] = flat[key]
    return nested


@lru_cache(maxsize=64)
def _parsed(text: str, rows: Rows) -> Settings:
    return Settings(json.loads(text), rows)


def settings_of(nested: JsonObject, rows: Rows = REGISTRY) -> Settings:
    """Return the settings in force for a campaign's stored differences."""
    return _parsed(canonical(dict(nested)), rows)


DEFAULTS = Settings({})
"""The settings in force where a campaign changes none."""
