"""disengage: leave without being struck at."""

from __future__ import annotations

from turnwright.tools.combat._act import Act, Prepared, Report


def disengage(act: Act) -> Prepared:
    """Provoke no opportunity attacks for the rest of the turn."""

    def carry_out() -> Report:
        act.change(act.actor_id, economy=act.actor.economy.having(disengaged=True))
        return {}

    return Prepared(carry_out)
