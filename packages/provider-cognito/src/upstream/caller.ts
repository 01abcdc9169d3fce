import { type Breaker, createBreaker } from '../limits/breaker.ts';
import { createRetryBudget, fullJitterMs, type RetryBudget } from '../limits/retry-budget.ts';
import { createWindowLimiter, type WindowLimiter } from '../limits/window-limiter.ts';
import type { Settled } from '../options.ts';
import { bounded, pause } from './bounded.ts';
import type { Send } from './client.ts';
import { FAILURES, toFailure, UpstreamFailure } from './failure.ts';
import { readOutput } from './output.ts';
import type { CommandRow } from './rows.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Calls one operation of Cognito, with all the care that a service far away needs.
 * @param clientAddress the end client whose request caused it, where one did
 * @throws {UpstreamFailure} for whatever goes wrong, defects apart
 */
export type Call = (name: string, row: CommandRow, request: Fields, clientAddress?: string) => Promise<Fields>;

/** One call, however often it is tried. */
interface Asked {
  readonly name: string;
  readonly row: CommandRow;
  readonly request: Fields;
  readonly clientAddress: string | undefined;
}

interface Parts {
  readonly options: Settled;
  readonly send: Send;
  readonly limiter: WindowLimiter;
  /** The breaker of an operation: one that fails says nothing of the others, and may be behind other machines there. */
  readonly breakerOf: (name: string) => Breaker;
  readonly budget: RetryBudget;
}

/** Makes the one way to Cognito: quotas and retry budget are shared by all calls, breakers by those of an operation. */
export function createCaller(options: Settled, send: Send): Call {
  const { clock, limits } = options;
  const parts: Parts = {
    options,
    send,
    limiter: createWindowLimiter(clock, limits.quotas),
    breakerOf: breakersBy(() => createBreaker(clock, limits)),
    budget: createRetryBudget(limits),
  };
  return (name, row, request, clientAddress) => tries(parts, { name, row, request, clientAddress });
}

async function tries(parts: Parts, asked: Asked): Promise<Fields> {
  const { clock, timer, random, limits } = parts.options;
  const endsAtMs = clock.now() + limits.callMs;
  parts.budget.earn();
  let result = await tryOnce(parts, asked, limits.callMs);
  for (let tried = 1; result instanceof UpstreamFailure; tried += 1) {
    if (tried >= limits.tries || !mayRepeat(result, asked)) throw result;
    const waitMs = fullJitterMs(tried, random(), limits);
    if (clock.now() + waitMs >= endsAtMs || !parts.budget.spend()) throw result;
    await pause(timer, waitMs);
    if (clock.now() >= endsAtMs) throw result;
    const next = await tryOnce(parts, asked, endsAtMs - clock.now());
    // That no further try could be made says less than why one was needed.
    if (next instanceof UpstreamFailure && FAILURES[next.kind].breaker === undefined) throw result;
    result = next;
  }
  return result;
}

/** Made when they are needed, one for each name; the names are those of the port's operations, so there are few. */
function breakersBy(make: () => Breaker): (name: string) => Breaker {
  const made = new Map<string, Breaker>();
  return (name) => {
    const breaker = made.get(name) ?? make();
    made.set(name, breaker);
    return breaker;
  };
}

/** A text that somebody wrote to be unreadable must not stop the calls of others. */
function saysOfService({ kind, details }: UpstreamFailure): 'worked' | 'failed' | undefined {
  return details.isUnkeepable ? 'worked' : FAILURES[kind].breaker;
}

function mayRepeat({ kind }: UpstreamFailure, { row, request }: Asked): boolean {
  const { retry } = FAILURES[kind];
  return retry === 'unsent' || (retry === 'repeatable' && row.repeatable(request));
}

async function tryOnce(
  parts: Parts,
  { name, row, request, clientAddress }: Asked,
  leftMs: number,
): Promise<Fields | UpstreamFailure> {
  const { timer, limits } = parts.options;
  const permit = parts.breakerOf(name).enter();
  if ('waitMs' in permit) return new UpstreamFailure('open', { waitMs: permit.waitMs });
  let said: 'worked' | 'failed' | undefined;
  try {
    const { waitMs } = parts.limiter.take(row.quota);
    if (waitMs > 0) return new UpstreamFailure('limited', { waitMs });
    const command = new row.Command(request as never);
    const answer = await bounded(timer, Math.min(limits.requestMs, leftMs), (signal) =>
      parts.send(command, signal, clientAddress),
    );
    const output = readOutput(name, command.schema, answer);
    said = 'worked';
    return output;
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure === undefined) throw thrown;
    said = saysOfService(failure);
    return failure;
  } finally {
    permit.settle(said);
  }
}
