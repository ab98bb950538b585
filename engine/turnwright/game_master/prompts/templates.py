"""Templates into text. Templates are ours alone: text of the game comes in as values and is never rendered itself.

Source: docs/tools/scenes.md, "Prompts".
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from turnwright.game_master.prompts import quoting as wording
from turnwright.model.json_types import JsonObject

if TYPE_CHECKING:
    from jinja2 import Environment

    from turnwright.game_master.prompts.scene_context import SceneContext


def render(template: str, context: SceneContext) -> str:
    """Return a template filled in from a context; see `render_from`."""
    return render_from(template, context._asdict())


def render_from(template: str, values: JsonObject) -> str:
    """Return a template filled in from values; a variable that is not there is an error.

    Blank lines that parts left out leave behind become one. World text has none: each of its lines is marked.
    """
    text = environment().get_template(f"{template}.md.j2").render(values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def environment() -> Environment:
    """Return what renders the templates; it is made when it is first asked for."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, Undefined

    def finalized(value: Any) -> str:
        return wording.shown(str(value) if isinstance(value, Undefined) else value)  # str of what is undefined fails

    made = Environment(
        loader=PackageLoader("turnwright.game_master"),
        autoescape=False,
        undefined=StrictUndefined,
        finalize=finalized,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # or every template and all that it includes would be looked for on the disk each time
    )
    filters: dict[str, Any] = {"block": wording.block, "each": wording.each, "word": wording.word}
    made.filters = filters
    made.tests = {name: made.tests[name] for name in ("none", "defined")}
    return made
