"""Verbs, nouns and adjectives that say whether something has one value at a time."""

from tacit.language.vocabulary import word_map, word_set


def _verb_table(text: str) -> dict[str, tuple[str, ...]]:
    """Parse lines of verbs and their prepositions; `-` stands for none."""
    found: dict[str, tuple[str, ...]] = {}
    for line in text.strip().splitlines():
        verbs, prepositions = line.split(":")
        links = tuple(each.removeprefix("-") for each in prepositions.split())
        found |= dict.fromkeys(verbs.split(), links)
    return found


PRESENT_COPULAS = {"is": "", "ist": "", "est": "", "es": ""}
PAST_COPULAS = {"was": "was", "war": "was", "était": "was", "era": "was"}
COPULAS = PRESENT_COPULAS | PAST_COPULAS
"""Forms of `be`, with what they add to an attribute: what was differs from what is."""

PLURAL_COPULAS = {"are": "", "am": "", "were": "was", "sind": "", "sont": "", "son": ""}
BEING = COPULAS | PLURAL_COPULAS
ENGLISH_BEING = word_set("is was are am were")
"""Looked for first, because a name may contain a foreign form."""

LINKS = word_set("of von de des du del")
"""Prepositions between an attribute and its owner."""

NOUN_LINKS = LINKS | word_set("for in at to on with from für pour para")

COMPOUNDS = frozenset(
    (
        *("head of state", "head of government", "date of birth", "place of birth"),
        *("cause of death", "chief of staff", "point of contact", "type of music"),
        *("country of origin", "field of study", "place of work"),
    )
)
"""Nouns with a preposition inside."""

MADE = word_set("""
    founded cofounded created developed written performed produced directed designed invented
    composed painted built manufactured published discovered authored recorded made established
    sung broadcast released coined started launched drawn sculpted engineered formulated introduced
    choreographed illustrated translated narrated commissioned constructed
    """)
"""What one maker does to a thing, once; `by` tells the maker."""

ONCE = _verb_table("""
    born: in on at
    buried: in at
    founded established: in on
    invented written baptised: in
    named: after
    """)
"""What happens to something once, with the prepositions of where, when and what."""

HELD = _verb_table("""
    married engaged assigned limited: to
    employed: by at
    owned led managed headed run maintained operated governed ruled chaired coached: by
    hosted: by on in at
    located based situated: in at on
    headquartered stationed: in at
    stored kept: in at on under
    deployed: to on in
    set pinned: to at
    capped: at
    scheduled: for on at
    planned famous known: for
    due: - on at by in
    called named nicknamed: -
    citizen resident native: of
    """)
"""What holds of something for a time, with the prepositions of its value; present tense only."""

MERGED = frozenset(("due", "scheduled", "planned"))
"""Attributes that are the same whatever the preposition."""

STATES = _verb_table("""
    live reside: in at
    work: at for
    run: on at every
    cost weigh last take: -
    expire: in on after at -
    rotate repeat refresh: every
    renew: on every
    start begin end: at on
    finish open close: at
    happen occur: on at
    default resolve point report belong: to
    listen: on
    sit: in on
    """)
"""Verbs of which a subject has one value at a time, with the prepositions of the value."""

SYNONYMS = {
    **dict.fromkeys(("work for", "employed by", "employed at"), "work at"),
    "reside in": "live in", "reside at": "live at", "begin at": "start at",
    "begin on": "start on", "occur on": "happen on", "finish at": "end at", "occur at": "happen at",
    "headquartered in": "based in", "named": "called",
}  # fmt: skip
"""Predicates that are one attribute under two names."""

MEASURES = frozenset(("cost", "weigh", "last", "take"))
"""States whose value is a quantity, and no state with any other value."""

_THIRD_PERSONS = word_map("""
    wohnt/live lebt/live arbeitet/work kostet/cost läuft/run habite/live vit/live travaille/work
    coûte/cost vive/live trabaja/work cuesta/cost
    """)
_BARE_FORMS = word_map("wohne/live lebe/live arbeite/work vivo/live trabajo/work")
FOREIGN_PREPOSITIONS = word_map("""
    à/in en/in bei/at chez/at auf/on für/for pour/for para/for um/at am/on
    """)

CHOOSING = {
    **dict.fromkeys(("use", "uses", "using", "used"), "use"),
    **dict.fromkeys(("choose", "chooses", "chose", "chosen"), "use"),
    **dict.fromkeys(("pick", "picks", "picked", "select", "selected", "adopt", "adopted"), "use"),
    **dict.fromkeys(("prefer", "prefers"), "prefer"),
}
"""Verbs that decide on something for a purpose, by the attribute they give it."""

DECIDING = frozenset(("decided", "agreed", "opted"))
"""Verbs that stand before `to use`."""

PURPOSES = word_set("for as für pour para")
RIVALRY = (("over",), ("to",), ("not",), ("rather", "than"), ("instead", "of"), ("more", "than"))
"""What stands between what is preferred and what it is preferred to."""

PASSING = word_set("""
    visit visits visited like likes liked love loves loved know knows knew meet meets met see sees
    saw seen tour tours toured leave leaves left reach reached enter entered discuss discussed
    mention mentioned explore explored cross crossed study studied learn learns learned learnt
    read reads enjoy enjoys enjoyed watch watched buy buys bought sell sold has have had eat eats
    ate describe described
    """)
"""Verbs that may be true of many things at once."""

CLASSIFIERS = word_set("""
    age category city class code colour color continent council country county currency
    denomination department discipline district division faith field format framework
    genre grade house industry instrument island language league level location mode municipality
    name nationality nickname occupation office order party plan port position post profession
    province rank region religion role school sect size species sport state status subject team
    territory tier time timezone title town trade type version village year zone
    """)
"""Nouns that say what kind of thing follows their `of`."""

MANY = word_set("""
    friend colleague coworker neighbour neighbor cousin classmate student client customer hobby
    example issue problem reason goal idea benefit advantage disadvantage part feature risk
    concern question interest skill challenge point thing member
    """)
"""Nouns of which one may have several at once."""

ONLY = word_set("best main first last current favourite favorite only primary top")
"""Words that make one out of many."""

QUALITIES = word_set("""
    name nickname status state mode priority level size colour color condition mood language type
    category severity format theme style plan tier speed weather role password username branch
    timezone currency license licence owner address url endpoint title motto default
    """)
"""Nouns that are attributes by themselves, whatever their value looks like."""

ADJECTIVES = word_set("""
    able afraid alive alone amazing angry available awake aware awesome awful bad beautiful better
    big bitter black blue boring bored brave brief bright broken brown busy calm careful cheap
    clean clear clever closed cold comfortable common complete complex confident cool correct crazy
    cute damaged dangerous dark dead deep dense different difficult dirty down dry dull early easy
    empty excellent excited expensive fair false familiar fast fat fine flaky fragile free fresh
    friendly full fun funny gentle glad good gone gray great green grey happy hard healthy heavy
    helpful high honest hot huge hungry ill important impossible incomplete incorrect key kind large
    late lazy legacy light likely live lonely long loud low lucky mandatory massive mature messy
    missing modern narrow necessary nervous new nice noisy normal obsolete odd off offline ok okay
    old on online open optional outdated painful patient perfect poor possible present private
    proud public quick quiet rare ready real red reliable required rich right robust rough sad safe
    scary secure sensitive serious sharp short shy sick silent simple slow small smart smooth soft
    solid sorry special stable strange strict strong stupid sunny sure sweet tall tasty tested
    thick thin tight tiny tired tough tricky true typical ugly unclear unique unknown unstable
    unsure up upset urgent vague valid valuable vital warm weak weird well wet white wide wild wise
    wonderful worse worst wrong yellow young
    """)
ADJECTIVAL_ENDINGS = ("able", "ible", "ful", "less", "ous", "ing", "ed", "ly")
"""Endings of adjectives; a value that only describes does not rule out another."""

IDIOMS = word_set("home night nights school work once least first last times peace risk")
"""Words that are no value of their own after `at` or `in`."""

VAGUE = word_set("""
    to that what how why when because one among part like very too so quite rather pretty more
    less as still about if whether all
    """)
"""Words with which no single value begins."""


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "sh", "ch", "o")) else "s")


FORMS = {
    **{verb: (verb, True) for verb in STATES},
    **{_third_person(verb): (verb, False) for verb in STATES},
    **{form: (verb, False) for form, verb in _THIRD_PERSONS.items()},
    **{form: (verb, True) for form, verb in _BARE_FORMS.items()},
}
"""Forms of the states: the verb they belong to, and whether they are its bare form."""
