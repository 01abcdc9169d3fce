import type { LinkPage } from './link-page.ts';

/** The texts of the page behind the link that confirms a sign-up, by language. */
export const CONFIRM_TEXTS = {
  en: {
    title: 'Confirm your e-mail address',
    question: 'You had a mail because somebody signed up with your e-mail address.',
    effect: 'If it was you, confirm it with the button. If it was not you, close this page.',
    button: 'Confirm my address',
    busy: 'One moment …',
    done: 'Your address is confirmed. You can sign in now.',
    used: 'This link was used before, or it is too old. If you have confirmed your address already, sign in. If not, ask for a new mail where you signed up.',
    failed: 'That did not work. Please try again in a moment.',
    missing: 'This link is not complete. Please open it again from the mail, as a whole.',
    next: 'Go to the sign-in page',
    script: 'This page needs JavaScript.',
  },
  de: {
    title: 'E-Mail-Adresse bestätigen',
    question: 'Sie haben eine E-Mail bekommen, weil sich jemand mit Ihrer E-Mail-Adresse registriert hat.',
    effect: 'Wenn Sie es waren, bestätigen Sie das mit dem Knopf. Wenn Sie es nicht waren, schließen Sie diese Seite.',
    button: 'Adresse bestätigen',
    busy: 'Einen Moment …',
    done: 'Ihre Adresse ist bestätigt. Sie können sich jetzt anmelden.',
    used: 'Dieser Link wurde schon benutzt oder ist zu alt. Wenn Sie Ihre Adresse schon bestätigt haben, melden Sie sich an. Wenn nicht, fordern Sie dort, wo Sie sich registriert haben, eine neue E-Mail an.',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es gleich noch einmal.',
    missing: 'Dieser Link ist nicht vollständig. Bitte öffnen Sie ihn noch einmal ganz aus der E-Mail.',
    next: 'Zur Anmeldeseite',
    script: 'Diese Seite braucht JavaScript.',
  },
} as const satisfies LinkPage['texts'];
