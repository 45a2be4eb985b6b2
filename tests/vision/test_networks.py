"""What the networks are shown, and what runs them."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.ports import Picture
from companion.vision import engines
from companion.vision.bench.speed import STATUS
from companion.vision.engines import Floats
from companion.vision.networks import (
    AGAIN,
    BLOCK_PX,
    CROP_PX,
    FIRST,
    KEEN,
    MOST_PX,
    PARTS,
    FaceNet,
    FinderNet,
    Networks,
    decorrelated,
    packed,
    pair_in,
)
from companion.vision.scene import draw, random_scene


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


def table() -> np.ndarray:
    rng = np.random.default_rng(8)
    return draw(random_scene(rng, hardness=0.2, size=(320, 240), dice=3), rng).picture


WEIGHTS = files("companion.vision") / "weights"


def of_floats(pair: str) -> Networks:
    """A pair of the package as it was trained, not of eight bits."""
    finder, faces = ((WEIGHTS / pair / f"{part}.onnx").read_bytes() for part in PARTS)
    keen = WEIGHTS / pair / f"{KEEN}.onnx"
    return Networks(FinderNet(finder), FaceNet(faces), FaceNet(keen.read_bytes()) if keen.is_file() else None)


def test_both_pairs_have_keen_faces_of_their_own():
    crops = np.stack([table()[100:164, 120:184]])
    first, again = (packed(pair).keen for pair in (FIRST, AGAIN))
    assert first is not None
    assert again is not None
    assert not np.allclose(first(crops)[0], again(crops)[0], atol=0.1)


@pytest.mark.parametrize("pair", [FIRST, AGAIN])
def test_onnx_runtime_and_opencv_see_the_same(pair: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime")
    picture = table()
    crops = np.stack([picture[:CROP_PX, :CROP_PX], picture[100:164, 120:184], picture[100:164, 121:185]])

    def answers_of(finder: FinderNet, faces: FaceNet, keen: FaceNet | None) -> tuple[Floats, ...]:
        keenly = () if keen is None else keen(crops)
        return (*finder(picture), *finder.windows([picture, 255 - picture]), *keenly, *faces(crops))

    answers = [answers_of(*of_floats(pair))]
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    answers.append(answers_of(*pair_in(WEIGHTS / pair)))
    for one, other in zip(*answers, strict=True):
        assert one.shape == other.shape
        assert one == pytest.approx(other, abs=2e-4)
    assert answers[0][0].max() > 0.5  # it saw dice
    assert np.ptp(answers[0][-1]) > 0.1  # and pips


def test_two_threads_that_ask_one_network_of_opencv_are_each_told_of_their_own_crops() -> None:
    run = engines.by_opencv((WEIGHTS / FIRST / "faces.onnx").read_bytes())
    crops = [np.full((1, 3, CROP_PX, CROP_PX), level, np.float32) for level in (-1, 1)]
    wanted = [run(some) for some in crops]
    with ThreadPoolExecutor(2) as threads:
        for number, answers in enumerate(threads.map(run, crops * 60)):
            assert all(np.array_equal(*pair) for pair in zip(answers, wanted[number % 2], strict=True))


@pytest.mark.parametrize("pair", [FIRST, AGAIN])
def test_onnx_runtime_runs_networks_of_eight_bits_that_see_nearly_the_same(pair: str) -> None:
    pytest.importorskip("onnxruntime")
    picture = table()
    quick = pair_in(WEIGHTS / pair)
    whole = FinderNet((WEIGHTS / pair / "finder.onnx").read_bytes())
    apart = np.abs(quick.finder(picture)[0] - whole(picture)[0])
    assert 0 < apart.max() < 0.2
    assert apart.mean() < 0.002
    crops = np.stack([picture[:CROP_PX, :CROP_PX], picture[100:164, 120:184]])
    exact = of_floats(pair)
    for some, other in ((quick.faces, exact.faces), (quick.keen, exact.keen)):
        if some is not None:
            logits, pips = some(crops)
            wanted, dots = other(crops)
            assert 0 < np.abs(logits - wanted).max() < 0.5
            assert np.abs(pips - dots).max() < 0.2


def test_a_folder_without_networks_of_eight_bits_is_read_by_the_others(tmp_path: Path) -> None:
    for part in ("finder", "faces"):
        (tmp_path / f"{part}.onnx").write_bytes((WEIGHTS / FIRST / f"{part}.onnx").read_bytes())
    picture = table()
    whole = FinderNet((WEIGHTS / FIRST / "finder.onnx").read_bytes())
    np.testing.assert_array_equal(pair_in(tmp_path).finder(picture)[0], whole(picture)[0])
    (tmp_path / "finder.onnx").unlink()
    with pytest.raises(FileNotFoundError, match=r"finder\.onnx"):
        pair_in(tmp_path)


@pytest.mark.parametrize("inputs", [1, engines.AT_ONCE, engines.AT_ONCE + 1, 3 * engines.AT_ONCE])
def test_a_network_is_asked_about_few_inputs_at_a_time_and_answers_as_about_all(inputs: int) -> None:
    asked: list[int] = []

    def twice_and_first(planes: Floats) -> list[Floats]:
        asked.append(len(planes))
        return [2 * planes, planes[:, 0]]

    planes = np.arange(inputs * 6, dtype=np.float32).reshape(inputs, 6)
    doubled, first = engines.in_parts(twice_and_first, planes)
    np.testing.assert_array_equal(doubled, 2 * planes)
    np.testing.assert_array_equal(first, planes[:, 0])
    assert max(asked) <= engines.AT_ONCE
    assert len(asked) == -(-inputs // engines.AT_ONCE)


@pytest.mark.parametrize("without_onnx_runtime", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(480, 640), (1200, 160), (166, 1200)])
def test_a_large_picture_is_searched_in_parts_that_see_what_the_whole_shows(
    rows: int, columns: int, without_onnx_runtime: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without_onnx_runtime:
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
    finder = pair_in(WEIGHTS / FIRST).finder
    picture = np.ascontiguousarray(np.tile(table(), (5, 4, 1))[:rows, :columns])
    asked: list[int] = []

    def watched(pictures: list[Picture]) -> tuple[Floats, Floats]:
        asked.extend(shown.shape[0] * shown.shape[1] for shown in pictures)
        return FinderNet.windows(finder, pictures)

    monkeypatch.setattr(finder, "windows", watched)
    whole = [part[0, : -(-rows // 2), : -(-columns // 2)] for part in finder.windows([padded(picture)])]
    asked.clear()
    for part, answer in zip(finder(picture), whole, strict=True):
        np.testing.assert_allclose(part, answer, rtol=1e-3 if without_onnx_runtime else 0)
    assert len(asked) > 1
    assert max(asked) <= MOST_PX
    assert whole[0].max() > 0.3


def test_pictures_of_several_sizes_are_refused_at_once() -> None:
    finder = pair_in(WEIGHTS / FIRST).finder
    with pytest.raises(ValueError, match="several sizes"):
        finder.windows(
            [np.zeros((2 * BLOCK_PX, 2 * BLOCK_PX, 3), np.uint8), np.zeros((BLOCK_PX, BLOCK_PX, 3), np.uint8)]
        )


def padded(picture: Picture) -> Picture:
    """Its sides made multiples of what the finder takes."""
    low, right = (-side % BLOCK_PX for side in picture.shape[:2])
    return np.asarray(cv2.copyMakeBorder(picture, 0, low, 0, right, cv2.BORDER_REPLICATE), np.uint8)


GROWTH = """
import numpy as np
from companion.vision.networks import packed
from companion.vision.bench.speed import STATUS

def own_mb():
    return int(dict(line.split(":", 1) for line in STATUS.read_text().splitlines())["RssAnon"].split()[0]) / 1024

def read(number):
    height, width = 200 + 8 * (number % 40), 200 + 8 * (7 * number % 43)
    packed().finder(np.zeros((height, width, 3), np.uint8))
    packed().faces(np.zeros((1 + number % 9, 64, 64, 3), np.uint8))

read(0)
before = own_mb()
for number in range(90):
    read(number)
print(own_mb() - before)
"""


def test_pictures_of_many_sizes_leave_little_in_memory() -> None:
    """ONNX Runtime's patterns, kept for each size, held 34 MB after these instead of some 11."""
    pytest.importorskip("onnxruntime")
    if not STATUS.exists():
        pytest.skip("only Linux tells what of its memory is a process's own")
    told = subprocess.run([sys.executable, "-c", GROWTH], check=True, capture_output=True, text=True).stdout
    assert float(told) < 22


READ_ONCE = """
import numpy as np
from companion.vision.networks import packed
packed().faces(np.zeros((1, 64, 64, 3), np.uint8))
"""


def test_reading_dice_leaves_nothing_in_the_home_folder(tmp_path: Path) -> None:
    """ONNX Runtime 1.32 keeps a number of the device and what it would tell of it there."""
    pytest.importorskip("onnxruntime")
    usual = {
        name: value for name, value in os.environ.items() if name not in ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME")
    }
    subprocess.run([sys.executable, "-c", READ_ONCE], check=True, env={**usual, "HOME": str(tmp_path)})
    assert list(tmp_path.rglob("*")) == []


def test_opencv_runs_the_networks_where_onnx_runtime_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    asked: list[bytes] = []

    def remembered(weights: bytes) -> engines.Engine:
        asked.append(weights)
        return lambda planes: [planes]

    monkeypatch.setattr(engines, "by_opencv", remembered)
    engine = engines.engine_of(b"a network")
    assert asked == [b"a network"]
    assert engine(np.ones((1, 1), np.float32))[0].tolist() == [[1]]


def test_onnx_runtime_runs_them_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime")
    monkeypatch.setattr(engines, "by_opencv", None)
    assert pair_in(WEIGHTS / FIRST).faces(np.zeros((1, CROP_PX, CROP_PX, 3), np.uint8))[0].shape == (1, 8)


def test_networks_are_loaded_by_whichever_thread_reads_first() -> None:
    with ThreadPoolExecutor(1) as apart:
        assert apart.submit(packed_faces).result()(np.zeros((1, 3, CROP_PX, CROP_PX), np.float32))[0].shape[0] == 1


def test_a_file_of_another_network_is_no_finder() -> None:
    weights = (WEIGHTS / FIRST / "faces.onnx").read_bytes()
    with pytest.raises(engines.BadNetwork, match=r"^it is no finder$"):
        FinderNet(weights).windows([np.zeros((CROP_PX, CROP_PX, 3), np.uint8)])


def packed_faces() -> engines.Engine:
    return engines.engine_of((WEIGHTS / FIRST / "faces.onnx").read_bytes())


def test_the_two_pairs_of_the_package_are_opinions_of_their_own_of_the_same_dice() -> None:
    picture = table()
    first, again = (packed(pair).finder(picture)[0] for pair in (FIRST, AGAIN))
    assert min(first.max(), again.max()) > 0.5
    assert not np.allclose(first, again, atol=1e-2)


@pytest.mark.parametrize("without_onnx_runtime", [False, True])
def test_a_network_that_does_not_take_what_it_is_shown_is_told_in_a_line(
    without_onnx_runtime: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without_onnx_runtime:
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
    run = packed_faces()
    assert len(run(np.zeros((2, 3, CROP_PX, CROP_PX), np.float32))) == 2
    with pytest.raises(engines.BadNetwork, match=r"^it takes no input of 2×64: .+$") as told:
        run(np.zeros((2, CROP_PX), np.float32))
    assert "\n" not in str(told.value)


def test_onnx_runtime_tells_a_network_of_another_version_whose_first_layer_looks_at_other_planes() -> None:
    """OpenCV 5 answers something."""
    pytest.importorskip("onnxruntime")
    with pytest.raises(engines.BadNetwork, match=r"^it takes no input of 2×6×64×64: "):
        packed_faces()(np.zeros((2, 6, CROP_PX, CROP_PX), np.float32))
