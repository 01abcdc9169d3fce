import { enqueueMessage, type OutgoingMessage } from '../delivery/message-queue.ts';
import type { DeliveryReport, Message, Sender, Senders } from '../index.ts';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { PoolStore } from '../store/index.ts';
import { openTestEnvironment, type TestEnvironment } from './test-environment.ts';
import { openTestPoolOn } from './test-pool.ts';

/** A message queue on a real store. */
export interface TestMessageQueue extends TestEnvironment {
  readonly userPoolId: string;
  /** An instance of the pool, by default on the shared store. */
  instance(senders: Senders, store?: PoolStore): PoolPorts;
  /** Queues a message like an operation, without waking the delivery. */
  enqueue(order?: Partial<OutgoingMessage>): Promise<void>;
  dead(): Promise<readonly (string | null)[]>;
  /** Returns the number of pending messages. It looks a lifetime ahead and changes what it finds, so call it last. */
  waiting(): Promise<number>;
}

const LIFETIME_MS = 180_000;

/** Opens a queue on its own database. */
export async function openTestMessageQueue(databaseUrl: string): Promise<TestMessageQueue> {
  const opened = await openTestEnvironment(databaseUrl);
  const { userPoolId } = await openTestPoolOn(opened);
  const ports = createPoolPorts(opened.options);
  const { store, clock } = opened.options;
  return {
    ...opened,
    userPoolId,
    instance: (senders, shared = store) => createPoolPorts({ ...opened.options, senders, store: shared }),
    async enqueue(order = {}) {
      const pool = await requirePool(ports, userPoolId);
      const expiresAtMs = clock.now() + LIFETIME_MS;
      const contact = { channel: 'email', destination: 'ada@example.com' } as const;
      const whole = { kind: 'mfa', contact, username: 'ada', code: '123456', expiresAtMs, ...order } as const;
      await store.write((transaction) => enqueueMessage(ports, transaction, pool, whole));
    },
    dead: async () => (await store.messages.listDead(userPoolId, 100)).map(({ lastFailure }) => lastFailure),
    async waiting() {
      const laterMs = clock.now() + 365 * 86_400_000;
      return (await store.write((transaction) => transaction.messages.lease(laterMs, laterMs + 1, 1000))).length;
    },
  };
}

/** A sender that records its messages and does what the test says. Requests wait for it, so that tests can. */
export function createRecordingSender(act: (message: Message) => Promise<void> = () => Promise.resolve()) {
  const given: Message[] = [];
  const sender: Sender = {
    immediate: true,
    send(message) {
      given.push(message);
      return act(message);
    },
  };
  return { sender, given };
}

/** Records the delivery reports. */
export function createReportCollector(): {
  readonly reports: DeliveryReport[];
  readonly report: (report: DeliveryReport) => void;
} {
  const reports: DeliveryReport[] = [];
  return { reports, report: (report) => void reports.push(report) };
}
