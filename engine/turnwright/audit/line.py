"""A line of the log, read without the writer's help: strict JSON, the number that is due, the line before.

Source: docs/stages/5-commit.md, "The log is the truth".
"""

from __future__ import annotations

from typing import Any

from pydantic_core import from_json, to_json

from turnwright.model.strict_json import JsonError, parse_json
from turnwright.store.log import damaged

Record = dict[str, Any]


def record_on(line: bytes, seq: int, prev: str) -> Record:
    """Return the record on a line.

    Raises:
        CampaignInvalid: naming the record, when it is no record, not the one that belongs here, or the line before is
            not the one it was written after.
    """
    try:
        record = strictly(line)
    except JsonError as error:
        raise damaged(seq, f"record {seq}: {error}") from None
    if not isinstance(record, dict) or type(record.get("seq")) is not int or record["seq"] != seq:
        raise damaged(seq, f"record {seq} is not here")
    if record.get("prev") != prev:
        if seq == 0:
            raise damaged(0, "record 0 speaks of a line before it, but is the first")
        raise damaged(seq, f"record {seq} was not written after the line that stands before it")
    return record


def strictly(data: bytes) -> Any:
    """Return the JSON value of some text, by the protocol's rules.

    Text that comes out again as it went in breaks none of them: no key is lost to its double, every number is held
    exactly, all is UTF-8. What is spelt in any other way is read slowly, rule by rule.

    Raises:
        JsonError: when a rule is broken.
    """
    try:
        value = from_json(data, allow_inf_nan=False, cache_strings="keys")
        if to_json(value) == data:
            return value
    except ValueError:
        pass  # the slow way knows which rule it was
    return parse_json(data)
