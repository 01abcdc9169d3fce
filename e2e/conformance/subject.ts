import type { PoolHandle } from '../../packages/pool/src/testing/test-pool.ts';

/** What a case needs that not every pool has: codes that can be read, text messages as a second factor, passkeys. */
export type Need = 'codes' | 'sms' | 'passkeys';

/** A pool that is to behave as Cognito does, with one app client. */
export interface Subject extends PoolHandle {
  readonly has: ReadonlySet<Need>;
  /** The page on which passkeys are made and used. */
  readonly origin: string;
  /** An address that no user of the pool has. */
  newAddress(): string;
  /** The code that an address was sent last. */
  codeTo(address: string): string;
  /** Settles when so much more time has passed. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** One behaviour of an operation. */
export interface Case {
  /** Goes on after the operation's name. */
  readonly does: string;
  readonly needs?: readonly Need[];
  run(subject: Subject): Promise<void>;
}
