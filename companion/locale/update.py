"""Collects the players' texts into the catalogue: `python -m companion.locale.update` (Babel, a dev dependency)."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:
        import babel  # noqa: F401
    except ModuleNotFoundError as fault:
        sys.stderr.write(f"what collects texts is missing ({fault}): pip install '.[dev]' in a checkout\n")
        sys.exit(2)

import argparse
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po, write_po

from companion.locale import DOMAIN, FOLDER
from companion.locale.flaws import flaws, misplaced, notes, unread
from companion.paths import text_of

ROOT = FOLDER.parent.parent
PACKAGES = ("companion", "calibration")
TEMPLATE = FOLDER / f"{DOMAIN}.pot"
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "texts": None,  # of a house
    "N_": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}


def template() -> Catalog:
    """Every marked text of the package, with the modules it stands in."""
    catalogue = Catalog(project="table-companion", fuzzy=False, charset="utf-8")
    for package in PACKAGES:
        for name, _line, message, comments, context in _found(ROOT / package):
            catalogue.add(message, None, [(f"{package}/{name}", 0)], auto_comments=comments, context=context)
    return catalogue


def _found(package: Path) -> Iterator[Any]:
    return extract_from_dir(
        package,
        keywords=KEYWORDS,
        comment_tags=("Translators:",),
        strip_comment_tags=True,
    )


def texts_of(catalogue: Catalog) -> set[tuple[str | None, str | tuple[str, ...]]]:
    """What must agree between the code and a catalogue: contexts and source texts."""
    return {(m.context, tuple(m.id) if isinstance(m.id, list | tuple) else m.id) for m in catalogue if m.id}


def catalogues() -> Iterator[tuple[str, Path]]:
    for path in sorted(FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        yield path.parent.parent.name, path


def read(path: Path, language: str | None = None) -> Catalog:
    """A catalogue's file. Raises ValueError, with its line, where that is none."""
    try:
        text = text_of(path.read_bytes())
    except ValueError as fault:
        raise ValueError(f"{path}: {fault}") from None
    for number, told in unread(text):
        raise ValueError(f"{path}: line {number}: {told}")
    try:
        return read_po(io.StringIO(text), locale=language, abort_invalid=True)
    except PoFileError as fault:
        told = str(fault).removesuffix(f" on {fault.lineno}")
        raise ValueError(f"{path}: line {fault.lineno + 1}: {told}") from None
    except ValueError as fault:
        raise ValueError(f"{path}: {fault}") from None


class _Lasting(Catalog):
    """The same texts; its header tells programs what they must know, and neither when nor by what it was written."""

    def __init__(self, catalogue: Catalog) -> None:
        super().__init__(catalogue.locale, header_comment=f"# {catalogue.locale_identifier or DOMAIN}", fuzzy=False)
        self._plural_forms = catalogue.plural_forms
        for message in catalogue:
            if message.id:
                self[message.id] = message

    @property  # type: ignore[misc]  # Babel's can be set, by what reads a file
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale_identifier or "")),
            ("Plural-Forms", self._plural_forms),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def compiled(catalogue: Catalog) -> bytes:
    """For the program: without texts that it could not fill in."""
    buffer, lasting = io.BytesIO(), _Lasting(catalogue)
    for message in [message for message in lasting if message.id and any(misplaced(message))]:
        lasting.delete(message.id, message.context)
    write_mo(buffer, lasting)
    return buffer.getvalue()


def main() -> int:
    """Writes the template, merges it into every translation and compiles those. Nothing is translated by guess.

    Tells what is missing, and what is wrong, with status 1; a file that cannot be read stays as it is.
    """
    argparse.ArgumentParser(prog="python -m companion.locale.update", description=__doc__).parse_args()
    collected = template()
    _write(TEMPLATE, collected)
    wrong = 0
    for language, path in catalogues():
        try:
            translation = _merged(language, path, collected)
        except ValueError as fault:
            wrong += 1
            sys.stderr.write(f"{fault}\n")
            continue
        found = list(flaws(language, translation))
        wrong += len(found)
        for told in (*found, *notes(language, translation)):
            sys.stderr.write(f"{language}: {told}\n")
    return 1 if wrong else 0


def _merged(language: str, path: Path, collected: Catalog) -> Catalog:
    """A translation of what was collected, written and compiled. Raises ValueError."""
    translation = read(path, language)
    translation.update(collected, no_fuzzy_matching=True)
    _write(path, translation)
    whole = read(path, language)  # each plural has all its forms only there
    path.with_suffix(".mo").write_bytes(compiled(whole))
    return whole


def _write(path: Path, catalogue: Catalog) -> None:
    with path.open("wb") as file:
        write_po(
            file,
            _Lasting(catalogue),
            width=120,
            omit_header=path == TEMPLATE,
            sort_output=True,
            ignore_obsolete=True,
        )


if __name__ == "__main__":
    sys.exit(main())
