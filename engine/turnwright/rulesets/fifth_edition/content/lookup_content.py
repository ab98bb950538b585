"""lookup_content: the figures of one monster, spell, item, race, class or background."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from turnwright.content.describe import brief
from turnwright.model.base import Count, FrozenMap, ListOf, Model, Text
from turnwright.model.state.overlay import World
from turnwright.rulesets.content_library import has_content, packs_of, require_entry
from turnwright.rulesets.references import Choice, Name
from turnwright.rulesets.tool import Applied, Context, Legal
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

Kind = Literal["monsters", "spells", "weapons", "armor", "gear", "magic_items", "races", "classes", "backgrounds"]
KindArg = Annotated[
    Kind,
    Choice(
        synonyms={
            "monsters": ("monster", "creature", "creatures", "stat_block"),
            "spells": ("spell", "cantrip", "cantrips"),
            "weapons": ("weapon",),
            "armor": ("armour", "shield", "shields"),
            "gear": ("equipment", "tool", "tools", "adventuring_gear"),
            "magic_items": ("magic_item", "item", "items", "potion", "wand", "ring"),
            "races": ("race", "species"),
            "classes": ("class", "character_class"),
            "backgrounds": ("background",),
        }
    ),
]


class LookupContentArgs(ToolkitArgs):
    """Arguments of `lookup_content`."""

    name: Name = Field(description="Its name or id, such as goblin; kind/id if several have the name.")
    kind: KindArg | None = Field(default=None, description="Its kind, if the name alone is ambiguous.")


class LookupContentResult(Model):
    """One entry in short."""

    kind: Kind
    id: Text
    name: Text
    pack: Text | None = Field(description="The pack it is from; null for one of the campaign's own.")
    matched: Literal["name", "plural", "spelling"] = Field(description="How the name was understood.")
    tier: Literal["full", "partly", "reference"] = Field(
        description="How much of it the engine can execute; reference: nothing, it can only be read."
    )
    missing: ListOf[Text] = Field(description="The parts that the engine cannot execute.")
    summary: Text = Field(description="A summary of the entry.")
    facts: FrozenMap[Text] = Field(description="Its figures, by label.")
    parts: FrozenMap[ListOf[Text]] = Field(description="Traits, actions, features and the like, by heading.")
    left_out: Count = Field(description="How many facts and parts did not fit.")


def _legal(world: World, ctx: Context) -> Legal | None:
    """Offer the tool only if there is content to look up."""
    del ctx
    return {} if has_content(world) else None


@toolkit(LookupContentArgs, LookupContentResult, example={"name": "goblin"}, reads=True, legal=_legal)
def lookup_content(world: World, args: LookupContentArgs, ctx: Context) -> Applied:
    """Look up the figures of a monster, spell, item, race, class or background by name.

    Use it before you give figures of your own: it returns what the rules say, which is all the engine knows. Plurals
    and small misspellings are understood. `tier` says how much of the entry the engine can execute; resolve the parts
    in `missing` at the table. Changes nothing.
    """
    match = require_entry(world, ctx, args.name, args.kind, "args.name")
    found = match.found
    result = {
        "kind": found.kind,
        "id": found.id,
        "name": found.name,
        "pack": found.pack or None,
        "matched": match.how,
        "tier": found.value["tier"],
        **brief(found),
    }
    return Applied(result, packs=packs_of(match, ctx))
