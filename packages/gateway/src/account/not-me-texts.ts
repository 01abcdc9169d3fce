import type { LinkPage } from './link-page.ts';

/** The texts of the page behind a "this was not me" link, by language. */
export const NOT_ME_TEXTS = {
  en: {
    title: 'Was this not you?',
    question:
      'You had a mail about a change to your account. If you did not make that change, somebody else may be in your account.',
    effect: 'The button signs everybody out of your account, on all devices. You then have to choose a new password.',
    button: 'This was not me',
    busy: 'One moment …',
    done: 'Everybody was signed out of your account. Now choose a new password: go to the sign-in page and use “Forgot password”.',
    used: 'This link was used before, or it is too old. If you are still worried, choose a new password: go to the sign-in page and use “Forgot password”.',
    failed: 'That did not work. Please try again in a moment.',
    missing: 'This link is not complete. Please open it again from the mail, as a whole.',
    next: 'Go to the sign-in page',
    script: 'This page needs JavaScript.',
  },
  de: {
    title: 'Waren das nicht Sie?',
    question:
      'Sie haben eine E-Mail über eine Änderung an Ihrem Konto bekommen. Wenn diese Änderung nicht von Ihnen ist, hat vielleicht jemand anderes Zugang zu Ihrem Konto.',
    effect: 'Der Knopf meldet alle von Ihrem Konto ab, auf allen Geräten. Danach müssen Sie ein neues Passwort wählen.',
    button: 'Das war ich nicht',
    busy: 'Einen Moment …',
    done: 'Alle wurden von Ihrem Konto abgemeldet. Wählen Sie jetzt ein neues Passwort: auf der Anmeldeseite mit „Passwort vergessen“.',
    used: 'Dieser Link wurde schon benutzt oder ist zu alt. Wenn Sie weiter unsicher sind, wählen Sie ein neues Passwort: auf der Anmeldeseite mit „Passwort vergessen“.',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es gleich noch einmal.',
    missing: 'Dieser Link ist nicht vollständig. Bitte öffnen Sie ihn noch einmal ganz aus der E-Mail.',
    next: 'Zur Anmeldeseite',
    script: 'Diese Seite braucht JavaScript.',
  },
} as const satisfies LinkPage['texts'];
