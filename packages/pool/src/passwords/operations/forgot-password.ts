import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { failureReason, recordEvent } from '../../events.ts';
import { migrateForgetful } from '../../login/migrate-user.ts';
import { deliverAfterCommit } from '../../messages/deliver.ts';
import { sendRecordedCode } from '../../messages/send-code.ts';
import type { ExtensionFunctions, OperationTable } from '../../operation-table.ts';
import { checkSecretHash, type PoolAndClient, requireClientAndPool } from '../../pools/pools.ts';
import type { PoolRuntime } from '../../runtime.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { UserWithCredential } from '../../store/records.ts';
import { type Contact, deliveryDetails } from '../../users/contacts.ts';
import { decoyContactAttribute, loginCandidate } from '../../users/login-candidate.ts';
import { findUser, noSuchUserOfClient } from '../../users/users.ts';
import { confirmForgotPassword } from '../confirm-forgot-password.ts';
import { newPlainPassword } from '../new-password.ts';
import { contactAmong, requireRecovery, verifiedContact } from '../recovery-contact.ts';
import { notResettable, noVerifiedContact, userDisabled } from '../reset-errors.ts';
import { encryptResetSession, isResetSessionOf } from '../reset-session.ts';

/** The operations by which users who lost their password get back in. */
export const forgotPasswordOperations: OperationTable<'confirmForgotPassword' | 'forgotPassword'> = {
  async confirmForgotPassword(context, input) {
    const owner = await requireClientAndPool(context, input.ClientId);
    return confirmForgotPassword(context, owner, input, newPlainPassword(context, owner.pool, input.Password));
  },
  async forgotPassword(context, input) {
    const owner = await requireClientAndPool(context, input.ClientId);
    const hidesUsers = owner.client.settings.preventUserExistenceErrors;
    const { Session: _, ...answer } = await forgotPassword(context, owner, input, hidesUsers);
    return answer;
  },
};

/** The same with a session that only the caller who asked for the code has. A session for every name hides whether users exist. */
export const resetSessions: ExtensionFunctions<'reset_sessions'> = {
  async forgotPassword(context, input) {
    return forgotPassword(context, await requireClientAndPool(context, input.ClientId), input, true);
  },
  async confirmForgotPassword(context, input) {
    const owner = await requireClientAndPool(context, input.ClientId);
    return confirmForgotPassword(context, owner, input, newPlainPassword(context, owner.pool, input.Password));
  },
};

/**
 * Sends a code to the first verified contact by which this pool lets users back in. Who cannot get one is answered alike where the client
 * hides whether users exist: a made-up destination, and the same work.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-managing-errors.html
 */
async function forgotPassword(
  context: PoolRuntime,
  owner: PoolAndClient,
  input: Input<'ForgotPassword'> & { readonly Session?: string },
  hidesUsers: boolean,
): Promise<Output<'ForgotPassword'> & { readonly Session: string }> {
  const { pool } = owner;
  const known = await findUser(context, pool, input.Username);
  const proven = [input.Username, loginCandidate(context, pool, input.Username, known).userId];
  checkSecretHash(context, owner, proven, input.SecretHash);
  const asked = { context, ...owner, typedName: input.Username, clientMetadata: input.ClientMetadata };
  const found = (await migrateForgetful(asked, known?.user)) ?? known;
  const candidate = loginCandidate(context, pool, input.Username, found);
  const wanted = requireRecovery(context, pool.settings);
  const own = found && verifiedContact(found.user.attributes, wanted);
  const obstacle = resetObstacle(found, own);
  if (obstacle !== undefined && !hidesUsers) throw obstacle.refusal();
  const isDecoy = obstacle !== undefined;
  const decoy = decoyContactAttribute(context, pool, candidate.userId, wanted);
  const contact = own ?? (found && contactAmong(found.user.attributes, wanted)) ?? decoy;
  const locale = isDecoy ? undefined : found?.user.attributes.locale;
  const isResend = isResetSessionOf(context, owner, candidate, input.Session);
  const sent = await context.store.write(async (transaction) => {
    const message = { username: candidate.userId, shownName: input.Username, locale, isDecoy, isResend };
    const order = { purpose: 'forgot_password', contact, ...message } as const;
    const code = await sendRecordedCode(context, transaction, pool, order);
    if (code instanceof ProviderError) return code;
    await recordResetRequest(context, transaction, owner, found, obstacle);
    return code;
  });
  if (sent instanceof ProviderError) throw sent;
  await deliverAfterCommit(context);
  const Session = encryptResetSession(context, owner, { candidate, code: sent });
  return { CodeDeliveryDetails: deliveryDetails(contact), Session };
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
