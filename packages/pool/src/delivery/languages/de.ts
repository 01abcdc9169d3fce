import type { Language } from './message-language.ts';

const ACTION = 'Das war ich nicht';

export const de: Language = {
  sign_up: {
    subject: 'Ihr Bestätigungscode',
    text: 'Ihr Bestätigungscode lautet {####}\n\nWenn Sie sich nicht registriert haben, können Sie diese Nachricht ignorieren.',
    sms: 'Ihr Bestätigungscode lautet {####}',
  },
  sign_up_link: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Bestätigen Sie Ihre E-Mail-Adresse, um die Registrierung abzuschließen.\n\n{##Adresse bestätigen##}\n\nWenn Sie sich nicht registriert haben, können Sie diese Nachricht ignorieren.',
    sms: 'Bestätigen Sie Ihre E-Mail-Adresse über den Link in unserer E-Mail.',
  },
  invitation: {
    subject: 'Ihr vorläufiges Passwort',
    text: 'Ihr Benutzername ist {username}, Ihr vorläufiges Passwort lautet {####}',
    sms: 'Ihr Benutzername ist {username}, Ihr vorläufiges Passwort lautet {####}',
  },
  mfa: {
    subject: 'Ihr Sicherheitscode',
    text: 'Ihr Sicherheitscode lautet {####}\n\nWir fragen Sie nie nach diesem Code. Wenn Sie sich gerade nicht anmelden, kennt jemand Ihr Passwort. Ändern Sie es.',
    sms: 'Ihr Sicherheitscode lautet {####}. Geben Sie ihn nicht weiter.',
  },
  first_factor: {
    subject: 'Ihr Anmeldecode',
    text: 'Ihr Anmeldecode lautet {####}\n\nWir fragen Sie nie nach diesem Code. Wenn Sie sich gerade nicht anmelden, können Sie diese Nachricht ignorieren.',
    sms: 'Ihr Anmeldecode lautet {####}. Geben Sie ihn nicht weiter.',
  },
  forgot_password: {
    subject: 'Ihr Code zum Zurücksetzen des Passworts',
    text: 'Ihr Code zum Zurücksetzen des Passworts lautet {####}\n\nWenn Sie ihn nicht angefordert haben, können Sie diese Nachricht ignorieren. Ihr Passwort bleibt unverändert.',
    sms: 'Ihr Code zum Zurücksetzen des Passworts lautet {####}. Geben Sie ihn nicht weiter.',
  },
  verify_contact: {
    subject: 'Ihr Bestätigungscode',
    text: 'Ihr Bestätigungscode lautet {####}\n\nWenn Sie ihn nicht angefordert haben, können Sie diese Nachricht ignorieren.',
    sms: 'Ihr Bestätigungscode lautet {####}',
  },
  sign_up_known: {
    subject: 'Sie haben bereits ein Konto',
    text: 'Jemand hat versucht, sich als {username} zu registrieren. Unter diesem Namen haben Sie bereits ein Konto. Daran wurde nichts geändert.\n\nWenn Sie das waren, melden Sie sich an. Wenn Sie Ihr Passwort vergessen haben, können Sie es dort zurücksetzen.\n\nWenn Sie das nicht waren, können Sie diese Nachricht ignorieren.',
    sms: 'Jemand hat versucht, sich unter Ihrem Namen zu registrieren. Sie haben bereits ein Konto; daran wurde nichts geändert.',
  },
  proofs_removed: {
    subject: 'Ihr Konto wurde gesichert',
    text: 'Sie haben sich mit einem Code bei {username} angemeldet. Bis dahin hatte niemand nachgewiesen, dass ihm diese Adresse oder Nummer gehört. Jemand anderes könnte das Konto also angelegt haben.\n\nWir haben alles entfernt, was vorher eingerichtet war: Passwort, Passkeys, zweite Faktoren, andere Kontakte und Sitzungen. Wenn Sie selbst ein Passwort gewählt hatten, wählen Sie es erneut.',
    sms: 'Sie haben sich mit einem Code angemeldet. Was vorher eingerichtet war, etwa das Passwort, haben wir entfernt. Wählen Sie es erneut.',
  },
  new_device: {
    subject: 'Neues Gerät in Ihrem Konto',
    text: 'Ihrem Konto {username} wurde ein neues Gerät hinzugefügt.\n\nWenn Sie das nicht waren, öffnen Sie diesen Link. Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Ihrem Konto wurde ein neues Gerät hinzugefügt.',
    action: ACTION,
  },
  password_changed: {
    subject: 'Ihr Passwort wurde geändert',
    text: 'Das Passwort Ihres Kontos {username} wurde geändert.\n\nWenn Sie das nicht waren, öffnen Sie diesen Link. Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Das Passwort Ihres Kontos wurde geändert.',
    action: ACTION,
  },
  factor_changed: {
    subject: 'Ihre Anmeldeverfahren wurden geändert',
    text: 'Die Anmeldeverfahren Ihres Kontos {username} wurden geändert: {change}.\n\nWenn Sie das nicht waren, öffnen Sie diesen Link. Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Die Anmeldeverfahren Ihres Kontos wurden geändert.',
    action: ACTION,
  },
  codes_guessed: {
    subject: 'Jemand rät Ihre Codes',
    text: 'Jemand hat für Ihr Konto {username} viele falsche Codes eingegeben, nach dem richtigen Passwort oder einem anderen ersten Schritt. Mit einem Code können Sie sich möglicherweise erst nach bis zu einem Tag wieder anmelden.\n\nWenn Sie das nicht waren, kennt jemand Ihr Passwort. Öffnen Sie diesen Link. Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Jemand hat für Ihr Konto viele falsche Codes eingegeben. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.',
    action: ACTION,
  },
  contact_changed: {
    subject: 'Ihre Kontaktdaten wurden geändert',
    text: 'Die E-Mail-Adresse oder Telefonnummer Ihres Kontos {username} wurde geändert. Wir haben diese Nachricht an Ihre bisherige Adresse oder Nummer gesendet.\n\nWenn Sie das nicht waren, öffnen Sie diesen Link. Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Die E-Mail-Adresse oder Telefonnummer Ihres Kontos wurde geändert.',
    action: ACTION,
  },
  deletion_scheduled: {
    subject: 'Ihr Konto wird gelöscht',
    text: 'Ihr Konto {username} ist deaktiviert und wird am {change} gelöscht. Wenn Sie es behalten möchten, melden Sie sich vorher an.\n\nWenn Sie das nicht waren, öffnen Sie diesen Link. Er behält Ihr Konto, beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Ihr Konto ist deaktiviert und wird am {change} gelöscht. Wenn Sie es behalten möchten, melden Sie sich vorher an.',
    action: ACTION,
  },
};
