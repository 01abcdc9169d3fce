/** The part of the gallery that contains a picture. */
export type Chapter = 'pages' | 'sign-in' | 'sign-up' | 'recovery' | 'mail-links' | 'account';

/** One state of one component, in a picture: light, dark, and on a phone. */
export interface Scene {
  readonly title: string;
  readonly chapter: Exclude<Chapter, 'pages'>;
  /** The element in the picture. */
  readonly element: `poolgate-${string}`;
  /** The step of a login, if it is one. */
  readonly step?: string;
}

const signIn = (title: string, step?: string): Scene => ({
  title,
  chapter: 'sign-in',
  element: 'poolgate-sign-in',
  ...(step === undefined ? {} : { step }),
});
const account = (element: Scene['element'], title: string): Scene => ({ title, chapter: 'account', element });

/** States that a walk leads to, by the names of their pictures. An element in none of them is shown in its first state. */
export const SCENES = {
  'sign-in': signIn('Name and password'),
  'sign-in-empty': signIn('Nothing typed'),
  'sign-in-busy': signIn('At work'),
  'sign-in-wrong': signIn('Refused, the password visible'),
  'sign-in-limited': signIn('Too many attempts'),
  'sign-in-offline': signIn('The service can’t be reached'),
  'step-select-factor': signIn('How to sign in', 'selectFactor'),
  'step-password': signIn('The password after another choice', 'password'),
  'step-sent-code': signIn('A code by e-mail', 'sentCode'),
  'step-sent-code-wrong': signIn('A wrong code', 'sentCode'),
  'step-passkey': signIn('A passkey that was not used', 'passkey'),
  'step-new-password': signIn('A new password in place of a temporary one', 'newPassword'),
  'step-totp': signIn('The code of an authenticator', 'totp'),
  'step-recovery-code': signIn('A recovery code', 'recoveryCode'),
  'step-select-mfa': signIn('Which second step', 'selectMfa'),
  'step-set-up': signIn('An authenticator that the account asks for', 'setUpAuthenticator'),
  'step-custom': signIn('A question of the operator', 'custom'),
  'step-done': signIn('Is the device trusted?', 'done'),
  'step-refused': signIn('It took too long', 'refused'),
  'sign-up': { title: 'A new account', chapter: 'sign-up', element: 'poolgate-sign-up' },
  'sign-up-rules': { title: 'The rules of the password', chapter: 'sign-up', element: 'poolgate-sign-up' },
  verify: { title: 'The code that proves the address', chapter: 'sign-up', element: 'poolgate-verify' },
  'verify-asked': { title: 'The same, come back to later', chapter: 'sign-up', element: 'poolgate-verify' },
  reset: { title: 'Code and new password', chapter: 'recovery', element: 'poolgate-reset-password' },
  'reset-done': { title: 'Set, and on to the sign-in', chapter: 'recovery', element: 'poolgate-reset-password' },
  'not-me': { title: 'A change that was not theirs', chapter: 'mail-links', element: 'poolgate-not-me' },
  'not-me-done': { title: 'All devices are signed out', chapter: 'mail-links', element: 'poolgate-not-me' },
  'confirm-link': { title: 'A sign-up to confirm', chapter: 'mail-links', element: 'poolgate-confirm-link' },
  'link-used': { title: 'A link that is good no more', chapter: 'mail-links', element: 'poolgate-not-me' },
  profile: account('poolgate-profile', 'Profile'),
  'profile-edit': account('poolgate-profile', 'Profile, another address waits for its code'),
  'mfa-off': account('poolgate-mfa', 'Authenticator, none yet'),
  'mfa-set-up': account('poolgate-mfa', 'Authenticator, its QR code'),
  'mfa-codes': account('poolgate-mfa', 'Recovery codes'),
  'mfa-on': account('poolgate-mfa', 'Authenticator, in use'),
  'passkeys-none': account('poolgate-passkeys', 'Passkeys, none yet'),
  passkeys: account('poolgate-passkeys', 'Passkeys'),
  devices: account('poolgate-devices', 'Devices'),
  'devices-forget': account('poolgate-devices', 'A device to forget'),
  sessions: account('poolgate-sessions', 'Sessions'),
  'delete-account': account('poolgate-delete-account', 'The end of an account'),
  'step-up': account('poolgate-account', 'Who it is, once more, before a change'),
  'account-deleted': account('poolgate-account', 'The account is gone'),
} as const satisfies Readonly<Record<string, Scene>>;

/** Whole pages in the sizes of screens, by the names of their files. */
export const VIEWS = {
  'page-sign-in': 'Sign-in',
  'page-sign-up': 'Sign-up',
  'page-account': 'Account',
  'page-not-me': 'The page behind the link of a mail',
  'page-missing': 'A page that is not there',
  'page-oauth-error': 'A request of an application that cannot be answered',
  'page-sign-out': 'An application signs somebody out',
  'page-mails': 'The mails of development',
  'page-docs': 'The API',
} as const satisfies Readonly<Record<string, string>>;

/** The name of a view. */
export type ViewName = keyof typeof VIEWS;
