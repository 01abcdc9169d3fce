import { CommandError, type RunCommand, type Terminal } from '../command-line/command.ts';
import { findReplicasWithoutKey, REPLICA_LIVE_MS } from '../secrets/announce-replica.ts';
import { countOldEncryption, type ReencryptionProgress, reencryptStore, sumCounts } from '../secrets/reencrypt.ts';
import { printList } from './print-list.ts';
import { type CommandContainer, withContainer } from './with-container.ts';

const COLUMNS = ['COLUMN', 'ENCRYPTED AGAIN', 'CHANGED MEANWHILE', 'NOT OPENED'] as const;

const toTableCells = ({ column, rows, changedMeanwhile, undecryptable }: ReencryptionProgress) =>
  [column, rows, changedMeanwhile, undecryptable].map(String);

const toJsonFields = ({ column, rows, changedMeanwhile, undecryptable }: ReencryptionProgress) => ({
  column,
  encrypted_again: rows,
  changed_meanwhile: changedMeanwhile,
  not_opened: undecryptable,
});

const EMPTY = 'Nothing was encrypted with an older secret.';

/** Prints the remaining counts. The exit code is 0 if nothing remains. */
function reportRemaining(
  { older, foreign }: Awaited<ReturnType<typeof countOldEncryption>>,
  { err }: Terminal,
): number {
  const [left, lost] = [sumCounts(older), sumCounts(foreign)];
  if (left > 0) {
    err(
      `${left} values are encrypted with an older secret, because a running service still uses it. Run this command again.`,
    );
  }
  if (lost > 0)
    err(`${lost} values are encrypted with a secret that is not in POOLGATE_SECRET, so they cannot be decrypted.`);
  if (left + lost > 0) return 1;
  err('Everything in the database is encrypted with the first secret in POOLGATE_SECRET.');
  return 0;
}

/** A replica without the secret could decrypt nothing that this command encrypts. */
async function requireSecretEverywhere({ replicas, keyRing, clock }: CommandContainer): Promise<void> {
  const nowMs = clock.now();
  const without = await findReplicasWithoutKey(replicas, keyRing.currentKeyId, nowMs);
  if (without.length === 0) return;
  const names = without.map(({ name, seenAtMs }) => `${name}, seen ${Math.round((nowMs - seenAtMs) / 1000)} s ago`);
  throw new CommandError(
    `these services do not have the first secret in POOLGATE_SECRET, so logins would fail there: ${names.join('; ')}. ` +
      `Restart them with the same POOLGATE_SECRET as this command, and run it again. A service that was killed counts for ${REPLICA_LIVE_MS / 60_000} minutes`,
  );
}

/** Encrypts everything with the first secret, so that the others can be removed. */
export const runSecretsReencrypt: RunCommand = (invocation, terminal) =>
  withContainer(terminal, async (container) => {
    const { encryptedValues, keyRing } = container;
    await requireSecretEverywhere(container);
    const { progress } = terminal;
    const onProgress = progress && (({ column, rows }: ReencryptionProgress) => progress(`${column}: ${rows}`));
    const done = await reencryptStore({ encryptedValues, keyRing, ...(onProgress && { onProgress }) });
    const rows = done.filter((column) => column.rows + column.changedMeanwhile + column.undecryptable > 0);
    await printList(
      { columns: COLUMNS, empty: EMPTY, rows, cells: toTableCells, facts: toJsonFields },
      invocation,
      terminal,
    );
    // A replica may have started in the meantime.
    await requireSecretEverywhere(container);
    return reportRemaining(await countOldEncryption({ encryptedValues, keyRing }), terminal);
  });
