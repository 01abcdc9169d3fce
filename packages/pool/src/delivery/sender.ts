/** The medium by which a message travels. */
export type Channel = 'email' | 'sms';

/** A message to a user. It may hold a code: it goes to the sender and nowhere else. */
export interface Message {
  /** The same at every try, so that a recipient who gets it twice can tell. */
  readonly id: string;
  readonly channel: Channel;
  /** One address, or one telephone number (E.164). */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** The same as HTML; undefined where the channel has none. */
  readonly html: string | undefined;
  readonly code: string | undefined;
}

/** Delivers messages over one channel. */
export interface Sender {
  /**
   * Resolves once the message is accepted for delivery. The signal aborts when the pool stops waiting.
   * @throws {SendFailure} the message was not accepted, or the sender cannot tell
   */
  send(message: Message, signal: AbortSignal): Promise<void>;
  /** True: sending takes no time and fails never, so that a request may wait for it. */
  readonly immediate?: boolean;
}

/** The sender of each channel. What must send over a channel without one is refused before anything is written. */
export type Senders = Readonly<Partial<Record<Channel, Sender>>>;
