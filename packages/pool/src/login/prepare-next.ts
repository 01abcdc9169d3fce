import { newDeviceMetadata } from '../devices/devices.ts';
import type { Transaction } from '../kernel/ports.ts';
import { requireSender } from '../messages/deliver.ts';
import { enqueueCode } from '../messages/queue.ts';
import { consumeSendAllowance, exceedsNumberLimits, type SendRequest } from '../messages/send-limit.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { UserWithCredential } from '../store/records.ts';
import { startTokenFamily } from '../tokens/login.ts';
import { loginCandidate } from '../users/login-candidate.ts';
import { isProvenDestination } from '../users/verified-contact.ts';
import type { DecisionContext } from './attempt-context.ts';
import type { AnswerStep, IssuedWithMessage, PoolChallengeName } from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/index.ts';
import { customHistory } from './custom-login.ts';
import type { Decision } from './decision.ts';
import type { LoginRefusal, NextStep } from './next-step.ts';

/** What follows on an accepted proof, inside the deciding write: the next challenge, or the login is opened. */
export async function prepareNext(
  transaction: PoolTransaction,
  decisionContext: DecisionContext,
  next: Exclude<NextStep, LoginRefusal>,
  user: UserWithCredential,
): Promise<Decision> {
  if (next.kind === 'challenge') return nextChallenge(transaction, decisionContext, next.name, user);
  if (next.kind === 'define') return triggersDecide(decisionContext, user);
  const { step, userFactors, proofs } = decisionContext;
  const { ports, pool, client } = step;
  const isTracking = pool.settings.deviceTracking !== null;
  const newDevice =
    isTracking && userFactors.device === undefined ? newDeviceMetadata(ports, pool, user.user.username) : undefined;
  const deviceKey = userFactors.device?.key ?? newDevice?.DeviceKey ?? null;
  const login = await startTokenFamily(ports, transaction, { pool, client, user: user.user }, { deviceKey });
  return { kind: 'tokens', step, proofs, user, login, newDevice };
}

function triggersDecide(
  { step, proofs, userFactors, isBoundToDevice }: DecisionContext,
  user: UserWithCredential,
): Decision {
  const { ports, pool, candidate, custom = [] } = step;
  const known = loginCandidate(ports, pool, candidate.typedName, user);
  const defined = { ...step, candidate: known, custom: customHistory(custom, proofs) };
  const deviceKey = userFactors.device?.key ?? null;
  return { kind: 'define', login: { step: defined, proofs, deviceKey, isBoundToDevice } };
}

/** What goes with a message is issued here, so that code and session come together or not at all. */
export async function nextChallenge(
  transaction: Transaction<'allowances' | 'events' | 'messages'>,
  decisionContext: DecisionContext,
  name: PoolChallengeName,
  user: UserWithCredential | undefined,
): Promise<Decision> {
  const { userFactors, isBoundToDevice, proofs } = decisionContext;
  const { ports, pool, candidate } = decisionContext.step;
  const step = { ...decisionContext.step, candidate: loginCandidate(ports, pool, candidate.typedName, user) };
  const row = POOL_CHALLENGES[name];
  if (row.sends === undefined)
    return { kind: 'challenge', name, step, proofs, userFactors, isBoundToDevice, sent: undefined };
  const sent = row.issue(step, userFactors);
  const deviceKey = userFactors.device?.remembered ? userFactors.device.key : undefined;
  await sendChallengeMessage(transaction, step, sent, { purpose: row.name, deviceKey });
  return { kind: 'challenge', name, step, proofs, userFactors, isBoundToDevice, sent };
}

/** Throws where too much was sent: then nothing has happened, and the session can be answered again later. */
async function sendChallengeMessage(
  transaction: Transaction<'allowances' | 'events' | 'messages'>,
  step: AnswerStep,
  { order }: IssuedWithMessage,
  about: Pick<SendRequest, 'deviceKey' | 'purpose'>,
): Promise<void> {
  const { ports, pool, candidate, nowMs, isResend } = step;
  const username = candidate.userId;
  const { channel, destination } = order.contact;
  requireSender(ports, channel);
  const isProven = isProvenDestination(candidate.found?.user.attributes ?? {}, order.contact);
  const asked = { ...about, pool, username, destination, isProven, isDecoy: order.discard, isResend, nowMs };
  const refusal = await consumeSendAllowance(ports, transaction, asked);
  if (refusal !== undefined) throw refusal;
  const discard = (await exceedsNumberLimits(ports, transaction, asked)) || order.discard === true;
  const subject = { userName: username, source: 'CustomMessage_Authentication' } as const;
  await enqueueCode(ports, transaction, pool, { ...order, discard, about: subject });
}
