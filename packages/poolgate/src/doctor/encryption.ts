import { type EncryptedColumn, inspectStore, openStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import type { Configuration } from '../config/configuration.ts';
import { createKeyRing } from '../secrets/key-ring.ts';
import { countOldEncryption, type OldEncryption, total } from '../secrets/reencrypt.ts';
import { HOST_SYSTEM } from '../system.ts';
import { type Finding, failed, ok, warn } from './finding.ts';

/** How much of the database is encrypted under which secret. It is neither made nor changed. */
export async function checkEncryption({ settings }: Configuration): Promise<readonly Finding[]> {
  const { secrets, databaseUrl } = settings;
  // A development start has the one secret that it made, or does not start.
  if (secrets === undefined || !(await isReady(databaseUrl))) return [];
  const { encryptedValues, close } = await openStore(databaseUrl);
  try {
    const found = await countOldEncryption({ encryptedValues, keyRing: createKeyRing(secrets, HOST_SYSTEM.random) });
    return findings(found, secrets.length > 1);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return [
      warn('What is encrypted under which secret could not be counted in time.', 'Ask again when there is less to do.'),
    ];
  } finally {
    await close();
  }
}

async function isReady(databaseUrl: string): Promise<boolean> {
  try {
    const { exists, pending } = await inspectStore(databaseUrl);
    return exists && pending.length === 0;
  } catch (error) {
    if (error instanceof StoreRefused || error instanceof StoreUnavailable) return false;
    throw error;
  }
}

const byColumn = (counts: ReadonlyMap<EncryptedColumn, number>): string =>
  [...counts].map(([column, count]) => `${column} ${count}`).join(', ');

function findings({ older, foreign }: OldEncryption, hasSeveral: boolean): readonly Finding[] {
  const [left, lost] = [total(older), total(foreign)];
  const found: Finding[] = [];
  if (lost > 0) {
    found.push(
      failed(
        `${lost} values in the database are encrypted under a secret that is not in POOLGATE_SECRET (${byColumn(foreign)}).`,
        'Put that secret behind the first one, and run poolgate secrets reseal before it is taken out again.',
      ),
    );
  }
  if (left > 0) {
    found.push(
      warn(
        `${left} values in the database are still encrypted under an older secret (${byColumn(older)}).`,
        'Run poolgate secrets reseal before the older secret is taken out.',
      ),
    );
  }
  if (found.length > 0 || !hasSeveral) return found;
  return [ok('Nothing in the database is encrypted under an older secret: the older ones can be taken out.')];
}
