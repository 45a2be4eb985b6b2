"""The ring as a function of the view: who, where, how far, and perfect stillness while dice are read."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.lights import RingLayout, arc, board_leds, colours, space_leds
from companion.ports import Colour
from companion.view import Mood, RingView, Seat

RED, GREEN, BLUE = (200, 0, 0), (0, 200, 0), (0, 0, 200)
DARK = (0, 0, 0)
SEATS = (Seat(RED, 0.0, tokens=2), Seat(GREEN, 0.25), Seat(BLUE, 0.5))
LAYOUT = RingLayout(60, brightness=1)
BOARD = tuple((0, 100, 100) if space % 4 else (255, 255, 255) for space in range(20))
TURN = RingView(Mood.TURN, SEATS, active=0)


def hue(colour: Colour) -> str:
    """Which of the three channels are lit, whatever the level."""
    return "".join(name for name, part in zip("RGB", colour, strict=True) if part)


def where(shown: tuple[Colour, ...], wanted: str) -> list[int]:
    return [led for led, colour in enumerate(shown) if hue(colour) == wanted]


def test_the_arc_of_who_is_on_shines_in_the_seats_colour_and_nothing_else() -> None:
    shown = colours(replace(TURN, active=1), LAYOUT, 0)
    assert where(shown, "G") == list(range(10, 21))
    assert [led for led, colour in enumerate(shown) if colour != DARK] == list(range(10, 21))
    assert set(shown) == {DARK, (0, 70, 0)}  # none of them bright: the seat has no token


@pytest.mark.parametrize("mood", [Mood.TURN, Mood.FINAL])
def test_while_it_is_nobodys_turn_the_ring_is_not_dark_as_a_lost_one_but_all_who_play_wait(mood: Mood) -> None:
    out = (*SEATS[:2], replace(SEATS[2], dark=True))
    shown = colours(RingView(mood, out), LAYOUT, 0)
    assert where(shown, "R") == sorted(arc(out, 0, 60))
    assert where(shown, "G") == list(range(10, 21))
    assert where(shown, "B") == []
    assert max(map(max, shown)) < 30  # dim: nobody is on


def test_tokens_are_bright_leds_on_the_arc_one_each() -> None:
    shown = colours(TURN, LAYOUT, 0)
    assert where(shown, "R") == [0, 1, 2, 3, 4, 5, 55, 56, 57, 58, 59]
    assert [led for led, colour in enumerate(shown) if colour == RED] == [1, 59]


@pytest.mark.parametrize(
    ("tokens", "bright"),
    [
        (1, [0]),
        (6, [1, 3, 5, 55, 57, 59]),  # just as many as lie apart on eleven LEDs
        (7, [0, 1, 2, 3, 57, 58, 59]),
    ],
)
def test_tokens_lie_apart_in_the_middle_of_the_arc_or_side_by_side(tokens: int, bright: list[int]) -> None:
    rich = replace(TURN, seats=(replace(SEATS[0], tokens=tokens), *SEATS[1:]))
    assert [led for led, colour in enumerate(colours(rich, LAYOUT, 0)) if colour == RED] == bright


def test_more_tokens_than_leds_light_the_whole_arc() -> None:
    rich = replace(TURN, seats=(Seat(RED, 0.5, tokens=99),))
    shown = colours(rich, LAYOUT, 0)
    assert {shown[led] for led in arc(rich.seats, 0, 60)} == {RED}


@pytest.mark.parametrize("landing", [None, 1, 8])
@pytest.mark.parametrize("pawn", [18, 19, 0])
def test_neither_pawn_nor_way_hides_a_token(pawn: int, landing: int | None) -> None:
    rich = replace(TURN, seats=(replace(SEATS[0], tokens=3), *SEATS[1:]), spaces=20, space_colours=BOARD)
    for beat in range(12):
        shown = colours(replace(rich, pawn=pawn, landing=landing), LAYOUT, beat)
        assert shown.count(RED) == 3
        assert shown.count((255, 255, 255)) >= 2  # the pawn


def test_while_seats_are_chosen_the_one_asked_about_shines_and_those_taken_wait() -> None:
    seats = (SEATS[0], SEATS[1], replace(SEATS[2], dark=True))
    shown = colours(RingView(Mood.SETUP, seats, active=1), LAYOUT, 0)
    assert (shown[0], shown[15]) == ((20, 0, 0), (0, 70, 0))
    assert {hue(colour) for colour in shown} == {"RGB", "R", "G"}


def test_while_it_is_asked_where_the_pawn_is_put_it_stands_there_in_white() -> None:
    shown = colours(RingView(Mood.SETUP, SEATS, spaces=20, pawn=5), LAYOUT, 0)
    assert [led for led, colour in enumerate(shown) if colour == (255, 255, 255)] == [14, 15]


def test_the_pawn_is_white_on_its_space() -> None:
    shown = colours(replace(TURN, spaces=20, space_colours=BOARD, pawn=5), LAYOUT, 0)
    assert [led for led, colour in enumerate(shown) if colour == (255, 255, 255)] == [14, 15]


def test_the_way_runs_clockwise_from_the_pawn_to_the_landing_space() -> None:
    view = RingView(Mood.TURN, spaces=20, space_colours=BOARD, pawn=18, landing=1)
    shown = colours(view, LAYOUT, 2)
    assert [led for led, colour in enumerate(shown) if colour != DARK] == [0, 2, 3, 53, 54, 56, 57, 59]
    assert shown[2] == (0, 100, 100)
    assert shown[56] == (0, 15, 15)


def test_the_landing_space_blinks_and_the_pawn_does_not() -> None:
    view = RingView(Mood.TURN, spaces=20, space_colours=BOARD, pawn=0, landing=1)
    frames = [colours(view, LAYOUT, beat) for beat in range(4)]
    assert len({frame[3] for frame in frames}) == 2
    assert {frame[0] for frame in frames} == {(255, 255, 255)}


@pytest.mark.parametrize("space", [-1, 20])
def test_a_space_that_the_board_has_not_is_as_none(space: int) -> None:
    view = RingView(Mood.TURN, SEATS, 0, 20, BOARD, pawn=18, landing=1)
    for beat in range(4):
        assert colours(replace(view, pawn=space), LAYOUT, beat) == colours(replace(view, pawn=None), LAYOUT, beat)
        assert colours(replace(view, landing=space), LAYOUT, beat) == colours(replace(view, landing=None), LAYOUT, beat)


def test_a_space_without_a_colour_is_white() -> None:
    shown = colours(RingView(Mood.TURN, spaces=20, pawn=0, landing=1), LAYOUT, 0)
    assert [led for led, colour in enumerate(shown) if colour == (255, 255, 255)] == [0, 2, 3, 59]


def test_turns_left_are_counted_down_by_seats_going_dark() -> None:
    final = RingView(Mood.FINAL, SEATS, active=1, countdown=2)
    assert {hue(colour) for colour in colours(final, LAYOUT, 0)} == {"", "G", "B"}
    last = replace(final, active=2, countdown=1)
    assert {hue(colour) for colour in colours(last, LAYOUT, 0)} == {"", "B"}


def test_who_is_out_is_dark_and_skipped_in_the_countdown() -> None:
    seats = (SEATS[0], replace(SEATS[1], dark=True), SEATS[2])
    assert {hue(c) for c in colours(RingView(Mood.FINAL, seats, active=0, countdown=2), LAYOUT, 0)} == {"", "R", "B"}
    assert {hue(c) for c in colours(RingView(Mood.SETUP, seats), LAYOUT, 0)} == {"RGB", "R", "B"}


def test_the_final_round_beats() -> None:
    final = RingView(Mood.FINAL, SEATS, active=1)
    assert len({colours(final, LAYOUT, beat) for beat in range(8)}) == 2
    assert len({colours(replace(final, mood=Mood.TURN), LAYOUT, beat) for beat in range(8)}) == 1


def test_the_winners_colours_chase_round_the_ring() -> None:
    won = RingView(Mood.WINNER, SEATS, winners=(0, 2))
    frames = [colours(won, LAYOUT, beat) for beat in range(3)]
    assert len(set(frames)) == 3
    assert {hue(colour) for frame in frames for colour in frame} == {"", "R", "B"}
    assert {frame[0] for frame in frames} == {RED}


def test_trouble_glows_red_and_still_tells_whose_turn_it_is() -> None:
    trouble = replace(TURN, mood=Mood.TROUBLE, active=1)
    assert {hue(colour) for colour in colours(trouble, LAYOUT, 0)} == {"", "R", "G"}
    assert where(colours(trouble, LAYOUT, 4), "R") == []
    assert where(colours(RingView(Mood.TROUBLE), RingLayout(10), 0), "R") == [0, 3, 6, 9]


def test_what_is_lit_at_all_stays_lit_however_dim_the_ring_is() -> None:
    assert set(colours(replace(TURN, active=1), RingLayout(60, brightness=0.001), 0)) == {DARK, (0, 1, 0)}


def beats(view: RingView, led: int, count: int) -> str:
    """What an LED does from beat to beat: bright `#`, dimmer `+` or dark `.`."""
    levels = [max(colours(view, LAYOUT, beat)[led]) for beat in range(count)]
    return "".join("#" if level == max(levels) else "+" if level else "." for level in levels)


def test_trouble_glows_as_long_as_it_is_dark_and_slower_than_a_final_round_beats() -> None:
    assert beats(RingView(Mood.TROUBLE), 30, 16) == "####....####...."
    assert beats(RingView(Mood.FINAL, SEATS, active=1), 10, 8) == "##++##++"


def test_the_landing_space_is_bright_three_beats_of_four() -> None:
    assert beats(RingView(Mood.TURN, spaces=20, space_colours=BOARD, pawn=0, landing=1), 3, 8) == "###+###+"


def test_the_winners_colours_go_round_clockwise_three_leds_each_with_as_many_dark_ones_between() -> None:
    won = RingView(Mood.WINNER, SEATS, winners=(0, 2))
    seen = ["".join(hue(colour) or "." for colour in colours(won, LAYOUT, beat)[6:24]) for beat in (0, 1, 2)]
    assert seen == ["BBB...RRR...BBB...", ".BBB...RRR...BBB..", "..BBB...RRR...BBB."]


def test_a_ring_that_waits_breathes_slowly_and_never_goes_dark() -> None:
    breath = [max(colours(RingView(Mood.IDLE), LAYOUT, beat)[0]) for beat in range(32)]
    assert breath == 2 * [10, 9, 8, 7, 6, 5, 4, 4, 3, 4, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize("reading", [0.0, 0.2])
def test_while_dice_are_read_the_ring_holds_perfectly_still(reading: float) -> None:
    layout = RingLayout(60, brightness=0.5, reading=reading)
    view = RingView(Mood.READING, SEATS, 0, 20, BOARD, 3, 7, (1,), 2)
    level = round(255 * reading * 0.5)
    assert {colours(view, layout, beat) for beat in range(50)} == {((level, level, level),) * 60}
    assert colours(RingView(Mood.READING), layout, 7) == ((level, level, level),) * 60


def test_no_led_is_brighter_than_allowed() -> None:
    for mood in Mood:
        view = RingView(mood, SEATS, 0, 20, BOARD, 3, 7, (0,), 2)
        shown = colours(view, RingLayout(60, brightness=0.1, reading=1), 1)
        assert max(max(colour) for colour in shown) <= 26


def test_the_first_led_and_the_direction_turn_the_whole_picture() -> None:
    view = RingView(Mood.TURN, SEATS, 1, 20, BOARD, 3, 7)
    plain = colours(view, LAYOUT, 1)
    assert colours(view, replace(LAYOUT, first=7), 1) == plain[-7:] + plain[:-7]
    mirrored = colours(view, replace(LAYOUT, first=7, clockwise=False), 1)
    assert mirrored == tuple(plain[(7 - led) % 60] for led in range(60))


LEDS = st.integers(1, 300)


@given(LEDS, st.lists(st.floats(0, 0.999), min_size=1, max_size=8))
def test_every_seat_has_an_arc_in_one_piece(leds: int, places: list[float]) -> None:
    seats = tuple(Seat(RED, place) for place in places)
    for number in range(len(seats)):
        leds_of_seat = arc(seats, number, leds)
        steps = {(after - before) % leds for before, after in pairwise(leds_of_seat)}
        assert leds_of_seat
        assert steps <= {1 % leds}
        assert len(set(leds_of_seat)) == len(leds_of_seat)


@given(st.integers(8, 300), st.integers(1, 8), st.floats(0, 0.999))
def test_arcs_of_evenly_spread_seats_never_overlap(leds: int, players: int, turned: float) -> None:
    seats = tuple(Seat(RED, (turned + number / players) % 1) for number in range(players))
    arcs = [led for number in range(players) for led in arc(seats, number, leds)]
    assert len(set(arcs)) == len(arcs)


def test_arcs_of_close_seats_are_narrow_across_the_ring_s_end_too() -> None:
    seats = (Seat(RED, 0.95), Seat(GREEN, 0.05), Seat(BLUE, 0.5))
    assert [arc(seats, number, 60) for number in range(3)] == [
        (55, 56, 57, 58, 59),
        (1, 2, 3, 4, 5),
        tuple(range(25, 36)),
    ]


@pytest.mark.parametrize("turned", [1 / 16, 3 / 16 - 2**-55, 11 / 16])
def test_seats_halfway_between_leds_have_one_each(turned: float) -> None:
    seats = tuple(Seat(RED, (turned + number / 8) % 1) for number in range(8))
    assert sorted(arc(seats, number, 8) for number in range(8)) == [(led,) for led in range(8)]


@given(LEDS, st.integers(1, 40))
def test_every_space_has_leds_and_shares_none_while_there_are_enough(leds: int, spaces: int) -> None:
    parts = [space_leds(space, spaces, leds) for space in range(spaces)]
    assert all(parts)
    assert parts[0][0] in {0, *range(leds - leds // spaces, leds)}
    if leds >= spaces:
        every = [led for part in parts for led in part]
        assert len(set(every)) == len(every)


def test_more_spaces_than_leds_each_have_the_nearest() -> None:
    assert [space_leds(space, 30, 12) for space in (0, 1, 10, 29)] == [(0,), (0,), (4,), (0,)]


VIEWS = st.builds(
    RingView,
    st.sampled_from(Mood),
    st.lists(
        st.builds(Seat, st.tuples(*[st.integers(0, 255)] * 3), st.floats(0, 0.999), st.integers(0, 40), st.booleans()),
        max_size=8,
    ).map(tuple),
    st.none() | st.integers(-1, 9),
    st.integers(0, 40),
    st.lists(st.just(GREEN), max_size=40).map(tuple),
    st.none() | st.integers(-1, 41),
    st.none() | st.integers(-1, 41),
    st.lists(st.integers(-1, 9), max_size=3).map(tuple),
    st.none() | st.integers(-1, 9),
)


@settings(deadline=None)
@given(VIEWS, LEDS, st.integers(0, 299), st.booleans(), st.integers(0, 10**9))
def test_any_view_lights_any_ring(view: RingView, leds: int, first: int, clockwise: bool, beat: int) -> None:
    shown = colours(view, RingLayout(leds, first % leds, clockwise), beat)
    assert len(shown) == leds
    assert all(0 <= part <= 255 for colour in shown for part in colour)


@pytest.mark.parametrize("clockwise", [True, False])
def test_board_spaces_lie_where_the_light_was_walked_to(clockwise: bool) -> None:
    """Space 1 far from both its neighbours, spaces 2 and 3 side by side; a dark LED parts those with room for it."""
    way = 1 if clockwise else -1
    walked = tuple((5 + way * place) % 24 for place in (0, 8, 14, 15, 18))
    layout = RingLayout(24, 5, clockwise, spaces=walked)
    assert [board_leds(space, 5, layout) for space in range(5)] == [
        (22, 23, 0, 1, 2, 3),
        (5, 6, 7, 8, 9, 10),
        (12, 13, 14),
        (15,),
        (17, 18, 19, 20),
    ]
    pawn = colours(RingView(Mood.TURN, SEATS, spaces=5, pawn=1, space_colours=BOARD), layout, 0)
    assert [led for led, colour in enumerate(pawn) if hue(colour) == "RGB"] == sorted(
        (5 + way * place) % 24 for place in (5, 6, 7, 8, 9, 10)
    )


def test_walked_spaces_of_another_board_are_not_used() -> None:
    assert board_leds(1, 20, RingLayout(60, spaces=(0, 1, 2))) == space_leds(1, 20, 60)


def test_spaces_walked_to_side_by_side_at_the_end_of_the_ring_share_no_led() -> None:
    layout = RingLayout(60, spaces=(59, 0, 30))
    ways = tuple(range(45, 60)), tuple(range(15)), tuple(range(16, 44))
    assert tuple(board_leds(space, 3, layout) for space in range(3)) == ways


def test_two_spaces_at_one_led_have_that_one_and_leave_the_others_theirs() -> None:
    layout = RingLayout(60, spaces=(5, 5, 10, 20, 30))
    assert [board_leds(space, 5, layout) for space in range(2)] == [(*range(48, 60), *range(6)), (5, 6)]


@given(st.lists(st.integers(0, 59), min_size=2, max_size=30, unique=True).map(sorted))
def test_walked_spaces_never_share_an_led_and_each_has_its_own(walked: list[int]) -> None:
    layout = RingLayout(60, spaces=tuple(walked))
    taken = [led for space in range(len(walked)) for led in board_leds(space, len(walked), layout)]
    assert len(set(taken)) == len(taken)
    assert all(layout.clockwise_of(led) in board_leds(n, len(walked), layout) for n, led in enumerate(walked))
