import type { ClockPort, RandomPort, RequestCallerPort, TimerPort } from '../kernel/ports.ts';
import type { TriggerCallLimiters } from './trigger-call-limiter.ts';
import type { TriggerInput, TriggerInvoker } from './trigger-invoker.ts';
import type { ReportUnmappedTrigger } from './unmapped-triggers.ts';

/** What a request passes on to triggers. */
export interface TriggerInputPort {
  readonly triggerInput: TriggerInput;
}

/** The dependencies of finding a trigger's function. */
export interface TriggerTargetPorts {
  /** If absent, no function can be called, and operations that need one fail. */
  readonly triggers?: TriggerInvoker;
  /** Called for triggers that cannot be called because their ARN has no target. */
  readonly onUnmappedTrigger?: ReportUnmappedTrigger;
}

/** The dependencies of calling a trigger. */
export interface TriggerPorts extends ClockPort, RandomPort, RequestCallerPort, TimerPort, TriggerTargetPorts {
  /** From how many distinct networks calls must fail in a row before the circuit opens. Default: 8. */
  readonly triggerBreakerNetworks?: number;
  readonly callLimiters: TriggerCallLimiters;
  /** When the request's time for triggers ends, in milliseconds since the epoch. */
  readonly triggersUntilMs: number;
  /** How long a call waits for its turn at most; by default, the request's remaining time. */
  readonly turnPatienceMs?: number;
}
