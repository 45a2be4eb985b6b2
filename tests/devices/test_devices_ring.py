from __future__ import annotations

import errno
import fcntl
import os
import random
import termios
from fcntl import ioctl

import pytest
import serial
from pseudo import Line
from standins import FakeClock, nudged

from companion.ports import DeviceLost
from hardware.adalight import COMMANDS, HELLO, NUDGED, frame, pause_s, resync
from hardware.ring_serial import SerialRing
from hardware.sim_ring import VERSION, SimReceiver

LEDS = 60
RED, BLACK = (255, 0, 0), (0, 0, 0)


def test_a_frame_is_as_adalight_defines_it():
    assert frame([RED, (1, 2, 3)]) == b"Ada\x00\x01\x54" + bytes((255, 0, 0, 1, 2, 3))
    assert frame([RED] * 300)[:6] == b"Ada\x01\x2b" + bytes((0x01 ^ 0x2B ^ 0x55,))
    assert len(frame([RED] * LEDS)) == 186


def test_no_byte_of_any_frame_commands_anything_and_no_colour_is_off_by_more_than_four():
    assert max(abs(value - NUDGED[value]) for value in range(256)) <= 4
    assert not COMMANDS & set(NUDGED)
    assert [NUDGED[byte] for byte in (0, 255, 0x49, 0x7B, 0xB0, 0xB3, 0xB4, 0xB7, 0xC9)] == [
        0, 255, 0x48, 0x7A, 0xAF, 0xAF, 0xB8, 0xB8, 0xC8
    ]  # fmt: skip
    for leds in range(1, 601):
        assert not COMMANDS & set(frame([(value % 256,) * 3 for value in range(leds)])[3:])


def test_a_count_that_would_be_a_command_gets_a_few_dark_leds_more():
    assert frame([RED] * (0x49 + 1))[3:6] == bytes((0, 0x4A, 0x4A ^ 0x55))
    assert len(frame([RED] * (0x49 + 1))) == 6 + 3 * (0x4A + 1)


def test_a_ring_has_one_to_1024_leds():
    assert len(frame([RED] * 1024)) == 6 + 3 * 1024
    for leds in (0, 1025):
        with pytest.raises(ValueError, match=f"1 to 1024 LEDs, not {leds}"):
            frame([RED] * leds)


@pytest.mark.parametrize("leds", [1, 16, LEDS, 74, 255, 256, 300])
def test_wherever_a_frame_is_cut_off_the_receiver_is_back_after_a_resync_and_obeyed_nothing(leds):
    colours = [tuple(random.Random(leds).randbytes(3)) for _ in range(leds)]
    whole = frame(colours)
    for cut in [*range(min(len(whole), 40)), *range(40, len(whole), 29)]:
        for torn in (whole[:cut], whole[cut:]):
            receiver = SimReceiver()
            receiver.take(torn + resync(leds) + HELLO)
            assert bytes(receiver.answers) == VERSION
            receiver.take(whole)
            assert receiver.shown[-1][:leds] == nudged(colours)
            assert bytes(receiver.obeyed) == b""


def test_frames_leave_the_receiver_time_to_drive_its_leds():
    assert pause_s(186, LEDS, 115200) == pytest.approx(186 * 10 / 115200 + LEDS * 32e-6 + 0.3e-3)


@pytest.fixture
def line():
    line = Line()
    yield line
    line.close()


def opened(line, clock=None, **settings) -> SerialRing:
    return SerialRing(line.name, leds=LEDS, clock=clock or FakeClock(), **settings)


def test_the_receiver_is_resynchronised_asked_its_version_and_shown_whole_frames(line):
    ring = opened(line)
    assert line.received() == bytes(3 * LEDS) + b"v"
    line.send(VERSION)
    colours = [(i, 2 * i, 255 - i) for i in range(LEDS)]
    ring.show(colours)
    receiver = SimReceiver()
    receiver.take(line.received())
    assert receiver.shown == [nudged(colours)]
    assert (receiver.torn, receiver.waiting) == (0, 0)
    assert ring.greeting(0) == "WLED 2406290"
    ring.close()
    ring.close()


def test_the_board_is_reset_neither_by_a_line_that_falls_as_its_port_opens_nor_as_it_closes(line, monkeypatch):
    attributes = termios.tcgetattr(line.slave)
    attributes[2] |= termios.HUPCL
    termios.tcsetattr(line.slave, termios.TCSANOW, attributes)
    asked = set()
    monkeypatch.setattr(fcntl, "ioctl", lambda fd, request, *more: asked.add(request) or ioctl(fd, request, *more))
    opened(line).close()
    assert asked & {termios.TIOCMBIS, termios.TIOCMBIC} == {termios.TIOCMBIS}
    assert not termios.tcgetattr(line.slave)[2] & termios.HUPCL


def test_a_receiver_caught_in_mid_frame_shows_the_next_one(line):
    receiver = SimReceiver()
    receiver.take(frame([RED] * LEDS)[:100])
    ring = opened(line)
    ring.show([RED] * LEDS)
    receiver.take(line.received())
    assert receiver.shown[-1] == (RED,) * LEDS
    assert bytes(receiver.obeyed) == b""
    ring.close()


def test_messages_are_spaced_however_fast_they_are_given(line):
    clock = FakeClock()
    ring = opened(line, clock)
    for _ in range(10):
        ring.show([BLACK] * LEDS)
    spent_s = pause_s(180, LEDS, 115200) + pause_s(1, LEDS, 115200) + 9 * pause_s(186, LEDS, 115200)
    assert clock.now_s() - 100 == pytest.approx(spent_s)
    clock.sleep(1)
    before_s = clock.now_s()
    ring.show([BLACK] * LEDS)
    assert clock.now_s() == before_s
    ring.close()


def test_silence_is_no_fault(line):
    clock = FakeClock()
    ring = opened(line, clock)
    before_s = clock.now_s()
    assert ring.greeting() is None
    assert clock.now_s() - before_s == pytest.approx(2, abs=0.03)
    ring.show([RED] * LEDS)
    ring.close()


def test_an_adalight_sketch_that_calls_out_is_recognised(line):
    ring = opened(line)
    line.send(b"Ada\n")
    assert ring.greeting() == "Ada"
    ring.close()


def test_a_chatty_receiver_does_not_pile_up(line):
    ring = opened(line)
    for _ in range(20):
        line.send(b"debug " * 200)
        ring.show([RED] * LEDS)
    assert len(ring._heard) <= 256
    ring.close()


def test_a_frame_of_another_length_is_refused(line):
    ring = opened(line)
    with pytest.raises(ValueError, match="the ring has 60 LEDs, not 59"):
        ring.show([RED] * (LEDS - 1))
    ring.close()


def test_a_ring_unplugged_is_lost_and_closed(line):
    ring = opened(line)
    line.unplug()
    with pytest.raises(DeviceLost, match=r"is gone: .*; check the USB cable"):
        ring.show([RED] * LEDS)
    with pytest.raises(DeviceLost, match="closed"):
        ring.show([RED] * LEDS)


def test_a_ring_unplugged_in_mid_frame_is_resynchronised_when_it_is_back(line):
    """The last bytes are lost with the cable; the receiver, powered apart, still waits for them when it is back."""
    ring = opened(line)
    receiver = SimReceiver()
    ring.show([RED] * LEDS)
    receiver.take(line.received()[:-100])
    assert receiver.waiting == 100
    ring.close()
    again = opened(line)
    again.show([RED] * LEDS)
    receiver.take(line.received())
    assert receiver.shown[-1] == (RED,) * LEDS
    assert (receiver.waiting, receiver.torn, bytes(receiver.obeyed)) == (0, 0, b"")
    again.close()


def test_a_port_that_takes_nothing_any_more_is_lost_and_does_not_hang(line):
    ring = opened(line, write_s=0.05)
    line.clog()
    with pytest.raises(DeviceLost) as lost:
        ring.show([RED] * LEDS)
    told = f"the ring on {line.name} takes no more data; unplug it and plug it in"
    assert str(lost.value) == told
    for _ in range(2):  # nor is the port kept by a ring that could not be greeted
        with pytest.raises(DeviceLost) as again:
            opened(line, write_s=0.05)
        assert str(again.value) == told


def test_a_port_that_is_missing_busy_or_no_port_tells_what_to_do(line, tmp_path):
    with pytest.raises(DeviceLost, match=r"No such file or directory.*; plug the ring in"):
        SerialRing(str(tmp_path / "ttyACM0"), leds=LEDS, clock=FakeClock())
    (tmp_path / "plain").write_text("")
    with pytest.raises(DeviceLost, match=r"cannot be opened: .*; check the USB cable"):
        SerialRing(str(tmp_path / "plain"), leds=LEDS, clock=FakeClock())
    ring = opened(line)
    with pytest.raises(DeviceLost, match=r"cannot be opened: .*; end the other program that uses it"):
        opened(line)
    ring.close()
    opened(line).close()


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.EACCES, "let the companion's user into the group dialout"),
        (errno.EPERM, r"name a port that the service may use \(ttyUSB, ttyACM, ttyAMA, ttyS\); if it is one, start"),
    ],
)
def test_a_port_that_may_not_be_opened_tells_the_group_or_that_the_service_knows_no_such_port(
    monkeypatch, number, remedy
):
    def denied(self):
        raise serial.SerialException(number, f"could not open port: [Errno {number}] {os.strerror(number)}")

    monkeypatch.setattr(serial.Serial, "open", denied)
    cause = f"the ring's port /dev/ttyUSB0 cannot be opened: {os.strerror(number)}"
    with pytest.raises(DeviceLost, match=f"^{cause}; {remedy}"):
        SerialRing("/dev/ttyUSB0", leds=LEDS, clock=FakeClock())


def test_a_renamed_port_is_found_by_its_pattern_past_a_busy_one(tmp_path):
    lines = [Line(), Line()]
    for number, line in enumerate(lines):
        (tmp_path / f"ttyACM{number}").symlink_to(line.name)
    pattern = str(tmp_path / "ttyACM*")
    first = SerialRing(pattern, leds=LEDS, clock=FakeClock())
    second = SerialRing(pattern, leds=LEDS, clock=FakeClock())
    assert [ring.port[-1] for ring in (first, second)] == ["0", "1"]
    with pytest.raises(DeviceLost, match="end the other program"):
        SerialRing(pattern, leds=LEDS, clock=FakeClock())
    with pytest.raises(DeviceLost, match=r"there is no serial port .*; plug the ring in"):
        SerialRing(str(tmp_path / "ttyUSB*"), leds=LEDS, clock=FakeClock())
    for device in (first, second, *lines):
        device.close()
