"""The one immutable picture of the table that every output is drawn from.

A View holds public facts only (R21) and finished texts in the players' language; screens and lights decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.events import Fit
from companion.ports import Colour


@dataclass(frozen=True, slots=True)
class Header:
    """Top line: whose turn it is. `tokens` None where the game has none. `final` marks the final round, `left` the
    turns still to come in it, the present one included."""

    name: str = ""
    tokens: int | None = None
    final: bool = False
    left: int | None = None


class Sign(Enum):
    """A pictogram beside the words, for those who cannot read yet."""

    DICE = "dice"  # throw the dice
    CHOICE = "choice"  # the four kinds of board space
    TOKEN = "token"
    PEEK = "peek"
    WILD = "wild"
    LOWEST = "lowest"  # the three faces of the Wild die
    HIGHEST = "highest"
    SWAP = "swap"
    CARD = "card"  # a face-down card: take, place or discard one
    CAT = "cat"
    KNOCK = "knock"
    HAND = "hand"  # take the hand away
    ASK = "ask"  # please look: something is not sure
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What to do now, in words, e.g. "Roll 1–3 dice". `lines`: at most three short further lines."""

    title: str
    lines: tuple[str, ...] = ()
    sign: Sign | None = None


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice and their total in large digits. A die that is not read is None; `total` None draws "?"

    `selected`: indices marked (the dice to be re-rolled, or the one being corrected). `cursor`: the index that the
    buttons act on. `text`: where the pawn lands, or why the reading is unsure; `sign` shows the same. `note`: a short
    second line.
    """

    dice: tuple[int | None, ...]
    total: int | None
    text: str = ""
    note: str = ""
    selected: tuple[int, ...] = ()
    cursor: int | None = None
    sign: Sign | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """One of several options; `index` is under the cursor."""

    title: str
    options: tuple[str, ...]
    index: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    """A number being entered, in large digits. `entered`: those already entered of the same hand, shown small."""

    title: str
    value: int
    low: int
    high: int
    entered: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Spell:
    """A name being entered letter by letter; `letter` is what OK would append, `less` and `more` its neighbours."""

    title: str
    text: str
    letter: str
    less: str = ""
    more: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a score sheet. `mark`: "" or one of "turn", "winner", "out"."""

    name: str
    value: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of players; the screen shows as many of its rows as it has room for."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Winner:
    """The end: who won, if somebody can, and each player's total, best first."""

    title: str
    names: tuple[str, ...]
    rows: tuple[Row, ...]


Page = Prompt | Rolled | Choose | Count | Spell | Sheet | Winner


def at_cursor(page: Page) -> tuple[str, ...]:
    """What the buttons change or take now, as the page shows it: an entry, a number, a die, a letter; or nothing."""
    match page:
        case Choose(options=options, index=index):
            return (options[index],)
        case Count(value=value):
            return (str(value),)
        case Rolled(dice=dice, cursor=int(index)):
            return (str(dice[index] or "?"),)
        case Spell(letter=letter):
            return (letter,)
        case _:
            return ()


class Mood(Enum):
    """What the whole ring says."""

    IDLE = "idle"
    SETUP = "setup"
    TURN = "turn"
    READING = "reading"  # dice are expected to move or are being read: still and dim, whatever else holds
    FINAL = "final"
    WINNER = "winner"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place: `place` in turns around the ring, 0 ≤ place < 1, clockwise from the first LED. `dark`: out."""

    colour: Colour
    place: float
    tokens: int = 0
    dark: bool = False


@dataclass(frozen=True, slots=True)
class RingView:
    """`active`: seat whose turn it is. `pawn`, `landing`: board spaces, or None. `spaces`: of the board, 0 for none.

    `space_colours`: colour of each board space. `winners`: seats that won. `countdown`: turns left to show, or None.
    `still`: whether nothing may move, since a camera may be about to read dice in this light.
    """

    mood: Mood
    seats: tuple[Seat, ...] = ()
    active: int | None = None
    spaces: int = 0
    space_colours: tuple[Colour, ...] = ()
    pawn: int | None = None
    landing: int | None = None
    winners: tuple[int, ...] = ()
    countdown: int | None = None
    still: bool = False


NO_LABELS = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class View:
    """`labels`: what the four buttons do now, left to right; "" for nothing. `lost`: roles of devices that are lost.

    `fit`: whether what was calibrated holds.
    """

    header: Header
    page: Page
    labels: tuple[str, str, str, str]
    ring: RingView
    lost: tuple[str, ...] = ()
    fit: Fit = Fit.HOLDS
