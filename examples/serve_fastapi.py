"""The engine inside a web service: players hand in turns and follow what they may see, over HTTP.

    CAMPAIGN=my-campaign TOKENS='{"secret-of-the-gm": "gm", "secret-of-mira": "player:pc_001"}' \
        uvicorn --app-dir examples serve_fastapi:app

Needs `pip install fastapi uvicorn`. The token decides who asks, never the request.
"""

import json
import os
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, HTTPException
from fastapi.responses import StreamingResponse

from turnwright import AsyncCampaign, CampaignBusy, CampaignError, Viewer

TOKENS = json.loads(os.environ["TOKENS"])


@asynccontextmanager
async def opened(app):
    """Keep the campaign open as long as the service runs."""
    async with AsyncCampaign.open(os.environ["CAMPAIGN"]) as campaign:
        app.state.campaign = campaign
        yield


app = FastAPI(lifespan=opened)


@app.exception_handler(CampaignError)
async def refuse(_request, error):
    """Answer with the reason; the message of an invalid campaign is the game master's alone."""
    from fastapi.responses import JSONResponse

    return JSONResponse({"reason": error.reason.value}, 503 if isinstance(error, CampaignBusy) else 400)


def authority(authorization: Annotated[str, Header()] = ""):
    """Return whose token it is: `gm`, or `player:` and an id."""
    token = authorization.removeprefix("Bearer ")
    if token not in TOKENS:
        raise HTTPException(401)
    return TOKENS[token]


Who = Annotated[str, Depends(authority)]


@app.post("/turns")
async def hand_in(turn: dict[str, Any], who: Who):
    """Take a turn and return the reply, as far as the one who hands it in may see it."""
    reply = await app.state.campaign.process(turn, authority=who)
    return await app.state.campaign.project(reply, Viewer.of(who), own=True)


@app.get("/tools")
async def tools(who: Who, form: str = "openai", profile: str = "full"):
    """Return the tools that may be called now."""
    return await app.state.campaign.tools(form, viewer=Viewer.of(who), profile=profile)


@app.get("/recall")
async def recall(who: Who, query: str):
    """Search what happened."""
    return await app.state.campaign.recall(query, viewer=Viewer.of(who))


@app.get("/records")
async def follow(who: Who, after: int = -1):
    """Send records as they are committed, as server-sent events."""

    async def events():
        async for record in app.state.campaign.follow(viewer=Viewer.of(who), after=after):
            yield f"id: {record['seq']}\ndata: {json.dumps(record)}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")
