"""Ids that were given out one after another, in that order."""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"-([0-9]{1,18})$")


def number_of(identifier: str) -> tuple[int, str]:
    """Return what sorts generated ids by their number; ids that people made come first, by their letters."""
    found = _NUMBERED.search(identifier)
    return (int(found[1]) if found else 0, identifier)
