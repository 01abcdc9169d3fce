import type { RequestCaller } from '../kernel/ports.ts';
import { uuid } from '../users/identifiers.ts';
import { CallLimiter, type CallRefusal, type LimitedCaller, TRIGGER_TIME_PER_REQUEST_MS } from './call-limiter.ts';
import { type CallOutcome, DEFAULT_BREAKER_NETWORKS } from './circuit-breaker.ts';
import type { TriggerEvent, TriggerOutcome, TriggerTarget } from './invoker.ts';
import { TIMEOUT_MESSAGE } from './trigger-errors.ts';
import type { TriggerPorts } from './trigger-ports.ts';

/** How long one try may take, and how many there are (Cognito). */
const TRIES = { most: 3, timeoutMs: 5_000 } as const;

/** A call that nobody's function was asked for, in the words in which Cognito says it of Lambda. */
const REFUSALS: Readonly<Record<CallRefusal, string>> = {
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
  const limiter = limiterOf(ports, arn);
  const call = { event, target, id: uuid(ports.random), caller: callerOf(ports.triggerCaller, event) };
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(ports, limiter, call);
    const isOver = outcome.kind !== 'failed' || !outcome.isWorthRetrying;
    if (isOver || tries === TRIES.most || timeLeftMs(ports) <= 0) return outcome;
  }
}

function callerOf({ network, isProven }: RequestCaller, { userPoolId, userName }: TriggerEvent): LimitedCaller {
  return { network, share: isProven ? `user ${userPoolId}/${userName}` : `network ${network}` };
}

function limiterOf(ports: TriggerPorts, arn: string): CallLimiter {
  const { callLimiters, clock, timer, triggerBreakerNetworks: networks = DEFAULT_BREAKER_NETWORKS } = ports;
  const known = callLimiters.get(arn);
  if (known !== undefined) return known;
  const made = new CallLimiter({ clock, timer, networks });
  callLimiters.set(arn, made);
  return made;
}

/** Background work waits as long as a request does. */
function timeLeftMs({ clock, triggersUntilMs }: TriggerPorts): number {
  return Math.min(triggersUntilMs - clock.now(), TRIGGER_TIME_PER_REQUEST_MS);
}

/** One call, however often it is tried. */
interface TriggerCall {
  readonly event: TriggerEvent;
  readonly target: TriggerTarget;
  readonly id: string;
  readonly caller: LimitedCaller;
}

async function tryOnce(ports: TriggerPorts, limiter: CallLimiter, call: TriggerCall): Promise<TriggerOutcome> {
  const leftMs = timeLeftMs(ports);
  if (leftMs <= 0) return timedOut();
  const leave = await limiter.enter(Math.min(leftMs, ports.turnPatienceMs ?? leftMs), call.caller);
  if (typeof leave === 'string') return { kind: 'failed', why: REFUSALS[leave], isWorthRetrying: false };
  const outcome = await withinTime(ports, call).catch(() => failed('ServiceException'));
  leave(callOutcome(outcome));
  return outcome;
}

function callOutcome(outcome: TriggerOutcome): CallOutcome {
  if (outcome.kind !== 'failed' || outcome.isReached) return 'reached';
  return outcome.isRefused ? 'refused' : 'failed';
}

/** Whoever takes too long is told that nobody waits, and waited for no longer. */
function withinTime(ports: TriggerPorts, { target, event, id }: TriggerCall): Promise<TriggerOutcome> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const stop = ports.timer.after(Math.max(1, Math.min(TRIES.timeoutMs, timeLeftMs(ports))), () => {
      resolve(timedOut());
      controller.abort();
    });
    target.invoke(event, controller.signal, id).finally(stop).then(resolve, reject);
  });
}

function timedOut(): TriggerOutcome {
  return failed(TIMEOUT_MESSAGE);
}

function failed(why: string): TriggerOutcome {
  return { kind: 'failed', why, isWorthRetrying: true };
}
