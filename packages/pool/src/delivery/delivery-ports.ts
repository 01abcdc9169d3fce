import type {
  CallPort,
  ClockPort,
  EventPorts,
  KeyRingPort,
  MacPorts,
  RandomPort,
  RequestCallerPort,
} from '../kernel/ports.ts';
import type { PoolReads, PoolStore } from '../store/pool-store.ts';
import type { TriggerInputPort, TriggerPorts } from '../triggers/trigger-ports.ts';
import type { MessageLimits } from './message-limits.ts';
import type { Senders } from './sender.ts';

/** The sender of each channel. */
export interface SendersPort {
  readonly senders: Senders;
}

/** How many messages the service sends in a day. */
export interface MessageLimitsPort {
  /** Default: {@link DEFAULT_MESSAGE_LIMITS}. */
  readonly messageLimits?: MessageLimits;
}

/** Marks messages that a call has queued. */
export interface QueuedMessagesPort {
  /** Whether this call queued messages that are not being delivered yet. */
  readonly undelivered: { isAny: boolean };
}

/** What starting the delivery of queued messages takes. */
export interface DeliveryPorts extends QueuedMessagesPort {
  readonly delivery: {
    /** Tells that there are new messages. Resolves at once, or when those of immediate senders are sent. Never rejects. */
    wake(): Promise<void>;
  };
}

/** The product name in mails. */
export interface AppNamePort {
  /** The product name that stands above mails in the default layout. Absent: no name. */
  readonly appName?: string;
}

/** What queueing a message takes. */
export interface QueuePorts
  extends AppNamePort,
    ClockPort,
    QueuedMessagesPort,
    RandomPort,
    RequestCallerPort,
    TriggerInputPort {}

/** What counting a message against its limits takes. */
export interface SendLimitPorts extends CallPort, MacPorts, MessageLimitsPort {}

/** What sending a code takes. */
export interface CodeMessagePorts extends QueuePorts, SendLimitPorts {}

/** What queueing a notice takes. */
export interface NoticePorts extends CodeMessagePorts, SendersPort {}

/** What notifying a user takes, with the event that records it. */
export interface NotificationPorts extends EventPorts, NoticePorts {}

/** What asking the trigger `CustomMessage` for the text of a message takes. */
export interface CustomMessagePorts extends AppNamePort, TriggerPorts {
  /**
   * Whether a message whose trigger `CustomMessage` is not mapped is sent with the text of the pool. Default: it waits until the trigger
   * is mapped or the message expires.
   */
  readonly sendsWithoutUnmappedTrigger?: boolean;
  readonly store: Pick<PoolReads, 'pools' | 'users'>;
}

/** What delivering queued messages takes. */
export interface DeliveryAttemptPorts extends CustomMessagePorts, KeyRingPort, SendersPort {
  readonly store: PoolStore;
}
