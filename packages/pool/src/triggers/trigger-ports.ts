import type { ClockPort, RandomPort, RequestCallerPort, TimerPort } from '../kernel/ports.ts';
import type { TriggerCallLimiters } from './trigger-call-limiter.ts';
import type { TriggerInput, TriggerInvoker } from './trigger-invoker.ts';
import type { ReportUnmappedTrigger } from './unmapped-triggers.ts';

/** What the request passes on to triggers. */
export interface TriggerInputPort {
  readonly triggerInput: TriggerInput;
}

/** What finding the function of a trigger takes. */
export interface TriggerTargetPorts {
  /** Absent: no function can be called, and what needs one is refused. */
  readonly triggers?: TriggerInvoker;
  /** Told of triggers that cannot be called because nothing is mapped to their ARN. */
  readonly onUnmappedTrigger?: ReportUnmappedTrigger;
}

/** What calling a trigger takes. */
export interface TriggerPorts extends ClockPort, RandomPort, RequestCallerPort, TimerPort, TriggerTargetPorts {
  /** From how many distinct networks calls must fail in a row before the circuit opens. Default: 8. */
  readonly triggerBreakerNetworks?: number;
  readonly callLimiters: TriggerCallLimiters;
  /** When the time of the request for triggers is over, in milliseconds since the epoch. */
  readonly triggersUntilMs: number;
  /** How long a call waits for its turn at most; by default as long as the request has time. */
  readonly turnPatienceMs?: number;
}
