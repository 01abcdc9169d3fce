import type { SealedChange, SealedColumn, SealedValue, SealedValues } from '@poolgate/store';
import type { ServiceKeyRing } from './key-ring.ts';
import { SEALED_PURPOSES } from './sealed-purposes.ts';

/** What was done in one column, so far. */
export interface Resealed {
  readonly column: SealedColumn;
  /** Rows that are encrypted under the first secret now, and were not before. */
  readonly rows: number;
  /** Rows that somebody else changed meanwhile: what they wrote stands. */
  readonly overtaken: number;
  /** Rows that none of the secrets opens. */
  readonly unopened: number;
}

interface ResealParts {
  readonly sealed: SealedValues;
  readonly keyRing: ServiceKeyRing;
  /** Told after each batch. */
  readonly onProgress?: (progress: Resealed) => void;
  /** How many rows one write changes. */
  readonly batch?: number;
}

/** A service on the same SQLite file waits no longer than for one write of so many rows. */
const ROWS_A_BATCH = 100;

/**
 * Encrypts again under the first secret whatever is encrypted under another one. A service may run meanwhile, and so may another
 * run of this: a value is replaced only where it still is what was read. Whoever is interrupted begins again, and finds
 * what is left.
 */
export async function reseal(parts: ResealParts): Promise<readonly Resealed[]> {
  const done: Resealed[] = [];
  for (const column of parts.sealed.columns) done.push(await resealColumn(parts, column));
  return done;
}

async function resealColumn(parts: ResealParts, column: SealedColumn): Promise<Resealed> {
  const { sealed, keyRing, onProgress, batch = ROWS_A_BATCH } = parts;
  let progress: Resealed = { column, rows: 0, overtaken: 0, unopened: 0 };
  let after: readonly string[] | undefined;
  while (true) {
    const page = await sealed.page(column, keyRing.sealingKeyId, after, batch);
    const old = page.filter((value) => value.sealed.some((text) => keyRing.standingOf(text) !== 'current'));
    const changes = old.flatMap((value) => changeOf(keyRing, column, value) ?? []);
    const rows = changes.length === 0 ? 0 : await sealed.replace(column, changes);
    progress = {
      column,
      rows: progress.rows + rows,
      overtaken: progress.overtaken + changes.length - rows,
      unopened: progress.unopened + old.length - changes.length,
    };
    onProgress?.(progress);
    if (page.length < batch) return progress;
    after = page.at(-1)?.key;
  }
}

function changeOf(keyRing: ServiceKeyRing, column: SealedColumn, from: SealedValue): SealedChange | undefined {
  const sealed = from.sealed.map((text) => sealedAgain(keyRing, SEALED_PURPOSES[column], text, from.boundTo));
  return sealed.every((text) => text !== undefined) ? { from, sealed } : undefined;
}

function sealedAgain(
  keyRing: ServiceKeyRing,
  purposes: readonly string[],
  text: string,
  boundTo: string,
): string | undefined {
  if (keyRing.standingOf(text) === 'current') return text;
  for (const purpose of purposes) {
    const opened = keyRing.open(purpose, text, boundTo);
    if (opened !== undefined) return keyRing.seal(purpose, opened, boundTo);
  }
  return undefined;
}

/** How much is encrypted under secrets that are no longer the first one. */
export interface OldSeals {
  /** Under other secrets of `POOLGATE_SECRET`. */
  readonly older: ReadonlyMap<SealedColumn, number>;
  /** Under secrets that are not known here. */
  readonly foreign: ReadonlyMap<SealedColumn, number>;
}

/** Counts what is not encrypted under the first secret. */
export async function oldSeals({ sealed, keyRing }: Pick<ResealParts, 'sealed' | 'keyRing'>): Promise<OldSeals> {
  const older = new Map<SealedColumn, number>();
  const foreign = new Map<SealedColumn, number>();
  for (const { column, keyId, count } of await sealed.count()) {
    // The id of the key is all that is asked for, and what the counts tell.
    const standing = keyRing.standingOf(`${keyId}.`);
    if (standing === 'current') continue;
    const counts = standing === 'older' ? older : foreign;
    counts.set(column, (counts.get(column) ?? 0) + count);
  }
  return { older, foreign };
}

/** The sum over all columns. */
export function total(counts: ReadonlyMap<SealedColumn, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
