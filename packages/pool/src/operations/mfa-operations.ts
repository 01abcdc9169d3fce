import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueFactorNotice } from '../delivery/notices.ts';
import { findUser, requireUser, userNotFoundError } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { StorePort, StoreReads } from '../kernel/ports.ts';
import { listEnrolledFirstFactors } from '../proofs/first-factors.ts';
import { releaseLockouts } from '../proofs/lockouts/lockout-release.ts';
import { listUsablePasskeys } from '../proofs/passkeys/passkey-options.ts';
import { isTotpActive } from '../proofs/totp/totp.ts';
import { lockUserFactors } from '../proofs/totp/totp-enrolment.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import {
  changeMfaPreference,
  checkRequestedMfaFactors,
  type RequestedMfaFactors,
  toCognitoMfaFields,
} from '../settings/second-factors.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord, UserWithCredential } from '../store/records.ts';
import { type AuthorizedUser, lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { revokeLoginsOfUser } from '../tokens/login-revocations.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import type { ExtensionTable, OperationTable } from './operation-table.ts';

type MfaOperation =
  | 'adminDeleteSoftwareToken'
  | 'adminGetUserAuthFactors'
  | 'adminSetUserMFAPreference'
  | 'adminSetUserSettings'
  | 'getUserAuthFactors'
  | 'setUserMFAPreference'
  | 'setUserSettings';

/** Operations that select a user's second factors. */
export const mfaOperations: OperationTable<MfaOperation> = {
  async adminDeleteSoftwareToken(ports, input) {
    const pool = await requirePool(ports, input.UserPoolId);
    const { user } = await requireUser(ports, pool, input.Username);
    return deleteSoftwareToken(ports, pool, user.username);
  },
  async adminGetUserAuthFactors(ports, input) {
    const pool = await requirePool(ports, input.UserPoolId);
    return readAuthFactors(ports, pool, await requireUser(ports, pool, input.Username));
  },
  async adminSetUserSettings(ports, input) {
    const requested = parseSmsPreference(input.MFAOptions);
    const pool = await requirePool(ports, input.UserPoolId);
    const { user } = await requireUser(ports, pool, input.Username);
    return writeMfaPreference(ports, pool, user.username, { requested, revokedLogins: 'all' });
  },
  async adminSetUserMFAPreference(ports, input) {
    const pool = await requirePool(ports, input.UserPoolId);
    const { user } = await requireUser(ports, pool, input.Username);
    return writeMfaPreference(ports, pool, user.username, {
      requested: parseMfaPreference(pool.settings, input),
      revokedLogins: 'all',
    });
  },
  getUserAuthFactors,
  async setUserMFAPreference(ports, input) {
    const access = await requireAccessToken(ports, input.AccessToken);
    return writeOwnMfaPreference(ports, access, parseMfaPreference(access.pool.settings, input));
  },
  async setUserSettings(ports, input) {
    const requested = parseSmsPreference(input.MFAOptions);
    return writeOwnMfaPreference(ports, await requireAccessToken(ports, input.AccessToken), requested);
  },
};

/** What administrators can do with a user's factors, beyond the Cognito API. */
export const mfaExtensions: ExtensionTable<'reset_mfa'> = {
  async reset_mfa(ports, input) {
    const pool = await requirePool(ports, input.UserPoolId);
    const { user } = await requireUser(ports, pool, input.Username);
    await resetMfa(ports, pool, user.username);
  },
};

/** Passkeys are not a second factor and stay. Logins that used the removed factors end. */
async function resetMfa(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const nowMs = ports.clock.now();
  await ports.store.write(async (transaction) => {
    await lockUserFactors(transaction, pool, username, nowMs);
    const user = await transaction.users.byUsername(pool.id, username);
    if (user === undefined) throw userNotFoundError();
    await transaction.authenticators.take(pool.id, username, 'active');
    await transaction.authenticators.take(pool.id, username, 'pending');
    await transaction.recoveryCodes.replace(pool.id, username, [], nowMs);
    await transaction.users.update(pool.id, username, { mfaMethods: [], preferredMfa: null, modifiedAtMs: nowMs });
    await transaction.devices.forgetTrust(pool.id, username, nowMs);
    await revokeLoginsOfUser(transaction, user, nowMs);
    await releaseLockouts(ports, transaction, pool, username);
    await recordEvent(ports, transaction, { type: 'factor.removed', pool, user, details: { factor: 'all_second' } });
    await queueFactorNotice(ports, transaction, pool, user, ['second_factors_removed']);
  });
  await deliverAfterCommit(ports);
}

/** Removes the authenticator, including a pending one. Devices that were remembered because of it are forgotten, and every login ends. */
async function deleteSoftwareToken(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  pool: PoolRecord,
  username: string,
): Promise<Output<'AdminDeleteSoftwareToken'>> {
  const nowMs = ports.clock.now();
  await ports.store.write(async (transaction) => {
    await lockUserFactors(transaction, pool, username, nowMs);
    const user = await transaction.users.byUsername(pool.id, username);
    if (user === undefined) throw userNotFoundError();
    await transaction.authenticators.take(pool.id, username, 'pending');
    const active = await transaction.authenticators.take(pool.id, username, 'active');
    if (active === undefined) {
      throw new ProviderError('ResourceNotFoundException', 'The user has no software token.');
    }
    const change = changeMfaPreference(user, { SOFTWARE_TOKEN_MFA: { enabled: false } });
    await transaction.users.update(pool.id, username, { ...change, modifiedAtMs: nowMs });
    await transaction.devices.forgetTrust(pool.id, username, nowMs);
    await revokeLoginsOfUser(transaction, user, nowMs);
    const details = { factor: 'SOFTWARE_TOKEN_MFA' };
    await recordEvent(ports, transaction, { type: 'factor.removed', pool, user, details });
    await queueFactorNotice(ports, transaction, pool, user, ['authenticator_removed']);
  });
  await deliverAfterCommit(ports);
  return {};
}

/**
 * The older operation that turns SMS messages on and off. It never did more.
 * @throws {ProviderError} `InvalidParameterException`
 */
function parseSmsPreference(options: Input<'SetUserSettings'>['MFAOptions']): RequestedMfaFactors {
  const isSms = ({ DeliveryMedium, AttributeName }: (typeof options)[number]) =>
    DeliveryMedium === 'SMS' && AttributeName === 'phone_number';
  if (!options.every(isSms)) {
    throw new ProviderError('InvalidParameterException', 'MFAOptions can only contain SMS with phone_number.');
  }
  return { SMS_MFA: { enabled: options.length > 0 } };
}

type PreferenceInput = Omit<Input<'SetUserMFAPreference'>, 'AccessToken'>;

/**
 * Whether a passkey counts as both factors is a pool setting. A user's matching preference is accepted and not stored.
 * @throws {ProviderError} `InvalidParameterException`: it contradicts the pool's setting
 */
function parseMfaPreference({ webAuthn }: PoolSettings, input: PreferenceInput): RequestedMfaFactors {
  const countsForBoth = webAuthn?.factorConfiguration === 'MULTI_FACTOR_WITH_USER_VERIFICATION';
  if (input.WebAuthnMfaSettings?.Enabled && !countsForBoth) {
    throw new ProviderError('InvalidParameterException', 'WebAuthn MFA is not enabled for the user pool.', {
      reason: 'flow_disabled',
    });
  }
  const requestedFactor = (settings: PreferenceInput['SMSMfaSettings']) =>
    settings && { enabled: settings.Enabled, preferred: settings.PreferredMfa };
  const [sms, totp, email] = [input.SMSMfaSettings, input.SoftwareTokenMfaSettings, input.EmailMfaSettings].map(
    requestedFactor,
  );
  return {
    ...(sms && { SMS_MFA: sms }),
    ...(totp && { SOFTWARE_TOKEN_MFA: totp }),
    ...(email && { EMAIL_OTP: email }),
  };
}

interface PreferenceChange {
  readonly requested: RequestedMfaFactors;
  /** Which logins end if the user has no second factor left: `all` if an administrator resets them for a user who lost them. */
  readonly revokedLogins: 'all' | 'none';
  /** The user's access token, if the user requests the change. */
  readonly access?: AuthorizedUser;
}

function writeOwnMfaPreference(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  access: AuthorizedUser,
  requested: RequestedMfaFactors,
) {
  return writeMfaPreference(ports, access.pool, access.user.username, { requested, revokedLogins: 'none', access });
}

/** A device may have been trusted because of the factor that is turned off. */
async function writeMfaPreference(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  pool: PoolRecord,
  username: string,
  { requested, revokedLogins, access }: PreferenceChange,
): Promise<Output<'SetUserMFAPreference'>> {
  const modifiedAtMs = ports.clock.now();
  await ports.store.write(async (transaction) => {
    await lockUserFactors(transaction, pool, username, modifiedAtMs);
    if (access) await lockAuthorizedUser(transaction, access);
    const user = await transaction.users.byUsername(pool.id, username);
    if (user === undefined) throw userNotFoundError();
    const totp = await transaction.authenticators.byState(pool.id, username, 'active');
    checkRequestedMfaFactors(pool.settings, user, requested, isTotpActive(totp));
    const change = changeMfaPreference(user, requested);
    await transaction.users.update(pool.id, username, { ...change, modifiedAtMs });
    const gone = user.mfaMethods.filter((method) => !change.mfaMethods.includes(method));
    const isOneGone = gone.length > 0;
    if (isOneGone) await transaction.devices.forgetTrust(pool.id, username, modifiedAtMs);
    if (isOneGone && change.mfaMethods.length === 0 && revokedLogins === 'all') {
      await revokeLoginsOfUser(transaction, user, modifiedAtMs);
    }
    const details = { methods: change.mfaMethods.join(' '), preferred: change.preferredMfa ?? 'none' };
    await recordEvent(ports, transaction, { type: 'factor.preference_changed', pool, user, details });
    const added = change.mfaMethods.filter((method) => !user.mfaMethods.includes(method));
    const changes = [
      ...gone.map((method) => `${method}_off` as const),
      ...added.map((method) => `${method}_on` as const),
    ];
    if (changes.length > 0) await queueFactorNotice(ports, transaction, pool, user, changes);
  });
  await deliverAfterCommit(ports);
  return {};
}

type AuthFactor = NonNullable<Output<'GetUserAuthFactors'>['ConfiguredUserAuthFactors']>[number];

async function getUserAuthFactors(
  ports: AccessTokenPorts & StoreReads<'authenticators' | 'passkeys' | 'users'>,
  input: Input<'GetUserAuthFactors'>,
): Promise<Output<'GetUserAuthFactors'>> {
  const { pool, user } = await requireAccessToken(ports, input.AccessToken);
  const found = await findUser(ports, pool, user.username);
  if (found === undefined) throw userNotFoundError('invalid_token');
  return readAuthFactors(ports, pool, found);
}

async function readAuthFactors(
  ports: StoreReads<'authenticators' | 'passkeys'>,
  pool: PoolRecord,
  found: UserWithCredential,
): Promise<Output<'GetUserAuthFactors'>> {
  const { user } = found;
  const totp = await ports.store.authenticators.byState(pool.id, user.username, 'active');
  const passkeys = await listUsablePasskeys(ports.store, pool, user.username);
  const first = listEnrolledFirstFactors(pool.settings, found, { hasPasskeys: passkeys.length > 0 });
  const configured: readonly AuthFactor[] = isTotpActive(totp) ? [...first, 'SOFTWARE_TOKEN'] : first;
  return { Username: user.username, ...toCognitoMfaFields(user), ConfiguredUserAuthFactors: configured };
}
