"""The questions before a game: which game, and who plays where. Each game asks for its own settings after that."""

from __future__ import annotations

from unicodedata import normalize

from companion.events import Button
from companion.locale import Texts
from companion.table.asking import Asking, Given, Next
from companion.table.company import Company, Sitting
from companion.table.games import GAMES
from companion.table.house import House
from companion.table.questions import Keys, Name, Number, Pick, Question
from companion.table.roll_setup import PAWN
from companion.view import Prompt

NEW_NAME = None  # a text might be somebody's name
SEAT = "seat "  # and the player's number: the key under which a seat is answered


def dialogue(house: House, last: Sitting | None, given: Given, _: Texts) -> Next:
    """The next question before the game, or its start."""
    game = _game(house, given, _)
    if isinstance(game, Asking):
        return game
    if last is not None and last.game == game:
        if "again" not in given:
            return Asking("again", Pick(_("Same players?"), ((True, _("Yes")), (False, _("No")))))
        if given["again"]:
            return GAMES[game].settings(house, last.company, given, _)
    company = _company(house, last, given, game, _)
    return company if isinstance(company, Asking) else GAMES[game].settings(house, company, given, _)


def _game(house: House, given: Given, _: Texts) -> str | Asking:
    if "welcome" not in given:
        page = Prompt(_("Hello!"), (_("Press Start"),))
        return Asking("welcome", Keys(page, {Button.OK: (True, _("Start"))}))
    if len(house.games) == 1:
        return house.games[0]
    if "game" not in given:
        return Asking("game", Pick(_("Which game?"), tuple((game, GAMES[game].name(_)) for game in house.games)))
    return str(given["game"])


def _company(house: House, last: Sitting | None, given: Given, game: str, _: Texts) -> Company | Asking:
    least, most = GAMES[game].players
    if "players" not in given:
        most = min(most, len(house.seats))
        return Asking("players", Number(_("How many players?"), least, most, min(max(least, house.players), most)))
    count = given["players"]
    assert isinstance(count, int)
    names: list[str] = []
    seats: list[int] = []
    for player in range(count):
        offered = _offered(house, last, names, seats)
        asking = _name(given, player, offered, names, _) or _seat(house, given, player, names, seats, _)
        if asking:
            return asking
    return _clockwise(house, names, seats)


def _clockwise(house: House, names: list[str], seats: list[int]) -> Company:
    """Round the table is the order of play (R6, C3), whoever was named first."""
    order = sorted(range(len(names)), key=lambda player: house.seats[seats[player]].place)
    return Company(tuple(names[player] for player in order), tuple(seats[player] for player in order))


def _name(given: Given, player: int, offered: tuple[str, ...], names: list[str], _: Texts) -> Asking | None:
    """Appends the player's name to `names`, or asks for it: one already known, or a new one letter by letter."""
    key, spelled = f"name {player}", f"spelled {player}"
    if key not in given:
        options = (*((name, name) for name in offered), (NEW_NAME, _("New name")))
        return Asking(key, Pick(_("Player {n}: name?").format(n=player + 1), options))
    name = str(given[key])
    if given[key] is NEW_NAME:
        if spelled not in given:
            return Asking(spelled, Name(_("Name?")))
        name = str(given[spelled])
        if name in names:
            return Asking(spelled, Name(_("Taken! Another name?"), name))
    names.append(name)
    return None


def _offered(house: House, last: Sitting | None, names: list[str], seats: list[int]) -> tuple[str, ...]:
    """Remembered names, and those of the game before, whichever it was; then the colours of the free seats for those
    whom the table does not know."""
    colours = tuple(_colour(house, seat) for seat in range(len(house.seats)))
    before = () if last is None else tuple(name for name in last.company.names if name not in colours)
    free = tuple(colour for seat, colour in enumerate(colours) if seat not in seats)
    every = (*(normalize("NFC", name) for name in house.names), *before, *free)
    return tuple(name for name in dict.fromkeys(every) if name not in names)


def _colour(house: House, seat: int) -> str:
    """A letter with a mark may be written in two ways: here, as when names are spelled, it is one letter."""
    return normalize("NFC", house.seats[seat].name)


def _seat(house: House, given: Given, player: int, names: list[str], seats: list[int], _: Texts) -> Asking | None:
    """Appends the player's seat to `seats`, or asks for it: somebody called by a colour most likely sits there."""
    free = tuple(seat for seat in range(len(house.seats)) if seat not in seats)
    key = f"{SEAT}{player}"
    if key not in given:
        options = tuple((seat, house.seats[seat].name) for seat in free)
        likely = next((n for n, seat in enumerate(free) if _colour(house, seat) == names[player]), 0)
        return Asking(key, Pick(_("{name}: seat?").format(name=names[player]), options, likely))
    seat = given[key]
    assert isinstance(seat, int)
    seats.append(seat)
    return None


def being_set_up(house: House, given: Given) -> str | None:
    """The game that the answers are about; None before it is known."""
    game = _game(house, given, house.texts)
    return None if isinstance(game, Asking) else game


def seats_taken(last: Sitting | None, given: Given) -> tuple[int, ...]:
    """Where those sit who have told so far, or, if they are the same, who played before."""
    if last is not None and given.get("again"):
        return last.seats
    return tuple(seat for key, seat in given.items() if key.startswith(SEAT) and isinstance(seat, int))


def asked_seat(key: str, question: Question) -> int | None:
    """The seat under the cursor, where a seat is asked for."""
    return _place(question) if key.startswith(SEAT) else None


def asked_space(key: str, question: Question) -> int | None:
    """The board's space under the cursor, where the pawn's is asked for."""
    return _place(question) if key == PAWN else None


def _place(question: Question) -> int:
    assert isinstance(question, Pick)
    place = question.options[question.index][0]
    assert isinstance(place, int)
    return place
