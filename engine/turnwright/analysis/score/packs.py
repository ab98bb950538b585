"""Find and read scenario packs, with everything that is wrong with one.

Source: docs/score.md, "A scenario pack".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from turnwright.analysis.score.pack import Scenario
from turnwright.model import data
from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.error_text import Fault, faults_of, sentence
from turnwright.model.errors import BadRequest, CampaignInvalid
from turnwright.model.fuzzy_match import nearest
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.wire.reason import Problem
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.in_use import tables_at
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.toolbox import TOOLS
from turnwright.store.documents import json_path, read_documents
from turnwright.store.files import Files
from turnwright.store.package_files import campaigns_folder, sample_campaigns

PACK_FILE = "pack.yaml"
_MAX_LENGTH = 1 << 20
Documents = dict[str, Document]


class Pack(NamedTuple):
    """A scenario that can be played: its name, what its file says, and the documents that it begins with."""

    name: str
    scenario: Scenario
    documents: Documents


def shipped_packs() -> dict[str, Path]:
    """Return the packs that come with the package, by name, sorted."""
    folder = campaigns_folder() / "packs"
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return {place.name: place for place in found if (place / PACK_FILE).is_file()}


def read_pack(named: str) -> Pack:
    """Return the pack of a name, or in a folder.

    Raises:
        BadRequest: there is no such pack.
        CampaignInvalid: with everything that is wrong with it, by file, place and rule.
    """
    shipped = shipped_packs()
    folder = shipped.get(named, Path(named))
    file = folder / PACK_FILE
    if not file.is_file():
        raise BadRequest(f"there is no scenario pack {named}; there are {', '.join(nearest(named, shipped))}")
    return load_pack(folder)


def load_pack(folder: Path) -> Pack:
    """Return the pack in a folder; see `read_pack`."""
    scenario = _scenario(folder / PACK_FILE)
    documents: Documents = {}
    problems: list[Problem] = []
    if scenario.start is not None:
        documents, problems = _start(folder, scenario.start)
    elif scenario.template not in sample_campaigns():
        problems.append(_problem("template", f"is no sample campaign; there are {', '.join(sample_campaigns())}"))
    else:
        documents, problems = _documents(sample_campaigns()[scenario.template], "")
    problems += _problems(scenario, documents)
    if problems:
        raise CampaignInvalid(problems)
    return Pack(folder.resolve().name, scenario, documents)


def _scenario(file: Path) -> Scenario:
    try:
        with file.open("rb") as opened:
            read = opened.read(_MAX_LENGTH + 1)
        if len(read) > _MAX_LENGTH:
            raise ValueError(f"is larger than {_MAX_LENGTH} bytes")
        value = data.parsed(read.decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CampaignInvalid([Problem(PACK_FILE, "$", "yaml", f"cannot be read: {error}")]) from None
    try:
        return Scenario.model_validate(value)
    except ValidationError as error:
        raise CampaignInvalid([_told(fault) for fault in faults_of(error)]) from None


def _told(fault: Fault) -> Problem:
    return Problem(PACK_FILE, json_path(fault["loc"]), str(fault["type"]), sentence(fault))


def _problem(where: str, message: str) -> Problem:
    return Problem(PACK_FILE, f"$.{where}", where.rpartition(".")[2].partition("[")[0], message)


def _start(folder: Path, start: str) -> tuple[Documents, list[Problem]]:
    place = (folder / start).resolve()
    if folder.resolve() not in place.parents or not place.is_dir():
        return {}, [_problem("start", "is no folder of this pack")]
    return _documents(place, f"{start.rstrip('/')}/")


def _documents(folder: Path, prefix: str) -> tuple[Documents, list[Problem]]:
    files = Files(folder)
    documents, problems = read_documents(files, tables_at(files).documents)
    if not isinstance(documents.get(CAMPAIGN_PATH), CampaignDocument):
        problems.append(Problem(CAMPAIGN_PATH, "$", "missing", "there is no campaign here"))
    elif not problems:
        problems += campaign_problems(World(InMemorySource(documents)), documents)
    return documents, [fault._replace(file=prefix + fault.file) for fault in problems if not fault.warning]


def _problems(scenario: Scenario, documents: Documents) -> Iterator[Problem]:
    campaign = documents.get(CAMPAIGN_PATH)
    ids = Counter(message.id for message in scenario.messages)
    for place, message in enumerate(scenario.messages):
        where = f"messages[{place}]"
        if ids[message.id] > 1:
            yield _problem(f"{where}.id", f"{message.id} is there twice")
        if isinstance(campaign, CampaignDocument) and message.speaker is not None:
            party = campaign.selected.party_character_ids
            if message.speaker not in party:
                yield _problem(f"{where}.as", f"{message.speaker} is not in the party: {', '.join(party)}")
    for loc, tool in scenario.named_tools():
        if tool not in TOOLS:
            yield _problem(json_path(loc)[2:], f"{tool} is no tool; the nearest one is {nearest(tool, TOOLS, 1)[0]}")
        elif isinstance(campaign, CampaignDocument) and tool not in campaign.allowlist:
            yield _problem(json_path(loc)[2:], f"{tool} is not on the allowlist of the campaign")
    for place, check in enumerate(scenario.goal):
        if BUILT_IN.documents.model_of(check.document) is None:
            yield _problem(f"goal[{place}].document", f"{check.document} is the path of no document")
