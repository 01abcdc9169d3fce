import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { failureReason, recordEvent } from '../../events.ts';
import { CODE_GUESSES } from '../../factors/code-limits.ts';
import { guessSubject } from '../../factors/lockout.ts';
import { releaseLockoutsByRecovery } from '../../factors/lockout-release.ts';
import { codeExpired, redeemCode } from '../../factors/stored-codes.ts';
import { migrateForgetful } from '../../login/migrate-user.ts';
import { deliverAfterCommit } from '../../messages/deliver.ts';
import { queueNotice } from '../../messages/notices.ts';
import { sendCode } from '../../messages/send-code.ts';
import type { OperationTable } from '../../operation-table.ts';
import { checkSecretHash, type PoolAndClient, requireClientAndPool } from '../../pools/pools.ts';
import type { PoolRuntime } from '../../runtime.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { CodeRecord, CredentialRecord, UserRecord, UserWithCredential } from '../../store/records.ts';
import { revokeLoginsOfUser } from '../../tokens/revocations.ts';
import type { TriggerData } from '../../triggers/points.ts';
import { askPostConfirmation } from '../../users/ask-post-confirmation.ts';
import { type Contact, deliveryDetails } from '../../users/contacts.ts';
import {
  decoyContactAttribute,
  findCandidate,
  type LoginCandidate,
  loginCandidate,
} from '../../users/login-candidate.ts';
import { claimNames, findUser, lockUser, noSuchUserOfClient } from '../../users/users.ts';
import { checkNotTemporary, type NewPassword, newPlainPassword, ownNames } from '../new-password.ts';
import { replacePassword } from '../passwords.ts';
import { contactAmong, requireRecovery, verifiedContact } from '../recovery-contact.ts';
import { notResettable, noVerifiedContact, userDisabled } from '../reset-errors.ts';

/** The operations by which users who lost their password get back in. */
export const forgotPasswordOperations: OperationTable<'confirmForgotPassword' | 'forgotPassword'> = {
  async confirmForgotPassword(context, input) {
    const owner = await requireClientAndPool(context, input.ClientId);
    return confirmForgotPassword(context, owner, input, newPlainPassword(context, owner.pool, input.Password));
  },
  forgotPassword,
};

/**
 * Sends a code to the first verified contact by which this pool lets users back in. Who cannot get one is answered alike where the client
 * hides whether users exist: a made-up destination, and the same work.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-managing-errors.html
 */
async function forgotPassword(context: PoolRuntime, input: Input<'ForgotPassword'>): Promise<Output<'ForgotPassword'>> {
  const owner = await requireClientAndPool(context, input.ClientId);
  const { pool, client } = owner;
  const known = await findUser(context, pool, input.Username);
  const proven = [input.Username, loginCandidate(context, pool, input.Username, known).userId];
  checkSecretHash(context, owner, proven, input.SecretHash);
  const asked = { context, ...owner, typedName: input.Username, clientMetadata: input.ClientMetadata };
  const found = (await migrateForgetful(asked, known?.user)) ?? known;
  const candidate = loginCandidate(context, pool, input.Username, found);
  const wanted = requireRecovery(context, pool.settings);
  const own = found && verifiedContact(found.user.attributes, wanted);
  const obstacle = resetObstacle(found, own);
  if (obstacle !== undefined && !client.settings.preventUserExistenceErrors) throw obstacle.refusal();
  const isDecoy = obstacle !== undefined;
  const decoy = decoyContactAttribute(context, pool, candidate.userId, wanted);
  const contact = own ?? (found && contactAmong(found.user.attributes, wanted)) ?? decoy;
  const locale = isDecoy ? undefined : found?.user.attributes.locale;
  const refusal = await context.store.write(async (transaction) => {
    const message = { username: candidate.userId, shownName: input.Username, locale, isDecoy };
    const tooMany = await sendCode(context, transaction, pool, { purpose: 'forgot_password', contact, ...message });
    if (tooMany === undefined) await recordResetRequest(context, transaction, owner, found, obstacle);
    return tooMany;
  });
  if (refusal !== undefined) throw refusal;
  await deliverAfterCommit(context);
  return { CodeDeliveryDetails: deliveryDetails(contact) };
}

function recordResetRequest(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, client }: PoolAndClient,
  found: UserWithCredential | undefined,
  obstacle: Obstacle | undefined,
): Promise<void> {
  const about = { type: 'password.reset_requested', pool, clientId: client.id, user: found?.user } as const;
  if (obstacle === undefined) return recordEvent(context, transaction, about);
  return recordEvent(context, transaction, {
    ...about,
    outcome: 'failure',
    details: { reason: obstacle.word },
  });
}

/** Why a user cannot get a code. The refusal is made only where it is thrown: where users are hidden, its making would take a time that tells. */
interface Obstacle {
  readonly refusal: () => ProviderError;
  /** The code word of its event. */
  readonly word: string;
}

/** In Cognito's words. */
const OBSTACLES = {
  nobody: obstacle(noSuchUserOfClient),
  disabled: obstacle(userDisabled),
  invited: obstacle(notResettable),
  unproven: obstacle(noVerifiedContact),
} as const;

function obstacle(refusal: () => ProviderError): Obstacle {
  return { refusal, word: failureReason(refusal()) };
}

function resetObstacle(found: UserWithCredential | undefined, contact: Contact | undefined): Obstacle | undefined {
  if (found === undefined) return OBSTACLES.nobody;
  const { user } = found;
  if (!user.enabled) return OBSTACLES.disabled;
  if (user.status === 'FORCE_CHANGE_PASSWORD') return OBSTACLES.invited;
  return contact === undefined ? OBSTACLES.unproven : undefined;
}

/** Names in the request of `ConfirmForgotPassword`, whatever form the password has. */
type Confirmation = Omit<Input<'ConfirmForgotPassword'>, 'Password'>;

/**
 * Sets a password by a code. The work on the password is done before the code is looked at, and for every name.
 * @param password the new one, in whichever form it came
 */
export async function confirmForgotPassword(
  context: PoolRuntime,
  owner: PoolAndClient,
  input: Confirmation,
  password: NewPassword,
): Promise<Output<'ConfirmForgotPassword'>> {
  const candidate = await findCandidate(context, owner, input.Username, noSuchUserOfClient);
  checkSecretHash(context, owner, [input.Username, candidate.userId], input.SecretHash);
  await password.check();
  password.checkOwner([input.Username]);
  const credential = await password.credential(candidate.userId, null);
  const reset = { owner, candidate, code: input.ConfirmationCode, password, credential };
  const refusal = await context.store.write((transaction) => writePasswordReset(context, transaction, reset));
  await deliverAfterCommit(context);
  if (refusal !== undefined) throw refusal;
  await tellOfReset(context, owner, candidate.found?.user, input.ClientMetadata);
  return {};
}

async function tellOfReset(
  context: PoolRuntime,
  { pool, client }: PoolAndClient,
  before: UserRecord | undefined,
  clientMetadata: TriggerData | undefined,
): Promise<void> {
  const user = before && { ...before, status: 'CONFIRMED' as const };
  const source = 'PostConfirmation_ConfirmForgotPassword';
  if (user) await askPostConfirmation(context, { pool, clientId: client.id, user, source, clientMetadata });
}

interface PasswordReset {
  readonly owner: PoolAndClient;
  readonly candidate: LoginCandidate;
  readonly code: string;
  readonly password: NewPassword;
  readonly credential: CredentialRecord;
}

/** The refusal is given, not thrown: a wrong code must be counted, and a rejected write would forget it. */
async function writePasswordReset(
  context: PoolRuntime,
  transaction: PoolTransaction,
  reset: PasswordReset,
): Promise<ProviderError | undefined> {
  const { owner, candidate, code } = reset;
  const { pool, client } = owner;
  const nowMs = context.clock.now();
  const subject = guessSubject(context, pool, CODE_GUESSES.forgot_password, candidate.userId);
  const guess = { counter: CODE_GUESSES.forgot_password, poolId: pool.id, subject, nowMs };
  const username = candidate.userId;
  const isWaiting = (await transaction.codes.byPurpose(pool.id, username, 'forgot_password')) !== undefined;
  const tried = await redeemCode(context, transaction, { pool, username, purpose: 'forgot_password', code, guess });
  const taken =
    isWaiting || !isShownAsMismatch(tried) || client.settings.preventUserExistenceErrors ? tried : codeExpired();
  const refusal =
    taken instanceof ProviderError ? taken : await replaceForgottenPassword(context, transaction, reset, taken);
  const about = { type: 'password.reset', pool, clientId: client.id, user: candidate.found?.user } as const;
  await recordEvent(context, transaction, {
    ...about,
    ...(refusal === undefined ? {} : { outcome: 'failure', details: { reason: failureReason(refusal) } }),
  });
  return refusal;
}

/** Where users are hidden a code that nobody waits for is a wrong one, whoever was named. */
function isShownAsMismatch(tried: CodeRecord | ProviderError): boolean {
  return tried instanceof ProviderError && tried.code === 'CodeMismatchException';
}

/**
 * Only whoever has the right code comes here. A password that is not good for this user throws, and so leaves the code for another try;
 * what stands against the user or the code itself uses it up.
 */
async function replaceForgottenPassword(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { owner: { pool }, candidate, password, credential }: PasswordReset,
  code: CodeRecord,
): Promise<ProviderError | undefined> {
  const { user, credential: before } = await lockUser(transaction, pool, candidate.userId);
  if (!user.enabled) return userDisabled();
  if (user.status === 'FORCE_CHANGE_PASSWORD' || !isVerifiedDestination(user.attributes, code)) return notResettable();
  password.checkOwner(ownNames(user));
  checkNotTemporary(pool, password, before);
  const nowMs = context.clock.now();
  await replacePassword(transaction, credential, nowMs);
  await revokeLoginsOfUser(transaction, user, nowMs);
  await transaction.users.update(pool.id, user.username, { status: 'CONFIRMED', modifiedAtMs: nowMs });
  if (user.status === 'UNCONFIRMED') {
    await claimNames(transaction, pool, { ...user, status: 'CONFIRMED' }, ['preferred_username']);
  }
  await releaseLockoutsByRecovery(context, transaction, pool, user.username);
  await queueNotice(context, transaction, pool, user, 'password_changed');
  return undefined;
}

/** A code is worth nothing once the contact that it went to is not the user's any more. */
function isVerifiedDestination(
  attributes: Readonly<Record<string, string>>,
  { channel, destination }: CodeRecord,
): boolean {
  const contact = verifiedContact(attributes, [channel === 'email' ? 'email' : 'phone_number']);
  return contact?.destination === destination;
}
