import { randomBytes } from 'node:crypto';
import { openSslEngine } from '@poolgate/srp/openssl';
import { openStore, type Store } from '@poolgate/store';
import type { Clock, Message, PoolOptions, Sender, Timer } from '../index.ts';
import { createAwaitedWriteStore } from './awaited-write-store.ts';
import { createTestKeyRing } from './test-key-ring.ts';
import { TEST_PROTOCOL } from './test-protocol.ts';

/** A clock that stands still until a test moves it. */
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

/** A timer on a {@link TestClock}. Nothing runs until a test calls it. */
export class TestTimer implements Timer {
  readonly #clock: Clock;
  readonly #waiting = new Set<{ readonly atMs: number; readonly run: () => void }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(delayMs: number, run: () => void): () => void {
    const entry = { atMs: this.#clock.now() + delayMs, run };
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  }

  /** When the next one is due; undefined if none waits. */
  get nextAtMs(): number | undefined {
    const times = Array.from(this.#waiting, ({ atMs }) => atMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Runs what is due. */
  runDue(): void {
    for (const entry of [...this.#waiting]) {
      if (entry.atMs <= this.#clock.now() && this.#waiting.delete(entry)) entry.run();
    }
  }
}

/** A pool's dependencies on a real store, with the messages that it sent. */
export interface TestEnvironment {
  readonly options: PoolOptions;
  /** The gateway's part of the same store. */
  readonly records: Store['records'];
  readonly clock: TestClock;
  readonly timer: TestTimer;
  /** Oldest first. */
  readonly sent: readonly Message[];
  close(): Promise<void>;
}

const START_MS = Date.UTC(2026, 4, 7, 0, 9, 40);

/** Opens a store for a pool that is not set up yet. */
export async function openTestEnvironment(databaseUrl: string): Promise<TestEnvironment> {
  const store = await openStore(databaseUrl);
  const clock = new TestClock(START_MS);
  const random = (byteLength: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(byteLength));
  const timer = new TestTimer(clock);
  const sent: Message[] = [];
  const sender: Sender = {
    immediate: true,
    async send(message: Message): Promise<void> {
      sent.push(message);
    },
  };
  const context: PoolOptions = {
    store: createAwaitedWriteStore(store.poolStore),
    keyRing: createTestKeyRing(),
    engine: openSslEngine,
    clock,
    random,
    timer,
    senders: { email: sender, sms: sender },
    identityProviderProtocol: TEST_PROTOCOL,
    auditDays: 90,
    registrationDays: 7,
  };
  return { options: context, records: store.records, clock, timer, sent, close: () => store.close() };
}
