/** Calls to Amazon Cognito: one row for each command, signing, timeouts, retries. SDK failures become provider errors only here. */
import { type CircuitBreaker, createCircuitBreaker } from '../limits/circuit-breaker.ts';
import { computeFullJitterMs, createRetryBudget, type RetryBudget } from '../limits/retry-budget.ts';
import { createWindowLimiter, type WindowLimiter } from '../limits/window-limiter.ts';
import type { ResolvedOptions } from '../options/cognito-options.ts';
import type { CommandRow } from './command-row.ts';
import { readOutput } from './read-output.ts';
import type { SendCommand } from './sdk-client.ts';
import { delay, runWithTimeout } from './timeout.ts';
import { FAILURES, toUpstreamFailure, UpstreamFailure } from './upstream-failure.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Calls an operation of Cognito with timeouts, retries and limits.
 * @param clientAddress the client that caused the request, if any
 * @throws {UpstreamFailure} for every error except defects
 */
export type CallOperation = (name: string, row: CommandRow, request: Fields, clientAddress?: string) => Promise<Fields>;

/** A call with all its attempts. */
interface OperationCall {
  readonly name: string;
  readonly row: CommandRow;
  readonly request: Fields;
  readonly clientAddress: string | undefined;
}

interface CallerParts {
  readonly options: ResolvedOptions;
  readonly send: SendCommand;
  readonly limiter: WindowLimiter;
  /** Returns the breaker of an operation. A failing operation says nothing about others, which may run on other machines there. */
  readonly findBreaker: (name: string) => CircuitBreaker;
  readonly budget: RetryBudget;
}

/** Creates the only way to call Cognito. All calls share quotas and the retry budget; the calls of an operation share a breaker. */
export function createCaller(options: ResolvedOptions, send: SendCommand): CallOperation {
  const { clock, limits } = options;
  const parts: CallerParts = {
    options,
    send,
    limiter: createWindowLimiter(clock, limits.quotas),
    findBreaker: createBreakers(() => createCircuitBreaker(clock, limits)),
    budget: createRetryBudget(limits),
  };
  return (name, row, request, clientAddress) => callWithRetries(parts, { name, row, request, clientAddress });
}

async function callWithRetries(parts: CallerParts, asked: OperationCall): Promise<Fields> {
  const { clock, timer, random, limits } = parts.options;
  const endsAtMs = clock.now() + limits.callMs;
  parts.budget.earn();
  let result = await tryOnce(parts, asked, limits.callMs);
  for (let tried = 1; result instanceof UpstreamFailure; tried += 1) {
    if (tried >= limits.tries || !isRetryAllowed(result, asked)) throw result;
    const waitMs = computeFullJitterMs(tried, random(), limits);
    if (clock.now() + waitMs >= endsAtMs || !parts.budget.spend()) throw result;
    await delay(timer, waitMs);
    if (clock.now() >= endsAtMs) throw result;
    const next = await tryOnce(parts, asked, endsAtMs - clock.now());
    // Reports the failure that called for a retry, which says more than the reason why the retry was not possible.
    if (next instanceof UpstreamFailure && FAILURES[next.kind].breaker === undefined) throw result;
    result = next;
  }
  return result;
}

/** Created on demand, one for each name. The names are those of the port's operations, so there are few. */
function createBreakers(make: () => CircuitBreaker): (name: string) => CircuitBreaker {
  const made = new Map<string, CircuitBreaker>();
  return (name) => {
    const breaker = made.get(name) ?? make();
    made.set(name, breaker);
    return breaker;
  };
}

/** A text that a user made unreadable on purpose must not block the calls of others. */
function toServiceOutcome({ kind, details }: UpstreamFailure): 'worked' | 'failed' | undefined {
  return details.isUnstorable ? 'worked' : FAILURES[kind].breaker;
}

function isRetryAllowed({ kind }: UpstreamFailure, { row, request }: OperationCall): boolean {
  const { retry } = FAILURES[kind];
  return retry === 'unsent' || (retry === 'repeatable' && row.repeatable(request));
}

async function tryOnce(
  parts: CallerParts,
  { name, row, request, clientAddress }: OperationCall,
  leftMs: number,
): Promise<Fields | UpstreamFailure> {
  const { timer, limits } = parts.options;
  const permit = parts.findBreaker(name).tryAcquire();
  if ('waitMs' in permit) return new UpstreamFailure('open', { waitMs: permit.waitMs });
  let said: 'worked' | 'failed' | undefined;
  try {
    const { waitMs } = parts.limiter.acquire(row.quota);
    if (waitMs > 0) return new UpstreamFailure('limited', { waitMs });
    const command = new row.Command(request as never);
    const response = await runWithTimeout(timer, Math.min(limits.requestMs, leftMs), (signal) =>
      parts.send(command, signal, clientAddress),
    );
    const output = readOutput(name, command.schema, response);
    said = 'worked';
    return output;
  } catch (thrown) {
    const failure = toUpstreamFailure(thrown);
    if (failure === undefined) throw thrown;
    said = toServiceOutcome(failure);
    return failure;
  } finally {
    permit.report(said);
  }
}
