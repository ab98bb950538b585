"""The events that a ruleset declares: the events that a part of a turn can cause, and their audience.

An event that is on no list is recorded and shown to no player. Source: docs/rulesets.md, "Events".
"""

from typing import Literal, NamedTuple


class Names(NamedTuple):
    """Where events and results name ids of things that players may not know of, for one kind of thing.

    Attributes:
        id: the key of the data that holds the id of the thing that the event is about.
        keys: the keys of results and of data of events that may name such things, alone or in a list.
    """

    id: str
    keys: tuple[str, ...]


class EventType(NamedTuple):
    """The data and audience of one type of event.

    Attributes:
        data: the keys of its `data`, in order.
        when: what causes it.
        audience: the audience; `visible` is the player if the subject is visible, the game master otherwise.
        private: the keys of its data that players do not see.
        prose: the key of its data that holds a text of the game master's, "" for none: the narration check reads it.
        hides: for an event about something that players may not know of; where the event is not for players, the reply
            does not name that thing to them either.
    """

    data: tuple[str, ...]
    when: str
    audience: Literal["player", "gm", "log", "visible"] = "player"
    private: tuple[str, ...] = ()
    prose: str = ""
    hides: Names | None = None
