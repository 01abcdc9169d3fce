import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { signTexts as signHere } from '@poolgate/pool/signatures';
import { ProviderError } from '@poolgate/provider';
import { createSyncComputations, drawPrivateValue, hashPassword, SrpError, secureRandom } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import type { WriteLogLine } from '../process/log-line.ts';
import { type StartThread, startWorkerThread } from './thread.ts';
import { openThreads, type ThreadOptions, type Threads } from './threads.ts';

const IDENTITY = { poolName: 'Threads1', userIdForSrp: 'ada' };
const HASH = hashPassword(engine, IDENTITY, 'Correct-Horse-1');
const VERIFIER = { saltHex: 'abcdef0123456789', passwordHash: HASH };
const HERE = createSyncComputations(engine);
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const TEXTS = ['one', 'two'].map((text) => ({ text, key: KEYS.privateKey }));

/** A thread that ends with its first task. */
const ENDS_WHEN_ASKED = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { throw new Error('broken'); });",
);

/** A thread that ends at its start. */
const ENDS_AT_ONCE = new URL("data:text/javascript,throw new Error('never up')");

interface Line {
  readonly level: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>> | undefined;
}

interface Opened {
  readonly threads: Threads;
  readonly lines: readonly Line[];
}

function opened(context: TestContext, options: Partial<ThreadOptions> = {}): Opened {
  const lines: Line[] = [];
  const log: WriteLogLine = (level, message, facts) => void lines.push({ level, message, facts });
  const threads = openThreads({ threads: 2, log, computedBeforeStart: 0, ...options });
  context.after(() => threads.close());
  return { threads, lines };
}

/** Starts them, and waits until all of them respond. */
async function running(context: TestContext, options: Partial<ThreadOptions> = {}): Promise<Opened> {
  const started: Promise<void>[] = [];
  const start: StartThread = (events) => {
    let isUp = (): void => {};
    started.push(new Promise((resolve) => (isUp = resolve)));
    const onOnline = (): void => {
      events.onOnline();
      isUp();
    };
    return (options.start ?? startWorkerThread)({ ...events, onOnline });
  };
  const made = opened(context, { ...options, start });
  await made.threads.computations.srp.verifierFor(VERIFIER);
  await Promise.all(started);
  return made;
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof ProviderError && error.reason === 'provider_unavailable' && error.retryAfterSeconds === 1;

test('threads compute the same results as this one', async (context) => {
  const { threads } = await running(context);
  assert.equal(threads.figures().running, 2);
  const { srp, signTexts } = threads.computations;
  const verifier = HERE.verifierFor(VERIFIER);
  assert.deepEqual(await srp.verifierFor(VERIFIER), verifier);
  assert.equal(await srp.matchesVerifier({ ...VERIFIER, verifier }), true);
  assert.equal(await srp.matchesVerifier({ ...VERIFIER, verifier, saltHex: 'ab' }), false);
  const start = HERE.startClient({ aHex: drawPrivateValue(secureRandom) });
  assert.deepEqual(await srp.startClient({ aHex: start.aHex }), start);
  const question = { srpAHex: start.srpAHex, verifier, bHex: drawPrivateValue(secureRandom) };
  const answer = HERE.answerSrpA(question);
  assert.deepEqual(await srp.answerSrpA(question), answer);
  const claim = { ...start, ...VERIFIER, srpBHex: answer.srpBHex, identity: IDENTITY };
  const signed = { ...claim, secretBlockB64: 'AAAA', timestamp: 'Thu May 7 00:09:40 UTC 2026' };
  assert.equal(await srp.passwordClaim(signed), HERE.passwordClaim(signed));
  const signatures = await signTexts(TEXTS);
  for (const [index, { text }] of TEXTS.entries()) {
    const signature = Buffer.from(signatures[index] ?? '', 'base64url');
    assert.ok(verify('RSA-SHA256', Buffer.from(text), KEYS.publicKey, signature));
  }
});

test('what the protocol forbids is the same error from a thread, with the same field', async (context) => {
  const { threads } = await running(context);
  const verifier = HERE.verifierFor(VERIFIER);
  const bHex = drawPrivateValue(secureRandom);
  for (const [input, code, field] of [
    [{ srpAHex: '0', verifier, bHex }, 'public_value_out_of_range', 'SRP_A'],
    [{ srpAHex: 'xyz', verifier, bHex }, 'malformed_hex', 'SRP_A'],
    [{ srpAHex: '2', verifier: Uint8Array.of(1), bHex }, 'weak_verifier', 'PasswordVerifier'],
  ] as const) {
    await assert.rejects(
      async () => threads.computations.srp.answerSrpA(input),
      (error) => error instanceof SrpError && error.code === code && error.field === field,
    );
  }
  assert.equal(threads.figures().lost, 0);
});

test('with one thread the event loop computes', async (context) => {
  const start: StartThread = () => assert.fail('no thread is started');
  const { threads } = opened(context, { threads: 1, start });
  assert.deepEqual(await threads.computations.srp.verifierFor(VERIFIER), HERE.verifierFor(VERIFIER));
  assert.deepEqual(await threads.computations.signTexts(TEXTS), signHere(TEXTS));
  assert.equal(threads.figures().waiting, 0);
});

test('a service that computes little starts no thread', async (context) => {
  const start: StartThread = () => assert.fail('no thread is started');
  const { threads } = opened(context, { start, computedBeforeStart: 5 });
  for (let count = 0; count < 5; count += 1) {
    assert.deepEqual(await threads.computations.signTexts(TEXTS), signHere(TEXTS));
  }
  assert.equal(threads.figures().running, 0);
});

test('a thread that ends refuses its tasks, signs what was decided, and is replaced', async (context) => {
  let started = 0;
  const { threads, lines } = await running(context, {
    threads: 2,
    start: (events) => {
      started += 1;
      return startWorkerThread(events, started <= 2 ? ENDS_WHEN_ASKED : undefined);
    },
  });
  const { srp, signTexts } = threads.computations;
  const lost = [srp.verifierFor(VERIFIER), srp.verifierFor(VERIFIER)];
  const signed = signTexts(TEXTS);
  await Promise.all(lost.map((one) => assert.rejects(Promise.resolve(one), isUnavailable)));
  assert.deepEqual(await signed, signHere(TEXTS));
  assert.deepEqual(await srp.verifierFor(VERIFIER), HERE.verifierFor(VERIFIER));
  assert.equal(threads.figures().lost, 2);
  assert.equal(started, 4);
  const [line] = lines;
  assert.equal(line?.level, 'error');
  assert.deepEqual(line?.facts, { reason: 'Error: broken' });
});

test('if threads cannot be started the event loop computes, and the log says so', async (context) => {
  let started = 0;
  let allEnded = (): void => {};
  const ended = new Promise<void>((resolve) => (allEnded = resolve));
  const { threads, lines } = opened(context, {
    start(events) {
      started += 1;
      const onEnd = (reason: string): void => {
        events.onEnd(reason);
        if (started >= 4 && lines.length === started) allEnded();
      };
      return startWorkerThread({ ...events, onEnd }, ENDS_AT_ONCE);
    },
  });
  assert.deepEqual(await threads.computations.srp.verifierFor(VERIFIER), HERE.verifierFor(VERIFIER));
  await ended;
  assert.deepEqual(await threads.computations.signTexts(TEXTS), signHere(TEXTS));
  assert.equal(threads.figures().running, 0);
  assert.match(lines.at(-1)?.message ?? '', /not replaced/);
});

test('excess tasks are refused with the time to retry, but decided logins are still signed', async (context) => {
  const { threads } = await running(context, { mostWaitingPerThread: 1 });
  const { srp, signTexts } = threads.computations;
  const asked = Array.from({ length: 20 }, async () => srp.verifierFor(VERIFIER));
  const signed = Array.from({ length: 20 }, async () => signTexts(TEXTS));
  const outcomes = await Promise.allSettled(asked);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  // Two are at each thread, and one waits for each.
  assert.equal(refused.length, 14);
  for (const { reason } of refused) assert.ok(isUnavailable(reason));
  assert.equal((await Promise.all(signed)).length, 20);
  const { waiting, busy, refused: counted } = threads.figures();
  assert.deepEqual({ waiting, busy, counted }, { waiting: 0, busy: 0, counted: 14 });
});

test('before the threads run, as many may wait for the event loop as for one thread', async (context) => {
  const { threads } = opened(context, { threads: 8, computedBeforeStart: 100, mostWaitingPerThread: 3 });
  const asked = Array.from({ length: 20 }, async () => threads.computations.srp.verifierFor(VERIFIER));
  const refused = (await Promise.allSettled(asked)).filter((outcome) => outcome.status === 'rejected');
  assert.ok(refused.length >= 16, String(refused.length));
  for (const { reason } of refused) assert.ok(isUnavailable(reason));
});

test('a stop ends the threads, and waiting callers get an error', async (context) => {
  const { threads, lines } = await running(context);
  const asked = Array.from({ length: 10 }, async () => threads.computations.srp.verifierFor(VERIFIER));
  const outcomes = Promise.allSettled(asked);
  await threads.close();
  for (const outcome of await outcomes) assert.ok(outcome.status === 'fulfilled' || isUnavailable(outcome.reason));
  assert.equal(threads.figures().running, 0);
  assert.deepEqual(lines, []);
});

test('a call while the threads are ending is still answered', async (context) => {
  const { threads } = await running(context);
  const ending = threads.close();
  const asked = Array.from({ length: 12 }, () => threads.computations.srp.verifierFor(VERIFIER));
  const signed = threads.computations.signTexts(TEXTS);
  const [ends] = await Promise.all([Promise.allSettled([...asked, signed]), ending]);
  for (const end of ends) if (end.status === 'rejected') assert.ok(end.reason instanceof ProviderError);
  assert.deepEqual([threads.figures().waiting, threads.figures().busy], [0, 0]);
});
