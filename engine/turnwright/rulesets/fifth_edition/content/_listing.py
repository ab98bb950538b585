"""How lists show the tools of content."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "lookup_content": listing(44, "name | kind"),
}
