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
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from companion import words
from companion.events import Why
from companion.locale import ENGLISH, LANGUAGES, N_, Texts, texts, update
from companion.locale.flaws import flaws as told
from companion.locale.flaws import misplaced, notes
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


def flaws(language: str, path: Path) -> list[str]:
    """What is wrong with a translation."""
    translation, compiled = update.read(path, language), path.with_suffix(".mo")
    found = [f"placeholders of {message.id}" for message in translation if message.id and any(misplaced(message))]
    found += list(told(language, translation))
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
    found, *_told = flaws("es", spanish(tmp_path, {source: wrong}))
    assert found == f"placeholders of {source}"
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


@pytest.mark.parametrize(
    ("source", "wrong", "said"),
    [
        ("New {region} card", "Carta {regio}", "has {regio}, which the English text has not"),
        ("New {region} card", "Carta", "lacks {region}"),
        ("New {region} card", "Carta {region", "has a { or } without the other"),
        ("New {region} card", "Carta {region:d}", "has {region:d}, which the English text has not"),
        ("New {region} card", "Carta {region!r}", "has {region!r}, which the English text has not"),
        ("New {region} card", "Carta {} {region}", "has {}, which the English text has not"),
    ],
)
def test_a_text_that_could_not_be_filled_in_is_told_and_stays_english(
    source: str, wrong: str, said: str, tmp_path: Path
) -> None:
    path = spanish(tmp_path, {source: wrong, "Lowest": "La menor"})
    assert f'"{source}": "{wrong}" {said}' in list(told("es", update.read(path, "es")))
    with path.with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    assert [compiled.gettext(source), compiled.gettext("Lowest")] == [source, "La menor"]


def test_letters_that_the_screen_cannot_draw_are_told_in_a_line(tmp_path: Path) -> None:
    one = spanish(tmp_path, {"Lowest": "Я–ż"})
    assert list(told("es", update.read(one, "es"))) == ['the screen cannot draw Я: in "Lowest"']
    both = spanish(tmp_path, {"Lowest": "Яя", "Draw pile": "Яб"})
    (said,) = told("es", update.read(both, "es"))
    assert said == 'the screen cannot draw Я, я, б: in 2 texts, the first is "Lowest"'


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("nplurals=3; plural=foo(n);", "Plural-Forms: invalid token in plural form: foo"),
        ("nplurals=2; plural=n;", "Plural-Forms: nplurals is 2, and plural chooses number 999, from 0"),
        ("nplurals=2; plural=(1 / n);", "Plural-Forms: "),
        ("nplurals=2; plural=(n != 1);", ""),
    ],
)
def test_a_rule_of_plurals_that_chooses_none_is_told(rule: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "companion.po"
    path.write_text(f'msgid ""\nmsgstr ""\n"Plural-Forms: {rule}\\n"\n')
    assert [each[: len(said)] for each in told("es", update.read(path, "es"))] == [said] * bool(said)


def test_a_folder_that_no_language_is_looked_for_in_is_told() -> None:
    assert list(told("pt_BR", Catalog())) == ["its folder is called by two letters, such as pt, and no country"]


def test_what_is_not_done_yet_is_noted() -> None:
    catalogue = Catalog("pl")
    catalogue.add("Lowest", "")
    catalogue.add("Highest", "Najwyższa", flags=["fuzzy"])
    catalogue.add(("{n} round", "{n} rounds"), ("{n} runda", "", ""))
    assert list(notes("xx", catalogue)) == [
        "2 of 3 texts are not translated, and stay English",
        "1 of 3 texts are marked fuzzy, and stay English until that mark is taken away",
        'it cannot be chosen yet: add "xx" to LANGUAGES in companion/locale/__init__.py',
    ]
    assert list(notes("es", Catalog("es"))) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'msgid "a"\nmsgstr "b\n', "line 2: msgid, msgstr or a comment was expected"),
        (b'msgid "a"\nmsgstr "b" c"\n', "line 2: msgid, msgstr or a comment was expected"),
        (b'# a\n\nmsgtr "b"\n', "line 3: msgid, msgstr or a comment was expected"),
        (b'msgid "a"\n#, fuzzy\nmsgstr "b"\n', "line 1: missing msgstr for msgid 'a'"),
        (b'msgid "a"\nmsgid_plural "as"\nmsgstr[3] "b"\n', "line 1: msg has more translations than num_plurals"),
        (b'msgid "a"\nmsgstr "\xf1"\n', "text in UTF-8 was expected, but line 2 is not"),
    ],
)
def test_a_file_that_is_no_catalogue_is_told_with_its_line_and_stays_as_it_is(
    content: bytes, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = spanish(tmp_path, {}), tmp_path / "other.po"
    bad.write_bytes(content)
    assert updated(monkeypatch, tmp_path, {"da": bad, "es": good}) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"{bad}: {said}")
    assert re.fullmatch(r"es: \d+ of \d+ texts are not translated, and stay English", second)
    assert bad.read_bytes() == content


def test_a_file_with_a_mark_of_the_byte_order_and_other_ends_of_lines_is_a_catalogue(tmp_path: Path) -> None:
    path = tmp_path / "companion.po"
    path.write_bytes(b'\xef\xbb\xbfmsgid "a \\"b\\""\r\nmsgstr ""\r\n"c"\r\n#~ msgid "d"\r\n#~ msgstr "e"\r\n')
    assert [message.string for message in update.read(path, "es") if message.id] == ["c"]


@pytest.mark.parametrize("torn", [None, b"", b"\xde\x12\x04\x95" + bytes(8), b"no catalogue at all"])
def test_without_its_texts_a_language_is_english_and_says_so(
    torn: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.locale.FOLDER", tmp_path)
    path = tmp_path / "es" / "LC_MESSAGES" / "companion.mo"
    if torn is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(torn)
    assert texts("es") is ENGLISH
    (said,) = caplog.messages
    assert said.startswith(f"there is no {path}; " if torn is None else f"{path} cannot be read: ")
    assert said.endswith("; the screens are in English")


def updated(monkeypatch: pytest.MonkeyPatch, folder: Path, catalogues: dict[str, Path]) -> int:
    """The status of an update of these alone."""
    monkeypatch.setattr(update, "catalogues", lambda: catalogues.items())
    monkeypatch.setattr(update, "TEMPLATE", folder / "companion.pot")
    monkeypatch.setattr(sys, "argv", ["update"])
    return update.main()


def test_a_translation_is_whole_after_one_update_whose_language_has_more_plurals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = spanish(tmp_path, {})
    with path.open("wb") as file:
        write_po(file, Catalog("es"))  # as a translator begins one: without any text yet
    assert updated(monkeypatch, tmp_path, {"es": path}) == 0
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
