"""Hints for a message of a campaign: the snapshot is taken, the rules look at it, the block for the prompt is written.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.game_master.agents import Chosen
from turnwright.game_master.suggestion_step import Hints, OpenModel, fault_of
from turnwright.game_master.tool_permissions import own_tools
from turnwright.model.campaign import CampaignDocument
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.registry import RulesetTables

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record
    from turnwright.suggestions.engine import SuggestionEngine, Tuning


def suggest(
    world: World,
    settings: Settings,
    agent: AgentKind,
    message: str,
    turns: Sequence[Record],
    actor_id: str | None = None,
    open_model: OpenModel | None = None,
    played_id: str | None = None,
) -> Hints:
    """Return the suggestions for a message; the caller must catch other errors."""
    from turnwright.protocol.stage0_prepare.snapshot import snapshot_of
    from turnwright.suggestions.prompt_block import render_block

    faults = refreshed(settings["suggestions.languages"])
    snapshot = snapshot_of(world, agent, turns=turns, actor_id=actor_id, played_id=played_id)
    own = own_tools(world, Chosen(agent, played_id))
    snapshot = replace(snapshot, legal=None if snapshot.legal is None else snapshot.legal & own)
    name = settings["suggestions.llm"]
    if name and open_model is not None:
        from turnwright.game_master.llm_suggester import suggest_with

        found = suggest_with(name, open_model, engine_for(world.campaign), message, snapshot, tuning_of(settings))
    else:
        found = engine_for(world.campaign).suggest(message, snapshot, tuning_of(settings))
    try:
        return Hints(render_block(found), found, snapshot, errors=faults)
    except Exception as error:  # what was found is still worth writing down
        return Hints("", found, snapshot, errors=(*faults, fault_of("block", error)))


def read_words(settings: Settings) -> None:
    """Read the words of the usual language of a campaign now, so that the first message does not wait for them.

    Errors in them are reported when a message is read.
    """
    from turnwright.model.entry_points import ExtensionError
    from turnwright.rulesets.suggesting import PACKS
    from turnwright.suggestions.pack import PackError

    with suppress(PackError, ExtensionError):
        for language in settings["suggestions.languages"][:1]:
            PACKS.of(language)


_stamps: dict[str, tuple[int, int]] = {}
"""Size and time of the files of the packs, as they were looked at last."""


def refreshed(languages: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Read language packs again whose files have changed since the last message; return what is wrong with them.

    A file that cannot be used is reported once, and the words that were read before stay in use.
    """
    from turnwright.model.entry_points import ExtensionError
    from turnwright.rulesets.suggesting import PACKS
    from turnwright.suggestions.pack import PackError
    from turnwright.suggestions.pack_files import files_of, primary

    faults = []
    for language in map(primary, languages):
        try:
            files = files_of(language)
            if files is None or not isinstance(files.file, Path):
                continue  # a package in an archive does not change while it runs
            look = files.file.stat()
        except (ExtensionError, OSError):
            continue  # reported when the pack is read
        stamp = look.st_size, look.st_mtime_ns
        if _stamps.setdefault(language, stamp) == stamp:
            continue
        _stamps[language] = stamp
        if language not in PACKS.in_use:
            continue
        try:
            PACKS.reload(files)
        except (PackError, ExtensionError, OSError, ValueError) as error:
            faults.append(fault_of("pack", error))
    return tuple(faults)


def engine_for(campaign: CampaignDocument) -> SuggestionEngine:
    """Return the engine of this process for the rulesets of a campaign: it remembers which rules keep failing."""
    return _engine(tables_of(campaign))


@cache
def _engine(tables: RulesetTables) -> SuggestionEngine:
    from turnwright.protocol.stage0_prepare.snapshot import fit_arguments
    from turnwright.rulesets.suggesting import PACKS, suggestions_of
    from turnwright.suggestions.engine import SuggestionEngine

    return SuggestionEngine(suggestions_of(tables), PACKS.of, partial(fit_arguments, tables.toolbox))


def tuning_of(settings: Settings) -> Tuning:
    """Return the settings of suggestions as the suggestor takes them."""
    from turnwright.suggestions.engine import Tuning

    return Tuning(
        settings["suggestions.min_confidence"],
        settings["suggestions.max"],
        tuple(settings["suggestions.disabled_rules"]),
        tuple(settings["suggestions.languages"]),
    )
