"""Training's commands where the extra that they need is not installed."""

import subprocess
import sys

import pytest

RUN = """
import runpy, sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "onnx"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Without())
command = sys.argv.pop(1)
runpy.run_module(command, run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("command", ["companion.vision.train", "companion.vision.train.quantise"])
def test_what_trains_networks_is_missing_in_a_line(command):
    ran = subprocess.run([sys.executable, "-c", RUN, command, "--help"], capture_output=True, text=True, check=False)
    first = "torch" if command == "companion.vision.train" else "onnx"
    said = f"what trains networks is missing (No module named '{first}'): pip install '.[train]' in a checkout\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said)


def test_another_module_hears_that_it_is_missing():
    ran = subprocess.run(
        [sys.executable, "-c", RUN.replace('"__main__"', '"other"'), "companion.vision.train.quantise"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr.endswith("ModuleNotFoundError: No module named 'onnx'\n")
