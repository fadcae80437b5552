"""The days and ends of what is learned, as `Tacit.extract` returns it."""

import pytest


def _only(by_rules, text):
    """The one statement of a message, and the day after which it ends."""
    (found,) = by_rules.extract(text).findings
    return found, None if found.expires_at is None else found.expires_at.date().isoformat()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I lost at tennis on Sunday.", "2026-03-01"),
        ("I got engaged on Sunday.", "2026-03-01"),
        ("On Sunday, I got engaged.", "2026-03-01"),
        ("I got engaged on Tuesday.", "2026-03-03"),
        ("We signed the lease on Thursday.", "2026-02-26"),
        ("I passed my driving test on Friday.", "2026-02-27"),
        ("My sister got married on Saturday.", "2026-02-28"),
        ("We moved house on 20 November.", "2025-11-20"),
        ("I got engaged on the 25th.", "2026-02-25"),
        ("I had surgery today.", "2026-03-03"),
        ("Ditched SumUp this morning.", "2026-03-03"),
        ("My dog died last night.", "2026-03-02"),
        ("Biscuit died last night.", "2026-03-02"),
        ("Am Sonntag habe ich mich verlobt.", "2026-03-01"),
        ("Am 25. haben wir den Vertrag unterschrieben.", "2026-02-25"),
        ("Mein Opa ist am Samstag gestorben.", "2026-02-28"),
        ("Samedi, je me suis mariée.", "2026-02-28"),
        ("J'ai signé le bail jeudi.", "2026-02-26"),
        ("El sábado me casé.", "2026-02-28"),
    ],
)
def test_what_has_happened_was_on_the_last_such_day_and_has_no_end(by_rules, text, day):
    found, ends = _only(by_rules, text)
    assert found.content.endswith(f" ({day})")
    assert ends is None


def test_what_happened_in_a_period_that_goes_on_has_no_end_but_an_agreement_has(by_rules):
    assert _only(by_rules, "We adopted a cat this week.")[1] is None
    assert _only(by_rules, "We decided to use the sandbox this week.")[1] == "2026-03-09"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I've got an exam on Friday.", "2026-03-06"),
        ("My appointment was moved to Thursday.", "2026-03-05"),
        ("My dentist appointment is on Thursday now.", "2026-03-05"),
        ("I left Acme and I'm starting at Globex on Monday.", "2026-03-09"),
        ("From Monday I'm on holiday.", "2026-03-09"),
        ("Remind me to send the signed contract on Monday.", "2026-03-09"),
        ("Ich habe am Freitag einen Termin beim Zahnarzt.", "2026-03-06"),
        ("Wir haben für Freitag einen Tisch reserviert.", "2026-03-06"),
        ("Ab Montag bin ich im Urlaub.", "2026-03-09"),
        ("La réunion est reportée à vendredi.", "2026-03-06"),
        ("Le mariage a lieu samedi.", "2026-03-07"),
        ("El viernes tengo examen.", "2026-03-06"),
    ],
)
def test_what_is_ahead_names_the_coming_day_and_ends_some_time_after_it(by_rules, text, day):
    found, ends = _only(by_rules, text)
    assert found.content.endswith(f" ({day})")
    assert ends is not None
    assert ends > day


@pytest.mark.parametrize(
    "text",
    [
        "Declan's leaving, our new manager is Patricia Quinn from Monday.",
        "Our rent is 1,300 as of 1 May.",
        "Our team standup is at 10 from next week.",
        "Unser neuer Chef ist ab Montag Herr Klein.",
        "Ab Mai kostet die Miete 1300 Euro.",
        "Le loyer passe à 900 euros à partir de mai.",
        "Actually physio's Thursday now.",
        "Physio is on Thursday now.",
        "Book club moved to Thursdays.",
        "Le TD de Berthier est passé au vendredi.",
        "Abrimos de martes a domingo, de 9 a 14 y de 17 a 20.",
        "Wir haben von Dienstag bis Sonntag geöffnet.",
    ],
)
def test_what_holds_from_a_day_on_or_on_certain_weekdays_is_a_fact_without_an_end(by_rules, text):
    found, ends = _only(by_rules, text)
    assert (found.type, ends) == ("fact", None)
    assert "(2026" not in found.content


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("My mum's in Spain until Easter, call her on 555 0777 meanwhile.", "2026-04-06"),
        ("I'm on leave until Christmas.", "2026-12-26"),
        ("I'm on leave until New Year.", "2027-01-02"),
        ("Ich bin bis Ostern in Elternzeit.", "2026-04-06"),
        ("Ma mère est en Espagne jusqu'à Pâques.", "2026-04-06"),
        ("Mi madre está en España hasta Navidad.", "2026-12-26"),
        ("I lived in Rome until May.", None),
    ],
)
def test_a_feast_can_be_the_end_of_a_statement(by_rules, text, ends):
    assert _only(by_rules, text)[1] == ends


@pytest.mark.parametrize(
    ("text", "type", "day", "ends"),
    [
        ("I promised to have it finished by Friday.", "todo", " (2026-03-06)", "2026-03-21"),
        ("Remind me to have it finished by the end of April.", "todo", "", "2026-05-15"),
        ("My thesis was due to be finished by 20 April.", "event", " (2026-04-20)", "2026-05-21"),
        ("We're getting the barn finished by Friday.", "event", " (2026-03-06)", "2026-04-06"),
        ("We're moving to Hetzner, finished by the end of April.", "decision", "", None),
    ],
)
def test_what_is_to_be_finished_by_a_day_lies_ahead(by_rules, text, type, day, ends):
    found, until = _only(by_rules, text)
    assert (found.content, found.type, until) == (text.rstrip(".") + day, type, ends)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I got engaged (!!) on Sunday", "2026-03-01"),
        ("Am Sonntag (!) habe ich mich verlobt", "2026-03-01"),
        ("J'ai signé le bail (!) jeudi", "2026-02-26"),
    ],
)
def test_clauses_without_words_are_read_over(by_rules, text, day):
    found, ends = _only(by_rules, f"{text}.")
    assert (found.content, ends) == (f"{text} ({day})", None)


def test_a_day_that_is_only_asked_for_is_not_learned(by_rules):
    assert not by_rules.extract("¿El sábado? 12, 13.").findings
