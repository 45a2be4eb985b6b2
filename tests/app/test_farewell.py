"""The screen's last words: never that the plug may be pulled before it may."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from companion.cli import main
from companion.farewell import again, resting, unplug
from companion.locale import ENGLISH
from companion.screen import draw
from companion.view import Prompt


def test_only_a_computer_that_is_off_lets_the_plug_be_pulled() -> None:
    assert resting(ENGLISH, playing=True).page == Prompt("Good night", ("Your game is kept.", "Leave the plug in."))
    assert resting(ENGLISH, playing=False).page == Prompt("Good night", ("Leave the plug in.",))
    assert again(ENGLISH).page == Prompt("Starting again", ("Leave the plug in.",))
    assert unplug(ENGLISH).page == Prompt("Switched off", ("You may unplug it.",))


@pytest.mark.parametrize(("how", "said"), [("poweroff", unplug), ("halt", unplug), ("reboot", again)])
def test_the_last_word_is_what_the_screens_keep(tmp_path: Path, how: str, said: object) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('display = {kind = "png", folder = "screens"}\nbuttons = []\ncamera.kind = "none"')
    assert main(["farewell", how, "--config", str(config)]) == 0
    (kept,) = (tmp_path / "screens").glob("*.png")
    assert callable(said)
    with Image.open(kept) as image:
        wanted = draw(said(ENGLISH))
        shown = image.convert("1").resize(wanted.size, Image.Resampling.NEAREST)
        assert shown.tobytes() == wanted.tobytes()


def test_a_shutdown_is_not_held_up_by_a_missing_screen_or_a_wrong_file(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text("display = {kind = 'png', folder = '/proc/nowhere'}")
    assert main(["farewell", "poweroff", "--config", str(config)]) == 0
    config.write_text("nonsense")
    assert main(["farewell", "poweroff", "--config", str(config)]) == 0
