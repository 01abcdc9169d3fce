/**
 * The small ports that functions of the pool take: clock, randomness, events, store. A function lists those it uses in its signature, so
 * that a reader and a test see its needs.
 */
import type { CallContext } from '@poolgate/provider';
import type { SrpEngine } from '@poolgate/srp';
import type { PoolReads, PoolStore, PoolTransaction, WriteOptions } from '../store/pool-store.ts';
import type { Clock, Timer } from './clock.ts';
import type { SecretCache } from './secret-cache.ts';

/** Cryptographically strong random bytes. */
export type Random = (byteLength: number) => Uint8Array<ArrayBuffer>;

/**
 * Encrypts what must not lie in the database in clear, with keys that are kept outside it.
 * An encrypted text is bound to its purpose and to the associated data; several keys are known while they are being rotated.
 */
export interface KeyRing {
  /** No two texts that it gives are alike, or end alike: even of one plaintext. */
  encrypt(purpose: string, plaintext: Uint8Array, associatedData: string): string;
  /** Undefined where the text was not encrypted by a known key for this purpose and these data. */
  decrypt(purpose: string, encrypted: string, associatedData: string): Uint8Array<ArrayBuffer> | undefined;
}

/** Where a request comes from, as far as limits depend on it. */
export interface RequestCaller {
  /** The /48 of an IPv6 address or the /24 of an IPv4 address; empty if there is none. */
  readonly network: string;
  /**
   * Whether the request proved an admin key or the secret of an app client. Such a server acts for many users from one network,
   * so each of its users has limits of their own.
   */
  isProven: boolean;
}

/** The current time. */
export interface ClockPort {
  readonly clock: Clock;
}

/** Random bytes. */
export interface RandomPort {
  readonly random: Random;
}

/** Delayed calls. */
export interface TimerPort {
  readonly timer: Timer;
}

/** Encryption of what the store holds. */
export interface KeyRingPort {
  readonly keyRing: KeyRing;
}

/** SRP's group arithmetic and hashes. */
export interface EnginePort {
  readonly engine: SrpEngine;
}

/** The call being served; the system itself if there is none. */
export interface CallPort {
  readonly call: CallContext;
}

/** The network of the request, and whether it proved a server’s credentials. */
export interface RequestCallerPort {
  readonly caller: RequestCaller;
}

/** What writing an event takes. */
export interface EventPorts extends CallPort, ClockPort, RandomPort {
  /** How long events are kept, in days. */
  readonly auditDays: number;
}

/** What decrypting the secrets of pools and clients takes. */
export interface SecretPorts extends KeyRingPort {
  readonly secretCache: SecretCache;
}

/** What computing a MAC with a pool's secret takes. */
export interface MacPorts extends EnginePort, SecretPorts {}

/** The whole store. */
export interface StorePort {
  readonly store: PoolStore;
}

/** Reads of these aggregates. */
export interface StoreReads<Aggregate extends keyof PoolReads> {
  readonly store: Pick<PoolReads, Aggregate>;
}

/** An atomic write that reaches only these aggregates. */
export type Transaction<Aggregate extends keyof PoolTransaction> = Pick<PoolTransaction, Aggregate>;

/** Atomic writes to these aggregates. */
export interface StoreWrites<Aggregate extends keyof PoolTransaction> {
  readonly store: {
    write<Result>(
      work: (transaction: Transaction<Aggregate>) => Promise<Result>,
      options?: WriteOptions,
    ): Promise<Result>;
  };
}
