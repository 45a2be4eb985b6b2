"""`companion` on modelled wires: `python -m tests.bench.modelled_wires FOLDER run --config FILE`.

All is real but the far ends of two kinds of wire. An I2C bus is a socket in FOLDER, answered by who holds the modelled
panel (`Wires` below); a GPIO is gpiozero's mock pin (with GPIOZERO_PIN_FACTORY=mock), moved by the same.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import gpiozero
import smbus2

from companion.__main__ import run
from hardware.sim_panel import SimBus

ANSWER = struct.Struct("H")  # the number of an OSError, 0 for none
LONGEST = 4096  # bytes of one transfer
BIT_S = 1 / 400_000  # of an I2C bus in fast mode; a byte takes nine


class Bus:
    """What is used of smbus2.SMBus."""

    folder = Path()

    def __init__(self, port: int) -> None:
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._wire.connect(str(self.folder / f"i2c-{port}"))
        except OSError:
            self._wire.close()
            raise

    def write_i2c_block_data(self, address: int, control: int, data: Sequence[int]) -> None:
        self._transfer(bytes((address, control, *data)))

    def i2c_rdwr(self, message: smbus2.i2c_msg) -> None:
        self._transfer(bytes((message.addr, *message)))

    def close(self) -> None:
        self._wire.close()

    def _transfer(self, message: bytes) -> None:
        self._wire.send(message)
        (number,) = ANSWER.unpack(self._wire.recv(ANSWER.size))
        if number:
            raise OSError(number, os.strerror(number))


def move_pins(orders: socket.socket) -> None:
    """Obeys "5 down", "5 up" as they come."""
    while True:
        number, level = orders.recv(LONGEST).decode().split()
        pin = gpiozero.Device.pin_factory.pin(int(number))
        pin.drive_low() if level == "down" else pin.drive_high()


class Wires:
    """The far ends: answers for `bus`, and moves pins. A transfer takes as long as on a real bus."""

    def __init__(self, folder: Path, bus: SimBus) -> None:
        self._folder, self._bus = folder, bus
        self._lock = threading.Lock()
        self._pins = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._asked = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._asked.bind(str(folder / "i2c-1"))
        self._asked.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def move(self, pin: int, level: str) -> None:
        self._pins.sendto(f"{pin} {level}".encode(), str(self._folder / "pins"))

    def close(self) -> None:
        self._asked.close()
        self._pins.close()

    def _accept(self) -> None:
        while True:
            try:
                wire, _address = self._asked.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(wire,), daemon=True).start()

    def _answer(self, wire: socket.socket) -> None:
        with wire, suppress(ConnectionError):  # the daemon was killed
            while message := wire.recv(LONGEST):
                time.sleep(9 * len(message) * BIT_S)
                number = 0
                try:
                    with self._lock:
                        self._bus.i2c_rdwr(smbus2.i2c_msg.write(message[0], message[1:]))
                except OSError as error:
                    number = error.errno or 0
                wire.send(ANSWER.pack(number))


if __name__ == "__main__":
    Bus.folder = Path(sys.argv[1])
    smbus2.SMBus = Bus
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as moved:
        moved.bind(str(Bus.folder / "pins"))
        threading.Thread(target=move_pins, args=(moved,), daemon=True).start()
        sys.argv[1:2] = []
        run()
