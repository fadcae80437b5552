"""Verbs by what they do to what holds: keep it, change it, end it; and their forms."""

from collections.abc import Iterator

from tacit.language.statements.listing import word_set

CHANGING = word_set("""
    move switch migrate change convert transition upgrade downgrade bump raise lower increase
    decrease cut reduce extend push postpone reschedule delay shift rename relocate transfer slip
    grow shrink rise fall rewrite update adjust swap promote reassign handover turn double expand
    jump climb widen tighten shorten lengthen redirect repoint rebrand revise amend advance defer
    set drop go bring put redo halve rebuild limit correct up hike trim slash boost triple tweak
    scale dial pull crank knock relax loosen cap resize reprice demote transform evolve refactor
    repaint retitle appoint reset restrict replan flip lift narrow broaden ease elevate enlarge
    restore revert return paint hand
    """)
"""Verbs that take something to a new value, which stands after `to`."""

ENDING = word_set("""
    leave quit drop ditch abandon stop sell remove retire cancel kill scrap rip uninstall deprecate
    sunset decommission resign separate discontinue axe phase unsubscribe throw nomore cease dump
    shelve donate disband terminate die delete dismiss bin nix
    """)
"""Verbs that end what their object names."""

REPLACING = word_set("replace swap trade exchange substitute supersede")
"""Verbs that put one thing in the place of another."""

BEGINNING = word_set("""
    join start begin become adopt choose pick agree settle opt hire marry engage divorce takeover
    get elect select remarry
    """)
"""Verbs that begin something which goes on."""

HOLDING = word_set("""
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

_NOUNS = word_set("""
    done billing books building cap date dated dates divorced engaged last lead logging married
    meeting name names orders plan planning plans reading releases reports run setting setup shut
    testing tests training
    """)
"""Forms of verbs that are mostly nouns or adjectives."""

PASTS = word_set("""
    was were had did drank ate ran wrote bought met saw took came made said knew thought gave found
    told felt spent drove flew rode spoke taught wore won caught slept swam sang lost heard
    """)
"""Past forms of what is over; those of a change tell what holds since."""


def _forms(verb: str) -> Iterator[str]:
    yield verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        yield from (verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing")
    elif verb.endswith("e"):
        yield from (verb + "s", verb + "d", verb[:-1] + "ing")
    else:
        yield verb + ("es" if verb.endswith(("s", "x", "sh", "ch", "o")) else "s")
        yield from (verb + "ed", verb + "ing")


NEWS = CHANGING | ENDING | REPLACING | BEGINNING
"""Verbs whose past form is news of how things are."""

LEMMAS = (
    {form: verb for verb in sorted(HOLDING | NEWS) for form in _forms(verb)}
    | {
        form: verb
        for entry in _IRREGULAR.split()
        for verb, _, forms in (entry.partition("="),)
        for form in forms.split(",")
    }
    | {noun: noun for noun in _NOUNS}
)
"""The verb that each form belongs to; forms that are mostly nouns belong to themselves."""

PAST_FORMS = frozenset(
    form for form, verb in LEMMAS.items() if form.endswith("ed") and verb not in NEWS
) - {"married", "engaged", "divorced", "need"}
"""Past forms of verbs of how things are."""

PARTICIPLES = frozenset(form for form in LEMMAS if form.endswith("ed")) | word_set("""
    written built led kept held spoken eaten driven worn known paid sent run cut put set sold left
    rewritten rebuilt chosen brought thrown taken done made given taught drawn shown seen
    """)
"""Forms that stand after `is` when something is done to the subject."""

VERBS = frozenset(HOLDING | NEWS | PASTS | PAST_FORMS | {"be", "have"})
