"""Every text that players see comes from one catalogue."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from typing import TypeAlias

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

from companion import words
from companion.events import Why
from companion.locale import ENGLISH, LANGUAGES, N_, Texts, texts, update
from companion.view import Sign


def translated(messages: dict[str, str]) -> Texts:
    """A compiled catalogue with these translations."""
    catalogue = Catalog()
    for source, translation in messages.items():
        catalogue.add(source, translation)
    return Texts("xx", GNUTranslations(io.BytesIO(update.compiled(catalogue))))


@cache
def collected() -> Catalog:
    return update.template()


def test_the_template_holds_every_marked_text() -> None:
    known = update.texts_of(collected())
    assert update.texts_of(update.read(update.TEMPLATE)) == known, "run: python -m companion.locale.update"
    assert (None, "I am not sure") in known
    assert (None, "Then press Type") in known  # asked of a house


def fields(text: str) -> list[str]:
    return sorted(set(re.findall(r"\{\w*\}", text)))


def keeps_placeholders(message: Message) -> bool:
    """As far as it is translated. One form of several may leave the number out: "one token"."""
    if isinstance(message.id, str):
        return not message.string or fields(str(message.string)) == fields(message.id)
    known = {field for source in message.id for field in fields(source)}
    return all(known.issuperset(fields(form)) for form in message.string)


def flaws(language: str, path: Path) -> list[str]:
    """What is wrong with a translation."""
    translation, compiled = update.read(path, language), path.with_suffix(".mo")
    found = [f"placeholders of {message.id}" for message in translation if not keeps_placeholders(message)]
    found += [f"{message.id}: {errors}" for message, errors in translation.check() if errors]
    if update.texts_of(translation) != update.texts_of(collected()):
        found.append("other texts")
    if not compiled.exists() or compiled.read_bytes() != update.compiled(translation):
        found.append("not compiled")
    return found


def test_every_translation_knows_every_text_keeps_its_placeholders_and_is_compiled() -> None:
    found = {language: flaws(language, path) for language, path in update.catalogues()}
    assert not any(found.values()), f"{found}; run: python -m companion.locale.update"


Words: TypeAlias = str | tuple[str, ...]


def spanish(folder: Path, messages: dict[Words, Words]) -> Path:
    """A catalogue of every text in which these are translated, compiled."""
    catalogue, path = Catalog("es"), folder / "companion.po"
    catalogue.update(collected())
    for source, translation in messages.items():
        catalogue.delete(source)  # else its translation would stay
        catalogue.add(source, translation)
    with path.open("wb") as file:
        write_po(file, catalogue)
    path.with_suffix(".mo").write_bytes(update.compiled(update.read(path, "es")))
    return path


def test_a_translation_of_other_texts_is_noticed_and_one_that_was_not_compiled(tmp_path: Path) -> None:
    path = spanish(tmp_path, {"Lowest": "La menor"})
    assert flaws("es", path) == []
    before = path.with_suffix(".mo").read_bytes()
    assert flaws("es", spanish(tmp_path, {"Lowest": "La más baja", "Gone": "Ido"})) == ["other texts"]
    spanish(tmp_path, {"Lowest": "La más baja"})
    path.with_suffix(".mo").write_bytes(before)
    assert flaws("es", path) == ["not compiled"]
    path.with_suffix(".mo").unlink()
    assert flaws("es", path) == ["not compiled"]


@pytest.mark.parametrize(
    ("source", "wrong", "right"),
    [
        ("New {region} card", "Carta {regio}", "Carta {region}"),
        ("New {region} card", "Carta", "Carta de {region}"),
        (("{n} round", "{n} rounds"), ("una ronda", "{m} rondas", ""), ("una ronda", "{n} rondas", "{n} rondas")),
    ],
)
def test_a_placeholder_that_a_translation_lost_is_noticed(
    source: Words, wrong: Words, right: Words, tmp_path: Path
) -> None:
    assert flaws("es", spanish(tmp_path, {source: wrong})) == [f"placeholders of {source}"]
    assert flaws("es", spanish(tmp_path, {source: right})) == []


def test_english_is_the_source_and_comes_first() -> None:
    assert LANGUAGES[0] == "en"
    assert texts("en")("Lowest") == "Lowest"
    assert texts().ngettext("{n} token", "{n} tokens", 2) == "{n} tokens"
    assert texts().pgettext("button", "Back") == "Back"
    assert N_("Lowest") == "Lowest"


@pytest.mark.parametrize("unknown", ["xx", "", "../..", "C.UTF-8", "-"])
def test_a_language_without_a_catalogue_is_english(unknown: str) -> None:
    assert texts(unknown) is ENGLISH


@pytest.mark.parametrize("written", ["es", "es_MX.UTF-8", "es-ES", "ES", "es@modern"])
def test_a_language_is_found_however_a_system_writes_it(written: str) -> None:
    assert texts(written).language == "es"
    assert texts(written)("Draw pile") == "Mazo de robo"


def test_a_decimal_is_written_as_the_language_writes_it() -> None:
    assert [texts(language).decimal("0.35") for language in ("en", "es", "fi", "da")] == ["0.35", *["0,35"] * 3]


def test_the_empty_text_stays_empty() -> None:
    assert texts("en")("") == ""


def test_every_reason_space_and_face_has_words() -> None:
    assert {why: bool(words.why(why, ENGLISH).help) for why in Why} == dict.fromkeys(Why, True)
    spaces = (Sign.CHOICE, Sign.TOKEN, Sign.PEEK, Sign.WILD, Sign.LOWEST, Sign.HIGHEST, Sign.SWAP)
    assert all(words.sign(sign, ENGLISH).name for sign in spaces)


def test_words_are_translated() -> None:
    _ = translated({"A die leans": "Un dado está torcido"})
    assert words.why(Why.COCKED, _) == words.Words("Un dado está torcido", "Lay it flat or re-roll")


def test_an_unknown_device_is_named_as_it_is() -> None:
    assert words.device("piezo", ENGLISH) == words.Words("piezo", "Check its cable")
    assert words.device("camera", ENGLISH) == words.Words("Camera lost", "Type the dice")


def test_to_throw_again_is_spelled_one_way() -> None:
    collected = [text for _context, text in update.texts_of(update.template()) if "roll" in str(text).lower()]
    assert "Re-roll" in collected
    assert not [text for text in collected if "reroll" in str(text).lower()]


def test_a_translation_is_whole_after_one_update_whose_language_has_more_plurals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = spanish(tmp_path, {})
    with path.open("wb") as file:
        write_po(file, Catalog("es"))  # as a translator begins one: without any text yet
    monkeypatch.setattr(update, "catalogues", lambda: [("es", path)])
    monkeypatch.setattr(update, "TEMPLATE", tmp_path / "companion.pot")
    monkeypatch.setattr(sys, "argv", ["update"])
    update.main()
    assert flaws("es", path) == []


def test_what_collects_texts_is_missing_in_a_line() -> None:
    without = (
        "import runpy, sys; sys.modules['babel'] = None; sys.argv[1:] = ['--help'];"
        "runpy.run_module('companion.locale.update', run_name='__main__', alter_sys=True)"
    )
    ran = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("what collects texts is missing (")
    assert ran.stderr.endswith("): pip install '.[dev]' in a checkout\n")
