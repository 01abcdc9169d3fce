import type { Engine } from '@poolgate/srp';
import type { PoolStore } from './store/pool-store.ts';

/** Milliseconds since the epoch. A parameter, so that tests move time instead of waiting. */
export interface Clock {
  now(): number;
}

/** Cryptographically strong random bytes. */
export type Random = (byteLength: number) => Uint8Array<ArrayBuffer>;

/**
 * Seals what must not lie in the database in clear, with keys that are kept outside it.
 * A sealed text is bound to its purpose and to the associated data; several keys are known while they are being rotated.
 */
export interface KeyRing {
  seal(purpose: string, plaintext: Uint8Array, associatedData: string): string;
  /** Undefined where the text was not sealed by a known key for this purpose and these data. */
  open(purpose: string, sealed: string, associatedData: string): Uint8Array<ArrayBuffer> | undefined;
}

/** A message to a user. It may hold a code: it goes to the sender and nowhere else. */
export interface Message {
  readonly channel: 'email' | 'sms';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly code: string | undefined;
}

/** Delivers messages. Resolves once the message is accepted for delivery. */
export interface Sender {
  send(message: Message): Promise<void>;
}

/** Everything that the pool is given; it reaches for nothing by itself. */
export interface PoolContext {
  readonly store: PoolStore;
  readonly keyRing: KeyRing;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly random: Random;
  /** Undefined: nothing can be sent, and what must send is refused before anything is written. */
  readonly sender: Sender | undefined;
}
