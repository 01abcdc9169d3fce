/** The texts of the buttons for other identity providers. Apart from the other texts, because most sign-in pages have no such buttons. */
export interface ProviderTexts {
  /** The name of the group, for screen readers. */
  readonly label: string;
  /** `{name}`: the provider. */
  readonly button: string;
  readonly declined: string;
  readonly failed: string;
}

/** By language tag; a language that is missing reads English. */
export const PROVIDER_TEXTS: Readonly<Record<string, ProviderTexts>> = {
  en: {
    label: 'Other ways to sign in',
    button: 'Continue with {name}',
    declined: 'You didn’t finish signing in there. Try again, or choose another way.',
    failed: 'That sign-in didn’t work. Try again, or choose another way.',
  },
  de: {
    label: 'Weitere Anmeldemöglichkeiten',
    button: 'Weiter mit {name}',
    declined:
      'Die Anmeldung dort wurde nicht abgeschlossen. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
    failed: 'Die Anmeldung hat nicht funktioniert. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  },
  es: {
    label: 'Otras formas de iniciar sesión',
    button: 'Continuar con {name}',
    declined: 'No terminó de iniciar sesión allí. Inténtelo de nuevo o elija otra forma.',
    failed: 'Ese inicio de sesión no funcionó. Inténtelo de nuevo o elija otra forma.',
  },
  fr: {
    label: 'Autres façons de se connecter',
    button: 'Continuer avec {name}',
    declined: 'La connexion n’y a pas été terminée. Réessayez ou choisissez un autre moyen.',
    failed: 'Cette connexion n’a pas fonctionné. Réessayez ou choisissez un autre moyen.',
  },
  ja: {
    label: 'その他のサインイン方法',
    button: '{name} で続ける',
    declined: 'サインインが完了しませんでした。もう一度試すか、別の方法を選んでください。',
    failed: 'サインインできませんでした。もう一度試すか、別の方法を選んでください。',
  },
  ar: {
    label: 'طرق أخرى لتسجيل الدخول',
    button: 'المتابعة باستخدام {name}',
    declined: 'لم يكتمل تسجيل الدخول هناك. حاول مرة أخرى أو اختر طريقة أخرى.',
    failed: 'لم ينجح تسجيل الدخول. حاول مرة أخرى أو اختر طريقة أخرى.',
  },
};
