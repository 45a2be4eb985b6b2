"""`companion demo`: a whole game at a drawn table, read by the same eyes as real dice."""

from __future__ import annotations

import argparse
import random
import secrets
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any

from calibration.play import CalibratedEyes
from calibration.profile import load
from calibration.simulated import DrawnHands
from calibration.taught import taught
from companion.cli.demo_album import Album, NoAlbum
from companion.cli.ends import heeded
from companion.compose import camera_of, house_of, knock_key
from companion.config import Camera, Config
from companion.demo.clocks import FastClock
from companion.demo.ordered import OrderedEyes
from companion.demo.players import Players, so_many
from companion.demo.report import Report, is_left
from companion.demo.throws import Throws
from companion.demo.tray import DrawnTray
from companion.events import Knocked, Settled, WildSettled
from companion.journal import Journal, JournalError
from companion.lights import RingLayout
from companion.locale import LANGUAGES, SOURCE_LANGUAGE
from companion.paths import first_missing, reason
from companion.ports import DeviceLost, Display, Picture
from companion.serve import UNSEEN_S, Rig, Running
from companion.table.games import GAMES
from companion.table.resume import left, left_in_set_up
from companion.typed import to_type, typed_path, whole_number
from companion.vision.eyes import Eyes
from companion.vision.reader import Reader
from companion.vision.settle import Settler
from companion.watch import Seeing, Watch
from hardware.buttons_keyboard import Keyboard
from hardware.clock import SystemClock
from hardware.job_control import gives_way
from hardware.terminal import Terminal, TerminalDisplay, TerminalRing, TerminalText, can_be_drawn_on, dumb

NAMES = ("Ana", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal")
FPS = 12.0
GAME = "roll"
PLAYERS = 3
SLOWEST, FASTEST = 0.1, 100.0  # times as fast as real time
THINK_S = 0.7  # between two presses at real time, so that people can follow
KEYS = "buttons: asdf (Shift: long), space/1-6 throw, k knocks, q leaves"  # as wide as the picture
NEEDS = "a terminal for its keys and its screen"
DUMB = (
    "--play draws on the terminal, which TERM=dumb does not allow; set TERM to what your terminal is, such as "
    "xterm-256color, or leave out --play: the demo then plays by itself"
)
SHOWN = "one moment: the camera is shown the Wild die"
UNHEARD = "; keys are heard then, Ctrl-C now"
LEDS = 60


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Status: 0 with the winner told, or after q; 1 without a usable journal, a temporary folder, or one for "
        "pictures, or when some of these are missing; 2 when so many cannot play, nobody can without a terminal, or "
        "options make no sense; 130 after Ctrl-C, and 141 when nobody reads what it says."
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0),
        metavar="N",
        help="the same seed, 0 or more, plays the same game (default: a new one, printed)",
    )
    parser.add_argument("--game", choices=tuple(GAMES), help=f"which game (default: the one that was left, or {GAME})")
    numbers = ", ".join(f"{name} {game.players[0]}-{game.players[1]}" for name, game in GAMES.items())
    parser.add_argument(
        "--players",
        type=_count,
        metavar="N",
        help=f"how many play: {numbers} (default: {PLAYERS}); with --play the question begins there",
    )
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default=SOURCE_LANGUAGE,
        help=f"of the table's screen (default: {SOURCE_LANGUAGE})",
    )
    parser.add_argument(
        "--speed",
        type=_speed,
        default=1.0,
        metavar="N|max",
        help=f"times faster than real time, {SLOWEST:g} to {FASTEST:g}, or max; no faster than this computer reads the "
        "tray (default: 1)",
    )
    parser.add_argument(
        "--play",
        action="store_true",
        help="you play: keys a s d f are the buttons, and so are Esc, arrows and Enter; Shift with a s d f is a "
        "long press, the space bar throws, a digit throws so many dice first, k knocks, q leaves",
    )
    parser.add_argument("--untaught", action="store_true", help="roll: the Wild die's face is entered by button")
    parser.add_argument("--record", type=typed_path, metavar="DIR", help="keep every screen and every read tray as PNG")
    parser.add_argument(
        "--journal", type=typed_path, metavar="FILE", help="keep the game here, and go on where it was left"
    )


def leave_key(leave: Callable[[], None], other: Callable[[str], None]) -> Callable[[str], None]:
    """Hears the keys that are neither buttons nor knocks: "q" leaves the table, the others go on to `other`."""
    return lambda key: leave() if key == "q" else other(key)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of players")
    return int(text)


def _speed(text: str) -> float | None:
    if text == "max":
        return None
    try:
        speed = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'{text!r} is neither a number nor "max"') from None
    if not SLOWEST <= speed <= FASTEST:
        raise argparse.ArgumentTypeError(f"{text} is out of range; {SLOWEST:g} to {FASTEST:g}, or max")
    return speed


def run(options: argparse.Namespace) -> int:
    """Status 0 with the winner printed or after q, 1 without a usable journal, temporary folder or one for pictures, or
    with some of these missing, 2 when so many cannot play, nobody can without a terminal, or options make no sense, 130
    after Ctrl-C."""
    ending = Ending()
    _once_ended(ending.raised)
    asked = (options.game, options.players)
    options.players = PLAYERS if options.players is None else options.players
    if why_not := _why_not(options):
        print(why_not, file=sys.stderr)
        return 2
    seed = secrets.randbelow(1_000_000) if options.seed is None else options.seed
    try:
        with ExitStack() as opened:
            folder = _scratch(opened, ending)
            file = options.journal or folder / "journal.db"
            new = first_missing(file.parent)
            journal = opened.enter_context(Journal.open(file))
            if new is not None:
                print(f"{new} is a new folder, made for the journal", file=sys.stderr)
            opened.enter_context(gives_way())
            demo = Demo(options, seed, journal, folder, opened)
            ending.heed()
            return demo.run(*asked)
    except (JournalError, NoScratch, NoAlbum) as error:
        print(error, file=sys.stderr)
        return 1


class Ending:
    """What ends the demo while it begins, heard once: people press Ctrl-C twice, and all that is open is still closed.

    Python may lose what is raised, as in a call from a driver's own code; so it is remembered.
    """

    def __init__(self) -> None:
        self._heard = False

    def noted(self, *_: object) -> None:
        """Hears a signal."""
        self._heard = True

    def raised(self, *_: object) -> None:
        """Hears a signal, and raises KeyboardInterrupt."""
        self._heard = True
        self.heed()

    def heed(self) -> None:
        """Raises KeyboardInterrupt if a signal was heard; later ones change nothing."""
        if self._heard:
            _once_ended(self.noted)  # what comes this very moment would be told of if it were ignored
            raise KeyboardInterrupt


def _scratch(opened: ExitStack, ending: Ending) -> Path:
    """A folder that is gone once all is closed. For what ends the demo meanwhile raises KeyboardInterrupt only then.

    Raises NoScratch.
    """
    _once_ended(ending.noted)  # blocked here, it would come by way of another thread
    try:
        folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-"))
    except OSError as fault:
        raise NoScratch("no temporary folder can be made", fault) from None
    finally:
        _once_ended(ending.raised)
    ending.heed()
    return Path(folder)


def _once_ended(hear: Callable[[int, FrameType | None], Any]) -> None:
    for number in heeded():
        signal.signal(number, hear)


def how_to_go_on(options: argparse.Namespace, setting_up: str | None) -> str:
    """What is told of a game that is left in a journal. `setting_up`: the one that is not begun yet, which the command
    names; None where it is."""
    given = [f"--{name}" for name in ("play", "untaught") if getattr(options, name)]
    if setting_up is not None:
        given += ["--game", setting_up]
    if options.language != SOURCE_LANGUAGE:
        given += ["--language", options.language]
    command = to_type("companion", "demo", *given, "--journal", options.journal)
    return f"the game is kept, and goes on with: {command}"


def _why_not(options: argparse.Namespace) -> str | None:
    """Why nobody can play so; None where it can be tried."""
    game = options.game or GAME
    fewest, most = GAMES[game].players
    if not fewest <= options.players <= most:
        return f"{game} is for {fewest} to {most} players, not {options.players}"
    if options.untaught and game != "roll":
        return f"--untaught belongs to --game roll; no Wild die is thrown in {options.game}"
    if options.play and not (can_be_drawn_on(sys.stdin) and can_be_drawn_on(sys.stdout)):
        return DUMB if dumb() else f"--play needs {NEEDS}; without --play the demo plays by itself"
    return None


class NoScratch(Exception):
    """There is nowhere to keep what the demo needs for a while: `what` cannot be done, for `fault`."""

    def __init__(self, what: str, fault: OSError) -> None:
        super().__init__(f"{what}: {reason(fault)}; make room, or set TMPDIR")


class Demo:
    """The parts of one demo, and how they hear of each other."""

    def __init__(
        self, options: argparse.Namespace, seed: int, journal: Journal, folder: Path, opened: ExitStack
    ) -> None:
        """`opened`: gives a terminal back, however the demo ends. Raises NoScratch, NoAlbum and JournalError."""
        self._options = options
        self._album = None if options.record is None else Album(options.record, self._say)
        self._legend: tuple[str, ...] = ()  # until keys are heard
        self._lines: deque[str] = deque(maxlen=4)
        self._telling = threading.Lock()  # what is said is shown before another says more
        self._terminal = Terminal() if can_be_drawn_on(sys.stdout) else None
        self._text = None if self._terminal is None else TerminalText(self._terminal)
        if self._text is not None:
            opened.callback(self._text.close)
        self._deaf = Keyboard() if options.play else None  # until the game begins no key is heard, nor shown
        if self._deaf is not None:
            opened.callback(self._deaf.close)
        self._unsaid: OSError | None = None
        self._stop: Callable[[], None] = lambda: None
        self._report = Report(self._say)
        self._interrupted = False
        self._tray = DrawnTray(seed)
        self._clock = FastClock(options.speed)
        config = Config(table=replace(Config().table, language=options.language))
        house = replace(house_of(config), names=NAMES, players=options.players)
        goes_on = left(journal, house)
        first = goes_on.game if goes_on is not None else options.game or left_in_set_up(journal) or GAME
        following = options.game or first
        self._house = replace(house, games=(following,))
        eyes = self._eyes(seed, folder, (first, following) if options.play else (first,))
        self._house = replace(self._house, reads_wild=eyes.knows_wild)
        watch = Watch(OrderedEyes(eyes), Settler(), wild=Settler(), seen=self._seen)
        self._running = Running(
            self._rig(seed), self._house, journal, watch, clock=SystemClock(), decided=self._report.decided
        )
        self._stop = self._running.stop
        self._players = Players(
            self._running.loop,
            self._house,
            self._tray,
            seed=seed,
            wants=so_many(options.players, self._house),
            think_s=0.0 if options.speed is None else THINK_S / options.speed,
            clock=self._clock,
            ended=self._stop,
            rests=self._running.rests,
        )
        self._say(f"seed {seed}")

    def _eyes(self, seed: int, folder: Path, games: tuple[str, ...]) -> Seeing:
        """Calibrated for the drawn table and taught its Wild die, where one is thrown. `games`: those that are played,
        of which a game that was left is the first. Raises NoScratch."""
        if "roll" not in games or self._options.untaught:
            return Eyes(Reader())
        self._say(SHOWN + (UNHEARD if self._options.play else ""))
        try:
            taught(DrawnHands(seed), folder, date.today())
        except OSError as fault:
            raise NoScratch(f"nothing can be kept in the temporary folder {folder.parent}", fault) from None
        return CalibratedEyes(load(folder), folder, warn=self._say)

    def run(self, game: str | None = None, players: int | None = None) -> int:
        """Plays to the end. `game`, `players`: what was asked for, which is told where another game goes on.

        A terminal is left as it was, whatever happens. Raises OSError where nobody reads what is said, or it finds no
        room.
        """
        for number in heeded():
            signal.signal(number, self._interrupt)
        with ExitStack() as opened:
            if self._text is not None:
                opened.callback(self._text.close)
            if self._deaf is not None:
                self._deaf.close()
            self._report.begin(self._running.loop.table, game, players)
            if not self._options.play:
                self._players.start()
                opened.callback(self._players.close)
            if self._unsaid is None:
                self._running.run()
        if self._unsaid is not None:
            raise self._unsaid
        if self._terminal is not None:
            print(*self._lines, sep="\n")
        if self._options.journal is not None and is_left(self._running.loop.table):
            begun = self._running.loop.table.match is not None
            print(how_to_go_on(self._options, None if begun else self._house.games[0]))
        if self._album is not None:
            print(self._album.told(), file=sys.stderr)
        return 130 if self._interrupted else int(self._album is not None and not self._album.whole)

    def _rig(self, seed: int) -> Rig:
        displays: list[Callable[[], Display]] = []
        if (album := self._album) is not None:
            displays.append(lambda: album.screens)
        if (terminal := self._terminal) is not None:
            displays.append(lambda: TerminalDisplay(terminal))
        throws = Throws(lambda: self._running.loop.table, self._house, self._tray, random.Random(seed))
        leaves = leave_key(lambda: self._stop(), throws.struck)
        keys = knock_key(lambda: self._running.loop.put(Knocked()), leaves)
        return Rig(
            camera=camera_of(Camera(kind="simulated", fps=FPS), clock=self._clock, drawn=self._tray.picture),
            displays=tuple(displays),
            buttons=(lambda: self._keyboard(keys),) if self._options.play else (),
            ring=(lambda: TerminalRing(terminal)) if terminal is not None else None,
            layout=RingLayout(LEDS, first=0, clockwise=True),
            watching_s=0.0,
            idle_s=0.0,
            unseen_s=UNSEEN_S if self._options.play else 0.0,  # robots look before they press
        )

    def _keyboard(self, other: Callable[[str], None]) -> Keyboard:
        """Hears keys from now on, and tells which."""
        keyboard = Keyboard(other=other)
        with suppress(DeviceLost), self._telling:  # the display tells that, too
            self._legend = (KEYS,)
            self._lines = deque((line for line in self._lines if line != SHOWN + UNHEARD), self._lines.maxlen)
            self._show()
        return keyboard

    def _interrupt(self, *_: object) -> None:
        self._interrupted = True
        self._stop()

    def _say(self, line: str) -> None:
        """From any thread: the camera's, too, takes what it cannot say for a fault of the picture."""
        with self._telling:
            self._lines.append(line)
            self._show()
            if self._terminal is None and self._unsaid is None:
                self._print(line)

    def _print(self, line: str) -> None:
        """What cannot be said ends the demo."""
        try:
            print(line, flush=True)
        except OSError as fault:
            self._unsaid = fault
            self._stop()

    def _show(self) -> None:
        if self._text is not None:
            self._text.show((*self._legend, *self._lines))

    def _seen(self, picture: Picture, fact: Settled | WildSettled) -> None:
        self._report.seen(fact)
        if self._album is not None:
            self._album.tray(picture, fact)
