import type { LoginRecord, SigningKeyRecord, UserRecord } from './records.ts';

/** The claims of an access token on which rows depend. */
export interface AccessTokenQuery {
  readonly poolId: string;
  readonly username: string;
  /** Empty if the token names no login. */
  readonly loginId: string;
  /** The key that signed it. */
  readonly kid: string;
  /** The subjects of revocations that invalidate it. */
  readonly subjects: readonly string[];
}

/** Everything that decides whether an access token is valid, as of one moment. A part is undefined if its row does not exist. */
export interface AccessTokenFacts {
  readonly login: LoginRecord | undefined;
  readonly user: UserRecord | undefined;
  readonly key: Pick<SigningKeyRecord, 'retiredAtMs'> | undefined;
  /** The revoked ones among the subjects. */
  readonly revocations: readonly { readonly subject: string; readonly endedAtMs: number }[];
}

/** Reads the facts that decide whether access tokens are valid. */
export interface AccessTokenReads {
  /** Uses a single statement. */
  findFacts(query: AccessTokenQuery, nowMs: number): Promise<AccessTokenFacts>;
}
