import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RateFigure, RateOptions } from '../../e2e/proofs/overload.ts';
import { fillPoolgate, poolgateProgram } from '../peers/poolgate.ts';
import { BINDING, prefixWithLoadCore } from '../rig/cores.ts';
import { startServer } from '../rig/server.ts';
import { findMedian, findQuantile } from '../rig/statistics.ts';
import { createAccounts, USERS } from '../scenarios/login-server.ts';
import type { ProofResult } from './proof.ts';

const SECONDS = 20;
const WARM_UP_SECONDS = 5;
/** The rates of the search for the peak: each is a quarter above the last, until three of them bring no more responses. */
const FIRST_RATE = 50;
const STEP = 1.25;
const PROBE_SECONDS = 4;
/** A single step may be noise. */
const STEPS_WITHOUT_MORE = 3;
const OVERLOAD = 5;
const LEAST_GOODPUT = 0.85;
const MOST_HEALTH_MS = 100;

interface Sender {
  send(options: RateOptions): Promise<RateFigure>;
  close(): Promise<void>;
}

function startSender(): Sender {
  const program = fileURLToPath(new URL('./overload-load.ts', import.meta.url));
  const [command = '', ...words] = prefixWithLoadCore([process.execPath, program]);
  const child: ChildProcess = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return {
    async send(options) {
      child.send(options);
      const [figure] = await once(child, 'message');
      return figure as RateFigure;
    },
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** Returns the maximum number of responses per second, at any rate. */
async function findPeakRate(rate: (perSecond: number, seconds: number) => Promise<RateFigure>): Promise<number> {
  let best = 0;
  let stepsWithoutMore = 0;
  for (let perSecond = FIRST_RATE; stepsWithoutMore < STEPS_WITHOUT_MORE; perSecond *= STEP) {
    const { goodPerSecond } = await rate(perSecond, PROBE_SECONDS);
    stepsWithoutMore = goodPerSecond > best * 1.02 ? 0 : stepsWithoutMore + 1;
    best = Math.max(best, goodPerSecond);
  }
  return best;
}

/** Sends logins at five times the rate that a service can handle. Service and load are each bound to a core. */
export async function proveOverload(
  tell: (line: string) => void,
  [seconds = String(SECONDS)]: readonly string[],
): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-overload-'));
  const program = await poolgateProgram(folder);
  const running = await startServer(program);
  const sender = startSender();
  try {
    const { accounts: filled } = await fillPoolgate(running.url, createAccounts(USERS));
    const bodies = filled.map(({ username, password }) => ({ username, password }));
    const rate = (perSecond: number, during: number): Promise<RateFigure> =>
      sender.send({ url: running.url, bodies, perSecond, seconds: during });
    await rate(FIRST_RATE, WARM_UP_SECONDS);
    const peak = await findPeakRate(rate);
    tell(`at most ${peak.toFixed(0)} logins a second`);
    const found = await rate(peak * OVERLOAD, Number(seconds));
    const after = await rate(peak / 2, PROBE_SECONDS);
    const share = found.goodPerSecond / peak;
    const health = {
      p50: findMedian(found.healthMs),
      p99: findQuantile(found.healthMs, 0.99),
      most: Math.max(...found.healthMs),
      new: findQuantile(found.newHealthMs, 0.99),
    };
    const faults = [...found.faults, ...after.faults];
    if (share < LEAST_GOODPUT) faults.push(`${(share * 100).toFixed(0)} % of the peak are answered`);
    if (health.p99 > MOST_HEALTH_MS) faults.push(`/healthz takes ${health.p99.toFixed(0)} ms (p99)`);
    if (after.refused > 0) faults.push(`${after.refused} are refused when it is over`);
    return {
      figure: `peak ${peak.toFixed(0)} logins a second; at ${found.sentPerSecond.toFixed(0)} a second for ${seconds} s ${found.goodPerSecond.toFixed(0)} are answered, ${(share * 100).toFixed(0)} % of the peak, after ${findMedian(found.goodMs).toFixed(0)} ms (p50) and ${findQuantile(found.goodMs, 0.99).toFixed(0)} ms (p99); /healthz ${health.p50.toFixed(0)} ms (p50), ${health.p99.toFixed(0)} ms (p99), ${health.most.toFixed(0)} ms at most, and by a new connection each time ${health.new.toFixed(0)} ms (p99); refused by 503: ${found.refused}; ${BINDING}.`,
      faults,
    };
  } finally {
    await sender.close();
    await running.stop();
    rmSync(folder, { recursive: true });
  }
}
