"""The days that lines of a block carry: when something was said, is true, or was to be."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import Tacit
from tacit.language.calendar import NamedDays
from tacit.language.relative_dates import depends_on_day, find_named_days
from tests.support import HandClock

SAID = date(2026, 3, 3)  # a Tuesday

RELATIVE = [
    "Send the draft today",
    "The dentist is tomorrow",
    "The release went out yesterday",
    "The slides are due by Thursday",
    "Nina has her exam on Friday",
    "The artwork is due on Friday the 18th",
    "We met the auditors last Friday",
    "The board meets next Monday",
    "Everybody is in Lisbon this week",
    "We move to Hamburg next spring",
    "Our lease ends in May",
    "The launch is on 20 March",
    "The launch is on March 20th",
    "Hand the essay in by the end of the month",
    "Pay the plumber before Christmas",
    "The course starts in two weeks",
    "The migration ran three days ago",
    "Mia is 4 years old",
    "I'm currently reading Dune",
    "This May we marry",
    "Heute Abend kommt Jonas",
    "Morgen fliege ich nach Wien",
    "Der Bericht muss bis Donnerstag fertig sein",
    "Wir ziehen nächsten Monat um",
    "Im Mai bekommen wir einen Hund",
    "Letzte Woche kam der Gutachter",
    "Vor zwei Tagen kam das Paket",
    "In vier Wochen beginnt der Kurs",
    "Am 5. April heiraten wir",
    "Wir bekommen bald ein Kind",
    "Sie ist 3 Jahre alt",
    "Je pars demain à Lyon",
    "Hier, nous avons signé le contrat avec le client",
    "Réunion vendredi à 10h",
    "L'été prochain nous partons en Grèce",
    "La semaine dernière on a changé de banque",
    "Il y a deux semaines on a changé de banque",
    "Le rendez-vous est le vendredi 13 mars",
    "Elle a 7 ans",
    "Mañana tengo médico",
    "El viernes tengo examen",
    "La semana que viene viajo a Lima",
    "Hace dos meses cambié de trabajo",
    "En mayo nos mudamos",
    "Actualmente vivo con mi hermana",
    "Domani ho il dentista",
    "La consegna è entro venerdì",
    "Quest'estate andiamo in Grecia",
    "Due settimane fa ho cambiato banca",
    "A maggio ci trasferiamo",
    "Per ora viviamo da mia sorella",
    "La bambina ha 7 anni",
    "Amanhã tenho consulta no dentista",
    "O relatório é para entregar até quinta-feira",
    "Na próxima semana estamos em Lisboa",
    "Há dois meses troquei de banco",
    "Em maio vamos mudar de casa",
    "Por enquanto vivemos com a minha irmã",
    "A menina tem 7 anos",
    "Vandaag komt de loodgieter",
    "Het verslag moet voor vrijdag af zijn",
    "Volgende week zijn we in Lissabon",
    "Twee weken geleden zijn we van bank gewisseld",
    "In mei gaan we verhuizen",
    "Voorlopig wonen we bij mijn zus",
    "Het meisje is 7 jaar oud",
]
LASTING = [
    "The API speaks gRPC",
    "We use PostgreSQL 16",
    "Retro is every Thursday",
    "No deployments on Fridays after 12:00",
    "Never deploy on a Friday",
    "My birthday is March 3",
    "I was born on 3 May 1990",
    "The contract was signed on March 3, 2026",
    "We have used Go since March 2024",
    "This may break the build",
    "Run the tests as soon as the build is green",
    "My brother is bald",
    "Leave an empty line before the end of the file",
    "Customer names never appear in logs",
    "Freitags deployen wir nicht",
    "Besichtigungen lege ich am liebsten auf einen Dienstag",
    "Ich stehe jeden Morgen um sechs auf",
    "Guten Morgen sagt hier niemand",
    "Der Schlüssel liegt hier im Büro",
    "Mein Geburtstag ist der 3. März",
    "Der Vertrag gilt seit dem 3.4.2024",
    "La réunion a lieu le vendredi",
    "On fait un point chaque lundi",
    "Mon anniversaire est le 3 mars",
    "Por la mañana tomo café",
    "I can't work on Wednesday afternoons",
    "Los viernes no hay clase",
    "Mi cumpleaños es el 3 de marzo",
    "Ogni giovedì facciamo il punto",
    "Il venerdì non lavoro",
    "Il compleanno di Ugo è il 3 marzo",
    "Il contratto è stato firmato il 3 marzo 2025",
    "Toda segunda-feira temos reunião",
    "Às segundas não trabalho",
    "O meu aniversário é no dia 3 de março",
    "Elke donderdag hebben we overleg",
    "Vrijdags werken wij niet",
    "Mijn verjaardag is op 3 maart",
    "Het contract is op 3 maart 2025 getekend",
    "Goede morgen zegt hier niemand",
    "Buyers of this estate pay over two weeks of rent",
]


@pytest.mark.parametrize("text", RELATIVE)
def test_what_is_relative_to_the_day_it_was_said_depends_on_that_day(text):
    assert depends_on_day(text)


@pytest.mark.parametrize("text", LASTING)
def test_what_holds_on_any_day_depends_on_none(text):
    assert not depends_on_day(text)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("The dentist is tomorrow", "2026-03-04", "2026-03-04"),
        ("We shipped it yesterday", "2026-03-02", "2026-03-02"),
        ("The report is due by Thursday", "2026-03-05", "2026-03-05"),
        ("Nina has her exam on Friday", "2026-02-27", "2026-03-06"),
        ("We met the auditors last Friday", "2026-02-27", "2026-02-27"),
        ("The board meets next Friday", "2026-03-13", "2026-03-13"),
        ("Everybody is in Lisbon next week", "2026-03-09", "2026-03-15"),
        ("We move next spring", "2027-03-01", "2027-05-31"),
        ("We moved last summer", "2025-06-01", "2025-08-31"),
        ("Our lease ends in May", "2026-05-01", "2026-05-31"),
        ("The launch is on 20 March", "2026-03-20", "2026-03-20"),
        ("The launch was on February 20th", "2026-02-20", "2026-02-20"),
        ("The launch is on Friday, March 20", "2026-03-20", "2026-03-20"),
        ("Am Freitag um 10 Uhr ist Probe", "2026-02-27", "2026-03-06"),
        ("The launch is on 2026-07-01", "2026-07-01", "2026-07-01"),
        ("Camp from 3 July 2026 to 10 July 2026", "2026-07-03", "2026-07-10"),
        ("Pay by the end of the month", "2026-03-31", "2026-03-31"),
        ("It starts in two weeks", "2026-03-16", "2026-03-22"),
        ("Bis Freitag fertig machen", "2026-03-06", "2026-03-06"),
        ("Termin am 3.4.2026", "2026-04-03", "2026-04-03"),
        ("Le rendez-vous est le vendredi 13 mars", "2026-03-13", "2026-03-13"),
        ("Pasado mañana viene el fontanero", "2026-03-05", "2026-03-05"),
        ("The recital is Friday week", "2026-03-13", "2026-03-13"),
        ("We meet Tuesday week at six", "2026-03-10", "2026-03-10"),
        ("Send it by Friday week", "2026-03-13", "2026-03-13"),
        ("The show is a week from Friday", "2026-03-13", "2026-03-13"),
        ("The show is two weeks on Friday", "2026-03-20", "2026-03-20"),
        ("We fly Monday fortnight", "2026-03-23", "2026-03-23"),
        ("Das Konzert ist Freitag in einer Woche", "2026-03-13", "2026-03-13"),
        ("On part vendredi en huit", "2026-03-13", "2026-03-13"),
        ("Friday next week is a holiday", "2026-03-13", "2026-03-13"),
        ("Nächste Woche Freitag ist frei", "2026-03-13", "2026-03-13"),
        ("Cenamos el viernes de la semana que viene", "2026-03-13", "2026-03-13"),
        ("The wedding is on 14 February", "2027-02-14", "2027-02-14"),
        ("Der Termin ist am 5. Februar", "2027-02-05", "2027-02-05"),
        ("Le concert est le 10 janvier", "2027-01-10", "2027-01-10"),
        ("La boda es el 1 de marzo", "2027-03-01", "2027-03-01"),
        ("The wedding was on 14 February", "2026-02-14", "2026-02-14"),
        ("I have the invoice of 20 February", "2026-02-20", "2026-02-20"),
        ("Wir feiern am 24.12. bei Oma", "2026-12-24", "2026-12-24"),
        ("Wir haben am 24.12. bei Oma gefeiert", "2025-12-24", "2025-12-24"),
        ("Der Antrag muss bis zum 5.4. raus", "2026-04-05", "2026-04-05"),
        ("On mange chez mamie le 24/12", "2026-12-24", "2026-12-24"),
        ("La cena es el 24/12", "2026-12-24", "2026-12-24"),
        ("Hier soir on a dîné chez Paul", "2026-03-02", "2026-03-02"),
        ("Der Umzug ist in vierzehn Tagen", "2026-03-17", "2026-03-17"),
        ("Le déménagement est dans quinze jours", "2026-03-17", "2026-03-17"),
        ("Le déménagement est dans huit jours", "2026-03-10", "2026-03-10"),
        ("La mudanza es en quince días", "2026-03-17", "2026-03-17"),
        ("Der Kurs beginnt in zehn Wochen", "2026-05-11", "2026-05-17"),
        ("L'altro ieri è arrivato il pacco", "2026-03-01", "2026-03-01"),
        ("Ieri abbiamo firmato il contratto", "2026-03-02", "2026-03-02"),
        ("Dopodomani parto per Roma", "2026-03-05", "2026-03-05"),
        ("La settimana prossima siamo a Lisbona", "2026-03-09", "2026-03-15"),
        ("Venerdì della settimana prossima c'è la festa", "2026-03-13", "2026-03-13"),
        ("Il mese scorso ho cambiato lavoro", "2026-02-01", "2026-02-28"),
        ("Il 5 maggio ci sposiamo", "2026-05-05", "2026-05-05"),
        ("Il contratto è stato firmato il 3 marzo 2025", "2025-03-03", "2025-03-03"),
        ("La riunione è stata spostata a giovedì", "2026-02-26", "2026-03-05"),
        ("Sabato ho comprato una bici", "2026-02-28", "2026-02-28"),
        ("Tra due settimane comincia il corso", "2026-03-16", "2026-03-22"),
        ("Il corso comincia tra quindici giorni", "2026-03-17", "2026-03-17"),
        ("Entro la fine del mese paghiamo l'affitto", "2026-03-31", "2026-03-31"),
        ("Anteontem chegou a encomenda", "2026-03-01", "2026-03-01"),
        ("Ontem assinámos o contrato", "2026-03-02", "2026-03-02"),
        ("Depois de amanhã viajo para o Porto", "2026-03-05", "2026-03-05"),
        ("A semana que vem estamos em Lisboa", "2026-03-09", "2026-03-15"),
        ("No mês passado mudei de emprego", "2026-02-01", "2026-02-28"),
        ("O casamento é no dia 5 de maio", "2026-05-05", "2026-05-05"),
        ("A casa foi comprada a 3 de março de 2025", "2025-03-03", "2025-03-03"),
        ("No sábado comprei uma bicicleta", "2026-02-28", "2026-02-28"),
        ("Na sexta-feira tenho um exame", "2026-02-27", "2026-03-06"),
        ("Daqui a duas semanas começa o curso", "2026-03-16", "2026-03-22"),
        ("Pagamos a renda até ao fim do mês", "2026-03-31", "2026-03-31"),
        ("Eergisteren kwam het pakket", "2026-03-01", "2026-03-01"),
        ("Gisteren hebben we het contract getekend", "2026-03-02", "2026-03-02"),
        ("Overmorgen vlieg ik naar Rome", "2026-03-05", "2026-03-05"),
        ("Volgende week dinsdag is het feest", "2026-03-10", "2026-03-10"),
        ("Dit weekend zijn we weg", "2026-03-07", "2026-03-08"),
        ("Vorige maand ben ik van baan veranderd", "2026-02-01", "2026-02-28"),
        ("We trouwen op 3 mei", "2026-05-03", "2026-05-03"),
        ("We trouwen op 3 mei 2027", "2027-05-03", "2027-05-03"),
        ("Het feest was in april, maar wij waren niet daar", "2025-04-01", "2025-04-30"),
        ("Ik heb zaterdag een fiets gekocht", "2026-02-28", "2026-02-28"),
        ("De winkel is vrijdag gesloten", "2026-02-27", "2026-03-06"),
        ("De cursus begint over een week", "2026-03-09", "2026-03-15"),
        ("We betalen de huur voor het einde van de maand", "2026-03-31", "2026-03-31"),
        ("Il a dit vendredi que tout va bien", "2026-02-27", "2026-02-27"),
        ("Estoy fuera toda la semana que viene", "2026-03-09", "2026-03-15"),
        ("В общем, мы были у них в субботу, April 5", "2026-04-05", "2026-04-05"),
    ],
)
def test_named_days_are_those_that_were_meant_on_the_day_it_was_said(text, first, last):
    days = NamedDays(date.fromisoformat(first), date.fromisoformat(last))
    assert find_named_days(text, SAID) == days


@pytest.mark.parametrize(
    "text",
    [
        "Retro is every Thursday",
        "Retro is once a week on Friday",
        "The API speaks gRPC",
        "on May 99",
        "Due on Friday the 18th",
        "Kapitel 3.4. beschreibt das Format",
        "Der Server läuft am 24.13. nicht",
        "Le support répond 24/7",
    ],
)
def test_a_text_without_a_certain_day_names_none(text):
    assert find_named_days(text, SAID) is None


@given(st.text(max_size=60) | st.sampled_from(RELATIVE), st.dates())
def test_any_text_on_any_day_is_read(text, said):
    days = find_named_days(text, said)
    assert days is None or days.first <= days.last
    depends_on_day(text)


# The lines of a block.


@pytest.fixture
def clock():
    hand = HandClock()
    hand.now = datetime(2026, 3, 3, 12, tzinfo=UTC)
    return hand


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", embedder="none", clock=clock) as tacit:
        yield tacit


def _line(tacit, text, content):
    """The line of a block that shows a content."""
    asked = {"contextual_min_score": 0.05}
    turn = tacit.preview(session="asking", text=text, **asked)
    (line,) = [line for line in turn.block.splitlines() if content in line]
    return line


@pytest.mark.parametrize("type", ["event", "todo"])
def test_an_event_and_a_todo_say_when_they_were_said(tacit, clock, type):
    tacit.remember("Repot the ferns", type=type)
    clock.advance(days=30)
    assert _line(tacit, "What about the ferns?", "ferns").endswith(") (said 2026-03-03)")


def test_what_is_relative_says_when_it_was_said_and_the_rest_does_not(tacit, clock):
    tacit.remember("The ferns move to the balcony next week")
    tacit.remember("The gherkins live in the cellar")
    clock.advance(days=30)
    assert _line(tacit, "Where are the ferns?", "ferns").endswith("(said 2026-03-03)")
    assert _line(tacit, "Where are the gherkins?", "gherkins").endswith("(importance: 0.6)")


def test_what_is_over_is_told_of_in_dutch_as_well(tacit, clock):
    tacit.remember("Het tuinfeest is in april, maar wij zijn er niet", type="event")
    clock.advance(days=70)
    line = _line(tacit, "Wanneer is het tuinfeest?", "tuinfeest")
    assert line.endswith("(said 2026-03-03, over by 2026-04-30)")


def test_a_current_fact_that_is_relative_says_its_day_too(tacit):
    tacit.remember("back next Monday", key="gardener.holiday")
    line = _line(tacit, "Is the gardener on holiday?", "gardener.holiday")
    assert line == (
        "- gardener.holiday: back next Monday (fact, user, confidence 1.00) (said 2026-03-03)"
    )


@pytest.mark.parametrize(
    ("type", "content", "remark"),
    [
        ("event", "The fern fair is tomorrow", "(said 2026-03-03, was on 2026-03-04)"),
        ("event", "The fern fair is on Friday", "(said 2026-03-03, over by 2026-03-06)"),
        ("event", "The fern fair is on 2026-03-05", "(was on 2026-03-05)"),
        ("todo", "Repot the ferns by Thursday", "(said 2026-03-03, was due 2026-03-05)"),
        ("todo", "Repot the ferns this week", "(said 2026-03-03, was due by 2026-03-08)"),
        ("todo", "Die ferns bis Donnerstag gießen", "(said 2026-03-03, was due 2026-03-05)"),
    ],
)
def test_what_is_over_is_not_told_as_if_it_were_ahead(tacit, clock, type, content, remark):
    tacit.remember(content, type=type)
    ahead = _line(tacit, "What about the ferns, the fern fair?", content)
    assert "was " not in ahead.removeprefix(content)
    assert "over" not in ahead
    clock.advance(days=10)
    assert _line(tacit, "What about the ferns, the fern fair?", content).endswith(remark)


def test_an_event_that_names_its_whole_date_needs_no_other(tacit):
    tacit.remember("The fern fair is on 2026-07-01", type="event")
    assert _line(tacit, "When is the fern fair?", "fair").endswith("(importance: 0.4)")


def test_a_standing_rule_that_is_relative_says_its_day_too(tacit):
    tacit.remember("Answer in two sentences at most until next Monday", type="preference")
    line = _line(tacit, "How do I repot ferns?", "two sentences")
    assert line.endswith("(said 2026-03-03)")


def test_an_expired_todo_is_left_out(tacit, clock):
    tacit.remember("Water the ferns", type="todo", expires_at="2026-03-06")
    line = _line(tacit, "What about the ferns?", "ferns")
    assert line.endswith("(said 2026-03-03, until 2026-03-05)")
    clock.advance(days=3)
    assert tacit.preview(session="asking", text="What about the ferns?").block is None


def test_a_memory_with_times_says_since_when_and_until_when_it_is_true(tacit):
    tacit.remember("The ferns cost 9 euros", valid_from="2026-01-01", valid_to="2026-07-01")
    line = _line(tacit, "What do the ferns cost?", "ferns")
    assert line.endswith("(importance: 0.6) (since 2026-01-01, until 2026-06-30)")


def test_both_sides_of_an_open_conflict_say_when_they_were_said(tacit, clock):
    tacit.remember("Billing runs on MySQL", confidence=0.9)
    clock.advance(days=1)
    tacit.remember("Billing runs on PostgreSQL", by="operator", confidence=0.9)
    asked = "What does billing run on?"
    assert "(said 2026-03-03) (conflict: " in _line(tacit, asked, "[Fact] Billing runs on MySQL")
    other = _line(tacit, asked, "[Fact] Billing runs on PostgreSQL")
    assert "(said 2026-03-04) (conflict: " in other


def test_a_block_in_the_history_keeps_its_bytes_when_the_day_has_passed(tacit, clock):
    tacit.remember("The fern fair is tomorrow", type="event")
    asked = {"session": "s", "contextual_min_score": 0.05}
    with tacit.turn(text="When is the fern fair?", history=[], **asked) as turn:
        turn.commit("Tomorrow.")
    clock.advance(days=3)
    with tacit.turn(text="And the gherkins?", history=turn.history, **asked) as later:
        assert turn.block in [message["content"] for message in later.messages]


def test_learned_words_carry_the_day_on_which_they_were_said(tacit, clock):
    for day in (3, 17):
        clock.now = datetime(2026, 3, day, 12, tzinfo=UTC)
        with tacit.turn(session=f"s{day}", text="My dentist appointment is tomorrow.") as turn:
            turn.commit("Noted.")
        tacit.learn()
    clock.advance(hours=1)
    (memory,) = tacit.list()
    assert memory.said_at == clock.now - timedelta(hours=1)
    line = _line(tacit, "When is my dentist appointment?", "[Event] ")
    assert line.endswith("(said 2026-03-17)")


def test_what_a_person_remembers_again_on_a_later_day_is_said_of_that_day(tacit, clock):
    tacit.remember("The fern fair is tomorrow", type="event")
    assert tacit.remember("The fern fair is tomorrow", type="event").status == "known"
    clock.advance(days=7)
    assert tacit.remember("The fern fair is tomorrow", type="event").status == "updated"
    line = _line(tacit, "When is the fern fair?", "fair")
    assert line.endswith("(said 2026-03-10)")
