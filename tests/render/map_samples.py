"""Maps for the tests of rendering: two by hand, any number at random."""

from collections.abc import Sequence

from hypothesis import strategies as st

from turnwright.render.map_view import AreaView, MapView, TokenView

HOSTILE = (
    "<script>alert(1)</script>",
    "\x1b[2J\x1b]0;owned\x07",
    "\u202egnp.exe\u2066",
    "a\nb\tc\r",
    "x" * 500,
    "\ud800\ufffe\x00",
    "]]>&amp;\"'<!--",
    "\u200b\u200d\ufeff",
    "",
)
STATES = (None, "alive", "dying", "unconscious", "restrained_permanent", "dead", "odd <state>")


def area(area_id: str, name: str, parent: str | None = None, exits: Sequence[str] = ()) -> AreaView:
    return AreaView(area_id, name, parent, tuple(exits))


def token(
    label: str,
    where: str | None,
    *,
    state: str | None = "alive",
    hp: int | None = None,
    max_hp: int | None = None,
    active: bool = False,
    in_party: bool = False,
) -> TokenView:
    return TokenView(f"id-of-{label}", label, where, state, hp, max_hp, active, in_party)


def area_ids(first: int, last: int) -> list[str]:
    return [f"area_{number:03}" for number in range(first, last + 1)]


def chain(size: int, *tokens: TokenView) -> MapView:
    """Make one layer of rooms in a row, each open to both sides."""
    ids = area_ids(1, size)
    rooms = [
        area(ids[at], f"Room {at + 1}", None, ids[max(at - 1, 0) : at] + ids[at + 1 : at + 2]) for at in range(size)
    ]
    return MapView("A row of rooms", tuple(rooms), tokens)


def well(depth: int, *tokens: TokenView) -> MapView:
    """Make layers of one area each, one inside the other."""
    ids = area_ids(1, depth)
    levels = [
        area(ids[at], f"Level {at + 1}", ids[at - 1] if at else None, ids[at + 1 : at + 2]) for at in range(depth)
    ]
    return MapView("A well", tuple(levels), tokens)


CAVE = MapView(
    "The Drowned Caves",
    (
        area("area_001", "Village", None, ["area_002"]),
        area("area_002", "Marsh", None, ["area_001", "area_003"]),
        area("area_003", "Cave Mouth", None, ["area_004"]),
        area("area_004", "Entry", "area_003", ["area_003", "area_005"]),
        area("area_005", "Black Pool", "area_003", ["area_004", "area_006"]),
        area("area_006", "Temple", "area_005", ["area_001"]),
    ),
    (
        token("Ana", "area_004", hp=21, max_hp=28, active=True, in_party=True),
        token("Borin", "area_004", state="dying", hp=0, max_hp=31, in_party=True),
        token("Keeper", "area_006", state="dead", hp=0),
        token("Celeste", None, in_party=True),
    ),
)


@st.composite
def maps(draw: st.DrawFn, largest: int = 12) -> MapView:
    """Make maps of any shape: nested and flat, in pieces, with links of all kinds and names of all kinds."""
    ids = area_ids(1, draw(st.integers(0, largest)))
    names = st.sampled_from(HOSTILE) | st.text(st.characters(), max_size=30)
    areas = []
    for at, area_id in enumerate(ids):
        parent = draw(st.none() | st.sampled_from(ids[:at])) if at else None
        exits = draw(st.lists(st.sampled_from([*ids, "area_999"]), max_size=4))
        areas.append(area(area_id, draw(names), parent, exits))
    tokens = [
        TokenView(
            id=f"pc_{number:03}",
            label=draw(names),
            area=draw(st.none() | st.sampled_from([*ids, "area_999"])),
            state=draw(st.sampled_from(STATES)),
            hp=draw(st.none() | st.integers(-5, 40)),
            max_hp=draw(st.none() | st.integers(0, 30)),
            active=draw(st.booleans()),
            in_party=draw(st.booleans()),
        )
        for number in range(draw(st.integers(0, 6)))
    ]
    return MapView(draw(names), tuple(areas), tuple(tokens))
