"""What is said beside the TOML parser's own words: what to do, and only where that is sure."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.config import ConfigError, example, parse
from companion.config.advice import BACKSLASH, advice


def advised(text: str) -> str:
    with pytest.raises(tomllib.TOMLDecodeError) as told:
        tomllib.loads(text)
    return advice(text, str(told.value))


COMMA = "a decimal number has a point, as in 0.5; several numbers stand in brackets, as in [1, 2]"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[table]\nlanguage = de\n", 'a text stands in quotes: language = "…"'),
        ("table.language = de # German", 'a text stands in quotes: table.language = "…"'),
        ("ring = {kind = serial, leds = 60}", 'a text stands in quotes: kind = "…"'),
        ("ring.kind = none", 'a text stands in quotes: ring.kind = "…"'),
        ('names = [\n "Ana",\n Bo,\n]', 'a text stands in quotes: "…"'),
        ("folder = ~/screens", 'a text stands in quotes: folder = "…"'),
        ("device = /dev/video0\r\nfps = 5\r\n", 'a text stands in quotes: device = "…"'),
        ("path = ./pictures", 'a text stands in quotes: path = "…"'),
        ("path = ../pictures", 'a text stands in quotes: path = "…"'),
        ("path = C:\\photos", "a text stands in quotes: path = '…'"),
        ("colour = #ff8800", 'a colour stands in quotes: colour = "#…"'),
        ("language = “es”", 'the quotes around a text are straight: language = "…"'),
        ("names = [‘Ana’]", 'the quotes around a text are straight: "…"'),
        ('language = "es”\nseat = 1', 'the quotes around a text are straight: language = "…"'),
        ('language = "es\n', 'a text ends with the quote that it begins with: language = "…"'),
        ('  language = "es\n', 'a text ends with the quote that it begins with: language = "…"'),
        ('language = "es', 'on line 1: a text ends with the quote that it begins with: language = "…"'),
        ("\ntable.language = 'es", "on line 2: a text ends with the quote that it begins with: table.language = '…'"),
        ("a = '#' # '\r\nb = 'es\r\nc = 1\r\n", "on line 2: a text ends with the quote that it begins with: b = '…'"),
        ("a = 'es\nb = 'x'\n", "a text ends with the quote that it begins with: a = '…'"),
        ("a = '", "on line 1: a text ends with the quote that it begins with: a = '…'"),
        ('a = "\\""\nb = \'es', "on line 2: a text ends with the quote that it begins with: b = '…'"),
        ("a = 1\nnames = ['Ana\n", "the text that begins on line 2 does not end"),
        ('a = """\nb = "c', 'on line 1: a text ends with the quotes that it begins with: a = """…"""'),
        (
            "a = '''b\n'''\n\nc = '''d\n\n''e\n",
            "on line 4: a text ends with the quotes that it begins with: c = '''…'''",
        ),
        (
            'a = ""\nb = """"c""\\""""""\nc = "d\\\\',
            'on line 3: a text ends with the quote that it begins with: c = "…"',
        ),
        ('path = "C:\\"', f"on line 1: {BACKSLASH}"),
        ('a = "“es”', 'on line 1: the quotes around a text are straight: a = "…"'),
        ("younger = True", "true is written in small letters"),
        ("cat = {younger = FALSE}", "false is written in small letters"),
        ("younger = off", "yes and no are written true and false, and a text stands in quotes"),
        ("younger = yes", "yes and no are written true and false, and a text stands in quotes"),
        ("hold_s = 0,5", COMMA),
        ("hold_s = 0,5 # half\nok = [5]\n", COMMA),
        ("size = 640, 480", COMMA),
        ("size = 640x480", "several numbers stand in brackets: size = [640, …]"),
        ("[settle]\nstill_s = 500ms # half", "a number has no unit: still_s = 500"),
        ("hold_s = 0.8 s\r\n", "a number has no unit: hold_s = 0.8"),
        ("rotate = 90°", "a number has no unit: rotate = 90"),
        ("address = 3C", "an address is written with 0x: address = 0x…"),
        ("display.address = 03d", "an address is written with 0x: display.address = 0x…"),
        ("dc = 05", "a whole number begins with no 0: dc = 5"),
        ("first = 00", "a whole number begins with no 0: first = 0"),
        ("ok = [5, 06]", "a whole number begins with no 0"),
        ("dc = GPIO24", "a GPIO is told by its number alone: dc = 24"),
        ("dc = gpio 05 # 5", "a GPIO is told by its number alone: dc = 5"),
        ("ok = [5, BCM_6]", "a GPIO is told by its number alone: 6"),
        ("// what is wired\nleds = 5", "a comment begins with #"),
        ("leds = 5\n; what is wired\n", "a comment begins with #"),
        ('path = "C:\\photos"', BACKSLASH),
        ('path = "C:\\Users\\ana"', BACKSLASH),
        ('path = "C:\\"\n', BACKSLASH),
        ('  path = "C:\\" \n', BACKSLASH),
        ('language: "de"', "= stands between a key and its value: language = …"),
        ('  language : "de"', "= stands between a key and its value: language = …"),
        ("leds = 5\nleds = 6", "leds stands on line 1 and on line 2: keep one of them"),
        (
            '[table]\nlanguage = "es"\n[ring]\nleds = 5\nleds = 6\n',
            "leds stands on line 4 and on line 5: keep one of them",
        ),
        (
            '#[[table.seat]]\ncolour = "#ff0000"\n#[[table.seat]]\n#name = "b"\ncolour = "#00ff00"\n',
            "colour stands on line 2 and on line 5: keep one of them, "
            "or take away the # before [[table.seat]] on line 3, too",
        ),
        (
            '#[[table.seat]]\nname = "a"\n#[[table.seat]]\n#name = "b"\n#[[table.seat]]\nname = "c"\n',
            "name stands on line 2 and on line 6: keep one of them, "
            "or take away the # before [[table.seat]] on line 5, too",
        ),
        (
            "[ring]\nleds = 5\n\n[ring]\nfirst = 1\n",
            "[ring] on line 1 and [ring] on line 4 are the same table: keep one of them, with the keys of both",
        ),
        (
            "[buttons]\n[[buttons]]\n",
            "[buttons] on line 1 and [[buttons]] on line 2: each is written [[buttons]] where there are several",
        ),
        (
            '[[table.seat]]\nname = "a"\n[table.seat]\nname = "b"\n',
            "[[table.seat]] on line 1 and [table.seat] on line 3: "
            "each is written [[table.seat]] where there are several",
        ),
    ],
)
def test_a_common_mistake_is_told_with_what_to_do(text: str, told: str) -> None:
    assert advised(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "fps =",
        "fps = \nsize = 1",
        "knock = none",
        "knock = null",
        "knock = nil",
        "fps = .5",
        "size = 640by480",
        "leds = 60 LED-strip",
        "spaces = 01, 2",
        "spaces = [1 2]",
        "spaces = 1, 2, 3",
        "camera = {fps = 0,5}",
        "name = O'Neil",
        "leds = #60",
        "leds = #ff8800",
        "colour = #red",
        'names = "Ana", 5',
        "younger = true, 5",
        '"language" "de"',
        'language "de"',
        "[ring",
        "[a]\nb.c = 1\n[a.b]\n",
        "a.b = 1\na = 2\n",
        "a.b = 1\na = 2",
        "a.b = 1\n[a]",
        "b = 1\n[a]\nb.c = 2\nb = 3\n",
        "a = 1\na = '''\nb = 1\n'''\n",
        '[a]\nb = 1\n[[c]]\nb = 2\n[a."x"]\n[a."x"]\n',
        "a = 2026-13-01",
        "a = 1\na = 2026-02-30",
        "\x00",
    ],
)
def test_where_it_is_not_sure_what_is_meant_nothing_is_said(text: str) -> None:
    assert advised(text) == ""


def test_words_that_tell_no_place_are_no_advice() -> None:
    for said in ("", "Invalid value", "Cannot overwrite a value (at line 9, column 9)", "some other words"):
        assert advice("", said) == ""


def test_a_sample_below_the_example_is_told_with_both_places() -> None:
    text = example() + '\n[camera]\nkind = "folder"\n'
    first, second = (at for at, line in enumerate(text.split("\n"), 1) if line == "[camera]")
    assert advised(text).startswith(f"[camera] on line {first} and [camera] on line {second} are the same table: ")


def test_the_advice_stands_behind_the_parsers_words_and_repeats_no_value() -> None:
    with pytest.raises(ConfigError) as told:
        parse(b"\xef\xbb\xbfurl = http://us:secret@10.0.0.5/v", Path("c.toml"))
    said = 'c.toml: it is not TOML: Invalid value (at line 1, column 7); a text stands in quotes: url = "…"'
    assert str(told.value) == said


def test_a_long_line_costs_no_time() -> None:
    """A word of 200,000 letters is looked at once, not once for each of them."""
    assert advised(f'names = ["{"a" * 200_000}", foo]') == 'a text stands in quotes: "…"'


@pytest.mark.parametrize("value", ["pin 5", "D5", "NaN", "Inf"])
def test_what_is_meant_for_a_number_is_no_text(value: str) -> None:
    assert advised(f"dc = {value}") == ""
