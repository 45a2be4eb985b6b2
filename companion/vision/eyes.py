"""Number dice and the Wild die in one picture, told apart wherever they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.events import Box, Fact, Reading, Why, WildDie
from companion.pictures import normalise
from companion.ports import Picture
from companion.vision.bars import inside
from companion.vision.looking import Look
from companion.vision.networks import Networks
from companion.vision.reader import SURELY_A_DIE, Reader, Survey
from companion.vision.ruler import Ruler
from companion.vision.shapes import seen_otherwise
from companion.vision.twice import both, unseconded
from companion.vision.verdict import verdict
from companion.vision.views import Views
from companion.vision.wild import Found, WildReader

OVER = 0.6  # of the Wild die's width: what lies nearer to its middle is the Wild die, or a part of it
NEARLY = 0.85  # chance of a value below which a look at the known scale, with no die beyond doubt, bears nothing out


@dataclass(frozen=True, slots=True)
class Sight:
    """What a picture shows: the number dice without the Wild die, and the Wild die if it lies there.

    `blind`: the Wild die is known, but could not be looked for in this picture.
    """

    reading: Reading
    wild: WildDie | None = None
    blind: bool = False


class Eyes:
    """Reads number dice, and the Wild die where it was taught. Belongs to one thread, as its reader does."""

    def __init__(self, reader: Reader, wild: WildReader | None = None) -> None:
        self._reader = reader
        self._wild = wild

    @property
    def knows_wild(self) -> bool:
        return self._wild is not None

    def facts(self) -> tuple[Fact, ...]:
        """Nothing else becomes known."""
        return ()

    def see(self, picture: Picture, *, count: int | None = None, afresh: bool = False) -> Sight:
        """A frame of any kind. `count`: how many number dice must lie there. Raises BadPicture for no picture.

        `afresh`: the number dice are looked at as if no picture had been seen before.
        """
        views = Views(normalise(picture))
        return self._sight(self._reader.survey(views, afresh=afresh), self._found(views), count=count)

    def see_twice(self, picture: Picture, *, count: int | None = None) -> Sight:
        """What two looks come to (`twice.both`): one as at first sight, by one pair of networks, and one at the known
        scale, by the other. That comes first; where no scale was known, the look that tells it does.

        Where that sees no die that does, it stays alone. As `see` otherwise.
        """
        views = Views(normalise(picture))
        found, known = self._found(views), self._reader.scale_px is not None
        at_sight = self._reader.survey(views, afresh=known)
        at_scale = self._reader.at_scale(at_sight)
        if at_scale is None:
            return self._sight(at_sight, found, count=count)
        one, other = (at_scale, at_sight) if known else (at_sight, at_scale)
        first = self._sight(one, found, count=count)
        second = self._sight(other, found, count=count, again=not first.reading.asks)
        reading = both(first.reading, second.reading, told=count is not None)
        agreed = first.reading.sure and second.reading.sure and at_scale.plainest > NEARLY
        borne_out = count is not None or at_scale.plainest > SURELY_A_DIE or agreed
        return replace(first, reading=reading if borne_out else unseconded(reading))

    def _found(self, views: Views) -> Found | None:
        return None if self._wild is None else self._wild.find(views.taken)

    def _sight(self, survey: Survey, found: Found | None, *, count: int | None, again: bool = False) -> Sight:
        """One look over the number dice of a picture, in which the Wild die was `found`, or was not.

        `again`: as of `Reader.judged`.
        """

        def judged(some: Survey, others: Sequence[Box] = ()) -> Reading:
            return self._reader.judged(some, count=count, others=others, again=again)

        if found is None:
            return Sight(judged(survey))
        under, others = _parted(survey.looks, found.die)
        number = any(_surely_a_number(look, self._reader.measure) for look in under)
        if found.certain and not number:
            return Sight(judged(replace(survey, looks=others), (found.die.box,)), found.die)
        reading = judged(survey)
        if not found.certain:
            return Sight(reading, None if number else found.die)
        return Sight(  # one thing cannot be a number die and the Wild die
            reading.unsure(reading.why or Why.FAINT),
            replace(found.die, face=None, confidence=0.0, why=Why.FAINT),
        )


def alone(
    picture: Picture,
    *,
    count: int | None = None,
    wild: WildReader | None = None,
    networks: Networks | None = None,
    measure: Ruler | None = None,
) -> Sight:
    """A picture that no other one precedes, seen twice, and what leaves something to ask in other shapes, too.

    Bars along its sides are no part of it. A table at which the Wild die was taught has them in its empty picture, too,
    and is seen whole, and in its own shape. `networks`, `measure`: as of `Reader`. Raises BadPicture as `see` does.
    """

    def seen(some: Picture) -> Sight:
        return Eyes(Reader(networks=networks, measure=measure), wild).see_twice(some, count=count)

    whole = normalise(picture)
    if wild is not None:
        return seen(whole)
    rows, columns = inside(whole)
    shown = whole[rows, columns]
    reading = seen_otherwise(seen(shown).reading, shown, lambda some: seen(some).reading)
    return Sight(reading.moved(columns.start, rows.start))


def _parted(looks: Sequence[Look], wild: WildDie) -> tuple[list[Look], list[Look]]:
    """The looks at the Wild die, and all others."""
    x, y = wild.centre
    reach = OVER * wild.box[2]
    near = [max(abs(look.place.x - x), abs(look.place.y - y)) <= reach for look in looks]
    return (
        [look for look, is_near in zip(looks, near, strict=True) if is_near],
        [look for look, is_near in zip(looks, near, strict=True) if not is_near],
    )


def _surely_a_number(look: Look, measure: Ruler) -> bool:
    return bool((alone := verdict([look], measure, count=None)).dice) and alone.sure
