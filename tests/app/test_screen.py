"""The small screen: golden pictures of every page, and what holds for any text."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from companion.events import NOWHERE, Die, Fit, Reading, Why
from companion.games.free import MOST_DICE
from companion.locale import LANGUAGES, texts
from companion.screen import draw, frame, lettering, pages, tables
from companion.screen.art import pictures
from companion.screen.font import SIZES, STEMMED, Font, font
from companion.screen.lettering import Block, Box, clipped, cut, one_line, paragraph, wrapped, write
from companion.screen.pieces import DIGIT_HEIGHT, digits, digits_width
from companion.table.dice import doubt
from companion.table.sheets import paged
from companion.view import Choose, Count, Header, Page, Prompt, Rolled, Row, Sheet, Sign, Spell, Winner
from companion.words import damage
from tests.app.cat_screens import CAT_VIEWS
from tests.app.screens import ANA, LONG, view
from tests.app.screens import VIEWS as DRAWN

VIEWS = DRAWN | CAT_VIEWS
GOLDEN = Path(__file__).parent / "golden"
REGENERATE = "REGENERATE_SCREENS"  # set it to draw the golden pictures anew; then look at them


@pytest.mark.parametrize("name", VIEWS)
def test_screen_equals_its_golden_picture(name: str) -> None:
    drawn = draw(VIEWS[name])
    path = GOLDEN / f"{name}.png"
    if REGENERATE in os.environ:
        drawn.save(path)
    with Image.open(path) as golden:
        assert (drawn.mode, drawn.size) == ("1", (128, 64))
        assert ImageChops.difference(drawn.convert("L"), golden.convert("L")).getbbox() is None, name


def test_every_golden_picture_has_its_view() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(VIEWS)


def test_every_picture_of_a_sign_is_shown_by_one() -> None:
    assert set(pictures("signs")) == {sign.value for sign in Sign} | {"crown"}


def test_a_view_always_gives_the_same_picture() -> None:
    shown = VIEWS["rolled_three"]
    assert draw(shown).tobytes() == draw(replace(shown)).tobytes()


GAP_ROW = Box(0, frame.LABELS.y - 1, 128, 1)
TEXTS = st.text(max_size=60) | st.sampled_from(["", LONG, "Åg" * 40, "\n", "\u200d", "\ud800", "é" * 500, "Ṩ́"])
WHOLE = st.integers(-(10**30), 10**30)
SMALL = st.integers(-2, 9)
ROWS = st.lists(st.builds(Row, TEXTS, TEXTS, st.sampled_from(["", "turn", "winner", "out", "?"])), max_size=9)
PAGES: st.SearchStrategy[Page] = st.one_of(
    st.builds(Prompt, TEXTS, st.lists(TEXTS, max_size=5).map(tuple), st.none() | st.sampled_from(Sign)),
    st.builds(
        Rolled,
        st.lists(st.none() | SMALL, max_size=20).map(tuple),
        st.none() | SMALL | st.just(99),
        TEXTS,
        TEXTS,
        st.lists(SMALL, max_size=4).map(tuple),
        st.none() | SMALL,
        st.none() | st.sampled_from(Sign),
    ),
    st.builds(Choose, TEXTS, st.lists(TEXTS, max_size=9).map(tuple), SMALL),
    st.builds(Count, TEXTS, WHOLE, SMALL, SMALL, st.lists(SMALL, max_size=8).map(tuple)),
    st.builds(Spell, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS),
    st.builds(Sheet, TEXTS, ROWS.map(tuple)),
    st.builds(Winner, TEXTS, st.lists(TEXTS, max_size=6).map(tuple), ROWS.map(tuple)),
)
HEADERS = st.builds(Header, TEXTS, st.none() | WHOLE, st.booleans(), st.none() | WHOLE)
LOST = st.lists(st.sampled_from(["camera", "oled", "ring", "buttons", "piezo"]), max_size=5).map(tuple)


@settings(max_examples=60, deadline=None)
@given(PAGES, HEADERS, st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), LOST)
def test_any_view_is_drawn(
    page: Page, header: Header, labels: tuple[str, str, str, str], lost: tuple[str, ...]
) -> None:
    drawn = draw(view(page, header, labels, lost))
    assert (drawn.mode, drawn.size) == ("1", (128, 64))


@settings(max_examples=60, deadline=None)
@given(PAGES, st.tuples(TEXTS, TEXTS, TEXTS, TEXTS))
def test_the_page_touches_neither_the_labels_nor_the_header(page: Page, labels: tuple[str, str, str, str]) -> None:
    whole = draw(view(page, Header("Ana", 3), labels))
    frame_only = Image.new("1", (128, 64))
    name = page.title if isinstance(page, Sheet) and page.title else "Ana"
    frame.header(frame_only, Header(name, 3), ())
    frame.labels(frame_only, labels)
    for box in (frame.HEADER, frame.LABELS, GAP_ROW):
        corners = (box.x, box.y, box.right, box.bottom)
        assert whole.crop(corners).tobytes() == frame_only.crop(corners).tobytes()


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.integers(10, 128), st.integers(11, 52))
def test_words_stay_in_their_box(text: str, width: int, height: int) -> None:
    box = Box(0, 0, width, height)
    for block in (one_line(text, box), paragraph(text, box)):
        assert block.width <= width
        assert block.height <= height


def test_words_are_wrapped_between_words_and_long_ones_inside() -> None:
    assert wrapped("Take the lowest card", font(10), 60) == ["Take the", "lowest card"]
    assert wrapped("Donaudampfschiff", font(12), 40) == ["Donau", "dampf", "schiff"]
    assert wrapped("Donau", font(12), font(12).width("Dona")) == ["Dona", "u"]
    assert wrapped("Wo", font(12), 1) == ["W", "o"]
    assert wrapped("", font(12), 40) == []


def test_a_word_is_written_smaller_before_it_is_broken() -> None:
    for words in (("Wilhelmina",), ("To", "Wilhelmina")):
        written = paragraph(" ".join(words), Box(0, 0, 60, 64))
        assert (written.font.size, written.lines) == (10, words)
    as_wide = paragraph("Wilhelmina", Box(0, 0, font(12).width("Wilhelmina"), 64))
    assert (as_wide.font.size, as_wide.lines) == (12, ("Wilhelmina",))


def test_of_lines_that_fill_a_box_none_goes_and_of_too_many_the_last_tells() -> None:
    lines, letters = ("One more", "turn for", "all others"), font(10)
    high = lettering.block(lines, letters).height
    assert clipped(lines, letters, Box(0, 0, 128, high)).lines == lines
    assert clipped(lines, letters, Box(0, 0, 128, high - 1)).lines == ("One more", "turn for…")


@pytest.mark.parametrize("size", SIZES)
@given(text=st.text("ABKTRfjkrîŁ€ĵ0123456789 .", min_size=1, max_size=8).map(str.strip))
@settings(max_examples=60, deadline=None)
def test_no_column_of_a_text_lies_outside_its_width(size: int, text: str) -> None:
    letters = font(size)
    image = Image.new("1", (40 + letters.width(text) + 40, 60))
    write(image, 40, 40, text, letters)
    left, _, right, _ = image.getbbox() or (40, 0, 40, 0)
    assert 40 <= left <= right <= 40 + letters.width(text)


def test_what_does_not_fit_ends_in_an_ellipsis() -> None:
    assert cut("Maximiliana", font(12), 50) == "Maxim…"
    assert cut("Maximiliana", font(12), 50, keep_end=True) == "…iliana"
    assert cut("Ana", font(12), 50) == "Ana"
    assert cut("Ana", font(12), 2) == ""
    assert cut("Ana", font(12), font(12).width("Ana")) == "Ana"
    assert cut("Ana", font(12), font(12).width("…")) == "…"
    assert cut("Anna Lilja", font(12), font(12).width("… Lilja"), keep_end=True) == "…Lilja"
    novel = "Once" + " upon a time" * 30 + " they lived"
    assert cut(novel, font(12), 50) == "Once…"
    assert cut(novel, font(12), 70, keep_end=True) == "…they lived"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("dice", range(10))
@pytest.mark.parametrize("why", Why)
def test_why_a_roll_is_unsure_is_said_without_an_ellipsis(
    why: Why, dice: int, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortened: list[str] = []
    monkeypatch.setattr(lettering, "cut", lambda text, *_, **__: shortened.append(text) or text)
    seen = (Die(None, NOWHERE, 0.0, ()),) * dice
    draw(view(doubt(Reading(seen, sure=False, why=why), texts(language), lawful=dice <= MOST_DICE).shown))
    assert not shortened


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("dice", range(1, 4))
@pytest.mark.parametrize("why", [why for why in Why if why is not Why.COUNT])  # which is never a question
def test_in_a_doubt_the_question_that_yes_answers_comes_last(
    why: Why, dice: int, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: dict[int, str] = {}
    monkeypatch.setattr(
        "companion.screen.rolled.set_block", lambda _image, box, words, **_: written.update({box.y: words.lines[0]})
    )
    _ = texts(language)
    asked = doubt(Reading((Die(3, NOWHERE, 0.5),) * dice, sure=False, why=why), _, lawful=True)
    draw(view(asked.shown, labels=asked.labels(_)))
    assert written[max(written)] == _("Are these the dice?")
    assert asked.labels(_)[3] == _("Yes")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", [why for why in Why if why is not Why.COUNT])
def test_no_reason_for_a_doubt_is_written_in_the_smallest_letters(
    why: Why, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Children of six read it."""
    sizes: list[int] = []
    monkeypatch.setattr(
        "companion.screen.rolled.set_block", lambda _image, _box, words, **_: sizes.append(words.font.size)
    )
    asked = doubt(Reading((Die(3, NOWHERE, 0.5),) * 3, sure=False, why=why), texts(language), lawful=True)
    draw(view(asked.shown, labels=asked.labels(texts(language))))
    assert len(sizes) == 2
    assert min(sizes) > min(SIZES)


def test_options_that_scroll_are_as_large_as_those_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Block] = []
    monkeypatch.setattr(pages, "set_block", lambda _image, _box, lines, **_: written.append(lines))
    which = tuple(f"The {dice}" for dice in ("1", "2", "3", "1 2", "1 3", "2 3"))
    draw(view(Choose("Re-roll which?", ("All dice", *which))))
    assert min(lines.font.size for lines in written[1:]) >= 10


@pytest.mark.parametrize("header", [Header(), Header("Ana")])
def test_a_question_too_long_for_a_line_is_shown_whole(header: Header, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "cut", lambda *_, **__: pytest.fail("cut short"))
    draw(view(Choose("5 rounds, no points, younger players, every draw?", ("Yes", "Change")), header))


@pytest.mark.parametrize("options", [("Nej", "Ja, en rotte"), ("Yksi", "Kaksi", "Kolme")])
@pytest.mark.parametrize("header", [Header(), Header("Ana")])
@pytest.mark.parametrize("title", ["Äiti: pöytäpaikka?", "Kort ved Ålegræs: en rotte? (7-9)"])
def test_a_ring_or_dots_on_a_capital_make_no_question_smaller(
    title: str, header: Header, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def sizes(text: str) -> list[int]:
        written: list[Block] = []
        monkeypatch.setattr(pages, "set_block", lambda _image, _box, lines, **_: written.append(lines))
        draw(view(Choose(text, options), header))
        return [lines.font.size for lines in written]

    assert sizes(title)[0] == sizes(title.replace("Ä", "A").replace("Å", "A"))[0]
    assert min(sizes(title)[1:]) >= 10


@pytest.mark.parametrize("title", ["Åge: kort 3", "Ángel: carta 3", "Åsa: kort 1", "Ann: card 1"])
@pytest.mark.parametrize("header", [Header(), Header("Ana")])
def test_a_number_stands_clear_of_the_labels_below_any_title(title: str, header: Header) -> None:
    plain = draw(view(Count(title, 8, 0, 9), header, ("", "", "", "")))
    left, _top, right, bottom = plain.getbbox() or (0, 0, 0, 0)
    assert bottom <= frame.LABELS.y - 1
    assert 0 <= left < right <= 128


@pytest.mark.parametrize("size", [12, 10])
def test_a_further_line_is_broken_only_where_it_must_be(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Block] = []
    monkeypatch.setattr(pages, "set_block", lambda _image, _box, lines, **_: written.append(lines))
    line = {12: "4 rats? 5 new", 10: "4 rats? 5 new cards"}[size]
    draw(view(Prompt("Roll the dice", (line,), Sign.DICE)))
    assert [(lines.lines, lines.font.size) for lines in written[1:]] == [((line,), size)]
    draw(view(Prompt("Roll the dice", ("One more turn for all others",), Sign.DICE)))
    assert len(written[-1].lines) == 2


@pytest.mark.parametrize("header", [Header(), Header("Ana")])
@pytest.mark.parametrize("players", range(7))
def test_at_the_end_whatever_is_shown_is_shown_whole(
    players: int, header: Header, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lettering, "cut", lambda *_, **__: pytest.fail("cut short"))
    names = ("Wilhelmina", "Christophe", "Mohammed A", "Anna-Katha", "Bartholome", "Maximilian")
    rows = tuple(Row(name, "103") for name in names)
    draw(view(Winner("Winners!", names[:players], rows), header, ("Menu", "Scores", "", "New game")))


def test_where_nobody_wins_no_crown_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "crown", lambda *_: pytest.fail("a crown"))
    draw(view(Winner("The end", (), (Row("Ana", "12"), Row("Bo", "7")))))


@pytest.mark.parametrize("players", range(2, 9))
def test_long_names_stand_on_as_many_pages_as_show_them_in_letters_easily_read(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("Wilhelmina", "Christophe", "Mohammed A", "Anna-Katha", "Bartholome", "Maximilian", "Bo", "Cecilia")
    rows = tuple(Row(name, "103", "turn") for name in names[:players])
    pages = paged("Points", rows)
    assert tuple(row for page in pages for row in page.rows) == rows
    monkeypatch.setattr(tables, "cut", lambda text, letters, *_: text if letters.size >= 10 else pytest.fail(text))
    for page in pages:
        draw(view(page))


@pytest.mark.parametrize(
    ("name", "points", "rows"),
    [
        ("Mohammed", "103", [4, 3]),
        ("Christoph", "103", [3, 3, 1]),
        ("Mohame", "93+?", [4, 3]),
        ("Mohamed", "93+?", [3, 3, 1]),
    ],
)
def test_a_sheet_stands_on_no_more_pages_than_it_takes(name: str, points: str, rows: list[int]) -> None:
    assert [len(page.rows) for page in paged("Points", (Row(name, points),) * 7)] == rows


@pytest.mark.parametrize(
    "names", [("Maximili", "Wilhelmi", "Mohammed"), ("Maximil", "Wilhelm", "Annakat"), ("Mohame",)]
)
def test_names_beside_points_that_are_to_come_are_shown_whole(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole(text: str, letters: Font, room: int) -> str:
        assert cut(text, letters, room) == text
        return text

    monkeypatch.setattr(tables, "cut", whole)
    for shown in paged("Points", tuple(Row(name, "93+?", "out") for name in names * 2)):
        draw(view(shown))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mended", [False, True])
def test_damage_to_the_journal_is_said_without_an_ellipsis_or_a_small_letter(
    mended: bool, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(lettering, "cut", lambda *_, **__: pytest.fail("cut short"))
    monkeypatch.setattr("companion.screen.pages.font", lambda size: sizes.append(size) or font(size))
    told = damage(texts(language), mended=mended)
    draw(view(Prompt(told.name, (told.help,), Sign.TROUBLE)))
    assert min(sizes) >= 10


@pytest.mark.parametrize("size", SIZES)
def test_every_letter_of_the_four_languages_has_its_own_glyph(size: int) -> None:
    letters = "abcdefghijklmnopqrstuvwxyzáéíóúüñäöåæø"
    assert set(letters + letters.upper() + "0123456789¡!¿?–−…×·:,.()/+'’“”←→▲▼✓✗★↻") <= set(font(size).glyphs)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("following", [*sorted(STEMMED), *"ñńňíìîïįúùûüůűų"])
def test_an_r_touches_no_stem_after_it(following: str, size: int) -> None:
    """Else "Turn 3" is read as "Tum 3"."""
    letters = font(size)
    r, stem = letters.spell(f"r{following}")
    assert r.advance + stem.left > r.left + r.picture.width
    assert letters.spell("r")[0].advance <= r.advance <= letters.spell("r")[0].advance + 2
    assert letters.width(f"r{following}") == r.advance + stem.right - r.left


def test_a_letter_written_with_a_mark_apart_is_the_composed_letter() -> None:
    assert list(font(12).spell("n\u0303")) == [font(12).glyphs["ñ"]]


def test_a_letter_without_a_glyph_is_its_plain_letter_or_a_box() -> None:
    assert list(font(12).spell("ế")) == [font(12).glyphs["e"]]
    (box,) = font(12).spell("漢")
    assert (box.picture.size, box.picture.getpixel((0, 0)), box.picture.getpixel((2, 2))) == ((6, 9), 255, 0)


def test_letters_that_would_be_boxes_are_told_once_and_in_order_in_every_size() -> None:
    assert {font(size).lacking("Жанна e\u0301 ế\u200b 漢 –") for size in SIZES} == {("Ж", "а", "н", "漢")}
    assert {frozenset(font(size).glyphs) for size in SIZES} == {frozenset(font(12).glyphs)}


def test_totals_are_at_least_26_pixels_tall_and_fill_their_height() -> None:
    for digit in "0123456789?":
        image = Image.new("1", (digits_width(digit), DIGIT_HEIGHT))
        digits(image, 0, 0, digit)
        assert image.getbbox() == (0, 0, digits_width(digit), DIGIT_HEIGHT)
    assert DIGIT_HEIGHT >= 26


def test_an_unread_total_shows_no_number() -> None:
    unread = draw(view(Rolled((2, None), None)))
    mark = Image.new("1", (digits_width("?"), DIGIT_HEIGHT))
    digits(mark, 0, 0, "?")
    top = frame.BODY.y + (frame.BODY.h - DIGIT_HEIGHT) // 2
    assert unread.crop((0, top, mark.width, top + mark.height)).tobytes() == mark.tobytes()


def body(page: Page) -> Image.Image:
    """The picture of a page, without header and labels."""
    box = frame.BODY_WITHOUT_HEADER
    return draw(view(page, Header(), ("", "", "", ""))).crop((box.x, box.y, box.right, box.bottom))


def test_a_number_that_is_the_only_one_stands_between_no_arrows() -> None:
    alone, several = body(Count("", 2, 2, 2)).getbbox(), body(Count("", 2, 1, 3)).getbbox()
    assert alone is not None
    assert several is not None
    assert alone[2] - alone[0] <= digits_width("2") < several[2] - several[0]


LONG_OPTIONS = tuple(f"{letter} is a long answer" for letter in "ABCD")


def test_arrows_beside_the_options_tell_where_more_of_them_are() -> None:
    column = 128 - pictures("icons")["up"].width
    half = frame.BODY_WITHOUT_HEADER.h // 2
    shown = []
    for index in range(len(LONG_OPTIONS)):
        arrows = body(Choose("", LONG_OPTIONS, index)).crop((column, 0, 128, 2 * half))
        above, below = arrows.crop((0, 0, arrows.width, half)), arrows.crop((0, half, arrows.width, 2 * half))
        shown.append((above.getbbox() is not None, below.getbbox() is not None))
    assert shown == [(False, True), (False, True), (True, True), (True, False)]


@pytest.mark.parametrize("options", [LONG_OPTIONS, tuple("ABCDEFGHIJKL"), tuple(f"{n} min" for n in range(10, 17))])
def test_the_option_under_the_cursor_is_always_in_sight(options: tuple[str, ...]) -> None:
    assert len({body(Choose("", options, index)).tobytes() for index in range(len(options))}) == len(options)


def test_the_die_that_the_buttons_act_on_is_seen_before_any_is_marked() -> None:
    dice = [body(Rolled((3, 3, 3), None, cursor=cursor)).tobytes() for cursor in (None, 0, 1, 2)]
    assert len(set(dice)) == len(dice)


def test_a_pictogram_stands_beside_the_dice_only_where_they_leave_it_room() -> None:
    few, many = Rolled((6,) * 2, 12), Rolled((6,) * 6, 36)
    assert body(replace(few, sign=Sign.WILD)).tobytes() != body(few).tobytes()
    assert body(replace(many, sign=Sign.WILD)).tobytes() == body(many).tobytes()


@pytest.mark.parametrize("fit", [Fit.MOVED, Fit.OTHER, Fit.BROKEN])
def test_a_calibration_that_does_not_fit_shows_even_where_nobody_is_on(fit: Fit) -> None:
    idle, mark = view(Prompt("x"), Header()), pictures("icons")["moved"]
    corner = 128 - mark.width, (frame.HEADER.h - mark.height) // 2
    box = (*corner, 128, corner[1] + mark.height)
    assert draw(replace(idle, fit=fit)).crop(box).tobytes() == mark.tobytes()
    assert draw(idle).crop(box).getbbox() is None


def test_lost_devices_the_final_round_and_tokens_each_change_the_header() -> None:
    headers = [(ANA, ()), (ANA, ("camera",)), (ANA, ("ring",)), (replace(ANA, final=True), ()), (Header("Ana", 3), ())]
    pictures = [draw(view(Prompt("x"), header, lost=lost)).crop((0, 0, 128, 12)).tobytes() for header, lost in headers]
    assert len(set(pictures)) == len(headers)


@pytest.mark.parametrize("text", ["Kerro, mitä tuli", "Ota tämä tai pakasta", "Which is it?", "¿Qué cartas, ahí?"])
def test_a_dark_row_lies_between_a_total_and_what_stands_below_it(text: str) -> None:
    box = frame.BODY
    shown = draw(view(Rolled((4, 6), 10, text), ANA)).crop((box.x, box.y, box.right, box.bottom)).convert("L")
    lit = [bool(shown.crop((0, row, 128, row + 1)).getbbox()) for row in range(shown.height)]
    dark = [row for row in range(20, shown.height - 6) if not lit[row]]
    assert dark
    assert all(26 <= row <= 30 for row in dark)
