"""Files with any one value changed, taken away or doubled: refused in a sentence, or read whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from tests.builders import clock
from tests.imports.test_formats import BRUNI
from tests.imports.test_round_trips import rich_actor
from tests.sampling import count

from turnwright import Campaign
from turnwright.model.errors import BadRequest

Path_ = tuple[Any, ...]
_GONE, _TWICE = object(), object()
VALUES: tuple[Any, ...] = (
    *(_GONE, _TWICE, None, True, False, 0, -1, 1, 2**53, 0.5, 1e300, "", "x", " 7 ", "=1+1", "\x00", "x" * 5000),
    *([], {}, [[]], [None], ["a"], {"": None}, {"value": {"value": 1}}, [{"name": "x", "type": "class", "system": {}}]),
)


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield every place in JSON but the whole."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield (*path, key)
        yield from places(inner, (*path, key))


def changed(value: Any, path: Path_, other: Any) -> bytes:
    """Return the file with another value at one place."""
    whole = deepcopy(value)
    at = whole
    for key in path[:-1]:
        at = at[key]
    if other is _GONE:
        del at[path[-1]]
    elif other is _TWICE and isinstance(at, list):
        at.append(deepcopy(at[path[-1]]))
    elif other is not _TWICE:
        at[path[-1]] = other
    return json.dumps(whole).encode()


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    place = tmp_path_factory.mktemp("changed") / "game"
    with Campaign.new(place, template="toolkit", seed="1", clock=clock) as opened:
        yield opened


def own_sheet(campaign: Campaign) -> Any:
    campaign.import_characters(json.dumps(rich_actor()).encode(), "x.json", as_id="x", replace=True)
    return json.loads(campaign.export_character("x"))


def refusal(campaign: Campaign, data: bytes) -> str | None:
    """Return why a file is refused; None where it is read."""
    try:
        campaign.import_characters(data, "x.json", replace=True, dry_run=True)
    except BadRequest as refused:
        return str(refused)
    return None


@pytest.mark.parametrize("form", ["foundry", "d_and_d_beyond", "sheet"])
def test_one_changed_value_is_refused_or_read(campaign: Campaign, form: str) -> None:
    value = BRUNI if form == "d_and_d_beyond" else rich_actor() if form == "foundry" else own_sheet(campaign)
    before = campaign.state
    tried = read = 0
    for number, path in list(enumerate(places(value)))[:: count(quick=4, thorough=1)]:
        for step in range(count(quick=1, thorough=6)):
            other = VALUES[(number * 7 + step) % len(VALUES)]
            tried += 1
            told = refusal(campaign, changed(value, path, other))
            assert told is None or told.startswith("x.json: "), (path, other)
            read += told is None

    assert campaign.state == before
    assert 0 < read < tried
