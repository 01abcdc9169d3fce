import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import type { Contact } from '../identity/contacts.ts';
import { recordEvent, toFailureReason } from '../kernel/audit-events.ts';
import { codeMismatchError, redeemCode } from '../proofs/codes/stored-codes.ts';
import { CODE_GUESS_COUNTERS } from '../proofs/lockouts/code-limits.ts';
import { createUserGuess } from '../proofs/lockouts/user-guess.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { type AuthorizedUser, lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { CONTACT_CODE_PURPOSES, requireContactAttribute } from '../users/attribute-changes.ts';
import { verifyContact } from '../users/verify-contact.ts';
import type { OwnAccountPorts } from './account-ports.ts';
import { queueContactChangeNotice } from './write-user-attributes.ts';

interface ContactVerification {
  readonly access: AuthorizedUser;
  readonly attribute: Contact['attribute'];
  readonly code: string;
  readonly nowMs: number;
}

/**
 * Verifies a contact with the code that was sent to it. A waiting contact replaces the user's current one.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_VerifyUserAttribute.html
 */
export async function verifyUserAttribute(
  ports: OwnAccountPorts,
  input: Input<'VerifyUserAttribute'>,
): Promise<Output<'VerifyUserAttribute'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const attribute = requireContactAttribute(input.AttributeName);
  const nowMs = ports.clock.now();
  const proving = { access, attribute, code: input.Code, nowMs };
  const refusal = await ports.store.write((transaction) => verifyContactCode(ports, transaction, proving));
  await deliverAfterCommit(ports);
  if (refusal !== undefined) throw refusal;
  return {};
}

/** The error is returned, not thrown: a wrong code must be counted, and a rejected write would forget it. */
async function verifyContactCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { access, attribute, code, nowMs }: ContactVerification,
): Promise<ProviderError | undefined> {
  const { pool } = access;
  const { username } = access.user;
  const purpose = CONTACT_CODE_PURPOSES[attribute];
  const guess = createUserGuess(ports, pool, CODE_GUESS_COUNTERS[purpose], username);
  const taken = await redeemCode(ports, transaction, { pool, username, purpose, code, guess });
  const { user } = await lockAuthorizedUser(transaction, access);
  const about = { type: 'user.contact_verified', pool, user } as const;
  const refusal = taken instanceof ProviderError ? taken : findContactError(pool, user, attribute, taken.destination);
  if (refusal !== undefined || taken instanceof ProviderError) {
    const details = { attribute, reason: toFailureReason(refusal ?? codeMismatchError()) };
    await recordEvent(ports, transaction, { ...about, outcome: 'failure', details });
    return refusal;
  }
  const { destination } = taken;
  await verifyContact(ports, transaction, {
    pool,
    user,
    attribute,
    change: { attributes: { [attribute]: destination } },
    nowMs,
  });
  await recordEvent(ports, transaction, { ...about, details: { attribute } });
  if (user.attributes[attribute] === destination) return undefined;
  await recordEvent(ports, transaction, { type: 'user.updated', pool, user, details: { attributes: attribute } });
  const change = { changed: [attribute] };
  await queueContactChangeNotice(ports, transaction, { pool, user, change, isReversible: true, nowMs });
  return undefined;
}

/** A code verifies the contact that received it: the user's current one, or the waiting one. */
function findContactError(
  { settings }: PoolRecord,
  { attributes }: UserRecord,
  attribute: Contact['attribute'],
  destination: string,
): ProviderError | undefined {
  const isHis = attributes[attribute] === destination || settings.requireVerificationBeforeUpdate.includes(attribute);
  return isHis ? undefined : codeMismatchError();
}
