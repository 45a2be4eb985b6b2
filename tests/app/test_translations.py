"""Screens in every language: whole, in the words of the printed rules, and as easily told apart as in English."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice, product
from pathlib import Path

import pytest

from companion import words
from companion.compose import house_of
from companion.config.games import SEATS
from companion.config.reading import parse
from companion.events import (
    Button,
    CalibrationTold,
    ComputerTold,
    DeviceChanged,
    Fact,
    Fit,
    Health,
    Knocked,
    NotSwitched,
    Press,
    Settled,
    Stirred,
    Why,
)
from companion.locale import LANGUAGES, SOURCE_LANGUAGE, texts, update
from companion.screen import draw, frame, lettering, tables
from companion.screen.font import font
from companion.table.decide import decide
from companion.table.house import House
from companion.table.picture import view
from companion.table.state import Table
from companion.view import Choose, Prompt, Sign, Spell, View
from tests.app.household import house, play, reading, wild

TRANSLATED = LANGUAGES[1:]
PLAYED = 40  # decisions of a sitting that are looked at
WANDERED = 25  # and how many more from there, by pressing anything
ENDS = ({"rounds": 1}, {"minutes": 0.5}, {"limit": 30})
# of the printed rules; what the game has no rules for in a language is what players would expect
TERMS = {
    "fi": {
        "Round {n}": "Kierros {n}",
        "Number card": "Numerokortti",
        "Draw pile": "Pakka",
        "Peek": "Katso",
        "Swap": "Vaihda",
        "Draw 2": "Nosta 2",
        "Knock": "Koputa",
        "Points": "Pisteet",
    },
    "da": {
        "Last turn!": "Sidste tur!",
        "Number card": "Nummerkort",
        "A power card": "Et specialkort",
        "Draw pile": "Bunken",
        "Peek": "Kig",
        "Swap": "Byt",
        "Who deals?": "Hvem er kortgiver?",
        "Knock": "Bank",
        "Discard": "Kassér",
    },
    "es": {
        "Round {n}": "Ronda {n}",
        "Wild die": "Dado salvaje",
        "Draw pile": "Mazo de robo",
        "Re-roll": "Relanzar",
        "Re-roll for 1 token?": "¿Relanzar por 1 ficha?",
        "Tokens in the pool": "Fichas en la reserva",
        "Where is the pawn?": "¿Dónde está el peón?",
        "Take the lowest card": "Toma la carta más baja",
    },
}


def homes() -> Iterator[House]:
    for game, dice in product(("roll", "cat", "free"), ({}, {"has_camera": False}, {"reads_wild": True})):
        yield house(5, games=(game,), **dice)
    for end, pace, younger in product(ENDS, ("light", "full"), (False, True)):
        yield house(6, games=("cat",), usual={"cat": {"end": end, "pace": pace, "younger": younger, "scores": True}})
    for cards, pool in product(("ask", "track"), (4, 30)):
        yield house(5, games=("roll",), usual={"roll": {"cards": cards, "pool": pool}})
    yield house(8, games=("roll", "cat", "free"), names=("Ana", "Bo", "Wilhelm"))


def anything(chance: random.Random) -> Fact:
    """Mostly a press, at times what a tray, a device or the computer tells."""
    if chance.random() < 0.85:
        button = chance.choice((*Button, Button.OK, Button.OK))
        return Press(button, held=button is Button.OK and chance.random() < 0.2)
    thrown = [chance.randint(1, 6) for _ in range(chance.randint(0, 4))]
    told: tuple[Fact, ...] = (
        Stirred(),
        Settled(reading(*thrown)),
        Settled(replace(reading(*thrown, sure=False), why=chance.choice([why for why in Why if why is not Why.COUNT]))),
        wild(chance.choice((None, "swap", "lowest"))),
        Knocked(),
        NotSwitched(),
        ComputerTold("2026.12.1", "companion", chance.choice(("", "192.168.178.123"))),
        DeviceChanged(chance.choice(tuple(words.DEVICES)), Health.LOST),
        CalibrationTold(chance.choice(tuple(Fit))),
    )
    return chance.choice(told)


@cache
def met() -> tuple[tuple[Table, House], ...]:
    """Tables of every kind of page: each one has another page or other labels than all before, whatever its numbers."""
    found: dict[str, tuple[Table, House]] = {}

    def look(table: Table, home: House) -> None:
        shown = view(table, home)
        page = shown.page.title if isinstance(shown.page, Spell) else shown.page
        found.setdefault(re.sub(r"\d+", "0", f"{page}{shown.labels}"), (table, home))

    for seed, home in enumerate(homes()):
        chance = random.Random(seed)
        for start in (Table(), *(decision.table for _fact, decision in islice(play(home, seed, pace_s=0.5), PLAYED))):
            table = start
            for _ in range(WANDERED):
                look(table, home)
                table = decide(table, anything(chance), home, 0.0).table
    return tuple(found.values())


@cache
def views(language: str) -> tuple[View, ...]:
    """Each of those pages; without what is lost in the header, which takes the room of long names."""
    return tuple(
        replace(view(table, replace(home, texts=texts(language))), lost=(), fit=Fit.HOLDS) for table, home in met()
    )


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: str) -> None:
    catalogue = update.read(dict(update.catalogues())[language], language)
    assert [message.id for message in catalogue if message.id and not all(forms(message.string))] == []
    assert [message.id for message in catalogue if message.fuzzy and message.id] == []


def forms(translated: str | tuple[str, ...]) -> tuple[str, ...]:
    return (translated,) if isinstance(translated, str) else tuple(translated)


@pytest.mark.parametrize("language", TERMS)
def test_the_words_are_those_of_the_printed_rules(language: str) -> None:
    _ = texts(language)
    assert {source: _(source) for source in TERMS[language]} == TERMS[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_that_is_met_at_a_table_is_cut(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    plainly = lettering.write

    def write(image: object, x: int, baseline: int, text: str, letters: object, **ink: int) -> None:
        written.append(text)
        plainly(image, x, baseline, text, letters, **ink)  # type: ignore[arg-type]

    for module in (lettering, frame, tables):
        monkeypatch.setattr(module, "write", write)
    whole = texts(language)("Switch off …")
    for shown in views(language):
        written.clear()
        draw(shown)
        assert not [text for text in written if lettering.ELLIPSIS in text and text != whole], shown


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("lines", [1, 2])
def test_what_is_told_in_passing_is_whole(lines: int, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "cut", lambda text, *_, **__: pytest.fail(text))
    _ = texts(language)
    told = [words.device(device, _) for device in words.DEVICES] + [words.sign(sign, _) for sign in words.SIGNS]
    for page in [Prompt(each.name, (each.help,)[: lines - 1], Sign.TROUBLE) for each in told]:
        draw(replace(views(language)[0], page=page))
    for text in ("Knock at the end of your turn", "Somebody knocked already"):
        draw(replace(views(language)[0], page=Prompt(_(text), (), Sign.KNOCK)))


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_can_be_chosen_is_told_apart_as_in_english(language: str) -> None:
    for plain, shown in zip(views(SOURCE_LANGUAGE), views(language), strict=True):
        assert [bool(label) for label in plain.labels] == [bool(label) for label in shown.labels]
        assert len(set(shown.labels)) == len(set(plain.labels)), shown.labels
        if isinstance(plain.page, Choose) and isinstance(shown.page, Choose):
            assert len(set(shown.page.options)) == len(set(plain.page.options)), shown.page


def test_pages_of_every_kind_are_met() -> None:
    """Else these tests would be about little."""
    said = "\n".join(f"{shown.page} {shown.labels}" for shown in views(SOURCE_LANGUAGE))
    assert [text for text in ("Pace: what is told?", "Follow the cards?", "Look at which?") if text not in said] == []
    assert len(met()) > 600


# of the calibration's pages, each on its own: at most three lines of letters that are easily read, beside a pictogram
ROOM, LINES = 98, 3
FILLED = {
    **dict.fromkeys(("n", "all", "value", "deg", "count", "left", "done", "whole"), 12),
    "name": "Wilhelm",
    "region": "Green",
    "card": "Pink 7",
    "dice": "2 3",
    "how": "5 rounds",
    "version": "2026.12.1",
    "mm": 16.5,
    "width": 250,
    "depth": 180,
    "s": "1.2",
    "ms": 120,
    "button": "2nd button",
    "what": "exposure, focus",
    "where": "far left",
    "face": "Highest",
    "other": "Swap",
    "body": "yellow",
    "pips": "yellow",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_calibration_says_is_brief(language: str) -> None:
    _, letters = texts(language), font(10)
    for message in update.read(update.TEMPLATE):
        if not message.id or not any(file.startswith("calibration") for file, _line in message.locations):
            continue
        one, *more = (message.id,) if isinstance(message.id, str) else message.id
        text = _.pgettext(message.context, one) if message.context else _.ngettext(one, *more, 12) if more else _(one)
        lines = lettering.wrapped(text.format(**FILLED), letters, ROOM)
        assert len(lines) <= LINES, text
        assert lettering.whole_words(text.format(**FILLED), letters, ROOM), text


@pytest.mark.parametrize("language", TRANSLATED)
def test_seats_and_regions_that_nobody_named_are_named_in_the_players_language(language: str) -> None:
    home, named = (
        house_of(parse(f'table.language = "{language}"\n{more}'.encode(), Path("companion.toml")))
        for more in ("", 'table.seat = [{name = "red"}, {name = "blue"}]')
    )
    seats = ", ".join(f'{{name = "{seat.name}", place = {number / 8}}}' for number, seat in enumerate(SEATS))
    placed = f"table.seat = [{seats}]"  # as a ring that was calibrated places them
    calibrated = house_of(parse(f'table.language = "{language}"\n{placed}'.encode(), Path("companion.toml")))
    assert [seat.name for seat in calibrated.seats] == [seat.name for seat in home.seats]
    red = texts(language).pgettext("color", "red")
    assert [home.seats[0].name, home.regions[0].name] == [red[:1].upper() + red[1:]] * 2
    assert home.seats[0].name != "Red"
    assert [seat.name for seat in named.seats] == ["Red", "Blue"]
