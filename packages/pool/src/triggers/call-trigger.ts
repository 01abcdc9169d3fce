/**
 * Lambda triggers: when each is called, what it is sent, and which parts of its answer count (`trigger-definitions`). A trigger runs
 * before the write that decides, never inside it. Calls have a time limit, retries and a circuit breaker.
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

/** How long one try may take, and how many there are (Cognito). */
const TRIES = { most: 3, timeoutMs: 5_000 } as const;

/** A call that nobody's function was asked for, in the words in which Cognito says it of Lambda. */
const REFUSALS: Readonly<Record<TriggerCallRefusal, string>> = {
  resting: 'ServiceException',
  crowded: 'TooManyRequestsException',
  too_late: 'TooManyRequestsException',
};

/** Nobody said what the ARN stands for: as where a user pool may not call the function. */
const NOT_MAPPED: TriggerOutcome = { kind: 'failed', why: 'AccessDeniedException', isWorthRetrying: false };

/**
 * Calls the function that an ARN stands for. What could not be called, or did not answer, is tried again as long as there is time;
 * what the function said, good or bad, is not asked for twice. Never inside a write: it may take seconds.
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

/** Background work waits as long as a request does. */
function computeTimeLeftMs({ clock, triggersUntilMs }: TriggerPorts): number {
  return Math.min(triggersUntilMs - clock.now(), TRIGGER_TIME_PER_REQUEST_MS);
}

/** One call, however often it is tried. */
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

/** Whoever takes too long is told that nobody waits, and waited for no longer. */
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
