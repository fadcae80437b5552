"""What happens when somebody writes, changes or removes a memory."""

from tacit.writing.author import Author
from tacit.writing.editing import edit, forget, restore
from tacit.writing.erasure import Erasure, erase
from tacit.writing.linking import link, unlink
from tacit.writing.outcome import Status, Written
from tacit.writing.remembering import Embedded, identity, remember, remember_all
from tacit.writing.resolving import keep_all, supersede

__all__ = [
    "Author",
    "Embedded",
    "Erasure",
    "Status",
    "Written",
    "edit",
    "erase",
    "forget",
    "identity",
    "keep_all",
    "link",
    "remember",
    "remember_all",
    "restore",
    "supersede",
    "unlink",
]
