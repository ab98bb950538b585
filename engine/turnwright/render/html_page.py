"""Self-contained pages of HTML: no script, nothing fetched, all text escaped by who puts it in with `shown`."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.render.escape import terminal_safe, xml_safe

STYLE = """
body{font:15px/1.5 'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;color:#2b2f36;
background:#ffffff;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font:bold 26px Georgia,'Liberation Serif','DejaVu Serif',serif}
h2{font:bold 18px Georgia,'Liberation Serif','DejaVu Serif',serif;margin:2rem 0 .4rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid #e7e1d4;vertical-align:top}
th{font-size:13px;color:#555d69}
p{color:#555d69;font-size:13px}
svg{max-width:100%;height:auto}
"""


def shown(text: str) -> str:
    """Return text for the content of an element or a quoted attribute; nothing in it is markup, or hides itself."""
    return xml_safe(terminal_safe(text))


def page(title: str, body: Iterable[str], style: str = "") -> str:
    """Return a whole page.

    Args:
        title: as text.
        body: elements, one a line.
        style: further rules.
    """
    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{shown(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n"
    )
    return head + "\n".join(body) + "\n</body>\n</html>\n"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of text; an empty head is left out."""
    cells = "".join(f"<th>{shown(name)}</th>" for name in head)
    lines = "\n".join("<tr>" + "".join(f"<td>{shown(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    named = f"<tr>{cells}</tr>\n" if cells else ""
    return f"<table>\n{named}{lines}\n</table>"
