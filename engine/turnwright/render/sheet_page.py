"""A character as a page to print. Source: docs/characters.md, "A page to print"."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.render.html_page import page, shown, table
from turnwright.rulesets.imports import Page, PageSection

_STYLE = """\
main{columns:2 22rem;column-gap:2.5rem}
section{break-inside:avoid;margin-bottom:1.6rem}
section h2{margin-top:0;break-after:avoid}
@media print{body{margin:0;max-width:none;font-size:11px}th,td{padding:.1rem .6rem .1rem 0}main{columns:2 16rem}}
"""
"""Two columns, where there is room for two: a whole character fits on a printed page or two."""


def sheet_page(content: Page) -> str:
    """Return the page as HTML; it fetches nothing and runs nothing."""
    return page(content["title"], _body(content), _STYLE)


def _body(content: Page) -> Iterator[str]:
    yield f"<h1>{shown(content['title'])}</h1>"
    yield f"<p>{shown(content['subtitle'])}</p>"
    yield "<main>"
    for section in content["sections"]:
        yield from _section(section)
    yield "</main>"
    for notice in content["notices"]:
        yield from (f"<p>{shown(text)}</p>" for text in notice.splitlines() if text)


def _section(section: PageSection) -> Iterator[str]:
    yield f"<section><h2>{shown(section['title'])}</h2>"
    if "lines" in section:
        yield table((), section["lines"])
    if "rows" in section:
        yield table(section.get("head", ()), section["rows"])
    yield "</section>"
