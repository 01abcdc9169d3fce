import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendBadRequests } from '../../e2e/proofs/bad-requests.ts';
import { killRounds } from '../../e2e/proofs/kills.ts';
import { messageCrashes } from '../../e2e/proofs/message-crashes.ts';
import { runModel } from '../../e2e/proofs/model.ts';
import { startServiceProcess } from '../../e2e/support/service-process.ts';
import { bigIntEngine } from '../../packages/srp/src/index.ts';
import { openSslEngine } from '../../packages/srp/src/openssl.ts';
import { compareWithAmazon } from '../../packages/srp/src/testing/against-amazon.ts';

/** What a proof found. */
export interface Outcome {
  /** One sentence with the numbers. */
  readonly figure: string;
  /** What contradicts the claim. */
  readonly faults: readonly string[];
}

/** A long proof. The test run does a twentieth of it through the same functions. */
export interface Proof {
  readonly claim: string;
  run(tell: (line: string) => void): Promise<Outcome>;
}

const CASES = 1_000;
const KILLS = 200;
const BAD_REQUESTS = 12_000;
const MESSAGE_CRASHES = 1_000;
const MODEL_RUNS = 10_000;
const MODEL_ACTS = 50;

/** Every proof by the name that the command takes. */
export const PROOFS: Readonly<Record<string, Proof>> = {
  'srp-vs-amazon': {
    claim: 'Our SRP agrees with unmodified amazon-cognito-identity-js in A, u and K, on client and server.',
    run: srpAgainstAmazon,
  },
  kills: {
    claim: 'A kill -9 during logins and sign-ups loses nothing that was answered, and the file opens clean.',
    run: kills,
  },
  'bad-requests': {
    claim: 'No bad request is answered with a status of 500 or above, and every error is a problem of the contract.',
    run: badRequests,
  },
  'message-crashes': {
    claim: 'A crash at any moment of sending sends no message twice, and none is lost without being given up visibly.',
    run: crashes,
  },
  model: {
    claim: 'The service agrees with its model after every act of random logins, answers, changes and attacks.',
    run: model,
  },
};

/** In portions, each with a seed of its own, so that a long run shows that it lives. */
function srpAgainstAmazon(tell: (line: string) => void): Promise<Outcome> {
  const portion = 100;
  const engines = [openSslEngine, bigIntEngine];
  const faults: string[] = [];
  for (let done = 0; done < CASES; done += portion) {
    const engine = engines[(done / portion) % engines.length] ?? openSslEngine;
    faults.push(...compareWithAmazon(engine, `${crypto.randomUUID()} (${engine.name})`, portion));
    tell(`${done + portion} of ${CASES} cases`);
  }
  const figure = `${CASES} random logins, alternately with both engines: ${faults.length} values differ.`;
  return Promise.resolve({ figure, faults });
}

async function kills(): Promise<Outcome> {
  const { rounds, loginsAnswered, signUpsAnswered, confirmationsAnswered, lost, unclean } = await killRounds(KILLS);
  const answered = `${loginsAnswered} logins, ${signUpsAnswered} sign-ups, ${confirmationsAnswered} confirmations`;
  const figure = `${rounds} kills; answered before: ${answered}; lost: ${lost.length}; unclean files: ${unclean.length}.`;
  return { figure, faults: [...lost, ...unclean] };
}

async function badRequests(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-bad-requests-'));
  const service = await startServiceProcess(folder);
  try {
    const seed = Math.trunc(Date.now() / 1000);
    const { sent, statuses, faults } = await sendBadRequests(service.url, seed, BAD_REQUESTS);
    const answered = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
    return {
      figure: `${sent} bad requests of seed ${seed}; ${answered.join(', ')}; faults: ${faults.length}.`,
      faults,
    };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

async function crashes(tell: (line: string) => void): Promise<Outcome> {
  const seed = Math.trunc(Date.now() / 1000);
  const extent = { rounds: MESSAGE_CRASHES, seed };
  const { messages, delivered, givenUp, faults } = await messageCrashes('sqlite::memory:', extent, tell);
  const figure = `${MESSAGE_CRASHES} crashes of seed ${seed}; ${messages} messages, ${delivered} delivered, ${givenUp} given up or in doubt; faults: ${faults.length}.`;
  return { figure, faults };
}

/** A run that contradicts the model ends the proof: its shortest form is the fault. */
async function model(tell: (line: string) => void): Promise<Outcome> {
  const seed = Math.trunc(Date.now() / 1000);
  try {
    const { runs, acts, missed } = await runModel({ runs: MODEL_RUNS, acts: MODEL_ACTS, seed }, tell);
    const figure = `${runs} runs of ${acts} acts, seed ${seed}; rows of the table that none went through: ${missed.length}.`;
    return { figure, faults: missed.map((id) => `no run went through ${id}`) };
  } catch (error) {
    return {
      figure: `Seed ${seed} contradicts the model.`,
      faults: [error instanceof Error ? error.message : `${error}`],
    };
  }
}
