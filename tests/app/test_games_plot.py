"""`companion games show --plot`: how a game went, drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from companion.cli import main
from companion.history.course import COLOURS, Rolled, drawn, rolled, totals, wild
from companion.history.drawing import HEIGHT, PAPER, WIDTH, Box, Word, as_image
from companion.history.retelling import Step, kept, retell
from companion.journal import Journal
from tests.rules.at_the_table import all_complete, new
from tests.rules.at_the_table import wild as wild_thrown

ROLL = {"do": "start", "game": "roll", "players": ["Ana", "Bo"]}
CAT = {"do": "start", "game": "cat", "players": ["Ana", "Bo", "Åse"], "end": {"limit": 20}}
FREE = {"do": "start", "game": "free", "players": ["Ana", "B<o\x1b"], "dice": 3}
KNOCK: tuple[dict[str, Any], ...] = ({"do": "knock"}, {"do": "end"}, {"do": "end"})
ACCEPT = {"do": "accept"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def lay(path: Path, *lines: dict[str, Any]) -> tuple[Step, ...]:
    with Journal.open(path) as journal:
        journal.begin(json.dumps(lines[0]))
        for at_s, line in enumerate(lines[1:], 1):
            journal.append(json.dumps(line), at_s)
        return kept(retell(journal.read(1)))


def show(path: Path, file: Path | str) -> int:
    return main(["games", "show", "1", "--plot", str(file), "--journal", str(path)])


def scores(*points: int | None) -> tuple[dict[str, Any], ...]:
    """`points`: one a player, None for who is out."""
    each = ((player, total) for player, total in enumerate(points) if total is not None)
    return tuple({"do": "score", "player": player, "total": total} for player, total in each)


def of_kind(file: Path, kind: str, colour: str) -> int:
    """How many shapes of a kind the picture has in a colour."""
    marks = ElementTree.parse(file).iter(f"{{http://www.w3.org/2000/svg}}{kind}")
    return sum(colour == mark.get("stroke") for mark in marks)


def words(file: Path) -> set[str | None]:
    return {word.text for word in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")}


def test_C10_a_line_a_player_shows_the_totals_of_cat_and_ends_where_one_is_out(path: Path) -> None:
    steps = lay(
        path, CAT, *KNOCK, *scores(4, 12, 0), {"do": "deal"}, *KNOCK, *scores(6, 9, 3), {"do": "deal"}, *KNOCK[:2],
        *scores(2, None, 5), {"do": "deal"}, *KNOCK[:2], {"do": "score", "player": 0, "total": 9},
    )  # fmt: skip
    assert totals(steps) == ((4, 12, 0), (10, 21, 3), (12, None, 8))  # the fourth round is not scored to its end
    file = path.with_name("cat.svg")
    assert show(path, file) == 0
    assert [of_kind(file, "line", colour) for colour in COLOURS[:4]] == [3, 2, 3, 0]
    assert {"Game 1: Rat-a-Tat Cat", "Ana", "Bo", "Åse", "Round", "Total", "out at 20"} <= words(file)


def test_C12_without_scores_the_rounds_won_are_drawn_and_no_limit(path: Path) -> None:
    start = {**CAT, "end": {"rounds": 2}, "scores": False}
    assert totals(lay(path, start, *KNOCK, *scores(4, 3, 3))) == ((0, 1, 1),)
    file = path.with_name("cat.svg")
    assert show(path, file) == 0
    assert "Rounds won" in words(file)
    assert not any("out at" in str(word) for word in words(file))


def test_a_dot_a_throw_shows_what_was_rolled_in_roll_and_what_was_given_up(path: Path) -> None:
    rolls = ({"do": "roll", "dice": [6, 6]}, {"do": "undo"}, {"do": "roll", "dice": [3, 2]})
    steps = lay(path, ROLL, *rolls, {"do": "reroll", "which": [1], "dice": [3]}, ACCEPT)
    assert rolled(steps) == (Rolled(1, 0, 5, given_up=True), Rolled(1, 0, 6, given_up=False))
    file = path.with_name("roll.png")
    assert show(path, file) == 0
    with Image.open(file) as image:
        assert image.size == (1280, 800)
        assert (0x00, 0x72, 0xB2) in {colour for _, colour in image.getcolors(100_000) or []}


def test_R12_turns_of_the_wild_die_alone_are_marked_to_the_last(path: Path) -> None:
    match = wild_thrown(all_complete(new("roll", 2)), "highest")
    steps = lay(path, *match.log)
    last = steps[-1].before.public["turn"] if steps[-1].before else 0
    assert wild(steps) == ((last, 0),)
    assert max(roll.turn for roll in rolled(steps)) < last
    file = path.with_name("roll.svg")
    assert show(path, file) == 0
    assert {"W", "W: the Wild die"} <= words(file)
    marks = ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")
    assert [mark.get("fill") for mark in marks if mark.text == "W"] == [COLOURS[0]]


def test_a_dot_a_throw_shows_what_was_rolled_at_the_free_table(path: Path) -> None:
    lay(path, FREE, {"do": "roll", "dice": [1, 2]}, ACCEPT, {"do": "roll", "dice": [6]}, ACCEPT, *[
        {"do": "roll", "dice": [2, 2]}, ACCEPT,
    ])  # fmt: skip
    file = path.with_name("free.svg")
    assert show(path, file) == 0
    assert [of_kind(file, "circle", colour) for colour in COLOURS[:3]] == [1 + 2, 1 + 1, 0]  # one each beside the name
    assert {"Game 1: Free table", "B<o·", "Turn", "Total of the dice"} <= words(file)


def test_faces_that_never_came_have_no_bar(path: Path) -> None:
    lay(path, FREE, {"do": "roll", "dice": [4]}, ACCEPT)
    file = path.with_name("faces.png")
    assert main(["games", "stats", "--plot", str(file), "--journal", str(path)]) == 0
    with Image.open(file) as image:
        blue = image.crop((0, 0, image.width // 2, image.height)).getcolors(100_000) or []
    assert (0x3B, 0x78, 0xC3) not in {colour for _count, colour in blue}  # 4 is in the right half


def test_names_beyond_ascii_are_written_with_their_letters() -> None:
    """Pillow's own font draws one and the same box for each of them."""
    pictures = [as_image((Box(0, 0, WIDTH, HEIGHT, PAPER), Word(99, 99, name, 12, "start"))) for name in "ÅÖÅ"]
    assert pictures[0] != pictures[1]
    assert pictures[0] == pictures[2]


def test_names_end_within_the_picture_however_wide_their_letters_are(path: Path) -> None:
    """Sixteen of the widest letters are longer than there is room for; narrow ones are not cut for their number."""
    narrow, wide, beyond = "Lilli Illi-Ilves II", "W" * 16, "Ő" * 16  # the last are drawn in the screen's own letters
    steps = lay(path, {**CAT, "players": [narrow, wide, beyond]})
    shapes = tuple(drawn(steps, "Game 1"))
    names = [shape for shape in shapes if isinstance(shape, Word) and shape.x > WIDTH - 120 and shape.anchor == "start"]
    assert [name.text == whole for name, whole in zip(names, (narrow, wide, beyond), strict=True)] == [
        True,
        False,
        False,
    ]
    assert {name.text.strip(letter) for name, letter in zip(names[1:], "WŐ", strict=True)} == {"…"}
    edge = as_image(shapes).crop((2 * WIDTH - 4, 0, 2 * WIDTH, 2 * HEIGHT))
    assert edge.getcolors() == [(4 * 2 * HEIGHT, (0xFF, 0xFF, 0xFF))]


@pytest.mark.parametrize(
    ("start", "told"), [(CAT, "no round is scored yet"), (ROLL, "nothing was thrown"), (FREE, "nothing was thrown")]
)
def test_a_game_hardly_begun_says_so(path: Path, start: dict[str, Any], told: str) -> None:
    lay(path, start)
    file = path.with_name("begun.svg")
    assert show(path, file) == 0
    assert told in words(file)


def test_a_plot_of_another_kind_or_in_no_folder_is_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(path, FREE)
    for name in ("game.gif", "game", "game.svg/"):
        with pytest.raises(SystemExit, match="2"):
            show(path, name)
        assert f"argument --plot: '{name}': a plot is a .svg or .png file\n" in capsys.readouterr().err
    assert show(path, "/no/such/folder/game.png") == 1
    assert capsys.readouterr().err == (
        "/no/such/folder/game.png: the plot cannot be written there: No such file or directory\n"
    )
