import type { Language } from './message-language.ts';

const ACTION = 'Das war ich nicht';

export const de: Language = {
  sign_up: {
    subject: 'Ihr Bestätigungscode',
    text: 'Ihr Bestätigungscode lautet {####}\n\nWenn Sie sich nicht registriert haben, beachten Sie diese Nachricht nicht.',
    sms: 'Ihr Bestätigungscode lautet {####}',
  },
  sign_up_link: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse ist.\n\n{##Adresse bestätigen##}\n\nWenn Sie sich nicht registriert haben, beachten Sie diese Nachricht nicht.',
    sms: 'Bitte bestätigen Sie Ihre E-Mail-Adresse mit dem Link in der E-Mail.',
  },
  invitation: {
    subject: 'Ihr vorläufiges Passwort',
    text: 'Ihr Benutzername ist {username}, Ihr vorläufiges Passwort lautet {####}',
    sms: 'Ihr Benutzername ist {username}, Ihr vorläufiges Passwort lautet {####}',
  },
  mfa: {
    subject: 'Ihr Sicherheitscode',
    text: 'Ihr Sicherheitscode lautet {####}\n\nWir fragen Sie nie danach. Wenn Sie sich nicht gerade anmelden, kennt jemand Ihr Passwort: Ändern Sie es.',
    sms: 'Ihr Sicherheitscode lautet {####}. Geben Sie ihn niemandem.',
  },
  first_factor: {
    subject: 'Ihr Anmeldecode',
    text: 'Ihr Anmeldecode lautet {####}\n\nWir fragen Sie nie danach. Wenn Sie sich nicht gerade anmelden, beachten Sie diese Nachricht nicht.',
    sms: 'Ihr Anmeldecode lautet {####}. Geben Sie ihn niemandem.',
  },
  forgot_password: {
    subject: 'Ihr Code für ein neues Passwort',
    text: 'Ihr Code für ein neues Passwort lautet {####}\n\nWenn Sie ihn nicht angefordert haben, beachten Sie diese Nachricht nicht: Ihr Passwort bleibt, wie es ist.',
    sms: 'Ihr Code für ein neues Passwort lautet {####}. Geben Sie ihn niemandem.',
  },
  verify_contact: {
    subject: 'Ihr Bestätigungscode',
    text: 'Ihr Bestätigungscode lautet {####}\n\nWenn Sie ihn nicht angefordert haben, beachten Sie diese Nachricht nicht.',
    sms: 'Ihr Bestätigungscode lautet {####}',
  },
  sign_up_known: {
    subject: 'Sie haben bereits ein Konto',
    text: 'Jemand wollte sich als {username} registrieren. Sie haben unter diesem Namen bereits ein Konto, und daran wurde nichts geändert.\n\nWenn Sie es waren, melden Sie sich an. Wenn Sie Ihr Passwort nicht mehr wissen, fordern Sie dort ein neues an.\n\nWenn Sie es nicht waren, beachten Sie diese Nachricht nicht.',
    sms: 'Jemand wollte sich unter Ihrem Namen registrieren. Sie haben bereits ein Konto; daran wurde nichts geändert.',
  },
  proofs_removed: {
    subject: 'Ihr Konto gehört Ihnen allein',
    text: 'Sie haben sich mit einem Code bei {username} angemeldet. Bis dahin hatte niemand nachgewiesen, dass ihm diese Adresse oder Nummer gehört; das Konto könnte also von jemand anderem angelegt worden sein.\n\nWas darin vorher festgelegt war, gilt nicht mehr: Passwort, Passkeys, zweite Faktoren, andere Kontakte und Sitzungen. Wenn Sie selbst ein Passwort gewählt hatten, wählen Sie es noch einmal.',
    sms: 'Sie haben sich mit einem Code angemeldet. Was vorher festgelegt war, etwa das Passwort, gilt nicht mehr: Bitte neu wählen.',
  },
  new_device: {
    subject: 'Ein neues Gerät',
    text: 'Ihrem Konto {username} wurde ein neues Gerät hinzugefügt.\n\nWenn Sie es nicht waren, öffnen Sie diesen Link. Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Ihrem Konto wurde ein neues Gerät hinzugefügt.',
    action: ACTION,
  },
  password_changed: {
    subject: 'Ihr Passwort wurde geändert',
    text: 'Ihr Konto {username} hat ein neues Passwort.\n\nWenn Sie es nicht waren, öffnen Sie diesen Link. Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Das Passwort Ihres Kontos wurde geändert.',
    action: ACTION,
  },
  factor_changed: {
    subject: 'Ihre Anmeldeverfahren wurden geändert',
    text: 'Die Anmeldeverfahren Ihres Kontos {username} wurden geändert: {change}.\n\nWenn Sie es nicht waren, öffnen Sie diesen Link. Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Die Anmeldeverfahren Ihres Kontos wurden geändert.',
    action: ACTION,
  },
  codes_guessed: {
    subject: 'Jemand rät Ihre Codes',
    text: 'Für Ihr Konto {username} wurden sehr viele falsche Codes versucht, nach dem richtigen Passwort oder einem anderen ersten Schritt. Die Anmeldung mit einem Code muss nun vielleicht bis zu einem Tag warten.\n\nWenn Sie es nicht waren, kennt jemand Ihr Passwort. Öffnen Sie diesen Link: Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Für Ihr Konto wurden sehr viele falsche Codes versucht. Waren Sie es nicht, ändern Sie Ihr Passwort.',
    action: ACTION,
  },
  contact_changed: {
    subject: 'Ihre Kontaktdaten wurden geändert',
    text: 'Die E-Mail-Adresse oder Telefonnummer Ihres Kontos {username} wurde geändert. Diese Nachricht geht an die Adresse, die Sie bisher hatten.\n\nWenn Sie es nicht waren, öffnen Sie diesen Link. Er beendet alle Ihre Sitzungen und verlangt ein neues Passwort:\n{####}',
    sms: 'Die E-Mail-Adresse oder Telefonnummer Ihres Kontos wurde geändert.',
    action: ACTION,
  },
};
