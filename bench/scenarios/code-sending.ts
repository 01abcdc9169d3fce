import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { deliverAfterCommit } from '../../packages/pool/src/delivery/deliver-after-commit.ts';
import { enqueueMessage } from '../../packages/pool/src/delivery/message-queue.ts';
import { createPool } from '../../packages/pool/src/index.ts';
import type { PoolOptions } from '../../packages/pool/src/operations/pool-options.ts';
import { createPoolPorts } from '../../packages/pool/src/operations/pool-ports.ts';
import { HOST_SYSTEM } from '../../packages/poolgate/src/process/system.ts';
import { createKeyRing } from '../../packages/poolgate/src/secrets/key-ring.ts';
import { openSslEngine as engine } from '../../packages/srp/src/openssl.ts';
import { openStore } from '../../packages/store/src/index.ts';
import { CONCURRENT_CODES, type CodeSender, openSqliteQueue } from '../peers/sqlite-queue.ts';
import type { Contender, Median, Sample, Scenario } from '../rig/scenario.ts';

const ROUND_MS = 1_000;
const LIFETIME_MS = 180_000;

function createSenderContender(name: string, open: (file: string) => Promise<CodeSender>): Contender {
  return {
    name,
    async open(stage) {
      const sending = await open(join(stage.newFolder(), 'queue.db'));
      await sending.send();
      return { pids: [], round: () => sendRound(sending), close: async () => sending.close() };
    },
  };
}

async function sendRound({ send }: CodeSender): Promise<Sample> {
  const before = process.cpuUsage();
  const began = performance.now();
  let codes = 0;
  while (performance.now() - began < ROUND_MS) {
    await send();
    codes += CONCURRENT_CODES;
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: codes / seconds, perCpuSecond: codes / ((user + system) / 1e6) };
}

/** The pool's own queue on a file with full durability, and a sender that takes no time. */
async function openQueue(file: string): Promise<CodeSender> {
  const { poolStore: store, close } = await openStore(`sqlite:${file}`);
  let sent = 0;
  const email = { immediate: true, send: () => Promise.resolve(void sent++) };
  const keyRing = createKeyRing([randomBytes(32).toString('hex')], HOST_SYSTEM.random);
  const options: PoolOptions = {
    ...HOST_SYSTEM,
    store,
    keyRing,
    engine,
    senders: { email },
    auditDays: 90,
    registrationDays: 7,
  };
  const { pool } = await createPool(options).setUp();
  const runtime = createPoolPorts(options);
  const contact = { channel: 'email', destination: 'ada@example.com' } as const;
  const queue = (): Promise<void> => {
    const order = {
      kind: 'mfa',
      contact,
      username: 'ada',
      code: '123456',
      expiresAtMs: Date.now() + LIFETIME_MS,
    } as const;
    return store.write((transaction) => enqueueMessage(runtime, transaction, pool, order));
  };
  return {
    close,
    async send() {
      const due = sent + CONCURRENT_CODES;
      await Promise.all(Array.from({ length: CONCURRENT_CODES }, queue));
      await deliverAfterCommit(runtime);
      if (sent < due) throw new Error(`${due - sent} codes were not sent`);
    },
  };
}

const QUEUE = 'ours: queue and sender';
const FLOOR = 'floor: node:sqlite, 4 commits';

/** How many codes pass from a login through the queue to a sender. */
export const codeSending: Scenario = {
  name: 'code-sending',
  title: `Codes through the queue, ${CONCURRENT_CODES} at once, database on a file with full durability`,
  metrics: [
    { key: 'perSecond', heading: 'codes/s', digits: 0 },
    { key: 'perCpuSecond', heading: 'per CPU', digits: 0, follows: 'rate' },
  ],
  contenders: [createSenderContender(QUEUE, openQueue), createSenderContender(FLOOR, openSqliteQueue)],
  goals: [
    {
      text: `${QUEUE} / ${FLOOR}, codes per second`,
      ratio: (median: Median) => median(QUEUE, 'perSecond') / median(FLOOR, 'perSecond'),
      bound: { atLeast: 0.1 },
    },
  ],
};
