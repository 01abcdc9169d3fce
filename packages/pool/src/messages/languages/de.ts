import type { Language } from './language.ts';

export const de: Language = {
  sign_up: {
    subject: 'Ihr Bestätigungscode',
    text: 'Ihr Bestätigungscode lautet {####}\n\nWenn Sie sich nicht registriert haben, beachten Sie diese Nachricht nicht.',
    sms: 'Ihr Bestätigungscode lautet {####}',
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
};
