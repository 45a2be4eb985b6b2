"""Each configured device, opened and tried."""

from __future__ import annotations

import math
import queue
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from companion import __version__
from companion.doctor.finding import Finding, broken, degraded, ok
from companion.events import Button, Press
from companion.paths import keeps_files, reason, there_for_a_while
from companion.ports import Buttons, Camera, Clock, Colour, DeviceLost, Display, Picture, Ring
from companion.screen import draw
from companion.supervised import Closable, D
from companion.view import Header, Mood, Prompt, RingView, View

CAMERA_S = 8.0  # libcamera needs some seconds for its first picture
RESTART = "check its cable, then restart the computer"
DARK, BRIGHT = 25.0, 235.0  # mean grey of a picture, 0-255: below and above no reader sees pips
BLACK = (0, 0, 0)
GROUPS = 32  # of LEDs, lit one after the other: a whole frame goes out for each, a tenth of a second on a long ring
WIRES = "check its wire, and its GPIO in the configuration"
KEYS = "press the keys named above, in the terminal that this runs in"
RISE_S = 0.1  # a capacitor beside a button takes milliseconds until the pull-up has filled it, and looks pressed
GREETING_S = 3.0  # a board that was reset by the opening of its port listens again after two


def tried(part: str, open_: Callable[[], D], look: Callable[[D], Finding]) -> Finding:
    """Opens a device, looks at it, and closes it whatever happens."""
    try:
        with closing(open_()) as device:
            return look(device)
    except DeviceLost as lost:
        return broken(part, lost.cause, lost.remedy)
    except Exception as error:  # whatever a driver raises, the other parts are looked at
        return broken(part, f"it failed in an unforeseen way: {error!r}", "check its wires, and its configuration")


def any_configured(roles: Collection[str]) -> Iterator[Finding]:
    """Whether a table has what it needs to be one, among the `roles` of its devices."""
    if not {"camera", "oled", "buttons"} & set(roles):
        text = "camera, display and buttons are all none: such a table can show nothing and hear nobody"
        yield broken("table", text, "configure a display and buttons; companion config example tells how")


def camera(device: Camera, moved: Callable[[Picture], str] = lambda _picture: "") -> Finding:
    """Whether pictures come, and with light enough. `moved`: what a picture tells against the calibration."""
    frame = device.frame(CAMERA_S)
    if frame is None:
        return broken("camera", f"no picture came within {CAMERA_S:.0f} s", RESTART)
    if (ended := _ended(device)) is not None:
        return ended
    height, width = frame.picture.shape[:2]
    grey = float(frame.picture.mean())
    text = f"{width}×{height} pixels, mean brightness {grey:.0f} of 255"
    if grey < DARK:
        return degraded("camera", f"{text}: too dark", "take the cap off the lens, or light the tray")
    if grey > BRIGHT:
        return degraded("camera", f"{text}: too bright", "turn the light away from the tray")
    if said := moved(frame.picture):
        return degraded("camera", f"{text}; {said}", "put it back, or: companion calibrate camera")
    return ok("camera", text)


def _ended(device: Camera) -> Finding | None:
    """That its first picture was its last, as of a network camera's address of one; None where another comes."""
    try:
        another = device.frame(CAMERA_S)
    except DeviceLost as lost:
        return broken("camera", f"one picture came and no other: {lost.cause}", lost.remedy)
    if another is None:
        return broken("camera", f"one picture came and no other within {CAMERA_S:.0f} s", RESTART)
    return None


def panel(device: Display, clock: Clock, seconds: float, *, heard: bool = True) -> Finding:
    """Shows the test picture for a while. `heard`: whether it would be known if no panel took it."""
    device.show(draw(test_view()))
    clock.sleep(seconds)
    picture = "a frame of words, four labels at the bottom"
    if not heard:
        unknown = "SPI does not tell whether a panel took it: did you see it?"
        return ok("screen", f"oled: the test picture was sent for {seconds:g} s ({picture}); {unknown}")
    return ok("screen", f"oled: the test picture was shown for {seconds:g} s: {picture}")


def pictures(folder: Path) -> Finding:
    """Whether screens can be kept as files; none is."""
    try:
        with there_for_a_while(folder):
            keeps_files(folder)
    except OSError as error:
        text = f"png: pictures cannot be written to {folder}: {reason(error)}"
        return broken("screen", text, "choose a folder that can be written, with room left")
    return ok("screen", f"png: screens can be written into {folder}")


def in_terminal(part: str, *, dumb: bool) -> Finding:
    """Of a screen or ring that is drawn in the terminal. `dumb`: its cursor cannot be moved."""
    if dumb:
        return broken(part, "terminal: TERM=dumb says that its cursor stays", "run the companion in another terminal")
    return ok(part, "terminal: drawn in the one that companion run is started in")


def test_view() -> View:
    prompt = Prompt("Test picture", ("Is every line whole", "and upright?"))
    return View(Header(f"companion {__version__}"), prompt, ("one", "two", "three", "four"), RingView(Mood.IDLE))


def ring(device: Ring, clock: Clock, seconds: float, leds: int, brightness: float = 1.0) -> Finding:
    """Shows red, green, blue and each group of LEDs alone, and asks a receiver that has a name for it."""
    lights = test_lights(leds, round(255 * brightness))
    for colours in lights:
        device.show(colours)
        clock.sleep(seconds / len(lights))
    size = group_size(leds)
    lit = f"{leds} LEDs were lit red, green, blue, and " + ("one by one" if size == 1 else f"{size} by {size}")
    greeting = getattr(device, "greeting", None)
    if greeting is None:
        return ok("ring", lit)
    name = greeting(GREETING_S)
    if name is None:
        return degraded(
            "ring", "frames were sent, but the receiver told no name", "if it stayed dark, check that it runs WLED"
        )
    return ok("ring", f"{name} answered; {lit}")


def test_lights(leds: int, level: int) -> list[Sequence[Colour]]:
    """No brighter than in play: a USB port may not carry more."""
    red, green, blue = (level, 0, 0), (0, level, 0), (0, 0, level)
    size = group_size(leds)
    alone = [[green if first <= led < first + size else BLACK for led in range(leds)] for first in range(0, leds, size)]
    return [[red] * leds, [green] * leds, [blue] * leds, *alone]


def group_size(leds: int) -> int:
    """How many LEDs are lit together: each alone where they are few."""
    return math.ceil(leds / GROUPS)


def buttons_open(device: Buttons, clock: Clock, keys: str = "") -> Finding:
    """Whether the lines can be had, and no button is down. `keys`: what stands for them on a keyboard."""
    device.listen(lambda _press: None, lambda _text: None, lambda _error: None)
    clock.sleep(RISE_S)
    there = "keyboard: this terminal is heard" if keys else "gpio: their lines are free"
    return _held(device) or ok("buttons", f"{there}; to press each: companion doctor --press")


def _held(device: Buttons) -> Finding | None:
    """The buttons that are down, which nobody is asked to press; None without any."""
    down = device.down()
    if not down:
        return None
    are, them = ("is", "it") if len(down) == 1 else ("are", "them")
    names = " and ".join(button.name for button in down)
    return broken("buttons", f"{names} {are} down", f"let {them} go, or look for a wire that touches ground")


def buttons_pressed(device: Buttons, say: Callable[[str], None], seconds: float, keys: str = "") -> Finding:
    """Asks for each button in turn, and tells which never came. `keys`: what stands for them on a keyboard."""
    presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
    device.listen(presses.put, lambda _text: None, lambda error: say(str(error)))
    if keys:
        say(keys)
    missing = [button.value for button in Button if not _came(button, presses, say, seconds)]
    if missing:
        return _held(device) or broken("buttons", f"not felt: {', '.join(missing)}", KEYS if keys else WIRES)
    return ok("buttons", "each of the four was felt")


def script(_device: Buttons, file: Path, *, press: bool) -> Finding:
    """It was read when it was opened, and presses nothing here. `press`: whether buttons are to be pressed."""
    unasked = "; it presses by itself, and nothing is to be pressed" if press else ""
    return ok("buttons", f"script: {file} has no mistakes{unasked}")


def knock_open(_device: Closable) -> Finding:
    return ok("knock", "its line is free; to knock: companion doctor --press")


def knock_felt(_device: Closable, felt: queue.SimpleQueue[None], say: Callable[[str], None], seconds: float) -> Finding:
    """Asks for a knock on the table; `felt` hears of it."""
    say(f"knock on the table ({seconds:g} s)")
    try:
        felt.get(timeout=seconds)
    except queue.Empty:
        return broken("knock", "no knock was felt", "check its wire, and buttons.knock in the configuration")
    return ok("knock", "a knock was felt")


def _came(button: Button, presses: queue.SimpleQueue[Press], say: Callable[[str], None], seconds: float) -> bool:
    say(f"press the button {button.value} ({seconds:g} s)")
    while True:
        try:
            press = presses.get(timeout=seconds)
        except queue.Empty:
            return False
        if press.button is button:
            return True
        say(f"that was {press.button.value}")
