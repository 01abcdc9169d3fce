import { SendFailure } from '@poolgate/pool';
import fc from 'fast-check';
import { createCrashingStore } from '../../packages/pool/src/testing/crashing-store.ts';
import {
  createRecordingSender,
  openTestMessageQueue,
  type TestMessageQueue,
} from '../../packages/pool/src/testing/test-message-queue.ts';

/** What came of the crashes. */
export interface MessageCrashesFigure {
  readonly rounds: number;
  readonly messages: number;
  readonly delivered: number;
  readonly givenUp: number;
  /** Messages that a recipient got twice, or that are neither delivered nor given up. None may be. */
  readonly faults: readonly string[];
}

/** How a mail server ends the first try of a message. */
type ServerAnswer = 'accepted' | 'retry' | 'refused' | 'silent';

/** One life of a worker that dies at its work. */
interface Crash {
  readonly serverAnswers: readonly ServerAnswer[];
  /** The write around which it dies; it lives on where it needs fewer. */
  readonly write: number;
  readonly isCommitted: boolean;
}

/** A server that is silent keeps its worker waiting until that dies, in the middle of sending. */
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
/** Longer than a message lives. */
const MAX_LIVES = 6;

/**
 * Lets a worker die around a random write while it sends messages, and others finish what it left behind, on one store
 * for all rounds. The same crashes for the same seed.
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

/** Which messages were accepted, by number, once for each time; and how many were given up. */
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
