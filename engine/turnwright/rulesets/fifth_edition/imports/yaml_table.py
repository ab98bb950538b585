"""Characters in YAML: one map, or a list of maps, of the fields of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.model.data import parsed_untrusted
from turnwright.model.json_fault import find_json_fault
from turnwright.model.strict_json import deeper_than
from turnwright.rulesets.fifth_edition.imports.table import MAX_TABLE_BYTES, read_row
from turnwright.rulesets.imports import MAX_CHARACTERS, Imported, ImportFault, Target

FORMAT = "yaml"


def read_yaml(data: bytes, target: Target) -> list[Imported]:
    """Return the characters of a YAML file.

    Raises:
        ImportFault: for a file that is not plain YAML, and for an invalid field.
    """
    if len(data) > MAX_TABLE_BYTES:
        raise ImportFault(f"is longer than {MAX_TABLE_BYTES} bytes, the most for a table")
    try:
        value = parsed_untrusted(data.decode(), target.max_depth)
    except UnicodeDecodeError as error:
        raise ImportFault(f"not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except ValueError as error:
        raise ImportFault(str(error)) from None
    if deeper_than(value, target.max_depth):
        raise ImportFault(f"nested more than {target.max_depth} deep")
    value = _with_text_keys(value)
    if fault := find_json_fault(value):
        raise ImportFault(f"{'.'.join(map(str, ('$', *fault.path)))}: {fault.why}; put quotes around it")
    rows: list[Any] = value if isinstance(value, list) else [value]
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise ImportFault("wants a map of fields, or a list of such maps")
    if len(rows) > MAX_CHARACTERS:
        raise ImportFault(f"holds {len(rows)} characters; {MAX_CHARACTERS} are the most")
    if not isinstance(value, list):
        return [read_row(value, "$", target, FORMAT)]
    return [read_row(row, f"$[{place}]", target, FORMAT) for place, row in enumerate(rows)]


def _with_text_keys(value: Any) -> Any:
    """Return a value whose whole-number keys are texts, as in `slots: {1: 2}`."""
    if isinstance(value, list):
        return [_with_text_keys(each) for each in value]
    if not isinstance(value, dict):
        return value
    found: dict[Any, Any] = {}
    for key, each in value.items():
        text = str(key) if type(key) is int else key
        if text in found:
            raise ImportFault(f"not YAML: the key {str(text)[:40]!r} stands twice in one map")
        found[text] = _with_text_keys(each)
    return found
