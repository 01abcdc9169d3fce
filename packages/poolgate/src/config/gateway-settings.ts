import { DEFAULT_MESSAGE_LIMITS } from '@poolgate/pool';
import { defineSetting } from './setting.ts';
import {
  booleanKind,
  createChoiceKind,
  createListKind,
  createOptionalKind,
  createTextKind,
  createWholeNumberKind,
  filePathKind,
  isUrlWithoutCredentials,
  originKind,
  pathPrefixKind,
  proxyRangeKind,
} from './value-kinds.ts';

const qrLibrary = createTextKind({
  allowed:
    'builtin, or an http or https URL without credentials that the TOTP URI is appended to, e.g. https://qr.example.com/?data=',
  problem: 'is neither builtin nor a valid URL',
  accepts: (input) => input === 'builtin' || (/^https?:\/\/[^\s#]+$/.test(input) && isUrlWithoutCredentials(input)),
});

const groupName = createTextKind({
  allowed: '1 to 128 letters, marks, symbols, numbers and punctuation, no spaces, no comma',
  problem: 'is not the name of a group',
  accepts: (input) => /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u.test(input),
});

const appName = createTextKind({
  allowed: '1 to 64 characters, none of them a control character',
  problem: 'is empty, too long or contains control characters',
  accepts: (input) => /^[^\p{C}]{1,64}$/u.test(input) && input.trim() !== '',
});

/** The HTTP service: mounts, trusted proxies and rate limits. */
export const gatewaySettings = {
  console: defineSetting('POOLGATE_CONSOLE', booleanKind, {
    default: true,
    help: 'Serves the console at `/cognito/console`. So far, the console is available in development only; in production it is always off.',
  }),
  consoleUrl: defineSetting('POOLGATE_CONSOLE_URL', createOptionalKind(originKind, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'The origin of the console, if it has a separate host. The console is then available only there, and nothing else is. No script in a page for users can then reach it. The host must differ from that of `BASE_URL`.',
  }),
  apiPrefix: defineSetting('POOLGATE_API_PREFIX', pathPrefixKind, {
    default: '/api/cognito',
    help: 'The path prefix where the routes are also served, in addition to the short paths.',
  }),
  webPrefix: defineSetting('POOLGATE_WEB_PREFIX', pathPrefixKind, {
    default: '/cognito',
    help: 'The path prefix of the pages and of the routes for browsers, which use a session cookie instead of tokens.',
  }),
  appName: defineSetting('POOLGATE_APP_NAME', appName, {
    default: 'Poolgate',
    help: 'The name that users see in page titles, in authenticator apps, in the built-in emails and as the sender name if POOLGATE_MAIL_FROM has none.',
  }),
  brandFile: defineSetting('POOLGATE_BRAND_FILE', createOptionalKind(filePathKind, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'A JSON file with the logo, favicon, colors, font, radius, heading and links of the pages, also for single pools and app clients. The service reads it once, at start.',
  }),
  signInFlow: defineSetting('POOLGATE_SIGN_IN', createChoiceKind(['password', 'choice', 'custom', 'custom-password']), {
    default: 'password',
    help: "How the sign-in page starts. `password`: with username and password. `choice`: with the username, then a choice of the pool's sign-in methods. `custom`: with the username, then the challenges of the pool's triggers. `custom-password`: with username and password, then the triggers.",
  }),
  returnOrigins: defineSetting('POOLGATE_RETURN_ORIGINS', createListKind(originKind), {
    default: [],
    defaultText: 'none',
    help: "Origins of other sites that a browser may return to after a login. The service's own origin is always allowed.",
  }),
  sessionIdleSeconds: defineSetting('POOLGATE_SESSION_IDLE_SECONDS', createWholeNumberKind(60, 31_536_000), {
    default: 3600,
    help: 'How long a browser session may be idle before it ends.',
  }),
  sessionSeconds: defineSetting('POOLGATE_SESSION_SECONDS', createWholeNumberKind(60, 31_536_000), {
    default: 86_400,
    help: 'The maximum lifetime of a browser session.',
  }),
  sessionStaySeconds: defineSetting('POOLGATE_SESSION_STAY_SECONDS', createWholeNumberKind(0, 31_536_000), {
    default: 2_592_000,
    help: 'The maximum lifetime, idle or not, of a browser session whose user chose to stay signed in. The session also ends with its refresh token. 0 removes the choice.',
  }),
  trustedProxies: defineSetting('POOLGATE_TRUSTED_PROXIES', createListKind(proxyRangeKind), {
    default: [],
    defaultText: 'none',
    help: 'Addresses of proxies whose forwarding headers the service trusts.',
  }),
  corsOrigins: defineSetting('POOLGATE_CORS_ORIGINS', createListKind(originKind), {
    default: [],
    defaultText: 'none',
    help: 'Origins whose pages may call the routes from a browser (CORS).',
  }),
  limitReads: defineSetting('POOLGATE_LIMIT_READS', createWholeNumberKind(0, 1_000_000), {
    default: 600,
    help: 'How many read requests one address may send per minute. 0 turns the limit off.',
  }),
  limitLoginSteps: defineSetting('POOLGATE_LIMIT_LOGIN_STEPS', createWholeNumberKind(0, 1_000_000), {
    default: 300,
    help: 'How many login steps and requests to `/oauth2/token` one address (IPv6: /64) may send per minute across all replicas. At most a tenth of them may carry wrong secrets for one app client. 0 turns the limit off.',
  }),
  limitUserSteps: defineSetting('POOLGATE_LIMIT_USER_STEPS', createWholeNumberKind(0, 1_000_000), {
    default: 600,
    help: 'How many login steps may name one user per minute, from all addresses and across all replicas. Device and passkey steps do not count. Set it higher than the limit per address, so that a single address cannot use it up. 0 turns the limit off.',
  }),
  limitClientSteps: defineSetting('POOLGATE_LIMIT_CLIENT_STEPS', createWholeNumberKind(0, 1_000_000), {
    default: 0,
    help: 'How many login steps one app client may send per minute across all replicas. At `/oauth2/token`, only requests with a valid client secret count. The default is 0, no limit, because anyone could use up a limit that all users share.',
  }),
  overloadMs: defineSetting('POOLGATE_OVERLOAD_MS', createWholeNumberKind(0, 60_000), {
    default: 400,
    help: 'How much work, in milliseconds of processor time, one turn of the event loop accepts before it sheds load. While the loop is repeatedly late, a twelfth of that is accepted. Excess requests get 503 with `Retry-After`, except for `/healthz` and `/readyz`. 0 turns load shedding off.',
  }),
  limitMessages: defineSetting('POOLGATE_LIMIT_MESSAGES', createWholeNumberKind(20, 1_000_000_000), {
    default: DEFAULT_MESSAGE_LIMITS.perDay,
    help: 'The maximum number of messages per day. Half of them are reserved for what anyone can request, and at most half of that half for sign-ups. One network can use at most a fiftieth of what is left of its part. Codes after a proven first factor, notices to owners and requests for users who do not exist are not counted.',
  }),
  limitSourceMessages: defineSetting(
    'POOLGATE_LIMIT_SOURCE_MESSAGES',
    createOptionalKind(createWholeNumberKind(1, 100), '(2; 50 in development)'),
    {
      default: undefined,
      defaultText: '`2`; `50` in development',
      help: 'How many messages of one kind, such as sign-up codes, one network may cause for one user in any hour. All networks together may cause five per hour, or this number if it is greater.',
    },
  ),
  limitCountrySms: defineSetting('POOLGATE_LIMIT_SMS_COUNTRY', createWholeNumberKind(1, 1_000_000_000), {
    default: DEFAULT_MESSAGE_LIMITS.smsPerCountryAndDay,
    help: 'How many text messages per day may go to the numbers of one country for requests that anyone can send. The same number is available for signed-in users who verify a number.',
  }),
  mfaQrLibrary: defineSetting('IDP_MFA_QR_LIBRARY', qrLibrary, {
    default: 'builtin',
    help: 'What draws the QR code for authenticator apps. `builtin` draws it in this service. A URL prefix gets the TOTP URI appended, so the secret leaves this service.',
  }),
  freshProofSeconds: defineSetting('IDP_FRESH_PROOF_SECONDS', createWholeNumberKind(60, 86_400), {
    default: 900,
    help: 'How recent a login must be to change a factor, a contact or the account.',
  }),
  adminGroups: defineSetting('IDP_ADMIN_GROUPS', createListKind(groupName), {
    default: [],
    defaultText: 'none',
    help: 'Groups whose members may turn MFA on and off for other users.',
  }),
  geoipFile: defineSetting('POOLGATE_GEOIP_FILE', createOptionalKind(filePathKind, '(none)'), {
    default: undefined,
    defaultText: 'none',
    help: 'A MaxMind DB file with cities or countries, such as GeoLite2-City.mmdb. With it, users see the place of each of their sessions. Addresses are looked up in this file only.',
  }),
  auditDays: defineSetting('POOLGATE_AUDIT_DAYS', createWholeNumberKind(1, 3650), {
    default: 90,
    help: 'How many days events are kept. Changing it does not affect events that are already stored.',
  }),
  auditAnonymousRows: defineSetting('POOLGATE_AUDIT_ANONYMOUS_ROWS', createWholeNumberKind(1_000, 100_000_000), {
    default: 100_000,
    help: 'How many events of anonymous requests are kept, at about a kilobyte each. The oldest are removed first. Events of authenticated callers are never removed early.',
  }),
  privateFederation: defineSetting('POOLGATE_FEDERATION_PRIVATE', booleanKind, {
    default: false,
    help: 'Allows identity providers at private and loopback addresses, and over http. Otherwise only https at public addresses is allowed; in development, loopback too.',
  }),
  privateWebhooks: defineSetting('POOLGATE_WEBHOOK_PRIVATE', booleanKind, {
    default: false,
    help: 'Allows webhooks at private and loopback addresses and over http. Without it, the service refuses such webhooks when you create them and again when it connects.',
  }),
};
