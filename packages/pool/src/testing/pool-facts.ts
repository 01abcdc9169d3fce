import { bigIntEngine } from '@poolgate/srp';
import type { KeyRing, PoolContext } from '../context.ts';
import { defaultPoolSettings, newPool } from '../domain/new-pool.ts';
import { type PoolRuntime, runtimeOf } from '../runtime.ts';
import type { PoolRecord } from '../store/records.ts';

/** Seals nothing: it keeps apart what a real ring keeps apart, and can be read in a test. */
const keyRing: KeyRing = {
  seal: (purpose, plaintext, data) => JSON.stringify([purpose, data, Buffer.from(plaintext).toString('hex')]),
  open(purpose, sealed, data) {
    const [sealedPurpose, sealedData, hex] = JSON.parse(sealed);
    if (sealedPurpose !== purpose || sealedData !== data) return undefined;
    return Uint8Array.from(Buffer.from(hex, 'hex'));
  },
};

/** A runtime for parts of the pool that ask no store for anything. */
export function storeless(nowMs = 0): PoolRuntime {
  return runtimeOf({
    engine: bigIntEngine,
    keyRing,
    clock: { now: () => nowMs },
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  } as Partial<PoolContext> as PoolContext);
}

/** A pool with the default settings and a secret of its own. */
export function somePool(context: PoolRuntime): PoolRecord {
  const settings = defaultPoolSettings('https://issuer.example', 'OPTIONAL');
  return newPool(context, { id: 'us-east-1_Test00001', name: 'test', region: 'us-east-1', settings });
}
