import { DEFAULT_MESSAGE_LIMITS } from '@poolgate/pool';
import { defineSetting } from './setting.ts';
import {
  booleanKind,
  createChoiceKind,
  createListKind,
  createOptionalKind,
  createTextKind,
  createWholeNumberKind,
  isUrlWithoutCredentials,
  originKind,
  pathPrefixKind,
  proxyRangeKind,
} from './value-kinds.ts';

const qrLibrary = createTextKind({
  allowed:
    'builtin, or an http or https URL without credentials to which the TOTP URI is appended, e.g. https://qr.example.com/?data=',
  problem: 'is neither builtin nor such a URL',
  accepts: (input) => input === 'builtin' || (/^https?:\/\/[^\s#]+$/.test(input) && isUrlWithoutCredentials(input)),
});

const groupName = createTextKind({
  allowed: '1 to 128 letters, marks, symbols, numbers and punctuation, no spaces, no comma',
  problem: 'is not the name of a group',
  accepts: (input) => /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u.test(input),
});

const appName = createTextKind({
  allowed: '1 to 64 characters, none of them a control character',
  problem: 'is empty, too long, or has control characters',
  accepts: (input) => /^[^\p{C}]{1,64}$/u.test(input) && input.trim() !== '',
});

/** The HTTP service: mounts, trusted proxies and rate limits. */
export const gatewaySettings = {
  apiPrefix: defineSetting('POOLGATE_API_PREFIX', pathPrefixKind, {
    default: '/api/cognito',
    help: 'The prefix under which the routes are mounted beside the short paths.',
  }),
  webPrefix: defineSetting('POOLGATE_WEB_PREFIX', pathPrefixKind, {
    default: '/cognito',
    help: 'The prefix under which browsers find the routes, with a session cookie in place of tokens, and the pages.',
  }),
  appName: defineSetting('POOLGATE_APP_NAME', appName, {
    default: 'Poolgate',
    help: 'What users know the service by: it stands in the titles of the pages, above the mails that have no look of their own, and beside a POOLGATE_MAIL_FROM without a name.',
  }),
  signInFlow: defineSetting('POOLGATE_SIGN_IN', createChoiceKind(['password', 'choice', 'custom', 'custom-password']), {
    default: 'password',
    help: 'How the sign-in page begins: with name and password; with the name, and then a choice of the ways in that the pool has; with the name, and then what the triggers of the pool ask; with name and password, and then the triggers.',
  }),
  returnOrigins: defineSetting('POOLGATE_RETURN_ORIGINS', createListKind(originKind), {
    default: [],
    defaultText: 'none',
    help: 'Origins of other sites to which a browser may be sent back after a login. The service itself always is one.',
  }),
  sessionIdleSeconds: defineSetting('POOLGATE_SESSION_IDLE_SECONDS', createWholeNumberKind(60, 31_536_000), {
    default: 3600,
    help: 'After how much time without a request the session of a browser ends.',
  }),
  sessionSeconds: defineSetting('POOLGATE_SESSION_SECONDS', createWholeNumberKind(60, 31_536_000), {
    default: 86_400,
    help: 'How long the session of a browser lives at most.',
  }),
  sessionStaySeconds: defineSetting('POOLGATE_SESSION_STAY_SECONDS', createWholeNumberKind(0, 31_536_000), {
    default: 2_592_000,
    help: 'The same for a user who asked to stay signed in, and who may be idle all that time. It also ends with the refresh token. 0: nobody stays signed in.',
  }),
  trustedProxies: defineSetting('POOLGATE_TRUSTED_PROXIES', createListKind(proxyRangeKind), {
    default: [],
    defaultText: 'none',
    help: 'Addresses whose forwarding headers are believed.',
  }),
  corsOrigins: defineSetting('POOLGATE_CORS_ORIGINS', createListKind(originKind), {
    default: [],
    defaultText: 'none',
    help: 'Origins whose pages may call the routes from a browser.',
  }),
  limitReads: defineSetting('POOLGATE_LIMIT_READS', createWholeNumberKind(0, 1_000_000), {
    default: 600,
    help: 'Reads per address and minute. 0 switches the limit off.',
  }),
  limitLoginSteps: defineSetting('POOLGATE_LIMIT_LOGIN_STEPS', createWholeNumberKind(0, 1_000_000), {
    default: 300,
    help: 'Login steps and requests to `/oauth2/token` per address (IPv6: /64) and minute, by all replicas together; a tenth of it may be wrong secrets for one app client. 0 switches the limit off.',
  }),
  limitUserSteps: defineSetting('POOLGATE_LIMIT_USER_STEPS', createWholeNumberKind(0, 1_000_000), {
    default: 600,
    help: 'Login steps that name one user, per minute, from all addresses and by all replicas together. Those of a device or a passkey are not counted by it. More than one address may do, so that no single one can spend it. 0 switches the limit off.',
  }),
  limitClientSteps: defineSetting('POOLGATE_LIMIT_CLIENT_STEPS', createWholeNumberKind(0, 1_000_000), {
    default: 0,
    help: 'Login steps of one app client per minute, by all replicas together; at `/oauth2/token` only those of a client that has proven its secret. 0, no limit, because anybody could spend what all users share.',
  }),
  overloadMs: defineSetting('POOLGATE_OVERLOAD_MS', createWholeNumberKind(0, 60_000), {
    default: 400,
    help: 'How much work may come together in one turn of the event loop, in milliseconds of its own processor time; while the loop is late again and again, a twelfth of it. What comes behind that is answered 503 with `Retry-After`, but for `/healthz` and `/readyz`. 0 switches that off.',
  }),
  limitMessages: defineSetting('POOLGATE_LIMIT_MESSAGES', createWholeNumberKind(20, 1_000_000_000), {
    default: DEFAULT_MESSAGE_LIMITS.perDay,
    help: 'Messages that the service sends in a day. Half of them are for what anyone can request, and at most half of that half for sign-ups. One network causes at most a fiftieth of what is left of its part. Codes behind a proven first factor, notices to owners, and requests for users who do not exist are not counted.',
  }),
  limitSourceMessages: defineSetting(
    'POOLGATE_LIMIT_SOURCE_MESSAGES',
    createOptionalKind(createWholeNumberKind(1, 100), '(2; 50 in development)'),
    {
      default: undefined,
      defaultText: '`2`; `50` in development',
      help: 'Messages of one kind, such as codes of a sign-up, that one network causes to a user in any hour. A user gets five an hour from all networks together, or this number where it is greater.',
    },
  ),
  limitCountrySms: defineSetting('POOLGATE_LIMIT_SMS_COUNTRY', createWholeNumberKind(1, 1_000_000_000), {
    default: DEFAULT_MESSAGE_LIMITS.smsPerCountryAndDay,
    help: 'Messages by SMS to the numbers of one country in a day: so many for what anybody can ask for, and as many for the verification of numbers by users who are logged in.',
  }),
  mfaQrLibrary: defineSetting('IDP_MFA_QR_LIBRARY', qrLibrary, {
    default: 'builtin',
    help: 'Who draws the QR code of an authenticator. `builtin`: this service. A URL prefix gets the TOTP URI appended, so that the secret leaves this service.',
  }),
  freshProofSeconds: defineSetting('IDP_FRESH_PROOF_SECONDS', createWholeNumberKind(60, 86_400), {
    default: 900,
    help: 'How old a login may be that changes a factor, a contact or the account.',
  }),
  adminGroups: defineSetting('IDP_ADMIN_GROUPS', createListKind(groupName), {
    default: [],
    defaultText: 'none',
    help: 'Groups whose members may switch the MFA of other users on and off.',
  }),
  auditDays: defineSetting('POOLGATE_AUDIT_DAYS', createWholeNumberKind(1, 3650), {
    default: 90,
    help: 'For how many days events are kept. What is kept already keeps its own end.',
  }),
  auditAnonymousRows: defineSetting('POOLGATE_AUDIT_ANONYMOUS_ROWS', createWholeNumberKind(1_000, 100_000_000), {
    default: 100_000,
    help: 'How many events that anonymous requests caused are kept; about a kilobyte each. The oldest of them go first. What somebody proven did is never removed early.',
  }),
  privateFederation: defineSetting('POOLGATE_FEDERATION_PRIVATE', booleanKind, {
    default: false,
    help: 'Allows identity providers at private and loopback addresses, and over http. Otherwise only https at public addresses is allowed; in development, loopback too.',
  }),
  privateWebhooks: defineSetting('POOLGATE_WEBHOOK_PRIVATE', booleanKind, {
    default: false,
    help: 'Allows webhooks at private and loopback addresses, and over http. Otherwise such a webhook is refused when it is made, and each post when it connects.',
  }),
};
