import type { PoolContext } from '../context.ts';
import { CallLimiter, type CallLimiters, type CallRefusal, TRIGGER_TIME_PER_REQUEST_MS } from './call-limiter.ts';
import type { TriggerEvent, TriggerOutcome, TriggerTarget } from './invoker.ts';
import { TIMEOUT_MESSAGE } from './trigger-errors.ts';

/** How long one try may take, and how many there are (Cognito). */
const TRIES = { most: 3, timeoutMs: 5_000 } as const;

/** What it takes to call a function. */
export interface TriggerCallContext extends Pick<PoolContext, 'clock' | 'timer' | 'triggers'> {
  readonly callLimiters: CallLimiters;
  readonly triggersUntilMs: number;
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
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(context, limiter, target, event);
    const isOver = outcome.kind !== 'failed' || !outcome.isWorthRetrying;
    if (isOver || tries === TRIES.most || timeLeftMs(context) <= 0) return outcome;
  }
}

function limiterOf({ callLimiters, clock, timer }: TriggerCallContext, arn: string): CallLimiter {
  const known = callLimiters.get(arn);
  if (known !== undefined) return known;
  const made = new CallLimiter({ clock, timer });
  callLimiters.set(arn, made);
  return made;
}

/** Background work waits as long as a request does. */
function timeLeftMs({ clock, triggersUntilMs }: TriggerCallContext): number {
  return Math.min(triggersUntilMs - clock.now(), TRIGGER_TIME_PER_REQUEST_MS);
}

async function tryOnce(
  context: TriggerCallContext,
  limiter: CallLimiter,
  target: TriggerTarget,
  event: TriggerEvent,
): Promise<TriggerOutcome> {
  if (timeLeftMs(context) <= 0) return timedOut();
  const leave = await limiter.enter(timeLeftMs(context));
  if (typeof leave === 'string') return { kind: 'failed', why: REFUSALS[leave], isWorthRetrying: false };
  const outcome = await withinTime(context, target, event).catch(() => failed('ServiceException'));
  leave(outcome.kind === 'failed' && !outcome.isReached ? 'failed' : 'reached');
  return outcome;
}

/** Whoever takes too long is told that nobody waits, and waited for no longer. */
function withinTime(context: TriggerCallContext, target: TriggerTarget, event: TriggerEvent): Promise<TriggerOutcome> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const stop = context.timer.after(Math.max(1, Math.min(TRIES.timeoutMs, timeLeftMs(context))), () => {
      resolve(timedOut());
      controller.abort();
    });
    target.invoke(event, controller.signal).finally(stop).then(resolve, reject);
  });
}

function timedOut(): TriggerOutcome {
  return failed(TIMEOUT_MESSAGE);
}

function failed(why: string): TriggerOutcome {
  return { kind: 'failed', why, isWorthRetrying: true };
}
