import { type Input, type Output, ProviderError, type ProviderOperations } from '@poolgate/provider';
import { signedUpSession } from '../auth/signed-up.ts';
import { attributesFrom, checkAttributes, checkRequired, withoutEmpty } from '../domain/attributes.ts';
import { CODE_GUESSES, codeMismatch, takeCode } from '../domain/codes.ts';
import { type Contact, contactsOf, contactToProve, deliveryDetails } from '../domain/contacts.ts';
import { type Candidate, findCandidate, guessSubject } from '../domain/masking.ts';
import { type NewPassword, ownNames, plainPassword } from '../domain/new-password.ts';
import { newIdentity, newUser } from '../domain/new-user.ts';
import { checkSecretHash, clientAndPool, type PoolAndClient } from '../domain/pools.ts';
import { findUser, insertUser, releaseAliases, renewNames } from '../domain/users.ts';
import { failureWord, recordEvent } from '../events.ts';
import { afterCommit, requireSender } from '../messages/deliver.ts';
import { noticeOwner } from '../messages/notices.ts';
import { sendCode } from '../messages/send-code.ts';
import { admitSend } from '../messages/send-limit.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import type { ClientSettings } from '../settings.ts';
import { isConflict } from '../store/conflict.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CodeRecord, PoolRecord, UserRecord } from '../store/records.ts';

/** The operations by which users make themselves known. */
export function signUpOperations(runtime: PoolRuntime): Pick<ProviderOperations, 'signUp' | 'confirmSignUp'> {
  return {
    async signUp(input, call) {
      const context = duringCall(runtime, call);
      const owner = await clientAndPool(context, input.ClientId);
      const password = plainPassword(context, owner.pool, input.Password ?? '');
      return signUp(context, owner, { ...input, password });
    },
    confirmSignUp: (input, call) => confirmSignUp(duringCall(runtime, call), input),
  };
}

/** A request of `SignUp`, whatever form the password has. */
export interface NewcomerRequest extends Omit<Input<'SignUp'>, 'Password'> {
  readonly password: NewPassword;
  /** The user name of the new user where the pool chooses it, and chose it before. */
  readonly identity?: string;
}

/** @throws {ProviderError} the refusals of `SignUp` */
export async function signUp(
  context: PoolRuntime,
  owner: PoolAndClient,
  input: NewcomerRequest,
): Promise<Output<'SignUp'>> {
  checkSecretHash(context, owner, [input.Username], input.SecretHash);
  const { pool } = owner;
  if (pool.settings.onlyAdminsCreateUsers) {
    throw new ProviderError('NotAuthorizedException', 'SignUp is not permitted for this user pool', {
      reason: 'flow_disabled',
    });
  }
  const { password } = input;
  const user = newUser(context, pool, signUpIdentity(context, owner, input), 'UNCONFIRMED');
  await password.check();
  password.checkOwner([input.Username, ...ownNames(user)]);
  const contact = contactToProve(pool.settings, user.attributes, input.Username);
  if (contact) requireSender(context, contact.channel);
  await writeSignUp(context, owner, { user, typedName: input.Username, password, contact });
  return {
    UserConfirmed: false,
    UserSub: user.sub,
    ...(contact === undefined ? {} : { CodeDeliveryDetails: deliveryDetails(contact) }),
  };
}

function signUpIdentity(context: PoolRuntime, { pool, client }: PoolAndClient, input: NewcomerRequest) {
  const typed = attributesFrom(pool, input.UserAttributes);
  checkAttributes(pool, client, typed);
  const identity = newIdentity(context, pool, input.Username, withoutEmpty(typed), input.identity);
  checkRequired(pool, identity.attributes);
  const unproven = contactsOf(identity.attributes).map(({ attribute }) => [`${attribute}_verified`, 'false']);
  return { ...identity, attributes: { ...identity.attributes, ...Object.fromEntries(unproven) } };
}

interface SignUp {
  readonly user: UserRecord;
  readonly typedName: string;
  readonly password: NewPassword;
  readonly contact: Contact | undefined;
}

/** The password is worked on before anybody looks whether the name is free, so that time does not tell more than the answer. */
async function writeSignUp(context: PoolRuntime, { pool, client }: PoolAndClient, signUp: SignUp): Promise<void> {
  const { user, typedName, password, contact } = signUp;
  const credential = password.credential(user.username, null);
  try {
    await context.store.write(async (transaction) => {
      await insertUser(transaction, pool, user, typedName);
      await transaction.putCredential(credential);
      if (contact) await sendSignUpCode(context, transaction, pool, { ...signUp, contact });
      await recordEvent(context, transaction, { type: 'user.signed_up', pool, user, clientId: client.id });
    });
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    await tellOwner(context, { pool, client }, signUp);
    throw new ProviderError('UsernameExistsException', 'User already exists', { cause });
  }
  if (contact) await afterCommit(context);
}

/**
 * Tells whoever has the name already, whom nobody else tells. It takes from what may be sent as the code of a new user would,
 * and is refused where that would be: so what is left over says nothing about who is known.
 */
async function tellOwner(
  context: PoolRuntime,
  { pool, client }: PoolAndClient,
  { user, typedName, contact }: SignUp,
): Promise<void> {
  const nowMs = context.clock.now();
  const known = await findUser(context, pool, typedName);
  await context.store.write(async (transaction) => {
    const { username } = user;
    const send = contact && { pool, username, destination: contact.destination, nowMs };
    const refusal = send && (await admitSend(context, transaction, send));
    if (refusal !== undefined) throw refusal;
    if (known) await noticeOwner(context, transaction, pool, known.user, 'sign_up_known');
    const told = { type: 'user.signed_up', pool, user: known?.user, clientId: client.id } as const;
    await recordEvent(context, transaction, { ...told, outcome: 'failure', details: { reason: 'name_taken' } });
  });
  await afterCommit(context);
}

/** Refused by throwing: a user who could not get the code is not made. */
async function sendSignUpCode(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  { user, typedName, contact }: SignUp & { readonly contact: Contact },
): Promise<void> {
  const message = { username: user.username, shownName: typedName, locale: user.attributes.locale };
  const refusal = await sendCode(context, transaction, pool, { purpose: 'sign_up', contact, ...message });
  if (refusal !== undefined) throw refusal;
}

async function confirmSignUp(context: PoolRuntime, input: Input<'ConfirmSignUp'>): Promise<Output<'ConfirmSignUp'>> {
  const owner = await clientAndPool(context, input.ClientId);
  const candidate = await findCandidate(context, owner, input.Username);
  checkSecretHash(context, owner, [input.Username, candidate.userId], input.SecretHash);
  const refusal = await writeConfirmation(context, owner, candidate, input);
  if (refusal !== undefined) throw refusal;
  return owner.client.settings.allowedFlows.includes('USER_AUTH')
    ? { Session: signedUpSession(context, owner, candidate) }
    : {};
}

/** The refusal is given, not thrown: a wrong code must be counted, and a rejected write would forget it. */
async function writeConfirmation(
  context: PoolRuntime,
  { pool, client }: PoolAndClient,
  candidate: Candidate,
  input: Input<'ConfirmSignUp'>,
): Promise<ProviderError | undefined> {
  const nowMs = context.clock.now();
  const subject = guessSubject(context, pool, CODE_GUESSES, candidate);
  const guess = { counter: CODE_GUESSES, poolId: pool.id, subject, nowMs };
  try {
    return await context.store.write(async (transaction) => {
      const taken = await takeCode(context, transaction, {
        pool,
        username: candidate.userId,
        purpose: 'sign_up',
        code: input.ConfirmationCode,
        guess,
      });
      const user = await transaction.user(pool.id, candidate.userId);
      const refusal = refusalOf(taken, user, client.settings);
      if (taken instanceof ProviderError || user === undefined || refusal !== undefined) {
        const error = refusal ?? codeMismatch();
        await tellConfirmation(context, transaction, { pool, client, user }, error);
        return error;
      }
      await confirm(context, transaction, pool, user, taken, { nowMs, force: input.ForceAliasCreation === true });
      await tellConfirmation(context, transaction, { pool, client, user }, undefined);
      return undefined;
    });
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    throw new ProviderError('AliasExistsException', 'An account with the email already exists.', { cause });
  }
}

function refusalOf(
  taken: CodeRecord | ProviderError,
  user: UserRecord | undefined,
  settings: ClientSettings,
): ProviderError | undefined {
  if (user?.status !== 'UNCONFIRMED') return unconfirmable(taken, user, settings);
  return taken instanceof ProviderError ? taken : undefined;
}

/** One event for a name that nobody has too. */
function tellConfirmation(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, client, user }: PoolAndClient & { readonly user: UserRecord | undefined },
  refusal: ProviderError | undefined,
): Promise<void> {
  const about = { type: 'user.confirmed', pool, user, clientId: client.id } as const;
  if (refusal === undefined) return recordEvent(context, transaction, { ...about, details: { how: 'code' } });
  const details = { reason: failureWord(refusal) };
  return recordEvent(context, transaction, { ...about, outcome: 'failure', details });
}

/** Where users are hidden, nobody learns here that one is confirmed, or is not there at all. */
function unconfirmable(
  taken: CodeRecord | ProviderError,
  user: UserRecord | undefined,
  { preventUserExistenceErrors }: ClientSettings,
): ProviderError {
  const refusal = taken instanceof ProviderError ? taken : codeMismatch();
  if (user === undefined || preventUserExistenceErrors || refusal.reason === 'locked') return refusal;
  return new ProviderError('NotAuthorizedException', `User cannot be confirmed. Current status is ${user.status}`);
}

async function confirm(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  before: UserRecord,
  code: CodeRecord,
  { nowMs, force }: { readonly nowMs: number; readonly force: boolean },
): Promise<void> {
  const proven = contactsOf(before.attributes).find(
    ({ channel, destination }) => channel === code.channel && destination === code.destination,
  );
  const verified = proven ? { [`${proven.attribute}_verified`]: 'true' } : {};
  const user: UserRecord = { ...before, status: 'CONFIRMED', attributes: { ...before.attributes, ...verified } };
  await transaction.updateUser(pool.id, user.username, {
    status: user.status,
    attributes: user.attributes,
    modifiedAtMs: nowMs,
  });
  if (force) await releaseAliases(context, transaction, pool, user, nowMs);
  await renewNames(transaction, pool, user);
}
