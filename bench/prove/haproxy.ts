import { HAPROXY_VARIABLE, REPLICAS_VARIABLE } from '../../e2e/support/provider/tested-provider.ts';
import { startPostgres } from '../../packages/store/src/testing/postgres.ts';
import { listSkippedOnReplicas, listSuitesOnReplicas } from '../../tools/on-replicas.ts';
import { findDebianProgram } from './debian-programs.ts';
import type { ProofResult } from './proof.ts';
import { runSuites } from './suites.ts';

/** Requests that HAProxy answers or changes itself: one with a repeated header, and one with an invalid host. */
const ANSWERED_BY_HAPROXY = [
  'gets 400 at both entry points, whatever the second value is, and the request has no effect',
  'gets an error in the form of the entry point',
  'sees nothing of the address, the languages or the host',
].map((name) => new RegExp(`^${RegExp.escape(name)}$`));

/** Runs the suites over the routes on two replicas behind Debian's HAProxy, which selects a replica at random. */
export async function proveBehindHaproxy(tell: (line: string) => void, words: readonly string[]): Promise<ProofResult> {
  const suites = listSuitesOnReplicas(words);
  const program = await findDebianProgram('haproxy');
  const postgres = await startPostgres();
  const { tests, passed, failed } = await runSuites(
    suites,
    {
      POOLGATE_TEST_POSTGRES_URL: postgres.adminUrl,
      [REPLICAS_VARIABLE]: '2',
      [HAPROXY_VARIABLE]: program,
    },
    [...listSkippedOnReplicas(), ...ANSWERED_BY_HAPROXY],
  );
  await postgres.stop();
  tell(`${tests} tests`);
  return {
    figure: `${tests} tests of ${suites.length} suites over the routes, at two replicas on PostgreSQL behind HAProxy: ${passed} passed, ${failed.length} failed; ${ANSWERED_BY_HAPROXY.length} left out, whose requests HAProxy answers itself.`,
    faults: failed,
  };
}
