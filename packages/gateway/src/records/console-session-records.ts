import type { AdminScope } from '@poolgate/provider';

/** A console session. Its id exists only in the browser's cookie. */
export interface ConsoleSessionRecord {
  /** SHA-256 of the id in hex. The id has 256 random bits. */
  readonly idDigestHex: string;
  /** The admin key that opened it. */
  readonly keyId: string;
  /** The digest of the key's secret, so that the session ends if another secret replaces it under the same id. */
  readonly keyDigestHex: string;
  /** The scopes of the key when it opened the session. */
  readonly scopes: readonly AdminScope[];
  /** The network that opened it, as rate limits count it. */
  readonly network: string;
  readonly createdAtMs: number;
  /** When it was last used, accurate to a minute. */
  readonly seenAtMs: number;
  /** When it ends, despite any activity. */
  readonly endsAtMs: number;
  /** When it ends without further activity; never later than `endsAtMs`. */
  readonly expiresAtMs: number;
}

/** Stores console sessions. */
export interface ConsoleSessionRecords {
  insert(session: ConsoleSessionRecord): Promise<void>;
  /** Finds an active session. */
  find(idDigestHex: string, nowMs: number): Promise<ConsoleSessionRecord | undefined>;
  /** Records that a session was used. */
  touch(idDigestHex: string, seenAtMs: number, expiresAtMs: number): Promise<void>;
  /** Deletes a session. True for exactly one caller. */
  end(idDigestHex: string): Promise<boolean>;
}
