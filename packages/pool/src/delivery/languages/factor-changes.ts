/** The names of sign-in method changes in notices, by language. */
const TEXTS = {
  en: {
    authenticator_added: 'authenticator app added',
    authenticator_removed: 'authenticator app removed',
    passkey_added: 'passkey added',
    passkey_removed: 'passkey removed',
    identity_added: 'account at another provider connected',
    identity_removed: 'account at another provider disconnected',
    recovery_codes_created: 'new recovery codes created',
    second_factors_removed: 'all second factors removed',
    SOFTWARE_TOKEN_MFA_on: 'authenticator app turned on',
    SOFTWARE_TOKEN_MFA_off: 'authenticator app turned off',
    SMS_MFA_on: 'codes by text message turned on',
    SMS_MFA_off: 'codes by text message turned off',
    EMAIL_OTP_on: 'codes by email turned on',
    EMAIL_OTP_off: 'codes by email turned off',
  },
  de: {
    authenticator_added: 'Authenticator-App hinzugefügt',
    authenticator_removed: 'Authenticator-App entfernt',
    passkey_added: 'Passkey hinzugefügt',
    passkey_removed: 'Passkey entfernt',
    identity_added: 'Konto bei einem anderen Anbieter verbunden',
    identity_removed: 'Konto bei einem anderen Anbieter getrennt',
    recovery_codes_created: 'neue Wiederherstellungscodes erstellt',
    second_factors_removed: 'alle zweiten Faktoren entfernt',
    SOFTWARE_TOKEN_MFA_on: 'Authenticator-App eingeschaltet',
    SOFTWARE_TOKEN_MFA_off: 'Authenticator-App ausgeschaltet',
    SMS_MFA_on: 'Codes per SMS eingeschaltet',
    SMS_MFA_off: 'Codes per SMS ausgeschaltet',
    EMAIL_OTP_on: 'Codes per E-Mail eingeschaltet',
    EMAIL_OTP_off: 'Codes per E-Mail ausgeschaltet',
  },
} as const;

/** A change to the user's sign-in methods. */
export type FactorChange = keyof (typeof TEXTS)['en'];

const BY_LANGUAGE: Readonly<Record<string, Readonly<Record<FactorChange, string>>>> = TEXTS;

/** Names changes in a language, or in English if that language is not built in. */
export function nameFactorChanges(changes: readonly FactorChange[], language: string | undefined): string {
  const [tag = ''] = (language ?? '').split('-');
  const texts = BY_LANGUAGE[tag] ?? TEXTS.en;
  return changes.map((change) => texts[change]).join(', ');
}
