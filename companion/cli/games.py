"""`companion games`: lists, shows, draws, exports and replays past games, and tells how the dice fell."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.cli import config_option, is_of_output
from companion.config import ConfigError, find, journal_file, load
from companion.history import course, plot
from companion.history.drawing import PLOTS, NotDrawn, Shape, save
from companion.history.retelling import Differs, Step, kept, may_be_told, retell
from companion.history.rolls import Throw, throws
from companion.history.sheets import NAMES, sheet, summed
from companion.history.statistics import Fairness, caution, number_dice, wild_die
from companion.history.writing import as_csv, as_text, plain
from companion.journal import (
    Journal,
    JournalCorrupt,
    JournalError,
    JournalUnread,
    Record,
    Summary,
    kept_aside,
    mend,
    utc_now,
)
from companion.journal.aside import PARTS
from companion.journal.lock import LOCK, real
from companion.progress import bar_of_many
from companion.typed import file_ending_in, to_type, typed_path

FACE_DOWN = (
    "is still being played, and its cards lie face-down (R21): its lines can be shown once the hands are revealed"
)


class Impossible(Exception):
    """What was asked for cannot be done; the text says why."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(journal=None, config=None, form=None)
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    for each in (common, parser):  # before and after the action
        each.add_argument("--journal", type=typed_path, metavar="FILE", help="the journal; else the configured one")
        config_option(each, "the configuration that names the journal")
    written = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    for each in (written, parser):
        form = each.add_mutually_exclusive_group()
        form.add_argument("--json", dest="form", action="store_const", const="json", help="as JSON")
        form.add_argument("--csv", dest="form", action="store_const", const="csv", help="as CSV, in UTF-8")
    drawn = file_ending_in("a plot", *PLOTS)
    parser.epilog = (
        "Status: 0; 1 when a game differs or cannot be told; 2 for options that make no sense. Without ACTION: list."
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION")

    def add(name: str, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=text, description=text, parents=[common, *parents])

    add("list", "One line about every game; also when no action is named.", written)
    for name, text, parents in (
        ("show", "The score sheet and the rolls of a game.", [written]),
        ("export", "A game as protocol lines: input for companion referee.", []),
        ("replay", "Lets the referee retell a game, a line a step; status 1 where it differs.", []),
    ):
        one = add(name, text, *parents)
        one.add_argument("game", nargs="?", default="last", metavar="N", help="its number; the last one if left out")
        if name == "show":
            one.add_argument("--rolls", action="store_true", help="with --csv: the rolls instead of the score sheet")
            one.add_argument("--plot", type=drawn, metavar="FILE", help="draw how it went into an .svg or .png file")
    stats = add("stats", "How often each face came, and whether that is unusual.", written)
    stats.add_argument("games", nargs="*", metavar="N", help="numbers of games; all if left out")
    stats.add_argument("--plot", type=drawn, metavar="FILE", help="draw the number dice into an .svg or .png file")
    add("set-aside", "Keeps a damaged journal under another name, and what is sound of it in its place.")


def run(options: argparse.Namespace) -> int:
    """Status 0; 1 where a game differs or cannot be told, with the reason on standard error; 2 for options that make no
    sense."""
    if senseless := _senseless(options):
        _tell(senseless)
        return 2
    try:
        file = options.journal or _configured(find(options.config, os.environ))
        if options.action == "set-aside":
            print(_set_aside(file))
            return 0
        _keep_apart(getattr(options, "plot", None), file)
        with Journal.look(file, _tell) as journal:
            _ACTIONS[options.action or "list"](journal, options)
    except (Impossible, Differs, JournalError, ConfigError, NotDrawn, OSError) as error:
        if isinstance(error, OSError) and is_of_output(error):
            raise
        _tell(str(error))
        return 1
    return 0


def _senseless(options: argparse.Namespace) -> str:
    """What does not go together, in words; "" for nothing."""
    if options.action in ("export", "replay", "set-aside") and options.form is not None:
        return f"--{options.form} belongs to list, show and stats"
    if options.action == "show" and options.rolls and options.form != "csv":
        return "--rolls needs --csv; in the other forms the rolls follow the score sheet"
    return ""


def _configured(file: Path | None) -> Path:
    """The journal that a configuration names."""
    return journal_file(load(file), os.environ, file)


def _keep_apart(drawn: Path | None, journal: Path) -> None:
    """Nothing is drawn over the journal or what belongs to it, whatever it is called. Raises Impossible."""
    own = {os.path.realpath(f"{real(journal)}{ending}") for ending in (*PARTS, LOCK)}
    if drawn is not None and os.path.realpath(drawn) in own:
        raise Impossible(f"{drawn} belongs to the journal; name another file for the plot")


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


def _draw(shapes: tuple[Shape, ...], file: Path) -> None:
    save(shapes, file)
    _tell(f"the plot is in {file}")


def _set_aside(file: Path) -> str:
    """Only a damaged journal is set aside; what is sound of it stays. Gives what became of it."""
    try:
        with Journal.look(file) as journal:
            journal.read_through(bar_of_many)
    except JournalCorrupt:
        return str(mend(file, utc_now(), bar_of_many))
    raise Impossible(f"journal {file}: it is not damaged; to begin a new one all the same, rename it")


# -- list


def _list(journal: Journal, options: argparse.Namespace) -> None:
    for damaged in kept_aside(journal.path):
        _tell(f"a damaged journal is kept as {damaged}; games of it may be missing here, or cut short")
    games = [_about(game) for game in journal.games()]
    if options.form == "json":
        print(json.dumps(games, indent=2))
        return
    columns = ("No", "Started", "Game", "Players", "Actions", "Minutes", "Ended")
    rows = [
        (
            game["number"],
            game["started"] if options.form == "csv" else _local(game["started"]),
            NAMES.get(game["game"], game["game"]),
            ", ".join(game["players"]),
            game["actions"],
            game["minutes"],
            game["ended"],
        )
        for game in games
    ]
    if options.form == "csv":
        print(as_csv(columns, rows), end="")
    else:
        print(as_text(columns, rows) if rows else "no game was played yet")


def _local(opened: str) -> str:
    """A journal's time as the clock on the wall shows it here; one that is damaged as it stands."""
    try:
        return f"{datetime.fromisoformat(opened).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, TypeError):
        return str(opened)


def _about(game: Summary) -> dict[str, Any]:
    start, end = _object(game.start), None if game.finish is None else _object(game.finish)
    players = [str(name) for name in _items(start, "players") or ["?"]]
    return {
        "number": game.number,
        "started": game.opened,
        "game": str(start.get("game", "?")),
        "players": players,
        "actions": game.actions,
        "minutes": round(game.last_at_s / 60) if math.isfinite(game.last_at_s) else 0,
        "ended": _ending(players, end),
    }


def _ending(players: list[str], end: dict[str, Any] | None) -> str:
    if end is None:
        return "not finished"
    winners = [
        players[number] for number in _items(end, "winners") if type(number) is int and 0 <= number < len(players)
    ]
    return f"won by {', '.join(winners)}" if winners else "finished"


def _object(line: str) -> dict[str, Any]:
    """A summary's lines bear no checked seal: damage in one is shown as "?", and named when the game is read."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _items(found: dict[str, Any], name: str) -> list[Any]:
    """A list in such a line; none where something else stands there."""
    items = found.get(name)
    return items if isinstance(items, list) else []


# -- one game


def _record(journal: Journal, options: argparse.Namespace, wanted: str) -> Record:
    numbers = [game.number for game in journal.games()]
    if not numbers:
        raise Impossible("no game was played yet")
    number = numbers[-1] if wanted == "last" else {str(each): each for each in numbers}.get(wanted.lstrip("0"))
    if number is None:
        raise Impossible(f"there is no game {wanted}; {_listing(options)} shows those there are")
    return journal.read(number)


def _listing(options: argparse.Namespace) -> str:
    """The command that lists the games of the same journal."""
    named = {"--journal": options.journal, "--config": options.config}
    given = [word for flag, file in named.items() if file is not None for word in (flag, file)]
    return to_type("companion", "games", "list", *given)


def _open_record(journal: Journal, options: argparse.Namespace) -> Record:
    """A record all of whose lines may be shown."""
    record = _record(journal, options, options.game)
    if not may_be_told(record, still_played=record.number == journal.newest() and record.finish is None):
        raise Impossible(f"game {record.number} {FACE_DOWN}")
    return record


def _export(journal: Journal, options: argparse.Namespace) -> None:
    for line in _open_record(journal, options).lines:
        print(line)


def _replay(journal: Journal, options: argparse.Namespace) -> None:
    record = _open_record(journal, options)
    for number, step in enumerate(retell(record), 1):
        print(f"{number:4}  {_clock(step.at_s)}  {plain(_line(step))}")
        print(f"      {plain(_stand(step))}")
    print(f"game {record.number}: every line is lawful, and it ends as recorded")


def _line(step: Step) -> str:
    who = step.before.public["player"] if step.before else None
    name = step.after.public["players"][who]["name"] if who is not None else ""
    return " ".join(
        [
            f"{name}:" if name else "",
            json.dumps({name: value for name, value in step.message.items() if name != "at"}, ensure_ascii=False),
        ]
    ).strip()


def _stand(step: Step) -> str:
    ask = step.after.ask
    who = "" if ask.player is None else f"{step.after.public['players'][ask.player]['name']}: "
    return f"→ {who}{ask.step} ({', '.join(ask.actions) or 'the end'})"


def _clock(at_s: float) -> str:
    return f"{int(at_s) // 3600}:{int(at_s) // 60 % 60:02}:{int(at_s) % 60:02}"


def _show(journal: Journal, options: argparse.Namespace) -> None:
    record = _record(journal, options, options.game)
    steps = kept(retell(record))
    points, thrown = sheet(steps), throws(steps)
    names = [player["name"] for player in steps[-1].after.public["players"]]
    if options.plot:
        title = f"Game {record.number}: {NAMES[steps[0].message['game']]}"
        _draw(tuple(course.drawn(steps, title)), options.plot)
    if options.form == "csv" and options.rolls:
        print(as_csv(_ROLLS, [_row(each, names) for each in thrown]), end="")
    elif options.form == "csv":
        print(as_csv(points.columns, points.rows), end="")
    elif options.form == "json":
        rows = [dict(zip(points.columns, row, strict=True)) for row in points.rows]
        rolls = [_throw_told(throw, names) for throw in thrown]
        told = {"number": record.number, "started": record.opened, "game": steps[0].message["game"]}
        print(json.dumps({**told, "sheet": rows, "rolls": rolls}, indent=2))
    else:
        print(f"Game {record.number}: {NAMES[steps[0].message['game']]}, started {_local(record.opened)}\n")
        print(as_text(points.columns, points.rows))
        if thrown:
            print("\n" + as_text(_ROLLS, [_row(each, names) for each in thrown]))


_ROLLS = ("Turn", "Time", "Player", "Thrown", "Total")


def _row(throw: Throw, names: list[str]) -> tuple[str | int | None, ...]:
    what = throw.wild or summed(throw.dice)
    again = " (again)" if throw.again else ""
    return throw.turn, _clock(throw.at_s), names[throw.player], f"{what}{again}", throw.total


def _throw_told(throw: Throw, names: list[str]) -> dict[str, Any]:
    return {
        "turn": throw.turn,
        "at": throw.at_s,
        "player": names[throw.player],
        "dice": list(throw.dice),
        "wild": throw.wild,
        "again": throw.again,
        "total": throw.total,
    }


# -- statistics


def _stats(journal: Journal, options: argparse.Namespace) -> None:
    if options.games:
        records = {record.number: record for record in (_record(journal, options, wanted) for wanted in options.games)}
        thrown = [throw for record in records.values() for throw in _throws(record)]
    else:
        thrown = _all_throws(journal)
    numbers = number_dice(die for throw in thrown for die in throw.dice)
    wild = wild_die(throw.wild for throw in thrown if throw.wild)
    if options.plot and not numbers.thrown:
        raise Impossible(f"nothing is drawn: {_undiced(journal, options)}")
    if options.plot:
        _draw(tuple(plot.drawn(numbers, "Number dice")), options.plot)
    if options.form is None and not thrown:
        print(_undiced(journal, options))
        return
    _FORMS[options.form](numbers, wild)


def _undiced(journal: Journal, options: argparse.Namespace) -> str:
    """What is told, and to be done, where no number dice were thrown."""
    if not journal.games():
        return "no game was played yet"
    where = "any game yet"
    if options.games:
        where = f"game{'' if len(options.games) == 1 else 's'} {', '.join(options.games)}"
    if options.games == ["last"]:
        where = "the last game"
    return f"no dice were thrown in {where}; they are in {NAMES['roll']} and at the free table: see {_listing(options)}"


def _throws(record: Record) -> tuple[Throw, ...]:
    return throws(kept(retell(record)))


def _all_throws(journal: Journal) -> list[Throw]:
    """Of all games: a damaged one, or one of another companion or other rules, is told and left out."""
    games, thrown, left_out = journal.games(), list[Throw](), list[Exception]()
    for done, game in enumerate(games, 1):
        try:
            thrown.extend(_throws(journal.read(game.number)))
        except (Differs, JournalCorrupt, JournalUnread) as error:
            left_out.append(error)
        bar_of_many(done, len(games))
    for fault in left_out:
        _tell(f"left out: {fault}")
    return thrown


def _stats_text(numbers: Fairness, wild: Fairness) -> None:
    for title, dice in (("Number dice", numbers), ("Wild die", wild)):
        if dice.thrown or dice is numbers:
            rows = [(face, count, f"{dice.expected:.1f}") for face, count in zip(dice.faces, dice.counts, strict=True)]
            print(f"{title}: {dice.told}\n{as_text(('Face', 'Thrown', 'Fair dice'), rows)}")
            if dice.p is not None:
                freedom = len(dice.faces) - 1
                print(f"chi-square {dice.chi_square:.2f} with {freedom} degrees of freedom, p = {dice.p:.4f}")
            print(f"{dice.verdict}\n")
    print(caution())


def _stats_json(numbers: Fairness, wild: Fairness) -> None:
    print(json.dumps({"number_dice": _fairness_told(numbers), "wild_die": _fairness_told(wild)}, indent=2))


def _fairness_told(dice: Fairness) -> dict[str, Any]:
    return {
        "thrown": dice.thrown,
        "counts": dict(zip(dice.faces, dice.counts, strict=True)),
        "expected": dice.expected,
        "chi_square": dice.chi_square,
        "p": dice.p,
        "enough": dice.enough,
        "verdict": dice.verdict,
    }


def _stats_csv(numbers: Fairness, wild: Fairness) -> None:
    rows = [
        (name, face, count)
        for name, dice in (("number", numbers), ("wild", wild))
        for face, count in zip(dice.faces, dice.counts, strict=True)
    ]
    print(as_csv(("Die", "Face", "Thrown"), rows), end="")


_FORMS = {None: _stats_text, "json": _stats_json, "csv": _stats_csv}
_ACTIONS: dict[str, Callable[[Journal, argparse.Namespace], None]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "replay": _replay,
    "stats": _stats,
}
