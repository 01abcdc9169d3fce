import { setTimeout as delay } from 'node:timers/promises';
import type { startPostgresPair } from '../../packages/store/src/testing/postgres-pair.ts';
import { sendRequest } from '../support/requests/exchange.ts';
import { startKeepAliveClients } from '../support/services/keep-alive-clients.ts';
import { listLostUsers, startLedgerWriter } from '../support/services/write-ledger.ts';

/** The requests, and the restarted server. */
interface Restarted {
  readonly service: { readonly url: string };
  /** Headers with access to admin routes. */
  readonly asAdmin: Readonly<Record<string, string>>;
  readonly pair: Pick<Awaited<ReturnType<typeof startPostgresPair>>, 'stopPrimary' | 'startPrimary'>;
}

interface RestartOptions {
  readonly rounds: number;
  readonly clients: number;
  readonly tell?: (line: string) => void;
}

/** The results. */
interface RestartsFigure {
  /** Logins with a 200 response, and rejected requests. */
  readonly answered: number;
  readonly refused: number;
  /** Users whose creation returned 201. */
  readonly created: number;
  /** For each restart, the time from the server's first accepted connection to the first login with a 200 response. */
  readonly recoveriesMs: readonly number[];
  /** Responses other than 200 and 503, requests without a response, and created users who are missing. */
  readonly faults: readonly string[];
}

const LOGIN = { method: 'POST', path: '/login', body: { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' } };
const LONGEST_MS = 60_000;
/** A moment of load before each restart. */
const MOST_BETWEEN_MS = 100;

/** Restarts a service's PostgreSQL repeatedly, every other time like a crash, while clients log in and users are created. */
export async function restartPostgres(
  { service, asAdmin, pair }: Restarted,
  { rounds, clients, tell = () => {} }: RestartOptions,
): Promise<RestartsFigure> {
  const load = startKeepAliveClients(service.url, clients, () => LOGIN);
  const written = { url: service.url, asAdmin };
  const writer = startLedgerWriter(written, 'acknowledged');
  const recoveriesMs: number[] = [];
  const faults: string[] = [];
  const logsIn = async (): Promise<boolean> =>
    (await sendRequest(service.url, LOGIN.method, LOGIN.path, { body: LOGIN.body })).status === 200;
  const restartAll = async (): Promise<void> => {
    await load.warm;
    for (let round = 0; round < rounds; round += 1) {
      await pair.stopPrimary(round % 2 === 1 ? 'immediate' : undefined);
      while (await logsIn());
      await pair.startPrimary();
      const began = performance.now();
      while (!(await logsIn()) && performance.now() - began < LONGEST_MS) await delay(2);
      recoveriesMs.push(performance.now() - began);
      tell(`restart ${round + 1} of ${rounds}: served again after ${recoveriesMs.at(-1)?.toFixed(0)} ms`);
      await delay((round % 5) * (MOST_BETWEEN_MS / 5));
    }
  };
  await restartAll().catch((error: Error) => faults.push(error.message));
  const { answered, others, lost } = await load.stop();
  const { created, others: unexpected } = await writer.stop();
  faults.push(...lost, ...others.filter((answer) => !IS_REFUSAL.test(answer)), ...unexpected);
  faults.push(...(await listLostUsers(written, created)));
  return { answered, refused: others.length, created: created.length, recoveriesMs, faults };
}

const IS_REFUSAL = /^503 .*"code":"unavailable"/;
