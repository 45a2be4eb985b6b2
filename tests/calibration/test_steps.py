"""Camera, dice and check: what they say, and that nothing is kept before it was measured, seen and accepted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from leading import DAY, SIMULATED, camera_step, going, lines, made, measured_camera, ok, seen, title

from calibration import steps
from calibration.facts import CheckFacts
from calibration.simulated import DrawnHands, Wrongs
from calibration.steps.camera import locks_line
from calibration.steps.dice import THROWS, colour_word
from calibration.taught import measured
from calibration.tray import by_hand
from calibration.use import tray_of, width_px
from companion.events import Button, Die, Reading, Why
from companion.locale import ENGLISH
from companion.ports import Locks, Picture
from companion.view import Prompt, Rolled, Sign
from companion.vision.colours import Kind
from companion.vision.reader import Reader
from companion.vision.scene import Moment
from companion.vision.scene.model import Thing
from companion.vision.settle import Patience, Settler
from tests.bench.hard_tables import calibrating

DARK = np.zeros((480, 640, 3), np.uint8)


def test_camera_step_keeps_the_tray_after_markers_and_empty_tray_were_accepted() -> None:
    step, hands = camera_step()
    assert title(step) == "Tray found"
    step = going(ok(step))
    assert title(step.seen(hands.picture(0.0), 0.0)) == "Markers out, please"
    assert step.seen(hands.picture(0.0), 0.0).labels(ENGLISH) == ("Back", "", "", "")
    review = ok(seen(step, hands))
    assert (title(review), lines(review)) == (
        "Tray 180 × 130 mm",
        ("0.35 mm a pixel, tilt 6°", "The camera locks nothing"),
    )
    camera = made(review).camera
    assert camera is not None
    assert camera.tray_mm == pytest.approx((180, 130), abs=1)
    assert camera.size == (640, 480)
    tray = tray_of(made(review))
    assert tray is not None
    assert np.allclose(tray.mm(tray.corners)[2], camera.tray_mm, atol=0.1)
    assert width_px(made(review)) == pytest.approx(16 / camera.mm_per_px)


def emptying(wrongs: Wrongs | None = None) -> tuple[steps.Step, DrawnHands]:
    """The camera's step once the tray was found, and now is to be emptied."""
    step, hands = camera_step(wrongs)
    return going(ok(step)), hands


def laid(step: steps.Step, hands: DrawnHands, wants: steps.Wants) -> steps.Step:
    hands.lay(wants)
    return step.seen(hands.picture(0.0), 0.0)


def by_corners(wrongs: Wrongs | None = None) -> tuple[steps.Step, DrawnHands]:
    hands = DrawnHands(1, wrongs)
    return steps.CornersStep(SIMULATED, by_hand(hands.setup.corners, hands.setup.tray_mm)), hands


def test_a_tray_by_corners_can_be_measured_again() -> None:
    step, hands = by_corners()
    review = going(ok(laid(step, hands, steps.Wants())))
    again = laid(going(review.pressed(Button.BACK, 0.0)), hands, steps.Wants())
    assert title(again) == "Empty the tray"
    assert isinstance(ok(again), steps.Review)


def test_a_tray_by_corners_can_be_left_and_only_OK_goes_on() -> None:
    step = laid(*by_corners(), steps.Wants())
    assert isinstance(step.pressed(Button.BACK, 0.0), steps.Left)
    assert step.pressed(Button.LESS, 0.0) is step
    assert step.labels(ENGLISH) == ("Back", "", "", "OK")


def test_a_tray_by_corners_is_asked_for_again_once_it_is_light() -> None:
    step, hands = by_corners(Wrongs(light=0.05))
    dark = laid(step, hands, steps.Wants())
    assert title(dark) == "Too dark"
    assert title(laid(dark, by_corners()[1], steps.Wants())) == "Empty the tray"


@pytest.mark.parametrize("begun", [emptying, by_corners])
def test_a_die_left_in_the_tray_is_refused_until_it_is_taken_out(begun) -> None:
    step, hands = begun()
    step = laid(step, hands, steps.Wants(dice=1))
    assert (title(step), lines(step)) == ("The tray is not empty", ("Take everything out",))
    assert step.labels(ENGLISH) == ("Back", "", "", "")
    assert step.pressed(Button.OK, 0.0) is step
    assert title(laid(step, hands, steps.Wants())) == "Hands away, please"
    step = step.seen(hands.picture(0.0), 0.0).seen(hands.picture(0.3), 0.3)
    assert title(step) == "Empty the tray"
    assert isinstance(ok(step), steps.Review)


@pytest.mark.parametrize("begun", [emptying, by_corners])
def test_what_may_be_a_die_or_a_print_is_asked_about(begun) -> None:
    step, hands = begun()
    step = laid(step, hands, steps.Wants(face="swap"))
    assert (title(step), lines(step)) == ("Is it quite empty?", ("I see what may be a die", "OK if it is a print"))
    assert isinstance(ok(step), steps.Review)


@pytest.mark.parametrize("begun", [emptying, by_corners])
def test_a_hand_that_moves_in_the_empty_tray_is_refused(begun) -> None:
    step, hands = begun()
    step = step.seen(with_hand(hands, 6.0), 0.0)
    for away_cm in (4.0, 2.0, 0.0):
        step = step.seen(with_hand(hands, away_cm), 0.0)
        assert (title(step), ok(step)) == ("Hands away, please", step)


def test_a_hand_that_rests_in_the_tray_since_the_markers_were_seen_is_refused() -> None:
    step, hands = emptying()
    step = step.seen(with_hand(hands, 0.0), 0.0).seen(with_hand(hands, 0.0), 0.3)
    assert (title(step), ok(step)) == ("Hands away, please", step)


@pytest.mark.parametrize("shift_cm", [0.2, 0.5, 1.0, 3.0])
def test_a_camera_that_is_pushed_while_the_markers_are_taken_out_is_refused_until_it_is_back(shift_cm: float) -> None:
    step, hands = emptying()
    pushed = DrawnHands(1, Wrongs(shift_cm=(shift_cm, 0.0)))
    step = step.seen(pushed.picture(0.0), 0.0).seen(pushed.picture(0.3), 0.3)
    assert (title(step), lines(step)) == ("The camera has moved", ("Put it back, or calibrate",))
    assert (step.labels(ENGLISH), ok(step)) == (("Back", "", "", ""), step)
    step = laid(step, hands, steps.Wants()).seen(hands.picture(0.6), 0.6)
    assert isinstance(ok(step), steps.Review)


def test_pictures_of_another_size_begin_the_cameras_step_anew() -> None:
    step, hands = emptying()
    step = step.seen(hands.picture(0.0), 0.0)
    small = cv2.resize(hands.picture(0.3), (320, 240), interpolation=cv2.INTER_AREA)
    step = step.seen(np.asarray(small, np.uint8), 0.3)
    assert (step.wants, step.labels(ENGLISH)) == (steps.Wants(stickers=True), ("Back", "", "", ""))
    assert title(seen(step, hands)) == "Tray found"


@pytest.mark.parametrize("seed", range(4))
def test_taking_the_markers_out_under_noise_and_another_light_pushes_no_camera(seed: int) -> None:
    hands = DrawnHands(seed)
    step = going(ok(seen(steps.CameraStep(SIMULATED), hands)))
    emptied = DrawnHands(seed, Wrongs(noise=0.03, light=0.8))
    assert title(step.seen(emptied.picture(0.0), 0.0)) in ("Empty the tray", "Is it quite empty?")


def test_an_even_table_in_which_noise_alone_makes_marks_pushes_no_camera() -> None:
    hands = calibrating(0, 100)
    step = going(ok(seen(steps.CameraStep(SIMULATED), hands)))
    for _picture in range(3):
        step = seen(step, hands)
        assert title(step) == "Empty the tray"


def with_hand(hands: DrawnHands, away_cm: float) -> Picture:
    """A hand that reaches to the middle of the tray from the far side."""
    hand = Thing("hand", 0.0, 1.5 + away_cm, 90.0, 9.0, 3)
    return hands.setup.picture(np.random.default_rng(1), stickers=None, now=Moment((), hand))


def test_what_the_camera_locked_is_told_and_kept() -> None:
    step, hands = camera_step()
    locks = Locks(exposure_us=9000.0, gain=2.0, white_gains=(1.5, 1.7), lens_dioptres=4.2, brightness=80.0)
    assert isinstance(step, steps.CameraStep)
    review = ok(seen(ok(replace(step, camera=replace(SIMULATED, locks=locks))), hands))
    assert lines(review)[1] == "Locked: exposure, colors, focus"
    camera = made(review).camera
    assert camera is not None
    assert (camera.exposure_us, camera.gain, camera.white_gains, camera.lens_dioptres) == (9000, 2, (1.5, 1.7), 4.2)
    assert (camera.white_k, camera.focus) == (None, None)


@pytest.mark.parametrize(
    ("locks", "told"),
    [
        (Locks(), "The camera locks nothing"),
        (Locks(exposure_us=9000.0, gain=1.5), "Locked: exposure"),
        (Locks(white_gains=(1.5, 2.0)), "Locked: colors"),
        (Locks(white_k=4600.0), "Locked: colors"),
        (Locks(lens_dioptres=0.0), "Locked: focus"),
        (Locks(focus=0.0), "Locked: focus"),
    ],
)
def test_what_each_kind_of_camera_keeps_is_told(locks: Locks, told: str) -> None:
    assert locks_line(locks, ENGLISH) == told


def test_what_was_measured_may_be_measured_again_instead_of_kept() -> None:
    review, _hands = measured_camera()
    again = review.pressed(Button.BACK, 0.0)
    assert title(again) == "Markers into the corners"
    assert review.pressed(Button.MORE, 0.0) is review


@pytest.mark.parametrize(
    ("wrongs", "said"),
    [
        (Wrongs(hidden=(2,)), "Marker 2 is hidden"),
        (Wrongs(light=0.05), "Too dark"),
        (Wrongs(tilt_deg=42), "The camera is tilted"),
        (Wrongs(blur_px=3.0), "Blurred"),
    ],
)
def test_camera_step_says_what_is_wrong_and_accepts_nothing(wrongs: Wrongs, said: str) -> None:
    step, _hands = camera_step(wrongs)
    assert title(step) == said
    assert step.pressed(Button.OK, 0.0) is step
    assert step.labels(ENGLISH) == ("Back", "", "", "")
    assert isinstance(step.pressed(Button.BACK, 0.0), steps.Left)


def corners_step(wrongs: Wrongs | None = None) -> steps.Step:
    step, hands = by_corners(wrongs)
    return step.seen(hands.picture(0.0), 0.0)


def test_corners_by_hand_make_a_tray_without_markers() -> None:
    step = corners_step()
    assert (title(step), lines(step)) == ("Empty the tray", ("180 × 130 mm", "OK when it is empty"))
    camera = made(ok(step)).camera
    assert camera is not None
    assert (camera.markers, camera.tray_mm, camera.blur_mm) == ("by hand", (180.0, 130.0), 0.0)
    assert camera.mm_per_px == pytest.approx(0.354, rel=0.02)


@pytest.mark.parametrize(
    ("wrongs", "said"),
    [
        (Wrongs(light=0.05), "Too dark"),
        (Wrongs(tilt_deg=42), "The camera is tilted"),
        (Wrongs(glare=(90, 65)), "Glare in the middle"),
        (Wrongs(distance=2.2), "The camera is too far away"),
        (Wrongs(noise=0.2), "The picture is grainy"),
        (Wrongs(distance=0.5), "A corner is cut off"),
    ],
)
def test_corners_by_hand_are_judged_too(wrongs: Wrongs, said: str) -> None:
    step = corners_step(wrongs)
    assert title(step) == said
    assert step.pressed(Button.OK, 0.0) is step


def die(value: int, x: float, side: float = 50.0) -> Die:
    return Die(value, (x, 200.0, side, side), 0.99, ((x + side / 2, 225.0),))


def dice_step(*readings: Reading) -> steps.Step:
    waiting = list(readings)
    return steps.DiceStep(lambda _picture: waiting.pop(0), DAY, 0.3, 768.0).seen(dotted(), 0.0)


def dotted(grey: int = 120, pips: int = 20) -> Picture:
    """As grey as the dice, with their pips."""
    picture = np.full_like(DARK, grey)
    for one in (*USUAL.dice, die(1, 100.0, side=80.0), die(1, 100.0, side=25.0)):
        (x, y), *_ = one.pips
        picture[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3] = pips
    return picture


def rolled(step: steps.Next, picture: Picture | None = None) -> steps.Step:
    """A hand came between, and then dice lie there."""
    hand = DARK.copy()
    hand[100:300, 200:400] = 200
    return going(step).seen(hand, 0.0).seen(dotted() if picture is None else picture, 0.0)


USUAL = Reading((die(1, 100.0),), True)


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (Reading((die(1, 100.0, side=80.0),), True), "These dice differ"),
        (Reading((die(1, 100.0), die(2, 200.0), die(3, 300.0, side=90.0)), True), "These dice differ"),
        (Reading((die(1, 100.0), die(2, 200.0)), True), "These dice differ"),
        (Reading((die(1, 100.0),), False), "I am not sure"),
        (Reading((), True), "I see no dice"),
    ],
)
def test_dice_step_refuses_what_contradicts_or_cannot_be_read(odd: Reading, said: str) -> None:
    step = ok(rolled(ok(dice_step(USUAL, odd))))
    assert title(step) == said
    assert isinstance(step, steps.DiceStep)
    assert len(step.throws) == 1


@pytest.mark.parametrize("why", [Why.BLURRED, Why.DARK])
def test_dice_step_takes_certain_dice_beside_which_another_one_may_be_unseen(why: Why) -> None:
    soft = Reading((die(1, 100.0),), False, why)
    weak = replace(soft, dice=(replace(soft.dice[0], confidence=0.3),))
    step = ok(rolled(ok(dice_step(USUAL, soft))))
    assert (lines(step), len(going(step).throws)) == (("OK when they lie still", "2 of 3"), 2)
    assert title(ok(rolled(ok(dice_step(USUAL, weak))))) == "I am not sure"


def test_dice_step_refuses_dice_of_another_colour() -> None:
    step = rolled(ok(dice_step(USUAL, USUAL)), dotted(90, 250))
    assert title(ok(step)) == "These dice differ"


def test_dice_of_which_nothing_is_bright_in_a_picture_without_light_are_too_dark() -> None:
    step = ok(rolled(ok(dice_step(USUAL, USUAL)), dotted(50, 20)))
    assert (title(step), lines(step)) == ("Too dark", ("More light, please",))
    assert going(step).refused


def test_dark_dice_on_a_bright_table_and_white_pips_on_a_black_one_are_light_enough() -> None:
    bright = dotted(50, 20)
    bright[300:] = 150
    for picture in (bright, dotted(20, 200)):
        step = dice_step(USUAL, USUAL, USUAL).seen(picture, 0.0)
        assert lines(ok(step)) == ("OK when they lie still", "1 of 3")


def test_dice_whose_pips_are_of_the_colour_of_the_body_are_not_sure() -> None:
    step = ok(dice_step(USUAL).seen(dotted(120, 117), 0.0))
    assert (title(step), lines(step)) == ("I am not sure", ("Roll again, then OK",))
    assert lines(ok(dice_step(USUAL).seen(dotted(120, 110), 0.0))) == ("OK when they lie still", "1 of 3")


def test_a_first_throw_that_was_wrong_is_taken_back() -> None:
    large = Reading((die(1, 100.0, side=80.0),), True)
    step = going(ok(rolled(ok(dice_step(large, USUAL)))))
    assert title(step) == "These dice differ"
    step = going(step.pressed(Button.BACK, 0.0))
    assert lines(step) == ("OK when they lie still", "0 of 3")
    assert isinstance(step.pressed(Button.BACK, 0.0), steps.Left)


def test_dice_step_keeps_size_and_colours() -> None:
    step: steps.Next = dice_step(USUAL, USUAL, USUAL)
    for _throw in range(THROWS):
        step = ok(rolled(step))
    assert (title(step), lines(step)) == ("Dice of 11 mm", ("gray with black pips", "Is that right?"))
    dice = made(step).dice
    assert dice is not None
    assert (dice.edge_mm, dice.width_px, dice.whole_px, dice.kinds, dice.dice, dice.throws) == (
        11.2,
        39.3,
        50.0,
        (Kind((120.0, 120.0, 120.0), (20.0, 20.0, 20.0)),),
        1,
        3,
    )


def test_something_of_no_dies_size_is_refused() -> None:
    small = Reading((die(1, 100.0, side=25.0),), True)
    step: steps.Next = dice_step(small, small, small)
    for _throw in range(THROWS):
        step = ok(rolled(step))
    assert title(step) == "Too small for dice"


def test_dice_that_were_not_rolled_are_no_second_throw() -> None:
    hands = DrawnHands(2)
    hands.lay(steps.Wants(dice=3, throw=1))
    step: steps.Next = steps.DiceStep(Reader().read, DAY, 400 / 1130, 768.0)
    step = ok(going(step).seen(hands.picture(0.0), 0.0))
    assert lines(step) == ("OK when they lie still", "1 of 3")
    lamp = np.asarray(np.clip(hands.picture(0.3) * 0.9, 0, 255), np.uint8)
    for picture in (hands.picture(0.3), hands.picture(0.6), lamp):
        step = ok(going(step).seen(picture, 0.0))
        assert (title(step), lines(step)) == ("The dice lie as before", ("Roll them, then OK",))
    hands.lay(steps.Wants(dice=3, throw=2))
    step = ok(going(step).seen(hands.picture(1.0), 1.0))
    assert lines(step) == ("OK when they lie still", "2 of 3")


def test_a_throw_that_was_taken_back_may_be_taken_as_it_lies() -> None:
    step = ok(rolled(ok(dice_step(USUAL, USUAL, USUAL))))
    step = ok(going(step).pressed(Button.BACK, 0.0))
    assert lines(step) == ("OK when they lie still", "2 of 3")


def test_drawn_dice_of_sixteen_millimetres_measure_so(tmp_path: Path) -> None:
    """One table's nine dice leave a few percent to chance, five tables' less; the lens is guessed."""
    profiles = [measured(DrawnHands(seed), tmp_path / str(seed), DAY) for seed in range(5)]
    top_px = 16.0 * 1130 / (400 - 16.0)  # nearer to the lens than the floor by its height
    widths = [width_px(profile) or 0.0 for profile in profiles]
    assert widths == pytest.approx([top_px] * 5, rel=0.08)
    assert np.median(widths) == pytest.approx(top_px, rel=0.03)
    edges = [profile.dice.edge_mm for profile in profiles if profile.dice is not None]
    assert np.median(edges) == pytest.approx(16.0, rel=0.04)


@pytest.mark.parametrize(
    ("colour", "word"),
    [
        ((240, 240, 240), "white"),
        ((110, 115, 112), "gray"),
        ((20, 20, 20), "black"),
        ((30, 30, 200), "red"),
        ((180, 60, 30), "blue"),
        ((40, 150, 40), "green"),
        ((40, 200, 240), "yellow"),
        ((20, 110, 230), "orange"),
        ((150, 40, 130), "purple"),
    ],
)
def test_colours_have_the_names_people_use(colour: tuple[float, ...], word: str) -> None:
    assert colour_word(colour, ENGLISH) == word


SURE, UNSURE, OTHER = (
    Reading((die(value, 180.0 + 150 * n),), sure) for n, (value, sure) in enumerate(((1, True), (1, False), (4, True)))
)


def thrown(step: steps.Next, n: int, *, frames: int = 8) -> steps.Step:
    """Eight pictures a second: dice roll in the first three and then lie still."""
    watched = going(step)
    for frame in range(frames):
        picture = DARK + np.uint8(90)
        x = 100 + 40 * min(frame, 2) + 150 * n
        picture[200:250, x : x + 50] = 200
        watched = watched.seen(picture, 10 * n + frame / 8)
    return watched


def test_check_step_counts_exact_unsure_and_wrong_and_measures_how_long_settling_takes() -> None:
    lying = [SURE]
    settler = Settler(Patience(still_s=0.25, readings=2, ask_after_s=0.5))
    step: steps.Next = steps.CheckStep(lambda _picture, afresh=False: lying[0], settler, DAY, dice=1, throws=3)
    assert title(step) == "Roll 1 die"
    assert going(step).labels(ENGLISH) == ("Back", "", "", "")
    for n, (reading, asks, wrong, button) in enumerate(
        (
            (SURE, "Is that right?", "Wrong", Button.OK),
            (UNSURE, "I am not sure", "", Button.OK),
            (OTHER, "Is that right?", "Wrong", Button.MORE),
        )
    ):
        lying[0] = reading
        step = thrown(step, n)
        assert step.page(ENGLISH) == Rolled(reading.values, reading.total, asks, f"{n + 1} of 3")
        assert step.labels(ENGLISH) == ("Back", "", wrong, "OK")
        step = step.pressed(button, 0.0)
    assert (title(step), lines(step)) == ("1 of 3 right", ("1 wrong: calibrate again", "1 not sure"))
    assert made(step).check == CheckFacts(DAY, 3, 1, 1, 1, 0.38)
    again = going(step).pressed(Button.BACK, 0.0)
    assert (title(again), lines(again)) == ("Roll 1 die", ("Wait until I read them", "0 of 3"))
    lying[0] = Reading((die(2, 630.0),), sure=True)
    assert thrown(again, 3).page(ENGLISH) == Rolled((2,), 2, "Is that right?", "1 of 3")


def test_check_step_tells_how_quickly_was_read_what_was_right() -> None:
    lying = [SURE]
    settler = Settler(Patience(still_s=0.25, readings=2, ask_after_s=0.5))
    step: steps.Next = steps.CheckStep(lambda _picture, afresh=False: lying[0], settler, DAY, dice=1, throws=2)
    for n, lying[0] in enumerate((SURE, OTHER)):
        step = thrown(step, n).pressed(Button.OK, 0.0)
    assert going(step).page(ENGLISH) == Prompt("2 of 2 right", ("0 not sure", "Read after 0.4 s"), Sign.DICE)


def test_check_step_measures_no_settling_of_a_throw_that_it_did_not_see_roll() -> None:
    lying = [SURE]
    settler = Settler(Patience(still_s=0.25, readings=2, ask_after_s=0.5))
    step: steps.Next = steps.CheckStep(lambda _picture, afresh=False: lying[0], settler, DAY, dice=1, throws=2)
    step = thrown(step, 0).pressed(Button.OK, 0.0)
    lying[0], picture = OTHER, DARK + np.uint8(90)
    picture[200:250, 480:530] = 200
    for frame in range(8):
        step = going(step).seen(picture, 10 + frame / 8)
    assert isinstance(step, steps.CheckStep)
    assert (step.reading, step.settle_s) == (OTHER, (0.375,))
    assert made(step.pressed(Button.OK, 0.0)).check == CheckFacts(DAY, 2, 2, 0, 0, 0.38)


def test_check_step_that_saw_no_throw_roll_tells_no_time() -> None:
    settler = Settler(Patience(still_s=0.25, readings=2, ask_after_s=0.5))
    step: steps.Step = steps.CheckStep(lambda _picture, afresh=False: SURE, settler, DAY, dice=1, throws=1)
    picture = DARK + np.uint8(90)
    picture[200:250, 180:230] = 200
    for frame in range(8):
        step = step.seen(picture, frame / 8)
    review = step.pressed(Button.OK, 0.0)
    assert (title(review), lines(review)) == ("1 of 1 right", ("0 not sure",))
    assert made(review).check == CheckFacts(DAY, 1, 1, 0, 0)


def test_check_step_waits_for_the_answer_before_it_reads_again() -> None:
    settler = Settler(Patience(still_s=0.25, readings=2, ask_after_s=0.5))
    step = thrown(steps.CheckStep(lambda _picture, afresh=False: SURE, settler, DAY, dice=1), 0)
    assert thrown(step, 1) is step
    assert title(step.pressed(Button.OK, 0.0)) == "Roll 1 die"


def test_check_step_is_not_sure_of_another_number_of_dice_than_the_tables() -> None:
    settler = Settler(Patience(still_s=0.25, readings=2, ask_after_s=0.5))
    step = thrown(steps.CheckStep(lambda _picture, afresh=False: SURE, settler, DAY, dice=2), 0)
    assert step.page(ENGLISH) == Rolled(SURE.values, SURE.total, "I am not sure", "1 of 20")


def test_check_step_watches_each_throw_while_it_rolls() -> None:
    settler = Settler(Patience(still_s=0.25, readings=2, ask_after_s=0.5))
    step = steps.CheckStep(lambda _picture, afresh=False: SURE, settler, DAY, dice=1)
    assert step.wants == steps.Wants(dice=1, throw=0, rolling=True)
    assert going(thrown(step, 0).pressed(Button.OK, 0.0)).wants == steps.Wants(dice=1, throw=1, rolling=True)


@pytest.mark.parametrize("button", [Button.OK, Button.MORE])
def test_check_step_takes_no_answer_before_it_has_read(button: Button) -> None:
    step = steps.CheckStep(lambda _picture, afresh=False: SURE, Settler(), DAY, dice=1)
    assert step.pressed(button, 0.0) is step


@pytest.mark.parametrize("reading", [SURE, UNSURE], ids=["sure", "unsure"])
def test_check_step_counts_dice_that_lie_on_no_second_time(reading: Reading) -> None:
    settler = Settler(Patience(still_s=0.25, readings=2, ask_after_s=0.5))
    reading = replace(reading, dice=SURE.dice)
    step: steps.Next = thrown(steps.CheckStep(lambda _picture, afresh=False: reading, settler, DAY, dice=1), 0)
    step = going(step).pressed(Button.OK, 0.0)
    picture = DARK + np.uint8(90)
    picture[200:250, 180:230] = 200
    for frame in range(30):  # a hand comes and goes
        picture[300:400, 300:400] = 200 if 8 <= frame < 10 else 90
        step = going(step).seen(picture, 1 + frame / 8)
    assert (title(step), lines(step)[1]) == ("Roll 1 die", "1 of 20")


def test_check_step_may_be_left_at_any_time() -> None:
    assert isinstance(
        steps.CheckStep(lambda _p, afresh=False: SURE, Settler(), DAY).pressed(Button.BACK, 0.0), steps.Left
    )
