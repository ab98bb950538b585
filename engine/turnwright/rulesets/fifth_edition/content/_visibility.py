"""What players may see of the tools of content."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "lookup_content": visible(
        "kind id name pack matched tier missing summary facts parts left_out", audience="caller", subject="caller"
    ),
}
