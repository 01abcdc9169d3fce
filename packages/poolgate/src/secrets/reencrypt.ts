import type { EncryptedChange, EncryptedColumn, EncryptedValue, EncryptedValues } from '@poolgate/store';
import { ENCRYPTION_PURPOSES } from './encryption-purposes.ts';
import type { ServiceKeyRing } from './key-ring.ts';

/** The progress in one column. */
export interface ReencryptionProgress {
  readonly column: EncryptedColumn;
  /** Rows that were encrypted again with the first secret. */
  readonly rows: number;
  /** Rows that another process changed meanwhile: its values stay. */
  readonly changedMeanwhile: number;
  /** Rows that none of the secrets decrypts. */
  readonly undecryptable: number;
}

interface ReencryptionOptions {
  readonly encryptedValues: EncryptedValues;
  readonly keyRing: ServiceKeyRing;
  /** Called after each batch. */
  readonly onProgress?: (progress: ReencryptionProgress) => void;
  /** The maximum number of rows per write. */
  readonly batch?: number;
}

/** A service on the same SQLite file waits at most for one write of this many rows. */
const ROWS_PER_BATCH = 100;

/**
 * Encrypts all values again that are not encrypted with the first secret. A service, or another run, may work at the same time: a value is
 * replaced only if it has not changed since it was read. After an interruption, start again: the next run finds what is left.
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

/** The number of values that are encrypted with secrets other than the first. */
export interface OldEncryption {
  /** With other secrets of `POOLGATE_SECRET`. */
  readonly older: ReadonlyMap<EncryptedColumn, number>;
  /** With unknown secrets. */
  readonly foreign: ReadonlyMap<EncryptedColumn, number>;
}

/** Counts the values that are not encrypted with the first secret. */
export async function countOldEncryption({
  encryptedValues,
  keyRing,
}: Pick<ReencryptionOptions, 'encryptedValues' | 'keyRing'>): Promise<OldEncryption> {
  const older = new Map<EncryptedColumn, number>();
  const foreign = new Map<EncryptedColumn, number>();
  for (const { column, keyId, count } of await encryptedValues.count()) {
    // Only the key id is checked, and only the counts are returned.
    const generation = keyRing.findSecretGeneration(`${keyId}.`);
    if (generation === 'current') continue;
    const counts = generation === 'older' ? older : foreign;
    counts.set(column, (counts.get(column) ?? 0) + count);
  }
  return { older, foreign };
}

/** Returns the sum over all columns. */
export function sumCounts(counts: ReadonlyMap<EncryptedColumn, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
