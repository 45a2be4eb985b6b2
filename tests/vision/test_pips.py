"""Geometry alone tells the six faces, light or dark, turned and slanted; and says none where none is."""

import cv2
import numpy as np
import pytest

from companion.vision.pips import FACE_PX, forms_six, values_near

SIDE_PX = 64
LOW, HIGH = -0.25, 0.25
PIPS = {
    1: [(0, 0)],
    2: [(LOW, LOW), (HIGH, HIGH)],
    3: [(LOW, LOW), (0, 0), (HIGH, HIGH)],
    4: [(LOW, LOW), (LOW, HIGH), (HIGH, LOW), (HIGH, HIGH)],
    5: [(LOW, LOW), (LOW, HIGH), (0, 0), (HIGH, LOW), (HIGH, HIGH)],
    6: [(x, y) for x in (LOW, HIGH) for y in (LOW, 0, HIGH)],
}
MIDDLE = (SIDE_PX / 2, SIDE_PX / 2)


def places(value: int, *, turn_deg: float = 0.0, flat: float = 1.0) -> np.ndarray:
    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.array(PIPS[value], float) * FACE_PX @ turn.T * (1, flat) + MIDDLE


def face(value: int, *, body=(200, 200, 200), ink=(30, 30, 30), turn_deg: float = 0.0, flat: float = 1.0) -> np.ndarray:
    large = np.full((SIDE_PX * 8, SIDE_PX * 8, 3), body, np.uint8)
    for x, y in places(value, turn_deg=turn_deg, flat=flat):
        cv2.ellipse(large, (round(x * 8), round(y * 8)), (28, round(28 * flat)), 0, 0, 360, ink, -1)
    return cv2.resize(large, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)


def read(*crops: np.ndarray) -> list[int | None]:
    return values_near(np.stack(crops), np.array([MIDDLE] * len(crops)))


@pytest.mark.parametrize("colours", [((200, 200, 200), (30, 30, 30)), ((30, 30, 120), (230, 230, 230))])
@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 45.0])
@pytest.mark.parametrize("flat", [1.0, 0.75])
def test_each_face_is_told_by_its_spots(colours, turn_deg, flat):
    body, ink = colours
    faces = [face(value, body=body, ink=ink, turn_deg=turn_deg, flat=flat) for value in PIPS]
    assert read(*faces) == [1, 2, 3, 4, 5, 6]


def test_a_crop_is_read_alike_alone_and_among_others():
    faces = [face(value, turn_deg=10.0 * value) for value in (6, 2, 5, 1, 3, 4, 6)]
    assert read(*faces) == [value for crop in faces for value in read(crop)]


def test_a_plain_crop_has_no_face():
    assert read(np.full((SIDE_PX, SIDE_PX, 3), 120, np.uint8), face(4)) == [None, 4]


def test_spots_far_from_the_middle_belong_to_something_else():
    assert values_near(face(1)[None], np.array([(4.0, 4.0)])) == [None]


def test_no_crops_have_no_values():
    assert values_near(np.zeros((0, SIDE_PX, SIDE_PX, 3), np.uint8), np.zeros((0, 2))) == []


def test_six_spots_are_a_six_only_in_two_rows_of_three():
    assert forms_six(places(6, turn_deg=30.0))
    assert not forms_six(np.vstack([places(5), [(60.0, 32.0)]]))
    assert not forms_six(places(5))
