"""What of a stream's address is told: never what opens it."""

from __future__ import annotations

import pytest

from companion.address import without_secrets


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://192.168.1.20:8080/video", "http://192.168.1.20:8080/video"),
        ("rtsp://us:secret@10.0.0.5:554/cam/1", "rtsp://10.0.0.5:554/cam/1"),
        ("http://us:sec@ret@10.0.0.5/cam", "http://10.0.0.5/cam"),
        ("http://us:sec/ret@10.0.0.5/cam", "http://10.0.0.5/cam"),
        ("http://us:s=c&r;t@10.0.0.5/cam", "http://10.0.0.5/cam"),
        ("http://us:sec?ret@10.0.0.5/cam", "http://…"),
        ("http://us:sec#ret@10.0.0.5/cam", "http://…"),
        ("http://10.0.0.5/cam?to=me@home.example&pwd=sec@ret", "http://…"),
        ("rtsp://10.0.0.5/user=us&password=sec@ret", "rtsp://…"),
        ("rtsp://10.0.0.5/user=us&password=secret", "rtsp://10.0.0.5"),
        ("rtsp://10.0.0.5/live/user=us_password=secret_channel=1.sdp", "rtsp://10.0.0.5/live"),
        ("http://10.0.0.5/cam.cgi?user=us&pwd=secret", "http://10.0.0.5/cam.cgi"),
        ("http://10.0.0.5?pwd=secret", "http://10.0.0.5"),
        (
            "rtsp://us:secret@10.0.0.5/cam/realmonitor?channel=2&subtype=1&pwd=secret",
            "rtsp://10.0.0.5/cam/realmonitor?channel=2&subtype=1",
        ),
        ("http://10.0.0.5/cam?channel=1234", "http://10.0.0.5/cam"),
        ("http://10.0.0.5/#secret", "http://10.0.0.5/"),
        ("rtsp://us:secret@[fe80::1]:554/cam", "rtsp://[fe80::1]:554/cam"),
        ("http:/us:secret@10.0.0.5/cam", "http:/10.0.0.5/cam"),
        ("us:secret@10.0.0.5/cam", "10.0.0.5/cam"),
        (" http://us:sec\nret@10.0.0.5/cam", " http://10.0.0.5/cam"),
        ("10.0.0.5:8080/cam?pwd=secret", "10.0.0.5:8080/cam"),
        ("pi.local/cam?channel=2&pwd=secret", "pi.local/cam?channel=2"),
        ("", ""),
        ("0", "0"),
        ("/dev/v4l/by-id/usb-Some_Camera-video-index0", "/dev/v4l/by-id/usb-Some_Camera-video-index0"),
        ("videos/tray@home=1.mp4", "videos/tray@home=1.mp4"),
    ],
)
def test_of_an_address_scheme_host_and_path_are_told_and_nothing_that_opens_it(address: str, told: str) -> None:
    assert without_secrets(address) == without_secrets(told) == told
