import { bigIntEngine } from '@poolgate/srp';
import type { KeyRing, PoolContext } from '../context.ts';
import { defaultPoolSettings } from '../pools/default-settings.ts';
import { newPool } from '../pools/new-pool.ts';
import { createRuntime, type PoolRuntime } from '../runtime.ts';
import type { PoolRecord } from '../store/records.ts';

/** Encrypts nothing: it keeps apart what a real ring keeps apart, and can be read in a test. */
const keyRing: KeyRing = {
  encrypt: (purpose, plaintext, data) => JSON.stringify([purpose, data, Buffer.from(plaintext).toString('hex')]),
  decrypt(purpose, encrypted, data) {
    const [encryptedPurpose, encryptedData, hex] = JSON.parse(encrypted);
    if (encryptedPurpose !== purpose || encryptedData !== data) return undefined;
    return Uint8Array.from(Buffer.from(hex, 'hex'));
  },
};

/** A runtime for parts of the pool that ask no store for anything. */
export function runtimeWithoutStore(nowMs = 0): PoolRuntime {
  return createRuntime({
    engine: bigIntEngine,
    keyRing,
    clock: { now: () => nowMs },
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  } as Partial<PoolContext> as PoolContext);
}

/** A pool with the default settings and a secret of its own. */
export function testPool(context: PoolRuntime): PoolRecord {
  const settings = defaultPoolSettings('https://issuer.example', 'OPTIONAL');
  return newPool(context, { id: 'us-east-1_Test00001', name: 'test', region: 'us-east-1', settings });
}
