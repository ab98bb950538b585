"""Every rule of suggestion, a line each, in the order that breaks ties.

To add one: a small class in this folder, its line here, its words in the packs. Source: docs/suggestions.md, "A rule".
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.suggest.rule import Rule
from turnwright.suggest.rules.check import Check
from turnwright.suggest.rules.combat_start import CombatStart
from turnwright.suggest.rules.fight import Attack, CombatAct, CombatOverText, TurnEnd
from turnwright.suggest.rules.fight_state import CombatOver, Concentration, DeathSave
from turnwright.suggest.rules.harm import HpChange
from turnwright.suggest.rules.items import ItemGive, ItemOfferAccept, ItemTake, NpcGives
from turnwright.suggest.rules.journey import Travel, UnknownPlace
from turnwright.suggest.rules.money import Currency
from turnwright.suggest.rules.party import Party
from turnwright.suggest.rules.quests import QuestAccept, QuestProgress
from turnwright.suggest.rules.rest import LongRest, ShortRest
from turnwright.suggest.rules.scene import SceneTools
from turnwright.suggest.rules.secret import Secret
from turnwright.suggest.rules.spell import Slot

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
