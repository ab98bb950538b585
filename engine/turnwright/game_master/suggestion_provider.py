"""Hints for a message of a campaign: the snapshot is taken, the rules look at it, the block for the prompt is written.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.game_master.agents import Chosen
from turnwright.game_master.suggestion_step import Hints, OpenModel, fault_of
from turnwright.game_master.tool_permissions import own_tools
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import AgentKind

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
    """Return what is suggested for a message; what else goes wrong here is the caller's to catch."""
    from turnwright.protocol.stage0_prepare.snapshot import snapshot_of
    from turnwright.suggestions.prompt_block import render_block

    faults = refreshed(settings["suggestions.languages"])
    snapshot = snapshot_of(world, agent, turns=turns, actor_id=actor_id, played_id=played_id)
    own = own_tools(world, Chosen(agent, played_id))
    snapshot = replace(snapshot, legal=None if snapshot.legal is None else snapshot.legal & own)
    name = settings["suggestions.llm"]
    if name and open_model is not None:
        from turnwright.game_master.llm_suggester import suggest_with

        found = suggest_with(name, open_model, suggestor(), message, snapshot, tuning_of(settings))
    else:
        found = suggestor().suggest(message, snapshot, tuning_of(settings))
    try:
        return Hints(render_block(found), found, snapshot, errors=faults)
    except Exception as error:  # what was found is still worth writing down
        return Hints("", found, snapshot, errors=(*faults, fault_of("block", error)))


def read_words(settings: Settings) -> None:
    """Read the words of the usual language of a campaign now, so that the first message does not wait for them.

    Errors in them are reported when a message is read.
    """
    from turnwright.model.entry_points import ExtensionError
    from turnwright.suggestions.pack import PackError, pack_of

    with suppress(PackError, ExtensionError):
        for language in settings["suggestions.languages"][:1]:
            pack_of(language)


_stamps: dict[str, tuple[int, int]] = {}
"""Size and time of the files of the packs, as they were looked at last."""


def refreshed(languages: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Read language packs again whose files have changed since the last message; return what is wrong with them.

    A file that cannot be used is reported once, and the words that were read before stay in use.
    """
    from turnwright.model.entry_points import ExtensionError
    from turnwright.suggestions.pack import PackError, packs_in_use, reload_pack
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
        if language not in packs_in_use():
            continue
        try:
            reload_pack(files)
        except (PackError, ExtensionError, OSError, ValueError) as error:
            faults.append(fault_of("pack", error))
    return tuple(faults)


@cache
def suggestor() -> SuggestionEngine:
    """Return the suggestor of this process: it remembers which rules keep failing."""
    from turnwright.protocol.stage0_prepare.snapshot import fit_arguments
    from turnwright.suggestions.engine import SuggestionEngine

    return SuggestionEngine(fit_arguments=fit_arguments)


def tuning_of(settings: Settings) -> Tuning:
    """Return the settings of suggestions as the suggestor takes them."""
    from turnwright.suggestions.engine import Tuning

    return Tuning(
        settings["suggestions.min_confidence"],
        settings["suggestions.max"],
        tuple(settings["suggestions.disabled_rules"]),
        tuple(settings["suggestions.languages"]),
    )
