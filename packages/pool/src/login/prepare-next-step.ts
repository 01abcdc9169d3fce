import { requireSender } from '../delivery/deliver-after-commit.ts';
import { enqueueMessage } from '../delivery/message-queue.ts';
import { consumeSendAllowance, exceedsPhoneNumberLimits, type SendLimitRequest } from '../delivery/send-limits.ts';
import { isVerifiedDestination } from '../identity/verified-contact.ts';
import type { Transaction } from '../kernel/ports.ts';
import { createDeviceMetadata } from '../proofs/devices/device-registration.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { UserWithCredential } from '../store/records.ts';
import { createLogin, type ExcessLogins, type LoginOrigin } from '../tokens/login-tokens.ts';
import { createLoginCandidate } from '../users/find-login-candidate.ts';
import type { AnswerStep, LevelTarget, MessageChallengeContent, PoolChallengeName } from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/pool-challenges.ts';
import { extendCustomAuthHistory } from './custom-auth-login.ts';
import type { DecisionInput } from './login-attempt.ts';
import type { LoginDecision } from './login-decision.ts';
import { describeLogin } from './login-methods.ts';
import type { LevelChoices, LoginRefusal, NextStep } from './next-step.ts';

/** Prepares the step after an accepted proof, in the deciding write: the next challenge, or a new login. */
export async function prepareNextStep(
  transaction: PoolTransaction,
  decisionInput: DecisionInput,
  next: Exclude<NextStep, LoginRefusal>,
  user: UserWithCredential,
  excess: ExcessLogins | undefined,
): Promise<LoginDecision> {
  if (next.kind === 'challenge') return prepareNextChallenge(transaction, decisionInput, next, user);
  if (next.kind === 'define') return createTriggerDecision(decisionInput, user);
  const { step, userFactors, proofs } = decisionInput;
  const { ports, pool, client } = step;
  const isTracking = pool.settings.deviceTracking !== null;
  const newDevice =
    isTracking && userFactors.device === undefined ? createDeviceMetadata(ports, pool, user.user.username) : undefined;
  const deviceKey = userFactors.device?.key ?? newDevice?.DeviceKey ?? null;
  const { target } = step;
  const from = { deviceKey, excess, ...describeLogin(pool.settings, proofs, target), ...toAuthTime(target) };
  const login = await createLogin(ports, transaction, { pool, client, user: user.user }, from);
  return { kind: 'tokens', step, proofs, user, login, newDevice };
}

/** A step-up is no younger than the proofs that it counts. */
function toAuthTime(target: LevelTarget | undefined): Pick<LoginOrigin, 'authTimeSeconds'> {
  return target?.credit === undefined ? {} : { authTimeSeconds: target.credit.authTimeSeconds };
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
  { name, choices, mfaMethods }: LevelChoices & { readonly name: PoolChallengeName },
  user: UserWithCredential | undefined,
): Promise<LoginDecision> {
  const { userFactors, isBoundToDevice, proofs } = decisionInput;
  const { ports, pool, candidate } = decisionInput.step;
  const step = { ...decisionInput.step, candidate: createLoginCandidate(ports, pool, candidate.typedName, user) };
  const row = POOL_CHALLENGES[name];
  const limits = { ...(choices && { choices }), ...(mfaMethods && { mfaMethods }) };
  const common = { kind: 'challenge', name, step, proofs, userFactors, isBoundToDevice, limits } as const;
  if (row.sends === undefined) return { ...common, sent: undefined };
  const sent = row.issue(step, userFactors);
  const deviceKey = userFactors.device?.remembered ? userFactors.device.key : undefined;
  await sendChallengeMessage(transaction, step, sent, { purpose: row.name, deviceKey });
  return { ...common, sent };
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
