"""What happens when somebody writes, changes or removes a memory."""

from tacit.writing.assignment import Assignment, assign, plan_assignment
from tacit.writing.author import Author
from tacit.writing.editing import edit, forget, restore
from tacit.writing.erasure import Erasure, check_eraser, erase_all
from tacit.writing.fulfilling import proposed
from tacit.writing.linking import link, unlink
from tacit.writing.merging import may_merge, merge, merged, ranked
from tacit.writing.outcome import Status, Written
from tacit.writing.remembering import Embedded, identity, remember, remember_all
from tacit.writing.resolving import keep_all, supersede
from tacit.writing.reviewing import accept, nothing_waits, propose, reject, submit_all
from tacit.writing.sweep import Sweep, Tally
from tacit.writing.target import Target, is_session_of

__all__ = [
    "Assignment",
    "Author",
    "Embedded",
    "Erasure",
    "Status",
    "Sweep",
    "Tally",
    "Target",
    "Written",
    "accept",
    "assign",
    "check_eraser",
    "edit",
    "erase_all",
    "forget",
    "identity",
    "is_session_of",
    "keep_all",
    "link",
    "may_merge",
    "merge",
    "merged",
    "nothing_waits",
    "plan_assignment",
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
