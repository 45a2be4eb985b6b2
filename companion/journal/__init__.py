"""The journal: an SQLite file in which every line of a game stays, and is on the disk before anything shows it."""

from companion.journal.faults import (
    JournalCorrupt,
    JournalError,
    JournalFull,
    JournalGone,
    JournalLocked,
    JournalNewer,
    JournalReadOnly,
    NotAJournal,
)
from companion.journal.lock import in_use
from companion.journal.record import Entry, Kind, Record, Summary
from companion.journal.store import Journal, open_telling, set_aside

__all__ = [
    "Entry",
    "Journal",
    "JournalCorrupt",
    "JournalError",
    "JournalFull",
    "JournalGone",
    "JournalLocked",
    "JournalNewer",
    "JournalReadOnly",
    "Kind",
    "NotAJournal",
    "Record",
    "Summary",
    "in_use",
    "open_telling",
    "set_aside",
]
