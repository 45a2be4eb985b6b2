"""The screen's last words: never that the plug may be pulled before it may."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from companion.cli import main
from companion.farewell import again, resting, unplug
from companion.locale import ENGLISH, texts
from companion.ports import SCREEN_SIZE
from companion.screen import draw
from companion.view import Prompt


def test_only_a_computer_that_is_off_lets_the_plug_be_pulled() -> None:
    assert resting(ENGLISH, playing=True).page == Prompt("Good night", ("Your game is kept.", "Leave the plug in."))
    assert resting(ENGLISH, playing=False).page == Prompt("Good night", ("Leave the plug in.",))
    assert again(ENGLISH).page == Prompt("Starting again", ("Leave the plug in.",))
    assert unplug(ENGLISH).page == Prompt("Switched off", ("You may unplug it.",))


def the_picture_in(screens: Path) -> bytes:
    """The only picture there, as large as the screen."""
    (kept,) = screens.glob("*.png")
    with Image.open(kept) as image:
        return image.convert("1").resize(SCREEN_SIZE, Image.Resampling.NEAREST).tobytes()


@pytest.mark.parametrize(("how", "said"), [("poweroff", unplug), ("halt", unplug), ("reboot", again)])
def test_the_last_word_is_what_the_screens_keep(tmp_path: Path, how: str, said: object) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('display = {kind = "png", folder = "screens"}\nbuttons = []\ncamera.kind = "none"')
    assert main(["farewell", how, "--config", str(config)]) == 0
    assert callable(said)
    assert the_picture_in(tmp_path / "screens") == draw(said(ENGLISH)).tobytes()


def test_a_shutdown_is_not_held_up_by_a_missing_screen_or_a_wrong_file(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text("display = {kind = 'png', folder = '/proc/nowhere'}")
    assert main(["farewell", "poweroff", "--config", str(config)]) == 0
    config.write_text("nonsense")
    assert main(["farewell", "poweroff", "--config", str(config)]) == 0


def test_a_screen_that_is_lost_keeps_the_last_word_from_no_other(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    lost, well = '{kind = "png", folder = "/proc/nowhere"}', '{kind = "png", folder = "screens"}'
    config.write_text(f'display = [{lost}, {well}]\nbuttons = []\ncamera.kind = "none"')
    assert main(["farewell", "poweroff", "--config", str(config)]) == 0
    assert len(list((tmp_path / "screens").glob("*.png"))) == 1


def test_the_last_word_is_in_the_players_language(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    display = 'display = {kind = "png", folder = "screens"}'
    config.write_text(f'{display}\nbuttons = []\ncamera.kind = "none"\ntable.language = "fi"')
    assert main(["farewell", "poweroff", "--config", str(config)]) == 0
    assert the_picture_in(tmp_path / "screens") == draw(unplug(texts("fi"))).tobytes()
