import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restartPostgres } from '../../e2e/proofs/postgres-restarts.ts';
import { ADMIN_BEARER, startServiceProcess } from '../../e2e/support/services/service-process.ts';
import { startPostgresPair } from '../../packages/store/src/testing/postgres-pair.ts';
import { findMedian } from '../rig/statistics.ts';
import type { ProofResult } from './proof.ts';

const ROUNDS = 100;
const CLIENTS = 8;
const RECOVERY_MS = 2_000;

/** Restarts the PostgreSQL of one `poolgate serve` with its own settings, as often as the first argument says. */
export async function provePostgresRestarts(
  tell: (line: string) => void,
  [rounds = String(ROUNDS)]: readonly string[],
): Promise<ProofResult> {
  const pair = await startPostgresPair({ synchronous_commit: 'local' });
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-restarts-'));
  const service = await startServiceProcess(folder, { DATABASE_URL: pair.primaryUrl, POOLGATE_OVERLOAD_MS: undefined });
  const asAdmin = { authorization: `Bearer ${ADMIN_BEARER}` };
  const options = { rounds: Number(rounds), clients: CLIENTS, tell };
  const { answered, refused, created, recoveriesMs, faults } = await restartPostgres(
    { service, asAdmin, pair },
    options,
  );
  await service.stop();
  await pair.stop();
  rmSync(folder, { recursive: true });
  const slow = recoveriesMs.filter((ms) => ms > RECOVERY_MS).map((ms) => `served again only after ${ms.toFixed(0)} ms`);
  return {
    figure: `${recoveriesMs.length} restarts, every other one as by a crash; ${CLIENTS} clients: ${answered} logins, ${refused} refused by 503; ${created} users created and there; served again after ${findMedian(recoveriesMs).toFixed(0)} ms in the median, ${Math.max(...recoveriesMs).toFixed(0)} ms at most; faults: ${faults.length}.`,
    faults: [...faults, ...slow],
  };
}
