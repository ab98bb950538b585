"""A pipe within this process: lines in, lines out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.cached_fixtures import schemas

from turnwright import Campaign
from turnwright.pipe.serve import Server
from turnwright.schemas.schemas import validator

Ask = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def ask() -> Ask:
    """Give a function that hands lines to a pipe and returns all that it writes, each checked against its schema."""
    of_line = validator(schemas()["pipe_line.json"])
    of_request = validator(schemas()["pipe_request.json"])

    def asked(campaign: Campaign, *requests: Any, authority: str = "gm") -> list[dict[str, Any]]:
        given = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in requests]
        blocks = iter([b"\n".join(given), b""])
        written: list[bytes] = []
        faults: list[Exception] = []
        Server(campaign, authority, lambda: next(blocks), written.append, faults.append).run()
        assert not faults
        lines: list[dict[str, Any]] = [json.loads(line) for line in written]
        for line in lines:
            of_line.validate(line)
        by_id = {line["id"]: line for line in lines if "id" in line}
        for request in requests:
            if isinstance(request, dict) and by_id[request.get("id")]["ok"]:
                of_request.validate(request)
        return lines

    return asked
