import type { ClientSettings, DomainSettings, PoolSettings, ResourceServerScope } from './pool-and-client-settings.ts';

/** A user pool. */
export interface PoolRecord {
  /** `{region}_{9 letters and digits}`. */
  readonly id: string;
  readonly name: string;
  readonly region: string;
  readonly settings: PoolSettings;
  /** 32 random bytes of this pool, encrypted. They mask unknown users, sign refresh tokens and key the digests of codes. */
  readonly secretEncrypted: string;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** An app client of a pool. */
export interface ClientRecord {
  readonly poolId: string;
  readonly id: string;
  readonly name: string;
  readonly settings: ClientSettings;
  /** Its encrypted secrets: none for a public client, two during a rotation. */
  readonly secretsEncrypted: readonly string[];
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A domain of a pool (Cognito `DomainDescriptionType`). The served pool's OAuth endpoints exist while it has one. */
export interface DomainRecord {
  /** A prefix or a whole host name, unique across all pools. */
  readonly name: string;
  readonly poolId: string;
  readonly settings: DomainSettings;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** An API with its own scopes (Cognito `ResourceServerType`). A scope is requested as `{identifier}/{name}`. */
export interface ResourceServerRecord {
  readonly poolId: string;
  readonly identifier: string;
  readonly name: string;
  readonly scopes: readonly ResourceServerScope[];
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A key pair that signs one kind of token. */
export interface SigningKeyRecord {
  readonly poolId: string;
  readonly kid: string;
  readonly purpose: 'access' | 'id';
  readonly algorithm: 'RS256' | 'ES256';
  /** Modulus and exponent of an RSA key (RFC 7518 §6.3.1), base64url; empty for other keys. */
  readonly n: string;
  readonly e: string;
  /** The coordinates of a point on P-256 (RFC 7518 §6.2.1), base64url; empty for an RSA key. */
  readonly x: string;
  readonly y: string;
  /** PKCS #8 DER, encrypted. */
  readonly privateEncrypted: string;
  readonly createdAtMs: number;
  /** From then on it signs nothing. It stays published until the last token that it signed has expired. */
  readonly retiredAtMs: number | null;
}

/** One resource that was made from an infrastructure file: the id that the file gives it, and ours. */
export interface StackResourceRecord {
  readonly stack: string;
  /** Its name in the file, unique within the stack. */
  readonly logicalId: string;
  /** Such as `UserPool`. */
  readonly type: string;
  /** The pool that it is or belongs to. */
  readonly poolId: string;
  /** Its id within the pool: a client id, the name of a group. */
  readonly physicalId: string;
  /** `pending` from before the call that makes or changes it until the result is known. */
  readonly state: 'pending' | 'applied';
  /** What the file said when it was last applied, without secrets. */
  readonly applied: Readonly<Record<string, unknown>>;
  /** How the resource looked afterwards, without secrets. */
  readonly described: Readonly<Record<string, unknown>>;
  readonly modifiedAtMs: number;
}
