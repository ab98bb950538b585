"""How hard a fight would be: the estimate of the rules, and the results of simulations, side by side.

Source: SRD 5.1, "Monsters", "Challenge"; docs/content.md, "How hard a fight is".
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.content.kinds.monsters import XP
from turnwright.content.pack import Found
from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.content_library import library_in, packs_used, require_entry
from turnwright.rulesets.fifth_edition.fights._monsters import MonstersArgs
from turnwright.rulesets.fifth_edition.fights._threat.report import (
    MAX_MONSTERS,
    PLAYED,
    ByRules,
    BySimulation,
    FoeRow,
    Foes,
    HeroRow,
    Threat,
)
from turnwright.rulesets.fifth_edition.fights._threat.simulation import Simulated, simulate
from turnwright.rulesets.fifth_edition.fights.create_encounter import CreateEncounterArgs, fighting_party
from turnwright.rulesets.tool import Applied, Context

MAX_ROUNDS_IN_ALL = 150
"""After so many rounds no further simulation is begun: a check is quick, however long its fights are."""
_PARTY_OF_THE_RULES = 4
"""The rating of a monster is for a party of so many."""


def check_threat(world: World, foes: Sequence[Foes], runs: int, seed: int, ctx: Context) -> Applied:
    """Report how hard it would be for the party to fight these monsters; the campaign is not changed.

    Args:
        world: the campaign.
        foes: the monsters.
        runs: the number of simulations, at most.
        seed: of its dice.
        ctx: of the call.

    Raises:
        CallFailed: as `create_encounter` would for this fight; `limit_exceeded` for too many monsters.
    """
    count = sum(each.count for each in foes)
    if count > MAX_MONSTERS:
        detail = f"args.monsters: {count} would fight, of at most {MAX_MONSTERS}"
        raise CallFailed(Reason.LIMIT_EXCEEDED, detail, hint.ask("args.monsters", count))
    party = [member for member in fighting_party(world, ctx) if member.hp]
    if not party:
        detail = "nobody of the party can fight here: they have no hit points, or stand elsewhere"
        raise CallFailed(Reason.RULE_VIOLATION, detail)
    entries = [
        require_entry(world, ctx, each.monster, "monsters", f"args.monsters.{index}.monster").found
        for index, each in enumerate(foes)
    ]
    rows = [_row(entry, each.count) for entry, each in zip(entries, foes, strict=True)]
    fight = CreateEncounterArgs.model_validate(
        {
            "participants": [{"character_id": member.id} for member in party],
            "monsters": [MonstersArgs(monster=each.monster, count=each.count).as_written for each in foes],
        }
    )
    library = library_in(world, ctx, "args.monsters")
    fought: list[Simulated] = []
    while len(fought) < runs and sum(each.rounds for each in fought) < MAX_ROUNDS_IN_ALL:
        try:
            fought.append(simulate(world, fight, ctx, library, seed, len(fought)))
        except CallFailed as failure:
            # The call names no participants, so that it cannot mend what is wrong with one.
            own = [each for each in failure.hints if str(each.get("field", "")).startswith("args.monsters")]
            raise failure.replace(hints=own) from None
    threat = Threat(
        party=tuple(_hero(member, fought) for member in party),
        monsters=tuple(rows),
        by_rules=_by_rules(party, rows),
        by_simulation=_by_simulation(fought, seed),
    )
    return Applied({"threat": threat.as_written}, packs=packs_used(entries, ctx))


def _row(entry: Found, count: int) -> FoeRow:
    return FoeRow(monster=entry.id, name=entry.name, count=count, cr=float(entry.value["cr"]), xp=entry.value["xp"])


def _level(member: Character) -> int:
    return member.sheet.level if member.sheet is not None else 1


def _hero(member: Character, fought: Sequence[Simulated]) -> HeroRow:
    return HeroRow(
        id=member.id,
        name=member.label,
        level=_level(member),
        hp=member.hp or 0,
        max_hp=member.max_hp or 0,
        falls_percent=_percent(sum(member.id in each.fell for each in fought), len(fought)),
    )


def _by_rules(party: Sequence[Character], rows: Sequence[FoeRow]) -> ByRules:
    xp = sum(row.xp * row.count for row in rows)
    # A rating that may be worth 0 XP has two values: use the greater; levels are never 0.
    due = sum(max(XP[_level(member)]) for member in party) // _PARTY_OF_THE_RULES
    highest = max(map(_level, party))
    return ByRules(
        xp=xp,
        party_xp=due,
        percent=_percent(xp, due),
        verdict="within" if xp <= due else "beyond",
        above_level=tuple(row.monster for row in rows if row.cr > highest),
    )


def _by_simulation(fought: Sequence[Simulated], seed: int) -> BySimulation:
    runs, rounds = len(fought), [each.rounds for each in fought]
    return BySimulation(
        runs=runs,
        seed=seed,
        mean_rounds=(10 * sum(rounds) + runs // 2) // runs / 10,
        least_rounds=min(rounds),
        most_rounds=max(rounds),
        party_wins_percent=_percent(sum(each.winner == "party" for each in fought), runs),
        undecided_percent=_percent(sum(each.winner is None for each in fought), runs),
        somebody_falls_percent=_percent(sum(bool(each.fell) for each in fought), runs),
        somebody_dies_percent=_percent(sum(bool(each.died) for each in fought), runs),
        plays=PLAYED,
    )


def _percent(part: int, whole: int) -> int:
    """Return a share in percent, rounded to the nearest."""
    return (100 * part + whole // 2) // whole if whole else 0
