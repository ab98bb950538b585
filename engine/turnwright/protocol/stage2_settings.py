"""Stage 2: what holds for this turn: settings in force, authority, acting character.

Source: docs/stages/2-settings.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from turnwright.model.authority import GM, player_of
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument, Protocol, Selected
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.errors import BadRequest
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.settings import Rows, Settings, SettingsFault, patched, settings_of
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import json_fault
from turnwright.model.wire import hint
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.turn import Turn
from turnwright.protocol.lifecycle import end_reason
from turnwright.protocol.stage1_intake import TurnRefused
from turnwright.rulesets.conversation import Conversation
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.registry import RulesetTables

DIALOG_TYPES = ("scene_description", "action_prompt", "resolution_summary", "rule_explanation")
_PLAYER_KEYS = frozenset({"turn_id", "actor_id", "user_input", "answer", "tool_calls", "atomic", "prompt_id"})


class TurnPolicy(NamedTuple):
    """What holds for one turn.

    Attributes:
        settings: the settings in force, at `revision`.
        protocol: the contract of the core tools.
        authority: `gm` or `player:<character id>`; it comes from the door, never from the turn.
        acting_id: on whose behalf the turn runs, or None.
        dialog_type: one of `DIALOG_TYPES`; empty outside of a turn.
        dialog_type_source: `model` or `fallback`; empty outside of a turn.
        rulesets: the tables of the rulesets in use.
        is_of_model: whether a model made the turn, which has no dice of its own to give.
        conversation: what a ruleset awaits and takes beside calls; None where none holds a conversation.
    """

    settings: Settings
    revision: int
    protocol: Protocol
    authority: str
    acting_id: str | None
    dialog_type: str
    dialog_type_source: str
    rulesets: RulesetTables
    is_of_model: bool = False
    conversation: Conversation | None = None

    @property
    def is_player(self) -> bool:
        """Whether the turn came through a player's door."""
        return self.authority != GM


def between_turns(
    campaign: CampaignDocument, settings: Settings, acting_id: str | None, authority: str = GM
) -> TurnPolicy:
    """Return what holds under these settings for what is asked outside of a turn, on behalf of a character."""
    revision, contract = campaign.settings_revision, campaign.contract
    return TurnPolicy(settings, revision, contract, authority, acting_id, "", "", tables_of(campaign))


def require_authority(authority: Any) -> None:
    """Refuse what is neither the game master's authority nor that of a player.

    Raises:
        BadRequest: saying what an authority is.
    """
    if authority == GM:
        return
    if not isinstance(authority, str) or player_of(authority) is None or json_fault(authority):
        raise BadRequest("an authority is gm, or player: and the id of a character")


def resolve_turn_policy(turn: Turn, world: World, authority: str, *, by_model: bool = False) -> TurnPolicy:
    """Return what holds for a turn.

    Args:
        turn: the turn.
        world: the campaign.
        authority: that of the door it came through.
        by_model: whether the door knows a model to have made it; a turn with `agent` says so itself.

    Raises:
        TurnRefused: `campaign_ended`, `not_permitted`, `actor_not_in_party`, or `invalid_turn` for a dialog type
            that strict checking does not take.
    """
    campaign = world.campaign
    rulesets = tables_of(campaign)
    settings = settings_of(campaign.settings, rulesets.settings)
    if settings["lifecycle.enabled"] and (reason := end_reason(campaign, [member.state for member in world.party()])):
        raise TurnRefused(Reason.CAMPAIGN_ENDED, f"the campaign has ended: {reason}")
    conversation = rulesets.conversation(world)
    acting_id = _acting(turn, world, campaign.selected, authority, conversation)
    dialog_type, source = _dialog_type(turn, settings)
    is_of_model = by_model or turn.has("agent")
    revision, contract = campaign.settings_revision, campaign.contract
    return TurnPolicy(
        settings, revision, contract, authority, acting_id, dialog_type, source, rulesets, is_of_model, conversation
    )


def _acting(
    turn: Turn, world: World, selected: Selected, authority: str, conversation: Conversation | None
) -> str | None:
    party = selected.party_character_ids
    named = turn.actor_id
    player = player_of(authority)
    if player is not None:
        foreign = sorted(key for key in turn.model_fields_set if key not in _PLAYER_KEYS and not key.startswith("x_"))
        if foreign:
            raise TurnRefused(Reason.NOT_PERMITTED, f"$.{foreign[0]}: not for players")
        if named not in (None, player):
            raise TurnRefused(Reason.NOT_PERMITTED, f"$.actor_id: this door acts as {player}")
        named = player
    if named is None:
        return _answered(conversation, world, party) or selected.active_actor_id
    if named not in party:
        from turnwright.rulesets.reference_lookup import replace_actor  # only what is refused needs it

        repair = replace_actor(world, "actor_id", named, party)
        raise TurnRefused(Reason.ACTOR_NOT_IN_PARTY, f"{named} is not in the party", hint=repair)
    return named


def _answered(conversation: Conversation | None, world: World, party: Sequence[str]) -> str | None:
    """Return the character whom an awaited turn of the game master answers; None where none is awaited."""
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
"""What of a campaign's document people change in its file."""


def patched_campaign(before: CampaignDocument, changes: Mapping[str, Any]) -> tuple[CampaignDocument, list[str]]:
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
