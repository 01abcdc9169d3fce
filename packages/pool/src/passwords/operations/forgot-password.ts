import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { failureReason, recordEvent } from '../../events.ts';
import type { EventPorts, StorePort, Transaction } from '../../kernel/ports.ts';
import { migrateForgetful } from '../../login/migrate-user.ts';
import { deliverAfterCommit } from '../../messages/deliver.ts';
import type { DeliveryPorts, NotificationPorts } from '../../messages/delivery-ports.ts';
import { sendRecordedCode } from '../../messages/send-code.ts';
import type { ExtensionFunctions, OperationTable } from '../../operation-table.ts';
import { checkSecretHash, type PoolAndClient, requireClientAndPool } from '../../pools/pools.ts';
import type { UserWithCredential } from '../../store/records.ts';
import type { TriggerPorts } from '../../triggers/trigger-ports.ts';
import { type Contact, deliveryDetails } from '../../users/contacts.ts';
import { decoyContactAttribute, loginCandidate } from '../../users/login-candidate.ts';
import { findUser, noSuchUserOfClient } from '../../users/users.ts';
import { confirmForgotPassword } from '../confirm-forgot-password.ts';
import { newPlainPassword } from '../new-password.ts';
import type { DecoyPorts, NewCredentialPorts } from '../password-ports.ts';
import { contactAmong, requireRecovery, verifiedContact } from '../recovery-contact.ts';
import { notResettable, noVerifiedContact, userDisabled } from '../reset-errors.ts';
import { encryptResetSession, isResetSessionOf } from '../reset-session.ts';

/** The operations by which users who lost their password get back in. */
export const forgotPasswordOperations: OperationTable<'confirmForgotPassword' | 'forgotPassword'> = {
  async confirmForgotPassword(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    return confirmForgotPassword(ports, owner, input, newPlainPassword(ports, owner.pool, input.Password));
  },
  async forgotPassword(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    const hidesUsers = owner.client.settings.preventUserExistenceErrors;
    const { Session: _, ...answer } = await forgotPassword(ports, owner, input, hidesUsers);
    return answer;
  },
};

/** The same with a session that only the caller who asked for the code has. A session for every name hides whether users exist. */
export const resetSessions: ExtensionFunctions<'reset_sessions'> = {
  async forgotPassword(ports, input) {
    return forgotPassword(ports, await requireClientAndPool(ports, input.ClientId), input, true);
  },
  async confirmForgotPassword(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    return confirmForgotPassword(ports, owner, input, newPlainPassword(ports, owner.pool, input.Password));
  },
};

/**
 * Sends a code to the first verified contact by which this pool lets users back in. Who cannot get one is answered alike where the client
 * hides whether users exist: a made-up destination, and the same work.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-managing-errors.html
 */
async function forgotPassword(
  ports: NotificationPorts & TriggerPorts & DecoyPorts & NewCredentialPorts & DeliveryPorts & StorePort,
  owner: PoolAndClient,
  input: Input<'ForgotPassword'> & { readonly Session?: string },
  hidesUsers: boolean,
): Promise<Output<'ForgotPassword'> & { readonly Session: string }> {
  const { pool } = owner;
  const known = await findUser(ports, pool, input.Username);
  const proven = [input.Username, loginCandidate(ports, pool, input.Username, known).userId];
  checkSecretHash(ports, owner, proven, input.SecretHash);
  const asked = { ports, ...owner, typedName: input.Username, clientMetadata: input.ClientMetadata };
  const found = (await migrateForgetful(asked, known?.user)) ?? known;
  const candidate = loginCandidate(ports, pool, input.Username, found);
  const wanted = requireRecovery(ports, pool.settings);
  const own = found && verifiedContact(found.user.attributes, wanted);
  const obstacle = resetObstacle(found, own);
  if (obstacle !== undefined && !hidesUsers) throw obstacle.refusal();
  const isDecoy = obstacle !== undefined;
  const decoy = decoyContactAttribute(ports, pool, candidate.userId, wanted);
  const contact = own ?? (found && contactAmong(found.user.attributes, wanted)) ?? decoy;
  const locale = isDecoy ? undefined : found?.user.attributes.locale;
  const isResend = isResetSessionOf(ports, owner, candidate, input.Session);
  const sent = await ports.store.write(async (transaction) => {
    const message = { username: candidate.userId, shownName: input.Username, locale, isDecoy, isResend };
    const order = { purpose: 'forgot_password', contact, ...message } as const;
    const code = await sendRecordedCode(ports, transaction, pool, order);
    if (code instanceof ProviderError) return code;
    await recordResetRequest(ports, transaction, owner, found, obstacle);
    return code;
  });
  if (sent instanceof ProviderError) throw sent;
  await deliverAfterCommit(ports);
  const Session = encryptResetSession(ports, owner, { candidate, code: sent });
  return { CodeDeliveryDetails: deliveryDetails(contact), Session };
}

function recordResetRequest(
  ports: EventPorts,
  transaction: Transaction<'events'>,
  { pool, client }: PoolAndClient,
  found: UserWithCredential | undefined,
  obstacle: Obstacle | undefined,
): Promise<void> {
  const about = { type: 'password.reset_requested', pool, clientId: client.id, user: found?.user } as const;
  if (obstacle === undefined) return recordEvent(ports, transaction, about);
  return recordEvent(ports, transaction, {
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
