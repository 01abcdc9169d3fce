import type { PoolContext } from '../context.ts';
import { uuid } from '../users/identifiers.ts';
import {
  CallLimiter,
  type CallLimiters,
  type CallRefusal,
  type LimitedCaller,
  TRIGGER_TIME_PER_REQUEST_MS,
} from './call-limiter.ts';
import { type CallOutcome, DEFAULT_BREAKER_NETWORKS } from './circuit-breaker.ts';
import type { TriggerEvent, TriggerOutcome, TriggerTarget } from './invoker.ts';
import { TIMEOUT_MESSAGE } from './trigger-errors.ts';

/** How long one try may take, and how many there are (Cognito). */
const TRIES = { most: 3, timeoutMs: 5_000 } as const;

/** Who causes the calls of a request. */
export interface TriggerCaller {
  /** The network that the request came from: the /48 of an IPv6 address, the /24 of an IPv4 address; empty where there is none. */
  readonly network: string;
  /**
   * Whether an admin key or the secret of an app client was proven. Such a server calls for many users from one network, so the calls
   * for each user have a bound of their own.
   */
  isProven: boolean;
}

/** What it takes to call a function. */
export interface TriggerCallContext
  extends Pick<
    PoolContext,
    'clock' | 'timer' | 'random' | 'triggers' | 'triggerBreakerNetworks' | 'onUnmappedTrigger'
  > {
  readonly callLimiters: CallLimiters;
  readonly triggersUntilMs: number;
  readonly triggerCaller: TriggerCaller;
  /** How long a call waits for its turn at most; by default as long as the request has time. */
  readonly turnPatienceMs?: number;
}

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
export async function callTrigger(
  context: TriggerCallContext,
  arn: string,
  event: TriggerEvent,
): Promise<TriggerOutcome> {
  const target = context.triggers?.targetOf(arn);
  if (target === undefined) return NOT_MAPPED;
  const limiter = limiterOf(context, arn);
  const call = { event, target, id: uuid(context.random), caller: callerOf(context.triggerCaller, event) };
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(context, limiter, call);
    const isOver = outcome.kind !== 'failed' || !outcome.isWorthRetrying;
    if (isOver || tries === TRIES.most || timeLeftMs(context) <= 0) return outcome;
  }
}

function callerOf({ network, isProven }: TriggerCaller, { userPoolId, userName }: TriggerEvent): LimitedCaller {
  return { network, share: isProven ? `user ${userPoolId}/${userName}` : `network ${network}` };
}

function limiterOf(context: TriggerCallContext, arn: string): CallLimiter {
  const { callLimiters, clock, timer, triggerBreakerNetworks: networks = DEFAULT_BREAKER_NETWORKS } = context;
  const known = callLimiters.get(arn);
  if (known !== undefined) return known;
  const made = new CallLimiter({ clock, timer, networks });
  callLimiters.set(arn, made);
  return made;
}

/** Background work waits as long as a request does. */
function timeLeftMs({ clock, triggersUntilMs }: TriggerCallContext): number {
  return Math.min(triggersUntilMs - clock.now(), TRIGGER_TIME_PER_REQUEST_MS);
}

/** One call, however often it is tried. */
interface TriggerCall {
  readonly event: TriggerEvent;
  readonly target: TriggerTarget;
  readonly id: string;
  readonly caller: LimitedCaller;
}

async function tryOnce(context: TriggerCallContext, limiter: CallLimiter, call: TriggerCall): Promise<TriggerOutcome> {
  const leftMs = timeLeftMs(context);
  if (leftMs <= 0) return timedOut();
  const leave = await limiter.enter(Math.min(leftMs, context.turnPatienceMs ?? leftMs), call.caller);
  if (typeof leave === 'string') return { kind: 'failed', why: REFUSALS[leave], isWorthRetrying: false };
  const outcome = await withinTime(context, call).catch(() => failed('ServiceException'));
  leave(callOutcome(outcome));
  return outcome;
}

function callOutcome(outcome: TriggerOutcome): CallOutcome {
  if (outcome.kind !== 'failed' || outcome.isReached) return 'reached';
  return outcome.isRefused ? 'refused' : 'failed';
}

/** Whoever takes too long is told that nobody waits, and waited for no longer. */
function withinTime(context: TriggerCallContext, { target, event, id }: TriggerCall): Promise<TriggerOutcome> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const stop = context.timer.after(Math.max(1, Math.min(TRIES.timeoutMs, timeLeftMs(context))), () => {
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
