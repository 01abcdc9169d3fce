/** A factory for each small port, so that a test names what its subject needs. */
import { randomBytes } from 'node:crypto';
import { bigIntEngine, createSyncComputations } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import type {
  CallPort,
  ClockPort,
  EventPorts,
  KeyRingPort,
  MacPorts,
  RandomPort,
  RequestCallerPort,
} from '../kernel/ports.ts';
import { createSecretCache } from '../kernel/secret-cache.ts';
import type { NewPasswordPorts } from '../proofs/passwords/password-ports.ts';
import { createClientRecord, createPoolRecord } from '../settings/create-pool-record.ts';
import { createDefaultPoolSettings, DEFAULT_CLIENT_SETTINGS } from '../settings/default-settings.ts';
import type { ClientRecord, PoolRecord } from '../store/records.ts';

/** A clock that stands still. */
export function createClockPort(nowMs = 0): ClockPort {
  return { clock: { now: () => nowMs } };
}

export const RANDOM_PORT: RandomPort = { random: (byteLength) => new Uint8Array(randomBytes(byteLength)) };

/** Does not encrypt. It distinguishes what a real key ring distinguishes, and tests can read the result. */
export const KEY_RING_PORT: KeyRingPort = {
  keyRing: {
    encrypt: (purpose, plaintext, data) => JSON.stringify([purpose, data, Buffer.from(plaintext).toString('hex')]),
    decrypt(purpose, encrypted, data) {
      const [encryptedPurpose, encryptedData, hex] = JSON.parse(encrypted);
      if (encryptedPurpose !== purpose || encryptedData !== data) return undefined;
      return Uint8Array.from(Buffer.from(hex, 'hex'));
    },
  },
};

/** Decrypts the secrets of pools with an empty cache. */
export function createMacPorts(): MacPorts {
  return { ...KEY_RING_PORT, engine: bigIntEngine, secretCache: createSecretCache(createClockPort().clock) };
}

/** Hashes passwords with OpenSSL, and knows no leaked ones. */
export function createPasswordPorts(nowMs = 0): NewPasswordPorts {
  const engine = openSslEngine;
  return { ...createClockPort(nowMs), ...KEY_RING_PORT, ...RANDOM_PORT, engine, srp: createSyncComputations(engine) };
}

export const CALL_PORT: CallPort = { call: { requestId: 'test', sourceAddress: '127.0.0.1' } };

/** Records events of {@link CALL_PORT}. */
export function createEventPorts(nowMs = 0): EventPorts {
  return { ...CALL_PORT, ...createClockPort(nowMs), ...RANDOM_PORT, auditDays: 90 };
}

/** A request without a network that has proven nothing. */
export function createRequestCallerPort(): RequestCallerPort {
  return { caller: { network: '', isProven: false } };
}

/** Records events and queues notices, for channels without a sender. */
export function createNotificationPorts(nowMs = 0): NotificationPorts {
  const queue = { ...createRequestCallerPort(), triggerInput: {}, undelivered: { isAny: false } };
  return { ...createEventPorts(nowMs), ...createMacPorts(), ...queue, senders: {} };
}

/** A pool with the default settings and its own secret. */
export function createTestPoolRecord({ keyRing }: KeyRingPort = KEY_RING_PORT): PoolRecord {
  const settings = createDefaultPoolSettings('https://issuer.example', 'OPTIONAL');
  const ports = { ...createClockPort(), ...RANDOM_PORT, keyRing };
  return createPoolRecord(ports, { id: 'us-east-1_Test00001', name: 'test', region: 'us-east-1', settings });
}

/** A client of such a pool with the default settings, public unless a secret is given. */
export function createTestClientRecord({ id: poolId }: PoolRecord, id = 'client', secret?: string): ClientRecord {
  const ports = { ...createClockPort(), ...KEY_RING_PORT };
  return createClientRecord(ports, { poolId, id, name: 'test', settings: DEFAULT_CLIENT_SETTINGS }, secret);
}
