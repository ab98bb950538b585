"""One role's MCP server: the handlers of the protocol, for both of its eras, over a door.

The handlers run the campaign in threads, one call of a tool after the other, in the order in which they came.
Source: docs/mcp.md.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from turnwright import __version__
from turnwright.mcp import apps, elicitation, prompts, resources, tools
from turnwright.mcp.door import Door
from turnwright.mcp.outcome import Outcome
from turnwright.mcp.watch import Subscribers, Watch
from turnwright.model.errors import CampaignError, CampaignInvalid
from turnwright.model.open_request import OpenRequest
from turnwright.store.files import Files

logger = logging.getLogger(__name__)
T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
ANSWER_TIMEOUT = 600.0
"""Seconds that people have for a form before the call continues without their answer."""
_PROGRESS_EVERY = 1.0
_MAX_ROUNDS = 8
"""The most forms that one call asks for, as dice call for more dice."""
_NAME = "turnwright"


class RoleServer(Server[None]):
    """A server that says what it does: its lists change, for clients of the handshake versions, too."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Return what the handshake tells of this server."""
        changing = NotificationOptions(tools_changed=True, resources_changed=True)
        return super().create_initialization_options(
            notification_options or changing, experimental_capabilities, extensions or self.extensions
        )


def make_server(door: Door, files: Files) -> RoleServer:
    """Return the server of one role.

    Args:
        door: the role and its campaign.
        files: the campaign's directory, whose log is watched.
    """
    handlers = _Handlers(door, files)
    server = RoleServer(
        _NAME,
        version=__version__,
        title="turnwright",
        instructions=_instructions(door),
        lifespan=handlers.watching,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_subscribe_resource=handlers.subscribe,
        on_unsubscribe_resource=handlers.unsubscribe,
        on_subscriptions_listen=ListenHandler(handlers.subscribers.bus),
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )
    server.extensions = dict(apps.EXTENSION)
    server.add_notification_handler("notifications/initialized", types.NotificationParams, handlers.initialized)
    return server


def _instructions(door: Door) -> str:
    if not door.is_game_master:
        return (
            "A tabletop campaign as the player of one character knows it. Hand in what the character says and does "
            "with submit_turn; the prompt start_session says more."
        )
    return (
        "A tabletop campaign whose state an engine keeps: ask it with tools, tell only what the results bear out, and "
        "hand in what the player said and your narration with submit_turn. The prompt start_session says more."
    )


class _Handlers:
    """The handlers of one role."""

    def __init__(self, door: Door, files: Files) -> None:
        self._door = door
        self.subscribers = Subscribers()
        self._watch = Watch(door, files, self.subscribers)
        self._one_by_one = anyio.Lock(fast_acquire=True)
        self._has_refused_forms = False
        """Whether people, or a client that shows them nothing, left a form unanswered: they are not asked unbidden."""

    @asynccontextmanager
    async def watching(self, _: Server[None]) -> AsyncIterator[None]:
        """Watch the log while the server runs."""
        await self._watch.begin()
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch.run)
            try:
                yield
            finally:
                group.cancel_scope.cancel()

    async def initialized(self, ctx: Context, _: types.NotificationParams) -> None:
        """Note a connection of the handshake versions."""
        self.subscribers.add(ctx.session)

    # tools

    async def list_tools(self, _: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """List the tools that are offered now."""
        _require_no_cursor(params)
        return types.ListToolsResult(tools=await self._run(lambda: tools.list_tools(self._door)))

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Call a tool, or continue a call for which people were asked."""
        if params.request_state is not None:
            outcome, is_asked = await self._resumed(params), False
        else:
            name, args = params.name, params.arguments or {}
            async with self._one_by_one:
                outcome = await self._with_progress(ctx, lambda: tools.run_tool(self._door, name, args))
            is_asked = name == "answer_request" and "value" not in args
        for _ in range(_MAX_ROUNDS):
            request = await self._to_ask(ctx, outcome, is_asked=is_asked)
            if request is None:
                break
            form = await self._run(partial(elicitation.form_for, self._door, request))
            if form is None:
                break
            if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
                asked = types.ElicitRequest(params=form)
                state = elicitation.AskedFor(outcome.seq, request.id).encode()
                return types.InputRequiredResult(input_requests={elicitation.FORM_KEY: asked}, request_state=state)
            answer = await self._asked_in_session(ctx, form)
            value = elicitation.value_of(request, answer)
            if value is None:
                self._has_refused_forms = True
                break
            outcome = await self._answered(outcome, request, value)
        return tools.as_result(outcome)

    async def _to_ask(self, ctx: Context, outcome: Outcome, *, is_asked: bool) -> OpenRequest | None:
        """Return the request that a call opened and that the people at this client are to be asked, if any."""
        if not outcome.data.get("request") or not elicitation.can_ask(ctx.session.client_capabilities):
            return None
        if self._has_refused_forms and not is_asked:
            return None
        return await self._run(self._door.open_request)

    async def _asked_in_session(self, ctx: Context, form: types.ElicitRequestFormParams) -> types.ElicitResult | None:
        """Show a form to the people at a client of the handshake versions; None where they give no answer in time."""
        with anyio.move_on_after(ANSWER_TIMEOUT):
            try:
                return await ctx.session.elicit_form(
                    form.message, form.requested_schema, related_request_id=ctx.request_id
                )
            except MCPError as error:
                logger.info("the client shows no forms: %s", error.error.code)
        return None

    async def _resumed(self, params: types.CallToolRequestParams) -> Outcome:
        """Return the outcome of a call for which a client of 2026-07-28 has asked people; the call is not run again."""
        asked = elicitation.AskedFor.decode(params.request_state or "")
        if asked is None:
            raise MCPError(types.INVALID_PARAMS, "requestState is not one that this server gave")
        before = await self._run(lambda: self._door.outcome_of_record(asked.seq) if asked.seq is not None else None)
        request = await self._run(self._door.open_request)
        given = (params.input_responses or {}).get(elicitation.FORM_KEY)
        answer = given if isinstance(given, types.ElicitResult) else None
        is_open = request is not None and request.id == asked.request_id
        value = elicitation.value_of(request, answer) if request is not None and is_open else None
        if request is None or value is None:
            self._has_refused_forms = True
            if before is not None:
                return before
            return await self._in_order(lambda: tools.run_tool(self._door, "answer_request", {}))
        return await self._answered(before, request, value)

    async def _answered(self, before: Outcome | None, request: OpenRequest, value: Any) -> Outcome:
        """Hand in what people answered, and return what it brought, after what was before it."""
        self._has_refused_forms = False
        after = await self._in_order(
            lambda: tools.guarded(self._door, lambda: self._door.answer(value, request.id, source="person"))
        )
        text = f"{before.text}\n\nthe player answered {value}:\n{after.text}" if before else after.text
        return after._replace(text=text)

    async def _in_order(self, run: Callable[[], Outcome]) -> Outcome:
        async with self._one_by_one:
            return await self._run(run)

    async def _with_progress(self, ctx: Context, run: Callable[[], Outcome]) -> Outcome:
        """Run a call; if it takes long, send progress to a client that requested it."""
        if ctx.meta is None or "progress_token" not in ctx.meta:
            return await self._run(run)
        async with anyio.create_task_group() as group:
            group.start_soon(_report_progress, ctx)
            outcome = await self._run(run)
            group.cancel_scope.cancel()
        return outcome

    # resources

    async def list_resources(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """List what can be read now."""
        _require_no_cursor(params)
        return types.ListResourcesResult(resources=await self._run(lambda: apps.offered_resources(self._door)))

    async def list_templates(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """List the addresses with a variable."""
        _require_no_cursor(params)
        return types.ListResourceTemplatesResult(resource_templates=resources.list_templates())

    async def read_resource(self, _: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Read one resource."""
        read = apps.read_app_page if params.uri.startswith(apps.SCHEME) else resources.read_resource
        contents = await self._run(lambda: read(self._door, params.uri))
        return types.ReadResourceResult(contents=[contents])

    async def subscribe(self, ctx: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        """Tell a connection of changes of a resource from now on."""
        self.subscribers.subscribe(ctx.session, params.uri)
        return types.EmptyResult()

    async def unsubscribe(self, ctx: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        """Tell a connection of changes of a resource no more."""
        self.subscribers.unsubscribe(ctx.session, params.uri)
        return types.EmptyResult()

    # prompts

    async def list_prompts(self, _: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """List the prompts."""
        _require_no_cursor(params)
        return types.ListPromptsResult(prompts=prompts.list_prompts(self._door))

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Write a prompt as things stand."""
        given = params.arguments or {}
        return await self._run(lambda: prompts.get_prompt(self._door, params.name, given))

    async def complete(self, _: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Return the values that an argument, or a variable of an address, may have."""
        values = await self._run(lambda: _completions(self._door, params))
        shown = values[:100]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
        )

    async def _run(self, work: Callable[[], T]) -> T:
        """Do what reaches the campaign in a thread; say what went wrong as the protocol does, and no more of it."""
        try:
            return await anyio.to_thread.run_sync(work)
        except CampaignError as error:
            raise MCPError(types.INVALID_PARAMS, _told(error, is_all=self._door.is_game_master)) from None
        except Exception:
            logger.exception("a request could not be handled")
            raise MCPError(types.INTERNAL_ERROR, "internal error; the log of the server says more") from None


def _told(error: CampaignError, *, is_all: bool) -> str:
    return error.reason.value if isinstance(error, CampaignInvalid) and not is_all else str(error)


def _completions(door: Door, params: types.CompleteRequestParams) -> list[str]:
    argument = params.argument
    if isinstance(params.ref, types.PromptReference):
        return prompts.complete_argument(door, params.ref.name, argument.name, argument.value)
    return resources.complete(door, params.ref.uri, argument.name, argument.value)


def _require_no_cursor(params: types.PaginatedRequestParams | None) -> None:
    if params is not None and params.cursor is not None:
        raise MCPError(types.INVALID_PARAMS, "there is one page, and no cursor")


async def _report_progress(ctx: Context) -> None:
    seconds = 0
    while True:
        await anyio.sleep(_PROGRESS_EVERY)
        seconds += 1
        await ctx.session.report_progress(float(seconds), message="the engine is at work")


__all__ = ["RoleServer", "make_server"]
