"""Adalight frames that cannot be taken for anything else. Pure.

A frame is "Ada", high and low byte of one less than the LED count, their exclusive or with 0x55, then red, green, blue
for each LED; the payload has no checksum. WLED's receiver (wled00/wled_serial.cpp) obeys single bytes whenever it is
not inside a frame, and it is not inside one whose header got torn: so bytes that command something are kept out of all
that is sent, at the price of a colour that is off by at most four of 255.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.ports import Colour

MAGIC = b"Ada"
HELLO = b"v"  # WLED answers "WLED 2406290", the day of its build; other receivers say nothing
COMMANDS = frozenset(
    (
        *b"A",  # begins a frame
        *b"I",  # Improv set-up
        *b"vlLoO",  # version; the colours shown, once, as bytes, and without end
        *b"X^",  # reconnect, and boot the other firmware: forks of WLED have them
        *b"{",  # JSON
        0xC9,  # TPM2
        *range(0xB0, 0xB8),  # other baud rates
    )
)
HARMLESS = tuple(byte for byte in range(256) if byte not in COMMANDS)
NUDGED = bytes(min(HARMLESS, key=lambda other, byte=byte: abs(other - byte)) for byte in range(256))  # type: ignore[misc]
LED_S = 32e-6  # a WS2812 takes 24 bits of 1.25 µs, and an ATmega some more to fetch them; receivers are deaf meanwhile
LATCH_S = 0.3e-3  # and this much silence to show them
MOST_LEDS = 1024


def frame(colours: Sequence[Colour]) -> bytes:
    """One whole frame."""
    count = _count(len(colours))
    low = (count - 1) & 0xFF
    high = (count - 1) >> 8
    payload = bytes(part for colour in colours for part in colour).translate(NUDGED)
    return MAGIC + bytes((high, low, high ^ low ^ 0x55)) + payload.ljust(3 * count, b"\0")


def resync(leds: int) -> bytes:
    """Ends any frame of so many LEDs that a receiver may still be waiting for the rest of; means nothing otherwise."""
    return bytes(3 * _count(leds))


def pause_s(length: int, leds: int, baud: int) -> float:
    """From the beginning of a message of `length` bytes to the beginning of the next.

    Ten bits a byte (start and stop included), then the time in which the receiver drives its LEDs and hears nothing.
    """
    return length * 10 / baud + _count(leds) * LED_S + LATCH_S


def _count(leds: int) -> int:
    """LEDs in a frame: some dark ones are added where the count itself would be a command."""
    if not 1 <= leds <= MOST_LEDS:
        raise ValueError(f"a ring has 1 to {MOST_LEDS} LEDs, not {leds}")
    return next(count for count in range(leds, leds + 16) if not COMMANDS & set(_counted(count)))


def _counted(count: int) -> tuple[int, int, int]:
    high, low = divmod(count - 1, 256)
    return high, low, high ^ low ^ 0x55
