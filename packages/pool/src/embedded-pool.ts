import type { CallContext, IdentityProvider, PasswordPolicyFacts, PoolDescription } from '@poolgate/provider';
import { COGNITO_GROUP, hexFromInteger } from '@poolgate/srp';
import type { PoolSetUpOptions } from './desired-settings.ts';
import { adminDeviceOperations, deviceExtensions, deviceOperations } from './devices/operations/devices.ts';
import { firstFactorsOf } from './factors/first-factors.ts';
import { startCensuses } from './factors/operations/factor-census.ts';
import { mfaExtensions, mfaOperations } from './factors/operations/mfa.ts';
import { recoveryExtensions } from './factors/operations/recovery.ts';
import { softwareTokenOperations } from './factors/operations/software-token.ts';
import { groupOperations } from './groups/operations/groups.ts';
import { membershipOperations } from './groups/operations/memberships.ts';
import { canServeLogins } from './login/can-serve-logins.ts';
import { cognitoChallengeNames } from './login/challenges/index.ts';
import { authOperations, discoverableExtensions, passwordLoginExtensions } from './login/operations/auth.ts';
import { type DailyUse, dailyUse, EVERY_DAILY_PART } from './messages/daily-budget.ts';
import type { DeliveryReport } from './messages/report.ts';
import { refusingMissingParents } from './missing-parents.ts';
import { clientTokenOperations } from './oauth/operations/client-token.ts';
import { domainOperations } from './oauth/operations/domains.ts';
import { oauthServer } from './oauth/operations/oauth-server.ts';
import { resourceServerOperations } from './oauth/operations/resource-servers.ts';
import { bindOperations } from './operation-table.ts';
import { passkeyExtensions, passkeyOperations } from './passkeys/operations/passkeys.ts';
import { passkeySettings } from './passkeys/passkeys.ts';
import { forgotPasswordOperations, resetSessions } from './passwords/operations/forgot-password.ts';
import { verifierPasswords } from './passwords/operations/verifier-passwords.ts';
import type { PoolOptions } from './pool-options.ts';
import { createPoolPorts, portsForCall } from './pool-ports.ts';
import { sessionSettingsOperations } from './pools/operations/session-settings.ts';
import { tagOperations } from './pools/operations/tags.ts';
import { userPoolClientOperations } from './pools/operations/user-pool-clients.ts';
import { userPoolOperations } from './pools/operations/user-pools.ts';
import { type PoolAndClient, poolIdOfClient, requirePool } from './pools/pools.ts';
import { confirmationExtensions, confirmSignUpOperations } from './registrations/operations/confirm-sign-up.ts';
import { resendCodeOperations } from './registrations/operations/resend-code.ts';
import { signUpOperations } from './registrations/operations/sign-up.ts';
import { loginExtensions } from './sessions/operations/logins.ts';
import { sessionOperations } from './sessions/operations/sessions.ts';
import { tokenOperations } from './sessions/operations/tokens.ts';
import { setUp } from './set-up.ts';
import type { Page } from './store/page.ts';
import type { MessageRecord, PoolRecord, UserRecord } from './store/records.ts';
import { publishedKeys, rotateSigningKeys } from './tokens/keys.ts';
import { type UnmappedTrigger, unmappedTriggersOf } from './triggers/unmapped-triggers.ts';
import type { ExportedUser, ImportedUser } from './users/imported-user.ts';
import { adminAccountOperations, forcedResetExtensions } from './users/operations/admin-accounts.ts';
import { adminAttributeOperations } from './users/operations/admin-attributes.ts';
import { adminUserOperations } from './users/operations/admin-users.ts';
import { attributeOperations } from './users/operations/attributes.ts';
import { disownExtensions } from './users/operations/disown.ts';
import { exportUsers } from './users/operations/export-users.ts';
import { type ImportOutcome, importUsers } from './users/operations/import-users.ts';
import { listUsersOperations } from './users/operations/list-users.ts';
import { ownAccountOperations } from './users/operations/own-account.ts';
import { userOperations } from './users/operations/user.ts';

/** The embedded pool: an identity provider with users of its own, and what its operator does beyond the Cognito API. */
export interface EmbeddedPool extends IdentityProvider {
  /**
   * Sees to it that there is a pool with a client and signing keys, as desired. At every start; replicas that start together end with one.
   * @throws {RangeError} a wanted value is not of its form, or the client belongs to another pool
   */
  setUp(desired?: PoolSetUpOptions): Promise<PoolAndClient>;
  /**
   * Whether this instance can log users in: it decrypts the secrets of the pool and the client, the keys that sign tokens, and passwords.
   * Reads and decrypts all of them again at each call.
   */
  canServeLogins(served: { readonly userPoolId: string; readonly clientId: string }): Promise<boolean>;
  /**
   * Makes new signing keys for a pool. They sign at once; the old ones stay published as long as a token of theirs can live, a day.
   * @throws {ProviderError} `ResourceNotFoundException`: no such pool
   */
  rotateKeys(userPoolId: string): Promise<void>;
  /**
   * Users of a pool in the order of their user names.
   * @param cursor `nextCursor` of the page before
   * @throws {ProviderError} `ResourceNotFoundException`: no such pool
   */
  listUsers(userPoolId: string, limit: number, cursor?: string): Promise<Page<UserRecord>>;
  /**
   * Imports users, 200 at most, in one write; an event reports each. What is wrong with one keeps none of the others out.
   * A user who exists already is refused with the code `exists`: the same line twice does nothing.
   * @returns what became of each, in the same order
   * @throws {RangeError} more than 200
   * @throws {ProviderError} `ResourceNotFoundException`: no such pool
   */
  importUsers(userPoolId: string, users: readonly ImportedUser[]): Promise<readonly ImportOutcome[]>;
  /**
   * Users of a pool with everything that can go to another one, verifiers of passwords included, in the order of their user names.
   * @param cursor `nextCursor` of the page before
   * @throws {ProviderError} `ResourceNotFoundException`: no such pool
   */
  exportUsers(userPoolId: string, limit: number, cursor?: string): Promise<Page<ExportedUser>>;
  /**
   * Starts to deliver queued messages: those of this instance at once, and what other instances left behind.
   * @param report told what became of each try
   * @returns what stops it: no message is taken any more, and those that are being sent have a moment to end
   */
  startDelivery(report: (report: DeliveryReport) => void): () => Promise<void>;
  /** Functions that the settings of any pool name and that no target stands for. */
  unmappedTriggers(): Promise<readonly UnmappedTrigger[]>;
  /** Starts to look every few days what users can log in with, so that decoy users look alike. Gives what ends it. */
  startCensuses(): () => Promise<void>;
  /**
   * The messages of a pool that were given up, newest first; their content is gone.
   * @throws {ProviderError} `ResourceNotFoundException`: no such pool
   */
  deadMessages(userPoolId: string, limit: number): Promise<readonly DeadMessage[]>;
  /** How much of each part of the messages that the service sends in a day was used today. */
  dailyMessages(): Promise<readonly DailyUse[]>;
}

/** A message that was given up. `lastFailure` says why, as a snake_case word; `in_doubt`: it may have been sent. */
export type DeadMessage = Pick<
  MessageRecord,
  'id' | 'channel' | 'tries' | 'lastFailure' | 'createdAtMs' | 'deadAtMs' | 'expiresAtMs'
>;

const OPERATOR: CallContext = { requestId: 'import', sourceAddress: '', actor: { kind: 'operator', id: null } };

/** Opens the embedded pool over a store. It holds nothing but a few seconds of memory, so any number of replicas may share a store. */
export function createPool(options: PoolOptions): EmbeddedPool {
  const ports = createPoolPorts(options);
  const bound = <Table extends object>(table: Table) => refusingMissingParents(ports, bindOperations(ports, table));
  return {
    operations: bound({
      ...authOperations,
      ...signUpOperations,
      ...confirmSignUpOperations,
      ...adminUserOperations,
      ...adminAccountOperations,
      ...adminAttributeOperations,
      ...groupOperations,
      ...membershipOperations,
      ...listUsersOperations,
      ...resendCodeOperations,
      ...forgotPasswordOperations,
      ...ownAccountOperations,
      ...attributeOperations,
      ...userOperations,
      ...tokenOperations,
      ...deviceOperations,
      ...adminDeviceOperations,
      ...mfaOperations,
      ...softwareTokenOperations,
      ...passkeyOperations,
      ...userPoolOperations,
      ...userPoolClientOperations,
      ...tagOperations,
      ...sessionOperations,
      ...sessionSettingsOperations,
      ...domainOperations,
      ...clientTokenOperations,
      ...resourceServerOperations,
    }),
    extensions: {
      ...bound({
        ...loginExtensions,
        ...disownExtensions,
        ...confirmationExtensions,
        ...mfaExtensions,
        ...forcedResetExtensions,
        ...recoveryExtensions,
        ...deviceExtensions,
        ...passkeyExtensions,
        ...discoverableExtensions,
        ...passwordLoginExtensions,
      }),
      reset_sessions: bound(resetSessions),
      verifier_passwords: bound(verifierPasswords),
      oauth: bound(oauthServer),
    },
    recordsEvents: true,
    recordsRevocations: true,
    async describe(userPoolId) {
      const pool = await ports.store.pools.byId(userPoolId);
      return pool && poolDescription(pool, ports);
    },
    async signingKeys(userPoolId) {
      const pool = await ports.store.pools.byId(userPoolId);
      return pool && publishedKeys(ports, pool);
    },
    poolOfClient: (clientId) => poolIdOfClient(ports, clientId),
    setUp: (desired) => setUp(ports, desired),
    canServeLogins: (served) => canServeLogins(ports, served),
    rotateKeys: async (userPoolId) => rotateSigningKeys(ports, await requirePool(ports, userPoolId)),
    listUsers: async (userPoolId, limit, cursor) => {
      const pool = await requirePool(ports, userPoolId);
      return ports.store.users.list(pool.id, limit, cursor);
    },
    importUsers: (userPoolId, users) => importUsers(portsForCall(ports, OPERATOR), userPoolId, users),
    exportUsers: (userPoolId, limit, cursor) => exportUsers(ports, userPoolId, limit, cursor),
    startCensuses: () => startCensuses(ports),
    unmappedTriggers: () => allUnmappedTriggers(ports),
    startDelivery(report) {
      ports.delivery.start(report);
      return () => ports.delivery.stop();
    },
    deadMessages: async (userPoolId, limit) => {
      const pool = await requirePool(ports, userPoolId);
      return ports.store.messages.listDead(pool.id, limit);
    },
    dailyMessages: () => dailyUse(ports, ports.store, EVERY_DAILY_PART, ports.clock.now()),
  };
}

const POOLS_AT_ONCE = 100;

async function allUnmappedTriggers({ store, triggers }: PoolOptions): Promise<readonly UnmappedTrigger[]> {
  const found: UnmappedTrigger[] = [];
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await store.pools.list(POOLS_AT_ONCE, cursor);
    found.push(...rows.flatMap((pool) => unmappedTriggersOf(pool, triggers)));
    cursor = nextCursor;
  } while (cursor !== undefined);
  return found;
}

function poolDescription(
  { id, region, settings }: PoolRecord,
  { senders, isBreached }: Pick<PoolOptions, 'senders' | 'isBreached'>,
): PoolDescription {
  const passkeys = passkeySettings(settings) ?? null;
  return {
    userPoolId: id,
    region,
    issuer: settings.issuer,
    srp: {
      NHex: hexFromInteger(COGNITO_GROUP.modulus),
      gHex: hexFromInteger(COGNITO_GROUP.generator),
      hash: 'SHA-256',
    },
    challenges: cognitoChallengeNames(settings),
    firstFactors: firstFactorsOf(settings, senders),
    passkeys: passkeys && { relyingPartyId: passkeys.relyingPartyId },
    passwordPolicy: {
      ...policyFacts(settings.passwordPolicy),
      refuseCommon: settings.newPasswords?.refuseCommon ?? false,
      refuseLeaked: isBreached !== undefined,
    },
    mfa: { setup: settings.mfaConfiguration, types: settings.mfaMethods },
  };
}

function policyFacts(
  policy: PoolRecord['settings']['passwordPolicy'],
): Omit<PasswordPolicyFacts, 'refuseCommon' | 'refuseLeaked'> {
  const { minimumLength, requireUppercase, requireLowercase, requireNumbers, requireSymbols } = policy;
  return { minimumLength, requireUppercase, requireLowercase, requireNumbers, requireSymbols };
}
