"""What is asked of the people at the table: dice that they throw, or the request of a conversation."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class OpenRequest(NamedTuple):
    """What is asked now, and may be answered by a turn with an `answer`.

    Attributes:
        id: what the answer names as `request_id`.
        request: as replies hold it.
        is_table_dice: whether a turn waits for faces that people throw.
    """

    id: str
    request: Mapping[str, Any]
    is_table_dice: bool
