"""Games of Roll with a real deck: 45 cards that move about a table of their own, beside the referee that is told."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from at_the_table import Line, do, refusal

from companion.core import Audit
from companion.referee import Match, begin, legal, play

DECK = [*range(9)] * 4 + [9] * 9  # R3


class Card:
    """One piece of cardboard. `seen`: it lay face-up in the market when it was taken."""

    def __init__(self, value: int) -> None:
        self.value = value
        self.seen = False


class Cardboard:
    """Draw pile (top last), market and hands, moved as the players' hands move them."""

    def __init__(self, players: int, chance: random.Random) -> None:
        self.chance = chance
        self.pile = [Card(value) for value in DECK]
        chance.shuffle(self.pile)
        self.hands = [[self.pile.pop()] for _ in range(players)]
        self.market: list[Card | None] = [self.pile.pop() for _ in range(5)]
        self.held: Card | None = None

    def values(self) -> list[int | None]:
        return [None if card is None else card.value for card in self.market]

    def fits(self, line: Line) -> Line:
        """The line with the card values that really lie there."""
        match line["do"]:
            case "take" if line["from"] == "deck":
                return line | {"rat": self.pile[-1].value >= 7}
            case "refill":
                return line | {"value": self.pile[-1].value}
            case "redeal":
                self.pile += [card for card in self.market if card is not None]
                self.chance.shuffle(self.pile)
                return line | {"market": [card.value for card in self.pile[:-6:-1]]}
        return line

    def move(self, line: Line, before: Match) -> None:
        own = [] if before.ask.player is None else self.hands[before.ask.player]
        match line["do"]:
            case "take":
                card = self.pile.pop() if line["from"] == "deck" else self.lift(line, before)
                card.seen = line["from"] == "market"
                if before.public["players"][before.ask.player]["complete"]:
                    self.held = card
                else:
                    own.append(card)
            case "discard":
                assert self.held is not None
                self.pile.insert(0, own[line["slot"]])
                own[line["slot"]], self.held = self.held, None
            case "swap":
                theirs = self.hands[line["player"]]
                own[line["mine"]], theirs[line["theirs"]] = theirs[line["theirs"]], own[line["mine"]]
            case "refill":
                self.market[self.market.index(None)] = self.pile.pop()
            case "redeal":
                self.market = [self.pile.pop() for _ in range(5)]

    def lift(self, line: Line, before: Match) -> Card:
        """The market card that the line means: the one named, or the only one the space or the Wild die leaves."""
        region = line.get("region")
        if region is None and before.public["wild"] is not None:
            wanted = (min if before.public["wild"] == "lowest" else max)(self.values())
            region = self.values().index(wanted)
        if region is None:
            region = (before.public["pawn"] - 1) // 4
        card = self.market[region]
        assert card is not None
        self.market[region] = None
        return card


def choose(match: Match, chance: random.Random) -> Line:
    lines = list(islice(legal(match), 300))
    return chance.choice([line for line in lines if line["do"] != "reroll"])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_R20_the_referee_knows_each_market_card_where_it_really_lies(players, seed):
    chance = random.Random(f"{players} {seed}")
    table = Cardboard(players, chance)
    names = [str(player) for player in range(players)]
    match = begin(do("start", game="roll", players=names, cards="track", market=table.values()))
    while match.ask.step != "reveal":
        line = table.fits(choose(match, chance))
        table.move(line, match)
        match = play(match, line, 0)
        assert match.public["market"] == table.values()
        assert [len(hand) for hand in table.hands] == [player["cards"] for player in match.public["players"]]
        assert len(table.pile) >= 45 - 5 - sum(len(hand) for hand in table.hands) - (table.held is not None)
    for player, hand in enumerate(table.hands):
        wrong = [(card.value + 1) % 10 for card in hand]
        seen = tuple(slot for slot, card in enumerate(hand) if card.seen)
        if seen:
            audit = refusal(match, do("reveal", player=player, cards=wrong))
            assert isinstance(audit, Audit)
            assert audit.slots == seen
        match = play(match, do("reveal", player=player, cards=[card.value for card in hand]), 0)
    assert match.public["totals"] == [sum(card.value for card in hand) for hand in table.hands]
