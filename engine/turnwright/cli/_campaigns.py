"""Commands that look at several campaigns: each for itself, whatever is wrong with another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import click

from turnwright.cli._exit_codes import code_for
from turnwright.cli._output import echo_error, echo_json
from turnwright.model.errors import CampaignError
from turnwright.store.files import storage_failed, utf_8
from turnwright.store.folders import find_campaigns

campaigns_argument = click.argument(
    "places", metavar="CAMPAIGN|ROOT...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
"""Campaigns, and folders below which campaigns lie."""

T = TypeVar("T")
Work = Callable[[Path, Path | None], int]
"""Looks at one campaign; the other path is the same where its lines have to name it. Returns an exit code."""


def each_campaign(places: Sequence[Path], work: Work, *, as_json: bool) -> int:
    """Look at every campaign at or below some places; return the greatest exit code.

    A place without any is looked at itself, and told to be no campaign. Where only one campaign is given, its lines do
    not name it, and what stops that is raised.
    """
    unread: dict[Path, OSError] = {}
    found = [list(find_campaigns(place, unread.__setitem__)) or [place] for place in places]
    for place in places:
        unread.pop(place, None)  # what is wrong with it, looking at it itself tells
    campaigns = list({campaign.resolve(): campaign for below in found for campaign in below}.values())
    if not unread and campaigns == [*places] and len(campaigns) == 1:
        return work(places[0], None)
    codes = [0]
    for folder, error in unread.items():
        codes.append(_told(storage_failed("cannot look for campaigns here", error), folder, as_json=as_json))
    for campaign in campaigns:
        try:
            codes.append(work(campaign, campaign))
        except CampaignError as error:
            codes.append(_told(error, campaign, as_json=as_json))
    return max(codes)


def _told(error: CampaignError, place: Path, *, as_json: bool) -> int:
    """Tell what stops the look at one place, and return its exit code."""
    from turnwright.protocol.stage6_publish.publish import error_as_json

    if as_json:
        echo_json(naming(place, {"error": error_as_json(error)}))
    echo_error(error, place)
    return code_for(error)


def naming(campaign: Path | None, value: Mapping[str, T]) -> Mapping[str, T | str]:
    """Return a value with the campaign it is about, where there are several."""
    return value if campaign is None else {"campaign": utf_8(str(campaign)), **value}
