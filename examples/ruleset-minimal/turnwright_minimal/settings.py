"""What a campaign may set: `turnwright set mill minimal.success_from=4`."""

from __future__ import annotations

from turnwright.rulesets.api import Setting

SETTINGS = (Setting("minimal.success_from", 5, "The lowest face that is a success.", 2, 6),)
