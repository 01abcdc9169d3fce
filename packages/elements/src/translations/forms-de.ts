import type { FormsMessages } from './languages.ts';

/** German for sign-up, recovery, and the pages of emailed links. */
export const messages: FormsMessages = {
  'signUp.title': 'Konto erstellen',
  'signUp.titleTo': '{app}-Konto erstellen',
  'signUp.subtitle': 'Das dauert keine Minute.',
  'signUp.submit': 'Konto erstellen',
  'signUp.haveAccount': 'Sie haben schon ein Konto?',

  'verify.title': 'E-Mail-Adresse bestätigen',
  'verify.subtitle': 'Geben Sie den Code ein, den wir an {destination} gesendet haben.',
  'verify.submit': 'Bestätigen',
  'verify.doneSubtitle': 'Sie können sich jetzt anmelden.',

  'forgot.title': 'Passwort vergessen?',
  'forgot.subtitle':
    'Geben Sie Ihre E-Mail-Adresse oder Ihren Benutzernamen ein. Wir senden Ihnen einen Code zum Zurücksetzen.',
  'forgot.submit': 'Code senden',
  'forgot.back': 'Zurück zur Anmeldung',

  'reset.title': 'Neues Passwort festlegen',
  'reset.subtitle': 'Falls {username} ein Konto hat, haben wir einen Code gesendet.',
  'reset.submit': 'Neues Passwort festlegen',
  'reset.doneSubtitle': 'Melden Sie sich mit Ihrem neuen Passwort an.',
  'reset.tooManyCodes': 'Zu viele falsche Codes. Fordern Sie einen neuen Code an.',

  'notMe.title': 'Waren Sie das nicht?',
  'notMe.question':
    'Wir haben Sie über eine Änderung an Ihrem Konto informiert. Wenn sie nicht von Ihnen stammt, hat möglicherweise jemand anderes Zugriff.',
  'notMe.effect': 'Dadurch werden alle Geräte abgemeldet. Danach legen Sie ein neues Passwort fest.',
  'notMe.submit': 'Das war ich nicht',
  'notMe.done': 'Alle Geräte sind abgemeldet',
  'notMe.doneSubtitle': 'Legen Sie jetzt ein neues Passwort fest, damit sich niemand sonst anmelden kann.',

  'confirm.question': 'Jemand hat sich mit Ihrer E-Mail-Adresse registriert.',
  'confirm.effect':
    'Wenn Sie das waren, bestätigen Sie Ihre Adresse. Wenn nicht, schließen Sie diese Seite, und es ändert sich nichts.',
  'confirm.submit': 'Adresse bestätigen',
  'claim.title': 'Passwort eingeben',
  'claim.subtitle':
    'Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben, um zu bestätigen, dass dieses Konto Ihnen gehört.',
  'claim.useNew': 'Ich habe mich nicht registriert oder das Passwort vergessen',
  'claim.newEffect':
    'Dabei wird alles entfernt, was bei der Registrierung angegeben wurde, außer Ihrer bestätigten Adresse.',
  'claim.useOld': 'Mein Passwort aus der Registrierung verwenden',

  'link.used': 'Dieser Link ist abgelaufen oder wurde bereits benutzt.',
  'link.missing': 'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der Nachricht.',
};
