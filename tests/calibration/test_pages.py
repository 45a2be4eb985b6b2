"""Every page of the steps can be read whole on the screen, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from leading import DAY, SIMULATED, going

from calibration import steps
from calibration.judging import FAULTS, PLACES, Fault, Verdict
from calibration.steps.camera import Emptied, emptied_page, fault_page, reviewed
from calibration.steps.dice import REMEDIES, Measured
from calibration.steps.ring import Place
from calibration.steps.wild import LEFT_THERE, MORE, NUMBER_THROWS
from calibration.tray import by_hand
from companion.config.games import COLOURS
from companion.events import Button, Reading
from companion.games.roll import FACES
from companion.locale import LANGUAGES, Texts, texts
from companion.ports import Locks
from companion.screen import draw, lettering, pages
from companion.view import Header, Mood, Page, RingView, Sign, View
from companion.vision.colours import Kind
from companion.vision.settle import Patience, Settler
from companion.words import colour

GREY = np.full((480, 640, 3), 110, np.uint8)
DICE = (  # blue, green, red: one of each name, and black, white and gray
    *((0, 0, 255), (0, 128, 255), (0, 255, 255), (0, 255, 0), (255, 0, 0), (255, 0, 128)),
    *((0, 0, 0), (255, 255, 255), (120, 120, 120)),
)


def of_the_camera(_: Texts) -> Iterator[Page]:
    yield steps.CameraStep(SIMULATED).page(_)
    for kind, (title, _remedy) in FAULTS.items():
        named = PLACES if kind == "glare" else ("0", "3") if "{where}" in title else ("",)
        yield from (fault_page(Fault(kind, where), _) for where in named)
    yield from (fault_page(Fault(kind), _, Sign.HAND) for kind in ("markers", "hand", "moved", "not_empty"))
    yield emptied_page(None, _("Take the markers out"), _)
    yield emptied_page(Emptied(GREY, doubtful=True), "", _)
    tray = by_hand(np.array([(74.0, 66.0), (565.0, 66.0), (583.0, 425.0), (56.0, 425.0)]), (180.0, 130.0))
    for locks in (Locks(), Locks(1000.0, white_gains=(1.0, 1.0), focus=1.0)):
        camera = replace(SIMULATED, locks=locks)
        step = reviewed(camera, Verdict(tray, None, (), tilt_deg=12.0), GREY, steps.CameraStep(camera))
        yield step.page(_)


def of_dice(_: Texts) -> Iterator[Page]:
    step = steps.DiceStep(lambda _picture: Reading((), sure=True), DAY, 0.35, 600.0)
    yield step.page(_)
    yield from (steps.DiceStep(step.read, DAY, 0.35, 600.0, trouble=trouble).page(_) for trouble in REMEDIES)
    for body, pips in permutations(DICE, 2):
        thrown = (Measured((59.0, 59.0), (Kind(body, pips),)),) * 3
        yield going(steps.DiceStep(step.read, DAY, 0.35, 600.0, throws=thrown)._reviewed()).page(_)


def of_the_wild_die(_: Texts) -> Iterator[Page]:
    step = steps.WildStep(DAY, 46.5, None)
    for face, left in product(FACES, (4, 1)):
        yield steps.WildStep(DAY, 46.5, None, wanted=(face,) * left).page(_)
        for trouble in ("Only the Wild die, please", "I see no die"):
            yield steps.WildStep(DAY, 46.5, None, wanted=(face,), trouble=trouble).page(_)
    for one, other in (*permutations(FACES, 2), *((face, "") for face in FACES)):
        pair = ((one, other),)
        for face, left in product(filter(None, (one, other)), (MORE, 1)):
            yield steps.WildStep(DAY, 46.5, None, wanted=(face,) * left, confused=pair).page(_)
        shown = steps.WildStep(DAY, 46.5, None, wanted=(), confused=pair)
        yield shown._reviewed().page(_)
    yield from (
        steps.WildStep(DAY, 46.5, None, wanted=(), numbers=n, trouble=trouble).page(_)
        for n, trouble in product(range(NUMBER_THROWS), ("", "I see no dice", LEFT_THERE))
    )
    yield step._reviewed().page(_)


def of_the_ring(_: Texts) -> Iterator[Page]:
    places = tuple(Place(name, (0, 0, 0), 0.0) for name in (*(colour(name, _) for name in COLOURS), "Maximilianna"))
    for places_of in ({"seats": places}, {"wilds": places, "regions": (4,) * len(places)}):
        step: steps.Next = steps.RingStep(DAY, 512, 500, **places_of)
        while isinstance(step, steps.RingStep):
            yield step.page(_)
            step = step.pressed(Button.OK, 0.0)
        yield going(step).page(_)


def of_the_check(_: Texts) -> Iterator[Page]:
    step = steps.CheckStep(lambda _picture: Reading((), sure=True), Settler(Patience(0.5, 3, 3.0)), DAY)
    yield from (replace(step, dice=dice).page(_) for dice in (1, 3))
    for wrong, settle_s in product(("exact", "wrong"), ((), (1.2,))):
        yield replace(step, told=("exact",) * 19 + (wrong,), settle_s=settle_s)._reviewed().page(_)


def of_buttons(_: Texts) -> Iterator[Page]:
    step = steps.ButtonsStep(DAY)
    for told, wrong in product(range(4), (False, True)):
        yield steps.ButtonsStep(DAY, told=told, wrong=wrong).page(_)
    for quiet_s in (None, 0.001, 0.039):
        edges = () if quiet_s is None else tuple((Button.OK, n * quiet_s) for n in range(12))
        yield steps.ButtonsStep(DAY, edges=edges)._reviewed().page(_)
    yield step.page(_)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("of", [of_the_camera, of_dice, of_the_wild_die, of_the_ring, of_buttons, of_the_check])
def test_every_page_of_a_step_is_read_whole(language: str, of, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Page] = []
    monkeypatch.setattr(lettering, "cut", lambda *_, **__: pytest.fail(f"cut short: {said[-1]}"))
    monkeypatch.setattr(pages, "clipped", lambda *_, **__: pytest.fail(f"cut short: {said[-1]}"))
    for page in of(texts(language)):
        said.append(page)
        draw(View(Header("6/6"), page, ("", "", "", "OK"), RingView(Mood.SETUP)))
    assert said
