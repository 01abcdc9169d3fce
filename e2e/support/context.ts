import { randomBytes } from 'node:crypto';
import type { GatewayRecords } from '@poolgate/gateway/records';
import type { KeyRing, Message, PoolContext } from '@poolgate/pool';
import { openSslEngine } from '@poolgate/srp/openssl';
import { openStore } from '@poolgate/store';
import { createKeyRing } from '../../packages/poolgate/src/secrets/key-ring.ts';

/** A clock that stands still until it is moved. */
export class TestClock {
  #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }
}

/** What a pool is given, on a real store, with the messages that it sent. */
export interface TestContext {
  readonly context: PoolContext;
  /** The gateway's part of the same store. */
  readonly records: GatewayRecords;
  readonly clock: TestClock;
  /** Oldest first. */
  readonly sent: readonly Message[];
  close(): Promise<void>;
}

const START_MS = Date.UTC(2026, 4, 7, 0, 9, 40);

/** Opens a store for a pool that nobody has set up yet. */
export async function openTestContext(databaseUrl: string): Promise<TestContext> {
  const store = await openStore(databaseUrl);
  const clock = new TestClock(START_MS);
  const random = (byteLength: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(byteLength));
  const keyRing: KeyRing = createKeyRing([randomBytes(32).toString('hex')], random);
  const sent: Message[] = [];
  const sender = {
    async send(message: Message): Promise<void> {
      sent.push(message);
    },
  };
  const context: PoolContext = { store: store.poolStore, keyRing, engine: openSslEngine, clock, random, sender };
  return { context, records: store.records, clock, sent, close: () => store.close() };
}
