import type { Capability } from '@poolgate/provider';

/** What Cognito does not do, or what is missing if the pool is another service. */
export type MissingInCognito =
  | Capability
  /** The Cognito-compatible API, the keys and the discovery document next to the routes. */
  | 'cognito_api'
  /** Events of the pool, and its log lines: the service in front records only requests and their results. */
  | 'pool_events'
  /** Messages that wait in development: the pool sends them. */
  | 'outbox'
  /** Several registrations of one name, distinguished by a session. */
  | 'registrations'
  /** The pool's settings follow the configuration. */
  | 'pool_settings';

/** A test of something that Cognito lacks. */
export interface SkippedOnCognito {
  readonly file: string;
  /** Absent: all tests of the file. */
  readonly name?: string;
  /** The part of a name that the file contains, if the name is composed. */
  readonly written?: string;
  readonly lacks: MissingInCognito;
}

/** The suites over the routes that also run in front of a pool with Cognito's protocol. */
export const SUITES_ON_COGNITO = [
  'e2e/routes/*.test.ts',
  'e2e/challenges/*.test.ts',
  'e2e/accounts/{revocations,re-creation,refresh-families,session-ids,somebody-else}.test.ts',
  'e2e/administration/*.test.ts',
  'e2e/web/*.test.ts',
  'e2e/client/{login,account}.test.ts',
  'e2e/browser/{client,client-network,pages-flow,pages-scenarios,pages-steps}.test.ts',
] as const;

/** Those suites that use a pool of their own in the test process, and so know no other provider. */
export const POOL_SUITES = [
  'e2e/routes/alike.test.ts',
  'e2e/routes/bad-provider.test.ts',
  'e2e/routes/bad-requests.test.ts',
  'e2e/routes/round-trips.test.ts',
] as const;

const NAMELESS_PASSKEY = 'start_discoverable_login';

/** Every test of the suites that requires what Cognito lacks. All others pass on both providers. */
export const TESTS_SKIPPED_ON_COGNITO: readonly SkippedOnCognito[] = [
  { file: 'e2e/routes/not-me.test.ts', lacks: 'disown' },
  { file: 'e2e/challenges/races.test.ts', lacks: 'create_recovery_codes' },
  { file: 'e2e/routes/verifier-passwords.test.ts', lacks: 'verifier_passwords' },
  { file: 'e2e/routes/sessions.test.ts', lacks: 'list_logins' },
  { file: 'e2e/routes/webhooks.test.ts', lacks: 'pool_events' },
  { file: 'e2e/challenges/passkey-refusal-log.test.ts', lacks: 'pool_events' },
  {
    file: 'e2e/routes/passkey-challenges.test.ts',
    name: 'a counter that decreased is recorded as an event, other wrong answers are not',
    lacks: 'pool_events',
  },
  { file: 'e2e/routes/lost-events.test.ts', lacks: 'pool_events' },
  { file: 'e2e/routes/cognito-api-recent-login.test.ts', lacks: 'cognito_api' },
  {
    file: 'e2e/routes/other-pools.test.ts',
    name: 'is shown and changed by admin routes that name it',
    lacks: 'cognito_api',
  },
  { file: 'e2e/routes/repeated-headers.test.ts', lacks: 'cognito_api' },
  {
    file: 'e2e/routes/shared-limits.test.ts',
    name: 'gets TooManyRequestsException on the Cognito-compatible API, which shares the limit of the routes',
    lacks: 'cognito_api',
  },
  { file: 'e2e/administration/webhook-targets.test.ts', lacks: 'pool_events' },
  {
    file: 'e2e/routes/register.test.ts',
    name: 'four registrations of one address coexist and get the same response; further mails are not sent',
    lacks: 'registrations',
  },
  {
    file: 'e2e/browser/pages-scenarios.test.ts',
    name: 'leave before confirming: the sign-in sends a code, asks for it, and continues',
    lacks: 'registrations',
  },
  {
    file: 'e2e/routes/mfa.test.ts',
    name: 'ten recovery codes are shown once, each works once, and new ones replace them',
    lacks: 'create_recovery_codes',
  },
  {
    file: 'e2e/routes/revoked-by-factors.test.ts',
    name: 'new recovery codes end the other sessions, unless the request says otherwise',
    lacks: 'create_recovery_codes',
  },
  {
    file: 'e2e/client/login.test.ts',
    name: 'accepts a recovery code instead of an authenticator code',
    lacks: 'create_recovery_codes',
  },
  {
    file: 'e2e/browser/client.test.ts',
    name: 'logs in with autofill and without a username; a button or removing the field ends the offer',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/browser/client.test.ts',
    name: 'removes a passkey that the service does not know from the list of the browser',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/browser/pages-flow.test.ts',
    name: 'accepts a recovery code instead of the authenticator code',
    lacks: 'create_recovery_codes',
  },
  { file: 'e2e/client/account.test.ts', name: 'shows recovery codes once', lacks: 'create_recovery_codes' },
  { file: 'e2e/client/account.test.ts', name: 'lists sessions and ends another one', lacks: 'list_logins' },
  {
    file: 'e2e/routes/choice-login.test.ts',
    name: '/login/parameters shows that the provider can do more than Cognito',
    lacks: 'create_recovery_codes',
  },
  {
    file: 'e2e/routes/passkeys.test.ts',
    name: 'logs in without a username, and recognizes an unknown passkey',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkeys.test.ts',
    name: 'accepts a user-verified passkey as both factors, and otherwise asks for the second one',
    lacks: NAMELESS_PASSKEY,
  },
  { file: 'e2e/routes/passkeys.test.ts', name: 'shows when a passkey was last used', lacks: 'list_passkey_uses' },
  {
    file: 'e2e/routes/passkey-attacks.test.ts',
    name: 'a response to one user’s login does not answer that of another user',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkey-attacks.test.ts',
    name: 'a login without a name belongs to the owner of the passkey, and to no other user that the response names',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkey-challenges.test.ts',
    name: 'a challenge expires, and a new registration invalidates the one before',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkey-challenges.test.ts',
    name: 'accept only one of two parallel completions or answers',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkey-settings.test.ts',
    name: 'a page on the service’s port can register in development, and no other page',
    lacks: 'pool_settings',
  },
  {
    file: 'e2e/routes/password.test.ts',
    name: 'a change requires the old password and ends all other logins',
    lacks: 'list_logins',
  },
  {
    file: 'e2e/web/unfinished.test.ts',
    name: 'signs in only the browser that requested a reset',
    lacks: 'reset_sessions',
  },
  {
    file: 'e2e/web/unfinished.test.ts',
    name: 'asks for the second factor after a reset, also after a reload',
    lacks: 'reset_sessions',
  },
  {
    file: 'e2e/routes/password.test.ts',
    name: 'a code with its session works even after later requests, and without it only the newest code works',
    lacks: 'reset_sessions',
  },
  {
    file: 'e2e/routes/tokens.test.ts',
    name: 'a logout ends its own login at once, with its refresh token, and no other',
    lacks: 'end_login',
  },
  {
    file: 'e2e/accounts/revocations.test.ts',
    name: 'POST /logout takes effect on the other’s next request, at the routes and the Cognito-compatible API',
    written: "'POST /logout'",
    lacks: 'end_login',
  },
  {
    file: 'e2e/accounts/revocations.test.ts',
    name: 'DELETE /user/sessions/{id} takes effect on the other’s next request, at the routes and the Cognito-compatible API',
    written: "'DELETE /user/sessions/{id}'",
    lacks: 'end_login_by_id',
  },
  {
    file: 'e2e/accounts/revocations.test.ts',
    name: 'POST /user/changepassword takes effect on the other’s next request, at the routes and the Cognito-compatible API',
    written: "'POST /user/changepassword'",
    lacks: 'list_logins',
  },
  {
    file: 'e2e/accounts/revocations.test.ts',
    name: 'POST /account/not-me takes effect on the other’s next request, at the routes and the Cognito-compatible API',
    written: "'POST /account/not-me'",
    lacks: 'disown',
  },
  {
    file: 'e2e/accounts/refresh-families.test.ts',
    name: 'twenty parallel refreshes with one token at all entry points leave one family',
    lacks: 'list_logins',
  },
  {
    file: 'e2e/accounts/refresh-families.test.ts',
    name: 'no parallel replay on both gets tokens, and the log reports the theft',
    lacks: 'pool_events',
  },
  {
    file: 'e2e/accounts/session-ids.test.ts',
    name: 'each of many parallel users sees only their own profile and sessions',
    lacks: 'list_logins',
  },
  {
    file: 'e2e/accounts/session-ids.test.ts',
    name: 'a logout without a token ends no login, and no user can end the login of another',
    lacks: 'list_logins',
  },
  {
    file: 'e2e/routes/audit.test.ts',
    name: 'records who did what to whom, and in which request',
    lacks: 'pool_events',
  },
  { file: 'e2e/routes/audit.test.ts', name: 'records successful and refused logins', lacks: 'pool_events' },
  { file: 'e2e/routes/audit.test.ts', name: 'is searchable by the sub of a deleted user', lacks: 'pool_events' },
  {
    file: 'e2e/routes/requests.test.ts',
    name: 'for the outbox of development are accepted only from this machine, and never through a proxy',
    lacks: 'outbox',
  },
  {
    file: 'e2e/routes/admin-guard.test.ts',
    name: 'every admin operation of the Cognito-compatible API refuses missing credentials, users’ tokens and bad signatures',
    lacks: 'cognito_api',
  },
  {
    file: 'e2e/routes/replicas.test.ts',
    name: "accept each other's tokens and publish the same keys",
    lacks: 'cognito_api',
  },
  {
    file: 'e2e/routes/replicas.test.ts',
    name: 'serve the same pool with DATABASE_URL=postgres://… in the environment',
    lacks: 'pool_settings',
  },
  {
    file: 'e2e/routes/admin-pool.test.ts',
    name: 'signs with new keys after a rotation, and older tokens stay valid',
    lacks: 'signing_keys',
  },
  {
    file: 'e2e/routes/admin-clients.test.ts',
    name: 'can have two valid secrets, and never show a secret again',
    lacks: 'oauth',
  },
  {
    file: 'e2e/routes/admin-clients.test.ts',
    name: 'include the client of the service, which cannot be deleted',
    lacks: 'pool_settings',
  },
  {
    file: 'e2e/routes/route-table.test.ts',
    name: 'serves exactly the methods that the document lists',
    lacks: 'outbox',
  },
  {
    file: 'e2e/routes/route-table.test.ts',
    name: 'covers everything but the pool’s own protocol, and nothing from later phases',
    lacks: 'cognito_api',
  },
  {
    file: 'e2e/routes/route-table.test.ts',
    name: 'still serves all routes with POOLGATE_WIRE=false, without the pool’s own protocol',
    lacks: 'cognito_api',
  },
];
