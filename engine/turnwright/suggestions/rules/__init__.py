"""Every rule of suggestion, a line each, in the order that breaks ties.

To add one: a small class in this folder, its line here, its words in the packs. Source: docs/suggestions.md, "A rule".
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.suggestions.rule import Rule
from turnwright.suggestions.rules.check import Check
from turnwright.suggestions.rules.combat_start import CombatStart
from turnwright.suggestions.rules.fight import Attack, CombatAct, CombatOverText, TurnEnd
from turnwright.suggestions.rules.fight_state import CombatOver, Concentration, DeathSave
from turnwright.suggestions.rules.harm import HpChange
from turnwright.suggestions.rules.items import ItemGive, ItemOfferAccept, ItemTake, NpcGives
from turnwright.suggestions.rules.journey import Travel, UnknownPlace
from turnwright.suggestions.rules.money import Currency
from turnwright.suggestions.rules.party import Party
from turnwright.suggestions.rules.quests import QuestAccept, QuestProgress
from turnwright.suggestions.rules.rest import LongRest, ShortRest
from turnwright.suggestions.rules.scene import SceneTools
from turnwright.suggestions.rules.secret import Secret
from turnwright.suggestions.rules.spell import Slot

RULES: tuple[Rule, ...] = (
    QuestAccept(),
    QuestProgress(),
    ItemTake(),
    ItemGive(),
    ItemOfferAccept(),
    NpcGives(),
    Currency(),
    Attack(),
    CombatAct(),
    HpChange(),
    TurnEnd(),
    CombatOver(),
    CombatOverText(),
    CombatStart(),
    Travel(),
    ShortRest(),
    LongRest(),
    Party(),
    Check(),
    Secret(),
    DeathSave(),
    Concentration(),
    Slot(),
    SceneTools(),
    UnknownPlace(),
)
RULES_BY_ID: Mapping[str, Rule] = {rule.id: rule for rule in RULES}
