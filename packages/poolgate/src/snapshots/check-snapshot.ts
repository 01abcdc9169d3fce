import { stat } from 'node:fs/promises';
import { type CheckSnapshot, readSnapshotNotes, type Store, StoreRefused } from '@poolgate/store';
import type { ServiceKeyRing } from '../secrets/key-ring.ts';

/** A snapshot that a service cannot use. The message is one line for people. */
export class SnapshotError extends Error {
  readonly kind: 'missing' | 'unusable';

  constructor(kind: SnapshotError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SnapshotError';
    this.kind = kind;
  }
}

/** The name of the note that carries the secret of a development store. */
const SECRET_NOTE = 'development_secret';

/** What a snapshot carries so that a store in memory can use it: the secret of a development start, which its data folder also contains. */
export function createSnapshotNotes(developmentSecret: string | undefined): Readonly<Record<string, string>> {
  return developmentSecret === undefined ? {} : { [SECRET_NOTE]: developmentSecret };
}

/**
 * Reads the secret that a snapshot carries; undefined if it was saved with a configured secret.
 * @throws SnapshotError
 */
export async function readSnapshotSecret(path: string): Promise<string | undefined> {
  await requireSnapshotFile(path);
  return (await explainRefusals(path, () => readSnapshotNotes(path)))[SECRET_NOTE];
}

/**
 * Replaces everything in a store with a snapshot.
 * @param check an additional check before anything is changed
 * @throws SnapshotError nothing was changed
 */
export async function restoreSnapshot(
  { snapshots }: Pick<Store, 'snapshots'>,
  path: string,
  keyRing: ServiceKeyRing,
  check: CheckSnapshot = async () => {},
): Promise<void> {
  await requireSnapshotFile(path);
  await explainRefusals(path, () =>
    snapshots.restore(path, async (stored) => {
      const pool = await stored.pools.first();
      if (pool === undefined) throw new SnapshotError('unusable', `The snapshot ${path} contains no user pool.`);
      if (keyRing.findSecretOrigin(pool.secretEncrypted) !== 'known') {
        throw new SnapshotError(
          'unusable',
          `The snapshot ${path} was encrypted with a secret that this service lacks.`,
        );
      }
      await check(stored);
    }),
  );
}

async function requireSnapshotFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new SnapshotError('missing', `The snapshot ${path} does not exist.`);
}

async function explainRefusals<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    throw new SnapshotError('unusable', `The snapshot ${path} cannot be used: ${error.message}.`, error);
  }
}
