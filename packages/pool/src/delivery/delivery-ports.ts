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

/** The service's message limits. */
export interface MessageLimitsPort {
  /** Default: {@link DEFAULT_MESSAGE_LIMITS}. */
  readonly messageLimits?: MessageLimits;
}

/** Tracks messages that a call has queued. */
export interface QueuedMessagesPort {
  /** Whether this call queued messages whose delivery has not started. */
  readonly undelivered: { isAny: boolean };
}

/** The dependencies of starting the delivery. */
export interface DeliveryPorts extends QueuedMessagesPort {
  readonly delivery: {
    /** Signals new messages. Resolves at once, or when the messages of immediate senders are sent. Never rejects. */
    wake(): Promise<void>;
  };
}

/** The product name in emails. */
export interface AppNamePort {
  /** The product name above emails in the default layout. Absent for none. */
  readonly appName?: string;
}

/** The look of emails in the default layout. */
export interface MailBrand {
  /** The colors of the main link's button, `#rrggbb`. Absent: those of the default layout. */
  readonly button?: {
    readonly accent: string;
    /** The color of the text on it. */
    readonly onAccent: string;
  };
  /** The corner radius of the button in pixels. */
  readonly radius: number;
  /** The address of an image that replaces the product name above the email. */
  readonly logoUrl?: string;
  /** The addresses below the email. */
  readonly links?: { readonly [Name in 'terms' | 'privacy' | 'support']?: string | undefined };
}

/** The brands of emails. */
export interface MailBrandPort {
  /** Returns the look of the emails of an app client, or of a pool. Absent: all emails look the same. */
  readonly findMailBrand?: (userPoolId: string, clientId: string | undefined) => MailBrand | undefined;
}

/** The dependencies of queueing a message. */
export interface QueuePorts
  extends AppNamePort,
    MailBrandPort,
    ClockPort,
    QueuedMessagesPort,
    RandomPort,
    RequestCallerPort,
    TriggerInputPort {}

/** The dependencies of counting a message against its limits. */
export interface SendLimitPorts extends CallPort, MacPorts, MessageLimitsPort {}

/** The dependencies of sending a code. */
export interface CodeMessagePorts extends QueuePorts, SendLimitPorts {}

/** The dependencies of queueing a notice. */
export interface NoticePorts extends CodeMessagePorts, SendersPort {}

/** The dependencies of notifying a user and recording the event. */
export interface NotificationPorts extends EventPorts, NoticePorts {}

/** The dependencies of calling the trigger `CustomMessage`. */
export interface CustomMessagePorts extends AppNamePort, MailBrandPort, TriggerPorts {
  /**
   * Whether a message is sent with the pool's text if its trigger `CustomMessage` has no target. By default it waits until the trigger is
   * mapped or the message expires.
   */
  readonly sendsWithoutUnmappedTrigger?: boolean;
  readonly store: Pick<PoolReads, 'pools' | 'users'>;
}

/** The dependencies of delivering queued messages. */
export interface DeliveryAttemptPorts extends CustomMessagePorts, KeyRingPort, SendersPort {
  readonly store: PoolStore;
}
