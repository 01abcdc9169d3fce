import type { CallContext, IdentityProvider, PasswordPolicyFacts, PoolDescription } from '@poolgate/provider';
import { COGNITO_GROUP, hexFromInteger } from '@poolgate/srp';
import { wireChallengeNames } from './challenges/index.ts';
import type { PoolContext } from './context.ts';
import type { ExportedUser, ImportedUser } from './domain/moved-user.ts';
import { passkeySettings } from './domain/passkeys.ts';
import { type PoolAndClient, poolIdOfClient, poolOf } from './domain/pools.ts';
import type { DeliveryReport } from './messages/report.ts';
import { adminAccountOperations, forcedResetExtensions } from './operations/admin-accounts.ts';
import { adminAttributeOperations } from './operations/admin-attributes.ts';
import { adminUserOperations } from './operations/admin-users.ts';
import { attributeOperations } from './operations/attributes.ts';
import { authOperations, discoverableExtensions } from './operations/auth.ts';
import { confirmSignUpOperations } from './operations/confirm-sign-up.ts';
import { adminDeviceOperations, deviceOperations } from './operations/devices.ts';
import { disownExtensions } from './operations/disown.ts';
import { exportUsers } from './operations/export-users.ts';
import { startCensuses } from './operations/factor-census.ts';
import { forgotPasswordOperations } from './operations/forgot-password.ts';
import { groupOperations } from './operations/groups.ts';
import { type ImportOutcome, importUsers } from './operations/import-users.ts';
import { listUsersOperations } from './operations/list-users.ts';
import { loginExtensions } from './operations/logins.ts';
import { membershipOperations } from './operations/memberships.ts';
import { mfaExtensions, mfaOperations } from './operations/mfa.ts';
import { ownAccountOperations } from './operations/own-account.ts';
import { passkeyExtensions, passkeyOperations } from './operations/passkeys.ts';
import { recoveryExtensions } from './operations/recovery.ts';
import { resendCodeOperations } from './operations/resend-code.ts';
import { sessionSettingsOperations } from './operations/session-settings.ts';
import { sessionOperations } from './operations/sessions.ts';
import { signUpOperations } from './operations/sign-up.ts';
import { softwareTokenOperations } from './operations/software-token.ts';
import { tagOperations } from './operations/tags.ts';
import { tokenOperations } from './operations/tokens.ts';
import { userOperations } from './operations/user.ts';
import { userPoolClientOperations } from './operations/user-pool-clients.ts';
import { userPoolOperations } from './operations/user-pools.ts';
import { verifierPasswords } from './operations/verifier-passwords.ts';
import { refusingOrphans } from './orphans.ts';
import { duringCall, runtimeOf } from './runtime.ts';
import { setUp } from './set-up.ts';
import type { Page } from './store/pool-store.ts';
import type { MessageRecord, PoolRecord, UserRecord } from './store/records.ts';
import { publishedKeys, rotateSigningKeys } from './tokens/keys.ts';
import type { SetUp } from './wanted.ts';

/** The embedded pool: an identity provider with users of its own, and what its operator does beyond the Cognito API. */
export interface EmbeddedPool extends IdentityProvider {
  /**
   * Sees to it that there is a pool with a client and signing keys, as wanted. At every start; replicas that start together end with one.
   * @throws {RangeError} a wanted value is not of its form, or the client belongs to another pool
   */
  setUp(wanted?: SetUp): Promise<PoolAndClient>;
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
   * Imports users, 200 at most, in one write; an event tells of each. What is wrong with one keeps none of the others out.
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
  /** Starts to look every few days what users can log in with, so that invented users look alike. Gives what ends it. */
  startCensuses(): () => Promise<void>;
  /**
   * The messages of a pool that were given up, newest first; their content is gone.
   * @throws {ProviderError} `ResourceNotFoundException`: no such pool
   */
  deadMessages(userPoolId: string, limit: number): Promise<readonly DeadMessage[]>;
}

/** A message that was given up. `lastFailure` says why, as a snake_case word; `in_doubt`: it may have been sent. */
export type DeadMessage = Pick<
  MessageRecord,
  'id' | 'channel' | 'tries' | 'lastFailure' | 'createdAtMs' | 'deadAtMs' | 'expiresAtMs'
>;

const OPERATOR: CallContext = { requestId: 'import', sourceAddress: '', actor: { kind: 'operator', id: null } };

/** Opens the embedded pool over a store. It holds nothing but a few seconds of memory, so any number of replicas may share a store. */
export function createPool(context: PoolContext): EmbeddedPool {
  const runtime = runtimeOf(context);
  return {
    operations: refusingOrphans(runtime, {
      ...authOperations(runtime),
      ...signUpOperations(runtime),
      ...confirmSignUpOperations(runtime),
      ...adminUserOperations(runtime),
      ...adminAccountOperations(runtime),
      ...adminAttributeOperations(runtime),
      ...groupOperations(runtime),
      ...membershipOperations(runtime),
      ...listUsersOperations(runtime),
      ...resendCodeOperations(runtime),
      ...forgotPasswordOperations(runtime),
      ...ownAccountOperations(runtime),
      ...attributeOperations(runtime),
      ...userOperations(runtime),
      ...tokenOperations(runtime),
      ...deviceOperations(runtime),
      ...adminDeviceOperations(runtime),
      ...mfaOperations(runtime),
      ...softwareTokenOperations(runtime),
      ...passkeyOperations(runtime),
      ...userPoolOperations(runtime),
      ...userPoolClientOperations(runtime),
      ...tagOperations(runtime),
      ...sessionOperations(runtime),
      ...sessionSettingsOperations(runtime),
    }),
    extensions: {
      ...refusingOrphans(runtime, {
        ...loginExtensions(runtime),
        ...disownExtensions(runtime),
        ...mfaExtensions(runtime),
        ...forcedResetExtensions(runtime),
        ...recoveryExtensions(runtime),
        ...passkeyExtensions(runtime),
        ...discoverableExtensions(runtime),
      }),
      verifier_passwords: refusingOrphans(runtime, verifierPasswords(runtime)),
    },
    keepsEvents: true,
    async describe(userPoolId) {
      const pool = await runtime.store.pool(userPoolId);
      return pool && description(pool);
    },
    async signingKeys(userPoolId) {
      const pool = await runtime.store.pool(userPoolId);
      return pool && publishedKeys(runtime, pool);
    },
    poolOfClient: (clientId) => poolIdOfClient(runtime, clientId),
    setUp: (wanted) => setUp(runtime, wanted),
    rotateKeys: async (userPoolId) => rotateSigningKeys(runtime, await poolOf(runtime, userPoolId)),
    listUsers: async (userPoolId, limit, cursor) => {
      const pool = await poolOf(runtime, userPoolId);
      return runtime.store.users(pool.id, limit, cursor);
    },
    importUsers: (userPoolId, users) => importUsers(duringCall(runtime, OPERATOR), userPoolId, users),
    exportUsers: (userPoolId, limit, cursor) => exportUsers(runtime, userPoolId, limit, cursor),
    startCensuses: () => startCensuses(runtime),
    startDelivery(report) {
      runtime.delivery.start(report);
      return () => runtime.delivery.stop();
    },
    deadMessages: async (userPoolId, limit) => {
      const pool = await poolOf(runtime, userPoolId);
      return runtime.store.deadMessages(pool.id, limit);
    },
  };
}

function description({ id, region, settings }: PoolRecord): PoolDescription {
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
    challenges: wireChallengeNames(settings),
    passkeys: passkeys && { relyingPartyId: passkeys.relyingPartyId },
    passwordPolicy: {
      ...policyFacts(settings.passwordPolicy),
      refuseCommon: settings.newPasswords?.refuseCommon ?? false,
    },
    mfa: { setup: settings.mfaConfiguration, types: settings.mfaMethods },
  };
}

function policyFacts(policy: PoolRecord['settings']['passwordPolicy']): Omit<PasswordPolicyFacts, 'refuseCommon'> {
  const { minimumLength, requireUppercase, requireLowercase, requireNumbers, requireSymbols } = policy;
  return { minimumLength, requireUppercase, requireLowercase, requireNumbers, requireSymbols };
}
