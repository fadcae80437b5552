"""Statements: what a text says of what, and what two texts are to each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.statements.clauses import Statement
from tacit.statements.comparison import Comparison, compare_texts, may_be_near_duplicates
from tacit.statements.parser import parse_text
from tacit.statements.partial_change import leaves_part_standing

STATED = [
    ("The capital of France is Paris.", "france", "capital", "paris"),
    ("France's capital is Paris", "france", "capital", "paris"),
    ("Paris is the capital of France", "france", "capital", "paris"),
    (
        "The chief executive officer of Acme Inc. is Jo P. Doe, Earl of Kent",
        "acme inc",
        "chief executive officer",
        "jo p doe earl of kent",
    ),
    ("The author of 1984 is George Orwell", "1984", "author", "george orwell"),
    ("The author of This is Us is Ann", "this is us", "author", "ann"),
    ("The director of The Lord of the Rings is Ann", "lord of rings", "director", "ann"),
    ("The name of the current head of state in Poland is Ann", "poland", "head of state in", "ann"),
    ("The type of music that Ann plays is rock", "ann plays", "type of music that", "rock"),
    ("The firm that built Alpha 3 is Acme", "built alpha 3", "firm that", "acme"),
    ("The school where Ann was taught is MIT", "ann was taught", "school where", "mit"),
    ("The seat of Acme is located in the city of Bonn", "acme", "seat located in city", "bonn"),
    ("My favourite colour is blue", "i", "favourite colour", "blue"),
    ("Our editor is Vim", "we", "editor", "vim"),
    ("Ann's child is Ben", "ann", "child", "ben"),
    ("Acme was founded by Ann", "acme", "founded by", "ann"),
    ("Ann is married to Ben", "ann", "married to", "ben"),
    ("Ann is a citizen of Peru", "ann", "citizen of", "peru"),
    ("Ann plays the position of goalkeeper", "ann", "plays position", "goalkeeper"),
    ("Ann was born in the city of New York", "ann", "born in city", "new york"),
    ("Ann works in the field of physics", "ann", "works in field", "physics"),
    ("Ann lives in Berlin", "ann", "live in", "berlin"),
    ("Billing runs on PostgreSQL 16", "billing", "run on", "postgresql 16"),
    ("The key rotates every thirty days", "key", "rotate every", "30 days"),
    ("The invoice is due on Friday", "invoice", "due", "friday"),
    ("We picked Redis for caching because it is fast", "we", "use for caching", "redis"),
    ("Ann prefers tea for breakfast", "ann", "prefer for breakfast", "tea"),
    ("Anna wohnt in Berlin", "anna", "live in", "berlin"),
]


@pytest.mark.parametrize(("text", "entity", "attribute", "value"), STATED)
def test_a_statement_of_one_value_is_read_in_its_parts(text, entity, attribute, value):
    assert parse_text(text).statements == (Statement(entity, attribute, value, is_functional=True),)


@pytest.mark.parametrize(
    "text",
    [
        "Ann likes Berlin",
        "Ann visited the city of Rome",
        "Ann has three cats",
        "Ann is a doctor",
        "The car of Ann is fast",
        "We deployed on Friday",
        "We use PostgreSQL",
        "Ann is interested in chess",
        "Ann is allergic to nuts",
        "Ann is friends with Ben",
        "Ann is a member of Mensa",
        "Ann used to live in Berlin",
        "Ann might use Vim for mail",
        "She lives in Berlin",
        "If it rains the meeting is on Friday",
        "Is the capital of France Paris?",
        "My friend is Ben",
        "Ann works at night",
    ],
)
def test_what_may_be_true_beside_another_value_has_no_slot(text):
    assert _find_slots(text) == ()


CONTRADICTIONS = [
    ("Billing runs on MySQL", "Billing runs on PostgreSQL 16"),
    ("The key rotates every 30 days", "The key rotates every 90 days"),
    ("Always use tabs", "Never use tabs"),
    ("Always use tabs", "Don't use tabs"),
    ("Use tabs", "Avoid tabs"),
    ("Use tabs for indentation", "Use spaces for indentation"),
    ("Use tabs instead of spaces", "Use spaces instead of tabs"),
    ("We use tabs, not spaces", "We use spaces, not tabs"),
    ("Anna lives in Berlin", "Anna lives in Paris"),
    ("France's capital is Lyon", "The capital of France is Paris"),
    ("User lives in Berlin", "I live in Rome"),
    ("The user's favourite colour is blue", "My favourite colour is red"),
    ("Paris is the capital of France", "The capital of France is Lyon"),
    ("The deadline is Friday", "The deadline is Monday"),
    ("Ann: The deadline is Friday", "- The deadline is Monday"),
    ("Ann prefers tea over coffee", "Ann prefers coffee over tea"),
    ("We chose PostgreSQL for billing", "We use MySQL for billing"),
    ("We decided to use Kafka for events", "We decided to use RabbitMQ for events"),
    ("Ann likes sushi", "Ann dislikes sushi"),
    ("I can't eat gluten", "I can eat gluten"),
    ("Dark mode is enabled", "Dark mode is disabled"),
    ("The standup starts at 9:30 on Mondays", "The standup starts at 10:00 on Mondays"),
    ("The timeout is set to 30 seconds", "The timeout is set to 60 seconds"),
    ("In staging, the timeout is 30 seconds", "The timeout is 60 seconds in staging"),
    ("The API listens on port 8080", "The API listens on port 9090"),
    ("Ann reports to Ben", "Ann reports to Cara"),
    ("The license costs 20 euros", "The license costs 25 euros"),
    ("Ann is 30 years old", "Ann is 31 years old"),
    ("Ann works for Acme", "Ann lives in Berlin and works at Globex"),
    ("I no longer live in Paris", "I live in Paris"),
    ("Ann is the CEO of Acme", "Ben is the CEO of Acme"),
    ("The default branch is main", "Default branch is develop"),
    ("timeout = 30", "timeout = 60"),
    ("Never deploy without tests", "Deploy without tests"),
    ("Die Hauptstadt von Frankreich ist Paris", "Die Hauptstadt von Frankreich ist Lyon"),
    ("La capitale de la France est Paris", "La capitale de la France est Lyon"),
    ("La capital de Francia es París", "La capital de Francia es Lyon"),
    ("Mein Lieblingsessen ist Pizza", "Mein Lieblingsessen ist Sushi"),
    ("Anna wohnt in Berlin", "Anna wohnt nicht in Berlin"),
    ("Anna mange de la viande", "Anna ne mange pas de viande"),
    ("Anna come carne", "Anna no come carne"),
]

DIFFERENCES = [
    ("Anna lives in Berlin", "Ben lives in Berlin"),
    ("Anna lived in Berlin", "Anna lives in Paris"),
    ("Anna used to live in Berlin", "Anna used to live in Paris"),
    ("We deployed on Friday", "We deployed on Monday"),
    ("Retry three times", "Retry five times"),
    ("Ann prefers tea over coffee", "Ann prefers Vim over Emacs"),
    ("Ann prefers dark mode", "Ann prefers light mode"),
    ("We use PostgreSQL for billing", "We use MySQL for analytics"),
    ("Staging uses PostgreSQL 15", "Staging uses PostgreSQL 16"),
    ("The timeout is set to 30 seconds in staging", "The timeout is set to 60 seconds in tests"),
    ("The meeting is on Friday", "The meeting is at 10:00"),
    ("Acme was founded in 1998", "Acme was founded in Berlin"),
    ("The CEO of Acme was Ann", "The CEO of Acme is Ben"),
    ("Ann: I live in Berlin", "Ben: I live in Paris"),
    ("Ann: I like tea", "Ben: I like tea"),
    ("Shell: fish", "Pet: fish"),
    ("The user interface runs on Qt", "I run on coffee"),
    ("I don't live in Paris", "I live in Berlin"),
    ("Ann is 30 years old", "Ann is 180 cm tall"),
    ("Ann is Ben's manager", "Ben is Ann's manager"),
    ("Deploy with tests", "Deploy without tests"),
    ("Do we use tabs?", "We don't use tabs"),
    ("The subscription costs $20 per month", "The subscription costs $200 per year"),
]

REPEATS = [
    ("Use tabs", "Always use tabs"),
    ("France's capital is Paris", "The capital of France is Paris"),
    ("- The deadline is Friday.", "The deadline is Friday"),
    ("Note: the deadline is Friday", "Ann: The deadline is Friday"),
    ("The key rotates every 30 days", "The key rotates every thirty days"),
    ("The release was on 2026-02-23", "The release was on February 23, 2026"),
    ("The job runs at 3am", "The job runs at 03:00"),
    ("A quota of 1,000 requests", "A quota of 1000 requests"),
    ("Ann dislikes sushi", "Ann doesn't like sushi"),
]

RESEMBLANCES = [
    ("The user prefers concise answers", "The user likes short answers"),
    ("My dog is a poodle", "My dog is a beagle"),
    ("Ann likes sushi", "Ann likes pizza"),
    ("Ann lives in Berlin with her sister", "Ann lives in Berlin"),
    ("Ann enjoys hiking in the mountains", "Ann loves to hike in mountains"),
]

COMPARED = [
    *((first, second, Comparison.CONFLICTS) for first, second in CONTRADICTIONS),
    *((first, second, Comparison.DIFFERS) for first, second in DIFFERENCES),
    *((first, second, Comparison.REPEATS) for first, second in REPEATS),
    *((first, second, Comparison.RESEMBLES) for first, second in RESEMBLANCES),
]


@pytest.mark.parametrize(("first", "second", "likeness"), COMPARED)
def test_two_texts_are_to_each_other_what_a_reader_says_they_are(first, second, likeness):
    assert compare_texts(first, second) is likeness
    assert compare_texts(second, first) is likeness


@pytest.mark.parametrize(("first", "second", "likeness"), COMPARED)
def test_only_what_repeats_or_resembles_may_be_a_near_duplicate(first, second, likeness):
    allowed = likeness in (Comparison.REPEATS, Comparison.RESEMBLES)
    assert may_be_near_duplicates(first, second) is allowed


def _find_slots(text):
    """What a text gives one value to: an attribute of an entity."""
    found = [each.slot for each in parse_text(text).statements if each.is_functional]
    return tuple(dict.fromkeys(found))


def test_slots_are_the_same_for_the_same_attribute_of_the_same_entity():
    assert _find_slots("The capital of France is Paris") == ("france\x1fcapital",)
    assert _find_slots("France's capital is Lyon") == _find_slots("Nice is the capital of France")


def test_a_text_has_each_of_its_slots_once():
    text = "Ann lives in Berlin and works at Acme. Ann lives in Paris."
    assert _find_slots(text) == ("ann\x1flive in", "ann\x1fwork at")


def test_a_reading_tells_numbers_dates_and_names_apart():
    reading = parse_text(
        "Ann paid 1,000 euros and ten cents to IBM at 2:30 pm on Friday, March 3, 2026"
    )
    assert reading.numbers == {"1000", "10"}
    assert reading.dates == {"14:30", "friday", "2026-03-03"}
    assert reading.names == {"ann", "ibm"}


def test_a_word_with_inner_capitals_is_a_name_and_a_common_word_at_the_start_is_none():
    assert parse_text("Always keep PostgreSQL patched").names == {"postgresql"}


def test_the_core_has_no_negation_and_no_adverbs():
    assert parse_text("We never really use the tabs").core == ("we", "use", "tab")
    assert parse_text("We never really use the tabs").is_negated


def test_a_text_that_names_both_values_does_not_contradict_one_of_them():
    both = "Ann lives in Berlin. Ann lives in Paris."
    assert compare_texts(both, "Ann lives in Paris") is not Comparison.CONFLICTS


def test_long_texts_that_differ_only_beyond_what_is_read_are_not_taken_for_repeats():
    start = "Ann met Ben at the lake. " * 200
    assert compare_texts(start + "They swam.", start + "They sailed.") is Comparison.DIFFERS
    assert parse_text(start) == parse_text(start + "They swam.")


FRAGMENTS = """
    the of is was and not never no Ann Ann's my prefers uses for over in city lives on every 30
    March 3, 2026 2:30 pm that where , . ? ! ; : - = if since born by founded due I'm don't A
"""
TEXTS = st.one_of(
    st.text(), st.lists(st.sampled_from(FRAGMENTS.split()), max_size=14).map(" ".join)
)


@given(TEXTS)
def test_any_text_can_be_read_and_never_stands_against_itself(text):
    reading = parse_text(text)
    assert len(_find_slots(text)) <= len(reading.statements)
    assert compare_texts(text, text) is Comparison.REPEATS
    assert compare_texts(text, f" {text}") in (Comparison.REPEATS, Comparison.RESEMBLES)


@given(TEXTS, TEXTS)
def test_the_order_of_two_texts_does_not_matter(first, second):
    assert compare_texts(first, second) is compare_texts(second, first)


@pytest.mark.parametrize(
    "addition",
    [
        "I also use tmux for coding",
        "I use tmux for coding too",
        "I use tmux for coding as well",
    ],
)
def test_what_is_said_besides_contradicts_nothing(addition):
    known = "I use vim for coding"
    assert compare_texts(known, addition) is not Comparison.CONFLICTS
    assert compare_texts(addition, known) is not Comparison.CONFLICTS
    assert compare_texts(known, "I use tmux for coding") is Comparison.CONFLICTS


@pytest.mark.parametrize(
    "new",
    [
        "Der Chor fängt eine halbe Stunde später an",
        "Die Miete ist um 50 Euro gestiegen",
        "Le loyer a augmenté de 50 euros",
        "La reunión empieza una hora más tarde",
        "El alquiler ha subido 70 euros",
        "Ab April zahlen wir 905 Euro",
        "À partir de mai le loyer est de 800 euros",
        "A partir de junio abrimos los lunes",
        "I'm drinking a coffee right now",
        "Im Moment trinke ich nur Kaffee",
    ],
)
def test_a_change_told_by_its_size_from_another_month_or_of_the_moment_leaves_what_was_before(new):
    assert leaves_part_standing("", new)


@pytest.mark.parametrize(
    ("old", "new", "is_part"),
    [
        ("Wir nutzen Slack und Teams", "Teams haben wir abgeschafft", True),
        ("Je parle anglais, allemand et russe", "J'ai oublié mon russe", True),
        ("Vendemos pan y queso", "Ya no vendemos queso", True),
        ("Vendemos pan y queso", "Ahora vendemos queso y vino", False),
        ("I live in Leeds", "I live in York from now on", False),
        ("We meet from May to June", "We meet from May to July", False),
    ],
)
def test_what_names_some_of_a_list_is_about_a_part_of_it(old, new, is_part):
    assert leaves_part_standing(old, new) is is_part
