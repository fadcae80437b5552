"""Every kind of secret that docs/privacy.md promises, in sentences of every language."""

import pytest

from tacit.language.redaction.redact import redact

VALUES = {
    "pin": "4821",
    "one-time-code": "482913",
    "backup-code": "8842-1193",
    "card-number": "411111111111" + "1111",
    "card-code": "123",
    "password": "hunter2x",
}
SAID = {
    "en": {
        "pin": ["The PIN for my bank card is {}", "use PIN {} at the door", "pin number {}"],
        "one-time-code": ["My one-time code is {}", "verification code {}"],
        "backup-code": ["My backup code is {}", "recovery code {}"],
        "card-number": ["My card number is {}", '{{"cardNumber": "{}"}}', "creditCardNumber={}"],
        "card-code": ["The security code on the back is {}", "my CVC is {}"],
        "password": ["my password is {}", "password: {}"],
    },
    "de": {
        "pin": ["Die PIN meiner Karte ist {}", "Meine Geheimzahl lautet {}"],
        "one-time-code": ["Mein Einmalcode ist {}", "Der Bestätigungscode lautet {}"],
        "backup-code": ["Mein Backup-Code ist {}", "Der Wiederherstellungscode lautet {}"],
        "card-number": ["Meine Kartennummer ist {}", "Meine Kreditkarte: {}"],
        "card-code": ["Die Prüfnummer ist {}", "Mein Sicherheitscode ist {}"],
        "password": ["mein Passwort ist {}", "Kennwort: {}"],
    },
    "fr": {
        "pin": ["Le code PIN de ma carte est {}", "Mon code secret est {}"],
        "one-time-code": ["Mon code à usage unique est {}", "code de vérification : {}"],
        "backup-code": ["Mon code de secours est {}", "Mon code de récupération est {}"],
        "card-number": ["Mon numéro de carte est {}"],
        "card-code": ["Le cryptogramme est {}", "Le code de sécurité est {}"],
        "password": ["mon mot de passe est {}", "mot de passe : {}"],
    },
    "es": {
        "pin": ["El PIN de mi tarjeta es {}"],
        "one-time-code": ["Mi código de un solo uso es {}", "código de verificación: {}"],
        "backup-code": ["Mi código de respaldo es {}", "Mi código de recuperación es {}"],
        "card-number": ["Mi número de tarjeta es {}"],
        "card-code": ["El código de seguridad es {}"],
        "password": ["mi contraseña es {}", "contraseña: {}"],
    },
    "pt": {
        "pin": ["O PIN do meu cartão é {}", "Meu código PIN é {}"],
        "one-time-code": ["Meu código de uso único é {}", "código de verificação: {}"],
        "backup-code": ["Meu código de backup é {}", "Meu código de recuperação é {}"],
        "card-number": ["O número do meu cartão é {}"],
        "card-code": ["O código de segurança é {}"],
        "password": ["minha senha é {}", "senha: {}"],
    },
    "it": {
        "pin": ["Il PIN della mia carta è {}"],
        "one-time-code": ["Il mio codice monouso è {}", "codice di verifica: {}"],
        "backup-code": ["Il mio codice di backup è {}", "Il codice di recupero è {}"],
        "card-number": ["Il numero della mia carta è {}"],
        "card-code": ["Il codice di sicurezza è {}"],
        "password": ["la mia password è {}"],
    },
    "nl": {
        "pin": ["De pincode van mijn kaart is {}", "Mijn pin is {}"],
        "one-time-code": ["Mijn eenmalige code is {}", "verificatiecode: {}"],
        "backup-code": ["Mijn back-upcode is {}", "Mijn herstelcode is {}"],
        "card-number": ["Mijn kaartnummer is {}"],
        "card-code": ["De beveiligingscode is {}"],
        "password": ["mijn wachtwoord is {}", "wachtwoord: {}"],
    },
    "sv": {
        "pin": ["PIN-koden till mitt kort är {}", "Min pinkod är {}"],
        "one-time-code": ["Min engångskod är {}", "Engångskoden är {}"],
        "backup-code": ["Min reservkod är {}", "Min återställningskod är {}"],
        "card-number": ["Mitt kortnummer är {}"],
        "card-code": ["Säkerhetskoden är {}"],
        "password": ["mitt lösenord är {}", "lösenord: {}"],
    },
    "pl": {
        "pin": ["PIN do mojej karty to {}", "Mój PIN to {}"],
        "one-time-code": ["Mój kod jednorazowy to {}", "kod weryfikacyjny: {}"],
        "backup-code": ["Mój kod zapasowy to {}", "kody zapasowe: {}"],
        "card-number": ["Mój numer karty to {}"],
        "card-code": ["Kod bezpieczeństwa to {}"],
        "password": ["moje hasło to {}", "hasło: {}", "Hasło do wifi to {}"],
    },
    "ru": {
        "pin": ["ПИН-код моей карты {}", "Мой пин-код: {}", "Пин-код от карты {}"],
        "one-time-code": ["Мой одноразовый код {}", "код подтверждения: {}"],
        "backup-code": ["Мой резервный код {}", "код восстановления: {}"],
        "card-number": ["Номер моей карты {}"],
        "card-code": ["Код безопасности {}"],
        "password": ["мой пароль {}", "пароль: {}"],
    },
    "zh": {
        "pin": ["我的PIN码是{}"],
        "one-time-code": ["我的验证码是{}"],
        "backup-code": ["我的备用码是{}"],
        "card-number": ["我的卡号是{}"],
        "card-code": ["安全码是{}"],
        "password": ["我的密码是{}"],
    },
    "ja": {
        "pin": ["暗証番号は{}です", "PINは{}です"],
        "one-time-code": ["ワンタイムパスワードは{}です", "認証コードは{}です"],
        "backup-code": ["バックアップコードは{}です"],
        "card-number": ["私のカード番号は{}です"],
        "card-code": ["セキュリティコードは{}です"],
        "password": ["パスワードは {} です"],
    },
    "ko": {
        "pin": ["PIN은 {}입니다", "핀번호는 {}입니다"],
        "one-time-code": ["일회용 코드는 {}입니다", "인증번호는 {}입니다"],
        "backup-code": ["백업 코드는 {}입니다"],
        "card-number": ["제 카드 번호는 {}입니다"],
        "card-code": ["보안 코드는 {}입니다"],
        "password": ["비밀번호는 {} 입니다"],
    },
}
SENTENCES = [
    pytest.param(kind, said, id=f"{language}-{kind}-{at}")
    for language, kinds in SAID.items()
    for kind, each in kinds.items()
    for at, said in enumerate(each)
]


@pytest.mark.parametrize(("kind", "said"), SENTENCES)
def test_every_promised_kind_goes_in_every_promised_language(kind, said):
    kept = redact(said.format(VALUES[kind])).text
    assert VALUES[kind] not in kept
    assert "[redacted: " in kept


def test_every_language_has_every_kind():
    assert all(set(kinds) == set(VALUES) for kinds in SAID.values())


@pytest.mark.parametrize("modal", ["should be", "would be", "must be", "will be"])
def test_a_password_after_a_modal_verb_goes(modal):
    assert "hunter2x" not in redact(f"the password {modal} hunter2x!").text


@pytest.mark.parametrize(
    "sentence",
    [
        "the password must be 12+ characters long",
        "the password must be base64-encoded",
        "passwords should be bcrypt-hashed, the token should be rotated",
        "the password would be nice to have, and should be long",
        "The password will be sent on 2026-03-01 by ops",
        "we pin the version to 2024 and pin ruff to 2025",
        "pin number 4 of the header, PIN code 560001 is Bangalore",
        "use PIN 12 on the header",
        "The backup code path is in backup_code.py, the recovery code handles 5xx",
        "the backup code runs on Postgres-2024",
        "Hasło to jest bardzo ważne, hasło do wifi to tajemnica",
        "Mitt lösenord är väldigt bra",
        "Номер 4821 для моей команды",
        "PIN do karty zgubiłem w 2024",
    ],
)
def test_sentences_that_only_speak_of_them_stay(sentence):
    assert redact(sentence).text == sentence
