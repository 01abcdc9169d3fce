import { restoreBackups } from '../../e2e/proofs/restores.ts';
import type { ProofResult } from './proof.ts';

const ROUNDS = 50;
const CLIENTS = 4;

/** Creates the number of backups in the first argument from a busy service at random moments, and restores each one. */
export async function proveRestores(
  tell: (line: string) => void,
  [rounds = String(ROUNDS)]: readonly string[],
): Promise<ProofResult> {
  const options = { rounds: Number(rounds), clients: CLIENTS, random: Math.random, tell };
  const { restored, lookedFor, faults } = await restoreBackups(options);
  return {
    figure: `${restored} of ${rounds} backups, made at random moments while ${CLIENTS} clients created users, were restored to a service that logs in; ${lookedFor} users whose creation was answered before their backup was begun were looked for; faults: ${faults.length}.`,
    faults,
  };
}
