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
  'sign-in': signIn('Username and password'),
  'sign-in-empty': signIn('Empty fields'),
  'sign-in-busy': signIn('In progress'),
  'sign-in-wrong': signIn('Wrong password, shown in clear'),
  'sign-in-limited': signIn('Too many attempts'),
  'sign-in-offline': signIn('The service can’t be reached'),
  'step-select-factor': signIn('How to sign in', 'selectFactor'),
  'step-password': signIn('Password after another choice', 'password'),
  'step-sent-code': signIn('Code by email', 'sentCode'),
  'step-sent-code-wrong': signIn('Wrong code', 'sentCode'),
  'step-passkey': signIn('Passkey not used', 'passkey'),
  'step-new-password': signIn('New password after a temporary one', 'newPassword'),
  'step-totp': signIn('Authentication code', 'totp'),
  'step-recovery-code': signIn('Recovery code', 'recoveryCode'),
  'step-select-mfa': signIn('Choose a second step', 'selectMfa'),
  'step-set-up': signIn('Required authenticator set-up', 'setUpAuthenticator'),
  'step-custom': signIn('Custom challenge', 'custom'),
  'step-keep-account': signIn('Keep an account that will be deleted', 'keepAccount'),
  'step-done': signIn('Trust this device?', 'done'),
  'step-refused': signIn('Expired sign-in', 'refused'),
  'sign-up': { title: 'Create an account', chapter: 'sign-up', element: 'poolgate-sign-up' },
  'sign-up-rules': { title: 'Password rules', chapter: 'sign-up', element: 'poolgate-sign-up' },
  verify: { title: 'Code for the address', chapter: 'sign-up', element: 'poolgate-verify' },
  'verify-asked': { title: 'Code for the address, entered later', chapter: 'sign-up', element: 'poolgate-verify' },
  reset: { title: 'Code and new password', chapter: 'recovery', element: 'poolgate-reset-password' },
  'reset-done': { title: 'Password changed', chapter: 'recovery', element: 'poolgate-reset-password' },
  'not-me': { title: 'Report a change', chapter: 'mail-links', element: 'poolgate-not-me' },
  'not-me-done': { title: 'All devices are signed out', chapter: 'mail-links', element: 'poolgate-not-me' },
  'confirm-link': { title: 'Confirm a sign-up', chapter: 'mail-links', element: 'poolgate-confirm-link' },
  'link-used': { title: 'Expired link', chapter: 'mail-links', element: 'poolgate-not-me' },
  profile: account('poolgate-profile', 'Profile'),
  'profile-edit': account('poolgate-profile', 'Profile, new address not yet verified'),
  'mfa-off': account('poolgate-mfa', 'Authenticator, not set up'),
  'mfa-set-up': account('poolgate-mfa', 'Authenticator, QR code'),
  'mfa-codes': account('poolgate-mfa', 'Recovery codes'),
  'mfa-on': account('poolgate-mfa', 'Authenticator, in use'),
  'passkeys-none': account('poolgate-passkeys', 'Passkeys, none yet'),
  passkeys: account('poolgate-passkeys', 'Passkeys'),
  devices: account('poolgate-devices', 'Devices and sessions'),
  'devices-forget': account('poolgate-devices', 'Forget a device'),
  'delete-account': account('poolgate-delete-account', 'Delete the account'),
  'step-up': account('poolgate-account', 'Sign in again before a change'),
  'account-deleted': account('poolgate-account', 'Account deleted'),
} as const satisfies Readonly<Record<string, Scene>>;

/** Whole pages in the sizes of screens, by the names of their files. */
export const VIEWS = {
  'page-sign-in': 'Sign-in',
  'page-sign-up': 'Sign-up',
  'page-account': 'Account',
  'page-not-me': 'Page behind a link in an email',
  'page-missing': 'Page not found',
  'page-oauth-error': 'Invalid request of an application',
  'page-sign-out': 'Sign-out for an application',
  'page-mails': 'Development outbox',
  'page-docs': 'API reference',
  'page-providers': 'Sign-in with identity providers',
  'page-consent': 'Access for an application',
  'page-device': 'Code of a device',
  'page-device-confirm': 'Access for a device',
  'console-sign-in': 'Console: sign-in',
  'console-overview': 'Console: overview',
  'console-users': 'Console: users',
  'console-user': 'Console: one user',
  'console-confirmation': 'Console: question before a deletion',
  'console-new-user': 'Console: new user',
  'console-groups': 'Console: groups',
  'console-group': 'Console: one group',
  'console-applications': 'Console: applications',
  'console-application': 'Console: one application',
  'console-webhooks': 'Console: webhooks',
  'console-webhook': 'Console: one webhook',
  'console-keys': 'Console: admin keys',
  'console-new-key': 'Console: new admin key',
  'console-audit': 'Console: audit log',
} as const satisfies Readonly<Record<string, string>>;

/** The name of a view. */
export type ViewName = keyof typeof VIEWS;
