"""The free table (F1): any other dice game, 1–8 players by name. Nothing is enforced but whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar, Literal, TypeAlias, TypedDict

from companion.core import Ask, Illegal, Malformed, Outcome
from companion.games import members
from companion.games.members import Message
from companion.games.number_dice import PIPS, rerolls

Step: TypeAlias = Literal["roll", "accept", "over"]
Dice: TypeAlias = tuple[int, ...]
PLAYERS = 1, 8  # how many, F1
MOST_DICE = 6
PAGE = 64  # rolls: what each state has of its own stays small over thousands of them


@dataclass(frozen=True, slots=True)
class Settings:
    """`dice`: the most dice of one roll, 1–6."""

    players: tuple[str, ...]
    dice: int = 2


@dataclass(frozen=True, slots=True)
class Player:
    """One seat, and each of its accepted rolls, by pages: the states of a table that nobody closes share full ones.

    `sum`: of all dice of those rolls.
    """

    name: str
    pages: tuple[tuple[Dice, ...], ...] = ((),)
    sum: int = 0

    @property
    def rolls(self) -> list[Dice]:
        """A new list, made page by page: it is wanted at every fact, however long it is."""
        rolls: list[Dice] = []
        for page in self.pages:
            rolls += page
        return rolls

    def rolled(self, dice: Dice) -> Player:
        """With one roll more."""
        *full, last = self.pages
        pages = (*full, (*last, dice)) if len(last) < PAGE else (*self.pages, (dice,))
        return replace(self, pages=pages, sum=self.sum + sum(dice))


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game. `dice`: the roll that is not yet accepted."""

    settings: Settings
    players: tuple[Player, ...]
    player: int | None = 0
    step: Step = "roll"
    turn: int = 1
    dice: tuple[int, ...] | None = None

    @property
    def acting(self) -> int:
        """The number of the player whose turn it is."""
        assert self.player is not None, "the game is over"
        return self.player


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice as they lie."""

    do: ClassVar[str] = "roll"
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Accept:
    """The roll counts, and the next player is on."""

    do: ClassVar[str] = "accept"


@dataclass(frozen=True, slots=True)
class Reroll:
    """The dice at `which` were thrown again; `dice` are their new values."""

    do: ClassVar[str] = "reroll"
    which: tuple[int, ...]
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The game is closed; a roll not yet accepted is dropped."""

    do: ClassVar[str] = "end"


Event: TypeAlias = Roll | Accept | Reroll | End

ACTIONS = frozenset(kind.do for kind in (Roll, Accept, Reroll, End))

STEP_RULE = {
    "roll": "F1: it is the player's turn to roll",
    "accept": "F1: the player accepts the roll or re-rolls",
    "over": "F1: the game is closed",
}


def start(settings: Settings) -> State:
    return State(settings, tuple(Player(name) for name in settings.players))


def ask(state: State) -> Ask[Event]:
    """Who must act, and what is legal now."""
    return Ask(
        player=state.player,
        step=state.step,
        actions=_actions(state),
        permits=lambda event: _why_not(state, event) is None,
        events=lambda: _events(state),
    )


def _actions(state: State) -> tuple[str, ...]:
    match state.step:
        case "roll":
            return ("end", "roll")
        case "accept":
            return ("accept", "end", "reroll")
        case "over":
            return ()


def _why_not(state: State, event: Event) -> str | None:
    if event.do not in _actions(state):
        return f"{STEP_RULE[state.step]}; {event.do} is not played now"
    match event:
        case Reroll(which) if state.dice is not None and which[-1] >= len(state.dice):
            return f"F1: only the {members.counted(len(state.dice), 'die', 'dice')} rolled this turn may be re-rolled"
    return None


def _events(state: State) -> Iterator[Event]:
    most = state.settings.dice
    match state.step:
        case "roll":
            yield End()
            yield from (Roll(dice) for count in range(1, most + 1) for dice in product(PIPS, repeat=count))
        case "accept":
            yield Accept()
            yield End()
            yield from (Reroll(*one) for one in rerolls(len(state.dice or ())))
        case "over":
            return


def apply(state: State, event: Event, at_s: float) -> State:
    """What holds after `event`; the time does not matter. Raises Illegal."""
    if why_not := _why_not(state, event):
        raise Illegal(why_not)
    match event:
        case Roll(dice):
            return replace(state, dice=dice, step="accept")
        case Reroll(which, dice):
            new = dict(zip(which, dice, strict=True))
            return replace(state, dice=tuple(new.get(index, pips) for index, pips in enumerate(state.dice or ())))
        case Accept():
            return _accept(state, state.dice or ())
        case End():
            return replace(state, step="over", player=None, dice=None)


def _accept(state: State, dice: tuple[int, ...]) -> State:
    on = state.acting
    players = (*state.players[:on], state.players[on].rolled(dice), *state.players[on + 1 :])
    following = (on + 1) % len(players)
    return replace(state, players=players, player=following, step="roll", turn=state.turn + 1, dice=None)


def outcome(state: State) -> Outcome | None:
    """Nobody wins at the free table: only the sums, once the game is closed."""
    return Outcome((), tuple(player.sum for player in state.players)) if state.step == "over" else None


class PublicPlayer(TypedDict):
    name: str
    rolls: list[Dice]
    sum: int


class Public(TypedDict):
    """The protocol's `state` of the free table."""

    game: Literal["free"]
    turn: int
    player: int | None
    step: Step
    dice: list[int] | None
    total: int | None
    players: list[PublicPlayer]


def public(state: State) -> Public:
    """All there is: the free table has no cards."""
    return {
        "game": "free",
        "turn": state.turn,
        "player": state.player,
        "step": state.step,
        "dice": None if state.dice is None else list(state.dice),
        "total": None if state.dice is None else sum(state.dice),
        "players": [{"name": player.name, "rolls": player.rolls, "sum": player.sum} for player in state.players],
    }


def settings(message: Message) -> Settings:
    """What a `start` line agrees on. Raises Malformed."""
    members.check(message, "game", "players", optional=("dice",))
    names = members.names(message["players"], *PLAYERS)
    return Settings(names, members.whole(message.get("dice", 2), "dice", 1, MOST_DICE))


def parse(message: Message, settings: Settings) -> Event:
    """The event that an action's line means. Raises Malformed; whether it is allowed now is not asked here."""
    match message["do"]:
        case "roll":
            members.check(message, "dice")
            return Roll(members.dice(message["dice"], settings.dice))
        case "accept":
            members.check(message)
            return Accept()
        case "reroll":
            return Reroll(*members.rerolled(message, settings.dice))
        case "end":
            members.check(message)
            return End()
        case unknown:
            raise Malformed(f"unknown action {members.quoted(unknown)}")


def to_message(event: Event) -> dict[str, object]:
    """The line that means `event`; `parse` gives the same event back."""
    match event:
        case Roll(dice):
            return {"do": "roll", "dice": list(dice)}
        case Reroll(which, dice):
            return {"do": "reroll", "which": list(which), "dice": list(dice)}
        case Accept() | End():
            return {"do": event.do}
