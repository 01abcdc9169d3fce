import { requireSender } from '../delivery/deliver-after-commit.ts';
import { enqueueMessage } from '../delivery/message-queue.ts';
import { consumeSendAllowance, exceedsPhoneNumberLimits, type SendLimitRequest } from '../delivery/send-limits.ts';
import { isVerifiedDestination } from '../identity/verified-contact.ts';
import type { Transaction } from '../kernel/ports.ts';
import { createDeviceMetadata } from '../proofs/devices/device-registration.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { UserWithCredential } from '../store/records.ts';
import { createLogin, type ExcessLogins } from '../tokens/login-tokens.ts';
import { createLoginCandidate } from '../users/find-login-candidate.ts';
import type { AnswerStep, MessageChallengeContent, PoolChallengeName } from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/pool-challenges.ts';
import { extendCustomAuthHistory } from './custom-auth-login.ts';
import type { DecisionInput } from './login-attempt.ts';
import type { LoginDecision } from './login-decision.ts';
import type { LoginRefusal, NextStep } from './next-step.ts';

/** Prepares what follows an accepted proof, in the deciding write: the next challenge, or a new login. */
export async function prepareNextStep(
  transaction: PoolTransaction,
  decisionInput: DecisionInput,
  next: Exclude<NextStep, LoginRefusal>,
  user: UserWithCredential,
  excess: ExcessLogins | undefined,
): Promise<LoginDecision> {
  if (next.kind === 'challenge') return prepareNextChallenge(transaction, decisionInput, next.name, user);
  if (next.kind === 'define') return createTriggerDecision(decisionInput, user);
  const { step, userFactors, proofs } = decisionInput;
  const { ports, pool, client } = step;
  const isTracking = pool.settings.deviceTracking !== null;
  const newDevice =
    isTracking && userFactors.device === undefined ? createDeviceMetadata(ports, pool, user.user.username) : undefined;
  const deviceKey = userFactors.device?.key ?? newDevice?.DeviceKey ?? null;
  const login = await createLogin(ports, transaction, { pool, client, user: user.user }, { deviceKey, excess });
  return { kind: 'tokens', step, proofs, user, login, newDevice };
}

function createTriggerDecision(
  { step, proofs, userFactors, isBoundToDevice }: DecisionInput,
  user: UserWithCredential,
): LoginDecision {
  const { ports, pool, candidate, custom = [] } = step;
  const known = createLoginCandidate(ports, pool, candidate.typedName, user);
  const defined = { ...step, candidate: known, custom: extendCustomAuthHistory(custom, proofs) };
  const deviceKey = userFactors.device?.key ?? null;
  return { kind: 'define', login: { step: defined, proofs, deviceKey, isBoundToDevice } };
}

/** A challenge with a message is issued here, so that code and session are created together or not at all. */
export async function prepareNextChallenge(
  transaction: Transaction<'allowances' | 'events' | 'messages'>,
  decisionInput: DecisionInput,
  name: PoolChallengeName,
  user: UserWithCredential | undefined,
): Promise<LoginDecision> {
  const { userFactors, isBoundToDevice, proofs } = decisionInput;
  const { ports, pool, candidate } = decisionInput.step;
  const step = { ...decisionInput.step, candidate: createLoginCandidate(ports, pool, candidate.typedName, user) };
  const row = POOL_CHALLENGES[name];
  if (row.sends === undefined)
    return { kind: 'challenge', name, step, proofs, userFactors, isBoundToDevice, sent: undefined };
  const sent = row.issue(step, userFactors);
  const deviceKey = userFactors.device?.remembered ? userFactors.device.key : undefined;
  await sendChallengeMessage(transaction, step, sent, { purpose: row.name, deviceKey });
  return { kind: 'challenge', name, step, proofs, userFactors, isBoundToDevice, sent };
}

/** Throws if too many messages were sent. Nothing has changed then, and the session can be used again later. */
async function sendChallengeMessage(
  transaction: Transaction<'allowances' | 'events' | 'messages'>,
  step: AnswerStep,
  { message }: MessageChallengeContent,
  about: Pick<SendLimitRequest, 'deviceKey' | 'purpose'>,
): Promise<void> {
  const { ports, pool, candidate, nowMs, isResend } = step;
  const username = candidate.userId;
  const { channel, destination } = message.contact;
  requireSender(ports, channel);
  const isProven = isVerifiedDestination(candidate.found?.user.attributes ?? {}, message.contact);
  const asked = { ...about, pool, username, destination, isProven, isDecoy: message.discard, isResend, nowMs };
  const refusal = await consumeSendAllowance(ports, transaction, asked);
  if (refusal !== undefined) throw refusal;
  const discard = (await exceedsPhoneNumberLimits(ports, transaction, asked)) || message.discard === true;
  const subject = { userName: username, source: 'CustomMessage_Authentication' } as const;
  await enqueueMessage(ports, transaction, pool, { ...message, discard, about: subject });
}
