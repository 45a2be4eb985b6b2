"""The pages of the small screen: what to do, what to choose, what to enter. Each is drawn into the box it is given."""

from __future__ import annotations

from itertools import product

from PIL import Image, ImageDraw

from companion.screen.font import SIZES, font
from companion.screen.lettering import (
    DARK,
    LIT,
    Align,
    Block,
    Box,
    block,
    clipped,
    cut,
    one_line,
    paragraph,
    set_block,
    whole_words,
    wrapped,
)
from companion.screen.pieces import CARD, DIGIT_HEIGHT, SIGN, cards, digits, digits_width, icon, sign, stamp
from companion.screen.rolled import rolled
from companion.screen.tables import sheet, winner
from companion.view import Choose, Count, Page, Prompt, Rolled, Sheet, Spell, Winner

GAP = 4
TITLE_ROWS, RINGED_ROWS = 11, 13  # of a title; of one with a ring or dots on a capital, and a letter below the line
OPTION_ROWS = 2
OPTION_HEIGHT, LEAST_OPTION_HEIGHT = 17, 12  # of a row that stands below a question on several lines
# the larger what to do and the further lines both, the better; the further lines at least 10 as long as that goes
PROMPT_SIZES = (
    *((big, small) for big, small in product(SIZES, (12, 10)) if small <= big),
    *((big, 8) for big in SIZES),
)
PROMPT_WAYS = (
    *((sizes, False) for sizes in PROMPT_SIZES if min(sizes) > 8),
    *((sizes, True) for sizes in PROMPT_SIZES),
)  # and whether further lines may be broken: what is left of one stands alone


def page(image: Image.Image, box: Box, shown: Page) -> None:
    """Draws any page."""
    match shown:
        case Prompt():
            prompt(image, box, shown)
        case Rolled():
            rolled(image, box, shown)
        case Choose():
            choose(image, box, shown)
        case Count():
            count(image, box, shown)
        case Spell():
            spell(image, box, shown)
        case Sheet():
            sheet(image, box, shown)
        case Winner():
            winner(image, box, shown)


def prompt(image: Image.Image, box: Box, shown: Prompt) -> None:
    """What to do, as large as it goes, with its pictogram on the left and the further lines below."""
    words = box
    if shown.sign is not None:
        sign(image, box.left_part(SIGN), shown.sign)
        words = box.without_left(SIGN + GAP)
    title, further = _prompt_blocks(shown, words)
    used = title.height + _below(further)
    words = words.without_top(max(0, words.h - used) // 2)
    align: Align = "centre" if shown.sign is None else "left"
    set_block(image, words, title, align=align, middle=False)
    set_block(image, words.without_top(title.height + GAP), further, align=align, middle=False)


def _prompt_blocks(shown: Prompt, box: Box) -> tuple[Block, Block]:
    for (big, small), broken in PROMPT_WAYS:
        title = block(wrapped(shown.title, font(big), box.w), font(big))
        further = block([part for line in shown.lines for part in wrapped(line, font(small), box.w)], font(small))
        fits = title.height + _below(further) <= box.h
        unbroken = all(len(wrapped(line, font(small), box.w)) <= 1 for line in shown.lines)
        if fits and (broken or unbroken) and whole_words(shown.title, font(big), box.w):
            return title, further
    return _prompt_clipped(shown, box)


def _prompt_clipped(shown: Prompt, box: Box) -> tuple[Block, Block]:
    """Too much to read: the title keeps what it needs, the further lines what is left."""
    small = font(SIZES[-1])
    title = clipped(wrapped(shown.title, small, box.w), small, box)
    rest = box.without_top(title.height + GAP)
    lines = [part for line in shown.lines for part in wrapped(line, small, box.w)]
    return title, clipped(lines, small, rest) if lines and rest.h > small.height else block([], small)


def _below(further: Block) -> int:
    return GAP + further.height if further.lines else 0


def choose(image: Image.Image, box: Box, shown: Choose) -> None:
    """The question, and its options in two rows, side by side where they fit; the one under the cursor is lit.

    A question too long for one line in letters easily read takes the upper row, too, where the options fit in one.
    """
    if font(10).width(shown.title) > box.w and _fit_in_one_row(shown.options, box):
        _choose_in_one_row(image, box, shown)
        return
    below = _title(image, box, shown.title)
    if not shown.options:
        return
    index = min(max(shown.index, 0), len(shown.options) - 1)
    columns = _columns(shown.options, below)
    rows = -(-len(shown.options) // columns)
    first = min(max(0, index // columns - OPTION_ROWS + 1), max(0, rows - OPTION_ROWS))
    scrolls = rows > OPTION_ROWS
    if scrolls:
        _scroll_arrows(image, below, up=first > 0, down=first + OPTION_ROWS < rows)
    cells = _cells(_beside_arrows(below, scrolls=scrolls), columns)
    sizes = _sizes(shown.options, _words(cells[0]))
    for n, cell in enumerate(cells, start=first * columns):
        if n < len(shown.options):
            _option(image, cell, shown.options[n], sizes, chosen=n == index)


def _fit_in_one_row(options: tuple[str, ...], box: Box) -> bool:
    return 1 <= len(options) <= OPTION_ROWS and all(
        font(10).width(option) <= _words(_cells(box, len(options), 1)[0]).w for option in options
    )


def _choose_in_one_row(image: Image.Image, box: Box, shown: Choose) -> None:
    rooms = [box.top_part(max(0, box.h - height)) for height in (OPTION_HEIGHT, LEAST_OPTION_HEIGHT)]
    words = next((room for room in rooms if _easily_read(shown.title, room)), rooms[0])
    row = box.without_top(words.h)
    set_block(image, words, paragraph(shown.title, words, (12, 10, 8)), align="centre")
    cells = _cells(row, len(shown.options), 1)
    sizes = _sizes(shown.options, _words(cells[0]))
    for n, (cell, option) in enumerate(zip(cells, shown.options, strict=True)):
        _option(image, cell, option, sizes, chosen=n == shown.index)


def _easily_read(text: str, room: Box) -> bool:
    return paragraph(text, room, (12, 10, 8)).font.size >= 10


def _sizes(options: tuple[str, ...], words: Box) -> tuple[int, ...]:
    """The size of letters in which all options fit, and smaller ones for those that fit in none."""
    small = 10
    whole = (
        size for size in (14, 12) if all(one_line(text, words, (size, small)).font is font(size) for text in options)
    )
    return (next(whole, small), small, 8)


def _title(image: Image.Image, box: Box, text: str) -> Box:
    """Writes a page's title and returns the box below it."""
    if not text:
        return box
    title = one_line(text, box.top_part(RINGED_ROWS), (10, 8))
    rows = max(TITLE_ROWS, title.height)
    set_block(image, box.top_part(rows), title, align="centre")
    return box.without_top(rows)


def _columns(options: tuple[str, ...], box: Box) -> int:
    """As many columns as show every option at once, but never so many that one would be cut."""
    wanted = -(-len(options) // OPTION_ROWS)
    for columns in range(min(wanted, 4), 1, -1):
        scrolls = columns * OPTION_ROWS < len(options)
        room = _words(_cells(_beside_arrows(box, scrolls=scrolls), columns)[0]).w
        if all(font(10).width(option) <= room for option in options):
            return columns
    return 1


def _beside_arrows(box: Box, *, scrolls: bool) -> Box:
    return box.without_right(icon("up").width + 2) if scrolls else box


def _cells(box: Box, columns: int, rows: int = OPTION_ROWS) -> list[Box]:
    width, height = (box.w + 2) // columns - 2, box.h // rows
    return [
        Box(box.x + column * (width + 2), box.y + row * height, width, height - 1)
        for row in range(rows)
        for column in range(columns)
    ]


def _option(image: Image.Image, cell: Box, text: str, sizes: tuple[int, ...], *, chosen: bool) -> None:
    if chosen:
        corners = (cell.x, cell.y, cell.right - 1, cell.bottom - 1)
        ImageDraw.Draw(image).rounded_rectangle(corners, radius=2, fill=LIT)
    words = _words(cell)
    set_block(image, words, one_line(text, words, sizes), align="centre", ink=DARK if chosen else LIT)


def _words(cell: Box) -> Box:
    """Where an option's letters go: capitals that touch the rim of their box look cut."""
    return Box(cell.x + 2, cell.y + 1, cell.w - 4, cell.h - 1)


def _scroll_arrows(image: Image.Image, box: Box, *, up: bool, down: bool) -> None:
    arrow = icon("up")
    if up:
        stamp(image, box.right - arrow.width, box.y + 3, arrow)
    if down:
        stamp(image, box.right - arrow.width, box.bottom - 4 - arrow.height, icon("down"))


def count(image: Image.Image, box: Box, shown: Count) -> None:
    """The number in large digits between arrows, where there is another one; cards entered stand on the left."""
    below = _title(image, box, shown.title)
    if shown.entered:
        below = _entered(image, below, shown.entered)
    text = str(max(0, shown.value))
    width = digits_width(text)
    left = below.x + max(0, below.w - width) // 2
    top = below.y + (below.h - DIGIT_HEIGHT) // 2
    digits(image, left, min(top, below.bottom - DIGIT_HEIGHT), text)  # rather into a tall title than into the labels
    middle = below.y + (below.h - icon("less").height) // 2
    if shown.low < shown.high:
        stamp(image, left - icon("less").width - 2 * GAP, middle, icon("less"))
        stamp(image, left + width + 2 * GAP, middle, icon("more"))


def _entered(image: Image.Image, box: Box, values: tuple[int, ...]) -> Box:
    per_row = 2 if len(values) <= 4 else 3
    width = per_row * (CARD[0] + 2)
    cards(image, box.left_part(width), values)
    return box.without_left(width)


def spell(image: Image.Image, box: Box, shown: Spell) -> None:
    """The name so far, and below it the letter at hand between its neighbours."""
    below = _title(image, box, shown.title)
    strip = below.without_top(below.h // 2)
    written = below.top_part(below.h // 2)
    letters = paragraph("Åg", written, (14, 12, 10, 8)).font
    name = cut(f"{shown.text}_", letters, written.w, keep_end=True)
    set_block(image, written, block([name], letters), align="centre")
    _letter_strip(image, strip, shown)


def _letter_strip(image: Image.Image, box: Box, shown: Spell) -> None:
    key = Box(0, 0, box.w // 2, box.h)
    at_hand = one_line(shown.letter, key, (18, 14, 12, 10, 8))
    width = max(15, at_hand.width + 6)
    left = box.x + (box.w - width) // 2
    ImageDraw.Draw(image).rounded_rectangle((left, box.y, left + width - 1, box.bottom - 1), radius=2, fill=LIT)
    set_block(image, Box(left, box.y, width, box.h), at_hand, align="centre", ink=DARK)
    room = max(0, (box.w - width) // 2 - 3 * GAP - icon("less").width)
    if shown.less:
        _neighbour(image, Box(left - GAP - room, box.y, room, box.h), shown.less, to_left=True)
    if shown.more:
        _neighbour(image, Box(left + width + GAP, box.y, room, box.h), shown.more, to_left=False)


def _neighbour(image: Image.Image, box: Box, letter: str, *, to_left: bool) -> None:
    words = one_line(letter, box, (12, 10, 8))
    set_block(image, box, words, align="right" if to_left else "left")
    arrow = icon("less" if to_left else "more")
    x = box.right - words.width - GAP - arrow.width if to_left else box.x + words.width + GAP
    stamp(image, x, box.y + (box.h - arrow.height) // 2, arrow)
