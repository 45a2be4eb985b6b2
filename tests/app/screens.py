"""Example views for every page, and a sheet of them to look at: `python tests/app/screens.py FILE.png`."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from companion import words
from companion.locale import texts
from companion.screen import draw
from companion.screen.frame import ROLES
from companion.view import (
    Choose,
    Count,
    Header,
    Mood,
    Page,
    Prompt,
    RingView,
    Rolled,
    Row,
    Sheet,
    Sign,
    Spell,
    View,
    Winner,
)
from companion.waiting import cannot_open, mending
from companion.words import DEVICES

KEYS = ("Back", "−", "+", "OK")
ANA = Header("Ana", tokens=2)


def view(
    page: Page,
    header: Header = ANA,
    labels: tuple[str, str, str, str] = KEYS,
    lost: tuple[str, ...] = (),
) -> View:
    return View(header, page, labels, RingView(Mood.IDLE), lost)


ALL_ROWS = (
    Row("Ana", "12", "turn"),
    Row("Bo", "7"),
    Row("Cecilia", "103", "out"),
    Row("Dag", "31"),
    Row("Ebba", "5", "winner"),
)
FIVE = Winner(
    "Winner!",
    ("Alexander",),
    tuple(map(Row, ("Alexander", "Charlotte", "Benjamin", "Elisabeth", "Katharina"), ("8", "11", "14", "17", "22"))),
)
SIX = Winner(
    "Winners!",
    ("Wilhelmina", "Christopher"),
    tuple(
        map(
            Row,
            ("Wilhelmina", "Christopher", "Mohammed A", "Anna-Katha", "Bartholome", "Maximilian"),
            ("8", "8", "14", "17", "22", "103"),
        )
    ),
)
LONG = "Maximiliana Åsa-Æøåñ Wolfeschlegelsteinhausenbergerdorff"

VIEWS: dict[str, View] = (
    {
        "prompt_roll": view(Prompt("Roll 1–3 dice", sign=Sign.DICE), labels=("Menu", "", "", "Enter")),
        "prompt_lines": view(Prompt("Your turn", ("Roll 1, 2 or 3 dice", "into the tray"))),
        "prompt_plain": view(Prompt("Welcome"), Header(), ("", "", "", "Start")),
        "prompt_sign_lines": view(
            Prompt("Lowest", ("Take the lowest card",), sign=Sign.LOWEST), labels=("", "", "Re-roll", "Done")
        ),
        "notice_mended": view(
            Prompt(words.MENDED.name, (words.MENDED.help,), sign=Sign.TROUBLE), labels=("", "", "", "OK")
        ),
        "notice_lost": view(
            Prompt(words.LOST.name, (words.LOST.help,), sign=Sign.TROUBLE), Header(), ("", "", "", "OK")
        ),
        "notice_mending": mending(1234, 3000, texts("en")),
        "notice_not_opened": cannot_open(texts("en")),
        "prompt_rats": view(
            Prompt("Roll the dice", ("4 rats? 5 new cards",), sign=Sign.DICE), labels=("Menu", "Type", "", "")
        ),
        "prompt_rats_unseen": view(
            Prompt("Roll the dice", ("4 rats? 5 new cards", "Then press Type"), sign=Sign.DICE),
            labels=("Menu", "Type", "", ""),
            lost=("camera",),
        ),
        "prompt_rats_wild": view(
            Prompt("Roll the Wild die", ("4 rats? 5 new cards",), sign=Sign.WILD),
            labels=("Menu", "Type", "Skip", ""),
        ),
        "prompt_rats_untaught": view(
            Prompt("Roll the Wild die", ("4 rats? 5 new cards", "Then press Type"), sign=Sign.WILD),
            labels=("Menu", "Type", "Skip", ""),
        ),
        "prompt_skip_untaught": view(
            Prompt("Roll the Wild die", ("Then press Type",), sign=Sign.WILD),
            labels=("Menu", "Type", "Skip", ""),
        ),
        "prompt_hand": view(Prompt("Hands off the tray", sign=Sign.HAND), lost=("camera",)),
        "prompt_long": view(
            Prompt("Put the card face-down beside your others and do not look", ("Keep the order", "Slot 3")),
            Header("Ana", tokens=12, final=True, left=3),
        ),
        "prompt_endless": view(
            Prompt("Wolfeschlegelsteinhausenbergerdorff " * 4, ("lines " * 30,) * 3, sign=Sign.ASK), Header(LONG, 99)
        ),
        "prompt_accents": view(
            Prompt("¡Añade una ficha, Ángel!", ("Äänestä nyt, Öljy", "Ægte Ørsted på Ås")), Header("Åsa Ångström", 1)
        ),
        "prompt_unknown_letters": view(Prompt("漢字 and 🎲", ("e\u0302\u0301 ế Ωmega",)), Header("日本")),
        "rolled_one": view(
            Rolled((5,), 5, "Token: card and 1 token", sign=Sign.TOKEN), labels=("", "", "Re-roll", "Move")
        ),
        "rolled_three": view(
            Rolled((3, 4, 6), 13, "Peek space", "1 token: roll again", sign=Sign.PEEK),
            labels=("Edit", "", "Re-roll", "Move"),
        ),
        "rolled_two_no_text": view(Rolled((1, 2), 3)),
        "rolled_unsure": view(
            Rolled((2, None, 4), None, "The dice touch", sign=Sign.ASK), labels=("Enter", "", "", ""), lost=("ring",)
        ),
        "rolled_select": view(
            Rolled((3, 4, 6), 13, "Which dice again?", selected=(0, 2), cursor=1), labels=("Back", "←", "→", "Mark")
        ),
        "rolled_correct": view(
            Rolled((3, None, 6), None, "Die 2", "press + and −", selected=(1,), cursor=1),
            labels=("Back", "−", "+", "OK"),
        ),
        "rolled_six": view(Rolled((6, 6, 6, 6, 6, 6), 36, "Free table", selected=(5,), cursor=0)),
        "rolled_many": view(
            Rolled((1, 2, 3, 4, 5, 6, None, 1, 2, 3, 4, 5, 6, 1, 2), None, "Wrong number of dice", "Count!")
        ),
        "rolled_none": view(Rolled((), None, "I see no dice", "Roll into the tray")),
        "choose_two": view(Choose("Was it a rat (7, 8, 9)?", ("No", "Yes"), 1)),
        "choose_three": view(Choose("Wild die", ("Lowest", "Highest", "Swap"), 2)),
        "choose_regions": view(Choose("Which card?", ("Red", "Blue", "Green", "Yellow", "Purple"), 3)),
        "choose_names": view(Choose("Player 2: name?", ("Yellow", "Green", "Blue", "Pink", "New name"), 4)),
        "choose_scrolled": view(
            Choose("Menu", ("Undo the last step", "Score sheet", "End this game", "Switch off"), 2)
        ),
        "choose_long": view(Choose(LONG, (LONG, "b"), 0)),
        "choose_empty": view(Choose("Nothing", ())),
        "count_players": view(Count("How many players?", 3, 2, 5), Header()),
        "count_lowest": view(Count("Tokens in the pool", 0, 0, 99)),
        "count_cards": view(Count("Ana: card 4", 7, 0, 9, entered=(0, 9, 5))),
        "count_limit": view(Count("Out at", 100, 1, 100)),
        "spell_start": view(Spell("Player 1", "", "A", less="✓", more="B"), Header(), ("Delete", "−", "+", "OK")),
        "spell_more": view(Spell("Player 2", "Mar", "í", less="i", more="j"), labels=("Delete", "−", "+", "OK")),
        "spell_long": view(Spell("Player 2", LONG, "Done", less="z", more="A")),
        "sheet_five": view(Sheet("Round 3", ALL_ROWS)),
        "sheet_three": view(Sheet("", ALL_ROWS[:3]), Header("Scores")),
        "sheet_no_header": view(Sheet("Dice", (Row("1", "12 %"), Row("2", "17 %"))), Header()),
        "sheet_long": view(Sheet("All", tuple(Row(f"{LONG} {n}", str(1000 * n)) for n in range(9)))),
        "winner_one": view(
            Winner("Winner!", ("Ebba",), (Row("Ebba", "5"), Row("Bo", "7"), Row("Ana", "12"))),
            Header(),
            ("", "", "", "OK"),
        ),
        "winner_shared": view(
            Winner("Shared win", ("Ana", "Maximilian"), tuple(Row(row.name, row.value) for row in ALL_ROWS)), Header()
        ),
        "winner_five": view(FIVE, Header(), ("Menu", "Scores", "", "New game")),
        "winner_five_lost": view(FIVE, Header(), ("Menu", "Scores", "", "New game"), lost=("camera",)),
        "winner_six": view(SIX, Header(), ("Menu", "Scores", "", "New game")),
        "winner_long": view(Winner(LONG, (LONG, LONG), tuple(Row(LONG, "5") for _ in range(6))), Header(LONG)),
        "labels_long": view(Prompt("Labels"), labels=("Take it back", "", "", "Continue")),
        "labels_too_long": view(Prompt("Labels"), labels=("Wiederholen", "Rückgängig", "Überspringen", "Bestätigen")),
        "labels_right": view(Prompt("Labels"), labels=("", "", "No", "Yes, every one")),
        "header_all": view(
            Prompt("All at once"),
            Header("Maximiliana", tokens=20, final=True, left=5),
            lost=("camera", "oled", "ring", "buttons"),
        ),
        "header_lost": view(Prompt("Everything"), Header("Ana"), lost=ROLES),
        "header_final": view(Prompt("Last turn", sign=Sign.WILD), Header("Bo", 3, final=True, left=2), lost=("piezo",)),
    }
    | {
        f"lost_{role}": view(Prompt(words.name, (words.help,), Sign.TROUBLE), lost=(role,))
        for role, words in DEVICES.items()
    }
    | {f"sign_{sign.value}": view(Prompt(sign.value.capitalize(), sign=sign)) for sign in Sign}
)


def contact_sheet(pictures: dict[str, Image.Image], columns: int = 4, scale: int = 2) -> Image.Image:
    """All pictures side by side, enlarged, in the blue-white of a panel."""
    width, height = 128 * scale + 8, 64 * scale + 8
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * width, rows * height), (70, 70, 70))
    for n, picture in enumerate(pictures.values()):
        big = picture.convert("L").resize((128 * scale, 64 * scale), Image.Resampling.NEAREST)
        sheet.paste(big, (n % columns * width + 4, n // columns * height + 4))
    return sheet


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("screens.png")
    contact_sheet({name: draw(shown) for name, shown in VIEWS.items()}).save(target)


if __name__ == "__main__":
    main()
