import { countOldEncryption, type ReencryptionProgress, reencrypt, total } from '../secrets/reencrypt.ts';
import type { Run, Terminal } from './command.ts';
import { printList } from './listing.ts';
import { withContainer } from './with-container.ts';

const COLUMNS = ['COLUMN', 'ENCRYPTED AGAIN', 'CHANGED MEANWHILE', 'NOT OPENED'] as const;

const cells = ({ column, rows, overtaken, unopened }: ReencryptionProgress) =>
  [column, rows, overtaken, unopened].map(String);

const facts = ({ column, rows, overtaken, unopened }: ReencryptionProgress) => ({
  column,
  encrypted_again: rows,
  changed_meanwhile: overtaken,
  not_opened: unopened,
});

const EMPTY = 'Nothing was encrypted under an older secret.';

/** What is left after the work: the exit code is 0 where nothing is. */
function exitCodeOf({ older, foreign }: Awaited<ReturnType<typeof countOldEncryption>>, { err }: Terminal): number {
  const [left, lost] = [total(older), total(foreign)];
  if (left > 0) {
    err(`${left} values are under an older secret: a service that still encrypts with it wrote them. Run this again.`);
  }
  if (lost > 0) err(`${lost} values are under a secret that is not in POOLGATE_SECRET: nothing here opens them.`);
  if (left + lost > 0) return 1;
  err('Everything in the database is encrypted under the first secret of POOLGATE_SECRET.');
  return 0;
}

/** Encrypts everything under the first secret, so that the others can be taken out. */
export const secretsReseal: Run = (invocation, terminal) =>
  withContainer(terminal, async ({ encryptedValues, keyRing }) => {
    const { progress } = terminal;
    const onProgress = progress && (({ column, rows }: ReencryptionProgress) => progress(`${column}: ${rows}`));
    const done = await reencrypt({ encryptedValues, keyRing, ...(onProgress && { onProgress }) });
    const rows = done.filter((column) => column.rows + column.overtaken + column.unopened > 0);
    await printList({ columns: COLUMNS, empty: EMPTY, rows, cells, facts }, invocation, terminal);
    return exitCodeOf(await countOldEncryption({ encryptedValues, keyRing }), terminal);
  });
