"""A text terminal as display and ring, and the one screen that they share."""

from __future__ import annotations

import atexit
import math
import os
import select
import termios
import threading
from collections.abc import Sequence
from contextlib import suppress
from textwrap import wrap
from typing import TextIO

from PIL import Image

from companion.paths import reason
from companion.ports import SCREEN_SIZE, Colour, DeviceLost
from hardware.ansi import image_lines, ring_letters, ring_lines
from hardware.glass import require_screen, same_picture
from hardware.job_control import left, occupies

# ECMA-48 and xterm control sequences: alternate screen, hidden cursor, no wrapping of long lines; and all of it back.
ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
LEAVE = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
# Terminals that know synchronized output (DEC private mode 2026) show what is between at once; others leave it out.
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
SAVE, RESTORE = "\x1b7", "\x1b8"  # where the cursor stands: below what is drawn, where a log that comes here goes on
REVERSED = "\x1b[7m"  # until the end of the line, which is sent with every line
HALF_BLOCK_LINES = SCREEN_SIZE[1] // 2
BRAILLE_COLUMNS, BRAILLE_LINES = SCREEN_SIZE[0] // 2, SCREEN_SIZE[1] // 4
SPARE_LINES = 6  # kept free for the ring and a few words where the picture is drawn with half blocks
RESTORE_S = 0.2  # a terminal takes what it is sent at once, unless it is stopped
DISPLAY_PLACE, RING_PLACE, TEXT_PLACE = range(3)  # from the top
FALLBACK_SIZE = (80, 24)  # columns, lines: where the terminal does not say


def dumb() -> bool:
    """Whether the terminal is said to have no cursor that could be moved, as one within an editor (TERM=dumb)."""
    return os.environ.get("TERM") == "dumb"


def can_be_drawn_on(stream: TextIO | None) -> bool:
    """Whether it leads to a terminal whose cursor can be moved; not where it is closed."""
    return stream is not None and stream.isatty() and not dumb()


def colourless() -> bool:
    """Whether no colours are wanted (https://no-color.org)."""
    return bool(os.environ.get("NO_COLOR"))


class Terminal:
    """One terminal, drawn on by several: each has a place, and the places are stacked from the top in their order.

    It is entered when the first of them opens and left, as it was before, when the last of them closes or the program
    ends; and for as long as Ctrl-Z stops one that `gives_way`. Lines that do not fit the window are cut off; where it
    is not as wide as each place needs, or shows not all lines of the first one, only how large it must be is drawn.
    """

    def __init__(self, fd: int = 1) -> None:
        self._fd = fd
        self._lock = threading.RLock()
        self._users = 0
        self._away = False  # handed back, while the program is stopped
        self._blocks: dict[int, tuple[str, ...]] = {}
        self._needs: dict[int, tuple[int, int]] = {}  # columns and lines that each block needs at least
        self._drawn: list[str] = []
        self._drawn_size = (0, 0)

    def size(self) -> tuple[int, int]:
        """Columns and lines of the window as it is now."""
        try:
            columns, lines = os.get_terminal_size(self._fd)
        except OSError:
            return FALLBACK_SIZE
        return (columns, lines) if columns > 0 and lines > 0 else FALLBACK_SIZE

    def enter(self) -> None:
        """One more draws here. Raises OSError where this is no terminal, or a dumb one."""
        with self._lock:
            if not os.isatty(self._fd):
                raise OSError("the output is not a terminal")
            if dumb():
                raise OSError("TERM=dumb says that its cursor stays")
            if self._users == 0:
                atexit.register(self._restore)
                self._drawn, self._drawn_size = [], (0, 0)
                self._write(ENTER)
                occupies(self)
            self._users += 1

    def draw(self, place: int, lines: Sequence[str], needs: tuple[int, int] | None = None) -> None:
        """Replaces the block at `place`; only lines that changed are sent. Raises OSError when the terminal is gone.

        `needs`: the columns and lines that it takes at least, where that is not these lines, however wide.
        """
        with self._lock:
            self._blocks[place] = tuple(lines)
            self._needs[place] = needs or (0, len(lines))
            self._paint()

    def redraw(self) -> None:
        """Sends every line again, over whatever was written there meanwhile. Raises OSError."""
        with self._lock:
            self._drawn_size = (0, 0)
            self._paint()

    def leave(self, place: int) -> None:
        """One less draws here; its block goes. The last one restores the terminal."""
        with self._lock:
            self._blocks.pop(place, None)
            self._needs.pop(place, None)
            self._users -= 1
            if self._users == 0:
                atexit.unregister(self._restore)
                left(self)
                self._restore()

    def hand_back(self) -> None:
        """What is drawn from now on waits until the terminal is taken again."""
        self._away = True
        self._restore()

    def take_again(self) -> None:
        """Sends every line again. In the background the program is stopped here first, until it comes to the front."""
        with suppress(OSError, termios.error):
            termios.tcflow(self._fd, termios.TCOON)  # changes nothing, but asks for the right to
        free = self._lock.acquire(timeout=RESTORE_S)
        self._away = False
        if free:
            with suppress(OSError):
                if self._users:
                    self._write(ENTER)
                self.redraw()
            self._lock.release()

    def _paint(self) -> None:
        if self._users == 0 or self._away:
            return
        size = self.size()
        lines = self._fitting(*size)
        changed = [] if size == self._drawn_size else ["\x1b[0m\x1b[2J"]
        before = self._drawn if size == self._drawn_size else []
        for row, line in enumerate(lines):
            if row >= len(before) or before[row] != line:
                changed.append(f"\x1b[{row + 1};1H{line}\x1b[0m\x1b[K")
        if len(before) > len(lines):
            changed.append(f"\x1b[{len(lines) + 1};1H\x1b[J")
        if changed:
            if len(before) == len(lines):
                changed = [SAVE, *changed, RESTORE]
            else:
                changed.append(f"\x1b[{len(lines) + 1};1H")
            self._write("".join((BEGIN, *changed, END)))
        self._drawn, self._drawn_size = lines, size

    def _fitting(self, columns: int, lines: int) -> list[str]:
        """What is drawn in a window of that size."""
        hint = self._too_small(columns, lines)
        first = self._needs[min(self._needs)][1] if self._needs else 0
        blocks = [line for place in sorted(self._blocks) for line in self._blocks[place]]
        if hint and (columns < self._wide() or lines < first):
            return list(hint)[:lines]
        room = lines >= len(hint) + first
        return [*(hint if room else ()), *blocks][:lines]

    def _too_small(self, columns: int, lines: int) -> tuple[str, ...]:
        """What is to be done about a window that cuts off what is drawn; nothing where all can be drawn whole."""
        tall = sum(lines for _, lines in self._needs.values())
        if columns >= self._wide() and lines >= tall:
            return ()
        told = f"make the terminal at least {max(self._wide(), BRAILLE_COLUMNS)} × {tall}"
        return tuple(f"{REVERSED}{line}" for line in wrap(told, columns))

    def _wide(self) -> int:
        """The columns that are needed."""
        return max((columns for columns, _ in self._needs.values()), default=0)

    def _restore(self) -> None:
        """Unless it is gone, or takes nothing, as after Ctrl-S: the program must end all the same."""
        if self._lock.acquire(timeout=RESTORE_S):  # whoever draws on a stopped terminal holds it for as long
            with suppress(OSError):
                if select.select([], [self._fd], [], RESTORE_S)[1]:
                    self._write(LEAVE)
            self._lock.release()

    def _write(self, text: str) -> None:
        left = text.encode()
        while left:
            left = left[os.write(self._fd, left) :]


class _Place:
    """One block of a terminal, for a device in the role `role`."""

    def __init__(self, terminal: Terminal, role: str, place: int) -> None:
        self.terminal = terminal
        self._role = role
        self._place = place
        self._closed = False
        try:
            terminal.enter()
        except OSError as error:
            raise self._lost(error) from error

    def draw(self, lines: Sequence[str], needs: tuple[int, int] | None = None) -> None:
        if self._closed:
            raise self._lost(OSError("the terminal is closed"))
        try:
            self.terminal.draw(self._place, lines, needs)
        except OSError as error:
            raise self._lost(error) from error

    def redraw(self) -> None:
        try:
            self.terminal.redraw()
        except OSError as error:
            raise self._lost(error) from error

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.terminal.leave(self._place)

    def _lost(self, error: OSError) -> DeviceLost:
        cause = f"the terminal cannot be drawn on: {reason(error)}"
        return DeviceLost(self._role, cause, "run the companion in a terminal that can be drawn on")


def _folded(words: Sequence[str], columns: int) -> list[str]:
    """Words that are wider than the window, in several lines."""
    return [line for text in words for line in wrap(text, columns, break_on_hyphens=False)]


class TerminalDisplay:
    """The OLED's picture as half blocks in a large window, as Braille in a small one, and lines of words `below`."""

    def __init__(self, terminal: Terminal, *, below: Sequence[str] = ()) -> None:
        self._below = tuple(below)
        self._at = _Place(terminal, "oled", DISPLAY_PLACE)
        self._shown: Image.Image | None = None
        self._shown_size = (0, 0)

    def show(self, image: Image.Image) -> None:
        require_screen(image)
        if not same_picture(self._shown, image) or self._shown_size != self._at.terminal.size():
            self._draw(image)
            self._shown = image.copy()

    def refresh(self) -> None:
        """Draws again, to the window as it is now."""
        if self._shown is not None:
            self._draw(self._shown)
        self._at.redraw()

    def close(self) -> None:
        self._at.close()

    def _draw(self, image: Image.Image) -> None:
        columns, lines = size = self._at.terminal.size()
        tall = lines >= HALF_BLOCK_LINES + SPARE_LINES
        drawn = image_lines(image, columns if tall else min(columns, BRAILLE_COLUMNS))
        below = _folded(self._below, columns)
        self._at.draw([*drawn, *below], (BRAILLE_COLUMNS, BRAILLE_LINES + len(below)))
        self._shown_size = size


class TerminalRing:
    """The ring's LEDs as a line of coloured dots, or of letters where no colours are wanted, and words `below`."""

    def __init__(self, terminal: Terminal, *, below: Sequence[str] = ()) -> None:
        self._below = tuple(below)
        self._at = _Place(terminal, "ring", RING_PLACE)
        if below:  # before there is any light to show
            self.show(())

    def show(self, colours: Sequence[Colour]) -> None:
        columns, _ = self._at.terminal.size()
        lines = ring_letters(colours, columns) if colourless() else ring_lines(colours, columns)
        below = _folded(self._below, columns)
        tall = math.ceil(len(colours) / max(columns, BRAILLE_COLUMNS)) + len(below)
        self._at.draw([*lines, *below], (0, tall))

    def close(self) -> None:
        self._at.close()


class TerminalText:
    """A few lines of words under them, for whoever runs the companion in a terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self._at = _Place(terminal, "text", TEXT_PLACE)

    def show(self, lines: Sequence[str]) -> None:
        self._at.draw(lines)

    def close(self) -> None:
        self._at.close()
