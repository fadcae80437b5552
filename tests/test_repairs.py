"""Self-corrections inside a message, what points back, and lists: nothing is learned by half."""

from datetime import UTC, datetime

import pytest

from tacit import Tacit
from tacit.language.extraction.extract import extract_findings

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday


def _contents(text):
    return [each.content for each in extract_findings(text, NOW).findings]


REPAIRED = [
    # Names.
    ("My dentist is Dr. Ek, no wait, Dr. Falk.", "My dentist is Dr. Falk"),
    ("my dentist is dr ek no wait dr falk", "My dentist is dr falk"),
    ("My dentist is Dr. Ek (no wait, Dr. Falk).", "My dentist is Dr. Falk"),
    ("My dentist is Dr. Ek, no wait, it's Dr. Falk.", "My dentist is Dr. Falk"),
    ("My dentist is Dr. Ek, no wait, my dentist is Dr. Falk.", "My dentist is Dr. Falk"),
    ("My dentist is Dr. Ek, no wait, Dr. Falk, no, Dr. Moss.", "My dentist is Dr. Moss"),
    ("My physio is Tom, sorry, I mean Tim", "My physio is Tim"),
    ("my physio is tom, sorry, i mean tim", "My physio is tim"),
    ("Our project uses Vue... actually no, React.", "Our project uses React"),
    ("We use `vue`, no wait, `react`.", "We use `react`"),
    ("I live in Bern. No wait, Basel.", "I live in Basel"),
    ("My sister Julia, no wait, Juliet, lives in Bern.", "My sister Juliet lives in Bern"),
    (
        "My wife's name is Anna, wait no, Anne, and she works at Bosch.",
        "My wife's name is Anne, and she works at Bosch",
    ),
    ("Mein Zahnarzt ist Dr. Ek, nein warte, Dr. Falk", "Mein Zahnarzt ist Dr. Falk"),
    ("Unser Projekt nutzt Vue... ach nein, React.", "Unser Projekt nutzt React"),
    (
        "Meine Schwester Julia, nein, Juliane, wohnt in Bern.",
        "Meine Schwester Juliane wohnt in Bern",
    ),
    ("Mon dentiste est le Dr Ek, non attends, le Dr Falk", "Mon dentiste est le Dr Falk"),
    ("Ma sœur s'appelle Julie, pardon, Juliette.", "Ma sœur s'appelle Juliette"),
    ("Mi dentista es el Dr. Ek, no espera, el Dr. Falk", "Mi dentista es el Dr. Falk"),
    ("Mi hermana se llama Ana, perdón, Anna.", "Mi hermana se llama Anna"),
    # Days, times and numbers.
    ("Our standup is on Tuesdays, scratch that, Wednesdays", "Our standup is on Wednesdays"),
    (
        "Erwin's birthday is the 4th, sorry, the 14th of June",
        "Erwin's birthday is the 14th of June",
    ),
    ("My flight leaves at 9, no, at 10:30", "My flight leaves at 10:30"),
    (
        "The retro is in my office at 9 on the 4th floor, no, at 10:30.",
        "The retro is in my office at 10:30 on the 4th floor",
    ),
    ("Our budget is 4000 euros - sorry, 5000.", "Our budget is 5000 euros"),
    ("Our budget is 4000 euros, sorry, 5000 dollars.", "Our budget is 5000 dollars"),
    ("My locker is 12, correction: 21.", "My locker is 21"),
    ("Mein Flug geht um 9, nein, um 10:30 Uhr.", "Mein Flug geht um 10:30 Uhr"),
    ("Wir treffen uns immer dienstags, Quatsch, mittwochs.", "Wir treffen uns immer mittwochs"),
    ("Unser Budget ist 4000 Euro, ich meine 5000 Euro.", "Unser Budget ist 5000 Euro"),
    ("Mon vol part à 9h, non, à 10h30.", "Mon vol part à 10h30"),
    ("Notre réunion est le mardi, non, le mercredi.", "Notre réunion est le mercredi"),
    ("Mi vuelo sale a las 9, no, a las 10:30.", "Mi vuelo sale a las 10:30"),
    ("Our meeting is in room 5, sorry, room 7.", "Our meeting is in room 7"),
    ("The rehearsal is at half past six, no sorry, seven.", "The rehearsal is at half past seven"),
    ("Wir haben drei Kinder, Entschuldigung, vier.", "Wir haben vier Kinder"),
    ("Vivo en Madrid, mejor dicho, en Getafe.", "Vivo en Getafe"),
    # Other words, by how they begin or where they stand.
    (
        "My daughter is allergic to walnuts, no sorry, hazelnuts.",
        "My daughter is allergic to hazelnuts",
    ),
    ("I prefer tabs, no wait, spaces.", "I prefer spaces"),
    ("We deploy from main, no wait, from the release branch.", "We deploy from the release branch"),
    ("My dog is a golden retriever, no wait, a labrador.", "My dog is a labrador"),
    ("My favourite colour is blue, sorry, green.", "My favourite colour is green"),
    ("My boss, Ann, no wait, Anne, hates meetings.", "My boss, Anne, hates meetings"),
    ("Ma fille joue du violon, non attends, de l'alto.", "Ma fille joue de l'alto"),
    (
        "Ich bin allergisch gegen Walnüsse, nein warte, Haselnüsse.",
        "Ich bin allergisch gegen Haselnüsse",
    ),
    (
        "Je suis allergique aux noix, non pardon, aux noisettes.",
        "Je suis allergique aux noisettes",
    ),
    (
        "Soy alérgico a las nueces, no, perdón, a las avellanas.",
        "Soy alérgico a las avellanas",
    ),
]


@pytest.mark.parametrize(("text", "content"), REPAIRED)
def test_a_self_correction_is_one_statement_with_the_last_value(text, content):
    assert _contents(text) == [content]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("My appointment is on June 4, no wait, June 14.", "My appointment is on June 14"),
        ("Mein Termin ist am 4. Juni, nein, am 14.", "Mein Termin ist am 14. Juni"),
        ("Mon rendez-vous est le 4 juin, pardon, le 14.", "Mon rendez-vous est le 14 juin"),
        ("Mi cita es el 4 de junio, perdón, el 14.", "Mi cita es el 14 de junio"),
    ],
)
def test_a_corrected_day_keeps_the_month_that_was_said_before(text, day):
    assert _contents(text) == [f"{day} (2026-06-14)"]


@pytest.mark.parametrize(
    "text",
    [
        "My dentist is Dr. Ek, no wait, let me check.",
        "We use Vue, scratch that.",
        "We use Vue. Scratch that.",
        "My editor is Vim, no wait, at 10:30.",
        "Mein Zahnarzt ist Dr. Ek, nein warte, ich schaue nach.",
        "Mon dentiste est le Dr Ek, non attends, je vérifie.",
        "Mi dentista es el Dr. Ek, no espera, lo compruebo.",
    ],
)
def test_where_it_is_not_clear_what_is_right_nothing_is_learned(text):
    assert _contents(text) == []


def test_a_statement_taken_back_without_a_clear_value_is_refused_as_it_was_said():
    said = "My dentist is Dr. Ek, no wait, let me check."
    (refused,) = extract_findings(said, NOW).refused
    assert (refused.sentence, refused.reason) == (said, "negated")


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "My dentist is Dr. Ek, no wait, I changed to Dr. Falk last year.",
            "I changed to Dr. Falk last year",
        ),
        ("I live in Bern. No wait, I moved to Basel last week.", "I moved to Basel last week"),
        ("Our CEO is Ann, sorry, I mean our CTO is Ann.", "Our CTO is Ann"),
    ],
)
def test_a_whole_clause_takes_the_place_of_the_one_before_it(text, content):
    assert _contents(text) == [content]


UNCHANGED = [
    ("no, I prefer tabs", ["I prefer tabs"]),
    ("actually no, use React", []),
    ("sorry, I mean Tim", []),
    ("sorry, I meant walnuts, not peanuts", []),
    ("Do you like it? No, I use Vue.", ["I use Vue"]),
    ("No, no, my boss is Tim.", ["My boss is Tim"]),
    ("I'm vegan, no, really.", ["I'm vegan, no, really"]),
    ("I'm vegan, sorry, gotta go.", ["I'm vegan"]),
    ("I don't smoke, no, never.", ["I don't smoke, no, never"]),
    ("I have no kids, no pets, no car.", ["I have no kids, no pets, no car"]),
    ("My boss is Tim, not Tom.", ["My boss is Tim, not Tom"]),
    ("We use Postgres, no MySQL.", ["We use Postgres, no MySQL"]),
    (
        "I work at Bosch, sorry for the late reply.",
        ["I work at Bosch, sorry for the late reply"],
    ),
    ("My doctor has no wait list at Bosch.", ["My doctor has no wait list at Bosch"]),
    ("My boss is Tim. Actually no, the docs say otherwise.", ["My boss is Tim"]),
    ("Meine Chefin ist Ina, nicht Ida.", ["Meine Chefin ist Ina, nicht Ida"]),
    ("Nein, mein Chef heißt Tim.", ["Mein Chef heißt Tim"]),
    ("Non, mon chef s'appelle Tim.", ["Mon chef s'appelle Tim"]),
    ("No, mi jefe se llama Tim.", ["Mi jefe se llama Tim"]),
]


@pytest.mark.parametrize(("text", "contents"), UNCHANGED)
def test_an_answer_or_a_correction_of_an_earlier_message_is_no_self_correction(text, contents):
    assert _contents(text) == contents


def test_a_finding_has_its_sentence_as_it_was_said():
    said = "Our dog is Rex. My dentist is Dr. Ek, no wait, Dr. Falk. My boss is Tim."
    found = extract_findings(said, NOW).findings
    assert [each.sentence for each in found] == [
        "Our dog is Rex.",
        "My dentist is Dr. Ek, no wait, Dr. Falk.",
        "My boss is Tim.",
    ]


@pytest.mark.episodes
def test_the_episode_keeps_what_was_said():
    said = "My dentist is Dr. Ek, no wait, Dr. Falk."
    with Tacit.open(":memory:", embedder="none") as tacit:
        with tacit.turn(session="s", text=said) as turn:
            turn.commit("I see.")
        tacit.learn()
        assert [memory.content for memory in tacit.list()] == ["My dentist is Dr. Falk"]
        assert [episode.text for episode in tacit.episodes.list()] == [said]


@pytest.mark.parametrize(
    "text",
    [
        "My dentist has retired, the new one is Dr. Moss",
        "My boss left last week; the new one is Priya Nair",
        "My boss left last week, and the new one is Priya Nair",
        "My boss left last week. The new one is Priya Nair",
        "We have two offices, one is in Oslo, the other is in Bergen",
        "I have two daughters. The older one is Ann, the younger one is Bea",
        "Mein Zahnarzt ist in Rente, der neue ist Dr. Moss",
        "Mein Zahnarzt ist in Rente. Der neue heißt Dr. Moss",
        "Mon dentiste est parti à la retraite, le nouveau est le Dr Moss",
        "Mon dentiste est parti à la retraite. Le nouveau s'appelle Dr Moss",
        "Mi dentista se ha jubilado, el nuevo es el Dr. Moss",
        "Mi dentista se ha jubilado. La nueva se llama Ana Ruiz",
    ],
)
def test_what_points_back_stays_with_what_it_points_to(text):
    assert _contents(f"{text}.") == [text]


@pytest.mark.parametrize(
    "text",
    [
        "The new one is Dr. Moss.",
        "What does my dentist do? The new one is Dr. Moss.",
        "Der neue ist Dr. Moss.",
        "Le nouveau est le Dr Moss.",
        "El nuevo es el Dr. Moss.",
    ],
)
def test_what_points_back_to_nothing_is_not_learned(text):
    assert _contents(text) == []


LISTS = [
    "Dads tablets are at 7, 11, 3 and 7",
    "My daughters are Joy, Hope and Grace",
    "Our project steps are plan, build, review and ship",
    "My favourites are plan, the review, the build and ship",
    "My kids are Will, Mark, Sue and Art",
    "Unsere Schritte sind Plan, Hilfe, Test und Danke",
    "Nos étapes sont planifier, aide, montre et merci",
    "Nuestros pasos son planear, ayuda, muestra y gracias",
]


@pytest.mark.parametrize("text", LISTS)
def test_a_list_is_never_cut(text):
    assert _contents(f"{text}.") == [text]


@pytest.mark.parametrize(
    "text",
    [
        "We have offices in Bern, the Alps, Geneva and the Jura.",
        "Papas Tabletten sind um 7, 11 und 3 Uhr.",
        "Ann, Bea and Cleo are my daughters.",
    ],
)
def test_a_model_weighs_a_list_as_a_whole(text):
    found = extract_findings(text, NOW, weigh=lambda pairs: [0.99] * len(pairs))
    assert [each.content for each in found.findings] == [text.rstrip(".")]


def test_thanks_after_a_statement_are_no_list():
    assert _contents("I'm vegan, thanks and bye") == ["I'm vegan"]
