"""Everyday words, which are no names when a sentence begins with them."""

from tacit.language.statements.listing import word_set
from tacit.language.statements.vocabulary import (
    ARTICLES,
    BOUNDARIES,
    CONDITIONS,
    CONJUNCTIONS,
    DENIALS,
    FIRST_PERSONS,
    HEDGES,
    LOOSE_OWNERS,
    MILD,
    OBLIGATIONS,
    OPPOSITES,
    PLURAL_SPEAKERS,
    PREPOSITIONS,
    PRIVATIVES,
    SUPPORTS,
    UNRESOLVED,
)

COMMON = (
    ARTICLES
    | DENIALS
    | PRIVATIVES
    | MILD
    | OBLIGATIONS
    | SUPPORTS
    | CONDITIONS
    | BOUNDARIES
    | CONJUNCTIONS
    | PREPOSITIONS
    | UNRESOLVED
    | LOOSE_OWNERS
    | PLURAL_SPEAKERS
    | HEDGES
    | frozenset(FIRST_PERSONS)
    | frozenset(OPPOSITES)
    | word_set("""
        is are was were be been being am has have had did done get got make made let lets me him
        them us her than then thus if how why what when yes ok okay hi hello thanks thank sorry
        well today tomorrow yesterday tonight last next first second third new old good great best
        big small only just even very quite so much more less least own same
        use uses using run runs running write writes keep keeps set sets put add adds remove
        delete create creates build builds test tests deploy deploys deployed check checks send
        sends call calls ask asks answer answers prefer prefers prefers like likes love loves want
        wants need needs know knows think thinks say says said go goes went come comes take takes
        give gives show shows find finds try tries start starts stop stops open close read store
        avoid ensure follow include return returns commit push pull merge review reply format
        wrap name names call sign speak talk meet met watch eat eats drink drinks buy bought sell
        user users team teams customer customers client clients company project projects product
        service services server servers database app application apps code file files folder
        page pages api data key keys password token tokens config configuration setting settings
        default defaults value values error errors log logs report reports backup backups meeting
        meetings standup deadline release releases version build price cost budget office home
        work works worked working job role manager boss friend friends family wife husband partner
        mother father brother sister son daughter child children kid kids dog cat car house
        birthday name email phone address city country language languages time times date day days
        week weeks month months year years hour hours minute minutes morning evening night
        weekday weekdays weekend weekends lunch dinner breakfast coffee tea tabs spaces dark light
        mode branch branches main issue issues ticket tickets task tasks plan plans goal goals
        decision decisions rule rules note notes list lists document documents documentation docs
        comment comments message messages answer question questions request requests response
        responses result results change changes fix fixes bug bugs feature features
        support access security production staging development frontend backend testing
        deployment deployments monitoring logging billing payment payments invoice invoices order
        orders two three four five six seven eight nine ten
        ist sind war bin hat haben wird mein nutze benutze verwende nimm
        est sont était suis utilise utilisez nous vous
        es son era soy usa usar está están
        """)
)
"""Words that are no name merely because a sentence begins with them."""
