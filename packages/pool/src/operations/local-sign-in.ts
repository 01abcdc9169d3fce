import { listUsableFirstFactors } from '../proofs/first-factors.ts';
import { listUsablePasskeys } from '../proofs/passkeys/passkey-options.ts';
import { isTotpActive } from '../proofs/totp/totp.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserWithCredential } from '../store/records.ts';
import type { OwnAccountPorts } from './account-ports.ts';

/** Whether a user can sign in at the pool itself, without an account at another provider. */
export async function canSignInLocally(
  { senders }: Pick<OwnAccountPorts, 'senders'>,
  transaction: PoolTransaction,
  pool: PoolRecord,
  found: UserWithCredential,
): Promise<boolean> {
  const { username, status } = found.user;
  if (status === 'EXTERNAL_PROVIDER') return false;
  const totp = await transaction.authenticators.byState(pool.id, username, 'active');
  const passkeys = await listUsablePasskeys(transaction, pool, username);
  const enrolled = { hasActiveTotp: isTotpActive(totp), hasPasskeys: passkeys.length > 0 };
  const factors = listUsableFirstFactors(pool, found, enrolled);
  const isSendable = { EMAIL_OTP: senders.email !== undefined, SMS_OTP: senders.sms !== undefined };
  return factors.some((factor) => isSendable[factor as keyof typeof isSendable] ?? true);
}
