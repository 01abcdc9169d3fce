import type { EncryptedChange, EncryptedColumn, EncryptedValue, EncryptedValues } from '@poolgate/store';
import { ENCRYPTION_PURPOSES } from './encryption-purposes.ts';
import type { ServiceKeyRing } from './key-ring.ts';

/** What was done in one column, so far. */
export interface ReencryptionProgress {
  readonly column: EncryptedColumn;
  /** Rows that are encrypted under the first secret now, and were not before. */
  readonly rows: number;
  /** Rows that somebody else changed meanwhile: what they wrote stands. */
  readonly changedMeanwhile: number;
  /** Rows that none of the secrets decrypts. */
  readonly undecryptable: number;
}

interface ReencryptionOptions {
  readonly encryptedValues: EncryptedValues;
  readonly keyRing: ServiceKeyRing;
  /** Called after each batch. */
  readonly onProgress?: (progress: ReencryptionProgress) => void;
  /** How many rows one write changes. */
  readonly batch?: number;
}

/** A service on the same SQLite file waits no longer than for one write of so many rows. */
const ROWS_PER_BATCH = 100;

/**
 * Encrypts again under the first secret whatever is encrypted under another one. A service may run meanwhile, and so may another
 * run of this: a value is replaced only where it still is what was read. Whoever is interrupted begins again, and finds
 * what is left.
 */
export async function reencryptStore(parts: ReencryptionOptions): Promise<readonly ReencryptionProgress[]> {
  const done: ReencryptionProgress[] = [];
  for (const column of parts.encryptedValues.columns) done.push(await reencryptColumn(parts, column));
  return done;
}

async function reencryptColumn(parts: ReencryptionOptions, column: EncryptedColumn): Promise<ReencryptionProgress> {
  const { encryptedValues, keyRing, onProgress, batch = ROWS_PER_BATCH } = parts;
  let progress: ReencryptionProgress = { column, rows: 0, changedMeanwhile: 0, undecryptable: 0 };
  let after: readonly string[] | undefined;
  while (true) {
    const page = await encryptedValues.page(column, keyRing.currentKeyId, after, batch);
    const old = page.filter((value) =>
      value.ciphertext.some((text) => keyRing.findSecretGeneration(text) !== 'current'),
    );
    const changes = old.flatMap((value) => createEncryptedChange(keyRing, column, value) ?? []);
    const rows = changes.length === 0 ? 0 : await encryptedValues.replace(column, changes);
    progress = {
      column,
      rows: progress.rows + rows,
      changedMeanwhile: progress.changedMeanwhile + changes.length - rows,
      undecryptable: progress.undecryptable + old.length - changes.length,
    };
    onProgress?.(progress);
    if (page.length < batch) return progress;
    after = page.at(-1)?.key;
  }
}

function createEncryptedChange(
  keyRing: ServiceKeyRing,
  column: EncryptedColumn,
  from: EncryptedValue,
): EncryptedChange | undefined {
  const ciphertext = from.ciphertext.map((text) =>
    reencryptText(keyRing, ENCRYPTION_PURPOSES[column], text, from.boundTo),
  );
  return ciphertext.every((text) => text !== undefined) ? { from, ciphertext } : undefined;
}

function reencryptText(
  keyRing: ServiceKeyRing,
  purposes: readonly string[],
  text: string,
  boundTo: string,
): string | undefined {
  if (keyRing.findSecretGeneration(text) === 'current') return text;
  for (const purpose of purposes) {
    const plaintext = keyRing.decrypt(purpose, text, boundTo);
    if (plaintext !== undefined) return keyRing.encrypt(purpose, plaintext, boundTo);
  }
  return undefined;
}

/** How much is encrypted under secrets that are no longer the first one. */
export interface OldEncryption {
  /** Under other secrets of `POOLGATE_SECRET`. */
  readonly older: ReadonlyMap<EncryptedColumn, number>;
  /** Under secrets that are not known here. */
  readonly foreign: ReadonlyMap<EncryptedColumn, number>;
}

/** Counts what is not encrypted under the first secret. */
export async function countOldEncryption({
  encryptedValues,
  keyRing,
}: Pick<ReencryptionOptions, 'encryptedValues' | 'keyRing'>): Promise<OldEncryption> {
  const older = new Map<EncryptedColumn, number>();
  const foreign = new Map<EncryptedColumn, number>();
  for (const { column, keyId, count } of await encryptedValues.count()) {
    // The id of the key is all that is asked for, and what the counts tell.
    const generation = keyRing.findSecretGeneration(`${keyId}.`);
    if (generation === 'current') continue;
    const counts = generation === 'older' ? older : foreign;
    counts.set(column, (counts.get(column) ?? 0) + count);
  }
  return { older, foreign };
}

/** The sum over all columns. */
export function sumCounts(counts: ReadonlyMap<EncryptedColumn, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
