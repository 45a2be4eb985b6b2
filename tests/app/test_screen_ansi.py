"""The 1-bit picture and the ring as text for a terminal."""

from __future__ import annotations

from PIL import Image

from hardware.ansi import image_lines, ring_letters, ring_line, ring_lines


def picture(*rows: str) -> Image.Image:
    image = Image.new("1", (len(rows[0]), len(rows)))
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            image.putpixel((x, y), 255 if mark == "#" else 0)
    return image


def test_half_blocks_carry_two_rows_a_line() -> None:
    assert image_lines(picture(".##.", "..##"), columns=4) == [" ▀█▄"]


def test_an_odd_last_row_or_column_is_kept() -> None:
    assert image_lines(picture("#.", "..", "##")) == ["▀ ", "▀▀"]
    assert image_lines(picture("#..", "..."), columns=2) == ["⠁⠀"]


def test_a_screen_is_32_lines_of_128_columns() -> None:
    lines = image_lines(Image.new("1", (128, 64), 255))
    assert lines == ["█" * 128] * 32


def test_a_narrow_terminal_gets_braille_of_64_columns_and_16_lines() -> None:
    lines = image_lines(Image.new("1", (128, 64), 255), columns=80)
    assert lines == ["⣿" * 64] * 16


def test_braille_dots_sit_where_the_pixels_are() -> None:
    assert image_lines(picture("#..#", "....", "....", ".##."), columns=2) == ["⢁⡈"]


def test_a_very_narrow_terminal_gets_the_left_part() -> None:
    assert image_lines(Image.new("1", (128, 64), 255), columns=10) == ["⣿" * 10] * 16


def test_equal_neighbours_share_one_colour_and_dark_leds_are_small() -> None:
    red, dark = (255, 0, 0), (0, 0, 0)
    assert ring_line([red, red, dark]) == "\x1b[38;2;255;0;0m●●\x1b[0m·"


def test_a_dim_led_looks_as_bright_as_it_does_to_the_eye() -> None:
    assert ring_line([(32, 0, 255)]) == "\x1b[38;2;99;0;255m●\x1b[0m"


def test_a_long_ring_is_broken_into_lines() -> None:
    assert ring_lines([(0, 0, 0)] * 5, columns=2) == ["··", "··", "·"]
    assert ring_lines([], columns=10) == [""]


def test_without_colours_each_led_is_a_letter_and_a_dim_one_a_small_letter() -> None:
    lit = [(255, 0, 0), (255, 140, 0), (0, 99, 0), (0, 255, 200), (0, 0, 20), (200, 0, 255), (255, 255, 255), (9, 9, 9)]
    assert ring_letters([*lit, (0, 0, 0)], columns=5) == ["RYGCb", "MWw·"]
    assert ring_letters([], columns=10) == [""]
    assert ring_letters([(0, 0, 50), (0, 0, 60), (255, 128, 0), (255, 127, 0)], columns=4) == ["bBYR"]
