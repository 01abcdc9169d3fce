import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acknowledgeAtBoth, type FailOverFigure, failOver } from '../../e2e/proofs/fail-overs.ts';
import { ADMIN_BEARER, startServiceProcess } from '../../e2e/support/services/service-process.ts';
import { startPostgresPair } from '../../packages/store/src/testing/postgres-pair.ts';
import { findMedian } from '../rig/statistics.ts';
import type { ProofResult } from './proof.ts';

const ROUNDS = 20;
const CLIENTS = 4;
const RECOVERY_MS = 10_000;

async function runFailOver(how: 'immediate' | undefined): Promise<FailOverFigure> {
  const pair = await startPostgresPair({ synchronous_commit: 'on' });
  await acknowledgeAtBoth(pair);
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-fail-over-'));
  const settings = { DATABASE_URL: pair.url, POOLGATE_OVERLOAD_MS: undefined };
  const services = [await startServiceProcess(folder, settings), await startServiceProcess(folder, settings)];
  try {
    const asAdmin = { authorization: `Bearer ${ADMIN_BEARER}` };
    return await failOver({ services, asAdmin, pair }, { clients: CLIENTS, ...(how && { how }) });
  } finally {
    for (const service of services) await service.stop();
    await pair.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Fails two `poolgate serve` over from one real cluster to another, as often as the first argument says, always on new clusters. */
export async function proveFailOvers(
  tell: (line: string) => void,
  [rounds = String(ROUNDS)]: readonly string[],
): Promise<ProofResult> {
  const figures: FailOverFigure[] = [];
  for (let index = 0; index < Number(rounds); index += 1) {
    const figure = await runFailOver(index % 2 === 1 ? 'immediate' : undefined);
    figures.push(figure);
    tell(`fail-over ${index + 1} of ${rounds}: served again after ${figure.recoveryMs.toFixed(0)} ms`);
  }
  const sum = (of: (figure: FailOverFigure) => number): number => figures.reduce((total, each) => total + of(each), 0);
  const recoveries = figures.map(({ recoveryMs }) => recoveryMs);
  const slow = recoveries.filter((ms) => ms > RECOVERY_MS).map((ms) => `served again only after ${ms.toFixed(0)} ms`);
  const faults = [...figures.flatMap((figure) => figure.faults), ...slow];
  return {
    figure: `${figures.length} fail-overs between two clusters, every other one after a crash, with synchronous replication; two services: ${sum(({ answered }) => answered)} logins, ${sum(({ refused }) => refused)} refused by 503; ${sum(({ created }) => created)} users created and there, none in the primary of before; served again after ${findMedian(recoveries).toFixed(0)} ms in the median, ${Math.max(...recoveries).toFixed(0)} ms at most from the promotion; faults: ${faults.length}.`,
    faults,
  };
}
