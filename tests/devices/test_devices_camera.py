from __future__ import annotations

import http.server
import os
import subprocess
import sys
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from standins import FakeClock

from companion.ports import DeviceLost, Frame, Locks
from hardware.camera_capture import FAILURES, CaptureCamera, stream_camera, usb_camera
from hardware.camera_turned import TurnedCamera
from hardware.camera_video import VideoCamera
from hardware.clock import SystemClock
from hardware.exposure import Exposure, ExposureWatch, kept
from hardware.pixels import as_bgr, from_libcamera, turned
from tests.rights import closed


def plain(level: int, size=(24, 32)) -> np.ndarray:
    return np.full((*size, 3), level, np.uint8)


class Captured:
    """A capture as OpenCV gives it: raises nothing, may block, and may only be used by one thread."""

    def __init__(self, *, opens: bool = True) -> None:
        self.opens = opens
        self.pictures: list[object] = []
        self.more = threading.Semaphore(0)
        self.released = threading.Event()
        self.users: set[int] = set()

    def give(self, *pictures: object) -> None:
        for picture in pictures:
            self.pictures.append(picture)
            self.more.release()

    def isOpened(self) -> bool:
        self.users.add(threading.get_ident())
        return self.opens

    def read(self):
        self.users.add(threading.get_ident())
        assert self.more.acquire(timeout=30)
        picture = self.pictures.pop(0)
        return picture is not None, picture

    def release(self) -> None:
        self.users.add(threading.get_ident())
        self.released.set()


def frames_until(camera, level: int) -> Frame:
    """Takes frames until the one of this level."""
    while True:
        frame = camera.frame(10)
        if frame is not None and round(float(frame.picture.mean())) == level:
            return frame


def lost_after(camera) -> tuple[list[Frame], DeviceLost]:
    """Everything a camera delivers before it is lost, and why it is."""
    seen: list[Frame] = []
    while True:
        try:
            frame = camera.frame(10)
        except DeviceLost as lost:
            return seen, lost
        assert frame is not None
        seen.append(frame)


def test_only_the_newest_picture_is_kept():
    captured = Captured()
    camera = CaptureCamera("tray", lambda: captured, clock=FakeClock())
    captured.give(plain(1), plain(2), plain(3))
    assert frames_until(camera, 3).taken_s == 100.0
    assert camera.frame(0) is None
    captured.give(plain(4))
    assert frames_until(camera, 4).picture.shape == (24, 32, 3)
    captured.give(plain(5))
    camera.close()
    camera.close()
    assert captured.released.wait(10)
    assert len(captured.users) == 1


def test_a_camera_that_fails_several_times_in_a_row_is_lost_once_its_last_picture_was_seen():
    captured = Captured()
    camera = CaptureCamera("tray", lambda: captured, clock=FakeClock())
    captured.give(None, "torn", None, plain(7), *[None] * FAILURES)
    assert captured.released.wait(10)
    seen, lost = lost_after(camera)
    assert [frame.picture.max() for frame in seen] == [7]
    assert str(lost).startswith("camera tray stopped delivering pictures; check its cable")
    camera.close()


def test_failures_with_a_good_picture_between_them_do_not_add_up():
    captured = Captured()
    camera = CaptureCamera("tray", lambda: captured, clock=FakeClock())
    most = [None] * (FAILURES - 1)
    captured.give(*most, plain(7), *most, plain(8), *most, plain(9))
    assert frames_until(camera, 9)
    camera.close()
    captured.give(None)
    assert captured.released.wait(10)


def test_a_camera_that_does_not_open_is_lost():
    with pytest.raises(DeviceLost, match="camera tray cannot be opened; check its cable"):
        CaptureCamera("tray", lambda: Captured(opens=False), clock=FakeClock())


def test_a_driver_that_raises_is_a_lost_camera():
    def explode():
        raise cv2.error("no backend")

    with pytest.raises(DeviceLost, match="camera tray failed: no backend"):
        CaptureCamera("tray", explode, clock=FakeClock())


@pytest.mark.parametrize("opens", [False, True])
def test_a_camera_that_blocks_while_opening_is_given_up_and_not_opened_twice_at_once(opens):
    freed = threading.Event()
    captured = Captured(opens=opens)
    captured.give(plain(1))

    def blocked() -> Captured:
        freed.wait(30)
        return captured

    with pytest.raises(DeviceLost, match="camera slow did not open within 0 s"):
        CaptureCamera("slow", blocked, clock=FakeClock(), open_s=0.01)
    with pytest.raises(DeviceLost, match="camera slow still does not answer"):
        CaptureCamera("slow", blocked, clock=FakeClock())
    freed.set()
    assert captured.released.wait(10)


def test_a_camera_that_stalls_gives_no_frame_and_does_not_hold_up_closing():
    captured = Captured()
    camera = CaptureCamera("tray", lambda: captured, clock=FakeClock())
    assert camera.frame(0.01) is None
    camera.close()
    with pytest.raises(DeviceLost, match="camera tray is closed"):
        camera.frame(10)
    captured.give(plain(1))
    assert captured.released.wait(10)


def test_who_waits_for_a_picture_of_a_camera_that_is_closed_waits_no_longer():
    captured, told = Captured(), []
    camera = CaptureCamera("tray", lambda: captured, clock=FakeClock())
    waiting = threading.Thread(target=lambda: told.append(lost_after(camera)[1].cause), daemon=True)
    waiting.start()
    camera.close()
    waiting.join(5)
    assert told == ["camera tray is closed"]
    captured.give(plain(1))
    assert captured.released.wait(10)


def test_a_usb_camera_that_is_not_there_is_told_by_name():
    with pytest.raises(DeviceLost, match="there is no camera /dev/video99; plug it in"):
        usb_camera("99", size=(640, 480), fps=10, clock=FakeClock())


@pytest.fixture
def streamed():
    """The address of an HTTP MJPEG stream of one grey picture after the other."""

    class Stream(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
            self.end_headers()
            try:
                for level in range(0, 250, 2):
                    jpeg = cv2.imencode(".jpg", plain(level, (48, 64)))[1].tobytes()
                    self.wfile.write(b"--next\r\nContent-Type: image/jpeg\r\n")
                    self.wfile.write(f"Content-Length: {len(jpeg)}\r\n\r\n".encode() + jpeg + b"\r\n")
            except OSError:
                return  # the viewer left

        def log_message(self, format, *args):
            """Quietly."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://me:secret@127.0.0.1:{server.server_port}/tray.mjpg"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_network_stream_is_read_until_it_ends_and_its_password_is_not_told(streamed):
    camera = stream_camera(streamed, clock=SystemClock())
    seen, lost = lost_after(camera)
    camera.close()
    assert {frame.picture.shape for frame in seen} == {(48, 64, 3)}
    assert "stopped delivering" in str(lost)
    assert "secret" not in str(lost)


def test_a_stream_that_does_not_open_is_told_without_what_opens_it():
    with pytest.raises(DeviceLost) as lost:
        stream_camera("http://127.0.0.1:9/cam?user=me&pwd=secret", clock=SystemClock())
    assert lost.value.cause == "camera http://127.0.0.1:9/cam cannot be opened"
    assert lost.value.remedy == "check its address in the configuration, that it runs, and the network between"


def test_of_a_stream_without_pictures_no_cable_is_spoken_of(streamed):
    camera = TurnedCamera(stream_camera(streamed, clock=SystemClock()), 90)
    assert camera.remedy == "check its address in the configuration, that it runs, and the network between"
    camera.close()


def test_an_address_that_is_taken_for_a_file_is_told_without_its_password():
    with pytest.raises(DeviceLost, match=r"^there is no video 127\.0\.0\.1/cam; name"):
        VideoCamera(Path("me:secret@127.0.0.1/cam"), clock=FakeClock())


OFF = """
import sys
from pathlib import Path
from companion.ports import DeviceLost
from hardware.camera_capture import stream_camera, usb_camera
from hardware.camera_video import VideoCamera
from hardware.clock import SystemClock
clock = SystemClock()
for opened in (
    lambda: stream_camera("http://127.0.0.1:9/video", clock=clock),
    lambda: usb_camera("/dev/null", size=(640, 480), fps=30, clock=clock),
    lambda: VideoCamera(Path(sys.argv[1]), clock=clock),
):
    try:
        opened()
    except DeviceLost:
        continue
    raise AssertionError("it is there")
"""


@pytest.mark.parametrize(("level", "heard"), [({}, False), ({"OPENCV_LOG_LEVEL": "WARNING"}, True)])
def test_a_camera_that_is_not_there_is_told_of_by_the_companion_alone_unless_opencv_is_asked_to(level, heard, tmp_path):
    torn = tmp_path / "torn.mp4"
    torn.write_bytes(bytes(200))
    environ = {name: text for name, text in os.environ.items() if not name.startswith("OPENCV_")} | level
    told = subprocess.run(
        [sys.executable, "-c", OFF, torn], capture_output=True, text=True, check=True, timeout=60, env=environ
    )
    assert ("WARN" in told.stderr if heard else told.stderr == "", told.stdout) == (True, "")


@pytest.fixture
def video(tmp_path):
    """Ten pictures, ten a second, brighter and brighter."""
    path = tmp_path / "tray.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (32, 24))
    for number in range(10):
        writer.write(plain(20 * number))
    writer.release()
    return path


def level(frame: Frame) -> int:
    """Which of the ten it is."""
    return round(float(frame.picture.mean()) / 20)


def test_a_video_plays_in_its_own_time_and_then_stays(video):
    clock = FakeClock()
    camera = VideoCamera(video, clock=clock)
    frames = [camera.frame(1) for _ in range(13)]
    assert [level(frame) for frame in frames] == [*range(10), 9, 9, 9]
    assert [round(frame.taken_s - 100, 3) for frame in frames] == [round(n / 10, 3) for n in range(13)]
    camera.close()


def test_pictures_nobody_asked_for_are_left_out(video):
    clock = FakeClock()
    camera = VideoCamera(video, clock=clock)
    assert level(camera.frame(1)) == 0
    clock.sleep(0.45)
    assert level(camera.frame(1)) == 4
    assert camera.frame(0.01) is None
    clock.sleep(5)
    assert level(camera.frame(1)) == 9
    camera.close()


def test_a_video_goes_on_for_whoever_only_looks_whether_there_is_a_picture(video):
    clock = FakeClock()
    camera = VideoCamera(video, clock=clock)
    seen = []
    for _ in range(8):
        seen.append((frame := camera.frame(0)) and level(frame))
        clock.sleep(0.0501)
    assert seen == [0, None, 1, None, 2, None, 3, None]
    camera.close()


def read_slowly(monkeypatch, clock):
    """Each picture of a video takes longer to read than it is shown."""
    read = VideoCamera._read

    def slow(camera):
        clock.sleep(0.15)
        return read(camera)

    monkeypatch.setattr(VideoCamera, "_read", slow)


def test_a_video_that_was_read_slowly_for_a_while_plays_on_late_and_hurries_not(video, monkeypatch):
    clock = FakeClock()
    camera = VideoCamera(video, clock=clock)
    read_slowly(monkeypatch, clock)
    assert [level(camera.frame(0.1)) for _ in range(3)] == [0, 1, 2]
    monkeypatch.undo()
    late = [camera.frame(1) for _ in range(3)]
    assert [level(frame) for frame in late] == [3, 4, 5]
    assert [round(frame.taken_s - late[0].taken_s, 3) for frame in late] == [0, 0.1, 0.2]
    camera.close()


def test_a_video_that_is_read_more_slowly_than_it_plays_gives_late_pictures_in_time(video, monkeypatch):
    clock = FakeClock()
    camera = VideoCamera(video, clock=clock)
    read_slowly(monkeypatch, clock)
    clock.sleep(0.2)
    taken = [camera.frame(0.4) for _ in range(3)]
    assert [round(frame.taken_s - 100, 3) for frame in taken] == [0.65, 1.1, 1.55]
    assert [level(frame) for frame in taken] == [3, 6, 9]
    camera.close()


def test_numbered_pictures_are_a_video(tmp_path):
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"tray_{number:03d}.png"), plain(20 * number))
    camera = VideoCamera(tmp_path / "tray_%03d.png", clock=FakeClock())
    assert [level(camera.frame(1)) for _ in range(3)] == [0, 1, 2]
    camera.close()


def test_what_is_no_video_is_told_by_name(tmp_path):
    with pytest.raises(DeviceLost, match=r"there is no video .*gone\.avi; name a video"):
        VideoCamera(tmp_path / "gone.avi", clock=FakeClock())
    (tmp_path / "torn.avi").write_bytes(b"RIFF torn")
    with pytest.raises(DeviceLost, match=r"torn\.avi is not a video, or torn"):
        VideoCamera(tmp_path / "torn.avi", clock=FakeClock())


@pytest.mark.parametrize("where", ["file", "folder"])
def test_a_video_that_may_not_be_read_is_told_with_the_reason(video, where, monkeypatch):
    monkeypatch.chdir(video.parent)
    video.parent.chmod(0o755)
    told = r"^the video tray\.avi cannot be read: Permission denied; name a video file that may be read"
    with closed(video if where == "file" else video.parent), pytest.raises(DeviceLost, match=told):
        VideoCamera(Path("tray.avi"), clock=FakeClock())


def test_a_name_that_no_video_can_have_is_told_with_the_reason(tmp_path):
    with pytest.raises(DeviceLost, match=r"the video .*x cannot be read: File name too long; name a video file"):
        VideoCamera(tmp_path / ("x" * 300), clock=FakeClock())


def test_a_pipe_is_no_video_and_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: pytest.fail("opening it waits until somebody writes"))
    os.mkfifo(tmp_path / "tray.avi")
    with pytest.raises(DeviceLost, match=r"tray\.avi is a pipe and no video; save what comes out of it to a file"):
        VideoCamera(tmp_path / "tray.avi", clock=FakeClock())


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_pictures_are_turned_clockwise(degrees):
    picture = plain(0, (2, 3))
    picture[0, 0] = 255  # upper left
    corner = {0: (0, 0), 90: (0, -1), 180: (-1, -1), 270: (-1, 0)}[degrees]
    assert turned(picture, degrees)[corner].tolist() == [255] * 3
    assert turned(picture, degrees).sum() == 3 * 255


def test_a_turned_camera_passes_everything_else_on(video):
    camera = TurnedCamera(VideoCamera(video, clock=FakeClock()), 90)
    assert camera.frame(1).picture.shape == (32, 24, 3)
    assert camera.frame(0) is None
    camera.rolled()
    camera.close()
    with pytest.raises(DeviceLost):
        camera.frame(1)
    with pytest.raises(ValueError, match="not 45"):
        TurnedCamera(camera, 45)


def test_grey_and_transparent_pictures_become_bgr_and_nonsense_none():
    grey = np.arange(6, dtype=np.uint8).reshape(2, 3)
    assert as_bgr(grey).tolist() == np.stack([grey] * 3, axis=-1).tolist()
    assert as_bgr(grey[..., None]).shape == (2, 3, 3)
    assert as_bgr(np.dstack([plain(9, (2, 3)), grey])).tolist() == plain(9, (2, 3)).tolist()
    for nonsense in (None, "torn", np.zeros((0, 0, 3), np.uint8), np.zeros((2, 2, 3)), np.zeros((2, 2, 2), np.uint8)):
        assert as_bgr(nonsense) is None


@pytest.mark.parametrize("pixel_format", ["RGB888", "XRGB8888", "BGR888", "XBGR8888", "YUV420", "NV12"])
def test_libcamera_buffers_become_bgr_of_their_size_whatever_lies_beside_or_below_it(pixel_format):
    width, height, stride, rows = 64, 48, 80, 64
    picture = np.zeros((rows, stride, 3), np.uint8)
    picture[:height, :width] = (200, 90, 30)
    picture[: height // 2, : width // 2] = (20, 60, 220)
    i420 = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
    y, u, v = np.split(i420.reshape(-1), [rows * stride, rows * stride * 5 // 4])
    nv12 = np.concatenate([y, np.dstack([u, v]).reshape(-1)]).reshape(rows * 3 // 2, stride)
    extra = np.zeros((rows, stride, 1), np.uint8)
    raw = {
        "RGB888": picture,
        "XRGB8888": np.dstack([picture, extra]),
        "BGR888": picture[..., ::-1],
        "XBGR8888": np.dstack([picture[..., ::-1], extra]),
        "YUV420": i420,
        "NV12": nv12,
    }[pixel_format]
    found = from_libcamera(raw, pixel_format, (width, height))
    assert found.shape == (height, width, 3)
    assert found.flags.c_contiguous
    assert np.abs(found.astype(int) - picture[:height, :width]).max() <= 4
    with pytest.raises(ValueError, match="SBGGR10 are not understood"):
        from_libcamera(raw, "SBGGR10", (width, height))


def watched(brightness, seconds, watch, now_s=0.0):
    """What the watch says, at ten pictures a second, with the second at which it says so."""
    said = []
    for tenth in range(10 * seconds):
        verdict = watch.see(brightness(tenth / 10), now_s + tenth / 10)
        if verdict is not Exposure.KEEP:
            said.append((verdict, tenth / 10))
    return said


def test_exposure_is_locked_once_it_settled_and_stays_while_dice_and_hands_come_and_go():
    hand = lambda t: 30 if 5 <= t < 7.5 else 100 + 20 * (t % 2)  # noqa: E731
    assert watched(hand, 60, ExposureWatch(0)) == [(Exposure.LOCK, 2.0)]


def test_short_changes_do_not_add_up_to_one_for_good():
    hands = lambda t: 30 if 5 <= t < 7.5 or 9 <= t < 11.5 else 100  # noqa: E731
    assert watched(hands, 30, ExposureWatch(0)) == [(Exposure.LOCK, 2.0)]


def test_a_white_balance_is_kept_only_where_both_its_gains_are():
    asked = Locks(white_gains=(1.5, 1.7))
    assert kept(asked, Locks(white_gains=(1.5, 1.71))) == "the camera keeps white balance as calibrated"
    refuses = "it refuses white balance: run companion calibrate camera again"
    assert kept(asked, Locks(white_gains=(1.5, 2.5))) == kept(asked, Locks(white_gains=(2.5, 1.7))) == refuses


def test_a_light_that_changed_for_good_frees_the_exposure_and_locks_it_anew():
    lamp = lambda t: 100 if t < 10 else 20 if t < 13 else 90  # noqa: E731
    assert watched(lamp, 60, ExposureWatch(0)) == [(Exposure.LOCK, 2.0)]
    dusk = lambda t: 100 if t < 10 else 20  # noqa: E731
    assert watched(dusk, 60, ExposureWatch(0)) == [(Exposure.LOCK, 2.0), (Exposure.FREE, 13.0), (Exposure.LOCK, 15.0)]


def test_a_covered_lens_is_no_reason_to_hunt_for_ever():
    covered = lambda t: 0.0 if 5 <= t < 60 else 100  # noqa: E731
    said = watched(covered, 120, ExposureWatch(0))
    assert said == [
        (Exposure.LOCK, 2.0),
        (Exposure.FREE, 8.0),
        (Exposure.LOCK, 10.0),
        (Exposure.FREE, 63.0),
        (Exposure.LOCK, 65.0),
    ]
