"""`companion games show --plot`: how a game went, drawn."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from companion.cli import main
from companion.history.course import COLOURS, Rolled, drawn, rolled, totals, wild
from companion.history.drawing import (
    GRID,
    HEIGHT,
    INK,
    PALE,
    PAPER,
    WIDTH,
    Box,
    Dot,
    Letters,
    Shape,
    Stroke,
    Word,
    as_image,
)
from companion.history.plot import BAND, BAR, LINE
from companion.history.retelling import Step, kept, retell
from companion.history.rolls import throws
from companion.journal import Journal
from tests.rules.at_the_table import after, all_complete, do, land, new
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


def shapes(file: Path, kind: str) -> list[ElementTree.Element]:
    return list(ElementTree.parse(file).iter(f"{{http://www.w3.org/2000/svg}}{kind}"))


def words(file: Path) -> set[str | None]:
    return {word.text for word in shapes(file, "text")}


def numbers(file: Path, along: str, anchor: str) -> dict[str | None, str]:
    """The numbers of an axis, by where along it they stand."""
    told = [word for word in shapes(file, "text") if word.get("text-anchor") == anchor and str(word.text).isdigit()]
    return {word.get(along): str(word.text) for word in told}


def dots(file: Path) -> list[tuple[str | None, ...]]:
    """What the axes say of each dot, across and up, with its colours within and around."""
    across, up = numbers(file, "x", "middle"), numbers(file, "y", "end")
    places = [(dot.get("cx"), dot.get("cy"), dot.get("fill"), dot.get("stroke")) for dot in shapes(file, "circle")]
    return [(across[x], up[y], *colours) for x, y, *colours in places if x in across]


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


def test_R12_a_wild_die_thrown_again_is_told_as_again_and_marks_its_turn_once(path: Path) -> None:
    match = after(land(new("roll", 2), "wild"), do("wild", face="highest"), do("reroll", face="swap"))
    steps = lay(path, *match.log)
    assert [(throw.wild, throw.again) for throw in throws(steps)[1:]] == [("highest", False), ("swap", True)]
    assert wild(steps) == ((1, 0),)


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
        assert image.getpixel((0, 0)) == image.getpixel((image.width - 1, image.height - 1)) == (0xFF, 0xFF, 0xFF)
        blue = image.crop((0, 0, image.width // 2, image.height)).getcolors(100_000) or []
    assert (0x3B, 0x78, 0xC3) not in {colour for _count, colour in blue}  # 4 is in the right half


def test_names_beyond_ascii_are_written_with_their_letters() -> None:
    """Pillow's own font draws one and the same box for each of them."""
    pictures = [as_image((Box(0, 0, WIDTH, HEIGHT, PAPER), Word(99, 99, name, 12, "start"))) for name in "ÅÖÅ"]
    assert pictures[0] != pictures[1]
    assert pictures[0] == pictures[2]


def inked(*drawn: Shape) -> tuple[int, ...]:
    """The pixels of a PNG, two a unit, that are not paper: left, top, right and bottom."""
    image, paper = (as_image((Box(0, 0, WIDTH, HEIGHT, PAPER), *each)) for each in (drawn, ()))
    return ImageChops.difference(image, paper).getbbox() or ()


def test_shapes_fill_as_much_of_a_png_as_they_are_large() -> None:
    assert inked(Box(10, 20, 40, 25, INK)) == (20, 40, 80, 50)
    assert inked(Dot(30, 40, INK, 5)) == (50, 70, 71, 91)
    left, top, right, bottom = inked(Stroke(10, 20, 40, 20, INK, 3))
    assert (left, right, bottom - top) == (20, 81, 6)
    assert abs(top + bottom - 2 * 40) <= 2


def test_only_the_rim_of_a_hollow_dot_is_drawn() -> None:
    solid, hollow = (as_image((Dot(50, 50, INK, 5, hollow=hollow),)) for hollow in (False, True))
    assert solid.getpixel((100, 100)) == solid.getpixel((91, 100)) == hollow.getpixel((91, 100)) == (0x22, 0x22, 0x22)
    assert hollow.getpixel((100, 100)) == (0xFF, 0xFF, 0xFF)


@pytest.mark.parametrize("text", ["Hihi", "ÖÅÖ"])  # in smooth letters, and in the screen's
def test_a_word_begins_ends_or_has_its_middle_where_it_is_anchored(text: str) -> None:
    start, middle, end = (inked(Word(100, 50, text, 12, anchor)) for anchor in ("start", "middle", "end"))
    assert 200 <= start[0] <= 203
    assert 197 <= end[2] <= 200
    assert abs((middle[0] + middle[2]) / 2 - 200) <= 2
    assert abs((middle[1] + middle[3]) / 2 - 100) <= 5
    assert start[3] - start[1] == middle[3] - middle[1] > 12
    assert Letters(12).width(text) == pytest.approx((start[2] - start[0]) / 2, abs=2)


def test_words_are_smooth_where_they_can_be_and_else_as_tall() -> None:
    def colours(text: str) -> int:
        return len(as_image((Word(99, 99, text, 12),)).getcolors(100_000) or [])

    assert colours("S") > 2 == colours("Ð")
    (_, top, _, bottom), (_, others_top, _, others_bottom) = (inked(Word(99, 99, text, 12)) for text in "EÐ")
    assert abs((bottom - top) - (others_bottom - others_top)) <= 2


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


def test_a_dot_lies_where_the_axes_say_what_was_rolled_and_is_hollow_where_it_was_given_up(path: Path) -> None:
    rolls = ({"do": "roll", "dice": [1, 2]}, {"do": "reroll", "which": [0], "dice": [4]}, ACCEPT)
    lay(path, FREE, *rolls, {"do": "roll", "dice": [5]}, ACCEPT)
    file = path.with_name("free.svg")
    assert show(path, file) == 0
    ana, bo = COLOURS[:2]
    assert dots(file) == [("1", "3", PAPER, ana), ("1", "6", ana, ana), ("2", "5", bo, bo)]
    assert "hollow: rolled again" in words(file)
    assert list(numbers(file, "x", "middle").values()) == ["0", "1", "2"]
    assert list(numbers(file, "y", "end").values()) == ["0", "1", "2", "3", "4", "5", "6"]


def test_where_nothing_was_given_up_and_no_wild_die_thrown_neither_is_told(path: Path) -> None:
    lay(path, ROLL, {"do": "roll", "dice": [6, 6]}, ACCEPT)
    file = path.with_name("roll.svg")
    assert show(path, file) == 0
    assert not {"hollow: rolled again", "W: the Wild die"} & words(file)
    assert dots(file) == [("1", "12", COLOURS[0], COLOURS[0])]


def test_C10_lines_run_from_total_to_total_and_the_limit_lies_where_the_axis_says(path: Path) -> None:
    lay(path, CAT, *KNOCK, *scores(5, 10, 0), {"do": "deal"}, *KNOCK, *scores(10, 5, 5))
    file = path.with_name("cat.svg")
    assert show(path, file) == 0
    ana, bo = COLOURS[:2]
    assert dots(file)[:4] == [("1", "5", ana, ana), ("2", "15", ana, ana), ("1", "10", bo, bo), ("2", "15", bo, bo)]
    across, up = numbers(file, "x", "middle"), numbers(file, "y", "end")
    lines = [line.attrib for line in shapes(file, "line")]
    assert [
        (across[line["x1"]], up[line["y1"]], across[line["x2"]], up[line["y2"]])
        for line in lines
        if line["stroke"] == ana
    ] == [("0", "0", "1", "5"), ("1", "5", "2", "15")]
    dashes = [line for line in lines if line["stroke"] == PALE]
    assert {(up[line["y1"]], up[line["y2"]]) for line in dashes} == {("20", "20")}
    (limit,) = (word for word in shapes(file, "text") if word.text == "out at 20")
    assert 0 < float(dashes[0]["y1"]) - float(str(limit.get("y"))) < 12  # just above the line


@pytest.mark.parametrize(
    ("start", "lines", "up"),
    [
        ({**CAT, "end": {"rounds": 2}}, (*KNOCK, *scores(30, 2, 36)), "Total"),
        (CAT, (*KNOCK, *scores(9, 36, 3)), "Total"),
        (ROLL, ({"do": "roll", "dice": [6, 6]}, ACCEPT), "Total of the dice"),
        (FREE, ({"do": "roll", "dice": [6, 6, 6]}, ACCEPT, {"do": "roll", "dice": [1]}), "Total of the dice"),
    ],
)
def test_all_that_is_drawn_of_a_game_lies_above_and_right_of_the_axes_and_below_the_title(
    path: Path, start: dict[str, Any], lines: tuple[dict[str, Any], ...], up: str
) -> None:
    lay(path, start, *lines)
    file = path.with_name("game.svg")
    assert show(path, file) == 0
    (across,) = (line.attrib for line in shapes(file, "line") if line.get("stroke") == INK)
    axis = {name: float(across[name]) for name in ("x1", "x2", "y1")}
    title, label = (next(word for word in shapes(file, "text") if str(word.text).startswith(t)) for t in ("Game", up))
    assert float(title.attrib["x"]) == WIDTH / 2
    assert 0 < float(title.attrib["y"]) < float(label.attrib["y"]) < axis["y1"] < HEIGHT
    assert all(axis["x1"] <= float(str(x)) <= axis["x2"] < WIDTH for x in numbers(file, "x", "middle"))
    assert all(axis["y1"] < float(str(y)) < HEIGHT for y in numbers(file, "y", "middle"))
    assert all(0 < float(str(x)) < axis["x1"] for x in numbers(file, "x", "end"))
    ups = [*numbers(file, "y", "end"), *(dot.get("cy") for dot in shapes(file, "circle"))]
    assert all(float(label.attrib["y"]) < float(str(y)) <= axis["y1"] for y in ups)
    grid = [line.attrib for line in shapes(file, "line") if line.get("stroke") == GRID]
    assert [(line["x1"], line["y1"], line["x2"], line["y2"]) for line in grid] == [
        (across["x1"], y, across["x2"], y) for y in numbers(file, "y", "end")
    ]


@pytest.mark.parametrize("start", [ROLL, CAT, FREE])
def test_every_name_stands_beside_a_dot_in_its_colour_right_of_the_plot(path: Path, start: dict[str, Any]) -> None:
    lay(path, start)
    file = path.with_name("game.svg")
    assert show(path, file) == 0
    names = [word.attrib for word in shapes(file, "text") if word.get("text-anchor") == "start"][
        : len(start["players"])
    ]
    marks = [dot.attrib for dot in shapes(file, "circle")]
    assert [mark["fill"] for mark in marks] == list(COLOURS[: len(names)])
    assert [mark["cy"] for mark in marks] == [name["y"] for name in names]
    assert all(0 < float(lower["cy"]) - float(upper["cy"]) < 30 for upper, lower in pairwise(marks))
    right = max(float(line.attrib["x2"]) for line in shapes(file, "line"))
    assert all(right < float(mark["cx"]) < float(name["x"]) for mark, name in zip(marks, names, strict=True))


def faces(path: Path, *dice: int) -> Path:
    """The plot of what was thrown, one die at a time."""
    lay(path, FREE, *(line for die in dice for line in ({"do": "roll", "dice": [die]}, ACCEPT)))
    file = path.with_name("faces.svg")
    assert main(["games", "stats", "--plot", str(file), "--journal", str(path)]) == 0
    return file


def boxes(file: Path, colour: str) -> list[tuple[float, ...]]:
    """Left, top, right and bottom of all boxes of a colour."""
    found = [
        [float(box.attrib[name]) for name in ("x", "y", "width", "height")]
        for box in shapes(file, "rect")
        if box.get("fill") == colour
    ]
    return [(x, y, x + width, y + height) for x, y, width, height in found]


def test_a_bar_is_as_high_as_its_face_came_often_and_stands_above_it(path: Path) -> None:
    file = faces(path, *[1] * 12, *[2] * 6, *[4] * 6, *[5] * 5, *[6])
    bars = boxes(file, BAR)
    highs = [bottom - top for _left, top, _right, bottom in bars]
    assert [round(6 * high / highs[1]) for high in highs] == [12, 6, 0, 6, 5, 1]
    told = [word.attrib | {"text": word.text} for word in shapes(file, "text")]
    (axis,) = (float(word["y"]) for word in told if (word["text"], word["text-anchor"]) == ("0", "end"))
    assert {bottom for *_, bottom in bars} == {axis}
    middles = [(left + right) / 2 for left, _top, right, _bottom in bars]
    under = [word for word in told if float(word["y"]) == axis + 16]
    assert [word["text"] for word in under] == list("123456")
    assert [float(word["x"]) for word in under] == pytest.approx(middles)
    counts = [word for word in told if word["x"] in {face["x"] for face in under} and word not in under]
    assert [word["text"] for word in counts] == ["12", "6", "0", "6", "5", "1"]
    within = [float(word["y"]) > top for word, (_left, top, *_) in zip(counts, bars, strict=True)]
    assert within == [word["fill"] == PAPER for word in counts] == [True, True, False, True, True, False]


def test_a_line_tells_what_fair_dice_give_and_a_band_how_far_chance_goes(path: Path) -> None:
    file = faces(path, *[1] * 15, *[2] * 5, *[3, 4, 5, 6] * 10)
    bars, (band,), (line,) = boxes(file, BAR), boxes(file, BAND), boxes(file, LINE)
    told = {word.text: word.attrib for word in shapes(file, "text")}
    named = ("Number dice", "60 throws · chi-square 5.00 · p = 0.416")
    legend = "line: fair dice · shaded: where 95 of 100 bars of fair dice end"
    assert [float(told[text]["x"]) for text in (*named, legend)] == [WIDTH / 2] * 3
    heights = [float(told[text]["y"]) for text in (*named, legend)]
    assert 0 < heights[0] < heights[1] < bars[0][1] < bars[0][3] < heights[2] < HEIGHT
    fair = (line[1] + line[3]) / 2
    assert (float(told["10.0"]["y"]), told["10.0"]["text-anchor"]) == (pytest.approx(fair, abs=0.1), "end")
    assert 0 < float(told["10.0"]["x"]) < line[0]
    assert fair == pytest.approx(bars[2][1], abs=0.1)  # of a face that came ten times
    a_throw = (bars[2][3] - bars[2][1]) / 10
    deviation = (60 * 1 / 6 * 5 / 6) ** 0.5
    assert [(fair - band[1]) / a_throw, (band[3] - fair) / a_throw] == pytest.approx([2 * deviation] * 2, abs=0.02)
    assert (band[0], band[2]) == (line[0], line[2])
    assert band[0] < bars[0][0] < bars[-1][2] < band[2]


def test_of_too_few_throws_no_band_reaches_below_nothing_and_that_is_told(path: Path) -> None:
    file = faces(path, 1, 2)
    (band,) = boxes(file, BAND)
    assert band[3] == boxes(file, BAR)[0][3]
    assert "2 throws · chi-square 4.00 · p = 0.549 · too few throws to judge" in words(file)
