import { setTimeout as delay } from 'node:timers/promises';
import { sendRequest } from '../support/requests/exchange.ts';
import type { ConnectionState, TcpProxy } from '../support/services/tcp-proxy.ts';
import { type LedgerTarget, listLostUsers, startLedgerWriter } from '../support/services/write-ledger.ts';

interface NetworkOptions {
  /** The number of times each fault occurs. */
  readonly rounds: number;
  /** The duration of a fault. */
  readonly faultMs: number;
  readonly tell?: (line: string) => void;
}

/** The results of a failing connection to the database. */
interface NetworkFigure {
  readonly created: number;
  readonly refused: number;
  /** The longest wait for a response. */
  readonly longestMs: number;
  /** The longest duration of `/healthz` during a fault. */
  readonly longestHealthMs: number;
  /** The longest time from the end of a fault to the first write. */
  readonly slowestRecoveryMs: number;
  /** Responses that the contract does not allow here, and acknowledged data that is missing. */
  readonly faults: readonly string[];
}

const FAULTS: readonly ConnectionState[] = ['hole', 'reset', 'trickle'];
const WRITERS = 4;
const HEALTH_EVERY_MS = 50;

/** Breaks the connection between a service and its database repeatedly, in each way, while users are created. */
export async function failLine(
  service: LedgerTarget,
  line: Pick<TcpProxy, 'setState'>,
  { rounds, faultMs, tell = () => {} }: NetworkOptions,
): Promise<NetworkFigure> {
  const writers = Array.from({ length: WRITERS }, (_, index) => startLedgerWriter(service, `writer-${index}`));
  const faults: string[] = [];
  let longestHealthMs = 0;
  let slowestRecoveryMs = 0;
  const lookAtHealth = async (): Promise<void> => {
    const began = performance.now();
    const { status } = await sendRequest(service.url, 'GET', '/healthz');
    longestHealthMs = Math.max(longestHealthMs, performance.now() - began);
    if (status !== 200) faults.push(`/healthz is answered by ${status}`);
  };
  const created = (): Promise<unknown> => Promise.all(writers.map((writer) => writer.next('created')));
  await created();
  for (let round = 1; round <= rounds; round += 1) {
    for (const fault of FAULTS) {
      line.setState(fault);
      const end = performance.now() + faultMs;
      while (performance.now() < end) {
        await lookAtHealth();
        await delay(HEALTH_EVERY_MS);
      }
      line.setState('open');
      const began = performance.now();
      await created();
      slowestRecoveryMs = Math.max(slowestRecoveryMs, performance.now() - began);
    }
    tell(`${round} of ${rounds} rounds, served again after ${slowestRecoveryMs.toFixed(0)} ms at most`);
  }
  const ledgers = await Promise.all(writers.map((writer) => writer.stop()));
  const acknowledged = ledgers.flatMap((ledger) => ledger.created);
  faults.push(...ledgers.flatMap(({ others }) => others), ...(await listLostUsers(service, acknowledged)));
  return {
    created: acknowledged.length,
    refused: ledgers.reduce((sum, { refused }) => sum + refused, 0),
    longestMs: Math.max(...ledgers.map(({ longestMs }) => longestMs)),
    longestHealthMs,
    slowestRecoveryMs,
    faults,
  };
}
