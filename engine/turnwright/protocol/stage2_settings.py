"""Stage 2: resolve the policy of this turn: settings in force, authority, acting character.

Source: docs/stages/2-settings.md.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from turnwright.model.authority import GM, player_of
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument, Protocol, Selected
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.errors import BadRequest
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import Rows, Settings, SettingsFault, patched
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import json_fault
from turnwright.model.wire import hint
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.turn import Turn
from turnwright.protocol.lifecycle import end_reason
from turnwright.protocol.stage1_intake import ParsedTurn, TurnRefused
from turnwright.rulesets.conversation import Conversation
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.registry import RulesetTables
from turnwright.rulesets.toolbox import Toolbox

DIALOG_TYPES = ("scene_description", "action_prompt", "resolution_summary", "rule_explanation")
_PLAYER_KEYS = frozenset({"turn_id", "actor_id", "user_input", "answer", "tool_calls", "atomic", "prompt_id"})


class TurnPolicy(NamedTuple):
    """The policy of one turn.

    Attributes:
        settings: the settings in force, at `revision`.
        protocol: the contract of the core tools.
        authority: `gm` or `player:<character id>`; it comes from the caller, never from the turn.
        acting_id: the character that the turn acts for, or None.
        dialog_type: one of `DIALOG_TYPES`; empty outside of a turn.
        dialog_type_source: `model` or `fallback`; empty outside of a turn.
        rulesets: the tables of the rulesets in use.
        is_of_model: whether a model made the turn; models must not supply dice.
        conversation: what a ruleset awaits and accepts beside calls; None if no ruleset holds a conversation.
        is_player: whether the turn has the authority of a player.
        asks_table: whether the table rolls the turn's dice; the engine rolls those of players' turns.
        tools: the tools of the campaign's rulesets.
        allowlist: the names of the tools that the campaign permits.
    """

    settings: Settings
    revision: int
    protocol: Protocol
    authority: str
    acting_id: str | None
    dialog_type: str
    dialog_type_source: str
    rulesets: RulesetTables
    is_of_model: bool
    conversation: Conversation | None
    is_player: bool
    asks_table: bool
    tools: Toolbox
    allowlist: Sequence[str]


def between_turns(
    campaign: CampaignDocument, settings: Settings, acting_id: str | None, authority: str = GM
) -> TurnPolicy:
    """Return what holds under these settings for what is asked outside of a turn, on behalf of a character."""
    return _policy(campaign, settings, tables_of(campaign), authority, acting_id)


def _policy(
    campaign: CampaignDocument,
    settings: Settings,
    rulesets: RulesetTables,
    authority: str,
    acting_id: str | None,
    *,
    dialog_type: tuple[str, str] = ("", ""),
    is_of_model: bool = False,
    conversation: Conversation | None = None,
) -> TurnPolicy:
    is_player = authority != GM
    return TurnPolicy(
        settings,
        campaign.settings_revision,
        campaign.contract,
        authority,
        acting_id,
        *dialog_type,
        rulesets,
        is_of_model=is_of_model,
        conversation=conversation,
        is_player=is_player,
        asks_table=not is_player and settings["dice.source"] == "table",
        tools=rulesets.toolbox,
        allowlist=campaign.allowlist,
    )


def require_authority(authority: Any) -> None:
    """Refuse what is neither the game master's authority nor that of a player.

    Raises:
        BadRequest: saying what an authority is.
    """
    if authority == GM:
        return
    if not isinstance(authority, str) or player_of(authority) is None or json_fault(authority):
        raise BadRequest("an authority is gm, or player: and the id of a character")


def resolve_turn_policy(
    received: ParsedTurn,
    turn_id: str,
    world: World,
    campaign: CampaignDocument,
    settings: Settings,
    rulesets: RulesetTables,
    authority: str,
    *,
    by_model: bool = False,
    door_tool: str = "",
) -> TurnPolicy:
    """Return the policy of a turn.

    Args:
        received: the turn.
        turn_id: its id.
        world: the campaign.
        campaign: its document.
        settings: those in force.
        rulesets: the tables of the rulesets in use.
        authority: that of the caller.
        by_model: whether the caller knows that a model made the turn; a turn with `agent` declares it itself.
        door_tool: the one tool of doors that it may call; "" for none.

    Raises:
        TurnRefused: `campaign_ended`, `not_permitted`, `actor_not_in_party`, or `invalid_turn` for a dialog type
            that strict checking does not take.
    """
    try:
        if settings["lifecycle.enabled"]:
            _require_not_ended(world, campaign)
        has_begun = any(world.get(path) is not None for path in rulesets.conversation_paths)
        conversation = rulesets.conversation(world) if has_begun else None
        policy = _policy(
            campaign,
            settings,
            rulesets,
            authority,
            _acting(received.turn, world, campaign.selected, authority, conversation),
            dialog_type=_dialog_type(received.turn, settings),
            is_of_model=by_model or "agent" in received.raw,
            conversation=conversation,
        )
        if not door_tool:
            return policy
        if not any(door_tool in each.door_tools for each in rulesets.rulesets):
            raise TurnRefused(Reason.INVALID_TURN, f"no ruleset of this campaign has {door_tool}")
        return policy._replace(tools=policy.tools.with_door_tool(door_tool), allowlist=(*policy.allowlist, door_tool))
    except TurnRefused as refused:
        refused.turn_id = turn_id
        raise


def _require_not_ended(world: World, campaign: CampaignDocument) -> None:
    reason = end_reason(campaign, [member.state for member in world.party()])
    if reason:
        raise TurnRefused(Reason.CAMPAIGN_ENDED, f"the campaign has ended: {reason}")


def _acting(
    turn: Turn, world: World, selected: Selected, authority: str, conversation: Conversation | None
) -> str | None:
    party = selected.party_character_ids
    named = turn.actor_id
    player = None if authority == GM else player_of(authority)
    if player is not None:
        foreign = sorted(key for key in turn.model_fields_set if key not in _PLAYER_KEYS and not key.startswith("x_"))
        if foreign:
            raise TurnRefused(Reason.NOT_PERMITTED, f"$.{foreign[0]}: not for players")
        if named not in (None, player):
            raise TurnRefused(Reason.NOT_PERMITTED, f"$.actor_id: this door acts as {player}")
        named = player
    if named is None:
        return _awaited_actor(conversation, world, party) or selected.active_actor_id
    if named not in party:
        from turnwright.rulesets.reference_lookup import replace_actor  # only what is refused needs it

        repair = replace_actor(world, "actor_id", named, party)
        raise TurnRefused(Reason.ACTOR_NOT_IN_PARTY, f"{named} is not in the party", hint=repair)
    return named


def _awaited_actor(conversation: Conversation | None, world: World, party: Sequence[str]) -> str | None:
    """Return the character that an awaited game master's turn answers; None if none is awaited."""
    character_id = conversation.awaited_actor(world) if conversation else None
    return character_id if character_id in party else None


def _dialog_type(turn: Turn, settings: Settings) -> tuple[str, str]:
    given = (turn.dialog_type or "").strip().lower()
    if given in DIALOG_TYPES:
        return given, "model"
    if given and settings["dialog.strict_semantic_guard"]:
        repair = hint.name("dialog_type", turn.dialog_type, DIALOG_TYPES)
        raise TurnRefused(Reason.INVALID_TURN, f"$.dialog_type: {given} is no dialog type", hint=repair)
    return DIALOG_TYPES[0], "fallback"


OWN_KEYS = ("selected.active_actor_id", "goal.text", "goal.status")
"""Keys outside `settings` that a patch takes too."""
_BY_HAND = frozenset({"allowlist", "protocol", "selected", "title"})
"""The parts of a campaign's document that people edit in its file."""


def patched_campaign(before: CampaignDocument, changes: JsonObject) -> tuple[CampaignDocument, list[str]]:
    """Return the campaign's document with a patch of dotted keys applied, and the keys whose value changed.

    All or nothing. A patch that changes nothing leaves the revision as it is; any other raises it by one.

    Raises:
        BadRequest: naming the keys that cannot be set so.
    """
    if fault := json_fault(dict(changes)):
        raise BadRequest(fault)
    own = {key: value for key, value in changes.items() if key in OWN_KEYS}
    after, faults = before, []
    for key, value in own.items():
        try:
            after = _with_own(after, key, value)
        except ValidationError as error:
            faults.append(f"{key}: {sentence(faults_of(error)[0])}")
    rows = tables_of(before).settings
    try:
        settings, changed = patched(before.settings, {key: changes[key] for key in changes if key not in own}, rows)
    except SettingsFault as error:
        faults += [f"{key}: {fault}{_where_instead(key, rows)}" for key, fault in error.faults]
        raise BadRequest("; ".join(faults)) from None
    if faults:
        raise BadRequest("; ".join(faults))
    after = after.replace(settings=settings)
    changed = [key for key in changes if key in changed or (key in own and _own(before, key) != _own(after, key))]
    return (after.replace(settings_revision=before.settings_revision + 1), changed) if changed else (before, [])


def _where_instead(key: str, rows: Rows) -> str:
    """Return how to end what is said of a key that is no setting, and near to none: what was meant, or where it is."""
    if key in rows or did_you_mean(key, rows):
        return ""
    if key.partition(".")[0] in _BY_HAND:
        return f"; edit {CAMPAIGN_PATH} to change it"
    return did_you_mean(key, OWN_KEYS)


def _own(campaign: CampaignDocument, key: str) -> Any:
    group, _, name = key.partition(".")
    return getattr(getattr(campaign, group), name)


def _with_own(campaign: CampaignDocument, key: str, value: Any) -> CampaignDocument:
    group, _, name = key.partition(".")
    return campaign.replace(**{group: getattr(campaign, group).replace(**{name: value})})
