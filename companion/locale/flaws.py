"""What is wrong with a translation, in words for who writes it (Babel, a dev dependency)."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator, Sequence
from string import Formatter

from babel.messages.catalog import Catalog, Message

from companion.locale import LANGUAGES
from companion.screen.font import SIZES, font

LINE = r'(?:(?:msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d+\])\s*)?"(?:[^"\\]|\\.)*"'
MOST_PLAYERS_COUNT = 1000  # numbers up to which each must have a plural form


def unread(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a .po file that are none of its kind, by number: Babel would leave away a letter, or all of it."""
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.strip().removeprefix("#~").strip()
        if plain and not plain.startswith("#") and not re.fullmatch(LINE, plain):
            yield number, 'msgid, msgstr or a comment was expected, each text between two ", and \\" for one inside'


def flaws(language: str, catalogue: Catalog) -> Iterator[str]:
    """Each that a translator can mend; a text with a flaw in its placeholders stays English."""
    if not re.fullmatch("[a-z]{2,3}", language):
        yield f"its folder is called by two letters, such as {language[:2].lower()}, and no country"
    if told := _plural(catalogue):
        yield told
    yield from (f"{_named(message)}: {told}" for message in catalogue if message.id for told in misplaced(message))
    yield from _undrawn([message for message in catalogue if message.id])


def notes(language: str, catalogue: Catalog) -> Iterator[str]:
    """What is not done yet."""
    texts = [message for message in catalogue if message.id]
    left = sum(not all(_forms(message.string)) for message in texts)
    if left:
        yield f"{left} of {len(texts)} texts are not translated, and stay English"
    unsure = sum(message.fuzzy for message in texts)
    if unsure:
        yield f"{unsure} of {len(texts)} texts are marked fuzzy, and stay English until that mark is taken away"
    if language not in LANGUAGES:
        yield f'it cannot be chosen yet: add "{language}" to LANGUAGES in companion/locale/__init__.py'


def misplaced(message: Message) -> Iterator[str]:
    """What is wrong with its placeholders, as far as it is translated.

    One form of several may leave the number out: "one token".
    """
    known = {field for source in _forms(message.id) for field in _fields(source)}
    needed = known if isinstance(message.id, str) else set[str]()
    for form in _forms(message.string):
        if form:
            yield from _wrong(form, known, needed)


def _wrong(form: str, known: set[str], needed: set[str]) -> Iterator[str]:
    try:
        fields = _fields(form)
    except ValueError:
        yield f'"{form}" has a {{ or }} without the other'
        return
    yield from (f'"{form}" has {{{field}}}, which the English text has not' for field in sorted(fields - known))
    yield from (f'"{form}" lacks {{{field}}}' for field in sorted(needed - fields))


def _fields(text: str) -> set[str]:
    """The placeholders in a text, with what is written behind their names. Raises ValueError."""
    return {
        name + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
        for _plain, name, spec, conversion in Formatter().parse(text)
        if name is not None
    }


def _undrawn(texts: Sequence[Message]) -> Iterator[str]:
    lacking = [(message, font(SIZES[0]).lacking("".join(_forms(message.string)))) for message in texts]
    if boxes := [(message, letters) for message, letters in lacking if letters]:
        different = dict.fromkeys(letter for _message, letters in boxes for letter in letters)
        where = f"{len(boxes)} texts, the first is {_named(boxes[0][0])}" if len(boxes) > 1 else _named(boxes[0][0])
        yield f"the screen cannot draw {', '.join(different)}: in {where}"


def _plural(catalogue: Catalog) -> str:
    """What is wrong with the rule that chooses a plural; "" for nothing."""
    try:
        choose = gettext.c2py(catalogue.plural_expr)
        chosen = {choose(number) for number in range(MOST_PLAYERS_COUNT)}
    except (ValueError, ArithmeticError) as fault:
        return f"Plural-Forms: {fault}"
    if max(chosen) >= catalogue.num_plurals:
        return f"Plural-Forms: nplurals is {catalogue.num_plurals}, and plural chooses number {max(chosen)}, from 0"
    return ""


def _named(message: Message) -> str:
    return f'"{_forms(message.id)[0]}"'


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text or "",) if isinstance(text, str | None) else tuple(text)
