"""A file in which every dear result is written down once, so that a killed run can go on."""

from ._describe import describe
from ._digest import digest
from ._entry import Entry
from ._header import differences
from ._journal import Journal, JournalError, JournalWarning
from ._reading import Peek, is_journal, peek
from ._scope import NO_JOURNAL, Scope, opened

__all__ = [
    "NO_JOURNAL",
    "Entry",
    "Journal",
    "JournalError",
    "JournalWarning",
    "Peek",
    "Scope",
    "describe",
    "differences",
    "digest",
    "is_journal",
    "opened",
    "peek",
]
