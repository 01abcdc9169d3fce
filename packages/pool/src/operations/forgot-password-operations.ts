import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { type Contact, toCodeDeliveryDetails } from '../identity/contacts.ts';
import { findLocalUser, userOrClientNotFoundError } from '../identity/user-records.ts';
import { recordEvent, toFailureReason } from '../kernel/audit-events.ts';
import type { ClockPort, EventPorts, KeyRingPort, RandomPort, StorePort, Transaction } from '../kernel/ports.ts';
import { hidesUsers } from '../kernel/user-existence.ts';
import { createCodeLoginSession } from '../login/login-after-code.ts';
import { migrateUserOnForgotPassword } from '../login/migrate-user.ts';
import { sendCodeWithRecord } from '../proofs/codes/send-code.ts';
import { createPlainPassword } from '../proofs/passwords/new-password.ts';
import type { DecoyPorts, NewCredentialPorts } from '../proofs/passwords/password-ports.ts';
import { type CompletedReset, confirmForgotPassword } from '../recovery/confirm-forgot-password.ts';
import {
  noVerifiedContactError,
  passwordNotResettableError,
  userDisabledError,
} from '../recovery/password-reset-errors.ts';
import { encryptResetSession, isResetSessionForUser } from '../recovery/password-reset-session.ts';
import {
  findRecoveryContact,
  findVerifiedRecoveryContact,
  requireRecoveryAttributes,
} from '../recovery/recovery-contact.ts';
import { checkSecretHash, type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { UserWithCredential } from '../store/records.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { createLoginCandidate, deriveDecoyContact } from '../users/find-login-candidate.ts';
import type { ExtensionFunctions, OperationTable } from './operation-table.ts';

/** Operations with which users who lost their password regain access. */
export const forgotPasswordOperations: OperationTable<'confirmForgotPassword' | 'forgotPassword'> = {
  async confirmForgotPassword(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    await confirmForgotPassword(ports, owner, input, createPlainPassword(ports, owner.pool, input.Password));
    return {};
  },
  async forgotPassword(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    const { Session: _, ...answer } = await forgotPassword(ports, owner, input, hidesUsers(ports, owner.client));
    return answer;
  },
};

/** The same with a session that only the requester of the code has. Every name gets a session, which hides whether users exist. */
export const resetSessionExtension: ExtensionFunctions<'reset_sessions'> = {
  async forgotPassword(ports, input) {
    return forgotPassword(ports, await requireClientAndPool(ports, input.ClientId), input, true);
  },
  async confirmForgotPassword(ports, input) {
    const owner = await requireClientAndPool(ports, input.ClientId);
    const password = createPlainPassword(ports, owner.pool, input.Password);
    return createLoginAfterReset(ports, owner, await confirmForgotPassword(ports, owner, input, password));
  },
};

/** The session with which the person who requested the code logs in next, if the client allows that flow. */
export function createLoginAfterReset(
  ports: ClockPort & KeyRingPort & RandomPort,
  owner: PoolAndClient,
  reset: CompletedReset,
): { readonly Session?: string } {
  if (!reset.isByRequester || !owner.client.settings.allowedFlows.includes('USER_AUTH')) return {};
  return { Session: createCodeLoginSession(ports, owner, 'PASSWORD_RESET', reset) };
}

/** The dependencies of a reset request. A user whom a trigger migrates is stored with a password. */
interface ResetRequestPorts
  extends DecoyPorts,
    DeliveryPorts,
    NewCredentialPorts,
    NotificationPorts,
    SettingsCachePort,
    StorePort,
    TriggerPorts {}

/**
 * Sends a code to the first verified contact that this pool accepts for recovery. If no code can be sent and the client hides users, the
 * response and the work are the same, with an invented destination.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-managing-errors.html
 */
async function forgotPassword(
  ports: ResetRequestPorts,
  owner: PoolAndClient,
  input: Input<'ForgotPassword'> & { readonly Session?: string },
  isHidden: boolean,
): Promise<Output<'ForgotPassword'> & { readonly Session: string }> {
  const { pool } = owner;
  const known = await findLocalUser(ports, pool, input.Username);
  const before = createLoginCandidate(ports, pool, input.Username, known);
  checkSecretHash(ports, owner, [input.Username, before.userId], input.SecretHash);
  const scope = { ports, ...owner, typedName: input.Username, clientMetadata: input.ClientMetadata };
  const found = (await migrateUserOnForgotPassword(scope, before)) ?? known;
  const candidate = createLoginCandidate(ports, pool, input.Username, found);
  const wanted = requireRecoveryAttributes(ports, pool.settings);
  const own = found && findVerifiedRecoveryContact(found.user.attributes, wanted);
  const obstacle = findResetObstacle(found, own);
  if (obstacle !== undefined && !isHidden) throw obstacle.refusal();
  const isDecoy = obstacle !== undefined;
  const decoy = deriveDecoyContact(ports, pool, candidate.userId, wanted);
  const contact = own ?? (found && findRecoveryContact(found.user.attributes, wanted)) ?? decoy;
  const locale = isDecoy ? undefined : found?.user.attributes.locale;
  const isResend = isResetSessionForUser(ports, owner, candidate, input.Session);
  const sent = await ports.store.write(async (transaction) => {
    const message = { username: candidate.userId, shownName: input.Username, locale, isDecoy, isResend };
    const order = { purpose: 'forgot_password', contact, ...message } as const;
    const code = await sendCodeWithRecord(ports, transaction, pool, order);
    if (code instanceof ProviderError) return code;
    await recordResetRequest(ports, transaction, owner, found, obstacle);
    return code;
  });
  if (sent instanceof ProviderError) throw sent;
  await deliverAfterCommit(ports);
  const Session = encryptResetSession(ports, owner, { candidate, code: sent });
  return { CodeDeliveryDetails: toCodeDeliveryDetails(contact), Session };
}

function recordResetRequest(
  ports: EventPorts,
  transaction: Transaction<'events'>,
  { pool, client }: PoolAndClient,
  found: UserWithCredential | undefined,
  obstacle: ResetObstacle | undefined,
): Promise<void> {
  const about = { type: 'password.reset_requested', pool, clientId: client.id, user: found?.user } as const;
  if (obstacle === undefined) return recordEvent(ports, transaction, about);
  return recordEvent(ports, transaction, {
    ...about,
    outcome: 'failure',
    details: { reason: obstacle.word },
  });
}

/**
 * Why a user cannot get a code. The error is created only when thrown, because creating it would take a measurable time where users are
 * hidden.
 */
interface ResetObstacle {
  readonly refusal: () => ProviderError;
  /** The code word in its event. */
  readonly word: string;
}

/** In Cognito's words. */
const OBSTACLES = {
  nobody: createResetObstacle(userOrClientNotFoundError),
  disabled: createResetObstacle(userDisabledError),
  invited: createResetObstacle(passwordNotResettableError),
  unproven: createResetObstacle(noVerifiedContactError),
} as const;

function createResetObstacle(refusal: () => ProviderError): ResetObstacle {
  return { refusal, word: toFailureReason(refusal()) };
}

function findResetObstacle(
  found: UserWithCredential | undefined,
  contact: Contact | undefined,
): ResetObstacle | undefined {
  if (found === undefined) return OBSTACLES.nobody;
  const { user } = found;
  if (!user.enabled) return OBSTACLES.disabled;
  if (user.status === 'FORCE_CHANGE_PASSWORD') return OBSTACLES.invited;
  return contact === undefined ? OBSTACLES.unproven : undefined;
}
