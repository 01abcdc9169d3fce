import type { AdminScope } from '@poolgate/provider';

/** A privileged backend identity. */
export interface AdminKeyRecord {
  /** Lowercase letters and digits, no underscore. */
  readonly id: string;
  /** SHA-256 of the secret in hex. The secret has 256 random bits. */
  readonly secretDigestHex: string;
  /** The encrypted secret itself, because Signature V4 needs it to verify. */
  readonly signingSecretEncrypted: string;
  readonly scopes: readonly AdminScope[];
  readonly label: string;
  readonly createdAtMs: number;
  /** When it expires, or the first key in the chain of its creators. */
  readonly expiresAtMs: number;
  readonly lastUsedAtMs: number | null;
  /** The id of the key that created it over HTTP; null if the operator did. */
  readonly createdBy: string | null;
  /** When it was revoked, or a key in the chain of its creators. */
  readonly revokedAtMs: number | null;
}

/** Stores admin keys. */
export interface AdminKeyRecords {
  insert(key: AdminKeyRecord): Promise<void>;
  find(id: string): Promise<AdminKeyRecord | undefined>;
  /** All keys, oldest first. */
  list(): Promise<readonly AdminKeyRecord[]>;
  /** Records the use of a key. Of simultaneous uses, the latest one is kept. */
  touch(id: string, nowMs: number): Promise<void>;
  revoke(id: string, nowMs: number): Promise<boolean>;
  /** Lets an active key expire at this time, unless it expires earlier. The keys that it created expire no later. False if there is none. */
  shortenLife(id: string, expiresAtMs: number, nowMs: number): Promise<boolean>;
}
