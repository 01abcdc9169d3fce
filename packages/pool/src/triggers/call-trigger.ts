/**
 * Lambda triggers: when each is called, its input, and which parts of its response count (`trigger-definitions`). A trigger runs before the
 * deciding write, never inside it. Calls have a time limit, retries and a circuit breaker.
 */
import { generateUuid } from '../kernel/identifiers.ts';
import type { RequestCaller } from '../kernel/ports.ts';
import {
  TRIGGER_TIME_PER_REQUEST_MS,
  type TriggerCaller,
  TriggerCallLimiter,
  type TriggerCallRefusal,
} from './trigger-call-limiter.ts';
import { DEFAULT_BREAKER_NETWORKS, type TriggerCallOutcome } from './trigger-circuit-breaker.ts';
import { LAMBDA_TIMEOUT_MESSAGE } from './trigger-errors.ts';
import type { TriggerEvent, TriggerOutcome, TriggerTarget } from './trigger-invoker.ts';
import type { TriggerPorts } from './trigger-ports.ts';

/** The timeout and number of attempts (Cognito). */
const TRIES = { most: 3, timeoutMs: 5_000 } as const;

/** Errors of calls that did not happen, in Cognito's words about Lambda. */
const REFUSALS: Readonly<Record<TriggerCallRefusal, string>> = {
  resting: 'ServiceException',
  crowded: 'TooManyRequestsException',
  too_late: 'TooManyRequestsException',
};

/** Returned if the ARN has no target: the same error as for a function that the user pool is not allowed to call. */
const NOT_MAPPED: TriggerOutcome = { kind: 'failed', why: 'AccessDeniedException', isWorthRetrying: false };

/**
 * Calls the function of an ARN. A call that failed or got no response is repeated while there is time; a response, positive or negative, is
 * final. Never call it within a write, because it may take seconds.
 */
export async function callTrigger(ports: TriggerPorts, arn: string, event: TriggerEvent): Promise<TriggerOutcome> {
  const target = ports.triggers?.targetOf(arn);
  if (target === undefined) return NOT_MAPPED;
  const limiter = findOrCreateLimiter(ports, arn);
  const call = { event, target, id: generateUuid(ports.random), caller: toLimiterCaller(ports.caller, event) };
  for (let tries = 1; ; tries += 1) {
    const outcome = await attemptCall(ports, limiter, call);
    const isOver = outcome.kind !== 'failed' || !outcome.isWorthRetrying;
    if (isOver || tries === TRIES.most || computeTimeLeftMs(ports) <= 0) return outcome;
  }
}

function toLimiterCaller({ network, isProven }: RequestCaller, { userPoolId, userName }: TriggerEvent): TriggerCaller {
  return { network, limitKey: isProven ? `user ${userPoolId}/${userName}` : `network ${network}` };
}

function findOrCreateLimiter(ports: TriggerPorts, arn: string): TriggerCallLimiter {
  const { callLimiters, clock, timer, triggerBreakerNetworks: networks = DEFAULT_BREAKER_NETWORKS } = ports;
  const known = callLimiters.get(arn);
  if (known !== undefined) return known;
  const made = new TriggerCallLimiter({ clock, timer, networks });
  callLimiters.set(arn, made);
  return made;
}

/** Background work waits for the same time as a request. */
function computeTimeLeftMs({ clock, triggersUntilMs }: TriggerPorts): number {
  return Math.min(triggersUntilMs - clock.now(), TRIGGER_TIME_PER_REQUEST_MS);
}

/** One call with all its attempts. */
interface CallAttempt {
  readonly event: TriggerEvent;
  readonly target: TriggerTarget;
  readonly id: string;
  readonly caller: TriggerCaller;
}

async function attemptCall(
  ports: TriggerPorts,
  limiter: TriggerCallLimiter,
  call: CallAttempt,
): Promise<TriggerOutcome> {
  const leftMs = computeTimeLeftMs(ports);
  if (leftMs <= 0) return createTimeoutOutcome();
  const leave = await limiter.enter(Math.min(leftMs, ports.turnPatienceMs ?? leftMs), call.caller);
  if (typeof leave === 'string') return { kind: 'failed', why: REFUSALS[leave], isWorthRetrying: false };
  const outcome = await invokeWithTimeout(ports, call).catch(() => createFailedOutcome('ServiceException'));
  leave(toCallOutcome(outcome));
  return outcome;
}

function toCallOutcome(outcome: TriggerOutcome): TriggerCallOutcome {
  if (outcome.kind !== 'failed' || outcome.isReached) return 'reached';
  return outcome.isRefused ? 'refused' : 'failed';
}

/** A function that takes too long receives an abort signal, and its result is no longer awaited. */
function invokeWithTimeout(ports: TriggerPorts, { target, event, id }: CallAttempt): Promise<TriggerOutcome> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const stop = ports.timer.after(Math.max(1, Math.min(TRIES.timeoutMs, computeTimeLeftMs(ports))), () => {
      resolve(createTimeoutOutcome());
      controller.abort();
    });
    target.invoke(event, controller.signal, id).finally(stop).then(resolve, reject);
  });
}

function createTimeoutOutcome(): TriggerOutcome {
  return createFailedOutcome(LAMBDA_TIMEOUT_MESSAGE);
}

function createFailedOutcome(why: string): TriggerOutcome {
  return { kind: 'failed', why, isWorthRetrying: true };
}
