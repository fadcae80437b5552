"""The rules by which one clause takes the place of another, each in a module of its own."""

from tacit.language.statements.succession.rules.changes import is_changed
from tacit.language.statements.succession.rules.denials import is_turned_round
from tacit.language.statements.succession.rules.doers import has_another_doer
from tacit.language.statements.succession.rules.endings import is_ended
from tacit.language.statements.succession.rules.figures import has_another_figure
from tacit.language.statements.succession.rules.opposites import has_another_word
from tacit.language.statements.succession.rules.preferences import has_another_preference
from tacit.language.statements.succession.rules.values import has_another_value

RULES = {
    "another figure": has_another_figure,
    "another word of which only one holds": has_another_word,
    "turned round": is_turned_round,
    "another value": has_another_value,
    "another preference": has_another_preference,
    "somebody else": has_another_doer,
    "ended": is_ended,
    "changed": is_changed,
}
"""What each rule finds, in the order in which they are asked."""
