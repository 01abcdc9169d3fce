import { SendFailure } from '@poolgate/pool';
import fc from 'fast-check';
import { createCrashingStore } from '../../packages/pool/src/testing/crashing-store.ts';
import {
  createRecordingSender,
  openTestMessageQueue,
  type TestMessageQueue,
} from '../../packages/pool/src/testing/test-message-queue.ts';

/** The results of the crashes. */
export interface MessageCrashesFigure {
  readonly rounds: number;
  readonly messages: number;
  readonly delivered: number;
  readonly givenUp: number;
  /** Messages that a recipient received twice, or that are neither delivered nor abandoned. Must be empty. */
  readonly faults: readonly string[];
}

/** The mail server's reaction to the first attempt at a message. */
type ServerAnswer = 'accepted' | 'retry' | 'refused' | 'silent';

/** One run of a worker that crashes while working. */
interface Crash {
  readonly serverAnswers: readonly ServerAnswer[];
  /** The write at which it crashes; it continues if it needs fewer. */
  readonly write: number;
  readonly isCommitted: boolean;
}

/** A silent server keeps its worker waiting until it crashes while sending. */
const SERVER_ANSWERS: Readonly<Record<ServerAnswer, () => Promise<void>>> = {
  accepted: () => Promise.resolve(),
  retry: () => Promise.reject(new SendFailure('planted', 'retry')),
  refused: () => Promise.reject(new SendFailure('planted', 'refused')),
  silent: () => new Promise(() => {}),
};

const CRASH = fc.record<Crash>({
  serverAnswers: fc.array(fc.constantFrom<ServerAnswer>('accepted', 'retry', 'refused', 'silent'), {
    minLength: 1,
    maxLength: 4,
  }),
  write: fc.integer({ min: 1, max: 9 }),
  isCommitted: fc.boolean(),
});

const LEASE_MS = 60_000;
/** Longer than the lifetime of a message. */
const MAX_LIVES = 6;

/**
 * Crashes a worker at a random write while it sends messages, and lets others complete its work, on one store for all rounds. The same seed
 * causes the same crashes.
 */
export async function messageCrashes(
  databaseUrl: string,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
  tell: (line: string) => void = () => {},
): Promise<MessageCrashesFigure> {
  const office = await openTestMessageQueue(databaseUrl);
  const sums = { messages: 0, delivered: 0, givenUp: 0 };
  const faults: string[] = [];
  try {
    for (const [index, crash] of fc.sample(CRASH, { seed, numRuns: rounds }).entries()) {
      const { accepted, givenUp } = await oneCrash(office, crash, index);
      sums.messages += crash.serverAnswers.length;
      sums.delivered += accepted.length;
      sums.givenUp += givenUp;
      faults.push(...listFaults(crash, accepted, givenUp).map((fault) => `round ${index}: ${fault}`));
      if ((index + 1) % 100 === 0) tell(`${index + 1} of ${rounds} crashes`);
    }
  } finally {
    await office.close();
  }
  return { rounds, ...sums, faults };
}

/** The accepted messages by number, once per acceptance, and the number of abandoned ones. */
async function oneCrash(office: TestMessageQueue, { serverAnswers, write, isCommitted }: Crash, index: number) {
  const accepted: number[] = [];
  const deadBefore = await countDead(office);
  for (const number of serverAnswers.keys()) {
    const destination = `u${index}-${number}@example.com`;
    await office.enqueue({ username: destination, code: String(number), contact: { channel: 'email', destination } });
  }
  const { store, died, die } = createCrashingStore(office.options.store, { write, isCommitted });
  const first = createRecordingSender(({ code }) => {
    const ending = serverAnswers[Number(code)] ?? 'accepted';
    if (ending === 'accepted') accepted.push(Number(code));
    if (ending === 'silent') die();
    return SERVER_ANSWERS[ending]();
  });
  const woken = office.instance({ email: first.sender }, store).delivery.wake();
  await Promise.race([died, woken]);
  const second = createRecordingSender(async ({ code }) => void accepted.push(Number(code)));
  for (let life = 0; life < MAX_LIVES; life++) {
    office.clock.advance(LEASE_MS);
    await office.instance({ email: second.sender }).delivery.wake();
  }
  return { accepted, givenUp: (await countDead(office)) - deadBefore };
}

async function countDead({ options: context, userPoolId }: TestMessageQueue): Promise<number> {
  return (await context.store.messages.listDead(userPoolId, Number.MAX_SAFE_INTEGER)).length;
}

function listFaults({ serverAnswers }: Crash, accepted: readonly number[], givenUp: number): readonly string[] {
  const twice = accepted.filter((number, at) => accepted.indexOf(number) !== at);
  const unseen = serverAnswers.length - new Set(accepted).size - givenUp;
  return [
    ...twice.map((number) => `message ${number} was sent again`),
    ...(unseen > 0 ? [`${unseen} messages are neither delivered nor given up`] : []),
  ];
}
