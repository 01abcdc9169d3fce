/** The medium of a message. */
export type Channel = 'email' | 'sms';

/** A message to a user. It may contain a code, so only the sender may see it. */
export interface Message {
  /** The same at every attempt, so that a recipient can recognize duplicates. */
  readonly id: string;
  readonly channel: Channel;
  /** An email address or a phone number (E.164). */
  readonly to: string;
  /** A single line. */
  readonly subject: string;
  readonly text: string;
  /** The same as HTML; undefined for channels without HTML. */
  readonly html: string | undefined;
  readonly code: string | undefined;
}

/** Delivers messages over a channel. */
export interface Sender {
  /**
   * Resolves once the message is accepted for delivery. The signal aborts when the pool stops waiting.
   * @throws {SendFailure} the message was not accepted, or the sender cannot tell
   */
  send(message: Message, signal: AbortSignal): Promise<void>;
  /** True if sending takes no time and never fails, so that a request may wait for it. */
  readonly immediate?: boolean;
}

/** The sender of each channel. An operation that must use a channel without a sender fails before it writes anything. */
export type Senders = Readonly<Partial<Record<Channel, Sender>>>;
