"""When is a roll a roll: dice that lie still, read alike again and again, told once.

Fed frame by frame; time comes in. What it tells:

- `Stirred` when something begins to move;
- `Settled`, a throw's dice, sure or unsure. After a sure one no other comes until dice were thrown again; after an
  unsure one, another follows once the dice can be read or were put right;
- `Settled` with `Why.CHANGED` where a die shows something else than it was read as and was not thrown, or where some
  dice were asked about and others of them taken away meanwhile: what is left is no throw;
- `Stilled` when all is still again and nothing has become of the dice that were told;
- `Cleared` when the tray is empty and still.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.events import Cleared, Fact, Reading, Settled, Stilled, Stirred, Why
from companion.lie import Lie, compare, moved_as_one, same_lie
from companion.ports import Picture
from companion.vision.covering import Looks, Told
from companion.vision.stillness import Change, Glance, Share, change, dark, differs, glance
from companion.vision.twice import both

COVERED_S = 10.0  # for so long dice that are not seen are not gone where they lay nothing looks as the empty tray did


class Read(Protocol):
    """Reads a picture; `afresh`, as if none had been read before: a second opinion, which may take its time."""

    def __call__(self, picture: Picture, *, afresh: bool = False) -> Reading: ...


@dataclass(frozen=True, slots=True)
class Patience:
    """`still_s`: how long dice must lie still before they are read. `readings`: how many in a row must agree.

    `ask_after_s`: how long they lie still without that before an unsure reading is told; longer where it takes longer
    to read so often.
    """

    still_s: float = 0.5
    readings: int = 3
    ask_after_s: float = 3.0


@dataclass(frozen=True, slots=True)
class _Rest:
    """The present rest: how it looked when it began (`anchor`), since when, and what was read in it.

    `doubted`: readings that agreed were unsure, and so stayed after a second look. `over`: it was told, or holds
    nothing to tell.
    """

    anchor: Glance
    since_s: float
    readings: tuple[Reading, ...] = ()
    doubted: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class _Past:
    """What was told last (`told`, seen as `glance`), and what became of it.

    `final`: its dice were taken, so they are told no second time. `stirred`, `hand`: since then something, or a hand,
    moved. `away`: at a still moment one of its dice was not where it lay. `lifted`: that was so before something
    moved again, or for a whole rest: the dice were taken up. `empty`: that the tray is empty was told.
    `left`: what was told of those that lay there once others of them, that had only been asked about, were away.
    `entered`: the values that they were taken as, with those that a hand hid.
    """

    told: Reading | None = None
    glance: Glance | None = None
    final: bool = False
    stirred: bool = False
    hand: bool = False
    away: bool = False
    lifted: bool = False
    empty: bool = False
    left: Reading | None = None
    entered: tuple[int, ...] = ()


class Settler:
    """The watch over one tray. Not to be shared between threads."""

    def __init__(self, patience: Patience | None = None) -> None:
        self._patience = patience or Patience()
        self._looks = Looks()
        self._rest: _Rest | None = None
        self._past = _Past()
        self._counted = False  # is the number of dice that must lie there known
        self._found = True  # what lies there may have lain there before
        self._taken: Told | None = None  # the dice taken last before the tray was last found empty
        self._away = False  # nobody looked between the last frame and the next

    def feed(
        self, picture: Picture, now_s: float, read: Read, *, count: int | None = None, most: int | None = None
    ) -> tuple[Fact, ...]:
        """What a frame, taken at `now_s` monotonic seconds, tells. `read` is called only when all is still.

        Before dice are told they are read afresh, and what the two looks come to is told (`twice.both`).
        `count`: how many dice must lie there; another number is unsure. `most`: more of them are, where that is open.
        """
        self._counted = count is not None
        now = glance(picture)
        found = self._changed(now)
        self._looks = replace(self._looks, now=now, sides=(picture.shape[1], picture.shape[0]))
        if self._away and self._rest is not None:
            self._rest = replace(self._rest, since_s=now_s, readings=(), doubted=False)
        self._away = False
        if self._rest is None or found in (Change.MOTION, Change.HAND):
            self._rest = _Rest(now, now_s)
            return self._stir(found)
        self._notice_lifting(now)
        if found is Change.LIGHT:
            self._rest = self._in_new_light(now, now_s)
        if self._rest.over or now_s - self._rest.since_s < self._patience.still_s:
            return ()
        if dark(now):
            return self._look(lambda _afresh: Reading((), False, Why.DARK), now_s)
        return self._look(lambda afresh: self._judged(read(picture, afresh=afresh), count, most), now_s)

    def resumed(self) -> None:
        """Between the last frame and the next nobody looked: a rest is no longer than it was seen, and begins anew.

        What lay there before is still known, so that dice which are thrown meanwhile are a throw.
        """
        self._away = True

    def _judged(self, reading: Reading, count: int | None, most: int | None) -> Reading:
        """Unsure where it is not the number of dice that must lie there; if that is open, where a hand may hide one."""
        if count is not None:
            return _counted(reading, count)
        if most is not None and len(reading.dice) > most:
            return reading.unsure(Why.COUNT)
        thrown = (reading.sure or reading.if_twice) and reading.dice and not self._known(reading)
        return reading.unsure(Why.HAND) if thrown and self._newly_handed(reading) else reading

    def _known(self, reading: Reading) -> bool:
        """Whether these dice, or those of them that are left, were taken, and none was thrown since."""
        past = self._past
        if past.told is None or not past.final:
            return False
        return not self._thrown(compare(past.told, reading)) or self._pushed(reading)

    def _pushed(self, reading: Reading) -> bool:
        """Whether the dice that were told seem to lie elsewhere because the camera was moved."""
        past = self._past
        return past.told is not None and not past.lifted and moved_as_one(past.told, reading)

    def _handed(self, reading: Reading) -> bool:
        return self._looks.handed(self._around(reading))

    def _newly_handed(self, reading: Reading) -> bool:
        return self._looks.newly_handed(self._around(reading), self._told() if self._past.final else self._taken)

    def _around(self, reading: Reading) -> list[Share]:
        return [*self._looks.places(reading), *self._boxes()]

    @property
    def dark(self) -> bool:
        """Whether the last frame was too dark to see anything in it."""
        return self._looks.now is not None and dark(self._looks.now)

    def taken(self, values: Sequence[int] = ()) -> None:
        """The dice told last were taken, be it by button: even an unsure reading of them will not be told again.

        `values`: what they were taken as. Where an unsure reading said the same it was right: a die that shows
        something else later has changed. Were none told, they were entered unseen: what moves from now on is a new
        stir.
        """
        past = self._past
        if past.left is not None:
            past = _Past(told=past.left, glance=past.glance, stirred=past.stirred, hand=past.hand)
        told = past.told
        if told is not None and Counter(told.values) == Counter(values):
            told = replace(told, sure=True, why=None)
        final = told is not None
        self._found = self._found and not final
        entered = tuple(values) if told is not None and self._handed(told) else ()
        self._past = replace(past, told=told, final=final, stirred=past.stirred and final, entered=entered)

    def _changed(self, now: Glance) -> Change:
        """Against the last frame, and against the start of the rest, so that nothing creeps away unseen."""
        if self._looks.now is None or self._rest is None:
            return Change.NONE
        found = change(self._looks.now, now)
        return change(self._rest.anchor, now) if found is Change.NONE else found

    def _in_new_light(self, now: Glance, now_s: float) -> _Rest:
        """Dice that were told are read again. The light is no motion of dice: those that wait were read well, too."""
        assert self._rest is not None
        return _Rest(now, now_s) if self._rest.over else replace(self._rest, anchor=now)

    def _stir(self, found: Change) -> tuple[Fact, ...]:
        past = self._past
        self._past = replace(past, lifted=past.lifted or past.away)
        hand = found is Change.HAND
        if found is Change.NONE or (past.stirred and (past.hand or not hand)):
            return ()
        self._past = replace(self._past, stirred=True, hand=hand, empty=False)
        return (Stirred(Why.HAND if hand else Why.MOVING),)

    def _notice_lifting(self, now: Glance) -> None:
        """In a still moment between two motions, without a hand in view, is a die away from where it lay?"""
        past = self._past
        if past.told is None or past.glance is None or not past.stirred or past.away:
            return
        if change(past.glance, now) is Change.MOTION:
            away = any(differs(past.glance, now, box) for box in self._boxes()) and not self._hidden()
            self._past = replace(past, away=away)

    def _hidden(self) -> bool:
        return self._looks.hidden(self._told())

    def _boxes(self) -> list[Share]:
        """Where the dice lay that were told."""
        return [] if self._past.told is None else self._looks.places(self._past.told)

    def _told(self) -> Told | None:
        """As they were seen then."""
        return None if self._past.glance is None else Told(self._past.glance, self._boxes())

    def _look(self, read: Callable[[bool], Reading], now_s: float) -> tuple[Fact, ...]:
        """One more reading in this rest; tells it once enough of them agree, or patience ends.

        `read`: reads the picture, afresh or not.
        """
        assert self._rest is not None
        reading = read(False)
        readings = (*self._rest.readings, reading)[-self._patience.readings :]
        often = len(readings) == self._patience.readings
        agree = often and all(_alike(reading, other) for other in readings)
        tired = often and now_s - self._rest.since_s >= self._patience.ask_after_s
        if agree and _nothing(reading) and self._looks.covered(self._boxes()):  # unseen dice may lie there still
            waiting = now_s - self._rest.since_s < COVERED_S
            if waiting or self._hidden() or self._looks.overlooked(self._told()):
                self._rest = replace(self._rest, readings=readings, over=not waiting)
                return ()
        doubted = self._rest.doubted
        if tired or (agree and reading.dice and (reading.sure or not doubted)):
            told = both(reading, read(True), told=self._counted)
            doubted = doubted or not (reading.sure or told.sure)
            if tired or told.sure is not reading.sure:
                reading, readings = told, (*readings[:-1], told)
        certain = agree and (reading.sure or _nothing(reading))
        self._rest = replace(self._rest, readings=readings, doubted=doubted, over=certain or tired)
        if certain:
            return self._cleared() if _nothing(reading) else self._certain(reading)
        return self._uncertain(_unsure(reading)) if tired else ()

    def _cleared(self) -> tuple[Fact, ...]:
        told = () if self._past.empty else (Cleared(),)
        if self._past.final:
            self._taken = self._told()
        self._past, self._found = _Past(empty=True), False
        self._looks = replace(self._looks, bare=self._looks.now)
        return told

    def _certain(self, reading: Reading) -> tuple[Fact, ...]:
        """A sure reading: of a throw, of dice that were told already, that changed, or of what is left of them."""
        past = self._past
        if past.told is None:
            return self._tell(reading)
        lie = compare(past.told, reading)
        if not past.final:
            put_right = past.told.why is Why.COUNT and self._counted  # some had to go
            return self._left(reading) if self._taken_up(lie) and not put_right else self._tell(reading)
        if lie.only_gone:
            thrown_nearby = past.lifted and lie.shoved  # or knocked while others were taken up: that must be asked
            return self._changed_dice(reading) if thrown_nearby else self._fewer()
        if self._came_to_light(lie, reading):
            as_entered = Counter(reading.values) == Counter(past.entered)
            return self._same(reading) if as_entered else self._changed_dice(reading)
        if self._thrown(lie):
            return self._changed_dice(reading) if self._pushed(reading) else self._tell(reading)
        if past.told.sure and (lie.come or lie.turned):
            return self._changed_dice(reading)
        return self._same(reading)

    def _uncertain(self, reading: Reading) -> tuple[Fact, ...]:
        """An unsure reading. Of dice that were taken it is no news as long as no other ones lie there."""
        past = self._past
        if past.told is None:
            return self._tell(reading)
        lie = compare(past.told, reading)
        if not past.final:
            lit_again = past.told.why is Why.DARK is not reading.why
            if self._taken_up(lie):
                return self._left(reading)
            return self._tell(reading) if past.stirred or lit_again else ()
        if lie.only_gone:
            return self._fewer()
        if self._came_to_light(lie, reading):
            return ()
        if not self._handed(reading):
            self._past = replace(past, entered=())
        if self._thrown(lie) or self._thrown_unread(lie, reading):
            return self._tell(reading)
        if past.stirred and lie.turned:
            return self._changed_dice(reading) if past.told.sure else self._tell(reading)
        return self._still() if past.stirred and lie.untouched else ()

    def _taken_up(self, lie: Lie) -> bool:
        """Whether some dice were, and the others lie as they lay: a picture alone may show fewer than another."""
        return lie.only_gone and (self._past.stirred or self._past.lifted)

    def _thrown(self, lie: Lie) -> bool:
        """Whether what became of the dice that were taken is a throw: others came, or they were taken up and moved."""
        past = self._past
        return past.stirred and bool(lie.come or (past.lifted and not lie.untouched))

    def _thrown_unread(self, lie: Lie, reading: Reading) -> bool:
        """Whether a die that cannot be read came to lie where one did that was taken up."""
        past = self._past
        if past.told is None or not (past.stirred and past.lifted):
            return False
        before, now = past.told.values, reading.values
        return any(before[i] is not None and now[j] is None for i, j in lie.kept)

    def _came_to_light(self, lie: Lie, reading: Reading) -> bool:
        """Whether those that came were only hidden, as by a hand: with them as many lie there as were entered."""
        past = self._past
        return bool(lie.come) and not (lie.gone or past.lifted) and len(reading.dice) == len(past.entered)

    def _fewer(self) -> tuple[Fact, ...]:
        """Some of the dice that were told are away, the others untouched: a player shakes them, or hides them."""
        self._past = replace(self._past, lifted=self._past.lifted or not self._hidden())
        return ()

    def _left(self, reading: Reading) -> tuple[Fact, ...]:
        """Of dice that were asked about some are away, so that the others are no throw, however plainly they show.

        What was asked about first stays what is compared with: a player may lay the others back, or throw them.
        """
        left = reading.unsure(reading.why or Why.CHANGED)
        self._past = replace(self._past, stirred=False, hand=False, lifted=True, left=left)
        return (Settled(left),)

    def _same(self, reading: Reading) -> tuple[Fact, ...]:
        """The dice that were told, perhaps shoved a little: from now on they are known where they lie now."""
        past = self._past
        entered = past.entered if self._handed(reading) else ()
        self._past = _Past(told=reading, glance=self._looks.now, final=True, entered=entered)
        return (Stilled(),) if past.stirred else ()

    def _still(self) -> tuple[Fact, ...]:
        """Nothing has become of the dice that were told, as far as can be seen; they are known as they were told."""
        self._past = replace(self._past, stirred=False, hand=False)
        return (Stilled(),)

    def _tell(self, reading: Reading) -> tuple[Fact, ...]:
        self._past = _Past(told=reading, glance=self._looks.now, final=reading.sure)
        found, self._found = self._found, self._found and not reading.sure
        return (Settled(reading, found),)

    def _changed_dice(self, reading: Reading) -> tuple[Fact, ...]:
        """Dice that were not thrown show something else: said once, and no roll."""
        self._past = _Past(told=reading, glance=self._looks.now, final=True)
        return (Settled(reading.unsure(Why.CHANGED)),)


def _counted(reading: Reading, count: int) -> Reading:
    if not reading.dice or len(reading.dice) == count:
        return reading
    return reading.unsure(Why.COUNT)


def _nothing(reading: Reading) -> bool:
    """An empty tray, and not one in which no die could be seen, or something may be one."""
    return not reading.dice and (reading.sure or reading.why is Why.EMPTY)


def _alike(one: Reading, two: Reading) -> bool:
    """Whether two readings of a rest say the same."""
    return one.sure == two.sure and same_lie(one, two)


def _unsure(reading: Reading) -> Reading:
    """A reading that never became certain: sure pictures that contradict each other are unsure, too."""
    return reading.unsure(reading.why or Why.FAINT)
