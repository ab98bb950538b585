"""What an exchange leaves behind beside its turns: hints and questions to models, as telemetry.

Nothing here decides anything: it may fail in any way, and only be missing. Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.campaign.campaign import Campaign
from turnwright.game_master import telemetry
from turnwright.game_master.suggestion_step import Hints, still_open
from turnwright.game_master.telemetry import Asking
from turnwright.model.settings import Settings
from turnwright.model.wire.agent import AgentKind
from turnwright.model.wire.record import as_reply

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction, Record, Reply

Json = Mapping[str, Any]


class TelemetryRecorder:
    """The telemetry of one exchange. Hints are in the record of the first turn that follows them, and only there."""

    def __init__(self, campaign: Campaign, directory: Path, settings: Settings, clock_ms: Callable[[], float]) -> None:
        self._campaign = campaign
        self._directory = directory
        self._settings = settings
        self._clock_ms = clock_ms
        self._askings: list[Asking] = []
        self._hints: dict[tuple[AgentKind, str, Hashable], Hints] = {}
        self._news: tuple[AgentKind, str, Hints] | None = None

    def asked(self, asking: Asking) -> None:
        """Note a question to a model."""
        self._askings.append(asking)

    def hints(
        self,
        agent: AgentKind,
        message: str,
        moment: Hashable,
        applied: Sequence[AppliedAction],
        look: Callable[[], Hints],
    ) -> Hints:
        """Return the hints for a message that are still open.

        Args:
            agent: who answers.
            message: what was said.
            moment: what else they hold for: they are looked for once for each.
            applied: the actions that were applied since the message.
            look: looks for them.
        """
        key = (agent, message, moment)
        if key not in self._hints:
            began = self._clock_ms()
            found = still_open(look(), applied)
            self._hints[key] = found._replace(elapsed_us=round((self._clock_ms() - began) * 1000))
            self._news = (agent, message, self._hints[key])
        return still_open(self._hints[key], applied)

    def write_down(self, reply: Reply, agent: AgentKind) -> None:
        """Add the record of a turn that a model made.

        Args:
            reply: the reply to it.
            agent: whose turn it was.
        """
        if not self._settings["suggestions.enabled"]:
            return
        askings, self._askings = self._askings, []
        message, hints = None, Hints()
        if self._news is not None and self._news[0] is agent:
            _, message, hints = self._news
            self._news = None
        try:
            with self._campaign.reading() as world:
                campaign_id = world.campaign.id
            record = telemetry.record_of(
                campaign=campaign_id,
                agent=agent,
                reply=reply,
                message=message,
                suggested=hints.suggested,
                snapshot=hints.snapshot,
                elapsed_us=hints.elapsed_us,
                models=askings,
                errors=hints.errors,
                keep_message=self._settings["suggestions.debug_log"],
            )
            telemetry.append(self._directory, record)
        except Exception:  # the turn is committed, whatever becomes of the notes on it
            return

    def close(self, turns: Sequence[Reply | Record]) -> None:
        """Write down questions that led to no turn, by the last turn there was.

        Args:
            turns: replies and records, the newest last; what was refused is none of them.
        """
        recorded = [turn for turn in turns if turn["seq"] is not None]
        if self._askings and recorded:
            self._news = None  # the hints are written down with the turn that comes of asking again
            nothing = {"applied_actions": [], "tool_feedback": {"failed_calls": []}, "findings": []}
            self.write_down(as_reply({**recorded[-1], **nothing}), AgentKind(self._askings[-1].agent))
