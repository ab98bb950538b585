"""The hall, for tests of the toolkit: `hall` as it is, `hall_with` with more or other documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from tests.builders import Json
from tests.conftest import MakeCampaign
from tests.tools.hall import Hall, hall_documents

HallWith = Callable[..., Hall]


@pytest.fixture
def hall_with(make_campaign: MakeCampaign) -> HallWith:
    """Give a function that begins the hall with these documents, by path, beside or in place of its own."""

    def make(*more: Mapping[str, Json]) -> Hall:
        values = hall_documents()
        for documents in more:
            values |= documents
        return Hall(make_campaign(values))

    return make


@pytest.fixture
def hall(hall_with: HallWith) -> Hall:
    """Give the hall as it is."""
    return hall_with()
