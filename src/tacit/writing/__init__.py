"""What happens when somebody writes, changes or removes a memory."""

from tacit.writing.author import Author
from tacit.writing.editing import edit, forget, restore
from tacit.writing.erasure import Erasure, erase
from tacit.writing.fulfilling import proposed
from tacit.writing.linking import link, unlink
from tacit.writing.merging import may_merge, merge, merged, ranked
from tacit.writing.outcome import Status, Written
from tacit.writing.remembering import Embedded, identity, remember, remember_all
from tacit.writing.resolving import keep_all, supersede
from tacit.writing.reviewing import accept, nothing_waits, propose, reject, submit_all

__all__ = [
    "Author",
    "Embedded",
    "Erasure",
    "Status",
    "Written",
    "accept",
    "edit",
    "erase",
    "forget",
    "identity",
    "keep_all",
    "link",
    "may_merge",
    "merge",
    "merged",
    "nothing_waits",
    "propose",
    "proposed",
    "ranked",
    "reject",
    "remember",
    "remember_all",
    "restore",
    "submit_all",
    "supersede",
    "unlink",
]
