import type { PoolHandle } from '../../packages/pool/src/testing/test-pool.ts';

/** What a case needs that not every pool has: readable codes, text messages as a second factor, passkeys. */
export type Need = 'codes' | 'sms' | 'passkeys';

/** A pool that must behave like Cognito, with one app client. */
export interface Subject extends PoolHandle {
  readonly has: ReadonlySet<Need>;
  /** The page on which passkeys are registered and used. */
  readonly origin: string;
  /** Returns an unused address. */
  newAddress(): string;
  /** Returns the latest code that an address received. */
  codeTo(address: string): string;
  /** Settles after this much more time has passed. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** One behavior of an operation. */
export interface Case {
  /** Continues the operation's name. */
  readonly does: string;
  readonly needs?: readonly Need[];
  run(subject: Subject): Promise<void>;
}
