"""The configuration: one file, every key documented, every mistake told at once."""

from __future__ import annotations

import dataclasses
import math
import operator
import re
import tomllib
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli import main
from companion.compose import house_of
from companion.config import (
    Buttons,
    Camera,
    Config,
    ConfigClosed,
    ConfigError,
    Display,
    Files,
    Problem,
    Settle,
    calibration_folder,
    example,
    find,
    journal_file,
    load,
    parse,
    state_folder,
)
from companion.config.games import SEATS
from companion.config.kinds import toml
from companion.config.parts import MOST_LEDS
from companion.config.presets import PRESETS, TAKES
from companion.journal import Journal
from companion.ports import Colour

FILE = Path("/etc/companion/companion.toml")


def read(text: str) -> Config:
    return parse(text.encode(), FILE)


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as told:
        read(text)
    return told.value.problems


# -- what holds


def test_without_a_file_the_defaults_hold() -> None:
    assert load(None) == Config() == read("")


def test_the_example_says_the_same_as_no_file_at_all() -> None:
    assert read(example()) == Config()


def uncommented(text: str) -> str:
    return re.sub(r"^#(?=\w+ = |\[)", "", text, flags=re.MULTILINE)


def test_the_example_documents_every_key() -> None:
    def keys(kind: Any) -> Iterator[str]:
        for each in dataclasses.fields(kind):
            inner = each.metadata.get("section") or each.metadata.get("sections")
            yield from keys(inner) if inner else (each.name,)

    written = set(re.findall(r"^#(\w+) = ", example(), re.MULTILINE))
    assert set(keys(Config)) == written


BOARD = """
# The board of Rat-a-Tat Roll.
[board]

# The colour regions of the Roll board, clockwise from space 0: five tables, or none for these.
#[[board.region]]
# Its colour's name; without one it is told by its number.
# A text of 1 to 12 printable characters, without blanks around it.
#name = "red"
# Its colour on the ring.
# A colour such as "#ff8800".
#colour = "#ff0000"
# Its spaces, clockwise. The Wild space before it is always there and not written.
# A list of 1 to 20 entries, each one of "choice", "token", "peek".
#spaces = ["choice", "token", "peek"]
#[[board.region]]
#name = "yellow"
#colour = "#ffa000"
#[[board.region]]
"""


def test_the_example_tells_of_every_key_what_it_means_and_may_be_and_of_further_tables_only_what_they_say() -> None:
    assert f"\n{BOARD}" in example()
    assert "\n\n# Where the players look. Several displays: one table [[display]] each.\n[display]\n" in example()


def test_every_key_and_every_table_of_the_example_has_a_meaning() -> None:
    def meanings(kind: Any) -> Iterator[str]:
        for each in dataclasses.fields(kind):
            yield each.metadata["doc"]
            if inner := each.metadata.get("section") or each.metadata.get("sections"):
                yield from meanings(inner)

    assert [meaning for meaning in meanings(Config) if not re.search(r"\w.*[.)]$", meaning)] == []


def test_the_keys_of_the_example_hold_their_defaults_when_uncommented() -> None:
    samples = Config(
        table=dataclasses.replace(Config().table, seat=(dataclasses.replace(SEATS[0], place=0.0), *SEATS[1:])),
        camera=Camera(
            url="http://192.168.1.20:8080/video",
            path=Path("/etc/companion/pictures"),
            order=Path("/etc/companion/order.txt"),
            idle_fps=2.0,
        ),
        display=(Display(port=1, folder=Path("/etc/companion/screens")),),
        buttons=(Buttons(knock=26, script=Path("/etc/companion/presses.txt")),),
        settle=Settle(ask_after_s=3.0),
        files=Files(journal=Path("/var/lib/companion/journal.db"), calibration=Path("/var/lib/companion/calibration")),
    )
    assert read(uncommented(example())) == samples


def test_the_example_says_which_of_its_keys_are_no_defaults() -> None:
    def without_default(made: Any) -> Iterator[str]:
        for each in dataclasses.fields(made):
            value = getattr(made, each.name)
            first = value[0] if "sections" in each.metadata else value
            inner = "section" in each.metadata or "sections" in each.metadata
            yield from without_default(first) if inner else [each.name] * (value is None)

    told = re.findall(r"^# (?:.* )?Left out by default; an example:\n#(\w+) = ", example(), re.MULTILINE)
    assert sorted(told) == sorted(without_default(Config()))
    assert '"Left out by default"' in example().split("\n\n")[0]


def test_the_example_says_that_what_was_measured_of_the_ring_goes_before_its_keys() -> None:
    told = " ".join(line.removeprefix("# ") for line in example().splitlines())
    measured = "leds, first, clockwise, spaces and the seats' places"
    assert f"What companion calibrate ring measured goes before {measured}. [ring]" in told


@pytest.mark.parametrize("name", PRESETS)
def test_the_example_leaves_room_for_a_preset(name: str) -> None:
    chosen = f'preset = "{name}"'
    assert read(example().replace('#preset = "plain"', chosen)) == read(chosen)


def test_a_single_table_and_a_list_of_tables_are_both_lists() -> None:
    assert read('[display]\nkind = "terminal"').display == (Display(kind="terminal"),)
    config = read('[[display]]\nkind = "oled"\n[[display]]\nkind = "terminal"')
    assert config.display == (Display(kind="oled"), Display(kind="terminal"))


def test_no_displays_and_no_buttons_is_a_choice() -> None:
    config = read("display = []\nbuttons = []")
    assert (config.display, config.buttons) == ((), ())


def test_relative_paths_begin_at_the_files_folder_and_the_tilde_is_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    config = read('[camera]\npath = "pictures"\n[files]\njournal = "~/games.db"\ncalibration = "/srv/c"')
    assert config.camera.path == Path("/etc/companion/pictures")
    assert (config.files.journal, config.files.calibration) == (Path("/home/ana/games.db"), Path("/srv/c"))
    assert parse(b'camera.path = "pictures"', Path("companion.toml")).camera.path == Path.cwd() / "pictures"


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("film.avi", Path("/etc/companion/film.avi")),
        ("~/film.avi", Path("/home/ana/film.avi")),
        ("/srv/film.avi", Path("/srv/film.avi")),
        ("http://10.0.0.5:8080/video", "http://10.0.0.5:8080/video"),
    ],
)
def test_a_film_lies_where_any_other_file_does_and_a_stream_at_its_address(
    url: str, found: str | Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    camera = read(f'camera = {{kind = "video", url = "{url}"}}').camera
    assert (camera.url, camera.source) == (found, str(found))


@pytest.mark.parametrize(
    ("text", "rests"),
    [
        ("", 2),
        ("fps = 1", 1),
        ("fps = 0.5", 0.5),
        ("fps = 30", 2),
        ("fps = 5, idle_fps = 5", 5),
        ("idle_fps = 0.1", 0.1),
    ],
)
def test_a_camera_that_rests_is_no_faster_than_one_that_watches(text: str, rests: float) -> None:
    assert read(f"camera = {{{text}}}").camera.resting_fps == rests


@pytest.mark.parametrize(
    ("text", "asks"), [("", 3), ("still_s = 0.1", 3), ("still_s = 8", 8), ("still_s = 2, ask_after_s = 2", 2)]
)
def test_nobody_is_asked_about_dice_before_they_are_read(text: str, asks: float) -> None:
    assert read(f"settle = {{{text}}}").settle.asking_s == asks


def test_seats_lie_evenly_around_the_ring_unless_placed() -> None:
    table = read('table.seat = [{name = "a"}, {name = "b", place = 0.3}, {name = "c"}, {name = "d"}]').table
    assert table.places == (0.0, 0.3, 0.5, 0.75)


def test_a_seat_without_a_colour_has_one_that_no_other_seat_has() -> None:
    red, yellow, green = (seat.colour for seat in SEATS[:3])
    assert read('table.seat = [{name = "a"}, {name = "b"}]').table.colours == (red, yellow)
    given = read('table.seat = [{name = "a"}, {name = "b", colour = "#ff0000"}, {name = "c"}]')
    assert given.table.colours == (yellow, red, green)
    assert [seat.colour for seat in house_of(given).seats] == [yellow, red, green]
    by_name = read('table.seat = [{name = "Blue"}, {name = "red"}, {name = "x", colour = "#0014ff"}]').table.colours
    assert by_name == (yellow, red, (0, 20, 255))
    assert read('table.seat = [{name = "Green"}, {name = "b"}]').table.colours == (green, red)
    eight = ", ".join(f'{{name = "{name}"}}' for name in "abcdefgh")
    assert read(f"table.seat = [{eight}]").table.colours == tuple(seat.colour for seat in SEATS)


def test_each_seat_that_lies_where_one_before_it_does_is_told_once() -> None:
    seats = ", ".join(f'{{name = "{name}", place = 0.5}}' for name in "abcd")
    assert [problem.expected.split("(")[1] for problem in problems(f"table.seat = [{seats}]")] == [
        f'"a" at 0.5 and "{name}" at 0.5) was expected' for name in "bcd"
    ]


@pytest.mark.parametrize("apart", [1 / MOST_LEDS, 0.5])
def test_seats_may_be_as_near_as_two_leds_of_the_largest_ring(apart: float) -> None:
    table = read(f'table.seat = [{{name = "a", place = 0.25}}, {{name = "b", place = {0.25 + apart}}}]').table
    assert table.places == (0.25, 0.25 + apart)


# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency, 2009
PROTANOPE = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTERANOPE = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))


@pytest.mark.parametrize("eye", [PROTANOPE, DEUTERANOPE])
def test_neighbours_do_not_look_alike_to_who_sees_no_red_or_no_green(eye: tuple[tuple[float, ...], ...]) -> None:
    """An LED's light grows with its number, so that no gamma comes between."""

    def seen(colour: Colour) -> tuple[float, ...]:
        return tuple(max(0.0, min(255.0, sum(map(operator.mul, row, colour)))) for row in eye)

    for places in (Config().table.seat, Config().board.region):
        around = [seen(place.colour) for place in (*places, places[0])]
        assert min(math.dist(one, other) for one, other in pairwise(around)) >= 45


def test_one_colour_has_one_name() -> None:
    names = {place.colour: place.name for place in (*Config().board.region, *Config().table.seat)}
    assert all(names[region.colour] == region.name for region in Config().board.region)


def test_one_seat_is_enough_for_the_free_table() -> None:
    assert len(read('[table]\ngames = ["free"]\n[[table.seat]]\nname = "a"').table.seat) == 1


def test_colours_are_read_as_red_green_blue() -> None:
    assert read('table.seat = [{name = "a", colour = "#0a80FF"}, {name = "b"}]').table.seat[0].colour == (10, 128, 255)


def test_the_usual_settings_are_those_that_are_usual() -> None:
    config = Config()
    assert config.roll.usual == {"cards": "ask", "pool": 20}
    assert config.cat.usual == {"end": {"limit": 100}, "scores": True, "younger": False, "pace": "light"}
    assert config.cat.ends == {"limit": 100, "rounds": 5, "minutes": 30.0}
    assert config.free.usual == {"dice": 2}


def test_the_usual_settings_are_members_of_a_start_line() -> None:
    config = read(
        'cat = {end = "rounds", rounds = 3, scores = false}\nroll = {cards = "track", pool = 9}\nfree.dice = 5'
    )
    assert config.roll.usual == {"cards": "track", "pool": 9}
    assert config.cat.usual == {"end": {"rounds": 3}, "scores": False, "younger": False, "pace": "light"}
    assert config.free.usual == {"dice": 5}
    assert read('cat = {end = "minutes", minutes = 45}').cat.usual["end"] == {"minutes": 45}
    assert read('cat.pace = "full"').cat.usual["pace"] == "full"


def test_a_byte_order_mark_is_not_a_mistake() -> None:
    assert parse(b'\xef\xbb\xbfpreset = "custom"', FILE).preset == "custom"


# -- presets


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_read(name: str) -> None:
    assert read(f'preset = "{name}"').preset == name


def test_the_waveshare_hat_has_its_panel_on_spi_and_its_joystick_as_buttons() -> None:
    config = read('preset = "waveshare-hat"')
    assert config.display == (Display(driver="sh1106", bus="spi", dc=24, rst=25, rotate=180),)
    assert config.buttons == (Buttons(back=(5, 21), less=(6,), more=(19, 20), ok=(13, 16)),)


def test_the_readme_wires_every_preset_as_it_is_configured() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    rows = {name: cells for name, *cells in re.findall(r"^\| (\w+) \| (.*) \| (.*) \| (.*) \|$", readme, re.MULTILINE)}
    for column, preset in enumerate(("plain", "adafruit-bonnet", "waveshare-hat")):
        config = read(f'preset = "{preset}"')
        (buttons,), (display,) = config.buttons, config.display
        for name in ("back", "less", "more", "ok"):
            told = tuple(int(pin) for pin in re.findall(r"(\d+)(?: \([^)]*\))?", rows[name][column]))
            assert (preset, name, told) == (preset, name, getattr(buttons, name))
        assert rows["panel"][column].startswith(f"{display.driver.upper()} on {display.bus.upper()}")
    assert "".join(f"{pin} " for pin in (5, 6, 13, 19, 26)) == "".join(
        f"{pin} " for pin in re.findall(r"─/ ─── (\d+)", readme)
    )


def test_a_panel_is_on_the_headers_bus_unless_told_otherwise() -> None:
    panels = read('display = [{}, {bus = "spi"}, {bus = "spi", port = 1, dc = 22, rst = 23}]').display
    assert [panel.bus_number for panel in panels] == [1, 0, 1]


def test_keys_of_the_file_go_before_the_preset_and_leave_its_other_keys() -> None:
    config = read('preset = "adafruit-bonnet"\n[buttons]\nhold_s = 2\nok = [4]')
    assert config.buttons == (Buttons(back=(27, 6), less=(17,), more=(22,), ok=(4,), hold_s=2.0),)


def test_a_list_of_tables_replaces_the_presets() -> None:
    config = read('preset = "laptop"\n[[display]]\nkind = "png"\nfolder = "/tmp/x"')
    assert config.display == (Display(kind="png", folder=Path("/tmp/x")),)
    wired = read('preset = "laptop"\n[[display]]\nkind = "oled"\n[[buttons]]\nkind = "gpio"\nok = [5]\nback = [4]')
    assert (wired.display, wired.buttons) == ((Display(),), (Buttons(back=(4,), ok=(5,)),))


def test_of_several_tables_the_first_without_a_kind_is_the_presets() -> None:
    hat = read(
        'preset = "waveshare-hat"\n[[display]]\nkind = "terminal"\n[[display]]\ncontrast = 50\n[[display]]\nport = 0'
    )
    (plain,) = read('preset = "waveshare-hat"\ndisplay.contrast = 50').display
    assert hat.display == (Display(kind="terminal"), plain, Display(port=0))
    bonnet = read('preset = "adafruit-bonnet"\n[[buttons]]\nknock = 26\n[[buttons]]\nkind = "keyboard"')
    (plain_buttons,) = read('preset = "adafruit-bonnet"\nbuttons.knock = 26').buttons
    assert bonnet.buttons == (plain_buttons, Buttons(kind="keyboard"))
    laptop = read('preset = "laptop"\n[[display]]\n[[display]]\nport = 0\n[[buttons]]\nhold_s = 1.0')
    assert laptop.display == (Display(kind="terminal"), Display(port=0))
    assert laptop.buttons == (Buttons(kind="keyboard", hold_s=1.0),)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[display]]\ncontrast = 100", "display[1].kind: one that has contrast {} terminal"),
        ('[display]\nbus = "spi"\ndc = 5', "display[1].kind: one that has bus and dc {} terminal"),
        (
            '[[buttons]]\nkind = "none"\n[[buttons]]\nhold_s = 1\nok = [4]',
            "buttons[2].kind: one that has ok {} keyboard",
        ),
    ],
)
def test_keys_that_the_presets_hardware_does_not_have_need_a_kind_beside_them(text: str, told: str) -> None:
    (problem,) = problems(f'preset = "laptop"\n{text}')
    assert str(problem) == f'{told.format("(without a kind this is the")} of preset = "laptop") was expected'


def test_an_unknown_key_beside_no_kind_is_told_once() -> None:
    (problem,) = problems('preset = "laptop"\n[[display]]\ncolour = "red"')
    assert str(problem).startswith("display[1].colour: there is no such key; ")


def test_terminal_and_keyboard_take_the_keys_whose_meaning_names_no_other_kind() -> None:
    for kind, section in (("terminal", Display), ("keyboard", Buttons)):
        of_all = [each.name for each in dataclasses.fields(section) if ": " not in each.metadata["doc"].split("\n")[0]]
        assert set(TAKES[kind]) == {"kind", *of_all}


# -- what is wrong

MISTAKES = """
preset = "bonnet"
[table]
langauge = "en"
names = ["Ana", "Ana"]
[camera]
kind = "folder"
fps = "fast"
size = [640, 1e3]
[[display]]
[[display]]
address = 0x80
colour = "red"
[buttons]
ok = [19, 40]
[ring]
first = 60
[board.region]
spaces = ["wild"]
"""


def test_all_mistakes_are_told_at_once_with_key_value_and_what_was_expected() -> None:
    assert [str(problem) for problem in problems(MISTAKES)] == [
        'preset = "bonnet": one of "plain", "adafruit-bonnet", "waveshare-hat", "laptop", "custom" was expected',
        "table.langauge: there is no such key; did you mean language?",
        'table.names[2] = "Ana": an entry unlike those before it was expected',
        "board.region = …: 5 tables [[board.region]] were expected",
        'board.region[1].spaces[1] = "wild": one of "choice", "token", "peek" was expected',
        "camera.size = [640, 1000.0]: width and height in pixels, each from 64 to 8192, such as [640, 480] was "
        "expected",
        'camera.fps = "fast": a number from 0.5 to 60 was expected',
        "display[2].colour: there is no such key; known are: kind, driver, bus, port, address, spi_device, dc, rst, "
        "rotate, contrast, folder",
        "display[2].address = 0x80: an I2C address from 0x03 to 0x77 was expected",
        "buttons[1].ok[2] = 40: a whole number from 0 to 27 was expected",
        "ring.first = 60: less than leds (60), since LEDs are numbered from 0 was expected",
    ]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("buttons.ok = 4", "[4]"),
        ('buttons.ok = "4"', "[4]"),
        ('buttons.ok = "GPIO4"', "[4]"),
        ('buttons.ok = ["BCM 4"]', "4"),
        ("buttons.ok = [4.0]", "4"),
        ("buttons.knock = [26]", "26"),
        ('ring.leds = "60"', "60"),
        ("ring.leds = 60.0", "60"),
        ('ring.clockwise = "True"', "true"),
        ('ring.port = "ttyACM0"', '"/dev/ttyACM0"'),
        ('display.address = "0x3d"', "0x3D"),
        ('display.driver = "SH1106"', '"sh1106"'),
        ('camera.size = "[640, 480]"', "[640, 480]"),
        ('camera.device = "video1"', '"/dev/video1"'),
        ('table.games = "Roll"', '["roll"]'),
        ('table.names = [" Bo"]', '"Bo"'),
        ('table.seat = [{name = "a", colour = "ff8800"}]', '"#ff8800"'),
    ],
)
def test_what_is_only_written_another_way_is_told_as_it_is_meant(text: str, meant: str) -> None:
    assert [problem.expected.partition(" was expected; did you mean ")[2] for problem in problems(text)] == [
        f"{meant}?"
    ]


@pytest.mark.parametrize(
    "text",
    [
        'ring.leds = "6000"',
        "ring.leds = [60, 61]",
        'ring.leds = ""',
        "ring.clockwise = 1",
        'ring.clockwise = "maybe"',
        'table.names = ["Ana", "Ana"]',
        f'camera.fps = "{"[" * 50}"',
        'camera.fps = "1\n"',
        f'display.driver = "{" " * 60}sh1106"',
    ],
)
def test_where_it_is_not_sure_what_was_meant_nothing_is_said_of_it(text: str) -> None:
    assert not any("did you mean" in problem.expected for problem in problems(text))


def test_an_address_as_boards_print_it_is_told_as_it_is_written_here() -> None:
    assert [str(problem) for problem in problems("[[display]]\naddress = 0x78\n[[display]]\naddress = 0x7A")] == [
        f"display[{n}].address = {printed}: "
        f"an I2C address from 0x03 to 0x77 ({address}, where a board prints {printed}) was expected"
        for n, printed, address in ((1, "0x78", "0x3C"), (2, "0x7A", "0x3D"))
    ]


NAMES = 'table.names = ["Anastasia-Maria", "", "Ян", "Bo", " Bo", "Bo", 3]'


def test_each_entry_of_a_list_that_is_wrong_is_told_by_its_number_and_all_at_once() -> None:
    rule = "a text of 1 to 12 printable characters, without blanks around it was expected"
    assert [str(problem) for problem in problems(NAMES)] == [
        f'table.names[1] = "Anastasia-Maria": {rule}',
        f'table.names[2] = "": {rule}',
        'table.names[3] = "Ян": a spelling in Latin letters (the screen cannot draw Я, н) was expected',
        f'table.names[5] = " Bo": {rule}; did you mean "Bo"?',
        'table.names[6] = "Bo": an entry unlike those before it was expected',
        f"table.names[7] = 3: {rule}",
    ]
    both = problems("[[buttons]]\nkind = 'gpio'\nback = [true, 1]")
    assert [problem.key for problem in both] == ["buttons[1].back[1]"]
    several = problems(f"[ring]\nspaces = {[999] * 30}")
    assert [problem.key for problem in several] == [*(f"ring.spaces[{n}]" for n in range(1, 9)), "ring.spaces"]
    assert str(several[-1]) == "ring.spaces: 22 more of its entries are wrong"
    assert len(problems(f"[ring]\nspaces = {[999] * 8}")) == 8
    (whole,) = problems("table.games = []")
    assert str(whole).startswith("table.games = []: a list of 1 to 3 different entries, each one of ")


@pytest.mark.parametrize(
    ("address", "told"), [("0x90", "0x90"), ("2", "0x02"), ("0", "0x00"), ("-1", "-1"), ("true", "true")]
)
def test_an_address_is_told_as_data_sheets_write_it(address: str, told: str) -> None:
    (problem,) = problems(f"display.address = {address}")
    assert problem.value == told


def test_names_are_shown_as_they_are_written_but_for_the_first_letter() -> None:
    seats = read('table.seat = [{name = "NW corner"}, {name = "mia K."}]')
    assert [seat.name for seat in house_of(seats).seats] == ["NW corner", "Mia K."]


def test_regions_without_names_are_told_by_their_numbers() -> None:
    regions = read('board.region = [{}, {name = "dark red"}, {}, {}, {}]')
    names = [region.name for region in house_of(regions).regions]
    assert names == ["Region 1", "Dark red", "Region 3", "Region 4", "Region 5"]


def test_an_error_names_the_file_on_every_line() -> None:
    with pytest.raises(ConfigError) as told:
        read("a = 1\nb = 2")
    assert [line.split(": ")[0] for line in str(told.value).splitlines()] == [str(FILE), str(FILE)]


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ('camera.kind = "folder"', "camera.path", 'a folder of pictures, for kind = "folder" was expected'),
        ('camera.kind = "video"', "camera.url", "the address of a stream or the name of a file"),
        ("camera = {fps = 1, idle_fps = 2}", "camera.idle_fps", r"at most fps \(1\)"),
        ("settle.ask_after_s = 0.4", "settle.ask_after_s", "a number from 0.5"),
        (
            "settle = {still_s = 2, ask_after_s = 1}",
            "settle.ask_after_s",
            r"at least still_s \(2\), before which no dice",
        ),
        ('display.kind = "png"', "display[1].folder", "a folder"),
        ('buttons.kind = "script"', "buttons[1].script", "a script file"),
        ("cat.scores = false", "cat.end", '"rounds" or "minutes"'),
        ('table.seat = [{name = "a"}, {name = "a"}]', "table.seat", "a name of its own for each seat"),
        ('table.seat = [{name = "é"}, {name = "E\u0301"}]', "table.seat", 'own for each seat ."é" is there 2 times'),
        (
            'board.region = [{name = "a"}, {}, {}, {name = "A"}, {}]',
            "board.region",
            'own for each region ."a" is there 2 times',
        ),
        (
            'table.seat = [{name = "a"}]',
            "table.seat",
            'a second seat for roll and cat .one seat is enough only for games = ."free".. was',
        ),
        ('table.games = ["free", "cat"]\ntable.seat = [{}]', "table.seat", "a second seat for cat"),
        (
            'table.seat = [{name = "a", place = 0.2}, {name = "b", place = 0.2}]',
            "table.seat",
            'a place of its own for each seat ."a" at 0.2 and "b" at 0.2. was',
        ),
        (
            'table.seat = [{name = "a", place = 0.333}, {name = "b"}, {name = "c"}]',
            "table.seat",
            '."a" at 0.333 and "b" at 0.333, evenly spaced. was',
        ),
        (
            'table.seat = [{name = "a"}, {name = "b", place = 0.999}]',
            "table.seat",
            '."a" at 0, evenly spaced and "b" at 0.999. was',
        ),
        (
            'table.seat = [{name = "a", colour = "#00ff00"}, {name = "b", colour = "#00FF00"}]',
            "table.seat",
            'a colour of its own for each seat ."#00ff00" is there 2 times. was',
        ),
        ('table.seat = [{name = "a", colour = "#000000"}]', "table.seat[1].colour", "a colour other than black"),
        (
            "buttons = {ok = [5]}",
            "buttons[1].ok",
            "each GPIO for one thing .GPIO 5 is taken by buttons.back and buttons.ok. was",
        ),
        ("buttons.more = [5]", "buttons[1].more", ".GPIO 5 is taken by buttons.back and buttons.more. was"),
        ("buttons.knock = 5", "buttons[1].knock", ".GPIO 5 is taken by buttons.back and buttons.knock. was"),
        (
            "buttons = {back = [9], less = [9], ok = [9]}",
            "buttons[1].back",
            "by buttons.back and buttons.less and buttons.ok. was",
        ),
        (
            "buttons = [{}, {kind = 'keyboard'}, {back = [4], less = [7], more = [9], ok = [5]}]",
            "buttons[3].ok",
            r".GPIO 5 is taken by buttons\[1\].back and buttons\[3\].ok. was",
        ),
        ("buttons = {ok = [2]}", "buttons[1].ok", ".GPIO 2 is taken by buttons.ok and I2C bus 1 of the display. was"),
        (
            "buttons = {ok = [2]}\ndisplay = [{}, {address = 0x3D}]",
            "buttons[1].ok",
            "buttons.ok and I2C bus 1 of the display. was",
        ),
        (
            'display = {bus = "spi", dc = 24, rst = 24}',
            "display[1].dc",
            ".GPIO 24 is taken by display.dc and display.rst. was",
        ),
        (
            'display = {bus = "spi", dc = 10}',
            "display[1].dc",
            ".GPIO 10 is taken by display.dc and SPI bus 0 of the display. was",
        ),
        (
            'display = {bus = "spi", rst = 8}',
            "display[1].rst",
            ".GPIO 8 is taken by display.rst and SPI bus 0 of the display. was",
        ),
        (
            'display = [{bus = "spi", rst = 22}, {bus = "spi", spi_device = 1}]',
            "display[2]",
            r".GPIO 24 is taken by display\[1\].dc and display\[2\].dc. was",
        ),
        (
            'display = {bus = "spi", spi_device = 1}\nbuttons.ok = [8]',
            "buttons[1].ok",
            ".GPIO 8 is taken by buttons.ok and SPI bus 0 of the display. was",
        ),
        (
            'display = {bus = "spi", spi_device = 1}\nbuttons.ok = [7]',
            "buttons[1].ok",
            ".GPIO 7 is taken by buttons.ok and SPI bus 0 of the display. was",
        ),
        (
            'display = {bus = "spi", port = 1}\nbuttons.ok = [20]',
            "buttons[1].ok",
            ".GPIO 20 is taken by buttons.ok and SPI bus 1 of the display. was",
        ),
        (
            "display.port = 0\nbuttons.ok = [1]",
            "buttons[1].ok",
            ".GPIO 1 is taken by buttons.ok and I2C bus 0 of the display. was",
        ),
        ('display = {bus = "spi", dc = 5}', "display[1].dc", "is taken by buttons.back and display.dc. was"),
        (
            'preset = "waveshare-hat"\nbuttons.ok = [24]',
            "buttons[1].ok",
            "is taken by buttons.ok and display.dc. was",
        ),
        (
            'preset = "waveshare-hat"\ndisplay.port = 1\nbuttons.more = [19]',
            "display[1].port",
            "is taken by buttons.back and SPI bus 1 of the display. was",
        ),
        (
            "buttons = [{}, {less = [7], more = [9], ok = [10]}]",
            "buttons[2]",
            r"by buttons\[1\].back and buttons\[2\].back. was",
        ),
        ('display = [{kind = "terminal"}, {kind = "terminal"}]', "display", "at most one terminal .2 are there"),
        ('buttons = [{kind = "keyboard"}, {}, {kind = "keyboard"}]', "buttons", "at most one keyboard .2 are there"),
        (
            'display = [{kind = "png", folder = "/a"}, {kind = "png", folder = "/a"}]',
            "display",
            "a folder of its own for each png ./a is there 2 times",
        ),
        ('camera.device = "/dev/video0"', "camera.device", 'a number, for kind = "picamera2"'),
        ('camera = {kind = "usb", device = "/dev/"}', "camera.device", "a camera's device file, and not a folder was"),
        (
            'camera = {kind = "usb", device = "/dev/v\\n"}',
            "camera.device",
            'a number, or a name such as "/dev/video0" was',
        ),
        ("camera.device = 100", "camera.device", 'a number, or a name such as "/dev/video0" was'),
        ("camera.device = -1", "camera.device", 'a number, or a name such as "/dev/video0" was'),
        ("camera.path = 3", "camera.path", "^a path was expected$"),
        ("camera.size = 640", "camera.size", "^width and height in pixels, each from 64 to 8192, "),
        ("buttons.ok = 5", "buttons[1].ok", "^a list of 1 to 4 different entries, each a whole number from 0 to 27 "),
        ('camera.device = "100"', "camera.device", 'a number, or a name such as "/dev/video0" was'),
        ('camera.device = "²"', "camera.device", 'a number, or a name such as "/dev/video0" was'),
        ('camera = {kind = "video", url = "http://"}', "camera.url", 'that names a place, such as "http://192.* was'),
        ('camera = {kind = "video", url = "://10.0.0.5"}', "camera.url", "an address that names a place"),
        ('camera = {kind = "video", url = "http://?a=b"}', "camera.url", "an address that names a place"),
        (
            'camera = {kind = "folder", path = "/a"}\ndisplay = [{}, {kind = "png", folder = "/a"}]',
            "display",
            "a folder of its own for each png .camera.path is /a, and pictures of dice are read there. was",
        ),
        (
            "buttons = {hold_s = 0.2, debounce_ms = 200}",
            "buttons[1].hold_s",
            "more than debounce_ms .200., or every press that counts is a long one was",
        ),
        ('ring = {kind = "serial", port = "/dev/"}', "ring.port", "a port, and not a folder was"),
        ('table.names = ["Ana", "Bo", "ANA"]', "table.names", 'a name of its own for each player ."Ana" is there 2'),
        ('files.journal = "journal.db "', "files.journal", "a path of printable characters, without blanks around it"),
        ('camera.path = "pic\\u00adtures"', "camera.path", "a path of printable characters, without blanks"),
        ("ring.spaces = [59, 60]", "ring.spaces", "numbers less than leds .60., since LEDs are numbered from 0 was"),
        ("ring = 3", "ring", "a table of keys was expected$"),
        ("ring = []", "ring", "a table of keys was expected$"),
        ("[[ring]]", "ring", r"a table of keys was expected: \[ring\] in single brackets, as there is only one"),
        ('ring.port = "ttyUSB0"', "ring.port", 'the name of a port, such as "/dev/ttyUSB0" was expected'),
        ('ring.port = "COM3"', "ring.port", "the name of a port"),
        ('ring.port = "loop://"', "ring.port", "the name of a port"),
        ("display = 3", "display", r"0 to 8 tables \[\[display\]\] were expected"),
        (
            f"table.seat = [{', '.join('{}' for _ in range(9))}]",
            "table.seat",
            r"^1 to 8 tables \[\[table.seat\]\] were",
        ),
        ("display = [3]", r"display\[1\]", "a table of keys was expected"),
        ("ring.leds = true", "ring.leds", "a whole number"),
        ("ring.leds = 1.0", "ring.leds", "a whole number"),
        ("ring.brightness = nan", "ring.brightness", "a number from"),
        ("settle.still_s = inf", "settle.still_s", "a number from"),
        ("camera.rotate = false", "camera.rotate", "one of 0, 90, 180, 270"),
        ('camera.device = "video0"', "camera.device", "a number, or a name such as"),
        ('files.journal = "~nobody-at-all/x"', "files.journal", "a path was expected"),
        ('table.language = "xx"', "table.language", 'one of "en", "es", "fi", "da"'),
        ('table.language = "../../etc"', "table.language", 'one of "en", "es", "fi", "da"'),
        ('table.names = [" Ana"]', "table.names[1]", "without blanks around it"),
        (
            'table.names = ["Ana", "Жанна"]',
            "table.names[2]",
            "a spelling in Latin letters .the screen cannot draw Ж, а, н. was",
        ),
        ('table.names = ["Ελένη"]', "table.names[1]", "the screen cannot draw Ε, λ, έ, ν, η. was"),
        ('display.address = "0x3C"', "display[1].address", "an I2C address from"),
        ("display.address = 0x79", "display[1].address", "an I2C address from 0x03 to 0x77 was"),
        ('table.seat = [{name = "a"}, {name = "синий"}]', "table.seat[2].name", "the screen cannot draw с, и, н, й"),
        (
            "ring.spaces = [1, 2, 3]",
            "ring.spaces",
            r"one LED for each of the 20 board spaces, or none at all .3 are there. was",
        ),
        (
            "display = [{}, {address = 0x3c}]",
            "display",
            "a place of its own for each oled .0x3c on I2C bus 1 is there 2",
        ),
        (
            'display = [{bus = "spi"}, {bus = "spi", port = 0, dc = 22, rst = 23}]',
            "display",
            "SPI 0.0 is there 2 times",
        ),
        ('files.journal = "/"', "files.journal", "a file, such as journal.db in this folder"),
        ('table.seat = [{colour = "#ff88é0"}]', r"table.seat[1].colour", "a colour such as"),
        ("ring.leds = 2026-01-01", "ring.leds", "a whole number"),
        ('"a b" = 1', '"a b"', "there is no such key"),
        ('kind = "usb"', "kind", "there is no such key; known are: preset, table, roll, "),
    ],
)
def test_each_mistake_is_told_with_its_key(text: str, key: str, expected: str) -> None:
    (problem,) = problems(text)
    assert problem.key == key.replace("\\", "")
    assert re.search(expected, problem.expected)


@pytest.mark.parametrize(
    "url",
    ["192.168.1.2:8080/video", "10.0.0.5", "localhost:8080", "pi.local/cam", "cam.example.org:80/v", "pi:8080/?a=b"],
)
def test_an_address_without_its_scheme_is_told_of_it(url: str) -> None:
    (problem,) = problems(f'camera = {{kind = "video", url = "{url}"}}')
    assert (problem.key, problem.expected) == (
        "camera.url",
        "an address that begins with http:// or rtsp://, or a file that is there was expected",
    )


@pytest.mark.parametrize("url", ["tray.mp4", "2026-01-31T12:30/tray.mp4", "v1.2.3.mkv", "my.local.film/tray.mp4"])
def test_a_file_that_is_not_there_may_be_a_video_all_the_same(url: str) -> None:
    assert read(f'camera = {{kind = "video", url = "{url}"}}').camera.source.endswith(url)


def test_a_file_that_looks_like_an_address_is_one(tmp_path: Path) -> None:
    (tmp_path / "10.0.0.5").mkdir()
    (tmp_path / "10.0.0.5" / "tray.mp4").touch()
    parse(b'camera = {kind = "video", url = "10.0.0.5/tray.mp4"}', tmp_path / "companion.toml")


def test_a_gpio_taken_twice_is_told_with_the_key_that_is_written_and_its_value() -> None:
    assert [str(problem) for problem in problems('display = {bus = "spi", dc = 5}')] == [
        "display[1].dc = 5: each GPIO for one thing (GPIO 5 is taken by buttons.back and display.dc) was expected"
    ]


@pytest.mark.parametrize(
    ("display", "bus", "pins"),
    [
        ("", "I2C bus 1", {2, 3}),
        ("port = 0", "I2C bus 0", {0, 1}),
        ('bus = "spi"', "SPI bus 0", {8, 10, 11}),
        ('bus = "spi", spi_device = 1', "SPI bus 0", {7, 8, 10, 11}),
        ('bus = "spi", port = 1', "SPI bus 1", {18, 20, 21}),
        ('bus = "spi", port = 1, spi_device = 2', "SPI bus 1", {16, 17, 18, 20, 21}),
    ],
)
def test_a_panel_takes_the_pins_of_its_bus_and_of_the_chip_selects_up_to_its_own(
    display: str, bus: str, pins: set[int]
) -> None:
    def takes(pin: int) -> bool:
        try:
            read(f"buttons.knock = {pin}\ndisplay = {{{display}}}")
        except ConfigError as told:
            return f"{bus} of the display" in str(told)
        return False

    assert {pin for pin in range(28) if takes(pin)} == pins


@pytest.mark.parametrize("port", ["/dev/serial0", "/dev/ttyS0", "/dev/ttyAMA0"])
def test_a_ring_on_the_uart_takes_its_pins(port: str) -> None:
    ring = f'ring = {{kind = "serial", port = "{port}"}}'
    assert [str(problem) for problem in problems(f"{ring}\nbuttons = {{back = [14], less = [15]}}")] == [
        f"buttons[1].{key} = [{pin}]: each GPIO for one thing "
        f"(GPIO {pin} is taken by buttons.{key} and the UART of the ring) was expected"
        for key, pin in (("back", 14), ("less", 15))
    ]
    assert problems(f'{ring}\ndisplay = {{bus = "spi", dc = 14}}')[0].key == "display[1].dc"


def test_a_ring_on_usb_and_one_in_the_terminal_take_no_pins() -> None:
    for ring in ('kind = "serial", port = "/dev/ttyUSB0"', 'kind = "terminal", port = "/dev/serial0"'):
        assert read(f"ring = {{{ring}}}\nbuttons = {{back = [14], less = [15]}}").ring.uart_pins == ()


def test_only_what_toml_has_is_written() -> None:
    assert toml([1, {"a": "b", "c d": 2}, date(2026, 1, 2)]) == '[1, {a = "b", "c d" = 2}, 2026-01-02]'
    assert tomllib.loads("a = " + toml("b\x7f\n")) == {"a": "b\x7f\n"}
    for other in (Buttons(), None, (Display(),)):
        with pytest.raises(ValueError, match="TOML has no "):
            toml(other)


def test_two_panels_may_share_the_i2c_bus() -> None:
    assert len(read("[[display]]\n[[display]]\naddress = 0x3D").display) == 2


@pytest.mark.parametrize(
    "text",
    [
        "display.port = 0\nbuttons = {less = [2], more = [3]}",
        'display = {bus = "spi", port = 1}\nbuttons = {less = [8], more = [10], ok = [11]}',
        'display = [{bus = "spi"}, {bus = "spi", spi_device = 1, dc = 22, rst = 23}]',
        "display.port = 3\nbuttons.ok = [2]",
        'display.kind = "terminal"\nbuttons.ok = [2]',
        'display = {bus = "spi", port = 0, spi_device = 0}\nbuttons.ok = [7]',
    ],
)
def test_pins_that_no_panel_takes_are_free(text: str) -> None:
    assert read(text).display


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[table]\npreset = "laptop"', "table.preset: {}; preset belongs above the first [section]"),
        ('[service]\npreset = "laptop"', "service.preset: {}; preset belongs above the first [section]"),
        (
            '[[display]]\npreset = "laptop"',
            "display[1].preset: {}; preset belongs above the first [section]",
        ),
        (
            '[table]\ncamera.kind = "usb"',
            "table.camera: {}; camera is a section of its own: [camera]",
        ),
        ("[ring]\nbuttons = []", "ring.buttons: {}; buttons is a section of its own: [[buttons]]"),
        ('presets = "laptop"', "presets: {}; did you mean preset?"),
    ],
)
def test_a_key_of_the_whole_file_below_a_section_is_told_where_it_belongs(text: str, told: str) -> None:
    assert [str(problem) for problem in problems(text)] == [told.format("there is no such key")]


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("table.colour", "colour belongs below [[table.seat]]: {}"),
        ("table.place", "place belongs below [[table.seat]]: {}"),
        ("table.name", "name belongs below [[table.seat]]: {}; or did you mean names?"),
        ("board.name", "name belongs below [[board.region]]: {}"),
        ("board.spaces", "spaces belongs below [[board.region]]: {}"),
    ],
)
def test_a_key_of_the_example_whose_table_is_still_commented_out_is_told_where_it_belongs(key: str, told: str) -> None:
    table, name = key.split(".")
    section = example().index(f"\n[{table}]\n")
    begin = example().index(f"\n#{name} = ", section) + 1
    (problem,) = problems(example()[:begin] + example()[begin + 1 :])
    assert problem.key == key
    remedy = "where a # stands before that line, take it away, too"
    assert problem.expected == f"there is no such key; {told.format(remedy)}"
    assert "[[…]]" in example().split("\n\n")[0]


def test_names_may_have_any_letter_that_the_screen_can_draw() -> None:
    names = '["Łukasz", "Zoë", "Ñandú", "Åse", "Ðuro", "O’Neil", "Lế", "Ana 2"]'
    assert len(read(f"table.names = {names}").table.names) == 8


def test_a_region_whose_name_cannot_be_drawn_is_told() -> None:
    regions = "".join(f'[[board.region]]\nname = "{name}"\n' for name in ("a", "b", "c", "красный", "e"))
    (problem,) = problems(regions)
    assert problem.key == "board.region[4].name"


def test_two_displays_that_are_no_panels_take_no_place() -> None:
    assert len(read('display = [{kind = "terminal"}, {kind = "none"}, {}]').display) == 3


def test_a_board_may_have_its_leds_given_one_by_one() -> None:
    regions = "".join(f'[[board.region]]\nname = "{name}"\nspaces = ["token"]\n' for name in "abcde")
    assert read("ring.spaces = [0, 6, 12, 18, 24, 30, 36, 42, 48, 54]\n" + regions).ring.spaces[1] == 6


def test_screens_are_put_among_no_photos_and_no_other_screens_whatever_their_folders_are_called(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "link").symlink_to("photos")
    text = """
        camera = {kind = "folder", path = "photos"}
        display = [{kind = "png", folder = "link"}, {kind = "png", folder = "link/../photos"}]
    """
    with pytest.raises(ConfigError) as told:
        parse(text.encode(), tmp_path / "companion.toml")
    assert [problem.expected for problem in told.value.problems] == [
        f"a folder of its own for each png ({tmp_path}/photos is there 2 times) was expected",
        f"a folder of its own for each png (camera.path is {tmp_path}/photos, and pictures of dice are read there) "
        "was expected",
    ]


def test_calibrations_go_into_a_folder_that_may_be_made_and_into_no_file(tmp_path: Path) -> None:
    assert read(f'files.calibration = "{tmp_path / "new"}"').files.calibration == tmp_path / "new"
    file = tmp_path / "profile.toml"
    file.write_text("")
    (problem,) = problems(f'files.calibration = "{file}"')
    assert problem.key == "files.calibration"
    assert problem.expected.startswith("a folder, and not a file")


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ('camera = {kind = "folder", path = "FILE"}', "camera.path", "a folder, and not a file"),
        ('camera = {kind = "folder", path = "/a", order = "FOLDER"}', "camera.order", "a file, and not a folder"),
        ('camera = {kind = "video", url = "FOLDER"}', "camera.url", "a stream's address or a file, and not a folder"),
        ('camera = {kind = "video", url = "FILE/a.mp4"}', "camera.url", "a path through folders, and FILE is a file"),
        ('display = {kind = "png", folder = "FILE"}', "display[1].folder", "a folder, and not a file"),
        (
            'display = {kind = "png", folder = "FILE/a/b"}',
            "display[1].folder",
            "a path through folders, and FILE is a file",
        ),
        ('buttons = {kind = "script", script = "FOLDER"}', "buttons[1].script", "a file, and not a folder"),
        ('files.journal = "FOLDER"', "files.journal", "a file, such as journal.db in this folder, and not the folder"),
        ('files.journal = "FILE/journal.db"', "files.journal", "a path through folders, and FILE is a file"),
        ('files.calibration = "FILE/a"', "files.calibration", "a path through folders, and FILE is a file"),
    ],
)
def test_a_file_where_a_folder_is_wanted_and_a_folder_where_a_file_is_are_told(
    tmp_path: Path, text: str, key: str, expected: str
) -> None:
    file = tmp_path / "a file"
    file.write_text("")
    (problem,) = problems(text.replace("FILE", str(file)).replace("FOLDER", str(tmp_path)))
    assert problem.key == key
    assert problem.expected == f"{expected.replace('FILE', str(file))} was expected"


def test_what_is_no_use_is_not_looked_at_and_what_is_not_there_yet_may_come(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    read(f'camera = {{path = "{file}", order = "{tmp_path}", url = "{tmp_path}"}}\ndisplay.folder = "{file}"')
    read(f'ring.port = "/dev/"\nbuttons.script = "{tmp_path}"')
    read('camera = {kind = "folder", path = "not/there", order = "none.txt"}\ndisplay = {kind = "png", folder = "no"}')


@pytest.mark.parametrize(
    ("written", "known"), [("7", "7"), ("99", "99"), ('"7"', "7"), ('"07"', "7"), ('"/dev/video7"', "/dev/video7")]
)
def test_a_camera_is_known_by_its_number_also_in_quotes(written: str, known: str) -> None:
    camera = read(f'camera = {{kind = "usb", device = {written}, url = "film.avi"}}').camera
    assert (camera.device, camera.source) == (known, known)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('camera.url = "http://us:secret@10.0.0.5/v\\u0007"', 'camera.url = "http://10.0.0.5/v\\u0007": a text '),
        ('camera.ulr = "http://us:secret@10.0.0.5/v"', "camera.ulr: there is no such key; did you mean url?"),
        ('camera.password = "secret"', "camera.password: there is no such key; known are: kind, device, url, "),
        ('camera."http://us:secret@10.0.0.5/v" = 1', 'camera."http://10.0.0.5/v": there is no such key; '),
        ('[[camera]]\npassword = "secret"', "camera = …: a table of keys was expected"),
        ('table.names = ["Ana", {password = "secret"}]', "table.names[2] = …: a text of "),
        ('display = [{}, {}, {}, {}, {}, {}, {}, {}, {password = "secret"}]', "display = …: 0 to 8 tables "),
        ('camera.device = ["http://10.0.0.5/v?pwd=secret"]', 'camera.device = ["http://10.0.0.5/v"]: '),
        ('camera = {kind = "video", url = "10.0.0.5/v?pwd=secret"}', 'camera.url = "10.0.0.5/v": an address that '),
        ('camera = "us:secret@10.0.0.5/v"', 'camera = "10.0.0.5/v": a table of keys was expected'),
        ('camara = {url = "http://us:secret@10.0.0.5/v"}', "camara: there is no such key; did you mean camera?"),
    ],
)
def test_of_what_is_wrong_or_in_a_wrong_place_no_password_is_repeated(text: str, told: str) -> None:
    problem, *more = problems(text)
    assert str(problem).startswith(told)
    assert not [each for each in (problem, *more) if "secret" in str(each)]


def test_a_long_value_is_cut_in_the_message() -> None:
    (problem,) = problems(f'ring.kind = "{"x" * 5000}"')
    assert len(problem.value) == 60


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"[{'.'.join('a' * 3000)}]", "a: there is no such key; "),
        (f"camera = {{fps = 0x{'f' * 5000}}}", "camera.fps = …: a number from "),
        ('display = {kind = "png"}', 'display[1].folder: a folder, for kind = "png" was expected'),
    ],
)
def test_a_value_that_cannot_be_written_and_one_that_is_not_there_are_not_repeated(text: str, told: str) -> None:
    (problem,) = problems(text)
    assert str(problem).startswith(told)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[ring\n", "it is not TOML: .*line 1"),
        (b"a = 1\na = 2\n", "it is not TOML"),
        (b"\n\nname = '\xff'", "text in UTF-8 was expected, but line 3 is not"),
        (b"a = " + b"[" * 100_000, "it is not TOML"),
        (b"a = " + b"9" * 10_000, "it is not TOML|there is no such key"),
        (b"\x00", "it is not TOML"),
    ],
)
def test_what_is_no_toml_is_told_with_its_place(content: bytes, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        parse(content, FILE)


def test_a_file_that_is_not_there_a_folder_a_device_and_a_film_are_told(tmp_path: Path) -> None:
    film = tmp_path / "film"
    film.write_bytes(b"#" * 1_000_001)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    wrong = {
        loop: "it cannot be read: Too many levels of symbolic links",
        tmp_path / "nothing": "it cannot be read: No such file or directory",
        tmp_path: "a file was expected, but it is something else",
        Path("/dev/zero"): "a file was expected, but it is something else",
        film: "a configuration was expected, but it is larger than 1 MB",
    }
    for file, text in wrong.items():
        with pytest.raises(ConfigError) as told:
            load(file)
        assert str(told.value) == f"{file}: {text}"


def test_a_file_that_this_user_may_not_read_is_told_with_who_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("companion.config.reading.content_of", denied)
    monkeypatch.setattr("companion.config.reading.way_in", lambda file: f"ask the owner of {file}")
    with pytest.raises(ConfigClosed) as told:
        load(tmp_path)
    assert str(told.value) == f"{tmp_path}: it cannot be read: Permission denied; ask the owner of {tmp_path}"


# -- where it lies


def test_the_file_is_looked_for_by_option_environment_user_and_system(tmp_path: Path) -> None:
    chosen, named = Path("/x/chosen.toml"), Path("/x/named.toml")
    environ = {"HOME": str(tmp_path)}
    users = tmp_path / ".config" / "companion" / "companion.toml"
    assert find(chosen, {**environ, "COMPANION_CONFIG": str(named)}) == chosen
    assert find(None, {**environ, "COMPANION_CONFIG": str(named)}) == named
    users.parent.mkdir(parents=True)
    users.write_text("")
    assert find(None, environ) == users
    assert find(None, {"XDG_CONFIG_HOME": str(tmp_path / ".config")}) == users


def test_where_the_system_does_not_tell_what_lies_nothing_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.config.places.SYSTEM_FILE", Path("/nowhere"))
    assert find(None, {"XDG_CONFIG_HOME": f"/{'too long' * 100}"}) is None


def test_state_lies_where_systemd_says_else_with_the_user() -> None:
    assert state_folder({"STATE_DIRECTORY": "/var/lib/companion"}) == Path("/var/lib/companion")
    assert state_folder({"STATE_DIRECTORY": "/var/lib/companion:/var/lib/other"}) == Path("/var/lib/companion")
    assert state_folder({"HOME": "/home/ana"}) == Path("/home/ana/.local/state/companion")
    environ = {"XDG_STATE_HOME": "/s"}
    assert journal_file(Config(), environ) == Path("/s/companion/journal.db")
    assert calibration_folder(Config(), environ) == Path("/s/companion/calibration")
    assert calibration_folder(Config(camera=Camera(kind="simulated")), environ) == Path(
        "/s/companion/calibration/simulated"
    )
    assert journal_file(read('files.journal = "/j.db"'), environ) == Path("/j.db")


@pytest.mark.parametrize(
    "environ", [{}, {"HOME": ""}, {"HOME": "rel", "XDG_STATE_HOME": "rel", "XDG_CONFIG_HOME": "."}]
)
def test_without_a_home_in_the_environment_the_list_of_users_tells_it(
    environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pwd.getpwuid", lambda _uid: SimpleNamespace(pw_dir=str(tmp_path)))
    assert state_folder(environ) == tmp_path / ".local" / "state" / "companion"
    users = tmp_path / ".config" / "companion" / "companion.toml"
    users.parent.mkdir(parents=True)
    users.write_text("")
    assert find(None, environ) == users


def test_a_user_without_a_home_is_told_to_name_one_and_plays_where_the_files_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unknown(_uid: int) -> None:
        raise KeyError

    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.setattr("companion.config.places.SYSTEM_FILE", Path("/nowhere"))
    assert find(None, {}) is None
    told = "this user has no home folder to keep things in: set HOME, or name journal and calibration here"
    with pytest.raises(ConfigError) as nowhere:
        state_folder({})
    assert str(nowhere.value) == f"no configuration file was found: files: {told}"
    with pytest.raises(ConfigError) as named:
        calibration_folder(Config(), {}, FILE)
    assert str(named.value) == f"{FILE}: files: {told}"
    assert journal_file(read('files.journal = "/j.db"'), {}, FILE) == Path("/j.db")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The system's configuration and the service's state folder."""
    file, state = tmp_path / "etc" / "companion.toml", tmp_path / "state"
    for folder in (file.parent, state):
        folder.mkdir()
    file.touch()
    monkeypatch.setattr("companion.config.places.SYSTEM_FILE", file)
    monkeypatch.setattr("companion.config.places.SYSTEM_STATE", state)
    return file, state


def test_by_hand_the_systems_configuration_goes_with_the_state_of_the_service(installed: tuple[Path, Path]) -> None:
    file, state = installed
    environ = {"HOME": "/root"}
    assert journal_file(Config(), environ, file) == state / "journal.db"
    assert calibration_folder(Config(), environ, file) == state / "calibration"
    assert state_folder(environ, file.parent / ".." / "etc" / file.name) == state
    assert state_folder({**environ, "STATE_DIRECTORY": "/elsewhere"}, file) == Path("/elsewhere")
    assert journal_file(read('files.journal = "/j.db"'), environ, file) == Path("/j.db")


def test_any_other_configuration_goes_with_the_users_own_state(installed: tuple[Path, Path]) -> None:
    file, state = installed
    own = Path("/home/ana/.local/state/companion")
    trial, loop = file.with_name("trial.toml"), file.with_name("loop.toml")
    trial.touch()
    loop.symlink_to(loop)
    for other in (None, trial, loop, file.with_name("none.toml")):
        assert state_folder({"HOME": "/home/ana"}, other) == own
    state.rmdir()  # nothing is installed
    assert state_folder({"HOME": "/home/ana"}, file) == own


def test_every_command_looks_where_the_service_keeps_things(
    installed: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, state = installed
    file.write_text('preset = "laptop"\ncamera.kind = "none"\n')
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.delenv("COMPANION_CONFIG", raising=False)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    with Journal.open(state / "journal.db") as journal:
        journal.begin('{"do":"start","game":"free","players":["Ana"]}')
        assert main(["games", "list", "--json"]) == 0
        assert main(["calibrate", "show"]) == 0
        assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    assert '"players": [\n      "Ana"' in told
    assert f"nothing is calibrated yet in {state / 'calibration'}\n" in told
    assert f"{state / 'journal.db'}: 1 game\n" in told
    assert "another companion holds the journal" in told


# -- the command


def test_config_check_says_all_right_or_tells_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(example())
    assert main(["config", "check", str(file)]) == 0
    assert capsys.readouterr() == (f"{file}: all right\n", "")
    assert main(["config", "check", "--config", str(file)]) == 0
    assert capsys.readouterr() == (f"{file}: all right\n", "")
    file.write_text("ring.leds = 0\nring.lets = 1\n")
    assert main(["config", "check", str(file)]) == 1
    assert capsys.readouterr() == (
        "",
        f"{file}: ring.lets: there is no such key; did you mean leds?\n"
        f"{file}: ring.leds = 0: a whole number from 1 to 512 was expected\n",
    )


def test_config_example_prints_toml(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "example"]) == 0
    assert tomllib.loads(capsys.readouterr().out)["ring"] == {}
