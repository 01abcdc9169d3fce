import { ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueNotice } from '../delivery/notices.ts';
import { incorrectPasswordError } from '../identity/login-errors.ts';
import { recordEvent, toFailureReason } from '../kernel/audit-events.ts';
import type { StorePort } from '../kernel/ports.ts';
import { acceptRightGuess, countWrongGuess, lockedError, PASSWORD_GUESS_COUNTER } from '../proofs/lockouts/lockout.ts';
import { createUserGuess } from '../proofs/lockouts/user-guess.ts';
import { checkNotTemporaryPassword, type NewPassword } from '../proofs/passwords/new-password.ts';
import { formatPasswordVersion, replacePassword } from '../proofs/passwords/password-credentials.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CredentialRecord } from '../store/records.ts';
import { type AuthorizedUser, lockAuthorizedUser } from '../tokens/access-tokens.ts';
import { revokeOtherLogins } from '../tokens/revoke-other-logins.ts';

/** The result of checking the current password. */
export interface OldPasswordProof {
  /** The password that was checked; undefined if none existed. */
  readonly oldCredential: CredentialRecord | undefined;
  readonly isRight: boolean;
}

/** Sets a user's own password, and revokes every other login. A wrong proof counts like a wrong password in a login. */
export async function setOwnPassword(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  access: AuthorizedUser,
  password: NewPassword,
  proof: OldPasswordProof,
): Promise<void> {
  const { pool, client, user } = access;
  if (user.status === 'EXTERNAL_PROVIDER') {
    throw new ProviderError('NotAuthorizedException', 'The user signs in with another identity provider.', {
      reason: 'flow_disabled',
    });
  }
  const credential = await password.createCredential(user.username, null);
  const refusal = await ports.store.write(async (transaction) => {
    const error = await findOldPasswordError(ports, transaction, access, proof);
    const about = { type: 'password.changed', pool, clientId: client.id, user } as const;
    if (error === undefined) {
      checkNotTemporaryPassword(pool, password, proof.oldCredential);
      await replaceOwnPassword(ports, transaction, access, credential);
    }
    const failure = error && ({ outcome: 'failure', details: { reason: toFailureReason(error) } } as const);
    await recordEvent(ports, transaction, { ...about, ...failure });
    return error;
  });
  await deliverAfterCommit(ports);
  if (refusal !== undefined) throw refusal;
}

/**
 * The error is returned, not thrown, because a wrong guess must be counted. If the password changed since the proof, the proof is
 * worthless.
 */
async function findOldPasswordError(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  access: AuthorizedUser,
  { oldCredential, isRight }: OldPasswordProof,
): Promise<ProviderError | undefined> {
  const { pool, user } = access;
  const guess = createUserGuess(ports, pool, PASSWORD_GUESS_COUNTER, user.username);
  const isCounted = isRight
    ? await acceptRightGuess(transaction, guess)
    : await countWrongGuess(ports, transaction, guess, { pool, user });
  if (!isCounted) return tooManyTriesError(await lockedError(transaction, guess));
  const current = await lockAuthorizedUser(transaction, access);
  return isRight && formatPasswordVersion(current.credential) === formatPasswordVersion(oldCredential)
    ? undefined
    : incorrectPasswordError();
}

function tooManyTriesError(cause: ProviderError): ProviderError {
  const { retryAfterSeconds } = cause;
  return new ProviderError('LimitExceededException', 'Attempt limit exceeded, please try after some time.', {
    reason: 'locked',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

async function replaceOwnPassword(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { pool, user, loginId }: AuthorizedUser,
  credential: CredentialRecord,
): Promise<void> {
  const nowMs = ports.clock.now();
  await replacePassword(transaction, credential, nowMs);
  await transaction.users.update(pool.id, user.username, { status: 'CONFIRMED', modifiedAtMs: nowMs });
  await revokeOtherLogins(transaction, { user, loginId, nowMs });
  await queueNotice(ports, transaction, pool, user, 'password_changed');
}
