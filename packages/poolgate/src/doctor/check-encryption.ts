import { type EncryptedColumn, inspectStore, openStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import type { Configuration } from '../config/configuration.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { createKeyRing } from '../secrets/key-ring.ts';
import { countOldEncryption, type OldEncryption, sumCounts } from '../secrets/reencrypt.ts';
import { createFault, createOkFinding, createWarning, type Finding } from './findings/finding.ts';

/** How much of the database is encrypted with which secret. The database is neither created nor changed. */
export async function checkEncryption({ settings }: Configuration): Promise<readonly Finding[]> {
  const { secrets, databaseUrl } = settings;
  // A development start has the one secret that it created, or does not start.
  if (secrets === undefined || !(await isSchemaReady(databaseUrl))) return [];
  const { encryptedValues, close } = await openStore(databaseUrl);
  try {
    const found = await countOldEncryption({ encryptedValues, keyRing: createKeyRing(secrets, HOST_SYSTEM.random) });
    return toFindings(found, secrets.length > 1);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return [
      createWarning(
        'Counting the values of each secret timed out.',
        'Run this check again when the database is less busy.',
      ),
    ];
  } finally {
    await close();
  }
}

async function isSchemaReady(databaseUrl: string): Promise<boolean> {
  try {
    const { exists, pending } = await inspectStore(databaseUrl);
    return exists && pending.length === 0;
  } catch (error) {
    if (error instanceof StoreRefused || error instanceof StoreUnavailable) return false;
    throw error;
  }
}

const formatByColumn = (counts: ReadonlyMap<EncryptedColumn, number>): string =>
  [...counts].map(([column, count]) => `${column} ${count}`).join(', ');

function toFindings({ older, foreign }: OldEncryption, hasSeveral: boolean): readonly Finding[] {
  const [left, lost] = [sumCounts(older), sumCounts(foreign)];
  const found: Finding[] = [];
  if (lost > 0) {
    found.push(
      createFault(
        `${lost} values in the database are encrypted with a secret that is not in POOLGATE_SECRET (${formatByColumn(foreign)}).`,
        'Add that secret after the first one and run poolgate secrets reencrypt before you remove it.',
      ),
    );
  }
  if (left > 0) {
    found.push(
      createWarning(
        `${left} values in the database are still encrypted with an older secret (${formatByColumn(older)}).`,
        'Run poolgate secrets reencrypt before you remove the older secret.',
      ),
    );
  }
  if (found.length > 0 || !hasSeveral) return found;
  return [
    createOkFinding('Nothing in the database is encrypted with an older secret, so you can remove the older ones.'),
  ];
}
