"""The typed dicts of stat blocks and of results of fights against the models that check the same: their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import BaseModel

from turnwright.content.kinds import monsters
from turnwright.content.kinds import shapes as kinds
from turnwright.model import content_shapes
from turnwright.rulesets.fifth_edition import shapes
from turnwright.rulesets.fifth_edition.damage import ConcentrationCheck
from turnwright.rulesets.fifth_edition.fights import _action_result, _turn_rows
from turnwright.rulesets.fifth_edition.fights._economy import EconomyShown
from turnwright.rulesets.fifth_edition.rolls import SaveResult
from turnwright.rulesets.fifth_edition.triggers import EffectRow, TriggerRow

OF_CONTENT: Sequence[tuple[type, type[BaseModel]]] = [
    (content_shapes.DamageShape, kinds.Damage),
    (content_shapes.HealingShape, kinds.Healing),
    (content_shapes.SaveShape, kinds.Save),
    (content_shapes.AreaShape, kinds.Area),
    (content_shapes.ConditionShape, kinds.Inflicted),
    (content_shapes.TargetsShape, kinds.Targets),
    (content_shapes.OnlyShape, kinds.Only),
    (content_shapes.ForcedMoveShape, kinds.ForcedMove),
    (content_shapes.ResistanceShape, kinds.Resistance),
    (content_shapes.BlockAttack, kinds.Attack),
    (content_shapes.BlockGrapple, kinds.Grapple),
    (content_shapes.BlockRecharge, kinds.Recharge),
    (content_shapes.BlockUses, kinds.Uses),
    (content_shapes.ActionUse, monsters.ActionUse),
    (content_shapes.BlockCasting, monsters.MonsterCasting),
    (content_shapes.BlockPart, monsters.LegendaryAction),
    (content_shapes.BlockArmorClass, monsters.ArmorClass),
    (content_shapes.BlockHitPoints, monsters.HitPoints),
    (content_shapes.Speeds, monsters.Speeds),
    (content_shapes.BlockLegendary, monsters.Legendary),
    (content_shapes.StatBlock, monsters.Monster),
]
OF_RESULTS: Sequence[tuple[type, type[BaseModel]]] = [
    (shapes.SaveReport, SaveResult),
    (shapes.FullSaveReport, _action_result.SaveShown),
    (shapes.EffectReport, EffectRow),
    (shapes.TriggerReport, TriggerRow),
    (shapes.ConcentrationReport, ConcentrationCheck),
    (shapes.ImageReport, _action_result.ImageShown),
    (shapes.AmmunitionReport, _action_result.AmmunitionShown),
    (shapes.AttackReport, _action_result.AttackShown),
    (shapes.DamagePartReport, _action_result.DamagePart),
    (shapes.DamageReport, _action_result.DamageShown),
    (shapes.HitPointsReport, _action_result.TargetHp),
    (shapes.CheckReport, _action_result.CheckShown),
    (shapes.ContestReport, _action_result.ContestShown),
    (shapes.SlotReport, _action_result.SlotShown),
    (shapes.MovementReport, _action_result.MovementShown),
    (shapes.OpportunityReport, _action_result.OpportunityShown),
    (shapes.EconomyReport, EconomyShown),
    (shapes.ConditionReport, _turn_rows.ExpiredRow),
    (shapes.TickedReport, _turn_rows.TickedRow),
    (shapes.ConditionSaveReport, _turn_rows.SaveRow),
    (shapes.HazardReport, _turn_rows.HazardRow),
    (shapes.RechargeReport, _turn_rows.RechargedRow),
    (shapes.RegeneratedReport, _turn_rows.RegeneratedRow),
    (shapes.LastingReport, _turn_rows.LastingRow),
]


def keys_of(model: type[BaseModel]) -> set[str]:
    """Return the keys of a model as they are written."""
    return {field.alias or name for name, field in model.model_fields.items()}


def always_written(model: type[BaseModel]) -> set[str]:
    """Return the keys that are written whatever they hold."""
    return {field.alias or name for name, field in model.model_fields.items() if field.exclude_if is None}


@pytest.mark.parametrize(("shape", "model"), OF_CONTENT, ids=lambda each: each.__name__)
def test_a_shape_of_content_names_keys_that_entries_have(shape: Any, model: type[BaseModel]) -> None:
    assert set(shape.__annotations__) <= keys_of(model)
    assert set(shape.__required_keys__) <= always_written(model)


@pytest.mark.parametrize(("shape", "model"), OF_RESULTS, ids=lambda each: each.__name__)
def test_a_report_has_the_keys_of_its_model(shape: Any, model: type[BaseModel]) -> None:
    assert set(shape.__annotations__) == keys_of(model)
    assert set(shape.__required_keys__) == always_written(model)


def test_a_report_of_an_action_names_keys_of_the_result_or_of_a_row() -> None:
    known = keys_of(_action_result.ExecuteActionResult) | keys_of(_action_result.TargetRow)
    assert set(shapes.ActionReport.__annotations__) <= known
    assert set(shapes.ActionResult.__annotations__) == known
