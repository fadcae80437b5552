"""Words for what people work as."""

from collections.abc import Iterable

from tacit.language.statements.listing import word_set
from tacit.language.statements.succession.wording import Token

_JOBS = word_set("""
    engineer developer programmer manager designer analyst scientist director lead officer nurse
    doctor surgeon physician teacher lecturer professor tutor consultant assistant architect
    administrator admin intern trainee apprentice barista chef cook baker waiter waitress bartender
    writer author editor journalist reporter lawyer solicitor paralegal judge accountant auditor
    bookkeeper researcher technician paramedic physiotherapist pharmacist dentist vet therapist
    psychologist carpenter electrician plumber mechanic driver pilot freelancer contractor founder
    ceo cto cfo coo vp president head partner associate coordinator specialist representative
    clerk secretary receptionist salesperson recruiter banker trader broker agent owner librarian
    translator interpreter photographer musician actor artist gardener farmer firefighter
    soldier cashier supervisor strategist marketer tester sysadmin devops sre postdoc fellow
    student
    entwickler ingenieur lehrer krankenschwester ingénieur développeur professeur infirmière
    ingeniero desarrollador profesor enfermera
    """)


BEGINNERS = word_set("student intern trainee apprentice postdoc")
"""Words for what people are before they work as something else."""


def is_job(tokens: Iterable[Token]) -> bool:
    """Whether there is a word for what people work as."""
    return any(token.key.casefold() in _JOBS for token in tokens)
