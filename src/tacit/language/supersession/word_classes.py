"""Words of which only one holds at a time (states, choices), jobs, and countries."""

from collections.abc import Iterable

from tacit.language.statements.vocabulary import word_set
from tacit.language.supersession.tokens import Token, to_canonical

_DOMAINS = {
    "status": """
        paused=paused suspended=paused stalled=paused blocked=blocked frozen=paused halted=paused
        active=active ongoing=active running=active resumed=active started=active
        done=done finished=done complete=done completed=done finish=done closed=closed
        cancelled=cancelled canceled=cancelled cancel=cancelled
        shelved=cancelled scrapped=cancelled abandoned=cancelled
        open=open live=live launched=live released=live shipped=live archived=archived
        archive=archived retired=archived deprecated=archived draft=draft planned=planned
        approved=approved rejected=rejected pending=pending
        delayed=delayed down=down up=up offline=down online=up enabled=on disabled=off
        enable=on disable=off broken=broken fixed=fixed resolved=fixed unresolved=broken
        public=public private=private stable=stable unstable=unstable
        full=full empty=empty vacant=empty occupied=full available=available
        unavailable=unavailable pregnant=pregnant merged=done reopened=open filled=filled
        maintenance=maintenance beta=beta alpha=alpha
        indevelopment=development reviewing=reviewing testing=testing ended=done
        outdated=outdated working=fixed suspended=paused banned=off lifted=off
    """,
    "bond": """
        single=single unmarried=single engaged=engaged engage=engaged married=married marry=married
        divorced=divorced divorce=divorced widowed=widowed separate=separated separated=separated
        widow=widowed widower=widowed remarry=married together=together seeing=together
        dating=together date=together
    """,
    "seniority": """
        junior=junior senior=senior intern=intern trainee=trainee lead=lead staff=staff
        principal=principal associate=associate chief=chief assistant=assistant mid-level=mid
        freelance=freelance apprentice=apprentice
        graduate=graduate deputy=deputy acting=acting
    """,
    "employment": """
        unemployed=unemployed jobless=unemployed retired=retired retire=retired self-employed=self

    """,
    "work time": "full-time=full fulltime=full part-time=part parttime=part",
    "diet": """
        vegan=vegan vegetarian=vegetarian pescatarian=pescatarian omnivore=omnivore
        veggie=vegetarian carnivore=omnivore
    """,
    "brightness": """
        dark=dark light=light dunkel=dark hell=light sombre=dark clair=light oscuro=dark claro=light
    """,
    "indentation": "tabs=tabs tab=tabs spaces=spaces space=spaces",
    "length": """
        short=short long=long concise=short detailed=long brief=short verbose=long terse=short
        lengthy=long elaborate=long succinct=short
    """,
    "tone": "formal=formal informal=informal casual=informal",
    "cadence": """
        hourly=hourly daily=daily nightly=daily weekly=weekly biweekly=biweekly fortnightly=biweekly
        monthly=monthly quarterly=quarterly yearly=yearly annually=yearly
    """,
    "place of work": """
        remote=remote remotely=remote hybrid=hybrid onsite=onsite on-site=onsite in-office=onsite
        inoffice=onsite workremotely=remote
    """,
    "temperature": "hot=hot cold=cold iced=cold warm=warm",
    "side": "left=left right=right left-handed=left right-handed=right",
    "quotes": "single-quoted=single double-quoted=double",
    "case": """
        snake_case=snake camelcase=camel camel_case=camel pascalcase=pascal kebab-case=kebab
        uppercase=upper lowercase=lower
    """,
    "color": """
        red=red blue=blue green=green yellow=yellow orange=orange purple=purple violet=purple
        pink=pink black=black white=white gray=gray grey=gray brown=brown teal=teal navy=navy
        turquoise=turquoise beige=beige magenta=magenta cyan=cyan maroon=maroon olive=olive
        gold=gold silver=silver cream=cream lilac=lilac mint=mint coral=coral indigo=indigo
        burgundy=burgundy
    """,
    "fit": "xs=xs s=s m=m l=l xl=xl xxl=xxl",
    "clock": "12-hour=12 24-hour=24 12h=12 24h=24 am/pm=12",
    "system of units": "metric=metric imperial=imperial celsius=celsius fahrenheit=fahrenheit",
    "drink": "caffeinated=caffeinated decaf=decaf decaffeinated=decaf",
    "spelling": "american=american british=british",
    "address": "du=du sie=sie tu=tu vous=vous",
}

DOMAINS: dict[str, tuple[str, str]] = {}
"""The domain of each word, and its value there."""

for _domain, _listed in _DOMAINS.items():
    for _entry in _listed.split():
        _word, _, _value = _entry.partition("=")
        DOMAINS[_word] = (_domain, _value)

SENIORITY = frozenset(
    to_canonical(word) for word, (domain, _) in DOMAINS.items() if domain == "seniority"
)
"""Words for the level of a job."""

_CHOICES = (
    "tea coffee cocoa matcha tee kaffee thé café té",
    "email phone call chat text letter voicemail",
    "window aisle",
    "train car bus plane bike flying driving cycling",
    "cat dog",
    "summer winter spring autumn",
    "morning afternoon evening night",
    "beer wine cider",
    "paper digital",
    "ebook audiobook paperback hardcover",
    "sea mountains beach",
    "tabs spaces",
    "cash card",
    "sneakers boots sandals",
    "milk oat soy almond",
)
COMPETING_CHOICES = {to_canonical(word): listed for listed in _CHOICES for word in listed.split()}
"""Things that compete as preferences, each with its alternatives."""


# Jobs.


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
"""Jobs at the beginning of a career."""


def is_job(tokens: Iterable[Token]) -> bool:
    """Whether one of the words is a job."""
    return any(token.key.casefold() in _JOBS for token in tokens)


# Countries and other places that contain towns.


_COUNTRY_NAMES = word_set("""
    germany france spain italy portugal england scotland wales ireland uk britain usa us america
    canada mexico brazil argentina chile peru colombia poland czechia austria switzerland sweden
    norway denmark finland iceland netherlands holland belgium luxembourg greece turkey hungary
    romania bulgaria croatia serbia slovenia slovakia ukraine russia estonia latvia lithuania
    india china japan korea vietnam thailand indonesia malaysia philippines pakistan bangladesh
    nepal iran iraq israel egypt morocco algeria tunisia nigeria ghana kenya ethiopia uganda
    tanzania australia zealand texas california florida oregon ohio bavaria catalonia ontario
    quebec europe asia africa deutschland frankreich spanien italien österreich schweiz allemagne
    espagne italie suisse belgique españa francia alemania italia méxico
    """)

COUNTRIES = frozenset(map(to_canonical, _COUNTRY_NAMES))
"""Their names in canonical form."""
