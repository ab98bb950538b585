"""How a scene should sound: advice for each axis of its style, each tone, each kind of action and each known trauma.

Source: docs/tools/scenes.md, "Prompts".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwright.game_master.prompts.quoting import Ours
from turnwright.model.crew import Tone
from turnwright.model.mood import Domain
from turnwright.model.scene import Atmosphere, Class, Pressure, Style
from turnwright.rulesets.scenes.scars import ALIASES

ATMOSPHERE: Mapping[Atmosphere, str] = {
    "mundane": "Soot, brass and wages: the world is hard and has a reason for everything.",
    "liminal": "Small things are wrong and nobody explains them; let one more gather in each beat.",
    "supernatural": "The impossible happens; report it as you would the weather, without awe and without a theory.",
}
PRESSURE: Mapping[Pressure, str] = {
    "watchful": "Half of everybody's attention is elsewhere; what matters is what is not said.",
    "calm": "Let sentences breathe; there is time to look, to plan, to change one's mind.",
    "urgent": "Verbs first, few adjectives; whatever is put off in this beat costs more in the next.",
}
CLASS: Mapping[Class, str] = {
    "street": "Reputation is money here: old codes, tools worn smooth by use, a nod that means a debt.",
    "gutter": "Damp, hunger, rot; people say outright what they want and how little they have.",
    "salon": "Velvet and arithmetic; every kindness is a move, and violence never leaves a name behind.",
}
TONE: Mapping[Tone, str] = {
    "tense": "Something is about to give; keep it in sight.",
    "neutral": "Tell it straight; the facts are strong enough.",
    "comedic": "Let people be vain, late and wrong; never let the danger be a joke.",
    "dark": "Kindness is rare and is paid for; do not look away, do not linger.",
    "hopeful": "Somebody is better than they need to be; let it show once.",
    "mysterious": "Give the effect and keep the cause.",
}
DOMAIN: Mapping[Domain, str] = {
    "infiltration": "Count what could betray a body: weight, light, breath, habit.",
    "social": "The stakes are what the other one believes; give them a face that changes.",
    "violence": "Say what the blow does to a body, and whether the fallen are dead or down.",
    "pursuit": "Distance is the only number that matters; let it shrink and grow.",
    "arcane": "The ghost field answers and keeps an account; the price shows on the caster first.",
}
SCAR: Mapping[str, str] = {
    "cold": "Pain of others is told like an inventory.",
    "haunted": "Somebody absent is nearly seen.",
    "obsessed": "One thing in the room is always nearer than the rest.",
    "paranoid": "Every kindness has a second reading, and the eye goes to it.",
    "reckless": "The dangerous way looks like the short one.",
    "soft": "The hand stops a moment before it hurts somebody.",
    "unstable": "The feeling of one sentence is not that of the next.",
    "vicious": "Weak places of others are seen first.",
}
"""How each trauma colors what a character sees."""


def colour_of(style: Style, tone: Tone) -> tuple[Ours, ...]:
    """Return how a scene should sound: atmosphere, pressure, class, tone."""
    axes = (ATMOSPHERE[style.atmosphere], PRESSURE[style.pressure], CLASS[style.class_], TONE[tone])
    return tuple(map(Ours, axes))


def scars_of(trauma: Sequence[str]) -> tuple[Ours, ...]:
    """Return how the traumas of a character color what they see; unknown ones are left out."""
    names = (name.casefold() for name in trauma)
    return tuple(Ours(SCAR[known]) for name in names if (known := ALIASES.get(name, name)) in SCAR)
