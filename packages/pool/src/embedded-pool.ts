import type { CallContext, IdentityProvider, Input, PasswordPolicyFacts, PoolDescription } from '@poolgate/provider';
import { COGNITO_GROUP, hexFromInteger } from '@poolgate/srp';
import { BrandCache, type StampedBrand } from './branding/find-brand.ts';
import { ALL_DAILY_BUDGET_PARTS, type DailyUse, readDailyUse } from './delivery/daily-budget.ts';
import type { DeliveryReport } from './delivery/delivery-report.ts';
import type { ReportBackgroundFailure } from './kernel/repeat-every.ts';
import { canServeLogins } from './login/can-serve-logins.ts';
import { listCognitoChallengeNames } from './login/challenges/pool-challenges.ts';
import { readSecretBlock } from './login/read-secret-block.ts';
import { adminAccountOperations, forcePasswordResetExtensions } from './operations/admin-account-operations.ts';
import { adminAttributeOperations } from './operations/admin-attribute-operations.ts';
import { adminUserOperations } from './operations/admin-user-operations.ts';
import { applicationExtensions } from './operations/application-operations.ts';
import { authOperations, discoverableLoginExtensions, passwordLoginExtensions } from './operations/auth-operations.ts';
import { brandingOperations } from './operations/branding-operations.ts';
import { type CheckedIdentityProvider, checkIdentityProviders } from './operations/check-identity-providers.ts';
import { clientExtensionOperations } from './operations/client-extension-operations.ts';
import { clientTokenOperations } from './operations/client-token-operations.ts';
import { confirmationExtensions, confirmSignUpOperations } from './operations/confirm-sign-up-operations.ts';
import { deletionExtensions, startDueDeletions } from './operations/deletion-operations.ts';
import { adminDeviceOperations, deviceExtensions, deviceOperations } from './operations/device-operations.ts';
import { disownExtensions } from './operations/disown-account.ts';
import { domainOperations } from './operations/domain-operations.ts';
import { exportUsers } from './operations/export-users.ts';
import { startFactorCensuses } from './operations/factor-census.ts';
import { federationExtension } from './operations/federation-operations.ts';
import { forgotPasswordOperations, resetSessionExtension } from './operations/forgot-password-operations.ts';
import { getUserOperations } from './operations/get-user.ts';
import { groupMembershipOperations } from './operations/group-membership-operations.ts';
import { groupOperations } from './operations/group-operations.ts';
import { identityProviderOperations } from './operations/identity-provider-operations.ts';
import { type ImportOutcome, importUsers } from './operations/import-users.ts';
import { listUsersOperations } from './operations/list-users.ts';
import { loginExtensions } from './operations/login-operations.ts';
import { withoutManagedLoginClients } from './operations/managed-login-calls.ts';
import { mfaExtensions, mfaOperations } from './operations/mfa-operations.ts';
import { withMissingParentErrors } from './operations/missing-parent-errors.ts';
import { oauthServerExtension } from './operations/oauth-server-operations.ts';
import { bindOperations } from './operations/operation-table.ts';
import { ownAccountOperations } from './operations/own-account-operations.ts';
import { passkeyExtensions, passkeyOperations } from './operations/passkey-operations.ts';
import type { PoolOptions } from './operations/pool-options.ts';
import { clearCaches, createCallPorts, createPoolPorts } from './operations/pool-ports.ts';
import { providerLinkOperations } from './operations/provider-link-operations.ts';
import { recoveryCodeExtensions } from './operations/recovery-code-operations.ts';
import { resendCodeOperations } from './operations/resend-code-operations.ts';
import { resourceServerOperations } from './operations/resource-server-operations.ts';
import { sessionOperations } from './operations/session-operations.ts';
import { sessionSettingsOperations } from './operations/session-settings-operations.ts';
import { signUpOperations } from './operations/sign-up-operations.ts';
import { signingKeyOperations } from './operations/signing-key-operations.ts';
import { softwareTokenOperations } from './operations/software-token-operations.ts';
import { tagOperations } from './operations/tag-operations.ts';
import { tokenOperations } from './operations/token-operations.ts';
import { unsupportedConfigurationOperations } from './operations/unsupported-configuration-operations.ts';
import { userAttributeOperations } from './operations/user-attribute-operations.ts';
import { createUserPoolClientWithId, userPoolClientOperations } from './operations/user-pool-client-operations.ts';
import { createUserPoolWithId, updateIssuer, userPoolOperations } from './operations/user-pool-operations.ts';
import { verifierPasswordExtension } from './operations/verifier-password-operations.ts';
import { listFirstFactors } from './proofs/first-factors.ts';
import { findPasskeySettings } from './proofs/passkeys/passkey-options.ts';
import { setUpPool } from './set-up-pool.ts';
import type { DesiredPoolSettings } from './settings/desired-settings.ts';
import { findStoredBrand } from './settings/pool-brands.ts';
import {
  findPoolIdByClient,
  type PoolAndClient,
  requireClientAndPool,
  requirePool,
} from './settings/pools-and-clients.ts';
import { findUnsupportedSettings, type UnsupportedSetting } from './settings/unsupported-settings.ts';
import type { Page } from './store/page.ts';
import type { MessageRecord, PoolRecord, UserRecord } from './store/records.ts';
import { readTokenState } from './tokens/access-tokens.ts';
import { listPublishedKeys, rotateSigningKeys } from './tokens/signing-keys.ts';
import { findUnmappedTriggers, type UnmappedTrigger } from './triggers/unmapped-triggers.ts';
import type { ExportedUser, ImportedUser } from './users/imported-user.ts';

/** The embedded pool: an identity provider with its own users, and operators' functions beyond the Cognito API. */
export interface EmbeddedPool extends IdentityProvider {
  /**
   * Ensures that a pool with a client and signing keys exists, as configured. It runs at every start. Replicas that start together end up
   * with one pool.
   * @throws {RangeError} a configured value is invalid, or the client belongs to another pool
   */
  setUp(desired?: DesiredPoolSettings): Promise<PoolAndClient>;
  /**
   * Creates a pool under an id that the caller chose before, so that a repeated call finds out whether the first one succeeded.
   * @throws {ProviderError} as `CreateUserPool`
   * @throws {ConflictError} there is a pool with this id
   */
  createPoolWithId(id: string, input: Input<'CreateUserPool'>, call: CallContext): Promise<void>;
  /**
   * Creates a client under an id that the caller chose before.
   * @throws {ProviderError} as `CreateUserPoolClient`
   * @throws {ConflictError} there is a client with this id
   */
  createClientWithId(id: string, input: Input<'CreateUserPoolClient'>, call: CallContext): Promise<void>;
  /**
   * Whether this instance can log users in: it can decrypt the secrets of the pool and client, the signing keys, and passwords. Each call
   * reads and decrypts all of them again.
   */
  canServeLogins(served: { readonly userPoolId: string; readonly clientId: string }): Promise<boolean>;
  /**
   * Returns the look that Cognito's operations gave an app client's pages, or those of the whole pool; undefined if there is none. Its stamp
   * changes with it.
   * @param isFresh whether the answer must not be some seconds old
   */
  readonly findBrand: (userPoolId: string, clientId?: string, isFresh?: boolean) => Promise<StampedBrand | undefined>;
  /**
   * Creates new signing keys for a pool, which are used at once. The old ones stay published while their tokens can be valid, which is a
   * day.
   * @throws {ProviderError} `ResourceNotFoundException`: the pool does not exist
   */
  rotateKeys(userPoolId: string): Promise<void>;
  /**
   * Lists the users of a pool in the order of their usernames.
   * @param cursor `nextCursor` of the previous page
   * @throws {ProviderError} `ResourceNotFoundException`: the pool does not exist
   */
  listUsers(userPoolId: string, limit: number, cursor?: string): Promise<Page<UserRecord>>;
  /**
   * Imports at most 200 users in one write, with an event for each. Errors of one user do not affect the others. An existing user is
   * refused with the code `exists`, so repeating a line has no effect.
   * @returns the outcome for each user, in the same order
   * @throws {RangeError} more than 200 users
   * @throws {ProviderError} `ResourceNotFoundException`: the pool does not exist
   */
  importUsers(userPoolId: string, users: readonly ImportedUser[]): Promise<readonly ImportOutcome[]>;
  /**
   * Exports the users of a pool with everything that another pool can import, including password verifiers, in the order of their
   * usernames.
   * @param cursor `nextCursor` of the previous page
   * @throws {ProviderError} `ResourceNotFoundException`: the pool does not exist
   */
  exportUsers(userPoolId: string, limit: number, cursor?: string): Promise<Page<ExportedUser>>;
  /**
   * Starts to deliver queued messages: this instance's at once, and those that other instances left behind.
   * @param report called with the result of each attempt
   * @returns a function that stops the delivery; running sends have a moment to finish
   */
  startDelivery(report: (report: DeliveryReport) => void): () => Promise<void>;
  /** Lists the functions in the settings of any pool that have no target. */
  unmappedTriggers(): Promise<readonly UnmappedTrigger[]>;
  /**
   * Asks every identity provider of any pool whether users could sign in there.
   * @param toRedirectUri the address of this service that a pool's providers send browsers back to
   */
  checkIdentityProviders(toRedirectUri: (userPoolId: string) => string): Promise<readonly CheckedIdentityProvider[]>;
  /**
   * Gives a pool an issuer below an address, or without one an issuer of Amazon's form, and returns it. Tokens with the previous issuer
   * are no longer accepted.
   * @throws {ProviderError} `ResourceNotFoundException`
   */
  updateIssuer(userPoolId: string, issuerBase: string | undefined): Promise<string>;
  /** Lists the stored settings of any pool that have no effect. */
  unsupportedSettings(): Promise<readonly UnsupportedSetting[]>;
  /**
   * Starts to delete the users of any pool who asked for it, once their grace period is over. Returns a function that stops it.
   * @param report receives each failure, which is retried ten minutes later
   */
  startDueDeletions(report: ReportBackgroundFailure): () => Promise<void>;
  /**
   * Starts to sample every few days which login factors users have, so that decoy users look alike. Returns a function that stops it.
   * @param report receives each failure, which is retried ten minutes later
   */
  startCensuses(report: ReportBackgroundFailure): () => Promise<void>;
  /**
   * Lists a pool's failed messages, newest first. Their content is deleted.
   * @throws {ProviderError} `ResourceNotFoundException`: the pool does not exist
   */
  deadMessages(userPoolId: string, limit: number): Promise<readonly DeadMessage[]>;
  /** Empties the caches of this instance. Call it after the content of the store was replaced. */
  clearCaches(): void;
  /** Returns today's use of each part of the service's daily messages. */
  dailyMessages(): Promise<readonly DailyUse[]>;
}

/** A failed message. `lastFailure` is the reason as a snake_case code; `in_doubt` means that it may have been sent. */
export type DeadMessage = Pick<
  MessageRecord,
  'id' | 'channel' | 'tries' | 'lastFailure' | 'createdAtMs' | 'deadAtMs' | 'expiresAtMs'
>;

const OPERATOR: CallContext = { requestId: 'import', sourceAddress: '', actor: { kind: 'operator', id: null } };

/** Opens the embedded pool on a store. It keeps only a few seconds of data in memory, so any number of replicas can share a store. */
export function createPool(options: PoolOptions): EmbeddedPool {
  const ports = createPoolPorts(options);
  const brands = new BrandCache();
  const bound = <Table extends object>(table: Table) =>
    withoutManagedLoginClients(withMissingParentErrors(ports, bindOperations(ports, table)));
  return {
    operations: bound({
      ...authOperations,
      ...signUpOperations,
      ...confirmSignUpOperations,
      ...adminUserOperations,
      ...adminAccountOperations,
      ...adminAttributeOperations,
      ...groupOperations,
      ...groupMembershipOperations,
      ...listUsersOperations,
      ...resendCodeOperations,
      ...forgotPasswordOperations,
      ...ownAccountOperations,
      ...userAttributeOperations,
      ...getUserOperations,
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
      ...unsupportedConfigurationOperations,
      ...brandingOperations,
      ...clientTokenOperations,
      ...identityProviderOperations,
      ...providerLinkOperations,
      ...resourceServerOperations,
    }),
    extensions: {
      ...bound({
        ...applicationExtensions,
        ...(ports.deletionDays !== 0 && deletionExtensions),
        ...loginExtensions,
        ...disownExtensions,
        ...confirmationExtensions,
        ...mfaExtensions,
        ...forcePasswordResetExtensions,
        ...recoveryCodeExtensions,
        ...deviceExtensions,
        ...passkeyExtensions,
        ...discoverableLoginExtensions,
        ...passwordLoginExtensions,
      }),
      reset_sessions: bound(resetSessionExtension),
      verifier_passwords: bound(verifierPasswordExtension),
      oauth: bound(oauthServerExtension),
      federation: bound(federationExtension),
      client_extensions: bound(clientExtensionOperations),
      signing_keys: bound(signingKeyOperations),
    },
    recordsEvents: true,
    recordsRevocations: true,
    async describe(userPoolId) {
      const pool = await ports.store.pools.byId(userPoolId);
      return pool && toPoolDescription(pool, ports);
    },
    async signingKeys(userPoolId) {
      const pool = await ports.store.pools.byId(userPoolId);
      return pool && listPublishedKeys(ports, pool);
    },
    readTokenState: (accessToken, call) => readTokenState(createCallPorts(ports, call), accessToken),
    poolOfClient: (clientId) => findPoolIdByClient(ports, clientId),
    readSecretBlock: async (input) => readSecretBlock(ports, await requireClientAndPool(ports, input.ClientId), input),
    setUp: (desired) => setUpPool(ports, desired),
    createPoolWithId: async (id, input, call) => {
      await createUserPoolWithId(createCallPorts(ports, call), input, id);
    },
    createClientWithId: async (id, input, call) => {
      await createUserPoolClientWithId(createCallPorts(ports, call), input, id);
    },
    canServeLogins: (served) => canServeLogins(ports, served),
    findBrand: (poolId, clientId, isFresh) => findStoredBrand(ports, brands, { poolId, clientId }, isFresh),
    rotateKeys: async (userPoolId) => rotateSigningKeys(ports, await requirePool(ports, userPoolId)),
    listUsers: async (userPoolId, limit, cursor) => {
      const pool = await requirePool(ports, userPoolId);
      return ports.store.users.list(pool.id, limit, cursor);
    },
    updateIssuer: (userPoolId, issuerBase) => updateIssuer(createCallPorts(ports, OPERATOR), userPoolId, issuerBase),
    importUsers: (userPoolId, users) => importUsers(createCallPorts(ports, OPERATOR), userPoolId, users),
    exportUsers: (userPoolId, limit, cursor) => exportUsers(ports, userPoolId, limit, cursor),
    startDueDeletions: (report) => startDueDeletions(ports, report),
    startCensuses: (report) => startFactorCensuses(ports, report),
    unmappedTriggers: () => listFromAllPools(ports, (pool) => findUnmappedTriggers(pool, ports.triggers)),
    checkIdentityProviders: (toRedirectUri) => checkIdentityProviders(ports, toRedirectUri),
    unsupportedSettings: () => listFromAllPools(ports, findUnsupportedSettings),
    startDelivery(report) {
      ports.delivery.start(report);
      return () => ports.delivery.stop();
    },
    deadMessages: async (userPoolId, limit) => {
      const pool = await requirePool(ports, userPoolId);
      return ports.store.messages.listDead(pool.id, limit);
    },
    clearCaches: () => clearCaches(ports),
    dailyMessages: () => readDailyUse(ports, ports.store, ALL_DAILY_BUDGET_PARTS, ports.clock.now()),
  };
}

const POOLS_AT_ONCE = 100;

async function listFromAllPools<Found>(
  { store }: Pick<PoolOptions, 'store'>,
  listFromPool: (pool: PoolRecord) => readonly Found[],
): Promise<readonly Found[]> {
  const found: Found[] = [];
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await store.pools.list(POOLS_AT_ONCE, cursor);
    found.push(...rows.flatMap(listFromPool));
    cursor = nextCursor;
  } while (cursor !== undefined);
  return found;
}

function toPoolDescription(
  pool: PoolRecord,
  { senders, isBreached }: Pick<PoolOptions, 'senders' | 'isBreached'>,
): PoolDescription {
  const { id, region, settings } = pool;
  const passkeys = findPasskeySettings(settings) ?? null;
  return {
    userPoolId: id,
    region,
    issuer: settings.issuer,
    srp: {
      NHex: hexFromInteger(COGNITO_GROUP.modulus),
      gHex: hexFromInteger(COGNITO_GROUP.generator),
      hash: 'SHA-256',
    },
    challenges: listCognitoChallengeNames(settings),
    firstFactors: listFirstFactors(settings, senders),
    passkeys: passkeys && { relyingPartyId: passkeys.relyingPartyId },
    passwordPolicy: {
      ...toPasswordPolicyFacts(settings.passwordPolicy),
      refuseCommon: settings.newPasswords?.refuseCommon ?? false,
      refuseLeaked: isBreached !== undefined,
    },
    unsupportedSettings: findUnsupportedSettings(pool),
    acceptsVerifiers: settings.verifierPasswords,
    mfa: { setup: settings.mfaConfiguration, types: settings.mfaMethods },
  };
}

function toPasswordPolicyFacts(
  policy: PoolRecord['settings']['passwordPolicy'],
): Omit<PasswordPolicyFacts, 'refuseCommon' | 'refuseLeaked'> {
  const { minimumLength, requireUppercase, requireLowercase, requireNumbers, requireSymbols } = policy;
  return { minimumLength, requireUppercase, requireLowercase, requireNumbers, requireSymbols };
}
