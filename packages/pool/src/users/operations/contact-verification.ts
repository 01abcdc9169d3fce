import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { failureReason, recordEvent } from '../../events.ts';
import { CODE_GUESSES } from '../../factors/code-limits.ts';
import { guessAt } from '../../factors/guess-at.ts';
import { codeMismatch, redeemCode } from '../../factors/stored-codes.ts';
import type { StorePort } from '../../kernel/ports.ts';
import { deliverAfterCommit } from '../../messages/deliver.ts';
import type { DeliveryPorts, NotificationPorts } from '../../messages/delivery-ports.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../../store/records.ts';
import { type AuthorizedUser, claimAccess, requireAccessToken } from '../../tokens/access.ts';
import type { AccessTokenPorts } from '../../tokens/token-ports.ts';
import { contactOfCode, VERIFICATION_PURPOSES } from '../attribute-changes.ts';
import type { Contact } from '../contacts.ts';
import { verifyContact } from '../verify-contact.ts';
import { notifyOfContacts } from './attribute-writes.ts';

interface ContactVerification {
  readonly access: AuthorizedUser;
  readonly attribute: Contact['attribute'];
  readonly code: string;
  readonly nowMs: number;
}

/**
 * Proves a contact by the code that was sent there. One that was waiting becomes the user's now.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_VerifyUserAttribute.html
 */
export async function verifyUserAttribute(
  ports: NotificationPorts & AccessTokenPorts & DeliveryPorts & StorePort,
  input: Input<'VerifyUserAttribute'>,
): Promise<Output<'VerifyUserAttribute'>> {
  const access = await requireAccessToken(ports, input.AccessToken);
  const attribute = contactOfCode(input.AttributeName);
  const nowMs = ports.clock.now();
  const proving = { access, attribute, code: input.Code, nowMs };
  const refusal = await ports.store.write((transaction) => verify(ports, transaction, proving));
  await deliverAfterCommit(ports);
  if (refusal !== undefined) throw refusal;
  return {};
}

/** The refusal is given, not thrown: a wrong code must be counted, and a rejected write would forget it. */
async function verify(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { access, attribute, code, nowMs }: ContactVerification,
): Promise<ProviderError | undefined> {
  const { pool } = access;
  const { username } = access.user;
  const purpose = VERIFICATION_PURPOSES[attribute];
  const guess = guessAt(ports, pool, CODE_GUESSES[purpose], username);
  const taken = await redeemCode(ports, transaction, { pool, username, purpose, code, guess });
  const { user } = await claimAccess(transaction, access);
  const about = { type: 'user.contact_verified', pool, user } as const;
  const refusal = taken instanceof ProviderError ? taken : contactMismatch(pool, user, attribute, taken.destination);
  if (refusal !== undefined || taken instanceof ProviderError) {
    const details = { attribute, reason: failureReason(refusal ?? codeMismatch()) };
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
  await notifyOfContacts(ports, transaction, { pool, user, change, isReversible: true, nowMs });
  return undefined;
}

/** A code proves the contact that it went to: the one that the user has, or one that waits to become it. */
function contactMismatch(
  { settings }: PoolRecord,
  { attributes }: UserRecord,
  attribute: Contact['attribute'],
  destination: string,
): ProviderError | undefined {
  const isHis = attributes[attribute] === destination || settings.requireVerificationBeforeUpdate.includes(attribute);
  return isHis ? undefined : codeMismatch();
}
