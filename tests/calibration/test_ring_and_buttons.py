"""The ring's light that walks, and the buttons' contacts."""

from __future__ import annotations

import pytest
from leading import DAY, going, lines, made, ok, title

from calibration import steps
from calibration.facts import ButtonsFacts, RingFacts
from calibration.steps.buttons import BURST_MS, gaps_ms
from calibration.steps.ring import LIT, Place, between
from companion.events import Button

RED, BLUE = (255, 0, 0), (0, 0, 255)


def pressed(step: steps.Next, *buttons: Button) -> steps.Next:
    for button in buttons:
        step = going(step).pressed(button, 0.0)
    return step


def test_ring_step_walks_a_light() -> None:
    step: steps.Next = steps.RingStep(DAY, leds=12)
    assert going(step).lights.index(LIT) == 11
    step = pressed(step, Button.LESS, Button.OK)
    assert (len(going(step).lights), going(step).lights.index(LIT)) == (11, 0)
    step = pressed(step, Button.LESS, Button.OK)
    assert going(step).lights[10] == LIT
    assert going(step).lights[0] > going(step).lights[1]
    step = pressed(step, Button.MORE)
    assert going(step).lights[9] > going(step).lights[8]
    review = ok(step)
    assert (title(review), lines(review)) == ("11 LEDs", ("1 seat",))
    assert made(review).ring == RingFacts(DAY, 11, 10, False, (10,))


def test_a_long_press_walks_ten_leds() -> None:
    step = steps.RingStep(DAY, leds=60).pressed(Button.LESS, 0.0, held=True)
    assert lines(step)[0] == "50 LEDs"


def test_the_first_led_is_one_that_a_shorter_ring_has() -> None:
    step = steps.RingStep(DAY, leds=60, first=59).pressed(Button.LESS, 0.0, held=True)
    step = pressed(step, Button.OK)
    assert (lines(step)[0], going(step).lights.index(LIT), len(going(step).lights)) == ("LED 0", 0, 50)


def test_one_led_is_the_fewest_and_its_direction_no_matter() -> None:
    step = pressed(steps.RingStep(DAY, leds=2), Button.LESS, Button.LESS, Button.OK, Button.OK)
    assert going(step).lights == (LIT,)
    assert title(ok(step)) == "1 LED"


def test_leds_are_counted_as_one_is_said() -> None:
    step = steps.RingStep(DAY, leds=2)
    assert [lines(step)[0], lines(pressed(step, Button.LESS))[0]] == ["2 LEDs", "1 LED"]


@pytest.mark.parametrize("clockwise", [True, False])
def test_seats_and_wild_spaces_are_walked_to_and_the_spaces_between_follow(clockwise: bool) -> None:
    seats = (Place("Blue", BLUE, 0.5),)
    wilds = (Place("Red", RED, 0.0), Place("Green", RED, 0.5))
    way = 1 if clockwise else -1
    step: steps.Next = steps.RingStep(DAY, 24, 0, clockwise, seats, wilds, (4, 4))
    step = pressed(step, Button.OK, Button.OK, Button.OK)
    assert title(step) == "Light to seat 2: Blue"
    assert going(step).lights.index(LIT) == 12
    step = pressed(step, Button.MORE, Button.OK)  # one clockwise of where it was expected
    assert title(step) == "Light to the Wild space before Red"
    blue = (12 + way) % 24
    assert going(step).lights[blue] == (0, 0, 42)  # its own colour, dimly
    step = pressed(step, Button.MORE, Button.MORE, Button.OK)
    assert title(step) == "Light to the Wild space before Green"
    assert going(step).lights.index(LIT) == 2 * way % 24 + 12 * way  # as far on as the board says
    step = pressed(step, Button.BACK)
    assert title(step) == "Light to the Wild space before Red"
    review = pressed(step, Button.OK, Button.LESS, Button.LESS, Button.OK)
    assert lines(review) == ("2 seats", "8 board spaces")
    assert pressed(review, Button.BACK) == steps.RingStep(DAY, 24, 0, clockwise, seats, wilds, (4, 4))
    spaces = tuple(way * led % 24 for led in (2, 4, 7, 10, 12, 16, 19, 22))
    ring = made(review).ring
    assert ring is not None
    assert ring.seats == (0, blue)
    assert (ring.spaces[0], ring.spaces[4]) == (spaces[0], spaces[4])
    assert ring.spaces == between((spaces[0], spaces[4]), (4, 4), 24, clockwise=clockwise)


@pytest.mark.parametrize(("clockwise", "expected"), [(True, 9), (False, 21)])
def test_the_light_waits_where_the_next_wild_space_should_lie(clockwise: bool, expected: int) -> None:
    wilds = (Place("Red", RED, 0.0), Place("Green", RED, 0.25))
    step: steps.Next = steps.RingStep(DAY, 24, 3, clockwise, (), wilds, (2, 6))
    step = pressed(step, Button.OK, Button.OK, Button.OK, Button.OK)
    assert going(step).lights.index(LIT) == expected


def test_back_leads_to_each_place_before_with_the_light_where_it_was_found() -> None:
    seats = tuple(Place(name, (255, 120, 60), turn / 5) for turn, name in enumerate(("B", "C", "D", "E"), 1))
    step: steps.Next = steps.RingStep(DAY, 20, 0, True, seats)
    step = pressed(step, *[Button.OK] * 3, *[Button.MORE, Button.OK] * 3)
    assert (title(step), going(step).lights.index(LIT)) == ("Light to seat 5: E", 19)
    assert [led for led, lit in enumerate(going(step).lights) if lit == (42, 20, 10)] == [5, 10, 15]  # dimly
    for name, led in (("4: D", 15), ("3: C", 10), ("2: B", 5)):
        step = pressed(step, Button.BACK)
        assert (title(step), going(step).lights.index(LIT)) == (f"Light to seat {name}", led)
    assert title(pressed(step, Button.BACK)) == "Does it fade clockwise?"


def test_spaces_lie_evenly_between_two_wild_spaces() -> None:
    assert between((0, 12), (4, 3), 24, clockwise=True) == (0, 3, 6, 9, 12, 16, 20)
    assert between((0, 12), (4, 3), 24, clockwise=False) == (0, 21, 18, 15, 12, 8, 4)
    assert between((5,), (5,), 10, clockwise=True) == (5, 7, 9, 1, 3)
    assert between((3, 9, 19), (2, 5, 4), 24, clockwise=True) == (3, 6, 9, 11, 13, 15, 17, 19, 21, 23, 1)
    assert between((20, 14, 4), (2, 5, 4), 24, clockwise=False) == (20, 17, 14, 12, 10, 8, 6, 4, 2, 0, 22)


def test_the_ring_can_be_left_before_anything_is_kept() -> None:
    assert isinstance(pressed(steps.RingStep(DAY), Button.BACK), steps.Left)
    step = pressed(steps.RingStep(DAY), Button.OK, Button.BACK)
    assert title(step) == "Is the last LED lit?"


def bouncing(step: steps.Next, button: Button, at_s: float, *gaps: float) -> steps.Next:
    """A press and, a tenth of a second later, a clean release: edges, then what the debounced button tells."""
    going_on = going(step).edge(button, at_s)
    for gap in gaps:
        at_s += gap / 1000
        going_on = going_on.edge(button, at_s)
    return going_on.edge(button, at_s + 0.1).pressed(button, at_s + 0.12)


def test_buttons_step_measures_how_contacts_bounce_and_waits_for_the_right_one() -> None:
    step: steps.Next = steps.ButtonsStep(DAY)
    assert title(step) == "Press the 1st button"
    step = bouncing(step, Button.OK, 0.0)
    assert (title(step), lines(step)[0]) == ("Press the 1st button", "That was another one")
    step = bouncing(step, Button.BACK, 1.0, 0.5, 3.25, 0.5)
    step = bouncing(step, Button.LESS, 2.0)
    step = bouncing(step, Button.MORE, 3.0, 1.0)
    review = bouncing(step, Button.OK, 4.0)
    assert (title(review), lines(review)) == ("The buttons work", ("4 bounces", "Quiet for 7 ms counts"))
    assert made(review).buttons == ButtonsFacts(DAY, 5, 4, 3.2, 7)
    assert pressed(review, Button.BACK) == steps.ButtonsStep(DAY)


def test_clean_contacts_still_get_a_little_patience_and_worn_ones_are_named() -> None:
    clean: steps.Next = steps.ButtonsStep(DAY)
    worn: steps.Next = steps.ButtonsStep(DAY)
    for n, button in enumerate(Button):
        clean = bouncing(clean, button, float(n))
        worn = bouncing(worn, button, float(n), BURST_MS - 0.1)
    assert made(clean).buttons == ButtonsFacts(DAY, 4, 0, 0.0, 5)
    assert title(worn) == "A button is worn"
    assert made(worn).buttons == ButtonsFacts(DAY, 4, 4, 39.9, 80)


def test_keys_tell_no_edges_and_so_no_debounce_time() -> None:
    step = pressed(steps.ButtonsStep(DAY), *Button)
    assert lines(step) == ("Keys do not bounce",)
    assert made(step).buttons == ButtonsFacts(DAY, 4, 0)


def test_a_long_press_leaves_the_buttons_as_they_were() -> None:
    assert isinstance(steps.ButtonsStep(DAY).pressed(Button.BACK, 0.0, held=True), steps.Left)


def test_edges_of_two_buttons_are_no_bounce_of_either() -> None:
    assert gaps_ms(((Button.BACK, 1.0), (Button.OK, 1.001), (Button.BACK, 1.2))) == ()
