"""What the networks are shown."""

import cv2
import numpy as np

from companion.vision.networks import CROP_PX, decorrelated


def two_pips(body: tuple[int, int, int], ink: tuple[int, int, int]) -> np.ndarray:
    """A die of one colour on grey, with two pips."""
    picture = np.full((CROP_PX, CROP_PX, 3), 160, np.uint8)
    cv2.rectangle(picture, (10, 10), (54, 54), body, cv2.FILLED)
    for x, y in ((24, 26), (42, 40)):
        cv2.circle(picture, (x, y), 5, ink, cv2.FILLED, cv2.LINE_AA)
    return picture


def evenness(picture: np.ndarray) -> float:
    """Spread along the second principal axis of the middle's colours, as a share of that along the first."""
    spread = np.linalg.eigvalsh(np.cov(picture[16:48, 16:48].reshape(-1, 3).T.astype(float)))
    return float(np.sqrt(spread[1] / spread[2]))


def test_stretched_colours_show_a_hue_as_much_as_light_and_shadow():
    blotches = cv2.resize(np.random.default_rng(1).uniform(0.4, 1.6, (12, 12)), (CROP_PX, CROP_PX))
    picture = (two_pips((150, 60, 40), (150, 60, 80)) * blotches[..., None]).astype(np.uint8)
    assert evenness(picture) < 0.6
    assert evenness(decorrelated(picture)) > 0.8


def test_stretching_leaves_grey_pictures_grey_and_plain_ones_plain():
    grey = decorrelated(two_pips((230, 230, 230), (20, 20, 20)))
    assert np.ptp(grey.astype(int), axis=2).max() <= 2
    assert np.ptp(grey) > 100
    assert np.ptp(decorrelated(np.full((CROP_PX, CROP_PX, 3), 90, np.uint8))) <= 2
