"""A character as a page to print. Source: docs/characters.md, "A page to print"."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.render.html_page import page, shown, table
from turnwright.rulesets.imports import Page, PageSection

_PRINT = "@media print{body{margin:0;max-width:none;font-size:12px}h2{break-after:avoid}table{break-inside:avoid}}\n"


def sheet_page(content: Page) -> str:
    """Return the page as HTML; it fetches nothing and runs nothing."""
    return page(content["title"], _body(content), _PRINT)


def _body(content: Page) -> Iterator[str]:
    yield f"<h1>{shown(content['title'])}</h1>"
    yield f"<p>{shown(content['subtitle'])}</p>"
    for section in content["sections"]:
        yield from _section(section)
    for notice in content["notices"]:
        yield f"<p>{shown(notice)}</p>"


def _section(section: PageSection) -> Iterator[str]:
    yield f"<h2>{shown(section['title'])}</h2>"
    if "lines" in section:
        yield table((), section["lines"])
    if "rows" in section:
        yield table(section.get("head", ()), section["rows"])
