import type { ProviderError } from '@poolgate/provider';
import { recordEvent, toFailureReason } from '../kernel/audit-events.ts';
import type { EventPorts, StoreWrites, Transaction } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { type EvaluatedAnswer, type LoginDecision, listProofs } from './login-decision.ts';

/**
 * Writes the event of a finished login or a refused answer, in the write that decided it. Continuing with the next challenge is not an
 * event. Neither is an answer that was not verified or not an attempt.
 */
export async function recordLoginDecision(
  transaction: Transaction<'events'>,
  evaluatedAnswer: EvaluatedAnswer,
  decision: LoginDecision,
): Promise<void> {
  const { step, factor } = evaluatedAnswer;
  const { ports, pool, client } = step;
  const about = { pool, clientId: client.id };
  switch (decision.kind) {
    case 'challenge':
    case 'define':
      return;
    case 'refused':
      await recordSuspectedCopy(transaction, evaluatedAnswer);
      return recordEvent(ports, transaction, {
        ...about,
        type: 'login.failed',
        outcome: 'failure',
        user: step.candidate.found?.user,
        details: { challenge: factor.name, reason: toFailureReason(decision.error) },
      });
    case 'tokens':
      return recordEvent(ports, transaction, {
        ...about,
        type: 'login.succeeded',
        user: decision.user.user,
        details: { challenge: factor.name, proofs: listProofs(evaluatedAnswer).join(' '), login: decision.login.id },
      });
  }
}

/** Only a holder of the factor's key gets this far. This is not an anonymous request, whose events are deleted first. */
async function recordSuspectedCopy(
  transaction: Transaction<'events'>,
  { step, factor, verdict }: EvaluatedAnswer,
): Promise<void> {
  const user = step.candidate.found?.user;
  const type = verdict.outcome === 'disproven' ? verdict.eventType : undefined;
  if (type === undefined || user === undefined) return;
  const { ports, pool, client } = step;
  const actor = { kind: 'user', id: user.sub } as const;
  const details = { factor: factor.name };
  const about = { type, outcome: 'failure', pool, clientId: client.id, user } as const;
  await recordEvent(ports, transaction, { ...about, actor, details });
}

/** Writes the event of a login that ended before its user was known. */
export async function recordFailedLogin(
  ports: EventPorts & StoreWrites<'events'>,
  { pool, client }: PoolAndClient,
  begun: string,
  error: ProviderError,
): Promise<void> {
  const details = { challenge: begun, reason: toFailureReason(error) };
  const failed = { type: 'login.failed', outcome: 'failure', pool, clientId: client.id, details } as const;
  await ports.store.write((transaction) => recordEvent(ports, transaction, failed));
}
