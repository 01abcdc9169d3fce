import { bigIntEngine } from '@poolgate/srp';
import type { KeyRing } from '../kernel/ports.ts';
import type { PoolOptions } from '../operations/pool-options.ts';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { createPoolRecord } from '../settings/create-pool-record.ts';
import { createDefaultPoolSettings } from '../settings/default-settings.ts';
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

/** A ports for parts of the pool that ask no store for anything. */
export function portsWithoutStore(nowMs = 0): PoolPorts {
  return createPoolPorts({
    engine: bigIntEngine,
    keyRing,
    clock: { now: () => nowMs },
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  } as Partial<PoolOptions> as PoolOptions);
}

/** A pool with the default settings and a secret of its own. */
export function createTestPoolRecord(ports: PoolPorts): PoolRecord {
  const settings = createDefaultPoolSettings('https://issuer.example', 'OPTIONAL');
  return createPoolRecord(ports, { id: 'us-east-1_Test00001', name: 'test', region: 'us-east-1', settings });
}
