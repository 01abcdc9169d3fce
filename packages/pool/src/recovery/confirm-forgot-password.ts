/**
 * Forgotten passwords: where a code is sent, and how a code or a link sets a new password. Responses are the same for users who do not
 * exist.
 */
import { type Input, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueNotice } from '../delivery/notices.ts';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { claimSignInNames, lockUser, userOrClientNotFoundError } from '../identity/user-records.ts';
import { recordEvent, toFailureReason } from '../kernel/audit-events.ts';
import type { StorePort } from '../kernel/ports.ts';
import { codeExpiredError } from '../proofs/codes/stored-codes.ts';
import { releaseLockoutsByRecovery, releasePasswordGuesses } from '../proofs/lockouts/lockout-release.ts';
import {
  checkNotTemporaryPassword,
  listPasswordUserNames,
  type NewPassword,
} from '../proofs/passwords/new-password.ts';
import { formatPasswordVersion, replacePassword } from '../proofs/passwords/password-credentials.ts';
import type { DecoyPorts } from '../proofs/passwords/password-ports.ts';
import { checkSecretHash, type PoolAndClient } from '../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CredentialRecord, UserRecord } from '../store/records.ts';
import { revokeLoginsOfUser } from '../tokens/login-revocations.ts';
import type { TriggerData } from '../triggers/trigger-definitions.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { findLoginCandidate } from '../users/find-login-candidate.ts';
import { invokePostConfirmation } from '../users/post-confirmation-trigger.ts';
import { passwordNotResettableError, userDisabledError } from './password-reset-errors.ts';
import { decryptResetSession, type ResetSession } from './password-reset-session.ts';
import { type RedeemedResetCode, redeemResetCode } from './redeem-reset-code.ts';

/** The request of `ConfirmForgotPassword` with any form of password, and the code's session. */
type ForgotPasswordConfirmation = Omit<Input<'ConfirmForgotPassword'>, 'Password'> & { readonly Session?: string };

/** A password that was just reset. */
export interface CompletedReset extends Pick<LoginCandidate, 'typedName' | 'userId' | 'passwordVersion'> {
  /** True if the request had the session of the code, so that the person who entered the code had also requested it. */
  readonly isByRequester: boolean;
}

/**
 * Sets a password with a code. The password is processed before the code is checked, and for every name.
 * @param password the new one, in whichever form it was sent
 */
export async function confirmForgotPassword(
  ports: NotificationPorts & TriggerPorts & DecoyPorts & DeliveryPorts & StorePort,
  owner: PoolAndClient,
  input: ForgotPasswordConfirmation,
  password: NewPassword,
): Promise<CompletedReset> {
  const candidate = await findLoginCandidate(ports, owner, input.Username, userOrClientNotFoundError);
  checkSecretHash(ports, owner, [input.Username, candidate.userId], input.SecretHash);
  const session = decryptResetSession(ports, owner, candidate, input.Session);
  await password.check();
  password.checkOwner([input.Username]);
  const credential = await password.createCredential(candidate.userId, null);
  const reset = { owner, candidate, code: input.ConfirmationCode, session, password, credential };
  const refusal = await ports.store.write((transaction) => writePasswordReset(ports, transaction, reset));
  await deliverAfterCommit(ports);
  if (refusal !== undefined) throw refusal;
  await invokePostResetTrigger(ports, owner, candidate.found?.user, input.ClientMetadata);
  const { typedName, userId } = candidate;
  const passwordVersion = formatPasswordVersion(credential);
  return { typedName, userId, passwordVersion, isByRequester: session !== undefined };
}

async function invokePostResetTrigger(
  ports: TriggerPorts,
  { pool, client }: PoolAndClient,
  before: UserRecord | undefined,
  clientMetadata: TriggerData | undefined,
): Promise<void> {
  const user = before && { ...before, status: 'CONFIRMED' as const };
  const source = 'PostConfirmation_ConfirmForgotPassword';
  if (user) await invokePostConfirmation(ports, { pool, clientId: client.id, user, source, clientMetadata });
}

interface PasswordReset {
  readonly owner: PoolAndClient;
  readonly candidate: LoginCandidate;
  readonly code: string;
  readonly session: ResetSession | undefined;
  readonly password: NewPassword;
  readonly credential: CredentialRecord;
}

/** The error is returned, not thrown: a wrong code must be counted, and a rejected write would forget it. */
async function writePasswordReset(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  reset: PasswordReset,
): Promise<ProviderError | undefined> {
  const { owner, candidate, code, session } = reset;
  const { pool, client } = owner;
  const taken = await redeemResetCode(ports, transaction, { owner, candidate, code, session });
  const refusal =
    taken instanceof ProviderError ? taken : await replaceForgottenPassword(ports, transaction, reset, taken);
  const about = { type: 'password.reset', pool, clientId: client.id, user: candidate.found?.user } as const;
  await recordEvent(ports, transaction, {
    ...about,
    ...(refusal === undefined ? {} : { outcome: 'failure', details: { reason: toFailureReason(refusal) } }),
  });
  return refusal;
}

/**
 * Only reached with a correct code. A password that this user may not have throws, so the code stays valid for another attempt. Errors
 * about the user or the code consume the code.
 */
async function replaceForgottenPassword(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { owner: { pool }, candidate, password, credential }: PasswordReset,
  code: RedeemedResetCode,
): Promise<ProviderError | undefined> {
  const { user, credential: before } = await lockUser(transaction, pool, candidate.userId);
  if (!code.replacesPassword(before)) return codeExpiredError();
  if (!user.enabled) return userDisabledError();
  if (user.status === 'FORCE_CHANGE_PASSWORD' || !code.isSentToVerifiedContact(user.attributes))
    return passwordNotResettableError();
  password.checkOwner(listPasswordUserNames(user));
  checkNotTemporaryPassword(pool, password, before);
  const nowMs = ports.clock.now();
  await replacePassword(transaction, credential, nowMs);
  await revokeLoginsOfUser(transaction, user, nowMs);
  await transaction.users.update(pool.id, user.username, { status: 'CONFIRMED', modifiedAtMs: nowMs });
  if (user.status === 'UNCONFIRMED') {
    await claimSignInNames(transaction, pool, { ...user, status: 'CONFIRMED' }, ['preferred_username']);
  }
  await releaseLockoutsByRecovery(ports, transaction, pool, user.username);
  await releasePasswordGuesses(ports, transaction, pool, user.username);
  await queueNotice(ports, transaction, pool, user, 'password_changed');
  return undefined;
}
