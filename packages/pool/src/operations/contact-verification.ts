import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { contactNamed, VERIFY } from '../domain/attribute-changes.ts';
import { CODE_GUESSES } from '../domain/code-limits.ts';
import { codeMismatch, takeCode } from '../domain/codes.ts';
import { proveContact } from '../domain/contact-proof.ts';
import type { Contact } from '../domain/contacts.ts';
import { guessSubject } from '../domain/lockout.ts';
import { failureWord, recordEvent } from '../events.ts';
import { afterCommit } from '../messages/deliver.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { type Access, claimAccess, requireAccess } from '../tokens/access.ts';
import { tellOfContacts } from './attribute-writes.ts';

interface Proving {
  readonly access: Access;
  readonly attribute: Contact['attribute'];
  readonly code: string;
  readonly nowMs: number;
}

/**
 * Proves a contact by the code that was sent there. One that was waiting becomes the user's now.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_VerifyUserAttribute.html
 */
export async function verifyUserAttribute(
  context: PoolRuntime,
  input: Input<'VerifyUserAttribute'>,
): Promise<Output<'VerifyUserAttribute'>> {
  const access = await requireAccess(context, input.AccessToken);
  const attribute = contactNamed(input.AttributeName);
  const nowMs = context.clock.now();
  const proving = { access, attribute, code: input.Code, nowMs };
  const refusal = await context.store.write((transaction) => verify(context, transaction, proving));
  await afterCommit(context);
  if (refusal !== undefined) throw refusal;
  return {};
}

/** The refusal is given, not thrown: a wrong code must be counted, and a rejected write would forget it. */
async function verify(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { access, attribute, code, nowMs }: Proving,
): Promise<ProviderError | undefined> {
  const { pool } = access;
  const { username } = access.user;
  const purpose = VERIFY[attribute];
  const counter = CODE_GUESSES[purpose];
  const subject = guessSubject(context, pool, counter, username);
  const guess = { counter, poolId: pool.id, subject, nowMs };
  const taken = await takeCode(context, transaction, { pool, username, purpose, code, guess });
  const { user } = await claimAccess(transaction, access);
  const about = { type: 'user.contact_verified', pool, user } as const;
  const refusal = taken instanceof ProviderError ? taken : whyNotHis(pool, user, attribute, taken.destination);
  if (refusal !== undefined || taken instanceof ProviderError) {
    const details = { attribute, reason: failureWord(refusal ?? codeMismatch()) };
    await recordEvent(context, transaction, { ...about, outcome: 'failure', details });
    return refusal;
  }
  const { destination } = taken;
  await proveContact(context, transaction, {
    pool,
    user,
    attribute,
    change: { attributes: { [attribute]: destination } },
    nowMs,
  });
  await recordEvent(context, transaction, { ...about, details: { attribute } });
  if (user.attributes[attribute] === destination) return undefined;
  await recordEvent(context, transaction, { type: 'user.updated', pool, user, details: { attributes: attribute } });
  const change = { changed: [attribute] };
  await tellOfContacts(context, transaction, { pool, user, change, isReversible: true, nowMs });
  return undefined;
}

/** A code proves the contact that it went to: the one that the user has, or one that waits to become it. */
function whyNotHis(
  { settings }: PoolRecord,
  { attributes }: UserRecord,
  attribute: Contact['attribute'],
  destination: string,
): ProviderError | undefined {
  const isHis = attributes[attribute] === destination || settings.requireVerificationBeforeUpdate.includes(attribute);
  return isHis ? undefined : codeMismatch();
}
