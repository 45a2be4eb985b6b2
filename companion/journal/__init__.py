"""The journal: an SQLite file in which every line of a game stays, and is on the disk before anything shows it."""

from companion.journal.aside import kept_aside
from companion.journal.faults import (
    JournalClosed,
    JournalCorrupt,
    JournalError,
    JournalFull,
    JournalGone,
    JournalLocked,
    JournalNewer,
    JournalOlder,
    JournalOutOfReach,
    JournalReadOnly,
    JournalUnread,
    NotAJournal,
)
from companion.journal.lock import in_use
from companion.journal.mending import mend, open_telling
from companion.journal.record import Entry, Kind, Record, Summary
from companion.journal.salvage import Progress, Salvage, Sound
from companion.journal.store import Journal, utc_now

__all__ = [
    "Entry",
    "Journal",
    "JournalClosed",
    "JournalCorrupt",
    "JournalError",
    "JournalFull",
    "JournalGone",
    "JournalLocked",
    "JournalNewer",
    "JournalOlder",
    "JournalOutOfReach",
    "JournalReadOnly",
    "JournalUnread",
    "Kind",
    "NotAJournal",
    "Progress",
    "Record",
    "Salvage",
    "Sound",
    "Summary",
    "in_use",
    "kept_aside",
    "mend",
    "open_telling",
    "utc_now",
]
