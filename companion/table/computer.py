"""The part of the menu that is about the computer: off, anew, and what it is called."""

from __future__ import annotations

from dataclasses import dataclass

from companion.locale import Texts
from companion.table.asking import Asking, Given, Leaving, Next, Switching
from companion.table.questions import Pick, Value

OFF, ANEW = "poweroff", "reboot"


@dataclass(frozen=True, slots=True)
class Computer:
    """What players may know of the computer below the table. `address` is "" without a network."""

    version: str
    name: str
    address: str = ""


def entry(computer: Computer | None, _: Texts) -> tuple[tuple[Value, str], ...]:
    """The menu's entry; none where the table may not switch the computer."""
    return () if computer is None else (("computer", _("Switch off …")),)


def dialogue(computer: Computer, given: Given, _: Texts) -> Next:
    """What was chosen of it. Switching is asked about once more."""
    match given.get("computer"):
        case None:
            return Asking("computer", Pick(_("Computer"), _choices(_)))
        case "about":
            return Leaving() if "about" in given else Asking("about", Pick(_("Computer"), _facts(computer, _)))
        case "back":
            return Leaving()
        case how:
            return _sure(str(how), given, _)


def _choices(_: Texts) -> tuple[tuple[Value, str], ...]:
    return (
        ("back", _("Go on")),
        (OFF, _("Switch off")),
        (ANEW, _("Restart computer")),
        ("about", _("Version, address")),
    )


def _facts(computer: Computer, _: Texts) -> tuple[tuple[Value, str], ...]:
    address = computer.address or _("no network")
    return ((None, _("Version {version}").format(version=computer.version)), (None, computer.name), (None, address))


def _sure(how: str, given: Given, _: Texts) -> Next:
    if "sure" not in given:
        title = _("Switch off now?") if how == OFF else _("Restart computer now?")
        return Asking("sure", Pick(title, ((False, _("No, go on")), (True, _("Yes")))))
    return Switching(how) if given["sure"] else Leaving()
