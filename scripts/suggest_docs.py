"""The generated parts of docs/suggestions.md: rules, intents, predicates and the fields of a context."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.suggesting import BUILT_IN, PACKS
from turnwright.suggestions.pack_files import RECOGNIZED
from turnwright.suggestions.rule import PREDICATES, Rule
from turnwright.suggestions.snapshot import Snapshot

Table = Callable[[Sequence[str], Iterable[Sequence[str]]], str]

_SHORT = {
    AgentKind.NARRATIVE: "narrative",
    AgentKind.COMBAT: "combat",
    AgentKind.NPC_INDIVIDUAL: "individual",
    AgentKind.NPC_PUPPETEER: "puppeteer",
}
_CONTEXT: Mapping[str, tuple[str, str]] = {
    "speaker": ("`player` · `npc` · `dm` · `system`", "Who says it."),
    "agent": ("an agent, or `npc`", "Whom the hints are for; stands beside `context` as well."),
    "language": ("`en`, `de`, `en-GB` ...", "The language; null: found out from the message."),
    "encounter": (
        "null, true or `{active, id, enemies_alive, round, current_actor_id, controller}`",
        "The fight; null: there is none. `enemies_alive` is a number or a list.",
    ),
    "actor": (
        "an id or `{id, name, area, hp, conditions, concentration, spells, is_caster, is_dying}`",
        "Who acts. `hp` is a number or `{current}`; `concentration` true, a spell, or `{spell}`; who is not "
        "`is_dying` rolls no death saves.",
    ),
    "areas": (
        "`{current, reachable, known, has_hidden, places, place, exits}`",
        "Where that is, where one gets at once, what one has heard of, and whether something is hidden. `places` are "
        "those to which a party is moved as a whole, `place` the one where it stands, `exits` those that an open way "
        "leads it to.",
    ),
    "items": (
        "`{actor, area, npcs, owned}` or a list",
        "Things on the actor, lying here, and on people here; a list lies here. `owned` are `{name, owner}`, meant "
        "where the words name whose they are; `owner` is somebody here, as a name, an id or `{id, name}`.",
    ),
    "party": ("a list, or `{members}`", "Who belongs to the party."),
    "npcs_present": ("a list", "Who else is here; `hostile`, or `character_type`, tells enemies."),
    "pending_offer": (
        "null, a kind, or `{kind, id, by, turn, item}`",
        "What waits for an answer: `quest`, `item`, `party`, `rest`, `bargain`. Null: nothing.",
    ),
    "quests": ("a list of `{id, title, status, giver_id, objectives}`", "Objectives that are `done` are left out."),
    "mood": ("null, a mood or `{mood}`", "The mood of a scene game; null: there is none."),
    "allowlist": ("a list of tools", "What the campaign allows."),
    "registry": ("a list of tools", "What there is at all."),
    "recent_calls": (
        "a list of tools or of `{tool, round, result: {target, damage}}`",
        "What the last turns called, and whom it hurt.",
    ),
    "fields": ("an object", "What installed rulesets add, by name; a name that is left out stays as it is."),
}
_MEANING: Mapping[str, str] = {
    "encounter_active": "a fight runs",
    "no_encounter": "no fight runs",
    "speaker_is_player": "a player speaks",
    "speaker_is_npc": "a character of the game master speaks",
    "offer_pending": "something was offered and not yet answered",
    "mood_set": "it is a scene game",
    "has_active_quest": "a quest is active",
    "caster": "the acting character casts spells",
}


def _code(word: object) -> str:
    return f"`{word}`"


def rules(table: Table) -> str:
    """Return every rule: whom it advises, what it needs, and how sure it is."""
    rows = ([_code(rule.id), _purpose(rule), *_gates(rule), _intents(rule), _sure(rule)] for rule in BUILT_IN.rules)
    return table(["rule", "speaks when", "agents", "requires", "intents", "confidence"], rows)


def _purpose(rule: Rule) -> str:
    return (type(rule).__doc__ or "").split("\n")[0].rstrip(".")


def _gates(rule: Rule) -> tuple[str, str]:
    agents = ", ".join(_SHORT[agent] for agent in _SHORT if agent in rule.agents)
    return agents, ", ".join(map(_code, rule.requires))


def _intents(rule: Rule) -> str:
    return ", ".join(map(_code, rule.intents))


def _sure(rule: Rule) -> str:
    pack = PACKS.of("en")
    words = pack.rules.get(rule.id) if pack else None
    if words is None:
        return "from the state"
    return " · ".join(
        f"{name} {value:g}" for name, value in sorted(words.base.items(), key=lambda row: (-row[1], row[0]))
    )


def intents(table: Table) -> str:
    """Return the tools of each intent, in the order in which they are tried, and what it excludes."""
    rows = (
        [_code(intent), ", ".join(map(_code, tools)) or "none", _excluded(intent)]
        for intent, tools in sorted(BUILT_IN.intents.items())
    )
    return table(["intent", "tools", "excludes"], rows)


def _excluded(intent: str) -> str:
    always = sorted(other for pair in BUILT_IN.exclusive if intent in pair for other in pair - {intent})
    of_one = sorted(other for pair in BUILT_IN.exclusive_of_one if intent in pair for other in pair - {intent})
    parts = [", ".join(map(_code, always)), ", ".join(map(_code, of_one)) + " of the same" if of_one else ""]
    return "; ".join(filter(None, parts))


def context(table: Table) -> str:
    """Return the fields of a snapshot as JSON gives them."""
    known = set(Snapshot.__dataclass_fields__) - {"from_area_wanted", "legal"}
    assert known == set(_CONTEXT), f"no text for {known ^ set(_CONTEXT)}"
    return table(["field", "JSON", "what it is"], ([_code(name), *told] for name, told in _CONTEXT.items()))


def predicates(table: Table) -> str:
    """Return what rules and packs can require."""
    assert set(PREDICATES) == set(_MEANING), f"no text for {set(PREDICATES) ^ set(_MEANING)}"
    return table(["predicate", "holds when"], ([_code(name), _MEANING[name]] for name in PREDICATES))


def languages(table: Table) -> str:
    """Return the packs: how many rules, patterns and verbs each has."""
    rows = []
    for language in RECOGNIZED:
        pack = PACKS.of(language)
        assert pack is not None
        patterns = sum(len(words.patterns) for words in pack.rules.values())
        rows.append([_code(language), str(len(pack.rules)), str(patterns)])
    return table(["language", "rules", "patterns"], rows)
