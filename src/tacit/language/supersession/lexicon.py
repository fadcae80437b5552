"""Word lists: function words, verbs by what they do to a state, and units of measure."""

from collections.abc import Iterator

from tacit.language.statements.vocabulary import word_set

# Words by what they do when one statement follows another.


NOW_WORDS = word_set("""
    now nowadays currently again finally presently today henceforth officially anymore nolonger
    meanwhile instead newly
    """)
"""Words that say how things are since a change."""

ALSO_WORDS = word_set("also additionally another besides both plus alongside further")
FINAL_ALSO_WORDS = word_set("too either")
"""Words that add something to what holds."""

HEDGES = word_set("""
    might maybe perhaps could would possibly considering consider wanted wish wishes hope hopes
    hoping someday eventually probably tempted debating try trying tries tried imagine suppose
    wondering wonder thinking almost nearly guess
    """)
CONDITIONS = word_set("if unless whether when whenever once")
FORMER_WORDS = word_set("formerly previously originally ago")
"""Words that say that something is over, or was so at another time."""

MILD = word_set("""
    lately recently just already actually always usually generally normally typically please really
    simply still mostly basically mainly
    """)
"""Adverbs that leave what is said as it is."""

DENIALS = word_set("not never no cannot nor neither nomore hardly rarely nolonger")
HALF_DENIED = word_set("just only even necessarily exactly quite sure really always all yet")
"""Words after a denial that leave most of what is said as it is."""

FORBIDDEN = word_set("forbidden banned prohibited disallowed optional unnecessary voluntary")
DISLIKED = word_set("dislike hate avoid")
REQUIRED_OR_ALLOWED = word_set("""
    must should shall require required mandatory compulsory obligatory need necessary always may can
    allow allowed permitted permit fine ok okay possible free welcome acceptable
    """)
"""Words that require or allow something."""

VAGUE_SUBJECTS = word_set("he she it they him them")
VAGUE_OWNERS = word_set("this these those such his her its their")
"""Words that refer to the text before."""

FUNCTION_WORDS = word_set("""
    a an the i we you me us my our your mine ours user users myself ourselves yourself own this that
    these those there here who which what where how why he she it they his her its their him them
    be is are am was were been being has have had do does did get got gets getting having
    of for in at on to with by from as into onto over via per within out off up down back around
    through about and or but so then than if
    all every each whole entire any some only just even really very quite pretty much
    more most less always usually generally normally typically mostly mainly basically simply
    still yet ever please well new everything everyone everybody anyone thing things
    stuff someone let lets ones itself yes also too either
    must should shall will can may nolonger anymore now not never no cannot max
    exactly roughly approximately approx circa until till
    """)
"""Words that say nothing by themselves."""

TYING_VERBS = word_set("""
    go use happen take place schedule plan occur hold set say call start begin run serve sit stand
    lie equal total require need become be work
    """)
"""Verbs that tie a figure to what it is a figure of."""

GENERIC_NOUNS = word_set("""
    service app application system tool project number value setting size amount count limit time
    date day name version address job task process policy thing official current main latest total
    company team server instance machine host environment site page program
    length duration link rate standard regular normal cluster figure estimate quote capacity account
    """)
"""Nouns that can be omitted without changing the topic."""

DISTINGUISHING_WORDS = word_set("""
    staging production prod dev development test testing qa uat local preview sandbox canary beta
    live min max minimum maximum read write connect input output upper lower first second third
    1st 2nd 3rd last next left right north south east west front rear male female junior senior
    morning evening night afternoon weekday weekend daily weekly monthly yearly annual hourly
    free pro premium basic enterprise internal external public private ios android web mobile
    desktop old former ex adult child kids mum mom dad mother father brother sister wife husband
    son daughter parent parents uncle aunt cousin friend partner colleague neighbour boss manager
    grandma grandpa target primary secondary backup main spare soft hard summer winter spring
    autumn q1 q2 q3 q4 eu us uk work home office business personal shared
    """)
"""Words that make it another topic."""

PERSON_WORDS = word_set("""
    mother father brother sister wife husband partner son daughter child parents friend colleague
    boss girlfriend boyfriend cousin uncle aunt neighbour grandma grandpa grandmother grandfather
    nephew niece flatmate roommate fiancé fiancée twin manager
    schwester schwager schwägerin bruder mutter vater frau mann tochter sohn eltern
    femme mari frère sœur mère père fille fils parents ami amie copain copine
    hermano hermana madre padre esposa esposo hijo hija marido mujer novia novio amigo amiga
    """)
"""Words for people other than the speaker."""

_SYNONYM_GROUPS = {
    "color": "colour colours colors",
    "favorite": "favourite favourites",
    "license": "licence",
    "center": "centre",
    "organization": "organisation",
    "program": "programme",
    "gray": "grey",
    "behavior": "behaviour",
    "production": "prod",
    "developer": "devs",
    "database": "db",
    "repository": "repo repos",
    "documentation": "docs doc",
    "configuration": "config",
    "environment": "env",
    "application": "app apps",
    "pr": "prs",
    "max": "maximum",
    "min": "minimum",
    "phone": "mobile cell cellphone telephone",
    "email": "mail",
    "apartment": "flat",
    "frontend": "ui",
    "lead": "leader leads heads head led leading leadership headed",
    "owner": "owns own owned ownership incharge belongs belong",
    "port": "listens listen listening",
    "upload": "attachment attachments attach attached attaching",
    "mother": "mum mom",
    "father": "dad",
    "child": "kid kids children",
    "person": "people us persons folks members",
    "limit": "quota ceiling cap capped limited",
    "pay": "salary wage",
    "deadline": "due",
    "release": "launch launches golive",
    "retro": "retrospective",
    "postgresql": "postgres",
    "mongodb": "mongo",
    "vs_code": "vscode visual_studio_code",
    "neovim": "nvim",
    "next.js": "nextjs next_js",
    "microsoft_teams": "ms_teams",
    "deploy": "deployment deployments",
    "meeting": "meet meets sync",
    "code": "coding",
    "cost": "price priced charge charges fee prices",
    "manager": "boss supervisor",
    "expiry": "expire expires expiring valid validity ttl lifetime lifespan",
    "respond": "reply replies response responses answers",
    "ship": "delivery deliver shipping shipment",
    "guest": "visitor visitors",
    "client": "customer customers",
    "bike": "bicycle bicycles",
    "holiday": "vacation",
    "film": "movie movies",
    "store": "shop shops",
    "photo": "picture pictures",
    "lift": "elevator",
    "colleague": "coworker coworkers",
    "flatmate": "roommate",
    "doctor": "gp physician",
    "keep": "retention retain retained",
    "employee": "staff employees",
    "": "programming course",
    "development": "dev",
}

SYNONYMS = {word: meaning for meaning, listed in _SYNONYM_GROUPS.items() for word in listed.split()}
"""Words that count as one word."""


# Units: what they measure, and how large they are.


_MEASURES = {
    "duration": """
        ms=0.001 millisecond=0.001 milliseconds=0.001 s=1 sec=1 secs=1 second=1 seconds=1 min=60
        mins=60 minute=60 minutes=60 h=3600 hr=3600 hrs=3600 hour=3600 hours=3600 day=86400
        days=86400 week=604800 weeks=604800 month=2592000 months=2592000 year=31536000
        years=31536000 yrs=31536000 quarter=7776000 quarters=7776000 night=86400 nights=86400
    """,
    "size": """
        bytes=0.001 kb=1 kilobytes=1 mb=1000 meg=1000 megs=1000 megabyte=1000 megabytes=1000
        mib=1000 gb=1000000 gig=1000000 gigs=1000000 gigabyte=1000000 gigabytes=1000000
        gib=1000000 tb=1000000000
    """,
    "money": """
        $=1 €=1 £=1 ¥=1 dollar=1 dollars=1 usd=1 euro=1 euros=1 eur=1 pound=1 pounds=1 gbp=1
        bucks=1 quid=1 francs=1 chf=1 cents=0.01
    """,
    "percent": "%=1 percent=1 pct=1 prozent=1",
    "distance": """
        km=1000 kilometers=1000 kilometres=1000 miles=1609 mile=1609 metres=1 meters=1 cm=0.01
        mm=0.001
    """,
    "weight": "kg=1 kilos=1 kilo=1 lbs=0.4536 grams=0.001",
    "age": "yearsold=1 monthsold=0.0833 weeksold=0.0192",
}

UNITS = {
    name: (kind, float(scale))
    for kind, listed in _MEASURES.items()
    for name, _, scale in (entry.partition("=") for entry in listed.split())
}
"""What each unit measures, and its size in the first unit of its kind."""

PERIODS = {
    **{name: name for name in ("second", "minute", "hour", "day", "week", "month", "year")},
    "min": "minute",
    "h": "hour",
    "night": "day",
    "quarter": "quarter",
    "sprint": "sprint",
}
"""Periods of a rate."""

FREQUENCY_ADVERBS = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year",
           "annually": "year", "hourly": "hour"}  # fmt: skip

IMPLIED_WORDS = {
    "money": frozenset(("cost", "pay")),
    "weight": frozenset(("weigh",)),
    "duration": frozenset(("take", "last", "long")),
    "age": frozenset(("turn", "age", "old", "year")),
    "number": frozenset(("turn",)),
    "size": frozenset(("size",)),
    "phone": frozenset(("call", "phone", "number", "reach", "contact", "ring", "text", "tel")),
    "url": frozenset(("address", "url", "link", "site", "find", "reach", "avail", "endpoint")),
    "count": frozenset(("total",)),
}
"""Words that a figure of this kind implies."""


# Verbs by what they do to a state: keep it, change it, end it; and their forms.


CHANGE_VERBS = word_set("""
    move switch migrate change convert transition upgrade downgrade bump raise lower increase
    decrease cut reduce extend push postpone reschedule delay shift rename relocate transfer slip
    grow shrink rise fall rewrite update adjust swap promote reassign handover turn double expand
    jump climb widen tighten shorten lengthen redirect repoint rebrand revise amend advance defer
    set drop go bring put redo halve rebuild limit correct up hike trim slash boost triple tweak
    scale dial pull crank knock relax loosen cap resize reprice demote transform evolve refactor
    repaint retitle appoint reset restrict replan flip lift narrow broaden ease elevate enlarge
    restore revert return paint hand
    """)
"""Verbs that give something a new value, which follows `to`."""

END_VERBS = word_set("""
    leave quit drop ditch abandon stop sell remove retire cancel kill scrap rip uninstall deprecate
    sunset decommission resign separate discontinue axe phase unsubscribe throw nomore cease dump
    shelve donate disband terminate die delete dismiss bin nix
    """)
"""Verbs that end what their object names."""

REPLACE_VERBS = word_set("replace swap trade exchange substitute supersede")
"""Verbs that replace one thing by another."""

BEGIN_VERBS = word_set("""
    join start begin become adopt choose pick agree settle opt hire marry engage divorce takeover
    get elect select remarry
    """)
"""Verbs that begin a lasting state."""

STATE_VERBS = word_set("""
    live reside work use run host deploy store keep base locate situate listen build write power
    serve own lead head manage maintain handle chair drive like love enjoy prefer hate dislike
    drink eat smoke learn study speak play have need require cost charge weigh take meet belong
    reportto employ call wear develop code sleep ship release publish review commute teach train
    coach read cook bill pay schedule plan hold sit lie allow support accept expire rotate last
    close open wake contain include cover rely vape date report test approve sign answer document
    log monitor track edit order subscribe send process point default resolve renew rent name know
    visit stay cap land arrive depart book end finish do want make reply respond communicate follow
    create
    """)
"""Verbs of how things are."""

_IRREGULAR = """
    do=does,doing be=is,are,am,been,being have=has,having leave=left sell=sold go=went,gone,goes
    grow=grew,grown shrink=shrank,shrunk rise=rose,risen fall=fell,fallen
    rewrite=rewrote,rewritten become=became begin=began,begun choose=chose,chosen bring=brought
    write=written build=built lead=led keep=kept hold=held speak=spoken eat=eaten drink=drunk
    drive=driven wear=worn slip=slipped swap=swapped,swapping rip=ripped drop=dropped,dropping
    stop=stopped,stopping ship=shipped,shipping scrap=scrapped plan=planned
    cancel=cancelled,canceled quit=quitting run=running throw=threw,thrown rebuild=rebuilt
    redo=redid,redone take=taken get=got,gotten cap=capped,caps cut=cutting defer=deferred
    transfer=transferred,transferring opt=opted put=putting up=upped,ups trim=trimmed log=logged
    setting=settings meeting=meetings migrate=ported,porting give=gave,given bin=binned nix=nixed
    pay=paid send=sent know=known flip=flipped last=lasts land=lands sign=signed review=reviews
"""

_NOUN_FORMS = word_set("""
    done billing books building cap date dated dates divorced engaged last lead logging married
    meeting name names orders plan planning plans reading releases reports run setting setup shut
    testing tests training
    """)
"""Forms of verbs that are mostly nouns or adjectives."""

PAST_VERBS = word_set("""
    was were had did drank ate ran wrote bought met saw took came made said knew thought gave found
    told felt spent drove flew rode spoke taught wore won caught slept swam sang lost heard
    """)
"""Past forms for what is over; past forms of a change state what holds since."""


def _inflect(verb: str) -> Iterator[str]:
    yield verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        yield from (verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing")
    elif verb.endswith("e"):
        yield from (verb + "s", verb + "d", verb[:-1] + "ing")
    else:
        yield verb + ("es" if verb.endswith(("s", "x", "sh", "ch", "o")) else "s")
        yield from (verb + "ed", verb + "ing")


EVENT_VERBS = CHANGE_VERBS | END_VERBS | REPLACE_VERBS | BEGIN_VERBS
"""Verbs whose past form states how things are now."""

LEMMAS = (
    {form: verb for verb in sorted(STATE_VERBS | EVENT_VERBS) for form in _inflect(verb)}
    | {
        form: verb
        for entry in _IRREGULAR.split()
        for verb, _, forms in (entry.partition("="),)
        for form in forms.split(",")
    }
    | {noun: noun for noun in _NOUN_FORMS}
)
"""The verb that each form belongs to; forms that are mostly nouns belong to themselves."""

PAST_FORMS = frozenset(
    form for form, verb in LEMMAS.items() if form.endswith("ed") and verb not in EVENT_VERBS
) - {"married", "engaged", "divorced", "need"}
"""Past forms of verbs of how things are."""

PARTICIPLES = frozenset(form for form in LEMMAS if form.endswith("ed")) | word_set("""
    written built led kept held spoken eaten driven worn known paid sent run cut put set sold left
    rewritten rebuilt chosen brought thrown taken done made given taught drawn shown seen
    """)
"""Forms that stand after `is` when something is done to the subject."""

VERBS = frozenset(STATE_VERBS | EVENT_VERBS | PAST_VERBS | PAST_FORMS | {"be", "have"})
