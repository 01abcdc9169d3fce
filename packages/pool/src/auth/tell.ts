import type { ProviderError } from '@poolgate/provider';
import type { PoolAndClient } from '../domain/pools.ts';
import { failureWord, recordEvent } from '../events.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import { type Decision, type Judged, proofsAfter } from './decision.ts';

/**
 * Writes the event of a login that an answer finished, or of the answer that was refused, in the write that decided it.
 * On the way from one challenge to the next nothing is told; nor of an answer that nobody judged, or that was no try.
 */
export function tellDecision(transaction: PoolTransaction, judged: Judged, decision: Decision): Promise<void> {
  const { step, factor } = judged;
  const { context, pool, client } = step;
  const about = { pool, clientId: client.id };
  switch (decision.kind) {
    case 'challenge':
      return Promise.resolve();
    case 'refused':
      return recordEvent(context, transaction, {
        ...about,
        type: 'login.failed',
        outcome: 'failure',
        user: step.candidate.found?.user,
        details: { challenge: factor.name, reason: failureWord(decision.error) },
      });
    case 'tokens':
      return recordEvent(context, transaction, {
        ...about,
        type: 'login.succeeded',
        user: decision.user.user,
        details: { challenge: factor.name, proofs: proofsAfter(judged).join(' '), login: decision.login.id },
      });
  }
}

/** Writes the event of a login that ended before there was anybody to decide on. */
export async function tellNobody(
  context: PoolRuntime,
  { pool, client }: PoolAndClient,
  begun: string,
  error: ProviderError,
): Promise<void> {
  const details = { challenge: begun, reason: failureWord(error) };
  const failed = { type: 'login.failed', outcome: 'failure', pool, clientId: client.id, details } as const;
  await context.store.write((transaction) => recordEvent(context, transaction, failed));
}
