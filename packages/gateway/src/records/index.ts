import type { AdminScope } from '@poolgate/provider';

/** What the gateway keeps of a user: only what the provider does not. Keyed by pool and `sub`. */
export interface LocalUserRecord {
  readonly userPoolId: string;
  readonly sub: string;
  readonly username: string;
  readonly passwordResetRequired: boolean;
  readonly isWebauthnEnabled: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What the gateway keeps of a device: the name that its user gave it, and what the provider does not tell. */
export interface LocalDeviceRecord {
  readonly userPoolId: string;
  readonly sub: string;
  readonly deviceKey: string;
  readonly name: string | null;
  /** Null where it is not known here. */
  readonly remembered: boolean | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The name that a user gave to a passkey. */
export interface LocalPasskeyRecord {
  readonly userPoolId: string;
  readonly sub: string;
  /** Base64url. */
  readonly credentialId: string;
  readonly name: string;
  readonly updatedAtMs: number;
}

/** Something that ended before its tokens expired. */
export interface EndingRecord {
  readonly userPoolId: string;
  /** `login:<origin_jti>` or `user:<sub>`. */
  readonly subject: string;
  /** Tokens issued before this time (by `iat` for a user; any for a login) are refused. */
  readonly endedAtMs: number;
  /** After this time no token can be alive any more, and the row may go. */
  readonly expiresAtMs: number;
}

/** A started SRP login whose answer the gateway must be able to check. Looked up by a digest; its content is sealed. */
export interface PendingSrpRecord {
  readonly digestHex: string;
  readonly sealed: string;
  readonly expiresAtMs: number;
}

/** A privileged backend identity. */
export interface AdminKeyRecord {
  /** Lower-case letters and digits, no underscore. */
  readonly id: string;
  /** SHA-256 of the secret, hex; the secret has 256 random bits. */
  readonly secretDigestHex: string;
  /** The secret again, sealed: Signature V4 needs it to verify. */
  readonly signingSecretSealed: string;
  readonly scopes: readonly AdminScope[];
  readonly label: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** What every method below rejects with while the store cannot be reached; callers know it by its code. */
export interface UnavailableError extends Error {
  readonly code: 'store_unavailable';
}

/** Where the gateway keeps its own records. Every method is one atomic statement, durable when it resolves. */
export interface GatewayRecords {
  /** Makes the local record of a user on first sight; later sights only move the user name. */
  seeUser(user: Pick<LocalUserRecord, 'userPoolId' | 'sub' | 'username'>, nowMs: number): Promise<LocalUserRecord>;
  localUser(userPoolId: string, sub: string): Promise<LocalUserRecord | undefined>;

  /** Sets the flag of a user that was seen before. */
  setWebauthnEnabled(userPoolId: string, sub: string, isEnabled: boolean, nowMs: number): Promise<void>;

  /** Names or renames a passkey. */
  putLocalPasskey(passkey: LocalPasskeyRecord): Promise<void>;
  /** The names that a user gave to passkeys: one indexed read. */
  localPasskeys(userPoolId: string, sub: string): Promise<readonly LocalPasskeyRecord[]>;
  deleteLocalPasskey(userPoolId: string, sub: string, credentialId: string): Promise<boolean>;

  /** Makes or replaces the local record of a device. */
  putLocalDevice(device: LocalDeviceRecord): Promise<void>;
  /** The local records of a user's devices among these keys: one indexed read. */
  localDevices(userPoolId: string, sub: string, deviceKeys: readonly string[]): Promise<readonly LocalDeviceRecord[]>;
  deleteLocalDevice(userPoolId: string, sub: string, deviceKey: string): Promise<boolean>;

  /** Ends a login or a user's earlier tokens; a later end moves the times forward, never back. */
  end(ending: EndingRecord): Promise<void>;
  /** What has ended among these subjects: one indexed read. */
  endings(userPoolId: string, subjects: readonly string[], nowMs: number): Promise<readonly EndingRecord[]>;

  putPendingSrp(pending: PendingSrpRecord): Promise<void>;
  pendingSrp(digestHex: string, nowMs: number): Promise<PendingSrpRecord | undefined>;
  /** Takes a pending login away. Defined for exactly one caller. */
  takePendingSrp(digestHex: string, nowMs: number): Promise<PendingSrpRecord | undefined>;

  insertAdminKey(key: AdminKeyRecord): Promise<void>;
  adminKey(id: string): Promise<AdminKeyRecord | undefined>;
  adminKeys(): Promise<readonly AdminKeyRecord[]>;
  touchAdminKey(id: string, nowMs: number): Promise<void>;
  revokeAdminKey(id: string, nowMs: number): Promise<boolean>;

  /** True when the store answers. */
  ready(): Promise<boolean>;
  /** Removes what has expired. Nothing depends on it. */
  sweep(nowMs: number): Promise<void>;
}
