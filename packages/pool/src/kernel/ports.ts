/**
 * The small ports of the pool's functions: clock, randomness, events, store. A function's signature lists those that it uses, so that
 * readers and tests see its dependencies.
 */
import type { CallContext } from '@poolgate/provider';
import type { SrpEngine } from '@poolgate/srp';
import type { PoolReads, PoolStore, PoolTransaction, WriteOptions } from '../store/pool-store.ts';
import type { Clock, Timer } from './clock.ts';
import type { SecretCache } from './secret-cache.ts';

/** Cryptographically strong random bytes. */
export type Random = (byteLength: number) => Uint8Array<ArrayBuffer>;

/**
 * Encrypts what the database must not contain in plain text, with keys that are stored elsewhere. An encrypted text is bound to its purpose
 * and its associated data. During a rotation, several keys are known.
 */
export interface KeyRing {
  /** No two results are equal or have the same end, even for one plaintext. */
  encrypt(purpose: string, plaintext: Uint8Array, associatedData: string): string;
  /** Undefined unless a known key encrypted the text for this purpose and data. */
  decrypt(purpose: string, encrypted: string, associatedData: string): Uint8Array<ArrayBuffer> | undefined;
}

/** The source of a request, as far as limits depend on it. */
export interface RequestCaller {
  /** The /48 of an IPv6 address or the /24 of an IPv4 address; empty if there is none. */
  readonly network: string;
  /**
   * Whether the request proved an admin key or an app client's secret. Such a server acts for many users from one network, so each of its
   * users has separate limits.
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

/** Encryption of stored data. */
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

/** The dependencies of writing an event. */
export interface EventPorts extends CallPort, ClockPort, RandomPort {
  /** How long events are kept, in days. */
  readonly auditDays: number;
}

/** The dependencies of decrypting the secrets of pools and clients. */
export interface SecretPorts extends KeyRingPort {
  readonly secretCache: SecretCache;
}

/** The dependencies of computing a MAC with a pool's secret. */
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
