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
  'e2e/browser/{client,client-network,pages-flow,pages-injection,pages-scenarios,pages-steps}.test.ts',
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
    name: 'a counter that went back is reported by an event of its own, any other wrong answer is not',
    lacks: 'pool_events',
  },
  { file: 'e2e/routes/lost-events.test.ts', lacks: 'pool_events' },
  { file: 'e2e/routes/cognito-api-recent-login.test.ts', lacks: 'cognito_api' },
  {
    file: 'e2e/routes/other-pools.test.ts',
    name: 'is described and changed by the routes of administrators that name it',
    lacks: 'cognito_api',
  },
  { file: 'e2e/routes/repeated-headers.test.ts', lacks: 'cognito_api' },
  {
    file: 'e2e/routes/shared-limits.test.ts',
    name: 'on the Cognito-compatible API is told TooManyRequestsException, and shares the limit of the routes',
    lacks: 'cognito_api',
  },
  { file: 'e2e/administration/webhook-targets.test.ts', lacks: 'pool_events' },
  {
    file: 'e2e/routes/register.test.ts',
    name: 'four registrations of one address at once stand side by side and are answered alike; more mails are not sent',
    lacks: 'registrations',
  },
  {
    file: 'e2e/browser/pages-scenarios.test.ts',
    name: 'left before they confirmed: the sign-in sends a code, asks for it, and goes on',
    lacks: 'registrations',
  },
  {
    file: 'e2e/routes/mfa.test.ts',
    name: 'ten recovery codes are shown once, each logs in once, and new ones void the old',
    lacks: 'create_recovery_codes',
  },
  {
    file: 'e2e/routes/revoked-by-factors.test.ts',
    name: 'new recovery codes end the other sessions, unless they are told not to',
    lacks: 'create_recovery_codes',
  },
  {
    file: 'e2e/client/login.test.ts',
    name: 'a recovery code stands in for an authenticator',
    lacks: 'create_recovery_codes',
  },
  {
    file: 'e2e/browser/client.test.ts',
    name: 'logs in by autofill without a user name; a button ends the offer, and so does a field that leaves',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/browser/client.test.ts',
    name: 'a passkey that the service does not know is taken off the list of the browser',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/browser/pages-flow.test.ts',
    name: 'takes a recovery code in place of the authenticator',
    lacks: 'create_recovery_codes',
  },
  { file: 'e2e/client/account.test.ts', name: 'shows recovery codes once', lacks: 'create_recovery_codes' },
  { file: 'e2e/client/account.test.ts', name: 'lists sessions and ends another one', lacks: 'list_logins' },
  {
    file: 'e2e/routes/choice-login.test.ts',
    name: '/login/parameters tells that the provider can do more than Cognito',
    lacks: 'create_recovery_codes',
  },
  {
    file: 'e2e/routes/passkeys.test.ts',
    name: 'logs in without a user name, and tells apart a passkey that is not known',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkeys.test.ts',
    name: 'a passkey with user verification is both factors; without it the second one is asked for',
    lacks: NAMELESS_PASSKEY,
  },
  { file: 'e2e/routes/passkeys.test.ts', name: 'tells when a passkey was used last', lacks: 'list_passkey_uses' },
  {
    file: 'e2e/routes/passkey-attacks.test.ts',
    name: 'an answer to one user’s login is not one to another’s, whoever made it',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkey-attacks.test.ts',
    name: 'a login without a name belongs to the passkey, and to no other user that its answer tells',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkey-challenges.test.ts',
    name: 'a challenge expires, and a new registration voids the one before',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkey-challenges.test.ts',
    name: 'of completions and of answers that both get at once one counts',
    lacks: NAMELESS_PASSKEY,
  },
  {
    file: 'e2e/routes/passkey-settings.test.ts',
    name: 'an own page on the service’s port registers in development, and no other',
    lacks: 'pool_settings',
  },
  {
    file: 'e2e/routes/password.test.ts',
    name: 'a change needs the old password, ends the other logins and not this one',
    lacks: 'list_logins',
  },
  {
    file: 'e2e/web/unfinished.test.ts',
    name: 'signs the browser in that requested a reset, and no other one',
    lacks: 'reset_sessions',
  },
  {
    file: 'e2e/web/unfinished.test.ts',
    name: 'asks for the second factor after a reset, also after a reload',
    lacks: 'reset_sessions',
  },
  {
    file: 'e2e/routes/password.test.ts',
    name: 'a code works with its session whatever others ask for, and without it only the newest code works',
    lacks: 'reset_sessions',
  },
  {
    file: 'e2e/routes/tokens.test.ts',
    name: 'a logout ends its own login at once, refresh included, and no other login',
    lacks: 'end_login',
  },
  {
    file: 'e2e/accounts/revocations.test.ts',
    name: 'POST /logout is seen by the other on its next request, by routes and the Cognito-compatible API',
    written: "'POST /logout'",
    lacks: 'end_login',
  },
  {
    file: 'e2e/accounts/revocations.test.ts',
    name: 'DELETE /user/sessions/{id} is seen by the other on its next request, by routes and the Cognito-compatible API',
    written: "'DELETE /user/sessions/{id}'",
    lacks: 'end_login_by_id',
  },
  {
    file: 'e2e/accounts/revocations.test.ts',
    name: 'POST /user/changepassword is seen by the other on its next request, by routes and the Cognito-compatible API',
    written: "'POST /user/changepassword'",
    lacks: 'list_logins',
  },
  {
    file: 'e2e/accounts/revocations.test.ts',
    name: 'POST /account/not-me is seen by the other on its next request, by routes and the Cognito-compatible API',
    written: "'POST /account/not-me'",
    lacks: 'disown',
  },
  {
    file: 'e2e/accounts/refresh-families.test.ts',
    name: 'twenty refreshes at once with one token, by every entry point of both, leave one family',
    lacks: 'list_logins',
  },
  {
    file: 'e2e/accounts/refresh-families.test.ts',
    name: 'of replays at once at both, none gets tokens, and the log reports the theft',
    lacks: 'pool_events',
  },
  {
    file: 'e2e/accounts/session-ids.test.ts',
    name: 'of many users at once everybody sees themselves and their own sessions only',
    lacks: 'list_logins',
  },
  {
    file: 'e2e/accounts/session-ids.test.ts',
    name: 'a logout without a token ends nobody’s login, and one user cannot end another’s',
    lacks: 'list_logins',
  },
  { file: 'e2e/routes/audit.test.ts', name: 'tells who did what to whom by which request', lacks: 'pool_events' },
  { file: 'e2e/routes/audit.test.ts', name: 'reports logins and refused ones', lacks: 'pool_events' },
  { file: 'e2e/routes/audit.test.ts', name: 'is found for a user that is gone, by its sub', lacks: 'pool_events' },
  {
    file: 'e2e/routes/requests.test.ts',
    name: 'the outbox of development is for this machine only, never through a proxy',
    lacks: 'outbox',
  },
  {
    file: 'e2e/routes/admin-guard.test.ts',
    name: 'every admin operation of the Cognito-compatible API refuses no credentials, users’ tokens and bad signatures',
    lacks: 'cognito_api',
  },
  {
    file: 'e2e/routes/replicas.test.ts',
    name: 'tokens that one signed are good at the other, whose keys are the same',
    lacks: 'cognito_api',
  },
  {
    file: 'e2e/routes/replicas.test.ts',
    name: 'DATABASE_URL=postgres://… serves the same pool, as the environment says',
    lacks: 'pool_settings',
  },
  {
    file: 'e2e/routes/admin-pool.test.ts',
    name: 'signs with other keys after a rotation, and old tokens stay valid',
    lacks: 'signing_keys',
  },
  {
    file: 'e2e/routes/admin-clients.test.ts',
    name: 'may have two secrets, both good, and never show a value again',
    lacks: 'oauth',
  },
  {
    file: 'e2e/routes/admin-clients.test.ts',
    name: 'include the one that the service uses, which cannot be deleted',
    lacks: 'pool_settings',
  },
  {
    file: 'e2e/routes/route-table.test.ts',
    name: 'what the document lists is served, method by method, and no other method is',
    lacks: 'outbox',
  },
  {
    file: 'e2e/routes/route-table.test.ts',
    name: 'beside the routes only the pool’s own protocol is served, and nothing of what is still to come',
    lacks: 'cognito_api',
  },
  {
    file: 'e2e/routes/route-table.test.ts',
    name: 'POOLGATE_WIRE=false takes the pool’s own protocol away, and the routes stay',
    lacks: 'cognito_api',
  },
];
