"""The open request to the people at the table: dice to roll, or the request of a conversation."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class OpenRequest(NamedTuple):
    """The open request, which a turn with an `answer` may answer.

    Attributes:
        id: the `request_id` that the answer must name.
        request: the request as in replies.
        is_table_dice: whether a turn waits for dice rolled at the table.
    """

    id: str
    request: Mapping[str, Any]
    is_table_dice: bool
