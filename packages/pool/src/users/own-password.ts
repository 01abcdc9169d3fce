import { ProviderError } from '@poolgate/provider';
import { failureReason, recordEvent } from '../events.ts';
import { guessAt } from '../factors/guess-at.ts';
import { acceptRightGuess, countWrongGuess, lockedError, PASSWORD_GUESSES } from '../factors/lockout.ts';
import type { StorePort } from '../kernel/ports.ts';
import { deliverAfterCommit } from '../messages/deliver.ts';
import type { DeliveryPorts, NotificationPorts } from '../messages/delivery-ports.ts';
import { queueNotice } from '../messages/notices.ts';
import { checkNotTemporary, type NewPassword } from '../passwords/new-password.ts';
import { passwordVersion, replacePassword } from '../passwords/passwords.ts';
import { revokeOtherLogins } from '../sessions/logins.ts';
import { incorrectPassword } from '../shared/login-errors.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CredentialRecord } from '../store/records.ts';
import { type AuthorizedUser, claimAccess } from '../tokens/access.ts';

/** What the old password was worth. */
export interface OldPasswordProof {
  /** The password that the proof was about; undefined where there was none. */
  readonly before: CredentialRecord | undefined;
  readonly isRight: boolean;
}

/** Sets the own password of a user, and revokes every other login. A wrong proof counts as a wrong password of a login does. */
export async function setOwnPassword(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  access: AuthorizedUser,
  password: NewPassword,
  proof: OldPasswordProof,
): Promise<void> {
  const { pool, client, user } = access;
  const credential = await password.credential(user.username, null);
  const refusal = await ports.store.write(async (transaction) => {
    const error = await proofRefusal(ports, transaction, access, proof);
    const about = { type: 'password.changed', pool, clientId: client.id, user } as const;
    if (error === undefined) {
      checkNotTemporary(pool, password, proof.before);
      await replaceOwn(ports, transaction, access, credential);
    }
    const failure = error && ({ outcome: 'failure', details: { reason: failureReason(error) } } as const);
    await recordEvent(ports, transaction, { ...about, ...failure });
    return error;
  });
  await deliverAfterCommit(ports);
  if (refusal !== undefined) throw refusal;
}

/** The refusal is given, not thrown: a wrong guess must be counted. Another password than the one that was proven proves nothing. */
async function proofRefusal(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  access: AuthorizedUser,
  { before, isRight }: OldPasswordProof,
): Promise<ProviderError | undefined> {
  const { pool, user } = access;
  const guess = guessAt(ports, pool, PASSWORD_GUESSES, user.username);
  const isCounted = isRight
    ? await acceptRightGuess(transaction, guess)
    : await countWrongGuess(ports, transaction, guess, { pool, user });
  if (!isCounted) return tooManyTries(await lockedError(transaction, guess));
  const current = await claimAccess(transaction, access);
  return isRight && passwordVersion(current.credential) === passwordVersion(before) ? undefined : incorrectPassword();
}

function tooManyTries(cause: ProviderError): ProviderError {
  const { retryAfterSeconds } = cause;
  return new ProviderError('LimitExceededException', 'Attempt limit exceeded, please try after some time.', {
    reason: 'locked',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

async function replaceOwn(
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
