"""The bench counts as the scorer does."""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import bench, main
from companion.events import Die, Reading, Why
from companion.vision import labels
from companion.vision.bench import speed
from companion.vision.bench.accuracy import calibration, confusion, judge, total, unopened
from companion.vision.bench.plot import BLUE, MARGIN_PX, SIDE_PX, plot
from companion.vision.eyes import Sight, alone
from companion.vision.labels import BadLabels, Label, Wanted, labels_in
from companion.vision.networks import FaceNet, FinderNet, packed
from tests.vision.drawn_photos import add_collection, add_large


def label(tmp_path, *dice: Wanted) -> Label:
    return Label("set/a.png", tmp_path / "a.png", dice)


def die(value, x=0.0, confidence=0.9):
    return Die(value, (x, 0.0, 30.0, 30.0), confidence)


def test_a_roll_is_exact_as_a_multiset(tmp_path):
    wanted = label(tmp_path, Wanted(3, (0, 0, 30, 30)), Wanted(1, (100, 0, 30, 30)))
    row = judge(wanted, Reading((die(1), die(3, 100)), sure=True), 1.0)
    assert (row.exact, row.counted, row.pairs) == (True, True, (("3", "1"), ("1", "3")))
    assert not judge(wanted, Reading((die(3), die(3, 100)), sure=True), 1.0).exact


def test_a_die_seen_and_not_read_is_not_exact(tmp_path):
    assert not judge(label(tmp_path, Wanted(3, None)), Reading((die(3), die(None, 99)), sure=False), 1.0).exact


def test_each_die_is_held_against_the_nearest_label_it_lies_on_and_no_other(tmp_path):
    wanted = label(tmp_path, Wanted(3, (0, 0, 30, 30)), Wanted(4, (14, 0, 30, 30)))
    one = judge(wanted, Reading((die(3, 2),), sure=True), 1.0)
    assert one.pairs == (("3", "3"), ("4", "missed"))
    two = judge(label(tmp_path, Wanted(3, (0, 0, 30, 30))), Reading((die(2, 10), die(3, 2)), sure=True), 1.0)
    assert two.pairs == (("3", "3"), ("none", "2"))


def test_a_die_that_is_not_read_is_told_as_such_and_has_no_confidence(tmp_path):
    wanted = label(tmp_path, Wanted(3, (0, 0, 30, 30)), Wanted(4, (100, 0, 30, 30)))
    row = judge(wanted, Reading((die(None), die(4, 100)), sure=False), 1.0)
    assert (row.pairs, row.marks) == ((("3", "?"), ("4", "4")), ((0.9, True),))


@pytest.mark.parametrize(("seen", "labelled"), [((1, 1, 8, 8), (0, 0, 30, 30)), ((0, 0, 30, 30), (1, 1, 8, 8))])
def test_a_box_drawn_much_smaller_than_the_other_is_of_the_same_die(tmp_path, seen, labelled):
    row = judge(label(tmp_path, Wanted(3, labelled)), Reading((Die(3, seen, 0.9),), sure=True), 1.0)
    assert row.pairs == (("3", "3"),)


@pytest.mark.parametrize("places", [(None, None), ((0, 0, 30, 30), None)])
def test_where_a_label_tells_not_all_places_no_die_is_held_against_another(tmp_path, places):
    wanted = label(tmp_path, *(Wanted(value, place) for value, place in zip((3, 4), places, strict=True)))
    row = judge(wanted, Reading((die(3), die(4, 100)), sure=True), 1.0)
    assert (row.exact, row.pairs, row.marks) == (True, (), ())


def test_an_ignored_die_is_neither_wanted_nor_held_against(tmp_path):
    wanted = label(tmp_path, Wanted(4, (0, 0, 30, 30)), Wanted(6, (100, 0, 30, 30), ignore=True))
    assert judge(wanted, Reading((die(4),), sure=True), 1.0).exact
    assert judge(wanted, Reading((die(4), die(2, 101)), sure=True), 1.0).exact
    assert not judge(wanted, Reading((die(4), die(2, 50)), sure=True), 1.0).exact


def test_an_ignored_die_forgives_one_die_and_no_second(tmp_path):
    wanted = label(tmp_path, Wanted(4, (0, 0, 30, 30)), Wanted(6, (100, 0, 30, 30), ignore=True))
    row = judge(wanted, Reading((die(4), die(2, 101), die(2, 103)), sure=True), 1.0)
    assert (row.exact, row.counted, row.pairs) == (False, False, (("4", "4"), ("none", "2")))


def test_a_die_on_an_ignored_and_on_a_wanted_one_is_kept(tmp_path):
    wanted = label(tmp_path, Wanted(5, (0, 0, 30, 30)), Wanted(6, (20, 0, 30, 30), ignore=True))
    row = judge(wanted, Reading((die(5, 8),), sure=True), 1.0)
    assert (row.exact, row.counted, row.pairs) == (True, True, (("5", "5"),))


def test_it_is_kept_though_other_dice_are_wanted_elsewhere_or_anywhere(tmp_path):
    on_both, ignored = Wanted(5, (0, 0, 30, 30)), Wanted(6, (20, 0, 30, 30), ignore=True)
    for other in (Wanted(2, (200, 0, 30, 30)), Wanted(2, None)):
        assert judge(label(tmp_path, other, on_both, ignored), Reading((die(5, 8), die(2, 200)), sure=True), 1.0).exact


def test_an_ignored_die_of_unknown_place_forgives_one_die_anywhere(tmp_path):
    wanted = label(tmp_path, Wanted(4, (0, 0, 30, 30)), Wanted(6, None, ignore=True))
    one, two = (
        judge(wanted, Reading(dice, sure=True), 1.0) for dice in ((die(4), die(2, 50)), (die(4), die(2), die(2)))
    )
    assert (one.exact, one.counted) == (True, True)
    assert (two.exact, two.counted) == (False, False)
    assert not judge(wanted, Reading((die(2),), sure=True), 1.0).exact  # forgiving does not fill in a missing die


def test_an_ignored_die_of_unknown_place_need_not_be_seen(tmp_path):
    row = judge(label(tmp_path, Wanted(4, None), Wanted(6, None, ignore=True)), Reading((die(4),), sure=True), 1.0)
    assert (row.exact, row.counted) == (True, True)


@pytest.mark.parametrize(("more", "exact"), [((), True), ((die(2, 200),), True), ((die(2, 200), die(2, 300)), False)])
def test_of_two_ignored_dice_the_one_of_unknown_place_forgives_one_die_elsewhere(tmp_path, more, exact):
    ignored = Wanted(6, (100, 0, 30, 30), ignore=True), Wanted(6, None, ignore=True)
    wanted = label(tmp_path, Wanted(4, (0, 0, 30, 30)), *ignored)
    row = judge(wanted, Reading((die(4), die(2, 101), *more), sure=True), 1.0)
    assert (row.exact, row.counted) == (exact, exact)


def test_sums_and_calibration(tmp_path):
    wanted = label(tmp_path, Wanted(3, (0, 0, 30, 30)))
    rows = [
        judge(wanted, Reading((die(3),), sure=True), 2.0),
        judge(wanted, Reading((die(4, confidence=0.2),), sure=True), 4.0),
    ]
    found = total(rows)
    assert (found.exact, found.wrong_and_sure, found.unsure, found.sure_of_exact) == (0.5, 0.5, 0.0, 1.0)
    assert confusion(rows) == {("3", "3"): 1, ("3", "4"): 1}
    assert list(calibration(rows)) == [(0.2, 0.0, 1), (0.9, 1.0, 1)]


def test_sums_tell_the_middle_time_the_wanted_dice_and_how_many_of_the_exact_were_sure(tmp_path):
    ignored = (Wanted(6, (x, 0, 30, 30), ignore=True) for x in (100, 200))
    wanted = label(tmp_path, Wanted(3, (0, 0, 30, 30)), *ignored)
    answers = [(3, True, 9.0), (3, False, 1.0), (3, False, 4.0), (3, False, 2.0), (4, True, 3.0)]
    found = total([judge(wanted, Reading((die(value),), sure), ms) for value, sure, ms in answers])
    assert (found.photos, found.dice, found.exact, found.sure_of_exact) == (5, 5, 0.8, 0.25)
    assert (found.ms_median, found.ms_most) == (3.0, 9.0)


def test_where_no_photo_is_exact_none_of_them_was_sure_and_of_no_photos_nothing_is_told(tmp_path):
    wrong = judge(label(tmp_path, Wanted(3, None)), Reading((die(4),), sure=True), 1.0)
    assert total([wrong]).sure_of_exact == 0.0
    with pytest.raises(ValueError, match="no photos"):
        total([])


def test_dice_of_nearly_the_same_confidence_are_counted_together_and_the_surest_apart(tmp_path):
    wanted = label(tmp_path, Wanted(3, (0, 0, 30, 30)))
    rows = [judge(wanted, Reading((die(3, confidence=c),), sure=True), 1.0) for c in (0.96, 0.97, 0.9985, 1.0, 1.0)]
    assert [(round(c, 4), right, dice) for c, right, dice in calibration(rows)] == [
        (0.965, 1.0, 2),
        (0.9985, 1.0, 1),
        (1.0, 1.0, 2),
    ]


def test_points_of_the_surest_dice_lie_apart_in_the_plot():
    counts = [(0.98, 0.97, 100), (0.9985, 0.995, 300)]
    blank, drawn = (plot(Counter(), some).astype(int) for some in ([], counts))
    columns = np.flatnonzero(np.abs(drawn - blank).max(axis=2).any(axis=0))
    assert np.ptp(columns) > 100


def test_a_photo_that_could_not_be_opened_is_unsure_and_took_no_time(tmp_path):
    wanted = label(tmp_path, Wanted(3, (0, 0, 30, 30)))
    found = total([judge(wanted, Reading((die(3),), sure=True), 2.0), unopened(wanted)])
    assert (found.photos, found.exact, found.wrong_and_sure, found.unsure, found.counted) == (2, 0.5, 0.0, 0.5, 0.5)
    assert (found.ms_median, found.ms_most) == (2.0, 2.0)
    assert total([unopened(wanted)]).ms_median is None


def test_a_photo_that_could_not_be_opened_is_not_exact_though_nothing_lies_on_it(tmp_path):
    row = unopened(label(tmp_path))
    assert (row.exact, row.sure, row.counted, row.ms) == (False, False, False, None)


def test_of_a_photo_that_could_not_be_opened_nothing_is_told_by_place(tmp_path):
    row = unopened(label(tmp_path, Wanted(3, (0, 0, 30, 30))))
    assert (row.pairs, row.marks) == ((), ())


def test_mistakes_are_drawn_by_number_and_signs_after_all_numbers():
    mixed = Counter({("2", "10"): 1, ("star", "2"): 1, ("10", "10"): 1, ("2", "2"): 0})
    drawn = plot(mixed, [])
    cell = (SIDE_PX - 2 * MARGIN_PX) // 4  # 2, 10, star and none down
    shade = [[tuple(drawn[MARGIN_PX + r * cell + 3, MARGIN_PX + c * cell + 3]) for c in range(2)] for r in range(3)]
    full, empty = BLUE, (255, 255, 255)
    assert shade == [[empty, full], [empty, full], [full, empty]]


def test_signs_of_long_names_are_told_apart_and_stay_beside_their_cells():
    one, other = (plot(Counter({(name, "5"): 1}), [])[:, :MARGIN_PX] for name in ("numeral 12", "numeral 13"))
    assert not np.array_equal(one, other)
    assert (one[:, MARGIN_PX - 4 :] == 255).all()


@pytest.mark.parametrize("dice", [8, 88, 888, 8888])
def test_numbers_of_dice_stay_in_their_cells(dice):
    faces = [str(face) for face in range(1, 21)]
    drawn = plot(Counter({(one, other): dice for one in faces for other in faces}), [])
    cell = (SIDE_PX - 2 * MARGIN_PX) // 21
    between = [MARGIN_PX + cell * number - 1 for number in range(1, 21)]
    assert np.all(drawn[MARGIN_PX : MARGIN_PX + 20 * cell, between] == 255)


@pytest.mark.parametrize("coding", ["utf-16", "latin-1"])
def test_labels_that_are_no_utf_8_are_told_so(tmp_path, coding):
    file = tmp_path / "labels.jsonl"
    file.write_text('{"image": "Würfel.jpg", "dice": []}', encoding=coding)
    with pytest.raises(BadLabels, match=f"^{file} is no text in UTF-8; save it as such$"):
        labels_in(tmp_path)


def test_photos_beside_their_labels_are_a_set_called_as_their_folder(tmp_path, capsys):
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        cv2.imwrite(str(tmp_path / folder / "a.png"), np.full((60, 80, 3), 120, np.uint8))
        (tmp_path / folder / "labels.jsonl").write_text('{"image": "a.png", "dice": []}\n')
    assert main(["bench", str(tmp_path / "one"), str(tmp_path / "other"), "--no-speed", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["sets"]) == ["one", "other"]


def test_boxes_that_are_no_places_of_dice_that_were_read_are_told(tmp_path, capsys):
    file = tmp_path / "labels.jsonl"
    add_large(tmp_path, "right", (2, 4), width=640)
    right = json.loads(file.read_text())
    add_large(tmp_path, "shares", (3, 5), width=640)
    shares = json.loads(file.read_text())
    for die in shares["dice"]:
        die["box"] = [side / 640 for side in die["box"]]
    file.write_text(f"{json.dumps(right)}\n{json.dumps(shares)}\n")
    assert main(["bench", str(tmp_path), "--no-speed"]) == 0
    assert capsys.readouterr().err.endswith(
        "read exactly, but no die in a box of the label, which is x, y, width and height in pixels, turned upright: "
        f"{shares['image']}\n"
    )


def test_no_photo_is_timed_before_the_networks_are_there(torn, monkeypatch):
    there = []

    def seen(*_given, **_named):
        there.append(packed.cache_info().currsize)
        return Sight(Reading((), sure=True))

    packed.cache_clear()
    monkeypatch.setattr(bench, "alone", seen)
    assert main(["bench", str(torn), "--no-speed"]) == 1
    assert there == [2]


def test_a_pair_that_one_taught_is_measured_instead_of_the_packages(tmp_path, capsys, monkeypatch):
    add_large(tmp_path, "set", (2, 5), width=640)
    asked = []
    monkeypatch.setattr(bench, "alone", lambda picture, **named: (asked.append(named["networks"]), alone(picture))[1])
    pair = files("companion.vision") / "weights" / "again"
    assert main(["bench", str(tmp_path), "--networks", str(pair)]) == 0
    printed = capsys.readouterr().out
    assert ("100.0" in printed, "adaptive threshold" in printed) == (True, False), "speed is the package's"
    (networks,) = asked
    assert [type(part) for part in networks] == [FinderNet, FaceNet, FaceNet]


def test_what_is_no_pair_of_networks_is_told(torn, capsys):
    (torn / "finder.onnx").write_bytes(b"none")
    (torn / "faces.onnx").write_bytes(b"none")
    assert main(["bench", str(torn), "--networks", str(torn / "none")]) == 2
    finder = torn / "none" / "finder.onnx"
    told = f"companion bench: there is no pair of networks in {torn / 'none'}: {finder}: No such file or directory\n"
    assert capsys.readouterr() == ("", told)
    assert main(["bench", str(torn), "--networks", str(torn)]) == 2
    assert capsys.readouterr().err.startswith(f"companion bench: {torn}: no network can be read from it: ")


def test_broken_labels_name_file_and_line(tmp_path):
    (tmp_path / "labels.jsonl").write_text('{"image": "a.png", "dice": []}\n{"image": 3}\n')
    with pytest.raises(BadLabels, match=r"labels\.jsonl:2"):
        labels_in(tmp_path)


def test_the_command_reports_by_set_and_draws_its_plot(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "a.png"), np.full((60, 80, 3), 120, np.uint8))
    (tmp_path / "labels.jsonl").write_text('{"image": "a.png", "dice": []}\n')
    plot, answers = tmp_path / "plot.png", tmp_path / "answers.jsonl"
    words = ["bench", str(tmp_path), "--no-speed", "--json", "--plot", str(plot), "--predictions", str(answers)]
    assert main(words) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert printed.err.endswith(f"the answers are in {answers}\nthe plot is in {plot}\n")
    assert (told["overall"]["photos"], told["overall"]["exact"]) == (1, 1.0)
    assert json.loads(answers.read_text())["dice"] == []
    assert cv2.imread(str(plot)).shape[0] > 0


def test_a_photo_that_is_shrunk_on_opening_is_judged_and_told_by_its_own_pixels(tmp_path, capsys):
    add_large(tmp_path, "set", (2, 5), width=4000)
    answers = tmp_path / "answers.jsonl"
    assert main(["bench", str(tmp_path), "--no-speed", "--json", "--predictions", str(answers)]) == 0
    assert json.loads(capsys.readouterr().out)["confusion"] == {"2>2": 1, "5>5": 1}
    told = {die["value"]: die["box"] for die in json.loads(answers.read_text())["dice"]}
    for die in json.loads((tmp_path / "labels.jsonl").read_text())["dice"]:
        assert told[die["value"]] == pytest.approx(die["box"], abs=0.35 * die["box"][2])


def test_photos_are_looked_for_beside_the_labels_and_below_the_folder_above(tmp_path):
    for name in ("set/a.png", "set/set/b.png", "set/b.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    names = ("a.png", "set/a.png", "set/b.png", "set/none.png")
    lines = "".join(json.dumps({"image": name, "dice": []}) + "\n" for name in names)
    (tmp_path / "set" / "labels.jsonl").write_text(lines)
    found = [label.path for label in labels_in(tmp_path / "set")]
    inside = tmp_path / "set"
    assert found == [
        inside / "a.png",
        inside / ".." / "set" / "a.png",
        inside / "set" / "b.png",
        inside / "set" / "none.png",
    ]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('{"image": "a", "dice": [{"value": 1, "box": [1' + "0" * 400 + ", 1, 1, 1]}]}", id="a number"),
        pytest.param("[" * 100_000, id="a list in a list"),
        pytest.param('{"image": null, "dice": []}', id="no image"),
        pytest.param('{"image": "", "dice": []}', id="no name"),
        pytest.param('{"image": "a\\u0000b", "dice": []}', id="no name that a file can have"),
        pytest.param('{"image": "a", "dice": ""}', id="a word for dice"),
        pytest.param('{"image": "a", "dice": {}}', id="a mapping for dice"),
    ],
)
def test_labels_beyond_all_measure_or_of_another_kind_name_file_and_line(tmp_path, line):
    (tmp_path / "labels.jsonl").write_text(line)
    with pytest.raises(BadLabels, match=r"labels\.jsonl:1: expected"):
        labels_in(tmp_path)


VALUE, BOX = "a value is {}; it is a number of pips, 1 or", "a box is {}; a box is x, y, width and height"


@pytest.mark.parametrize(
    ("die", "told", "side"),
    [
        *(('{{"value": {}}}', VALUE, value) for value in ("true", "0", '" "', "null", "5.0", "[1]")),
        *(
            ('{{"value": 1, "box": {}}}', BOX, box)
            for box in ("[true, 1, 1, 1]", "[NaN, 1, 1, 1]", "[1, 2, 3]", '"1234"', '["1", 2, 3, 4]', '{"x": 1}')
        ),
    ],
)
def test_a_value_or_box_that_is_none_names_file_and_line(tmp_path, die, told, side):
    (tmp_path / "labels.jsonl").write_text(f'{{"image": "a", "dice": [{die.format(side)}]}}')
    with pytest.raises(BadLabels, match=r"labels\.jsonl:1: " + re.escape(told.format(side))):
        labels_in(tmp_path)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"image": "a", "dice": []},', "it is no JSON from column 27 on: Extra data"),
        ("# mine", "it is no JSON from column 1 on: Expecting value"),
        ('{"image": "a", "dice": [{"value": np.int64(5)}]}', "it is no JSON from column 35 on: Expecting value"),
        ('{"image": "a"}', '"dice" is missing'),
        ('{"image": "a", "dice": [{"box": [1, 2, 3, 4]}]}', '"value" is missing'),
    ],
)
def test_what_is_wrong_in_a_line_is_told(tmp_path, line, told):
    (tmp_path / "labels.jsonl").write_text(line)
    with pytest.raises(BadLabels, match=rf"labels\.jsonl:1: expected {{.*}} in a line, but {told}$"):
        labels_in(tmp_path)


@pytest.mark.parametrize("sides", ["0, 5", "5, -5"])
def test_a_box_in_which_nothing_lies_names_file_and_line(tmp_path, sides):
    (tmp_path / "labels.jsonl").write_text(f'{{"image": "a", "dice": [{{"value": 1, "box": [1, 1, {sides}]}}]}}')
    with pytest.raises(BadLabels, match=r"labels\.jsonl:1: a box is (0 wide and 5|5 wide and -5) high; a box is x, y,"):
        labels_in(tmp_path)


@pytest.mark.parametrize("ignore", ['"false"', "1", "[]"])
def test_what_is_neither_ignored_nor_not_is_refused_with_what_it_can_be(tmp_path, ignore):
    (tmp_path / "labels.jsonl").write_text(f'{{"image": "a", "dice": [{{"value": 1, "ignore": {ignore}}}]}}')
    with pytest.raises(BadLabels, match=r'labels\.jsonl:1: "ignore" is true or false'):
        labels_in(tmp_path)


def test_a_number_written_as_a_word_is_refused_with_how_to_write_it(tmp_path):
    (tmp_path / "labels.jsonl").write_text('{"image": "a", "dice": [{"value": "6"}]}')
    with pytest.raises(BadLabels, match=r'labels\.jsonl:1: write 6 for so many pips, not "6"; .* called "numeral 6"'):
        labels_in(tmp_path)


def test_labels_as_other_programs_write_them(tmp_path):
    """With a mark of their encoding, ends of lines as Windows has them, and any sign in a name."""
    lines = ('{"image": "a\u2028b.png", "dice": []}', '{"image": "c.png", "dice": []}')
    (tmp_path / "labels.jsonl").write_bytes("\r\n".join(lines).encode("utf-8-sig"))
    assert [label.image for label in labels_in(tmp_path)] == ["a\u2028b.png", "c.png"]


def test_signs_and_faces_of_dice_with_more_than_six_are_labels(tmp_path):
    dice = [{"value": "star", "box": None}, {"value": 20}]
    (tmp_path / "labels.jsonl").write_text(json.dumps({"image": "a", "dice": dice}))
    assert labels_in(tmp_path)[0].dice == (Wanted("star", None), Wanted(20, None))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('"dice": [{"value": 101}]', "a die shows 101; no die shows more than 100"),
        ('"dice": [{"value": 5}, {"value": 4}], "total": 10', 'the dice show 9, and "total" says 10; put right'),
        ('"dice": [{"value": 5}, {"value": 4, "ignore": true}], "total": 4', 'the dice show 5, and "total" says 4;'),
        ('"dice": [], "total": "0"', 'the dice show 0, and "total" says "0";'),
    ],
)
def test_a_label_that_contradicts_itself_or_any_die_names_file_and_line(tmp_path, more, told):
    (tmp_path / "labels.jsonl").write_text(f'\n{{"image": "a", {more}}}')
    with pytest.raises(BadLabels, match=rf"labels\.jsonl:2: {told}"):
        labels_in(tmp_path)


@pytest.mark.parametrize(
    "more",
    [
        '"dice": [{"value": 5}, {"value": 4, "ignore": true}], "total": 5',
        '"dice": [{"value": 5}, {"value": 4, "ignore": true}], "total": 9',
        '"dice": [{"value": "plus"}, {"value": 4}], "total": 4',
        '"dice": [{"value": "plus"}], "total": null',
        '"dice": [], "total": 0',
    ],
)
def test_a_total_is_of_numbers_with_or_without_what_is_to_be_ignored(tmp_path, more):
    (tmp_path / "labels.jsonl").write_text(f'{{"image": "a", {more}}}')
    assert len(labels_in(tmp_path)) == 1


def test_labels_of_more_than_can_be_read_are_told_and_counted(torn, capsys):
    dice = [{"value": value} for value in (7, 20, 7, 6, "star")]
    line = json.dumps({"image": "a.png", "dice": [*dice, {"value": 9, "ignore": True}]})
    (torn / "labels.jsonl").write_text(line)
    assert main(["bench", str(torn), "--no-speed"]) == 0
    told = "labelled with what is never read, for only 1 to 6 are, and so counted as wrong"
    assert capsys.readouterr().err.startswith(f"{told}: a.png (7), a.png (20), a.png (star)\n")


def test_sets_of_long_names_are_told_apart(torn, capsys):
    sets = ("dining_room_table_lamp", "dining_room_table_sun")
    rows = [json.dumps({"image": f"{name}/a.png", "dice": []}) for name in sets]
    (torn / "labels.jsonl").write_text("\n".join(rows))
    assert main(["bench", str(torn), "--no-speed"]) == 1
    head, *lines = capsys.readouterr().out.splitlines()[:4]
    assert [line.split()[0] for line in lines] == [*sets, "all"]
    assert {line[: head.index("photos") + len("photos")].split()[-1] for line in lines} == {"1", "2"}


def test_a_name_beyond_all_columns_is_shown_without_its_middle_where_it_is_not_anothers():
    long, alike = "a" * 30 + "lamp" + "b" * 30, "a" * 30 + "sun" + "b" * 30
    middle = "a" * 19 + "…" + "b" * 20
    assert bench.shortened(["short", long]) == {"short": "short", long: middle}
    assert bench.shortened([long, alike]) == {long: long, alike: alike}


def test_a_box_is_four_numbers_with_or_without_a_point_and_a_photo_belongs_to_its_folder(tmp_path):
    rows = [
        {"image": "a.png", "dice": [{"value": 3, "box": [1, 2.5, 30, 30.0]}]},
        {"image": "b/c/d.png", "dice": [{"value": "numeral 2"}]},
    ]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    one, two = labels_in(tmp_path)
    assert (one.group, one.dice) == (tmp_path.name, (Wanted(3, (1.0, 2.5, 30.0, 30.0)),))
    assert (two.group, two.dice) == ("b/c", (Wanted("numeral 2", None),))


def test_labels_that_name_no_photo_are_told(tmp_path, capsys):
    (tmp_path / "labels.jsonl").write_text("\n")
    assert main(["bench", str(tmp_path), "--no-speed"]) == 2
    assert capsys.readouterr() == ("", f"companion bench: the labels of {tmp_path} name no photo; check the path\n")


def test_a_file_too_large_for_labels_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(labels, "MOST_BYTES", 2_000_000)
    large = tmp_path / "film"
    large.touch()
    os.truncate(large, 2_000_001)
    with pytest.raises(BadLabels, match="film has more than 2 MB and cannot be labels; check the path"):
        labels_in(large)


def test_a_device_is_no_labels():
    with pytest.raises(BadLabels, match="/dev/zero has more than 50 MB and cannot be labels; check the path"):
        labels_in(Path("/dev/zero"))


def test_a_named_pipe_is_no_labels_and_not_waited_for(tmp_path, capsys):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert main(["bench", str(pipe), "--no-speed"]) == 2
    told = f"companion bench: {pipe} cannot be read; give a folder with labels.jsonl, or such a file\n"
    assert capsys.readouterr().err == told


def test_a_photo_that_is_named_instead_of_its_labels_is_told(torn, capsys):
    assert main(["bench", str(torn / "a.png"), "--no-speed"]) == 2
    told = f"companion bench: {torn / 'a.png'} is a picture; give a folder with labels.jsonl, or such a file\n"
    assert capsys.readouterr().err == told


def test_a_path_too_long_for_labels_is_told():
    with pytest.raises(BadLabels, match="cannot be read"):
        labels_in(Path("x" * 300))


@pytest.fixture
def torn(tmp_path):
    """A folder with labels of an empty table's photo, and of one that is not there."""
    grain = np.random.default_rng(2).normal(120, 8, (480, 640, 3))
    cv2.imwrite(str(tmp_path / "a.png"), np.clip(grain, 0, 255).astype(np.uint8))
    (tmp_path / "labels.jsonl").write_text(
        '{"image": "a.png", "dice": []}\n{"image": "set/b.png", "dice": [{"value": 3}]}\n'
    )
    return tmp_path


def test_a_photo_that_cannot_be_opened_is_told_and_counted_as_unsure(torn, capsys):
    answers = torn / "answers.jsonl"
    assert main(["bench", str(torn), "--no-speed", "--json", "--predictions", str(answers)]) == 1
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert (found["overall"]["photos"], found["overall"]["exact"], found["overall"]["unsure"]) == (2, 0.5, 0.5)
    assert (found["sets"]["set"]["photos"], found["not_opened"]) == (1, ["set/b.png"])
    assert "set/b.png: no such file" in told.err
    assert [json.loads(line)["image"] for line in answers.read_text().splitlines()] == ["a.png"]


def test_where_no_photo_could_be_opened_nothing_is_told_by_place(torn, capsys):
    (torn / "a.png").unlink()
    assert main(["bench", str(torn), "--no-speed"]) == 1
    printed = capsys.readouterr().out
    assert ("not opened, and so unsure: a.png, set/b.png\n" in printed, "by place" in printed) == (True, False)


def test_what_could_not_be_opened_is_told_with_nothing_of_the_bar_behind_it(torn, capsys, monkeypatch):
    (torn / "labels.jsonl").write_text('{"image": "a.png", "dice": []}\n{"image": "b", "dice": []}\n')
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["bench", str(torn), "--no-speed"]) == 1
    half, wiped, told, whole = capsys.readouterr().err.split("\r")[1:]
    assert (wiped.isspace(), len(wiped) >= len(half)) == (True, True)
    assert (told, whole) == ("b: no such file; check the path\n", f"[{'#' * 30}] 2/2\n")


def test_the_table_names_what_could_not_be_opened(torn, capsys):
    assert main(["bench", str(torn), "--no-speed"]) == 1
    assert capsys.readouterr().out.count("not opened, and so unsure: set/b.png\n") == 1


def test_the_tables_head_says_what_is_percent_above_its_numbers(torn, capsys):
    assert main(["bench", str(torn), "--no-speed"]) == 1
    head, _, _, everything, *_ = capsys.readouterr().out.splitlines()
    names = ["photos", "dice", "exact%", "wrong+sure%", "unsure%", "count%"]
    ends = [head.index(name) + len(name) for name in names]
    assert head.split() == [*names, "ms"]
    assert [everything[:end].split()[-1] for end in ends] == ["2", "1", "50.0", "0.0", "50.0", "50.0"]


def test_a_photo_that_is_labelled_twice_is_refused(torn, capsys):
    line = (torn / "labels.jsonl").read_text().splitlines()[0]
    with (torn / "labels.jsonl").open("a") as stream:
        stream.write(line.replace("a.png", "./a.png") + "\n")
    assert main(["bench", str(torn), "--no-speed"]) == 2
    assert capsys.readouterr().err == "companion bench: a.png is labelled twice; leave one of its labels out\n"


def test_two_names_of_one_photo_are_told(torn, capsys):
    (torn / "link.png").symlink_to(torn / "a.png")
    line = (torn / "labels.jsonl").read_text().splitlines()[0]
    with (torn / "labels.jsonl").open("a") as stream:
        stream.write(line.replace("a.png", "link.png") + "\n")
    assert main(["bench", str(torn), "--no-speed"]) == 2
    told = f"{torn / 'a.png'} and {torn / 'link.png'} are one photo; leave one of its labels out"
    assert capsys.readouterr().err == f"companion bench: {told}\n"


def test_two_photos_of_one_name_are_measured_but_the_scorer_could_not_tell_them_apart(tmp_path, capsys):
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        cv2.imwrite(str(tmp_path / folder / "a.png"), np.full((60, 80, 3), 120, np.uint8))
        (tmp_path / folder / "labels.jsonl").write_text('{"image": "a.png", "dice": []}\n')
    words = ["bench", str(tmp_path / "one"), str(tmp_path / "other"), "--no-speed"]
    assert main(words) == 0
    assert main([*words, "--predictions", str(tmp_path / "answers.jsonl")]) == 2
    assert "2 photos are called a.png; --predictions cannot tell them apart" in capsys.readouterr().err


def test_what_ends_early_leaves_no_empty_files(torn, monkeypatch):
    monkeypatch.setattr(bench, "_judged", cut_off)
    words = ["--predictions", str(torn / "answers.jsonl"), "--plot", str(torn / "plot.png")]
    (torn / "answers.jsonl").write_text("of another day")
    with pytest.raises(KeyboardInterrupt):
        bench.run(parsed(torn, *words))
    assert (torn / "answers.jsonl").read_text() == "of another day"
    assert not (torn / "plot.png").exists()


@pytest.mark.parametrize("option", ["--predictions", "--plot"])
def test_a_file_that_cannot_be_written_is_told_before_any_photo_is_read(torn, capsys, option):
    file = torn / "none" / "out.png"
    assert main(["bench", str(torn), "--no-speed", option, str(file)]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"companion bench: cannot write {file}: No such file or directory\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("option", ["--predictions", "--plot"])
def test_a_file_that_finds_no_room_is_told(torn, capsys, option):
    file = torn / "full.png"
    file.symlink_to("/dev/full")
    assert main(["bench", str(torn), "--no-speed", option, str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.err.endswith(f"companion bench: cannot write {file}: No space left on device\n")
    assert "by place, what went wrong" in printed.out, "what was measured is told all the same"
    assert [each.name for each in torn.iterdir() if each.suffix == ".part"] == []


@pytest.mark.parametrize("name", ["plot.jpg", "plot"])
def test_a_plot_under_another_name_than_a_pngs_is_refused(torn, capsys, name):
    with pytest.raises(SystemExit) as ended:
        main(["bench", str(torn), "--no-speed", "--plot", name])
    assert ended.value.code == 2
    assert f"argument --plot: '{name}': a plot is a .png file" in capsys.readouterr().err


def test_a_plot_and_answers_in_one_file_are_refused(torn, capsys):
    file = torn / "both.png"
    assert main(["bench", str(torn), "--no-speed", "--plot", str(file), "--predictions", str(file)]) == 2
    told = f"companion bench: {file} is named twice; --plot and --predictions are two files\n"
    assert (capsys.readouterr(), file.exists()) == (("", told), False)


def test_a_plot_and_answers_in_one_file_are_refused_whatever_it_is_called(torn, capsys):
    (torn / "link.png").symlink_to(torn / "both.png")
    words = ["--predictions", str(torn / "both.png"), "--plot", str(torn / "link.png")]
    assert main(["bench", str(torn), "--no-speed", *words]) == 2
    assert "link.png is named twice" in capsys.readouterr().err
    assert not (torn / "both.png").exists()


@pytest.mark.parametrize(
    ("option", "name"), [("--predictions", "labels.jsonl"), ("--predictions", "link"), ("--plot", "a.png")]
)
def test_nothing_that_is_read_is_written_over(torn, capsys, option, name):
    (torn / "link").symlink_to(torn / "labels.jsonl")
    before = (torn / name).read_bytes()
    assert main(["bench", str(torn), "--no-speed", option, str(torn / "none" / ".." / name)]) == 2
    told = f"companion bench: {torn}/none/../{name} is one of the files that are read; name another\n"
    assert (capsys.readouterr(), (torn / name).read_bytes()) == (("", told), before)


@pytest.mark.parametrize("words", [("--no-speed",), ("--plot", "none/plot.png"), ("--predictions", "none/answers")])
def test_without_photos_there_is_nothing_to_tell_of_them(words, capsys):
    assert main(["bench", *words]) == 2
    told = "companion bench: without a folder of photos speed alone is measured; name a folder\n"
    assert capsys.readouterr() == ("", told)


def parsed(folder, *words):
    parser = argparse.ArgumentParser()
    bench.arguments(parser)
    return parser.parse_args([str(folder), *words])


def cut_off(*_labels, **_named):
    raise KeyboardInterrupt


def test_no_labels_are_told(tmp_path, capsys):
    assert main(["bench", str(tmp_path / "none")]) == 2
    assert "labels.jsonl" in capsys.readouterr().err


@pytest.mark.once
def test_speed_is_told_beside_floors_and_the_memory_is_that_of_reading():
    """Drawing the tables would take 100 MB more. How much of the program's files is mapped is the system's affair."""
    ran = subprocess.run(
        [sys.executable, "-m", "companion", "bench", "--json"], capture_output=True, text=True, timeout=300
    )
    told = json.loads(ran.stdout)
    assert [pace["what"] for pace in told["speed"]][:2] == ["copying the frame", "one adaptive threshold"]
    names = [pace["what"] for pace in told["speed"]]
    assert len(names) == len(set(names)) == 2 + 2 * len(speed.SIZES) + len(speed.COUNTS)
    assert "640×480, 1 die, scale known" in names
    assert 40 < told["memory"]["most_mb"] - told["memory"]["files_mb"] < 110


def test_what_is_measured_is_told_before_the_next_pace_is(torn, capsys, monkeypatch):
    told = []

    def measured():
        for what in ("one thing", "another"):
            told.append(capsys.readouterr().out)
            yield speed.Pace(what, 1.0, 2.0)

    monkeypatch.setattr(speed, "paces", measured)
    main(["bench", str(torn)])
    assert ("exact%" in told[0], told[1][:9]) == (True, "one thing")
    assert capsys.readouterr().out.startswith("another")


def test_paces_are_measured_one_by_one_and_by_one_thread(monkeypatch):
    blank = np.zeros((48, 64, 3), np.uint8)
    monkeypatch.setattr(speed, "tables", lambda: {(4, speed.FRAME): blank})
    before, paces = cv2.getNumThreads(), speed.paces()
    assert (next(paces).what, cv2.getNumThreads()) == ("copying the frame", 1)
    paces.close()
    assert cv2.getNumThreads() == before


@pytest.mark.once
def test_all_tables_that_are_timed_are_drawn_as_they_were_asked_for():
    drawn = speed.tables()
    assert {(picture.shape[1], picture.shape[0]) for picture in drawn.values()} == set(speed.SIZES)
    assert all((picture.shape[1], picture.shape[0]) == size for (_, size), picture in drawn.items())
    assert np.array_equal(drawn[2, speed.FRAME], speed.table(2, speed.FRAME).picture)


CTRL_C_IN_A_TERMINAL = """
import os, signal, time
from companion.vision.bench import speed

signal.signal(signal.SIGINT, lambda *_: None)  # as what another process inherits no more than Python's own
with speed._apart() as other:
    first = [process.pid for process in other._pool]
    for _ in range(40):
        os.killpg(0, signal.SIGINT)
        time.sleep(0.01)
    print(first == [other.apply(os.getpid)])
"""


def test_ctrl_c_is_nothing_to_the_process_that_draws_tables_from_its_beginning():
    ran = subprocess.run(
        [sys.executable, "-c", CTRL_C_IN_A_TERMINAL], capture_output=True, text=True, timeout=60, start_new_session=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "True\n", "")


def test_a_system_that_does_not_tell_of_program_files_tells_the_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(speed, "STATUS", tmp_path / "status")
    assert speed.memory().files_mb is None
    (tmp_path / "status").write_text("Name:\tpython\nVmRSS:\t1 kB\n")
    assert speed.memory().most_mb > 20
    (tmp_path / "status").write_text("VmHWM:\t 2048 kB\nRssFile:\t 1024 kB\n")
    assert speed.memory() == speed.Memory(2.0, 1.0)


@pytest.mark.parametrize("words", [("--count", "3", "."), ("3", "--count", "."), ("--count", "3", "--no-speed", ".")])
def test_a_number_of_dice_is_told_by_the_labels(words, capsys):
    with pytest.raises(SystemExit):
        main(["bench", *words])
    assert "there is no 3; if it is meant for --count, the labels tell that here" in capsys.readouterr().err


def test_a_folder_may_be_called_by_a_number(tmp_path, monkeypatch, capsys):
    (tmp_path / "3").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "--count", "3"]) == 2
    told = "companion bench: there is no 3/labels.jsonl; give a folder with labels.jsonl, or such a file\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("photos", "told"),
    [(1, "not known of 1 photo, whose label has no boxes"), (2, "not known of 2 photos, whose labels have no boxes")],
)
def test_mistakes_without_a_place_are_not_called_none(photos, told, tmp_path, capsys):
    add_large(tmp_path, "other", (2, 4), width=1600)
    add_collection(tmp_path, "one", *[(3, 5)] * photos)
    labels = tmp_path / "labels.jsonl"
    labels.write_text(labels.read_text().replace('"value": 5', '"value": "heart"'))
    assert main(["bench", str(tmp_path), "--no-speed"]) == 0
    assert f"by place, what went wrong: {told}\n" in capsys.readouterr().out


def test_where_no_label_has_boxes_that_is_told_and_no_empty_plot_drawn(tmp_path, capsys, monkeypatch):
    add_collection(tmp_path, "one", (3, 5))
    told = "these labels have no boxes, so nothing can be compared by place\n"
    assert main(["bench", str(tmp_path), "--no-speed"]) == 0
    printed = capsys.readouterr().out
    assert told in printed
    assert "by place, what went wrong" not in printed
    monkeypatch.setattr(bench, "_judged", cut_off)
    file = tmp_path / "plot.png"
    assert main(["bench", str(tmp_path), "--no-speed", "--plot", str(file)]) == 1
    assert capsys.readouterr() == ("", f"companion bench: nothing is drawn: {told}")
    assert not file.exists()


def test_where_some_labels_have_boxes_their_dice_are_drawn(tmp_path, capsys):
    add_large(tmp_path, "other", (2, 4), width=1600)
    add_collection(tmp_path, "one", (3, 5))
    file = tmp_path / "plot.png"
    assert main(["bench", str(tmp_path), "--no-speed", "--plot", str(file)]) == 0
    assert "by place, what went wrong: nothing\n" in capsys.readouterr().out
    assert file.exists()


def test_what_takes_long_as_it_is_unsure_says_why():
    read = Reading((), sure=True)
    told = [speed._reading("a table", lambda it=it: it) for it in (read, read.unsure(Why.GLARE))]
    assert [pace.unsure for pace in told] == [None, "glare that may hide pips, or a die"]
