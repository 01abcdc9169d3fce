import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failLine } from '../../e2e/proofs/network-faults.ts';
import { ADMIN_BEARER, startServiceProcess } from '../../e2e/support/services/service-process.ts';
import { startTcpProxy } from '../../e2e/support/services/tcp-proxy.ts';
import { createTestDatabase, withServiceLimits } from '../../packages/store/src/testing/postgres.ts';
import type { ProofResult } from './proof.ts';

const ROUNDS = 10;
const FAULT_MS = 8_000;
/** The service's limits: 5 s for a connection and 4 s for each statement. A request may run a few statements in sequence. */
const LONGEST_MS = 15_000;
const RECOVERY_MS = 10_000;

/** Breaks the network between one `poolgate serve` and its PostgreSQL, as often as the first argument says. */
export async function proveNetworkFaults(
  tell: (line: string) => void,
  [rounds = String(ROUNDS)]: readonly string[],
): Promise<ProofResult> {
  const database = await createTestDatabase();
  const url = new URL(withServiceLimits(database.url));
  const line = await startTcpProxy(Number(url.port));
  url.port = String(line.port);
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-network-'));
  const service = await startServiceProcess(folder, { DATABASE_URL: url.href });
  const written = { url: service.url, asAdmin: { authorization: `Bearer ${ADMIN_BEARER}` } };
  const found = await failLine(written, line, { rounds: Number(rounds), faultMs: FAULT_MS, tell });
  await service.stop();
  await line.close();
  await database.drop();
  rmSync(folder, { recursive: true });
  const { created, refused, longestMs, longestHealthMs, slowestRecoveryMs } = found;
  const faults = [...found.faults];
  if (longestMs > LONGEST_MS) faults.push(`somebody waited for ${longestMs.toFixed(0)} ms`);
  if (slowestRecoveryMs > RECOVERY_MS) faults.push(`served again only after ${slowestRecoveryMs.toFixed(0)} ms`);
  return {
    figure: `${rounds} rounds of a line that stalls, is reset and trickles, each for ${FAULT_MS / 1000} s; ${created} users created and there, ${refused} requests refused by 503; the longest wait ${longestMs.toFixed(0)} ms, of /healthz ${longestHealthMs.toFixed(0)} ms, served again after ${slowestRecoveryMs.toFixed(0)} ms at most; faults: ${faults.length}.`,
    faults,
  };
}
