"""Runs the camera module's adapter on the real picamera2, on libcamera's virtual camera, in a Debian 13 of its own.

    sudo python -m tests.bench.virtual_camera

Needs root, debootstrap, gcc and the network, and some minutes the first time; the Debian stays in /var/tmp. The virtual
camera plays a JPEG, has one format and no controls; stand-ins take the place of DMA memory and of kernel mode setting.
It proves opening, configuring, waiting, giving up,
stopping and colours, and nothing about exposure.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

ROOT = Path("/var/tmp/companion-camera-root")
SOURCE = Path(__file__).resolve().parents[2]
PARTS = Path(__file__).resolve().parent / "virtual_camera"
NOT_TESTED = 77
NEEDED = ("debootstrap", "gcc", "chroot")
PACKAGES = "ca-certificates,libcamera-ipa,python3-libcamera,python3-numpy,python3-pil,python3-pip,python3-prctl"
FROM_PIP = (
    "opencv-python-headless>=4.10,<6",
    "av",
    "jsonschema",
    "libarchive-c",
    "piexif",
    "simplejpeg",
    "tqdm",
    "videodev2",
)
CAMERA = """\
%YAML 1.1
---
"Virtual0":
  supported_formats:
  - width: 1024
    height: 768
    frame_rates:
    - 30
  frames:
    path: "/frames"
    scale_mode: "fill"
  location: "CameraLocationFront"
  model: "Tray"
"""


def main() -> int:
    words = argparse.ArgumentParser(
        prog="python -m tests.bench.virtual_camera",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words.parse_args()
    lacking = [name for name in NEEDED if shutil.which(name) is None] + ["root"] * (os.geteuid() != 0)
    if lacking:
        print(f"!! NOT TESTED: the real picamera2 needs {', '.join(lacking)}", file=sys.stderr)
        return NOT_TESTED
    if not prepare():
        print("!! NOT TESTED: Debian 13 or picamera2 could not be fetched", file=sys.stderr)
        return NOT_TESTED
    shutil.rmtree(ROOT / "root/source", ignore_errors=True)
    for package in ("companion", "hardware"):
        shutil.copytree(SOURCE / package, ROOT / "root/source" / package)
    shutil.copy(PARTS / "inside.py", ROOT / "root/inside.py")
    stand_ins = ROOT / "root/stand_ins.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", stand_ins, PARTS / "stand_ins.c", "-ldl"], check=True)
    draw_tray()
    return inside("env", "LD_PRELOAD=/root/stand_ins.so", "PYTHONPATH=/root/source", "python3", "/root/inside.py")


def prepare() -> bool:
    """Debian 13 with libcamera, and picamera2 with what it imports. An unfinished one is begun anew."""
    done = ROOT / "root/prepared"
    if done.exists():
        return True
    shutil.rmtree(ROOT, ignore_errors=True)
    made = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "trixie", ROOT]
    if subprocess.run(made, stdout=subprocess.DEVNULL, check=False).returncode:
        return False
    shutil.copy("/etc/resolv.conf", ROOT / "etc/resolv.conf")
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", ROOT / "etc/ssl/certs/ca-certificates.crt")
    pip = ("python3", "-m", "pip", "install", "--quiet", "--break-system-packages", "--root-user-action=ignore")
    for packages in (("--only-binary=:all:", *FROM_PIP), ("--no-deps", "picamera2==0.3.31")):
        if inside(*pip, *packages):
            return False
    done.touch()
    return True


def draw_tray() -> None:
    """What the camera sees: two colours that are told from each other in any order of channels."""
    picture = np.full((768, 1024, 3), (200, 90, 30), np.uint8)
    picture[:384, :512] = (20, 60, 220)
    (ROOT / "frames").mkdir(exist_ok=True)
    cv2.imwrite(str(ROOT / "frames/0.jpg"), picture)
    config = ROOT / "usr/share/libcamera/pipeline/virtual/virtual.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(CAMERA)


def inside(*command: str) -> int:
    return subprocess.run(["chroot", ROOT, *command], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
