import type { LoginRecord, SigningKeyRecord, UserRecord } from './records.ts';

/** What an access token says of itself, as far as rows depend on it. */
export interface AccessTokenQuery {
  readonly poolId: string;
  readonly username: string;
  /** Empty where the token names no login. */
  readonly loginId: string;
  /** The key that it is signed with. */
  readonly kid: string;
  /** The subjects of revocations that end it. */
  readonly subjects: readonly string[];
}

/** All that decides whether an access token counts, of one moment. Each part is undefined where there is no such row. */
export interface AccessTokenFacts {
  readonly login: LoginRecord | undefined;
  readonly user: UserRecord | undefined;
  readonly key: Pick<SigningKeyRecord, 'retiredAtMs'> | undefined;
  /** Those of the subjects that were revoked. */
  readonly revocations: readonly { readonly subject: string; readonly endedAtMs: number }[];
}

/** Reads what decides about access tokens. */
export interface AccessTokenReads {
  /** By one statement. */
  findFacts(query: AccessTokenQuery, nowMs: number): Promise<AccessTokenFacts>;
}
